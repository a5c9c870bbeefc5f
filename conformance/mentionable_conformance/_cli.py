"""The command line: `run`, `list`, `explain` and `manifest`."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from mentionable_conformance import _explain, _html, _manifest, _report
from mentionable_conformance._cases import Case, CaseError, cases, read_json, root
from mentionable_conformance._expected import ExpectedFailures, ExpectedFailuresError
from mentionable_conformance._harness import BadHarness, ProcessHarness
from mentionable_conformance._run import Report, Result, run
from mentionable_conformance._schema import problems
from mentionable_conformance._select import add_arguments, counted, did_you_mean, selected
from mentionable_conformance._show import in_a_log
from mentionable_conformance._version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["main"]

OK: Final = 0
FAILED: Final = 1
UNUSABLE: Final = 2
INTERRUPTED: Final = 130
_COMMANDS: Final = ("run", "list", "explain", "manifest")
_NO_HARNESS: Final = "put the harness command after --: run … -- COMMAND"
_SECONDS: Final = re.compile(r"[0-9]*\.?[0-9]+")
_PLACE: Final = re.compile(r'(?:messages|value|bytes|rejected|verdict|diagnostics|asks)(?:/[!"$-9;-~]*+)?(?=: )')
"""A place in an answer: visible ASCII without `#`, so that no name in an answer writes a line of a list."""


def main(argv: Sequence[str] | None = None, *, default_harness: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status: 0 as it should be, 1 a case is not, 2 none passed or could be judged.

    `default_harness` is the command that `run` uses when none stands after `--`; without it that is the Python
    harness of this package, which judges the library `mentionable`.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    arguments, command = _read(words, default_harness)
    try:
        status: int = arguments.act(arguments, command)
        return status
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


class _Parser(argparse.ArgumentParser):
    """Says in one line what cannot be meant, as the other runner does."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2."""
        self.exit(UNUSABLE, f"mentionable-conformance: error: {message}\n")


def _read(words: Sequence[str], default_harness: Sequence[str] | None) -> tuple[argparse.Namespace, list[str]]:
    """The arguments, and the command after `--`. What cannot be meant so ends the program with status 2."""
    place = words.index("--") if "--" in words else len(words)
    command, parser = list(words[place + 1 :]), _parser()
    if not place or words[0] not in (*_COMMANDS, "-h", "--help", "--version"):
        parser.error("a command is needed: run, list, explain or manifest")
    arguments, rest = parser.parse_known_args(words[:place])
    takes_command = arguments.do in ("run", "explain")
    if rest and takes_command and not rest[0].startswith("-"):
        parser.error(f"put the harness command after --: {arguments.do} … -- {' '.join(rest)}")
    if rest or (command and not takes_command):
        parser.error(f"unrecognized arguments: {' '.join(rest or command)}")
    if takes_command and place < len(words) and not command:
        parser.error("no harness command stands after --")
    if arguments.do == "run" and arguments.fix and arguments.expected_failures is None:
        parser.error("--fix needs --expected-failures FILE")
    if arguments.do == "run" and not command:
        command = list(default_harness or _own_harness(parser))
        arguments.path = os.pathsep.join(filter(None, sys.path))  # our own harness imports what we can import
    return arguments, command


def _own_harness(parser: argparse.ArgumentParser) -> Sequence[str]:
    """The command of the harness of the library `mentionable`, where that is installed."""
    library = find_spec("mentionable")
    if library is None or library.origin is None:
        parser.error(f"{_NO_HARNESS} (without one the library mentionable is judged, which is not installed)")
    return (sys.executable, str(root() / "harness" / "python.py"))


def _say(text: str) -> None:
    """Print. When the reader has gone, as `head` does, the rest is dropped and the run goes on."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    """The arguments of all commands."""
    parser = _Parser(
        prog="mentionable-conformance", description="Judge an implementation of Mentionable.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="do", required=True)
    after = "after --: the harness command"
    judge = commands.add_parser("run", help="run the cases through a harness", epilog=after, allow_abbrev=False)
    judge.set_defaults(act=_run, path=None)
    add_arguments(judge)
    judge.add_argument("--strict", action="store_true", help="a failing SHOULD fails the run too")
    _talking(judge)
    judge.add_argument("--expected-failures", type=Path, metavar="FILE", help="ids known to fail, each with `# why`")
    judge.add_argument("--fix", action="store_true", help="rewrite the file of expected failures")
    for name in _REPORTS:
        judge.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"write the report as {name}")
    names = commands.add_parser(
        "list", help="print the ids of the cases, with their levels, tiers and operations", allow_abbrev=False
    )
    names.set_defaults(act=_list)
    add_arguments(names)
    one = commands.add_parser(
        "explain", help="say what a case is, and what a harness makes of it", epilog=after, allow_abbrev=False
    )
    one.set_defaults(act=_explain_command)
    one.add_argument("id", metavar="ID", help="the id of the case")
    one.add_argument("--cases", type=Path, metavar="DIR", help="cases from here instead of the suite's own")
    one.add_argument("--full", action="store_true", help="show long texts and files as a whole")
    _talking(one)
    index = commands.add_parser(
        "manifest", help="print the manifest: every case with a digest of its meaning", allow_abbrev=False
    )
    index.set_defaults(act=_manifest_command)
    index.add_argument(
        "--against", type=Path, metavar="FILE", help="print which cases of this earlier manifest are gone or changed"
    )
    return parser


def _talking(parser: argparse.ArgumentParser) -> None:
    """How a harness is spoken to."""
    parser.add_argument("--validate", action="store_true", help="check cases and every line against the schemas")
    parser.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="for each case (10)")


def _seconds(text: str) -> float:
    """A positive number of seconds."""
    value = float(text) if _SECONDS.fullmatch(text) else 0.0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError("must be more than 0 and at most 3600")
    return value


def _run(arguments: argparse.Namespace, command: Sequence[str]) -> int:
    """`run`."""
    reports = {name: getattr(arguments, name) for name in _REPORTS if getattr(arguments, name) is not None}
    for target in reports.values():
        _clear(target)
    every = _read_cases(arguments)
    chosen = selected(every, arguments)
    if arguments.validate:
        _check_files(chosen)
    expected, known = ExpectedFailures(), every if arguments.cases is None else (*every, *cases())
    listed: Path | None = arguments.expected_failures
    if listed is not None and (listed.exists() or not arguments.fix):
        expected = _read_listed(listed)
    harness = ProcessHarness(
        command, timeout=arguments.timeout, validate=arguments.validate, python_path=arguments.path
    )
    report = run(chosen, harness, expected=expected, strict=arguments.strict, known=known)
    for name, target in reports.items():
        target.write_text(_REPORTS[name](report), encoding="utf-8", errors="backslashreplace")
    _say(_report.summary(report))
    _warn(report.unknown_ops, [case.op for case in known])
    if not report.passed:
        why = "no case passed" if report.judged else "the harness declares no operation of these cases"
        print(f"mentionable-conformance: {why}", file=sys.stderr)
        return UNUSABLE
    if arguments.fix and listed is not None:
        listed.write_text(_fixed(report, expected, known), encoding="utf-8")
        ids = len(ExpectedFailures.read(listed.read_text(encoding="utf-8")))
        _say(f"{listed}: {ids} id{'' if ids == 1 else 's'} written")
        return OK
    return OK if report.ok else FAILED


def _clear(target: Path) -> None:
    """Remove the report of an earlier run: where nothing can be judged, it would be taken for that of this run.

    Raises:
        OSError: The report could not be written, which is better known before the run than after it.
    """
    if target.exists() and not (target.is_file() or target.is_dir()):
        return  # a pipe or a terminal
    target.open("w").close()
    if not target.is_symlink():
        with contextlib.suppress(OSError):  # it is empty at least
            target.unlink()


def _read_listed(path: Path) -> ExpectedFailures:
    """The expected failures in a file."""
    try:
        return ExpectedFailures.read(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise ExpectedFailuresError(f"{path}: not UTF-8") from None


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
    every = cases(arguments.cases)
    if not every:
        raise CaseError(f"{arguments.cases}: no case file")
    if arguments.cases is not None:
        _check_files(every)
    return every


def _check_files(chosen: Sequence[Case]) -> None:
    """Check the files of these cases against `case.schema.json`."""
    for name, path in sorted({(case.file, case.path) for case in chosen}):
        if wrong := problems("case", read_json(path)):
            raise CaseError(f"{name}: {wrong[0]}")


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
    before, withdrawn = read_json(arguments.against), read_json(root() / "withdrawn.json")["withdrawn"]
    if wrong := problems("manifest", before):
        raise CaseError(f"{arguments.against}: {wrong[0]}")
    broken = list(_manifest.broken(before, _manifest.manifest(), withdrawn))
    _say("\n".join([*broken, f"{len(before['cases'])} cases of {before['suite']}: {len(broken)} gone or changed"]))
    return FAILED if broken else OK


_REPORTS: Final[dict[str, Callable[[Report], str]]] = {
    "junit": _report.junit,
    "json": _report.as_json,
    "markdown": _report.markdown,
    "badge": _report.badge,
    "html": _html.html,
}
