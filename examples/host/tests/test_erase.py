import asyncio
import json

import pytest
from mentionable import NormalizedResponse, StoredMessage, activitypub, anp
from sqlalchemy import Boolean, Float, Integer, LargeBinary, func, insert, select

from mentionable_host.store import blocks, conversations, jobs, messages, peers, publications
from mentionable_host.store.erase import KEPT, forget
from mentionable_host.store.forgotten import was_forgotten
from mentionable_host.store.tables import metadata

CANARY = "CANARYcanaryCANARY"
ALICE, BOB, HELPER = "@alice@a.example", "@bob@b.example", "@helper@agents.example"
ACTOR = "https://a.example/users/alice"


@pytest.fixture
def write(database):
    return lambda work: asyncio.run(database.write(work))


FILLED = {
    *("messages", "threads", "blobs", "native_ids", "jobs", "tasks", "stream_frames", "webhooks", "issuances"),
    *("documents", "people", "relations", "reactions", "notifications", "lanes", "counts"),
}


def fill(db, make_message, world, *, person, actor, word, key, thread="t1"):
    """Stores something of a person in every table; `word` is in all of it."""
    now = world.now()
    message = make_message(f"{word} asks", sender=person, thread_id=thread, id=f"{key}-m")
    number = messages.put(db, message, transport="activitypub", files={f"{key}-digest": word.encode() * 300})
    native = {(f"https://native.example/{key}", HELPER): StoredMessage(id=message.id, thread_id=thread, sender=person)}
    messages.put_native_ids(db, native)
    answer = NormalizedResponse.to(message, f"{word} gets this")
    messages.put_answer(db, answer, to=message, transport="activitypub", now=now)
    own = {(f"https://agents.example/{key}", HELPER): messages.own_row(message)}
    messages.put_native_ids(db, own, person=person)
    payload, value = f"{word} payload".encode(), json.dumps({"text": word}).encode()
    for state in ("waiting", "dead"):
        name = f"{key} {state}"
        job = jobs.Job(key=name, kind="activitypub.deliver", lane="x", payload=payload, person=person, thread_id=thread)
        jobs.enqueue(db, job, now=now)
    of = {"person": person, "value": value}
    rows = {
        "tasks": {
            "id": f"{key}-task",
            "owner": person,
            "context_id": thread,
            "state": "done",
            "updated_at": 1.0,
            "value": value,
        },
        "stream_frames": {"topic": f"{key}-task", "number": 1, "value": value, "at": 1.0},
        "webhooks": {"task_id": f"{key}-task", "id": "w", "dialect": "1.0", "value": value},
        "issuances": {"key": f"{key}-i", "message_id": message.id, **of},
        "documents": {
            "url": f"https://agents.example/o/{key}",
            "answer_id": None,
            "content_type": "x",
            **of,
        },
        "people": {
            "address": person,
            "actor": actor,
            "transport": "activitypub",
            "display_name": word,
            "verified": True,
            "method": "ap-http-signature",
            "first_seen": 1.0,
            "last_seen": 1.0,
        },
        "relations": {
            "actor": actor,
            "agent": HELPER,
            "side": "followers",
            "address": person,
            "inbox": f"{actor}/inbox",
            "state": "accepted",
            "activity": value,
            "since": 1.0,
        },
        "reactions": {"object": "o", "actor": actor, "kind": "Like", "content": word, "at": 1.0},
        "notifications": {"id": f"{key}-n", "status": "pending", "version": 1, **of},
        "lanes": {"id": anp.lane_id(person), "version": 1, "value": value},
        "counts": {"key": f"sender {person}", "window": 1, "count": 1},
    }
    for name, row in rows.items():
        db.execute(insert(metadata.tables[name]).values({**rest_of(metadata.tables[name]), **row}))
    return number


def rest_of(table):
    """Something in each column that a row must have."""
    needed = [one for one in table.columns if not one.nullable and one.server_default is None and not one.primary_key]
    kinds = {LargeBinary: b"", Boolean: False, Integer: 0, Float: 0.0}
    return {one.name: next((kinds[kind] for kind in kinds if isinstance(one.type, kind)), "") for one in needed}


def everything(database):
    with database.snapshot() as db:
        return {name: db.execute(select(table)).fetchall() for name, table in metadata.tables.items()}


@pytest.fixture
def two_people(database, write, make_message, world):
    write(
        lambda db: fill(
            db, make_message, world, person=BOB, actor="https://b.example/bob", word="Bob", key="b", thread="t2"
        )
    )
    before = everything(database)
    write(lambda db: fill(db, make_message, world, person=ALICE, actor=ACTOR, word=CANARY, key="a"))
    return before


def bytes_of_files(tmp_path):
    return b"".join(place.read_bytes() for place in tmp_path.glob("store.db*"))


@pytest.mark.parametrize("who", [ALICE, "alice@a.example", "@Alice@A.example", ACTOR])
def test_nothing_of_a_person_is_left_and_others_stay(database, write, world, two_people, tmp_path, who):
    erased = write(lambda db: forget(db, who, now=world.now()))

    after = everything(database)
    tombstones = after.pop("uses")
    two_people.pop("uses")
    assert after == two_people
    assert len(tombstones) == 3
    assert {name for name, count in erased.rows.items() if count == 0} <= set(metadata.tables) - FILLED
    assert set(erased.rows) | set(KEPT) == set(metadata.tables)
    assert [one.url for one in erased.documents] == ["https://agents.example/o/a"]
    assert erased.inboxes == (f"{ACTOR}/inbox",)

    assert asyncio.run(database.compact())
    if database.dialect == "sqlite":
        left = bytes_of_files(tmp_path)
        assert b"Bob" in left
        for word in (CANARY, "alice@a.example", "users/alice", "native.example/a"):
            assert word.encode() not in left


def test_the_words_are_in_the_files_before(two_people, database, tmp_path):
    if database.dialect == "sqlite":
        assert CANARY.encode() in bytes_of_files(tmp_path)


def test_who_is_not_known_is_erased_without_effect(write, world, two_people):
    erased = write(lambda db: forget(db, "@carol@c.example", now=world.now()))

    assert erased.is_empty


@pytest.mark.parametrize("who", ["a.example", "", "alice"])
def test_a_domain_is_not_a_person(write, world, who):
    with pytest.raises(ValueError, match="is"):
        write(lambda db: forget(db, who, now=world.now()))


def test_a_block_stays(write, world, two_people):
    write(lambda db: blocks.add(db, ALICE, now=world.now()))
    write(lambda db: forget(db, ALICE, now=world.now()))

    assert write(lambda db: blocks.find(db, ALICE)) is not None


def test_a_message_that_was_forgotten_is_known_by_a_hash(write, world, two_people):
    write(lambda db: forget(db, ALICE, now=world.now()))

    assert write(lambda db: was_forgotten(db, "https://native.example/a"))
    assert not write(lambda db: was_forgotten(db, "https://native.example/b"))


def test_in_a_thread_of_several_people_the_others_stay(database, write, make_message, world):
    def talk(db):
        for sender in (ALICE, BOB, ALICE):
            messages.put(db, make_message(f"{sender} wrote", sender=sender), transport="slack", files={})

    write(talk)
    write(lambda db: forget(db, ALICE, now=world.now()))

    (thread,) = write(lambda db: conversations.newest(db))
    assert (thread.messages, thread.last.person) == (1, BOB)


def test_a_sender_who_used_the_id_of_another_loses_nothing_of_theirs(write, make_message, world):
    def work(db):
        for sender in (ALICE, BOB):
            message = make_message(f"{sender} wrote", sender=sender, id="same")
            messages.put(db, message, transport="a2a", files={"d": b"x"})

    write(work)
    write(lambda db: forget(db, ALICE, now=world.now()))

    table = metadata.tables["blobs"]
    assert write(lambda db: db.execute(select(func.count()).select_from(table)).scalar()) == 1


def test_many_messages_are_erased(write, make_message, world):
    def work(db):
        for number in range(1_201):
            messages.put(db, make_message(str(number), thread_id=f"t{number % 7}"), transport="a2a", files={})

    write(work)
    erased = write(lambda db: forget(db, ALICE, now=world.now()))

    assert (erased.rows["messages"], erased.rows["threads"]) == (1_201, 7)


def test_the_files_of_answers_go_with_the_person(write, world, make_message):
    note, file = "https://agents.example/notes/1", "https://agents.example/files/1"
    one = publications.Publication(native_id=note, kind="answer", activity="a", inboxes=(), about="x", person=ALICE)
    served = activitypub.ServedFile(mime="text/plain", data=b"x")
    write(lambda db: publications.put(db, one, serve={note: {"id": note}}, files={file: served}))

    erased = write(lambda db: forget(db, ALICE, now=world.now()))

    assert erased.rows["documents"] == 2
    assert write(lambda db: db.execute(select(metadata.tables["documents"])).fetchall()) == []


def test_an_agent_that_was_asked_is_erased_like_a_person(write, world):
    place = peers.PeerPlace(context_id="theirs")
    facts = {"thread_id": "t", "asked_in": place, "answered_in": place, "now": world.now()}
    write(lambda db: [peers.put(db, one, peer=one, **facts) for one in (ALICE, "@other@b.example")])

    erased = write(lambda db: forget(db, ALICE, now=world.now()))

    assert erased.rows["peer_questions"] == 1
    left = metadata.tables["peer_questions"].c.peer
    assert write(lambda db: db.execute(select(left)).scalars().all()) == ["@other@b.example"]
