"""Whether a message is to be answered: what its transport says when it comes, and how a message keeps it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from .base import EMPTY_DICT, FrozenDict, frozen

MEMBER: Final = "unanswerable"
"""The member of `extra` in which a message that is not answerable says so."""

_REASON: Final = re.compile(r"[a-z0-9]++(?:-[a-z0-9]++){0,7}", re.ASCII).fullmatch
_MAX_REASON: Final = 64


@frozen
class Answerable:
    """Whether an answer to a message is due: true in a condition when it is.

    Attributes:
        reason: Why not, as a word for programs: `auto-submitted`, `mailing-list`. None: an answer is due.
        detail: The sign itself, in words, for logs: `Auto-Submitted: auto-replied`.

    Spec: RFC 3834 §2; RFC 5230 §4.6.

    Example:
        >>> bool(Answerable()), bool(Answerable(reason="mailing-list", detail="List-Id"))
        (True, False)
    """

    reason: str | None = None
    detail: str = ""

    def __bool__(self) -> bool:
        return self.reason is None


DUE: Final = Answerable()
"""An answer is due."""

_UNKNOWN: Final = Answerable(reason="unknown", detail="what is stored of it cannot be read")
OWN: Final = Answerable(reason="own-address", detail="the sender is the agent itself")
"""A mail from the address of the agent that it is for."""


def read_answerable(member: Any) -> Answerable:
    """Read what a message keeps under `MEMBER`. Anything unexpected means that no answer is due."""
    if not isinstance(member, Mapping):
        return _UNKNOWN
    reason, detail = member.get("reason"), member.get("detail")
    if not isinstance(reason, str) or len(reason) > _MAX_REASON or _REASON(reason) is None:
        return _UNKNOWN
    return Answerable(reason=reason, detail=detail if isinstance(detail, str) else "")


def as_extra(answerable: Answerable) -> FrozenDict:
    """The `extra` of a message: empty where an answer is due."""
    if answerable:
        return EMPTY_DICT
    return FrozenDict({MEMBER: {"reason": answerable.reason, "detail": answerable.detail}})
