"""A webhook of BlueBubbles, read: only the members that are named here are passed on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._model.diagnostic import Diagnostic
from ...._model.parts import TextPart
from ...._text.plain_text import clean
from ...._wire.http import HttpRequest
from ...._wire.strict_json import is_text, pointer, whole_number
from ...._wire.time import format_time
from ..._deliver import object_of_body
from ..._members import id_form, items_of, line_of, object_of
from ..._remote_file import RemoteFile
from .._settings import Settings
from .pseudonym import pseudonym

NEW_MESSAGE: Final = "new-message"

is_message_guid: Final = id_form(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
"""The ids that Apple gives to messages."""

_is_file: Final = id_form("[A-Za-z0-9_-]{1,64}")
_SERVICES: Final = {"iMessage": "imessage", "SMS": "sms", "RCS": "rcs"}
_GROUP_STYLE: Final = 43
_ATTACHMENT_PLACEHOLDER: Final = "\ufffc"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_NAME: Final = 320
_MAX_FILES: Final = 64
_MAX_MILLISECONDS: Final = 253_402_300_799_999  # the year 9999


class Event(NamedTuple):
    """A new message to the account of the server.

    Attributes:
        guid: Apple's id of it.
        person: The pseudonym of the sender.
        chat: The pseudonym of the chat.
        chat_guid: The chat by its own name, which holds phone numbers. Never passed on.
        is_group: Whether the chat has other members.
        service: `imessage`, `sms`, `rcs` or `unknown`.
        parts: Its subject and text.
        files: Its attachments.
        parent_id: The native id of the message that it answers.
        sent_at: The time at which it was sent, when the webhook has one.
        diagnostics: What was left out.
    """

    guid: str
    person: str
    chat: str
    chat_guid: str
    is_group: bool
    service: str
    parts: tuple[TextPart, ...]
    files: tuple[RemoteFile, ...]
    parent_id: str | None
    sent_at: str | None
    diagnostics: tuple[Diagnostic, ...]

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
        return {
            "platform": "bluebubbles",
            "kind": "message",
            "type": NEW_MESSAGE,
            "id": self.guid,
            "chat": self.chat,
            "is_group": self.is_group,
            "service": self.service,
            "timestamp": self.sent_at,
        }


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
            account itself wrote it. `missing-member`, `wrong-type`, `too-many-parts`.
    """
    return event_of(_message_in(document), settings)


def event_of(message: Mapping[str, Any], settings: Settings) -> Event:
    """A message that another account wrote, whatever became of it since.

    Raises:
        WireError: `missing-member`, `wrong-type`, `too-many-parts`.
    """
    guid = message.get("guid")
    if not is_message_guid(guid):
        raise wire_error("missing-member", "/data/guid", "a message has the id that Apple gave it")
    handle = object_of(message.get("handle"))
    person = _name(handle.get("address"), "/data/handle/address")
    chats = message.get("chats")
    if not isinstance(chats, list) or len(chats) != 1 or not isinstance(chats[0], dict):
        raise wire_error("missing-member", "/data/chats", "a message is of one chat")
    chat_guid = _name(chats[0].get("guid"), "/data/chats/0/guid")
    files, unnamed = _files(message)
    parts = _parts(message)
    if len(parts) + len(files) > settings.limits.parts:
        raise wire_error("too-many-parts", "/data/attachments", f"more than {settings.limits.parts} parts")
    app_content: tuple[Diagnostic, ...] = ()
    if message.get("balloonBundleId") is not None and not parts:
        app_content = (Diagnostic(code="part-unsupported", at="/data/balloonBundleId", detail="content of an app"),)
    parents = [message.get(name) for name in ("replyToGuid", "threadOriginatorGuid")]
    return Event(
        guid=guid,
        person=pseudonym("handle", person, settings=settings),
        chat=pseudonym("chat", chat_guid, settings=settings),
        chat_guid=chat_guid,
        is_group=chats[0].get("style") == _GROUP_STYLE or ";+;" in chat_guid,
        service=_SERVICES.get(line_of(handle.get("service")), "unknown"),
        parts=parts,
        files=files,
        parent_id=next((f"bluebubbles:{parent}" for parent in parents if is_message_guid(parent)), None),
        sent_at=_time(message.get("dateCreated")),
        diagnostics=(*unnamed, *app_content),
    )


def _message_in(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message of a webhook, which must be new and not by the account itself."""
    message = document.get("data")
    if document.get("type") != NEW_MESSAGE or not isinstance(message, dict):
        raise wire_error("unsupported-event", "/type", "not a new message")
    if message.get("isFromMe") is not False:
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


def _parts(message: Mapping[str, Any]) -> tuple[TextPart, ...]:
    """Subject and text."""
    parts = []
    for name in ("subject", "text"):
        content = message.get(name)
        if not isinstance(content, (str, type(None))):
            raise wire_error("wrong-type", f"/data/{name}", "expected text")
        text = clean(content or "").replace(_ATTACHMENT_PLACEHOLDER, "")
        if text.strip():
            parts.append(TextPart(content=text))
    return tuple(parts)


def _files(message: Mapping[str, Any]) -> tuple[tuple[RemoteFile, ...], list[Diagnostic]]:
    """The attachments, which the server keeps."""
    files: list[RemoteFile] = []
    diagnostics: list[Diagnostic] = []
    for index, file in enumerate(items_of(message.get("attachments"))):
        if not isinstance(file, dict) or file.get("hideAttachment") is True:
            continue
        at = pointer("data", "attachments", index)
        guid = file.get("guid")
        if not _is_file(guid) or len(files) == _MAX_FILES:
            diagnostics.append(Diagnostic(code="part-unsupported", at=at, detail="a file that cannot be named"))
            continue
        name, mime, size = file.get("transferName"), file.get("mimeType"), file.get("totalBytes")
        files.append(RemoteFile.parse(guid, at, name=name, mime=mime, size=size))
    return tuple(files), diagnostics


def _time(value: Any) -> str | None:
    """Milliseconds since 1970 as a time."""
    count = whole_number(value)
    if count is None or count > _MAX_MILLISECONDS:
        return None
    return format_time(_EPOCH + timedelta(milliseconds=count))
