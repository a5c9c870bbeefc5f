"""The content of a message of Discord: its text, its embeds, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ...._model.parts import LinkPart, Part, TextPart
from ...._text.media import single_line
from ...._wire.http import is_web_url, url_host
from ...._wire.strict_json import pointer
from ..._members import line_of, object_of, objects_of
from ..._remote_file import RemoteFile
from .._ids import snowflake
from .markdown import Names, escape_name, names_in, quoted, readable
from .people import name_of

_FILE_HOSTS: Final = (".discordapp.com", ".discordapp.net")
"""Hosts of Discord whose files open for any bearer of their URL."""


class MessageContent(NamedTuple):
    """The content of a message.

    Attributes:
        parts: Its parts without the files.
        files: Its files, which Discord holds.
        diagnostics: What was left out.
    """

    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_content(message: Mapping[str, Any], *, names: Names, limits: Limits) -> MessageContent:
    """The text, the forwarded messages, the embeds, and the files of a message object.

    Raises:
        WireError: `wrong-type`: the content is no text. `too-many-parts`.
    """
    content = message.get("content")
    if not isinstance(content, (str, type(None))):
        raise wire_error("wrong-type", "/content", "expected text")
    parts: list[Part] = []
    if content and content.strip():
        parts.append(markdown(readable(content, names)))
    files = files_of(message)
    diagnostics: list[Diagnostic] = []
    for index, snapshot in enumerate(objects_of(message.get("message_snapshots"))):
        forwarded = object_of(snapshot.get("message"))
        parts += _quoted_parts(forwarded, "Forwarded:")
        files += files_of(forwarded, prefix=pointer("message_snapshots", index, "message"))
    for index, embed in enumerate(objects_of(message.get("embeds"))):
        embedded, left_out = _embed(embed, names, pointer("embeds", index))
        parts += embedded
        diagnostics += left_out
    if len(parts) + len(files) > limits.parts:
        raise wire_error("too-many-parts", "", f"more than {limits.parts} parts")
    for index, sticker in enumerate(objects_of(message.get("sticker_items"))):
        name = sticker.get("name")
        detail = f"a sticker: {line_of(name)[:80]}" if isinstance(name, str) else "a sticker"
        diagnostics.append(Diagnostic(code="part-unsupported", at=pointer("sticker_items", index), detail=detail))
    if isinstance(message.get("poll"), dict):
        diagnostics.append(Diagnostic(code="part-unsupported", at="/poll", detail="a poll"))
    return MessageContent(tuple(parts), tuple(files), tuple(diagnostics))


def names_of(message: Mapping[str, Any]) -> Names:
    """The names of the ids in a message that it mentions."""
    users = {}
    for user in objects_of(message.get("mentions")):
        name = name_of(user, object_of(user.get("member")))
        if name and snowflake(user.get("id")):
            users[user["id"]] = name
    channels = objects_of(message.get("mention_channels"))
    table = {channel["id"]: channel for channel in channels if snowflake(channel.get("id"))}
    return Names(users=users, channels=names_in(table))


def quote_of(message: Mapping[str, Any]) -> list[Part]:
    """A message as a quote with the name of its author."""
    name = name_of(object_of(message.get("author")), {})
    return _quoted_parts(message, f"{escape_name(name or 'somebody')} wrote:")


def _quoted_parts(message: Mapping[str, Any], heading: str) -> list[Part]:
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        return []
    return [markdown(f"{heading}\n\n{quoted(readable(content, names_of(message)))}")]


def files_of(message: Mapping[str, Any], *, prefix: str = "") -> list[RemoteFile]:
    """The files of a message. Their URLs are credentials, and never read here."""
    return [
        file_of(attachment["id"], attachment, pointer=f"{prefix}{pointer('attachments', index)}")
        for index, attachment in enumerate(objects_of(message.get("attachments")))
        if snowflake(attachment.get("id"))
    ]


def file_of(id: str, attachment: Mapping[str, Any], *, pointer: str) -> RemoteFile:
    """The file of an attachment."""
    name, mime, size = attachment.get("filename"), attachment.get("content_type"), attachment.get("size")
    return RemoteFile.parse(id, pointer, name=name, mime=mime, size=size)


def _embed(embed: Mapping[str, Any], names: Names, pointer: str) -> tuple[list[Part], tuple[Diagnostic, ...]]:
    """An embed as a link, and its fields as text; without a link, all of it as text."""
    title, description = _text(embed.get("title"), names), _text(embed.get("description"), names)
    url = embed.get("url")
    link: LinkPart | None = None
    left_out: tuple[Diagnostic, ...] = ()
    if isinstance(url, str) and is_public(url):
        link = LinkPart(url=url, title=single_line(title) or None, description=description.strip() or None)
    elif isinstance(url, str):
        left_out = (Diagnostic(code="url-refused", at=f"{pointer}/url"),)
    fields = []
    for field in objects_of(embed.get("fields")):
        name, value = _text(field.get("name"), names).strip(), _text(field.get("value"), names).strip()
        if name or value:
            fields.append(f"**{name}**\n{value}" if name else value)
    texts = fields if link else [f"**{title}**" if title.strip() else "", description, *fields]
    text = "\n\n".join(filter(None, (text.strip() for text in texts)))
    return [*([link] if link else []), *([markdown(text)] if text else [])], left_out


def is_public(url: str) -> bool:
    """Whether a URL may be passed on: a web address, and not one of Discord's own files."""
    return is_web_url(url) and not f".{url_host(url)}".endswith(_FILE_HOSTS)


def markdown(text: str) -> TextPart:
    """A text part of Markdown."""
    return TextPart(content=text, mime="text/markdown")


def _text(value: Any, names: Names) -> str:
    return readable(value, names) if isinstance(value, str) else ""
