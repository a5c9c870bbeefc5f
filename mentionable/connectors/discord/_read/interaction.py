"""An interaction: a command, a component that somebody used, or a form that they sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._model.parts import Part
from ...._text.media import single_line
from ...._wire.strict_json import pointer
from ...._wire.time import format_time
from ..._remote_file import RemoteFile
from .._ids import snowflake, time_of
from .._settings import Settings
from .event import Event, id_of_message
from .markdown import Names, escape_name, names_in, readable
from .parts import files_of, markdown, objects, quote_of
from .people import author_of, name_of

PING: Final = 1
AUTOCOMPLETE: Final = 4
_KINDS: Final = {2: "command", 3: "component", 5: "modal"}
_USER_COMMAND, _MESSAGE_COMMAND = 2, 3
_NESTED: Final = (1, 2)
_OF_USERS, _OF_CHANNELS, _OF_ROLES, _OF_BOTH, _OF_FILES = 6, 7, 8, 9, 11
_MAX_INPUTS: Final = 256
_MAX_DEPTH: Final = 6
_MAX_WORD: Final = 100


class _Words(NamedTuple):
    """What somebody did, in words."""

    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...] = ()
    parent: str | None = None


class _Resolved(NamedTuple):
    """What the ids in an interaction stand for."""

    names: Names
    files: Mapping[str, Any]
    messages: Mapping[str, Any]


def is_interaction(document: Mapping[str, Any]) -> bool:
    """Whether an object is an interaction, and not a message."""
    return "author" not in document and "application_id" in document


def read_interaction(document: Mapping[str, Any], *, settings: Settings) -> Event:
    """What somebody told the agent by a command, a component or a form.

    The token of the interaction is a credential, and is not read.

    Raises:
        WireError: `unsupported-event`, `no-served-recipient`, `missing-member`.
    """
    kind = document.get("type")
    if kind.__class__ is not int or kind not in _KINDS:
        raise wire_error("unsupported-event", "/type", "neither a command, a component nor a form")
    if document.get("application_id") != settings.application_id:
        raise wire_error("no-served-recipient", "/application_id", "it is of another application")
    own, channel = snowflake(document.get("id")), snowflake(document.get("channel_id"))
    data = document.get("data")
    if own is None or channel is None or not isinstance(data, dict):
        raise wire_error("missing-member", "", "an interaction has an id, a channel_id and data")
    guild, member = snowflake(document.get("guild_id")), document.get("member")
    is_member = isinstance(member, dict) and isinstance(member.get("user"), dict)
    author = author_of(
        member["user"] if member and is_member else document.get("user"),
        member if is_member else None,
        guild=guild,
        locale=document.get("locale"),
        at="/member/user" if is_member else "/user",
    )
    reader = {"command": _command, "component": _component, "modal": _form}[_KINDS[kind]]
    words = reader(document, data, _resolved(data.get("resolved")), channel, settings)
    raw = {
        "platform": "discord",
        "kind": _KINDS[kind],
        "type": kind,
        "id": own,
        "channel_id": channel,
        "guild_id": guild,
        "timestamp": format_time(time_of(own)),
        "application_id": settings.application_id,
    }
    for name in ("name", "custom_id"):
        if isinstance(data.get(name), str):
            raw[name] = data[name][:_MAX_WORD]
    return Event(own, channel, guild, author, words.parts, words.files, words.parent, True, raw)


def _resolved(found: Any) -> _Resolved:
    """What Discord tells of the ids in an interaction. Only names, files and messages are taken."""
    tables = {
        name: table for name, table in (found if isinstance(found, dict) else {}).items() if isinstance(table, dict)
    }
    members = tables.get("members", {})
    users = {}
    for id, user in tables.get("users", {}).items():
        member = members.get(id)
        name = name_of(user, member if isinstance(member, dict) else {}) if isinstance(user, dict) else None
        if name:
            users[id] = name
    names = Names(
        users=users, roles=names_in(tables.get("roles"), "name"), channels=names_in(tables.get("channels"), "name")
    )
    return _Resolved(names, tables.get("attachments", {}), tables.get("messages", {}))


def _command(
    _: Mapping[str, Any], data: Mapping[str, Any], resolved: _Resolved, channel: str, settings: Settings
) -> _Words:
    """A command as people write it: `/ask`, and a line for each option."""
    name = _word(data.get("name")) or "command"
    target = snowflake(data.get("target_id"))
    if data.get("type") == _USER_COMMAND:
        whom = resolved.names.users.get(target or "") or f"user:{target}"
        return _Words((markdown(f"{escape_name(name)}: @{escape_name(whom)}"),))
    if data.get("type") == _MESSAGE_COMMAND:
        return _about_message(name, target, resolved, channel)
    path, options = [name], objects(data.get("options"))
    while len(options) == 1 and options[0].get("type") in _NESTED and len(path) < _MAX_DEPTH:
        path.append(_word(options[0].get("name")))
        options = objects(options[0].get("options"))
    files: list[RemoteFile] = []
    said = [(_word(one.get("name")), _value(one, resolved, files)) for one in options[:_MAX_INPUTS]]
    if len(path) == 1 and [option for option, _ in said] == [settings.prompt_option] and not files:
        return _Words((markdown(said[0][1]),))
    lines = [f"/{' '.join(path)}", *[f"{option}: {value}" for option, value in said]]
    return _Words((markdown("\n".join(lines)),), tuple(files))


def _about_message(name: str, target: str | None, resolved: _Resolved, channel: str) -> _Words:
    """A command that somebody used on a message: its name, and the message as a quote."""
    message = resolved.messages.get(target or "")
    parts: list[Part] = [markdown(escape_name(name))]
    files: list[RemoteFile] = []
    if isinstance(message, dict):
        parts += quote_of(message)
        files = files_of(message, at=pointer("data", "resolved", "messages", target or ""))
    return _Words(tuple(parts), tuple(files), None if target is None else id_of_message(channel, target))


def _value(option: Mapping[str, Any], resolved: _Resolved, files: list[RemoteFile]) -> str:
    """The value of an option in words; a file is named, and goes along."""
    value, kind = option.get("value"), option.get("type")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return str(value)
    if not isinstance(value, str):
        return ""
    names = resolved.names
    if kind == _OF_FILES:
        return _file(value, resolved, files)
    if kind == _OF_CHANNELS:
        return f"#{escape_name(names.channels.get(value, f'channel:{value}'))}"
    if kind in (_OF_USERS, _OF_ROLES, _OF_BOTH):
        return f"@{escape_name(names.users.get(value) or names.roles.get(value) or f'id:{value}')}"
    return readable(value, names)


def _file(id: str, resolved: _Resolved, files: list[RemoteFile]) -> str:
    """The name of a file, which is put with the others."""
    found = resolved.files.get(id)
    if not snowflake(id) or not isinstance(found, dict):
        return "file"
    at = pointer("data", "resolved", "attachments", id)
    files.append(
        RemoteFile.parse(id, at, name=found.get("filename"), mime=found.get("content_type"), size=found.get("size"))
    )
    return escape_name(files[-1].name or "file")


def _component(
    document: Mapping[str, Any], data: Mapping[str, Any], resolved: _Resolved, channel: str, _: Settings
) -> _Words:
    """What somebody chose: the words on the button or of the options, as people saw them."""
    message = document.get("message")
    shown = message if isinstance(message, dict) else {}
    parent = snowflake(shown.get("id"))
    custom_id, chosen = data.get("custom_id"), data.get("values")
    component = next((one for one in _components(shown.get("components")) if one.get("custom_id") == custom_id), {})
    options = [one for one in objects(component.get("options")) if isinstance(one.get("value"), str)]
    labels = {one["value"]: _word(one.get("label")) for one in options}
    if isinstance(chosen, list):
        words = [_choice(value, labels, resolved) for value in chosen[:_MAX_INPUTS] if isinstance(value, str)]
        said = ", ".join(words)
    else:
        said = escape_name(_word(component.get("label")))
    said = said or escape_name(_word(custom_id)) or "(nothing)"
    return _Words((markdown(said),), (), None if parent is None else id_of_message(channel, parent))


def _choice(value: str, labels: Mapping[str, str], resolved: _Resolved) -> str:
    """An option that somebody chose, by its label, or by the name of whom it is."""
    names = resolved.names
    for sign, table in (("@", names.users), ("@", names.roles), ("#", names.channels)):
        if value in table:
            return sign + escape_name(table[value])
    return escape_name(labels.get(value) or _word(value))


def _form(
    document: Mapping[str, Any], data: Mapping[str, Any], resolved: _Resolved, channel: str, _: Settings
) -> _Words:
    """What somebody filled in: the text of the one field, or a line for each with its name."""
    files: list[RemoteFile] = []
    filled: list[tuple[str, str]] = []
    for field in _components(data.get("components")):
        name, value, chosen = _word(field.get("custom_id")), field.get("value"), field.get("values")
        if isinstance(value, str):
            filled.append((name, readable(value, resolved.names)))
        elif isinstance(chosen, list):
            texts = [value for value in chosen[:_MAX_INPUTS] if isinstance(value, str)]
            words = [
                _file(one, resolved, files) if one in resolved.files else _choice(one, {}, resolved) for one in texts
            ]
            filled.append((name, ", ".join(words)))
    parent = snowflake(document["message"].get("id")) if isinstance(document.get("message"), dict) else None
    text = filled[0][1] if len(filled) == 1 else "\n".join(f"{name}: {value}" for name, value in filled)
    parts = (markdown(text),) if text.strip() else ()
    return _Words(parts, tuple(files), None if parent is None else id_of_message(channel, parent))


def _components(found: Any) -> Iterator[dict[str, Any]]:
    """The components of a message or form, also those that stand in rows and behind labels."""
    level = objects(found)
    for _ in range(_MAX_DEPTH):
        yield from level
        level = list(chain.from_iterable(_inside(one) for one in level))
        if not level:
            return


def _inside(component: Mapping[str, Any]) -> list[dict[str, Any]]:
    one = [component.get("component"), component.get("accessory")]
    return [*objects(component.get("components")), *objects(one)]


def _word(found: Any) -> str:
    """A short text on one line; empty when it is none."""
    return single_line(found)[:_MAX_WORD] if isinstance(found, str) else ""
