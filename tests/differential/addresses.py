"""Addresses for tests/differential: every form of a local part and of a label, some of them none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.texts import LETTERS, ODD, chance, mutated, word

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

_LOCALS: Final = (
    "alice",
    "Alice.B",
    "a+b",
    "o'neil",
    "x_y",
    "a..b",
    ".a",
    "a.",
    "",
    '"a b"',
    "ä",
    "a" * 64,
    "a" * 65,
    "%41",
)
_LABELS: Final = (
    *("example", "EXAMPLE", "a", "x1", "1x", "0x1f", "123", "-a", "a-", "a--b", "xn--bcher-kva", "xn--", "xn--a"),
    *(
        "bücher",
        "BÜCHER",
        "straße",
        "ΣΊΣΥΦΟΣ",
        "σίσυφος",
        "漢字",
        "موقع",
        "अ",
        "é",
        "e\u0301",
        "a" * 63,
        "a" * 64,
        "münchen",
    ),
    *("日本", "παράδειγμα", "пример", "İstanbul", "ａ", "☃", "l·l", "a\u200db", "क्\u200dष", "\u0660\u06f0", "K"),
)
_MARKS: Final = (
    *ODD,
    "@",
    ".",
    "..",
    "-",
    "_",
    ":",
    "/",
    "[",
    "]",
    "%",
    "%40",
    "@@",
    "\u3002",
    "\uff0e",
    "ß",
    "acct:",
    "ͤ",
)


def address(random: Random) -> tuple[Any, Given]:
    prefix = random.choice(("", "", "@", "@", "acct:", "ACCT:", "Acct:", "@@", "acct:@", "mailto:"))
    local = random.choice(_LOCALS) if chance(random, 0.6) else word(random, 8, LETTERS + "!#$%&'*+/=?^_`{|}~-.")
    labels = [
        random.choice(_LABELS) if chance(random, 0.6) else word(random) for _ in range(random.choice((1, 2, 2, 3, 4)))
    ]
    labels += random.choice((["example"], ["org"], ["COM"], ["рф"], ["127"], []))
    text = f"{prefix}{local}@{'.'.join(labels)}"
    return {"text": mutated(random, text, _MARKS) if chance(random, 0.5) else text}, {}
