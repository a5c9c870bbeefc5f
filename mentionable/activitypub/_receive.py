"""The door: an inbox delivery to one message for each agent that it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .._asks import Fetch, FindAgent, FindHistory, FindMessage, Flow, UseOnce, ask_each, both, bounded
from .._delivery import Draft, agents_found, agents_to_find, deliver
from .._errors import WireError, wire_error
from .._ids import check_inputs
from .._model.capabilities import AddressingRelay, RecipientCapabilities
from .._outcome import Diagnostic, Received, Rejected, Verdict, rejected
from .._settings import Settings
from .._value import trusted
from ._activity import read_activity, read_object
from ._documents import Unreadable, fetch, read_document
from ._history import history_of
from ._parts import parts_of
from ._raw import raw_of
from ._recipients import addressing
from ._sender import ADDRESSLESS, Actor, read_actor
from ._signature import is_signed
from ._thread import near_thread, place_of, walked_thread

if TYPE_CHECKING:
    from datetime import datetime

    from .._address import Address
    from .._asks import Failed, Fetched
    from .._errors import Code
    from .._http import HttpRequest
    from .._model.message import HistoricalMessage
    from .._settings import Limits

ActivityPubAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindHistory | UseOnce
"""Everything that this room can ask."""

_CAPABILITIES: Final = RecipientCapabilities(mention_relay=AddressingRelay(envelope_fields=("to", "cc")))
_UNSIGNED: Final = Verdict(method="none", verified=False, code="unsigned")
_NOT_VERIFIED: Final = Verdict(method="none", verified=False, code="not-verified")
_DEFAULTS: Final = Settings()

_draft = trusted(
    Draft,
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
)


def receive(
    request: HttpRequest,
    *,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = _DEFAULTS,
) -> Flow[ActivityPubAsk, Received | Rejected]:
    """What a delivery to an inbox says, as one message for each agent that it is for.

    A Create or Update of something that people read becomes messages; everything else is rejected with a code whose
    `http_status` suits an inbox. Signatures are not looked at: `sender.verified` is false. The sender's actor document
    is always asked for; answer from your cache, and a document that was read before costs no parsing.

    Replies name objects, not activities: `Received.aliases` holds the id of the object. Store each message under it
    too, so that `FindMessage` finds the parent of a reply to it.

    Args:
        request: The POST as it came; its body byte for byte.
        recipient: The agent that it is for, when you know; then the addressing is not looked up.
        now: The time, aware.
        entropy: At least 32 random bytes; the same give the same ids.
        settings: Limits and history policy. `Limits(walk_depth=0)` asks for no ancestors, and so gives no history.

    Returns:
        A flow of `Received`, or of `Rejected` when the delivery is no message, does not hold together, has no
        resolvable sender, is for nobody here, or is over a limit. Whatever else is odd in it is a diagnostic.

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
    check_inputs(now, entropy)
    limits = settings.limits
    flow = _receive(request, recipient, now, entropy, settings)
    try:
        if limits.asks >= 2 * limits.walk_depth + 2:  # Object, actor, ancestors and their authors: the most there are.
            return (yield from flow)
        return (yield from bounded(flow, remote=limits.asks))
    except WireError as error:
        return rejected(error)


def _receive(
    request: HttpRequest, recipient: str | None, now: datetime, entropy: bytes, settings: Settings
) -> Flow[ActivityPubAsk, Received]:
    """`receive` before its refusals are made outcomes."""
    limits = settings.limits
    notes: list[Diagnostic] = []
    activity = read_activity(request.body, limits=limits)
    embedded, fetched = activity.object, None
    if isinstance(embedded, str):
        embedded, fetched = yield from _documents(embedded, activity.actor, limits=limits)
    content = read_object(embedded, activity, limits=limits)
    to = addressing(activity.document, content.document, limits=limits, notes=notes)
    parts = parts_of(content, limits=limits, notes=notes)
    place = place_of(activity, content, limits=limits, notes=notes)
    asking = _addressed(to.candidates, recipient, activity.actor, fetched, limits=limits)
    if place.parent is None or limits.walk_depth == 0:
        recipients, actor = yield from asking
        thread = near_thread(activity, place)
    else:
        walking = walked_thread({activity.id, content.id}, place.named, place.parent, limits=limits, notes=notes)
        (recipients, actor), thread = yield from both(asking, walking)
    notes += actor.notes
    history: tuple[HistoricalMessage, ...] = ()
    if thread.ancestors:
        known = {activity.actor: actor.sender}
        history = yield from history_of(thread.ancestors, known=known, limits=limits, notes=notes)
    signed = is_signed(request, activity.document, content.document)
    draft = _draft(
        activity.id,
        () if content.id == activity.id else (content.id,),
        thread.id,
        actor.sender,
        parts,
        _CAPABILITIES,
        "activitypub",
        raw_of(request, activity, content, actor.document.take(), to, signed=signed),
        thread.parent,
        thread.joins,
        history,
    )
    return (
        yield from deliver(
            draft,
            recipients=recipients,
            verdict=_NOT_VERIFIED if signed else _UNSIGNED,
            now=now,
            entropy=entropy,
            settings=settings,
            diagnostics=notes,
        )
    )


def _documents(object_id: str, author: str, *, limits: Limits) -> Flow[Fetch, tuple[dict[str, Any], Fetched | Failed]]:
    """An object that an activity only names; and the answer for the actor, who is asked for in the same batch."""
    asked = fetch(object_id, "object", limits=limits), fetch(author, "actor", limits=limits)
    answer, actor = yield from both(*asked)
    document = read_document(answer, object_id, limits=limits)
    if isinstance(document, Unreadable):
        code: Code = "lookup-failed" if document.temporary else "object-unresolvable"
        raise wire_error(code, "/object", f"the object: {document.reason}")
    return document, actor


def _addressed(
    candidates: tuple[str, ...], recipient: str | None, author: str, known: Fetched | Failed | None, *, limits: Limits
) -> Flow[FindAgent | Fetch, tuple[tuple[Address, ...], Actor]]:
    """For whom it is and who sent it; `known` is the answer for the actor when it was asked for before."""
    finding = agents_to_find(candidates, recipient=recipient, limits=limits)
    if known is None:
        asks: tuple[FindAgent | Fetch, ...] = (*finding, fetch(author, "actor", limits=limits))
        *answers, known = yield from ask_each(asks)
    else:
        answers = list((yield from ask_each(finding)))
    recipients = agents_found(finding, answers, recipient=recipient)
    actor = read_actor(known, author, limits=limits)
    if isinstance(actor, Unreadable):
        code: Code = "sender-unaddressable" if actor is ADDRESSLESS else "sender-unresolvable"
        raise wire_error(code, "/actor", f"the actor document: {actor.reason}")
    return recipients, actor
