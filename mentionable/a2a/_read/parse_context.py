"""What all readers of A2A share: the facts of one request, and the members of protocol objects.

The pointers of a reader, in errors and in diagnostics, are relative to its own object, and its caller adds the pointer
of the object. So no pointer is written for a faultless object.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits

DialectName: TypeAlias = Literal["0.3", "0.3-rest", "1.0", "mixed"]
"""How a request is written: v0.3 as in JSON-RPC, v0.3 as its REST binding writes ProtoJSON, v1.0, or a mixture."""

EMPTY: Final[dict[str, Any]] = {}


class ParseContext(NamedTuple):
    """The facts of one request that all of its readers need.

    Attributes:
        limits: The bounds.
        dialect: How the request is written.
        is_certain: Whether marks in the request prove the dialect, not only its surroundings.
        blobs: The store for content over the inline bound, by SHA-256 in hex; None: all content stays inline.
        is_lenient: Whether a broken part costs itself alone, with a diagnostic. So answers are read: their authors
            cannot be asked to mend them, and the other parts came.
    """

    limits: Limits
    dialect: DialectName = "1.0"
    is_certain: bool = True
    blobs: dict[str, bytes] | None = None
    is_lenient: bool = False


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
        value: The JSON in place of the object.
        what: Its name for the error.

    Raises:
        WireError: `wrong-type`, `duplicate-member`.
    """
    if value.__class__ is not dict:
        raise wire_error("wrong-type", "", f"{what} must be an object")
    members: dict[str, Any] = value
    return members if _SNAKE.isdisjoint(members) else camel(members)


def camel(members: dict[str, Any]) -> dict[str, Any]:
    """The members under their camelCase names; the object itself when it has no others.

    Raises:
        WireError: `duplicate-member`: a member is there in both spellings, of which peers read different ones.

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
