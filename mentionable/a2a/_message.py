"""What stands at the head of a message: its id, its author's role, its task and context, and its metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from .._errors import wire_error
from .._secrets import holds_secret
from ._parts import read_parts
from ._spelling import members_of

if TYPE_CHECKING:
    from .._model.parts import Part
    from ._reading import Reading

Role: TypeAlias = Literal["user", "agent"]

_ROLES: Final[dict[object, Role]] = {
    "user": "user",
    "agent": "agent",
    "ROLE_USER": "user",
    "ROLE_AGENT": "agent",
    "1": "user",
    "2": "agent",
    1: "user",
    2: "agent",
}
_PLACES: Final = {"parts": "/parts", "content": "/content"}
_LEFT_OUT: Final = frozenset({"part-unsupported", "url-refused"})
_KNOWN: Final = frozenset({"kind", "messageId", "role", "parts", "content", "taskId", "contextId", "metadata"})


class Head(NamedTuple):
    """A message before its parts are read.

    Attributes:
        id: Its messageId.
        role: Whether the client or the agent wrote it.
        parts: Its parts as they came.
        parts_name: The member in which they came.
        task_id: The task that it belongs to, if it names one.
        context_id: The context that it belongs to, if it names one.
        metadata: Its metadata, whatever that is.
    """

    id: str
    role: Role
    parts: list[Any]
    parts_name: str
    task_id: str | None
    context_id: str | None
    metadata: Any


def read_head(message: Any, reading: Reading) -> Head:
    """The head of a message of any dialect.

    Raises:
        WireError: `wrong-type`, `missing-member`, `unknown-value`, `two-contents`, `too-many-parts`, `too-large`,
            `duplicate-member`.
    """
    members = members_of(message, "a message", _KNOWN, reading)
    member = members.get
    message_id = read_id(member("messageId"), "/messageId", reading)
    if message_id is None:
        raise wire_error("missing-member", "/messageId", "a message must have an id")
    role = _role_of(member("role"))
    if role is None:
        raise wire_error("unknown-value", "/role", "the role must be user or agent")
    parts, parts_name = member("parts"), "parts"
    content = member("content")
    if content is not None:
        if parts is not None:
            raise wire_error("two-contents", "", "has both parts and content")
        parts, parts_name = content, "content"
    if parts.__class__ is not list or not parts:
        raise wire_error("missing-member", f"/{parts_name}", "a message must have at least one part")
    if len(parts) > reading.limits.parts:
        raise wire_error("too-many-parts", f"/{parts_name}", f"more than {reading.limits.parts} parts")
    task_id, context_id, metadata = member("taskId"), member("contextId"), member("metadata")
    if metadata is not None and holds_secret(metadata):
        reading.may_hold_secrets = True
    return Head(
        message_id,
        role,
        parts,
        parts_name,
        None if task_id is None else read_id(task_id, "/taskId", reading),
        None if context_id is None else read_id(context_id, "/contextId", reading),
        metadata,
    )


def _role_of(role: Any) -> Role | None:
    """The role by its name, its v1.0 enum name, or the number of that enum."""
    return _ROLES.get(role) if role.__class__ is str or role.__class__ is int else None


def is_agents(message: Any) -> bool:
    """Whether a message, well formed or not, says that an agent wrote it."""
    return message.__class__ is dict and _role_of(message.get("role")) == "agent"


def read_id(found: Any, at: str, reading: Reading) -> str | None:
    """An id as opaque text; None when it is absent, null or empty, which ProtoJSON does not tell apart."""
    if found is None or found == "":
        return None
    if found.__class__ is not str:
        raise wire_error("wrong-type", at, "an id must be a string")
    if len(found) > reading.limits.id_chars:
        raise wire_error("too-large", at, f"an id has at most {reading.limits.id_chars} characters")
    return found


def parts_of(head: Head, reading: Reading) -> tuple[Part, ...]:
    """The parts of a message.

    Raises:
        WireError: As `read_parts`; and `part-unsupported` when every part had to be left out.
    """
    into: list[Part] = []
    read_into(head, reading, into, {})
    return tuple(into)


def read_into(head: Head, reading: Reading, into: list[Part], places: dict[str, int]) -> None:
    """Adds the parts of a message to `into`, which is empty; raises as `parts_of`."""
    noted = len(reading.notes)
    read_parts(head.parts, _PLACES[head.parts_name], reading, into, places)
    if not into and any(note.code in _LEFT_OUT for note in reading.notes[noted:]):
        raise wire_error("part-unsupported", _PLACES[head.parts_name], "no part of the message can be taken")
