"""The door: an A2A request, result or bare object becomes one normalized message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, cast

from .._crypto.verification import used_once
from .._errors.exceptions import Code, UsageError, WireError, moved, wire_error
from .._flow.asks import Fetch, FindAgent, FindHistory, FindMessage, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import UNSIGNED, Received, Rejected, Verdict, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_entropy, check_inputs
from .._model.base import replace, trusted
from .._model.identity import VerifiedIdentity
from .._model.issuance import Candidate
from .._model.message import HistoricalMessage
from .._model.parts import CarriedPolicy, Part
from .._transport.caller import Caller, authenticated
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._transport.forwarded import DEFAULT, brings_evidence
from .._wire.address import Address, agent_address
from .._wire.http import HttpRequest, without_query
from .._wire.strict_json import is_text, loads, plain
from .._wire.time import format_time
from ..identity import with_evidence
from ._auth.introspection import Introspection
from ._policy import candidate_in, parts_in, take_policy
from ._raw import raw_of
from ._read.envelope import Unit, open_unit
from ._read.history import Turn, forwarded_history, history_of, read_turns
from ._read.message import parts_of, read_head, read_into
from ._read.metadata import CARRIER, hints_of, recipient_capabilities, tells_of_policy
from ._read.parse_context import Reading
from ._read.sender import sender_of
from ._read.task import TaskHead, parent_of, read_artifacts, read_task, thread_of_message
from ._verify import Authentication, authenticate, check_introspection, is_signed

A2AAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask that this room makes."""

_draft: Final[Callable[..., IncomingMessage]] = trusted(
    IncomingMessage,
    "native_id",
    "thread_id",
    "parent_id",
    "sender",
    "parts",
    "recipient_capabilities",
    "received_via",
    "raw",
    "history",
)


_NOBODY: Final = Authentication(UNSIGNED)


class _Context(NamedTuple):
    """What the host said beside the unit."""

    recipients: tuple[Address, ...] | None
    task_id: str | None
    caller: Caller | None
    peer: Address | None
    introspection: Introspection | None
    now: datetime
    entropy: bytes
    settings: Settings


class _Content(NamedTuple):
    """What a unit says, before it is known for whom."""

    native_id: str
    thread_id: str
    parent_id: str | None
    parts: tuple[Part, ...]
    metadata: Any
    message_at: str
    turns: Sequence[Turn] = ()
    is_result: bool = False
    candidate: Candidate | None = None


def receive(
    unit: HttpRequest | Mapping[str, Any],
    *,
    task_id: str | None = None,
    caller: Caller | None = None,
    peer: str | None = None,
    introspection: Introspection | None = None,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[A2AAsk, Received | Rejected]:
    """One message from an A2A unit of any dialect: v0.3 over JSON-RPC or REST, v1.0, or a mixture of them.

    The unit is a request that sends a message, a result with a message or task, or one of these objects alone. A
    mapping may hold `message` and `task` together: the message, and the task that it continues. The bearer token of a
    request is verified as by `verify`; one that shows nobody costs the sender the proof, not the message.

    Args:
        unit: The HTTP request, or a message, task or body as an SDK host has it. It is not changed.
        task_id: The id of the task that the host runs for this message. The first message of a task cannot know it.
        caller: Who the host found the caller to be. Never verified; where a token shows who it is, only the name on
            their card counts.
        peer: Whose answer this is, when the unit is a result that came back to you. Tokens count for nothing then.
        introspection: What the authorization server said of the token of this unit, when your host asked it.
        recipient: For which agent it is. None: `FindAgent` asks for the request URL without its query.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each unit; the same give the same ids.
        settings: Limits and history policy; `a2a.Settings(token_issuers=...)` says whose tokens you believe.

    Returns:
        A flow of `Received`, or of `Rejected` when the unit holds no message, is broken, is for nobody here, or is
        over a limit. Whatever else is odd in it is a diagnostic.

    Raises:
        UsageError: Your program's fault: a unit or an argument of the wrong kind, a mapping without `recipient`, both
            `peer` and `caller` or `introspection`, a naive `now`, an address that is none. Nothing in the unit makes
            the flow raise.

    Spec: Normalized Message §5, §5.2; A2A 0.3 and 1.0.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> said = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> flow = receive(said, task_id="t1", recipient="@helper@agents.example", now=now, entropy=bytes(32))
        >>> got = drive(flow, Answers())
        >>> got.message.thread_id, got.message.parts[0].content
        ('t1', 'Hi')
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    _check_facts(unit, task_id, caller)
    if recipient is None and not isinstance(unit, HttpRequest):
        raise UsageError("a mapping does not say for whom it is: recipient= is needed")
    check_introspection(introspection)
    if peer is not None and (caller is not None or introspection is not None):
        raise UsageError("caller= and introspection= are for requests, peer= for results: not both")
    recipients = None if recipient is None else (agent_address(recipient),)
    author = None if peer is None else agent_address(peer)
    return _received(unit, _Context(recipients, task_id, caller, author, introspection, now, entropy, settings))


def _check_facts(unit: object, task_id: object, caller: object) -> None:
    """Raises `UsageError` when an argument is of the wrong kind."""
    if not isinstance(unit, (HttpRequest, Mapping)):
        raise UsageError("a unit is an HttpRequest or a mapping, not a body alone")
    if task_id is not None and not (isinstance(task_id, str) and is_text(task_id)):
        raise UsageError("task_id must be text without halves of surrogate pairs")
    if caller is not None and not isinstance(caller, Caller):
        raise UsageError("caller must be a Caller(subject=...)")


def _received(unit: HttpRequest | Mapping[str, Any], context: _Context) -> Flow[A2AAsk, Received | Rejected]:
    """The flow behind the door: reads the unit whole, then finds out for whom and from whom it is.

    Whatever the unit's fault is ends in `Rejected`.
    """
    request = None
    limits = context.settings.limits
    try:
        if isinstance(unit, HttpRequest):
            request = unit
            document = loads(unit.body, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        else:
            document = _as_json(unit, limits)
        opened = open_unit(document, request=request)
        reading = _reading_of(opened, limits)
        content = _content_of(opened, context, reading)
        recipients = context.recipients
        if recipients is None:  # so it is a request: the door refuses a mapping without a recipient
            url = without_query(cast("HttpRequest", request).url)
            recipients = yield from resolve_recipients((url,), limits=limits)
        found = _NOBODY
        if context.peer is None and (context.introspection is not None or (request is not None and is_signed(request))):
            found = yield from _authenticated(request, content.native_id, context)
            reading.notes += found.notes
        draft = _draft_of(opened, content, found, recipients[0], context, reading)
        identities: tuple[VerifiedIdentity, ...] = ()
        if context.peer is None:  # the answer of a peer brings no evidence
            draft, identities = yield from _shown(draft, content, found.verdict, recipients[0], context, reading)
        received = yield from deliver(
            draft,
            recipients=recipients,
            verdict=found.verdict,
            now=context.now,
            entropy=context.entropy,
            settings=context.settings,
            blobs=reading.blobs,
            diagnostics=reading.notes,
            identities=identities,
        )
        if content.candidate is None or isinstance(received, Rejected):
            return received
        return replace(received, candidate=content.candidate)
    except WireError as error:
        return rejected(error)


def _authenticated(
    request: HttpRequest | None, native_id: str, context: _Context
) -> Flow[Fetch | UseOnce, Authentication]:
    """What comes of the token of a unit. One that was used for another unit before shows nobody at all."""

    def binding(address: Address) -> str:
        return f"{address} {native_id}"

    settings = context.settings
    found = yield from authenticate(request, context.introspection, binding, context.now, settings)
    verdict = yield from cast("Flow[Fetch | UseOnce, Verdict]", used_once(found.verdict, settings))
    return found if verdict is found.verdict else Authentication(verdict)


def _shown(
    draft: IncomingMessage, content: _Content, verdict: Verdict, agent: Address, context: _Context, reading: Reading
) -> Flow[Fetch | UseOnce, tuple[IncomingMessage, tuple[VerifiedIdentity, ...]]]:
    """The draft with the evidence that the caller forwards, as far as it counts."""
    carrier, turns = hints_of(content.metadata).get(CARRIER), reading.forwarded
    if not brings_evidence(carrier, turns):
        return draft, ()
    hints_at = f"{content.message_at}/metadata/mentionable"
    shown = yield from with_evidence(
        draft,
        carrier,
        turns,
        at=f"{hints_at}/{CARRIER}",
        history_at=f"{hints_at}/history",
        recipient=agent,
        caller=authenticated(verdict, context.caller),
        now=context.now,
        settings=context.settings,
    )
    reading.notes += shown.diagnostics
    return shown.draft, shown.identities


def _as_json(unit: Mapping[str, Any], limits: Limits) -> Any:
    """A mapping of the host as fresh plain JSON."""
    try:
        return plain(unit, max_depth=limits.json_depth)
    except UsageError as error:
        code: Code = "too-deep" if _is_deeper(unit, limits.json_depth) else "malformed"
        raise wire_error(code, "", str(error)) from None


def _is_deeper(value: Any, depth: int) -> bool:
    """Whether more than `depth` arrays and objects are open at once somewhere in a value."""
    if isinstance(value, Mapping):
        return depth == 0 or any(_is_deeper(member, depth - 1) for member in value.values())
    return isinstance(value, (list, tuple)) and (depth == 0 or any(_is_deeper(item, depth - 1) for item in value))


def _reading_of(unit: Unit, limits: Limits) -> Reading:
    """The state in which reading the unit begins."""
    reading = Reading(limits, unit.dialect, is_certain=unit.is_certain)
    if unit.label_disagrees:
        reading.note("version-disagrees", "", "the request is of another A2A version than the one that it asks for")
    return reading


def _draft_of(
    unit: Unit, content: _Content, found: Authentication, agent: Address, context: _Context, reading: Reading
) -> IncomingMessage:
    """What the unit says, for delivery."""
    sender = sender_of(context.caller, context.peer, found.party, reading)
    metadata = content.metadata
    history: tuple[HistoricalMessage, ...] = ()
    if content.turns or metadata is not None:
        history = _history_of(content, agent, sender.address, context, reading)
    return _draft(
        f"{sender.address} {content.native_id}",
        content.thread_id,
        content.parent_id,
        sender,
        content.parts,
        DEFAULT if metadata is None else recipient_capabilities(metadata, content.message_at, reading.notes),
        "a2a",
        partial(raw_of, unit, context.caller, found.auth),
        history,
    )


def _history_of(
    content: _Content, agent: Address, sender: str, context: _Context, reading: Reading
) -> tuple[HistoricalMessage, ...]:
    """The prior turns: the task's own, else those that a connector forwards."""
    if content.turns:
        client, server = (agent, sender) if content.is_result else (sender, agent)
        received_at = format_time(context.now)
        return history_of(
            content.turns, client=client, agent=server, recipient=agent, received_at=received_at, reading=reading
        )
    noted = len(reading.notes)
    history = forwarded_history(content.metadata, agent, reading)
    if len(reading.notes) > noted:
        reading.move_notes(noted, content.message_at)
    return history


def _content_of(unit: Unit, context: _Context, reading: Reading) -> _Content:
    """What the unit says."""
    noted = len(reading.notes)
    try:
        task = None if unit.task is None else _task_of(unit.task, context.task_id, reading)
        if unit.message is None and task is not None:
            content = _content_of_result(task, unit, context.peer, reading)
            reading.move_notes(noted, unit.task_at)
            return content
    except WireError as error:
        raise moved(error, unit.task_at) from None
    try:
        content = _content_of_message(unit, task, context, reading)
    except WireError as error:
        raise moved(error, unit.message_at) from None
    if len(reading.notes) > noted:
        reading.move_notes(noted, unit.message_at)
    if task is None:
        return content
    noted = len(reading.notes)
    turns = read_turns(task, content.native_id, reading)
    reading.move_notes(noted, unit.task_at)
    return content._replace(turns=turns)


def _task_of(found: Any, task_id: str | None, reading: Reading) -> TaskHead:
    """The task, which must be the one that the host names, if it names one."""
    task = read_task(found, reading)
    if task_id is not None and task_id != task.id:
        raise wire_error("task-mismatch", "/id", "the host names another task")
    return task


def _content_of_message(unit: Unit, task: TaskHead | None, context: _Context, reading: Reading) -> _Content:
    """What a message says, maybe with the task that it continues: a request, or the answer of a peer."""
    head = read_head(unit.message, reading)
    thread_id = thread_of_message(head, context.task_id, task, reading)
    parts, metadata, candidate = parts_of(head, reading), head.metadata, None
    if metadata is not None and tells_of_policy(metadata):
        if context.peer is None:
            candidate = candidate_in(metadata, head.parts, thread_id, reading)
        else:
            said = list(parts)
            demand = take_policy(metadata, said, reading, authority=context.peer.domain, task_id=thread_id)
            parts = _demanding(said, demand, head.parts_at, reading)
    return _Content(head.id, thread_id, parent_of(task), parts, metadata, unit.message_at, candidate=candidate)


def _demanding(said: Sequence[Part], demand: tuple[CarriedPolicy, ...], at: str, reading: Reading) -> tuple[Part, ...]:
    """What was said, and behind it what is demanded first, if anything."""
    if len(said) + len(demand) > reading.limits.parts:
        raise wire_error("too-many-parts", at, f"more than {reading.limits.parts} parts")
    return (*said, *demand)


def _content_of_result(task: TaskHead, unit: Unit, peer: Address | None, reading: Reading) -> _Content:
    """A task as an answer: what its status says, then its artifacts, and at last what it demands first."""
    parts: list[Part] = []
    places: dict[str, int] = {}
    demand: tuple[CarriedPolicy, ...] = ()
    message = task.message
    if message is not None:
        noted = len(reading.notes)
        try:
            read_into(message, reading, parts, places)
        except WireError as error:
            raise moved(error, "/status/message") from None
        if tells_of_policy(message.metadata):
            authority = None if peer is None else peer.domain
            demand = take_policy(
                message.metadata,
                parts,
                reading,
                authority=authority,
                task_id=task.id,
                produced=parts_in(task.artifacts),
            )
        reading.move_notes(noted, "/status/message")
    read_artifacts(task.artifacts, reading, parts, places)
    return _Content(
        native_id=task.id if message is None else message.id,
        thread_id=task.id,
        parent_id=None,
        parts=_demanding(parts, demand, "/artifacts", reading),
        metadata=None if message is None else message.metadata,
        message_at=f"{unit.task_at}/status/message",
        turns=read_turns(task, None if message is None else message.id, reading),
        is_result=True,
    )
