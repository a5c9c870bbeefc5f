"""What is said of operations, facts and types: tables in the pages of the suite.

It comes out of `conformance/operations.json` and the JSON Schemas of the suite.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["OPERATIONS", "SUITE", "cases_page"]

SUITE: Final = Path(__file__).resolve().parents[1] / "conformance"
OPERATIONS: Final[Mapping[str, Any]] = json.loads((SUITE / "operations.json").read_bytes())


def cases_page() -> Iterator[tuple[Path, str]]:
    """The page about cases with its tables as they are to be."""
    path = SUITE / "CASES.md"
    text = path.read_text("utf-8")
    for name, lines in (("operations", _operations()), ("types", _types()), ("facts", _facts())):
        head, mark, rest = text.partition(f"<!-- {name} -->\n")
        _, end, tail = rest.partition(f"<!-- /{name} -->\n")
        text = "".join([head, mark, "\n", *(f"{line}\n" for line in lines), "\n", end, tail])
    yield path, text


def _operations() -> Iterator[str]:
    """A row for those that stand together and take and give the same."""
    yield from ("| operation | input | outcome |", "| --- | --- | --- |")
    for (taken, outcome), rows in groupby(OPERATIONS["operations"], lambda one: (one["input"], one["outcome"])):
        names = [name for row in rows for name in row["operations"]]
        yield f"| {_codes(names)} | {taken} | {outcome} |"


def _types() -> Iterator[str]:
    for name, meaning in OPERATIONS["types"].items():
        yield f"- `{name}`: {meaning[0].lower()}{meaning[1:]}"


def _facts() -> Iterator[str]:
    """A table for each family, folded."""
    for number, family in enumerate(OPERATIONS["facts"]):
        if number:
            yield ""
        what = f"{' '.join(family['operations'])}: {family['of']}".replace("`", "")
        yield from ("<details>", f"<summary>{what}</summary>", "")
        if "includes" in family:
            (other,) = (one for one in OPERATIONS["facts"] if one["family"] == family["includes"])
            yield from (f"Also the facts of {_codes(other['operations'])}.", "")
        if family["facts"]:
            yield from ("| fact | what it is |", "| --- | --- |")
            yield from (f"| `{name}` | {meaning} |" for name, meaning in family["facts"].items())
            yield ""
        if "renderings" in family:
            texts = ", ".join(f"`{name}` ({meaning})" for name, meaning in family["renderings"].items())
            yield from (f"`has` searches in {texts}.", "")
        yield "</details>"


def _codes(names: list[str]) -> str:
    return " ".join(f"`{name}`" for name in names)
