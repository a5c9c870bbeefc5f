"""The door."""

from datetime import datetime
from typing import Any

import pytest

from mentionable import (
    Answers,
    Failed,
    HistoryPolicy,
    Limits,
    Received,
    Rejected,
    Settings,
    StoredMessage,
    UsageError,
    directory,
    drive,
    mail,
)
from mentionable._flow.asks import FindAgent, FindHistory, FindMessage
from mentionable._model.message import HistoricalMessage
from mentionable._model.parts import TextPart
from mentionable._model.sender import Sender
from tests.mail.receiving import NOW, receive

MAIL = (
    b"From: Alice <alice@a.example>\r\nTo: Helper <helper@agents.example>, bob@b.example\r\n"
    b"Cc: writer@agents.example\r\nSubject: Hi\r\nMessage-ID: <m@a.example>\r\n"
    b"In-Reply-To: <p@a.example>\r\n\r\nHello\r\n"
)
AGENTS = directory(
    {
        "helper@agents.example": "@helper@agents.example",
        "writer@agents.example": "@writer@agents.example",
        "secret@agents.example": "@secret@agents.example",
    }
)


def recipients(outcome: Any) -> list[str]:
    return [message.recipient for message in outcome.messages]


def test_a_mail_becomes_a_message() -> None:
    outcome = receive(MAIL)
    message = outcome.message
    assert message.thread_id == "<p@a.example>"
    assert message.in_reply_to == "<p@a.example>"
    assert message.recipient == "@helper@agents.example"
    assert message.received_via == "email"
    assert message.received_at == "2026-11-21T20:56:00Z"
    assert message.recipient_capabilities.mention_relay.fields == ("to", "cc")
    assert message.history is None
    assert outcome.native_id == "<m@a.example>"
    assert (outcome.verdict.method, outcome.verdict.verified, outcome.verdict.code) == ("none", False, "unsigned")


def test_a_broken_signature_costs_verification_and_not_delivery() -> None:
    outcome = receive(b"DKIM-Signature: v=1; d=a.example\r\n" + MAIL)
    assert (outcome.verdict.verified, outcome.verdict.code) == (False, "signature-malformed")
    assert outcome.message.sender.verified is False


def test_the_agents_in_to_and_cc_get_a_message_each() -> None:
    outcome = receive(MAIL, world=Answers(find_agent=AGENTS))
    assert recipients(outcome) == ["@helper@agents.example", "@writer@agents.example"]
    assert len({message.id for message in outcome.messages}) == 2


def test_the_envelope_says_for_whom_a_mail_is() -> None:
    envelope = mail.Envelope(mail_from="alice@a.example", rcpt_to=["secret@agents.example"])
    assert recipients(receive(MAIL, envelope=envelope, world=Answers(find_agent=AGENTS))) == ["@secret@agents.example"]


def test_an_envelope_that_names_nobody_here_leaves_it_to_the_fields() -> None:
    envelope = mail.Envelope(rcpt_to=["alias@lists.example"])
    outcome = receive(MAIL, envelope=envelope, world=Answers(find_agent=AGENTS))
    assert recipients(outcome) == ["@helper@agents.example", "@writer@agents.example"]


@pytest.mark.parametrize("raw", [MAIL, b"From: alice@a.example\r\n\r\n"])
def test_a_mail_for_nobody_here_is_refused(raw: bytes) -> None:
    envelope = mail.Envelope(rcpt_to=["alias@lists.example", ""])
    outcome = receive(raw, envelope=envelope, world=Answers(find_agent=lambda _: None))
    assert outcome.code == "no-served-recipient"
    assert outcome.smtp_reply.startswith("550 5.1.1 ")


def test_nobody_is_asked_for_twice() -> None:
    asked: list[str] = []

    def answer(ask: Any) -> str | None:
        asked.append(ask.native_id)
        return None

    envelope = mail.Envelope(rcpt_to=["bob@B.example", "list@l.example"])
    drive(mail.receive(MAIL, envelope=envelope, now=NOW, entropy=bytes(32)), answer)
    assert asked == ["bob@b.example", "list@l.example", "helper@agents.example", "writer@agents.example"]


def test_an_envelope_that_names_everybody_leaves_nobody_to_ask_for() -> None:
    envelope = mail.Envelope(rcpt_to=["helper@agents.example", "bob@b.example", "writer@agents.example"])
    flow = mail.receive(MAIL, envelope=envelope, now=NOW, entropy=bytes(32))
    assert len(next(flow)) == 3
    with pytest.raises(StopIteration) as stopped:
        flow.send((None, None, None))
    assert stopped.value.value.code == "no-served-recipient"


def test_a_failed_lookup_of_the_envelope_is_temporary() -> None:
    envelope = mail.Envelope(rcpt_to=["helper@agents.example"])
    outcome = receive(MAIL, envelope=envelope, world=Answers(find_agent=lambda _: Failed("database down")))
    assert (outcome.code, outcome.temporary) == ("lookup-failed", True)


def test_mailboxes_are_asked_for_in_canonical_form() -> None:
    asked: list[str] = []

    def answer(ask: Any) -> str | None:
        asked.append(ask.native_id)
        return None

    raw = 'From: a@x.example\nTo: <Helper@Bücher.EXAMPLE>, "odd one"@x.example, Nobody\n\n'.encode()
    drive(mail.receive(raw, now=NOW, entropy=bytes(32)), answer)
    assert asked == ["Helper@xn--bcher-kva.example", '"odd one"@x.example']


def test_all_that_must_be_known_of_the_store_is_asked_in_one_batch() -> None:
    flow = mail.receive(MAIL, now=NOW, entropy=bytes(32))
    assert next(flow) == tuple(
        FindAgent(native_id=name) for name in ("helper@agents.example", "bob@b.example", "writer@agents.example")
    )
    batch = flow.send(("@helper@agents.example", None, None))
    agent = "@helper@agents.example"
    assert set(batch) == {
        FindMessage(native_id="<m@a.example>", recipient=agent),
        FindMessage(native_id="<p@a.example>", recipient=agent),
        FindHistory(thread_id="<p@a.example>", recipient=agent, sender="@alice@a.example"),
    }
    flow.close()


def test_a_known_parent_is_named_by_its_own_id() -> None:
    def find_message(ask: FindMessage) -> StoredMessage | None:
        if ask.native_id != "<p@a.example>":
            return None
        return StoredMessage(id="parent-id", thread_id="<p@a.example>", sender="@bob@b.example")

    world = Answers(find_message=find_message)
    assert receive(MAIL, recipient="@helper@agents.example", world=world).message.in_reply_to == "parent-id"


@pytest.mark.parametrize(
    ("sender", "method", "code"),
    [
        ("@alice@a.example", "none", "redelivered"),
        ("@eve@evil.example", "none", "native-id-reused"),
        ("@alice@a.example", "email-dkim", "native-id-reused"),
    ],
)
def test_a_redelivery_keeps_its_id_only_for_the_same_sender(sender: str, method: str, code: str) -> None:
    known = StoredMessage(id="first-id", thread_id="<p@a.example>", sender=sender, auth_method=method)
    world = Answers(find_message=lambda ask: known if ask.native_id == "<m@a.example>" else None)
    outcome = receive(MAIL, recipient="@helper@agents.example", world=world)
    assert [note.code for note in outcome.diagnostics] == [code]
    assert (outcome.message.id == "first-id") == (code == "redelivered")


def test_a_mail_without_an_id_is_recognised_by_its_bytes() -> None:
    raw = b"From: alice@a.example\r\n\r\nHello\r\n"
    assert receive(raw).native_id == receive(raw).native_id != receive(raw + b".").native_id


def test_history_comes_from_the_store_and_is_trimmed() -> None:
    def turn(address: str, text: str, second: int) -> HistoricalMessage:
        sender = Sender(address=address)
        stamp = f"2026-11-21T10:00:{second:02}Z"
        return HistoricalMessage(role="user", sender=sender, parts=(TextPart(content=text),), timestamp=stamp)

    turns = [
        turn("@helper@agents.example", "answer", 2),
        turn("@alice@a.example", "ask", 1),
        turn("@x@a.example", "0", 0),
    ]
    world = Answers(find_history=lambda ask: turns if ask.thread_id == "<p@a.example>" else ())
    settings = Settings(history=HistoryPolicy(max_messages=2))
    outcome = receive(MAIL, recipient="@helper@agents.example", world=world, settings=settings)
    assert [(item.role, item.parts[0].content) for item in outcome.message.history] == [
        ("user", "ask"),
        ("assistant", "answer"),
    ]
    assert [note.code for note in outcome.diagnostics] == ["history-trimmed"]


def test_quoted_text_never_becomes_history() -> None:
    raw = MAIL + b"On Monday Bob wrote:\r\n> old words\r\n"
    message = receive(raw).message
    assert message.history is None
    assert "> old words" in message.parts[0].content


def test_a_mail_that_is_only_a_subject_says_it() -> None:
    message = receive(b"From: alice@a.example\r\nSubject: Lunch?\r\n\r\n").message
    assert [(part.mime, part.content) for part in message.parts] == [("text/plain", "Lunch?")]


def test_a_refusal_is_a_value() -> None:
    outcome = receive(b"To: helper@agents.example\r\n\r\n")
    assert isinstance(outcome, Rejected)
    assert outcome.code == "sender-unaddressable"


def test_limits_are_the_callers() -> None:
    assert receive(MAIL, settings=Settings(limits=Limits(mail_bytes=10))).code == "too-large"


def test_diagnostics_of_every_step_are_there() -> None:
    raw = b"From alice\r\nFrom: alice@a.example (Al)\r\nContent-Type: text\r\nContent-Transfer-Encoding: x\r\n\r\nHello"
    assert [note.code for note in receive(raw).diagnostics] == [
        "head-malformed",
        "address-ambiguous",
        "message-id-missing",
        "content-type-malformed",
        "encoding-unknown",
    ]


def test_what_is_odd_in_a_part_says_where() -> None:
    raw = (
        b"From: alice@a.example\r\nMessage-ID: <m@a.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        b"--b\r\nno head\r\n--b\r\nContent-Type: x\n\r\ny\r\n--b\r\n\r\none\ntwo\r\n--b--\r\n"
    )
    assert [(note.code, note.at, note.detail) for note in receive(raw).diagnostics] == [
        ("head-malformed", "/body_parts/0", "body part 0: a part without a header"),
        ("line-ends-mixed", "/body_parts/1", "body part 1: in its header"),
        ("content-type-malformed", "/headers/content-type", "body part 1: not a media type: read as text"),
        ("line-ends-mixed", "/body_parts/2", "body part 2"),
    ]


def test_same_inputs_give_the_same_outcome() -> None:
    assert receive(MAIL) == receive(MAIL)
    view: Any = memoryview(MAIL)
    assert isinstance(receive(view), Received)


@pytest.mark.parametrize(
    "arguments",
    [
        {"now": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"entropy": b"short"},
        {"recipient": "nobody"},
        {"envelope": {}},
        {"envelope": {"rcpt_to": ["a@b.example"]}},
        {"settings": None},
        {"settings": Limits()},
    ],
)
def test_a_wrong_argument_is_the_callers_fault(arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        drive(
            mail.receive(MAIL, **{"now": NOW, "entropy": bytes(32), "recipient": "@a@b.example", **arguments}),
            Answers(),
        )


@pytest.mark.parametrize("raw", ["From: x", 5, None, [70]])
def test_only_bytes_are_a_mail(raw: Any) -> None:
    with pytest.raises(UsageError):
        drive(mail.receive(raw, now=NOW, entropy=bytes(32)), Answers())
