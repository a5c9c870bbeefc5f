from __future__ import annotations

import hashlib
import re
import struct
import uuid
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mentionable._wire.ids import derive, task_id_for, uuid7, uuid_of

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


def test_ids_stay_what_they_were_in_every_version():
    """Ids are stored: another version that makes other ones for the same inputs would lose threads."""
    entropy = bytes(range(32))
    assert [uuid7(NOW, entropy, "message", n) for n in (0, 1, 2047)] == [
        "01a1ffe4-ff00-775e-b6f4-d41143c23649",
        "01a1ffe4-ff00-775f-98a1-26854ab92f0a",
        "01a1ffe4-ff00-7f5d-8e6c-2cbe35a867ab",
    ]
    assert uuid_of(entropy) == "00010203-0405-8607-a809-0a0b0c0d0e0f"
    assert task_id_for("m1") == "5fbe50df-0bd3-8464-a855-6910f3df6deb"


@given(st.binary(min_size=16, max_size=32))
def test_an_id_of_a_digest_is_its_beginning_with_version_and_variant(digest):
    digits = list(digest.hex()[:32])
    digits[12], digits[16] = "8", "a"
    assert uuid_of(digest) == str(uuid.UUID("".join(digits)))


@given(st.text(), st.binary(), st.lists(st.text() | st.binary()))
def test_a_secret_is_the_hash_of_its_inputs_each_behind_its_length(label, entropy, what):
    items = [item if isinstance(item, bytes) else item.encode() for item in (label, entropy, *what)]
    framed = b"".join([struct.pack(">Q", len(item)) + item for item in items])
    assert derive(label, entropy, *what) == hashlib.sha256(framed).digest()
