"""An experiment: the library with a part of its modules compiled by mypyc, compared with the library as it is.

Usage: python -m tests.compiled list
       python -m tests.compiled build OUT [--mypyc PYTHON] [--sanitize]
       python -m tests.compiled compare OUT TARGET [--units N] [--seed S]

`build` copies the library to OUT and compiles the modules of `list` there. `compare` gives the same units to both and
prints the first that comes to something else. docs/decisions.md says what came of it. PYTHON needs `mypy[mypyc]`,
setuptools, a C compiler and the packages that the library needs. The suite judges the compiled library with
`PYTHONPATH=OUT:conformance python -P -m mentionable_conformance run --strict`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import random
import shutil
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.packages import PACKAGE, ROOT, imports, modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.packages import Module

DOORS: Final = ("a2a._receive", "activitypub._receive", "mail._receive", "rest._receive")
"""Where a unit comes in: modules that none of these needs would gain nothing."""

OF_TRUST: Final = frozenset({
    *("_auth", "_crypto", "identity", "policy", "discovery", "_policy", "_verify", "_authority", "forwarded"),
    "canonical_json",
})  # fmt: skip
"""Packages and modules that decide whom to believe or what is signed: never compiled."""

OF_VALUES: Final = frozenset({"_errors", "_model", "_flow"})
"""Packages of what programs hold, store, inherit from and catch: these stay classes of Python."""

BASES: Final = frozenset({"Exception", "UsageError", "NamedTuple", "LineWriter", "TextWriter"})
"""Classes of which a compiled module may have classes: Python's own, of the values, or compiled too."""

REFUSED: Final = frozenset({"_transport.url_binding", "activitypub._read.history"})
"""Where mypyc 2.4 ends with an internal error: `x in (a, *more)`, and `reversed` of a list that is spread."""

UNITS: Final = 100_000
BLOCK: Final = 500
"""Units whose outcomes are compared by one digest."""

MOST_BYTES: Final = 1 << 20


def chosen() -> list[Module]:
    """The modules that are compiled."""
    return [module for module in _reached() if module.path.name != "__init__.py" and _may_be_compiled(module)]


def _reached() -> list[Module]:
    """The modules that the doors load, directly or not."""
    known = {module.name: module for module in modules()}
    found: dict[str, Module] = {}
    waiting = list(DOORS)
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = known[name]
            waiting += [inner.removeprefix("mentionable.") for inner, _ in imports(known[name])]
    return [found[name] for name in sorted(found)]


def _may_be_compiled(module: Module) -> bool:
    words = set(module.name.split("."))
    return words.isdisjoint(OF_TRUST | OF_VALUES) and module.name not in REFUSED and _has_simple_classes(module)


def _has_simple_classes(module: Module) -> bool:
    """Whether mypyc can make its classes: no `attrs.field()` in them, and no other bases than those."""
    classes = [node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
    return all("field(" not in ast.unparse(one) and {*map(ast.unparse, one.bases)} <= BASES for one in classes)


def build(out: Path, python: str, *, sanitize: bool) -> int:
    """Copies the library to a folder, and compiles modules there; with `sanitize` for AddressSanitizer."""
    shutil.rmtree(out / "mentionable", ignore_errors=True)
    shutil.copytree(PACKAGE, out / "mentionable", ignore=shutil.ignore_patterns("__pycache__"))
    files = [str("mentionable" / module.path.relative_to(PACKAGE)) for module in chosen()]
    flags = {"CFLAGS": "-fsanitize=address", "MYPYC_OPT_LEVEL": "1"} if sanitize else {"MYPYC_OPT_LEVEL": "2"}
    command = [python, "-m", "mypyc", "--ignore-missing-imports", *files]
    return subprocess.run(command, cwd=out, env={**os.environ, **flags}, check=False).returncode


def compare(out: Path, target: str, units: int, seed: int) -> int:
    """Gives both libraries the same units, changed from the cases; 1 when an outcome differs."""
    differs = None
    with _started(ROOT, target, units, seed) as ours, _started(out, target, units, seed) as theirs:
        assert ours.stdout is not None
        assert theirs.stdout is not None
        for number, (one, other) in enumerate(zip_longest(ours.stdout, theirs.stdout)):
            if one != other:
                differs = number
                ours.terminate()
                theirs.terminate()
                break
    if differs is not None:
        print(f"{target}: an outcome differs in units {differs * BLOCK} to {(differs + 1) * BLOCK - 1}, seed {seed}")
    elif ours.returncode or theirs.returncode:
        print(f"{target}: a process failed")
    else:
        print(f"{target}: {units:,} units, no difference")
        return 0
    return 1


def _started(home: Path, target: str, units: int, seed: int) -> subprocess.Popen[str]:
    """A process in which the library in a folder says what becomes of the units."""
    path = os.pathsep.join(map(str, (home, ROOT, ROOT / "conformance")))
    command = [sys.executable, "-P", "-m", "tests.compiled", "say", str(home), target]
    command += ["--units", str(units), "--seed", str(seed)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True)


def say(target: str, units: int, seed: int) -> Iterator[str]:
    """A digest of the outcomes of each block of units."""
    from tests.fuzz.__main__ import mutated
    from tests.fuzz._targets import TARGETS

    run, seeds, chance = _outcome_of(target), [*map(bytes, TARGETS[target].seeds())], random.Random(seed)
    digest = hashlib.sha256()
    for number in range(units):
        data = seeds[number] if number < len(seeds) else mutated(chance, seeds)
        try:
            said = run(data)
        except Exception as error:  # that both raise the same is what is asked
            said = f"{type(error).__name__}: {error}"
        digest.update(said.encode("utf-8", "replace") + b"\0")
        if (number + 1) % BLOCK == 0 or number + 1 == units:
            yield digest.hexdigest()


def _outcome_of(target: str) -> Callable[[bytes], str]:
    """What comes of an input, in full: the value that is read, or the outcome of `receive`."""
    from mentionable import a2a, activitypub, drive, mail, rest
    from mentionable._wire.strict_json import loads, loads_signed
    from tests.fuzz._answers import World, facts, taken_apart
    from tests.fuzz._receivers import SETTINGS, request_of
    from tests.fuzz._targets import TARGETS

    room = {"a2a": a2a, "activitypub": activitypub, "mail": mail, "rest": rest}.get(target)
    if target == "json":
        return lambda data: repr((loads(data, max_bytes=MOST_BYTES), loads_signed(data, max_bytes=MOST_BYTES)))
    if room is None:
        return TARGETS[target].run

    def receive(data: bytes) -> str:
        unit, documents, flags = taken_apart(data)
        what = unit if room is mail else request_of(unit)
        return repr(drive(room.receive(what, **facts(flags, SETTINGS[room])), World(documents)))

    return receive


def main(arguments: list[str]) -> int:
    """The exit status: 0 when everything was compiled, or nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.compiled", description=__doc__)
    parser.add_argument("what", choices=("list", "build", "compare", "say"))
    parser.add_argument("out", nargs="?", type=Path, default=Path())
    parser.add_argument("target", nargs="?", default="json", help="json, a2a, activitypub, mail, rest, ...")
    parser.add_argument("--mypyc", default=sys.executable, help="an interpreter that has mypyc")
    parser.add_argument("--sanitize", action="store_true", help="for AddressSanitizer")
    parser.add_argument("--units", type=int, default=UNITS)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args(arguments)
    if told.what == "build":
        told.out.mkdir(parents=True, exist_ok=True)
        return build(told.out.absolute(), told.mypyc, sanitize=told.sanitize)
    if told.what == "compare":
        return compare(told.out.absolute(), told.target, told.units, told.seed)
    lines = (module.name for module in chosen()) if told.what == "list" else say(told.target, told.units, told.seed)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
