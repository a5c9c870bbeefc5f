"""Artifacts that come in pieces: those of any agent, and the frames of an answer that this library sent.

Spec: A2A 0.3 §7.2.3; A2A 1.0 §4.2.2; Normalized Message §4 (Streaming).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._model.base import evolve
from ..._model.message import NormalizedResponse, Streaming
from ..._model.parts import TextPart
from ..._text.plain_text import clean
from ..._transport.streaming import Assembler, Joiner
from .parts import as_artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from ..._flow.settings import Limits
    from ..._model.parts import Part
    from .artifact import Artifact
    from .parse_context import Reading


class Pieces:
    """An artifact whose pieces come one by one.

    Attributes:
        artifact: The head of its first piece.
    """

    __slots__ = ("_joiner", "artifact")

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self._joiner = Joiner(clean)

    @property
    def count(self) -> int:
        """How many parts it has."""
        return len(self._joiner)

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
        for place, part in enumerate(parts):
            self._joiner.add(part, continues=not place)
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
    """An answer that this library sent frame by frame."""

    __slots__ = ("_assembler", "_seq")

    def __init__(self, limits: Limits) -> None:
        self._assembler = Assembler(limits=limits)
        self._seq = -1

    @property
    def count(self) -> int:
        """How many parts it has."""
        return self._assembler.count

    def add(self, parts: tuple[Part, ...], reply_to: str, stream_id: str, seq: int) -> NormalizedResponse:
        """Takes the frame with the number `seq`; the frame.

        Raises:
            WireError: See `Assembler.add`.
        """
        place = Streaming(stream_id=stream_id, seq=seq, final=False)
        frame = NormalizedResponse(reply_to=reply_to, parts=parts, status="partial", streaming=place)
        self._assembler.add(frame)
        self._seq = seq
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
    joiner = Joiner(clean)
    for place, part in enumerate(parts):
        joiner.add(part, continues=place in pieces)
    return joiner.parts()


def text_of(parts: Iterable[Part]) -> str:
    """All text in parts, as it is."""
    return "".join([part.content for part in parts if isinstance(part, TextPart)])
