"""Answers to pick with a click, as buttons or as a menu under a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..._answer import check_choices
from ..._choices import Choice
from .._ids import CHOICE
from .blocks import RenderedBlock, plain_text
from .literal import escape, literal

_BUTTONS: Final = 5
_OPTIONS: Final = 100
_LABEL: Final = 75
_VALUE: Final = 2_000
_OPTION_VALUE: Final = 150
_PLACEHOLDER: Final = "Choose"


def choice_blocks(choices: Sequence[Choice]) -> list[RenderedBlock]:
    """Up to five choices as buttons, more as a menu; none as no block.

    Raises:
        UsageError: There are too many, or one is too long.
    """
    if not choices:
        return []
    value = _VALUE if len(choices) <= _BUTTONS else _OPTION_VALUE
    check_choices(choices, max_count=_OPTIONS, max_label=_LABEL, max_value=value)
    elements = [_menu(choices)] if len(choices) > _BUTTONS else [*map(_button, range(len(choices)), choices)]
    labels = "\n".join([f"\u2022 {literal(escape(choice.label), is_plain=True)}" for choice in choices])
    return [RenderedBlock({"type": "actions", "elements": elements}, labels)]


def _button(number: int, choice: Choice) -> dict[str, Any]:
    """A button. The ids of actions differ within a message."""
    return {
        "type": "button",
        "text": plain_text(escape(choice.label)),
        "value": choice.value,
        "action_id": f"{CHOICE}#{number}",
    }


def _menu(choices: Sequence[Choice]) -> dict[str, Any]:
    options = [
        {
            "text": plain_text(escape(choice.label)),
            "value": choice.value,
            **({"description": plain_text(escape(choice.description))} if choice.description else {}),
        }
        for choice in choices
    ]
    placeholder = plain_text(_PLACEHOLDER)
    return {"type": "static_select", "action_id": CHOICE, "placeholder": placeholder, "options": options}
