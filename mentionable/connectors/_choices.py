"""Answers that a person may pick with a click, under a message of an agent."""

from __future__ import annotations

from typing import Final

from .._model.base import frozen
from .._model.parts import TextPart

_VALUE: Final = "choice"


@frozen
class Choice:
    """An answer that a person may pick with a click. The click comes back as a message of that person.

    Attributes:
        label: What people read.
        value: What the message of the click has in `extra["choice"]` of its text part.
        description: A line below the label, where the platform shows one.
    """

    label: str
    value: str
    description: str | None = None


def picked(label: str, value: str) -> TextPart:
    """The text part of a click: its label, which is no markup, is what the person says."""
    return TextPart(content=label, extra={_VALUE: value})
