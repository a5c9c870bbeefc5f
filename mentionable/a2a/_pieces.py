"""Artifacts that come in pieces: those of any agent, and the frames of an answer that this library sent.

Spec: A2A 0.3 §7.2.3; A2A 1.0 §4.2.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .._model.message import NormalizedResponse, Streaming
from .._model.parts import TextPart, ToolCallPart
from .._stream import Assembler, goes_on
from .._text import clean
from .._value import evolve
from ._parts import as_artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from .._model.parts import Part
    from .._settings import Limits
    from ._artifact import Artifact
    from ._reading import Reading


class Joiner:
    """Parts in order, of which text that comes in pieces is one.

    Pieces are joined when somebody looks, so that a text takes work that grows with its length alone.
    """

    __slots__ = ("_parts", "_texts")

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._texts: list[str] = []  # what the text at the end came in, once it goes on

    def add(self, parts: Iterable[Part], pieces: Set[int]) -> int:
        """Adds parts; text at the places `pieces` goes on with text of its kind before it. How many parts are new."""
        before = len(self._parts)
        for place, part in enumerate(parts):
            if place in pieces and self._parts and goes_on(self._parts[-1], part):
                if not self._texts:
                    self._texts.append(cast("TextPart", self._parts[-1]).content)
                self._texts.append(cast("TextPart", part).content)
            else:
                self._join()
                self._parts.append(part)
        return len(self._parts) - before

    def parts(self) -> list[Part]:
        """What has come so far."""
        self._join()
        return self._parts

    def _join(self) -> None:
        if self._texts:
            text = "".join(self._texts)
            self._parts[-1] = evolve(cast("TextPart", self._parts[-1]), content=clean(text))
            self._texts.clear()


_FIRST = frozenset({0})
"""Where text stands that goes on with the piece before it."""


class Pieces:
    """An artifact whose pieces come one by one.

    Attributes:
        artifact: The head of its first piece.
        count: How many parts it has.
    """

    __slots__ = ("_joiner", "artifact", "count")

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self.count = 0
        self._joiner = Joiner()

    def add(self, parts: list[Part], reading: Reading) -> list[Part]:
        """Appends a piece, of which the places in `reading` speak; what it says under the name of the artifact."""
        artifact = self.artifact
        if artifact.is_answer:
            parts = joined(parts, reading.pieces)
        else:  # text stays text while more may come
            parts = [
                part
                if place in reading.whole or isinstance(part, TextPart)
                else as_artifact(part, artifact.name, artifact.id, reading)
                for place, part in enumerate(parts)
            ]
        self.count += self._joiner.add(parts, _FIRST)
        return parts

    def whole(self, reading: Reading) -> list[Part]:
        """What came, as parts of the answer."""
        artifact, parts = self.artifact, self._joiner.parts()
        if artifact.is_answer:
            return parts
        return [
            as_artifact(part, artifact.name, artifact.id, reading) if isinstance(part, TextPart) else part
            for part in parts
        ]

    def text(self) -> str:
        """All text in it."""
        return text_of(self._joiner.parts())


class Frames:
    """An answer that this library sent frame by frame.

    Attributes:
        count: How many parts it has.
    """

    __slots__ = ("_assembler", "_calls", "_last", "_seq", "count")

    def __init__(self, limits: Limits) -> None:
        self.count = 0
        self._assembler = Assembler(limits=limits)
        self._calls: set[str] = set()
        self._last: Part | None = None
        self._seq = -1

    def add(self, parts: tuple[Part, ...], reply_to: str, stream_id: str, seq: int) -> NormalizedResponse:
        """Takes the frame with the number `seq`; the frame.

        Raises:
            WireError: See `Assembler.add`.
        """
        place = Streaming(stream_id=stream_id, seq=seq, final=False)
        frame = NormalizedResponse(reply_to=reply_to, parts=parts, status="partial", streaming=place)
        self._assembler.add(frame)
        self._seq = seq
        if parts and self._last is not None and goes_on(self._last, parts[0]):
            self.count -= 1
        for part in parts:
            if isinstance(part, ToolCallPart):
                if part.id in self._calls:
                    continue
                self._calls.add(part.id)
            self._last = part
            self.count += 1
        return frame

    def came_before(self, seq: int) -> bool:
        """Whether a frame is late, or was there already."""
        return seq <= self._seq

    def whole(self, _: Reading) -> list[Part]:
        """What came. A line end of two characters that was sent in two pieces becomes one."""
        return [
            evolve(part, content=clean(part.content)) if isinstance(part, TextPart) and "\r" in part.content else part
            for part in self._assembler.parts
        ]

    def text(self) -> str:
        """All text in it."""
        return text_of(self._assembler.parts)


def joined(parts: Iterable[Part], pieces: Set[int]) -> list[Part]:
    """The parts of an answer that came in frames, its text in one piece again.

    Args:
        parts: The parts as they came.
        pieces: Where text stands that began a frame, and so goes on with text of its kind before it.
    """
    joiner = Joiner()
    joiner.add(parts, pieces)
    return joiner.parts()


def text_of(parts: Iterable[Part]) -> str:
    """All text in parts, as it is."""
    return "".join([part.content for part in parts if isinstance(part, TextPart)])
