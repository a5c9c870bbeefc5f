"""A message of the gateway (`MESSAGE_CREATE`), or one that the API listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ..._members import object_of, objects_of
from .._ids import snowflake
from .._settings import Settings
from .content import names_of, read_content
from .event import Event, native_id, raw_of
from .people import Author, author_of

_CONTENT_TYPES: Final = frozenset({0, 19, 20, 23})
"""Types of messages that a user or an app wrote: messages, answers, answers to commands. Discord writes the others."""

_FORWARD: Final = 1


class Header(NamedTuple):
    """The id, the channel and the author of a message."""

    id: str
    channel: str
    author: Author


def read_header(message: Mapping[str, Any], *, guild: str | None) -> Header:
    """The header of a message that a user or an app wrote.

    Raises:
        WireError: `missing-member`; `unsupported-event`: Discord itself wrote it.
    """
    own, channel = snowflake(message.get("id")), snowflake(message.get("channel_id"))
    if own is None or channel is None:
        raise wire_error("missing-member", "", "a message has an id and a channel_id")
    kind = message.get("type", 0)
    if kind.__class__ is not int or kind not in _CONTENT_TYPES:
        raise wire_error("unsupported-event", "/type", "a message that Discord itself wrote")
    webhook = snowflake(message.get("webhook_id"))
    author = author_of(message.get("author"), message.get("member"), guild=guild, webhook=webhook, pointer="/author")
    return Header(own, channel, author)


def is_own(message: Mapping[str, Any], author: Author, settings: Settings) -> bool:
    """Whether the agent's own bot wrote a message, by itself or in answer to an interaction."""
    ids = (author.id, message.get("application_id"), message.get("webhook_id"))
    return author.id == settings.bot or (author.is_program and settings.application_id in ids)


def read_message(message: Mapping[str, Any], *, settings: Settings) -> Event:
    """A message of the gateway.

    Raises:
        WireError: `own-message`, `unsupported-event`, `missing-member`, `wrong-type`, `too-many-parts`.
    """
    guild = snowflake(message.get("guild_id"))
    header = read_header(message, guild=guild)
    if is_own(message, header.author, settings):
        raise wire_error("own-message", "/author", "the agent's own bot wrote it")
    content = read_content(message, names=names_of(message), limits=settings.limits)
    return Event(
        id=header.id,
        channel=header.channel,
        guild=guild,
        author=header.author,
        parts=content.parts,
        files=content.files,
        parent_id=_parent(message, header.channel),
        is_addressed=guild is None or _is_addressed(message, settings),
        raw=raw_of("message", message.get("type", 0), header.id, header.channel, guild),
        diagnostics=content.diagnostics,
    )


def _parent(message: Mapping[str, Any], channel: str) -> str | None:
    """The message that this one answers. A forwarded message is no answer."""
    reference = object_of(message.get("message_reference"))
    own = snowflake(reference.get("message_id"))
    if own is None or reference.get("type") == _FORWARD:
        return None
    return native_id(snowflake(reference.get("channel_id")) or channel, own)


def _is_addressed(message: Mapping[str, Any], settings: Settings) -> bool:
    """Whether a message in a guild mentions the bot, or answers one of its messages."""
    if any(user.get("id") == settings.bot for user in objects_of(message.get("mentions"))):
        return True
    answered = object_of(message.get("referenced_message"))
    return object_of(answered.get("author")).get("id") == settings.bot
