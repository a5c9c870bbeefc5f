"""The door: the fields of a form become one normalized message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias, cast

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.asks import Fetch, FindAgent, FindHistory, FindMessage, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import UNSIGNED, Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Settings, check_entropy, check_inputs
from .._model.base import replace
from .._model.identity import VerifiedIdentity
from .._model.message import HistoricalMessage
from .._model.parts import DigestRef, Part
from .._model.sender import Sender
from .._transport.caller import Caller, authenticated, named_sender
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._transport.forwarded import ForwardedTurn, brings_evidence
from .._wire.address import REST_ANONYMOUS, Address, agent_address
from .._wire.http import HttpRequest, without_query
from .._wire.ids import derive, uuid_of
from .._wire.time import format_time
from ..identity import with_evidence
from ._raw import raw_of
from ._read.field import ASSISTANT, EVIDENCE, HISTORY, MESSAGE_ID, SESSION, USER, Field
from ._read.form import Form, Reading, Turn, read_form
from ._read.multipart import split_form
from ._read.sidecar import candidate_in, capabilities_in, evidence_in, forwarded_turns, typed_parts

RestAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask that this room makes."""

ANONYMOUS: Final = Sender(address=REST_ANONYMOUS)
"""The sender of a message whose caller nobody knows."""

_KEY: Final = "idempotency-key"


class _Context(NamedTuple):
    """What the host said beside the fields."""

    request: HttpRequest | None
    caller: Caller | None
    recipient: Address | None
    now: datetime
    entropy: bytes
    settings: Settings


def receive(
    fields: Sequence[Field] | HttpRequest,
    *,
    request: HttpRequest | None = None,
    caller: Caller | None = None,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[RestAsk, Received | Rejected]:
    """One message from a form: `user` and `assistant` turns in order, and what stands beside them.

    The last turn, if it is `user`, is the message; those before it are its history. Nothing in a form shows who sent
    it: name the caller whom you authenticated, else the sender is `@anonymous@rest.invalid`. Identity evidence that
    `settings.trust` trusts stands in `Received.identities`.

    Args:
        fields: The fields in order, as your web framework splits them; or the whole request, which is split here.
        request: The request that they came with: its URL says for whom they are, its headers may hold a payment.
        caller: Who your host found the caller to be. Never verified.
        recipient: For which agent it is. None: `FindAgent` asks for the request URL without its query.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each unit; the same give the same ids.
        settings: Limits, history policy, and whose evidence counts.

    Returns:
        A flow of `Received`, or of `Rejected` when the form says nothing, is broken, is for nobody here, or is over a
        limit. Whatever else is odd in it is a diagnostic.

    Raises:
        UsageError: Your program's fault: fields that are none, no way to know the recipient, a naive `now`, an address
            that is none. Nothing in the fields makes the flow raise.

    Spec: REST transport; Normalized Message §3, §5.4; decisions A8, B7.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> form = [Field("session", "s1"), Field("user", "Hi"), Field("assistant", "Hello!"), Field("user", "And?")]
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(receive(form, recipient="@helper@agents.example", now=now, entropy=bytes(32)), Answers())
        >>> got.message.thread_id, got.message.parts[0].content
        ('s1', 'And?')
        >>> [(turn.role, turn.parts[0].content) for turn in got.message.history]
        [('user', 'Hi'), ('assistant', 'Hello!')]
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    _check_facts(fields, request, caller)
    if isinstance(fields, HttpRequest):
        request = fields
    if recipient is None and request is None:
        raise UsageError("fields do not say for whom they are: recipient= or request= is needed")
    agent = None if recipient is None else agent_address(recipient)
    return _received(fields, _Context(request, caller, agent, now, entropy, settings))


def _check_facts(fields: object, request: object, caller: object) -> None:
    """Raises `UsageError` when an argument is of the wrong kind."""
    if isinstance(fields, HttpRequest):
        if request is not None:
            raise UsageError("a whole request is given as the unit, or beside its fields: not both")
    elif not isinstance(fields, (list, tuple)) or not all(isinstance(one, Field) for one in fields):
        raise UsageError("fields is a list or tuple of rest.Field(...), or the HttpRequest")
    if request is not None and not isinstance(request, HttpRequest):
        raise UsageError("request must be an HttpRequest")
    if caller is not None and not isinstance(caller, Caller):
        raise UsageError("caller must be a Caller(subject=...)")


def _received(unit: Sequence[Field] | HttpRequest, context: _Context) -> Flow[RestAsk, Received | Rejected]:
    """The flow behind the door. Whatever the unit's fault is ends in `Rejected`."""
    settings, limits = context.settings, context.settings.limits
    try:
        fields = split_form(unit, limits) if isinstance(unit, HttpRequest) else tuple(unit)
        reading = Reading(limits)
        form = read_form(fields, reading)
        message_id = _message_id(form, context, reading)
        thread_id = form.text_of(SESSION, reading)
        if thread_id is None:
            thread_id = message_id
            reading.note("thread-from-message", "", "no session is named")
        parts, turns = _said(form, reading)
        agent = context.recipient
        if agent is None:
            url = without_query(cast("HttpRequest", context.request).url)
            agent = (yield from resolve_recipients((url,), limits=limits))[0]
        sender = named_sender(context.caller, ANONYMOUS, reading.notes)
        forwarded = forwarded_turns(form, agent, reading)
        history = _history_of(turns, agent, sender, context, reading) if forwarded is None else _turns_of(forwarded)
        candidate = candidate_in(form, context.request, thread_id, reading)
        draft = IncomingMessage(
            native_id=f"{sender.address} {message_id}",
            thread_id=thread_id,
            sender=sender,
            parts=parts,
            recipient_capabilities=capabilities_in(form, reading),
            received_via="rest",
            raw=partial(raw_of, context.request, fields, context.caller, message_id, limits),
            history=history,
        )
        draft, identities = yield from _shown(form, draft, forwarded or (), agent, context, reading)
        received = yield from deliver(
            draft,
            recipients=(agent,),
            verdict=UNSIGNED,
            identities=identities,
            now=context.now,
            entropy=context.entropy,
            settings=settings,
            blobs=_referenced(draft, reading),
            diagnostics=reading.notes,
        )
        if candidate is None or isinstance(received, Rejected):
            return received
        return replace(received, candidate=candidate)
    except WireError as error:
        return rejected(error)


def _message_id(form: Form, context: _Context, reading: Reading) -> str:
    """The id of the message: as the caller names it, so that it may send it twice, else one of ours.

    A field counts before the header field `Idempotency-Key`.
    """
    named = form.text_of(MESSAGE_ID, reading)
    if named is None and context.request is not None:
        key = (context.request.header(_KEY) or "").strip()
        named = key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key
        if len(named) > reading.limits.id_chars:
            raise wire_error("id-too-long", f"/headers/{_KEY}", f"{len(named)} characters")
    return named or uuid_of(derive("rest.receive", context.entropy))


def _said(form: Form, reading: Reading) -> tuple[tuple[Part, ...], list[Turn]]:
    """What the message says, and the turns before it.

    Raises:
        WireError: The form says nothing, or its last word is the agent's.
    """
    turns = form.turns
    last = turns[-1] if turns and turns[-1].role == USER else None
    parts = typed_parts(form, reading)
    if parts is None:
        if last is None:
            rule = "the last turn is the agent's" if turns else "the form holds no turn"
            raise wire_error("missing-member", "/user", rule)
        parts = tuple(last.parts)
    return parts, turns if last is None else turns[:-1]


def _turns_of(forwarded: tuple[ForwardedTurn, ...]) -> tuple[HistoricalMessage, ...]:
    """The prior turns that the caller forwards with all that is known of them."""
    return tuple([one.turn for one in forwarded])


def _history_of(
    turns: list[Turn], agent: Address, sender: Sender, context: _Context, reading: Reading
) -> tuple[HistoricalMessage, ...]:
    """The plain prior turns. They carry no time, so they have that of the message; they keep their order."""
    if turns:
        reading.note("time-assumed", "", "turns of a form carry no time of their own")
    if any(turn.role == ASSISTANT for turn in turns):
        reading.note("history-role", "", "turns of the agent: the caller's word alone")
    sides = {USER: Sender(address=sender.address), ASSISTANT: Sender(address=agent)}
    return tuple([_plain_turn(turn, sides[turn.role], context.now) for turn in turns])


def _plain_turn(turn: Turn, sender: Sender, now: datetime) -> HistoricalMessage:
    return HistoricalMessage(role=turn.role, sender=sender, parts=tuple(turn.parts), timestamp=format_time(now))


def _shown(
    form: Form,
    draft: IncomingMessage,
    turns: tuple[ForwardedTurn, ...],
    agent: Address,
    context: _Context,
    reading: Reading,
) -> Flow[Fetch | UseOnce, tuple[IncomingMessage, tuple[VerifiedIdentity, ...]]]:
    """The draft with the evidence that came along, as far as it counts, and whom it shows."""
    carrier = evidence_in(form, reading)
    if not brings_evidence(carrier, turns):
        return draft, ()
    shown = yield from with_evidence(
        draft,
        carrier,
        turns,
        at=form.place_of(EVIDENCE),
        history_at=form.place_of(HISTORY),
        recipient=agent,
        caller=authenticated(UNSIGNED, context.caller),
        now=context.now,
        settings=context.settings,
    )
    reading.notes += shown.diagnostics
    return shown.draft, shown.identities


def _referenced(draft: IncomingMessage, reading: Reading) -> dict[str, bytes]:
    """The bytes that parts name: those of files that only stood in for typed parts are not kept."""
    said = chain(draft.parts, *[turn.parts for turn in draft.history or ()])
    references: list[Any] = [getattr(part, "bytes_ref", None) for part in said]
    digests = {reference.digest for reference in references if isinstance(reference, DigestRef)}
    return {digest: data for digest, data in reading.blobs.items() if digest in digests}
