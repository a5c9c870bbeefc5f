"""Conversations by mail: whatever program a person writes with, the agent knows what was said before."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from mentionable import FindHistory, FindMessage
from tests.mail.answering import header
from tests.mail.conversations import HELPER, Host, mail_of, talk, texts_before
from tests.mail.reply_shapes import SHAPES

if TYPE_CHECKING:
    from tests.mail.reply_shapes import Shape

SAID = ["question 1", "answer 1", "question 2", "answer 2"]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.program)
def test_the_agent_knows_what_was_said_before(shape: Shape) -> None:
    known, threads = talk(shape)
    assert known == [[], SAID[:2], SAID]
    assert len(set(threads)) == 1


def test_what_the_table_counts() -> None:
    print(f"{len(SHAPES)} shapes of replies, all with their history")
    assert len(SHAPES) == len({shape.program for shape in SHAPES}) >= 60


INDEX = base64.b64encode(b"\x01" + bytes(range(21))).decode()
OTHER_INDEX = base64.b64encode(b"\x01" + bytes(range(1, 22))).decode()


def asked_ids(host: Host) -> list[str]:
    return [ask.native_id for ask in host.asked if isinstance(ask, FindMessage)]


def test_what_a_mail_names_is_asked_for_in_one_batch_the_parent_first() -> None:
    host = Host()
    fields = ("Message-ID: <m@a.example>", "In-Reply-To: <p@x> <q@x>", "References: <r@x> <s@x> <p@x>")
    host.receive(mail_of(*fields, text="Hi"))
    assert asked_ids(host) == ["<m@a.example>", "<p@x>", "<q@x>", "<s@x>", "<r@x>"]


def test_the_thread_of_the_first_known_id_is_the_thread() -> None:
    host = Host()
    host.receive(mail_of("Message-ID: <a@x>", text="one"))
    host.receive(mail_of("Message-ID: <b@x>", text="another"))
    got = host.receive(mail_of("Message-ID: <c@x>", "References: <a@x> <b@x> <lost@x>", text="third"))
    assert got.message.thread_id == "<b@x>"
    assert texts_before(got.message) == ["another"]


def test_the_parent_is_the_first_known_one() -> None:
    host = Host()
    parent = host.receive(mail_of("Message-ID: <b@x>", text="one")).message
    got = host.receive(mail_of("Message-ID: <c@x>", "In-Reply-To: <lost@x> <b@x>", text="two"))
    assert got.message.in_reply_to == parent.id


def test_where_nothing_is_known_the_root_that_is_named_is_the_thread() -> None:
    host = Host()
    host.receive(mail_of("Message-ID: <m@x>", "References: <lost@x>", "In-Reply-To: <gone@x>", text="Hi"))
    assert [ask.thread_id for ask in host.asked if isinstance(ask, FindHistory)] == ["<lost@x>"]


def test_a_mail_with_thread_index_alone_goes_on_in_the_thread_of_its_sender() -> None:
    host = Host()
    first = host.receive(mail_of("Message-ID: <a@x>", f"Thread-Index: {INDEX}", text="one"))
    got = host.receive(mail_of("Message-ID: <b@x>", f"Thread-Index: {INDEX}", text="two"))
    assert len(first.aliases) == 1
    assert got.message.thread_id == first.message.thread_id == "<a@x>"
    assert texts_before(got.message) == ["one"]


def test_another_thread_index_is_another_conversation() -> None:
    host = Host()
    host.receive(mail_of("Message-ID: <a@x>", f"Thread-Index: {INDEX}", text="one"))
    got = host.receive(mail_of("Message-ID: <b@x>", f"Thread-Index: {OTHER_INDEX}", text="two"))
    assert got.message.thread_id == "<b@x>"


def test_a_stranger_who_knows_a_thread_index_does_not_join() -> None:
    host = Host()
    host.receive(mail_of("Message-ID: <a@x>", f"Thread-Index: {INDEX}", text="one"))
    fields = ("Message-ID: <b@x>", f"Thread-Index: {INDEX}")
    got = host.receive(mail_of(*fields, text="two", sender="mallory@evil.example"))
    assert got.message.thread_id == "<b@x>"
    assert got.message.history is None
    assert "thread-unproven" in [one.code for one in got.diagnostics]


def test_thread_index_counts_only_where_no_id_is_named() -> None:
    host = Host()
    host.receive(mail_of("Message-ID: <a@x>", f"Thread-Index: {INDEX}", text="one"))
    fields = ("Message-ID: <b@x>", "In-Reply-To: <lost@x>", f"Thread-Index: {INDEX}")
    assert host.receive(mail_of(*fields, text="two")).message.thread_id == "<lost@x>"


@pytest.mark.parametrize("name", ["In-Reply-To", "References", "Message-ID"])
def test_no_field_names_an_id_that_is_made_here(name: str) -> None:
    host = Host()
    first = host.receive(mail_of("Message-ID: <a@x>", f"Thread-Index: {INDEX}", text="one"))
    got = host.receive(mail_of(f"{name}: {first.aliases[0]}", text="two", sender="mallory@evil.example"))
    assert got.message.thread_id == got.native_id != first.aliases[0]
    assert got.message.history is None


@pytest.mark.parametrize("mailbox", ["helper@agents.example", "Alice@A.example"])
def test_a_mailbox_in_in_reply_to_is_no_parent(mailbox: str) -> None:
    got = Host().receive(mail_of("Message-ID: <a@x>", f"In-Reply-To: <{mailbox}>", text="one"))
    assert (got.message.thread_id, got.message.in_reply_to) == ("<a@x>", None)
    assert [(one.code, one.at) for one in got.diagnostics] == [("message-id-malformed", "/headers/in-reply-to")]


def test_an_id_inside_of_a_mailbox_is_a_parent() -> None:
    got = Host().receive(mail_of("Message-ID: <a@x>", "In-Reply-To: <per@agents.example>", text="one"))
    assert got.message.in_reply_to == "<per@agents.example>"


def test_a_mail_that_was_sent_on_keeps_its_id_and_its_thread() -> None:
    host = Host()
    raw = mail_of("Message-ID: <a@x>", "In-Reply-To: <p@x>", text="one")
    resent = b"Resent-From: bob@b.example\r\nResent-Message-ID: <r@b.example>\r\n" + raw
    first, again = host.receive(raw), host.receive(resent)
    assert (again.native_id, again.message.thread_id) == ("<a@x>", "<p@x>")
    assert again.message.id == first.message.id


def test_an_answer_that_was_forwarded_brings_its_thread_along() -> None:
    host = Host()
    question = host.receive(mail_of("Message-ID: <a@x>", text="one")).message
    out = host.answer(question, "two")
    fields = (
        "Message-ID: <f@b.example>",
        f"References: <a@x> {out.native_id}",
        f"X-Forwarded-Message-Id: {out.native_id}",
    )
    got = host.receive(mail_of(*fields, text="See below.", sender="bob@b.example"))
    assert got.message.thread_id == "<a@x>"
    assert got.message.in_reply_to is None


def test_a_mail_without_an_id_is_the_same_when_it_comes_another_way() -> None:
    host = Host()
    raw = mail_of("Date: Tue, 24 Nov 2026 10:00:00 +0000", text="one")
    hops = b"Return-Path: <alice@a.example>\nReceived: by mx\nARC-Seal: i=1\nX-Spam-Score: 1\nDKIM-Signature: v=1\n"
    first, again = host.receive(raw), host.receive(hops + raw.replace(b"\r\n", b"\n"))
    assert first.native_id == again.native_id
    assert again.redelivered == again.messages


@pytest.mark.parametrize("change", [(b"one", b"two"), (b"10:00:00", b"10:00:01"), (b"Re: Rain", b"Re: Snow")])
def test_another_text_date_or_subject_is_another_mail(change: tuple[bytes, bytes]) -> None:
    host = Host()
    raw = mail_of("Date: Tue, 24 Nov 2026 10:00:00 +0000", text="one")
    assert host.receive(raw).native_id != host.receive(raw.replace(*change)).native_id


def test_the_references_of_an_answer_end_with_the_mail_that_it_answers() -> None:
    host = Host()
    got = host.receive(mail_of("Message-ID: <a@x>", "References: <a@x> <r@x> <s@x> <r@x>", text="one"))
    data = host.answer(got.message, "two").data
    assert header(data, "References") == "<r@x> <s@x> <a@x>"
    assert header(data, "In-Reply-To") == "<a@x>"


@pytest.mark.parametrize("own", ["<no-at>", "<a@b@c>", "<c=US%a=_%p=x%l=S-1>"])
def test_an_answer_names_an_id_of_any_form_unchanged(own: str) -> None:
    host = Host()
    got = host.receive(mail_of(f"Message-ID: {own}", text="one"))
    data = host.answer(got.message, "two").data
    assert f"In-Reply-To: {own}\r\nReferences: {own}\r\n".encode() in data


def test_of_very_many_ids_the_last_ones_and_the_root_are_asked_for() -> None:
    host = Host()
    ids = [f"<{number}@x>" for number in range(500)]
    host.receive(mail_of("Message-ID: <m@x>", f"References: {' '.join(ids)}", text="Hi"))
    assert asked_ids(host) == ["<m@x>", *reversed(ids[-31:]), "<0@x>"]


def test_an_answer_goes_on_with_the_thread_index() -> None:
    host = Host()
    got = host.receive(mail_of("Message-ID: <a@x>", f"Thread-Index: {INDEX}", text="one"))
    index = base64.b64decode(header(host.answer(got.message, "two").data, "Thread-Index") or "")
    assert index[:22] == base64.b64decode(INDEX)
    assert len(index) == 27


def test_the_thread_of_one_agent_is_not_that_of_another() -> None:
    host = Host()
    host.receive(mail_of("Message-ID: <a@x>", text="one"))
    host.rows = {(name, "@other@agents.example"): row for (name, _), row in host.rows.items()}
    got = host.receive(mail_of("Message-ID: <b@x>", "References: <r@x> <a@x>", text="two"))
    assert got.message.thread_id == "<r@x>"
    assert {ask.recipient for ask in host.asked} == {HELPER}
