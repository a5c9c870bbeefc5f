"""Every pattern that the library, its conformance package and the examples match with, each by a stable name.

    for name, pattern in all_patterns():
        ...  # ("mentionable._html.tokens:_MARKUP", re.compile(...))

The syntax trees say where patterns are made; none may be made in a place where this module cannot get hold of it.
`faults` says what in a pattern some interpreters match wrongly.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from functools import cache
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.packages import PACKAGE, ROOT, project_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_MAKERS: Final = frozenset(["compile", "match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn"])
_CONFORMANCE: Final = ROOT / "conformance" / "mentionable_conformance"
_EXAMPLES: Final = ROOT / "examples"
_HOST: Final = _EXAMPLES / "host"
_ATTRIBUTES: Final = (
    "alt", "background", "bgcolor", "class", "color", "data-smartmail", "data-version", "href", "id", "name", "src",
    "start", "style", "text", "value",
)  # fmt: skip
"""The HTML attributes that the library reads; each has a pattern of its own."""


class Call(NamedTuple):
    """One call of a function of `re`.

    Attributes:
        place: The module and the functions around the call, or the name that the value of the call gets:
            `mentionable._wire.http:url_host`.
        node: The call.
        late: Whether it is inside a function, so that importing the module does not make the pattern.
    """

    place: str
    node: ast.Call
    late: bool


@cache
def all_patterns() -> tuple[tuple[str, re.Pattern[Any]], ...]:
    """The patterns of the library, its conformance package and the examples, as `compiled_patterns` gives them."""
    return tuple(compiled_patterns(_sources()))


def compiled_patterns(sources: Iterable[Path]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Every pattern with the module and the name or function that it belongs to, those made late included.

    Args:
        sources: The files that make them.

    Raises:
        LookupError: A pattern is made where it cannot be found. Give it a name in its module, or a row in `LATE`.
    """
    for path in sources:
        places: dict[str, list[re.Pattern[Any]]] = {}
        for call in calls(path):
            made = _patterns_of(call, imported=_is_imported(path))
            if not made:
                raise LookupError(f"{call.place} makes a pattern that cannot be found")
            known = places.setdefault(call.place, [])
            known += (pattern for pattern in made if pattern not in known)
        for place, patterns in places.items():
            yield from ((f"{place}[{n}]" if n else place, pattern) for n, pattern in enumerate(patterns))


def faults(pattern: str | bytes, flags: int = 0) -> list[str]:
    """The possessive and atomic groups of a pattern.

    CPython before 3.11.5 matches them wrongly when what is inside can give back, or holds a negative look-ahead; until
    late releases of 3.12 and 3.13 capture groups inside end in a SystemError. One character or set is no group.

    Raises:
        re.error: It is no pattern.
    """
    return list(_faults_in(_parser.parse(pattern, flags)))


def _faults_in(tree: Any) -> Iterator[str]:
    for code, value in tree:
        if code is _constants.ATOMIC_GROUP:
            yield "an atomic group"
        elif code is _constants.POSSESSIVE_REPEAT and [one for one, _ in value[2]] not in _SINGLE:
            yield "a possessive group"
        for inside in _trees_in(value):
            yield from _faults_in(inside)


def _trees_in(value: Any) -> Iterator[Any]:
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _trees_in(one)


_SINGLE: Final = ([_constants.LITERAL], [_constants.NOT_LITERAL], [_constants.ANY], [_constants.IN])


def repeats_groups(pattern: re.Pattern[Any], *, more: int = 256) -> bool:
    """Whether a pattern repeats a group more often than that, so that there is much to give back."""
    return _repeats(_parser.parse(pattern.pattern, pattern.flags), more)


def _repeats(tree: Any, more: int) -> bool:
    return any(
        (code in _REPEATS and value[1] > more and [one for one, _ in value[2]] not in _SINGLE)
        or any(_repeats(inside, more) for inside in _trees_in(value))
        for code, value in tree
    )


_REPEATS: Final = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)


def written_patterns(path: Path) -> Iterator[str]:
    """Every text in a file that imports `re` which looks possessive or atomic, and is a whole pattern."""
    source = path.read_text()
    tree = ast.parse(source if _LOOKS_SO.search(source) else "", str(path))
    if not any(isinstance(node, ast.Import) and any(one.name == "re" for one in node.names) for node in ast.walk(tree)):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
            text = "".join(str(one.value) if isinstance(one, ast.Constant) else "x" for one in pieces)
            if _LOOKS_SO.search(text) and _is_pattern(text):
                yield text


_LOOKS_SO: Final = re.compile(r"\)(?:[*+?]|\{[0-9,]*\})\+|\(\?>")


def _is_pattern(text: str) -> bool:
    try:
        _parser.parse(text)
    except re.error:
        return False
    return True


_NAMES_RE: Final = re.compile(r"\bre(?:gex)?\b")


def calls(path: Path) -> Iterator[Call]:
    """Every call in a file that makes a pattern.

    Raises:
        LookupError: The file takes `re` by another name, so that calls cannot be seen.
    """
    text = path.read_text()
    tree = ast.parse(text if _NAMES_RE.search(text) else "", str(path))
    for node in ast.walk(tree):
        hidden = isinstance(node, ast.ImportFrom) and node.module == "re"
        renamed = isinstance(node, ast.Import) and any(one.name in ("re", "regex") and one.asname for one in node.names)
        if hidden or renamed:
            raise LookupError(f"{path} does not import re by its name")
    module = ".".join(path.relative_to(_root(path)).with_suffix("").parts).removesuffix(".__init__")
    for statement in tree.body:
        yield from _calls_in(statement, f"{module}:", late=False)


def _calls_in(node: ast.AST, place: str, *, late: bool) -> Iterator[Call]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        place, late = f"{place}{'' if place.endswith(':') else '.'}{node.name}", True
    elif isinstance(node, ast.Lambda):
        late = True
    elif isinstance(node, ast.Assign | ast.AnnAssign) and place.endswith(":"):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        place += ast.unparse(target)
    elif isinstance(node, ast.Call) and _is_maker(node.func):
        yield Call(place, node, late)
    for child in ast.iter_child_nodes(node):
        yield from _calls_in(child, place, late=late)


def _is_maker(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) == "re" and function.attr in _MAKERS


def _patterns_of(call: Call, *, imported: bool) -> list[re.Pattern[Any]]:
    if not call.late and imported:
        module, _, name = call.place.partition(":")
        return list(_patterns_in(getattr(importlib.import_module(module), name, None)))
    if isinstance(call.node.args[0], ast.Constant):
        flags = [one.value for one in call.node.keywords if one.arg == "flags"]
        flags += [one for one in call.node.args[1:] if ast.unparse(one).startswith("re.")]
        given = [eval(ast.unparse(flag), {"re": re}) for flag in flags]
        return [re.compile(call.node.args[0].value, *given)]
    return LATE[call.place]() if call.place in LATE else []


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(getattr(value, "__self__", None), re.Pattern):  # a method of a pattern: re.compile(…).fullmatch
        yield value.__self__  # type: ignore[attr-defined]
    elif isinstance(value, dict):
        yield from _patterns_in(tuple(value.values()))
    elif isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _patterns_in(one)


def _sources() -> list[Path]:
    """Not those of the host: it is a distribution of its own, and the library has bounded what its patterns read."""
    found = project_files(".py", PACKAGE, _CONFORMANCE, _EXAMPLES)
    return [path for path in found if not path.is_relative_to(_HOST)]


def _is_imported(path: Path) -> bool:
    return path.is_relative_to(PACKAGE) or path.is_relative_to(_CONFORMANCE)


def _root(path: Path) -> Path:
    if path.is_relative_to(_CONFORMANCE):
        return _CONFORMANCE.parent
    return ROOT if path.is_relative_to(ROOT) else path.parent


def _of_addresses() -> list[re.Pattern[Any]]:
    from mentionable_conformance._mail import _addresses

    return [_addresses()]


def _of_attributes() -> list[re.Pattern[Any]]:
    from mentionable._html.tokens import _attribute_pattern

    return [_attribute_pattern(name) for name in _ATTRIBUTES]


def _of_end_tags() -> list[re.Pattern[Any]]:
    from mentionable._html.tokens import _ends_of

    return [_ends_of("blockquote")]


def _of_imitations() -> list[re.Pattern[Any]]:
    from mentionable._text.fold import _patterns

    return [*_patterns()]


def _of_marks() -> list[re.Pattern[Any]]:
    from mentionable._text.marks import _mark_pattern

    return [_mark_pattern()]


def _of_id_forms() -> list[re.Pattern[Any]]:
    """The patterns of the tests that `id_form` made for modules of the connectors."""
    paths = project_files(".py", PACKAGE / "connectors")
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    made = [value for name in names for value in vars(importlib.import_module(name)).values()]
    tests = dict.fromkeys(one for one in made if getattr(one, "__qualname__", "") == "id_form.<locals>.is_id")
    return [pattern for test in tests for cell in test.__closure__ for pattern in _patterns_in(cell.cell_contents)]


def _of_schemas() -> list[re.Pattern[Any]]:
    """The patterns that the suite's own JSON Schemas hold: they reach `re` as data."""
    schemas = project_files(".json", ROOT / "conformance" / "schema")
    return [re.compile(text) for path in schemas for text in _demanded(json.loads(path.read_text()))]


def _demanded(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for demand in (schema.get("pattern"), schema.get("patternProperties")):
            yield from [demand] if isinstance(demand, str) else demand if isinstance(demand, dict) else []
        schema = list(schema.values())
    if isinstance(schema, list):
        for one in schema:
            yield from _demanded(one)


LATE: Final[dict[str, Callable[[], list[re.Pattern[Any]]]]] = {
    "mentionable._html.tokens:_attribute_pattern": _of_attributes,
    "mentionable._html.tokens:_ends_of": _of_end_tags,
    "mentionable._text.fold:_patterns": _of_imitations,
    "mentionable._text.marks:_mark_pattern": _of_marks,
    "mentionable.connectors._members:id_form": _of_id_forms,
    "mentionable_conformance._mail:_addresses": _of_addresses,
    "mentionable_conformance._schema:_is_found": _of_schemas,
}
"""What makes patterns when they are first needed, or of texts that are known only then: all that it can make here."""
