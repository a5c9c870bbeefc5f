"""Local parts of mailboxes that need quotes or are not ASCII, as mail writes them and as addresses do.

An address percent-encodes the UTF-8 of a local part. Letters, digits, the other signs of an atom but `%`, and dots
between them stay as they are; every other byte is `%` and two upper-case digits. So each local part has one form, and
each form is of one local part. The form is ASCII: no character in it looks like another, or is invisible.

What two servers may tell apart stays apart: neither letter case nor the normal form of Unicode is changed.

Spec: RFC 3986 §2.1; RFC 5321 §4.1.2; RFC 6532 §3.2; RFC 7565 §4.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote_to_bytes

_SIGNS: Final = "!#$&'*+/=?^_`{|}~-"
ATEXT: Final = f"A-Za-z0-9{_SIGNS}"
"""The characters of an atom that stay as they are, within a set of a pattern: all of them but `%`."""

MAX_BYTES: Final = 255
"""Bytes of a local part in UTF-8. RFC 5321 has 64, and gateways write more into From."""

_ENCODED: Final = re.compile(rf"[%.{ATEXT}]++", re.ASCII).fullmatch
# A dot stays between two others that are none, so that what an address has is a dot-atom (RFC 5322 §3.2.3).
_ODD_DOTS: Final = re.compile(r"(?<![^.])\.|\.\Z").sub
_FORBIDDEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffd]").search
_ATOM_CHARS: Final = r"[^\x00-\x20\"(),:;<>@\[\\\]\x7f.]"
_DOT_ATOM: Final = re.compile(rf"{_ATOM_CHARS}++(?:\.{_ATOM_CHARS}++)*").fullmatch
_UNQUOTED: Final = re.compile(r"[^\x00-\x20\"(),:;<>@\[\\\]\x7f]++").fullmatch
_QUOTED: Final = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*\""
_WORDS: Final = re.compile(rf"(?:{_ATOM_CHARS}++|{_QUOTED})(?:\.(?:{_ATOM_CHARS}++|{_QUOTED}))*", re.DOTALL).fullmatch
_ESCAPED_OR_QUOTE: Final = re.compile(r"\\(.)|\"", re.DOTALL)
_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\"})


def read_local(text: str) -> str | None:
    """The local part that mail writes as `text`, without its quotes; None when it is none.

    It may have dots at its ends and in a row, which some providers gave out.
    """
    if _UNQUOTED(text):
        return text
    return _ESCAPED_OR_QUOTE.sub(r"\1", text) if _WORDS(text) else None


def write_local(local: str) -> str:
    """A local part as mail writes it, in quotes where it needs them."""
    return local if _DOT_ATOM(local) else f'"{local.translate(_ESCAPES)}"'


def encode_local(local: str) -> str | None:
    """A local part as an address has it; None when no mailbox may have it.

    Control characters, line ends and the sign for unreadable bytes are in none.
    """
    if not local or _FORBIDDEN(local):
        return None
    data = local.encode()
    return _ODD_DOTS("%2E", quote(data, safe=_SIGNS)) if len(data) <= MAX_BYTES else None


def decode_local(text: str) -> str | None:
    """The local part that an address has as `text`; None where another spelling is the one of that local part."""
    if not _ENCODED(text):
        return None
    try:
        local = unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        return None
    return local if encode_local(local) == text else None
