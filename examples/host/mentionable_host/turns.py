"""Answers a message: the job that runs the agent. Its answer is stored once, with all that is to be delivered of it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from mentionable import Assembler, MentionableError, NormalizedMessage, NormalizedResponse, UnanswerableError
from sqlalchemy import Connection

from mentionable_host.agents.context import context_of
from mentionable_host.queue.outcome import Dead, Done, Outcome
from mentionable_host.store import jobs, messages
from mentionable_host.store.jobs import StoredJob

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.transports.transport import Reply, Transport

__all__ = ["answer"]

log = logging.getLogger(__name__)

FAILED = "Something went wrong here. Please try again later."


async def answer(host: Host, job: StoredJob) -> Outcome:
    """Answers the message whose number the job has.

    The agent may run again where the process was killed before its answer was stored; one answer is stored at most.
    """
    number = int(job.payload)
    found = await host.database.read(lambda db: messages.entry(db, number))
    if found is None or not isinstance(found.value, NormalizedMessage):
        return Done()  # it was withdrawn meanwhile
    message, transport = found.value, host.transport(found.transport)
    if await host.database.read(lambda db: messages.answer_to(db, message.id)) is not None:
        return Done()
    response = await _respond(host, message, transport, number=number)
    if response is None:
        silence = await transport.silence(to=message)
        return Done(silence.store, topics=(message.id,))
    try:
        response, reply = await write(transport, response, message)
    except UnanswerableError as error:
        return Dead(f"there is no way to answer: {error}")

    def store(db: Connection) -> None:
        now = host.world.now()
        messages.put_answer(db, response, to=message, transport=found.transport, now=now)
        own = messages.own_row(message)
        rows = {(one, message.recipient): own for one in reply.native_ids}
        messages.put_native_ids(db, rows, person=message.sender.address)
        reply.store(db)

    return Done(store, topics=(message.id,))


async def _respond(
    host: Host, message: NormalizedMessage, transport: Transport, *, number: int
) -> NormalizedResponse | None:
    """What the agent says; its frames are shown as they come, where the transport can."""
    context, assembler = await context_of(host, message, number=number), Assembler()
    try:
        async for frame in host.agent.frames(message, context):
            if frame.streaming is None:
                return frame
            assembler.add(frame)
            await transport.show(frame, to=message)
    except Exception:
        log.exception("the agent fails for %s", message.id)
        return NormalizedResponse.failed(message, FAILED, code="agent-failed")
    return assembler.response if assembler.is_complete else None


async def write(
    transport: Transport, response: NormalizedResponse, message: NormalizedMessage
) -> tuple[NormalizedResponse, Reply]:
    """The answer as the transport writes it; one that breaks its rules is replaced by a refusal in words."""
    try:
        return response, await transport.reply(response, to=message)
    except UnanswerableError:
        if response.status == "error":
            raise
        refusal = NormalizedResponse.failed(message, "I cannot say this here.", code="no-private-way")
    except MentionableError as error:  # a fault of the agent: its answer is too large, say
        log.error("the answer to %s cannot be written: %s", message.id, error)
        refusal = NormalizedResponse.failed(message, FAILED, code="agent-failed")
    return refusal, await transport.reply(refusal, to=message)


async def cancel(host: Host, message_id: str) -> bool:
    """Ends the job that answers a message; False: it has ended already, or there is none."""
    return await host.database.write(lambda db: jobs.cancel(db, f"answer {message_id}", now=host.world.now()))


def handler(host: Host) -> Callable[[StoredJob], Awaitable[Outcome]]:
    """The handler of the jobs `answer`."""
    return lambda job: answer(host, job)
