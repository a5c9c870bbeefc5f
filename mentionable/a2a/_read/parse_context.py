"""What all readers of A2A share: the state of parsing one request, and the members of protocol objects.

A reader knows only its own object: its pointers, in errors and in diagnostics, are relative to it, and its caller adds
the pointer to the object. So no pointer is written while all is well.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from ..._errors.exceptions import Code, wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._transport.forwarded import ForwardedTurn

DialectName: TypeAlias = Literal["0.3", "0.3-rest", "1.0", "mixed"]
"""How a request is written: v0.3 as in JSON-RPC, v0.3 as its REST binding writes ProtoJSON, v1.0, or a mixture."""

EMPTY: Final[dict[str, Any]] = {}


class ParseContext:
    """The state of reading one request.

    Attributes:
        limits: The bounds.
        dialect: How the request is written.
        is_certain: Whether marks in the request say so, not only its surroundings.
        has_blobs: Whether bytes can be set apart; where they cannot, all of them stay inside.
        notes: What was odd and did not reject the request.
        blobs: Bytes over the inline bound, by their SHA-256 in hex.
        forwarded: The turns that the caller forwards, with the evidence at their senders, not looked at yet.
    """

    __slots__ = ("blobs", "dialect", "forwarded", "has_blobs", "is_certain", "limits", "notes")

    def __init__(
        self, limits: Limits, dialect: DialectName = "1.0", *, is_certain: bool = True, has_blobs: bool = True
    ) -> None:
        self.limits = limits
        self.dialect = dialect
        self.is_certain = is_certain
        self.has_blobs = has_blobs
        self.notes: list[Diagnostic] = []
        self.forwarded: tuple[ForwardedTurn, ...] = ()
        self.blobs: dict[str, bytes] = {}

    def note(self, code: Code, at: str = "", detail: str = "") -> None:
        """Remembers that something was odd."""
        self.notes.append(Diagnostic(code=code, at=at, detail=detail))

    def move_notes(self, since: int, under: str) -> None:
        """Reads the places of the notes from number `since` on as relative to `under`."""
        self.notes[since:] = [
            Diagnostic(code=note.code, at=under + note.at, detail=note.detail, temporary=note.temporary)
            for note in self.notes[since:]
        ]


_CAMEL: Final = {
    "artifact_id": "artifactId",
    "artifact_update": "artifactUpdate",
    "context_id": "contextId",
    "file_with_bytes": "fileWithBytes",
    "file_with_uri": "fileWithUri",
    "media_type": "mediaType",
    "message_id": "messageId",
    "mime_type": "mimeType",
    "reference_task_ids": "referenceTaskIds",
    "status_update": "statusUpdate",
    "task_id": "taskId",
}


_SNAKE: Final = frozenset(_CAMEL)


def members_of(value: Any, what: str) -> dict[str, Any]:
    """The members of a protocol object under their camelCase names.

    Args:
        value: What stands in the place of the object.
        what: What it must be, for the problem.

    Raises:
        WireError: `wrong-type`, `duplicate-member`.
    """
    if value.__class__ is not dict:
        raise wire_error("wrong-type", "", f"{what} must be an object")
    members: dict[str, Any] = value
    return members if _SNAKE.isdisjoint(members) else camel(members)


def camel(members: dict[str, Any]) -> dict[str, Any]:
    """The same members under their camelCase names; the object itself when they are so already.

    Raises:
        WireError: `duplicate-member`: one member stands there in both spellings. Peers differ in which one they
            read, so neither may count.

    Spec: A2A 1.0 §5 (ProtoJSON names).
    """
    if _SNAKE.isdisjoint(members):
        return members
    respelled: dict[str, Any] = {}
    for name, member in members.items():
        proper = _CAMEL.get(name, name)
        if proper in respelled:
            raise wire_error("duplicate-member", "", f"{proper} is there in both spellings")
        respelled[proper] = member
    return respelled
