"""What was odd about a message without stopping it, and how much of that is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .._errors.exceptions import Code, Problem, WireError
from .base import frozen

MAX_PROBLEMS: Final = 100
"""How many faults of one document are named one by one."""


@frozen
class Diagnostic:
    """Something odd that did not stop the message.

    Attributes:
        code: A key of `CODES`.
        at: Where, as a JSON Pointer; empty for the whole. In mail `/headers/<field>` and `/leaves/<n>`.
        detail: In words.
        temporary: Whether trying the same unit again later may give more.
    """

    code: Code
    at: str = ""
    detail: str = ""
    temporary: bool = False


MAX_NOTES: Final = 100
"""How many diagnostics one unit gives; a hostile one could make as many as it has bytes."""


def left_out(problems: Sequence[Problem]) -> list[Diagnostic]:
    """What is said of what was left out, one by one up to `MAX_PROBLEMS`, and how many more there are."""
    notes = [Diagnostic(code="member-dropped", at=at, detail=rule) for at, rule in problems[:MAX_PROBLEMS]]
    if len(problems) > MAX_PROBLEMS:
        more = f"{len(problems) - MAX_PROBLEMS} more members do not fit"
        notes.append(Diagnostic(code="diagnostics-omitted", detail=more))
    return notes


def bounded_notes(notes: Sequence[Diagnostic], more: int = 0) -> tuple[Diagnostic, ...]:
    """The diagnostics, at most `MAX_NOTES` of them; the last one says how many were left out.

    Args:
        notes: The first of them.
        more: How many came after them.
    """
    if len(notes) + more <= MAX_NOTES:
        return tuple(notes)
    kept = notes[: MAX_NOTES - 1]
    return (*kept, Diagnostic(code="diagnostics-omitted", detail=f"{len(notes) + more - len(kept)} more"))


def unread(error: WireError) -> Diagnostic:
    """What is said of something that could not be read: why, with the place of the first fault."""
    return Diagnostic(code=error.code, at=error.problems[0].at if error.problems else "", detail=str(error))
