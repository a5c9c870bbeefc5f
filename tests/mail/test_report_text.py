"""Bounces that say in words alone which recipients a mail did not reach."""

import pytest

from mentionable import Limits, Received
from mentionable.mail import DeliveryStatus, Settings
from tests.mail.receiving import receive
from tests.mail.reports import ORIGINAL, faults, read, report

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


UNPHRASED = QMAIL.replace("deliver your message to", "reach")


@pytest.mark.parametrize("text", [UNPHRASED.replace(">:", ">"), UNPHRASED.replace("---", "==="), "Away"])
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
    text = "<bob@b.example>:\nno\n\n" + f"{'x' * 99}\n" * 12_000 + "---\n"
    assert [one.diagnostic for one in read(mail(text)).recipients] == ["no"]
    assert faults(mail(text)) == [("", "more than 1048576 characters")]


def test_a_large_mail_that_came_back_is_not_odd() -> None:
    assert faults(mail(QMAIL + f"{'x' * 99}\n" * 12_000)) == []


def test_dashes_inside_end_a_reason_only() -> None:
    text = "<bob@b.example>:\nno\n-- \nmore\n\n<carol@c.example>:\nno\n--- Below\n\n" + RETURNED
    found = read(mail(text))
    assert [one.diagnostic for one in found.recipients] == ["no", "no"]
    assert found.original_id == ORIGINAL


def test_what_came_back_may_have_no_head() -> None:
    assert read(mail(QMAIL.replace(RETURNED, ""))).original_id is None
    assert read(mail(QMAIL.replace(RETURNED, "It was removed."))).original_id is None


# --- phrases

BOB = [("bob@b.example", "failed", None)]
PHRASES = {
    "Exim": ("The following address(es) failed:\n\n  bob@b.example\n", BOB),
    "Exim, broken over two lines": ("The following addresses\nfailed:\n\nbob@b.example:\n  quota exceeded\n", BOB),
    "Exim waits": (
        "The address to which the message has not yet been delivered is:\n\n  bob@b.example\n",
        [("bob@b.example", "delayed", None)],
    ),
    "sendmail": (
        "   ----- The following addresses had permanent fatal errors -----\n<bob@b.example>\n"
        "    (reason: 552 5.2.2 Over)\ncarol@c.example\n    (expanded from: <c@c.example>)\n\n"
        "   ----- Transcript of session follows -----\n"
        "d@d.example\n",
        [("bob@b.example", "failed", "5.2.2"), ("carol@c.example", "failed", None)],
    ),
    "sendmail waits": (
        "   ----- The following addresses had transient non-fatal errors -----\n<bob@b.example>\n",
        [("bob@b.example", "delayed", None)],
    ),
    "sendmail fails and waits": (
        " ----- The following addresses had permanent fatal errors -----\nbob@b.example\n\n"
        " ----- The following addresses had transient non-fatal errors -----\ncarol@c.example\n",
        [("bob@b.example", "failed", None), ("carol@c.example", "delayed", None)],
    ),
    "Postfix before RFC 3464": (
        "The message\nbelow could not be delivered to one or more destinations.\n\nAsk <postmaster@a.example>\n\n"
        "<bob@b.example>: host mx.b.example said: 550 5.1.1\n    <bob@b.example>... unknown\n"
        "<carol@c.example>: not found\n",
        [("bob@b.example", "failed", "5.1.1"), ("carol@c.example", "failed", None)],
    ),
    "Exchange": (
        "Your message\n\n  To: d@d.example\n\ndid not reach the following recipient(s):\n\n"
        "bob@b.example on Fri, 20 Jul 2001 11:08:59 -0700\n    The recipient name is not recognized\n",
        BOB,
    ),
    "Exchange with X.400": (
        "did not reach the following recipient(s):\n\nc=US;a= ;p=B;dda:SMTP=bob@b.example; on Fri, 4 Oct 2002\n17:12\n",
        BOB,
    ),
    "IIS": ("Delivery to the following recipients failed.\n\n       bob@b.example\n", BOB),
    "Gmail": ("Delivery to the following recipient failed permanently:\n\n     bob@b.example\n", BOB),
    "Gmail waits": (
        "Delivery to the following recipient has been delayed:\n\n     bob@b.example\n",
        [("bob@b.example", "delayed", None)],
    ),
    "a list with marks": ("to the following recipients was aborted after 5 hours:\n\n  * bob@b.example\n", BOB),
    "MailEnable": (
        "The following recipient(s) could not be reached:\n\n\tRecipient: [SMTP:bob@b.example]\n\tReason: no\n",
        BOB,
    ),
    "GroupWise": ("The message was undeliverable to the following:\n\n\tbob@b.example (user not found)\n", BOB),
    "Domino": (
        "Your message\n\nwas not delivered to:\n\n  bob@b.example\n\nbecause:\n\n  User (c@c.example) not listed\n",
        BOB,
    ),
    "smail": (
        "|--- Failed addresses follow: ---|\n bob@b.example ... unknown\n|--- Message text follows: ---|\nc@c.ex\n",
        BOB,
    ),
    "SMTP32": ("undeliverable  to bob@b.example\n\nOriginal message follows.\n\n" + RETURNED, BOB),
    "SMTP32, twice": (
        "Unknown user: bob@b.example\n\nRCPT TO generated following response:\n553 5.3.0 <bob@b.example>... no\n\n"
        "Unknown user: carol@c.example\n",
        [*BOB, ("carol@c.example", "failed", None)],
    ),
    "IMail": ("User mailbox exceeds allowed size: bob@b.example\n", BOB),
    "a mailbox behind the phrase": ("Did not reach the following recipient: bob@b.example\n", BOB),
    "a mailbox in the sentence": (
        "Sorry, unable to deliver your message to bob@b.example for\nthis reason:\n\n 552 Quota\n",
        BOB,
    ),
    "an address of the Internet": ("undeliverable to bob@[192.0.2.1]\n", [("bob@[192.0.2.1]", "failed", None)]),
    "a mailbox twice": (
        "Unknown user: bob@b.example\nUnknown user: bob@b.example\n\nUnknown user: bob@b.example\n",
        BOB,
    ),
}


@pytest.mark.parametrize(("text", "expected"), PHRASES.values(), ids=PHRASES)
def test_mail_servers_say_it_in_phrases(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    found = read(mail(text))
    assert [(one.recipient, one.action, one.status) for one in found.recipients] == expected
    assert faults(mail(text)) == []


def test_the_reason_is_that_of_the_line_and_of_those_below_it() -> None:
    text, _ = PHRASES["Postfix before RFC 3464"]
    assert [one.diagnostic for one in read(mail(text)).recipients] == [
        "host mx.b.example said: 550 5.1.1 <bob@b.example>... unknown",
        "not found",
    ]


def test_what_came_back_below_words_names_the_mail() -> None:
    assert read(mail(PHRASES["SMTP32"][0])).original_id == ORIGINAL


def test_only_what_came_back_below_a_mailbox_counts() -> None:
    text = "A copy of the message is below.\n\n" + PHRASES["SMTP32"][0]
    assert read(mail(text)).original_id == ORIGINAL


@pytest.mark.parametrize(
    "text",
    [
        "> undeliverable to bob@b.example",
        "> The following address(es) failed:\n\n  bob@b.example",
        "Your mail to the following recipients could not be delivered:\n\tbob",
        "The following address(es) failed:\n\nall of them",
        "bob@b.example\n\nis away",
        "The following address(es) failed:\n----\nbob@b.example",
    ],
)
def test_without_a_phrase_and_a_mailbox_it_is_a_message(text: str) -> None:
    outcome = receive(mail(text))
    assert isinstance(outcome, Received)
    assert not outcome.message.answerable


@pytest.mark.parametrize(
    "fields", ["Return-Path: <>", "Return-Path: <MAILER-DAEMON>", "Return-Path: <mailer-daemon@b.example>"]
)
def test_the_return_path_says_that_a_mail_server_wrote_it(fields: str) -> None:
    text, _ = PHRASES["Exim"]
    assert read(mail(text, fields, sender="mail@b.example")).kind == "delivery"
    assert isinstance(receive(mail(text, sender="mail@b.example")), Received)


def test_a_report_in_words_is_not_answerable() -> None:
    outcome = receive(mail(PHRASES["Exim"][0], sender="postmaster@b.example"))
    answerable = outcome.received.message.answerable
    assert (answerable.reason, answerable.detail) == ("report", "it reports about a mail")


def test_words_may_be_in_html_alone() -> None:
    html = "<p>did not reach the following recipient(s):<br><br>bob@b.example on Fri, 20 Jul 2001<br>&nbsp; no"
    assert [one.recipient for one in read(mail(html, "Content-Type: text/html")).recipients] == ["bob@b.example"]


def test_a_report_without_a_type_may_say_it_in_words() -> None:
    head = ["Content-Type: multipart/report; boundary=b"]
    text = f"--b\n\n{PHRASES['IIS'][0]}\n--b\nContent-Type: message/rfc822\n\n{RETURNED}\n--b--\n"
    found = read(mail(text, *head, sender="mail@b.example"))
    assert ([one.recipient for one in found.recipients], found.original_id) == (["bob@b.example"], ORIGINAL)
    other = mail(text, "Content-Type: multipart/report; report-type=tlsrpt; boundary=b", sender="mail@b.example")
    assert isinstance(receive(other), Received)


def test_words_name_the_recipients_that_a_status_lacks() -> None:
    words = f"--b\n\n{PHRASES['IIS'][0]}\n".encode()
    raw = report("Reporting-MTA: dns; mx.a.example\n").replace(b"--b\n\nYour mail could not be delivered.\n", words)
    found = read(raw)
    assert ([one.recipient for one in found.recipients], found.reporter) == (["bob@b.example"], "mx.a.example")
    assert faults(raw) == []
