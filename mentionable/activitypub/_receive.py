"""The door: an inbox delivery to one message for each agent that it is for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

from .._crypto.verification import used_once
from .._errors.exceptions import Code, WireError, wire_error
from .._flow.asks import Fetch, Fetched, FindAgent, FindHistory, FindMessage, UseOnce
from .._flow.flow import Failed, Flow, ask_each, bounded, gather
from .._flow.outcome import UNSIGNED, Received, Rejected, Verdict, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_entropy, check_inputs
from .._model.base import trusted
from .._model.capabilities import AddressingRelay, RecipientCapabilities
from .._model.diagnostic import Diagnostic
from .._model.message import HistoricalMessage
from .._model.parts import Part
from .._transport.delivery import CarriedTrace, IncomingMessage, deliver, recipient_asks, recipients_from
from .._wire.address import Address, agent_address
from .._wire.http import HttpRequest, check_request
from ._auth.signature import Signatures, read_signatures
from ._policy import with_policy
from ._raw import raw_of
from ._read.documents import ADDRESSLESS, Actor, Unreadable, fetch, read_actor, read_document
from ._read.history import history_of
from ._read.json_ld import IRI, TERM
from ._read.message import Thread, near_thread, parts_of, place_of, walked_thread, without_trace
from ._read.object import Activity, Content, addressing, read_activity, read_object
from ._verify import MAX_ASKS, authenticate

ActivityPubAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask that this room makes."""

_CAPABILITIES: Final = RecipientCapabilities(mention_relay=AddressingRelay(envelope_fields=("to", "cc")))

_draft = trusted(
    IncomingMessage,
    "native_id",
    "aliases",
    "thread_id",
    "sender",
    "parts",
    "recipient_capabilities",
    "received_via",
    "raw",
    "parent_id",
    "thread_of",
    "history",
    "turn_ids",
    "received_trace",
)


def receive(
    request: HttpRequest,
    *,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[ActivityPubAsk, Received | Rejected]:
    """What a delivery to an inbox says, as one message for each agent that it is for.

    A Create or Update of something that people read becomes messages; everything else is rejected with a code whose
    `http_status` suits an inbox. Who sent it is verified as `verify` does; a signature that does not show them costs
    `sender.verified`, never the message. The actor document is always asked for: answer from your cache. Replies name
    objects, so store messages under `Received.aliases` too.

    Args:
        request: The POST as it came; its body byte for byte.
        recipient: The agent that it is for, when you know; then the addressing is not looked up.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each unit; the same give the same ids.
        settings: Limits and history policy. `Limits(walk_depth=0)` asks for no ancestors, and so gives no history.

    Returns:
        A flow of `Received`, or of `Rejected` with a code that says why. What is merely odd is a diagnostic.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (ActivityPub), §5.1, §5.1.1, §5.4, §6, §8.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> like = HttpRequest(method="POST", url="https://agents.example/inbox", body=b'{"type": "Like"}')
        >>> no = drive(receive(like, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32)), Answers())
        >>> no.code, no.http_status
        ('unsupported-activity', 202)
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    check_request(request)
    recipients = None if recipient is None else (agent_address(recipient),)
    limits = settings.limits
    flow = _received(request, recipients, now, entropy, settings)
    if limits.asks >= 2 * limits.walk_depth + 1 + MAX_ASKS:  # Object, ancestors and their authors; who sent it.
        return flow
    return bounded(flow, remote=limits.asks)


def _received(
    request: HttpRequest, recipients: tuple[Address, ...] | None, now: datetime, entropy: bytes, settings: Settings
) -> Flow[ActivityPubAsk, Received | Rejected]:
    """The flow behind the door. Whatever the delivery's fault is ends in `Rejected`."""
    limits = settings.limits
    notes: list[Diagnostic] = []
    try:
        activity = read_activity(request.body, limits=limits)
        embedded = activity.object
        if isinstance(embedded, str):
            content, fetched = yield from _fetched(embedded, activity, limits=limits)
        else:
            content, fetched = read_object(embedded, activity, limits=limits), None
        to = addressing(activity.document, content.document, limits=limits, notes=notes)
        shown_document, trace = without_trace(content.document, notes)
        parts = parts_of(content._replace(document=shown_document), limits=limits, notes=notes)
        place = place_of(activity, content, limits=limits, notes=notes)
        signatures = read_signatures(request, activity.document, content.document)
        asking = _sent(request, activity, signatures, to.candidates, recipients, fetched, now, limits, notes)
        if place.parent is None or limits.walk_depth == 0:
            recipients, actor, agents, verdict = yield from asking
            thread = near_thread(activity, place)
        else:
            walking = walked_thread({activity.id, content.id}, place.named, place.parent, limits=limits, notes=notes)
            (recipients, actor, agents, verdict), thread = yield from gather(asking, walking)
        notes += actor.notes
        if TERM in content.document or IRI in content.document:
            parts = with_policy(parts, activity, content, actor.sender, limits=limits, notes=notes)
        history: tuple[HistoricalMessage, ...] = ()
        if thread.ancestors:
            known = {activity.actor: actor.sender}
            history = yield from history_of(thread.ancestors, known=known, agents=agents, limits=limits, notes=notes)
        raw = partial(raw_of, activity, content, actor.document, to, signatures, verdict.key_id)
        return (
            yield from deliver(
                _draft_of(activity, content, actor, parts, thread, history, raw, trace),
                recipients=recipients,
                verdict=(yield from used_once(verdict, settings)),
                now=now,
                entropy=entropy,
                settings=settings,
                diagnostics=notes,
            )
        )
    except WireError as error:
        return rejected(error)


def _draft_of(
    activity: Activity,
    content: Content,
    actor: Actor,
    parts: tuple[Part, ...],
    thread: Thread,
    history: tuple[HistoricalMessage, ...],
    raw: Callable[[], Any],
    trace: CarriedTrace | None,
) -> IncomingMessage:
    """What the delivery says, for delivery to the agents."""
    return _draft(
        activity.id,
        () if content.id == activity.id else (content.id,),
        thread.id,
        actor.sender,
        parts,
        _CAPABILITIES,
        "activitypub",
        raw,
        thread.parent,
        thread.joins,
        history,
        tuple([turn.id or "" for turn in history]),
        trace,
    )


def _fetched(named: str, activity: Activity, *, limits: Limits) -> Flow[Fetch, tuple[Content, Fetched | Failed]]:
    """The object that the activity only names; and the answer for the actor, who is asked for in the same batch."""
    asked = fetch(named, "object", limits=limits), fetch(activity.actor, "actor", limits=limits)
    answer, actor = yield from gather(*asked)
    document = read_document(answer, named, limits=limits)
    if isinstance(document, Unreadable):
        code: Code = "lookup-failed" if document.temporary else "object-unresolvable"
        raise wire_error(code, "/object", f"the object: {document.reason}")
    return read_object(document, activity, limits=limits), actor


def _sent(
    request: HttpRequest,
    activity: Activity,
    signatures: Signatures,
    candidates: tuple[str, ...],
    recipients: tuple[Address, ...] | None,
    known: Fetched | Failed | None,
    now: datetime,
    limits: Limits,
    notes: list[Diagnostic],
) -> Flow[FindAgent | Fetch, tuple[tuple[Address, ...], Actor, dict[str, Any], Verdict]]:
    """What `_addressed` finds out, and then whether it was really sent by the actor."""
    recipients, actor, agents = yield from _addressed(candidates, recipients, activity.actor, known, limits=limits)
    if not signatures:
        return recipients, actor, agents, UNSIGNED
    result = yield from authenticate(request, activity.head, signatures, actor=actor, now=now, limits=limits)
    notes += result.diagnostics
    return recipients, result.actor or actor, agents, result.verdict


def _addressed(
    candidates: tuple[str, ...],
    recipients: tuple[Address, ...] | None,
    author: str,
    known: Fetched | Failed | None,
    *,
    limits: Limits,
) -> Flow[FindAgent | Fetch, tuple[tuple[Address, ...], Actor, dict[str, Any]]]:
    """For whom it is, who sent it, and who is an agent by the caller's word.

    `known` is the answer for the actor when it was asked for before.
    """
    finding = recipient_asks(candidates, limits=limits) if recipients is None else ()
    if known is None:
        asks: tuple[FindAgent | Fetch, ...] = (*finding, fetch(author, "actor", limits=limits))
        *answers, known = yield from ask_each(asks)
    else:
        answers = list((yield from ask_each(finding)))
    if recipients is None:
        recipients = recipients_from(finding, answers)
    actor = read_actor(known, author, limits=limits)
    if isinstance(actor, Unreadable):
        code: Code = "sender-unaddressable" if actor is ADDRESSLESS else "sender-unresolvable"
        outlook = "" if actor.temporary or actor is ADDRESSLESS else ", which looks permanent"
        raise wire_error(code, "/actor", f"the actor document: {actor.reason}{outlook}")
    return recipients, actor, dict(zip(candidates, answers, strict=True)) if finding else {}
