"""Odd values for the inputs of tests/differential: everything that one may send and another reads (R54)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

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

WORDS: Final = (
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


class Digits(str):
    """A number as it is to stand in JSON."""

    __slots__ = ()


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
        return random.choice(WORDS)
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
