"""Receiving: an A2A request, result or bare object becomes one normalized message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias, cast
from urllib.parse import quote

from .._crypto.verification import ReplayCheck, check_replay
from .._errors.exceptions import UsageError, WireError, wire_error, with_prefix
from .._flow.asks import Fetch, FindAgent, FindHistory, FindMessage, FindTask, UseOnce
from .._flow.flow import Failed, Flow, ask_each
from .._flow.outcome import UNSIGNED, Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_entropy, check_id, check_inputs
from .._model.base import frozen, replace, tuple_maker, unchecked, validated
from .._model.diagnostic import Diagnostic, prefixed
from .._model.identity import VerifiedIdentity
from .._model.issuance import Candidate
from .._model.message import HistoricalMessage
from .._model.parts import CarriedPolicy, Part
from .._transport.caller import Caller, authenticated
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._transport.forwarded import DEFAULT, ForwardedTurn
from .._transport.json_body import load_body
from .._transport.policy_part import append_within_limits
from .._wire.address import ANONYMOUS, Address, agent_address, canonical
from .._wire.http import HttpRequest, without_query
from .._wire.strict_json import checked_json
from .._wire.time import format_time
from ..identity import with_evidence
from ._auth.introspection import Introspection
from ._policy import candidate_in, parts_in, take_policy
from ._raw import raw_of
from ._read.artifact import read_artifacts
from ._read.envelope import VERSION_DISAGREES, Envelope, check_call_id_length, open_envelope
from ._read.history import Turn, forwarded_turns, history_of, read_turns
from ._read.message import read_head, read_message_parts
from ._read.metadata import CARRIER, has_policy, hints_of, recipient_capabilities
from ._read.parse_context import EMPTY, ParseContext
from ._read.parts import NO_PARTS
from ._read.sender import read_sender
from ._read.task import WAITING, Conversation, TaskHead, conversation_of, parent_of, read_task
from ._settings import Settings as A2ASettings
from ._verify import Authentication, authenticate

A2AAsk: TypeAlias = Fetch | FindAgent | FindMessage | FindHistory | FindTask | UseOnce
"""Every ask that A2A makes."""

_context_of: Final = tuple_maker(ParseContext)
_new_incoming: Final = unchecked(IncomingMessage)
_UNNAMED: Final[tuple[tuple[str, ...], tuple[str, ...]]] = (), ()
_UNSEEN: Final[frozenset[str]] = frozenset()

_UNSIGNED: Final = Authentication(UNSIGNED)

_NO_HISTORY: Final[tuple[HistoricalMessage, ...]] = ()
_NOT_FORWARDED: Final[tuple[ForwardedTurn, ...]] = ()
_NO_IDENTITIES: Final[tuple[VerifiedIdentity, ...]] = ()


@validated
class RemoteAgent:
    """The agent that you called, and that a result is from.

    Attributes:
        address: Its address, `@agent@domain`.
    """

    address: str


@frozen
class _ReceiveContext:
    """The arguments of `receive`, checked."""

    recipients: tuple[Address, ...] | None
    task_id: str | None
    context_id: str | None
    caller: Caller | None
    remote_agent: Address | None
    introspection: Introspection | None
    now: datetime
    entropy: bytes
    settings: Settings


@frozen
class _Content:
    """The content of a message or task, before the recipient is known.

    Attributes:
        native_id: The id of the message; of a task without one, that of the task.
        conversation: The task and the context, and the thread.
        parent_id: The id of the message that this one answers.
        parts: The parts.
        hints: The members of ours in the metadata of the message.
        pointer: JSON Pointer to the message.
        diagnostics: What was odd.
        turns: The history of the task.
        is_result: Whether it is a task, so an answer.
        names_task: Whether the message itself names its task: one that the host alone names may be about to begin.
        has_ended: Whether that task is over.
        candidate: The receipt in the metadata.
    """

    native_id: str
    conversation: Conversation
    parent_id: str | None
    parts: tuple[Part, ...]
    hints: dict[str, Any]
    pointer: str
    diagnostics: Sequence[Diagnostic]
    turns: Sequence[Turn] = ()
    is_result: bool = False
    names_task: bool = False
    has_ended: bool = False
    candidate: Candidate | None = None


_new_receive_context: Final = unchecked(_ReceiveContext)
_new_content: Final = unchecked(_Content)


def receive(
    request: HttpRequest | Mapping[str, Any],
    *,
    task_id: str | None = None,
    context_id: str | None = None,
    caller: Caller | Introspection | RemoteAgent | None = None,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[A2AAsk, Received | Rejected]:
    """Receive one message from an A2A request of any dialect: v0.3 over JSON-RPC or REST, v1.0, or a mixture of them.

    The request sends a message, or it is a result with a message or task, or one of these objects alone. A mapping may
    hold `message` and `task` together: the message, and the task that it continues. The bearer token of a request is
    verified as by `verify`. An invalid token leaves `sender.verified` False; the message is still delivered.

    A message joins the thread of the first stored message of the same sender in its task or context, as `FindMessage`
    knows it: one conversation is one thread, however many tasks it takes. Callers without a name join none.

    Args:
        request: The HTTP request, or a message, task or body as an SDK host has it. It is not changed.
        task_id: The id of the task that the host runs for this message. The first message of a task cannot know it.
        context_id: The id of the conversation, where the host made it. The first message cannot know it.
        caller: The caller, as the host knows it: a `Caller`, which is never verified, and of which only the name on
            the card counts where a token verifies the sender; or the `Introspection` of the token of this request by
            the authorization server. For a result, the `RemoteAgent` that you called: it is the sender, and a token in
            the result is ignored.
        recipient: The agent that receives it. None: `FindAgent` asks for the request URL without its query.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; the same bytes give the same ids.
        settings: Limits and history policy; `a2a.Settings(token_issuers=...)` names the issuers whose tokens count.

    Returns:
        A flow of `Received`, or of `Rejected` when the request holds no message, is broken, has no recipient here, or
        is over a limit. Anything else that is odd in it is a diagnostic.

    Raises:
        UsageError: Your program's fault: a request or an argument of the wrong kind, a mapping without `recipient`,
            a naive `now`, an invalid address. Nothing in the request makes the flow raise.

    Spec: Normalized Message §5, §5.2; A2A 0.3 and 1.0.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> message = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> flow = receive(message, task_id="t1", recipient="@helper@agents.example", now=now, entropy=bytes(32))
        >>> got = drive(flow, Answers())
        >>> got.message.thread_id, got.message.parts[0].content
        ('t1', 'Hi')
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    if not isinstance(request, (HttpRequest, Mapping)):
        raise UsageError("request is an HttpRequest or a mapping, not a body alone")
    check_id(task_id, "task_id")
    check_id(context_id, "context_id")
    if recipient is None and not isinstance(request, HttpRequest):
        raise UsageError("a mapping does not name its recipient: recipient= is needed")
    remote_agent = introspection = None
    if caller is not None and not isinstance(caller, Caller):
        if isinstance(caller, RemoteAgent):
            remote_agent, caller = agent_address(caller.address), None
        elif isinstance(caller, Introspection):
            introspection, caller = caller, caller.caller
        else:
            raise UsageError("caller must be a Caller(...), an Introspection(...) or a RemoteAgent(...)")
    arguments = _new_receive_context(
        recipients=None if recipient is None else (agent_address(recipient),),
        task_id=task_id,
        context_id=context_id,
        caller=caller,
        remote_agent=remote_agent,
        introspection=introspection,
        now=now,
        entropy=entropy,
        settings=settings,
    )
    return _received(request, arguments)


def _received(
    request: HttpRequest | Mapping[str, Any], arguments: _ReceiveContext
) -> Flow[A2AAsk, Received | Rejected]:
    """The flow of `receive`. A fault of the request ends it with `Rejected`."""
    # What needs no look-up comes first, so that nothing is asked for a request that is rejected anyway:
    #   1. parse the JSON, and find the message or task in it
    #   2. read its head and its parts
    #   3. find the recipient                  (asks `FindAgent`)
    #   4. verify the bearer token             (asks for the issuer's keys, and whether the token was used before)
    #   5. find the task that it goes on with  (asks `FindTask`, where the host stores tasks)
    #   6. verify forwarded identity evidence  (asks for the keys of those who signed it)
    #   7. look up what the store has of the conversation, and make the message
    limits = arguments.settings.limits
    http = request if isinstance(request, HttpRequest) else None
    try:
        if http is None:
            document = _as_json(cast("Mapping[str, Any]", request), limits)
        else:
            document = load_body(http.body, limits)
        envelope = open_envelope(document, request=http)
        if envelope.call.id is not None:
            check_call_id_length(envelope.call.id, limits)
        diagnostics: list[Diagnostic] = []
        if envelope.label_disagrees:
            diagnostics.append(VERSION_DISAGREES)

        blobs: dict[str, bytes] = {}
        content = _read_content(envelope, arguments, _context_of(limits, envelope.dialect, envelope.is_certain, blobs))
        diagnostics += content.diagnostics

        recipients = arguments.recipients
        if recipients is None:  # `receive` takes no mapping without a recipient
            recipients = yield from resolve_recipients((without_query(cast("HttpRequest", http).url),), limits=limits)

        authentication, seen_by = _UNSIGNED, _UNSEEN
        # The answer of an agent that we called is a response: a token in it authenticates no sender.
        is_signed = http is not None and http.header("authorization") is not None
        if (is_signed or arguments.introspection is not None) and arguments.remote_agent is None:
            authentication = yield from authenticate(
                http,
                arguments.introspection,
                message_id=lambda: f"{content.native_id} {recipients[0]}",
                now=arguments.now,
                settings=arguments.settings,
            )
            checked = yield from cast(
                "Flow[Fetch | UseOnce, ReplayCheck]",
                check_replay(authentication.verdict, arguments.settings, recipients),
            )
            seen_by = checked.seen_by
            if checked.verdict is not authentication.verdict:  # an attacker may send a token with another message
                authentication = Authentication(checked.verdict)
            diagnostics += authentication.diagnostics

        stores_tasks = isinstance(arguments.settings, A2ASettings) and arguments.settings.stored_tasks
        if stores_tasks and arguments.remote_agent is None:
            caller = authenticated(authentication.verdict, arguments.caller)
            content = yield from _with_stored_task(content, recipients[0], caller)
        incoming, forwarded, odd = _incoming_of(envelope, content, authentication, recipients[0], arguments)
        diagnostics += odd
        identities = _NO_IDENTITIES
        if arguments.remote_agent is None and (CARRIER in content.hints or forwarded):
            pointer = f"{content.pointer}/metadata/mentionable"
            incoming, identities, odd = yield from with_evidence(
                incoming,
                content.hints.get(CARRIER),
                forwarded,
                at=f"{pointer}/{CARRIER}",
                history_at=f"{pointer}/history",
                recipient=recipients[0],
                caller=authenticated(authentication.verdict, arguments.caller),
                now=arguments.now,
                settings=arguments.settings,
            )
            diagnostics += odd

        received = yield from deliver(
            incoming,
            recipients=recipients,
            verdict=authentication.verdict,
            now=arguments.now,
            entropy=arguments.entropy,
            settings=arguments.settings,
            blobs=blobs,
            diagnostics=diagnostics,
            identities=identities,
            seen_by=seen_by,
        )
        # The message that ended a task may come again, when its answer was lost: the client gets the task once more.
        if content.has_ended and isinstance(received, Received) and not received.redelivered:
            raise wire_error("task-ended", f"{content.pointer}/taskId", "the task is over")
        if content.candidate is None or isinstance(received, Rejected):
            return received
        return replace(received, candidate=content.candidate)
    except WireError as error:
        return rejected(error)


# -- step 1: parse


def _as_json(message: Mapping[str, Any], limits: Limits) -> Any:
    """A mapping of the host as fresh plain JSON."""
    try:
        return checked_json(message, max_depth=limits.json_depth)
    except WireError as error:
        if _is_deeper(message, limits.json_depth):
            raise wire_error("too-deep", "", error.problems[0].rule) from None
        raise


def _is_deeper(value: Any, depth: int) -> bool:
    """Whether more than `depth` arrays and objects are open at once somewhere in a value."""
    if isinstance(value, Mapping):
        return depth == 0 or any(_is_deeper(member, depth - 1) for member in value.values())
    return isinstance(value, (list, tuple)) and (depth == 0 or any(_is_deeper(item, depth - 1) for item in value))


# -- step 2: read


def _read_content(envelope: Envelope, arguments: _ReceiveContext, context: ParseContext) -> _Content:
    """Read the message, the task, or the message with the task that it continues."""
    task = None
    if envelope.task is not None:
        try:
            task = read_task(envelope.task, context.limits)
            if arguments.task_id is not None and arguments.task_id != task.id:
                raise wire_error("task-mismatch", "/id", "the host names another task")
            if envelope.message is None:
                content = _read_result(task, envelope, arguments.remote_agent, context)
                if not content.diagnostics:
                    return content
                return replace(content, diagnostics=prefixed(content.diagnostics, envelope.task_at))
        except WireError as error:
            raise with_prefix(error, envelope.task_at) from None
    try:
        content = _read_message(envelope, task, arguments, context)
    except WireError as error:
        raise with_prefix(error, envelope.message_at) from None
    if task is None and not content.diagnostics:
        return content
    diagnostics = prefixed(content.diagnostics, envelope.message_at)
    turns: list[Turn] = []
    if task is not None:
        turns, odd = read_turns(task, content.native_id, context)
        diagnostics += prefixed(odd, envelope.task_at)
    return replace(content, turns=turns, diagnostics=diagnostics)


def _read_message(
    envelope: Envelope, task: TaskHead | None, arguments: _ReceiveContext, context: ParseContext
) -> _Content:
    """Read a message: a request, or the answer of an agent that was called."""
    head = read_head(envelope.message, context.limits)
    conversation = conversation_of(head, arguments.task_id, arguments.context_id, task)
    diagnostics, thread_id = conversation.diagnostics, conversation.thread_id
    parsed = read_message_parts(head, context)
    parts: Sequence[Part] = parsed.parts
    metadata, candidate = head.metadata, None
    hints = EMPTY if metadata is None else hints_of(metadata)
    if parsed.diagnostics:
        diagnostics += (*parsed.diagnostics,)
    if metadata is not None and has_policy(metadata, hints):
        odd: Sequence[Diagnostic]
        if arguments.remote_agent is None:
            candidate, odd = candidate_in(metadata, head.parts, thread_id)
        else:
            others, policy, odd = take_policy(
                metadata, parts, authority=arguments.remote_agent.domain, task_id=thread_id
            )
            parts = append_within_limits(others, policy, at=head.parts_at, limits=context.limits)
        diagnostics += (*odd,)
    return _new_content(
        native_id=head.id,
        conversation=conversation,
        parent_id=None if task is None else parent_of(task),
        parts=tuple(parts),
        hints=hints,
        pointer=envelope.message_at,
        diagnostics=diagnostics,
        names_task=head.task_id is not None,
        candidate=candidate,
    )


def _read_result(task: TaskHead, envelope: Envelope, remote_agent: Address | None, context: ParseContext) -> _Content:
    """Read a task as an answer: its status message, then its artifacts, and last its policy."""
    message, parsed = task.message, NO_PARTS
    policy: tuple[CarriedPolicy, ...] = ()
    diagnostics: list[Diagnostic] = []
    hints = EMPTY
    if message is not None:
        try:
            parsed = read_message_parts(message, context)
        except WireError as error:
            raise with_prefix(error, "/status/message") from None
        if parsed.diagnostics:
            diagnostics += prefixed(parsed.diagnostics, "/status/message")
        hints = hints_of(message.metadata)
        if has_policy(message.metadata, hints):
            remaining, policy, odd = take_policy(
                message.metadata,
                parsed.parts,
                authority=None if remote_agent is None else remote_agent.domain,
                task_id=task.id,
                produced=parts_in(task.artifacts),
            )
            parsed = parsed._replace(parts=remaining)
            diagnostics += prefixed(odd, "/status/message")
    others, odd = read_artifacts(task.artifacts, parsed, context)
    parts = append_within_limits(others, policy, at="/artifacts", limits=context.limits)
    turns, odd_turns = read_turns(task, None if message is None else message.id, context)
    return _new_content(
        native_id=task.id if message is None else message.id,
        conversation=Conversation(task.id, task.context_id, task.id),
        parent_id=None,
        parts=parts,
        hints=hints,
        pointer=f"{envelope.task_at}/status/message",
        diagnostics=[*diagnostics, *odd, *odd_turns],
        turns=turns,
        is_result=True,
    )


# -- step 5: the stored task


def _with_stored_task(content: _Content, recipient: Address, caller: str | None) -> Flow[FindTask, _Content]:
    """The content with what is stored of its task: the context, and the message that it answers.

    Raises:
        WireError: `task-not-found`, also for the task of another caller; `task-mismatch`: the message names another
            context; `lookup-failed`.
    """
    conversation, at = content.conversation, f"{content.pointer}/taskId"
    if conversation.task_id is None or not content.names_task:
        return content
    (task,) = yield from ask_each((FindTask(task_id=conversation.task_id, recipient=recipient),))
    if isinstance(task, Failed):
        raise wire_error("lookup-failed", at, f"the task could not be looked up: {task.reason}")
    if task is None or task.owner != caller:
        raise wire_error("task-not-found", at, "the caller has no such task")
    if conversation.context_id not in (None, task.context_id):
        raise wire_error("task-mismatch", f"{content.pointer}/contextId", "the task belongs to another context")
    parent_id = content.parent_id
    if parent_id is None and task.message is not None and task.state in WAITING:
        parent_id = task.message["messageId"]
    conversation = conversation._replace(context_id=task.context_id)
    return replace(content, conversation=conversation, parent_id=parent_id, has_ended=task.is_ended)


# -- steps 6 and 7: the sender and the history


def _incoming_of(
    envelope: Envelope,
    content: _Content,
    authentication: Authentication,
    recipient: Address,
    arguments: _ReceiveContext,
) -> tuple[IncomingMessage, Sequence[ForwardedTurn], Sequence[Diagnostic]]:
    """The message for delivery, the turns that its caller forwards with their evidence, and what is odd about it."""
    sender, odd = read_sender(arguments.caller, remote_agent=arguments.remote_agent, subject=authentication.subject)
    diagnostics = [*odd]
    history, hints = _NO_HISTORY, content.hints
    capabilities, forwarded = DEFAULT, _NOT_FORWARDED
    if content.turns:
        client, server = (recipient, sender.address) if content.is_result else (sender.address, recipient)
        received_at = format_time(arguments.now)
        history, odd = history_of(
            content.turns, client=client, agent=server, recipient=recipient, received_at=received_at
        )
        diagnostics += odd
    elif "history" in hints:
        forwarded, odd = forwarded_turns(hints["history"], recipient, arguments.settings.limits)
        history = tuple([one.turn for one in forwarded])
        if odd:
            diagnostics += prefixed(odd, content.pointer)
    if hints:
        capabilities, odd = recipient_capabilities(hints)
        if odd:
            diagnostics += prefixed(odd, content.pointer)
    conversation = content.conversation
    owner = _owner_of(sender.address, arguments.caller)
    # Callers whose name is no address have one address in common: what one of them sends is no other's.
    author = sender.address if owner in (None, sender.address) else f"{sender.address}/{owner}"
    aliases, named = _UNNAMED if owner is None or content.is_result else _conversation_ids(content.conversation, owner)
    incoming = _new_incoming(
        native_id=f"{author} {content.native_id}",
        aliases=aliases,
        thread_id=conversation.thread_id,
        thread_of=named,
        parents=() if content.parent_id is None else (content.parent_id,),
        sender=sender,
        parts=content.parts,
        recipient_capabilities=capabilities,
        received_via="a2a",
        raw=partial(raw_of, envelope, conversation, caller=arguments.caller, token=authentication.auth),
        history=history,
    )
    return incoming, forwarded, diagnostics


def _conversation_ids(conversation: Conversation, owner: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Under which ids the conversation of a message is stored, and by which of them its thread may be known.

    The owner is in each, so that no other caller joins the conversation by naming it. The kind comes first, so that no
    message of the owner can have such an id as its own.
    """
    task_id, context_id, thread_id, _ = conversation
    named: tuple[str, ...] = () if task_id is None else (f"task {owner} {task_id}",)
    if context_id is None:  # an answer will name the thread as the context
        return (*named, f"context {owner} {thread_id}"), named
    named = (*named, f"context {owner} {context_id}")
    return named, named


def _owner_of(sender: str, caller: Caller | None) -> str | None:
    """Whose a conversation is, without a blank: the sender's, or that of a caller whose name is no address.

    Callers without a name have one address in common, so none of them joins a conversation by its ids.
    """
    if sender not in ANONYMOUS:
        return sender
    if caller is None or canonical(caller.subject) is not None:
        return None
    return quote(caller.subject, safe="", errors="surrogatepass")
