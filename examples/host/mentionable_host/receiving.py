"""Takes something in: runs a flow of the library, and stores what comes of it before the peer learns that it came.

What counts once is stored in the same transaction as what it lets in. If two deliveries of one thing are worked on at
the same time, the slower one finds a `Conflict`, and begins anew: then it sees what the faster one stored.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mentionable import (
    AsyncAnswers,
    Flow,
    NormalizedMessage,
    Received,
    adrive,
    ingest,
)
from sqlalchemy import Connection

from mentionable_host import metrics
from mentionable_host.admission import Refusal, admit, conversation_of
from mentionable_host.agents.history import without_stored
from mentionable_host.agents.turn import Turn
from mentionable_host.lookups import answers_of
from mentionable_host.store import jobs, messages, people
from mentionable_host.store.database import Conflict
from mentionable_host.store.forgotten import was_forgotten
from mentionable_host.store.uses import Uses

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["store_received", "take_in"]

log = logging.getLogger(__name__)

R = TypeVar("R")

ATTEMPTS: Final = 4


async def take_in(
    host: Host,
    begin: Callable[[], Flow[Any, R]],
    *,
    store: Callable[[Connection, R], object],
    answers: AsyncAnswers | None = None,
) -> R:
    """Runs a flow and stores its outcome, together with what it used once.

    Args:
        host: The host.
        begin: Begins the flow; is called again where another delivery was faster.
        store: Stores the outcome, in one transaction with the uses.
        answers: Answers that complete those of the host, or replace them.

    Raises:
        StoreUnavailable: Nothing is stored: the peer should send it again later.
        Conflict: Others were faster each time: likewise.
    """
    for attempt in range(ATTEMPTS):
        uses = Uses()
        outcome = await adrive(begin(), answers_of(host, uses, answers), gather=asyncio.gather)

        def work(db: Connection, uses: Uses = uses, outcome: R = outcome) -> None:
            uses.store(db)
            store(db, outcome)

        try:
            await host.database.write(work)
        except Conflict:
            if attempt == ATTEMPTS - 1:
                raise
            log.info("another delivery was faster: read again")
            continue
        host.wake()
        metrics.note_received(outcome)
        return outcome
    raise AssertionError("the last attempt returns or raises")


def store_received(
    db: Connection,
    got: Received,
    *,
    host: Host,
    transport: str,
    on_refusal: Callable[[Refusal], None] | None = None,
) -> list[NormalizedMessage]:
    """Stores messages that came, and a job for each that gets an answer; those messages.

    None is due for a message that came before, an edit, what a program wrote, or who is blocked or writes too much.
    What was forgotten is not stored again.

    Args:
        db: The transaction.
        got: What came.
        host: The host.
        transport: The name of the transport that it came by.
        on_refusal: Is told why a message gets no answer. By default a job tells its sender, where they are to know.
    """
    now, quota = host.world.now(), host.config.limits.file_bytes
    if was_forgotten(db, got.native_id):
        return []
    messages.put_native_ids(db, got.to_store)
    for message in got.edited:
        messages.edit(db, without_stored(db, message), files=got.blobs, quota=quota)
    due = []
    for message in got.messages:
        typed = ingest.from_message(message)
        shown: dict[str, Any] = {"files": got.blobs, "identities": got.identities}
        lean = without_stored(db, message)
        number = messages.put(db, lean, transport=transport, quota=quota, typed=typed, **shown)
        if number is None:
            continue
        people.note(db, message, verdict=got.verdict, transport=transport, now=now)
        is_program = typed.metadata.sender_type == "bot"
        refusal = admit(db, message, host=host, now=now, transport=transport, is_program=is_program)
        if refusal is not None:
            log.info("%r gets no answer: %s", message.sender.address, refusal)
            if on_refusal is not None:
                on_refusal(refusal)
            elif refusal.notice is not None:
                jobs.enqueue(db, refuse_job(message, number=number, text=refusal.notice), now=now)
            continue
        turn = Turn(number=number, candidate=got.candidate, entropy=host.world.entropy())
        jobs.enqueue(db, answer_job(message, number=number, turn=turn), now=now)
        due.append(message)
    return due


def answer_job(message: NormalizedMessage, *, number: int, turn: Turn | None = None) -> jobs.Job:
    """The job that answers a message, once whatever happens."""
    return jobs.Job(
        key=f"answer {message.id}",
        kind="answer",
        lane=f"answer {conversation_of(message)}",
        payload=(turn or Turn(number=number)).payload(),
        person=message.sender.address,
        thread_id=message.thread_id,
    )


def refuse_job(message: NormalizedMessage, *, number: int, text: str) -> jobs.Job:
    """The job that tells the sender of the message with a number."""
    return jobs.Job(
        key=f"refuse {message.id}",
        kind="refuse",
        lane=f"refuse {message.sender.address}",
        payload=json.dumps({"number": number, "text": text}).encode(),
        person=message.sender.address,
        thread_id=message.thread_id,
    )
