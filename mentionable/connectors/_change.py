"""From something that happened to a message on a platform to a `ReceivedEvent`: what every connector shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeAlias

from .._crypto.verification import verified_identities
from .._errors.exceptions import Problem, WireError, wire_error
from .._flow.asks import FindAgent, FindMessage, UseOnce
from .._flow.flow import Flow, ask_each
from .._flow.outcome import Rejected, rejected
from .._model.base import frozen
from .._model.content_digest import digest_of
from .._model.diagnostic import Diagnostic, cap_diagnostics
from .._model.parts import Part
from .._model.stored_message import StoredMessage
from .._transport.delivery import from_store
from .._wire.address import Address
from ._claim import A_DAY, EventClaim
from ._claimed import Claimed, EventType
from ._deliver import PlatformEvent, attested, claim_for_agent, content_of, unverified_sender
from ._event import ReceivedEvent
from ._platform import PLATFORM_ONLY, Account
from ._receive_context import ReceiveContext

Rows: TypeAlias = Mapping[str, StoredMessage]
"""Native id → the message that is stored under it."""


@frozen
class PlatformChange:
    """Something that happened to a message on a platform, as the connector has parsed it.

    Attributes:
        type: What happened.
        event_id: The platform's own id of the event, behind its name.
        object_ids: The native ids of the messages that it is about.
        raw: Makes its `raw`: fresh JSON of ids and short words alone.
        account: Who did it; None where the platform does not say.
        channel: The channel.
        message: Of an edit the message as it reads now.
        previous: Of an edit its parts as they were before.
        content: Of a reaction the emoji.
        withheld: The reason why there is no evidence of the account; None: there is evidence.
        may_be_verified_later: Whether there may be evidence after a retry.
        diagnostics: What the connector left out when it parsed the event.
    """

    type: EventType
    event_id: str
    object_ids: tuple[str, ...]
    raw: Callable[[], Mapping[str, Any]]
    account: Account | None = None
    channel: str | None = None
    message: PlatformEvent | None = None
    previous: tuple[Part, ...] = ()
    content: str | None = None
    withheld: str | None = None
    may_be_verified_later: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()


def find_stored(object_ids: tuple[str, ...], agent: Address) -> Flow[FindMessage, Rows]:
    """What is stored of the messages that an event is about.

    Raises:
        WireError: `lookup-failed`: the store could not be asked just now.
    """
    answers = yield from ask_each(tuple([FindMessage(native_id=id, recipient=agent) for id in object_ids]))
    rows = zip(object_ids, map(from_store, answers), strict=True)
    return {id: row for id, row in rows if row is not None}


def event_of(
    change: PlatformChange, stored: Rows, agent: Address, context: ReceiveContext, *, is_retry: bool
) -> ReceivedEvent | Rejected:
    """The event for its agent, with evidence of who did it.

    An edit by another account than wrote the stored message is rejected as `owner-mismatch`.

    Raises:
        WireError: A file of the message cannot be named.
    """
    account, diagnostics = change.account, list(change.diagnostics)
    parts: tuple[Part, ...] = ()
    if change.message is not None:
        account = account or change.message.account
        parts, left_out = content_of(change.message, agent, context)
        diagnostics += left_out
        if not all(_wrote(row, account) for row in stored.values()):
            problem = Problem("", "another account wrote the message that is stored")
            return Rejected(code="owner-mismatch", problems=(problem,), verdict=PLATFORM_ONLY)
        diagnostics += [
            Diagnostic(code="edit-unchanged", detail=f"to {agent}")
            for row in stored.values()
            if row.digest == digest_of(parts)
        ]
    sender = None
    if account is not None:
        sender, withheld = attested(
            account,
            agent,
            context,
            event_id=change.event_id,
            channel=change.channel,
            withheld=change.withheld,
            may_be_verified_later=change.may_be_verified_later,
        )
        if (unverified := unverified_sender(withheld, context)) is not None:
            return unverified
        if withheld is not None:
            diagnostics.append(withheld)
    return ReceivedEvent(
        type=change.type,
        id=change.event_id,
        object_ids=change.object_ids,
        recipient=agent,
        actor=sender,
        parts=parts,
        previous=change.previous,
        content=change.content,
        stored=dict(stored),
        identities=verified_identities((sender and sender.identities) or ()),
        redelivered=is_retry,
        raw=change.raw(),
        diagnostics=cap_diagnostics(diagnostics),
    )


def _wrote(row: StoredMessage, account: Account) -> bool:
    """Whether an account wrote a stored message.

    Its address may name another place than before: a platform does not always say of which workspace an author is. The
    id of the message says of which platform and channel it is.
    """
    local, _, domain = row.sender.rpartition("@")
    platform = ".".join(account.address.domain.rsplit(".", 2)[-2:])
    return local == account.address.rpartition("@")[0] and f".{domain}".endswith(f".{platform}")


def deliver_change(
    change: PlatformChange,
    context: ReceiveContext,
    *,
    candidates: Sequence[str] = (),
    remember_for: timedelta = A_DAY,
    claimed: Claimed | None = None,
) -> Flow[FindAgent | FindMessage | UseOnce, ReceivedEvent | Rejected]:
    """Deliver an edit, a deletion or a reaction of a platform of your own to the agent. No content makes it raise.

    Args:
        change: What happened.
        context: What the caller of `receive` passed alongside the request.
        candidates: The native ids of agents that `FindAgent` is asked for, where `context` and `claimed` name none.
        remember_for: How long an event is remembered: longer than the platform retries.
        claimed: What `claim_event` gave for it, where you claimed it before: then nothing is claimed again.

    Returns:
        A flow of `ReceivedEvent`, or of `Rejected`: it names no message (`unsupported-event`), no agent is served
        (`no-served-recipient`), the store could not be asked (`lookup-failed`), another account wrote what is edited
        (`owner-mismatch`).

    Raises:
        UsageError: An answer to an ask is of the wrong kind.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, Settings, drive
        >>> change = PlatformChange(
        ...     type="deleted", event_id="tavern:9002", object_ids=("tavern:5/17/9001",), raw=dict
        ... )
        >>> context = ReceiveContext(
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=Settings(),
        ...     recipient="@helper@agents.example",
        ... )
        >>> got = drive(deliver_change(change, context), Answers(use_once=lambda ask: "first"))
        >>> got.type, got.object_id, got.actor
        ('deleted', 'tavern:5/17/9001', None)
    """
    try:
        if not change.object_ids:
            raise wire_error("unsupported-event", "", "it names no message")
        app = candidates[0] if candidates else ""
        claim = claimed or EventClaim(
            type=change.type, event_id=change.event_id, native_id=change.object_ids[0], app=app
        )
        agent, use = yield from claim_for_agent(claim, context, candidates=candidates, remember_for=remember_for)
        stored = yield from find_stored(change.object_ids, agent)
        return event_of(change, stored, agent, context, is_retry=not use.is_new)
    except WireError as error:
        return rejected(error)
