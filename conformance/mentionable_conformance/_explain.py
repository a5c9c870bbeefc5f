"""A case as people read it: what it is for, what goes in, what must come out, and what a harness makes of it."""

from __future__ import annotations

import re
import textwrap
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from mentionable_conformance._cases import Case, CaseError, given_in, read_json, root
from mentionable_conformance._compare import has_open_code
from mentionable_conformance._documents import source
from mentionable_conformance._run import run
from mentionable_conformance._select import nearest
from mentionable_conformance._show import as_json, as_text, in_a_log, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mentionable_conformance._harness import Harness, Implementation
    from mentionable_conformance._run import Result

__all__ = ["case_named", "explained", "tried"]

_WIDTH: Final = 110
_NAMES: Final = 11
_GLOB: Final = re.compile(r"[*?\[]")
_HEADINGS: Final = {
    "messages": "These messages must come out",
    "value": "This value must come out",
    "facts": "Of what comes out these facts must hold",
    "bytes": "These bytes must come out",
    "rejected": "It must be refused with this code",
    "any_of": "One of these must come out",
    "verdict": "With this verdict",
    "candidate": "With this receipt for a policy",
    "diagnostics": "With these diagnostics, in any order",
    "must_not_ask": "None of this may be asked",
    "max_asks": "So many questions may go to the network",
}
_OPEN_CODE: Final = "It must be refused; the code is the implementation's own"


def case_named(case_id: str, every: Sequence[Case]) -> Case:
    """The case of an id.

    Raises:
        CaseError: There is none. It names those that were most likely intended, or says why the case was withdrawn.
    """
    by_id = {case.id: case for case in every}
    if case_id in by_id:
        return by_id[case_id]
    withdrawn = read_json(root() / "withdrawn.json")["withdrawn"]
    if case_id in withdrawn:
        raise CaseError(f"{case_id} was withdrawn: {withdrawn[case_id]}")
    near = nearest(case_id, by_id)
    names = "".join(f"\n  {one}" for one in near)
    raise CaseError(f"no case has the id {visible(case_id[:200])!r}" + (f"; did you mean{names}" if near else ""))


def explained(case: Case, *, full: bool = False) -> str:
    """All that there is to know about a case. Long texts and files are cut unless it is to be `full`."""
    raw, folder = _written(case)
    blocks = [
        _head(case),
        _block("Given", as_json(given_in(raw), full=full)),
        _block("Input", as_json(raw["input"], full=full)),
    ]
    blocks += _files(raw, folder, full)
    blocks += [_expected(name, text, raw[name], full) for name, text in _HEADINGS.items() if name in raw]
    blocks += _requirements(case)
    return "\n\n".join(blocks)


def _written(case: Case) -> tuple[Mapping[str, Any], Path]:
    """The case as it stands in its file, and the folder of that file."""
    return next(one for one in read_json(case.path)["cases"] if one["id"] == case.id), case.path.parent


def _head(case: Case) -> str:
    where = source(case.section)
    rows = [("section", f"{case.section}: {where.title}" if where.title != case.section else case.section)]
    rows += [("", text) for text in (where.url, where.text) if text]
    rows += [("level", case.level), ("tier", case.tier), ("why", case.why), ("flags", ", ".join(case.flags))]
    rows += [("operation", case.op), ("file", case.file)]
    return "\n".join([case.id, *(line for name, text in rows if text for line in _row(name, visible(text)))])


def _row(name: str, text: str) -> list[str]:
    """A name and its text, wrapped."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"  {name:{_NAMES}}",
        subsequent_indent=" " * (_NAMES + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _block(heading: str, lines: Iterable[str]) -> str:
    return "\n".join([heading, *(f"  {line}" for line in lines)])


def _expected(name: str, heading: str, want: Any, full: bool) -> str:
    """One member of what is expected."""
    return _OPEN_CODE if name == "rejected" and has_open_code(want) else _block(heading, as_json(want, full=full))


def _files(raw: Mapping[str, Any], folder: Path, full: bool) -> Iterator[str]:
    """Each file that the case names, with its size and what it holds."""
    for name in dict.fromkeys(_named(raw)):
        data = (folder / name).read_bytes()
        yield _block(f"File {name} ({len(data):,} bytes)", (f"| {line}" for line in as_text(data, full=full)))


def _named(value: Any) -> Iterator[str]:
    """The names of all files in a value."""
    if isinstance(value, dict):
        if value.keys() == {"$file"}:
            yield value["$file"]
        else:
            yield from _named(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _named(item)


def _names(pattern: str, case_id: str) -> bool:
    """Whether an entry of a requirement, an id or a glob, names a case."""
    start = _GLOB.split(pattern, maxsplit=1)[0]
    return case_id.startswith(start) and (pattern == case_id or fnmatchcase(case_id, pattern))


def _requirements(case: Case) -> Iterator[str]:
    """The demands that the case serves, by the patterns of `requirements.json`."""
    listed = read_json(root() / "requirements.json")["requirements"]
    serves = [one for one in listed if any(_names(pattern, case.id) for pattern in one["cases"])]
    if serves:
        lines = []
        for one in serves:
            lines += [f"{one['id']} ({one['level']}, {one['section']})"]
            lines += _indented(visible(one["demand"]))
            sentence = one.get("sentence", {"implies": ()})
            if any(_names(pattern, case.id) for pattern in sentence["implies"]):
                lines += _indented(visible(f"The document, at {sentence['at']}: {sentence['says']}"))
        yield _block("It serves", lines)


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH - 4, initial_indent="  ", subsequent_indent="  ")


class _Listening:
    """A harness whose last answer is kept."""

    def __init__(self, harness: Harness) -> None:
        self._harness = harness
        self.answer: Mapping[str, Any] | None = None

    def start(self) -> Implementation:
        return self._harness.start()

    def perform(self, seq: int, case: Case) -> Mapping[str, Any]:
        self.answer = self._harness.perform(seq, case)
        return self.answer

    def stop(self) -> None:
        self._harness.stop()


def tried(case: Case, harness: Harness, *, full: bool = False) -> tuple[str, Result]:
    """What a harness answers to a case and what is wrong with that, as `run` says it; and the result.

    Raises:
        BadHarness: The harness cannot be started.
    """
    listening = _Listening(harness)
    report = run([case], listening)
    (result,) = report.results
    blocks = []
    if listening.answer is not None:
        members = {member: value for member, value in listening.answer.items() if member != "seq"}
        blocks.append(_block(f"{in_a_log(report.implementation.title)} answers", as_json(members, full=full)))
    detail = f": {in_a_log(result.detail)}" if result.detail else ""
    return "\n\n".join([*blocks, f"{result.outcome.upper()}{detail}"]), result
