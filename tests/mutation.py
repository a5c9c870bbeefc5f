"""Changes the library in one place after another, and sees whether the conformance suite or any test notices.

python -m tests.mutation [MODULE ...] [--report FILE] [--jobs N]

A MODULE is a path below `mentionable`, such as `_wire/address` or `mail/_auth/dkim`; none means all of the library
without its command line and its tools for tests. The changes are those of cosmic-ray, which lives in an environment of
its own under `.cache/mutation`. Each is tried in a forked process that loads the changed module in place of the file,
and the tree stays as it is: first the conformance cases that run the changed function, those first that have noticed
nothing yet, then the tests of the module, up to the first that fails.

What survives is in the report (`.cache/mutation/report.md`). Once all modules were tried, so are the MUST cases that
noticed neither a change nor a wrong implementation of `tests/mutants/`. Nothing may survive in the modules of `STRICT`
that is not explained in `tests/mutation.json`, by module under the lines as they are and as they would be; under `*`
stand patterns of lines in which no change is tried.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import CodeType

ROOT: Final = Path(__file__).resolve().parents[1]
HOME: Final = ROOT / ".cache" / "mutation"
REPORT: Final = HOME / "report.md"
REASONS: Final = ROOT / "tests" / "mutation.json"
TOOL: Final = "cosmic-ray==8.7.0"
SECONDS: Final = 120
"""What one change may take; one that takes longer is noticed too."""

_WARNINGS: Final = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What is loaded before the tests are collected makes pytest say so."""

OPERATORS: Final = (
    "ReplaceBinaryOperator_Add_Sub", "ReplaceBinaryOperator_Sub_Add", "ReplaceBinaryOperator_Mul_FloorDiv",
    "ReplaceBinaryOperator_FloorDiv_Mul", "ReplaceBinaryOperator_Mod_Mul", "ReplaceBinaryOperator_BitAnd_BitOr",
    "ReplaceComparisonOperator_Eq_NotEq", "ReplaceComparisonOperator_NotEq_Eq", "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_LtE_Lt", "ReplaceComparisonOperator_Gt_GtE", "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_Lt_Gt", "ReplaceComparisonOperator_LtE_GtE", "ReplaceComparisonOperator_Gt_Lt",
    "ReplaceComparisonOperator_GtE_LtE", "ReplaceComparisonOperator_Is_IsNot", "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_Not", "AddNot", "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak", "ExceptionReplacer", "NumberReplacer", "RemoveDecorator", "ZeroIterationForLoop",
)  # fmt: skip
"""Of the operators of cosmic-ray those that do not say the same twice."""


PRELOADED: Final = (
    "attrs", "cattrs", "hypothesis", "pytest", "cryptography.hazmat.primitives.asymmetric.rsa", "cryptography.x509",
    "jwt", "idna", "publicsuffixlist", "markdown_it", "nh3", "dkim", "jcs", "rfc8785",
)  # fmt: skip
"""What takes long to load and is never changed."""


class Selection(NamedTuple):
    """What may notice a change.

    Attributes:
        cases: Ids of conformance cases, in the order in which they are performed.
        tests: Files and folders of tests.
    """

    cases: tuple[str, ...]
    tests: tuple[str, ...]


STRICT: Final = frozenset({
    *("_wire/address", "_model/codec", "_model/structure", "_crypto/verification", "_crypto/jwt"),
    *("activitypub/_verify", "mail/_verify", "a2a/_verify", "identity/_verify"),
})  # fmt: skip
"""Modules in which nothing may survive unexplained: they read values and addresses, or make a verified verdict."""

MOST_CASES: Final = 300
"""So many cases judge one change; where more of them run the function, they are taken at even distances."""

_LEFT_OUT: Final = ("cli", "testing", "__init__", "__main__", "_errors/code")


def all_modules() -> list[str]:
    """Every module that is changed, by its path below `mentionable`. Those of the gate come first."""
    paths = sorted((ROOT / "mentionable").rglob("*.py"))
    names = [path.relative_to(ROOT / "mentionable").with_suffix("").as_posix() for path in paths]
    changed = [name for name in names if not name.startswith(_LEFT_OUT) and not name.endswith("/__init__")]
    return sorted(changed, key=lambda name: name not in STRICT)


def tests_of(module: str) -> tuple[str, ...]:
    """The tests of a module: those that import it, else those of its package."""
    name = "mentionable." + module.replace("/", ".")
    folder, _, last = name.rpartition(".")
    named = re.compile(rf"(?m)^\s*(?:from {re.escape(name)} import|from {re.escape(folder)} import [^\n]*\b{last}\b)")
    package = ROOT / "tests" / module.split("/")[0].lstrip("_")
    places = sorted((ROOT / "tests").glob("test_*.py")) + sorted(package.glob("test_*.py"))
    found = [path for path in places if named.search(path.read_text()) and not path.stem.endswith("laws")]
    return tuple(path.relative_to(ROOT).as_posix() for path in found or ([package] if package.is_dir() else []))


Reach: TypeAlias = "dict[str, dict[str, list[str]]]"
"""Module → the name of a function → the cases that run it; the empty name stands for the whole module."""


def reach() -> Reach:
    """Which conformance cases run which functions, found out in a process of its own."""
    path = HOME / "reach.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-c", f"from tests import mutation; mutation._write_reach({str(path)!r})"]
    search = os.pathsep.join([str(ROOT), str(ROOT / "conformance")])
    subprocess.run(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": search}, check=True)
    reached: Reach = json.loads(path.read_text())
    return reached


def _write_reach(path: str) -> None:
    """Performs every case, with nothing remembered of the one before, and notes which functions ran."""
    import mentionable_conformance as suite

    from mentionable.activitypub._read import json_ld
    from tests.mutants import ask, harness

    home = str(ROOT / "mentionable") + "/"
    reached: Reach = {}
    ran: set[tuple[str, str]] = set()

    def note(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(home):
            ran.add((frame.f_code.co_filename, frame.f_code.co_name))

    harness()
    for case in suite.cases():
        for cache in _caches():
            cache.cache_clear()
        json_ld._accepted.clear()
        ran.clear()
        sys.setprofile(note)
        try:
            ask(harness().perform, case)
        finally:
            sys.setprofile(None)
        for file, function in ran:
            functions = reached.setdefault(file.removeprefix(home).removesuffix(".py"), {"": []})
            functions.setdefault(function, []).append(case.id)
            if functions[""][-1:] != [case.id]:
                functions[""].append(case.id)
    Path(path).write_text(json.dumps(reached))


def _caches() -> list[Any]:
    """What is remembered of a message by the modules that are loaded; to build converters anew takes too long."""
    builders = ("mentionable._model.", "mentionable._html.", "mentionable._wire.public_suffix")
    loaded = [(name, module) for name, module in sys.modules.items() if name.startswith("mentionable.")]
    found = [thing for name, module in loaded if not name.startswith(builders) for thing in vars(module).values()]
    return [thing for thing in found if hasattr(thing, "cache_clear")]


class Change(NamedTuple):
    """A module changed in one place.

    Attributes:
        operator: What kind of change.
        function: Where, by the name of the function.
        source: The changed module.
        lines: The lines that were there, and those that are there now.
    """

    operator: str
    function: str
    source: str
    lines: str


# --- the changes, made in the environment of the tool

MAKE: Final = """
import json, sys
from pathlib import Path
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

source = Path(sys.argv[1]).read_text()
for name in sys.argv[2:]:
    operator = get_operator("core/" + name)()
    places = [node for node in ast_nodes(get_ast(source)) for _ in operator.mutation_positions(node)]
    for number, node in enumerate(places):
        try:
            changed = mutate_code(source, operator, number)
        except AttributeError:  # it cannot replace an exception whose name has a dot
            continue
        if changed is not None:
            print(json.dumps([name, ASTQuery(node).get_definition_name() or "", changed]))
"""


def tool() -> Path:
    """The Python of the environment of cosmic-ray, which is made when it is not there."""
    python = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = HOME / "made"
    if not stamp.exists() or stamp.read_text() != TOOL:
        venv.create(HOME, with_pip=True, clear=True)
        quiet = ["--quiet", "--disable-pip-version-check"]
        subprocess.run([str(python), "-m", "pip", "install", *quiet, TOOL], check=True)
        stamp.write_text(TOOL)
    return python


def changes(module: str) -> list[Change]:
    """Every change of a module that is another program."""
    path = path_of(module)
    source = path.read_text()
    made = subprocess.run(
        [str(tool()), "-c", MAKE, str(path), *OPERATORS], capture_output=True, text=True, check=True, timeout=600
    )
    return distinct(source, [json.loads(line) for line in made.stdout.splitlines()])


def distinct(source: str, made: Iterable[Sequence[str]]) -> list[Change]:
    """The changes that can be compiled and change what is compiled, each once: types and docstrings do not count."""
    seen = {_program(source)}
    found = []
    for operator, function, changed in made:
        try:
            program = _program(changed)
        except SyntaxError:
            continue
        if program not in seen:
            seen.add(program)
            found.append(Change(operator, function, changed, _difference(source, changed)))
    return found


def _program(source: str) -> str:
    """A module without what is never run: annotations, and what only type checkers read."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Name("Any", ast.Load())
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "not TYPE_CHECKING"):
            node.test, node.body = ast.Name("TYPE_CHECKING", ast.Load()), [ast.Pass()]
    return ast.dump(tree)


def _difference(before: str, after: str) -> str:
    """The lines that are other ones, with their signs, without blanks in front."""
    lines = list(unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines if line[0] in "+-")


def path_of(module: str) -> Path:
    """The file of a module."""
    return ROOT / "mentionable" / f"{module}.py"


# --- one change, tried in a process of its own


class Changed:
    """Finds one module, and loads it from other source than its file has."""

    def __init__(self, module: str, source: str) -> None:
        self._name = "mentionable." + module.replace("/", ".")
        self._path = str(path_of(module))
        self._code: CodeType = compile(source, self._path, "exec")

    def find_spec(self, name: str, *_: Any) -> Any:
        """The module, if it is this one."""
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(name, self._path, loader=self)

    def create_module(self, _: Any) -> None:
        """Nothing special."""

    def exec_module(self, module: Any) -> None:
        """Runs the changed module."""
        exec(self._code, module.__dict__)


def preload() -> None:
    """Loads what every try needs, and nothing of the library: what is loaded before the fork is loaded once."""
    sys.path[:0] = [folder for folder in (str(ROOT), str(ROOT / "conformance")) if folder not in sys.path]
    for name in PRELOADED:
        if importlib.util.find_spec(name.partition(".")[0]) is not None:
            importlib.import_module(name)
    import mentionable_conformance as suite

    suite.cases()


def noticed(module: str, source: str, selection: Selection, *, seconds: float = SECONDS) -> str:
    """Who notices a change: the id of a case, `tests`, `time`, or "" for nobody."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(_try(module, source, selection, writing))
    os.close(writing)
    ended = _waited(child, seconds)
    with os.fdopen(reading) as told:
        said = told.read() if ended is not None else ""
    if ended is None:
        return "time"
    return said if said else "" if ended == 0 else "tests"


def _waited(child: int, seconds: float) -> int | None:
    """The exit status of a process, or None when it had to be ended."""
    from time import sleep

    until = monotonic() + seconds
    while monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _try(module: str, source: str, selection: Selection, writing: int) -> int:
    """The exit status of a try: 0 when nobody notices the change. Who does is written."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            sys.meta_path.insert(0, Changed(module, source))
            case = _first_failing(selection.cases)
            if case is not None:
                os.write(writing, case.encode())
                return 1
            import pytest

            return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *_WARNINGS, *selection.tests]))
        except BaseException as error:
            os.write(writing, f"at import: {type(error).__name__}".encode())
            return 1


def _first_failing(ids: tuple[str, ...]) -> str | None:
    """The id of the first case that is answered wrongly."""
    import mentionable_conformance as suite

    from tests.mutants import ask, harness

    cases = {case.id: case for case in suite.cases()}
    for case_id in ids:
        if suite.judge(cases[case_id], ask(harness().perform, cases[case_id])):
            return case_id
    return None


# --- the report


class Row(NamedTuple):
    """What came of a module.

    Attributes:
        module: Which.
        mutants: How many changes.
        by_cases: How many a conformance case noticed.
        by_tests: How many a test noticed, or that they took forever.
        explained: Those that change nothing that could be noticed, with the reason.
        survived: Those that nobody noticed.
    """

    module: str
    mutants: int
    by_cases: int
    by_tests: int
    explained: tuple[tuple[Change, str], ...]
    survived: tuple[Change, ...]


def judged(module: str, tried: Iterable[tuple[Change, str]], reasons: dict[str, str]) -> Row:
    """What came of the changes of a module."""
    tried = list(tried)
    left = [change for change, by in tried if not by]
    by_tests = sum(by in ("tests", "time") for _, by in tried)
    return Row(
        module,
        len(tried),
        len(tried) - len(left) - by_tests,
        by_tests,
        tuple((change, reasons[change.lines]) for change in left if change.lines in reasons),
        tuple(change for change in left if change.lines not in reasons),
    )


def report(rows: Sequence[Row], everywhere: dict[str, str]) -> Iterator[str]:
    """The report, as Markdown."""
    yield "# Mutation testing\n"
    yield "What `python -m tests.mutation` found: changes of a module in one place, and who notices them. What is"
    yield "explained makes no difference that anybody could see, and it says why; what survived wants a test. In all"
    yield "modules these are not tried:\n"
    yield from (f"- changes in lines that match `{pattern}`: {reason}" for pattern, reason in everywhere.items())
    yield ""
    yield "| module | mutants | killed by cases | killed by tests | explained | survived |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in rows:
        numbers = (row.mutants, row.by_cases, row.by_tests, len(row.explained), len(row.survived))
        yield f"| `{row.module}` | {' | '.join(map(str, numbers))} |"
    sums = [sum(numbers) for numbers in zip(*((r.mutants, r.by_cases, r.by_tests, len(r.explained), len(r.survived))
                                             for r in rows), strict=True)]  # fmt: skip
    yield f"| all | {' | '.join(map(str, sums))} |"
    for row in rows:
        if row.survived or row.explained:
            yield f"\n## `{row.module}`"
        for change in row.survived:
            yield f"\nSurvived in `{change.function}` ({change.operator}):\n\n```diff\n{change.lines}\n```"
        for change, reason in row.explained:
            yield f"\nExplained in `{change.function}`: {reason}\n\n```diff\n{change.lines}\n```"


def known(change: Change, reasons: dict[str, str]) -> str | None:
    """Why nobody can notice a change of a kind that is the same everywhere."""
    return next((reason for pattern, reason in reasons.items() if re.search(pattern, change.lines)), None)


class Trial:
    """Tries the changes of one module after another, and remembers which cases noticed something.

    Attributes:
        reached: Which cases run which functions.
        noticing: The ids of the cases that noticed something.
    """

    def __init__(self, reached: Reach) -> None:
        self.reached = reached
        self.noticing: set[str] = set()

    def selection(self, module: str, function: str) -> Selection:
        """What may notice a change of this function: the cases that noticed nothing yet come first."""
        functions = self.reached.get(module, {})
        ids = functions.get(function) or functions.get("", [])
        ids = sorted(ids[:: -(-len(ids) // MOST_CASES) or 1], key=self.noticing.__contains__)
        return Selection(tuple(ids), tests_of(module))

    def tried(self, module: str, everywhere: dict[str, str], *, jobs: int) -> list[tuple[Change, str]]:
        """Every change of a module, with who notices it; what nobody can notice is not tried."""
        if by := noticed(module, path_of(module).read_text(), self.selection(module, "")):
            raise SystemExit(f"{module} as it is fails: {by}")
        found = [change for change in changes(module) if known(change, everywhere) is None]
        with ThreadPoolExecutor(jobs) as pool:
            return list(zip(found, pool.map(lambda change: self._noticed(module, change), found), strict=True))

    def _noticed(self, module: str, change: Change) -> str:
        by = noticed(module, change.source, self.selection(module, change.function))
        if "/" in by:
            self.noticing.add(by)
        return by


def idle(noticing: set[str]) -> list[str]:
    """The MUST cases that noticed neither a change nor a wrong implementation."""
    import mentionable_conformance as suite

    from tests.mutants import killers, registry

    awake = noticing.union(*(killers(mutant) for mutant in registry()))
    return [case.id for case in suite.cases() if case.level == "MUST" and case.id not in awake]


def main(arguments: list[str]) -> int:
    """The exit status: 1 when something survived in a strict module that is not explained."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--report", type=Path, default=REPORT)
    parser.add_argument("--jobs", type=int, default=1)
    told = parser.parse_args(arguments)
    unknown = [module for module in told.modules if module not in all_modules()]
    if unknown:
        parser.error(f"no such module: {', '.join(unknown)}")
    reasons = json.loads(REASONS.read_text())
    preload()
    trial = Trial(reach())
    rows: list[Row] = []
    for module in told.modules or all_modules():
        row = judged(module, trial.tried(module, reasons["*"], jobs=told.jobs), reasons.get(module, {}))
        rows.append(row)
        numbers = f"{row.mutants} mutants, {len(row.explained)} explained, {len(row.survived)} survived"
        print(f"{module}: {numbers}", flush=True)
        for lines in reasons.get(module, {}).keys() - {change.lines for change, _ in row.explained}:
            print(f"{module}: this reason explains nothing any more:\n{lines}", flush=True)
        told.report.write_text("\n".join(report(rows, reasons["*"])) + "\n")
    if not told.modules:
        left = idle(trial.noticing)
        with told.report.open("a") as file:
            file.write(f"\n## MUST cases that noticed nothing: {len(left)}\n\n")
            file.writelines(f"- `{case_id}`\n" for case_id in left)
    return int(any(row.survived for row in rows if row.module in STRICT))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
