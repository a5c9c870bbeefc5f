"""Lines in brackets that say what of a text was left out.

Every such line begins with a number: `[12 quoted lines left out]`.
"""

from __future__ import annotations

import re
from typing import Final

from .fold import imitates

_LINE_ENDS: Final = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def lines_of(text: str) -> list[str]:
    """The lines of a text, as whatever shows it may break them."""
    return _LINE_ENDS.split(text)


def quote_lines(text: str) -> str:
    """A text with `> ` before each line."""
    return "\n".join([f"> {line}" if line else ">" for line in lines_of(text)])


def file_line(name: str, mime: str) -> str:
    """The line in place of a file, whose name has no brackets. It is like no other line of this library."""
    line = f"[{name or 'file'} ({mime})]"
    return f"[file {line[1:]}" if imitates(line) else line


def count_of(number: int, one: str, many: str, rest: str) -> str:
    """A line of ours: `[1 quoted line left out]`."""
    return f"[{number} {one if number == 1 else many}{rest}]"


def hidden_line(characters: int) -> str:
    """The line in place of text that HTML hides from people."""
    return count_of(characters, "character", "characters", " of hidden text left out")
