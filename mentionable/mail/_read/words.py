"""Encoded words (RFC 2047), and header fields with bytes that are not UTF-8."""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Callable
from typing import Final

from .charset import decode_broken_utf_8, decode_text, decode_unlabelled
from .transfer import decode_base64

# Begins with a literal, and every repeat stops at the next "?": the search is linear. Between the texts around the
# words are the character set, the encoding, and the encoded text of each.
_ENCODED_WORDS: Final = re.compile(r"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*+)\?=").split
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def clean_line(text: str) -> str:
    """`text` as one line that is safe to show: control characters become blanks."""
    return text if text.isprintable() else _UNPRINTABLE.sub(" ", text)


def decode_words(text: str) -> str:
    """`text` with its encoded words decoded.

    Blanks between two encoded words are nothing. Neighbours in one character set are joined before they are decoded,
    because senders split words inside a character.

    Spec: RFC 2047 §2, §6.2.
    """
    runs = _ENCODED_WORDS(text)
    pieces = [runs[0]]
    pending: list[bytes] = []
    charset = gap = ""
    for at in range(1, len(runs), 4):
        label, encoding, encoded, gap = runs[at : at + 4]
        label = label.lower()
        if pending and label != charset:
            pieces.append(decode_text(b"".join(pending), charset)[0])
            pending.clear()
        charset = label
        payload = encoded.encode("utf-8", "replace")
        if encoding in "bB":  # missing padding is made up for
            pending.append(decode_base64(payload + b"=" * (-len(payload) % 4))[0])
        else:
            pending.append(a2b_qp(payload, header=True))
        if gap.strip():
            pieces += (decode_text(b"".join(pending), charset)[0], gap)
            pending.clear()
    if pending:
        pieces += (decode_text(b"".join(pending), charset)[0], gap)
    return "".join(pieces)


# --- bytes beyond ASCII that are not UTF-8

_FIELD_STARTS: Final = re.compile(rb"(?<=\n)(?![ \t])").split
_QUOTED_WORDS: Final = re.compile(rb"=\?[^?\s]{1,80}\?[qQ]\?[^?]*+\?=").sub
_RAW_BYTES: Final = re.compile(rb"[\x80-\xff]").sub
_NAMED: Final = re.compile(rb"(?i)charset[ \t]*+=[ \t]*+\"?([!#-:<-~]{1,40})|=\?([^?\s*]{1,40})[*?]").finditer
_BEYOND_ASCII: Final = bytes(range(0x80, 0x100))
_MAX_NAMED: Final = 4
_STRICT: Final = b"x-mentionable-"  # what such a field says is not guessed


def decode_fields(data: bytes, *, is_strict: Callable[[str], bool] | None = None) -> str:
    """The text of header fields of which some bytes are not UTF-8.

    Each field is read by itself. In an encoded word, its own character set counts. Elsewhere, the character sets that
    the fields name are tried: senders that name none for a field write it in that of their text. A field that is in
    none of them is read as `decode_unlabelled` does.

    Args:
        data: The fields.
        is_strict: Whether a field, by its text as it was guessed, may not be guessed. Its bytes that are not UTF-8
            become U+FFFD.
    """
    charsets: tuple[str, ...] = ()
    for match in _NAMED(data):
        charset = (match[1] or match[2]).decode("ascii", "replace").lower()
        if charset not in charsets:
            charsets += (charset,)
        if len(charsets) == _MAX_NAMED:
            break
    return "".join([_decode_field(field, charsets, is_strict) for field in _FIELD_STARTS(data)])


def _decode_field(field: bytes, charsets: tuple[str, ...], is_strict: Callable[[str], bool] | None) -> str:
    field = field if field.isascii() else _QUOTED_WORDS(_without_raw_bytes, field)
    try:
        return field.decode("utf-8")
    except UnicodeDecodeError:
        if field[: len(_STRICT)].lower() == _STRICT:
            return field.decode("utf-8", "replace")
    text = decode_broken_utf_8(field) or _decode_by_names(field, charsets)
    return field.decode("utf-8", "replace") if is_strict is not None and is_strict(text) else text


def _decode_by_names(field: bytes, charsets: tuple[str, ...]) -> str:
    subject = field[:8].decode("ascii", "ignore")
    for charset in charsets:
        text, fault = decode_text(field, charset)
        # ASCII must stay what it is, so that no character set makes an address or hides one. A subject has none.
        same = text.encode("ascii", "ignore") == field.translate(None, _BEYOND_ASCII)
        if not fault and (same or (subject.lower() == "subject:" and text.startswith(subject))):
            return text
    return decode_unlabelled(field)


def _without_raw_bytes(word: re.Match[bytes]) -> bytes:
    """An encoded word of the same bytes, those beyond ASCII written as codes."""
    return _RAW_BYTES(lambda byte: b"=%02X" % ord(byte[0]), word[0])
