"""Types of TypeScript out of JSON Schemas."""

from __future__ import annotations

import json
from typing import Any, Final

__all__ = ["declaration", "references"]

_LEAVES: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_ANY: Final = "unknown"
_OBJECT: Final = "{ [name: string]: unknown }"


def declaration(name: str, schema: dict[str, Any]) -> str:
    """One exported type, with the descriptions of the schema as comments.

    Args:
        name: What to call it.
        schema: What it describes. Another schema is named by its file: `Part.schema.json` is the type `Part`.
    """
    comment = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    return f"{comment}export interface {name} {{\n{_members(schema)}}}\n"


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
        (f"{indent}/** {member['description']} */\n" if isinstance(member, dict) and "description" in member else "")
        + f"{indent}{key}{'' if key in required else '?'}: {_type(member)};\n"
        for key, member in schema["properties"].items()
    )


def _type(schema: Any) -> str:
    """The type of a member. What a schema demands beyond types is not said."""
    if not isinstance(schema, dict):
        return _ANY
    if "$ref" in schema:
        return _named(schema["$ref"])
    for word in ("oneOf", "anyOf"):
        if word in schema and "properties" not in schema and "type" not in schema:
            return " | ".join(_type(one) for one in schema[word])
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema.get("enum", [schema.get("const")]))
    kinds = schema.get("type", [])
    return " | ".join(_of_kind(schema, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or _ANY


def _of_kind(schema: dict[str, Any], kind: str) -> str:
    if kind == "array":
        return f"Array<{_type(schema.get('items'))}>"
    if kind != "object":
        return _LEAVES[kind]
    if "properties" in schema:
        return f"{{ {' '.join(_members(schema, '').split(chr(10)))}}}"
    values = schema.get("additionalProperties")
    return f"{{ [name: string]: {_type(values)} }}" if isinstance(values, dict) else _OBJECT


def _named(reference: object) -> str:
    """The type of a schema that another one refers to."""
    return str(reference).removeprefix("#/$defs/").removesuffix(".schema.json")
