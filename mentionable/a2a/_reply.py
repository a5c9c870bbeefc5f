"""Answering: a response becomes the message, task or events that answer an A2A question, and the HTTP response.

Spec: Normalized Message §4, §5.2; A2A 0.3 and 1.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .._flow.settings import DEFAULTS, Settings
from .._model.base import EMPTY_DICT, frozen
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._transport.reply import NO_BLOBS, check_reply
from .._wire.http import HttpResponse
from ..policy import check_settlement
from ._write.answer import write_answer
from ._write.question import question_of


@frozen
class Outgoing:
    """An answer in the dialect in which the question came.

    For a host that speaks HTTP itself `response` is all. One that sits in an A2A SDK takes `message` or `task`, or in a
    stream `events`. The JSON is fresh: it shares nothing with the response, though `events` may share with `message` or
    `task`.

    Attributes:
        message: The answer as one complete message of the agent. For a frame of a stream: what the frame adds.
        task: The answer as a task, when the question belongs to one or the answer needs one: an error, a policy, or
            artifacts. For the first frame of a stream: the task that it opens. Else None.
        events: What to tell in a stream, in order: of a frame what belongs to the frame, of a whole answer all of it.
        response: The HTTP response; of a frame the next piece of one.
        native_id: The messageId of `message`. Store the answer under it, so that a reply to it finds its parent.
        diagnostics: What of the response could not be carried as it is: `part-changed`.
    """

    message: dict[str, Any]
    task: dict[str, Any] | None
    events: tuple[dict[str, Any], ...]
    response: HttpResponse
    native_id: str
    diagnostics: tuple[Diagnostic, ...] = ()


def wants_stream(message: NormalizedMessage) -> bool:
    """Whether a question that came by A2A asked for its answer as a stream, and so may be answered by frames.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.a2a import receive
        >>> body = (
        ...     b'{"jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": {"message": {"kind": "message",'
        ...     b' "messageId": "m1", "role": "user", "parts": [{"kind": "text", "text": "Hi"}]}}}'
        ... )
        >>> request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(receive(request, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> wants_stream(got.message)
        True
    """
    return question_of(message).is_stream


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    now: datetime,
    entropy: bytes,
    settlement: Mapping[str, Any] = EMPTY_DICT,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    settings: Settings = DEFAULTS,
) -> Outgoing:
    """The answer to an A2A question, in its version, its binding, and as a stream when it asked for one.

    Parts go out so that the reader of this library gives them back equal: text in canonical form, tool calls by the
    tool-events extension, artifacts at the end of a task in `artifacts`. A file that is named by a digest goes out as
    its URL, else as the bytes in `blobs`. A policy at the end decides the state of the task. `extra` of parts is
    carried, `extra` inside them and of the response is not: what is left out or changed, a diagnostic says.

    A frame of a stream (`streaming`) gives the events of this frame; all frames of one answer must answer the same
    message. `push_back.thread_ref` names another task.

    Args:
        response: What the agent answers: whole, or a frame.
        to: The message that it answers, as `receive` gave it or your store gave it back.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each answer and frame; the same give the same ids.
        settlement: How a payment ended, for clients of x402: what `policy.x402_settlement` gave. It goes out with the
            last word of a task.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.
        settings: Has the limits.

    Raises:
        UsageError: Your program's fault: the response is to another message, came from another transport, breaks the
            contract, names bytes that `blobs` does not have, is larger than a body may be, or is a frame though the
            question wants one answer.

    Spec: Normalized Message §4, §5.2; A2A 0.3 §7, A2A 1.0 §9.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, NormalizedResponse, drive
        >>> from mentionable.a2a import receive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> said = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> got = drive(receive(said, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> out = reply(NormalizedResponse.to(got.message, "Hello!"), to=got.message, now=now, entropy=bytes(32))
        >>> out.message["contextId"], out.message["role"], out.message["parts"]
        ('c1', 'ROLE_AGENT', [{'text': 'Hello!', 'mediaType': 'text/markdown'}])
    """
    check_reply(response, to=to, channel="a2a", now=now, entropy=entropy, settings=settings)
    beside: dict[str, Any] = {}
    if settlement:
        beside = check_settlement(settlement)
    answer = write_answer(response, to=to, now=now, entropy=entropy, settlement=beside, blobs=blobs, settings=settings)
    return Outgoing(
        message=answer.message,
        task=answer.task,
        events=answer.events,
        response=answer.response,
        native_id=answer.native_id,
        diagnostics=answer.notes,
    )
