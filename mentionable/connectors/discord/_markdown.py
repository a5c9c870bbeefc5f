"""Discord's Markdown: where its code is, and names and plain text as Markdown that shows them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ..._text.media import single_line

BACKTICKS: Final = r"`++"
"""A run of backticks: patterns for `outside_code` begin with it."""

_SPECIAL: Final = re.compile(r"[\\`*<>\[\]~|]|(?<![^\W_])_|_(?![^\W_])")
"""What may be markup in a name. `_` is none between two letters, as in the names of files."""


def outside_code(text: str, pattern: re.Pattern[str], words: Callable[[re.Match[str]], str]) -> str:
    """The text with each mark outside of code replaced; `pattern` matches runs of backticks, too."""
    marks = list(pattern.finditer(text))
    code_end_of = _ends_of_code(marks)
    pieces: list[str] = []
    end = code_end = 0
    for mark in marks:
        if mark.start() < code_end:
            continue
        if mark[0][0] == "`":
            code_end = code_end_of(mark)
            continue
        pieces += text[end : mark.start()], words(mark)
        end = mark.end()
    return "".join([*pieces, text[end:]])


def _ends_of_code(marks: list[re.Match[str]]) -> Callable[[re.Match[str]], int]:
    """A function from a run of backticks to the end of its code: the next run of its kind; 0 when there is none.

    Call it for one run after the other, in the order of the text.
    """
    runs: dict[int, list[re.Match[str]]] = {}
    for mark in reversed(marks):
        if mark[0][0] == "`":
            runs.setdefault(min(len(mark[0]), 3), []).append(mark)

    def end_of(opening: re.Match[str]) -> int:
        same = runs[min(len(opening[0]), 3)]
        while same and same[-1].start() <= opening.start():
            same.pop()
        return same[-1].end() if same else 0

    return end_of


def escape_name(name: str) -> str:
    """A name as text that is no markup."""
    return _SPECIAL.sub(r"\\\g<0>", single_line(name))
