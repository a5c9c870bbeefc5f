"""The object in an event of a stream, or in a body that is all of an answer.

Spec: A2A 0.3 §7.2, A2A 1.0 §9.4.2, §11.7.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._errors.exceptions import WireError, wire_error, with_prefix
from .._protocol import KINDS, WRAPPERS
from .._read.envelope import message_mark, read_call_id, refuse_errors, task_mark
from .._read.parse_context import members_of

_SHAPES: Final = (
    ("artifact", "artifact-update"),
    ("messageId", "message"),
    ("role", "message"),
    ("id", "task"),
    ("status", "status-update"),
)
"""A member that one kind of event alone has → the kind, for peers that leave `kind` out."""


class Event(NamedTuple):
    """One event.

    Attributes:
        kind: `message`, `task`, `status-update` or `artifact-update`.
        members: Its members.
        at: JSON Pointer to it.
        is_of_old_rest: Whether its members prove that it is of v0.3 REST, which is nearly like v1.0.
    """

    kind: str
    members: dict[str, Any]
    at: str
    is_of_old_rest: bool


def open_event(document: Any) -> Event:
    """The event in a JSON document.

    Raises:
        WireError: `peer-error`, `not-a-message`, `two-contents`, `malformed`, `wrong-type`, `duplicate-member`.
    """
    members, at = members_of(document, "an event"), ""
    refuse_errors(members)
    if "method" in members:
        raise wire_error("not-a-message", "", "is a request, not an answer")
    if "jsonrpc" in members:
        read_call_id(members)
        members, at = _inner(members, "result", "a result", at)
    kind = members.get("kind")
    if kind.__class__ is str and kind in WRAPPERS:
        return Event(kind, members, at, False)
    wrapped = [name for name in KINDS if members.get(name) is not None]
    if len(wrapped) > 1:
        raise wire_error("two-contents", at, f"has both {wrapped[0]} and {wrapped[1]}")
    if wrapped:
        kind = KINDS[wrapped[0]]
        members, at = _inner(members, wrapped[0], "an event", at)
        return Event(kind, members, at, _is_of_old_rest(kind, members))
    for member, shape in _SHAPES:
        if member in members:
            # Bare events are of JSON-RPC; a host may hand on a bare message or task of REST too.
            return Event(shape, members, at, shape in ("message", "task") and _is_of_old_rest(shape, members))
    raise wire_error("not-a-message", at, "is no event of a stream")


def _inner(members: dict[str, Any], name: str, what: str, at: str) -> tuple[dict[str, Any], str]:
    """The members of the object in a member, and the pointer to it."""
    at = f"{at}/{name}"
    try:
        return members_of(members.get(name), what), at
    except WireError as error:
        raise with_prefix(error, at) from None


def _is_of_old_rest(kind: str, event: dict[str, Any]) -> bool:
    """Whether the members of an event prove that it is of v0.3 REST."""
    if kind == "message":
        return message_mark(event) == "0.3-rest"
    if kind == "task":
        return task_mark(event) == "0.3-rest"
    status = event.get("status")
    message = status.get("message") if status.__class__ is dict else None
    return "final" in event or message_mark(message) == "0.3-rest"
