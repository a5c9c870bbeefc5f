"""What a message of Discord says: its text, what it embeds, and the files that go with it."""

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
from ..._remote_file import RemoteFile
from .._ids import snowflake
from .markdown import Names, escape_name, names_in, quoted, readable
from .people import name_of

_OWN_HOSTS: Final = (".discordapp.com", ".discordapp.net")
"""Hosts whose files open for whoever has their URL."""


class MessageContent(NamedTuple):
    """The content of a message.

    Attributes:
        parts: Its parts without the files.
        files: Its files, which Discord holds.
    """

    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]


def read_content(
    message: Mapping[str, Any], *, names: Names, limits: Limits, notes: list[Diagnostic], at: str
) -> MessageContent:
    """The text, what was forwarded, the embeds, and the files of a message object.

    Args:
        message: The object.
        names: What ids in the text stand for.
        limits: Bounds the number of parts.
        notes: Takes what cannot be carried.
        at: Where the object stands in the request.

    Raises:
        WireError: `wrong-type`: the content is no text. `too-many-parts`.
    """
    content = message.get("content")
    if not isinstance(content, (str, type(None))):
        raise wire_error("wrong-type", f"{at}/content", "expected text")
    parts: list[Part] = []
    if content and content.strip():
        parts.append(markdown(readable(content, names)))
    files = files_of(message, at=at)
    for index, snapshot in enumerate(objects(message.get("message_snapshots"))):
        where = f"{at}{pointer('message_snapshots', index, 'message')}"
        forwarded = snapshot.get("message")
        if isinstance(forwarded, dict):
            parts += _quoted_parts(forwarded, "Forwarded:")
            files += files_of(forwarded, at=where)
    for index, embed in enumerate(objects(message.get("embeds"))):
        parts += _embed(embed, names, notes, f"{at}{pointer('embeds', index)}")
    if len(parts) + len(files) > limits.parts:
        raise wire_error("too-many-parts", at, f"more than {limits.parts} parts")
    notes += _not_carried(message, at)
    return MessageContent(tuple(parts), tuple(files))


def names_of(message: Mapping[str, Any]) -> Names:
    """What the ids in a message stand for, as far as the message tells."""
    users = {}
    for user in objects(message.get("mentions")):
        member = user.get("member")
        name = name_of(user, member if isinstance(member, dict) else {})
        if name and snowflake(user.get("id")):
            users[user["id"]] = name
    channels = {one.get("id"): one for one in objects(message.get("mention_channels")) if snowflake(one.get("id"))}
    return Names(users=users, channels=names_in(channels, "name"))


def quote_of(message: Mapping[str, Any]) -> list[Part]:
    """A message of somebody else as a quote that says whose it is."""
    author = message.get("author")
    name = name_of(author, {}) if isinstance(author, dict) else None
    return _quoted_parts(message, f"{escape_name(name or 'somebody')} wrote:")


def _quoted_parts(message: Mapping[str, Any], heading: str) -> list[Part]:
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        return []
    return [markdown(f"{heading}\n\n{quoted(readable(content, names_of(message)))}")]


def files_of(message: Mapping[str, Any], *, at: str) -> list[RemoteFile]:
    """The files of a message. Their URLs open for whoever has them, so that they are never read here."""
    return [
        RemoteFile.parse(
            one["id"],
            f"{at}{pointer('attachments', index)}",
            name=one.get("filename"),
            mime=one.get("content_type"),
            size=one.get("size"),
        )
        for index, one in enumerate(objects(message.get("attachments")))
        if snowflake(one.get("id"))
    ]


def _embed(embed: Mapping[str, Any], names: Names, notes: list[Diagnostic], at: str) -> list[Part]:
    """An embed as a link, and its fields as text; without a link, all of it as text."""
    title, description = (_text(embed.get(name), names) for name in ("title", "description"))
    url = embed.get("url")
    link: LinkPart | None = None
    if isinstance(url, str):
        if is_shown(url):
            link = LinkPart(url=url, title=single_line(title or "") or None, description=description.strip() or None)
        else:
            notes.append(Diagnostic(code="url-refused", at=f"{at}/url"))
    fields = []
    for one in objects(embed.get("fields")):
        name, value = (_text(one.get(member), names).strip() for member in ("name", "value"))
        if name or value:
            fields.append(f"**{name}**\n{value}" if name else value)
    words = fields if link else [f"**{title}**" if title.strip() else "", description, *fields]
    text = "\n\n".join(filter(None, (word.strip() for word in words)))
    return [*([link] if link else []), *([markdown(text)] if text else [])]


def is_shown(url: str) -> bool:
    """Whether a URL may be passed on: a web address, and not one of Discord's own files."""
    if not is_web_url(url):
        return False
    host = url_host(url)
    return not f".{host}".endswith(_OWN_HOSTS)


def _not_carried(message: Mapping[str, Any], at: str) -> list[Diagnostic]:
    """What cannot be carried: stickers and polls."""
    notes = []
    for index, sticker in enumerate(objects(message.get("sticker_items"))):
        name = sticker.get("name")
        detail = f"a sticker: {single_line(name)[:80]}" if isinstance(name, str) else "a sticker"
        place = f"{at}{pointer('sticker_items', index)}"
        notes.append(Diagnostic(code="part-unsupported", at=place, detail=detail))
    if isinstance(message.get("poll"), dict):
        notes.append(Diagnostic(code="part-unsupported", at=f"{at}/poll", detail="a poll"))
    return notes


def objects(found: Any) -> list[dict[str, Any]]:
    """The objects of an array; nothing else counts."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def markdown(text: str) -> TextPart:
    """A text part."""
    return TextPart(content=text, mime="text/markdown")


def _text(found: Any, names: Names) -> str:
    return readable(found, names) if isinstance(found, str) else ""
