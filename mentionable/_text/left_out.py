"""Lines in brackets that say what of a text was left out, and a mark for other lines that imitate them.

Every such line begins with a number: `[12 quoted lines left out]`.
"""

from __future__ import annotations

import re
from typing import Final

LINE_BREAKS: Final = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
INVISIBLE: Final = (
    r"\x00-\x09\x0e-\x1b\x1f \x7f-\x84\x86-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180b-\u180f\u2000-\u200f"
    r"\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
"""White space other than line breaks, and invisible characters: an attacker may put them before a line like ours."""

_BRACKETS: Final = "[\uff3b\ufe47\u3010\u27e6"
OPEN_BRACKET: Final = f"[\\{_BRACKETS}]"

_LIKE_OURS: Final = re.compile(
    rf"(?:^|(?<=[{LINE_BREAKS}]))(?=[{INVISIBLE}]*+{OPEN_BRACKET}[{INVISIBLE}]*+[\d.,]{{1,12}}+[{INVISIBLE}])"
)


def quote_imitations(text: str) -> str:
    r"""Quote every line that could be taken for one of ours with `> `.

    Example:
        >>> quote_imitations("fine.\n[12 quoted lines left out]")
        'fine.\n> [12 quoted lines left out]'
    """
    # Most texts have no bracket, which shows in a fiftieth of the time.
    return _LIKE_OURS.sub("> ", text) if any(bracket in text for bracket in _BRACKETS) else text


def quote_lines(text: str) -> str:
    """A text with `> ` before each line."""
    return "\n".join([f"> {line}" if line else ">" for line in text.split("\n")])


def count_of(number: int, one: str, many: str, rest: str) -> str:
    """A line of ours: `[1 quoted line left out]`."""
    return f"[{number} {one if number == 1 else many}{rest}]"


def hidden_line(characters: int) -> str:
    """The line in place of text that HTML hides from people."""
    return count_of(characters, "character", "characters", " of hidden text left out")
