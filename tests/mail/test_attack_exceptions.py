"""Bytes of a peer that end in an exception that no document names."""

from mentionable import Answers, FilePart, Rejected, drive, mail
from mentionable._flow.settings import DEFAULTS
from tests.mail.receiving import NOW, receive

HELPER = "@helper@agents.example"


def test_an_undefined_greek_letter_after_a_single_shift_costs_itself() -> None:
    raw = b"From: a@a.example\r\nContent-Type: text/plain; charset=iso-2022-jp\r\n\r\na\x1b.F\x1bN.b"
    assert receive(raw, recipient=HELPER).message.parts[0].content.startswith("a")


def test_an_undefined_greek_letter_in_an_encoded_word_costs_itself() -> None:
    raw = b"From: a@a.example\r\nSubject: =?iso-2022-jp?B?Gy5GG04u?=\r\n\r\nx"
    assert not isinstance(receive(raw, recipient=HELPER), Rejected)


def _many_mails(count: int) -> bytes:
    inner = b"From: c@c.example\r\nContent-Type: message/rfc822\r\n\r\nFrom: b@b.example\r\n\r\nhi\r\n"
    parts = b"".join(b"--x\r\nContent-Type: message/rfc822\r\n\r\n" + inner + b"\r\n" for _ in range(count))
    return b"From: a@a.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + parts + b"--x--\r\n"


def test_more_forwarded_mails_than_the_limit_of_parts_are_received() -> None:
    assert len(receive(_many_mails(600), recipient=HELPER).message.parts) == 600


def test_a_forwarded_mail_with_more_mails_than_the_limit_of_parts_is_opened() -> None:
    part = FilePart.of(_many_mails(600), mime="message/rfc822")
    assert mail.forwarded(part, limits=DEFAULTS.limits) is not None


def test_verify_of_a_sender_with_such_a_name_has_a_verdict() -> None:
    raw = b"From: =?iso-2022-jp?B?Gy5GG04u?= <a@a.example>\r\n\r\nx"
    assert drive(mail.verify(raw, now=NOW), Answers()).code == "unsigned"
