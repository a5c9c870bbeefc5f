"""Tells somebody once that they get no answer now: the job that writes a refusal in place of the agent."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from mentionable import NormalizedMessage, NormalizedResponse, UnanswerableError

from mentionable_host.queue.outcome import Dead, Done, Outcome
from mentionable_host.store import messages
from mentionable_host.store.jobs import StoredJob
from mentionable_host.turns import write

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["handler", "refuse"]


async def refuse(host: Host, job: StoredJob) -> Outcome:
    """Stores the refusal as the one answer to the message, with its deliveries."""
    asked = json.loads(job.payload)
    found = await host.database.read(lambda db: messages.entry(db, asked["number"]))
    if found is None or not isinstance(found.value, NormalizedMessage):
        return Done()  # it was withdrawn meanwhile
    message, transport = found.value, host.transport(found.transport)
    if await host.database.read(lambda db: messages.answer_to(db, message.id)) is not None:
        return Done()
    response = NormalizedResponse.failed(message, asked["text"], code="rate-limited", retriable=True)
    try:
        written = await write(transport, response, message)
    except UnanswerableError as error:
        return Dead(f"there is no way to answer: {error}")
    return Done(lambda db: written.store(db, now=host.world.now()), topics=(message.id,))


def handler(host: Host) -> Callable[[StoredJob], Awaitable[Outcome]]:
    """The handler of the jobs `refuse`."""
    return lambda job: refuse(host, job)
