"""Reads JSON files that users write by hand; errors name the line and column."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from .._errors.exceptions import WireError
from .._wire.strict_json import loads
from ._error import CliError
from ._files import read

_MAX_BYTES: Final = 67_108_864
_QUOTE_OR_CONSTANT: Final = re.compile(r'\\.|"|NaN|-?Infinity')
"""Constants that Python reads but JSON forbids, and what must be skipped to find them: escapes and quotes."""

_OF_SYNTAX: Final = frozenset({"not-utf8", "invalid-json", "unsafe-number"})
"""The codes of faults that have a line and column."""


def read_json(name: str) -> Any:
    """The JSON in a file.

    Raises:
        CliError: It cannot be read, or is none.
    """
    data = read(name, limit=_MAX_BYTES)
    try:
        return loads(data, max_bytes=_MAX_BYTES, max_depth=96, safe_integers=False)
    except WireError as error:
        raise CliError(f"{name}: {_error_text(data, error)}") from None


def read_object(name: str) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        CliError: It cannot be read, or is none.
    """
    document = read_json(name)
    if not isinstance(document, dict):
        raise CliError(f"{name}: not a JSON object")
    return document


def _error_text(data: bytes, error: WireError) -> str:
    """What is wrong with the JSON, with line and column for a syntax error."""
    before = _until_fault(data) if error.code in _OF_SYNTAX else None
    if before is None:
        return str(error)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"line {line}, column {column}: {error}"


def _until_fault(data: bytes) -> str | None:
    """The text before the first syntax error; None if the error has no place."""
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
