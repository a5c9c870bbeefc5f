"""From what a unit says to one message for each recipient: what all `receive` doors share.

`served` finds out for whom a unit is, `deliver` makes the messages: ids, redelivery, thread, parent, history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .._crypto.verification import own_identity, refused, shown_sender
from .._errors.exceptions import wire_error
from .._flow.ask import Failed, Flow
from .._flow.asks import FindAgent, FindHistory, FindMessage
from .._flow.drive import ask_each, checked
from .._flow.outcome import Received, Rejected, Verdict
from .._flow.settings import Limits, Settings
from .._model.base import Lazy, frozen, replace, unchecked
from .._model.capabilities import RecipientCapabilities
from .._model.diagnostic import Diagnostic, bounded_notes
from .._model.identity import VerifiedIdentity
from .._model.message import HistoricalMessage, NormalizedMessage, NormalizedResponse, ReceivedVia
from .._model.parts import CarriedPolicy, Part
from .._model.sender import Sender
from .._model.stored_message import StoredMessage
from .._wire.address import ANONYMOUS, Address, agent_address
from .._wire.ids import uuid7
from .._wire.strict_json import kept_places
from .._wire.time import format_time
from .history import followers, merge, trim, trim_merged
from .policy_part import found_of

DeliveryAsk: TypeAlias = FindMessage | FindHistory

_NAMED: Final = 3
"""How many names of recipients a problem lists."""

_STRENGTH: Final = {"none": 0, "email-dmarc": 2}
"""How well a method shows the sender, against the rest: DMARC by SPF alone is 1, every cryptographic method is 3."""

_new_message: Final = unchecked(NormalizedMessage)
_new_received: Final = unchecked(Received)
_new_turn: Final = unchecked(HistoricalMessage)
_find_agent: Final = unchecked(FindAgent)
_find_message: Final = unchecked(FindMessage)
_find_history: Final = unchecked(FindHistory)


class CarriedTrace(NamedTuple):
    """The sender's full response, as a unit brings it along.

    Attributes:
        response: The response.
        at: Where it stands in the unit.
    """

    response: NormalizedResponse
    at: str


@frozen
class Draft:
    """What a unit says, read and checked, before it is known for whom.

    Attributes:
        native_id: The protocol's own id.
        aliases: Other ids under which a reply may name it.
        thread_id: The thread that the unit itself names.
        sender: Who sent it, with the evidence of others that counts.
        parts: What it says.
        recipient_capabilities: What its platform offers.
        received_via: The protocol.
        raw: Makes the parsed native message: fresh JSON without secrets, nothing of it shared with what it made before.
        parent_id: The protocol's id of the message that it answers.
        thread_of: Protocol ids of messages whose thread it joins when they are known here, the best first.
        history: The prior turns that it brings, in any order, roles not yet decided.
        turn_ids: Under which protocol ids these turns may be stored, in the same order; empty: under none.
        received_trace: The trace, where one could be read.
    """

    native_id: str
    thread_id: str
    sender: Sender
    parts: tuple[Part, ...]
    recipient_capabilities: RecipientCapabilities
    received_via: ReceivedVia
    raw: Callable[[], Any]
    aliases: tuple[str, ...] = ()
    parent_id: str | None = None
    thread_of: tuple[str, ...] = ()
    history: tuple[HistoricalMessage, ...] = ()
    turn_ids: tuple[str, ...] = ()
    received_trace: CarriedTrace | None = None


def served(candidates: Iterable[str], *, limits: Limits) -> Flow[FindAgent, tuple[Address, ...]]:
    """The agents served here among the native ids that a unit names, each once, in order.

    Args:
        candidates: Mailboxes, IRIs or URLs, as the unit names them.
        limits: Bounds the number of candidates.

    Raises:
        WireError: Nobody is served, too many are named, or the caller could not tell just now.
        UsageError: The answer to an ask is not an agent address.

    Spec: Normalized Message §3.1 (recipient).
    """
    asks = agents_to_find(candidates, limits=limits)
    return agents_found(asks, (yield from ask_each(asks)))


def agents_to_find(candidates: Iterable[str], *, limits: Limits) -> tuple[FindAgent, ...]:
    """The asks of `served`, for a room that has more to ask in the same batch."""
    native_ids = dict.fromkeys(candidates)
    if len(native_ids) > limits.recipients:
        raise wire_error("too-many-recipients", "", f"{len(native_ids)} recipients, at most {limits.recipients}")
    return tuple([_find_agent(native_id=native_id) for native_id in native_ids])


def agents_found(asks: Sequence[FindAgent], answers: Sequence[str | Failed | None]) -> tuple[Address, ...]:
    """What `served` makes of the answers to its asks."""
    agents: dict[Address, None] = {}
    for answer in answers:
        if answer is None:
            continue
        if isinstance(answer, Failed):
            raise wire_error("lookup-failed", "", f"whom it is for could not be looked up: {answer.reason}")
        agents[agent_address(answer)] = None
    if not agents:
        raise wire_error("no-served-recipient", "", _nobody_served(asks))
    return tuple(agents)


def _nobody_served(asks: Sequence[FindAgent]) -> str:
    """Why nobody is served, with the first names that were tried."""
    if not asks:
        return "the unit names no recipient"
    names = ", ".join(ask.native_id[:200] for ask in asks[:_NAMED])
    return f"none of these is served here: {names}" + (" and others" if len(asks) > _NAMED else "")


def deliver(
    draft: Draft,
    *,
    recipients: tuple[Address, ...],
    verdict: Verdict,
    now: datetime,
    entropy: bytes,
    settings: Settings,
    blobs: Mapping[str, bytes] | None = None,
    diagnostics: Iterable[Diagnostic] = (),
    identities: tuple[VerifiedIdentity, ...] = (),
) -> Flow[DeliveryAsk, Received | Rejected]:
    """One message for each recipient; all that must be known of the caller's store is asked in one batch.

    Where a message joins another thread than it names, the history of that thread is asked for in one more.

    Only the verdict makes the sender verified; what it used up must be asked before (`used_once`).
    """
    if settings.require_verified and not verdict.verified:
        return refused(verdict)
    notes = list(diagnostics)
    trace = draft.received_trace and _own_trace(draft.received_trace, draft.sender, notes)
    received_at = format_time(now)
    places = yield from _places(draft, recipients, verdict, now, settings, notes)
    messages = []
    for index, (agent, place) in enumerate(zip(recipients, places, strict=True)):
        messages.append(
            _new_message(
                id=place.message_id or uuid7(now, entropy, "message", index),
                thread_id=place.thread_id,
                sender=shown_sender(draft.sender, verdict, agent),
                recipient=agent,
                parts=draft.parts,
                recipient_capabilities=draft.recipient_capabilities,
                received_via=draft.received_via,
                received_at=received_at,
                raw=Lazy(draft.raw),
                in_reply_to=place.parent_id,
                history=_history_for(agent, draft, place, now, settings, notes),
                received_trace=trace,
            )
        )
    known = tuple([message for message, place in zip(messages, places, strict=True) if place.message_id is not None])
    return _new_received(
        messages=tuple(messages),
        native_id=draft.native_id,
        verdict=verdict,
        aliases=draft.aliases,
        blobs=blobs or {},
        diagnostics=bounded_notes(notes),
        identities=_identities(verdict, identities),
        redelivered=known,
    )


class _Place(NamedTuple):
    """What the caller's store says of a message for one recipient.

    Attributes:
        thread_id: The thread that it joins.
        parent_id: What it answers: an id of the store where that is known.
        message_id: Its id, when it was stored before.
        stored: The turns of its thread that are stored.
        turn_ids: Under which of their ids each turn that it brings is stored, as far as that is known.
    """

    thread_id: str
    parent_id: str | None
    message_id: str | None = None
    stored: Sequence[HistoricalMessage] = ()
    turn_ids: tuple[str | None, ...] = ()


def _brings_less(
    turns: tuple[HistoricalMessage, ...], recipients: tuple[Address, ...], now: datetime, settings: Settings
) -> bool:
    """Whether a unit brings fewer turns than the policy allows. Those that no agent will see do not count."""
    policy = settings.history
    if len(turns) < policy.max_messages or policy.max_messages <= 0:
        return len(turns) < policy.max_messages
    seen = (trim(_as_seen_by(agent, turns), policy, now=now) for agent in recipients)
    return any(len(one) < policy.max_messages for one in seen)


def _places(
    draft: Draft,
    recipients: tuple[Address, ...],
    verdict: Verdict,
    now: datetime,
    settings: Settings,
    notes: list[Diagnostic],
) -> Flow[DeliveryAsk, Sequence[_Place]]:
    """Where the message stands for each recipient, by what the caller has stored."""
    native_ids = _native_ids(draft)
    is_history_asked = settings.stored_history and _brings_less(draft.history, recipients, now, settings)
    asker = _asker(verdict, draft.sender)
    asks = _asks_of(native_ids, recipients, history=(draft.thread_id, asker) if is_history_asked else None)
    answers = checked(asks, (yield asks))
    if not any(answers):
        return [_Place(draft.thread_id, draft.parent_id)] * len(recipients)
    places, elsewhere, each_answer = list[_Place](), dict[int, FindHistory](), iter(answers)
    for agent in recipients:
        known = _known(native_ids, agent, each_answer, notes)
        thread_id = _thread(draft, known, verdict, agent, notes)
        turns = next(each_answer) if is_history_asked else ()
        if is_history_asked and thread_id != draft.thread_id:
            elsewhere[len(places)], turns = (
                _find_history(thread_id=thread_id, recipient=agent, sender=asker[0], verified=asker[1]),
                (),
            )
        parent = known.get(draft.parent_id)
        message_id = _stored_id(known.get(draft.native_id), draft, verdict, agent, notes)
        parent_id = parent.id if parent else draft.parent_id
        turn_ids = tuple([known[native].id if native in known else None for native in draft.turn_ids])
        places.append(_Place(thread_id, parent_id, message_id, _stored_turns(turns, agent, notes), turn_ids))
    if elsewhere:
        for index, turns in zip(elsewhere, (yield from ask_each(tuple(elsewhere.values()))), strict=True):
            places[index] = places[index]._replace(stored=_stored_turns(turns, recipients[index], notes))
    return places


def _asker(verdict: Verdict, claimed: Sender) -> tuple[str | None, bool]:
    """Who asks for a history, by their address, and whether that was proven.

    Callers without an address all have the same in its place: for them it is None, and proves nothing.
    """
    address = verdict.address or claimed.address
    return (None, False) if address in ANONYMOUS else (address, verdict.verified)


def _identities(verdict: Verdict, forwarded: tuple[VerifiedIdentity, ...]) -> tuple[VerifiedIdentity, ...]:
    """Whom the unit shows: the sender, where the room verified them itself, and whom evidence of others shows."""
    if verdict.verified and verdict.evidence is not None:
        return (own_identity(verdict.evidence), *forwarded)
    return forwarded


def _own_trace(carried: CarriedTrace, sender: Sender, notes: list[Diagnostic]) -> NormalizedResponse:
    """A trace without links of policies that lead elsewhere than to the host of the sender."""
    trace = carried.response
    if not any(part.__class__ is CarriedPolicy for part in trace.parts):
        return trace
    parts, authority, at = list(trace.parts), sender.address.rpartition("@")[2], f"{carried.at}/parts"
    left_out = {note.at for note in notes}
    for index, (part, place) in enumerate(zip(trace.parts, kept_places(at, left_out), strict=False)):
        if isinstance(part, CarriedPolicy):
            own = found_of(part.policy, authority, at=f"{at}/{place}/policy", left_out=left_out)
            parts[index] = part if own.policy is None else replace(part, policy=own.policy)
            notes += own.diagnostics
    return replace(trace, parts=tuple(parts))


def _native_ids(draft: Draft) -> tuple[str, ...]:
    """Under which ids the caller may have stored the message itself, and those that it names, each once.

    Turns that a unit brings are those above it: without a parent there are none to be named.
    """
    if draft.parent_id is None and not draft.thread_of:
        return (draft.native_id,)
    named = (draft.native_id, draft.parent_id, *draft.thread_of, *draft.turn_ids)
    return tuple(filter(None, dict.fromkeys(named)))


def _asks_of(
    native_ids: tuple[str, ...], recipients: tuple[Address, ...], *, history: tuple[str, tuple[str | None, bool]] | None
) -> tuple[DeliveryAsk, ...]:
    """What is asked for each recipient: every message, and then the history of a thread for who asks."""
    asks: list[DeliveryAsk] = []
    for agent in recipients:
        asks += [_find_message(native_id=native_id, recipient=agent) for native_id in native_ids]
        if history is not None:
            thread_id, (sender, verified) = history
            asks.append(_find_history(thread_id=thread_id, recipient=agent, sender=sender, verified=verified))
    return tuple(asks)


def _known(
    native_ids: tuple[str, ...], agent: Address, answers: Iterator[Any], notes: list[Diagnostic]
) -> dict[str | None, StoredMessage]:
    """The messages that the caller has stored for one recipient, by their protocol ids."""
    found: dict[str | None, StoredMessage] = {}
    for native_id in native_ids:
        answer = next(answers)
        if answer.__class__ is Failed:
            notes.append(_unanswered(answer, f"message {native_id[:200]} of {agent}"))
        elif answer is not None:
            found[native_id] = answer
    return found


def _stored_turns(answer: Any, agent: Address, notes: list[Diagnostic]) -> Sequence[HistoricalMessage]:
    """The prior turns that the caller has stored for one recipient."""
    if answer.__class__ is Failed:
        notes.append(_unanswered(answer, f"history of {agent}"))
        return ()
    turns: Sequence[HistoricalMessage] | None = answer
    return turns or ()


def _unanswered(answer: Failed, what: str) -> Diagnostic:
    return Diagnostic(code="lookup-unanswered", detail=f"{what}: {answer.reason}", temporary=answer.temporary)


def _thread(
    draft: Draft, found: dict[str | None, StoredMessage], verdict: Verdict, agent: Address, notes: list[Diagnostic]
) -> str:
    """The thread of the best known message that says which one it joins, else the one that the unit names.

    Anybody could have written a message whose sender was not verified, and have chosen its thread: words that were
    proven do not follow it there. Nor does a mail, or a message of a platform, go on in the thread of another protocol,
    which others may read.
    """
    for native in dict.fromkeys(draft.thread_of):
        known = found.get(native)
        if known is None or not _is_own_kind(known.thread_id, draft):
            continue
        if not verdict.verified or known.verified is not False or known.sender == agent:
            return known.thread_id
        notes.append(Diagnostic(code="thread-unproven", detail=f"{native[:200]} of {agent}"))
    return draft.thread_id


def _is_own_kind(thread_id: str, draft: Draft) -> bool:
    """Whether a stored thread may be one of the protocol that a unit came by.

    That of a mail is a Message-ID, and that of a platform begins with its name. On A2A and REST callers name threads as
    they like, so these can be told only by what they are not. On ActivityPub a peer may name any thread as its context.
    """
    if draft.received_via == "email":
        return thread_id.startswith("<")
    if draft.received_via == "connector":
        return thread_id.partition(":")[0] == draft.thread_id.partition(":")[0]
    return True


def _stored_id(
    known: StoredMessage | None, draft: Draft, verdict: Verdict, agent: Address, notes: list[Diagnostic]
) -> str | None:
    """The id that a redelivery keeps: by the same sender, with no weaker proof than before."""
    if known is None:
        return None
    is_same = known.sender == (verdict.address or draft.sender.address)
    if is_same and _strength(verdict.method, verdict.verified) >= _strength(known.auth_method, known.verified):
        notes.append(Diagnostic(code="redelivered", detail=f"to {agent}"))
        return known.id
    notes.append(Diagnostic(code="native-id-reused", detail=f"to {agent}"))
    return None


def _strength(method: str, verified: bool | None) -> int:
    """How well somebody was shown."""
    strength = _STRENGTH.get(method, 3)
    return min(strength, 1) if verified is False else strength


def _history_for(
    agent: Address, draft: Draft, place: _Place, now: datetime, settings: Settings, notes: list[Diagnostic]
) -> tuple[HistoricalMessage, ...] | None:
    """The prior turns as `agent` may see them, the oldest first, whoever brought them."""
    turns, stored = _as_seen_by(agent, draft.history), _as_seen_by(agent, place.stored)
    own_ids = set() if place.message_id is None else {place.message_id, draft.native_id, *draft.aliases}
    later = followers(stored, own_ids, draft.parts)
    stored = [turn for turn in stored if turn.id not in own_ids]  # a redelivery may stand in its own history
    if stored:
        both = merge(turns, stored, agent=agent, stored_ids=place.turn_ids, notes=notes)
        merged = [one for one in both if later.isdisjoint((id(one.turn), id(one.stored)))]
        kept, count = trim_merged(merged, settings.history, now=now), len(merged)
    else:
        kept, count = trim(turns, settings.history, now=now), len(turns)
    if len(kept) < count:
        notes.append(Diagnostic(code="history-trimmed", detail=f"{count - len(kept)} of {count} turns for {agent}"))
    return kept or None


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
