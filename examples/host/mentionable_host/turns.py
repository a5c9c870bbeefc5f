"""Answers a message: the job that runs the agent. Its answer is stored once, with all that is to be delivered of it.

A job may run twice, where the process was killed before its answer was stored. One answer is stored at most.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from attrs import frozen
from mentionable import (
    HistoricalMessage,
    MentionableError,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    UnanswerableError,
    UsageError,
    VerifiedIdentity,
    plain_text,
    policy,
    replace,
)
from sqlalchemy import Connection

from mentionable_host import first_contact
from mentionable_host.admission import ON_THE_LINE
from mentionable_host.agents import demands, notices, outreach, receipts
from mentionable_host.agents.context import Context
from mentionable_host.agents.history import turns_before
from mentionable_host.agents.receipts import Begun
from mentionable_host.agents.running import FAILED, AgentResult, is_called_off, run
from mentionable_host.agents.turn import Turn
from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import messages, policies
from mentionable_host.store import turns as stored_turns
from mentionable_host.store.jobs import StoredJob
from mentionable_host.store.streams import topic_of

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.transports.transport import Transport, Written

__all__ = ["answer", "cancel", "give_up", "handler"]

log = logging.getLogger(__name__)

NOT_HERE: Final = "I cannot say this here."
MOVED: Final = {"email": "I have answered you by e-mail.", "activitypub": "I have answered you on the Fediverse."}
NO_WAY: Final = "I wanted to answer you elsewhere, and have no way to write to you there."
PAID_TRIES: Final = 4
"""An agent that fails after it was paid gets so many tries before the person reads that it failed."""
HOLD_UP: Final = 5.0
"""An earlier turn may take so many seconds more than the agent has before a later one goes back into the queue."""


Over = Literal["answered", "called off"]
"""Why no answer is due any more."""


@frozen(kw_only=True)
class _Around:
    """What the agent gets with the message."""

    history: Sequence[HistoricalMessage]
    files: Mapping[str, bytes]
    has_notices: bool
    has_others: bool


@frozen(kw_only=True)
class _Read:
    """What is read for a turn: its message, unless it was withdrawn, and what is around it, unless the turn is over."""

    entry: messages.Entry | None = None
    message: NormalizedMessage | None = None
    around: _Around | Over = "called off"


async def answer(host: Host, job: StoredJob) -> Outcome:
    """Answers the message that the job names."""
    # 1. earlier messages of the conversation come first    4. run the agent
    # 2. consume the receipt of the message                 5. have the transport write the answer
    # 3. what is answered, or is to get no answer, is over  6. store all of it, unless it was canceled meanwhile

    # 1.
    turn = Turn.read(job.payload)
    read = await _when_next(host, job, turn)
    if read is None:
        return Retry("an earlier message of the conversation is being answered")

    # 2.
    entry, message_read = read.entry, read.message
    if entry is None or message_read is None:
        return Done()  # it was withdrawn meanwhile
    begun = await receipts.begin(host, turn, message_read)
    if isinstance(begun, Rejected):
        return Retry(f"nobody can tell now whether it was paid: {begun.code}")
    if begun is None:
        return Done()
    message, transport = begun.message, host.transport(entry.transport)
    topics = (message.id, f"thread {message.thread_id}", topic_of(message.sender.address))

    # 3.
    around = read.around
    if message is not message_read:  # the turn goes on with what was asked first
        around = await host.database.read(lambda db: _around(db, host, begun, transport=transport.name))
    if around == "answered":
        return Done(topics=topics)
    if around == "called off":
        return Done(lambda db: transport.silence(db, message, is_canceled=True), topics=topics)

    # 4.
    context = await _context(host, begun, around, identities=entry.identities)
    result = await run(host, context.message, context, transport, question=begun.question)
    if result.has_failed and begun.record is not None and job.tries + 1 < PAID_TRIES:
        return Retry("the agent failed after a payment or a consent")
    response, record = _to_say(host, result, message, transport)

    def release_notices(db: Connection) -> None:
        context.notices.store(db, host, output=None)

    def store_silence(db: Connection) -> None:
        transport.silence(db, message, is_canceled=is_called_off(db, message, question=begun.question))
        release_notices(db)

    if response is None:
        return Done(store_silence, topics=topics)

    # 5.
    try:
        written = await _written(host, response, message, transport, context)
    except UnanswerableError as error:
        return Dead(f"there is no way to answer: {error.reason} ({error.detail})", release_notices)

    # 6.
    def store(db: Connection) -> None:
        if is_called_off(db, message, question=begun.question):
            store_silence(db)
            return
        now = host.world.now()
        for one in written:
            one.store(db, now=now)
        asks = any(policy.demand_of(one.response) is not None for one in written)
        if record is not None and result.asked is not None and asks:
            purpose = result.asked.purpose
            policies.put(db, record, purpose=purpose, question=begun.question, now=now)
        if begun.record is not None:
            policies.note_met(db, begun.record)
        is_whole = response.status == "ok" and result.asked is None
        context.notices.store(db, host, output=plain_text(response) if is_whole else None)

    return Done(store, topics=topics)


async def cancel(host: Host, message_id: str) -> bool:
    """Cancels the turn that answers a message, in whichever process it runs.

    Returns:
        True: no answer of it is stored from now on. False: there is one, or no turn.
    """
    now = host.world.now()
    is_canceled = await host.database.write(lambda db: stored_turns.cancel(db, message_id, now=now))
    if is_canceled:
        host.signals.tell(f"canceled {message_id}")
    return is_canceled


def give_up(host: Host, db: Connection, job: StoredJob) -> tuple[str, ...]:
    """Has a transport say that no answer will come, where its job was given up; who waits for the answer."""
    found = messages.entry(db, Turn.read(job.payload).number)
    if found is None or not isinstance(found.value, NormalizedMessage) or found.transport not in host.transports:
        return ()
    host.transport(found.transport).give_up(db, found.value)
    return found.id, f"thread {found.thread_id}", topic_of(found.value.sender.address)


def handler(host: Host) -> Callable[[StoredJob], Awaitable[Outcome]]:
    """The handler of the jobs `answer`."""
    return lambda job: answer(host, job)


async def _when_next(host: Host, job: StoredJob, turn: Turn) -> _Read | None:
    """What is read for a turn, when the earlier messages of the conversation are answered; None: they are not in time.

    All of it is read at once: what the agent gets has the answers to all that came before.
    """

    def read(db: Connection) -> _Read | None:
        if stored_turns.has_earlier(db, job, now=host.world.now()):
            return None
        found = messages.entry(db, turn.number)
        if found is None or not isinstance(found.value, NormalizedMessage):
            return _Read()
        plain = Begun(message=found.value, question=found.value.id, number=turn.number)
        return _Read(entry=found, message=found.value, around=_around(db, host, plain, transport=found.transport))

    seconds = host.config.agent.seconds + HOLD_UP
    return await host.signals.until(f"thread {job.thread_id}", lambda: host.database.read(read), seconds=seconds)


def _around(db: Connection, host: Host, begun: Begun, *, transport: str) -> _Around | Over:
    """What the agent gets with a message; or why no answer to it is due."""
    message = begun.message
    if messages.answer_to(db, message.id) is not None:
        return "answered"
    if is_called_off(db, message, question=begun.question):
        return "called off"
    return _Around(
        history=turns_before(db, message, number=begun.number, limit=host.config.agent.history),
        files=messages.files_of(db, begun.number),
        has_notices=notices.are_open(db, message, transport=transport),
        has_others=message.received_via not in ON_THE_LINE and messages.has_others(db, message),
    )


async def _context(host: Host, begun: Begun, around: _Around, *, identities: Sequence[VerifiedIdentity]) -> Context:
    return Context(
        host,
        replace(begun.message, history=tuple(around.history)) if around.history else begun.message,
        history=around.history,
        files=around.files,
        met=begun.met,
        notices=await notices.begin(host, begun.message) if around.has_notices else None,
        identities=identities,
        has_others=around.has_others,
    )


def _to_say(
    host: Host, result: AgentResult, message: NormalizedMessage, transport: Transport
) -> tuple[NormalizedResponse | None, policy.Issuance | None]:
    """The answer, and the record of the demand in it."""
    if result.asked is None:
        response = result.response
        is_empty = response is None or not (response.parts or response.error)
        return (None if is_empty else response), None
    if not message.sender.verified and transport.name not in outreach.ANSWER_ONLY:
        return demands.stranger(message), None
    try:
        return demands.issued(host, result.asked, to=message, before=result.before)
    except UsageError:  # a fault of the program: an offer that cannot be paid, a URL of another host
        log.exception("what the agent asks for cannot be asked for")
        return NormalizedResponse.failed(message, FAILED, code="agent-failed"), None


async def _written(
    host: Host, response: NormalizedResponse, message: NormalizedMessage, transport: Transport, context: Context
) -> list[Written]:
    """The answer as its transport writes it; where it goes elsewhere, a line that says so is the answer here."""
    if response.push_back is None or response.push_back.channel in (None, message.received_via):
        return [await write(transport, response, message)]
    moved = await _moved(host, response, message, context)
    text = NO_WAY if moved is None else MOVED[response.push_back.channel]
    here = await write(transport, NormalizedResponse.to(message, text), message)
    return [here] if moved is None else [here, moved]


async def _moved(
    host: Host, response: NormalizedResponse, message: NormalizedMessage, context: Context
) -> Written | None:
    """The answer as another transport writes it; None: there is no way to the person there."""
    if context.elsewhere is None:
        return None
    first = await outreach.first_message(host, context.elsewhere, key=message.id)
    if first is None:
        return None
    try:
        return await first_contact.write(host, response, to=first)
    except MentionableError as error:
        log.error("the answer to %r cannot go by %s: %s", message.id, first.received_via, error)
        return None


async def write(transport: Transport, response: NormalizedResponse, message: NormalizedMessage) -> Written:
    """The answer as the transport writes it; one that breaks its rules is replaced by a refusal in words."""
    try:
        return await transport.write(response, to=message)
    except UnanswerableError:
        if response.status == "error":
            raise
        refusal = NormalizedResponse.failed(message, NOT_HERE, code="no-private-way")
    except MentionableError as error:  # a fault of the agent: its answer is too large, say
        log.error("the answer to %r cannot be written: %s", message.id, error)
        refusal = NormalizedResponse.failed(message, FAILED, code="agent-failed")
    return await transport.write(refusal, to=message)
