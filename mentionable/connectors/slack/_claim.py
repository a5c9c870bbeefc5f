"""Stage one of two: a request of Slack becomes a claimed event; and what is claimed of an event."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from ..._errors.exceptions import WireError, wire_error
from ..._flow.asks import UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Handshake, Rejected, rejected
from ..._flow.settings import check_kind
from ..._wire.http import HttpRequest
from .._claim import Claimable, EventClaim, check_claim, claim_verified, retry_of
from .._claimed import Claimed, ParsedEvent
from .._settings import check_own_settings
from ._read.change import Change
from ._read.event import Event
from ._read.look_up import content_of
from ._read.request import SECRETS, read_document, read_event
from ._read.texts import mentioned
from ._settings import Settings
from ._verify import verify

REMEMBER_FOR: Final = timedelta(hours=25)
"""How long Slack retries an event: an hour, or a day where the app asks for delayed events."""


def claim(
    request: HttpRequest, *, now: datetime, recipient: str | None = None, settings: Settings
) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
    """Stage one of two: verify an event of Slack and claim it by one ask. Nothing is looked up.

    Answer `claimed.response` then, within three seconds, and keep the event in a queue under its `key`, which is the
    same for every delivery of it. `complete` makes the message later.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        recipient: The agent that it is for, when you know it: one app may be several agents.
        settings: `slack.Settings`.

    Returns:
        A flow of `Claimed`; of `Handshake`, whose response you send; or of `Rejected` as `receive` gives it. Where the
        store could not be asked (`lookup-failed`), Slack tries again when it gets the `http_status`.

    Raises:
        UsageError: An argument, or the answer to the ask, is of the wrong kind: fix your program.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.connectors.slack import Settings
        >>> settings = Settings(signing_secret=b"8f742231b10e8888abcd99yyyzzz85a5", issuer="slack.agents.example")
        >>> forged = HttpRequest(method="POST", url="https://slack.agents.example/slack/events", body=b"{}")
        >>> drive(claim(forged, now=datetime(2026, 11, 21, tzinfo=UTC), settings=settings), Answers()).code
        'request-unverified'
    """
    check_own_settings(settings, Settings)
    check_kind(request, HttpRequest, "request")
    check_claim(now, recipient)
    return _claim(request, now, recipient, settings)


def _claim(
    request: HttpRequest, now: datetime, recipient: str | None, settings: Settings
) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
    read = read_request(request, now=now, settings=settings)
    if isinstance(read, (Handshake, Rejected)):
        return read
    retry = retry_of(request, number="x-slack-retry-num", reason="x-slack-retry-reason")
    return (
        yield from claim_verified(
            read.claim, read.document, now=now, recipient=recipient, remember_for=REMEMBER_FOR, retry=retry
        )
    )


def read_request(
    request: HttpRequest, *, now: datetime, settings: Settings
) -> Claimable[Event | Change] | Handshake | Rejected:
    """The event of a request, once its signature is verified. Nothing is parsed before."""
    rejection = verify(request, now=now, settings=settings)
    if rejection is not None:
        return rejection
    try:
        document = read_document(request, settings)
        event = read_event(document)
        if isinstance(event, Handshake):
            return event
        claim = claim_of(event, settings)
    except WireError as error:
        return rejected(error)
    return Claimable(event, claim, ParsedEvent(event, document, settings, lambda *_: SECRETS))


def claim_of(event: Event | Change, settings: Settings) -> EventClaim:
    """What is claimed of an event: of a message its own id, since Slack may bring it by several events.

    Slack sends a mention in a channel twice to an app that subscribes to mentions and to messages, and once more where
    it was edited into the message.

    Raises:
        WireError: It is not for the agent (`own-message`, `unsupported-event`).
    """
    app = event.app or event.bot_user or ""
    if isinstance(event, Change):
        if event.is_own:
            raise wire_error("own-message", "/event", "the app itself did it")
        is_message = _is_newly_for_agent(event, settings)
        return EventClaim(
            type="message" if is_message else event.type,
            event_id=event.event_id,
            native_id=event.native_id,
            app=app,
            otherwise="edited" if is_message else None,
        )
    refusal = _refusal(event, settings)
    if refusal is not None:
        raise refusal
    return EventClaim(
        type="message",
        event_id=event.event_id,
        native_id=event.native_id,
        app=app,
    )


def _is_newly_for_agent(change: Change, settings: Settings) -> bool:
    """Whether an edit makes a message one for the agent that was none before."""
    if change.by is None or change.previous is None or _refusal(change.by, settings) is not None:
        return False
    return _refusal(change.previous, settings) is not None


def _refusal(event: Event, settings: Settings) -> WireError | None:
    """Why a message is not for the agent; None when it is."""
    if event.is_own:
        return wire_error("own-message", "/event", "the app itself wrote it")
    if event.kind == "app_mention" or (event.is_direct and event.bot is None) or _is_mentioned(event, settings):
        return None
    if event.bot is not None:
        return wire_error("unsupported-event", "/event", "a program wrote it and does not mention the agent")
    if settings.listen_to == "mentions":
        return wire_error("unsupported-event", "/event", "it does not mention the agent")
    return None


def _is_mentioned(event: Event, settings: Settings) -> bool:
    """Whether the sender mentions the agent in what they wrote themselves."""
    if event.bot_user is None or not (event.blocks or event.attachments or f"<@{event.bot_user}" in event.text):
        return False
    texts = [text for text in content_of(event, settings).texts if text.written_by is None]
    return any(event.bot_user in mentioned(text).values() for text in texts)
