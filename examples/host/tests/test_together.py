"""Deliveries that come at once, twice, and out of order."""

import asyncio
from random import Random
from types import SimpleNamespace

from sqlalchemy import func, select

from mentionable_host import Config
from mentionable_host.admission import admit
from mentionable_host.store import conversations, messages
from mentionable_host.store.database import Conflict
from mentionable_host.store.tables import counts, people
from mentionable_host.store.tables import messages as table


def test_what_comes_twice_at_once_is_stored_and_counted_once(database, make_message, world):
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}})
    host = SimpleNamespace(config=config)
    made = [
        make_message(
            f"Nr. {n}", sender=f"@u{n % 5}@d{n % 2}.example", thread_id=f"t{n % 4}", received_via="activitypub"
        )
        for n in range(40)
    ]
    deliveries = made * 3
    Random(1).shuffle(deliveries)

    def work(db, message):
        if messages.put(db, message, transport="activitypub", files={"d": b"x"}) is None:
            return 0
        messages.put_native_ids(db, {(message.id, message.recipient): messages.own_row(message)}, person="p")
        admit(db, message, host=host, now=world.now())
        return 1

    async def deliver(message):
        for _ in range(20):
            try:
                return await database.write(lambda db: work(db, message))
            except Conflict:
                continue
        raise AssertionError("others were faster each time")

    async def run():
        return await asyncio.gather(*map(deliver, deliveries))

    assert sum(asyncio.run(run())) == 40
    with database.snapshot() as db:
        assert db.execute(select(func.count()).select_from(table)).scalar() == 40
        assert sum(one.messages for one in conversations.newest(db)) == 40
        per_domain = {row.key: row[2] for row in db.execute(select(counts)) if row.key.startswith("domain")}
        assert per_domain == {"domain d0.example": 20, "domain d1.example": 20}
        assert db.execute(select(func.count()).select_from(people)).scalar() == 0
