"""Answers that a person may pick with a click, under a message of an agent."""

from __future__ import annotations

from .._model.base import frozen


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
