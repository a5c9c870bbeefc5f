"""An edit, a deletion or a reaction in Discord, as the gateway tells it.

Spec: Discord, Gateway Events (Messages).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ..._claimed import EventType
from ..._members import id_form, items_of, line_of, object_of
from .._ids import guild_of, snowflake
from .._settings import Settings
from .event import Event, native_id
from .message import read_message
from .people import Author, author_of

CHANGES: Final[dict[Any, EventType]] = {
    "MESSAGE_UPDATE": "edited",
    "MESSAGE_DELETE": "deleted",
    "MESSAGE_DELETE_BULK": "deleted",
    "MESSAGE_REACTION_ADD": "reaction-added",
    "MESSAGE_REACTION_REMOVE": "reaction-removed",
    "MESSAGE_REACTION_REMOVE_ALL": "reaction-removed",
    "MESSAGE_REACTION_REMOVE_EMOJI": "reaction-removed",
}
"""The dispatches of the gateway that something happened to a message."""

_MAX_IDS: Final = 100
"""Messages that Discord deletes at once."""

_MAX_EMOJI: Final = 64
_is_edit_time: Final = id_form("[0-9T:.+Z-]{1,40}")


class Change(NamedTuple):
    """Something that happened to a message.

    Attributes:
        type: What happened.
        id: What names the event. Discord gives reactions no id, so that a repetition looks the same.
        has_id: Whether it names the event for certain.
        ids: The ids of the messages.
        channel: Their channel.
        guild: The guild of the channel; None in direct messages.
        author: Who did it; None where Discord does not say.
        message: Of an edit the message as it reads now.
        content: Of a reaction the emoji; None where all were removed.
    """

    type: EventType
    id: str
    has_id: bool
    ids: tuple[str, ...]
    channel: str
    guild: str | None
    author: Author | None = None
    message: Event | None = None
    content: str | None = None

    @property
    def event_id(self) -> str:
        """The id under which it counts once."""
        return f"discord:{self.id}"

    @property
    def native_ids(self) -> tuple[str, ...]:
        """The ids of the messages, as they are stored."""
        return tuple([native_id(self.channel, id) for id in self.ids])

    @property
    def raw(self) -> dict[str, Any]:
        """The `raw` of the event: ids and short words alone."""
        return {
            "platform": "discord",
            "kind": self.type,
            "ids": list(self.ids),
            "channel_id": self.channel,
            "guild_id": self.guild,
        }


def read_change(dispatch: str, data: Mapping[str, Any], *, settings: Settings) -> Change:
    """Something that happened to a message.

    Args:
        dispatch: The name of the dispatch, one of `CHANGES`.
        data: Its data.
        settings: Name the bot.

    Raises:
        WireError: It is malformed. `own-message`: the agent's own bot did it. `unsupported-event`: no person edited the
            message, as where Discord shows a link in it.
    """
    type = CHANGES[dispatch]
    if type == "edited":
        return _edit(data, settings)
    channel, guild = snowflake(data.get("channel_id")), guild_of(data)
    if type == "deleted":
        named = items_of(data.get("ids"))[:_MAX_IDS] if dispatch == "MESSAGE_DELETE_BULK" else (data.get("id"),)
    else:
        named = (data.get("message_id"),)
    ids = tuple([id for id in map(snowflake, named) if id is not None])
    if channel is None or not ids:
        raise wire_error("missing-member", "", "an event names a channel and a message")
    if type == "deleted":
        return Change(type, f"{channel}/{ids[0]}/deleted", True, ids, channel, guild)
    content = None if dispatch == "MESSAGE_REACTION_REMOVE_ALL" else _emoji(data)
    author = _actor(data, guild) if "user_id" in data else None
    if author is not None and author.id == settings.bot:
        raise wire_error("own-message", "/user_id", "the agent's own bot did it")
    who = "all" if author is None else author.id
    return Change(type, f"{channel}/{ids[0]}/{type}/{who}", False, ids, channel, guild, author, content=content)


def _edit(data: Mapping[str, Any], settings: Settings) -> Change:
    edited = data.get("edited_timestamp")
    if not _is_edit_time(edited) or "content" not in data or "author" not in data:
        raise wire_error("unsupported-event", "/edited_timestamp", "no person edited the message")
    message = read_message(data, settings=settings)
    id = f"{message.channel}/{message.id}/edited/{edited}"
    return Change("edited", id, True, (message.id,), message.channel, message.guild, message.author, message)


def _actor(data: Mapping[str, Any], guild: str | None) -> Author:
    """Who reacted: with their membership, where Discord sends it."""
    member = object_of(data.get("member"))
    user = object_of(member.get("user"))
    if user.get("id") != data.get("user_id"):
        return author_of({"id": data.get("user_id")}, None, guild=guild, pointer="/user_id")
    return author_of(user, dict(member), guild=guild, pointer="/member/user")


def _emoji(data: Mapping[str, Any]) -> str:
    """The emoji of a reaction, as messages write it: `👍`, `<:name:id>`."""
    emoji = object_of(data.get("emoji"))
    own, name = snowflake(emoji.get("id")), line_of(emoji.get("name"))[:_MAX_EMOJI]
    if own is None and not name:
        raise wire_error("missing-member", "/emoji/name", "a reaction is an emoji")
    if own is None:
        return name
    return f"<{'a' if emoji.get('animated') is True else ''}:{name or '_'}:{own}>"
