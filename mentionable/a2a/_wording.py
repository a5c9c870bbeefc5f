"""The members of protocol objects: their snake_case names in camelCase.

ProtoJSON allows both spellings, and the official parsers take both.
"""

from __future__ import annotations

from typing import Any, Final

from .._errors.exceptions import wire_error

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


def members_of(found: Any, what: str) -> dict[str, Any]:
    """The members of a protocol object under their camelCase names.

    Args:
        found: What stands in the place of the object.
        what: What it must be, for the problem.

    Raises:
        WireError: `wrong-type`, `duplicate-member`.
    """
    if found.__class__ is not dict:
        raise wire_error("wrong-type", "", f"{what} must be an object")
    members: dict[str, Any] = found
    return camel(members)


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
