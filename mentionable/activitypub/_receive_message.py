"""From a Create or Update of something that people read to one message for each agent that it is for."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, TypeAlias

from .._crypto.verification import check_replay, rejection_of
from .._errors.exceptions import Code, wire_error
from .._flow.asks import Fetch, Fetched, FindAgent, FindHistory, FindMessage, FindMessages, UseOnce
from .._flow.flow import Failed, Flow, gather
from .._flow.outcome import Received, Rejected, Verdict
from .._flow.settings import Limits, own_settings
from .._model.base import frozen, unchecked
from .._model.capabilities import AddressingRelay, RecipientCapabilities
from .._model.diagnostic import Diagnostic
from .._model.message import HistoricalMessage
from .._transport.delivery import (
    IncomingMessage,
    ask_stored,
    deliver,
    from_store,
    not_served,
    recipient_asks,
    served_agents,
    unchanged_edit,
)
from .._wire.address import Address, agent_address
from ._addressed import name_audience
from ._auth.signature import Signatures, read_signatures
from ._delivery import Delivery
from ._policy import append_policy
from ._raw import raw_of
from ._read.documents import Actor, Unreadable, fetch, read_document
from ._read.history import history_of
from ._read.json_ld import POLICY_IRI, POLICY_TERM
from ._read.message import Thread, extract_trace, near_thread, parts_of, read_place, walk_thread
from ._read.object import Activity, Addressing, Content, addressing, check_author_named, read_object
from ._sender import actor_of, ask_ends
from ._settings import Settings
from ._verify import authenticate

IdentifyAsk: TypeAlias = FindAgent | FindMessages | Fetch
MessageAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindMessages | FindHistory | UseOnce

_CAPABILITIES: Final = RecipientCapabilities(mention_relay=AddressingRelay(envelope_fields=("to", "cc")))

_new_incoming = unchecked(IncomingMessage)


@frozen
class ReadActivity:
    """A Create or Update and its object, as they came: what they say, before anything of it is verified.

    Attributes:
        activity: The activity.
        content: Its object.
        to: The recipients that both name.
        signatures: What could verify the sender.
        is_fetched: Whether it was asked for, and not delivered.
    """

    activity: Activity
    content: Content
    to: Addressing
    signatures: Signatures
    is_fetched: bool = False


_new_read: Final = unchecked(ReadActivity)


@frozen
class Identified:
    """The two ends of a message.

    Attributes:
        recipients: The agents that it is for.
        actor: The actor, by the newest document that was fetched.
        agents: The answers to `FindAgent`, by native id.
        verdict: Whether the actor really sent it.
        diagnostics: From the verification.
    """

    recipients: tuple[Address, ...]
    actor: Actor
    agents: dict[str, Any]
    verdict: Verdict
    diagnostics: tuple[Diagnostic, ...] = ()


_new_identified: Final = unchecked(Identified)


def receive_message(delivery: Delivery, activity: Activity) -> Flow[MessageAsk, Received | Rejected]:
    """The messages of a Create or Update.

    Raises:
        WireError: What people should read cannot be read, or is not for this server.
    """
    #   1. read its object, embedded or fetched: type, id, author
    #   2. read the recipients of both
    #   3. make the messages
    limits = delivery.settings.limits
    document, actor_answer = activity.object, None
    if isinstance(document, str):
        document, actor_answer = yield from _fetch_object(document, activity, limits=limits)
        check_author_named(document)
    content = read_object(document or {}, activity, limits)
    read = _new_read(
        activity=activity,
        content=content,
        to=addressing(activity.node, content.node, limits),
        signatures=read_signatures(delivery.request, activity.node.raw, content.node.raw),
    )
    identify = _identify(
        delivery, read, changed=content.id if activity.type == "Update" else None, actor_answer=actor_answer
    )
    return (yield from messages_of(delivery, read, identify))


def messages_of(
    delivery: Delivery, read: ReadActivity, identify: Flow[IdentifyAsk, Identified]
) -> Flow[MessageAsk, Received | Rejected]:
    """One message for each agent that an activity is for.

    Args:
        delivery: What came, and the settings.
        read: The activity and its object.
        identify: Finds the agents and the sender, once the object can be read.

    Raises:
        WireError: What people should read cannot be read, or what `identify` raises.
    """
    #   1. read what the object says: trace, parts, place in a thread    (no ask)
    #   2. ask for the agents and the actor, verify the signature; meanwhile walk up the thread, unless it is an edit
    #   3. read the policy, which must be of the sender's host
    #   4. of an edit, and of what was fetched, ask what is stored; ask whether the signature was used before; end here
    #      where an edit changes nothing, else walk up its thread
    #   5. read the ancestors as history
    #   6. make one message for each agent
    activity, content, to = read.activity, read.content, read.to
    settings = delivery.settings
    limits = settings.limits
    readable, trace, trace_diagnostics = extract_trace(content)
    parts, parts_diagnostics = parts_of(readable, limits)
    place = read_place(activity, content, limits)

    is_edit = activity.type == "Update" and not read.is_fetched
    own_ids = (activity.head.id,) if content.id == activity.head.id else (activity.head.id, content.id)
    walk: Flow[Fetch, Thread] | None = None
    if place.parent is not None and limits.walk_depth > 0:
        walk = walk_thread(place, place.parent, own_ids=frozenset(own_ids), limits=limits)
    if walk is None or is_edit:
        identified = yield from identify
        thread = near_thread(activity, place)
    else:
        identified, thread = yield from gather(identify, walk)
    actor, verdict = identified.actor, identified.verdict
    if verdict.temporary and own_settings(Settings, settings).defer_unproven:
        return rejection_of(verdict)
    unaddressed: tuple[Diagnostic, ...] = ()
    if verdict.evidence is not None and not verdict.evidence.audience:
        verdict, unaddressed = name_audience(
            verdict, activity, content, recipients=identified.recipients, agents=identified.agents
        )
    diagnostics = [
        *to.diagnostics,
        *trace_diagnostics,
        *parts_diagnostics,
        *place.diagnostics,
        *identified.diagnostics,
        *unaddressed,
        *actor.diagnostics,
    ]

    if POLICY_TERM in content.node.raw or POLICY_IRI in content.node.raw:
        parts, odd = append_policy(parts, activity, content, sender=actor.sender, limits=limits)
        diagnostics += odd

    asked: dict[FindMessage, Any] = {}
    if is_edit or read.is_fetched:
        stored = yield from ask_stored(own_ids, identified.recipients, verdict=verdict)
        if isinstance(stored, Rejected):
            return stored
        asked = stored
    checked = yield from check_replay(verdict, settings, identified.recipients)
    if checked.verdict.temporary and own_settings(Settings, settings).defer_unproven:
        return rejection_of(checked.verdict)
    if is_edit:
        outcome = unchanged_edit(
            asked,
            own_ids,
            parts,
            sender=actor.sender,
            recipients=identified.recipients,
            verdict=checked.verdict,
            settings=settings,
            diagnostics=diagnostics,
        )
        if outcome is not None:
            return outcome
        if walk is not None:
            thread = yield from walk
    diagnostics += thread.diagnostics

    history: tuple[HistoricalMessage, ...] = ()
    if thread.ancestors:
        senders = {activity.head.actor: actor.sender}
        history, odd = yield from history_of(thread.ancestors, senders=senders, agents=identified.agents, limits=limits)
        diagnostics += odd

    incoming = _new_incoming(
        native_id=activity.head.id,
        aliases=own_ids[1:],
        content_id=content.id,
        is_edit=is_edit,
        is_fetched=read.is_fetched,
        thread_id=thread.id,
        sender=actor.sender,
        parts=parts,
        recipient_capabilities=_CAPABILITIES,
        received_via="activitypub",
        raw=partial(
            raw_of, activity, content, actor=actor.document, to=to, signatures=read.signatures, key_id=verdict.key_id
        ),
        parents=() if thread.parent is None else (thread.parent,),
        thread_of=thread.joins,
        named_thread=place.thread,
        history=history,
        turn_ids=tuple([turn.id or "" for turn in history]) if history else (),
        received_trace=trace,
        asked=asked or None,
    )
    return (
        yield from deliver(
            incoming,
            recipients=identified.recipients,
            verdict=checked.verdict,
            seen_by=checked.seen_by,
            now=delivery.now,
            entropy=delivery.entropy,
            settings=settings,
            diagnostics=diagnostics,
        )
    )


def _fetch_object(
    object_id: str, activity: Activity, *, limits: Limits
) -> Flow[Fetch, tuple[dict[str, Any], Fetched | Failed]]:
    """The object that the activity only names; and the answer for the actor, asked for in the same batch."""
    asks = fetch(object_id, "object", limits=limits), fetch(activity.head.actor, "actor", limits=limits)
    answer, actor_answer = yield from gather(*asks)
    document = read_document(answer, object_id, limits)
    if isinstance(document, Unreadable):
        code: Code = "lookup-failed" if document.temporary else "object-unresolvable"
        raise wire_error(code, "/object", f"the object: {document.reason}")
    return document, actor_answer


def _identify(
    delivery: Delivery, read: ReadActivity, *, changed: str | None, actor_answer: Fetched | Failed | None
) -> Flow[IdentifyAsk, Identified]:
    """The agents that a delivery is for, its actor, and whether the actor really sent it.

    An Update that names no agent any more is for those who have what it changed, when it is verified: otherwise an
    attacker could ask what is stored. `actor_answer` is asked for where it is None.
    """
    head, limits, recipients = read.activity.head, delivery.settings.limits, delivery.recipients
    finding = recipient_asks(read.to.candidates, limits=limits) if recipients is None else ()
    answers, actor_answer = yield from ask_ends(finding, head.actor, actor_answer=actor_answer, limits=limits)
    is_named = True
    if recipients is None:
        recipients = served_agents(answers)
        if not recipients and changed is not None:
            recipients, is_named = (yield from _holders(changed)), False
        if not recipients:
            raise wire_error("recipient-elsewhere", "", not_served(finding))
    actor = actor_of(actor_answer, head.actor, limits)
    agents = dict(zip(read.to.candidates, answers, strict=True)) if finding else {}
    authentication = yield from authenticate(
        delivery.request, head, read.signatures, actor=actor, now=delivery.now, settings=delivery.settings
    )
    if not is_named and not authentication.verdict.verified and not authentication.verdict.temporary:
        raise wire_error("recipient-elsewhere", "", not_served(finding))
    return _new_identified(
        recipients=recipients,
        actor=authentication.actor or actor,
        agents=agents,
        verdict=authentication.verdict,
        diagnostics=authentication.diagnostics,
    )


def _holders(object_id: str) -> Flow[FindMessages, tuple[Address, ...]]:
    """The agents for which something is stored under an id."""
    return tuple(map(agent_address, from_store((yield from FindMessages(native_id=object_id)))))
