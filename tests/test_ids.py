from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mentionable._wire.ids import derive, uuid7

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
moments = st.datetimes(datetime(1970, 1, 1), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001


@given(moments, st.binary(min_size=32, max_size=64), st.text(max_size=9), st.integers(0, 2047))
def test_an_id_is_a_uuid_of_version_7_that_carries_its_time(now, entropy, label, n):
    text = uuid7(now, entropy, label, n)
    made = uuid.UUID(text)
    assert str(made) == text
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", text)
    assert made.int >> 80 == (now - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


@given(st.binary(min_size=32, max_size=32))
def test_ids_of_one_call_are_different_and_ordered(entropy):
    ids = [uuid7(NOW, entropy, "message", n) for n in (*range(20), 2046, 2047)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


def test_the_same_inputs_give_the_same_id_and_others_another():
    first = uuid7(NOW, bytes(32), "message")
    assert first == uuid7(NOW, bytes(32), "message", 0)
    others = [
        uuid7(NOW, bytes(32), "task"),
        uuid7(NOW, b"1" * 32, "message"),
        uuid7(NOW + timedelta(milliseconds=1), bytes(32), "message"),
        uuid7(NOW, bytes(32), "message", 1),
    ]
    assert len({first, *others}) == 5


def test_secrets_depend_on_every_input_and_on_where_one_ends():
    made = [
        derive("a", b"b", "c"),
        derive("a", b"bc"),
        derive("ab", b"c"),
        derive("a", b"b", "c", ""),
        derive("a", b"b", b"d"),
    ]
    assert len(set(made)) == 5
    assert {len(secret) for secret in made} == {32}
    assert derive("a", b"b", "c") == derive("a", b"b", b"c")
