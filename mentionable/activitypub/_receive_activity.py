"""From an activity that is no message to a value that a server may act on: verified, and authorized."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from .._crypto.verification import check_replay, rejection_of
from .._errors.exceptions import WireError, wire_error
from .._flow.asks import Fetch, FindAgent, FindMessages, UseOnce
from .._flow.flow import Flow, ask_each
from .._flow.outcome import Rejected, Verdict, rejected
from .._model.base import Lazy, unchecked
from .._model.diagnostic import Diagnostic
from .._model.stored_message import StoredMessage
from .._text.redaction import redacted
from .._transport.delivery import from_store, recipient_asks, served_agents
from .._wire.address import Address
from ._activity import ReceivedActivity
from ._addressed import name_audience
from ._auth.signature import read_signatures
from ._authority import authorize, check_claims
from ._delivery import Delivery
from ._gone import confirm_deletion, says_gone
from ._raw import without_blind
from ._read.event import FOR_AN_AGENT, OF_THIS_SERVER, Event, InnerActivity
from ._read.json_ld import host_of, is_at, read_node
from ._read.object import Activity, addressing, read_object
from ._sender import actor_of, ask_ends
from ._verify import authenticate
from ._write.recipients import actor_at

_NO_OBJECT: Final = read_node({})

_find_messages: Final = unchecked(FindMessages)
_new_activity: Final = unchecked(ReceivedActivity)


def receive_activity(
    delivery: Delivery, activity: Activity, event: Event
) -> Flow[FindAgent | FindMessages | Fetch | UseOnce, ReceivedActivity | Rejected]:
    """An activity that is no message, as a value; rejected unless its actor is verified and may do what it says.

    Of an actor who is gone only a Delete counts.

    Raises:
        WireError: What the activity says cannot be, or is not for this server, or is not its actor's to do.
    """
    #   1. what it says by itself: is it about what is another's?        (no ask)
    #   2. what is stored of what a Delete withdraws: where nothing is, nothing else is asked
    #   3. the actor, the agents here and what is stored; is it for one of them? Is the actor gone?
    #   4. verify the signature
    #   5. may the actor say so?
    #   6. the signature counts once: last, so that what cannot be looked up just now may come again
    head, limits = activity.head, delivery.settings.limits
    check_claims(event, head)
    if event.type in OF_THIS_SERVER and not is_at(event.object_ids[0], host_of(delivery.request.url) or ""):
        raise _elsewhere()
    if event.type == "Vote":
        read_object(activity.object, activity, limits)  # type: ignore[arg-type]

    about = event.about[: limits.recipients]
    stored: dict[str, Mapping[str, StoredMessage]] = {}
    if event.type == "Delete":
        stored, about = _stored(about, (yield from ask_each(_stored_asks(about)))), ()
        if head.actor not in event.object_ids and not any(stored.values()):
            raise wire_error("object-unknown", "/object", "nothing is stored under this id")

    to = addressing(activity.node, _NO_OBJECT, limits)
    candidates = event.agents if event.type in FOR_AN_AGENT else (*to.candidates, *event.object_ids)
    # A follow of another actor is none of the agent's, though it came to its inbox: whoever has a proof can send it.
    is_looked_up = delivery.recipients is None or event.type in FOR_AN_AGENT
    finding = recipient_asks(candidates, limits=limits) if is_looked_up else ()
    asks: tuple[FindAgent | FindMessages, ...] = (*finding, *_stored_asks(about))
    answers, actor_answer = yield from ask_ends(asks, head.actor, limits=limits)
    answers, rows = answers[: len(finding)], answers[len(finding) :]
    stored |= _stored(about, rows)
    recipients = _intended(served_agents(answers), delivery) if is_looked_up else delivery.recipients or ()
    if not recipients and event.agents:
        raise _elsewhere()
    if event.type == "Delete" and says_gone(actor_answer, head.host):
        return (yield from _deletion(delivery, activity, event, recipients=recipients, stored=stored))
    actor = actor_of(actor_answer, head.actor, limits)

    signatures = read_signatures(delivery.request, activity.node.raw, activity.node.raw.get("object"))
    authentication = yield from authenticate(
        delivery.request, head, signatures, actor=actor, now=delivery.now, settings=delivery.settings
    )
    verdict = authentication.verdict
    unaddressed: tuple[Diagnostic, ...] = ()
    if verdict.evidence is not None and not verdict.evidence.audience:
        agents = {ask.native_id: answer for ask, answer in zip(finding, answers, strict=True)}
        verdict, unaddressed = name_audience(verdict, activity, None, recipients=recipients, agents=agents)
    if not verdict.verified:
        return _unverified(event, verdict)
    actor, address = authentication.actor or actor, verdict.address or ""

    try:
        authorized = yield from authorize(event, activity, actor, address=address, stored=stored, limits=limits)
        if not recipients and event.type in FOR_AN_AGENT:
            recipients = yield from _asked_by(authorized.inner, delivery)
        who = actor_at(actor, address=address)
        if who is None:
            raise wire_error("missing-member", "/actor/inbox", "an actor has an inbox on its own host")
    except WireError as error:
        return rejected(error, verdict)
    checked = yield from check_replay(verdict, delivery.settings, recipients)
    verdict = checked.verdict
    if not verdict.verified:
        return _unverified(event, verdict)
    return _new_activity(
        type=event.type,
        id=head.id,
        actor=who,
        authority=authorized.authority,
        object_ids=event.object_ids,
        document=_document(activity.node.raw),
        verdict=verdict,
        target_id=event.target_id,
        content=event.content,
        inner=authorized.inner,
        recipients=recipients,
        stored=authorized.stored,
        redelivered=checked.is_repeated,
        diagnostics=(*to.diagnostics, *authentication.diagnostics, *unaddressed, *actor.diagnostics),
    )


def _unverified(event: Event, verdict: Verdict) -> Rejected:
    """The rejection of an activity of an unverified actor.

    Of a Delete it is that of something that is not stored: otherwise an attacker could ask what is.
    """
    if event.type == "Delete" and not verdict.temporary:
        return Rejected(code="object-unknown", verdict=verdict)
    return rejection_of(verdict)


def _deletion(
    delivery: Delivery,
    activity: Activity,
    event: Event,
    *,
    recipients: tuple[Address, ...],
    stored: Mapping[str, Mapping[str, StoredMessage]],
) -> Flow[FindMessages | Fetch, ReceivedActivity | Rejected]:
    """The Delete by an actor who is gone: not verified, but confirmed by their server.

    Raises:
        WireError: It is not confirmed.
    """
    head, settings = activity.head, delivery.settings
    (deleted,) = event.object_ids  # of a Delete exactly one
    gone = yield from confirm_deletion(head, deleted, stored[deleted], limits=settings.limits)
    if settings.require_verified:
        return _unverified(event, gone.verdict)
    return ReceivedActivity(
        type=event.type,
        id=head.id,
        actor=gone.actor,
        authority="gone",
        object_ids=event.object_ids,
        document=_document(activity.node.raw),
        verdict=gone.verdict,
        recipients=recipients,
        stored=gone.stored,
    )


def _document(raw: dict[str, Any]) -> Any:
    """The activity without blind recipients and secrets, which is made when a program reads it."""
    return Lazy(lambda: redacted(without_blind(raw)))


def _stored_asks(about: Iterable[str]) -> list[FindMessages]:
    return [_find_messages(native_id=one) for one in about]


def _stored(about: Iterable[str], answers: Iterable[Any]) -> dict[str, Mapping[str, StoredMessage]]:
    """Id → what is stored under it, of all that an activity is about.

    Raises:
        WireError: `lookup-failed`: the store could not be asked just now.
    """
    return dict(zip(about, map(from_store, answers), strict=True))


def _intended(agents: tuple[Address, ...], delivery: Delivery) -> tuple[Address, ...]:
    """Those of these agents that the delivery is for."""
    recipients = delivery.recipients
    return agents if recipients is None else tuple([agent for agent in agents if agent in recipients])


def _asked_by(inner: InnerActivity | None, delivery: Delivery) -> Flow[FindAgent, tuple[Address, ...]]:
    """The agent here that did what is answered, where the answer only named that.

    Raises:
        WireError: `recipient-elsewhere`: none did. `lookup-failed`.
    """
    actor_id = None if inner is None else inner.actor_id
    agents = (
        () if actor_id is None else _intended(served_agents([(yield from FindAgent(native_id=actor_id))]), delivery)
    )
    if not agents:
        raise _elsewhere()
    return agents


def _elsewhere() -> WireError:
    return wire_error("recipient-elsewhere", "/object", "names no agent of this server")
