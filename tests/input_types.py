"""What the inputs of each operation have in common: a JSON Schema for each, found in the cases.

A member that is a value of the contract in most cases refers to the schema of that value: some cases give on purpose
what is none. All others are described by what the cases give; what is read from somebody else is any JSON.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Any, Final

import jsonschema
import mentionable_conformance as suite
import referencing

from tests.schemas import reference_to, schemas
from tests.suite_cases import every_case
from tests.suite_pages import OPERATIONS

__all__ = ["UNFINISHED", "input_schemas"]

UNFINISHED: Final = {
    "ResponseOfCase": ("NormalizedResponse", "reply_to", "A response; without `reply_to` it answers the `question`."),
    "EventOfCase": ("Notification", "changed_at", "An event of a ledger; without `changed_at` it never changed."),
}
"""What cases write with one member less → the value, that member, and what it is."""
_VALUES: Final = {
    **dict.fromkeys(("message", "to"), "NormalizedMessage"),
    **dict.fromkeys(("response", "frames", "before"), "ResponseOfCase"),
    **dict.fromkeys(("record", "records", "event", "events", "cause"), "EventOfCase"),
    **dict.fromkeys(("history", "turn", "turns"), "HistoricalMessage"),
    **dict.fromkeys(("identity", "identities"), "VerifiedIdentity"),
    "capabilities": "RecipientCapabilities",
    "capability": "MentionRelayCapability",
    "chain": "AgentChain",
    "effect": "Effect",
    "evidence": "IdentityEvidence",
    "part": "ToolCallPart",
    "parts": "Part",
    "policy": "PolicyPart",
}
"""Member of an input → the value that it may be, or a list of."""
_ANY_JSON: Final = frozenset({"data", "document", "value"})
"""Members that are JSON of somebody else, in any form."""
_MAPS: Final = frozenset({"agents", "blobs", "card_keys", "facts", "names"})
"""Members that are objects of any names."""
_MIN_SHARE: Final = 0.8
"""The share of the cases that must give a value for the member to have its type."""
_DEPTH: Final = 2
_MAX_MEMBERS: Final = 12
_MAX_KINDS: Final = 2
_BOUNDS: Final = frozenset(suite.schema("case")["$defs"]["history_policy"]["properties"])
"""What a policy of history has, which is no value of the contract."""
_BYTES: Final = {"$ref": "Bytes"}
_KINDS: Final = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}


def input_schemas() -> dict[str, dict[str, Any]]:
    """Operation → what its input is. A `question` is an input of the `receive` of its area."""
    given: dict[str, list[Any]] = defaultdict(list)
    for case in every_case():
        given[_same(case.op)].append(case.input)
        if isinstance(case.input, dict) and "question" in case.input:
            given[_same(_receive(case.op))].append(case.input["question"])
    found = {op: _input(op, inputs) for op, inputs in given.items()}
    return {op: _with_same(op, found) for op in sorted({case.op for case in every_case()})}


def _same(operation: str) -> str:
    """The operation whose input the table says that it has, or itself."""
    like = re.fullmatch(r"as `([\w.]+)`(?:;.*)?", _taken(operation))
    return _same(like[1]) if like else operation


def _with_same(operation: str, found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What an input is that is as another one, or that has more or fewer members than another one."""
    if _same(operation) != operation:
        return {"$ref": f'Inputs["{_same(operation)}"]'}
    own = found[operation]
    like = re.match(r"as `([\w.]+)`, (?:and|with(?:out `(\w+)`)?)\b", _taken(operation))
    if like is None:
        return own
    other = {name: schema for name, schema in found[_same(like[1])]["properties"].items() if name != like[2]}
    return {**own, "properties": {**own["properties"], **other}}


@cache
def _taken(operation: str) -> str:
    """What the table says of an input."""
    return next(row["input"] for row in OPERATIONS["operations"] if operation in row["operations"])


def _receive(operation: str) -> str:
    return f"{operation.partition('.')[0]}.receive"


def _input(operation: str, inputs: list[Any]) -> dict[str, Any]:
    schema = _schema(inputs, 0)
    if "question" in schema.get("properties", {}):
        schema["properties"]["question"] = {"$ref": f'Inputs["{_receive(operation)}"]'}
    return schema


def _schema(values: list[Any], depth: int, name: str = "") -> dict[str, Any]:
    """What all of these are, which stand under a name."""
    some = [value for value in values if value is not None]
    kinds = sorted({_KINDS[type(value)] for value in some})
    if any(map(_is_bytes, some)) and all(isinstance(value, str) or _is_bytes(value) for value in some):
        shapes = [_BYTES]
    elif len(kinds) > _MAX_KINDS or name in _ANY_JSON:
        return {}
    else:
        inner = depth if len(kinds) == 1 else _DEPTH
        shapes = [_of_kind(kind, [one for one in some if _KINDS[type(one)] == kind], inner, name) for kind in kinds]
    return _one_of([*shapes, {"type": "null"}] if len(some) < len(values) else shapes)


def _one_of(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _is_bytes(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"$base64"}


def _of_kind(kind: str, values: list[Any], depth: int, name: str) -> dict[str, Any]:
    if kind == "object":
        return _object(values, depth, name)
    if kind != "array":
        return {"type": kind}
    if values and all(map(_is_pair, values)):
        return {"type": kind, "prefixItems": [{"type": "string"}] * 2}
    items = [item for value in values for item in value]
    return {"type": kind, "items": _schema(items, depth)} if items else {"type": kind}


def _is_pair(value: list[Any]) -> bool:
    """Whether a list may be a header: a name and a value."""
    return len(value) == 2 and all(isinstance(item, str) for item in value)


def _object(values: list[dict[str, Any]], depth: int, name: str) -> dict[str, Any]:
    """An object by its members, or one of any members where there are too many of them."""
    names = list(dict.fromkeys(member for value in values for member in value))
    if name in _MAPS or not all(member.isidentifier() for member in names):
        every = [member for value in values for member in value.values()]
        return {"type": "object", "additionalProperties": _schema(every, _DEPTH)}
    if not names or depth >= _DEPTH or (depth and len(names) > _MAX_MEMBERS):
        return {"type": "object"}
    members = {member: [value[member] for value in values if member in value] for member in names}
    required = [member for member, given in members.items() if len(given) == len(values)]
    ordered = [*required, *(member for member in names if member not in required)]
    shapes = {member: _member(member, members[member], depth) for member in ordered}
    return {"type": "object", "required": required, "properties": shapes}


def _member(name: str, given: list[Any], depth: int) -> dict[str, Any]:
    value = _VALUES.get(name)
    if name == "policy" and not depth and all(one.keys() <= _BOUNDS for one in given):
        return {"$ref": "HistoryPolicy"}
    if value is not None and not depth:
        items = [item for one in given if isinstance(one, list) for item in one]
        null = [{"type": "null"}] if None in given else []
        if _are(value, given):
            return _one_of([reference_to(value), *null])
        if _are(value, items):
            return _one_of([{"type": "array", "items": reference_to(value)}, *null])
    return _schema(given, depth + 1, name)


def _are(name: str, values: list[Any]) -> bool:
    """Whether most of these are values of a class."""
    some = [value for value in values if value is not None]
    return bool(some) and sum(_is_of(name, value) for value in some) >= _MIN_SHARE * len(some)


def _is_of(name: str, value: Any) -> bool:
    if name not in UNFINISHED:
        return _validators()[name].is_valid(value)
    whole, member, _ = UNFINISHED[name]
    filled = {"reply_to": "id", "changed_at": "2026-11-21T20:56:00Z"}[member]
    return isinstance(value, dict) and _validators()[whole].is_valid({member: filled, **value})


@cache
def _validators() -> dict[str, jsonschema.Draft202012Validator]:
    every = schemas()
    resources = [(one["$id"], referencing.Resource[Any].from_contents(one)) for one in every.values()]
    registry = referencing.Registry[Any]().with_resources(resources)
    return {name: jsonschema.Draft202012Validator(one, registry=registry) for name, one in every.items()}
