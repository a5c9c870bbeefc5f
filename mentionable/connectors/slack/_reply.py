"""The entry point for answers: a response to calls of Slack's Web API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError, WireError
from ..._flow.settings import DEFAULTS, check_kind
from ..._flow.settings import Settings as BaseSettings
from ..._model.base import EMPTY_DICT, replace
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import TextPart
from ..._transport.reply import NO_BLOBS
from ..._wire.http import HttpRequest, is_fetchable_url
from ..._wire.strict_json import dig, loads
from .._answer import check_answer, check_siblings
from .._api import ApiRequest, Outgoing
from .._choices import Choice
from .._members import object_of
from .._participants import copied_mentions
from ._ids import is_ts, is_user, optional
from ._options import IN_THREAD, PostOptions
from ._read.event import native_id as id_of_message
from ._read.form import is_form, read_form
from ._target import Target, conversation_of, target_of
from ._write.blocks import RenderedBlock
from ._write.calls import message_calls, private_calls, upload_calls
from ._write.choices import choice_blocks
from ._write.inline import NO_MENTIONS, Mentions
from ._write.response import Attachable, RenderedResponse, render

_MAX_RESPONSES: Final = 5
"""How often a response URL may be used."""

_MAX_MENTIONS: Final = 100
_MAX_PAYLOAD: Final = 1_048_576
_MAX_PAYLOAD_DEPTH: Final = 64


def response_url(request: HttpRequest) -> str | None:
    """The URL that a slash command or a click may be answered to, for half an hour; None when the request has none.

    It is a credential. No message holds it, so keep it yourself until you have the answer, and give it to `reply`. Ask
    only for requests that `receive` took.

    Args:
        request: The request of the command or the click.
    """
    try:
        fields = read_form(request.body) if is_form(request) else {}
        url: Any = fields.get("response_url")
        if "payload" in fields:
            payload = fields["payload"].encode()
            url = dig(
                loads(payload, max_bytes=_MAX_PAYLOAD, max_depth=_MAX_PAYLOAD_DEPTH, safe_integers=False),
                "response_url",
            )
    except WireError:
        return None
    return url if isinstance(url, str) and is_fetchable_url(url) else None


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    options: PostOptions = IN_THREAD,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    choices: Iterable[Choice] = (),
    mentions: Iterable[str] = (),
    siblings: Mapping[str, str] = EMPTY_DICT,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to Slack: messages in the thread of the question, then files.

    A long answer is several messages; one of more than 25 ends with a line that says so. The text mentions only the
    users that you name, and people of the conversation whose tokens it copies. No link is unfurled. A policy is a
    message with a button. In a channel only the asker sees it, since the asker has to meet it. Its URL leads to the
    agent's own host, or is left out.

    Args:
        response: The answer. Of a stream, give with each call all that came so far (`Assembler.parts`), and
            `options.update` from the second on. While it is partial it shows one message at most.
        to: The message that it answers, as `receive` gave it. When the asker alone saw it, the asker alone sees the
            answer.
        options: Whether it replaces a message, goes to a response URL, or is for the asker alone or the whole channel.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        choices: Answers to pick with a click, under the last message of the final frame: up to 5 as buttons, more as a
            menu. Everybody who sees them may click, and each click comes back as a message of who clicked.
        mentions: Ids of more users; where the text names one as `<@U456>` it mentions them.
        siblings: Address of an agent → id of its user. Where the text names the address it mentions them, and so brings
            them in.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UnanswerableError: It is for the asker alone, and a program asked in a channel: `reason` is `no-private-way`.
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
    #   1. check the response and its conversation  3. render the messages, the files and the policies
    #   2. check the users that it may mention      4. make the calls of each; none of them falls back to another
    check_kind(options, PostOptions, "options")
    additions = Additions(allowed_mentions(mentions, siblings), blobs, choice_blocks(choices))
    prepared = prepare(response, to, settings, options, additions)
    if options.response_url is not None:
        _check_count(prepared.rendered)
    calls = message_calls(prepared.target, prepared.rendered.messages, options)
    return outgoing(prepared, calls, options)


class Prepared(NamedTuple):
    """An answer that may go out.

    Attributes:
        thread: The thread that it goes into.
        target: Where that is.
        mentions: The users that it may mention, people of the conversation among them.
        rendered: How it looks.
        diagnostics: What was left out.
    """

    thread: str
    target: Target
    mentions: Mentions
    rendered: RenderedResponse
    diagnostics: tuple[Diagnostic, ...]


class Additions(NamedTuple):
    """What the program adds to a response.

    Attributes:
        mentions: The users and agents that it may mention.
        blobs: SHA-256 in hex → bytes.
        choices: The block of the choices.
    """

    mentions: Mentions = NO_MENTIONS
    blobs: Mapping[str, bytes] = NO_BLOBS
    choices: Sequence[RenderedBlock] = ()


def prepare(
    response: NormalizedResponse,
    to: NormalizedMessage,
    settings: BaseSettings,
    options: PostOptions,
    additions: Additions,
) -> Prepared:
    """A response as it may go out, checked and rendered.

    Raises:
        UsageError: The response may not go out like that.
    """
    answer = check_answer(response, to=to, platform="slack", settings=settings, conversation=conversation_of)
    target = target_of(answer.thread, to)
    mentions, blobs, choices = additions
    if _may_mention(answer.response):
        copied = copied_mentions(to, settings, agents=mentions.agents.values())
        mentions = mentions._replace(users=mentions.users | copied) if copied else mentions
    rendered = render(answer.response, mentions, Attachable(blobs, choices, _has_uploads(target, options)))
    return Prepared(answer.thread, target, mentions, rendered, (*answer.diagnostics, *rendered.diagnostics))


def _may_mention(response: NormalizedResponse) -> bool:
    """Whether a token may be in a response, as it is or in character references: in few answers there is one."""
    return any(not isinstance(part, TextPart) or "@" in part.content or "&" in part.content for part in response.parts)


def outgoing(prepared: Prepared, calls: Sequence[ApiRequest], options: PostOptions = IN_THREAD) -> Outgoing:
    """The calls of the text, and behind them those of the policies and the files.

    Raises:
        UnanswerableError: A policy is for the asker alone, and no way leads there.
    """
    target, all_calls = prepared.target, [*calls]
    for message, is_private in prepared.rendered.policies:
        behind = replace(options, update=None, broadcast=False)
        # What no one else could use may be public where a program asked: it sees no ephemeral message.
        is_for_asker = is_private or target.asker is not None or options.response_url is not None
        all_calls += (private_calls if is_for_asker else message_calls)(target, [message], behind)
    if prepared.rendered.files:
        all_calls += upload_calls(target, prepared.rendered.files, before=len(all_calls))
    return Outgoing(thread=prepared.thread, calls=tuple(all_calls), diagnostics=prepared.diagnostics)


def _has_uploads(target: Target, options: PostOptions) -> bool:
    """Whether files can be uploaded. Slack has none that one person alone sees, and takes none at a response URL."""
    is_private = options.ephemeral or target.is_ephemeral
    return options.response_url is None and (target.is_direct or not is_private)


def allowed_mentions(users: Iterable[str], siblings: Mapping[str, str]) -> Mentions:
    """The users and agents that the text may mention.

    Raises:
        UsageError: One is no id of a user, or they are too many.
    """
    allowed = frozenset() if isinstance(users, str) else frozenset(users)
    if isinstance(users, str) or len(allowed) > _MAX_MENTIONS or not all(map(is_user, allowed)):
        raise UsageError(f"mentions is a list of at most {_MAX_MENTIONS} ids of users, such as U456")
    agents = check_siblings(siblings, is_user=is_user, max_count=_MAX_MENTIONS - len(allowed))
    return Mentions(users=allowed, agents=agents) if allowed or agents else NO_MENTIONS


def _check_count(rendered: RenderedResponse) -> None:
    count = len(rendered.messages) + len(rendered.policies)
    if count > _MAX_RESPONSES:
        raise UsageError(f"the answer is {count} messages, a response URL takes {_MAX_RESPONSES}: leave it out")


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
    place, posted = conversation_of(to.thread_id), object_of(answer)
    ts = optional(posted, "ts", is_ts)
    if place is None or ts is None or posted.get("ok") is not True or posted.get("channel") != place[1]:
        return None
    return id_of_message(*place, ts)
