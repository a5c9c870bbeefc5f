"""Statements that are run without SQLAlchemy do what they do with it."""

import pytest
from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from mentionable_host.store.database import Conflict
from mentionable_host.store.dialects import insert_new, insert_returning, upsert
from mentionable_host.store.errors import told
from mentionable_host.store.statements import run
from mentionable_host.store.tables import blocks, messages, uses

LONG = "x" * 5000
ONE = select(uses.c.binding).where(uses.c.key == bindparam("key"))
SOME = (
    select(uses.c.key)
    .where(uses.c.key.in_(bindparam("keys", expanding=True)), uses.c.binding == "b")
    .order_by(uses.c.key)
)
STORE = insert(uses)


@pytest.fixture
def db(database):
    with database.engine.begin() as db:
        yield db


def use(db, key):
    run(db, STORE, {"key": key, "binding": "b", "until": 1.0})


@pytest.mark.parametrize("key", ["a", "", "NUL \0 within", LONG, "ä" * 1000])
def test_values_are_stored_and_found_as_sqlalchemy_stores_and_finds_them(db, key):
    use(db, key)

    assert run(db, ONE, {"key": key}) == [("b",)]
    assert db.execute(ONE, {"key": key}).scalar() == "b"
    assert db.execute(select(uses.c.key)).scalar() == run(db, select(uses.c.key), {})[0][0]


def test_lists_of_any_size_are_looked_for(db):
    for key in ("a", "b", LONG):
        use(db, key)

    found = [run(db, SOME, {"keys": keys}) for keys in ([], ["a"], ["a", "c", LONG], ["b", "a"], ["a"])]

    assert [len(rows) for rows in found] == [0, 1, 2, 2, 1]
    assert found[3] == [("a",), ("b",)]


def test_a_key_that_is_there_is_a_conflict(db):
    use(db, "a")

    with pytest.raises(IntegrityError) as error, db.begin_nested():
        use(db, "a")
    assert isinstance(told(error.value), Conflict)


def test_a_statement_that_fails_is_an_error_of_the_database(database):
    with database.engine.connect() as db, pytest.raises(DBAPIError, match="nonsense") as error:
        run(db, text("SELECT nonsense"), {})
    assert isinstance(error.value, OperationalError) or database.dialect == "postgresql"


def test_no_error_tells_what_was_stored(db):
    use(db, "a secret")

    with pytest.raises(IntegrityError) as error, db.begin_nested():
        use(db, "a secret")
    assert "a secret" not in str(error.value) or db.dialect.name == "postgresql"


def test_a_read_that_begins_with_such_a_statement_sees_one_state(database):
    with database.snapshot() as before:
        assert run(before, ONE, {"key": "a"}) == []
        with database.engine.begin() as db:
            use(db, "a")
        assert run(before, ONE, {"key": "a"}) == []
    with database.snapshot() as after:
        assert run(after, ONE, {"key": "a"}) == [("b",)]


def test_rows_that_are_there_stay_or_change(db):
    block = {"target": "a.example", "by": "operator", "kind": "domain", "note": None, "since": 1.0}

    assert insert_new(db, blocks, block)
    assert not insert_new(db, blocks, block)
    upsert(db, blocks, {**block, "note": "spam", "since": 2.0}, keep=["since"])

    assert run(db, select(blocks.c.note, blocks.c.since), {}) == [("spam", 1.0)]


def test_bytes_and_truth_are_stored_as_they_are(db):
    names = ("id", "agent", "thread_id", "role", "sender", "person", "transport", "digest", "text")
    values = {**dict.fromkeys(names, "x"), "received_at": 1.5, "value": b"\0\xff", "row": b"", "verified": True}

    number = insert_returning(db, messages, values, messages.c.number)

    found = db.execute(select(messages)).mappings().one()
    assert {name: found[name] for name in values} == values
    assert found["number"] == number
    assert insert_returning(db, messages, values, messages.c.number) is None
