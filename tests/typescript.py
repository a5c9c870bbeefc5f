"""Types of TypeScript out of JSON Schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["declaration", "references"]

_LEAVES: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_ANY: Final = "unknown"
_SHORT: Final = 80
_UNKNOWN: Final = "Unknown"
"""How the name of a class begins that stands for every kind that a union does not name."""
_ANY_MEMBER: Final = "  [member: string]: unknown;\n"
_OBJECT: Final = "{ [name: string]: unknown }"


def declaration(name: str, schema: dict[str, Any]) -> str:
    """One exported type, with the descriptions of the schema as comments.

    Args:
        name: What to call it.
        schema: What it describes. Another schema is named by its file: `Part.schema.json` is the type `Part`.
    """
    comment = _comment(schema, "")
    if "properties" not in schema:
        return _narrowing(name, schema) or f"{comment}export type {name} = {_type(schema)};\n"
    more = _ANY_MEMBER if name.startswith(_UNKNOWN) else ""
    return f"{comment}export interface {name} {{\n{_members(schema)}{more}}}\n"


def _narrowing(name: str, schema: dict[str, Any]) -> str:
    """A union whose last option is every other kind, as two types: in one, the compiler could tell no option apart."""
    options = [_named(one.get("$ref", "")) for one in schema.get("oneOf", ())]
    if not options or not options[-1].startswith(_UNKNOWN):
        return ""
    known = f"Known{options[-1].removeprefix(_UNKNOWN)}"
    what = f"A `{name}` of a kind that this version knows. `const known = value as {known}` can be narrowed."
    narrow = f"/** {what} */\nexport type {known} = {' | '.join(options[:-1])};\n"
    return f"{narrow}\n{_comment(schema, '')}export type {name} = {known} | {options[-1]};\n"


def references(schema: Any) -> set[str]:
    """The schemas that one names."""
    if isinstance(schema, list):
        return {name for one in schema for name in references(one)}
    if not isinstance(schema, dict):
        return set()
    own = {_named(schema["$ref"])} if "$ref" in schema else set()
    return own | {name for one in schema.values() for name in references(one)}


def _members(schema: dict[str, Any], indent: str = "  ") -> str:
    required = schema.get("required", ())
    return "".join(
        f"{_comment(member, indent)}{indent}{_key(key)}{'' if key in required else '?'}: {_type(member, indent)};\n"
        for key, member in schema["properties"].items()
    )


def _comment(schema: Any, indent: str) -> str:
    if not isinstance(schema, dict) or "description" not in schema:
        return ""
    default = f" Default: `{json.dumps(schema['default'])}`." if "default" in schema else ""
    return f"{indent}/** {schema['description']}{default} */\n"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _type(schema: Any, indent: str = "") -> str:
    """The type of a member that stands at an indent. What a schema demands beyond types is not said."""
    if not isinstance(schema, dict):
        return _ANY
    if "$ref" in schema:
        return _named(schema["$ref"])
    for word in ("oneOf", "anyOf"):
        if word in schema and "properties" not in schema and "type" not in schema:
            return " | ".join(_type(one, indent) for one in schema[word])
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema.get("enum", [schema.get("const")])) or "never"
    kinds = schema.get("type", [])
    return " | ".join(_of_kind(schema, kind, indent) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or _ANY


def _of_kind(schema: dict[str, Any], kind: str, indent: str) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if kind == "array":
        return f"Array<{_type(schema.get('items'), indent)}>"
    if kind != "object":
        return _LEAVES[kind]
    if "patternProperties" in schema:
        return f"{{\n{''.join(_patterned(schema['patternProperties'], indent + '  '))}{indent}}}"
    if "properties" in schema:
        return _object(schema, indent)
    values = schema.get("additionalProperties")
    return f"{{ [name: string]: {_type(values)} }}" if isinstance(values, dict) else _OBJECT


def _object(schema: dict[str, Any], indent: str) -> str:
    """An object on one line where it is short and says nothing of its members."""
    lines = _members(schema, f"{indent}  ")
    line = f"{{ {' '.join(one.strip() for one in lines.splitlines())} }}".replace("; }", " }")
    is_short = len(line) <= _SHORT and "/**" not in line
    return line if is_short else f"{{\n{lines}{indent}}}"


def _patterned(patterns: dict[str, Any], indent: str) -> Iterator[str]:
    """Members whose names begin with a word: `^TXT `, or `^(REVOKED|DEBIT) `."""
    for pattern, schema in patterns.items():
        for word in pattern.strip("^() ").split("|"):
            yield f"{_comment(schema, indent)}{indent}[key: `{word} ${{string}}`]: {_type(schema, indent)};\n"


def _named(reference: object) -> str:
    """The type of a schema that another one refers to."""
    return str(reference).removeprefix("#/$defs/").removesuffix(".schema.json")
