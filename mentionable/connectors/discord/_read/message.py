"""A message of the gateway (`MESSAGE_CREATE`), or one that the API listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ..._members import items_of, object_of, objects_of
from .._ids import guild_of, snowflake
from .._settings import Settings
from .content import FORWARD, MessageContent, read_content
from .event import Event, native_id, raw_of
from .parts import BY_DISCORD, writer_of
from .people import Author, author_of

_TYPED: Final = frozenset({0, 19, 20, 23})
"""Types of messages that a user or an app wrote: messages, answers, answers to commands."""

_THREAD_STARTER: Final = 21
"""The first message of a thread, which shows the message that the thread was started from."""

_NOTICES: Final = frozenset({1, 2, 6, 7, 8, 9, 10, 11})
"""Types that say who came, went, pinned or boosted. They have no words of a person, whatever their content is."""


class Header(NamedTuple):
    """The id, the channel and the author of a message."""

    id: str
    channel: str
    author: Author


def read_header(message: Mapping[str, Any], *, guild: str | None) -> Header:
    """The header of a message.

    Raises:
        WireError: `missing-member`; `unsupported-event`: it is a notice of Discord without words of a person.
    """
    own, channel = snowflake(message.get("id")), snowflake(message.get("channel_id"))
    if own is None or channel is None:
        raise wire_error("missing-member", "", "a message has an id and a channel_id")
    kind = message.get("type", 0)
    if kind.__class__ is not int or kind in _NOTICES:
        raise wire_error("unsupported-event", "/type", "a notice of Discord")
    user, member, webhook = message.get("author"), message.get("member"), message.get("webhook_id")
    author = author_of(user, member, guild=guild, webhook=webhook, pointer="/author")
    return Header(own, channel, author)


def is_own(message: Mapping[str, Any], author: Author, settings: Settings) -> bool:
    """Whether the agent's own bot wrote a message, by itself or in answer to an interaction."""
    ids = (author.id, message.get("application_id"), message.get("webhook_id"))
    return author.id == settings.bot or (author.is_program and settings.application_id in ids)


def read_message(message: Mapping[str, Any], *, settings: Settings) -> Event:
    """A message of the gateway.

    Raises:
        WireError: `own-message`, `unsupported-event`, `missing-member`, `malformed`, `wrong-type`.
    """
    guild = guild_of(message)
    header = read_header(message, guild=guild)
    if is_own(message, header.author, settings):
        raise wire_error("own-message", "/author", "the agent's own bot wrote it")
    content = content_of(message, limits=settings.limits)
    kind, diagnostics = message.get("type", 0), content.diagnostics
    if kind not in _TYPED and not content.parts and not content.files and not diagnostics:
        raise wire_error("unsupported-event", "/type", "a notice of Discord")
    answered = None if kind == _THREAD_STARTER else message.get("referenced_message")
    parent = _parent(message, header.channel)
    if parent is not None and "referenced_message" in message and answered is None and kind != _THREAD_STARTER:
        detail = "the message that it answers was deleted"
        diagnostics = (*diagnostics, Diagnostic(code="history-turn-dropped", at="/referenced_message", detail=detail))
    return Event(
        id=header.id,
        channel=header.channel,
        guild=guild,
        author=header.author,
        parts=content.parts,
        files=content.files,
        parent_id=parent,
        is_addressed=guild is None or _is_addressed(message, settings),
        raw=raw_of("message", kind, header.id, header.channel, guild),
        diagnostics=diagnostics,
        answered=answered if isinstance(answered, Mapping) else None,
    )


def content_of(message: Mapping[str, Any], *, limits: Limits) -> MessageContent:
    """The content of a message of any type, by those who wrote it.

    Raises:
        WireError: `wrong-type`.
    """
    kind = message.get("type", 0)
    if kind in _TYPED:
        return read_content(message, limits=limits)
    started_from = starter_of(message)
    if started_from is None:
        return read_content(message, limits=limits, by=BY_DISCORD)
    by = writer_of(started_from.get("author"), webhook=started_from.get("webhook_id"))
    return read_content(started_from, limits=limits, by=by, at="/referenced_message")


def starter_of(message: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The message from which a thread was started; None when a message is not the first one of a thread."""
    started_from = message.get("referenced_message")
    return started_from if message.get("type") == _THREAD_STARTER and isinstance(started_from, Mapping) else None


def _parent(message: Mapping[str, Any], channel: str) -> str | None:
    """The message that this one answers. A forwarded message is no answer."""
    reference = object_of(message.get("message_reference"))
    own = snowflake(reference.get("message_id"))
    if own is None or reference.get("type") == FORWARD:
        return None
    return native_id(snowflake(reference.get("channel_id")) or channel, own)


def _is_addressed(message: Mapping[str, Any], settings: Settings) -> bool:
    """Whether a message in a guild mentions the bot or a role of it, or answers one of its messages."""
    if any(user.get("id") == settings.bot for user in objects_of(message.get("mentions"))):
        return True
    if settings.role_ids and any(role in settings.role_ids for role in items_of(message.get("mention_roles"))):
        return True
    answered = object_of(message.get("referenced_message"))
    return object_of(answered.get("author")).get("id") == settings.bot
