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
