"""Which chat a thread is: for your own store, so that an answer finds its way back."""

from __future__ import annotations

from ..._errors.exceptions import WireError
from ..._wire.http import HttpRequest
from ._read.event import read_event
from ._receive import document_of
from ._settings import Settings
from ._verify import verify


def chats(request: HttpRequest, *, settings: Settings) -> dict[str, str]:
    """Thread id → GUID of the chat, of a webhook that `receive` takes; empty for any other.

    Phone numbers stand in the GUID. Keep it in your connector, under the thread id; `reply` takes it as `chat_guid`.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    if verify(request, settings=settings) is not None:
        return {}
    try:
        event = read_event(document_of(request, settings), settings=settings, notes=[])
    except WireError:
        return {}
    return {event.thread_id: event.chat_guid}
