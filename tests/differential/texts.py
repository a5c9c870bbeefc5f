"""Texts for tests/differential: words, odd characters, and mutations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

ODD: Final = (
    "",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "\x7f",
    "\x85",
    "\xa0",
    "\u200b",
    "\u2028",
    "\ufeff",
    "é",
    "漢",
    "😀",
    "\\",
)
LETTERS: Final = "abcxyzABCXYZ0189"


def chance(random: Random, share: float) -> bool:
    return random.random() < share


def word(random: Random, most: int = 8, alphabet: Sequence[str] = LETTERS) -> str:
    return "".join(random.choice(alphabet) for _ in range(random.randint(1, most)))


def text_of(random: Random) -> str:
    return "".join(
        random.choice((*ODD, *LETTERS, "→", "❌", "\u2029", "\x0b", "\x1c")) for _ in range(random.randint(1, 20))
    )


def mutated(random: Random, text: str, pieces: Sequence[str] = ODD) -> str:
    """The text with a few characters taken out, doubled, or put in."""
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        at = random.randint(0, len(text))
        how = random.randrange(4)
        if how == 0:
            text = text[:at] + text[at + 1 :]
        elif how == 1:
            text = text[:at] + random.choice(pieces) + text[at:]
        elif how == 2:
            text = text[:at] + text[at : at + 3] + text[at:]
        else:
            text = text[:at] + random.choice(pieces) + text[at + 1 :]
    return text
