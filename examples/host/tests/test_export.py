import asyncio
import json
from io import BytesIO

import pytest
from sqlalchemy import insert, select

from mentionable_host.store import messages
from mentionable_host.store.database import Database
from mentionable_host.store.export import ImportFault, lines, load
from mentionable_host.store.tables import metadata

ALICE, BOB = "@alice@a.example", "@bob@b.example"


@pytest.fixture
def filled(tmp_path, make_message):
    """A file with messages of two people, and some bytes that are no JSON."""
    database = Database(f"sqlite:///{tmp_path}/filled.db")
    metadata.create_all(database.engine)

    def fill(db):
        for number in range(30):
            person = (ALICE, BOB)[number % 2]
            message = make_message(f"Nr. {number} \0 𝔸 {person}", sender=person, thread_id=f"t{number % 3}")
            messages.put(db, message, transport="email", files={f"d{number}": bytes(range(number))})
        for key, value in (("spaced", b'{"a": 1}'), ("bytes", b"\xff\0"), ("big", b"1e999"), ("json", b'{"a":1.5}')):
            db.execute(insert(metadata.tables["settings"]).values(key=key, value=value))
        person = {"address": ALICE, "actor": "https://a.example/alice", "transport": "email", "verified": True}
        seen = {"method": "email-dkim", "first_seen": 1.25, "last_seen": 2.5}
        db.execute(insert(metadata.tables["people"]).values(**person, **seen))

    asyncio.run(database.write(fill))
    yield database
    database.close()


def exported(database, world, **more):
    with database.snapshot() as db:
        return b"".join(lines(db, revision="0001", now=world.now(), **more))


def rows(database):
    with database.snapshot() as db:
        found = {name: db.execute(select(table)).fetchall() for name, table in metadata.tables.items()}
    return {name: sorted(map(tuple, some)) for name, some in found.items()}


def read_into(database, data):
    return asyncio.run(database.write(lambda db: load(db, BytesIO(data), revision="0001")))


def test_what_was_exported_is_read_back_whole(filled, database, world):
    counts = read_into(database, exported(filled, world))

    assert rows(database) == rows(filled)
    assert (counts["messages"], counts["blobs"], counts["settings"]) == (30, 30, 4)
    assert exported(database, world) == exported(filled, world)


def test_numbers_go_on_after_those_that_were_read(filled, database, world, make_message):
    read_into(database, exported(filled, world))
    message = make_message(thread_id="new")

    assert asyncio.run(database.write(lambda db: messages.put(db, message, transport="email", files={}))) == 31


@pytest.mark.parametrize("who", [ALICE, "alice@a.example", "https://a.example/alice"])
def test_a_person_gets_what_is_stored_of_them_and_of_nobody_else(filled, world, who):
    found = [json.loads(line) for line in exported(filled, world, person=who).splitlines()]

    assert found[0]["person"] == who
    assert found[-1] == {"end": {"blobs": 15, "messages": 15, "people": 1}}
    assert BOB not in json.dumps(found)
    message = next(one["row"] for one in found if one.get("table") == "messages")
    assert message["value"]["json"]["sender"]["address"] == ALICE


def test_the_export_of_a_person_has_what_is_known_of_them_in_every_table(filled, world):
    bob = {"actor": "https://b.example/bob", "address": BOB}
    related = {
        **bob,
        "agent": "@helper@agents.example",
        "inbox": "i",
        "state": "pending",
        "activity": b"{}",
        "since": 1,
    }
    report = {**bob, "id": "r", "objects": b"[]", "at": 1}
    mail = {"native_id": "n", "mailbox": "m", "message_id": "m", "thread_id": "t", "person": BOB, "state": "s", "at": 1}

    def fill(db):
        for side in ("followers", "following"):
            db.execute(insert(metadata.tables["relations"]).values(side=side, **related))
        db.execute(insert(metadata.tables["reports"]).values(report))
        db.execute(insert(metadata.tables["mail_recipients"]).values(mail))
        db.execute(insert(metadata.tables["reply_targets"]).values(key="k", person=BOB, until=9e9, value=b"token"))

    asyncio.run(filled.write(fill))
    counts = json.loads(exported(filled, world, person=BOB).splitlines()[-1])["end"]

    assert counts == {"blobs": 15, "messages": 15, "mail_recipients": 1, "relations": 2, "reports": 1}


def spoiled(data, change):
    text = data.splitlines(keepends=True)
    return b"".join(change(text))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[:-1], "ends too early"),
        (lambda text: [*text[:-1], text[-1].rstrip()], "too early"),
        (lambda text: [*text[:5], *text[6:]], "rows are missing"),
        (lambda text: [text[0], b"[]\n"], "line 2 is no object"),
        (lambda text: [text[0], b"[" * 100_000 + b"\n"], "line 2 is no JSON"),
        (lambda text: [text[0], b'{"table":"nothing","row":{}}\n'], "line 2: no row"),
        (lambda text: [text[0], b'{"table":"uses","row":{"other":1}}\n'], "no row of a table"),
        (lambda text: [text[0], b'{"table":"settings","row":{"key":"k","value":"x"}}\n'], "neither json nor base64"),
        (lambda text: [text[0], b'{"table":"settings","row":{"key":["k"]}}\n'], "no plain value"),
        (lambda text: [text[0], b'{"table":"settings","row":{"key":"k"}}\n'], "value is missing"),
        (
            lambda text: [text[0], b'{"table":"settings","row":{"key":1,"value":{"json":1}}}\n'],
            "no row of settings",
        ),
        (
            lambda text: [text[0], *[b'{"table":"settings","row":{"key":"k","value":{"json":1}}}\n'] * 2],
            "line 3: this is",
        ),
        (lambda text: [b'{"export":"other"}\n'], "no export"),
        (lambda text: [text[0].replace(b"0001", b"0002")], "of revision 0002"),
        (lambda text: [text[0].replace(b"null", b'"@a@b.example"')], "one person"),
        (lambda text: [], "line 1: the file ends"),
    ],
)
def test_a_file_that_is_not_whole_leaves_nothing(filled, database, world, change, words):
    with pytest.raises(ImportFault, match=words):
        read_into(database, spoiled(exported(filled, world), change))
    assert not any(rows(database).values())


def test_nothing_is_read_into_a_database_that_has_something(filled, world):
    with pytest.raises(ImportFault, match="not empty"):
        read_into(filled, exported(filled, world))


def test_a_domain_is_not_a_person(filled, world):
    with pytest.raises(ValueError, match="is a domain"):
        exported(filled, world, person="a.example")
