"""The answer to a call that arrives as a stream of events: what A2A and REST share.

The JSON Pointer of anything in a stream begins with `/events/<n>`, the number of the event; the rest of it is relative
to the JSON of that event.

Spec: Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from .._errors.exceptions import CODES, UsageError, WireError, wire_error, with_prefix
from .._flow.outcome import Answered, Rejected, rejected
from .._flow.settings import Limits, Settings
from .._model.base import Lazy, unchecked
from .._model.diagnostic import MAX_DIAGNOSTICS, Diagnostic, cap_diagnostics, prefixed, unread
from .._model.message import HistoricalMessage, NormalizedMessage, NormalizedResponse, ResponseError, Streaming
from .._model.parts import Part
from .._text.redaction import redacted
from .._wire.sse import Event, EventReader
from .peer_error import PEER_ERRORS

_new_answered: Final = unchecked(Answered)
_new_frame: Final = unchecked(NormalizedResponse)
_new_place: Final = unchecked(Streaming)


def answered(
    response: NormalizedResponse,
    raw: Any,
    diagnostics: Sequence[Diagnostic] = (),
    *,
    turns: Callable[[], tuple[tuple[HistoricalMessage, ...], list[Diagnostic]]] | None = None,
    omitted: int = 0,
) -> Answered:
    """An answer as a program gets it.

    Args:
        response: The response.
        raw: The JSON as it came.
        diagnostics: What was odd.
        turns: Gives the turns that came along, and what is odd about them, once somebody asks for either.
        omitted: How many more diagnostics there were.
    """
    lazy_raw: Any = Lazy(partial(_raw_of, raw))
    if turns is None:
        noted = cap_diagnostics(diagnostics, omitted) if diagnostics else ()
        return _new_answered(response=response, history=(), raw=lazy_raw, diagnostics=noted)
    history: Any = Lazy(lambda: turns()[0])
    all_noted: Any = Lazy(lambda: cap_diagnostics([*diagnostics, *turns()[1]], omitted))
    return _new_answered(response=response, history=history, raw=lazy_raw, diagnostics=all_noted)


def _raw_of(value: Any) -> Any:
    """JSON without secrets, and what is none as text."""
    if value.__class__ is dict and value.keys() == {"events"} and value["events"].__class__ is list:
        return {"events": [_raw_of(event) for event in value["events"]]}
    return value.decode("utf-8", "replace") if value.__class__ is bytes else redacted(value)


class AnswerReader(ABC):
    """Reads an answer event by event. Each transport says what its events mean.

    Attributes:
        is_complete: Whether the agent sent its last event: what comes after it is ignored.
        is_broken: Whether an error of the agent ended the stream.
        has_content: Whether any event came that means something.
        fault: Why the first of the events that cannot be read cannot.
    """

    __slots__ = (
        *("_diagnostics", "_events", "_limits", "_omitted", "_pointer", "_seq", "_to"),
        *("fault", "has_content", "is_broken", "is_complete"),
    )

    def __init__(self, to: NormalizedMessage, limits: Limits) -> None:
        self.is_complete = self.is_broken = self.has_content = False
        self.fault: WireError | None = None
        self._diagnostics: list[Diagnostic] = []
        self._omitted = 0  # diagnostics beyond those
        self._events: list[Any] = []  # for `raw`
        self._to, self._limits = to, limits
        self._pointer = ""  # of the event at hand
        self._seq = 0  # of the next frame

    def keep(self, event: Event) -> None:
        """Keep an event for `raw`, as bytes before it is parsed."""
        self._events.append(event.data)

    def lose(self, fault: WireError) -> None:
        """Go on without an event that cannot be read, whose place the pointers of the fault name.

        An error of the agent ends the stream.

        Raises:
            WireError: The answer is over a limit, or a frame of this library is out of place.
        """
        if CODES[fault.code].kind == "limit" or fault.code == "frame-refused":
            raise fault
        self.fault = self.fault or fault
        if fault.code in PEER_ERRORS:
            self.is_complete = self.is_broken = True
        self._report([unread(fault)], "")

    @abstractmethod
    def take(self, event: Event, pointer: str) -> list[NormalizedResponse]:
        """Read the next event, at `pointer`; the frames that it gives.

        Raises:
            WireError: It cannot be read; the pointers are relative to it.
        """

    def answered(self) -> Answered:
        """The whole answer, with everything that came along.

        Raises:
            WireError: It cannot be read.
        """
        response = self.response()
        return answered(response, {"events": self._events}, self._diagnostics, omitted=self._omitted)

    @abstractmethod
    def response(self) -> NormalizedResponse:
        """The whole answer, once no more events come.

        Raises:
            WireError: It cannot be read.
        """

    def _report(self, diagnostics: Sequence[Diagnostic], pointer: str) -> None:
        """Keep diagnostics that are relative to `pointer`, as many as an answer may have, and count the others.

        Raises:
            WireError: `too-many-parts`: the answer has more faults than it may have parts. To tell of one takes
                thousands of times what its two bytes took to send.
        """
        remaining = MAX_DIAGNOSTICS - len(self._diagnostics)
        self._diagnostics += prefixed(diagnostics[:remaining], pointer)
        self._omitted += len(diagnostics[remaining:])
        self._check_count(self._omitted)

    def _frame(self, parts: list[Part], stream_id: str) -> NormalizedResponse:
        """The next frame, with these parts."""
        place = _new_place(stream_id=stream_id, seq=self._seq, final=False)
        self._seq += 1
        return _new_frame(reply_to=self._to.id, parts=tuple(parts), status="partial", streaming=place)

    def _check_count(self, count: int, pointer: str = "") -> None:
        """Raises when the answer has more than the parts that it may have."""
        if count > self._limits.parts:
            raise wire_error("too-many-parts", pointer, f"more than {self._limits.parts} parts")


class AnswerStream:
    """Reads the stream with which an agent answers a call: its bytes become events, which an `AnswerReader` reads."""

    __slots__ = ("_answer", "_count", "_events", "_fault", "_reader")

    def __init__(self, settings: Settings, reader: AnswerReader) -> None:
        self._reader = reader
        self._count = 0  # events that came
        self._events = EventReader(max_bytes=settings.limits.a2a_bytes)
        self._fault: Rejected | None = None
        self._answer: Answered | Rejected | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the agent sent its last event, or an error, or too much: nothing that comes changes the answer."""
        return self._fault is not None or self._reader.is_complete

    def feed(self, chunk: bytes) -> tuple[NormalizedResponse, ...]:
        """The frames that end in this chunk. Nothing that a peer sends makes it raise.

        Args:
            chunk: The next bytes of the body, of any length.

        Raises:
            UsageError: `chunk` is no bytes, or the stream is closed.
        """
        if self._answer is not None:
            raise UsageError("the stream is closed")
        if not isinstance(chunk, bytes):
            raise UsageError("a chunk of a stream must be bytes")
        frames: list[NormalizedResponse] = []
        if not self.is_complete:
            try:
                for event in self._events.feed(chunk):
                    frames += self._take(event)
            except WireError as error:
                self._fault = rejected(error)
        return tuple(frames)

    def close(self) -> Answered | Rejected:
        """The whole answer, as `result` gives it; the same each time.

        A stream that broke off, or that an error of the agent ended, gives what came as `partial`, where the transport
        can tell; an event that cannot be read costs itself. `Rejected` when nothing came, or too much.
        """
        if self._answer is None:
            self._answer = self._fault or self._closed()
        return self._answer

    def _closed(self) -> Answered | Rejected:
        try:
            last = self._events.close()
            if last is not None:
                self._take(last)
            if not self._reader.has_content:
                raise self._reader.fault or wire_error("not-a-message", "", "the stream ended before any content")
            return self._reader.answered()
        except WireError as error:
            return rejected(error)

    def _take(self, event: Event) -> list[NormalizedResponse]:
        """The frames of the next event."""
        if self._reader.is_complete:
            return []
        pointer = f"/events/{self._count}"
        self._count += 1
        self._reader.keep(event)
        try:
            return self._reader.take(event, pointer)
        except WireError as error:
            self._reader.lose(with_prefix(error, pointer))
            return []


def unreadable_policy(transport: str, text: str) -> ResponseError:
    """The error of an answer whose policy cannot be read: whatever it requires, the agent did not do what was asked."""
    message = text.strip() or "The agent demands something that cannot be read."
    return ResponseError(code=f"{transport}:policy-malformed", message=message, retriable=False)
