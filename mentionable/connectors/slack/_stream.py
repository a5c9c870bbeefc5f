"""Answers that grow while people read them: a message that is begun, appended to, and ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..._errors.exceptions import UsageError
from ..._flow.settings import DEFAULTS, check_kind
from ..._flow.settings import Settings as BaseSettings
from ..._model.base import EMPTY_DICT, frozen
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.reply import NO_BLOBS
from .._api import ApiRequest, Outgoing
from .._choices import Choice
from ._ids import is_ts_form
from ._options import IN_THREAD, PostOptions
from ._reply import Additions, Prepared, allowed_mentions, outgoing, prepare, reply
from ._target import Target
from ._write.calls import message_calls
from ._write.choices import choice_blocks
from ._write.stream import chunks_of


@frozen
class Stream:
    """An answer that grows in Slack.

    Attributes:
        ts: The `ts` of its message, as Slack answered to the call of `start_stream`.
        frame: The last frame that was sent.

    Raises:
        UsageError: `ts` is none.
    """

    ts: str
    frame: NormalizedResponse

    def __attrs_post_init__(self) -> None:
        check_kind(self.frame, NormalizedResponse, "frame")
        if not is_ts_form(self.ts):
            raise UsageError("ts is what Slack answered to the call of start_stream")


def start_stream(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    mentions: Iterable[str] = (),
    siblings: Mapping[str, str] = EMPTY_DICT,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The call that begins an answer that grows, with what there is of it.

    Where Slack has no stream, the call is `chat.postMessage`, and what follows updates that message: in a channel where
    a program asked, and where a command has no thread. There is no call where the asker alone saw the question: the
    final frame brings the answer.

    Args:
        response: A partial frame with all that came so far (`Assembler.parts`).
        to: The message that it answers, as `receive` gave it.
        mentions: As for `reply`.
        siblings: As for `reply`.
        settings: Limits.

    Raises:
        UsageError: The frame is not partial, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §4 (Streaming).

    Example:
        >>> from mentionable import InlineRelay, NormalizedMessage, NormalizedResponse, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="slack:T1/C1/1355517523.000005", sender=Sender(address="@U1@t1.slack.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> first = NormalizedResponse.to(question, "It", status="partial")
        >>> start_stream(first, to=question).method
        'chat.startStream'
        >>> second = NormalizedResponse.to(question, "It **will**", status="partial")
        >>> stream = Stream(ts="1355517524.000001", frame=first)
        >>> append_stream(second, to=question, stream=stream).params["chunks"]
        [{'type': 'markdown_text', 'text': ' **will**'}]
    """
    _check_partial(response)
    prepared = prepare(response, to, settings, IN_THREAD, Additions(allowed_mentions(mentions, siblings)))
    target = prepared.target
    if target.is_ephemeral and not target.is_direct:
        return outgoing(prepared, ())
    chunks = chunks_of(response, prepared.mentions, None) if _has_streams(target) else None
    if chunks is None:
        return reply(response, to=to, mentions=mentions, siblings=siblings, settings=settings)
    params: dict[str, Any] = {"channel": target.channel, "thread_ts": target.thread_ts}
    if not target.is_direct:
        params |= {"recipient_team_id": target.team, "recipient_user_id": target.asker}
    if chunks:
        params["chunks"] = chunks
    return outgoing(prepared, [ApiRequest(method="chat.startStream", params=params)])


def append_stream(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    stream: Stream,
    mentions: Iterable[str] = (),
    siblings: Mapping[str, str] = EMPTY_DICT,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The call that appends what is new of an answer; no call when nothing is.

    A frame that takes back what was sent, or of more than 12,000 characters, is not appended: a diagnostic says so, and
    the final frame shows the whole answer. Go on with `Stream(ts=…, frame=response)` when there was a call.

    Args:
        response: A partial frame with all that came so far.
        to: The message that it answers.
        stream: The message, and what it shows.
        mentions: As for `reply`, the same in all frames.
        siblings: As for `reply`, the same in all frames.
        settings: Limits.

    Raises:
        UsageError: The frame is not partial, or an argument is of the wrong kind: fix your program.
    """
    _check_partial(response)
    check_kind(stream, Stream, "stream")
    prepared = prepare(response, to, settings, IN_THREAD, Additions(allowed_mentions(mentions, siblings)))
    if not _is_streamed(prepared, stream):
        options = PostOptions(update=stream.ts)
        return reply(response, to=to, options=options, mentions=mentions, siblings=siblings, settings=settings)
    chunks = chunks_of(response, prepared.mentions, stream.frame)
    if chunks is None:
        detail = "it does not go on where the stream ends: the final frame shows it"
        waiting = Diagnostic(code="part-changed", at="/parts", detail=detail)
        return outgoing(prepared._replace(diagnostics=(*prepared.diagnostics, waiting)), ())
    params = {"channel": prepared.target.channel, "ts": stream.ts, "chunks": chunks}
    return outgoing(prepared, [ApiRequest(method="chat.appendStream", params=params)] if chunks else [])


def stop_stream(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    stream: Stream | None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    choices: Iterable[Choice] = (),
    mentions: Iterable[str] = (),
    siblings: Mapping[str, str] = EMPTY_DICT,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that end an answer: the rest of it, its choices, files, and its policies, which the asker alone sees.

    Where the final frame does not go on where the stream ends, the message is replaced by the whole answer.

    Args:
        response: The final frame, whole.
        to: The message that it answers.
        stream: The message, and what it shows; None: `start_stream` gave no call.
        blobs: As for `reply`.
        choices: As for `reply`.
        mentions: As for `reply`, the same in all frames.
        siblings: As for `reply`, the same in all frames.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UnanswerableError: As for `reply`.
        UsageError: The frame is partial, or an argument is of the wrong kind: fix your program.
    """
    check_kind(response, NormalizedResponse, "response")
    check_kind(stream, (Stream, type(None)), "stream")
    if response.status == "partial":
        raise UsageError("stop_stream takes the final frame: append_stream takes partial ones")
    additions = Additions(allowed_mentions(mentions, siblings), blobs, choice_blocks(choices))
    options = IN_THREAD if stream is None else PostOptions(update=stream.ts)
    prepared = prepare(response, to, settings, options, additions)
    target = prepared.target
    if stream is None or not _is_streamed(prepared, stream):
        return outgoing(prepared, message_calls(target, prepared.rendered.messages, options), options)
    params: dict[str, Any] = {"channel": target.channel, "ts": stream.ts}
    chunks = chunks_of(response, prepared.mentions, stream.frame)
    if chunks is None:
        stop = ApiRequest(method="chat.stopStream", params=params)
        return outgoing(prepared, [stop, *message_calls(target, prepared.rendered.messages, options)], options)
    if chunks:
        params["chunks"] = chunks
    if additions.choices:
        params["blocks"] = [rendered.block for rendered in additions.choices]
    return outgoing(prepared, [ApiRequest(method="chat.stopStream", params=params)], options)


def _has_streams(target: Target) -> bool:
    """Whether Slack takes a stream here: in a thread, and in channels for a person."""
    return target.thread_ts is not None and (target.is_direct or target.asker is not None)


def _is_streamed(prepared: Prepared, stream: Stream) -> bool:
    """Whether `start_stream` began a stream, and no ordinary message."""
    return _has_streams(prepared.target) and chunks_of(stream.frame, prepared.mentions, None) is not None


def _check_partial(response: NormalizedResponse) -> None:
    check_kind(response, NormalizedResponse, "response")
    if response.status != "partial":
        raise UsageError("a frame that is not the last has the status partial: stop_stream takes the last")
