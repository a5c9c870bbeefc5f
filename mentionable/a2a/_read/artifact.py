"""An artifact: its head, and its parts as parts of the answer.

Spec: A2A 0.3 §6.7, A2A 1.0 §4.1.7; Normalized Message §5.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..._errors.exceptions import wire_error
from ..._model.parts import ToolCallPart
from ..._text.media import artifact_name
from ..._wire.strict_json import whole_number
from .._wording import members_of
from .message import read_own_id
from .parse_context import hints_of
from .parts import as_artifact, read_parts

if TYPE_CHECKING:
    from ..._model.parts import Part
    from .parse_context import Reading


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
        from .chunks import joined

        into[before:] = joined(into[before:], {place - before for place in reading.pieces})
        places.update({part.id: place for place, part in enumerate(into) if isinstance(part, ToolCallPart)})
        return
    whole = reading.whole
    into[before:] = [
        part if place in whole else as_artifact(part, artifact.name, artifact.id, reading)
        for place, part in enumerate(into[before:], before)
    ]
