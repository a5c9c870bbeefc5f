from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from mentionable import anp, decode_trusted
from mentionable.testing import StoreContract
from sqlalchemy import select, text

from mentionable_host.queue import shared
from mentionable_host.store.database import Database
from mentionable_host.store.notifications import EFFECTS, Events
from mentionable_host.store.tables import jobs, metadata

MOMENT = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)


class TestEvents(StoreContract):
    """Events and lanes of the host keep the contract of every store, in one transaction."""

    @pytest.fixture(autouse=True)
    def _database(self, database):
        self.database = database

    def new_store(self):
        self.db = self.database.engine.connect()
        return Events(self.db, now=MOMENT)

    def effects(self, store):
        rows = select(jobs.c.payload).where(jobs.c.kind == "anp.effect").order_by(jobs.c.number)
        return [decode_trusted(anp.Effect, payload) for payload in self.db.execute(rows).scalars()]

    def keeps(self, effect):
        return effect.kind in EFFECTS

    def close(self, store):
        self.db.close()


@pytest.mark.storm
def test_of_two_writers_at_once_one_stores_an_open_event_of_a_key(postgres):
    flags = anp.Routing(address="user", target="user", handler="system")
    made = anp.Submission(content="Backup failed.", user_id="olivia", routing=flags, deduplication_key="k")
    new = [anp.decide(None, anp.Submit(submission=made, id=id), now=MOMENT) for id in ("e1", "e2")]
    database = Database(postgres.new_database())
    metadata.create_all(database.engine)
    shared.install(database.engine)

    def second():
        with database.engine.begin() as db:
            return Events(db, now=MOMENT).commit(new[1])

    with database.engine.connect() as first, ThreadPoolExecutor(1) as pool, database.snapshot() as watcher:
        assert Events(first, now=MOMENT).commit(new[0])
        later = pool.submit(second)
        for _ in range(100_000):
            if later.done() or watcher.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar():
                break
        assert not later.done()
        first.commit()
        assert later.result(timeout=30) is False
    database.close()
