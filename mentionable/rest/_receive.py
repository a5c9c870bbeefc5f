"""Receiving: the fields of a form become one normalized message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from .._model.diagnostic import Diagnostic
from .._model.message import HistoricalMessage
from .._model.parts import DigestRef
from .._model.sender import Sender
from .._transport.caller import Caller, authenticated, named_sender
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._wire.address import REST_ANONYMOUS, Address, agent_address
from .._wire.http import HttpRequest, without_query
from .._wire.ids import derive, uuid_of
from .._wire.time import format_time
from ..identity import with_evidence
from ._policy import candidate_in
from ._raw import raw_of
from ._read.field import ASSISTANT, EVIDENCE, HISTORY, MESSAGE_ID, SESSION, USER, Field
from ._read.form import ABSENT, Form, Turn, read_form
from ._read.multipart import split_form
from ._read.sidecar import capabilities_in, forwarded_turns, typed_parts

RestAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of REST."""

ANONYMOUS_SENDER: Final = Sender(address=REST_ANONYMOUS)
"""The sender of a message whose caller is unknown."""

_KEY: Final = "idempotency-key"


class _ReceiveContext(NamedTuple):
    """The arguments of `receive`, checked."""

    request: HttpRequest | None
    caller: Caller | None
    recipient: Address | None
    now: datetime
    entropy: bytes
    settings: Settings


def receive(
    request: HttpRequest | Sequence[Field],
    *,
    fields: Sequence[Field] | None = None,
    caller: Caller | None = None,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[RestAsk, Received | Rejected]:
    """Receive one message from a form: `user` and `assistant` turns in order, and the fields alongside them.

    The last turn, if it is `user`, is the message; those before it are its history. Nothing in a form proves who sent
    it: name the caller that you authenticated, else the sender is `@anonymous@rest.invalid`. Identity evidence that
    `settings.trust` trusts is in `Received.identities`.

    Args:
        request: The whole request. Its URL names the recipient, its headers may hold a payment. Or the fields alone,
            when your host has no request.
        fields: The fields in order, where your web framework has split the body already. None: the body is split here.
        caller: The caller, as your host knows it. Never verified.
        recipient: The agent that receives it. None: `FindAgent` asks for the request URL without its query.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; the same bytes give the same ids.
        settings: Limits, history policy, and the trusted issuers of evidence.

    Returns:
        A flow of `Received`, or of `Rejected` when the form has no turn, is broken, has no recipient here, or is over a
        limit. Anything else that is odd in it is a diagnostic.

    Raises:
        UsageError: Your program's fault: fields of the wrong kind, no way to know the recipient, a naive `now`, an
            invalid address. Nothing in the fields makes the flow raise.

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
    http: HttpRequest | None = None
    if isinstance(request, HttpRequest):
        http = request
    elif fields is None:
        fields = request
    else:
        raise UsageError("request must be the HttpRequest that the fields came with")
    if fields is not None and (
        not isinstance(fields, (list, tuple)) or not all(isinstance(one, Field) for one in fields)
    ):
        raise UsageError("fields is a list or tuple of rest.Field(...)")
    if caller is not None and not isinstance(caller, Caller):
        raise UsageError("caller must be a Caller(subject=...)")
    if recipient is None and http is None:
        raise UsageError("fields do not name their recipient: recipient= or a request is needed")
    arguments = _ReceiveContext(
        request=http,
        caller=caller,
        recipient=None if recipient is None else agent_address(recipient),
        now=now,
        entropy=entropy,
        settings=settings,
    )
    return _received(fields, arguments)


def _received(fields: Sequence[Field] | None, arguments: _ReceiveContext) -> Flow[RestAsk, Received | Rejected]:
    """The flow of `receive`. A fault of the form ends it with `Rejected`."""
    # What needs no look-up comes first, so that nothing is asked for a form that is rejected anyway:
    #   1. split the body, and sort its fields into turns and sidecars
    #   2. read the ids and the parts of the last turn
    #   3. find the recipient                         (asks `FindAgent`)
    #   4. read what its caller forwards: prior turns, a receipt, capabilities
    #   5. verify forwarded identity evidence         (asks for the keys of those who signed it)
    #   6. look up what the store has of the conversation, and make the message
    limits = arguments.settings.limits
    try:
        if fields is None:
            fields = split_form(cast("HttpRequest", arguments.request), limits)
        fields = tuple(fields)
        form = read_form(fields, limits)
        diagnostics = [*form.diagnostics]

        message_id = _message_id(form, arguments)
        thread_id = form.text_of(SESSION)
        if thread_id is None:
            thread_id = message_id
            diagnostics.append(Diagnostic(code="thread-from-message", detail="no session is named"))
        parts, odd = typed_parts(form)
        diagnostics += odd
        last = form.turns[-1] if form.turns and form.turns[-1].role == USER else None
        if parts is None:
            if last is None:
                reason = "the last turn is the agent's" if form.turns else "the form holds no turn"
                raise wire_error("missing-member", "/user", reason)
            parts = tuple(last.parts)

        recipient = arguments.recipient
        if recipient is None:  # `receive` takes no fields without a request or a recipient
            url = without_query(cast("HttpRequest", arguments.request).url)
            recipient = (yield from resolve_recipients((url,), limits=limits))[0]

        sender, odd = named_sender(arguments.caller, ANONYMOUS_SENDER)
        diagnostics += odd
        forwarded, odd = forwarded_turns(form, recipient)
        diagnostics += odd
        if forwarded is None:
            turns = form.turns if last is None else form.turns[:-1]
            history, odd = _plain_history(turns, sender=sender.address, agent=recipient, now=arguments.now)
            diagnostics += odd
        else:
            history = tuple([one.turn for one in forwarded])
        candidate, odd = candidate_in(form, arguments.request, thread_id)
        diagnostics += odd
        capabilities, odd = capabilities_in(form)
        diagnostics += odd
        incoming = IncomingMessage(
            native_id=f"{sender.address} {message_id}",
            thread_id=thread_id,
            sender=sender,
            parts=parts,
            recipient_capabilities=capabilities,
            received_via="rest",
            raw=partial(
                raw_of, arguments.request, fields, caller=arguments.caller, message_id=message_id, limits=limits
            ),
            history=history,
        )

        carrier, odd = form.json_of(EVIDENCE)
        diagnostics += odd
        incoming, identities, odd = yield from with_evidence(
            incoming,
            None if carrier is ABSENT else carrier,
            forwarded or (),
            at=form.pointer_of(EVIDENCE),
            history_at=form.pointer_of(HISTORY),
            recipient=recipient,
            caller=authenticated(UNSIGNED, arguments.caller),
            now=arguments.now,
            settings=arguments.settings,
        )
        diagnostics += odd

        received = yield from deliver(
            incoming,
            recipients=(recipient,),
            verdict=UNSIGNED,
            identities=identities,
            now=arguments.now,
            entropy=arguments.entropy,
            settings=arguments.settings,
            blobs=_referenced(incoming, form.blobs),
            diagnostics=diagnostics,
        )
        if candidate is None or isinstance(received, Rejected):
            return received
        return replace(received, candidate=candidate)
    except WireError as error:
        return rejected(error)


def _message_id(form: Form, arguments: _ReceiveContext) -> str:
    """The id that the caller gives the message, so that it can send the message again, else a new one.

    A field counts before the header field `Idempotency-Key`.
    """
    message_id = form.text_of(MESSAGE_ID)
    if message_id is None and arguments.request is not None:
        key = (arguments.request.header(_KEY) or "").strip()
        message_id = key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key
        if len(message_id) > form.limits.id_chars:
            raise wire_error("id-too-long", f"/headers/{_KEY}", f"{len(message_id)} characters")
    return message_id or uuid_of(derive("rest.receive", arguments.entropy))


def _plain_history(
    turns: Sequence[Turn], *, sender: str, agent: str, now: datetime
) -> tuple[tuple[HistoricalMessage, ...], list[Diagnostic]]:
    """The plain prior turns as history. They carry no time, so they have that of the message, and keep their order."""
    diagnostics: list[Diagnostic] = []
    if turns:
        diagnostics.append(Diagnostic(code="time-assumed", detail="turns of a form carry no time of their own"))
    if any(turn.role == ASSISTANT for turn in turns):
        diagnostics.append(Diagnostic(code="history-role", detail="turns of the agent: the caller's word alone"))
    timestamp = format_time(now)
    senders = {USER: Sender(address=sender), ASSISTANT: Sender(address=agent)}
    history = [
        HistoricalMessage(role=turn.role, sender=senders[turn.role], parts=tuple(turn.parts), timestamp=timestamp)
        for turn in turns
    ]
    return tuple(history), diagnostics


def _referenced(incoming: IncomingMessage, blobs: Mapping[str, bytes]) -> dict[str, bytes]:
    """The blobs that parts name by digest. Files that typed parts replace are not kept."""
    parts = chain(incoming.parts, *[turn.parts for turn in incoming.history or ()])
    references: list[Any] = [getattr(part, "bytes_ref", None) for part in parts]
    digests = {reference.digest for reference in references if isinstance(reference, DigestRef)}
    return {digest: data for digest, data in blobs.items() if digest in digests}
