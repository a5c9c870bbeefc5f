"""Content as mail carries it: lines of seven-bit characters, none of which a server on the way would change."""

from __future__ import annotations

import re
from binascii import b2a_base64, b2a_qp
from typing import Final, NamedTuple

_PLAIN: Final = re.compile(r"[\t\n -~]*+").fullmatch
_MAX_LINE: Final = 998
_BASE64_LINE: Final = 76

_CHANGED_ON_THE_WAY: Final = (" \n", "\t\n", "\nFrom ", "\n.\n")
"""Blanks at line ends are dropped by some, `From` is escaped by mailboxes, a lone dot ends a mail in SMTP."""

_WORD: Final = 75
_WORD_FRAME: Final = len("=?utf-8?q??=")
_SAFE_IN_WORDS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
_Q: Final = tuple(chr(byte) if byte in _SAFE_IN_WORDS else "_" if byte == 32 else f"={byte:02X}" for byte in range(256))


class Encoded(NamedTuple):
    """Content with the name of its Content-Transfer-Encoding."""

    encoding: str
    body: bytes


def one_kind_of_line_end(text: str) -> str:
    """`text` as a body of mail can hold it: lines end in LF, and there is no NUL and no byte order mark at its start.

    Spec: RFC 2046 §4.1.1.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "").lstrip("\ufeff")


def encode_text(text: str) -> Encoded:
    """Text in UTF-8, as it is where that survives every server; else in what is shorter and most readable.

    Args:
        text: Lines that end in LF.

    Spec: RFC 2045 §6.
    """
    if _is_safe(text):
        return Encoded("7bit", text.replace("\n", "\r\n").encode("ascii"))
    data = text.encode()
    if (len(data) - len(text.encode("ascii", "ignore"))) * 6 > len(data):  # three characters for one against four for 3
        return Encoded("base64", encode_bytes(data.replace(b"\n", b"\r\n")))
    body = b2a_qp(data, istext=True)
    if b"From " in body:  # the rest of the line goes into one of its own, so that none becomes too long
        body = (b"\n" + body).replace(b"\nFrom ", b"\n=46rom=\n ")[1:]
    return Encoded("quoted-printable", body.replace(b"\n", b"\r\n"))


def _is_safe(text: str) -> bool:
    if not _PLAIN(text):
        return False
    framed = f"\n{text}\n"
    if any(change in framed for change in _CHANGED_ON_THE_WAY):
        return False
    return len(text) <= _MAX_LINE or max(map(len, text.split("\n"))) <= _MAX_LINE


def encode_bytes(data: bytes) -> bytes:
    """Any bytes as base64 in lines of 76 characters.

    Spec: RFC 2045 §6.8.
    """
    digits = b2a_base64(data, newline=False)
    return b"\r\n".join([digits[at : at + _BASE64_LINE] for at in range(0, len(digits), _BASE64_LINE)])


def encode_words(text: str, *, first: int = _WORD, most: int = _WORD) -> list[str]:
    """One line of text as encoded words, each of which holds whole characters.

    Args:
        text: The text, not empty.
        first: How long the first word may be.
        most: How long the others may be, at most 75.

    Spec: RFC 2047 §2, §5.
    """
    data = text.encode()
    letter = "q" if sum([len(_Q[byte]) for byte in data]) <= (len(data) + 2) // 3 * 4 else "b"
    made: list[str] = []
    pending: list[bytes] = []
    size, room = 0, _room(letter, first)
    for char in text:
        encoded = char.encode()
        cost = sum([len(_Q[byte]) for byte in encoded]) if letter == "q" else len(encoded)
        if size + cost > room:
            made.append(_word(letter, b"".join(pending)))
            pending.clear()
            size, room = 0, _room(letter, most)
        pending.append(encoded)
        size += cost
    return [*made, _word(letter, b"".join(pending))]


def _room(letter: str, length: int) -> int:
    """What a word of a length holds: characters of Q, or bytes that become base64."""
    room = length - _WORD_FRAME
    return room if letter == "q" else room // 4 * 3


def _word(letter: str, data: bytes) -> str:
    payload = "".join([_Q[byte] for byte in data]) if letter == "q" else b2a_base64(data, newline=False).decode("ascii")
    return f"=?utf-8?{letter}?{payload}?="
