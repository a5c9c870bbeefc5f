"""Files of JSON that a user writes by hand: where one is wrong is said by line and column."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from .._errors.exceptions import WireError
from .._wire.strict_json import loads
from ._error import Trouble
from ._files import read

_MOST_BYTES: Final = 67_108_864
_QUOTE_OR_CONSTANT: Final = re.compile(r'\\.|"|NaN|-?Infinity')
"""Python reads the constants; JSON has none of them. An escape is there to be passed over."""

_OF_SYNTAX: Final = frozenset({"not-utf8", "invalid-json", "unsafe-number"})
"""The codes of faults that stand somewhere."""


def read_object(name: str) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        Trouble: It cannot be read, or is none.
    """
    data = read(name, limit=_MOST_BYTES)
    try:
        found = loads(data, max_bytes=_MOST_BYTES, max_depth=96, safe_integers=False)
    except WireError as error:
        raise Trouble(f"{name}: {_complaint(data, error)}") from None
    if not isinstance(found, dict):
        raise Trouble(f"{name}: not a JSON object")
    return found


def _complaint(data: bytes, error: WireError) -> str:
    """What is wrong with JSON, with the line and column where its syntax is."""
    before = _until_fault(data) if error.code in _OF_SYNTAX else None
    if before is None:
        return str(error)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"line {line}, column {column}: {error}"


def _until_fault(data: bytes) -> str | None:
    """The text before the first fault of the syntax; None for one that has no place."""
    try:
        text = data.decode()
        json.loads(text)
    except UnicodeDecodeError as fault:
        return data[: fault.start].decode()
    except json.JSONDecodeError as fault:
        return text[: fault.pos]
    except ValueError:  # an integer of more digits than Python reads
        return None
    return _until_constant(text)


def _until_constant(text: str) -> str | None:
    is_in_string = False
    for token in _QUOTE_OR_CONSTANT.finditer(text):
        if token[0] == '"':
            is_in_string = not is_in_string
        elif not is_in_string:
            return text[: token.start()]
    return None
