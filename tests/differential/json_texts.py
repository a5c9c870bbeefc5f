"""Texts of JSON for tests/differential: legal, broken, deep, and with bytes that are no UTF-8."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final

from tests.differential.texts import ODD, chance, mutated, word

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

_NUMBERS: Final = (
    *(
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "-1",
        "01",
        "1.",
        ".5",
        "+1",
        "1e5",
        "1E-7",
        "1e400",
        "-1e400",
        "5e-324",
        "1e-400",
    ),
    *(
        "9007199254740991",
        "9007199254740992",
        "-9007199254740991",
        "-9007199254740992",
        "00",
        "1e21",
        "1.5e300",
        "0x10",
    ),
    *("9007199254740993.0", "1e16", "123456789012345680000", "NaN", "Infinity", "-Infinity", "-", "1e", "1e+", "0.1"),
    *("100000000000000000000.5", "0.000001", "1e-7", "333333333.33333329", "4.50", "2e-3", "1" * 400),
)
_STRINGS: Final = (
    *(
        '"a"',
        '""',
        '"\\u0041"',
        '"\\ud83d\\ude00"',
        '"\\ud800"',
        '"\\udc00"',
        '"\\ude00\\ud83d"',
        '"\\\\ud800"',
        '"\\x"',
    ),
    *(
        '"\\u00"',
        '"\t"',
        '"\\n\\/\\b"',
        '"\u2028"',
        '"😀"',
        '"a',
        "'a'",
        '"\\uD83D\\uDE00x"',
        '"\\"',
        '"__proto__"',
        '"\x7f"',
    ),
)


def json_text(random: Random, depth: int = 0) -> str:
    kind = random.randrange(8 if depth < 5 else 4)
    blank = random.choice(("", "", "", " ", "\n", "\t", "\r", "\f", "\xa0")) if chance(random, 0.2) else ""
    if kind < 2:
        text = random.choice(_NUMBERS) if chance(random, 0.5) else str(random.randint(-(10**6), 10**6))
    elif kind == 2:
        text = random.choice(_STRINGS) if chance(random, 0.6) else json.dumps(word(random))
    elif kind == 3:
        text = random.choice(("true", "false", "null", "True", "nul", "undefined", "[]", "{}"))
    elif kind < 6:
        text = "[" + ",".join(json_text(random, depth + 1) for _ in range(random.randrange(4))) + "]"
    else:
        names = [
            random.choice(('"a"', '"a"', '"b"', '"\\u0061"', '"__proto__"', '""', "a", '"constructor"'))
            for _ in range(3)
        ]
        text = "{" + ",".join(f"{name}:{json_text(random, depth + 1)}" for name in names[: random.randrange(4)]) + "}"
    return blank + text + (blank if chance(random, 0.5) else "")


def json_loads(random: Random) -> tuple[Any, Given]:
    text = json_text(random)
    if chance(random, 0.1):
        levels = random.choice((1, 31, 62, 63, 64, 65, 66, 200))
        opens = "".join(random.choice(("[", '{"a":')) for _ in range(levels))
        text = opens + text + "".join("]" if char == "[" else "}" for char in reversed(opens.replace('{"a":', "{")))
    if chance(random, 0.5):
        text = mutated(random, text, ("[", "]", "{", "}", ",", ":", '"', "\\", "0", "-", ".", "e", "\ufeff", *ODD))
    data = text.encode()
    given: Given = {}
    if chance(random, 0.1):
        given = {
            "settings": {
                "limits": {"activitypub_bytes": max(0, len(data) + random.choice((-1, 0, 1))), "json_depth": 3}
            }
        }
    if chance(random, 0.15):
        at = random.randint(0, len(data))
        broken = random.choice(
            (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xef\xbb\xbf", b"\x80")
        )
        data = data[:at] + broken + data[at:]
    if chance(random, 0.3) or not is_utf8(data):
        return {"data": {"$base64": b64encode(data).decode()}}, given
    return {"data": data.decode()}, given


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
