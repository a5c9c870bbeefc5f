"""A webhook of BlueBubbles, read: only what is named here passes on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeGuard

from ...._errors.exceptions import wire_error
from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part, TextPart
from ...._text.media import single_line
from ...._text.plain_text import clean
from ...._wire.strict_json import is_text, pointer, whole_number
from ...._wire.time import format_time
from ..._remote_file import RemoteFile
from .._settings import Settings
from .pseudonym import pseudonym

NEW_MESSAGE: Final = "new-message"

_GUID: Final = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}", re.ASCII).fullmatch
_FILE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII).fullmatch
_SERVICES: Final = {"iMessage": "imessage", "SMS": "sms", "RCS": "rcs"}
_GROUP_STYLE: Final = 43
_PLACEHOLDER: Final = "\ufffc"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_CHARS: Final = 320
_MAX_FILES: Final = 64
_LAST: Final = 253_402_300_799_999


class Event(NamedTuple):
    """A message, as it came to the account of the server.

    Attributes:
        guid: Apple's id of it.
        person: The pseudonym of who wrote it.
        chat: The pseudonym of the chat.
        chat_guid: The chat by its own name, in which phone numbers stand. Never passed on.
        is_group: Whether others are in the chat.
        service: `imessage`, `sms`, `rcs` or `unknown`.
        parts: What it says.
        files: What goes with it.
        parent: The id of the message that it answers.
        sent_at: When it was sent, as far as it says so.
    """

    guid: str
    person: str
    chat: str
    chat_guid: str
    is_group: bool
    service: str
    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    parent: str | None
    sent_at: str | None

    @property
    def native_id(self) -> str:
        """What names it everywhere."""
        return f"bluebubbles:{self.guid}"

    @property
    def thread_id(self) -> str:
        """The conversation: the chat by its pseudonym."""
        return f"bluebubbles:{self.chat}"

    @property
    def raw(self) -> dict[str, Any]:
        """What `raw` tells of it."""
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


def read_event(document: Mapping[str, Any], *, settings: Settings, notes: list[Diagnostic]) -> Event:
    """What somebody wrote to the account of the server.

    Raises:
        WireError: `unsupported-event`: it is no new message, but a reaction, a change, or news of a group.
            `own-message`: the account itself wrote it. `missing-member`, `wrong-type`, `too-many-parts`.
    """
    message = _message_in(document)
    guid = message.get("guid")
    if not is_message_guid(guid):
        raise wire_error("missing-member", "/data/guid", "a message has the id that Apple gave it")
    handle = message.get("handle")
    facts: Mapping[str, Any] = handle if isinstance(handle, dict) else {}
    person = _name(facts.get("address"), "/data/handle/address")
    chat = _chat(message)
    chat_guid = _name(chat.get("guid"), "/data/chats/0/guid")
    files = _files(message, notes)
    parts = _parts(message, notes)
    if len(parts) + len(files) > settings.limits.parts:
        raise wire_error("too-many-parts", "/data/attachments", f"more than {settings.limits.parts} parts")
    return Event(
        guid=guid,
        person=pseudonym("handle", person, settings=settings),
        chat=pseudonym("chat", chat_guid, settings=settings),
        chat_guid=chat_guid,
        is_group=chat.get("style") == _GROUP_STYLE or ";+;" in chat_guid,
        service=_service(facts.get("service")),
        parts=parts,
        files=files,
        parent=_parent(message),
        sent_at=_time(message.get("dateCreated")),
    )


def _message_in(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message of a webhook that tells of a new one by somebody else."""
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


def _chat(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The one chat that a message is of."""
    chats = message.get("chats")
    if not isinstance(chats, list) or len(chats) != 1 or not isinstance(chats[0], dict):
        raise wire_error("missing-member", "/data/chats", "a message is of one chat")
    found: dict[str, Any] = chats[0]
    return found


def _name(found: Any, at: str) -> str:
    """A phone number, a mail address or the GUID of a chat. It is named in no error."""
    if not isinstance(found, str) or not 0 < len(found.strip()) <= _MAX_CHARS or not is_text(found):
        raise wire_error("missing-member", at, "expected a short text")
    return found


def _parts(message: Mapping[str, Any], notes: list[Diagnostic]) -> tuple[Part, ...]:
    """Subject and text."""
    texts = []
    for name in ("subject", "text"):
        said = message.get(name)
        if not isinstance(said, (str, type(None))):
            raise wire_error("wrong-type", f"/data/{name}", "expected text")
        text = clean(said or "").replace(_PLACEHOLDER, "")
        if text.strip():
            texts.append(TextPart(content=text))
    if message.get("balloonBundleId") is not None and not texts:
        notes.append(Diagnostic(code="part-unsupported", at="/data/balloonBundleId", detail="content of an app"))
    return tuple(texts)


def _files(message: Mapping[str, Any], notes: list[Diagnostic]) -> tuple[RemoteFile, ...]:
    """The attachments, which the server keeps."""
    found = message.get("attachments")
    files: list[RemoteFile] = []
    for index, one in enumerate(found if isinstance(found, list) else ()):
        if not isinstance(one, dict) or one.get("hideAttachment") is True:
            continue
        at = pointer("data", "attachments", index)
        if not _is(one.get("guid"), _FILE) or len(files) == _MAX_FILES:
            notes.append(Diagnostic(code="part-unsupported", at=at, detail="a file that cannot be named"))
            continue
        name, mime, size = one.get("transferName"), one.get("mimeType"), one.get("totalBytes")
        files.append(RemoteFile.parse(one["guid"], at, name=name, mime=mime, size=size))
    return tuple(files)


def _parent(message: Mapping[str, Any]) -> str | None:
    """The native id of the message that this one answers."""
    for name in ("replyToGuid", "threadOriginatorGuid"):
        if is_message_guid(message.get(name)):
            return f"bluebubbles:{message[name]}"
    return None


def _service(found: Any) -> str:
    return _SERVICES.get(single_line(found), "unknown") if isinstance(found, str) else "unknown"


def _time(found: Any) -> str | None:
    """Milliseconds since 1970 as a time."""
    count = whole_number(found)
    return None if count is None or count > _LAST else format_time(_EPOCH + timedelta(milliseconds=count))


def is_message_guid(found: object) -> TypeGuard[str]:
    """Whether this is an id that Apple gave to a message."""
    return _is(found, _GUID)


def _is(found: object, rule: Any) -> TypeGuard[str]:
    return isinstance(found, str) and rule(found) is not None
