"""An mbox, in pieces of any size, as its mails."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, UsageError
from mentionable.mail import MboxMail, split_mbox

ENVELOPE = b"From alice@a.example Sat Nov 21 20:56:00 2026\n"
TOKENS = (b"From ", b"\n", b"\r\n", b"\n\nFrom ", b"\n\r\nFrom ", b">From ", b">>From ", b">", b"\r", b"x", b"A: b\n")
mboxes = st.lists(st.sampled_from(TOKENS), max_size=14).map(b"".join)


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def raws(data: bytes, size: int = 65_536) -> list[bytes]:
    return [mail.raw for mail in split_mbox(cut(data, size))]


def by_lines(data: bytes) -> list[bytes]:
    """The mails of an mbox, read in the plain way: line by line."""
    mails: list[list[bytes]] = [[]]
    is_after_empty, has_begun = True, [False]
    for line in lines_of(data):
        if is_after_empty and line.startswith(b"From "):
            mails.append([])
            has_begun.append(True)
        elif line.startswith(b">") and line.lstrip(b">").startswith(b"From "):
            mails[-1].append(line[1:])
        else:
            mails[-1].append(line)
        is_after_empty = line in (b"\n", b"\r\n")
    ended = [lines[:-1] if len(lines) > 1 and lines[-1] in (b"\n", b"\r\n") else lines for lines in mails]
    texts = [b"".join(lines) for lines in ended]
    return [text for text, begun in zip(texts, has_begun, strict=True) if begun or text.strip()]


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


def test_a_mail_of_any_length_takes_bounded_memory():
    chunk = b"0123456789abcde\n" * 4_096
    tracemalloc.start()
    try:
        (mail,) = split_mbox((chunk for _ in range(200)), limits=Limits(mail_bytes=1_000))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert (mail.size, len(mail.raw)) == (200 * 65_536, 1_000 + 65_536)


def test_text_is_no_mbox():
    with pytest.raises(UsageError, match="open it in binary mode"):
        list(split_mbox(["From x\n"]))
