"""Words of our own that the field has better words for, and where the library and the host still use them.

`python -m tests.vocabulary` prints for each word how many lines give it as a name and how many lines of docstrings,
comments and pages of the host hold it, and where. With `--lower` it writes these figures into `tests/vocabulary.json`,
where they are lower than before: `tests/test_vocabulary.py` lets none grow.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from tests.packages import HOST, PACKAGE, ROOT, modules, project_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.packages import Module

MOST: Final = ROOT / "tests" / "vocabulary.json"
"""Package → word → the most lines that may hold it: in names, in prose."""

PACKAGES: Final = {"mentionable": PACKAGE, "mentionable_host": HOST / "mentionable_host"}
PAGES: Final = {"mentionable_host": HOST / "docs"}
"""Where the pages of a package are that are in its words."""

BETTER: Final = {
    "found": "what it is: value, match, header, policy, parsed",
    "shown": "verified, rendered, visible",
    "said": "content, parts, text, body",
    "told": "reported",
    "given": "args",
    "kept": "remaining",
    "wanted": "expected",
    "meant": "intended",
    "beside": "alongside, sidecar",
    "nobody": "the role: caller, sender, recipient, attacker",
    "anybody": "the role: caller, sender, recipient, attacker",
    "whom": "the role: caller, sender, recipient, attacker",
    "unit": "request, message, delivery",
    "room": "package",
    "door": "entry point",
    "doors": "entry points",
    "rooms": "packages",
    "world": "answers",
    "twin": "copy, counterpart",
    "heard": "event",
    "doubt": "ambiguity",
    "doubtful": "ambiguous",
    "healed": "coerced",
    "believe": "check_trust",
    "believed": "trusted",
    "faces": "text and HTML",
    "longest": "max_",
    "most": "max_, at most",
    "least": "min_, at least",
    "notes": "diagnostics",
    "until": "expires_at, accepted_until",
    "demand": "policy, policy requirement",
    "demands": "policies, policy requirements",
    "stands": "is",
    "units": "requests, messages, deliveries",
}
"""Word → what to write in its place."""

GONE: Final = frozenset({
    *("Told", "Heard", "Intake", "Sighting", "Offered", "Minted", "Debit", "ByteBudget", "Known", "Way"),
    *("Party", "Misfit", "Unproven", "Found", "FoundTrace", "Paid", "Granted", "Hears", "OfEvent", "Need"),
    *("Astray", "Trouble"),
    *("Believed", "Pieces", "Frames", "evolve", "restore", "advance", "each"),
    *("ReadyKey", "ReadyCard", "Observation", "LeftOut", "both"),
    *("take_out", "mint", "offered", "refusal", "said_by", "judge_delivery", "asked_resource"),
})  # fmt: skip
"""Names that were renamed; none of them comes back as a class or a function of a module."""


def words(name: str) -> list[str]:
    """The words of a name, in lower case."""
    return re.findall(r"[a-z]+", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower())


def names(module: Module) -> Iterator[tuple[str, int]]:
    """The names that a module gives to something, with their lines."""
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno


def prose(module: Module) -> Iterator[tuple[str, int]]:
    """The lines of docstrings and comments of a module, without what is code in them."""
    for token in tokenize.generate_tokens(io.StringIO(module.path.read_text()).readline):
        is_docstring = token.type == tokenize.STRING and token.string.lstrip("rR").startswith('"""')
        if is_docstring or token.type == tokenize.COMMENT:
            text = re.sub(r"(?m)^\s*(?:>>>|\.\.\.) .*$", "", re.sub(r"`[^`]*`", "", token.string))
            yield from ((line, token.start[0] + at) for at, line in enumerate(text.split("\n")))


def held(lines: Iterator[tuple[str, int]]) -> dict[str, set[int]]:
    """Word → the lines that hold it."""
    places: dict[str, set[int]] = defaultdict(set)
    for text, line in lines:
        for word in BETTER.keys() & set(words(text)):
            places[word].add(line)
    return places


def written(page: Path) -> Iterator[tuple[str, int]]:
    """The lines of a page, without what is code in them."""
    text = re.sub(r"(?ms)^ *```.*?^ *```$|`[^`\n]*`", lambda code: "\n" * code[0].count("\n"), page.read_text())
    yield from ((line, number) for number, line in enumerate(text.split("\n"), 1))


def counts(package: str) -> dict[str, tuple[int, int]]:
    """Word → how many lines name something by it, and how many lines of prose hold it."""
    in_names, in_prose = dict.fromkeys(BETTER, 0), dict.fromkeys(BETTER, 0)
    for module in modules(PACKAGES[package]):
        for word, lines in held(names(module)).items():
            in_names[word] += len(lines)
        for word, lines in held(prose(module)).items():
            in_prose[word] += len(lines)
    for page in project_files(".md", PAGES[package]) if package in PAGES else ():
        for word, lines in held(written(page)).items():
            in_prose[word] += len(lines)
    return {word: (in_names[word], in_prose[word]) for word in BETTER}


def most(package: str) -> dict[str, tuple[int, int]]:
    """Word → the most lines that may hold it, in names and in prose."""
    return {word: (named, told) for word, (named, told) in json.loads(MOST.read_text())[package].items()}


def lowered(package: str) -> dict[str, tuple[int, int]]:
    """What may be held from now on: what is held, where that is less than before."""
    before, now = most(package), counts(package)
    return {word: (min(before[word][0], now[word][0]), min(before[word][1], now[word][1])) for word in BETTER}


def main(arguments: list[str]) -> None:
    """The tables, and where the words are; with `--lower`, the new bounds."""
    if arguments == ["--lower"]:
        bounds = json.dumps({package: lowered(package) for package in PACKAGES}, indent=2)
        MOST.write_text(re.sub(r"\[\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2]", bounds) + "\n")
    for package, folder in PACKAGES.items():
        print(f"{package:16}{'names':>7}{'prose':>7}  write")
        for word, (named, told) in counts(package).items():
            print(f"{word:16}{named:7}{told:7}  {BETTER[word]}")
        for module in modules(folder):
            for word, lines in sorted(held(names(module)).items()):
                print(f"{module.name}: {word} in names at {', '.join(map(str, sorted(lines)))}")


if __name__ == "__main__":
    main(sys.argv[1:])
