"""Choices under a message of Discord: up to five are buttons, more are the options of a menu.

Spec: Building a Connector §PolicyPart handling; Discord API, Message Components.
"""

from __future__ import annotations

from typing import Any, Final

from ...._text.media import single_line
from ..._answer import check_lengths, choices_of, utf16_length
from ..._choices import Choice
from .._ids import CHOICE

_MAX_BUTTONS: Final = 5
_MAX_OPTIONS: Final = 25
_MAX_ID: Final = 100
_MAX_BUTTON_LABEL: Final = 80
_MAX_OPTION_LABEL: Final = 100
_ROW, _BUTTON, _MENU = 1, 2, 3
_SECONDARY: Final = 2


def rows_of(choices: object) -> list[dict[str, Any]]:
    """The row of components that shows choices. A label that is too long is cut; its value never is.

    Raises:
        UsageError: They are no choices, too many, or two of them have the same value.
    """
    listed = choices_of(choices, max_count=_MAX_OPTIONS)
    check_lengths(listed, max_value=_MAX_ID - len(CHOICE))
    if not listed:
        return []
    if len(listed) <= _MAX_BUTTONS:
        return [row([_button(choice) for choice in listed])]
    return [row([{"type": _MENU, "custom_id": CHOICE, "options": [_option(choice) for choice in listed]}])]


def row(components: list[dict[str, Any]]) -> dict[str, Any]:
    """A row of components."""
    return {"type": _ROW, "components": components}


def cut(text: str, max_length: int) -> str:
    """A text on one line; what is too long for Discord ends with an ellipsis."""
    line = single_line(text)
    if utf16_length(line) <= max_length:
        return line
    return line.encode("utf-16-le")[: 2 * (max_length - 1)].decode("utf-16-le", "ignore").rstrip() + "…"


def _button(choice: Choice) -> dict[str, Any]:
    return {
        "type": _BUTTON,
        "style": _SECONDARY,
        "label": cut(choice.label, _MAX_BUTTON_LABEL),
        "custom_id": f"{CHOICE}{choice.value}",
    }


def _option(choice: Choice) -> dict[str, Any]:
    option = {"label": cut(choice.label, _MAX_OPTION_LABEL), "value": choice.value}
    description = cut(choice.description or "", _MAX_OPTION_LABEL)
    return {**option, "description": description} if description else option
