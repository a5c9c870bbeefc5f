"""Odd members for the inputs of tests/differential.

`spoilt` takes a value that has every member and makes some of them odd. Numbers that Python would write in another way
stand there as `Digits` until `written` writes the JSON.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from tests.differential.odd import NUMBERS, WORDS, Digits, media_type, odd, timestamp, url

if TYPE_CHECKING:
    from random import Random

_DIGITS: Final = "number:"
_MARKED: Final = re.compile(f'"{_DIGITS}([^"]*)"')
_NAMES: Final = (
    *(
        "unknown",
        "extra",
        "result",
        "error",
        "name",
        "url",
        "state",
        "data",
        "kind",
        "__proto__",
        "constructor",
        "",
        "1",
    ),
    *("~", "a/b", "~1", "é", "😀", "\ufb00", "2", "10", "title", "de", "DE", "com.example.x", "x y", "A", "a"),
)


def written(random: Random, value: Any) -> str:
    """The JSON of a value with `Digits` in it."""

    def marked(one: Any) -> Any:
        if isinstance(one, Digits):
            return f"{_DIGITS}{one}"
        if isinstance(one, dict):
            return {name: marked(member) for name, member in one.items()}
        return [marked(item) for item in one] if isinstance(one, list) else one

    text = json.dumps(marked(value), ensure_ascii=random.random() < 0.5)
    return _MARKED.sub(r"\1", text)


def plain(value: Any) -> Any:
    """A value with numbers for `Digits`: those that JSON has."""
    if isinstance(value, Digits):
        try:
            number = json.loads(value)
        except ValueError:
            return None
        return number if number - number == 0 else None
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


_BY_NAME: Final = {
    **dict.fromkeys(("mime",), media_type),
    **dict.fromkeys(("started_at", "expires_at"), timestamp),
    **dict.fromkeys(("url", "return_to"), url),
    **dict.fromkeys(("kind", "status", "algo", "channel"), lambda random: random.choice(WORDS)),
    **dict.fromkeys(
        ("size_bytes", "duration_ms", "seq", "retry_after_seconds", "hop", "max_hops"),
        lambda random: Digits(random.choice(NUMBERS[:-6])),
    ),
}
"""Member → values of its kind."""


def spoilt(random: Random, value: Any, most: int = 4) -> Any:
    """A copy of a value with some members odd, left out, unknown, or in other places; none of them, too."""
    made = deepcopy(value)
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, most))):
        holders = _holders(made)
        if not holders:
            return made
        holder = random.choice(holders)
        if isinstance(holder, list):
            _spoil_array(random, holder)
        else:
            _spoil_object(random, holder)
    return made


def _spoil_object(random: Random, holder: dict[str, Any]) -> None:
    how = random.randrange(10)
    if how == 0 or not holder:
        holder[random.choice(_NAMES)] = odd(random)
        return
    name = random.choice(sorted(holder))
    if how == 1:
        del holder[name]
    elif how == 2:
        holder[name] = None
    elif how < 7 and name in _BY_NAME:
        holder[name] = _BY_NAME[name](random)
    else:
        holder[name] = odd(random)


def _spoil_array(random: Random, holder: list[Any]) -> None:
    how = random.randrange(6)
    at = random.randint(0, len(holder))
    if how < 2 or not holder:
        holder.insert(at, odd(random))
    elif how == 2:
        holder.insert(at, deepcopy(random.choice(holder)))  # which clashes with itself
    elif how == 3:
        random.shuffle(holder)
    elif how == 4:
        del holder[min(at, len(holder) - 1)]
    else:
        holder[min(at, len(holder) - 1)] = odd(random)


def _holders(value: Any) -> list[Any]:
    """Every array and object in a value."""
    found, left = [], [value]
    while left:
        one = left.pop()
        if isinstance(one, (dict, list)):
            found.append(one)
            left += one.values() if isinstance(one, dict) else one
    return found
