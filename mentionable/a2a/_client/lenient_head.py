"""The head of a message in an answer: what of it does not fit costs itself.

Spec: Normalized Message §5.2; decisions B17.
"""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import WireError
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic, unread
from .._read.message import Head, read_head
from .._read.parse_context import members_of

UNNAMED: Final = "unnamed"
"""The id of a message that has none."""

_INSTEAD: Final[dict[str, tuple[str, Any]]] = {
    "/messageId": ("messageId", UNNAMED),
    "/role": ("role", "agent"),
    "/taskId": ("taskId", None),
    "/contextId": ("contextId", None),
    "/parts": ("parts", [None]),
    "/content": ("parts", [None]),
    "": ("content", None),
}
"""Pointer to what does not fit → the member that counts instead of it, and its value."""


def read_answer_head(message: Any, limits: Limits) -> tuple[Head, list[Diagnostic]]:
    """The head of a message that an agent answered, and what of it does not fit.

    Raises:
        WireError: It is no object, has too many parts, or has neither parts nor an id nor a role.
    """
    members = members_of(message, "a message")
    diagnostics: list[Diagnostic] = []
    has_parts = True
    while True:  # each time another member, of the few that there are
        try:
            head = read_head(members, limits)
        except WireError as error:
            at = error.problems[0].at
            if error.code == "too-many-parts" or members.keys().isdisjoint(_MEMBERS):
                raise
            diagnostics.append(unread(error))
            name, value = _INSTEAD[at]
            members = {**members, name: value}
            if name == "parts":
                members["content"], has_parts = None, False
            continue
        return (head if has_parts else head._replace(parts=[])), diagnostics


_MEMBERS: Final = frozenset({"messageId", "role", "parts", "content"})
"""The members that make an object a message."""
