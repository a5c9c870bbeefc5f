"""Chooses the tests that `.ci/run` runs: those that reach the most lines of the host in the least time.

Usage, in `examples/host`: ../../.cache/host/bin/python tests/cross_section.py [PATH ...]

It runs all tests that are not marked `storm`, or those of the paths, and writes `tests/smoke.txt`. It needs `coverage`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage

HERE = Path(__file__).parent
CHOSEN = HERE / "smoke.txt"
MOST = 290
"""Tests that are chosen beside those of whole files."""

WHOLE = ("tests/test_queue.py", "tests/test_receiving.py", "tests/test_thirty_lines.py", "tests/test_together.py")
"""Files of which all tests run: what must never break."""

OF_A_TEST, OF_A_FILE = 0.02, 0.15
"""Seconds that a test, and the first one of a file, take besides what it does."""


class Measured:
    """A plugin of pytest: what each test function reaches, and what it takes."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage, self.seconds, self.tests = coverage, defaultdict[str, float](float), Counter[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Counts the time of the processor, that of programs it starts included."""
        name = item.nodeid.partition("[")[0]
        self.coverage.switch_context(name)
        before = sum(os.times()[:4])
        try:
            return (yield)
        finally:
            self.seconds[name] += sum(os.times()[:4]) - before
            self.tests[name] += 1
            self.coverage.switch_context("")

    def lines(self) -> dict[str, set[tuple[str, int]]]:
        """The lines that each reaches."""
        data, found = self.coverage.get_data(), defaultdict[str, set[tuple[str, int]]](set)
        for file in data.measured_files():
            for line, names in data.contexts_by_lineno(file).items():
                for name in filter(None, names):
                    found[name].add((file, line))
        return found


def choose(measured: Measured) -> Iterator[str]:
    """The test functions, the one that reaches the most new lines in a second first."""
    left = measured.lines()
    files, reached, number = set(WHOLE), set[tuple[str, int]](), 0
    for name in [name for name in left if name.startswith(tuple(f"{file}::" for file in WHOLE))]:
        reached |= left.pop(name)

    def worth(name: str) -> float:
        more = 0 if name.partition("::")[0] in files else OF_A_FILE
        return len(left[name] - reached) / (measured.seconds[name] + OF_A_TEST + more)

    while left and number < MOST:
        best = max(sorted(left), key=worth)
        if not left[best] - reached:
            return
        reached |= left.pop(best)
        files.add(best.partition("::")[0])
        number += measured.tests[best]
        yield best


def main(paths: list[str]) -> int:
    """The exit status of the tests; they are chosen only when all pass."""
    coverage = Coverage(data_file=None, source_pkgs=["mentionable_host"])
    measured = Measured(coverage)
    coverage.start()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not storm", *paths], plugins=[measured])
    coverage.stop()
    if not status:
        CHOSEN.write_text("\n".join(sorted([*WHOLE, *choose(measured)])) + "\n")
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
