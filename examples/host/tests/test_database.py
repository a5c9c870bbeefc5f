import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest
from sqlalchemy import CursorResult, insert, select, text

from mentionable_host.store import idle, sqlite_file, sqlite_writer
from mentionable_host.store.database import Conflict, Database, StoreUnavailable
from mentionable_host.store.dialects import insert_new, upsert
from mentionable_host.store.tables import metadata, people, settings, uses


@pytest.fixture
def sqlite(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/store.db")
    metadata.create_all(database.engine)
    yield database
    database.close()


def put(key, value=b"x"):
    return lambda db: db.execute(insert(settings).values(key=key, value=value))


def keys(database):
    with database.snapshot() as db:
        return sorted(db.execute(select(settings.c.key)).scalars())


async def together(database, works):
    """Writes in one batch; the results."""
    return await asyncio.gather(*(database.write(work) for work in works), return_exceptions=True)


def test_a_key_that_is_there_is_a_conflict(database):
    asyncio.run(database.write(put("a")))

    with pytest.raises(Conflict):
        asyncio.run(database.write(put("a")))


def test_what_a_work_raises_is_raised_and_nothing_of_it_is_stored(database):
    def fails(db):
        put("a")(db)
        raise LookupError("no")

    with pytest.raises(LookupError):
        asyncio.run(database.write(fails))
    assert keys(database) == []


def test_in_a_batch_a_work_that_fails_takes_no_other_with_it(database):
    def fails(db):
        put("half")(db)
        raise LookupError("no")

    works = [put("a"), fails, put("a"), lambda db: db.execute(text("SELECT nonsense")), put("b")]
    results = asyncio.run(together(database, works))

    assert keys(database) == ["a", "b"]
    assert isinstance(results[1], LookupError)
    assert sum(isinstance(one, Conflict) for one in results) == 1
    assert isinstance(results[3], Exception)


def test_what_a_savepoint_takes_back_is_in_no_file(sqlite):
    assert asyncio.run(sqlite.write(lambda db: db.execute(text("PRAGMA temp_store")).scalar())) == 2


def test_a_read_sees_one_state(database):
    read, wrote = threading.Event(), threading.Event()

    def twice(db):
        first = db.execute(select(settings.c.key)).fetchall()
        read.set()
        assert wrote.wait(5)
        return first, db.execute(select(settings.c.key)).fetchall()

    async def run():
        task = asyncio.create_task(database.read(twice))
        await asyncio.to_thread(read.wait, 5)
        await database.write(put("a"))
        wrote.set()
        return await task

    assert asyncio.run(run()) == ([], [])


def test_a_read_cannot_write(database):
    with pytest.raises(Exception, match=r"(?i)read-?only"):
        asyncio.run(database.read(put("a")))
    assert keys(database) == []


def test_who_no_longer_waits_is_not_written(sqlite):
    async def run():
        task = asyncio.create_task(sqlite.write(put("a")))
        await asyncio.sleep(0)
        task.cancel()
        assert isinstance((await asyncio.gather(task, return_exceptions=True))[0], asyncio.CancelledError)

    asyncio.run(run())
    assert keys(sqlite) == []


def test_at_the_end_each_write_is_stored_or_refused_and_nothing_is_written_afterwards(database):
    async def run():
        waiting = [asyncio.create_task(database.write(put(str(number)))) for number in range(20)]
        await asyncio.sleep(0)
        await asyncio.to_thread(database.close)
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(one, CursorResult | StoreUnavailable) for one in results)
        for verb in (database.write, database.read):
            with pytest.raises(StoreUnavailable, match="closed"):
                await verb(put("late"))
        return sum(isinstance(one, CursorResult) for one in results)

    url = str(database.engine.url.render_as_string(hide_password=False))
    stored = asyncio.run(run())
    database.close()
    again = Database(url.replace("+psycopg", ""))
    assert len(keys(again)) == stored
    again.close()


def test_a_full_disk_refuses_everything_until_there_is_space(sqlite):
    with sqlite.engine.connect() as db:
        limit = db.exec_driver_sql("PRAGMA page_count").scalar() + 8
    asyncio.run(sqlite.write(lambda db: db.exec_driver_sql(f"PRAGMA max_page_count = {limit}").fetchall()))
    big = [put(f"k{number}", os.urandom(3_000)) for number in range(40)]

    results = asyncio.run(together(sqlite, big))

    assert {type(one) for one in results} == {StoreUnavailable}
    assert {str(one) for one in results} == {"database or disk is full"}
    assert keys(sqlite) == []
    with sqlite.engine.connect() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 1000000")
    asyncio.run(sqlite.write(put("later")))
    assert "later" in keys(sqlite)


@pytest.mark.parametrize("then", ["removed", "replaced"])
def test_a_file_that_is_not_there_any_more_gets_nothing(sqlite, tmp_path, then):
    asyncio.run(sqlite.write(put("a")))
    place = tmp_path / "store.db"
    place.unlink()
    if then == "replaced":
        place.write_bytes(b"")

    with pytest.raises(StoreUnavailable, match="removed or replaced"):
        asyncio.run(sqlite.write(put("b")))
    for result in asyncio.run(together(sqlite, [put("c"), put("d")])):
        assert isinstance(result, StoreUnavailable)


def test_a_file_that_another_process_holds_is_unavailable(sqlite, tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_writer, "BUSY_SECONDS", 0.05)
    other = Database(f"sqlite:///{tmp_path}/store.db")
    with other.engine.begin() as db:
        put("theirs")(db)
        with pytest.raises(StoreUnavailable, match="another process"):
            asyncio.run(sqlite.write(put("ours")))
    other.close()
    asyncio.run(sqlite.write(put("ours")))
    assert keys(sqlite) == ["ours", "theirs"]


def test_who_opens_the_file_of_a_running_server_takes_nothing_away(sqlite, tmp_path):
    """Each command of the operator does, and closes it again: SQLite removes its log when nobody else has it open."""
    look = f"""
from mentionable_host.store.database import Database
database = Database("sqlite:///{tmp_path}/store.db")
with database.snapshot() as db:
    print(db.exec_driver_sql("SELECT group_concat(key) FROM settings").scalar())
database.close()
"""
    sqlite.close()
    server, seen = Database(f"sqlite:///{tmp_path}/store.db"), []  # now the tables are there
    for key in ("a", "b", "c"):
        asyncio.run(server.write(put(key)))
        seen.append(subprocess.check_output([sys.executable, "-c", look], text=True, timeout=60).strip())
    server.close()

    assert seen == ["a", "a,b", "a,b,c"]


def test_the_file_is_for_its_owner_alone(sqlite, tmp_path):
    asyncio.run(sqlite.write(put("a")))

    assert {stat.S_IMODE(place.stat().st_mode) for place in tmp_path.glob("store.db*")} == {0o600}


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://host/name"])
def test_other_databases_are_refused(url):
    with pytest.raises(ValueError, match="sqlite"):
        Database(url)


def test_text_that_a_peer_chose_is_stored_and_found_whatever_it_is(database):
    odd = ["a\0b", "x" * 100_000, "𝔸" * 9_000, "half \ud800"]
    for key in odd:
        assert asyncio.run(
            database.write(lambda db, key=key: insert_new(db, uses, {"key": key, "binding": "b", "until": 0}))
        )

    for key in odd:
        where = select(uses.c.binding).where(uses.c.key == key)
        assert asyncio.run(database.read(lambda db, where=where: db.execute(where).scalar())) == "b"


def test_a_row_is_inserted_or_changed(database):
    row = {"target": "a.example", "by": "operator", "kind": "domain", "severity": "silence", "since": 1.0}
    table = metadata.tables["blocks"]

    def work(db):
        upsert(db, table, row)
        upsert(db, table, {**row, "severity": "suspend", "since": 2.0}, keep=("since",))
        return db.execute(select(table.c.severity, table.c.since)).one()

    assert tuple(asyncio.run(database.write(work))) == ("suspend", 1.0)


@pytest.mark.storm
def test_a_server_that_starts_anew_is_used_again(postgres):
    database = Database(postgres.new_database())
    metadata.create_all(database.engine)

    def stops(db):
        put("lost")(db)
        postgres.stop()
        postgres.start()
        put("lost too")(db)

    async def run():
        await asyncio.gather(*(database.write(put(f"k{number}")) for number in range(8)))
        with pytest.raises(StoreUnavailable):
            await database.write(stops)
        await asyncio.gather(*(database.write(put(f"n{number}")) for number in range(8)))
        return await database.read(lambda db: db.execute(select(settings.c.key)).scalars().all())

    stored = asyncio.run(run())
    database.close()
    assert len(stored) == 16
    assert not {"lost", "lost too"} & set(stored)


@pytest.mark.storm
def test_what_the_server_has_prepared_is_used_again(postgres):
    database = Database(postgres.new_database())
    metadata.create_all(database.engine)

    async def run():
        for number in range(20):
            await database.read(lambda db: db.execute(select(settings.c.key)).all())
            await database.write(put(f"k{number}"))
        return await database.look(
            lambda db: db.exec_driver_sql("SELECT count(*) FROM pg_prepared_statements").scalar()
        )

    prepared = asyncio.run(run())
    database.close()
    assert prepared >= 2


@pytest.mark.storm
def test_a_connection_that_was_lost_while_nobody_used_it_is_not_noticed(postgres, monkeypatch):
    monkeypatch.setattr(idle, "IDLE_SECONDS", 0)
    database = Database(postgres.new_database())
    metadata.create_all(database.engine)
    asyncio.run(database.write(put("before")))
    postgres.stop()
    postgres.start()
    asyncio.run(database.write(put("after")))
    database.close()


@pytest.mark.storm
def test_a_server_that_is_away_is_unavailable(postgres):
    database = Database(postgres.new_database())
    metadata.create_all(database.engine)
    postgres.stop()
    try:
        for verb in (database.write, database.read):
            with pytest.raises(StoreUnavailable):
                asyncio.run(verb(lambda db: db.execute(select(people))))
    finally:
        postgres.start()
        database.close()


@pytest.mark.storm
def test_what_was_said_to_be_written_is_there_after_the_process_was_killed(tmp_path):
    program = f"""
import asyncio
from sqlalchemy import insert
from mentionable_host.store.database import Database
from mentionable_host.store.tables import settings

database = Database("sqlite:///{tmp_path}/killed.db")
settings.metadata.create_all(database.engine)

async def write(place):
    for number in range(100_000):
        row = {{"key": f"{{place}}-{{number}}", "value": b"x"}}
        await database.write(lambda db: db.execute(insert(settings), row))
        print(row["key"], flush=True)

async def run():
    await asyncio.gather(*map(write, range(16)))

asyncio.run(run())
"""
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        told = [process.stdout.readline().strip() for _ in range(300)]
        process.kill()
        told += process.communicate()[0].splitlines()[:-1]
        database = Database(f"sqlite:///{tmp_path}/killed.db")
        stored = set(keys(database))
        database.close()
        assert set(told) <= stored
        (tmp_path / "killed.db").unlink()
        for rest in tmp_path.glob("killed.db-*"):
            rest.unlink()


def test_a_row_that_is_there_is_not_new_also_where_a_table_counts_by_itself(database):
    row = {"key": "k", "kind": "a", "lane": "l", "payload": b"", "state": "waiting", "due": 1.0, "created_at": 1.0}
    table = metadata.tables["jobs"]

    assert [asyncio.run(database.write(lambda db: insert_new(db, table, row))) for _ in range(2)] == [True, False]


def test_event_loops_in_several_threads_write_at_once(database):
    results = {}

    async def write_some(name):
        async with asyncio.timeout(20):
            for number in range(20):
                await database.write(put(f"{name} {number:02}"))

    def run(name):
        try:
            results[name] = asyncio.run(write_some(name))
        except Exception as error:
            results[name] = error

    threads = [threading.Thread(target=run, args=(name,)) for name in "abc"]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)

    assert results == {"a": None, "b": None, "c": None}
    assert keys(database) == [f"{name} {number:02}" for name in "abc" for number in range(20)]


def test_what_is_written_while_a_loop_ends_is_written_and_the_loop_ends(database):
    async def waits():
        try:
            await asyncio.sleep(100)
        finally:
            await database.write(put("last"))

    async def main():
        ends = asyncio.create_task(waits())
        others = [asyncio.create_task(database.write(put(name))) for name in "abc"]
        await asyncio.sleep(0)
        return ends, others

    ended = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    ended.start()
    ended.join(20)

    assert not ended.is_alive()
    assert "last" in keys(database)


def test_large_works_of_a_batch_let_others_run_in_between(sqlite, monkeypatch):
    commits, end = [], sqlite_writer._end
    monkeypatch.setattr(sqlite_writer, "LONG", 0)
    monkeypatch.setattr(sqlite_writer, "_end", lambda *some: (commits.append(1), end(*some)))

    asyncio.run(together(sqlite, [put(name) for name in "abc"]))

    assert (len(commits), keys(sqlite)) == (3, ["a", "b", "c"])


def test_what_others_were_faster_with_is_written_again_a_few_times(database):
    tries = []

    def work(db):
        tries.append(1)
        if len(tries) < 4:
            raise Conflict("another one was faster")
        return "written"

    assert asyncio.run(database.write_again(work)) == "written"
    with pytest.raises(Conflict):
        asyncio.run(database.write_again(lambda db: (_ for _ in ()).throw(Conflict("again"))))


def test_a_new_file_is_opened_where_another_process_is_just_making_it(tmp_path, monkeypatch):
    place = tmp_path / "new.db"
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(sqlite_file, "sleep", lambda seconds: other.execute("ROLLBACK"))

    with sqlite_file.sqlite_engine(f"sqlite:///{place}", waits=False).connect() as db:
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    other.close()
