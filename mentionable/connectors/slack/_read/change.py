"""An edit, a deletion or a reaction in Slack.

Spec: Slack, Events API: `message_changed`, `message_deleted`, `reaction_added`, `reaction_removed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._errors.exceptions import WireError, wire_error
from ...._model.base import frozen, replace
from ...._text.media import single_line
from ..._claimed import EventType
from ..._members import object_of
from .._ids import is_app, is_channel, is_event, is_team, is_ts, is_user, optional, required, text_of
from .event import Event, bot_user_of, event_in, is_shared, native_id

_REACTIONS: Final[dict[Any, EventType]] = {"reaction_added": "reaction-added", "reaction_removed": "reaction-removed"}
_EDITED, _DELETED = "message_changed", "message_deleted"
CHANGES: Final = (*_REACTIONS, _EDITED, _DELETED)
"""The types and subtypes of events that something happened to a message."""

_TOMBSTONE: Final = "tombstone"
"""The subtype of what replaces a deleted message that has answers."""

_MAX_EMOJI: Final = 128


@frozen
class Change:
    """Something that happened to a message. Every member was checked.

    Attributes:
        type: What happened.
        id: The id of the event.
        team: The workspace that received it.
        channel: The channel of the message.
        ts: The id of the message in its channel.
        by: Who did it, as an event of theirs. Of an edit, it is the message as it reads now.
        previous: Of an edit the message as it read before.
        content: Of a reaction the emoji, as Slack writes it: `:thumbsup:`.
        app: The app that received it.
        bot_user: The account of that app.
        is_own: Whether the app itself did it.
    """

    type: EventType
    id: str
    team: str
    channel: str
    ts: str
    by: Event | None = None
    previous: Event | None = None
    content: str | None = None
    app: str | None = None
    bot_user: str | None = None
    is_own: bool = False

    @property
    def event_id(self) -> str:
        """The id under which it counts once."""
        return f"slack:{self.id}"

    @property
    def native_id(self) -> str:
        """The id of the message."""
        return native_id(self.team, self.channel, self.ts)


def read_change(envelope: Mapping[str, Any], event: Mapping[str, Any]) -> Change:
    """Something that happened to a message.

    Args:
        envelope: The event in its envelope.
        event: The event itself, of a type or subtype in `CHANGES`.

    Raises:
        WireError: It is malformed. `unsupported-event`: no person edited the message, as where Slack shows a link in
            it, or it is about something else. `owner-mismatch`: another account edited it.
    """
    if event.get("type") in tuple(_REACTIONS):  # compared, since it may be an object
        return _reaction(envelope, event)
    if event.get("subtype") == _DELETED and "deleted_ts" in event:
        return _change(envelope, event, type="deleted", ts=required(event, "deleted_ts", is_ts, "event"))
    if event.get("subtype") == _EDITED and "message" in event:
        return _edit(envelope, event)
    raise wire_error("unsupported-event", "/event", "it names no message")


def _change(envelope: Mapping[str, Any], place: Mapping[str, Any], **members: Any) -> Change:
    return Change(
        id=required(envelope, "event_id", is_event),
        team=required(envelope, "team_id", is_team),
        channel=required(place, "channel", is_channel, "event"),
        app=optional(envelope, "api_app_id", is_app),
        bot_user=bot_user_of(envelope),
        **members,
    )


def _reaction(envelope: Mapping[str, Any], event: Mapping[str, Any]) -> Change:
    item = object_of(event.get("item"))
    if item.get("type") != "message":
        raise wire_error("unsupported-event", "/event/item/type", "it is a reaction to something else")
    user = required(event, "user", is_user, "event")
    emoji = single_line(text_of(event.get("reaction")))
    if not 0 < len(emoji) <= _MAX_EMOJI:
        raise wire_error("malformed", "/event/reaction", "it is no name of an emoji")
    change = _change(
        envelope,
        item,
        type=_REACTIONS[event["type"]],
        ts=required(item, "ts", is_ts, "event", "item"),
        content=f":{emoji}:",
    )
    by = Event(
        id=change.id,
        kind="message",
        team=change.team,
        channel=change.channel,
        ts=change.ts,
        user=user,
        is_shared=is_shared(envelope),
        app=change.app,
        bot_user=change.bot_user,
    )
    return replace(change, by=by, is_own=user == change.bot_user)


def _edit(envelope: Mapping[str, Any], event: Mapping[str, Any]) -> Change:
    message, previous = object_of(event.get("message")), object_of(event.get("previous_message"))
    ts = required(message, "ts", is_ts, "event", "message")
    if message.get("subtype") == _TOMBSTONE:
        return _change(envelope, event, type="deleted", ts=ts)
    edited = object_of(message.get("edited"))
    if edited.get("ts") in (None, object_of(previous.get("edited")).get("ts")):
        raise wire_error("unsupported-event", "/event/message/edited", "no person edited the message")
    by = event_in(_as_event(envelope, event, message))
    editor, author = edited.get("user"), message.get("user")
    # A program edits by its account or by its id. It gets no evidence in either case.
    is_program = by.bot is not None and None in (author, optional(edited, "user", is_user))
    if editor != author and not by.is_own and not is_program:
        raise wire_error("owner-mismatch", "/event/message/edited/user", "not shown to be who wrote the message")
    return _change(
        envelope,
        event,
        type="edited",
        ts=ts,
        by=by,
        previous=_previous(envelope, event, previous),
        is_own=by.is_own,
    )


def _previous(envelope: Mapping[str, Any], event: Mapping[str, Any], message: Mapping[str, Any]) -> Event | None:
    """The message as it was, where Slack says that."""
    try:
        return event_in(_as_event(envelope, event, message))
    except WireError:
        return None


def _as_event(envelope: Mapping[str, Any], event: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope of a message inside an event, as if Slack sent it now."""
    place = {"type": "message", "channel": event.get("channel"), "channel_type": event.get("channel_type")}
    return {**envelope, "event": {**message, **place}}


def raw_of_change(change: Change) -> dict[str, Any]:
    """The `raw` of the event: ids and short words alone, no content."""
    return {
        "platform": "slack",
        "type": change.type,
        "event_id": change.id,
        "team": change.team,
        "channel": change.channel,
        "ts": change.ts,
        "user": None if change.by is None else change.by.user,
    }
