"""An answer that comes as a stream: events of any dialect, put together as they arrive.

Artifacts that come in pieces are put together by what the events say: a piece is appended or takes the place of all
before it. A status takes the place of the one before it. What this library sent frame by frame is put together as
frames.

Spec: A2A 0.3 §7.2, §7.9; A2A 1.0 §3.5, §9.4.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._errors import UsageError, WireError, wire_error
from .._json import loads, whole_number
from .._model.message import NormalizedResponse, Streaming
from .._model.parts import TextPart
from .._outcome import Rejected, rejected
from .._settings import DEFAULTS, Limits
from .._sse import EventReader
from .._stream import Assembler, goes_on
from .._text import clean
from .._value import evolve
from ._events import is_of_old_rest, open_event
from ._files import artifact_name
from ._message import read_head, read_id, read_into, read_own_id
from ._parts import as_artifact, read_parts
from ._reading import Reading, hints_of
from ._said import FAILURES, Said, check_asked, response_of
from ._spelling import members_of
from ._task import ENDED, is_streamed, joined, read_status, read_task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .._model.message import NormalizedMessage
    from .._model.parts import Part
    from ._message import Head

_LAST: Final = ENDED | {"input-required"}
"""The states after which a stream says no more. A task that waits for authorization may go on when it comes."""

_OTHER_TASK: Final = "the event belongs to another task than the stream"


class _Pieces:
    """An artifact whose pieces come one by one."""

    __slots__ = ("_open", "_texts", "artifact_id", "is_answer", "name", "parts")

    def __init__(self, artifact_id: str, name: str | None, *, is_answer: bool) -> None:
        self.artifact_id = artifact_id
        self.name = name
        self.is_answer = is_answer  # its parts are parts of the answer already
        self.parts: list[Part] = []
        self._open: TextPart | None = None  # the last part while it is text, of which `_texts` came
        self._texts: list[str] = []

    def add(self, parts: list[Part]) -> int:
        """Appends a piece. Text at its beginning goes on with the text before it. How many parts are new."""
        before = len(self.parts)
        for index, part in enumerate(parts):
            if isinstance(part, TextPart):
                if index == 0 and self._open is not None and goes_on(self._open, part):
                    self._texts.append(part.content)
                    continue
                self._close_text()
                self._open, self._texts = part, [part.content]
            else:
                self._close_text()
                self._open = None
            self.parts.append(part)
        return len(self.parts) - before

    def _close_text(self) -> None:
        if self._open is not None and len(self._texts) > 1:
            self._open = evolve(self._open, content=clean("".join(self._texts)))
            self._texts = [self._open.content]
            self.parts[-1] = self._open

    def named(self, parts: list[Part], reading: Reading) -> list[Part]:
        """The parts of a piece under the name of the artifact; text stays text while more may come."""
        if self.is_answer:
            return joined(parts, reading.pieces)
        return [
            part
            if place in reading.whole or isinstance(part, TextPart)
            else as_artifact(part, self.name, self.artifact_id, reading)
            for place, part in enumerate(parts)
        ]

    def whole(self, reading: Reading) -> list[Part]:
        """What came, as parts of the answer."""
        self._close_text()
        if self.is_answer:
            return self.parts
        return [
            as_artifact(part, self.name, self.artifact_id, reading) if isinstance(part, TextPart) else part
            for part in self.parts
        ]

    def text(self) -> str:
        """All text in it."""
        self._close_text()
        return "".join(part.content for part in self.parts if isinstance(part, TextPart))


class _Frames:
    """An answer that this library sent frame by frame."""

    __slots__ = ("assembler", "last_seq")

    def __init__(self, limits: Limits) -> None:
        self.assembler = Assembler(limits=limits)
        self.last_seq = -1

    def whole(self, _: Reading) -> list[Part]:
        """What came. A line end of two characters that was sent in two pieces becomes one."""
        return [
            evolve(part, content=clean(part.content)) if isinstance(part, TextPart) and "\r" in part.content else part
            for part in self.assembler.parts
        ]

    def text(self) -> str:
        """All text in it."""
        return "".join(part.content for part in self.assembler.parts if isinstance(part, TextPart))


class ResultStream:
    """Reads the stream that an agent answers a call with.

    `feed` takes chunks as they come and gives frames, all of them `partial`, to show what is new. `close` gives the
    answer as `result` would. What counts is what `close` says: agents may take back what they said before, and what
    they say of their work (`working on it …`) is in no frame.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00.000Z", raw=None,
        ... )
        >>> stream = ResultStream(to=question)
        >>> stream.feed(b'data: {"message": {"messageId": "a1", "role": "ROLE_AGENT", "par')
        ()
        >>> stream.feed(b'ts": [{"text": "Hello!"}]}}' + bytes([10, 10])), stream.is_complete
        ((), True)
        >>> stream.close().parts
        (TextPart(content='Hello!'),)
    """

    __slots__ = (
        "_answer",
        "_artifacts",
        "_context_id",
        "_count",
        "_events",
        "_fault",
        "_head",
        "_is_complete",
        "_limits",
        "_reading",
        "_seen",
        "_seq",
        "_state",
        "_task_id",
        "_to",
    )

    def __init__(self, *, to: NormalizedMessage, limits: Limits = DEFAULTS.limits) -> None:
        """Begins at the start of a stream.

        Args:
            to: The message that was asked.
            limits: Bounds the stream as a whole, each event, and the number of parts.

        Raises:
            UsageError: An argument is of the wrong kind.
        """
        check_asked(to)
        if not isinstance(limits, Limits):
            raise UsageError("limits must be Limits(...)")
        self._to = to
        self._limits = limits
        self._events = EventReader(max_bytes=limits.a2a_bytes)
        self._reading = Reading(limits, has_blobs=False)
        self._artifacts: dict[str, _Pieces | _Frames] = {}
        self._count = 0
        self._seq = -1
        self._head: Head | None = None
        self._state: str | None = None
        self._task_id: str | None = None
        self._context_id: str | None = None
        self._seen = False
        self._is_complete = False
        self._fault: Rejected | None = None
        self._answer: NormalizedResponse | Rejected | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the agent said its last word, or what cannot be read: nothing that comes changes the answer."""
        return self._is_complete or self._fault is not None

    def feed(self, chunk: bytes) -> tuple[NormalizedResponse, ...]:
        """The frames that end in this chunk. Nothing that a peer sends makes it raise.

        Args:
            chunk: Bytes as they came, in pieces of any size.

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
                    frames += self._take(event.data)
            except WireError as error:
                self._fault = rejected(error)
        return tuple(frames)

    def close(self) -> NormalizedResponse | Rejected:
        """The whole answer, as `result` gives it; the same each time.

        A stream that broke off gives what came as `partial`, or `Rejected` when nothing did.
        """
        if self._answer is None:
            self._answer = self._fault or self._closed()
        return self._answer

    def _closed(self) -> NormalizedResponse | Rejected:
        try:
            last = self._events.close()
            if last is not None:
                self._take(last.data)
            if not self._seen:
                raise wire_error("not-a-message", "", "the stream ended before anything was said")
            return self._response()
        except WireError as error:
            return rejected(error)

    def _take(self, data: bytes) -> list[NormalizedResponse]:
        """Takes one event; the frames that it gives. What comes after the last word counts for nothing."""
        if self._is_complete or not data.strip():
            return []
        limits, reading = self._limits, self._reading
        document = loads(data, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        kind, event, is_wrapped = open_event(document)
        self._seen = True
        if is_wrapped and is_of_old_rest(kind, event):
            reading.dialect = "0.3-rest"
        frames = _TAKERS[kind](self, event)
        reading.notes.clear()
        return frames

    def _take_message(self, message: dict[str, Any]) -> list[NormalizedResponse]:
        """A message by itself is the last word; after a task it takes the place of what the task said."""
        self._head = head = read_head(message, self._reading)
        self._belongs(head.task_id, head.context_id)
        self._state = None
        self._is_complete = True
        return []

    def _take_task(self, found: dict[str, Any]) -> list[NormalizedResponse]:
        """A task says how everything stands, its artifacts included."""
        task = read_task(found, self._reading)
        self._belongs(task.id, task.context_id)
        for artifact in task.artifacts:
            members = members_of(artifact, "an artifact")
            self._piece_of(members, self._artifact_id(members), appends=False)
        self._stands(task.state, task.message, is_last=False)
        return []

    def _take_status(self, event: dict[str, Any]) -> list[NormalizedResponse]:
        """A status takes the place of the one before."""
        task_id, context_id = self._place_in(event)
        state, _, head = read_status(event.get("status"), task_id, context_id, self._reading)
        self._stands(state, head, is_last=event.get("final") is True)
        return []

    def _take_artifact(self, event: dict[str, Any]) -> list[NormalizedResponse]:
        """A piece of an artifact, or all of it."""
        self._place_in(event)
        artifact = members_of(event.get("artifact"), "an artifact")
        artifact_id = self._artifact_id(artifact)
        if self._state is None:
            self._state = "working"
        frame = self._frame_of(artifact, artifact_id)
        if frame is not None:
            return frame
        is_new = artifact_id not in self._artifacts
        appends = event.get("append") is True
        parts = self._piece_of(artifact, artifact_id, appends=appends)
        if not parts or not (is_new or appends):  # what takes the place of something else is no addition to it
            return []
        self._seq += 1
        place = Streaming(stream_id=self._task_id or artifact_id, seq=self._seq, final=False)
        return [NormalizedResponse(reply_to=self._to.id, parts=tuple(parts), status="partial", streaming=place)]

    def _place_in(self, event: dict[str, Any]) -> tuple[str | None, str | None]:
        """The task and context of an event, which must be those of the stream."""
        task_id = read_id(event.get("taskId"), "/taskId", self._reading)
        context_id = read_id(event.get("contextId"), "/contextId", self._reading)
        self._belongs(task_id, context_id)
        return task_id, context_id

    def _belongs(self, task_id: str | None, context_id: str | None) -> None:
        """Raises when an event is of another task or context; else remembers them."""
        if task_id is not None and self._task_id not in (None, task_id):
            raise wire_error("task-mismatch", "/taskId", _OTHER_TASK)
        if context_id is not None and self._context_id not in (None, context_id):
            raise wire_error("task-mismatch", "/contextId", _OTHER_TASK)
        self._task_id, self._context_id = self._task_id or task_id, self._context_id or context_id

    def _stands(self, state: str, head: Head | None, *, is_last: bool) -> None:
        """Remembers a status, and whether it is the last one."""
        self._state, self._head = state, head
        demands = head is not None and hints_of(head.metadata).get("policy").__class__ is dict
        self._is_complete = is_last or demands or state in _LAST

    def _artifact_id(self, artifact: dict[str, Any]) -> str:
        return read_own_id(artifact.get("artifactId"), "/artifactId", "an artifact", self._reading)

    def _read(self, artifact: dict[str, Any]) -> list[Part]:
        """The parts of one piece."""
        found = artifact.get("parts")
        if found.__class__ is not list:
            raise wire_error("wrong-type", "/artifact/parts", "the parts of an artifact must be an array")
        parts: list[Part] = []
        read_parts(found, "/artifact/parts", self._reading, parts, {})
        return parts

    def _frame_of(self, artifact: dict[str, Any], stream_id: str) -> list[NormalizedResponse] | None:
        """The frame that an artifact is, when this library sent it as one; none when it came before."""
        streaming = hints_of(artifact.get("metadata")).get("streaming")
        seq = whole_number(streaming.get("seq")) if streaming.__class__ is dict else None
        known = self._artifacts.get(stream_id)
        if seq is None or (known is None and seq) or isinstance(known, _Pieces):
            return None  # of a stream whose beginning is missing, the pieces can be appended all the same
        if known is None:
            known = self._artifacts[stream_id] = _Frames(self._limits)
        if seq <= known.last_seq:
            return []
        place = Streaming(stream_id=stream_id, seq=seq, final=False)
        parts = tuple(self._read(artifact))
        frame = NormalizedResponse(reply_to=self._to.id, parts=parts, status="partial", streaming=place)
        known.assembler.add(frame)
        known.last_seq = seq
        return [frame]

    def _piece_of(self, artifact: dict[str, Any], artifact_id: str, *, appends: bool) -> list[Part]:
        """Puts a piece of an artifact where it belongs; what it says."""
        known = self._artifacts.get(artifact_id)
        if not appends or not isinstance(known, _Pieces):
            name = artifact.get("name")
            name = artifact_name(name) if name.__class__ is str else None
            known = self._artifacts[artifact_id] = _Pieces(artifact_id, name, is_answer=is_streamed(artifact))
        reading = self._reading
        reading.whole.clear()
        reading.pieces.clear()
        parts = known.named(self._read(artifact), reading)
        self._count += known.add(parts)
        if max(self._count, len(self._artifacts)) > self._limits.parts:
            raise wire_error("too-many-parts", "/artifact/parts", f"more than {self._limits.parts} parts")
        return parts

    def _response(self) -> NormalizedResponse:
        """All that was said."""
        said: list[Part] = []
        if self._head is not None:
            read_into(self._head, self._reading, said, {})
        if self._state not in FAILURES and self._is_repeated(said):
            said = []
        produced = [part for artifact in self._artifacts.values() for part in artifact.whole(self._reading)]
        answer = Said(self._state, self._head, said, produced, self._task_id, self._context_id)
        return response_of(answer, self._to)

    def _is_repeated(self, said: list[Part]) -> bool:
        """Whether a message says in text what one artifact says, or what all say together."""
        text = "".join(part.content for part in said if isinstance(part, TextPart))
        if not text or not all(isinstance(part, TextPart) for part in said):
            return False
        texts = [artifact.text() for artifact in self._artifacts.values()]
        return text in texts or text == "".join(texts)


_TAKERS: Final[Mapping[str, Callable[[ResultStream, dict[str, Any]], list[NormalizedResponse]]]] = {
    "message": ResultStream._take_message,
    "task": ResultStream._take_task,
    "status-update": ResultStream._take_status,
    "artifact-update": ResultStream._take_artifact,
}
