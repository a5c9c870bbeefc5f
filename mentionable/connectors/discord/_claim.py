"""Stage one of two: a request of Discord, or an event of its gateway, becomes a claimed event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from ..._errors.exceptions import UsageError, WireError, wire_error
from ..._flow.asks import UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Handshake, Rejected, rejected
from ..._wire.http import HttpRequest
from ..._wire.strict_json import checked_json
from .._claim import Claimable, EventClaim, check_claim, claim_verified
from .._claimed import Claimed, ParsedEvent
from .._deliver import object_of_body
from .._settings import check_own_settings
from ._ids import time_of
from ._read.change import CHANGES, Change, read_change
from ._read.event import Event
from ._read.interaction import AUTOCOMPLETE, PING, is_interaction, read_interaction
from ._read.message import read_message
from ._respond import defer, json_response
from ._settings import Settings
from ._verify import verify

REMEMBER_FOR: Final = timedelta(days=1)
"""How long an event is remembered: Discord retries for minutes at most."""

_DISPATCHES: Final = ("MESSAGE_CREATE", "INTERACTION_CREATE")
_SECRETS: Final = frozenset(("token", "icon_url", "proxy_icon_url"))
_FILE_SECRETS: Final = frozenset((*_SECRETS, "url", "proxy_url"))
"""Members of a file that open it for whoever has them. The pictures in embeds and components are files, too."""


def check_request(request: object) -> None:
    """Raise `UsageError` unless this is a request, or an event of the gateway."""
    if not isinstance(request, (HttpRequest, Mapping)):
        raise UsageError("request is an HttpRequest, or an event of the gateway as a mapping")


def claim(
    request: HttpRequest | Mapping[str, Any], *, now: datetime, recipient: str | None = None, settings: Settings
) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
    """Stage one of two: verify an event of Discord and claim it by one ask. Nothing is looked up.

    Answer `claimed.response` to an HTTP request then, within three seconds, or `defer(ephemeral=True)`. Keep the event
    in a queue under its `key`; `complete` makes the message later. The `token` of an interaction is not in it: keep
    that yourself for `reply`, and the URLs of files (`sources`), too.

    Args:
        request: The HTTP request of an interaction, or an event of the gateway, with or without its envelope.
        now: The time, aware.
        recipient: The agent that it is for, when you know it: one application may be several agents.
        settings: `discord.Settings`.

    Returns:
        A flow of `Claimed`; of `Handshake`, whose response you send; or of `Rejected` as `receive` gives it.

    Raises:
        UsageError: An argument, or the answer to the ask, is of the wrong kind: fix your program.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.connectors.discord import Settings
        >>> settings = Settings(public_key="c4" * 32, application_id="7", issuer="discord.agents.example")
        >>> forged = HttpRequest(method="POST", url="https://discord.agents.example/interactions", body=b"{}")
        >>> drive(claim(forged, now=datetime(2026, 11, 21, tzinfo=UTC), settings=settings), Answers()).code
        'request-unverified'
    """
    check_own_settings(settings, Settings)
    check_request(request)
    check_claim(now, recipient)
    return _claim(request, now, recipient, settings)


def _claim(
    request: HttpRequest | Mapping[str, Any], now: datetime, recipient: str | None, settings: Settings
) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
    read = read_request(request, now=now, settings=settings)
    if isinstance(read, (Handshake, Rejected)):
        return read
    answer = defer(ephemeral=_is_ephemeral(read.event)).body.decode() if isinstance(request, HttpRequest) else None
    return (
        yield from claim_verified(
            read.claim, read.document, now=now, recipient=recipient, remember_for=REMEMBER_FOR, answer=answer
        )
    )


def read_request(
    request: HttpRequest | Mapping[str, Any], *, now: datetime, settings: Settings
) -> Claimable[Event | Change] | Handshake | Rejected:
    """The event of a request. Nothing of an HTTP request is parsed before its signature is verified."""
    if isinstance(request, HttpRequest):
        rejection = verify(request, now=now, settings=settings)
        if rejection is not None:
            return rejection
    try:
        document = read_document(request, settings)
        handshake = handshake_of(document) if isinstance(request, HttpRequest) else None
        if handshake is not None:
            return handshake
        event = event_in(document, settings)
        claim = claim_of(event, settings, now=now)
    except WireError as error:
        return rejected(error)
    return Claimable(event, claim, ParsedEvent(event, document, settings, _secrets_in))


def _is_ephemeral(event: Event | Change) -> bool:
    """Whether the person alone saw what was clicked: then the others do not see the answer either."""
    return isinstance(event, Event) and event.raw.get("ephemeral") is True


def _secrets_in(value: dict[str, Any], under: str) -> frozenset[str]:
    # A file has a name of it, a picture no type. What else has a URL is an embed, a button or a site.
    if under == "embeds":  # the type of an embed may be missing
        return _SECRETS
    is_file = "filename" in value or "proxy_url" in value or value.keys().isdisjoint(("type", "name"))
    return _FILE_SECRETS if is_file else _SECRETS


def claim_of(event: Event | Change, settings: Settings, *, now: datetime) -> EventClaim:
    """What is claimed of an event: of a message its own id.

    An edit may mention the agent for the first time. Discord does not say how the message read before; who claims the
    message first says it, as long as claims are remembered.

    Raises:
        WireError: `unsupported-event`: it is not for the agent.
    """
    app = settings.application_id
    if isinstance(event, Event):
        check_is_for_agent(event, settings)
        return EventClaim(
            type="message",
            event_id=event.event_id,
            native_id=event.native_id,
            app=app,
        )
    is_message = (
        event.message is not None
        and _is_for_agent(event.message, settings)
        and now - time_of(event.message.id) < REMEMBER_FOR
    )
    return EventClaim(
        type="message" if is_message else event.type,
        event_id=event.event_id,
        native_id=event.native_ids[0],
        app=app,
        otherwise="edited" if is_message else None,
        has_id=event.has_id,
    )


def read_document(request: HttpRequest | Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The JSON object of a request."""
    if isinstance(request, HttpRequest):
        return object_of_body(request.body, settings=settings, max_bytes=settings.body_bytes)
    document: dict[str, Any] = checked_json(request, max_depth=settings.limits.json_depth)
    return document


def handshake_of(document: Mapping[str, Any]) -> Handshake | None:
    """The response to a ping, and to the completion of an option."""
    kind = document.get("type")
    if kind.__class__ is not int:  # True is 1, too
        return None
    if kind == PING:
        return Handshake(response=json_response({"type": 1}))
    if kind == AUTOCOMPLETE:
        return Handshake(response=json_response({"type": 8, "data": {"choices": []}}))
    return None


def event_in(document: Mapping[str, Any], settings: Settings) -> Event | Change:
    """The event in a document, out of its envelope if it has one.

    Raises:
        WireError: It is malformed, or neither a message nor something that happened to one (`unsupported-event`).
    """
    if "t" in document and "d" in document:
        dispatch, data = document["t"], document["d"]
        if dispatch.__class__ is not str or not isinstance(data, dict):
            raise wire_error("unsupported-event", "/t", "it is no event")
        if dispatch in CHANGES:
            return read_change(dispatch, data, settings=settings)
        if dispatch not in _DISPATCHES:
            raise wire_error("unsupported-event", "/t", "neither a message nor an interaction")
        document = data
    read = read_interaction if is_interaction(document) else read_message
    return read(document, settings=settings)


def check_is_for_agent(event: Event, settings: Settings) -> None:
    """Raise unless the event is for the agent."""
    if not _is_for_agent(event, settings):
        raise wire_error("unsupported-event", "", "the message neither mentions nor answers the agent")


def _is_for_agent(event: Event, settings: Settings) -> bool:
    return event.is_addressed or (settings.listen_to == "everything" and not event.author.is_program)
