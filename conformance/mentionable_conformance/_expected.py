"""The file of expected failures: it lets an implementation start red and stay honest.

One id or glob a line, and always a reason: `email/threading/* # threads are not read yet`. A listed case that passes
fails the run, as does an unlisted one that fails; so the list can only shrink with the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ExpectedFailures", "ExpectedFailuresError"]

_GLOB: Final = frozenset("*?[")


class ExpectedFailuresError(Exception):
    """The file of expected failures cannot be used."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line: what it names and why, or, with an empty pattern, a comment or blank line kept as it was."""

    pattern: str
    why: str
    text: str

    def names(self, case_id: str) -> bool:
        """Whether this line names a case."""
        return bool(self.pattern) and (case_id == self.pattern or fnmatchcase(case_id, self.pattern))


class ExpectedFailures:
    """Which cases are known to fail, and why."""

    def __init__(self, lines: Iterable[_Line] = ()) -> None:
        """Use `read`; without arguments nothing is expected to fail."""
        self._lines = tuple(lines)

    @classmethod
    def read(cls, text: str) -> ExpectedFailures:
        """From the text of a file.

        Raises:
            ExpectedFailuresError: A line names a case without saying why.
        """
        lines = []
        for number, raw in enumerate(text.splitlines(), start=1):
            pattern, _, why = (piece.strip() for piece in raw.partition("#"))
            if pattern and not why:
                raise ExpectedFailuresError(f"line {number}: {pattern} has no `# why`")
            lines.append(_Line(pattern, why, raw))
        return cls(lines)

    def why(self, case_id: str) -> str | None:
        """The reason a case is expected to fail, behind the glob that names it; None where it is not."""
        line = next((line for line in self._lines if line.names(case_id)), None)
        if line is None:
            return None
        return line.why if line.pattern == case_id else f"{line.pattern}: {line.why}"

    def stale(self, known: Iterable[str]) -> tuple[str, ...]:
        """Lines that name no case of the suite."""
        ids = tuple(known)
        return tuple(line.pattern for line in self._lines if line.pattern and not any(map(line.names, ids)))

    def fixed(self, failed: Mapping[str, str], passed: Iterable[str], known: Iterable[str]) -> str:
        """The text of the file as it should be after a run, where `failed` gives a short reason for each id.

        Lines of cases that passed go, a glob of which some passed becomes the ids that still fail, new failures are
        added with their reasons, and everything that the run did not touch stays as it was written.
        """
        gone, ids = frozenset(passed), tuple(known)
        out, listed = [], set[str]()
        for line in self._lines:
            named = [case_id for case_id in ids if line.names(case_id)]
            if not line.pattern or (named and not gone.intersection(named)):
                out.append(line.text)
                listed.update(named)
            elif _GLOB.intersection(line.pattern):
                rest = [case_id for case_id in named if case_id not in gone and case_id not in listed]
                out += [f"{case_id} # {line.why}" for case_id in rest]
                listed.update(rest)
        out += [f"{case_id} # {why}" for case_id, why in failed.items() if case_id not in listed]
        return "\n".join(out) + "\n" if out else ""

    def __len__(self) -> int:
        """How many lines name cases."""
        return sum(bool(line.pattern) for line in self._lines)
