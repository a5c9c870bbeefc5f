"""The answer on a line of a harness, or what is wrong with the line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from mentionable_conformance._show import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Broken", "answer_on", "checked"]

_DEPTH: Final = 500
"""So many objects and arrays may be nested in each other: what compares them calls itself for each."""
_SHOWN: Final = 120
"""So many characters of a line are shown."""
_LONGEST: Final = 4
"""So many bytes has a character in UTF-8 at most."""
_HALF: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""Half a surrogate pair, as encoders write it that do not check."""
_HALF_A_PAIR: Final = "half a surrogate pair"
_STDOUT: Final = "stdout is for answers, and debug output belongs on stderr"


class Broken(Exception):
    """The conversation with the program cannot go on."""


class _HalfPairError(ValueError):
    """A text contains half a surrogate pair."""


def answer_on(line: bytes) -> dict[str, Any]:
    """The object on a line.

    Raises:
        Broken: There is none.
    """
    try:
        answer = checked(json.loads(line.decode("utf-8"), parse_constant=_no_constant))
    except UnicodeDecodeError:
        what = f"{_HALF_A_PAIR} in a line" if _HALF.search(line) else "not a line of UTF-8"
    except _HalfPairError:
        what = f"{_HALF_A_PAIR} in a line"
    except (ValueError, RecursionError):
        what = "not a line of JSON"
    else:
        if isinstance(answer, dict):
            return answer
        what = "not a JSON object"
    raise Broken(f"{what}: {_shown(line)} ({_STDOUT})")


def _shown(line: bytes) -> str:
    """The line, or the beginning of it, as text."""
    text = line[: (_SHOWN + 1) * _LONGEST].decode("utf-8", "replace").rstrip("\r\n")
    return visible(text[:_SHOWN]) + ("…" if len(text) > _SHOWN else "") if text else "an empty line"


def checked(value: Any) -> Any:
    """A value that can be written as JSON in UTF-8, and compared.

    Raises:
        ValueError: It contains half a surrogate pair or a number like 1e400, or is nested too deep.
    """
    level = _containers([value])
    for _ in range(_DEPTH):
        level = _containers(one for outer in level for one in (outer.values() if isinstance(outer, dict) else outer))
    if level:
        raise ValueError("nested too deep")
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        raise _HalfPairError(_HALF_A_PAIR) from None
    return value


def _containers(values: Iterable[Any]) -> list[Any]:
    """The objects and arrays among these values."""
    return [one for one in values if isinstance(one, (dict, list))]


def _no_constant(text: str) -> None:
    """NaN and the infinities are not JSON."""
    raise ValueError(text)
