"""Choices under a message of Discord: up to five are buttons, more are the options of a menu.

Spec: Building a Connector §PolicyPart handling; Discord API, Message Components.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from ...._errors.exceptions import UsageError
from ...._text.media import single_line
from ..._choices import Choice
from .._ids import CHOICE

_MAX_BUTTONS: Final = 5
_MAX_OPTIONS: Final = 25
_MAX_ID: Final = 100
_MAX_BUTTON_LABEL: Final = 80
_MAX_OPTION_LABEL: Final = 100
_ROW, _BUTTON, _MENU = 1, 2, 3
_SECONDARY: Final = 2


def check_choices(choices: object) -> tuple[Choice, ...]:
    """The choices of an answer.

    Raises:
        UsageError: They are no choices, too many, or two of them have the same value.
    """
    if isinstance(choices, (str, bytes)) or not isinstance(choices, Iterable):
        raise UsageError("choices is a list of Choice values")
    value: tuple[Any, ...] = tuple(islice(choices, _MAX_OPTIONS + 1))
    if len(value) > _MAX_OPTIONS:
        raise UsageError(f"choices: at most {_MAX_OPTIONS}")
    max_value = _MAX_ID - len(CHOICE)
    for number, choice in enumerate(value):
        if not isinstance(choice, Choice) or not _is_text(choice.label) or not single_line(choice.label):
            raise UsageError(f"choices[{number}] is no Choice with a label")
        if not _is_text(choice.value) or not 0 < _length(choice.value) <= max_value:
            raise UsageError(f"choices[{number}].value: 1 to {max_value} characters")
    if len({choice.value for choice in value}) < len(value):
        raise UsageError("choices: two of them have the same value")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def rows_of(choices: tuple[Choice, ...]) -> list[dict[str, Any]]:
    """The row of components that shows choices. A label that is too long is cut; its value never is."""
    if not choices:
        return []
    if len(choices) <= _MAX_BUTTONS:
        return [row([_button(choice) for choice in choices])]
    return [row([{"type": _MENU, "custom_id": CHOICE, "options": [_option(choice) for choice in choices]}])]


def row(components: list[dict[str, Any]]) -> dict[str, Any]:
    """A row of components."""
    return {"type": _ROW, "components": components}


def cut(text: str, max_length: int) -> str:
    """A text on one line; what is too long for Discord ends with an ellipsis."""
    line = single_line(text)
    if _length(line) <= max_length:
        return line
    return line.encode("utf-16-le")[: 2 * (max_length - 1)].decode("utf-16-le", "ignore").rstrip() + "…"


def _length(text: str) -> int:
    """The length in UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2


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
