"""Answers that people pick with a click, where a platform has buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mentionable import NormalizedResponse, replace
from mentionable.connectors import Choice

__all__ = ["choices_of", "offer"]

MEMBER: Final = "choices"
MOST: Final = 25
"""Discord shows no more."""


def offer(response: NormalizedResponse, *choices: Choice) -> NormalizedResponse:
    """An answer with choices under it. A click comes back as a message, with `extra["choice"]` in its text part.

    Args:
        response: The answer.
        choices: What to choose from, 25 at most. Where nothing can be clicked they are left out: name them in the text.
    """
    if len(choices) > MOST:
        raise ValueError(f"at most {MOST} choices, not {len(choices)}")
    rows = [
        {
            name: value
            for name, value in (("label", one.label), ("value", one.value), ("description", one.description))
            if value is not None
        }
        for one in choices
    ]
    return replace(response, extra={**response.extra, MEMBER: rows})


def choices_of(response: NormalizedResponse) -> tuple[Choice, ...]:
    """The choices under an answer."""
    rows = response.extra.get(MEMBER)
    if not isinstance(rows, (list, tuple)):
        return ()
    return tuple(
        Choice(label=str(row["label"]), value=str(row["value"]), description=row.get("description"))
        for row in rows[:MOST]
        if isinstance(row, Mapping) and "label" in row and "value" in row
    )
