"""The way out: a response as calls of Slack's Web API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from ..._errors.exceptions import UsageError, WireError
from ..._flow.settings import DEFAULTS
from ..._flow.settings import Settings as BaseSettings
from ..._html.convert import html_to_markdown
from ..._html.well_formed import neutralize
from ..._model.base import EMPTY_DICT, frozen
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import ArtifactPart, CarriedPolicy, FilePart, LinkPart, Part, TextPart, ToolCallPart
from ..._text.media import single_line, url_of
from ..._text.plain_text import error_text, serialize_tool_call_to_text, shorten
from ..._wire.address import agent_address
from ..._wire.http import HttpRequest, is_fetchable_url
from .._answer import MORE, cap_messages, check_answer
from .._api import ApiRequest, Outgoing
from ._ids import is_moment, is_user, object_of, one_of
from ._read.event import native_id as id_of_message
from ._read.form import is_form, read_form
from ._write.blocks import RenderedBlock, context, fallback, messages, sections
from ._write.mrkdwn import Chunk, Mentions, escape, link, markdown_chunks, plain_chunks
from ._write.policy import policy_blocks

RESPONSE_URL: Final = "response_url"
"""What stands as the method of a call that is no method of the Web API."""

_NOTHING_FOUND: Final[Mapping[str, Any]] = {"parse": "none", "link_names": False}
"""Keeps Slack from looking for mentions in the text by itself, which `chat.update` does unless it is told."""

_NOTHING_UNFURLED: Final[Mapping[str, Any]] = {"unfurl_links": False, "unfurl_media": False}
"""Keeps Slack from fetching what the text links to: a URL can carry away what an agent knows."""

_MAX_RESPONSES: Final = 5
"""How often a response URL may be used."""

_THREAD: Final = re.compile(r"slack:([TE][A-Z0-9]{1,31})/([CDG][A-Z0-9]{1,31})/([0-9.a-f]{1,128})", re.ASCII).fullmatch
_MOMENT: Final = re.compile(r"[0-9]{1,12}\.[0-9]{6}", re.ASCII).fullmatch
_OURS: Final = ".slack.invalid"
_TOOL_LINE_BYTES: Final = 2_000
_MAX_MENTIONS: Final = 100


@frozen
class _Place:
    """Where an answer goes."""

    channel: str
    thread_ts: str | None
    asker: str | None

    @property
    def is_direct(self) -> bool:
        return self.channel.startswith("D")


def response_url(request: HttpRequest) -> str | None:
    """The URL that a slash command may be answered to, for half an hour; None when the request has none.

    It is a credential. No message holds it, so keep it yourself until you have the answer, and give it to `reply`. Ask
    only for requests that `receive` took.

    Args:
        request: The request of the command.
    """
    try:
        found = read_form(request.body).get("response_url", "") if is_form(request) else ""
    except WireError:
        return None
    return found if is_fetchable_url(found) else None


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    update: str | None = None,
    response_url: str | None = None,
    ephemeral: bool = False,
    mentions: Iterable[str] = (),
    siblings: Mapping[str, str] = EMPTY_DICT,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to Slack: messages in the thread of the question, as blocks and as text.

    A long answer is several messages; one of more than 25 ends with a word that there was more. Nobody is mentioned but
    those whom you name, and no link is unfurled, whatever the text says. A policy is a message with a button; in a
    channel only the asker sees it, since what it demands is demanded of them. Its URL leads to the agent's own host, or
    is left out.

    Args:
        response: The answer. Of a stream, give with each call all that came so far (`Assembler.parts`), and `update`
            from the second on. While it is partial it shows one message at most.
        to: The message that it answers, as `receive` gave it.
        update: The `ts` of the message that is to show this instead of what it showed: of an answer that grows.
        response_url: Where a slash command may be answered, from `slack.response_url(request)`. None: in the channel.
        ephemeral: Whether the asker alone sees the answer.
        mentions: Ids of users; where the text names one as `<@U456>` it mentions them.
        siblings: Address of an agent → id of its user. Where the text names the address it mentions them, and so brings
            them in.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §3.3, §4; Building a Connector §PolicyPart handling.

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, NormalizedResponse, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="slack:T1/C1/1355517523.000005", sender=Sender(address="@U1@t1.slack.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> post = reply(NormalizedResponse.to(question, "**Hello** <!channel>"), to=question)
        >>> post.method, post.params["thread_ts"], post.params["text"]
        ('chat.postMessage', '1355517523.000005', '*Hello* &lt;!channel&gt;')
    """
    answer = check_answer(response, to=to, platform="slack", settings=settings, conversation=_channel)
    notes, place = answer.notes, _place(answer.thread, to)
    said = messages(_shown(answer.response, _mentions(mentions, siblings), notes))
    # While it is partial one message is shown: the final frame brings the rest.
    said = said[:1] if response.status == "partial" else cap_messages(said, list(context([MORE])), notes)
    demands = _demands(answer.response, notes)
    if response_url is not None:
        _check_response_url(response_url, update, len(said) + len(demands))
        is_private = [*[ephemeral] * len(said), *[True] * len(demands)]
        both = zip([*said, *demands], is_private, strict=True)
        calls = [_respond(response_url, blocks, is_ephemeral=private) for blocks, private in both]
    else:
        _check_update(update, ephemeral=ephemeral)
        calls = [_post(place, blocks, is_ephemeral=ephemeral) for blocks in said]
        if update is not None and calls:
            calls[0] = _update(place, update, said[0])
        calls += [_post(place, blocks, is_ephemeral=True) for blocks in demands]
    return Outgoing(thread=answer.thread, calls=tuple(calls), diagnostics=tuple(notes))


def _channel(thread: str) -> object:
    """The team and the channel of a thread; None when it is none of Slack."""
    found = _THREAD(thread)
    return None if found is None else found.groups()[:2]


def _place(thread: str, to: NormalizedMessage) -> _Place:
    """Where an answer goes: into the conversation that was asked in, maybe into another thread of it."""
    there = _THREAD(thread)
    if there is None:
        raise UsageError("to.thread_id is no conversation of Slack: slack:<team>/<channel>/<ts>")
    user, _, domain = to.sender.address[1:].partition("@")
    asker = user if domain.endswith(_OURS) and is_user(user) else None
    return _Place(channel=there[2], thread_ts=there[3] if _MOMENT(there[3]) else None, asker=asker)


def _demands(response: NormalizedResponse, notes: list[Diagnostic]) -> list[list[RenderedBlock]]:
    """The messages of what an answer demands."""
    found: list[list[RenderedBlock]] = []
    for index, part in enumerate(response.parts):
        if isinstance(part, CarriedPolicy):
            found += messages(policy_blocks(part.policy, f"/parts/{index}/policy", notes))
    return found


def _mentions(users: Iterable[str], siblings: Mapping[str, str]) -> Mentions:
    """Whom the text may mention."""
    if isinstance(users, str) or not isinstance(siblings, Mapping):
        raise UsageError("mentions is a list of ids of users, siblings a mapping of addresses to ids of users")
    named = frozenset(users)
    if len(named) + len(siblings) > _MAX_MENTIONS:
        raise UsageError(f"mentions and siblings: more than {_MAX_MENTIONS}")
    if not all(map(is_user, [*named, *siblings.values()])):
        raise UsageError("mentions and siblings name users by their ids, such as U456")
    return Mentions(users=named, agents={agent_address(address): user for address, user in siblings.items()})


def _check_update(update: object, *, ephemeral: bool) -> None:
    if update is not None and (ephemeral or not isinstance(update, str) or not _MOMENT(update)):
        raise UsageError("update is the ts of a message that everybody sees")


def _check_response_url(url: object, update: object, count: int) -> None:
    if not isinstance(url, str) or not is_fetchable_url(url):
        raise UsageError("response_url is what slack.response_url(request) gave")
    if update is not None:
        raise UsageError("response_url and update exclude each other")
    if count > _MAX_RESPONSES:
        raise UsageError(f"the answer is {count} messages, a response URL takes {_MAX_RESPONSES}: leave it out")


def _shown(response: NormalizedResponse, mentions: Mentions, notes: list[Diagnostic]) -> Iterator[RenderedBlock]:
    """The blocks of an answer, but for what it demands."""
    chunks: list[Chunk] = []
    lines: list[str] = []
    is_said = False
    for index, part in enumerate(response.parts):
        if isinstance(part, ToolCallPart):
            yield from sections(chunks)
            chunks = []
            lines.append(_tool_line(part, index, notes))
            is_said = True
            continue
        found = _chunks(part, index, mentions, notes)
        if found:
            yield from context(lines)
            lines = []
            chunks += found
    is_said = is_said or bool(chunks) or any(isinstance(part, CarriedPolicy) for part in response.parts)
    yield from context(lines)
    yield from sections(chunks)
    if not is_said:
        yield from sections(plain_chunks(error_text(response)))


def _tool_line(part: ToolCallPart, index: int, notes: list[Diagnostic]) -> str:
    """The line of a tool call; one that is too long even so ends with `…`."""
    line = single_line(neutralize(serialize_tool_call_to_text(part)))
    short = shorten(line, _TOOL_LINE_BYTES)
    if short != line:
        notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail="the line of a tool call was cut"))
    return escape(short)


def _chunks(part: Part, index: int, mentions: Mentions, notes: list[Diagnostic]) -> Sequence[Chunk]:
    """A part as text of Slack."""
    match part:
        case TextPart(mime="text/markdown", content=content):
            return markdown_chunks(content, mentions)
        case TextPart(mime="text/html", content=content):
            return markdown_chunks(html_to_markdown(content), mentions)
        case TextPart(content=content):
            return plain_chunks(content, mentions)
        case LinkPart(url=url, title=title, description=description):
            return [
                Chunk(link(url, single_line(title or ""), mentions)),
                *plain_chunks(single_line(description or ""), mentions),
            ]
        case FilePart() | ArtifactPart():
            return [Chunk(_file_line(part, index, mentions, notes))]
        case CarriedPolicy():
            return ()
        case _:
            detail = "a part of a kind that is not known here is not shown"
            notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
            return ()


def _file_line(part: FilePart | ArtifactPart, index: int, mentions: Mentions, notes: list[Diagnostic]) -> str:
    """A file, by its name. Its bytes stay where its URL leads."""
    name, url = single_line(part.name or "") or "file", url_of(part)
    if url is None:
        detail = "the bytes of a file do not go along: give it a URL"
        notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))
        return f"\U0001f4ce {escape(name)} ({part.mime})"
    return f"\U0001f4ce {link(url, name, mentions)} ({part.mime})"


def _post(place: _Place, blocks: Sequence[RenderedBlock], *, is_ephemeral: bool) -> ApiRequest:
    """A new message; for the asker alone where others would see it and the asker is known."""
    params: dict[str, Any] = {"channel": place.channel}
    is_private = is_ephemeral and not place.is_direct and place.asker is not None
    if is_private:
        params["user"] = place.asker
    if place.thread_ts is not None:
        params["thread_ts"] = place.thread_ts
    params |= {**_content(blocks), **_NOTHING_FOUND}
    if is_private:
        return ApiRequest(method="chat.postEphemeral", params=params)
    return ApiRequest(method="chat.postMessage", params={**params, **_NOTHING_UNFURLED})


def _update(place: _Place, ts: str, blocks: Sequence[RenderedBlock]) -> ApiRequest:
    """What a message shows from now on."""
    return ApiRequest(
        method="chat.update", params={"channel": place.channel, "ts": ts, **_content(blocks), **_NOTHING_FOUND}
    )


def _respond(url: str, blocks: Sequence[RenderedBlock], *, is_ephemeral: bool) -> ApiRequest:
    """An answer to a command."""
    kind = "ephemeral" if is_ephemeral else "in_channel"
    params = {"response_type": kind, "replace_original": False, **_content(blocks)}
    return ApiRequest(method=RESPONSE_URL, params={**params, **_NOTHING_UNFURLED}, url=url)


def _content(blocks: Sequence[RenderedBlock]) -> dict[str, Any]:
    return {"text": fallback(blocks), "blocks": [shown.block for shown in blocks]}


def native_id(answer: object, *, to: NormalizedMessage) -> str | None:
    """The id under which to store the response, so that an answer to it is known as one.

    Args:
        answer: What Slack answered to the first call of `reply`.
        to: The message that was answered.

    Returns:
        `slack:<team>/<channel>/<ts>`; None when Slack names no message of this channel, as for ephemeral ones.

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="slack:T1/C1/1355517523.000005", sender=Sender(address="@U1@t1.slack.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> native_id({"ok": True, "channel": "C1", "ts": "1355517530.000100"}, to=question)
        'slack:T1/C1/1355517530.000100'
    """
    own, said = _THREAD(to.thread_id), object_of(answer)
    ts = one_of(said, "ts", is_moment)
    if own is None or ts is None or said.get("ok") is not True or said.get("channel") != own[2]:
        return None
    return id_of_message(own[1], own[2], ts)
