"""From an incoming message to one message for each recipient: what every `receive` shares.

`resolve_recipients` asks which agents a message is for; `deliver` makes the messages: ids, redelivery, thread, parent,
history.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from .._crypto.verification import rejection_of, verified_identities, verified_sender
from .._errors.exceptions import Code, Problem, WireError, wire_error
from .._flow.asks import FindAgent, FindHistory, FindMessage
from .._flow.flow import Failed, Flow, ask_each
from .._flow.outcome import Received, Rejected, Verdict, rejected
from .._flow.settings import Limits, Settings
from .._model.base import EMPTY_DICT, Lazy, frozen, replace, unchecked
from .._model.capabilities import RecipientCapabilities
from .._model.content_digest import digest_of
from .._model.diagnostic import Diagnostic, cap_diagnostics
from .._model.identity import VerifiedIdentity
from .._model.message import HistoricalMessage, NormalizedMessage, NormalizedResponse, ReceivedVia
from .._model.parts import CarriedPolicy, Part
from .._model.sender import Sender
from .._model.stored_message import StoredMessage
from .._wire.address import ANONYMOUS, Address, agent_address
from .._wire.ids import uuid7
from .._wire.strict_json import sent_indexes
from .._wire.time import format_time
from .history import followers, merge, trim, trim_merged
from .policy_part import bind_policy

DeliveryAsk: TypeAlias = FindMessage | FindHistory

T = TypeVar("T")

_MAX_NAMES: Final = 3
"""How many names of recipients a problem lists."""

_STRENGTH: Final = {"none": 0, "email-dmarc": 2}
"""How strongly a method verifies the sender: DMARC by SPF alone is 1, every cryptographic method is 3."""

_JOINED_BY_ID: Final = frozenset(("activitypub", "email"))
"""Transports where whoever knows the id of a message can answer it, and so get into its thread."""

_new_message: Final = unchecked(NormalizedMessage)
_new_received: Final = unchecked(Received)
_new_turn: Final = unchecked(HistoricalMessage)
_find_agent: Final = unchecked(FindAgent)
_find_message: Final = unchecked(FindMessage)
_new_find_history: Final = unchecked(FindHistory)


class CarriedTrace(NamedTuple):
    """The sender's full response, as a message carries it.

    Attributes:
        response: The response.
        at: Its JSON pointer in the message.
    """

    response: NormalizedResponse
    at: str


@frozen
class IncomingMessage:
    """A message as its transport read and checked it, before its recipients are known.

    Attributes:
        native_id: The protocol's own id.
        aliases: Other ids under which a reply may name it.
        thread_id: The thread that the message itself names.
        sender: Who sent it, with the evidence of others that counts.
        parts: Its content.
        recipient_capabilities: What its platform offers.
        received_via: The protocol.
        raw: Makes the parsed native message: fresh JSON without secrets, nothing of it shared with what it made before.
        content_id: The protocol's id of what people read in it, where that has one of its own.
        is_edit: Whether it changes what was sent before under `content_id`.
        is_fetched: Whether it was asked for: then it is what its sender says now, whatever was sent before.
        parents: The protocol's ids of the messages that it answers. The first one that is stored is the parent, else
            the first one.
        thread_of: Protocol ids of messages whose thread it joins when they are known here, the best first.
        conversation_id: An id that all messages of its conversation share. Anyone who has one of them knows it, so that
            it joins the thread of a message of the same sender, or of the agent, alone.
        named_thread: The thread, where its sender chose it: it may be the id of a message that another wrote.
        history: The prior turns that it brings, in any order, roles not yet decided.
        turn_ids: Under which protocol ids these turns may be stored, in the same order; empty: under none.
        received_trace: The trace, where one could be read.
        asked: What the store answered before, as `ask_stored` gave it. What is an edit, or was fetched, must have it.
        extra: Members of ours that each message gets: frozen JSON.
        is_report: Whether a program reports about a message: it need not have written in the thread before.
    """

    native_id: str
    thread_id: str
    sender: Sender
    parts: tuple[Part, ...]
    recipient_capabilities: RecipientCapabilities
    received_via: ReceivedVia
    raw: Callable[[], Any]
    aliases: tuple[str, ...] = ()
    content_id: str | None = None
    is_edit: bool = False
    is_fetched: bool = False
    parents: tuple[str, ...] = ()
    thread_of: tuple[str, ...] = ()
    conversation_id: str | None = None
    named_thread: str | None = None
    history: tuple[HistoricalMessage, ...] = ()
    turn_ids: tuple[str, ...] = ()
    received_trace: CarriedTrace | None = None
    asked: Mapping[FindMessage, Any] | None = None
    extra: Mapping[str, Any] = EMPTY_DICT
    is_report: bool = False


def resolve_recipients(candidates: Iterable[str], *, limits: Limits) -> Flow[FindAgent, tuple[Address, ...]]:
    """The agents served here among the native ids that a message names, each once, in order.

    Args:
        candidates: Mailboxes, IRIs or URLs, as the message names them.
        limits: Bounds the number of candidates.

    Raises:
        WireError: No agent is served, too many are named, or the caller could not tell just now.
        UsageError: The answer to an ask is not an agent address.

    Spec: Normalized Message §3.1 (recipient).
    """
    asks = recipient_asks(candidates, limits=limits)
    return recipients_from(asks, (yield from ask_each(asks)))


def recipient_asks(candidates: Iterable[str], *, limits: Limits) -> tuple[FindAgent, ...]:
    """The asks of `resolve_recipients`, for a transport that has more to ask in the same batch."""
    native_ids = dict.fromkeys(candidates)
    if len(native_ids) > limits.recipients:
        raise wire_error("too-many-recipients", "", f"{len(native_ids)} recipients, at most {limits.recipients}")
    return tuple([_find_agent(native_id=native_id) for native_id in native_ids])


def recipients_from(asks: Sequence[FindAgent], answers: Sequence[str | Failed | None]) -> tuple[Address, ...]:
    """The agents that the answers to `recipient_asks` name, each once.

    Raises:
        WireError: No agent is served, or the caller could not tell just now.
    """
    agents = served_agents(answers)
    if not agents:
        raise wire_error("no-served-recipient", "", not_served(asks))
    return agents


def served_agents(answers: Iterable[str | Failed | None]) -> tuple[Address, ...]:
    """The agents that the answers to `recipient_asks` name, each once; maybe none.

    Raises:
        WireError: The caller could not tell just now.
    """
    agents: dict[Address, None] = {}
    for answer in answers:
        if answer is None:
            continue
        if isinstance(answer, Failed):
            raise wire_error("lookup-failed", "", f"the recipient could not be looked up: {answer.reason}")
        agents[agent_address(answer)] = None
    return tuple(agents)


def from_store(answer: T | Failed) -> T:
    """The answer of the caller's store.

    Raises:
        WireError: `lookup-failed`: the store could not be asked just now.
    """
    if isinstance(answer, Failed):
        raise wire_error("lookup-failed", "", f"the store could not be asked: {answer.reason}")
    return answer


def not_served(asks: Sequence[FindAgent]) -> str:
    """Why no agent is served, with the first names that were tried."""
    if not asks:
        return "the message names no recipient"
    names = ", ".join(ask.native_id[:200] for ask in asks[:_MAX_NAMES])
    return f"none of these is served here: {names}" + (" and others" if len(asks) > _MAX_NAMES else "")


def ask_stored(
    ids: tuple[str, ...], recipients: tuple[Address, ...], *, verdict: Verdict
) -> Flow[FindMessage, dict[FindMessage, Any] | Rejected]:
    """What the store has under the ids of a message that changes another, or was fetched: for `IncomingMessage.asked`.

    Where it cannot tell just now, the message is rejected, or it would be answered again. Ask before the signature is
    used up (`check_replay`): then the message counts when it comes again.
    """
    asks = [_find_message(native_id=native_id, recipient=agent) for agent in recipients for native_id in ids]
    answers = yield from ask_each(asks)
    try:
        return dict(zip(asks, map(from_store, answers), strict=True))
    except WireError as error:
        return rejected(error, verdict)


def unchanged_edit(
    asked: Mapping[FindMessage, Any],
    ids: tuple[str, ...],
    parts: tuple[Part, ...],
    *,
    sender: Sender,
    recipients: tuple[Address, ...],
    verdict: Verdict,
    settings: Settings,
    diagnostics: Iterable[Diagnostic],
) -> Received | Rejected | None:
    """The outcome of an edit that changes nothing for any of its recipients; None for every other edit.

    Nothing else of a message need be looked up before it is known that something changed: the counts of a poll come by
    the thousand.

    Args:
        asked: What the store has, as `ask_stored` gave it.
        ids: The protocol's ids of the edit and of what it changes.
        parts: What people read in it now.
        sender: Who sent it, unverified.
        recipients: The agents that it is for.
        verdict: Who sent it; what that used up was asked before (`check_replay`).
        settings: Whether senders must be verified.
        diagnostics: What was odd.
    """
    if settings.require_verified and not verdict.verified:
        return rejection_of(verdict)
    digest, reported = digest_of(parts), list(diagnostics)
    rows: list[StoredMessage] = []
    for agent in recipients:
        known = [asked[_find_message(native_id=native_id, recipient=agent)] for native_id in ids]
        row = next(filter(None, known), None)
        if row is None or not (row.digest == digest or known[0] is not None):
            return None
        rows.append(row)
        reported.append(Diagnostic(code="edit-unchanged", detail=f"to {agent}"))
    return _edit_fault(rows, sender, verdict) or _new_received(
        messages=(),
        native_id=ids[0],
        verdict=verdict,
        aliases=ids[1:],
        blobs={},
        diagnostics=cap_diagnostics(reported),
        identities=verified_identities([verdict.evidence], verdict.addressed),
    )


def deliver(
    incoming: IncomingMessage,
    *,
    recipients: tuple[Address, ...],
    verdict: Verdict,
    now: datetime,
    entropy: bytes,
    settings: Settings,
    blobs: Mapping[str, bytes] | None = None,
    diagnostics: Iterable[Diagnostic] = (),
    identities: tuple[VerifiedIdentity, ...] = (),
    seen_by: Collection[str] = (),
) -> Flow[DeliveryAsk, Received | Rejected]:
    """Makes one message for each recipient, with what the caller's store knows of it.

    Only the verdict makes the sender verified; what it used up must be asked before (`check_replay`), which says for
    `seen_by` which recipients got the same message before: for them it is a redelivery, stored or not.
    """
    # 1. Reject an unverified sender, where the settings want a verified one.
    # 2. Leave URLs of other hosts out of the policies in the sender's trace.
    # 3. Ask the store, in one batch, for the message, for those that it names, and for the history of its thread.
    # 4. Choose the thread, the parent and the id for each recipient. Where the thread is another than the message
    #    names, ask for its history, in one more batch. Reject an edit of what another wrote.
    # 5. Make the messages, each with the prior turns that its recipient may see.

    # 1
    if settings.require_verified and not verdict.verified:
        return rejection_of(verdict)
    # 2
    reported = list(diagnostics)
    trace = None
    if incoming.received_trace is not None:
        trace, refused_urls = _without_foreign_urls(incoming.received_trace, incoming.sender, reported)
        reported += refused_urls
    # 3
    address = verdict.address or incoming.sender.address
    # Callers without an address all have the same in its place: for them it is None, and proves nothing.
    asker = (None, False) if address in ANONYMOUS else (address, verdict.verified)
    native_ids = _native_ids(incoming)
    is_history_asked = settings.stored_history and _brings_less(incoming.history, recipients, now, settings)
    asks: list[DeliveryAsk] = []
    for agent in recipients:
        for native_id in native_ids:
            asks.append(_find_message(native_id=native_id, recipient=agent))
        if is_history_asked:
            asks.append(_find_history(incoming.thread_id, agent, asker))
    asked: Mapping[Any, Any] | None = incoming.asked
    if asked is not None:
        asks = [ask for ask in asks if ask not in asked]
    answers = yield from ask_each(asks)
    # 4
    if asked is not None or any(answers):
        answer_to = {**(asked or {}), **dict(zip(asks, answers, strict=True))}
        stored, odd = yield from _stored(incoming, recipients, verdict, asker, answer_to)
        reported += odd
    else:  # nothing is known: most messages are new, and begin a thread
        parent_id = incoming.parents[0] if incoming.parents else None
        stored = [_new_stored(thread_id=incoming.thread_id, parent_id=parent_id)] * len(recipients)
    if incoming.is_edit or incoming.is_fetched:
        rows = [one.edited for one in stored if one.edited is not None]
        if (fault := _edit_fault(rows, incoming.sender, verdict, is_fetched=incoming.is_fetched)) is not None:
            return fault
    # 5
    received_at, messages, redelivered, edited = format_time(now), [], [], []
    for index, agent in enumerate(recipients):
        known = stored[index]
        if known.is_unchanged:
            continue
        history: tuple[HistoricalMessage, ...] | None = None
        if incoming.history or known.turns:
            history, trimmed = _history_for(agent, incoming, known, now, settings)
            reported += trimmed
        message = _new_message(
            id=known.message_id or uuid7(now, entropy, "message", index),
            thread_id=known.thread_id,
            sender=verified_sender(incoming.sender, verdict, agent),
            recipient=agent,
            parts=incoming.parts,
            recipient_capabilities=incoming.recipient_capabilities,
            received_via=incoming.received_via,
            received_at=received_at,
            raw=Lazy(incoming.raw),
            in_reply_to=known.parent_id,
            history=history,
            received_trace=trace,
            extra=incoming.extra,
        )
        if known.edited is not None:
            edited.append(message)
            continue
        messages.append(message)
        if known.message_id is not None:
            redelivered.append(message)
        elif agent in seen_by:
            redelivered.append(message)
            reported.append(_redelivered(agent))
    if verdict.evidence is not None:
        identities = (*verified_identities([verdict.evidence], verdict.addressed), *identities)
    return _new_received(
        messages=tuple(messages),
        native_id=incoming.native_id,
        verdict=verdict,
        aliases=incoming.aliases,
        blobs=blobs or {},
        diagnostics=cap_diagnostics(reported) if reported else (),
        identities=identities,
        redelivered=tuple(redelivered),
        edited=tuple(edited),
    )


def _without_foreign_urls(
    trace: CarriedTrace, sender: Sender, dropped: Iterable[Diagnostic]
) -> tuple[NormalizedResponse, list[Diagnostic]]:
    """A trace without the URLs of its policies that are not on the sender's host, and why each was left out.

    Args:
        trace: The trace, and where it is.
        sender: Whose trace it is.
        dropped: The diagnostics of items that were left out when it was read: they shift the places of the others.
    """
    response = trace.response
    refused_urls: list[Diagnostic] = []
    if not any(part.__class__ is CarriedPolicy for part in response.parts):
        return response, refused_urls
    parts, authority, at = list(response.parts), sender.address.rpartition("@")[2], f"{trace.at}/parts"
    left_out = {one.at for one in dropped}
    for index, (part, place) in enumerate(zip(response.parts, sent_indexes(at, left_out), strict=False)):
        if isinstance(part, CarriedPolicy):
            parsed = bind_policy(part.policy, authority, at=f"{at}/{place}/policy", left_out=left_out)
            parts[index] = part if parsed.policy is None else replace(part, policy=parsed.policy)
            refused_urls += parsed.diagnostics
    return replace(response, parts=tuple(parts)), refused_urls


# -- the answers of the caller's store


@frozen
class _Stored:
    """The answers of the caller's store about a message for one recipient.

    Attributes:
        thread_id: The thread that it joins.
        parent_id: What it answers: an id of the store where that is known.
        message_id: Its id, when it was stored before.
        edited: What was stored of it, where it changes that.
        is_unchanged: Whether it is an edit that changes nothing that people read.
        turns: The turns of its thread that are stored.
        turn_ids: Under which of their ids each turn that it brings is stored, as far as that is known.
        history_ask: The ask for these turns, where the thread is another than the message names.
        named: What is stored of the messages that it names, where it may join the thread of another by their ids.
    """

    thread_id: str
    parent_id: str | None
    message_id: str | None = None
    edited: StoredMessage | None = None
    is_unchanged: bool = False
    turns: Sequence[HistoricalMessage] = ()
    turn_ids: tuple[str | None, ...] = ()
    history_ask: FindHistory | None = None
    named: tuple[StoredMessage, ...] | None = None


_new_stored: Final = unchecked(_Stored)

_Asker: TypeAlias = tuple[str | None, bool]
"""Who asks for a history: their address, and whether that was proven."""


def _find_history(thread_id: str, agent: Address, asker: _Asker) -> FindHistory:
    return _new_find_history(thread_id=thread_id, recipient=agent, sender=asker[0], verified=asker[1])


def _native_ids(incoming: IncomingMessage) -> tuple[str, ...]:
    """Under which ids the caller may have stored the message itself, and those that it names, each once.

    Turns that a message brings are those above it: without a parent there are none to be named.
    """
    others: tuple[str | None, ...] = (incoming.content_id, incoming.conversation_id, incoming.named_thread)
    if incoming.parents or incoming.thread_of:
        others = (*others, *incoming.parents, *incoming.thread_of, *incoming.turn_ids)
    elif others == (None, None, None):
        return (incoming.native_id,)
    return tuple(filter(None, dict.fromkeys((incoming.native_id, *others))))


def _stored(
    incoming: IncomingMessage,
    recipients: tuple[Address, ...],
    verdict: Verdict,
    asker: _Asker,
    answer_to: Mapping[DeliveryAsk, Any],
) -> Flow[DeliveryAsk, tuple[list[_Stored], list[Diagnostic]]]:
    """The state of the store for each recipient, by its answers to the first batch of asks; and diagnostics."""
    states: list[_Stored] = []
    diagnostics: list[Diagnostic] = []
    for agent in recipients:
        state, odd = _stored_for(agent, incoming, verdict, asker, answer_to)
        states.append(state)
        diagnostics += odd
    asks = {index: state.history_ask for index, state in enumerate(states) if state.history_ask is not None}
    if asks:
        for index, answer in zip(asks, (yield from ask_each(tuple(asks.values()))), strict=True):
            turns, unanswered = _stored_turns(answer, recipients[index])
            states[index] = replace(states[index], turns=turns)
            diagnostics += unanswered
    for agent, state in zip(recipients, states, strict=True):
        diagnostics += _joined(verdict.address or incoming.sender.address, state, agent)
    return states, diagnostics


def _stored_for(
    agent: Address,
    incoming: IncomingMessage,
    verdict: Verdict,
    asker: _Asker,
    answer_to: Mapping[DeliveryAsk, Any],
) -> tuple[_Stored, list[Diagnostic]]:
    """The state of the store for one recipient, as far as the first batch of asks tells it; and diagnostics."""
    known, diagnostics = _named_rows(agent, incoming, answer_to)
    thread_id, unproven = _thread(incoming, known, verdict, agent)
    row = known.get(incoming.native_id) or known.get(incoming.content_id)
    message_id: str | None
    edited, is_unchanged = None, False
    if row is not None and (incoming.is_edit or (incoming.is_fetched and _is_own(row, incoming.sender, verdict))):
        message_id, thread_id = row.id, row.thread_id
        is_same = row.digest == digest_of(incoming.parts)
        is_unchanged = incoming.is_edit and (is_same or incoming.native_id in known)
        edited = None if incoming.is_fetched and is_same else row
        code: Code = "redelivered" if edited is None else "edit-unchanged" if is_unchanged else "edited"
        diagnostics.append(Diagnostic(code=code, detail=f"to {agent}"))
    else:
        message_id, repeated = _stored_id(row, incoming, verdict, agent)
        diagnostics += repeated
    diagnostics += unproven
    asked = _find_history(incoming.thread_id, agent, asker)
    is_elsewhere = asked in answer_to and thread_id != incoming.thread_id
    turns, unanswered = _stored_turns(() if is_elsewhere else answer_to.get(asked), agent)
    diagnostics += unanswered
    parent = next(filter(None, map(known.get, incoming.parents)), None)
    may_join = incoming.received_via in _JOINED_BY_ID and row is None and not incoming.is_report
    state = _new_stored(
        thread_id=thread_id,
        parent_id=parent.id if parent else incoming.parents[0] if incoming.parents else None,
        message_id=message_id,
        edited=edited,
        is_unchanged=is_unchanged,
        turns=turns,
        turn_ids=tuple([known[native].id if native in known else None for native in incoming.turn_ids]),
        history_ask=_find_history(thread_id, agent, asker) if is_elsewhere else None,
        named=tuple(known.values()) if may_join else None,
    )
    return state, diagnostics


def _named_rows(
    agent: Address, incoming: IncomingMessage, answer_to: Mapping[DeliveryAsk, Any]
) -> tuple[dict[str | None, StoredMessage], list[Diagnostic]]:
    """Native id → what is stored under it, of the ids of `_native_ids`; and what could not be looked up."""
    known: dict[str | None, StoredMessage] = {}
    diagnostics: list[Diagnostic] = []
    for native_id in _native_ids(incoming):
        answer = answer_to[_find_message(native_id=native_id, recipient=agent)]
        if answer.__class__ is Failed:
            diagnostics.append(_unanswered(answer, f"message {native_id[:200]} of {agent}"))
        elif answer is not None:
            known[native_id] = answer
    return known, diagnostics


def _stored_turns(answer: Any, agent: Address) -> tuple[Sequence[HistoricalMessage], tuple[Diagnostic, ...]]:
    """The prior turns that the caller has stored for one recipient; and why they are unknown, if they are."""
    if answer.__class__ is Failed:
        return (), (_unanswered(answer, f"history of {agent}"),)
    return answer or (), ()


def _unanswered(answer: Failed, what: str) -> Diagnostic:
    return Diagnostic(code="lookup-unanswered", detail=f"{what}: {answer.reason}", temporary=answer.temporary)


def _thread(
    incoming: IncomingMessage,
    stored: dict[str | None, StoredMessage],
    verdict: Verdict,
    agent: Address,
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The thread of the best known message among those that it names, else the thread that the message names."""
    diagnostics: tuple[Diagnostic, ...] = ()
    shared = incoming.conversation_id
    for native in dict.fromkeys(incoming.thread_of if shared is None else (*incoming.thread_of, shared)):
        known = stored.get(native)
        # A mail, or a message of a platform, never joins the thread of another protocol, which others may read.
        if known is None or not _is_own_kind(known.thread_id, incoming):
            continue
        if native == shared and not (known.sender == agent or _is_own(known, incoming.sender, verdict)):
            diagnostics += (_unproven_thread(native, agent),)
            continue
        # An attacker may have written a message whose sender was not verified, and have chosen its thread: a verified
        # message does not follow it there.
        if not verdict.verified or known.verified is not False or known.sender == agent:
            return known.thread_id, diagnostics
        diagnostics += (_unproven_thread(native, agent),)
    return incoming.thread_id, diagnostics


def _unproven_thread(native_id: str, agent: Address) -> Diagnostic:
    return Diagnostic(code="thread-unproven", detail=f"{native_id[:200]} of {agent}")


def _is_own_kind(thread_id: str, incoming: IncomingMessage) -> bool:
    """Whether a stored thread may be one of the protocol that a message came by.

    That of a mail is a Message-ID, and that of a platform begins with its name. On A2A and REST callers choose the
    names, so their threads are those that are nothing else. On ActivityPub a peer may name any thread as its context.
    """
    if incoming.received_via == "email":
        return thread_id.startswith("<")
    if incoming.received_via == "connector":
        return thread_id.partition(":")[0] == incoming.thread_id.partition(":")[0]
    return True


def _joined(sender: str, stored: _Stored, agent: Address) -> tuple[Diagnostic, ...]:
    """A diagnostic when a message joins a stored thread in which its sender has not written, as far as is stored.

    The turns that the message brings do not count: a stranger's own server may show any post between the two.
    """
    if stored.named is None:
        return ()
    thread_id, turns = stored.thread_id, stored.turns
    rows = [row for row in stored.named if row.thread_id == thread_id]
    if not rows and not turns:
        return ()
    if sender in {row.sender for row in rows} | {turn.sender.address for turn in turns}:
        return ()
    return (
        Diagnostic(code="thread-joined", detail=f"{sender} has not written in {thread_id[:200]} of {agent} before"),
    )


def _edit_fault(
    rows: Iterable[StoredMessage], sender: Sender, verdict: Verdict, *, is_fetched: bool = False
) -> Rejected | None:
    """The rejection of an edit of what another wrote, or that is less proven than what it changes; None for others."""
    for row in rows:
        is_weaker = _strength(verdict.method, verdict.verified) < _strength(row.auth_method, row.verified)
        if is_weaker and (is_fetched or verdict.temporary):
            return rejection_of(verdict)
        if is_weaker or not _is_own(row, sender, verdict):
            problem = Problem("/object/id", "nothing shows that its sender wrote what it changes")
            return Rejected(code="owner-mismatch", problems=(problem,), verdict=verdict)
    return None


def _is_own(row: StoredMessage, sender: Sender, verdict: Verdict) -> bool:
    """Whether the sender of a message wrote a stored one."""
    return row.is_by(verdict.address or sender.address, claimed=sender.address)


def _stored_id(
    known: StoredMessage | None, incoming: IncomingMessage, verdict: Verdict, agent: Address
) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The id that a redelivery keeps: by the same sender, with no weaker proof than before.

    Anyone may have written what was not verified: whoever knew the id beforehand would keep a verified message from its
    answer. It keeps the id where it says the same.
    """
    if known is None:
        return None, ()
    if verdict.verified and known.verified is False and known.digest not in (None, digest_of(incoming.parts)):
        return None, (Diagnostic(code="native-id-reused", detail=f"to {agent}"),)
    is_same = known.sender == (verdict.address or incoming.sender.address)
    if is_same and _strength(verdict.method, verdict.verified) >= _strength(known.auth_method, known.verified):
        return known.id, (_redelivered(agent),)
    return None, (Diagnostic(code="native-id-reused", detail=f"to {agent}"),)


def _redelivered(agent: Address) -> Diagnostic:
    return Diagnostic(code="redelivered", detail=f"to {agent}")


def _strength(method: str, verified: bool | None) -> int:
    """How strongly a method verifies the sender."""
    strength = _STRENGTH.get(method, 3)
    return min(strength, 1) if verified is False else strength


# -- prior turns


def _brings_less(
    turns: tuple[HistoricalMessage, ...], recipients: tuple[Address, ...], now: datetime, settings: Settings
) -> bool:
    """Whether a message brings fewer turns than the policy allows. Those that no agent will see do not count."""
    max_messages = settings.history.max_messages
    if len(turns) < max_messages or max_messages <= 0:
        return len(turns) < max_messages
    seen = (trim(_as_seen_by(agent, turns), settings.history, now=now) for agent in recipients)
    return any(len(one) < max_messages for one in seen)


def _history_for(
    agent: Address, incoming: IncomingMessage, known: _Stored, now: datetime, settings: Settings
) -> tuple[tuple[HistoricalMessage, ...] | None, tuple[Diagnostic, ...]]:
    """The prior turns as `agent` may see them, of the message and of the store, the oldest first; and diagnostics."""
    diagnostics: tuple[Diagnostic, ...] = ()
    turns = _as_seen_by(agent, incoming.history)
    stored: list[HistoricalMessage] = []
    if known.turns:
        stored = _as_seen_by(agent, known.turns)
        own_ids = set() if known.message_id is None else {known.message_id, incoming.native_id, *incoming.aliases}
        later = followers(stored, own_ids, incoming.parts)
        stored = [turn for turn in stored if turn.id not in own_ids]  # a redelivery may stand in its own history
    if stored:
        both, diagnostics = merge(turns, stored, agent=agent, stored_ids=known.turn_ids)
        merged = [one for one in both if later.isdisjoint((id(one.turn), id(one.stored)))]
        history, count = trim_merged(merged, settings.history, now=now), len(merged)
    else:
        history, count = trim(turns, settings.history, now=now), len(turns)
    if len(history) < count:
        detail = f"{count - len(history)} of {count} turns for {agent}"
        diagnostics += (Diagnostic(code="history-trimmed", detail=detail),)
    return history or None, diagnostics


def _as_seen_by(agent: Address, turns: Iterable[HistoricalMessage]) -> list[HistoricalMessage]:
    """The turns with the roles that they have for `agent`: its own are `assistant`, all others `user`."""
    return [
        turn if (turn.role == "assistant") == (turn.sender.address == agent) else _with_other_role(turn)
        for turn in turns
    ]


def _with_other_role(turn: HistoricalMessage) -> HistoricalMessage:
    role: Literal["user", "assistant"] = "user" if turn.role == "assistant" else "assistant"
    return _new_turn(
        role=role, sender=turn.sender, parts=turn.parts, timestamp=turn.timestamp, id=turn.id, extra=turn.extra
    )
