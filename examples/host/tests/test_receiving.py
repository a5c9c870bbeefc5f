import asyncio
from hashlib import sha256
from types import SimpleNamespace

import pytest
from mentionable import DigestRef, FilePart, Sender, StoredMessage, TextPart, replace
from sqlalchemy import select

from mentionable_host.receiving import store_received
from mentionable_host.store import blocks, conversations, messages
from mentionable_host.store.erase import forget
from mentionable_host.store.tables import jobs as table
from mentionable_host.store.tables import people
from mentionable_host.transports.rest import Rest


@pytest.fixture
def host(make_host):
    return make_host(Rest, limits={"sender_per_hour": 2, "file_bytes": 100})


@pytest.fixture
def take(host):
    """Stores a message as a transport does; how many answers are due."""

    def run(message, *, native_id="n1", files=None, transport="activitypub"):
        row = StoredMessage(id=message.id, thread_id=message.thread_id, sender=message.sender.address)
        got = SimpleNamespace(
            native_id=native_id,
            to_store={(native_id, message.recipient): row},
            messages=(message,),
            blobs=files or {},
            edited=(),
            candidate=None,
            identities=(),
            redelivered=(),
            diagnostics=(),
            verdict=SimpleNamespace(code="signature-missing"),
        )
        return len(asyncio.run(host.database.write(lambda db: store_received(db, got, host=host, transport=transport))))

    return run


def kinds(host):
    with host.database.snapshot() as db:
        return db.execute(select(table.c.kind).order_by(table.c.number)).scalars().all()


def write(host, work):
    return asyncio.run(host.database.write(work))


def test_a_message_is_answered_once_however_often_it_comes(host, take, make_message):
    message = make_message()

    assert [take(message), take(message)] == [1, 0]
    assert kinds(host) == ["answer"]


def test_who_is_blocked_is_stored_and_not_answered(host, take, make_message, world):
    write(host, lambda db: blocks.add(db, "a.example", now=world.now()))

    assert take(make_message()) == 0
    assert kinds(host) == []
    assert write(host, lambda db: messages.entry(db, 1)) is not None


def test_the_first_message_over_a_limit_is_told_so(host, take, make_message):
    for number in range(5):
        take(make_message(f"{number}?", thread_id=f"t{number}"), native_id=f"n{number}")

    assert kinds(host) == ["answer", "answer", "refuse"]


def test_a_message_that_was_forgotten_is_not_stored_again(host, take, make_message, world):
    take(make_message())
    write(host, lambda db: forget(db, "@alice@a.example", now=world.now()))

    assert take(make_message(), native_id="n1") == 0
    assert write(host, lambda db: db.execute(select(people)).first()) is None
    assert take(make_message(), native_id="n2") == 1


def test_files_over_the_quota_are_not_kept(host, take, make_message):
    take(make_message(), files={"small": bytes(60), "large": bytes(101)})

    assert write(host, lambda db: list(messages.files_of(db, 1))) == ["small"]


def test_what_is_known_of_a_person_gets_no_weaker(host, take, make_message):
    take(make_message(), native_id="n1")
    forged = make_message("Forged.", thread_id="t2")
    forged = replace(forged, sender=Sender(address="@alice@a.example", display_name="Mallory"))
    take(forged, native_id="n2")

    with host.database.snapshot() as db:
        row = db.execute(select(people)).mappings().one()
    assert (row["verified"], row["display_name"], row["messages"]) == (True, None, 2)


def edit(host, message, files=None):
    empty = {"native_id": "n2", "to_store": {}, "messages": (), "candidate": None, "identities": ()}
    got = SimpleNamespace(edited=(message,), blobs=files or {}, **empty)
    write(host, lambda db: store_received(db, got, host=host, transport="activitypub"))


def with_file(make_message, data, **more):
    digest = sha256(data).hexdigest()
    part = FilePart(mime="text/plain", bytes_ref=DigestRef(digest=digest), name="a.txt")
    return make_message(id="one", parts=(TextPart(content=data.decode()[:9]), part), **more), {digest: data}


def test_an_edit_keeps_no_more_files_than_a_sender_may_have(host, take, make_message):
    first, files = with_file(make_message, b"a" * 60)
    take(first, files=files)
    larger, more = with_file(make_message, b"b" * 101)
    edit(host, larger, more)

    with host.database.snapshot() as db:
        assert messages.files_of_id(db, "one") == {}
        stored = messages.latest(db, "one").value
    assert stored.parts == larger.parts
    assert stored.extra["files_dropped"]["digests"] == list(more)


def test_an_edit_takes_the_place_of_the_files_of_before(host, take, make_message):
    first, files = with_file(make_message, b"a" * 60)
    take(first, files=files)
    edited, more = with_file(make_message, b"b" * 60)
    edit(host, edited, more)

    with host.database.snapshot() as db:
        assert messages.files_of_id(db, "one") == more


def test_an_edit_back_to_an_earlier_content_keeps_the_row_that_is_to_be_answered(host, take, make_message):
    asked, otherwise = make_message("Rain?", id="one"), make_message("Snow?", id="one")
    take(asked)
    take(otherwise, native_id="n3")
    edit(host, asked)

    with host.database.snapshot() as db:
        assert [one.value.parts for one in messages.thread(db, "t1", agent=asked.recipient)] == [asked.parts]
        assert messages.entry(db, 1) is not None
        assert conversations.newest(db)[0].messages == 1
