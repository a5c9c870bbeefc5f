"""Stage one of two: a webhook of BlueBubbles becomes a claimed event; and what is claimed of an event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from ..._errors.exceptions import WireError, wire_error
from ..._flow.asks import UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Rejected, rejected
from ..._flow.settings import check_kind
from ..._wire.http import HttpRequest
from .._claim import Claimable, EventClaim, check_claim, claim_verified
from .._claimed import Claimed, ParsedEvent
from .._settings import check_own_settings
from ._read.change import Change, read_event
from ._read.event import Event, read_document
from ._settings import Settings
from ._verify import verify_secret

REMEMBER_FOR: Final = timedelta(days=7)
"""How long a message is remembered: a server that was offline sends webhooks of what it missed."""


def claim(
    request: HttpRequest, *, now: datetime, recipient: str | None = None, settings: Settings
) -> Flow[UseOnce, Claimed | Rejected]:
    """Stage one of two: verify a webhook and claim its event by one ask. Nothing is looked up.

    Answer `claimed.response` then, and keep the event in a queue under its `key`; `complete` makes the message later.
    The event holds phone numbers, as the webhook does: keep it in your connector. What `chats` gives for the request is
    not in it.

    Args:
        request: The request, with its whole URL.
        now: The time, aware.
        recipient: The agent that it is for, when you know it.
        settings: `bluebubbles.Settings`.

    Returns:
        A flow of `Claimed`, or of `Rejected` as `receive` gives it.

    Raises:
        UsageError: An argument, or the answer to the ask, is of the wrong kind: fix your program.
    """
    check_own_settings(settings, Settings)
    check_kind(request, HttpRequest, "request")
    check_claim(now, recipient)
    return _claim(request, now, recipient, settings)


def _claim(
    request: HttpRequest, now: datetime, recipient: str | None, settings: Settings
) -> Flow[UseOnce, Claimed | Rejected]:
    read = read_request(request, settings)
    if isinstance(read, Rejected):
        return read
    flow = claim_verified(read.claim, read.document, now=now, recipient=recipient, remember_for=REMEMBER_FOR)
    return (yield from flow)


def read_request(request: HttpRequest, settings: Settings) -> Claimable[Event | Change] | Rejected:
    """The event of a request, once its secret is verified. Nothing is parsed before."""
    rejection = verify_secret(request, settings)
    if rejection is not None:
        return rejection
    try:
        document = read_document(request, settings)
        event = event_in(document, settings)
    except WireError as error:
        return rejected(error)
    return Claimable(event, claim_of(event, settings), ParsedEvent(event, document, settings, lambda *_: ()))


def event_in(document: Mapping[str, Any], settings: Settings) -> Event | Change:
    """The event of a webhook.

    Raises:
        WireError: It is malformed, or not for the agent.
    """
    event = read_event(document, settings)
    if (event.by if isinstance(event, Change) else event).is_group and not settings.groups:
        raise wire_error("unsupported-event", "/data/chats", "messages of group chats are not for the agent")
    return event


def claim_of(event: Event | Change, settings: Settings) -> EventClaim:
    """What is claimed of an event: of a message its own id."""
    if isinstance(event, Change):
        return EventClaim(type=event.type, event_id=event.event_id, native_id=event.native_id, app=settings.server)
    return EventClaim(
        type="message",
        event_id=event.native_id,
        native_id=event.native_id,
        app=settings.server,
    )
