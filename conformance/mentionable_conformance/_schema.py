"""Checking JSON against the suite's own schemas.

The schemas are JSON Schema 2020-12. This checker knows the words they use and refuses any other word, so that a schema
can never demand something that is silently not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from mentionable_conformance._cases import CaseError, read_json, root
from mentionable_conformance._values import is_equal, is_whole

__all__ = ["check", "problems", "schema"]

_IGNORED: Final = frozenset({"$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default"})
_DEPTH: Final = 100


@cache
def schema(name: str) -> Mapping[str, Any]:
    """The schema `case`, `harness`, `report`, `manifest` or `requirements`."""
    document = read_json(root() / "schema" / f"{name}.schema.json")
    if not isinstance(document, dict):
        raise CaseError(f"{name}.schema.json is not an object")
    return document


def problems(name: str, value: Any, part: str | None = None) -> tuple[str, ...]:
    """What breaks a schema, as `pointer: rule`; `part` names one of its `$defs`."""
    whole = schema(name)
    return tuple(check(value, whole if part is None else whole["$defs"][part], whole))


def check(value: Any, rules: Any, whole: Mapping[str, Any], at: str = "") -> list[str]:
    """What breaks `rules` (a schema inside `whole`) in `value`."""
    if isinstance(rules, bool):
        return [] if rules else [f"{at or '/'}: is not allowed"]
    if at.count("/") > _DEPTH:
        return [f"{at[:80]}: too deep"]
    problems: list[str] = []
    for word, demand in rules.items():
        if word in _IGNORED:
            continue
        rule = _RULES.get(word)
        if rule is None:
            raise CaseError(f"the schema uses {word!r}, which this checker does not know")
        problems += rule(value, demand, rules, whole, at)
    return problems


def _says(at: str, rule: str) -> list[str]:
    """One problem."""
    return [f"{at or '/'}: {rule}"]


_TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": is_whole,
}


def _type(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    names = [demand] if isinstance(demand, str) else demand
    return [] if any(_TYPES[name](value) for name in names) else _says(at, f"must be {' or '.join(names)}")


def _const(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    return [] if is_equal(value, demand) else _says(at, f"must be {demand!r}")


def _enum(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    return [] if any(is_equal(value, one) for one in demand) else _says(at, f"must be one of {demand}")


def _is_found(pattern: str, text: str) -> bool:
    """Whether a pattern is found. Its `$` is the end, as in ECMAScript: a line break may not follow."""
    if pattern.endswith("$") and not pattern.endswith("\\$"):
        pattern = pattern[:-1] + r"\Z"
    return re.search(pattern, text, re.ASCII) is not None


def _pattern(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    fits = not isinstance(value, str) or _is_found(demand, value)
    return [] if fits else _says(at, f"must match {demand}")


def _properties(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [
        one
        for name, rules in demand.items()
        if name in value
        for one in check(value[name], rules, whole, f"{at}/{name}")
    ]


def _required(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [one for name in demand if name not in value for one in _says(at, f"needs {name}")]


def _additional(value: Any, demand: Any, rules: Any, whole: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    known, patterns = rules.get("properties", {}), rules.get("patternProperties", {})
    more = [name for name in value if name not in known and not any(_is_found(p, name) for p in patterns)]
    return [one for name in more for one in check(value[name], demand, whole, f"{at}/{name}")]


def _pattern_properties(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [
        one
        for pattern, rules in demand.items()
        for name in value
        if _is_found(pattern, name)
        for one in check(value[name], rules, whole, f"{at}/{name}")
    ]


def _names(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [one for name in value for one in check(name, demand, whole, f"{at}/{name}")]


def _items(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    if not isinstance(value, list):
        return []
    return [one for index, item in enumerate(value) for one in check(item, demand, whole, f"{at}/{index}")]


def _minimum(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    fits = not _TYPES["number"](value) or value >= demand
    return [] if fits else _says(at, f"must be at least {demand}")


def _min_size(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    fits = not isinstance(value, (str, list, dict)) or len(value) >= demand
    return [] if fits else _says(at, f"must have at least {demand}")


def _max_size(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    fits = not isinstance(value, (str, list, dict)) or len(value) <= demand
    return [] if fits else _says(at, f"must have at most {demand}")


def _unique(value: Any, demand: Any, _r: Any, _w: Any, at: str) -> list[str]:
    if not demand or not isinstance(value, list):
        return []
    seen = {repr(item) for item in value}
    return [] if len(seen) == len(value) else _says(at, "must not hold an item twice")


def _ref(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    if demand == "#":
        return check(value, whole, whole, at)
    name = demand.removeprefix("#/$defs/")
    return check(value, whole["$defs"][name], whole, at)


def _all_of(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    return [one for rules in demand for one in check(value, rules, whole, at)]


def _any_of(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    tries = [check(value, rules, whole, at) for rules in demand]
    return [] if any(not one for one in tries) else min(tries, key=len)


def _one_of(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    tries = [check(value, rules, whole, at) for rules in demand]
    fits = sum(not one for one in tries)
    if fits == 1:
        return []
    if names := _choice(demand):
        held = [name for name in names if isinstance(value, dict) and name in value]
        return _says(at, f"must have exactly one of {', '.join(names)}, has {', '.join(held) or 'none'}")
    return _says(at, f"must fit exactly one of {len(tries)} shapes, fits {fits}") + (
        min(tries, key=len) if not fits else []
    )


def _choice(demand: Any) -> list[str]:
    """The names among which a `oneOf` lets one member be chosen, when that is all it says."""
    lists = [rules["required"] if isinstance(rules, dict) and list(rules) == ["required"] else [] for rules in demand]
    return [names[0] for names in lists] if all(len(names) == 1 for names in lists) else []


def _not(value: Any, demand: Any, _r: Any, whole: Any, at: str) -> list[str]:
    return [] if check(value, demand, whole, at) else _says(at, "must not fit the forbidden shape")


_Rule = Callable[[Any, Any, Any, Any, str], list[str]]
_RULES: Final[Mapping[str, _Rule]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "pattern": _pattern,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "patternProperties": _pattern_properties,
    "propertyNames": _names,
    "items": _items,
    "minimum": _minimum,
    "minLength": _min_size,
    "minItems": _min_size,
    "minProperties": _min_size,
    "maxLength": _max_size,
    "maxItems": _max_size,
    "uniqueItems": _unique,
    "$ref": _ref,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
}
