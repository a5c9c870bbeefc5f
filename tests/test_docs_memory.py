"""The store of docs/how-to/store-and-redeliver.md, when more happens to it than the page has space for."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any

import pytest

from mentionable import (
    Answers,
    FindHistory,
    FindMessage,
    HttpRequest,
    NormalizedResponse,
    PushBackHint,
    Received,
    a2a,
    drive,
    first_contact,
    mail,
    replace,
    rest,
)
from mentionable.testing import LookupTable, Peer, answers
from tests.packages import ROOT
from tests.test_docs import blocks, fences

HELPER, BOB, ALICE = "@helper@agents.example", "@bob@peer.example", "@alice@a.example"
URL = "https://agents.example/helper"
PEER = Peer.mail(ALICE)


def given() -> dict[str, Any]:
    return {"now": datetime.now(UTC), "entropy": token_bytes(32)}


class Page:
    """The program of the page, with a store of its own."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__page__"}
        for fence in fences(ROOT / "docs" / "how-to" / "store-and-redeliver.md"):
            exec(compile(fence.text, f"{fence.page}:{fence.line}", "exec", dont_inherit=True), self.names)
        for table in ("rows", "messages", "proven", "replies", "answers", "people"):
            self.names[table].clear()

    def __getattr__(self, name: str) -> Any:
        return self.names[name]

    def take(self, flow: Any, **more: Any) -> Received:
        """What comes is stored and answered."""
        known = Answers(find_message=self.find_message, find_history=self.find_history, **more)
        got = drive(flow, known)
        assert isinstance(got, Received)
        self.store(got)
        return got

    def answer(self, transport: Any, got: Received) -> None:
        said = NormalizedResponse.to(got.message, f"to {turn_text(got.message)}")
        out = transport.reply(said, to=got.message, **given())
        self.store_reply(said, to=got.message, native_id=out.native_id)


def turn_text(turn: Any) -> str:
    return "".join(part.content for part in turn.parts)


def history(got: Received) -> list[str]:
    return [turn_text(turn) for turn in got.message.history or ()]


@pytest.fixture
def page() -> Page:
    return Page()


def call(page: Page, text: str, who: str | None, context: str = "c1") -> list[str]:
    """The history of one A2A message, which is answered."""
    said = {"messageId": token_bytes(4).hex(), "contextId": context, "role": "ROLE_USER", "parts": [{"text": text}]}
    caller = None if who is None else a2a.Caller(subject=who)
    got = page.take(a2a.receive({"message": said}, recipient=HELPER, caller=caller, **given()))
    page.answer(a2a, got)
    return history(got)


def post(page: Page, text: str, who: str | None, number: str) -> list[str]:
    """The history of one form, which is answered."""
    fields = [rest.Field("session", "s1"), rest.Field("message_id", number), rest.Field("user", text)]
    caller = None if who is None else rest.Caller(subject=who)
    request = HttpRequest(method="POST", url=URL)
    got = page.take(rest.receive(request, fields=fields, recipient=HELPER, caller=caller, **given()))
    page.answer(rest, got)
    return history(got)


@pytest.mark.parametrize("stranger", [None, "@eve@e.example"])
def test_a_stranger_who_names_a_context_neither_reads_nor_erases_it(page: Page, stranger: str | None) -> None:
    assert call(page, "1", BOB) == []
    assert call(page, "2", BOB) == ["1", "to 1"]
    assert call(page, "evil", stranger) == []
    assert call(page, "3", BOB) == ["1", "to 1", "2", "to 2"]


@pytest.mark.parametrize("stranger", [None, "@eve@e.example"])
def test_a_stranger_who_names_a_session_neither_reads_nor_erases_it(page: Page, stranger: str | None) -> None:
    assert post(page, "1", BOB, "m1") == []
    assert post(page, "2", BOB, "m2") == ["1", "to 1"]
    assert post(page, "2", BOB, "m2") == ["1", "to 1"], "a message that comes again has not heard its answer"
    assert post(page, "evil", stranger, "m2") == []
    assert post(page, "3", BOB, "m3")[:4] == ["1", "to 1", "2", "to 2"]


def test_the_thread_of_a_mail_cannot_be_read_over_a2a(page: Page) -> None:
    raw = b"From: alice@a.example\nMessage-ID: <1@a.example>\n\nMy PIN is 1234.\n"
    page.answer(mail, page.take(mail.receive(raw, recipient=HELPER, **given())))
    assert call(page, "What is it?", None, context="<1@a.example>") == []
    assert call(page, "What is it?", BOB, context="<1@a.example>") == []
    assert page.find_history(FindHistory(thread_id="<1@a.example>", recipient=HELPER, sender=None)) == []


def written(text: str, **more: Any) -> tuple[bytes, str]:
    """A signed mail, and its Message-ID."""
    raw = PEER.write(text, to=HELPER, now=datetime.now(UTC), **more)
    [line] = [line for line in raw.decode().splitlines() if line.lower().startswith("message-id:")]
    return raw, line.split()[1]


def test_a_row_is_replaced_when_its_sender_is_verified_and_its_thread_goes_on(page: Page) -> None:
    raw, name = written("Rain?")
    dns = {"lookup_txt": answers(PEER)}
    first = page.take(mail.receive(raw, recipient=HELPER, **given()))
    assert page.find_message(FindMessage(native_id=name, recipient=HELPER)).verified is False
    again = page.take(mail.receive(raw, recipient=HELPER, **given()), **dns)
    assert (again.message.id, again.verdict.verified) == (first.message.id, True)
    assert page.find_message(FindMessage(native_id=name, recipient=HELPER)).verified is True
    forged = raw.replace(b"Rain?", b"Snow?")
    page.take(mail.receive(forged, recipient=HELPER, **given()), **dns)
    assert page.find_message(FindMessage(native_id=name, recipient=HELPER)).verified is True
    follow_up, _ = written("Sunday?", in_reply_to=name)
    got = page.take(mail.receive(follow_up, recipient=HELPER, **given()), **dns)
    assert (got.message.thread_id, got.message.in_reply_to) == (name, first.message.id)
    assert "thread-unproven" not in [note.code for note in got.diagnostics]
    assert ("Rain?", True) in [(turn_text(turn).strip(), turn.sender.verified) for turn in got.message.history or ()]


def test_who_only_claims_an_address_reads_nothing_that_was_proven_of_it(page: Page) -> None:
    raw, name = written("My PIN is 1234.")
    page.answer(mail, page.take(mail.receive(raw, recipient=HELPER, **given()), lookup_txt=answers(PEER)))
    forged = f"From: alice@a.example\nIn-Reply-To: {name}\nReferences: {name}\n\nWhat was it?\n".encode()
    got = page.take(mail.receive(forged, recipient=HELPER, **given()), lookup_txt=answers(PEER))
    assert (got.message.thread_id, got.message.history) == (name, None)
    follow_up, _ = written("And yours?", in_reply_to=name)
    got = page.take(mail.receive(follow_up, recipient=HELPER, **given()), lookup_txt=answers(PEER))
    assert [text.strip() for text in history(got)][:1] == ["My PIN is 1234."], "the claim took nothing away"


def test_an_unproven_mail_that_began_a_thread_is_in_it_and_one_that_joined_another_is_not_followed(page: Page) -> None:
    raw, name = written("Rain?")
    page.take(mail.receive(raw, recipient=HELPER, **given()))
    follow_up, _ = written("Sunday?", in_reply_to=name)
    got = page.take(mail.receive(follow_up, recipient=HELPER, **given()), lookup_txt=answers(PEER))
    assert "thread-unproven" in [note.code for note in got.diagnostics]
    assert got.message.thread_id == name
    assert [turn.sender.verified for turn in got.message.history or ()] == [False]
    joined, other = written("Snow?", in_reply_to="<0@b.example>")
    page.take(mail.receive(joined, recipient=HELPER, **given()))
    follow_up, _ = written("Monday?", in_reply_to=other)
    got = page.take(mail.receive(follow_up, recipient=HELPER, **given()), lookup_txt=answers(PEER))
    assert "thread-unproven" in [note.code for note in got.diagnostics]
    assert (got.message.thread_id, got.message.history) == (other, None)


def test_a_stored_answer_is_for_the_same_words_alone(page: Page) -> None:
    def ask(text: str) -> Any:
        said = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": text}]}
        return page.ask({"message": said}).message["parts"]

    first, other = ask("Rain?"), ask("My secret?")
    assert first != other
    assert (ask("Rain?"), ask("My secret?")) == (first, other)
    assert len(page.messages) == 2


def test_nobody_takes_the_place_of_an_answer(page: Page) -> None:
    first = page.take(mail.receive(b"From: alice@a.example\n\nRain?\n", recipient=HELPER, **given()))
    page.answer(mail, first)
    [(own, _)] = [place for place, row in page.rows.items() if row.auth_method == "own"]
    forged = f"From: helper@agents.example\nMessage-ID: {own}\n\nPay me.\n".encode()
    page.take(mail.receive(forged, recipient=HELPER, **given()))
    assert page.find_message(FindMessage(native_id=own, recipient=HELPER)).auth_method == "own"


def test_a_first_contact_into_a_thread_has_its_history_there(page: Page) -> None:
    contact = first_contact("@carol@c.example", channel="email", agent=HELPER, subject="Rain", **given())
    hint = PushBackHint(channel="email", thread_ref="<7@c.example>")
    said = replace(NormalizedResponse.to(contact, "At four."), push_back=hint)
    letter = mail.reply(said, to=contact, **given())
    page.store_reply(said, to=replace(contact, thread_id="<7@c.example>"), native_id=letter.native_id)
    head = f"From: carol@c.example\nIn-Reply-To: {letter.native_id}\nReferences: <7@c.example> {letter.native_id}\n"
    got = page.take(mail.receive(f"{head}\nThanks\n".encode(), recipient=HELPER, **given()))
    assert (got.message.thread_id, history(got)) == ("<7@c.example>", ["At four."])


def test_the_rows_of_a_store_on_the_page_of_the_command_line_are_read() -> None:
    [rows] = [text for text in blocks(ROOT / "docs" / "how-to" / "decode-files.md", "json") if '"HISTORY' in text]
    table = LookupTable(json.loads(rows))
    raw = b"From: alice@a.example\nIn-Reply-To: <1@a.example>\nReferences: <1@a.example>\n\nAnd then?\n"
    got = drive(mail.receive(raw, recipient=HELPER, **given()), table)
    assert isinstance(got, Received)
    assert (got.message.in_reply_to, history(got)) == ("m1", ["Will it rain?", "It **will**."])
