"""Prints a demo line by line, checks each line, and reports the lines that differ at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TypeAlias, TypeVar

from ..._errors.exceptions import CODES, Code
from ..._flow.outcome import Received, Rejected
from .._lines import one_line, printable
from .._show import field_line

T = TypeVar("T")


class DemoFailed(Exception):
    """A line differs from what the demo expects. A story that yields it continues; a story that raises it ends.

    Attributes:
        line: The line, or its label where there is no line.
        expected: The expected result.
        got: The actual result.
    """

    def __init__(self, line: str, expected: object, got: object) -> None:
        super().__init__(line, expected, got)
        self.line, self.expected, self.got = line, expected, got

    def __str__(self) -> str:
        line, expected, got = (one_line(str(what).strip()) for what in (self.line, self.expected, self.got))
        return f'line "{line}": expected {expected}, got {got}'


Line: TypeAlias = "str | DemoFailed"
"""A line of a story."""


def checked(line: str, expected: object, got: object) -> Line:
    """The line, or a failure if the result differs from the expected one."""
    return line if expected == got else DemoFailed(line, expected, got)


def all_checked(expected: Sequence[str], story: Iterable[str]) -> Iterator[Line]:
    """Compare all lines of a story with the expected lines."""
    lines = list(until_failure(story))
    texts = [line if isinstance(line, str) else "\0" for line in lines]
    for _, first, end, start, stop in SequenceMatcher(None, expected, texts, autojunk=False).get_opcodes():
        for expected_line, line in zip_longest(expected[first:end], lines[start:stop], fillvalue=None):
            if isinstance(line, DemoFailed):  # the story ended here
                yield line
                return
            yield checked(f"{expected_line} (missing)" if line is None else line, _words(expected_line), _words(line))


def _words(line: str | None) -> str:
    """A line as an error message quotes it."""
    return "no line" if line is None else line.strip() or "a blank line"


def expect(outcome: object, kind: type[T], line: str) -> T:
    """The outcome of a step that must succeed; `line` is the label of the failure otherwise."""
    if isinstance(outcome, kind):
        return outcome
    raise DemoFailed(line, kind.__name__, _result_name(outcome))


def expect_outcome(outcome: object, line: str) -> Received | Rejected:
    """The outcome of a step that may be received or rejected."""
    return outcome if isinstance(outcome, Rejected) else expect(outcome, Received, line)


def expect_rejected(outcome: object, code: Code, line: str) -> str:
    """Describe the outcome of a step that must be rejected with `code`."""
    if _result_name(outcome) != code:
        raise DemoFailed(line, code, _result_name(outcome))
    return f"rejected, {code}. {CODES[code].text}"


def _result_name(outcome: object) -> str:
    return outcome.code if isinstance(outcome, Rejected) else type(outcome).__name__


def run_story(intro: str, story: Iterable[Line], outro: str) -> int:
    """Print a story. The exit status is 0 if every line is as expected; otherwise 1, and standard error lists them."""
    failures = []
    print(intro)
    for line in until_failure(story):
        if isinstance(line, DemoFailed):
            failures.append(line)
        print(line.line if isinstance(line, DemoFailed) else line)
    if outro:
        print(f"\n{outro}")
    for failure in failures:
        print(f"demo: {failure}", file=sys.stderr)
    return int(bool(failures))


def change_byte(data: bytes, at: int) -> bytes:
    """The same bytes with another one at `at`, as an attacker would change a message on its way."""
    return data[:at] + (b"_" if data[at] != ord("_") else b"x") + data[at + 1 :]


def quoted(text: str) -> str:
    """One line of quoted text, indented."""
    return f"    │ {printable(text)}".rstrip()


def until_failure(story: Iterable[Line], start: str = "the first") -> Iterator[Line]:
    """Yield the lines of a story up to an exception, which becomes the last line; `start` labels an empty story."""
    line: Line = start
    try:
        for line in story:
            yield line
    except DemoFailed as failure:
        yield DemoFailed(field_line(failure.line, str(failure.got)), failure.expected, failure.got)
    except Exception as error:  # any exception of the library becomes a failed line
        last = line.line if isinstance(line, DemoFailed) else line
        yield DemoFailed(field_line(f'after "{last.strip()}"', repr(error)), "another line", repr(error))
