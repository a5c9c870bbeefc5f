"""The command line: `run`, `list`, `explain` and `manifest`."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mentionable_conformance import _explain, _manifest, _report
from mentionable_conformance._arguments import UNUSABLE, read
from mentionable_conformance._cases import Case, CaseError, case_files, cases, read_json, root
from mentionable_conformance._expected import ExpectedFailures, ExpectedFailuresError
from mentionable_conformance._harness import BadHarness, ProcessHarness
from mentionable_conformance._reports import REPORTS
from mentionable_conformance._run import Report, Result, against, run
from mentionable_conformance._schema import problems
from mentionable_conformance._select import counted, did_you_mean, selected
from mentionable_conformance._show import in_a_log

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["main"]

OK: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130
_PLACE: Final = re.compile(r'(?:messages|value|bytes|rejected|verdict|diagnostics|asks)(?:/[!"$-9;-~]*+)?(?=: )')
"""A place in an answer: visible ASCII without `#`, so that no name in an answer writes a line of a list."""


def main(argv: Sequence[str] | None = None, *, default_harness: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status: 0 as it should be, 1 a case is not, 2 none passed or could be judged.

    `default_harness` is the command that `run` uses when none stands after `--`; without it that is the Python
    harness of this package, which judges the library `mentionable`.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    arguments, command = read(words, default_harness)
    try:
        return _COMMANDS[arguments.do](arguments, command)
    except (CaseError, BadHarness, ExpectedFailuresError) as error:
        reason = in_a_log(str(error)) if isinstance(error, BadHarness) else error
        print(f"mentionable-conformance: {reason}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("mentionable-conformance: interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        print(f"mentionable-conformance: {error.filename or 'cannot write'}: {error.strerror}", file=sys.stderr)
        return UNUSABLE


def _say(text: str) -> None:
    """Print. When the reader has gone, as `head` does, the rest is dropped and the run goes on."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: argparse.Namespace, command: Sequence[str]) -> int:
    """`run`."""
    reports = {name: getattr(arguments, name) for name in REPORTS if getattr(arguments, name) is not None}
    for target in reports.values():
        _clear(target)
    every = _read_cases(arguments)
    chosen = selected(every, arguments)
    if arguments.validate:
        _check_files(chosen)
    listed: str | None = arguments.expected_failures
    expected = ExpectedFailures() if listed is None else _read_listed(listed, fix=arguments.fix)
    harness = ProcessHarness(
        command, timeout=arguments.timeout, validate=arguments.validate, python_path=arguments.path
    )
    report = run(chosen, harness, expected=expected, strict=arguments.strict, known=every)
    known = every
    if arguments.cases is not None and (arguments.fix or report.stale or report.unknown_ops):
        known = (*every, *cases())  # read only where it is needed: that takes longer than most runs of own cases
        report = against(report, expected, known)
    for name, target in reports.items():
        Path(target).write_text(REPORTS[name](report), encoding="utf-8", errors="backslashreplace")
    _say(_report.summary(report))
    _warn(report.unknown_ops, [case.op for case in known])
    if not report.passed:
        why = "no case passed" if report.judged else "the harness declares no operation of these cases"
        print(f"mentionable-conformance: {why}", file=sys.stderr)
        return UNUSABLE
    if arguments.fix and listed is not None:
        text = _fixed(report, expected, known)
        Path(listed).write_text(text, encoding="utf-8")
        ids = len(ExpectedFailures.read(text))
        _say(f"{listed}: {ids} id{'' if ids == 1 else 's'} written; with this list the run passes")
        return OK
    return OK if report.ok else FAILED


def _clear(target: str) -> None:
    """Remove the report of an earlier run: where nothing can be judged, it would be taken for that of this run.

    Raises:
        OSError: The report could not be written, which is better known before the run than after it.
    """
    if os.path.exists(target) and not (os.path.isfile(target) or os.path.isdir(target)):
        return  # a pipe or a terminal
    open(target, "w").close()
    if not os.path.islink(target):
        with contextlib.suppress(OSError):  # it is empty at least
            os.unlink(target)


def _read_listed(target: str, *, fix: bool) -> ExpectedFailures:
    """The expected failures in a file. With `fix` it is made where there is none.

    Raises:
        OSError: The file cannot be read, or not be written with `fix`.
    """
    if fix:
        open(target, "a").close()
    with open(target, "rb") as file:
        data = file.read()
    try:
        return ExpectedFailures.read(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ExpectedFailuresError(f"{target}: not UTF-8") from None


def _warn(unknown: Sequence[str], known: Sequence[str]) -> None:
    """Say which declared operations the suite does not know, and what may have been intended."""
    for op in unknown:
        name = f"{in_a_log(op)}{did_you_mean(op, known)}"
        print(f"mentionable-conformance: warning: the suite has no operation {name}", file=sys.stderr)


def _fixed(report: Report, expected: ExpectedFailures, known: Sequence[Case]) -> str:
    """The file of expected failures as this run would have it."""
    failed = {one.case.id: _reason(one) for one in report.results if one.breaks and one.outcome != "xpass"}
    passed = [one.case.id for one in report.results if one.outcome == "xpass"]
    return expected.fixed(failed, passed, [case.id for case in known])


def _reason(result: Result) -> str:
    """A short reason for the list: where the answer is wrong, without the values, or that there is none."""
    if result.outcome == "error":
        return "no answer yet"
    place = _PLACE.match(result.detail)
    return f"wrong at {place[0][:80]}" if place else "wrong answer"


def _read_cases(arguments: argparse.Namespace) -> Sequence[Case]:
    """The cases. Those of others are checked: one with the level `Must` would never fail a run."""
    if arguments.cases is not None:
        for path, document in case_files(arguments.cases):
            _check_file(path, document)
    every = cases(arguments.cases)
    if not every:
        raise CaseError(f"{arguments.cases}: no case file")
    return every


def _check_files(chosen: Sequence[Case]) -> None:
    """Check the files of these cases."""
    for path in dict.fromkeys(case.path for case in chosen):
        _check_file(path, read_json(path))


def _check_file(path: Path, document: Any) -> None:
    """Check what a file of cases holds against `case.schema.json`."""
    if wrong := problems("case", document):
        raise CaseError(f"{path}: {in_a_log(wrong[0])}")


def _list(arguments: argparse.Namespace, _command: Sequence[str]) -> int:
    """`list`."""
    chosen = selected(_read_cases(arguments), arguments)
    _say("\n".join(f"{case.level:6} {case.tier:9} {case.op:24} {case.id}" for case in chosen))
    print(counted(chosen), file=sys.stderr)
    return OK


def _explain_command(arguments: argparse.Namespace, command: Sequence[str]) -> int:
    """`explain`."""
    case = _explain.case_named(arguments.id, _read_cases(arguments))
    if arguments.validate:
        _check_files([case])
    _say(_explain.explained(case, full=arguments.full))
    if not command:
        return OK
    harness = ProcessHarness(command, timeout=arguments.timeout, validate=arguments.validate)
    text, result = _explain.tried(case, harness, full=arguments.full)
    _say(f"\n{text}")
    return OK if result.outcome == "pass" else UNUSABLE if result.outcome == "skip" else FAILED


def _manifest_command(arguments: argparse.Namespace, _command: Sequence[str]) -> int:
    """`manifest`."""
    if arguments.against is None:
        _say(_manifest.manifest_text().removesuffix("\n"))
        return OK
    before, withdrawn = read_json(Path(arguments.against)), read_json(root() / "withdrawn.json")["withdrawn"]
    if wrong := problems("manifest", before):
        raise CaseError(f"{arguments.against}: {wrong[0]}")
    broken = list(_manifest.broken(before, _manifest.manifest(), withdrawn))
    _say("\n".join([*broken, f"{len(before['cases'])} cases of {before['suite']}: {len(broken)} gone or changed"]))
    return FAILED if broken else OK


_COMMANDS: Final = {"run": _run, "list": _list, "explain": _explain_command, "manifest": _manifest_command}
