"""Messages, interactions and pieces of them in the tests of others: Python that is read, and never run."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

from tests.packages import ROOT

FOLDER = ROOT / ".cache" / "corpora" / "discord"
EMBED = {"title", "description", "fields", "footer", "author", "provider", "image", "thumbnail", "video"}
COMPONENT = {"components", "component", "content", "label", "items", "options", "placeholder", "accessory", "media"}
ENUMS = {
    "ACTION_ROW": 1,
    "BUTTON": 2,
    "TEXT_SELECT_MENU": 3,
    "TEXT_INPUT": 4,
    "USER_SELECT_MENU": 5,
    "ROLE_SELECT_MENU": 6,
    "MENTIONABLE_SELECT_MENU": 7,
    "CHANNEL_SELECT_MENU": 8,
    "SECTION": 9,
    "TEXT_DISPLAY": 10,
    "THUMBNAIL": 11,
    "MEDIA_GALLERY": 12,
    "FILE": 13,
    "SEPARATOR": 14,
    "CONTAINER": 17,
    "LABEL": 18,
}
"""Types of components, which tests write by name."""

_MAX_DEPTH = 12


def payloads() -> list[dict[str, Any]]:
    """Every object in the files that holds something of a message, each once."""
    whole: dict[str, dict[str, Any]] = {}
    for path in sorted(FOLDER.glob("*/*.py")):
        for value in objects_in(path.read_text(encoding="utf-8")):
            if kind_of(value) is not None:
                whole.setdefault(json.dumps(value, sort_keys=True, default=str), value)
    return list(whole.values())


def kind_of(value: dict[str, Any]) -> str | None:
    """Which piece of a message an object looks like; None: none that people can read."""
    names = set(value)
    if "application_id" in names and "data" in names and isinstance(value.get("type"), int):
        return "interaction"
    if "author" in names and names & {"content", "channel_id", "message_reference"}:
        return "message"
    if "filename" in names:
        return "attachment"
    if {"question", "answers"} <= names:
        return "poll"
    if "thread_metadata" in names and "name" in names:
        return "thread"
    if "format_type" in names and "name" in names:
        return "sticker"
    is_file = value.get("type") == 13  # other objects with a name and a type are commands
    if isinstance(value.get("type"), int) and names & COMPONENT and (is_file or "name" not in names):
        return "component"
    if (
        names & EMBED
        and "_errors" not in repr(value)
        and (value.get("type") in ("rich", "link") or names <= EMBED | {"color", "url", "timestamp"})
    ):
        return "embed"
    return None


def as_event(value: dict[str, Any]) -> dict[str, Any]:
    """A message of the gateway that holds the piece, or the interaction."""
    frame = {"id": "1310000000000000001", "channel_id": "500", "author": {"id": "42"}, "type": 0}
    match kind_of(value):
        case "interaction":
            return {**value, "application_id": "700", "id": frame["id"], "channel_id": "500"}
        case "message":
            author = value["author"] if isinstance(value["author"], dict) else {}
            return {**value, **frame, "author": {**author, "id": "42"}, "guild_id": None, "webhook_id": None}
        case "poll" | "thread" as name:
            return {**frame, name: value}
        case kind:
            name = {"attachment": "attachments", "sticker": "sticker_items"}.get(str(kind), f"{kind}s")
            return {**frame, name: [value if kind != "attachment" else {**value, "id": "8"}]}


def objects_in(source: str) -> Iterator[dict[str, Any]]:
    """The objects of JSON in a Python file, also those that tests put together out of what functions return."""
    tree = ast.parse(source)
    returned = {
        node.name: value
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for value in [next((one.value for one in ast.walk(node) if isinstance(one, ast.Return)), None)]
        if value is not None
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            value = _value(node, returned, 0)
            if isinstance(value, dict) and _is_json(value):
                yield value


def _value(node: ast.AST, returned: dict[str, ast.expr], depth: int) -> Any:
    """The JSON of an expression; None for what is none."""
    if depth > _MAX_DEPTH:
        return None
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {
                key.value: _value(value, returned, depth + 1)
                for key, value in pairs
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, returned, depth + 1) for item in items]
        case ast.Call(func=ast.Name(id="int"), args=[argument]):
            return _value(argument, returned, depth + 1)
        case ast.Attribute(attr=name) if name in ENUMS:
            return ENUMS[name]
        case ast.Name(id=name) if name in returned:
            return _value(returned[name], returned, depth + 1)
        case _:
            return None


def _is_json(value: dict[str, Any]) -> bool:
    try:
        return len(json.dumps(value)) < 1_000_000
    except ValueError:
        return False


def read_by_people(message: dict[str, Any]) -> Iterator[str]:
    """Each text of a message that people see, by a list of members of its own."""
    yield from _texts(message, "content")
    for embed in _objects(message, "embeds"):
        yield from _texts(embed, "title", "description", "author.name", "footer.text", "provider.name")
        yield from _texts(embed, "image.description", "thumbnail.description", "video.description")
        for field in _objects(embed, "fields"):
            yield from _texts(field, "name", "value")
    for component in _objects(message, "components"):
        yield from _component(component)
    for file in _objects(message, "attachments"):
        yield from _texts(file, "filename", "title", "description")
    for sticker in _objects(message, "sticker_items"):
        yield from _texts(sticker, "name")
    yield from _texts(message, "thread.name", "application.name" if message.get("activity") else "content")
    poll = message.get("poll") or {}
    yield from _texts(poll, "question.text")
    for answer in _objects(poll, "answers"):
        yield from _texts(answer, "poll_media.text")
    for snapshot in _objects(message, "message_snapshots"):
        yield from read_by_people(snapshot.get("message") or {})


def _component(component: dict[str, Any]) -> Iterator[str]:
    yield from _texts(component, "label", "placeholder", "description", "content")
    yield from _texts(component, "value" if component.get("type") == 4 else "label")
    for name in ("components", "options", "items"):
        for inner in _objects(component, name):
            yield from _component(inner)
    for name in ("component", "accessory"):
        if isinstance(component.get(name), dict):
            yield from _component(component[name])


def _objects(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    items = value.get(name)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _texts(value: dict[str, Any], *paths: str) -> Iterator[str]:
    for path in paths:
        found: Any = value
        for name in path.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, str):
            yield found
