"""The time and the memory that the readers of mail take grow with their input and no faster."""

from collections.abc import Callable
from typing import Any

import pytest

from mentionable import Limits
from mentionable.mail import split_mbox
from mentionable.mail._auth.arc import dkim_signers
from mentionable.mail._read.automatic import named_as_program
from mentionable.mail._read.calendar import read_calendar
from mentionable.mail._read.charset import decode_text
from mentionable.mail._read.header_section import read_header_section
from mentionable.mail._read.identification import read_odd_ids
from mentionable.mail._read.report_fields import read_groups
from mentionable.mail._read.report_text import read_text
from mentionable.mail._read.transfer import decode_transfer
from mentionable.mail._read.words import decode_fields
from tests.linearity import peak_memory, steps_grow_linearly, time_grows_linearly
from tests.mail.answering import asked
from tests.mail.receiving import receive
from tests.mail.test_calendar import text
from tests.mail.test_header_section_end import FROM
from tests.mail.test_mbox import ENVELOPE, raws
from tests.mail.test_parts import mail, multipart, part


@pytest.mark.parametrize(
    ("label", "unit"),
    [("hz", b"~{\n"), ("hz", b"~{!!~}"), ("hz", b"~~"), ("iso-2022-kr", b"\x0e\n"), ("iso-2022-kr", b"\x0e!!\x0f")],
)
def test_switches_take_no_ten_times_the_memory_of_the_text(label: str, unit: bytes) -> None:
    data = unit * (500_000 // len(unit))
    assert peak_memory(lambda: decode_text(data, label)) < 10 * len(data)


@pytest.mark.parametrize(("label", "unit"), [("hz", b"~{\n"), ("iso-2022-kr", b"\x0e\n")])
def test_switches_alone_are_read_in_linear_time(label: str, unit: bytes) -> None:
    time_grows_linearly(lambda data: decode_text(data, label), lambda size: unit * size, size=50_000)


@pytest.mark.parametrize(
    "label", ["big5", "euc-jp", "euc-kr", "gb18030", "shift_jis", "iso-2022-jp", "iso-2022-kr", "hz"]
)
@pytest.mark.parametrize(
    "unit", [b"\xff", b"\x81", b"\x1b", b"\x1b$B", b"\x1b$B!\x1b(B", b"\x0e\n", b"\x0e", b"~{~", b"~{A~}", b"\xa2A"]
)
def test_hostile_bytes_are_decoded_in_linear_time(label: str, unit: bytes) -> None:
    steps_grow_linearly(lambda data: decode_text(data, label), lambda size: unit * size, size=20_000)


@pytest.mark.parametrize(
    ("label", "unit"),
    [("gb18030", b"\xff"), ("euc-jp", b"\xad\xa1" + b"a" * 40), ("iso-2022-jp", b"\x1b$B!\x1b(B"), ("hz", b"~{~")],
)
def test_hostile_bytes_take_linear_time(label: str, unit: bytes) -> None:
    time_grows_linearly(lambda data: decode_text(data, label), lambda size: unit * size)


@pytest.mark.parametrize(
    ("encoding", "unit"),
    [
        ("base64", b"="),
        ("base64", b"aa="),
        ("base64", b"a!"),
        ("quoted-printable", b"=="),
        ("quoted-printable", b"=\r"),
        ("quoted-printable", b" \r\n"),
        ("x-uuencode", b"begin 644 a\n"),
        ("x-uuencode", b"begin "),
        ("x-uuencode", b"!\xff\n"),
    ],
)
def test_hostile_bodies_are_decoded_in_linear_time(encoding: str, unit: bytes) -> None:
    steps_grow_linearly(lambda body: decode_transfer(body, encoding), lambda size: unit * size)
    time_grows_linearly(lambda body: decode_transfer(body, encoding), lambda size: unit * size)


@pytest.mark.parametrize(
    ("start", "unit", "encoding"), [(b"", b"ab!=", "base64"), (b"begin 644 x\n", b"!\n", "x-uuencode")]
)
def test_hostile_bytes_take_no_ten_times_their_memory(start: bytes, unit: bytes, encoding: str) -> None:
    body = start + unit * (1_000_000 // len(unit))
    assert peak_memory(lambda: decode_transfer(body, encoding)) < 10 * len(body)


@pytest.mark.parametrize("unit", [b"=?a?q?\xff", b"=?", b"\xff\r\n", b"charset=", b"=?koi8-r?q?\xff?=", b"\n"])
def test_hostile_fields_are_decoded_in_linear_time(unit: bytes) -> None:
    steps_grow_linearly(decode_fields, lambda size: b"A: \xff" + unit * size)
    time_grows_linearly(decode_fields, lambda size: b"A: \xff" + unit * size)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: FROM + b"x\r\n" + b" \r\n" * n,
        lambda n: FROM + b"x\r\n" + b" " * n + b"\r\n" + b"A" * n + b":\r\n",
        lambda n: FROM + b"x\r\n" + b" \r\nA" * n + b":\r\n",
    ],
    ids=["lines", "a-name", "names"],
)
def test_lines_of_blanks_are_read_in_linear_time(make: Callable[[int], bytes]) -> None:
    limits = Limits(mail_head_bytes=1 << 30, mail_fields=1 << 20)
    time_grows_linearly(lambda raw: read_header_section(raw, limits=limits), make, largest=1 << 15)


@pytest.mark.parametrize("piece", ["<", "(", "<(", "<a@x", "a@x ", "<a b@x>", ")<", "(<a@x>)", " ", ",", '"'])
def test_reading_ids_is_linear(piece: str) -> None:
    steps_grow_linearly(read_odd_ids, lambda size: piece * size)
    time_grows_linearly(read_odd_ids, lambda size: piece * size)


@pytest.mark.parametrize(
    ("field", "piece"),
    [
        ("Auto-Submitted", "("),
        ("Auto-Submitted", "a(b)"),
        ("X-Loop", "a"),
        ("X-Auto-Response-Suppress", "DR,"),
        ("Return-Path", "-request"),
        ("Return-Path", "owner-"),
        ("X-Auto-Response-Suppress", " ;"),
    ],
)
def test_a_hostile_field_takes_linear_time(field, piece):
    time_grows_linearly(lambda value: asked(f"{field}: {value}"), lambda size: piece * size, largest=1 << 12)


@pytest.mark.parametrize("piece", ["bounce-", "no-", "owner-", "a-", "="])
def test_a_hostile_address_takes_linear_time(piece):
    time_grows_linearly(named_as_program, lambda size: f"@{piece * size}@a.example")


CALENDARS = [
    lambda size: text(*["RRULE:FREQ=DAILY"] * size),
    lambda size: text(*["ATTENDEE;CN=x:mailto:a@a.example"] * size),
    lambda size: "BEGIN:VEVENT\nUID:1\n" + "BEGIN:VALARM\n" * size,
    lambda size: "BEGIN:VEVENT\nUID:1\n" + "END:VALARM\n" * size,
    lambda size: text("SUMMARY:x", *[" y"] * size),
    lambda size: text("SUMMARY" + ";a" * size),
    lambda size: text('ORGANIZER;CN="' + '"x"' * size),
    lambda size: text("SUMMARY" + ";a=b" * size + ":x"),
    lambda size: text("SUMMARY:" + "\\" * size),
    lambda size: text("X-LONG:" + "x" * size),
    lambda size: "B" * size,
    lambda size: "BEGIN" * size,
]


@pytest.mark.parametrize("calendar", CALENDARS, ids=range(len(CALENDARS)))
def test_reading_a_calendar_is_linear(calendar: Any) -> None:
    steps_grow_linearly(read_calendar, calendar)
    time_grows_linearly(read_calendar, calendar)


def test_many_forwarded_mails_are_read_in_linear_time():
    inner = "From: x@x.example\n" + multipart("mixed", *[part("text/plain", "x")] * 50, boundary="i")
    time_grows_linearly(
        receive, lambda size: mail(multipart("mixed", *[part("message/rfc822", inner)] * size)), size=50
    )


@pytest.mark.parametrize(
    "line",
    [
        "<b@b.example>:\n",
        "x\n",
        "\n",
        "  b@b.example\n",
        "--\n",
        "-",
        "<",
        "<b@b>:\nno\n\n",
        "failed recipients - a@b\n",
        "a",
        "c=",
        "unknown user: a@b.example\n",
        "the following address(es) failed\n",
        "the following address(es) ",
    ],
)
def test_reading_a_report_in_words_is_linear(line: str) -> None:
    time_grows_linearly(lambda text: read_text(text, limits=Limits()), lambda size: line * size)


@pytest.mark.parametrize(
    "line", ["Final-Recipient: a@b.example\n", "Status: ((((\n", " x\n", "\n", "x\n", "Status: 5", "a:"]
)
def test_reading_the_fields_of_a_report_is_linear(line: str) -> None:
    time_grows_linearly(lambda text: read_groups(text, limits=Limits()), lambda size: "Action: x\n" + line * size)


@pytest.mark.parametrize("text", [b"(", b")", b'"', b'"\\', b"\\", b"=", b" ", b";", b"dkim=", b"a(b)"])
def test_authentication_results_are_read_in_linear_time(text: bytes) -> None:
    time_grows_linearly(dkim_signers, lambda size: b"X: i=1; mx; " + text * size)


def test_a_mail_of_any_length_takes_bounded_memory():
    chunk = b"0123456789abcde\n" * 4_096
    mails = []
    peak = peak_memory(lambda: mails.extend(split_mbox((chunk for _ in range(200)), limits=Limits(mail_bytes=1_000))))
    assert peak < 2_000_000
    assert [(mail.size, len(mail.raw)) for mail in mails] == [(200 * 65_536, 1_000 + 65_536)]


ARCHIVES = [
    lambda size: b"From \n" * size,
    lambda size: b"\n\nFrom x\n" * size,
    lambda size: ENVELOPE * size,
    lambda size: (ENVELOPE + b"A: b\n") * size,
    lambda size: b"\n\nFrom " * size,
    lambda size: b"\nFrom Sat" + b" Sat Nov" * size,
    lambda size: b"\n\nFrom " + b"Sat Nov 21 " * size,
    lambda size: (ENVELOPE + b"Content-Length: 9999\n\n") * size,
    lambda size: (ENVELOPE + b"Content-Length: 65536\n\n" + b"x" * 600 + b"\n\n") * (size // 4),
    lambda size: ENVELOPE + b"Content-Length: 9\n" * size,
    lambda size: ENVELOPE + b"A: b\n" * size + (ENVELOPE + b"x\n") * size,
]


@pytest.mark.parametrize("chunk", [31, 65_536])
@pytest.mark.parametrize("hostile", ARCHIVES, ids=range(len(ARCHIVES)))
def test_splitting_an_archive_is_linear(hostile, chunk):
    steps_grow_linearly(lambda data: raws(data, chunk), hostile, size=400)
    time_grows_linearly(lambda data: raws(data, chunk), hostile)
