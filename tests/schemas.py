"""JSON Schemas (2020-12) of every value of the contract, made from the classes and their docstrings."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from mentionable import anp
from mentionable._model import capabilities, identity, message, parts, policy, sender
from mentionable._model.annotation import Rule
from mentionable._model.base import Unset, hints
from mentionable._model.codec import is_required
from mentionable.ingest import IngestMessage, IngestMetadata

BASE = "https://mentionable.dev/schema/normalized-message/v0.1/"


def reference_to(name: str) -> dict[str, Any]:
    return {"$ref": f"{name}.schema.json"}


UNIONS: dict[str, tuple[Any, str]] = {
    "Part": (parts.Part, "One part of a message."),
    "BytesRef": (parts.BytesRef, "Where the bytes of a file or an artifact are."),
    "MentionRelayCapability": (capabilities.MentionRelayCapability, "How to wake another agent on the platform."),
    "PolicyPart": (policy.PolicyPart, "What an agent demands before it goes on."),
    "Proof": (identity.Proof, "What stands behind an evidence."),
    "Command": (anp.Command, "Everything that can happen to an event of the notification protocol."),
    "ClientMessage": (anp.ClientMessage, "Everything that a client sends about an event."),
    "Effect": (anp.Effect, "Everything that a host has to do after a decision was stored."),
}
"""Public name → the union and what it is."""

OWN_CLASSES: tuple[type, ...] = (
    *(IngestMessage, IngestMetadata),
    *(anp.AgentInstructions, anp.Notification, anp.Routing, anp.Submission, anp.Lane, anp.RunningTurn),
    *(anp.Presentation, anp.Snapshot, anp.Seen, anp.Device, anp.PushSubscription, anp.PushKeys),
    *get_args(anp.ClientMessage),
    *get_args(anp.Command),
    *get_args(anp.Effect),
)
"""Values whose module holds other classes beside them."""

BETWEEN: dict[str, dict[str, Any]] = {
    "ToolCallPart": {"not": {"required": ["result", "error"]}},
    "NormalizedResponse": {
        "not": {
            "required": ["status", "streaming"],
            "properties": {
                "status": {"const": "partial"},
                "streaming": {"required": ["final"], "properties": {"final": {"const": True}}},
            },
        }
    },
    "Sender": {
        "if": {"properties": {"verified": {"const": True}}},
        "then": {"properties": {"auth_method": {"not": {"const": "none"}}}},
        "else": {"properties": {"auth_method": {"enum": ["none", "email-dmarc"]}}},
    },
    "PolicyResolution": {
        "if": {"properties": {"kind": {"const": "payment_required"}}},
        "then": {"properties": {"confirmation": reference_to("PaymentConfirmation")}},
        "else": {"properties": {"confirmation": reference_to("ConsentConfirmation")}},
    },
}
"""What a class checks between its members (`_check`), as far as JSON Schema can say it.

It cannot compare members (`hop` with `max_hops`, a turn's sender with the recipient) nor count by one (ids of calls).
"""

WORDS = {"None": "absent", "`UNSET`": "absent", "True": "true", "False": "false"}
"""Word of Python → word of JSON."""

TAGS = {**dict.fromkeys(UNIONS, "kind"), "Proof": "type"}
LEAVES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def classes() -> list[type]:
    """Every value class of the contract, by name."""
    modules = {module.__name__: module for module in (capabilities, message, parts, sender, policy, identity)}
    found = {
        name: cls
        for module in modules.values()
        for name, cls in vars(module).items()
        if isinstance(cls, type) and attrs.has(cls) and not name.startswith("_") and cls.__module__ in modules
    }
    own = {cls.__name__: cls for cls in OWN_CLASSES}
    assert len(own) == len(OWN_CLASSES), "two values of the same name"
    assert not own.keys() & found.keys(), "two values of the same name"
    found |= own
    return [found[name] for name in sorted(found)]


def schemas() -> dict[str, dict[str, Any]]:
    """Name → schema, of every class and every union."""
    made = {cls.__name__: class_schema(cls) for cls in classes()}
    made |= {name: union_schema(name) for name in UNIONS}
    return dict(sorted(made.items()))


def class_schema(cls: Any) -> dict[str, Any]:
    """An object: its tag, its members, and whatever else."""
    described = member_docs(cls)
    properties: dict[str, Any] = {}
    required: list[str] = []
    kind = getattr(cls, "kind", None)
    if isinstance(kind, str):
        properties["kind"] = {"const": kind}
        required.append("kind")
    for a in attrs.fields(cls):
        if a.name == "extra":
            continue
        shape = {"description": described[a.name]} if a.name in described else {}
        properties[a.name] = shape | shape_of(hints(cls)[a.name], optional=not is_required(a))
        if is_required(a):
            required.append(a.name)
    tag, known = unknown_words(cls)
    if tag:
        properties[tag]["not"] = {"enum": known}
    schema = {**head(cls.__name__, summary(cls)), "type": "object"}
    return schema | {"properties": properties, "required": required, "additionalProperties": True} | between(cls)


def between(cls: type) -> dict[str, Any]:
    """What a class checks beyond the shape of each member."""
    rules: dict[str, Any] = BETWEEN.get(cls.__name__, {})
    if issubclass(cls, (policy.PolicyPartBase, policy.PolicyTranslation)):
        members = {"message": {"pattern": r"\S"}}
        if cls is policy.PaymentRequired:
            members["accepted_payments"] = {"minItems": 1}
        rules = {**rules, "allOf": [{"properties": members}]}
    return rules


def unknown_words(cls: Any) -> tuple[str, list[str]]:
    """The tag of a class of unknown kinds, and the kinds that it may not have."""
    for name, (union, _) in UNIONS.items():
        options = get_args(union)
        if cls in options and cls.__name__.startswith("Unknown"):
            return TAGS[name], sorted(word for word in (tag_of(option, TAGS[name]) for option in options) if word)
    return "", []


def tag_of(cls: Any, tag: str) -> str | None:
    """The word that tells a class of a union, or None for the class of unknown words."""
    word = getattr(cls, "kind", None) if tag == "kind" else attrs.fields_dict(cls)["type"].default
    return word if isinstance(word, str) else None


def union_schema(name: str) -> dict[str, Any]:
    """Exactly one of the classes, which their tags tell apart."""
    union, what = UNIONS[name]
    return {**head(name, what), "oneOf": [reference(option) for option in get_args(union)]}


def head(name: str, description: str) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{BASE}{name}.schema.json",
        "title": name,
        "description": description,
    }


def reference(cls: type) -> dict[str, Any]:
    return reference_to(cls.__name__)


def shape_of(hint: Any, *, optional: bool = False) -> dict[str, Any]:
    """The schema of an annotation; an optional member is absent, never null."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return {}
    if hint in LEAVES:
        return {"type": LEAVES[hint]}
    if attrs.has(hint):
        return reference(hint)
    if origin is Annotated:
        rules = [rule.schema for rule in arguments[1:] if isinstance(rule, Rule)]
        return merged(shape_of(arguments[0]), *rules)
    if origin is Literal:
        words = list(arguments)
        return {"const": words[0]} if len(words) == 1 else {"enum": words}
    if origin is Union or origin is types.UnionType:
        return any_of(arguments, optional=optional)
    if origin is tuple:
        return {"type": "array", "items": shape_of(arguments[0])}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        items = shape_of(arguments[1])
        return {"type": "object", "additionalProperties": items} if items else {"type": "object"}
    raise TypeError(f"no schema for {hint}")


def any_of(options: tuple[Any, ...], *, optional: bool) -> dict[str, Any]:
    """One of several shapes; a union that has a name is referred to by it."""
    some = tuple(option for option in options if not (option is types.NoneType and optional))
    some = tuple(option for option in some if not is_unset(option))
    for name, (union, _) in UNIONS.items():
        if set(get_args(union)) == set(some):
            return {"$ref": f"{name}.schema.json"}
    if Any in some:
        return {}
    if set(some) == {int, float}:
        return {"type": "number"}
    shapes = [shape_of(option) for option in some]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def is_unset(option: Any) -> bool:
    return get_origin(option) is Literal and all(isinstance(word, Unset) for word in get_args(option))


def merged(*shapes: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for shape in shapes for key, value in shape.items()}


def summary(cls: type) -> str:
    """What a docstring says before its sections, on one line."""
    text = inspect.cleandoc(cls.__doc__ or "")
    prose = re.split(r"\n\n(?:Attributes|Example|Note|Spec|Raises|Args):", f"\n\n{text}")[0]
    return in_json(" ".join(prose.split()))


def member_docs(cls: type) -> dict[str, str]:
    """Member → what the Attributes section of the class, or of a base, says about it."""
    described: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        section = inspect.cleandoc(base.__doc__ or "").partition("Attributes:\n")[2].partition("\n\n")[0]
        for entry in re.findall(r"(?m)^    (\w+): ((?:.|\n(?=     ))*)", section):
            described[entry[0]] = in_json(" ".join(entry[1].split()))
    return described


def in_json(text: str) -> str:
    """What a docstring says, in the words of JSON: a member that is None in Python is absent there."""
    return re.sub(r"`UNSET`|\b(?:None|True|False)\b", lambda found: WORDS[found[0]], text)
