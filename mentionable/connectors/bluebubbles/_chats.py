"""The chats of a message by their own names, which hold phone numbers: for the connector alone."""

from __future__ import annotations

from typing import Final

from ..._errors.exceptions import WireError
from ..._wire.http import HttpRequest
from ..._wire.strict_json import dig
from ._read.change import Change, read_event
from ._read.event import read_document, read_message
from ._settings import Settings
from ._verify import verify_secret

_SERVICES: Final = frozenset({"iMessage", "SMS", "RCS"})


def chats(request: HttpRequest, *, settings: Settings) -> dict[str, str]:
    """Thread id → GUID of the chat, of a webhook that `receive` takes; empty for any other.

    The GUID holds phone numbers. Keep it in your connector, under the thread id; `reply` takes it as `chat_guid`.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    if verify_secret(request, settings) is not None:
        return {}
    try:
        event = read_event(read_document(request, settings), settings)
    except WireError:
        return {}
    by = event.by if isinstance(event, Change) else event
    return {by.thread_id: by.chat_guid}


def direct_chat(request: HttpRequest, *, settings: Settings) -> str | None:
    """The GUID of the chat with the sender alone, of a webhook that `receive` takes; None for any other.

    It holds a phone number or a mail address. Keep it in your connector, as what `chats` returns; `reply` takes it as
    `direct_chat_guid`, for what others in a group may not read.

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> import json
        >>> own = Settings(secret="a-secret-of-your-own-server", pseudonym_key=bytes(32), groups=True)
        >>> message = {
        ...     "guid": "00000000-0000-4000-8000-000000000001", "text": "Hi", "isFromMe": False,
        ...     "handle": {"address": "+15550100", "service": "iMessage"}, "chats": [{"guid": "iMessage;+;chat1"}],
        ... }
        >>> body = json.dumps({"type": "new-message", "data": message}).encode()
        >>> url = "https://imessage.example/hook?secret=a-secret-of-your-own-server"
        >>> direct_chat(HttpRequest(method="POST", url=url, body=body), settings=own)
        'iMessage;-;+15550100'
    """
    if verify_secret(request, settings) is not None:
        return None
    try:
        document = read_document(request, settings)
        event = read_message(document, settings)
    except WireError:
        return None
    if not event.is_group:
        return event.chat_guid
    handle = dig(document, "data", "handle")
    service, address = dig(handle, "service"), dig(handle, "address")
    if service not in _SERVICES or not isinstance(address, str) or ";" in address:
        return None
    return f"{service};-;{address}"
