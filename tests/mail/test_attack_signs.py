"""Mails of programs that are answerable, and links that look like others."""

import pytest

from mentionable._html.convert import html_to_text
from tests.mail.receiving import receive

HELPER = "@helper@agents.example"


def reason(head: str, body: str = "x") -> str | None:
    raw = f"From: Alice <alice@a.example>\r\n{head}\r\n\r\n{body}".encode()
    found: str | None = receive(raw, recipient=HELPER).message.answerable.reason
    return found


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("Content-Type: application/ics; name=a.ics", "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:1\r\n"),
        ("Content-Type: text/calendar", "BEGIN:VCALENDAR\r\nMETHOD:RE\r\n PLY\r\nBEGIN:VEVENT\r\nUID:1\r\n"),
        ("Content-Type: text/calendar", "BEGIN:VCALENDAR\r\nMETHOD;X-A=1:REPLY\r\nBEGIN:VEVENT\r\nUID:1\r\n"),
        ("Content-Type: text/calendar; method=REPLY", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n"),
    ],
)
def test_what_invites_reads_as_a_reply_is_a_calendar_reply(head: str, body: str) -> None:
    assert reason(head, body) == "calendar-reply"


@pytest.mark.parametrize(
    "head",
    [
        "Return-Path: <MAILER-DAEMON>",
        "Return-Path: <alice@a.example>\r\nReturn-Path: <>",
        "Delivered-To: Autoresponder",
        "Auto-Submitted: (x auto-replied",
        'Precedence: "bulk"',
        "X-Auto-Response-Suppress: OOF; AutoReply",
    ],
)
def test_rare_spellings_of_signs_are_signs(head: str) -> None:
    assert reason(head) is not None


@pytest.mark.parametrize("local", ['"no reply"', '"do not reply"', '"mailer daemon"'])
def test_a_quoted_local_part_of_a_program_is_that_of_a_program(local: str) -> None:
    raw = f"From: {local}@a.example\r\n\r\nx".encode()
    assert receive(raw, recipient=HELPER).message.answerable.reason is not None


@pytest.mark.parametrize("charset", ["shift_jis", "utf-8", "koi8-r"])
def test_raw_bytes_in_a_local_part_name_one_mailbox_whatever_the_body_says(charset: str) -> None:
    raw = b"From: \xb1\xb2@x.example\r\nContent-Type: text/plain; charset=%b\r\n\r\nx" % charset.encode()
    plain = receive(raw.replace(charset.encode(), b"utf-8"), recipient=HELPER)
    got = receive(raw, recipient=HELPER)
    assert getattr(got, "code", None) == getattr(plain, "code", None)
    assert got.message.sender.address == plain.message.sender.address


@pytest.mark.parametrize("host", ["bank.example\uff0f\u00e9.evil.example", "\u212fvil.example", "a\u200bb.example"])
def test_no_link_shows_a_host_with_letters_that_look_like_others(host: str) -> None:
    assert host not in html_to_text(f'<a href="https://{host}/">here</a>')
