"""Transfer encodings (RFC 2045 §6): what the bytes of a body stand for.

A character that has no place in its encoding costs itself, and never what follows it.
"""

from __future__ import annotations

import re
import sys
from binascii import a2b_base64, a2b_qp, a2b_uu
from typing import Final

from ..._errors.exceptions import Code
from ..._wire.accelerated import strict_base64

_BLANKS: Final = b" \t\r\n"
_PLAIN: Final = frozenset(("", "7bit", "8bit", "binary"))
_UUENCODE: Final = frozenset(("x-uuencode", "uuencode", "x-uue", "uue"))


def decode_transfer(raw: bytes, encoding: str, start: int = 0, end: int = sys.maxsize) -> tuple[bytes, Code | None]:
    """Decode a Content-Transfer-Encoding: the content of a body, and the code of what was wrong with it, or None.

    An unknown encoding leaves the bytes as they are.

    Args:
        raw: What holds the body.
        encoding: The encoding in lower case.
        start: Where in `raw` the body begins.
        end: Where it ends.

    Spec: RFC 2045 §6.
    """
    if encoding == "base64" and end - start >= _LARGE:
        data = _decode_regular_base64(memoryview(raw)[start:end])
        if data is not None:
            return data, None
    body = raw[start:end]
    if encoding in _PLAIN:
        return body, None
    if encoding == "base64":
        return decode_base64(body)
    if encoding == "quoted-printable":
        return _decode_quoted_printable(body), None
    if encoding in _UUENCODE:
        return _decode_uuencode(body)
    return body, "encoding-unknown"


# --- quoted-printable

# Searches begin with one byte, for which CPython looks much faster than for one of several, or for a pair.
_BLANK_AT_END: Final = re.compile(rb"\r(?<=[ \t]\r)(?=\n)").search
_MISREAD: Final = re.compile(rb"=(?:=|\r(?!\n))").search
_NO_CODE: Final = re.compile(rb"=(?![0-9A-Fa-f]{2}|\r?\n|\Z)").sub


def _decode_quoted_printable(body: bytes) -> bytes:
    """What follows an equals sign and is neither a code nor a line end stays as it is, and so does the sign."""
    # Blanks before a line end were added on the way (RFC 2045 §6.7, rule 3).
    if _BLANK_AT_END(body):
        body = b"\r\n".join([line.rstrip(b" \t") for line in body.split(b"\r\n")])
    # The C decoder takes one of two signs, and all up to the end of a line that a bare CR seems to end.
    if _MISREAD(body):
        body = _NO_CODE(b"=3D", body)
    return a2b_qp(body)


# --- base64

_NOT_BASE64: Final = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
_BETWEEN_PADDING: Final = re.compile(rb"[^=]++").finditer
_LARGE: Final = 4096
"""From so many bytes on it pays to see whether all lines are equal."""
_MAX_LINE_BYTES: Final = 1000


def decode_base64(body: bytes) -> tuple[bytes, Code | None]:
    """Decode base64. Line ends and blanks are skipped; so is any other character that is none of it, with a fault.

    Padding ends a chunk, and what follows it is the next one. Where a single character is left over, it is lost: it
    has less than a byte.

    Whether the C decoder skipped anything is seen from the lengths alone: `n` bytes are always written with
    `ceil(n / 3) * 4` characters.

    Spec: RFC 2045 §6.8.
    """
    try:
        data = a2b_base64(body)
    except ValueError:
        return _decode_broken_base64(body), "encoding-broken"
    written = (len(data) + 2) // 3 * 4
    if written != len(body) - 2 * body.count(b"\n") and written != len(body.translate(None, _BLANKS)):
        return _decode_broken_base64(body), "encoding-broken"
    return data, None


def _decode_regular_base64(body: memoryview) -> bytes | None:
    """Decode base64 in lines of one length, as nearly all programs write it; None where it is anything else.

    The ends of such lines stand at a stride, so slices show that they are there, and take them out.
    """
    first = bytes(body[:_MAX_LINE_BYTES]).find(b"\n")
    if first < 1:
        return None
    line_end = b"\r\n" if body[first - 1] == 13 else b"\n"
    width = first + 1 - len(line_end)
    lines = len(body) // (first + 1)
    if width == 0 or width % 4:
        return None
    text = bytearray(body[: lines * (first + 1)])
    for place in range(len(line_end)):
        stride = first + 1 - place
        if text[width::stride] != line_end[place : place + 1] * lines:
            return None
        del text[width::stride]
    text += bytes(body[lines * (first + 1) :]).translate(None, _BLANKS)
    try:
        data = strict_base64(text)
    except ValueError:
        return None
    return data if (len(data) + 2) // 3 * 4 == len(text) else None


def _decode_broken_base64(body: bytes) -> bytes:
    """The bytes of every chunk. An equals sign where no padding can be is skipped like other characters."""
    decoded = bytearray()
    chunk: list[bytes] = []
    size = 0
    for run in _BETWEEN_PADDING(body.translate(None, _NOT_BASE64)):
        chunk.append(run[0])
        size += len(run[0])
        if size % 4 > 1:
            decoded += _decode_chunk(b"".join(chunk))
            chunk.clear()
            size = 0
    decoded += _decode_chunk(b"".join(chunk))
    return bytes(decoded)


def _decode_chunk(text: bytes) -> bytes:
    left_over = len(text) % 4
    if left_over == 1:
        text, left_over = text[:-1], 0
    return a2b_base64(text + b"=" * (-left_over % 4))


# --- uuencode

_BEGIN: Final = re.compile(rb"^begin [0-7]{3,4} [^\n]*+\n", re.MULTILINE).search
_LINES: Final = re.compile(rb"[^\n]++").finditer
_ANY_OF_IT: Final = re.compile(rb"[ -`]*+").fullmatch


def _decode_uuencode(body: bytes) -> tuple[bytes, Code | None]:
    """Decode the first file that is uuencoded. A line that is broken costs itself; text around the file is left out.

    Spec: POSIX.1-2017, uuencode.
    """
    begin = _BEGIN(body)
    if begin is None:
        return body, "encoding-broken"
    decoded = bytearray()
    faults = body[: begin.start()].strip()
    for match in _LINES(body, begin.end()):
        line = match[0]
        if line.rstrip() == b"end":
            faults = faults or body[match.end() :].strip()
            break
        # Blanks at the end, which stand for zeros, may be lost on the way, and some writers have a check sum there.
        size = (line[0] - 32) & 63 if line.strip() else 0
        text = line[: 1 + (size * 4 + 2) // 3].rstrip(b"\r")
        if not size:
            continue
        if _ANY_OF_IT(text):
            decoded += a2b_uu(text)
        else:
            faults = text
    else:
        faults = body  # it has no end
    return bytes(decoded), "encoding-broken" if faults else None
