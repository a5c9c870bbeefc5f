"""An interaction: a command, a component that a user clicked, or a form that they sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part
from ...._wire.strict_json import pointer
from ..._choices import picked
from ..._members import line_of, object_of, objects_of
from ..._remote_file import RemoteFile
from .._ids import CHOICE, guild_of, snowflake
from .._markdown import escape_name
from .._settings import Settings
from .content import read_content
from .event import Event, native_id, raw_of
from .files import file_of
from .more import THREADS, thread_title
from .names import Names, resolved_names
from .parts import View, markdown, text_part, typed_part, writer_of
from .people import author_of
from .times import times_in

PING: Final = 1
AUTOCOMPLETE: Final = 4
_KINDS: Final = {2: "command", 3: "component", 5: "modal"}
_USER_COMMAND, _MESSAGE_COMMAND = 2, 3
_NESTED: Final = (1, 2)
_OF_USERS, _OF_CHANNELS, _OF_ROLES, _OF_BOTH, _OF_FILES = 6, 7, 8, 9, 11
_EPHEMERAL: Final = 64
_MAX_INPUTS: Final = 256
_MAX_DEPTH: Final = 6
_MAX_LABEL: Final = 100


class _Content(NamedTuple):
    """The content of an interaction."""

    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...] = ()
    parent_id: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class _Resolved(NamedTuple):
    """The names, files and messages that the ids in an interaction refer to."""

    names: Names
    files: Mapping[str, Any]
    messages: Mapping[str, Any]


class _Interaction(NamedTuple):
    """What the readers of an interaction read from."""

    document: Mapping[str, Any]
    data: Mapping[str, Any]
    resolved: _Resolved
    channel: str
    settings: Settings


def is_interaction(document: Mapping[str, Any]) -> bool:
    """Whether an object is an interaction, and not a message."""
    return "author" not in document and "application_id" in document


def read_interaction(document: Mapping[str, Any], *, settings: Settings) -> Event:
    """The event of a command, a component or a form.

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
    guild, member = guild_of(document), object_of(document.get("member"))
    is_member = isinstance(member.get("user"), dict)
    author = author_of(
        member["user"] if is_member else document.get("user"),
        member if is_member else None,
        guild=guild,
        locale=document.get("locale"),
        pointer="/member/user" if is_member else "/user",
    )
    interaction = _Interaction(document, data, _resolved(data.get("resolved")), channel, settings)
    content = {"command": _command, "component": _component, "modal": _form}[_KINDS[kind]](interaction)
    raw = {**raw_of(_KINDS[kind], kind, own, channel, guild), "application_id": settings.application_id}
    for name in ("name", "custom_id"):
        if isinstance(data.get(name), str):
            raw[name] = data[name][:_MAX_LABEL]
    if _is_ephemeral(document.get("message")):
        raw["ephemeral"] = True
    place, message = object_of(document.get("channel")), document.get("message")
    title = thread_title(place, View(document)) if place.get("type") in THREADS else ()
    return Event(
        id=own,
        channel=channel,
        guild=guild,
        author=author,
        parts=(*content.parts, *title, *times_in(content.parts)),
        files=content.files,
        parent_id=content.parent_id,
        is_addressed=True,
        raw=raw,
        diagnostics=content.diagnostics,
        answered=message if isinstance(message, Mapping) else None,
    )


def _is_ephemeral(message: object) -> bool:
    """Whether an interaction is of a message that only its user sees."""
    flags = object_of(message).get("flags")
    return flags.__class__ is int and flags & _EPHEMERAL != 0


def _resolved(value: object) -> _Resolved:
    """The names, files and messages that Discord sends with the ids in an interaction."""
    tables = object_of(value)
    return _Resolved(resolved_names(tables), object_of(tables.get("attachments")), object_of(tables.get("messages")))


def _command(interaction: _Interaction) -> _Content:
    """A command as users write it: `/ask`, and a line for each option."""
    data, resolved = interaction.data, interaction.resolved
    name = _label(data.get("name")) or "command"
    target = snowflake(data.get("target_id"))
    if data.get("type") == _USER_COMMAND:
        about = f": <@{target}>" if target else ""
        return _Content((_text(f"{escape_name(name)}{about}", interaction),))
    if data.get("type") == _MESSAGE_COMMAND:
        return _about_message(name, target, interaction)
    path, options = [name], objects_of(data.get("options"))
    while len(options) == 1 and options[0].get("type") in _NESTED and len(path) < _MAX_DEPTH:
        path.append(_label(options[0].get("name")))
        options = objects_of(options[0].get("options"))
    files = _files([one.get("value") for one in options[:_MAX_INPUTS] if one.get("type") == _OF_FILES], resolved)
    values = [(_label(one.get("name")), _value(one, resolved)) for one in options[:_MAX_INPUTS]]
    if len(path) == 1 and [option for option, _ in values] == [interaction.settings.prompt_option] and not files:
        return _Content((typed_part(values[0][1], _view(interaction)),))
    lines = [f"/{' '.join(path)}", *[f"{option}: {value}" for option, value in values]]
    return _Content((_text("\n".join(lines), interaction),), files)


def _text(text: str, interaction: _Interaction) -> Part:
    """A text part of the person who acted, with the names of its mentions."""
    return text_part(text, _view(interaction))


def _view(interaction: _Interaction) -> View:
    return View(interaction.document, interaction.resolved.names)


def _about_message(name: str, target: str | None, interaction: _Interaction) -> _Content:
    """A command on a message: its name, and the message by its own writer."""
    message = object_of(interaction.resolved.messages.get(target or ""))
    by = writer_of(message.get("author"), webhook=message.get("webhook_id"))
    at = pointer("data", "resolved", "messages", target or "")
    about = read_content(message, limits=interaction.settings.limits, by=by, at=at)
    parts = (markdown(escape_name(name)), *about.parts)
    return _Content(parts, about.files, _parent(target, interaction.channel), about.diagnostics)


def _parent(id: str | None, channel: str) -> str | None:
    return None if id is None else native_id(channel, id)


def _value(option: Mapping[str, Any], resolved: _Resolved) -> str:
    """The value of an option in words; of a file its name."""
    value, kind, names = option.get("value"), option.get("type"), resolved.names
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return str(value)
    if not isinstance(value, str):
        return ""
    if kind == _OF_FILES:
        return _file_name(value, resolved)
    if kind == _OF_CHANNELS:
        return f"<#{value}>"
    if kind in (_OF_USERS, _OF_ROLES, _OF_BOTH):
        return f"<@&{value}>" if kind == _OF_ROLES or value in names.roles else f"<@{value}>"
    return value


def _file(id: object, resolved: _Resolved) -> RemoteFile | None:
    """The file with an id; None when Discord does not name it."""
    attachment = resolved.files.get(id) if isinstance(id, str) and snowflake(id) else None
    if not isinstance(attachment, dict):
        return None
    return file_of(str(id), attachment, pointer=pointer("data", "resolved", "attachments", str(id)))


def _files(ids: Sequence[object], resolved: _Resolved) -> tuple[RemoteFile, ...]:
    """The files with these ids, as far as Discord names them."""
    return tuple([file for file in (_file(id, resolved) for id in ids) if file is not None])


def _file_name(id: str, resolved: _Resolved) -> str:
    file = _file(id, resolved)
    return "file" if file is None else escape_name(file.name or "file")


def _component(interaction: _Interaction) -> _Content:
    """A choice: the label of the button or of the options, as users saw it."""
    data, message = interaction.data, object_of(interaction.document.get("message"))
    custom_id, chosen = data.get("custom_id"), data.get("values")
    component = next((one for one in _components(message.get("components")) if one.get("custom_id") == custom_id), {})
    if isinstance(chosen, list):
        options = [one for one in objects_of(component.get("options")) if isinstance(one.get("value"), str)]
        labels = {one["value"]: _label(one.get("label")) for one in options}
        if custom_id == CHOICE:
            return _picked(next(iter(_texts(chosen)), ""), labels, message, interaction)
        text = ", ".join([_choice(value, labels, interaction.resolved) for value in _texts(chosen)])
    elif isinstance(custom_id, str) and custom_id.startswith(CHOICE):
        value = custom_id.removeprefix(CHOICE)
        return _picked(value, {value: _label(component.get("label"))}, message, interaction)
    else:
        text = escape_name(_label(component.get("label")))
    text = text or escape_name(_label(custom_id)) or "(nothing)"
    return _Content((_text(text, interaction),), (), _parent(snowflake(message.get("id")), interaction.channel))


def _picked(value: str, labels: Mapping[str, str], message: Mapping[str, Any], interaction: _Interaction) -> _Content:
    """A choice that an answer offered: its label is what the person says, and its value is in `extra`."""
    part = picked(labels.get(value) or _label(value) or "(nothing)", value)
    return _Content((part,), (), _parent(snowflake(message.get("id")), interaction.channel))


def _texts(values: Sequence[object]) -> list[str]:
    return [value for value in values[:_MAX_INPUTS] if isinstance(value, str)]


def _choice(value: str, labels: Mapping[str, str], resolved: _Resolved) -> str:
    """A chosen option: the mention of the user, role or channel, else its label."""
    names = resolved.names
    for sign, table in (("@", names.users), ("@&", names.roles), ("#", names.channels)):
        if value in table:
            return f"<{sign}{value}>"
    return escape_name(labels.get(value) or _label(value))


def _form(interaction: _Interaction) -> _Content:
    """A form: the text of its one field, or a line for each field with its name."""
    resolved = interaction.resolved
    file_ids: list[str] = []
    filled: list[tuple[str, str]] = []
    for field in _components(interaction.data.get("components")):
        name, value, chosen = _label(field.get("custom_id")), field.get("value"), field.get("values")
        if isinstance(value, str):
            filled.append((name, value))
        elif isinstance(chosen, list):
            ids = _texts(chosen)
            file_ids += [id for id in ids if id in resolved.files]
            names = [_file_name(id, resolved) if id in resolved.files else _choice(id, {}, resolved) for id in ids]
            filled.append((name, ", ".join(names)))
    text = filled[0][1] if len(filled) == 1 else "\n".join(f"{name}: {value}" for name, value in filled)
    parts = (_text(text, interaction),) if text.strip() else ()
    parent = snowflake(object_of(interaction.document.get("message")).get("id"))
    return _Content(parts, _files(file_ids, resolved), _parent(parent, interaction.channel))


def _components(value: object) -> Iterator[Mapping[str, Any]]:
    """The components of a message or form, also those in rows and behind labels."""
    level = objects_of(value)
    for _ in range(_MAX_DEPTH):
        yield from level
        level = list(chain.from_iterable(_inside(component) for component in level))
        if not level:
            return


def _inside(component: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    single = [component.get("component"), component.get("accessory")]
    return [*objects_of(component.get("components")), *objects_of(single)]


def _label(value: object) -> str:
    """A short text on one line; empty when it is none."""
    return line_of(value)[:_MAX_LABEL]
