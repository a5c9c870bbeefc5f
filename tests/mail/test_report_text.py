"""Bounces that say in words alone which recipients a mail did not reach."""

import pytest

from mentionable import Limits, Received
from mentionable.mail import DeliveryStatus, Settings
from mentionable.mail._read.report_fields import read_groups
from mentionable.mail._read.report_text import read_text
from tests.linearity import time_grows_linearly
from tests.mail.receiving import receive
from tests.mail.reports import ORIGINAL, faults, read

RETURNED = f"Return-Path: <helper@agents.example>\nMessage-ID: {ORIGINAL}\n\nIt will.\n"
QMAIL = f"""Hi. This is the qmail-send program at a.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<bob@b.example>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 <bob@b.example>: unknown

<carol@c.example>:
I'm not going to try again; this message has been in the queue too long. (#4.4.1)

--- Below this line is a copy of the message.

{RETURNED}"""
EXIM = f"""This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  bob@b.example
    SMTP error from remote mail server after RCPT TO:<bob@b.example>:
    host mx.b.example [192.0.2.1]: 550 5.1.1 unknown
  carol@c.example

------ This is a copy of the message, including all the headers. ------

{RETURNED}"""


def mail(text: str, *fields: str, sender: str = "MAILER-DAEMON@a.example") -> bytes:
    return "\n".join([f"From: {sender}", "Message-ID: <r@a.example>", *fields, "", text]).encode()


def test_qmail() -> None:
    found = read(mail(QMAIL))
    assert (found.kind, found.original_id) == ("delivery", ORIGINAL)
    assert [(one.recipient, one.action, one.status, one.permanent) for one in found.recipients] == [
        ("bob@b.example", "failed", "5.1.1", True),
        ("carol@c.example", "failed", "4.4.1", False),
    ]
    assert (found.recipients[0].diagnostic or "").startswith("192.0.2.1 does not like recipient. Remote host said: 550")
    assert faults(mail(QMAIL)) == []


def test_the_words_of_a_person_are_no_report() -> None:
    assert isinstance(receive(mail(QMAIL, sender="alice@a.example")), Received)


@pytest.mark.parametrize("text", [QMAIL.replace(">:", ">"), QMAIL.replace("---", "==="), "Away"])
def test_a_mail_server_may_write_something_else(text: str) -> None:
    assert isinstance(receive(mail(text)), Received)


def test_exim() -> None:
    found = read(mail(EXIM, "X-Failed-Recipients: bob@b.example, Carol@c.example,", "X-Failed-Recipients: d@d.example"))
    assert found.original_id == ORIGINAL
    assert found.recipients == (
        DeliveryStatus(
            recipient="bob@b.example",
            action="failed",
            status="5.1.1",
            permanent=True,
            diagnostic="SMTP error from remote mail server after RCPT TO:<bob@b.example>: "
            "host mx.b.example [192.0.2.1]: 550 5.1.1 unknown",
        ),
        DeliveryStatus(recipient="Carol@c.example", action="failed"),
        DeliveryStatus(recipient="d@d.example", action="failed"),
    )


def test_the_field_counts_whoever_writes_it() -> None:
    assert read(mail("No.", "X-Failed-Recipients: bob@b.example", sender="a@a.example")).kind == "delivery"


def test_a_field_without_a_mailbox_is_odd() -> None:
    raw = mail("No.", "X-Failed-Recipients: all of them")
    assert read(raw).recipients == ()
    assert faults(raw) == [("", "it names no recipient")]


def test_at_most_as_many_recipients_as_a_message_may_have() -> None:
    settings = Settings(limits=Limits(recipients=3))
    raw = mail("No.", *[f"X-Failed-Recipients: a{n}@b.example, b{n}@b.example" for n in range(3)])
    assert len(read(raw, settings=settings).recipients) == 2
    assert faults(raw, settings=settings) == [("", "more than 3 recipients")]
    text = "".join(f"<b{number}@b.example>:\nno\n\n" for number in range(5)) + "---\n"
    assert len(read(mail(text), settings=settings).recipients) == 3
    assert faults(mail(text), settings=settings) == [("", "more than 3 recipients")]


def test_a_reason_has_a_bound() -> None:
    settings = Settings(limits=Limits(mail_field_bytes=300))
    text = "<bob@b.example>:\nno\n" + "word " * 100 + "\nnot this\n\n<carol@c.example>:\nno\n---\n"
    found = read(mail(text), settings=settings)
    assert [(one.recipient, one.diagnostic) for one in found.recipients] == [
        ("bob@b.example", "no"),
        ("carol@c.example", "no"),
    ]
    assert faults(mail(text), settings=settings) == [("", "a reason has more than 300 characters")]


def test_a_text_is_read_up_to_a_bound() -> None:
    text = "<bob@b.example>:\nno\n\n" + "x\n" * 600_000 + "---\n"
    assert [one.diagnostic for one in read(mail(text)).recipients] == ["no"]
    assert faults(mail(text)) == [("", "more than 1048576 characters")]


def test_a_large_mail_that_came_back_is_not_odd() -> None:
    assert faults(mail(QMAIL + "x\n" * 600_000)) == []


def test_dashes_inside_end_a_reason_only() -> None:
    text = "<bob@b.example>:\nno\n-- \nmore\n\n<carol@c.example>:\nno\n--- Below\n\n" + RETURNED
    found = read(mail(text))
    assert [one.diagnostic for one in found.recipients] == ["no", "no"]
    assert found.original_id == ORIGINAL


def test_what_came_back_may_have_no_head() -> None:
    assert read(mail(QMAIL.replace(RETURNED, ""))).original_id is None
    assert read(mail(QMAIL.replace(RETURNED, "It was removed."))).original_id is None


@pytest.mark.parametrize(
    "line", ["<b@b.example>:\n", "x\n", "\n", "  b@b.example\n", "--\n", "-", "<", "<b@b>:\nno\n\n"]
)
def test_reading_a_text_is_linear(line: str) -> None:
    time_grows_linearly(lambda text: read_text(text, limits=Limits()), lambda size: line * size)


@pytest.mark.parametrize(
    "line", ["Final-Recipient: a@b.example\n", "Status: ((((\n", " x\n", "\n", "x\n", "Status: 5", "a:"]
)
def test_reading_fields_is_linear(line: str) -> None:
    time_grows_linearly(lambda text: read_groups(text, limits=Limits()), lambda size: "Action: x\n" + line * size)
