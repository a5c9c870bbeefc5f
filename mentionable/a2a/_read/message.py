"""The head of a message: its id, the role of its author, its task and context, and its metadata."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from .parse_context import ParseContext, members_of
from .parts import ParsedParts, read_parts

Role: TypeAlias = Literal["user", "agent"]

ROLES: Final[dict[object, Role]] = {
    "user": "user",
    "agent": "agent",
    "ROLE_USER": "user",
    "ROLE_AGENT": "agent",
    "1": "user",
    "2": "agent",
    1: "user",
    2: "agent",
}
"""Every spelling of a role."""
ENUM: Final = (str, int, float)
"""The types of a member of an enum: its name or its number, which some senders write as `1.0`."""
_LEFT_OUT: Final = frozenset({"part-unsupported", "url-refused"})


class Head(NamedTuple):
    """A message before its parts are read.

    Attributes:
        id: Its messageId.
        role: Whether the client or the agent wrote it.
        parts: Its parts as they came.
        parts_at: Their JSON Pointer in the message.
        task_id: The task that it names, if any.
        context_id: The context that it names, if any.
        metadata: Its metadata, of any type.
    """

    id: str
    role: Role
    parts: list[Any]
    parts_at: str
    task_id: str | None
    context_id: str | None
    metadata: Any


def read_head(message: Any, limits: Limits) -> Head:
    """The head of a message of any dialect.

    Raises:
        WireError: `wrong-type`, `missing-member`, `unknown-value`, `two-contents`, `too-many-parts`,
            `id-too-long`, `duplicate-member`.
    """
    members = members_of(message, "a message")
    member, max_chars = members.get, limits.id_chars
    message_id = member("messageId")
    if message_id.__class__ is not str or not 0 < len(message_id) <= max_chars:
        message_id = read_own_id(message_id, "/messageId", "a message", limits)
    role = member("role")
    role = ROLES.get(role) if role.__class__ is str else _role_of(role)
    if role is None:
        raise wire_error("unknown-value", "/role", "the role must be user or agent")
    parts, parts_at = member("parts"), "/parts"
    if "content" in members and members["content"] is not None:
        if parts is not None:
            raise wire_error("two-contents", "", "has both parts and content")
        parts, parts_at = members["content"], "/content"
    if parts.__class__ is not list or not parts:
        if parts is None or parts == []:
            raise wire_error("missing-member", parts_at, "a message must have at least one part")
        raise wire_error("wrong-type", parts_at, "the parts of a message must be an array")
    if len(parts) > limits.parts:
        raise wire_error("too-many-parts", parts_at, f"more than {limits.parts} parts")
    task_id, context_id = member("taskId"), member("contextId")
    if task_id is not None and (task_id.__class__ is not str or not 0 < len(task_id) <= max_chars):
        task_id = read_id(task_id, "/taskId", limits)
    if context_id is not None and (context_id.__class__ is not str or not 0 < len(context_id) <= max_chars):
        context_id = read_id(context_id, "/contextId", limits)
    # As `Head(…)` does, without its Python function around it.
    return tuple.__new__(Head, (message_id, role, parts, parts_at, task_id, context_id, member("metadata")))


def _role_of(role: Any) -> Role | None:
    """The role by its name, its v1.0 enum name, or the number of that enum."""
    return ROLES.get(role) if role.__class__ in ENUM else None


def is_agents(message: Any) -> bool:
    """Whether a message, well formed or not, has the role of an agent."""
    return message.__class__ is dict and _role_of(message.get("role")) == "agent"


def read_id(value: Any, at: str, limits: Limits) -> str | None:
    """An id as opaque text; None when it is absent, null or empty, which are the same in ProtoJSON."""
    if value.__class__ is str and 0 < len(value) <= limits.id_chars:
        return value
    if value is None or value == "":
        return None
    if value.__class__ is not str:
        raise wire_error("wrong-type", at, "an id must be a string")
    raise wire_error("id-too-long", at, f"an id has at most {limits.id_chars} characters")


def read_own_id(value: Any, at: str, what: str, limits: Limits) -> str:
    """The id of an object that must have one; `what` names the object in the error."""
    own = read_id(value, at, limits)
    if own is None:
        raise wire_error("missing-member", at, f"{what} must have an id")
    return own


def read_message_parts(head: Head, context: ParseContext) -> ParsedParts:
    """Read the parts of a message.

    Raises:
        WireError: As `read_parts`; and `part-unsupported` when every part had to be left out, where the
            context is not lenient.
    """
    parsed = read_parts(head.parts, head.parts_at, context)
    if not context.is_lenient and not parsed.parts and any(one.code in _LEFT_OUT for one in parsed.diagnostics):
        raise wire_error("part-unsupported", head.parts_at, "no part of the message can be taken")
    return parsed
