"""An artifact: its head, and its parts as parts of the answer.

Spec: A2A 0.3 §6.7, A2A 1.0 §4.1.7; Normalized Message §5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any, Final, NamedTuple, cast

from ..._errors.exceptions import WireError, wire_error, with_prefix
from ..._flow.settings import Limits
from ..._model.base import replace, tuple_maker
from ..._model.diagnostic import Diagnostic, prefixed
from ..._model.message import NormalizedResponse, Streaming
from ..._model.parts import Part, TextPart, ToolCallPart
from ..._text.media import artifact_name
from ..._text.plain_text import clean
from ..._transport.streaming import Assembler, TextMerger
from ..._wire.strict_json import whole_number
from .message import read_own_id
from .metadata import hints_of
from .parse_context import ParseContext, members_of
from .parts import ParsedParts, as_artifact, read_parts


class Artifact(NamedTuple):
    """An artifact before its parts are read.

    Attributes:
        id: Its artifactId.
        name: Its name, safe for a file, if it has one.
        parts: Its parts as they came.
        is_answer: Whether it is an answer that this library sent frame by frame: its parts are parts of the answer.
        seq: The number of its frame, if it has one.
    """

    id: str
    name: str | None
    parts: list[Any]
    is_answer: bool
    seq: int | None


_new_artifact: Final = tuple_maker(Artifact)


def read_artifact(artifact: Any, limits: Limits) -> Artifact:
    """The head of an artifact of any dialect, or of a chunk of one.

    Raises:
        WireError: `wrong-type`, `missing-member`, `id-too-long`, `duplicate-member`.
    """
    members = members_of(artifact, "an artifact")
    artifact_id, name, parts = members.get("artifactId"), members.get("name"), members.get("parts")
    if artifact_id.__class__ is not str or not 0 < len(artifact_id) <= limits.id_chars:
        artifact_id = read_own_id(artifact_id, "/artifactId", "an artifact", limits)
    if name is not None and name.__class__ is not str:
        raise wire_error("wrong-type", "/name", "the name of an artifact must be a string")
    if parts is None:
        raise wire_error("missing-member", "/parts", "an artifact must have parts")
    if parts.__class__ is not list:
        raise wire_error("wrong-type", "/parts", "the parts of an artifact must be an array")
    metadata = members.get("metadata")
    streaming = None if metadata is None else hints_of(metadata).get("streaming")
    return _new_artifact(
        artifact_id,
        artifact_name(name) if name else None,
        parts,
        isinstance(streaming, dict),
        whole_number(streaming.get("seq")) if isinstance(streaming, dict) else None,
    )


def read_artifacts(
    artifacts: list[Any], message: ParsedParts, context: ParseContext
) -> tuple[list[Part], list[Diagnostic]]:
    """The parts of a status message, then those of all artifacts, each under the name and id of its artifact.

    An event in an artifact updates a tool call of the parts before it. The diagnostics are those of the artifacts.

    Raises:
        WireError: See `read_artifact` and `read_parts`.
    """
    parts, places = list(message.parts), dict(message.tool_calls)
    calls = {call_id: cast("ToolCallPart", parts[place]) for call_id, place in places.items()}
    diagnostics: list[Diagnostic] = []
    for index, value in enumerate(artifacts):
        try:
            artifact = read_artifact(value, context.limits)
            parsed = read_parts(artifact.parts, "/parts", context, calls)
            if len(parts) + len(parsed.parts) > context.limits.parts:
                raise wire_error("too-many-parts", "/parts", f"more than {context.limits.parts} parts")
            added = _as_answer(artifact, parsed, context)
        except WireError as error:
            raise with_prefix(error, f"/artifacts/{index}") from None
        if parsed.diagnostics:
            diagnostics += prefixed(parsed.diagnostics, f"/artifacts/{index}")
        if parsed.updates:
            for call_id, call in parsed.updates.items():
                parts[places[call_id]] = calls[call_id] = call
        if parsed.tool_calls:
            for place, part in enumerate(added, len(parts)):
                if isinstance(part, ToolCallPart):
                    places[part.id], calls[part.id] = place, part
        parts += added
    return parts, diagnostics


def _as_answer(artifact: Artifact, parsed: ParsedParts, context: ParseContext) -> list[Part]:
    """The parts of a whole artifact as parts of the answer."""
    if artifact.is_answer:
        return joined(parsed.parts, parsed.continues)
    return [
        part if index in parsed.complete else as_artifact(part, artifact.name, artifact.id, context)
        for index, part in enumerate(parsed.parts)
    ]


class ChunkedArtifact:
    """An artifact that arrives in chunks.

    Attributes:
        artifact: The head of its first chunk.
    """

    __slots__ = ("_merger", "artifact")

    def __init__(self, artifact: Artifact) -> None:
        self.artifact = artifact
        self._merger = TextMerger(clean)

    @property
    def count(self) -> int:
        """How many parts it has."""
        return len(self._merger)

    def add(self, parsed: ParsedParts, context: ParseContext) -> list[Part]:
        """Append a chunk; its parts, under the name of the artifact."""
        artifact = self.artifact
        if artifact.is_answer:
            parts = joined(parsed.parts, parsed.continues)
        else:  # text stays text while more may come
            parts = [
                part
                if index in parsed.complete or isinstance(part, TextPart)
                else as_artifact(part, artifact.name, artifact.id, context)
                for index, part in enumerate(parsed.parts)
            ]
        for index, part in enumerate(parts):
            self._merger.add(part, continues=not index)
        return parts

    def whole(self, context: ParseContext) -> list[Part]:
        """All chunks, as parts of the answer."""
        artifact, parts = self.artifact, self._merger.parts()
        if artifact.is_answer:
            return parts
        return [
            as_artifact(part, artifact.name, artifact.id, context) if isinstance(part, TextPart) else part
            for part in parts
        ]

    def text(self) -> str:
        """All text in it."""
        return text_of(self._merger.parts())


class FrameSequence:
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
        """Append the frame with the number `seq`; the frame.

        Raises:
            WireError: See `Assembler.add`.
        """
        place = Streaming(stream_id=stream_id, seq=seq, final=False)
        frame = NormalizedResponse(reply_to=reply_to, parts=parts, status="partial", streaming=place)
        self._assembler.add(frame)
        self._seq = seq
        return frame

    def came_before(self, seq: int) -> bool:
        """Whether a frame is late, or a repetition."""
        return seq <= self._seq

    def whole(self, _: ParseContext) -> list[Part]:
        """All frames. A line end of two characters that was sent in two frames becomes one."""
        return [
            replace(part, content=clean(part.content)) if isinstance(part, TextPart) and "\r" in part.content else part
            for part in self._assembler.parts
        ]

    def text(self) -> str:
        """All text in it."""
        return text_of(self._assembler.parts)


def joined(parts: Iterable[Part], continues: Set[int]) -> list[Part]:
    """The parts of an answer that was sent in frames; text at the indices in `continues` joins the text before it."""
    merger = TextMerger(clean)
    for index, part in enumerate(parts):
        merger.add(part, continues=index in continues)
    return merger.parts()


def text_of(parts: Iterable[Part]) -> str:
    """All text in parts, as it is."""
    return "".join([part.content for part in parts if isinstance(part, TextPart)])
