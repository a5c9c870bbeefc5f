"""Turns of the agent that no message began: it tells a person of an event by `@agent.on_notice`."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from mentionable import Rejected, anp

from mentionable_host.agents.notice_context import NoticeContext
from mentionable_host.notifications import turns
from mentionable_host.notifications.events import commit, events_in
from mentionable_host.notifications.rules import RULES
from mentionable_host.queue.outcome import Done, Outcome, Retry
from mentionable_host.store.streams import topic_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from mentionable_host.host import Host

__all__ = ["run"]

log = logging.getLogger(__name__)


async def run(host: Host, start: anp.StartTurn, *, key: str) -> Outcome:
    """Runs the turn of an event.

    Args:
        host: The host.
        start: What asks for it.
        key: The key of the job: the same turn in each try.
    """
    turn_id = str(uuid5(NAMESPACE_URL, f"turn {key}"))
    begun = await host.database.write_again(lambda db: _begin(host, db, start, turn_id=turn_id))
    if not isinstance(begun, anp.Turn):
        return begun
    output = await _output(host, begun)
    return Done(lambda db: _end(host, db, begun, output=output), topics=(topic_of(begun.user_id),))


def _begin(host: Host, db: Connection, start: anp.StartTurn, *, turn_id: str) -> anp.Turn | Outcome:
    """Begins the turn; or what becomes of the job, where there is nothing to do or another turn runs.

    Raises:
        Conflict: Somebody was faster.
    """
    store, now = events_in(host, db), host.world.now()
    event = store.get(start.id)
    if event is None:
        return Done()
    lane = store.lane(anp.lane_of(event, rules=RULES))
    if lane.turn is not None and lane.turn.id == turn_id:  # the process was killed in the middle of it
        return Done(lambda db: _fail(host, db, lane.id, turn_id=turn_id), topics=(topic_of(event.user_id),))
    step = anp.begin_turn(
        lane,
        turn_id,
        user_id=event.user_id,
        session_id=event.addressed_session,
        trigger=event,
        now=now,
        rules=RULES,
    )
    if isinstance(step, Rejected):
        return Retry(f"another turn runs: {step.code}") if step.temporary else Done()
    commit(store, step)
    return step.turn or Done()


async def _output(host: Host, turn: anp.Turn) -> str | None:
    """What the agent says to the person; None: nothing, so that the system presents the event.

    Whoever takes longer than the host allows, or fails, says nothing.
    """
    event = await host.database.read(lambda db: events_in(host, db).get(turn.trigger or ""))
    if event is None:
        return None
    try:
        async with asyncio.timeout(host.config.agent.seconds):
            return await host.agent.tell(event, NoticeContext(host=host, person=event.user_id, turn=turn))
    except TimeoutError:
        log.error("the agent takes too long for the event %r", event.id)
    except (Exception, SystemExit):  # else one event ends the host, and again after each start
        log.exception("the agent fails for the event %r", event.id)
    return None


def _end(host: Host, db: Connection, turn: anp.Turn, *, output: str | None) -> None:
    """Ends the turn: its output is presented to the person; without one, the system presents the event.

    Raises:
        Conflict: Somebody was faster.
    """
    store, granted = events_in(host, db), tuple(one.id for one in turn.grants)
    step = turns.end(store, turn, output=output, acknowledged_ids=granted, now=host.world.now())
    if isinstance(step, Rejected):
        log.info("what the agent says comes too late: %s", step.code)
    else:
        commit(store, step)


def _fail(host: Host, db: Connection, lane_id: str, *, turn_id: str) -> None:
    """Ends a turn that broke off.

    Raises:
        Conflict: Somebody was faster.
    """
    store = events_in(host, db)
    step = turns.fail(store, lane_id, turn_id, now=host.world.now())
    if not isinstance(step, Rejected):
        commit(store, step)
