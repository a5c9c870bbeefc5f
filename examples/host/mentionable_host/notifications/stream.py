"""The stream of a person, as one device reads it: from where it was, at its own pace, for as long as it is let in.

Nothing waits in memory: what comes is read from the store, a page at a time, when a device has taken what came before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final, cast

from mentionable import anp
from sqlalchemy import Connection

from mentionable_host.notifications.access import Access, Visitor
from mentionable_host.notifications.connections import Connected
from mentionable_host.notifications.in_turn import InTurn
from mentionable_host.store import streams
from mentionable_host.store.inbox import snapshot
from mentionable_host.store.sign_ins import is_admitted

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["items"]

COMMENT_SECONDS: Final = 15
"""After so many seconds of silence a comment is sent: proxies close what is silent."""
LOOK_SECONDS: Final = {"sqlite": 0.5, "postgresql": 2.0}
"""So often the store is asked where no signal came. SQLite is in this process; PostgreSQL has to bear it from all."""
NOTHING: Final = "0"
"""The place of a device that has read nothing: there was nothing yet."""
NOTED_SECONDS: Final = 6 * 3_600
"""So often it is noted that a device is still there."""


async def items(
    host: Host, visitor: Visitor, *, after: str | None, connected: Connected, access: Access, in_turn: InTurn
) -> AsyncGenerator[anp.StreamItem | None, None]:
    """What a device receives; None now and then where there is nothing, so that its connection stays open.

    Args:
        host: The host.
        visitor: The device.
        after: The last place that it has read, as it says.
        connected: Its connection: the stream ends when that is ended.
        access: Asked whether they are still let in.
        in_turn: Begins the streams of a person one after the other.

    Raises:
        Refused: Too many of their requests wait (429).
    """
    person, clock = visitor.person, asyncio.get_running_loop().time
    async with in_turn.of(person):
        first, place = await host.database.read(lambda db: _begin(db, person, after))
        await _note(host, visitor, cursor=place)
    greeting = {"user_id": person, "agent": host.address, "device": visitor.device}
    yield anp.StreamItem(item=anp.HostItem(name="ready", data=greeting))
    if first is not None:
        yield anp.StreamItem(place=place, item=first)
    sent = noted = clock()

    async def look() -> list[streams.Stored] | None:
        rows = await host.database.look(lambda db: streams.page(db, person, after=place))
        return rows if rows or connected.is_ended or clock() - sent >= COMMENT_SECONDS else None

    signals = host.signals.watch(streams.topic_of(person), look, seconds=LOOK_SECONDS[host.database.dialect])
    watching = cast("AsyncGenerator[list[streams.Stored], Any]", signals)
    async with aclosing(watching) as pages:
        async for rows in pages:
            if connected.is_ended or not await access.is_let_in(visitor):
                return
            for row in rows:
                yield row.item
                place = row.place
            if not rows:
                yield None
            sent = clock()
            if sent - noted >= NOTED_SECONDS:
                noted = sent
                await _note(host, visitor)


def _begin(db: Connection, person: str, after: str | None) -> tuple[anp.Snapshot | None, int]:
    """Where a device goes on; with a snapshot, where that is not after what it has read.

    Who was there before anything was stored gets both: a snapshot alone would leave out messages that came meanwhile.
    """
    oldest, newest = streams.bounds(db, person)
    place = anp.resume(after, oldest=oldest, newest=newest)
    if place is None and after == NOTHING:
        return snapshot(db, person), 0
    is_known = place is not None and (place == 0 or streams.has(db, person, place))  # else a backup was restored
    return (None, place) if place is not None and is_known else (snapshot(db, person), newest)


async def _note(host: Host, visitor: Visitor, *, cursor: int | None = None) -> None:
    """Stores that a device is there, unless its person was forgotten meanwhile."""
    now = host.world.now()

    def work(db: Connection) -> None:
        if is_admitted(db, visitor.session):
            streams.note_device(db, visitor.person, visitor.device, now=now, cursor=cursor)

    await host.database.write(work)
