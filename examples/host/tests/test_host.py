from __future__ import annotations

import asyncio

import pytest
from mentionable import UseOnce
from recorder import Chat, Recorder
from sqlalchemy import func, select

from mentionable_host import ConfigError
from mentionable_host import host as module
from mentionable_host.queue.worker import Worker
from mentionable_host.store import retention
from mentionable_host.store.tables import uses
from mentionable_host.store.uses import Uses


def test_what_has_expired_is_removed_while_the_host_runs(make_host, world, monkeypatch):
    monkeypatch.setattr(retention, "SOON_SECONDS", 0)
    host, used = make_host(), Uses()

    async def main():
        with host.database.engine.begin() as db:
            used.answer(db, UseOnce(key="k", binding="b", until=world.now()))
            used.store(db)
        world.advance(minutes=1)
        async with host.running(), asyncio.timeout(30):
            while await host.database.read(lambda db: db.execute(select(func.count()).select_from(uses)).scalar()):
                await asyncio.sleep(0.01)

    asyncio.run(main())


def test_a_worker_that_ends_by_a_fault_begins_anew(make_host, monkeypatch, caplog):
    monkeypatch.setattr(module, "AGAIN_SECONDS", 0)
    begun = asyncio.Event()
    faults = [RuntimeError("the server is away")]

    async def run(self):
        if faults:
            raise faults.pop()
        begun.set()

    monkeypatch.setattr(Worker, "run", run)
    host = make_host()

    async def main():
        async with host.running(), asyncio.timeout(30):
            await begun.wait()

    asyncio.run(main())
    assert "the worker: a fault, after which it begins anew" in caplog.text


def test_two_hosts_do_not_work_on_one_file(make_host, tmp_path):
    first, second = make_host(), make_host()

    async def main():
        async with first.running():
            with pytest.raises(ConfigError, match=r"host\.db is worked on already.*\nEnd that, or write another file"):
                async with second.running():
                    pass
        async with second.running():  # the first one has ended
            pass

    asyncio.run(main())
    assert (tmp_path / "host.db.lock").stat().st_mode & 0o777 == 0o600


def test_a_transport_that_cannot_end_keeps_nothing_else_from_ending(make_host, caplog):
    ended = []

    class Broken(Recorder):
        async def stop(self):
            raise OSError("the socket is gone")

    class Other(Chat):
        async def stop(self):
            ended.append(self.name)

    async def main():
        before = asyncio.all_tasks()
        async with make_host(Broken, Other).running():
            pass
        return asyncio.all_tasks() - before

    assert asyncio.run(main()) == set()
    assert ended == ["chat"]
    assert "email cannot be ended" in caplog.text
