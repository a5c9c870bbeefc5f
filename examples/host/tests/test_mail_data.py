"""The bytes after DATA, in whatever pieces they come."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable_host.transports.mail.data import read_data

LIMIT = 16
"""So little a reader holds here that most texts come in several pieces."""

PIECES = st.sampled_from([b".", b"..", b"\r", b"\n", b"\r\n", b"a", b"line", b"\r\n.\r", b"a" * 20, b"\0"])
TEXTS = st.lists(PIECES, max_size=12).map(b"".join)


def by_lines(text: bytes) -> tuple[bytes, bytes]:
    """The mail and what is left, line by line as RFC 5321 says it."""
    lines, rest = [], text
    while not rest.startswith(b".\r\n"):
        line, end, rest = rest.partition(b"\r\n")
        lines.append((line[1:] if line.startswith(b".") else line) + end)
    return b"".join(lines), rest.removeprefix(b".\r\n")


def read(text: bytes, *, cut: int = 1 << 20, mail_bytes: int = 1 << 20, line_bytes: int = 1 << 20):
    async def both():
        reader = asyncio.StreamReader(limit=LIMIT)

        async def feed():
            for start in range(0, len(text), cut):
                reader.feed_data(text[start : start + cut])
                await asyncio.sleep(0)
            reader.feed_eof()

        feeding = asyncio.create_task(feed())
        found = await read_data(reader, mail_bytes=mail_bytes, line_bytes=line_bytes)
        await feeding
        return found, await reader.read()

    return asyncio.run(both())


@given(TEXTS, TEXTS, st.integers(1, 30))
def test_any_text_is_read_as_line_by_line(text, later, cut):
    whole = text + b"\r\n.\r\n" + later

    assert read(whole, cut=cut) == by_lines(whole)


@given(TEXTS, st.integers(1, 30), st.integers(0, 40))
def test_a_mail_has_its_size_at_most(text, cut, size):
    whole = text + b"\r\n.\r\nQUIT\r\n"
    first = whole.partition(b"\r\n.\r\n")[0] if not whole.startswith(b".\r\n") else None
    written = 0 if first is None else len(first) + 2

    found, rest = read(whole, cut=cut, mail_bytes=size)

    assert (found == "mail") == (written > size)
    assert rest == by_lines(whole)[1]


@pytest.mark.parametrize(("length", "found"), [(9, bytes), (10, str)])
def test_a_line_has_its_length_at_most(length, found):
    assert isinstance(read(b"a\r\n" + b"b" * (length - 1) + b"\r\n.\r\n", line_bytes=10)[0], found)


def test_a_peer_that_goes_away_has_sent_no_mail():
    with pytest.raises(asyncio.IncompleteReadError):
        read(b"a mail without an end\r\n.\r")
