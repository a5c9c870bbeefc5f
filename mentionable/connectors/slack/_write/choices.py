"""Answers to pick with a click, as buttons or as a menu under a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..._answer import check_lengths, choices_of
from ..._choices import Choice
from .._ids import CHOICE
from .blocks import RenderedBlock, plain_text
from .literal import escape, literal

_MAX_BUTTONS: Final = 5
_MAX_OPTIONS: Final = 100
_MAX_LABEL: Final = 75
_MAX_BUTTON_VALUE: Final = 2_000
_MAX_OPTION_VALUE: Final = 150
_PLACEHOLDER: Final = "Choose"


def choice_blocks(choices: object) -> list[RenderedBlock]:
    """Up to five choices as buttons, more as a menu; none as no block.

    Raises:
        UsageError: They are no choices, too many, or one is too long.
    """
    listed = choices_of(choices, max_count=_MAX_OPTIONS)
    if not listed:
        return []
    is_menu = len(listed) > _MAX_BUTTONS
    check_lengths(listed, max_value=_MAX_OPTION_VALUE if is_menu else _MAX_BUTTON_VALUE, max_label=_MAX_LABEL)
    elements = [_menu(listed)] if is_menu else [*map(_button, range(len(listed)), listed)]
    labels = "\n".join([f"\u2022 {literal(escape(choice.label), is_plain=True)}" for choice in listed])
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
