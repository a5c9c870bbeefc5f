"""Lines in brackets that say what of a text was left out, and a mark for other lines that imitate them.

Every such line begins with a number: `[12 quoted lines left out]`.
"""

from __future__ import annotations

import re
from typing import Final

LINE_BREAKS: Final = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_NO_WIDTH: Final = (
    r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufe00-\ufe0f\ufeff"
)
INVISIBLE: Final = rf"{_NO_WIDTH}\x09\x1f \xa0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0"
"""White space other than line breaks, and invisible characters: an attacker may put them before a line like ours."""

_BRACKETS: Final = "[\uff3b\ufe47\u3010\u27e6"

_LIKE_OURS: Final = re.compile(rf"[{INVISIBLE}]*+[\d.,]{{1,12}}+(?:[{INVISIBLE}]|(?i:qu|fo|li|ch))")
_BRACKETED: Final = re.compile(rf"(?:^|(?<=[{LINE_BREAKS}]))(?=[{INVISIBLE}]*+[\{_BRACKETS}]([^{LINE_BREAKS}]*+))")
"""Takes the start of a line in brackets: what is behind the bracket."""
_HIDDEN: Final = re.compile(f"[{_NO_WIDTH}]")
_LINE_ENDS: Final = re.compile(f"\r\n|[{LINE_BREAKS}]")


def quote_imitations(text: str) -> str:
    r"""Quote every line that could be taken for one of ours with `> `.

    Example:
        >>> quote_imitations("fine.\n[12 quoted lines left out]")
        'fine.\n> [12 quoted lines left out]'
    """
    # Few texts have a bracket, which shows in a fiftieth of the time.
    return quote_like(text, _LIKE_OURS) if any(bracket in text for bracket in _BRACKETS) else text


def quote_like(text: str, pattern: re.Pattern[str]) -> str:
    """Quote with `> ` every line in brackets that a pattern takes, as it is or without invisible characters.

    Args:
        text: The text.
        pattern: Matches what is behind the bracket.
    """
    return _BRACKETED.sub(lambda line: "> " if _is_like(line, pattern) else "", text)


def begins_like(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether `quote_like` quotes the first line of a text."""
    line = _BRACKETED.match(text)
    return line is not None and _is_like(line, pattern)


def _is_like(line: re.Match[str], pattern: re.Pattern[str]) -> bool:
    is_like = pattern.match(line.string, line.start(1)) or pattern.match(_HIDDEN.sub("", line[1]))
    return is_like is not None


def lines_of(text: str) -> list[str]:
    """The lines of a text, as whatever shows it may break them."""
    return _LINE_ENDS.split(text)


def quote_lines(text: str) -> str:
    """A text with `> ` before each line."""
    return "\n".join([f"> {line}" if line else ">" for line in lines_of(text)])


def file_line(name: str, mime: str) -> str:
    """The line in place of a file, whose name has no brackets. It is like no line that says what was left out."""
    line = f"[{name or 'file'} ({mime})]"
    return f"[file {line[1:]}" if quote_imitations(line) != line else line


def count_of(number: int, one: str, many: str, rest: str) -> str:
    """A line of ours: `[1 quoted line left out]`."""
    return f"[{number} {one if number == 1 else many}{rest}]"


def hidden_line(characters: int) -> str:
    """The line in place of text that HTML hides from people."""
    return count_of(characters, "character", "characters", " of hidden text left out")
