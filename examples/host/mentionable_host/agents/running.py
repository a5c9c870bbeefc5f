"""Runs the agent for one message: within its time, until its answer is whole, it asks for something, or is canceled."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from attrs import frozen
from mentionable import Assembler, NormalizedMessage, NormalizedResponse, Part
from sqlalchemy import Connection

from mentionable_host.agents.context import Context
from mentionable_host.agents.demands import Ask, Demand
from mentionable_host.store import blocks, messages, turns
from mentionable_host.store.errors import StoreUnavailable

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.transports.transport import Transport

__all__ = ["FAILED", "AgentResult", "is_called_off", "run"]

log = logging.getLogger(__name__)

FAILED: Final = "Something went wrong here. Please try again later."
SLOW: Final = "This took too long, so I stopped. Please try again, perhaps with a smaller question."


@frozen(kw_only=True)
class AgentResult:
    """What came of a run of the agent.

    Attributes:
        response: The answer; None: it says nothing.
        asked: What it asks for before it goes on.
        before: What it answered before it asked.
        has_failed: Whether the response says so, because the agent raised or took too long.
    """

    response: NormalizedResponse | None = None
    asked: Ask | None = None
    before: tuple[Part, ...] = ()
    has_failed: bool = False


async def run(
    host: Host, message: NormalizedMessage, context: Context, transport: Transport, *, question: str
) -> AgentResult:
    """What the agent says; frames of it are shown as they come, where the transport can.

    A fault of the agent is an answer in words, and is in the log as it is.

    Args:
        host: The host.
        message: What it is asked.
        context: What it knows.
        transport: How the message came.
        question: The id of the stored message that is answered.
    """
    assembler, seconds = Assembler(), host.config.agent.seconds
    running = asyncio.create_task(_collect(host, message, context, transport, assembler))
    canceled = asyncio.create_task(_canceled(host, message, question=question))
    try:
        await asyncio.wait({running, canceled}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return _result(running, message, context, assembler)
        if canceled.done():
            log.info("the turn for %r was canceled", message.id)
            return AgentResult()
        log.error("the agent takes more than %s seconds for %r", seconds, message.id)
        slow = NormalizedResponse.failed(message, SLOW, code="timeout", retriable=True)
        return AgentResult(response=slow, has_failed=True)
    finally:
        running.cancel()
        canceled.cancel()
        await asyncio.gather(running, canceled, return_exceptions=True)


async def _collect(
    host: Host, message: NormalizedMessage, context: Context, transport: Transport, assembler: Assembler
) -> NormalizedResponse | None:
    """The whole answer of the agent."""
    await _show(transport, None, message)
    try:
        async with aclosing(host.agent.frames(message, context)) as frames:
            async for frame in frames:
                if frame.streaming is None:
                    return frame
                assembler.add(frame)
                await _show(transport, frame, message)
    except SystemExit as error:  # else one message ends the host, and again after each start
        raise RuntimeError("the agent called exit()") from error
    return assembler.response if assembler.is_complete and assembler.parts else None


async def _show(transport: Transport, frame: NormalizedResponse | None, message: NormalizedMessage) -> None:
    """Shows a frame, or that the agent is at work. What cannot be shown does not keep the answer from being made."""
    try:
        if frame is None:
            await transport.working(to=message)
        else:
            await transport.show(frame, to=message)
    except StoreUnavailable as error:  # the disk is full, say: a line in the log for each turn
        log.warning("%s cannot show how far the answer to %r is: %s", transport.name, message.id, error)
    except Exception:
        log.exception("%s cannot show how far the answer to %r is", transport.name, message.id)


def is_called_off(db: Connection, message: NormalizedMessage, *, question: str) -> bool:
    """Whether a turn is to bring no answer: it was canceled, its sender was blocked, or its question is gone.

    Args:
        db: The transaction.
        message: What is answered.
        question: The id of the stored message.
    """
    sender = message.sender
    actor = sender.profile.provider_subject if sender.profile else None
    return (
        turns.is_canceled(db, message.id)
        or not messages.is_there(db, question)
        or blocks.is_unheard(db, sender.address, actor)
    )


async def _canceled(host: Host, message: NormalizedMessage, *, question: str) -> None:
    """Returns when the turn is called off, in whichever process that was. It was not when the turn began."""

    async def look() -> bool | None:
        return await host.database.look(lambda db: is_called_off(db, message, question=question)) or None

    async for _ in host.signals.watch(f"canceled {message.id}", look, has_looked=True):
        return


def _result(
    running: asyncio.Task[NormalizedResponse | None], message: NormalizedMessage, context: Context, assembler: Assembler
) -> AgentResult:
    """What came of the run. A framework may hold up the exception of a demand, or wrap it: the context knows of it."""
    error = asyncio.CancelledError() if running.cancelled() else running.exception()
    if context.asked is not None:
        return AgentResult(asked=context.asked, before=assembler.parts)
    if error is None:
        return AgentResult(response=running.result())
    if isinstance(error, Demand):
        return AgentResult(asked=error.ask, before=assembler.parts)
    log.error("the agent fails for %r", message.id, exc_info=error)
    return AgentResult(response=NormalizedResponse.failed(message, FAILED, code="agent-failed"), has_failed=True)
