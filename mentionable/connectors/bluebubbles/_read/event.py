"""A webhook of BlueBubbles, read: only the members that are named here are passed on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part
from ...._wire.http import HttpRequest
from ...._wire.strict_json import is_text, whole_number
from ...._wire.time import EPOCH, format_time
from ..._deliver import object_of_body
from ..._members import id_form, line_of, object_of
from ..._remote_file import RemoteFile
from .._settings import Settings
from .content import read_content
from .pseudonym import pseudonym

NEW_MESSAGE: Final = "new-message"

is_message_guid: Final = id_form(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
"""The ids that Apple gives to messages."""

_SERVICES: Final = {"iMessage": "imessage", "SMS": "sms", "RCS": "rcs"}
_GROUP_STYLE, _DIRECT_STYLE = 43, 45
_MAX_NAME: Final = 320
_MAX_GROUP_NAME: Final = 100
_MAX_MILLISECONDS: Final = 253_402_300_799_999  # the year 9999


class Event(NamedTuple):
    """A new message to the account of the server.

    Attributes:
        guid: Apple's id of it.
        person: The pseudonym of the sender; None: the account of the server itself wrote it.
        chat: The pseudonym of the chat.
        chat_guid: The chat by its own name, which holds phone numbers. Never passed on.
        is_group: Whether the chat has other members.
        service: `imessage`, `sms`, `rcs` or `unknown`.
        parts: Its content without files.
        files: Its attachments.
        parent_id: The native id of the message that it answers.
        sent_at: The time at which it was sent, when the webhook has one.
        diagnostics: What was left out.
        group_name: What the members call the group; empty where they gave it no name.
    """

    guid: str
    person: str | None
    chat: str
    chat_guid: str
    is_group: bool
    service: str
    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    parent_id: str | None
    sent_at: str | None
    diagnostics: tuple[Diagnostic, ...]
    group_name: str = ""

    @property
    def native_id(self) -> str:
        """The id of the message, and of its event."""
        return f"bluebubbles:{self.guid}"

    @property
    def thread_id(self) -> str:
        """The conversation: the chat by its pseudonym."""
        return f"bluebubbles:{self.chat}"

    @property
    def raw(self) -> dict[str, Any]:
        """The `raw` of the message: ids and short words alone."""
        raw: dict[str, Any] = {
            "platform": "bluebubbles",
            "kind": "message",
            "type": NEW_MESSAGE,
            "id": self.guid,
            "chat": self.chat,
            "is_group": self.is_group,
            "service": self.service,
            "timestamp": self.sent_at,
        }
        raw |= {"group_name": self.group_name} if self.is_group and self.group_name else {}
        return raw | {"is_from_me": True} if self.person is None else raw


def read_document(request: HttpRequest, settings: Settings) -> dict[str, Any]:
    """The JSON object of a webhook.

    Raises:
        WireError: There is none, or it is too long or too deep.
    """
    return object_of_body(request.body, settings=settings, max_bytes=settings.body_bytes)


def read_message(document: Mapping[str, Any], settings: Settings) -> Event:
    """The new message of a verified webhook.

    Raises:
        WireError: `unsupported-event`: it is no new message, but a change, or news of a group. `own-message`: the
            account itself wrote it. `missing-member`.
    """
    return event_of(_message_in(document, settings), settings)


def event_of(message: Mapping[str, Any], settings: Settings) -> Event:
    """A message that another account wrote, whatever became of it since.

    Raises:
        WireError: `missing-member`.
    """
    guid = message.get("guid")
    if not is_message_guid(guid):
        raise wire_error("missing-member", "/data/guid", "a message has the id that Apple gave it")
    handle, is_own = object_of(message.get("handle")), message.get("isFromMe") is True
    person = None if is_own else _name(handle.get("address"), "/data/handle/address")
    chats = message.get("chats")
    if not isinstance(chats, list) or len(chats) != 1 or not isinstance(chats[0], dict):
        raise wire_error("missing-member", "/data/chats", "a message is of one chat")
    chat_guid = _name(chats[0].get("guid"), "/data/chats/0/guid")
    content = read_content(message, limits=settings.limits)
    parents = [message.get(name) for name in ("replyToGuid", "threadOriginatorGuid")]
    return Event(
        guid=guid,
        person=None if person is None else pseudonym("handle", person, settings=settings),
        chat=pseudonym("chat", chat_guid, settings=settings),
        chat_guid=chat_guid,
        is_group=_is_group(chats[0].get("style"), chat_guid),
        service=_SERVICES.get(line_of(handle.get("service")), "unknown"),
        parts=content.parts,
        files=content.files,
        parent_id=next((f"bluebubbles:{parent}" for parent in parents if is_message_guid(parent)), None),
        sent_at=_time(message.get("dateCreated")),
        diagnostics=content.diagnostics,
        group_name=line_of(chats[0].get("displayName"))[:_MAX_GROUP_NAME],
    )


def _is_group(style: Any, chat_guid: str) -> bool:
    """Whether a chat has other members, or does not say that it has none: what is private is not written there."""
    if style == _GROUP_STYLE or ";+;" in chat_guid:
        return True
    return style != _DIRECT_STYLE and ";-;" not in chat_guid


def _message_in(document: Mapping[str, Any], settings: Settings) -> Mapping[str, Any]:
    """The message of a webhook, which must be new, and by the account itself only where the settings ask for that."""
    message = document.get("data")
    if document.get("type") != NEW_MESSAGE or not isinstance(message, dict):
        raise wire_error("unsupported-event", "/type", "not a new message")
    if message.get("isFromMe") is not False and not (message.get("isFromMe") is True and settings.own_messages):
        raise wire_error("own-message", "/data/isFromMe", "the account of the server wrote it, or nothing says who")
    if message.get("associatedMessageType") not in (None, 0, "0") or message.get("associatedMessageGuid") is not None:
        raise wire_error("unsupported-event", "/data/associatedMessageType", "a reaction, or a sticker on a message")
    for name in ("dateEdited", "dateRetracted"):
        if message.get(name) not in (None, 0):
            raise wire_error("unsupported-event", f"/data/{name}", "a message that was changed")
    if message.get("itemType", 0) != 0 or message.get("groupActionType", 0) != 0:
        raise wire_error("unsupported-event", "/data/itemType", "news of a group")
    return message


def _name(value: Any, pointer: str) -> str:
    """A phone number, a mail address or the GUID of a chat. No error repeats it."""
    if not isinstance(value, str) or not 0 < len(value.strip()) <= _MAX_NAME or not is_text(value):
        raise wire_error("missing-member", pointer, "expected a short text")
    return value


def _time(value: Any) -> str | None:
    """Milliseconds since 1970 as a time."""
    count = whole_number(value)
    if count is None or count > _MAX_MILLISECONDS:
        return None
    return format_time(EPOCH + timedelta(milliseconds=count))
