"""An mbox, in pieces of any size, as its mails."""

from __future__ import annotations

import mailbox
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, UsageError
from mentionable.mail import MboxMail, split_mbox

ENVELOPE = b"From alice@a.example Sat Nov 21 20:56:00 2026\n"
TOKENS = (
    b"From ", b"\n", b"\r\n", b"\n\nFrom ", b"\n\r\nFrom ", b">From ", b">>From ", b">", b"\r", b"x", b"A: b\n",
    ENVELOPE, b"Content-Length: 4\n\n", b"x\n\n", b"abc\n",
)  # fmt: skip
mboxes = st.lists(st.sampled_from(TOKENS), max_size=14).map(b"".join)


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def raws(data: bytes, size: int = 65_536) -> list[bytes]:
    return [mail.raw for mail in split_mbox(cut(data, size))]


def begins(lines: list[bytes], number: int) -> bool:
    """Whether a line begins a mail."""
    line = lines[number]
    if not line.startswith(b"From "):
        return False
    is_after_empty = number == 0 or lines[number - 1] in (b"\n", b"\r\n")
    is_dated = b" Sat Nov 21 20:56:00 2026" in line
    following = lines[number + 1] if number + 1 < len(lines) else b""
    is_before_field = bool(re.match(rb"[A-Za-z-]+:\s|>?From ", following))
    return number == 0 or (is_dated and is_after_empty) or ((is_dated or is_after_empty) and is_before_field)


def length_of(mail: list[bytes]) -> int:
    """Where the Content-Length of a mail leads, counted from its first line; 0 where it has none."""
    size, found = 0, None
    for number, line in enumerate(mail):
        size += len(line)
        if number and line in (b"\n", b"\r\n"):
            return size + int(found[1]) if found else 0
        found = found or (re.fullmatch(rb"Content-Length: (\d+)\r?\n", line) if number else None)
    return 0


def by_lines(data: bytes) -> list[bytes]:
    """The mails of an mbox, read in the plain way: line by line."""
    lines = lines_of(data)
    mails: list[list[bytes]] = [[]]
    has_begun, sizes = [False], [0]
    for number, line in enumerate(lines):
        if begins(lines, number) and not _leads_behind(lines, number, mails[-1], sizes[-1]):
            mails.append([])
            has_begun.append(True)
            sizes.append(0)
        mails[-1].append(line)
        sizes[-1] += len(line)
    texts = [b"".join(mail) for mail in mails]
    plain = [_unquoted(text, begun=begun) for text, begun in zip(texts, has_begun, strict=True)]
    return [text for text, begun in zip(plain, has_begun, strict=True) if begun or text.strip()]


def _leads_behind(lines: list[bytes], number: int, mail: list[bytes], size: int) -> bool:
    """Whether the Content-Length of a mail leads behind a line, to the beginning of a mail or to the end."""
    left = length_of(mail) - size
    if left <= 0:
        return False
    rest = b"".join(lines[number:])
    if left > len(rest):
        return False
    end = left
    while rest[end : end + 1] in {b"\r", b"\n"} and end < left + 4:
        end += 1
    if end == len(rest):
        return True
    at = number
    while end > 0 and at < len(lines):
        end -= len(lines[at])
        at += 1
    return end == 0 and begins(lines, at)


def _unquoted(text: bytes, *, begun: bool) -> bytes:
    body = text.partition(b"\n")[2] if begun else text
    lines = [
        line[1:] if line.startswith(b">") and line.lstrip(b">").startswith(b"From ") else line
        for line in lines_of(body)
    ]
    return b"".join(lines[:-1] if (len(lines) > 1) and lines[-1] in (b"\n", b"\r\n") else lines)


def lines_of(data: bytes) -> list[bytes]:
    """Lines that end in a line feed and nowhere else."""
    *whole, last = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([last] if last else [])


@given(mboxes, st.integers(1, 12))
def test_mails_are_those_that_reading_line_by_line_gives(data, size):
    assert raws(data, size) == by_lines(data)


@given(mboxes, st.integers(1, 12), st.data())
def test_an_mbox_can_be_read_from_any_mail_to_any(data, size, choice):
    mails = list(split_mbox([data]))
    for mail in mails:
        assert data[mail.offset :].startswith(b"From ") or mail is mails[0]
    if mails:
        first = choice.draw(st.integers(0, len(mails) - 1))
        last = choice.draw(st.integers(first, len(mails) - 1))
        begin, end = mails[first].offset, mails[last].offset + mails[last].size
        found = split_mbox(cut(data[begin:end], size))
        assert [mail.raw for mail in found] == [mail.raw for mail in mails[first : last + 1]]


def test_a_mail_says_where_it_stands():
    data = b"\n" + ENVELOPE + b"A: 1\n\n" + ENVELOPE + b"B: 2\r\n\r\n" + ENVELOPE
    assert list(split_mbox(cut(data, 3))) == [
        MboxMail(offset=1, size=52, raw=b"A: 1\n"),
        MboxMail(offset=53, size=54, raw=b"B: 2\r\n"),
        MboxMail(offset=107, size=46, raw=b""),
    ]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"A: 1\n", [b"A: 1\n"]),
        (b"x", [b"x"]),
        (ENVELOPE + b"\n" + ENVELOPE + b"\n", [b"\n", b"\n"]),
        (b"From x", [b""]),
        (ENVELOPE + b"A: 1\nFrom x\n", [b"A: 1\nFrom x\n"]),
        (ENVELOPE + b"A: 1\n\n\xffFrom x\n", [b"A: 1\n\n\xffFrom x\n"]),
    ],
)
def test_odd_mboxes_are_read(data, found):
    assert raws(data) == found


def test_quoted_lines_lose_one_sign_and_others_stay():
    body = b">From here\n>>From there\nFrom nowhere\n> From\n->From\n"
    assert raws(ENVELOPE + body) == [b"From here\n>From there\nFrom nowhere\n> From\n->From\n"]


def test_a_mail_over_the_limit_is_not_kept_whole(monkeypatch):
    monkeypatch.setattr("mentionable.mail._mbox._SPARE", 0)
    data = ENVELOPE + b"12345678\n" * 100 + b"\n" + ENVELOPE + b"A: 1\n"
    first, second = split_mbox(cut(data, 64), limits=Limits(mail_bytes=60))
    assert (first.raw, first.size) == (data[:60], len(ENVELOPE) + 901)
    assert (second.raw, second.offset) == (b"A: 1\n", first.size)


def test_text_is_no_mbox():
    with pytest.raises(UsageError, match="open it in binary mode"):
        list(split_mbox(["From x\n"]))


# --- what begins a mail

BODY = b"A: 1\n\nHello\n"


@pytest.mark.parametrize(
    "line",
    [
        b"From alice@a.example Sat Nov 21 20:56:00 2026",
        b"From alice@a.example  Sat Nov  1 20:56 2026",
        b"From alice at a.example  Sat Nov 21 20:56:00 2026",
        b"From - Sat Nov 21 20:56:00 2026",
        b"From MAILER-DAEMON Sat Nov 21 20:56:00 2026",
        b"From ???@??? Sat Nov 21 20:56:00 2026",
        b"From 17@xxx Sat Nov 21 20:56:00 +0000 2026",
        b"From alice@a.example Sat Nov 21 20:56:00 EST 2026",
        b"From alice@a.example Sat Nov 21 20:56:00 2026 -0500",
        b"From alice@a.example Sat Nov 21 20:56:00 2026 remote from b",
        b"From alice@a.example Sat, 21 Nov 2026 20:56:00 +0000",
    ],
)
def test_a_dated_line_begins_a_mail_with_or_without_an_empty_line_before_it(line):
    assert raws(ENVELOPE + BODY + line + b"\n" + BODY) == [BODY, BODY]
    assert raws(ENVELOPE + BODY + b"\r\n" + line + b"\r\n" + BODY, 7) == [BODY, BODY]


@pytest.mark.parametrize(
    "line",
    [
        b"From here on we say nothing.",
        b"From here on\nhttp://a.example/ is ours",
        b"From here on we meet on Sat Nov 21 2026\nand talk",
        b"From here on:\n\nNote: this",
        b"From Saturday 20:56:00 2026\nNext",
        b"From " + b"x" * 2_000 + b" Sat Nov 21 20:56:00 2026\nA: b",
    ],
)
def test_a_line_of_prose_begins_none(line):
    mail = b"A: 1\n\nHello\n\n" + line + b"\n"
    assert raws(ENVELOPE + mail) == [mail]


def test_a_dated_line_after_words_begins_a_mail_only_before_a_header_field():
    mail = b"A: 1\n\nHello\n" + ENVELOPE + b"and more\n"
    assert raws(ENVELOPE + mail) == [mail]


# --- Content-Length

INSIDE = b"Hello\n\n" + ENVELOPE + b"A: no mail\n"


def with_length(length: int, body: bytes = INSIDE) -> bytes:
    return b"A: 1\nContent-Length: %d\nB: 2\n\n" % length + body


@pytest.mark.parametrize("size", [1, 10, 1_000, 65_536])
def test_a_content_length_that_leads_to_a_mail_or_to_the_end_counts(size):
    mail = with_length(len(INSIDE))
    assert raws(ENVELOPE + mail + b"\n" + ENVELOPE + mail + b"\n", size) == [mail, mail]
    assert raws(ENVELOPE + mail + ENVELOPE + mail, size) == [mail, mail]


@pytest.mark.parametrize("size", [1, 1_000, 65_536])
def test_a_content_length_may_lead_far_beyond_what_is_read_at_once(size):
    mail = with_length(100 * len(INSIDE), INSIDE * 100)
    assert raws(ENVELOPE + mail + b"\n" + ENVELOPE + BODY, size) == [mail, BODY]


@pytest.mark.parametrize("length", [0, 1, 7, len(INSIDE) - 2, len(INSIDE) + 3, 10_000, 9_999_999_999])
def test_a_content_length_that_leads_elsewhere_counts_for_nothing(length):
    mail = with_length(length)
    assert [len(raws(ENVELOPE + mail + b"\n" + ENVELOPE + BODY, size)) for size in (1, 1_000)] == [3, 3]


def test_a_content_length_in_a_body_counts_for_nothing():
    mail = b"A: 1\n\nx\nContent-Length: 64\n\n"
    assert len(raws(ENVELOPE + mail + ENVELOPE + BODY + b"\n" + ENVELOPE + BODY)) == 3


def test_a_content_length_beyond_the_limit_counts_for_nothing(monkeypatch):
    monkeypatch.setattr("mentionable.mail._mbox._SPARE", 0)
    mail = with_length(len(INSIDE))
    found = split_mbox([ENVELOPE + mail + b"\n" + ENVELOPE + BODY], limits=Limits(mail_bytes=100))
    assert len(list(found)) == 3


def test_an_archive_is_split_as_the_standard_library_splits_it(tmp_path):
    """That takes every line `From ` for the beginning of a mail, so that bodies are quoted here, as they should be."""
    mails = [b"A: %d\nSubject: x\n\n>From here\nHello %d\n" % (number, number) for number in range(200)]
    for between in (b"\n", b""):
        path = tmp_path / f"archive{len(between)}"
        path.write_bytes(b"".join(ENVELOPE + mail + between for mail in mails))
        box = mailbox.mbox(path)
        assert len(raws(path.read_bytes(), 100)) == len(box) == 200
        assert [mail.replace(b"\n>From", b"\nFrom") for mail in mails] == raws(path.read_bytes())
        box.close()
