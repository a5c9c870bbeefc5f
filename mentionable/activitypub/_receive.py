"""The entry point `receive`: from an inbox delivery to messages, or to one activity that your server may act on."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from .._errors.exceptions import WireError
from .._flow.asks import Fetch, FindAgent, FindHistory, FindMessage, FindMessages, UseOnce
from .._flow.flow import Flow, bounded
from .._flow.outcome import Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Settings, check_entropy, check_inputs
from .._wire.address import agent_address
from .._wire.http import HttpRequest, check_request
from . import _authority
from ._activity import ReceivedActivity
from ._delivery import Delivery
from ._read.event import event_in
from ._read.object import read_activity
from ._receive_activity import receive_activity
from ._receive_message import receive_message
from ._verify import MAX_ASKS

ActivityPubAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindMessages | FindHistory | UseOnce
"""Every ask that this transport makes."""


def receive(
    request: HttpRequest,
    *,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[ActivityPubAsk, Received | ReceivedActivity | Rejected]:
    """Reads a delivery to an inbox: one message for each agent that it is for, or one activity.

    A Create or Update of something that people read becomes messages. Any other activity that is known here becomes a
    `ReceivedActivity`, but only when its actor is verified and may do what it says: then your server may act on it.
    Everything else is rejected with a code whose `http_status` suits an inbox.

    The sender is verified as `verify` does it. An invalid signature leaves `sender.verified` of a message False; the
    message is still delivered. Where a signature cannot be checked just now, the delivery is rejected with
    `lookup-failed`, and comes again. The actor document is always asked for: answer from your cache. Replies name
    objects, so store messages under `Received.aliases` too.

    An Update of what you stored gives `Received.edited`, and no new message: answer one mention once.

    Args:
        request: The POST as it came; its body byte for byte.
        recipient: The agent that it is for, when you know; then the addressing is not looked up.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each delivery; the same give the same ids.
        settings: Limits and history policy. `Limits(walk_depth=0)` asks for no ancestors, and so gives no history.

    Returns:
        A flow of `Received`, of `ReceivedActivity`, or of `Rejected` with a code that says why. What is merely odd is a
        diagnostic.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (ActivityPub), §5.1, §5.1.1, §5.4, §6, §8; ActivityPub §7.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> like = HttpRequest(method="POST", url="https://agents.example/inbox", body=b'{"type": "Arrive"}')
        >>> no = drive(receive(like, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32)), Answers())
        >>> no.code, no.http_status
        ('unsupported-activity', 202)
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    check_request(request)
    recipients = None if recipient is None else (agent_address(recipient),)
    limits = settings.limits
    flow = _receive(Delivery(request, recipients, now, entropy, settings))
    # The object, the ancestors and their authors, what the verification asks for, and the authority.
    if limits.asks >= 2 * limits.walk_depth + 1 + MAX_ASKS + _authority.MAX_ASKS:
        return flow
    return bounded(flow, remote=limits.asks)


def _receive(delivery: Delivery) -> Flow[ActivityPubAsk, Received | ReceivedActivity | Rejected]:
    """The flow of `receive`. Every fault of the peer ends in `Rejected`."""
    #   1. read the activity: type, ids, origin
    #   2. what people read becomes messages, what happened an activity
    limits = delivery.settings.limits
    try:
<<<<<<< HEAD
        activity = read_activity(delivery.request.body, limits=limits)
        event = event_in(activity, limits=limits)
        if event is None:
            return (yield from receive_message(delivery, activity))
        return (yield from receive_activity(delivery, activity, event))
    except WireError as error:
        return rejected(error)
=======
        activity = read_activity(request.body, limits=limits)
        document, actor_answer = activity.object, None
        if isinstance(document, str):
            document, actor_answer = yield from _fetch_object(document, activity, limits=limits)
        content = read_object(document, activity, limits=limits)

        to = addressing(activity.node, content.node, limits=limits)
        readable, trace, trace_diagnostics = extract_trace(content)
        parts, parts_diagnostics = parts_of(readable, limits=limits)
        place = read_place(activity, content, limits=limits)
        signatures = read_signatures(request, activity.node.raw, content.node.raw)

        identify = _identify(
            request,
            activity,
            signatures=signatures,
            candidates=to.candidates,
            recipients=recipients,
            actor_answer=actor_answer,
            now=now,
            settings=settings,
        )
        if place.parent is None or limits.walk_depth == 0:
            identified = yield from identify
            thread = near_thread(activity, place)
        else:
            own_ids = frozenset({activity.head.id, content.id})
            walk = walk_thread(place, place.parent, own_ids=own_ids, limits=limits)
            identified, thread = yield from gather(identify, walk)
        actor = identified.actor
        verdict, unaddressed = identified.verdict, tuple[Diagnostic, ...]()
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
            *thread.diagnostics,
            *actor.diagnostics,
        ]

        if POLICY_TERM in content.node.raw or POLICY_IRI in content.node.raw:
            parts, odd = append_policy(parts, activity, content, sender=actor.sender, limits=limits)
            diagnostics += odd

        history: tuple[HistoricalMessage, ...] = ()
        if thread.ancestors:
            senders = {activity.head.actor: actor.sender}
            history, odd = yield from history_of(
                thread.ancestors, senders=senders, agents=identified.agents, limits=limits
            )
            diagnostics += odd

        message = _new_message(
            native_id=activity.head.id,
            aliases=() if content.id == activity.head.id else (content.id,),
            thread_id=thread.id,
            sender=actor.sender,
            parts=parts,
            recipient_capabilities=_CAPABILITIES,
            received_via="activitypub",
            raw=partial(
                raw_of, activity, content, actor=actor.document, to=to, signatures=signatures, key_id=verdict.key_id
            ),
            parent_id=thread.parent,
            thread_of=thread.joins,
            history=history,
            turn_ids=tuple([turn.id or "" for turn in history]),
            received_trace=trace,
        )
        return (
            yield from deliver(
                message,
                recipients=identified.recipients,
                verdict=(yield from check_replay(verdict, settings)),
                now=now,
                entropy=entropy,
                settings=settings,
                diagnostics=diagnostics,
            )
        )
    except WireError as error:
        return rejected(error)


def _fetch_object(
    object_id: str, activity: Activity, *, limits: Limits
) -> Flow[Fetch, tuple[dict[str, Any], Fetched | Failed]]:
    """The object that the activity only names; and the answer for the actor, asked for in the same batch."""
    asks = fetch(object_id, "object", limits=limits), fetch(activity.head.actor, "actor", limits=limits)
    answer, actor_answer = yield from gather(*asks)
    document = read_document(answer, object_id, limits=limits)
    if isinstance(document, Unreadable):
        code: Code = "lookup-failed" if document.temporary else "object-unresolvable"
        raise wire_error(code, "/object", f"the object: {document.reason}")
    return document, actor_answer


def _identify(
    request: HttpRequest,
    activity: Activity,
    *,
    signatures: Signatures,
    candidates: tuple[str, ...],
    recipients: tuple[Address, ...] | None,
    actor_answer: Fetched | Failed | None,
    now: datetime,
    settings: Settings,
) -> Flow[FindAgent | Fetch, _Identified]:
    """The agents that a delivery is for, its actor, and whether the actor really sent it.

    `recipients` and `actor_answer` are asked for where they are None.
    """
    limits = settings.limits
    head = activity.head
    finding = recipient_asks(candidates, limits=limits) if recipients is None else ()
    if actor_answer is None:
        asks: tuple[FindAgent | Fetch, ...] = (*finding, fetch(head.actor, "actor", limits=limits))
        *answers, actor_answer = yield from ask_each(asks)
    else:
        answers = list((yield from ask_each(finding)))
    if recipients is None:
        recipients = recipients_from(finding, answers)
    actor = read_actor(actor_answer, head.actor, limits=limits)
    if isinstance(actor, Unreadable):
        code: Code = "sender-unaddressable" if actor is ADDRESSLESS else "sender-unresolvable"
        outlook = "" if actor.temporary or actor is ADDRESSLESS else ", which looks permanent"
        raise wire_error(code, "/actor", f"the actor document: {actor.reason}{outlook}")
    agents = {ask.native_id: answer for ask, answer in zip(finding, answers, strict=True)}
    if not signatures:
        return _Identified(recipients=recipients, actor=actor, agents=agents, verdict=UNSIGNED)
    result = yield from authenticate(request, head, signatures, actor=actor, now=now, settings=settings)
    return _Identified(
        recipients=recipients,
        actor=result.actor or actor,
        agents=agents,
        verdict=result.verdict,
        diagnostics=result.diagnostics,
    )
>>>>>>> 2ae8711 (Let no proof outlive the entry that guards it, and report short RSA keys)
