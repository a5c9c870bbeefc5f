"""Diagnostics: what is odd about a message without stopping it; and how many of them there may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        at: Where, as a JSON Pointer; empty for the whole. In mail `/headers/<field>` and `/body_parts/<n>`.
        detail: In words.
        temporary: Whether trying the same message again later may give more.
    """

    code: Code
    at: str = ""
    detail: str = ""
    temporary: bool = False


MAX_DIAGNOSTICS: Final = 100
"""The diagnostics of one message, at most; a hostile one could give as many as it has bytes."""


def left_out(problems: Sequence[Problem]) -> list[Diagnostic]:
    """Diagnostics of what was left out, one by one up to `MAX_PROBLEMS`, and how many more there are."""
    diagnostics = [Diagnostic(code="member-dropped", at=at, detail=rule) for at, rule in problems[:MAX_PROBLEMS]]
    if len(problems) > MAX_PROBLEMS:
        more = f"{len(problems) - MAX_PROBLEMS} more members do not fit"
        diagnostics.append(Diagnostic(code="diagnostics-omitted", detail=more))
    return diagnostics


def cap_diagnostics(diagnostics: Sequence[Diagnostic], more: int = 0) -> tuple[Diagnostic, ...]:
    """The diagnostics, at most `MAX_DIAGNOSTICS` of them; the last one says how many were left out.

    Args:
        diagnostics: The first of them.
        more: How many came after them.
    """
    if len(diagnostics) + more <= MAX_DIAGNOSTICS:
        return tuple(diagnostics)
    first = diagnostics[: MAX_DIAGNOSTICS - 1]
    omitted = len(diagnostics) + more - len(first)
    return (*first, Diagnostic(code="diagnostics-omitted", detail=f"{omitted} more"))


def prefixed(diagnostics: Iterable[Diagnostic], prefix: str) -> list[Diagnostic]:
    """Diagnostics of a part as diagnostics of the whole: `prefix` is the JSON Pointer of the part."""
    if not prefix:
        return [*diagnostics]
    return [
        Diagnostic(code=one.code, at=prefix + one.at, detail=one.detail, temporary=one.temporary) for one in diagnostics
    ]


def unread(error: WireError) -> Diagnostic:
    """The diagnostic of something that cannot be read: why, with the place of the first fault."""
    return Diagnostic(code=error.code, at=error.problems[0].at if error.problems else "", detail=str(error))
