"""From an event of a platform to one message for an agent: what every connector's `receive` shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from .._crypto.verification import rejection_of, verified_identities
from .._errors.exceptions import WireError, wire_error
from .._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Received, Rejected, rejected
from .._flow.settings import Settings
from .._model.base import EMPTY_DICT, frozen, replace
from .._model.capabilities import InlineRelay, MentionRelayCapability, RecipientCapabilities
from .._model.diagnostic import Diagnostic
from .._model.message import HistoricalMessage
from .._model.parts import Part
from .._model.sender import Sender
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._wire.address import Address, agent_address
from .._wire.strict_json import loads
from ._claim import A_DAY, EventClaim, Use, use_claim
from ._claimed import Claimed
from ._platform import PLATFORM_ONLY, Account, evidence_of, sender_of
from ._receive_context import ReceiveContext
from ._remote_file import RemoteFile, file_parts
from ._settings import MAX_BODY, ConnectorSettings


@frozen
class PlatformEvent:
    """An event of a platform that the connector has parsed, and that is not yet a message.

    Attributes:
        event_id: The platform's own id of the event, behind its name: `slack:Ev0123`. Evidence has it.
        native_id: The id of the message, behind the name of the platform; the same when the platform tries again.
        thread_id: The id of the conversation, likewise.
        account: The account that wrote it.
        parts: Its content without files.
        raw: Makes the `raw` of the message: fresh JSON of ids and short words alone.
        workspace: The workspace on the platform: part of the scope of files.
        channel: The channel: in the source of evidence, and in the scope of files.
        files: Its files.
        parent_id: The native id of the message that it answers.
        thread_of: Native ids of messages whose thread it joins when they are known.
        history: Earlier messages as the platform returned them; empty: `FindHistory` asks your store.
        withheld: The reason why there is no evidence of the account; None: there is evidence.
        may_be_verified_later: Whether there may be evidence after a retry.
        mention_relay: How other agents can be mentioned on the platform.
        diagnostics: What the connector left out when it parsed the event.
        extra: Members of ours that the message gets: frozen JSON.
    """

    event_id: str
    native_id: str
    thread_id: str
    account: Account
    parts: tuple[Part, ...]
    raw: Callable[[], Mapping[str, Any]]
    workspace: str = ""
    channel: str | None = None
    files: tuple[RemoteFile, ...] = ()
    parent_id: str | None = None
    thread_of: tuple[str, ...] = ()
    history: tuple[HistoricalMessage, ...] = ()
    withheld: str | None = None
    may_be_verified_later: bool = False
    mention_relay: MentionRelayCapability = InlineRelay()
    diagnostics: tuple[Diagnostic, ...] = ()
    extra: Mapping[str, Any] = EMPTY_DICT


def read_json(body: bytes, *, settings: Settings, max_bytes: int | None = None) -> dict[str, Any] | Rejected:
    """The JSON object that a platform sent, read strictly: bounded in size and depth, and no member twice.

    Verify the request before.

    Args:
        body: The body of the request.
        settings: `limits.json_depth` bounds how deep it is.
        max_bytes: How long it may be. None: `body_bytes` of `ConnectorSettings`, or 1 MiB with other settings.

    Example:
        >>> read_json(b"[" * 200_000, settings=Settings()).code
        'too-deep'
    """
    if max_bytes is None:
        max_bytes = settings.body_bytes if isinstance(settings, ConnectorSettings) else MAX_BODY
    try:
        return object_of_body(body, settings=settings, max_bytes=max_bytes)
    except WireError as error:
        return rejected(error)


def object_of_body(body: bytes, *, settings: Settings, max_bytes: int) -> dict[str, Any]:
    """The JSON object in a body.

    Raises:
        WireError: There is none, or it is too long or too deep.
    """
    document = loads(body, max_bytes=max_bytes, max_depth=settings.limits.json_depth, safe_integers=False)
    if not isinstance(document, dict):
        raise wire_error("wrong-type", "", "it must be a JSON object")
    return document


def claim_for_agent(
    claim: EventClaim | Claimed, context: ReceiveContext, *, candidates: Sequence[str], remember_for: timedelta
) -> Flow[FindAgent | UseOnce, tuple[Address, Use]]:
    """The agent that an event is for, and what came of its claim: now, or when it was claimed before.

    The agent is the one that the caller named, now or at the claim, else the one that `FindAgent` finds.

    Raises:
        WireError: `no-served-recipient`, `lookup-failed`, and what `use_claim` raises.
    """
    # The agent first: where that look-up fails, nothing is claimed, and the event counts when it comes again. `claim`
    # cannot look anything up, since the platform waits: its event is in a queue, from which `complete` runs again.
    named = context.recipient
    if named is None and isinstance(claim, Claimed):
        named = claim.recipient
    if named is not None:
        agent = agent_address(named)
    else:
        agent = (yield from resolve_recipients(candidates, limits=context.settings.limits))[0]
    if isinstance(claim, Claimed):
        return agent, Use(claim.type, claim.is_new)
    use = yield from use_claim(claim, recipient=context.recipient, until=context.now + remember_for)
    return agent, use


def deliver_event(
    event: PlatformEvent,
    context: ReceiveContext,
    *,
    candidates: Sequence[str] = (),
    remember_for: timedelta = A_DAY,
    claimed: Claimed | None = None,
) -> Flow[FindAgent | FindMessage | FindHistory | UseOnce, Received | Rejected]:
    """Deliver an event of a platform to its agent. No content of the event makes it raise.

    It finds the agent, rejects a message that another event brought (a retry of the platform becomes a redelivery with
    the same id), issues URLs for the files, and makes the evidence of the sender.

    Args:
        event: The event.
        context: What the caller of `receive` passed alongside the request.
        candidates: The native ids of agents that `FindAgent` is asked for, where `context` and `claimed` name none.
        remember_for: How long an event is remembered: longer than the platform retries.
        claimed: What `claim_event` gave for it, where you claimed it before: then nothing is claimed again.

    Raises:
        UsageError: An answer to an ask is of the wrong kind.

    Spec: Building a Connector §Required Pieces.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, TextPart, drive
        >>> from mentionable.connectors import account_address
        >>> account = Account(
        ...     platform="tavern", address=account_address("42", "house5", "tavern"), subject="tavern:5/42",
        ...     method="urn:mentionable:auth:tavern-guest:v0.1",
        ... )
        >>> event = PlatformEvent(
        ...     event_id="tavern:9001", native_id="tavern:5/17/9001", thread_id="tavern:5/17", account=account,
        ...     parts=(TextPart(content="Will it rain?"),), raw=lambda: {"platform": "tavern"},
        ... )
        >>> context = ReceiveContext(
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=Settings(),
        ...     issuer="tavern.agents.example", recipient="@helper@agents.example",
        ... )
        >>> got = drive(deliver_event(event, context), Answers(use_once=lambda ask: "first"))
        >>> got.identities[0].subject
        'tavern:5/42'
    """
    try:
        app = candidates[0] if candidates else ""
        claim = claimed or EventClaim(type="message", event_id=event.event_id, native_id=event.native_id, app=app)
        agent, use = yield from claim_for_agent(claim, context, candidates=candidates, remember_for=remember_for)
        return (yield from deliver_for(event, agent, context, is_retry=not use.is_new))
    except WireError as error:
        return rejected(error)


def deliver_for(
    event: PlatformEvent, agent: Address, context: ReceiveContext, *, is_retry: bool
) -> Flow[FindMessage | FindHistory, Received | Rejected]:
    """Deliver the message of an event that was not used for another one before to its agent.

    Raises:
        WireError: The event has no content that an agent can read.
    """
    parts, left_out = content_of(event, agent, context)
    if not parts:
        is_lost = any(one.code == "part-unsupported" for one in (*event.diagnostics, *left_out))
        code: Any = "part-unsupported" if is_lost else "unsupported-event"
        raise wire_error(code, "", "it has no content that an agent can read, or the platform withholds it")
    sender, withheld = attested(
        event.account,
        agent,
        context,
        event_id=event.event_id,
        channel=event.channel,
        withheld=event.withheld,
        may_be_verified_later=event.may_be_verified_later,
    )
    if (unverified := unverified_sender(withheld, context)) is not None:
        return unverified
    chain = context.agent_chain
    incoming = IncomingMessage(
        native_id=event.native_id,
        thread_id=event.thread_id,
        sender=sender,
        parts=parts,
        recipient_capabilities=RecipientCapabilities(mention_relay=event.mention_relay, agent_chain=chain),
        received_via="connector",
        raw=event.raw,
        parents=() if event.parent_id is None else (event.parent_id,),
        thread_of=event.thread_of,
        history=event.history,
        extra=event.extra,
    )
    # The platform's history is the conversation itself; a store would repeat some of it in other words.
    ask_history = context.settings.stored_history and not event.history
    return (
        yield from deliver(
            incoming,
            recipients=(agent,),
            verdict=PLATFORM_ONLY,
            now=context.now,
            entropy=context.entropy,
            settings=replace(context.settings, require_verified=False, stored_history=ask_history),
            diagnostics=[*event.diagnostics, *left_out, *([] if withheld is None else [withheld])],
            identities=verified_identities(sender.identities or ()),
            seen_by=(agent,) if is_retry else (),
        )
    )


def content_of(
    event: PlatformEvent, agent: Address, context: ReceiveContext
) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """The parts of an event with its files, and what was left out of them."""
    files, left_out = file_parts(
        event.files,
        context=context,
        agent=agent,
        provider=event.account.platform,
        place=(event.workspace, event.channel or ""),
        turn=event.native_id,
    )
    return (*event.parts, *files), left_out


def attested(
    account: Account,
    agent: Address,
    context: ReceiveContext,
    *,
    event_id: str,
    channel: str | None,
    withheld: str | None,
    may_be_verified_later: bool,
) -> tuple[Sender, Diagnostic | None]:
    """The sender, with evidence; else with a diagnostic of the reason why there is none."""
    reason = "no issuer is set" if context.issuer is None else withheld
    if context.issuer is None or reason is not None:
        return sender_of(account), Diagnostic(
            code="evidence-withheld", detail=reason or "", temporary=may_be_verified_later
        )
    evidence = evidence_of(
        account,
        issuer=context.issuer,
        audience=agent,
        event_id=event_id,
        now=context.now,
        channel=channel,
    )
    return sender_of(account, evidence), None


def unverified_sender(withheld: Diagnostic | None, context: ReceiveContext) -> Rejected | None:
    """The rejection of a sender without evidence, where the settings require it; None for others."""
    if withheld is None or not context.settings.require_verified:
        return None
    return rejection_of(replace(PLATFORM_ONLY, detail=withheld.detail, temporary=withheld.temporary))
