"""The door: an A2A request, result or bare object becomes one normalized message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from .._address import Address
from .._asks import Fetch, FindAgent, FindMessage, UseOnce
from .._delivery import Draft, deliver, served
from .._errors import UsageError, WireError, wire_error
from .._http import HttpRequest
from .._ids import check_inputs
from .._json import loads, plain
from .._outcome import Received, Rejected, Verdict, rejected
from .._settings import Settings
from .._time import format_time
from .._value import trusted
from ._envelope import open_unit
from ._history import forwarded_history, history_of, read_turns
from ._message import parts_of, read_head, read_into
from ._metadata import recipient_capabilities
from ._raw import raw_of
from ._reading import Reading, moved
from ._sender import Caller, sender_of
from ._task import read_artifacts, read_task
from ._thread import parent_of, thread_of_message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from .._asks import Flow
    from .._model.message import HistoricalMessage
    from .._model.parts import Part
    from .._settings import Limits
    from ._envelope import Unit
    from ._history import Turn
    from ._task import TaskHead

A2AAsk: TypeAlias = Fetch | FindAgent | FindMessage | UseOnce
"""Every ask that this room can make."""

_UNSIGNED: Final = Verdict(method="none", verified=False, code="unsigned")
_NOT_VERIFIED: Final = Verdict(method="none", verified=False, code="not-verified")


_draft = trusted(
    Draft,
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


class _Context(NamedTuple):
    """What the host said beside the unit."""

    recipients: tuple[Address, ...] | None
    task_id: str | None
    caller: Caller | None
    peer: Address | None
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


def receive(
    unit: HttpRequest | Mapping[str, Any],
    *,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    task_id: str | None = None,
    caller: Caller | None = None,
    peer: str | None = None,
    settings: Settings = Settings(),  # noqa: B008 - a frozen value
) -> Flow[A2AAsk, Received | Rejected]:
    """One message from an A2A unit of any dialect: v0.3 over JSON-RPC or REST, v1.0, or a mixture of them.

    The unit is a request that sends a message, a result with a message or task, or one of these objects alone. A
    mapping may hold `message` and `task` together: the message, and the task that it continues. Tokens are not
    verified yet: the verdict is `unsigned`, or `not-verified` when there is an Authorization header.

    Args:
        unit: The HTTP request, or a message, task or body as an SDK host has it. It is not changed.
        recipient: For which agent it is. None: `FindAgent` asks for the request URL without its query.
        now: The time, aware.
        entropy: At least 32 random bytes.
        task_id: The id of the task that the host runs for this message. The first message of a task cannot know it.
        caller: Who the host found the caller to be.
        peer: Whose answer this is, when the unit is a result that came back to you.
        settings: Limits and history policy.

    Raises:
        UsageError: Your program's fault: a mapping without `recipient`, both `caller` and `peer`, a naive `now`, an
            address that is none. Nothing in the unit makes the flow raise: it ends with `Received` or `Rejected`.

    Spec: Normalized Message §5, §5.2; A2A 0.3 and 1.0.
    """
    check_inputs(now, entropy)
    if recipient is None and not isinstance(unit, HttpRequest):
        raise UsageError("a mapping does not say for whom it is: recipient= is needed")
    if caller is not None and peer is not None:
        raise UsageError("caller= is for requests, peer= for results: not both")
    recipients = None if recipient is None else (Address(recipient),)
    author = None if peer is None else Address(peer)
    return _received(unit, _Context(recipients, task_id, caller, author, now, entropy, settings))


def _received(unit: HttpRequest | Mapping[str, Any], context: _Context) -> Flow[A2AAsk, Received | Rejected]:
    """The flow behind the door: whatever the unit's fault is ends in `Rejected`."""
    verdict, request = _UNSIGNED, None
    try:
        if isinstance(unit, HttpRequest):
            request = unit
            if unit.header("authorization") is not None:
                verdict = _NOT_VERIFIED
            limits = context.settings.limits
            document = loads(unit.body, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        else:
            document = _as_json(unit, context.settings.limits)
        return (yield from _message_of(document, request, verdict, context))
    except WireError as error:
        return rejected(error)


def _as_json(unit: Mapping[str, Any], limits: Limits) -> Any:
    """A mapping of the host as fresh plain JSON."""
    try:
        return plain(unit, max_depth=limits.json_depth)
    except UsageError as error:
        raise wire_error("malformed", "", str(error)) from None


def _message_of(
    document: Any, request: HttpRequest | None, verdict: Verdict, context: _Context
) -> Flow[A2AAsk, Received]:
    """Reads the unit whole, then finds out for whom it is, then makes the message."""
    unit = open_unit(document, request=request)
    reading = Reading(context.settings.limits, unit.dialect, is_certain=unit.is_certain)
    reading.may_hold_secrets = unit.may_hold_secrets
    if unit.label_disagrees:
        reading.note("version-disagrees", "", "the request is of another A2A version than the one that it asks for")
    sender = sender_of(context.caller, context.peer, reading)
    content = _content_of(unit, context, reading)
    recipients = context.recipients
    if recipients is None:  # so it is a request: the door refuses a mapping without a recipient
        url = _address_of(cast("HttpRequest", request).url)
        recipients = yield from served((url,), recipient=None, limits=reading.limits)
    history = _history_of(content, recipients[0], sender.address, context, reading)
    delivery = deliver(
        _draft(
            f"{sender.address} {content.native_id}",
            content.thread_id,
            content.parent_id,
            sender,
            content.parts,
            recipient_capabilities(content.metadata),
            "a2a",
            raw_of(unit, context.caller, reading),
            history,
        ),
        recipients=recipients,
        verdict=verdict,
        now=context.now,
        entropy=context.entropy,
        settings=context.settings,
        blobs=reading.blobs,
        diagnostics=reading.notes,
    )
    # The draft has its history, so `FindHistory` is never asked.
    return (yield from cast("Flow[FindMessage, Received]", delivery))


def _address_of(url: str) -> str:
    """The URL of a request without query and fragment."""
    return url.partition("#")[0].partition("?")[0]


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
    if content.metadata is None:
        return ()
    noted = len(reading.notes)
    history = forwarded_history(content.metadata, reading)
    if len(reading.notes) > noted:
        reading.move_notes(noted, content.message_at)
    return history


def _content_of(unit: Unit, context: _Context, reading: Reading) -> _Content:
    """What the unit says."""
    noted = len(reading.notes)
    try:
        task = None if unit.task is None else _task_of(unit.task, context.task_id, reading)
        if unit.message is None and task is not None:
            content = _content_of_result(task, unit, reading)
            reading.move_notes(noted, unit.task_at)
            return content
    except WireError as error:
        raise moved(error, unit.task_at) from None
    try:
        content = _content_of_message(unit, task, context.task_id, reading)
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


def _content_of_message(unit: Unit, task: TaskHead | None, task_id: str | None, reading: Reading) -> _Content:
    """What a message says, maybe with the task that it continues."""
    head = read_head(unit.message, reading)
    return _Content(
        head.id,
        thread_of_message(head, task_id, task, reading),
        parent_of(task),
        parts_of(head, reading),
        head.metadata,
        unit.message_at,
    )


def _content_of_result(task: TaskHead, unit: Unit, reading: Reading) -> _Content:
    """A task as an answer: what its status says, then its artifacts."""
    parts: list[Part] = []
    places: dict[str, int] = {}
    message = task.message
    if message is not None:
        noted = len(reading.notes)
        try:
            read_into(message, reading, parts, places)
        except WireError as error:
            raise moved(error, "/status/message") from None
        reading.move_notes(noted, "/status/message")
    read_artifacts(task.artifacts, reading, parts, places)
    return _Content(
        native_id=task.id if message is None else message.id,
        thread_id=task.id,
        parent_id=None,
        parts=tuple(parts),
        metadata=None if message is None else message.metadata,
        message_at=f"{unit.task_at}/status/message",
        turns=read_turns(task, None if message is None else message.id, reading),
        is_result=True,
    )
