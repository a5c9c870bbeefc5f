"""The tables in the pages of the suite: operations, facts, types, settings, codes, decisions and rulings.

They come out of `conformance/operations.json`, the other JSON files of the suite, and the cases.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import mentionable_conformance as suite

from tests.code_tables import code_rows, code_spans, meaning_rows
from tests.marks import between_marks
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["OPERATIONS", "SUITE", "pages"]

SUITE: Final = Path(__file__).resolve().parents[1] / "conformance"
OPERATIONS: Final[Mapping[str, Any]] = json.loads((SUITE / "operations.json").read_bytes())
_GROUPS: Final = ("settings", "settings.history", "settings.limits")
"""Members of `given` whose own members have a row each."""
_UNITS: Final = {"_bytes": "bytes", "_chars": "characters", "_age": "seconds"}
"""How the name of a setting ends → in what it counts."""

_RELAYS: Final = tuple(f"mention-relay/{one}" for one in ("recipient-field-to-cc", "addressing", "inline", "none"))
_CHAINS: Final = tuple(f"agent-chain/{one}" for one in ("second-of-four", "one-remaining", "final-of-four"))
"""Cases of `render` whose texts a page has."""


def pages() -> Iterator[tuple[Path, str]]:
    """The pages of the suite with their tables as they are to be."""
    for page, tables in _TABLES.items():
        path = SUITE / "pages" / f"{page}.md"
        text = path.read_text("utf-8")
        for name, lines in tables.items():
            text = between_marks(text, name, ["", *lines(), ""])
        yield path, text


def _operations() -> Iterator[str]:
    """A row for those that stand together and take and give the same."""
    yield from ("| operation | input | outcome |", "| --- | --- | --- |")
    for (taken, outcome), rows in groupby(OPERATIONS["operations"], lambda one: (one["input"], one["outcome"])):
        names = [name for row in rows for name in row["operations"]]
        yield f"| {code_spans(names)} | {taken} | {outcome} |"


def _words(ids: tuple[str, ...]) -> Iterator[str]:
    """What a case gives, and the text that it expects, for each of some cases."""
    cases = {case.id: case for case in every_case()}
    for number, case in enumerate(cases[f"render/{one}"] for one in ids):
        (given,) = case.input.values()
        if number:
            yield ""
        yield from (f"`{json.dumps(given)}`:", "", "```", *case.expect["value"].splitlines(), "```")


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
            yield from (f"Also the facts of {code_spans(other['operations'])}.", "")
        if family["facts"]:
            yield from ("| fact | what it is |", "| --- | --- |")
            yield from (f"| `{name}` | {meaning} |" for name, meaning in family["facts"].items())
            yield ""
        if "renderings" in family:
            texts = ", ".join(f"`{name}` ({meaning})" for name, meaning in family["renderings"].items())
            yield from (f"`has` searches in {texts}.", "")
        yield "</details>"


def _given() -> Iterator[str]:
    """A row for each member of `given` and of the objects in it, with the operations whose cases give it."""
    used: dict[str, set[str]] = defaultdict(set)
    for case in every_case():
        for path in _paths(case.given):
            used[path].add(case.op)
    yield from (
        "| member | type | unit of measure | default | what it is | operations |",
        "| --- | --- | --- | --- | --- | --- |",
    )
    for path, schema in _members(suite.schema("case")["$defs"], "given"):
        unit = next((unit for end, unit in _UNITS.items() if path.endswith(end)), "")
        default = f"`{json.dumps(schema['default'])}`" if "default" in schema else "absent"
        operations = "all" if len(used[path]) == len(used["now"]) else code_spans(sorted(used[path]))
        yield f"| `{path}` | {_kind(schema)} | {unit} | {default} | {schema['description']} | {operations} |"


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a member in words."""
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(one)}`" for one in schema["enum"])
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return " or ".join(f"array of {schema['items']['type']}s" if "items" in schema else kind for kind in kinds)


def _paths(given: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The members of what a case gives, by their paths."""
    for name, value in given.items():
        path = f"{prefix}{name}"
        yield from _paths(value, f"{path}.") if path in _GROUPS else [path]


def _members(definitions: Mapping[str, Any], part: str, prefix: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What may be given, by its paths, with its schema."""
    for name, schema in definitions[part]["properties"].items():
        path = f"{prefix}{name}"
        inner = schema.get("$ref", "").removeprefix("#/$defs/")
        whole = definitions.get(inner, schema)
        yield from _members(definitions, inner, f"{path}.") if path in _GROUPS else [(path, whole)]


def _decisions() -> Iterator[str]:
    yield from ("| decision | what was decided |", "| --- | --- |")
    decisions = json.loads((SUITE / "documents.json").read_bytes())["decisions"]
    yield from (f"| `D {name}` | {text} |" for name, text in decisions.items())


def _rulings() -> Iterator[str]:
    """A row for each ruling, with all that it requires."""
    required: dict[int, list[str]] = defaultdict(list)
    for one in json.loads((SUITE / "requirements.json").read_bytes())["requirements"]:
        if one["section"][0] == "R" and one["section"][1:].isdigit():
            required[int(one["section"][1:])].append(one["demand"].replace("|", "\\|"))
    yield from ("| ruling | what it requires |", "| --- | --- |")
    yield from (f"| `R{number}` | {' '.join(required[number])} |" for number in sorted(required))


_TABLES: Final[Mapping[str, Mapping[str, Callable[[], Iterator[str]]]]] = {
    "operations": {"operations": _operations, "types": _types},
    "words": {"relays": partial(_words, _RELAYS), "chains": partial(_words, _CHAINS)},
    "facts": {"facts": _facts},
    "settings": {"given": _given},
    "codes-by-operation": {"codes": code_rows},
    "codes": {"meanings": meaning_rows},
    "sections": {"decisions": _decisions, "rulings": _rulings},
}
"""A page → the marks around a table of it → the lines of the table."""
