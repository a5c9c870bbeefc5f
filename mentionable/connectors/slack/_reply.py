"""The entry point for answers: a response to calls of Slack's Web API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError, WireError
from ..._flow.settings import DEFAULTS
from ..._flow.settings import Settings as BaseSettings
from ..._model.base import EMPTY_DICT
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._wire.http import HttpRequest, is_fetchable_url
from .._answer import check_answer, check_siblings
from .._api import ApiRequest, Outgoing
from .._members import object_of
from ._ids import is_ts, is_user, optional
from ._read.event import native_id as id_of_message
from ._read.form import is_form, read_form
from ._write.blocks import RenderedBlock, fallback
from ._write.inline import Mentions
from ._write.response import render

RESPONSE_URL: Final = "response_url"
"""The method of a call that posts to a response URL, not to the Web API."""

_NO_PARSING: Final[Mapping[str, Any]] = {"parse": "none", "link_names": False}
"""Keeps Slack from looking for mentions in the text by itself, as `chat.update` does by default."""

_NO_UNFURLING: Final[Mapping[str, Any]] = {"unfurl_links": False, "unfurl_media": False}
"""Keeps Slack from fetching what the text links to: a URL can carry away what an agent knows."""

_MAX_RESPONSES: Final = 5
"""How often a response URL may be used."""

_THREAD: Final = re.compile(r"slack:([TE][A-Z0-9]{1,31})/([CDG][A-Z0-9]{1,31})/([0-9.a-f]{1,128})", re.ASCII).fullmatch
_TS: Final = re.compile(r"[0-9]{1,12}\.[0-9]{6}", re.ASCII).fullmatch
_DOMAIN: Final = ".slack.invalid"
_MAX_MENTIONS: Final = 100


class _Target(NamedTuple):
    """Where an answer goes."""

    channel: str
    thread_ts: str | None
    asker: str | None


def response_url(request: HttpRequest) -> str | None:
    """The URL that a slash command may be answered to, for half an hour; None when the request has none.

    It is a credential. No message holds it, so keep it yourself until you have the answer, and give it to `reply`. Ask
    only for requests that `receive` took.

    Args:
        request: The request of the command.
    """
    try:
        url = read_form(request.body).get("response_url", "") if is_form(request) else ""
    except WireError:
        return None
    return url if is_fetchable_url(url) else None


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

    A long answer is several messages; one of more than 25 ends with a line that says so. The text mentions only the
    users that you name, and no link is unfurled. A policy is a message with a button; in a channel only the asker sees
    it, since the asker has to meet it. Its URL leads to the agent's own host, or is left out.

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
    # Nothing is rendered before the program's own arguments are checked, but for the number of messages:
    #   1. check the response and its conversation  3. render the messages and the policies
    #   2. check the users that it may mention      4. make a call of each
    answer = check_answer(response, to=to, platform="slack", settings=settings, conversation=_channel)
    target = _target(answer.thread, to)
    rendered = render(answer.response, _mentions(mentions, siblings))
    texts, policies = rendered.messages, rendered.policies
    if response_url is not None:
        _check_response_url(response_url, update, len(texts) + len(policies))
        calls = [_respond(response_url, blocks, is_ephemeral=ephemeral) for blocks in texts]
        calls += [_respond(response_url, blocks, is_ephemeral=True) for blocks in policies]
    else:
        _check_update(update, ephemeral=ephemeral)
        calls = [_post(target, blocks, is_ephemeral=ephemeral) for blocks in texts]
        if update is not None and calls:
            calls[0] = _update(target, update, texts[0])
        calls += [_post(target, blocks, is_ephemeral=True) for blocks in policies]
    diagnostics = (*answer.diagnostics, *rendered.diagnostics)
    return Outgoing(thread=answer.thread, calls=tuple(calls), diagnostics=diagnostics)


def _channel(thread: str) -> object:
    """The team and the channel of a thread; None when it is none of Slack."""
    match = _THREAD(thread)
    return None if match is None else match.groups()[:2]


def _target(thread: str, to: NormalizedMessage) -> _Target:
    """Where an answer goes: into the conversation that was asked in, maybe into another thread of it."""
    match = _THREAD(thread)
    if match is None:
        raise UsageError("to.thread_id is no conversation of Slack: slack:<team>/<channel>/<ts>")
    user, _, domain = to.sender.address[1:].partition("@")
    asker = user if domain.endswith(_DOMAIN) and is_user(user) else None
    return _Target(channel=match[2], thread_ts=match[3] if _TS(match[3]) else None, asker=asker)


def _mentions(users: Iterable[str], siblings: Mapping[str, str]) -> Mentions:
    """The users and agents that the text may mention."""
    allowed = frozenset() if isinstance(users, str) else frozenset(users)
    if isinstance(users, str) or len(allowed) > _MAX_MENTIONS or not all(map(is_user, allowed)):
        raise UsageError(f"mentions is a list of at most {_MAX_MENTIONS} ids of users, such as U456")
    agents = check_siblings(siblings, is_user=is_user, max_count=_MAX_MENTIONS - len(allowed))
    return Mentions(users=allowed, agents=agents)


def _check_update(update: object, *, ephemeral: bool) -> None:
    if update is not None and (ephemeral or not isinstance(update, str) or not _TS(update)):
        raise UsageError("update is the ts of a message that is not ephemeral")


def _check_response_url(url: object, update: object, count: int) -> None:
    if not isinstance(url, str) or not is_fetchable_url(url):
        raise UsageError("response_url is what slack.response_url(request) gave")
    if update is not None:
        raise UsageError("response_url and update exclude each other")
    if count > _MAX_RESPONSES:
        raise UsageError(f"the answer is {count} messages, a response URL takes {_MAX_RESPONSES}: leave it out")


def _post(target: _Target, blocks: Sequence[RenderedBlock], *, is_ephemeral: bool) -> ApiRequest:
    """A new message; for the asker alone where others would see it and the asker is known."""
    params: dict[str, Any] = {"channel": target.channel}
    is_private = is_ephemeral and not target.channel.startswith("D") and target.asker is not None
    if is_private:
        params["user"] = target.asker
    if target.thread_ts is not None:
        params["thread_ts"] = target.thread_ts
    params |= {**_content(blocks), **_NO_PARSING}
    if is_private:
        return ApiRequest(method="chat.postEphemeral", params=params)
    return ApiRequest(method="chat.postMessage", params={**params, **_NO_UNFURLING})


def _update(target: _Target, ts: str, blocks: Sequence[RenderedBlock]) -> ApiRequest:
    """The new content of a message."""
    params = {"channel": target.channel, "ts": ts, **_content(blocks), **_NO_PARSING}
    return ApiRequest(method="chat.update", params=params)


def _respond(url: str, blocks: Sequence[RenderedBlock], *, is_ephemeral: bool) -> ApiRequest:
    """An answer to a command."""
    kind = "ephemeral" if is_ephemeral else "in_channel"
    params = {"response_type": kind, "replace_original": False, **_content(blocks), **_NO_UNFURLING}
    return ApiRequest(method=RESPONSE_URL, params=params, url=url)


def _content(blocks: Sequence[RenderedBlock]) -> dict[str, Any]:
    return {"text": fallback(blocks), "blocks": [rendered.block for rendered in blocks]}


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
    thread, posted = _THREAD(to.thread_id), object_of(answer)
    ts = optional(posted, "ts", is_ts)
    if thread is None or ts is None or posted.get("ok") is not True or posted.get("channel") != thread[2]:
        return None
    return id_of_message(thread[1], thread[2], ts)
