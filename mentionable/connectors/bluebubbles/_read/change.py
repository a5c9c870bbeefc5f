"""An edit, an unsent message or a reaction in iMessage, as BlueBubbles tells it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._wire.strict_json import whole_number
from ..._claimed import EventType
from ..._members import line_of, object_of
from .._settings import Settings
from .event import NEW_MESSAGE, Event, event_of, is_message_guid, read_message

_UPDATED: Final = "updated-message"
_ADDED: Final = {"love": "❤️", "like": "👍", "dislike": "👎", "laugh": "😂", "emphasize": "‼️", "question": "❓"}
"""The reactions of iMessage, by the words of BlueBubbles."""

_NUMBERED: Final = 2000
"""The number of the first reaction, where it is a number; those that are taken back are 1000 above."""

_OF_EMOJI: Final = "emoji"
_REACTIONS: Final = {
    sign + word: number + index
    for sign, number in (("", _NUMBERED), ("-", _NUMBERED + 1000))
    for index, word in enumerate((*_ADDED, _OF_EMOJI))
}
_TARGET: Final = re.compile(r"(?:p:[0-9]{1,3}/|bp:)?(\S{36})", re.ASCII).fullmatch
_MAX_EMOJI: Final = 64


class Change(NamedTuple):
    """Something that happened to a message.

    Attributes:
        type: What happened.
        id: What names the event.
        guid: Apple's id of the message.
        by: Who did it, as an event of theirs. Of an edit, it is the message as it reads now.
        content: Of a reaction the emoji.
    """

    type: EventType
    id: str
    guid: str
    by: Event
    content: str | None = None

    @property
    def event_id(self) -> str:
        """The id under which it counts once."""
        return f"bluebubbles:{self.id}"

    @property
    def native_id(self) -> str:
        """The id of the message."""
        return f"bluebubbles:{self.guid}"

    @property
    def raw(self) -> dict[str, Any]:
        """The `raw` of the event: ids and short words alone."""
        return {
            "platform": "bluebubbles",
            "kind": self.type,
            "id": self.guid,
            "chat": self.by.chat,
            "is_group": self.by.is_group,
            "service": self.by.service,
        }


def read_event(document: Mapping[str, Any], settings: Settings) -> Event | Change:
    """The event of a verified webhook.

    Raises:
        WireError: `unsupported-event`: it is neither a message nor something that happened to one. `own-message`: the
            account itself did it. `missing-member`, `wrong-type`, `too-many-parts`.
    """
    message = object_of(document.get("data"))
    is_reaction = document.get("type") == NEW_MESSAGE and _reaction_of(message) is not None
    if not is_reaction and document.get("type") != _UPDATED:
        return read_message(document, settings)
    if message.get("isFromMe") is not False:
        raise wire_error("own-message", "/data/isFromMe", "the account of the server did it, or nothing says who")
    by = event_of(message, settings)
    if is_reaction:
        return _reaction(message, by)
    if message.get("dateRetracted") not in (None, 0):
        return Change("deleted", f"{by.guid}/retracted", by.guid, by)
    if message.get("dateEdited") in (None, 0):
        raise wire_error("unsupported-event", "/data/dateEdited", "no person edited the message")
    edited = whole_number(message["dateEdited"])
    if edited is None:
        raise wire_error("wrong-type", "/data/dateEdited", "expected milliseconds")
    return Change("edited", f"{by.guid}/edited/{edited}", by.guid, by)


def _reaction_of(message: Mapping[str, Any]) -> str | None:
    """The word for a reaction: `love`, or `-love` where it is taken back; None where it is none."""
    kind = message.get("associatedMessageType")
    if kind.__class__ is int or (isinstance(kind, str) and kind.isdecimal() and len(kind) == len(str(_NUMBERED))):
        return next((word for word, number in _REACTIONS.items() if number == int(kind)), None)
    return kind if isinstance(kind, str) and kind in _REACTIONS else None


def _reaction(message: Mapping[str, Any], by: Event) -> Change:
    word = _reaction_of(message) or ""
    target = _TARGET(line_of(message.get("associatedMessageGuid")))
    guid = None if target is None else target[1]
    if not is_message_guid(guid):
        raise wire_error("unsupported-event", "/data/associatedMessageGuid", "a reaction that names no message")
    emoji = _ADDED.get(word.removeprefix("-")) or line_of(message.get("associatedMessageEmoji"))[:_MAX_EMOJI]
    return Change("reaction-removed" if word.startswith("-") else "reaction-added", by.guid, guid, by, emoji or None)
