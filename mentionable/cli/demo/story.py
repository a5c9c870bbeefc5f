"""Plays a demo: prints its lines, compares them with its transcript, and reports the lines that differ at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from importlib.resources import files
from itertools import zip_longest
from string import Template
from typing import Final, TypeAlias, TypeVar

from ..._errors.exceptions import CODES
from ..._flow.outcome import Received, Rejected
from ..._wire.ids import derive
from .._lines import one_line, printable
from .._show import field_line

T = TypeVar("T")

HELPER: Final = "@helper@agents.example"
HOST: Final = "agents.example"
NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)


class DemoFailed(Exception):
    """A line differs from the transcript, or a step has another result than its story needs.

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


def at(second: int) -> datetime:
    """The time `second` seconds after the start of a story."""
    return NOW + timedelta(seconds=second)


def random_for(*what: str) -> bytes:
    """Random bytes that are the same in each run. A program takes `secrets.token_bytes(32)`."""
    return derive("demo policy", b"", *what)


def run_demo(intro: str, stories: Iterable[Iterable[str]], transcript: str, outro: str = "") -> int:
    """Print a demo. The exit status is 0 if every line is as expected; otherwise 1, and standard error lists them.

    Args:
        intro: Printed before the stories.
        stories: The parts of the demo. A part that fails does not stop the next one.
        transcript: The expected lines; a blank line separates two parts.
        outro: Printed after the stories.
    """
    failures = []
    print(intro)
    for expected, story in zip(transcript.split("\n\n"), stories, strict=True):
        print()
        for line in compared(expected.splitlines(), story):
            if isinstance(line, DemoFailed):
                failures.append(line)
            print(line.line if isinstance(line, DemoFailed) else line)
    if outro:
        print(f"\n{outro}")
    for failure in failures:
        print(f"demo: {failure}", file=sys.stderr)
    return int(bool(failures))


def transcript(name: str, **facts: object) -> str:
    """The transcript of a demo in the package, with these facts for its placeholders."""
    text = (files("mentionable.cli") / "samples" / name).read_text(encoding="utf-8")
    return Template(text).substitute(facts)


def compared(expected: Sequence[str], story: Iterable[str]) -> Iterator[Line]:
    """The lines of a story; those that differ from the expected lines, or are missing, are failures."""
    lines = list(_until_failure(story))
    texts = [line if isinstance(line, str) else "\0" for line in lines]
    for _, first, end, start, stop in SequenceMatcher(None, expected, texts, autojunk=False).get_opcodes():
        for expected_line, line in zip_longest(expected[first:end], lines[start:stop], fillvalue=None):
            if isinstance(line, DemoFailed):  # the story ended here
                yield line
                return
            if line is not None and line == expected_line:
                yield line
            else:
                text = f"{expected_line} (missing)" if line is None else line
                yield DemoFailed(text, _quoted_line(expected_line), _quoted_line(line))


def _quoted_line(line: str | None) -> str:
    """A line as an error message quotes it."""
    return "no line" if line is None else line.strip() or "a blank line"


def _until_failure(story: Iterable[str]) -> Iterator[Line]:
    """The lines of a story up to an exception, which becomes the last line."""
    line = "the first"
    try:
        for line in story:
            yield line
    except DemoFailed as failure:
        yield DemoFailed(field_line(failure.line, str(failure.got)), failure.expected, failure.got)
    except Exception as error:  # any exception of the library becomes a failed line
        yield DemoFailed(field_line(f'after "{line.strip()}"', repr(error)), "another line", repr(error))


def expect(outcome: object, kind: type[T], line: str) -> T:
    """The outcome of a step that must succeed; `line` is the label of the failure otherwise."""
    if isinstance(outcome, kind):
        return outcome
    raise DemoFailed(line, kind.__name__, _result_name(outcome))


def expect_outcome(outcome: object, line: str) -> Received | Rejected:
    """The outcome of a step that may be received or rejected."""
    return outcome if isinstance(outcome, Rejected) else expect(outcome, Received, line)


def rejection(outcome: object) -> str:
    """Describe the outcome of a step that must be rejected; the transcript has the code."""
    if isinstance(outcome, Rejected):
        return f"rejected, {outcome.code}. {CODES[outcome.code].text}"
    return f"not rejected, {_result_name(outcome)}"


def _result_name(outcome: object) -> str:
    return outcome.code if isinstance(outcome, Rejected) else type(outcome).__name__


def change_byte(data: bytes, at: int) -> bytes:
    """The same bytes with another one at `at`, as an attacker would change a message on its way."""
    return data[:at] + (b"_" if data[at] != ord("_") else b"x") + data[at + 1 :]


def quoted(text: str) -> Iterator[str]:
    """The lines of a text, each indented behind a bar."""
    return (f"    │ {line}".rstrip() for line in printable(text).split("\n"))
