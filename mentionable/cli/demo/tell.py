"""How a demo tells its story: line by line, each checked, and at the end which of them were wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TypeAlias, TypeVar

from ..._errors.exceptions import CODES, Code
from ..._flow.outcome import Received, Rejected
from .._lines import one_line
from .._show import field_line

T = TypeVar("T")


class Wrong(Exception):
    """A line that is not as it should be. Where it is yielded the story goes on; where it is raised it ends there.

    Attributes:
        line: The line, or its name where there is none.
        expected: What it should tell.
        got: What came.
    """

    def __init__(self, line: str, expected: object, got: object) -> None:
        super().__init__(line, expected, got)
        self.line, self.expected, self.got = line, expected, got

    def __str__(self) -> str:
        line, expected, got = (one_line(str(what).strip()) for what in (self.line, self.expected, self.got))
        return f'line "{line}": expected {expected}, got {got}'


Line: TypeAlias = "str | Wrong"
"""A line of a story."""


def checked(line: str, expected: object, got: object) -> Line:
    """The line, as right or wrong as what came."""
    return line if expected == got else Wrong(line, expected, got)


def all_checked(expected: Sequence[str], story: Iterable[str]) -> Iterator[Line]:
    """Lines of which each must be the expected one, and none more or less."""
    lines = list(until_wrong(story))
    texts = [line if isinstance(line, str) else "\0" for line in lines]
    for _, first, end, start, stop in SequenceMatcher(None, expected, texts, autojunk=False).get_opcodes():
        for wanted, line in zip_longest(expected[first:end], lines[start:stop], fillvalue=None):
            if isinstance(line, Wrong):  # after which nothing came
                yield line
                return
            yield checked(f"{wanted} (missing)" if line is None else line, _words(wanted), _words(line))


def _words(line: str | None) -> str:
    """What a line says, in the words of a complaint."""
    return "no line" if line is None else line.strip() or "a blank line"


def passed(outcome: object, kind: type[T], line: str) -> T:
    """The outcome of a step that must succeed, for the line of that name."""
    if isinstance(outcome, kind):
        return outcome
    raise Wrong(line, kind.__name__, _came(outcome))


def known(outcome: object, line: str) -> Received | Rejected:
    """The outcome of a step that may come out either way, for the line of that name."""
    return outcome if isinstance(outcome, Rejected) else passed(outcome, Received, line)


def refused(outcome: object, code: Code, line: str) -> str:
    """The outcome of a step that must be refused, in words, for the line of that name."""
    if _came(outcome) != code:
        raise Wrong(line, code, _came(outcome))
    return f"rejected, {code}. {CODES[code].text}"


def _came(outcome: object) -> str:
    return outcome.code if isinstance(outcome, Rejected) else type(outcome).__name__


def tell(intro: str, story: Iterable[Line], outro: str) -> int:
    """Tells a story; the exit status: 0 when every line is as it should be, else 1, and standard error names those."""
    wrong = []
    print(intro)
    for line in until_wrong(story):
        if isinstance(line, Wrong):
            wrong.append(line)
        print(line.line if isinstance(line, Wrong) else line)
    if outro:
        print(f"\n{outro}")
    for each in wrong:
        print(f"demo: {each}", file=sys.stderr)
    return int(bool(wrong))


def until_wrong(story: Iterable[Line], start: str = "the first") -> Iterator[Line]:
    """A story, up to what it cannot go on from; `start` is what stands before its first line."""
    line: Line = start
    try:
        for line in story:
            yield line
    except Wrong as wrong:
        yield Wrong(field_line(wrong.line, str(wrong.got)), wrong.expected, wrong.got)
    except Exception as error:  # whatever the library raises, the demo names the place
        last = line.line if isinstance(line, Wrong) else line
        yield Wrong(field_line(f'after "{last.strip()}"', repr(error)), "another line", repr(error))
