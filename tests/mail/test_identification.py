"""Identification fields as few mails have them."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.header_section import Field, read_ids
from mentionable.mail._read.identification import (
    conversation_id,
    made_id,
    next_thread_index,
    read_thread_index,
    without_addresses,
)
from tests.mail.answering import asked, reply


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ("<a@x>,<b@x>", ["<a@x>", "<b@x>"]),
        ("<a@x><b@x>", ["<a@x>", "<b@x>"]),
        ('"<a@x>"', ["<a@x>"]),
        ('"a@x", b@x; c@x', ["<a@x>", "<b@x>", "<c@x>"]),
        ("<a@x> (was <b@x> (of <c@x>))", ["<a@x>"]),
        ("(<a@x>)", ["<a@x>"]),
        ("(never closed <a@x>", ["<a@x>"]),
        (") <a@x>", ["<a@x>"]),
        ("<a(b)@x>", ["<a(b)@x>"]),
        ("<abc\tdef@x>", ["<abcdef@x>"]),
        ("< a@x >", ["<a@x>"]),
        ("<a b> <c@x>", ["<c@x>"]),
        ("<no-at>", ["<no-at>"]),
        ("<no-at>, <a@b@c>", ["<no-at>", "<a@b@c>"]),
        ("<ü>", ["<ü>"]),
        ("mail of <Bob>", []),
        ("mail of <Bob> <a@b@c>", ["<a@b@c>"]),
        ("<->", []),
        ("<>", []),
        ("<a@x> <cut@x", ["<a@x>"]),
        ("<cut@x", ["<cut@x>"]),
        ("cut@x> <a@x>", ["<a@x>"]),
        ("<<a@x>>", ["<a@x>"]),
        ("<a\x00b@x>", []),
        ("=?utf-8?q?=3Ca=40x=3E?=", ["<a@x>"]),
        ("<a@x> =?utf-8?b?PGJAeD4=?=", ["<a@x>", "<b@x>"]),
        ("<=?x?=@y>", ["<=?x?=@y>"]),
        ("<abc@mentionable.invalid> <a@x>", ["<a@x>"]),
        ("<abc@mentionable. invalid>", []),
        ("abc@mentionable.invalid", []),
        ('Your message of "Tue, 24 Nov 2026 10:00:00 +0000" <a@x>', ["<a@x>"]),
        ("words alone", []),
    ],
)
def test_ids_are_read_as_programs_have_written_them(value: str, ids: list[str]) -> None:
    assert read_ids(value, max_chars=2048) == ids


@given(st.text(alphabet='<>@()ab \t\x00",=?', max_size=60))
def test_whatever_is_read_is_an_id_in_brackets_without_blanks(value: str) -> None:
    for one in read_ids(value, max_chars=2048):
        assert (one[0], one[-1]) == ("<", ">")
        assert not set("<> \t\x00") & set(one[1:-1])


def test_mailboxes_of_the_mail_are_no_ids() -> None:
    ids = ("<Alice@a.example>", "<m1@a.example>")
    assert without_addresses(ids, "Alice <alice@a.example>, bob@b.example") == ["<m1@a.example>"]


FIELDS = [("from", "From", "alice@a.example"), ("subject", "Subject", "Hi")]


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ([("received", "Received", "by mx"), *FIELDS], b"Hello"),
        ([*FIELDS, ("x-anything", "X-Anything", "1")], b"Hello"),
        (FIELDS, b"Hello\r\n\r\n"),
        (FIELDS, b"Hello\n"),
        ([FIELDS[0], ("subject", "Subject", "Hi"), ("arc-seal", "Arc-Seal", "i=1")], b"Hello\n\r\n"),
    ],
)
def test_what_hops_change_does_not_change_a_made_id(fields: list[Field], body: bytes) -> None:
    assert made_id(fields, body) == made_id(FIELDS, b"Hello")


def test_blanks_of_folded_fields_do_not_change_a_made_id() -> None:
    folded = [("subject", "Subject", "Hi  there\t you")]
    assert made_id(folded, b"Hello") == made_id([("subject", "Subject", "Hi there you")], b"Hello")


@pytest.mark.parametrize(
    ("fields", "body"),
    [(FIELDS, b"Hello!"), (FIELDS[:1], b"Hello"), (FIELDS[::-1], b"Hello"), (FIELDS, b"\nHello")],
)
def test_what_the_author_wrote_changes_a_made_id(fields: list[Field], body: bytes) -> None:
    assert made_id(fields, body) != made_id(FIELDS, b"Hello")


START = b"\x01\xdc\x5e\xe4\xc7\xbd" + bytes(16)


def index_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("data", [START, START + bytes(5), START + bytes(500)])
def test_a_thread_index_is_read(data: bytes) -> None:
    assert read_thread_index(index_of(data)) == data
    assert conversation_id(index_of(data)) == conversation_id(index_of(START)) is not None


@pytest.mark.parametrize(
    "value",
    ["", "x", "é", index_of(START[:21]), index_of(START + bytes(4)), index_of(b"\0" + START[1:]), "A" * 1000, "====",
     index_of(START + bytes(505)), index_of(START)[:-1]],
)  # fmt: skip
def test_an_odd_thread_index_is_none(value: str) -> None:
    assert conversation_id(value) is None
    assert next_thread_index(value, datetime(2026, 11, 24, tzinfo=UTC)) is None


def test_a_folded_thread_index_is_read() -> None:
    text = index_of(START + bytes(50))
    assert read_thread_index(f"{text[:40]} \t{text[40:]}") == START + bytes(50)


def test_an_answer_to_an_odd_thread_index_has_none() -> None:
    assert "Thread-Index" not in reply(to=asked("Message-ID: <m@a.example>", "Thread-Index: odd")).data.decode()


def test_an_answer_adds_its_time_to_a_thread_index() -> None:
    began = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=(int.from_bytes(START[:6], "big") << 16) // 10)

    def added(later: timedelta) -> bytes:
        now = (began + later).astimezone(timezone(timedelta(hours=2)))
        return base64.b64decode(next_thread_index(index_of(START), now) or "")[22:]

    assert added(timedelta(seconds=-5)) == bytes(5)
    assert added(timedelta(seconds=1)) == (10_000_000 >> 18).to_bytes(4, "big") + b"\0"
    assert added(timedelta(days=800)) == (800 * 864_000_000_000 >> 23 | 1 << 31).to_bytes(4, "big") + b"\0"


def test_a_thread_index_does_not_grow_for_ever() -> None:
    assert next_thread_index(index_of(START + bytes(500)), datetime(2026, 11, 24, tzinfo=UTC)) is None
