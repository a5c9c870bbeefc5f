import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from mentionable import NormalizedResponse, activitypub, format_time
from sqlalchemy import func, insert, select

from mentionable_host import Config
from mentionable_host.store import conversations, jobs, messages, publications, reactions, retention
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.tables import metadata

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def write(database):
    return lambda work: asyncio.run(database.write(work))


@pytest.fixture
def run(database, world):
    def run(**store):
        config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}, "store": store})
        return asyncio.run(retention.housekeeping(SimpleNamespace(config=config, database=database, world=world)))

    return run


def count(write, name):
    return write(lambda db: db.execute(select(func.count()).select_from(metadata.tables[name])).scalar())


def talk(db, make_message, *, days, key):
    when = NOW - timedelta(days=days)
    message = make_message(key, id=key, thread_id=key, received_at=format_time(when))
    messages.put(db, message, transport="a2a", files={"d": b"x"})
    messages.put_answer(db, NormalizedResponse.to(message, "Yes."), to=message, transport="a2a", now=when)
    messages.put_native_ids(db, {(key, message.recipient): messages.own_row(message)}, person=message.sender.address)


def test_messages_are_kept_so_many_days(write, run, make_message):
    write(lambda db: talk(db, make_message, days=31, key="old"))
    write(lambda db: talk(db, make_message, days=29, key="new"))

    assert run(keep_days=30)["messages"] == 2

    assert [count(write, name) for name in ("messages", "blobs", "native_ids", "threads")] == [2, 1, 1, 1]
    assert [one.last.thread_id for one in write(conversations.newest)] == ["new"]


def test_messages_are_kept_for_ever_where_nothing_else_is_said(write, run, make_message):
    write(lambda db: talk(db, make_message, days=10_000, key="old"))

    assert "messages" not in run()
    assert count(write, "messages") == 2


def test_the_ids_of_a_question_stay_as_long_as_its_answer(write, make_message):
    message = make_message(received_at=format_time(NOW - timedelta(days=3)))

    def work(db):
        messages.put(db, message, transport="a2a", files={})
        messages.put_answer(db, NormalizedResponse.to(message, "Yes."), to=message, transport="a2a", now=NOW)
        messages.put_native_ids(db, {("n", message.recipient): messages.own_row(message)}, person="p")
        return retention.remove_old(db, before=NOW - timedelta(days=1))

    assert write(work) == 1
    assert count(write, "native_ids") == 1


def test_what_has_expired_is_removed_and_nothing_else(write, run):
    past, to_come = (NOW - timedelta(days=40)).timestamp(), (NOW + timedelta(days=1)).timestamp()

    def fill(db):
        for key, at in (("old", past), ("new", to_come)):
            db.execute(insert(metadata.tables["uses"]).values(key=key, binding="b", until=at))
            db.execute(insert(metadata.tables["settings"]).values(key=key, value=b"x", until=at))
            frame = {"topic": key, "number": 1, "value": b"x", "at": at}
            db.execute(insert(metadata.tables["stream_frames"]).values(frame))
            db.execute(insert(metadata.tables["counts"]).values(key=key, window=int(at) // 60, count=1))
            demand = {"key": key, "person": "p", "message_id": "m", "until": at, "value": b"x"}
            db.execute(insert(metadata.tables["issuances"]).values(demand))
            for state in ("done", "dead", "waiting"):
                job = jobs.Job(key=f"{key} {state}", kind="k", lane="l", payload=b"")
                jobs.enqueue(db, job, now=datetime.fromtimestamp(at, UTC))
                table = metadata.tables["jobs"]
                ended = None if state == "waiting" else at
                db.execute(table.update().where(table.c.key == job.key).values(state=state, ended_at=ended))
        db.execute(insert(metadata.tables["blobs"]).values(digest="d", message=99, data=b"x"))

    write(fill)
    removed = run()

    assert {name: number for name, number in removed.items() if number} == {
        "jobs": 2,
        "stream_frames": 1,
        "counts": 1,
        "blobs": 1,
        "uses": 1,
        "issuances": 1,
        "settings": 1,
    }
    assert [count(write, name) for name in ("uses", "stream_frames", "counts", "issuances", "jobs")] == [1, 1, 1, 1, 4]
    assert count(write, "blobs") == 0


def test_it_goes_in_small_steps(write, run, monkeypatch):
    monkeypatch.setattr(retention, "STEP", 3)
    table = metadata.tables["uses"]
    rows = [{"key": str(number), "binding": "b", "until": 1.0} for number in range(10)]
    write(lambda db: db.execute(insert(table), rows))

    assert run()["uses"] == 10


def test_what_was_published_of_an_answer_goes_with_it_and_its_files_too(write, run, make_message):
    write(lambda db: talk(db, make_message, days=31, key="old"))
    note, file = "https://agents.example/notes/1", "https://agents.example/files/1"
    one = publications.Publication(native_id=note, kind="answer", activity="a", inboxes=(), about="answer-to-old")
    served = activitypub.ServedFile(mime="text/plain", data=b"x")
    write(lambda db: publications.put(db, one, serve={note: {"id": note}}, files={file: served}))

    run(keep_days=30)

    assert [count(write, name) for name in ("publications", "publication_documents", "documents")] == [0, 0, 0]


def test_reactions_go_with_what_they_are_about(write, run, make_message):
    note = "https://agents.example/notes/1"
    post = publications.Publication(native_id=note, kind="post", activity="a", inboxes=())

    def fill(db):
        talk(db, make_message, days=31, key="old")
        talk(db, make_message, days=29, key="new")
        publications.put(db, post, serve={note: {"id": note}}, files={})
        for object_id in ("old", "new", note):
            reactions.put(db, actor="a", kind="Like", object_id=object_id, content=None, now=NOW)

    write(fill)
    run(keep_days=30)
    after_a_month = count(write, "reactions")
    write(lambda db: publications.remove(db, note))

    assert (after_a_month, count(write, "reactions")) == (2, 1)


def test_places_at_peers_and_reports_go_with_old_messages(write, run):
    for at in (NOW - timedelta(days=31), NOW):
        place = {"question": str(at), "peer": "p", "thread_id": "t", "asked_in": b"", "answered_in": b""}
        report = {"id": str(at), "actor": "a", "address": "@a@a.example", "objects": b"[]"}
        for name, row in (("peer_questions", place), ("reports", report)):
            statement = insert(metadata.tables[name]).values(**row, at=at.timestamp())
            write(lambda db, statement=statement: db.execute(statement))

    run(keep_days=30)

    assert [count(write, name) for name in ("peer_questions", "reports")] == [1, 1]


def test_a_host_that_runs_cleans_up_by_itself(make_host, monkeypatch):
    monkeypatch.setattr(retention, "SOON_SECONDS", 0)
    host, told = make_host(), asyncio.Event()

    async def housekeeping(_):
        told.set()
        raise StoreUnavailable("away")  # this ends nothing

    monkeypatch.setattr(retention, "housekeeping", housekeeping)

    async def main():
        async with host.running(), asyncio.timeout(30):
            await told.wait()

    asyncio.run(main())


def test_people_go_with_their_last_message(write, run, make_message):
    write(lambda db: talk(db, make_message, days=29, key="new"))
    for address in ("@alice@a.example", "@bob@b.example"):
        times = {"first_seen": 1.0, "last_seen": 1.0}
        row = {"address": address, "transport": "a2a", "verified": True, "method": "m", **times}
        statement = insert(metadata.tables["people"]).values(row)
        write(lambda db, statement=statement: db.execute(statement))

    run(keep_days=30)

    assert write(lambda db: db.execute(select(metadata.tables["people"].c.address)).scalars().all()) == [
        "@alice@a.example"
    ]
