"""A message of the gateway (`MESSAGE_CREATE`), or one that the API listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ...._wire.time import format_time
from .._ids import snowflake, time_of
from .._settings import Settings
from .event import Event, id_of_message
from .parts import names_of, objects, read_content
from .people import Author, author_of

_SAID: Final = frozenset({0, 19, 20, 23})
"""Types of messages that somebody said: messages, answers, and what apps answer to commands. Others tell of events."""

_FORWARD: Final = 1


class Head(NamedTuple):
    """Where, when and by whom a message was written.

    Attributes:
        id: Discord's id of it.
        channel: Where.
        author: By whom.
    """

    id: str
    channel: str
    author: Author


def read_head(message: Mapping[str, Any], *, guild: str | None, at: str = "") -> Head:
    """The head of a message that somebody said.

    Raises:
        WireError: `missing-member`; `unsupported-event`: Discord tells of something that happened.
    """
    own, channel = snowflake(message.get("id")), snowflake(message.get("channel_id"))
    if own is None or channel is None:
        raise wire_error("missing-member", at, "a message has an id and a channel_id")
    kind = message.get("type", 0)
    if kind.__class__ is not int or kind not in _SAID:
        raise wire_error("unsupported-event", f"{at}/type", "a message that Discord itself wrote")
    webhook = snowflake(message.get("webhook_id"))
    author = author_of(message.get("author"), message.get("member"), guild=guild, webhook=webhook, at=f"{at}/author")
    return Head(own, channel, author)


def is_own(message: Mapping[str, Any], author: Author, settings: Settings) -> bool:
    """Whether the agent's own bot wrote a message, by itself or in answer to an interaction."""
    ids = (author.id, message.get("application_id"), message.get("webhook_id"))
    return author.id == settings.bot or (author.is_program and settings.application_id in ids)


def read_message(message: Mapping[str, Any], *, settings: Settings, notes: list[Diagnostic]) -> Event:
    """What a message of the gateway says.

    Raises:
        WireError: `own-message`, `unsupported-event`, `missing-member`, `wrong-type`, `too-many-parts`.
    """
    limits: Limits = settings.limits
    guild = snowflake(message.get("guild_id"))
    head = read_head(message, guild=guild)
    if is_own(message, head.author, settings):
        raise wire_error("own-message", "/author", "the agent's own bot wrote it")
    said = read_content(message, names=names_of(message), limits=limits, notes=notes, at="")
    raw = {
        "platform": "discord",
        "kind": "message",
        "type": message.get("type", 0),
        "id": head.id,
        "channel_id": head.channel,
        "guild_id": guild,
        "timestamp": format_time(time_of(head.id)),
    }
    return Event(
        id=head.id,
        channel=head.channel,
        guild=guild,
        author=head.author,
        parts=said.parts,
        files=said.files,
        parent=_parent(message, head.channel),
        is_addressed=guild is None or _is_addressed(message, settings),
        raw=raw,
    )


def _parent(message: Mapping[str, Any], channel: str) -> str | None:
    """The message that this one answers. What is forwarded is no answer."""
    reference = message.get("message_reference")
    if not isinstance(reference, dict) or reference.get("type") == _FORWARD:
        return None
    own = snowflake(reference.get("message_id"))
    return None if own is None else id_of_message(snowflake(reference.get("channel_id")) or channel, own)


def _is_addressed(message: Mapping[str, Any], settings: Settings) -> bool:
    """Whether a message in a guild mentions the bot, or answers one of its messages."""
    if any(one.get("id") == settings.bot for one in objects(message.get("mentions"))):
        return True
    answered = message.get("referenced_message")
    author = answered.get("author") if isinstance(answered, dict) else None
    return isinstance(author, dict) and author.get("id") == settings.bot
