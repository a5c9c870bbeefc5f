"""What stands in an event of a stream, and how the stream is written.

Spec: A2A 0.3 §7.2, A2A 1.0 §9.4.2, §11.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._errors import wire_error
from ._envelope import message_mark, task_mark
from ._said import refuse_errors
from ._spelling import camel, members_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_WRAPPERS: Final[Mapping[str, str]] = {
    "task": "task",
    "message": "message",
    "statusUpdate": "status-update",
    "artifactUpdate": "artifact-update",
}
"""The member that an event stands in → what it is."""

_KINDS: Final = frozenset(_WRAPPERS.values())

_SHAPES: Final = (
    ("artifact", "artifact-update"),
    ("messageId", "message"),
    ("id", "task"),
    ("status", "status-update"),
)
"""A member that one kind of event alone has → what it is, for peers that leave `kind` out."""


def open_event(document: Any) -> tuple[str, dict[str, Any], bool]:
    """What kind of event it is, its members, and whether it stood in a wrapper.

    Raises:
        WireError: `peer-error`, `not-a-message`, `two-contents`, `malformed`, `wrong-type`, `duplicate-member`.
    """
    members = members_of(document, "an event")
    refuse_errors(members)
    if "jsonrpc" in members:
        if members["jsonrpc"] != "2.0":
            raise wire_error("malformed", "/jsonrpc", "must be 2.0")
        members = members_of(members.get("result"), "a result")
    kind = members.get("kind")
    if kind.__class__ is str and kind in _KINDS:
        return kind, members, False
    wrapped = [name for name in _WRAPPERS if members.get(name) is not None]
    if len(wrapped) > 1:
        raise wire_error("two-contents", "", f"has both {wrapped[0]} and {wrapped[1]}")
    if wrapped:
        return _WRAPPERS[wrapped[0]], members_of(members[wrapped[0]], "an event"), True
    for member, shape in _SHAPES:
        if member in members:
            return shape, members, False
    raise wire_error("not-a-message", "", "is no event of a stream")


def is_of_old_rest(kind: str, event: dict[str, Any]) -> bool:
    """Whether a wrapped event shows that its stream is of v0.3 REST, which writes nearly as v1.0 does."""
    if kind == "message":
        return message_mark(camel(event)) == "0.3-rest"
    if kind == "task":
        return task_mark(camel(event)) == "0.3-rest"
    status = event.get("status")
    message = status.get("message") if status.__class__ is dict else None
    return "final" in event or message_mark(message) == "0.3-rest"
