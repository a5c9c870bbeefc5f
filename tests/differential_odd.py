"""Odd members for the inputs of tests/differential.py: everything that one may send and another reads (R54).

`spoilt` takes a value that has every member and makes some of them odd. Numbers that Python would write in another way
stand there as `Digits` until `text` writes the JSON.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

_DIGITS: Final = "number:"
_MARKED: Final = re.compile(f'"{_DIGITS}([^"]*)"')

NUMBERS: Final = (
    *("0", "-0", "-0.0", "1.0", "2.0", "2.5", "-1", "1e0", "1e400", "-1e400", "1e-400", "5e-324", "1E2", "1e15"),
    *("9007199254740991", "9007199254740991.0", "9007199254740992", "9007199254740992.0", "9007199254740993"),
    *("-9007199254740993", "9007199254740993.0", "123456789012345678901234567890", "9" * 308, "1" * 309, "1" * 400),
    *("1e308", "1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "0.1", "01", "1.", "+1", "NaN"),
)
"""Numbers in every form, some of them none."""

_TYPES: Final = (
    *("image/png", "IMAGE/Png", "text/csv; charset=utf-8", "text/csv;charset=UTF-8", 'text/csv ; Charset="utf-8"'),
    *("text/plain", "TEXT/PLAIN", "text/plain;charset=utf-8", "text/html ; x=y", " text/markdown\t", "text/markdown;"),
    *("text", "text/", "/plain", "text/pl ain", "text/plain, text/html", "a/b;x", "a/b; x=", 'a/b; x="', "a/b;;;x=1;"),
    *('a/b; x="a\\"b"', 'a/b; x="a b"', 'a/b; x=""', "a/b; X=Y; x=z", "a/b;\tx=1 ;y=2", "a/b; x =1", "é/b", "a/b; x=é"),
    *("a" * 127 + "/b", "a" * 128 + "/b", "a/b; x=" + "y" * 1016, "a/b; x=" + "y" * 1017, "a/b; x=" + "😀", "*/*"),
    *(
        "text/mar\u212adown",
        "a/\u212a",
        "a/b\n",
        "a/b;\nx=1",
        'a/b; x="\\é"',
        'a/b; x="\t"',
        "a/b; x=1;\x0b",
        "\xa0a/b",
    ),
)
"""Media types in every spelling, some of them none."""

_URLS: Final = (
    *("https://a.example/x", "HTTP://A.EXAMPLE", "https://a.example:443/", "https://a.example:65536/", "mailto:a@b.c"),
    *("data:,x", "javascript:alert(1)", "//a.example", "https://", "https://user@a.example/", "https://[::1]/x"),
    *("https://[::1", "https://bücher.example/ü", "https://a.example/a b", "https://a.example/\u202e", "x", ""),
    *(
        "https://a.example/\\",
        "https://a.example/%zz#?#",
        "https://-a.example",
        "https://a_b.example",
        "https://1.2.3.4",
    ),
    *("https://a.example/" + "x" * 8174, "https://a.example/" + "x" * 8175, "https://a.example/😀", "ftp://a.example"),
    *(" https://a.example", "https://a.example\n", "https:a.example", "https://☃.example", "https://a.example:/"),
    *(
        "https://[fe80::1%25en0]/",
        "https://[::ffff:1.2.3.4]/",
        "https://[1::2::3]/",
        "https://a.example/\x85",
        "https://é",
    ),
)
"""URLs, some of them of the web."""

_TEXTS: Final = (
    *(
        "",
        " ",
        "a",
        "é",
        "😀",
        "\u2028",
        "\x00",
        "\x85",
        "\u200b",
        "A" * 300,
        "\ud800",
        "\udc00",
        "text",
        "ok",
        "final",
    ),
    *(
        "aGk=",
        "aGk",
        "aG=k",
        "aGk==",
        "a===",
        "-_==",
        "a" * 64,
        "A" * 64,
        "g" * 64,
        "sha256",
        "SHA256",
        "https://x.y/z",
    ),
    *(
        "e_n",
        "en",
        "EN",
        "de-DE-1996",
        "b c",
        "com.example.order",
        "order_id",
        "a.b",
        "a.b:\n",
        "Bearer",
        "true",
        "null",
    ),
)

_WORDS: Final = (
    *(
        "ok",
        "partial",
        "error",
        "OK",
        "done",
        "inline",
        "url",
        "content_addressed",
        "sha256",
        "tool_call",
        "text",
        "file",
    ),
    *(
        "link",
        "artifact",
        "policy",
        "weather",
        "email",
        "a2a",
        "slack",
        "payment_required",
        "consent_required",
        "forbidden",
    ),
    *("unauthorized", "too_many_requests", "service_unavailable", "unavailable_for_legal_reasons", "kind", "", "Text"),
    *("none", "recipient-field", "addressing", "to", "cc", "bcc", "constructor", "__proto__", "toString"),
)
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


class Digits(str):
    """A number as it is to stand in JSON."""

    __slots__ = ()


def text(random: Random, value: Any) -> str:
    """The JSON of a value with `Digits` in it."""

    def marked(one: Any) -> Any:
        if isinstance(one, Digits):
            return f"{_DIGITS}{one}"
        if isinstance(one, dict):
            return {name: marked(member) for name, member in one.items()}
        return [marked(item) for item in one] if isinstance(one, list) else one

    written = json.dumps(marked(value), ensure_ascii=random.random() < 0.5)
    return _MARKED.sub(r"\1", written)


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


def media_type(random: Random) -> str:
    return random.choice(_TYPES)


def url(random: Random) -> str:
    return random.choice(_URLS)


def timestamp(random: Random) -> str:
    """A timestamp with any offset and any fraction, now and then with something wrong."""
    moment = datetime(1, 1, 1, tzinfo=UTC) + timedelta(seconds=random.randrange(315_537_897_600))
    if random.random() < 0.1:
        moment = random.choice((datetime(1, 1, 1, 0, 30, tzinfo=UTC), datetime(9999, 12, 31, 23, 30, tzinfo=UTC)))
    date = moment.isoformat()[:19]
    mark = random.choice("TTTTt _")
    second = random.choice((date[17:], date[17:], date[17:], "60", "61", "00"))
    digits = "".join(random.choice("0059") for _ in range(random.choice((1, 2, 3, 6, 7, 9, 10))))
    fraction = random.choice(("", "", f".{digits}", f".{digits}", ".", ",5", ".000000", ".0000004"))
    offset = random.choice(
        (
            "Z",
            "Z",
            "z",
            "+00:00",
            "-00:00",
            "+01:00",
            "-23:59",
            "+14:00",
            "+24:00",
            "+0100",
            "+01",
            "",
            " Z",
            "+01:00:00",
        )
    )
    made = f"{date[:10]}{mark}{date[11:17]}{second}{fraction}{offset}"
    if random.random() < 0.1:
        at = random.randrange(len(made))
        made = made[:at] + random.choice("0139-:TZ. ٣") + made[at + 1 :]
    return made


def deep(random: Random) -> Any:
    """A value that is nested about as deep as may be."""
    made: Any = random.choice(([], {}, 1))
    for _ in range(
        random.choice((1, 5, 56, 58, 59, 60, 61, 62, 63, 64, 65, 90, 92, 93, 94, 95, 96, 97, 120, 124, 127))
    ):
        made = [made] if random.random() < 0.5 else {"a": made}
    return made


def odd(random: Random) -> Any:
    """A value that few members can be."""
    kind = random.randrange(20)
    if kind < 4:
        return None
    if kind < 7:
        return Digits(random.choice(NUMBERS[:-5])) if random.random() < 0.95 else Digits(random.choice(NUMBERS))
    if kind < 10:
        return random.choice(_WORDS)
    if kind < 13:
        return random.choice(_TEXTS) if random.random() < 0.7 else "x"
    if kind == 13:
        return media_type(random)
    if kind == 14:
        return timestamp(random)
    if kind == 15:
        return url(random)
    if kind == 16:
        return deep(random) if random.random() < 0.3 else [[]]
    return random.choice((True, False, [], {}, [None], {"kind": "text"}, {"kind": None}, {"a": None}, ["x", 5]))


_BY_NAME: Final = {
    **dict.fromkeys(("mime",), media_type),
    **dict.fromkeys(("started_at", "expires_at"), timestamp),
    **dict.fromkeys(("url", "return_to"), url),
    **dict.fromkeys(("kind", "status", "algo", "channel"), lambda random: random.choice(_WORDS)),
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
