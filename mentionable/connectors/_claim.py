"""Stage one of two: an event that was verified is claimed by one atomic ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from .._errors.exceptions import WireError, wire_error
from .._flow.asks import UseOnce
from .._flow.flow import Failed, Flow
from .._flow.outcome import Rejected, rejected
from .._flow.settings import check_kind, check_now
from .._model.base import EMPTY_DICT, Lazy, frozen, unchecked
from .._wire.address import agent_address
from .._wire.http import HttpRequest
from .._wire.strict_json import plain
from .._wire.time import format_time
from ._claimed import Claimed, ClaimedType, EventType, ParsedEvent, Retry, new_claimed

E = TypeVar("E")

_NUMBER: Final = re.compile("[0-9]{1,4}", re.ASCII).fullmatch
_REASON: Final = re.compile("[a-z0-9_]{1,64}", re.ASCII).fullmatch
_new_use_once: Final = unchecked(UseOnce)


@frozen
class EventClaim:
    """What is claimed of an event that was verified and read.

    Attributes:
        type: What it is.
        event_id: The platform's own id of the event, behind its name.
        native_id: The id of the message, or of the message that it is about.
        app: The app that received it, as the platform names it: each app has keys of its own, since several may share
            a store.
        otherwise: What it is where another event has brought the message before; None: it is refused then.
        has_id: Whether the platform gives it an id. Without one nothing can be claimed.
    """

    type: ClaimedType
    event_id: str
    native_id: str
    app: str = ""
    otherwise: EventType | None = None
    has_id: bool = True

    def key(self, type: ClaimedType, recipient: str | None) -> str | None:
        """What is used once: a message by its own id, whichever event brings it; anything else by that of the event."""
        if not self.has_id:
            return None
        kind, id = ("message", self.native_id) if type == "message" else ("event", self.event_id)
        platform, _, own = id.partition(":")
        return " ".join(filter(None, (f"{platform}:{kind}:{own}", self.app, recipient)))


class Use(NamedTuple):
    """What came of a claim.

    Attributes:
        type: What the event is.
        is_new: Whether it did not come before.
    """

    type: ClaimedType
    is_new: bool


def use_claim(claim: EventClaim, *, recipient: str | None, until: datetime) -> Flow[UseOnce, Use]:
    """Claim an event by one ask: of all deliveries that ask, in whatever order, one is the first.

    Args:
        claim: What is claimed.
        recipient: The agent, where the caller named it: one app may be several agents.
        until: The end of the platform's retries.

    Raises:
        WireError: `lookup-failed`: the ask failed. `unsupported-event`: another event brought the same message.
            `replayed`: the event was about another message before.
    """
    key = claim.key(claim.type, recipient)
    if key is None:
        return Use(claim.type, True)
    is_message = claim.type == "message"
    answer = yield from _new_use_once(key=key, binding=claim.event_id if is_message else claim.native_id, until=until)
    if isinstance(answer, Failed):
        raise wire_error("lookup-failed", "", f"whether the event was used before: {answer.reason}")
    if answer != "other":
        return Use(claim.type, answer == "first")
    if claim.otherwise is not None:  # an edit of a message that the agent has: to make it twice does no harm
        return Use(claim.otherwise, True)
    if is_message:
        raise wire_error("unsupported-event", "", "another event brought the same message")
    raise wire_error("replayed", "", "the event was about another message before")


class Claimable(NamedTuple, Generic[E]):
    """An event of a request that was verified and read, and is not claimed yet.

    Attributes:
        event: The event.
        claim: What is claimed of it.
        document: Makes its document: a `ParsedEvent`.
    """

    event: E
    claim: EventClaim
    document: ParsedEvent


def claim_verified(
    claim: EventClaim,
    document: Callable[[], dict[str, Any]],
    *,
    now: datetime,
    recipient: str | None,
    remember_for: timedelta,
    retry: Retry | None = None,
    answer: str | None = None,
) -> Flow[UseOnce, Claimed | Rejected]:
    """Claim an event that was verified and read.

    Args:
        claim: What is claimed.
        document: Makes the document: a `ParsedEvent`, in a connector.
        now: The time.
        recipient: The agent that the caller named.
        remember_for: How long the claim counts.
        retry: What the platform says of a retry.
        answer: The JSON that the platform wants at once.
    """
    try:
        use = yield from use_claim(claim, recipient=recipient, until=now + remember_for)
    except WireError as error:
        return rejected(error)
    return new_claimed(
        platform=claim.event_id.partition(":")[0],
        type=use.type,
        event_id=claim.event_id,
        native_id=claim.native_id,
        key=claim.key(use.type, recipient),  # an edit is queued by a key of its own
        is_new=use.is_new,
        claimed_at=format_time(now),
        document=cast("Any", Lazy(document)),
        recipient=recipient,
        retry=retry,
        answer=answer,
        extra=EMPTY_DICT,
    )


A_DAY: Final = timedelta(days=1)
"""How long an event is remembered, unless its connector knows how long its platform retries."""


def claim_event(
    claim: EventClaim,
    *,
    document: dict[str, Any],
    now: datetime,
    recipient: str | None = None,
    remember_for: timedelta = A_DAY,
) -> Flow[UseOnce, Claimed | Rejected]:
    """Claim an event of a platform of your own by one ask, once its request is verified. Nothing is looked up.

    Answer the platform then, and put what you got into a queue under its `key`: `deliver_event` with `claimed=` makes
    the message of it.

    Args:
        claim: What is claimed.
        document: What `deliver_event` needs to make the message, as JSON, without credentials.
        now: The time, aware.
        recipient: The agent that it is for, when you know it.
        remember_for: How long the claim counts: longer than the platform retries.

    Returns:
        A flow of `Claimed`, or of `Rejected`: another event brought the same message (`unsupported-event`), the event
        was about another message (`replayed`), the ask failed (`lookup-failed`).

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> claim = EventClaim(type="message", event_id="tavern:9001", native_id="tavern:5/17/9001", app="tavern-bot")
        >>> flow = claim_event(claim, document={"text": "Hi"}, now=datetime(2026, 11, 21, tzinfo=UTC))
        >>> got = drive(flow, Answers(use_once=lambda ask: "first"))
        >>> got.key, got.is_new, got.response.status
        ('tavern:message:5/17/9001 tavern-bot', True, 200)
    """
    check_kind(claim, EventClaim, "claim")
    check_claim(now, recipient)
    made = plain(document)
    return claim_verified(claim, lambda: made, now=now, recipient=recipient, remember_for=remember_for)


def retry_of(request: HttpRequest, *, number: str, reason: str) -> Retry | None:
    """What the headers of a request say of a retry; None where it is none, or they are not of the known form.

    Args:
        request: The request.
        number: The header that counts retries.
        reason: The header that says why.
    """
    counted, why = request.header(number) or "", request.header(reason) or ""
    if _NUMBER(counted) is None:
        return None
    return Retry(number=int(counted), reason=why if _REASON(why) else None)


def check_claim(now: object, recipient: str | None) -> None:
    """Raise `UsageError` unless what the caller of `claim` gave alongside the request is of the right kind."""
    check_now(now)
    if recipient is not None:
        agent_address(recipient)
