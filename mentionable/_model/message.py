"""The two shapes that everything is about: a message on the way in, a response on the way out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal, Self, TypeAlias

from attrs import field

from .._errors.exceptions import Problem, UsageError
from .annotation import InvalidMember
from .answerable import DUE, MEMBER, OWN, Answerable, read_answerable
from .base import EMPTY_DICT, lazy_member, validated
from .capabilities import RecipientCapabilities
from .parts import CarriedPolicy, Part, TextPart, ToolCallPart
from .policy import PolicyPart, PolicyResolution
from .rules import CanonicalAddress, Count, Json, JsonObject, Name, Timestamp
from .sender import Sender

Channel: TypeAlias = Literal["activitypub", "a2a", "email"]
"""The protocols that an answer can take. Spec: Normalized Message §4 (push_back)."""

ReceivedVia: TypeAlias = Literal["activitypub", "a2a", "email", "rest", "connector"]
"""The ways in: the protocols, and two more that the specification does not name. Spec: Normalized Message §3."""

Status: TypeAlias = Literal["ok", "partial", "error"]


@validated
class HistoricalMessage:
    """A prior turn of the conversation.

    Attributes:
        role: `assistant` when the recipient agent wrote it, else `user`.
        sender: Who wrote it.
        parts: What it says.
        timestamp: When.
        id: A stable id, where one is known.
        extra: Members that this version does not know.
    """

    role: Literal["user", "assistant"]
    sender: Sender
    parts: tuple[Part, ...]
    timestamp: Timestamp
    id: str | None = None
    extra: JsonObject = EMPTY_DICT

    _never: ClassVar[frozenset[str]] = frozenset({"policy_resolution", "received_trace"})
    """Members of the message at hand: at a prior turn they are not read, not even as unknown members."""


@validated
class ResponseError:
    """Why there is no answer.

    Attributes:
        code: For programs.
        message: For people.
        retriable: Whether asking again may help.
        extra: Members that this version does not know.
    """

    code: str
    message: str
    retriable: bool
    extra: JsonObject = EMPTY_DICT


@validated
class Streaming:
    """The place of a frame in a stream.

    Attributes:
        stream_id: Which stream.
        seq: Its number, beginning with 0.
        final: Whether it is the last.
        extra: Members that this version does not know.
    """

    stream_id: Name
    seq: Count
    final: bool
    extra: JsonObject = EMPTY_DICT


@validated
class PushBackHint:
    """Where an answer should go instead of where the question came from.

    Attributes:
        channel: Another protocol.
        thread_ref: Another thread.
        extra: Members that this version does not know.
    """

    channel: Channel | None = None
    thread_ref: str | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class NormalizedResponse:
    """What an agent answers.

    Attributes:
        reply_to: The id of the message that it answers.
        parts: What it says.
        status: `partial` for every frame of a stream but the last.
        error: Why there is no answer.
        streaming: The place in a stream.
        push_back: Where it should go instead.
        extra: Members that this version does not know.

    Spec: Normalized Message §4.
    """

    reply_to: Name
    parts: tuple[Part, ...]
    status: Status = "ok"
    error: ResponseError | None = None
    streaming: Streaming | None = None
    push_back: PushBackHint | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if self.status == "partial" and self.streaming is not None and self.streaming.final:
            raise InvalidMember("the final frame of a stream is 'ok' or 'error', not 'partial'", ("streaming",))
        calls = [(index, part.id) for index, part in enumerate(self.parts) if isinstance(part, ToolCallPart)]
        first = {call: index for index, call in reversed(calls)}
        if len(first) < len(calls):
            again = [("parts", index) for index, call in calls if first[call] != index]
            raise InvalidMember("the ids of tool_call parts must be unique within a response", *again)

    @classmethod
    def to(cls, message: NormalizedMessage, *parts: Part | PolicyPart | str, status: Status = "ok") -> Self:
        """An answer to `message`. A string becomes a Markdown text part, and a policy a part of its own."""
        return cls(reply_to=_id_of(message), parts=tuple(map(as_part, parts)), status=status)

    @classmethod
    def failed(cls, message: NormalizedMessage, text: str, *, code: str, retriable: bool = False) -> Self:
        """An answer that says why there is none.

        Args:
            message: The message that is answered.
            text: Why, for people.
            code: Why, for programs.
            retriable: Whether asking again may help.
        """
        error = ResponseError(code=code, message=text, retriable=retriable)
        return cls(reply_to=_id_of(message), parts=(), status="error", error=error)


@validated
class NormalizedMessage:
    """What any transport delivers to an agent.

    Attributes:
        id: Unique at this node; the protocol's own id is in `raw`.
        thread_id: The conversation. Two transports give two threads.
        sender: Who sent it.
        recipient: The agent that it is for.
        parts: What it says, in the order to read it.
        recipient_capabilities: How to bring other agents in.
        received_via: The protocol. Not to be branched on by agents.
        received_at: When it was parsed and checked, UTC; the protocol's own time is in `raw`.
        raw: The parsed native message, for debugging. Agents must not rely on it.
        in_reply_to: The id of the parent message, or the protocol's id of it when the parent is not known here.
        history: Prior turns, oldest first.
        policy_resolution: A verified completion of a policy of a prior turn.
        received_trace: The sender's full response, where one was attached.
        extra: Members that this version does not know.

    Spec: Normalized Message §3.
    """

    id: Name
    thread_id: Name
    sender: Sender
    recipient: CanonicalAddress
    parts: tuple[Part, ...]
    recipient_capabilities: RecipientCapabilities
    received_via: ReceivedVia
    received_at: Timestamp
    raw: Json = field(repr=False)
    in_reply_to: Name | None = None
    history: tuple[HistoricalMessage, ...] | None = None
    policy_resolution: PolicyResolution | None = None
    received_trace: NormalizedResponse | None = None
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        wrong = [
            ("history", index)
            for index, turn in enumerate(self.history or ())
            if (turn.role == "assistant") != (turn.sender.address == self.recipient)
        ]
        if wrong:
            raise InvalidMember("a turn of history is 'assistant' exactly when its sender is the recipient", *wrong)

    @property
    def answerable(self) -> Answerable:
        """Whether an answer is due: no for a mail that a program sent, or that came through a mailing list.

        Look at it before the agent runs; `mail.reply` refuses to answer what is not answerable. Messages of other
        transports are answerable. What cannot be read in `extra["unanswerable"]` means no.
        """
        if MEMBER in self.extra:
            return read_answerable(self.extra[MEMBER])
        return OWN if self.received_via == "email" and self.sender.address == self.recipient else DUE


lazy_member(NormalizedMessage, "raw")


def as_part(content: Part | PolicyPart | str) -> Part:
    """A part of a response: a string as Markdown, a policy as a part of its own."""
    if isinstance(content, str):
        return TextPart(content=content, mime="text/markdown")
    if isinstance(content, Part):
        return content
    return CarriedPolicy(policy=content)


def _id_of(message: object) -> str:
    if not isinstance(message, NormalizedMessage):
        raise UsageError("message must be the NormalizedMessage that is answered")
    return message.id


def check_is_response(response: object) -> None:
    """Raises `UsageError` when something else than a response is to go out."""
    if not isinstance(response, NormalizedResponse):
        raise UsageError("response must be a NormalizedResponse: NormalizedResponse.to(message, 'Hello!') makes one")


def check_stream(frames: Iterable[NormalizedResponse]) -> None:
    """Raises unless `frames` are one whole stream: one id, `seq` rising from 0, the last frame final and no other.

    Raises:
        UsageError: The frames are not such a stream; your program made them.

    Spec: Normalized Message §4 (Streaming).
    """
    last: NormalizedResponse | None = None
    for frame in frames:
        fault = misplaced(frame, last)
        if fault is not None:
            raise UsageError(fault.rule)
        last = frame
    if last is None or last.streaming is None or not last.streaming.final:
        raise UsageError("the last frame must be final")


def misplaced(frame: NormalizedResponse, last: NormalizedResponse | None) -> Problem | None:
    """Why a frame may not follow `last`, the frame before it, or begin a stream when that is None; None if it may."""
    here = frame.streaming
    if here is None:
        return Problem("/streaming", "a frame says where it stands in its stream")
    if here.final != (frame.status != "partial"):
        return Problem("/status", "a frame is 'partial' unless it is the final one")
    if last is None or last.streaming is None:
        return Problem("/streaming/seq", "the first frame has seq 0") if here.seq else None
    if last.streaming.final:
        return Problem("/streaming", "the stream has ended")
    if here.stream_id != last.streaming.stream_id or frame.reply_to != last.reply_to:
        return Problem("/streaming/stream_id", "the frame is of another stream")
    late = Problem("/streaming/seq", "seq must rise: the frame is late, or came before")
    return late if here.seq <= last.streaming.seq else None
