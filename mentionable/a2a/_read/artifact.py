"""An artifact: its head, and its parts as parts of the answer.

Spec: A2A 0.3 §6.7, A2A 1.0 §4.1.7; Normalized Message §5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import replace
from ..._model.message import NormalizedResponse, Streaming
from ..._model.parts import Part, TextPart, ToolCallPart
from ..._text.media import artifact_name
from ..._text.plain_text import clean
from ..._transport.streaming import Assembler, Joiner
from ..._wire.strict_json import whole_number
from .message import read_own_id
from .metadata import hints_of
from .parse_context import Reading, members_of
from .parts import as_artifact, read_parts


class Artifact(NamedTuple):
    """An artifact before its parts are read.

    Attributes:
        id: Its artifactId.
        name: Its name as a file may have it, if it has one.
        parts: Its parts as they came.
        is_answer: Whether it is an answer that this library sent frame by frame: its parts are parts of the answer.
        seq: The number of the frame that it is, if it says one.
    """

    id: str
    name: str | None
    parts: list[Any]
    is_answer: bool
    seq: int | None


def read_artifact(found: Any, reading: Reading) -> Artifact:
    """The head of an artifact of any dialect, whole or a piece of one.

    Raises:
        WireError: `wrong-type`, `missing-member`, `id-too-long`, `duplicate-member`.
    """
    members = members_of(found, "an artifact")
    artifact_id = read_own_id(members.get("artifactId"), "/artifactId", "an artifact", reading)
    name, parts = members.get("name"), members.get("parts")
    if name is not None and name.__class__ is not str:
        raise wire_error("wrong-type", "/name", "the name of an artifact must be a string")
    if parts is None:
        raise wire_error("missing-member", "/parts", "an artifact must have parts")
    if parts.__class__ is not list:
        raise wire_error("wrong-type", "/parts", "the parts of an artifact must be an array")
    streaming = hints_of(members.get("metadata")).get("streaming")
    return Artifact(
        artifact_id,
        artifact_name(name or ""),
        parts,
        isinstance(streaming, dict),
        whole_number(streaming.get("seq")) if isinstance(streaming, dict) else None,
    )


def read_piece(artifact: Artifact, reading: Reading) -> list[Part]:
    """The parts of an artifact by themselves; the places of wholes and of pieces in it are left in `reading`."""
    parts: list[Part] = []
    reading.whole.clear()
    reading.pieces.clear()
    read_parts(artifact.parts, "/parts", reading, parts, {})
    return parts


def add_artifact(found: Any, reading: Reading, into: list[Part], places: dict[str, int]) -> None:
    """Adds the parts of an artifact to `into`, each under the name and id of its artifact.

    Raises:
        WireError: See `read_artifact` and `read_parts`.
    """
    artifact, before = read_artifact(found, reading), len(into)
    reading.whole.clear()
    reading.pieces.clear()
    read_parts(artifact.parts, "/parts", reading, into, places)
    if artifact.is_answer:
        into[before:] = joined(into[before:], {place - before for place in reading.pieces})
        places.update({part.id: place for place, part in enumerate(into) if isinstance(part, ToolCallPart)})
        return
    whole = reading.whole
    into[before:] = [
        part if place in whole else as_artifact(part, artifact.name, artifact.id, reading)
        for place, part in enumerate(into[before:], before)
    ]


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
            replace(part, content=clean(part.content)) if isinstance(part, TextPart) and "\r" in part.content else part
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
