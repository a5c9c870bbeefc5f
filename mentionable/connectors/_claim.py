"""Stage one of two: an event is verified and claimed by one atomic ask, and becomes a value that a queue can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast

from attrs import field

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.asks import UseOnce
from .._flow.flow import Failed, Flow
from .._flow.outcome import Rejected, rejected
from .._flow.settings import check_kind, check_now
from .._model.base import EMPTY_DICT, Lazy, frozen, lazy_member, maker_of, unchecked, validated
from .._model.rules import CanonicalAddress, JsonObject, Name, Timestamp
from .._wire.address import agent_address
from .._wire.http import HttpRequest, HttpResponse
from .._wire.strict_json import plain
from .._wire.time import format_time

EventType: TypeAlias = Literal["edited", "deleted", "reaction-added", "reaction-removed"]
"""What happened to a message on a platform."""

ClaimedType: TypeAlias = Literal["message", "edited", "deleted", "reaction-added", "reaction-removed"]
"""What a claimed event is: a message for the agent, or something that happened to one."""

T = TypeVar("T")
E = TypeVar("E")

_NUMBER: Final = re.compile("[0-9]{1,4}", re.ASCII).fullmatch
_REASON: Final = re.compile("[a-z0-9_]{1,64}", re.ASCII).fullmatch


@validated
class Retry:
    """What a platform says of a delivery that it makes again. It is not signed: for logs, never for decisions.

    Attributes:
        number: Which retry it is.
        reason: Why, in the platform's words: `http_timeout`.
        extra: Members that this version does not know.
    """

    number: int
    reason: str | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Claimed:
    """An event of a platform that was verified and claimed. Answer the platform, and make the message of it later.

    `dumps` writes it, and `decode_trusted(Claimed, data)` reads it back. What is read back is worth what your store is
    worth: whoever can write there can write events. It holds no credential: where an interaction can be answered
    (`slack.response_url`, the `token` of Discord) you keep yourself, next to it. It holds what people wrote, and of
    BlueBubbles phone numbers.

    Attributes:
        platform: `slack`, `discord`, ….
        type: What it is.
        event_id: The platform's own id of the event, behind its name: `slack:Ev0123`.
        native_id: The id of the message, or of the message that it is about.
        key: The key of your queue, the same for all deliveries of the event. None: the platform gives such an event no
            id, so that nothing was claimed.
        is_new: Whether this delivery is the first one.
        claimed_at: When it was claimed.
        document: The event as the platform sent it, without credentials.
        recipient: The agent that the caller of `claim` named.
        retry: What the platform says of a retry.
        answer: The JSON that the platform wants at once; None: it wants status 200 alone.
        extra: Members that this version does not know.
    """

    platform: Name
    type: ClaimedType
    event_id: Name
    native_id: Name
    key: Name | None = None
    is_new: bool
    claimed_at: Timestamp
    document: JsonObject = field(repr=False, hash=False)
    recipient: CanonicalAddress | None = None
    retry: Retry | None = None
    answer: str | None = None
    extra: JsonObject = EMPTY_DICT

    @property
    def response(self) -> HttpResponse:
        """What to answer to the platform, at once."""
        if self.answer is None:
            return HttpResponse(status=200)
        return HttpResponse(status=200, headers={"content-type": "application/json"}, body=self.answer.encode())


lazy_member(Claimed, "document")
_new_claimed: Final = unchecked(Claimed)
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


new_claim: Final = unchecked(EventClaim)


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


class Reading:
    """An event that was read in this process: `complete` need not read it again.

    As a function it makes the document that a queue holds, a fresh copy without credentials.
    """

    __slots__ = ("_document", "_drop", "_settings", "event")

    def __init__(
        self,
        event: object,
        document: dict[str, Any],
        settings: object,
        drop: Callable[[dict[str, Any]], Collection[str]],
    ) -> None:
        self.event, self._document, self._settings, self._drop = event, document, settings, drop

    def __call__(self) -> dict[str, Any]:
        made: dict[str, Any] = stripped(self._document, self._drop)
        return made

    def is_by(self, settings: object) -> bool:
        """Whether it was read with these very settings."""
        return self._settings is settings


def event_in_claimed(claimed: Claimed, settings: T, read: Callable[[Mapping[str, Any], T], E]) -> E:
    """The event of a claimed one: as `claim` read it a moment ago, else read from its document.

    Raises:
        WireError: The document does not hold an event.
    """
    reading = maker_of(claimed, "document")
    if isinstance(reading, Reading) and reading.is_by(settings):
        return cast("E", reading.event)
    return read(claimed.document, settings)


def claimed_value(
    claim: EventClaim,
    use: Use,
    *,
    now: datetime,
    document: Callable[[], dict[str, Any]],
    recipient: str | None,
    retry: Retry | None = None,
    answer: str | None = None,
) -> Claimed:
    """The value of an event that was claimed.

    Args:
        claim: What was claimed.
        use: What came of it.
        now: The time.
        document: Makes the document: a `Reading`, in a connector.
        recipient: The agent that the caller named.
        retry: What the platform says of a retry.
        answer: The JSON that the platform wants at once.
    """
    return _new_claimed(
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
    check_now(now)
    return _claim_event(claim, plain(document), now, recipient, remember_for)


def _claim_event(
    claim: EventClaim, document: dict[str, Any], now: datetime, recipient: str | None, remember_for: timedelta
) -> Flow[UseOnce, Claimed | Rejected]:
    try:
        use = yield from use_claim(claim, recipient=recipient, until=now + remember_for)
    except WireError as error:
        return rejected(error)
    return claimed_value(claim, use, now=now, document=lambda: document, recipient=recipient)


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


def stripped(value: Any, drop: Callable[[dict[str, Any]], Collection[str]]) -> Any:
    """A copy of JSON without some members, wherever they stand.

    Args:
        value: JSON that a reader has bounded in its depth.
        drop: The names of the members that an object must not have.
    """
    if isinstance(value, dict):
        names = drop(value)
        return {name: stripped(member, drop) for name, member in value.items() if name not in names}
    return [stripped(item, drop) for item in value] if isinstance(value, list) else value


def check_claim(now: object, recipient: str | None) -> None:
    """Raise `UsageError` unless what the caller of `claim` gave alongside the request is of the right kind."""
    check_now(now)
    if recipient is not None:
        agent_address(recipient)


def check_claimed(claimed: object, platform: str) -> None:
    """Raise `UsageError` unless an event was claimed by the same connector."""
    if not isinstance(claimed, Claimed) or claimed.platform != platform:
        raise UsageError(f"claimed must be what claim of {platform} gave")
