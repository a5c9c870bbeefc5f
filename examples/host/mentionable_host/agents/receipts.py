"""What a receipt leads to: the turn in which the agent does what it had asked a payment or a consent for.

A receipt is verified, and consumed, before the agent runs. Each try of one job is the same attempt, so that a host that
was killed in between goes on; of two receipts for one demand, one is consumed.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import field, frozen
from mentionable import (
    AsyncAnswers,
    Failed,
    NormalizedMessage,
    PolicyResolution,
    Rejected,
    adrive,
    policy,
    replace,
)
from sqlalchemy import Connection

from mentionable_host.admission import conversation_of
from mentionable_host.agents.threads import in_thread
from mentionable_host.agents.turn import Turn
from mentionable_host.lookups import answers_of
from mentionable_host.store import jobs, messages, policies, settlements
from mentionable_host.store.uses import Uses

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Begun", "begin", "complete", "enqueue"]

log = logging.getLogger(__name__)

A = TypeVar("A")
T = TypeVar("T")

CHECK_SECONDS: Final = 30
"""So long a function of the program may take to say whether something was paid."""

IN_BAND: Final = frozenset(("rest",))
"""Transports on which an answer waits for its sender to ask again: their next request brings the receipt itself."""


@frozen(kw_only=True)
class Begun:
    """A turn that is ready for the agent.

    Attributes:
        message: What it is asked: after a receipt, what it was asked first.
        question: The id of the message that it was asked first.
        number: The row of that.
        met: Purpose → receipt, of all that was asked for this message and is met.
        record: The demand with whose receipt this turn goes on.
    """

    message: NormalizedMessage
    question: str
    number: int
    met: Mapping[str, PolicyResolution] = field(factory=dict)
    record: policy.Issuance | None = None


async def begin(host: Host, turn: Turn, message: NormalizedMessage) -> Begun | Rejected | None:
    """The turn of a message, with what its receipt brings.

    Args:
        host: The host.
        turn: What the job says.
        message: The message of its row.

    Returns:
        The turn; a `Rejected` that is temporary: whether it was paid is not known now; None: there is no turn,
        because a receipt that no message brought counts for nothing.
    """
    plain = Begun(message=message, question=message.id, number=turn.number)
    if turn.candidate is None:
        return plain
    accepted = await _verify(host, turn, message, turn.candidate)
    resumed = accepted if isinstance(accepted, Rejected) else await _consume(host, turn, message, accepted)
    if isinstance(resumed, Rejected):
        log.info("a receipt for %r counts for nothing: %s", message.id, resumed.code)
        if resumed.temporary:
            return resumed
        return plain if turn.resumed_at is None else None
    return resumed


async def complete(host: Host, candidate: policy.Candidate, *, subject: str | None = None) -> bool:
    """Has the agent go on with a receipt that no message brought: from a page, or a callback of a payment provider.

    The job verifies it, by `@agent.check_payment` or `@agent.check_consent`.

    Args:
        host: The host.
        candidate: The receipt. It names the state.
        subject: Who met it, where the demand names a subject: the account that is signed in.

    Returns:
        False: there is no such demand.
    """
    is_known = await host.database.write(lambda db: enqueue(db, host, candidate, subject=subject))
    host.wake()
    return is_known


def enqueue(db: Connection, host: Host, candidate: policy.Candidate, *, subject: str | None = None) -> bool:
    """Stores the job of `complete` in a transaction; False: there is no such demand."""
    demand = policies.find(db, policy.key_of(candidate.state or ""))
    question = None if demand is None else messages.latest(db, demand.question)
    if demand is None or question is None or not isinstance(question.value, NormalizedMessage):
        return False
    if question.transport in IN_BAND:
        return True
    now, entropy = host.world.now(), host.world.entropy()
    turn = Turn(number=question.number, candidate=candidate, entropy=entropy, resumed_at=now, subject=subject)
    job = jobs.Job(
        key=f"answer {demand.record.key} {entropy.hex()}",
        kind="answer",
        lane=f"answer {conversation_of(question.value)}",
        payload=turn.payload(),
        person=question.person,
        thread_id=question.thread_id,
    )
    return jobs.enqueue(db, job, now=now)


async def _verify(
    host: Host, turn: Turn, message: NormalizedMessage, candidate: policy.Candidate
) -> policy.Accepted | Rejected:
    """The receipt, once a check proves that it is good."""
    came_with = message if turn.resumed_at is None else None
    flow = policy.accept(candidate, message=came_with, subject=turn.subject, now=host.world.now())
    return await adrive(flow, _answers(host, Uses()), gather=asyncio.gather)


async def _consume(host: Host, turn: Turn, message: NormalizedMessage, accepted: policy.Accepted) -> Begun | Rejected:
    """Consumes the receipt, and stores that, before the agent acts."""
    demand = await host.database.read(lambda db: policies.find(db, accepted.record.key))
    found = None if demand is None else await host.database.read(lambda db: messages.latest(db, demand.question))
    if demand is None or found is None or not isinstance(found.value, NormalizedMessage):
        return Rejected(code="state-unknown")  # the question was withdrawn, or its sender forgotten
    question = found.value
    if turn.resumed_at is None:
        paying = policy.with_resolution(message, accepted)
    else:
        asked = replace(host.transport(found.transport).repeatable(question), id=accepted.record.message_id)
        paying = policy.next_turn(asked, accepted, now=turn.resumed_at, entropy=turn.entropy)
        paying = replace(paying, in_reply_to=question.id)  # not a turn in between, which is stored nowhere
    uses = Uses()
    flow = policy.resume(paying, subject=turn.subject, now=host.world.now(), entropy=turn.entropy)
    resumed = await adrive(flow, _answers(host, uses), gather=asyncio.gather)
    if isinstance(resumed, Rejected):
        return resumed

    def store(db: Connection) -> dict[str, PolicyResolution]:
        uses.store(db)
        policies.note_resolved(db, resumed.record, resumed.resolution)
        return policies.met(db, question.id)

    met = await host.database.write(store)
    return Begun(
        message=replace(paying, parts=question.parts, history=question.history, extra=question.extra),
        question=question.id,
        number=found.number,
        met=met,
        record=resumed.record,
    )


def _answers(host: Host, uses: Uses) -> AsyncAnswers:
    """What the library learns of demands: by the store, and by the functions of the program."""

    async def find_issuance(ask: policy.FindIssuance) -> policy.Issuance | None:
        demand = await host.database.read(lambda db: policies.find(db, ask.key))
        return None if demand is None else demand.record

    async def count_failure(ask: policy.CountFailure) -> int:
        return await host.database.write(lambda db: policies.count_failure(db, ask.key))

    async def check_consent(ask: policy.CheckConsent) -> policy.ConsentStatus | Failed | None:
        if host.agent.consent_check is not None:
            return await _asked_of_program(host.agent.consent_check, ask)
        is_granted = await host.database.read(lambda db: policies.is_granted(db, ask.key, ask.scope_hash))
        return policy.ConsentStatus(verified_by="consent page") if is_granted else None

    async def check_payment(ask: policy.CheckPayment) -> policy.PaymentStatus | Failed | None:
        return await _paid(host, ask)

    more = AsyncAnswers(
        find_issuance=find_issuance,
        count_failure=count_failure,
        check_consent=check_consent,
        check_payment=check_payment,
    )
    return answers_of(host, uses, more)


async def _paid(host: Host, ask: policy.CheckPayment) -> policy.PaymentStatus | Failed | None:
    """What the program saw of a payment. A signature of x402 is settled once, so its settlement is remembered."""
    if host.agent.payment_check is None:
        return None
    if ask.payment is None:
        return await _asked_of_program(host.agent.payment_check, ask)
    signed = ask.payment.payload
    issued = await host.database.read(lambda db: policies.find(db, ask.key))
    if issued is None:
        return None  # its person was forgotten meanwhile
    person = issued.record.principal
    stored = await host.database.read(lambda db: settlements.find(db, person, signed))
    if stored is not None:
        return stored
    status = await _asked_of_program(host.agent.payment_check, ask)
    if isinstance(status, policy.PaymentStatus):
        now = host.world.now()
        await host.database.write(lambda db: settlements.put(db, person, signed, status, asked=ask.key, now=now))
    return status


async def _asked_of_program(check: Callable[[A], T | Awaitable[T]], ask: A) -> T | Failed:
    """What a function of the program says. One that fails, or is slow, cannot tell: no person is asked to pay again."""
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            answer = check(ask) if inspect.iscoroutinefunction(check) else await in_thread(partial(check, ask))
            return await answer if inspect.isawaitable(answer) else answer
    except Exception as error:
        log.exception("a check of the program fails")
        return Failed(f"the check fails: {type(error).__name__}")
