"""What a DKIM signature covers, byte for byte: header fields and the body in one of two canonical forms.

Everything here is linear in the size of the mail, whatever it holds: runs of blanks, of empty lines, of fields.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_CONTROLS: Final = bytes((*range(9), 11, 12, *range(14, 32), 127))
_FIELD_ENDS: Final = re.compile(rb"\r\n(?![ \t])").split
_BLANKS: Final = re.compile(rb"[ \t]++").sub
_RUNS: Final = re.compile(rb"  ++").sub  # begins with a literal, which is searched for quickly


def doubtful_bytes(raw: bytes, body: int) -> str:
    """Why readers may disagree on where the lines and fields of a mail end, in words, or ""; `body` is where it begins.

    A line feed alone is a line end to some readers; a control character is a blank, or nothing, to some.
    """
    if raw.count(b"\n") != raw.count(b"\r\n"):
        return "some lines end in LF alone"
    head = raw[:body]
    return "a control character in the head" if len(head.translate(None, _CONTROLS)) < len(head) else ""


def split_fields(head: bytes) -> dict[bytes, list[bytes]]:
    """The fields of a header section as they stand, folds included, by their names in lower case, from the top.

    The section is a clean one: its lines end in CRLF, and each field has a name before its colon.
    """
    fields: dict[bytes, list[bytes]] = {}
    for field in _FIELD_ENDS(head):
        name, colon, _ = field.partition(b":")
        if colon:
            fields.setdefault(name.lower(), []).append(field)
    return fields


def relaxed_field(field: bytes) -> bytes:
    """A field in `relaxed` form: its name in lower case, unfolded, each run of blanks one blank, none at the ends.

    Spec: RFC 6376 §3.4.2.
    """
    name, _, value = field.partition(b":")
    if b"\x0b" in value or b"\x0c" in value:  # no blanks here, but they are to `split`
        value = _BLANKS(b" ", value.replace(b"\r\n", b"")).strip(b" ")
    else:
        value = b" ".join(value.split())
    return name.lower() + b":" + value


def signed_fields(
    fields: Mapping[bytes, Sequence[bytes]], names: Iterable[bytes], own: bytes, *, relaxed: bool
) -> bytes:
    """The bytes that a signature is over: the fields that it names, then its own field with an empty `b=`.

    A name that stands there twice takes the last field of that name, then the one above; past the topmost, nothing.

    Spec: RFC 6376 §3.7, §5.4.2.
    """
    left: dict[bytes, int] = {}
    chosen: list[bytes] = []
    for name in names:
        found = fields.get(name)
        if found is None:
            continue
        index = left.get(name, len(found)) - 1
        if index >= 0:
            left[name] = index
            chosen.append(found[index])
    chosen.append(own)
    return b"\r\n".join([relaxed_field(field) for field in chosen] if relaxed else chosen)


def relaxed_body(body: bytes) -> bytes:
    """A body in `relaxed` form: runs of blanks are one blank, none ends a line, and no empty lines are at the end.

    Spec: RFC 6376 §3.4.4.
    """
    if b"\t" in body:
        body = body.replace(b"\t", b" ")
    if b"  " in body:
        body = _RUNS(b" ", body)
    if b" \r\n" in body:
        body = body.replace(b" \r\n", b"\r\n")
    text = _without_last_lines(body)
    return text + b"\r\n" if text else b""


def simple_body(body: bytes) -> bytes:
    """A body in `simple` form: as it is, without empty lines at the end.

    Spec: RFC 6376 §3.4.3.
    """
    return _without_last_lines(body) + b"\r\n"


def _without_last_lines(body: bytes) -> bytes:
    """`body` without the CRLFs at its end. A CR or LF alone is no line end and stays."""
    text = body.rstrip(b"\r\n")
    tail = body[len(text) :]
    if tail == b"\r\n":
        return text
    return text + tail.replace(b"\r\n", b" ").rstrip(b" ").replace(b" ", b"\r\n")


class Body:
    """The body of one mail. Each canonical form is made once, however many signatures there are."""

    __slots__ = ("_digests", "_raw")

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._digests: dict[bool, tuple[int, bytes]] = {}

    def digest(self, *, relaxed: bool) -> tuple[int, bytes]:
        """The length of a canonical form, and its SHA-256."""
        known = self._digests.get(relaxed)
        if known is None:
            form = relaxed_body(self._raw) if relaxed else simple_body(self._raw)
            known = self._digests[relaxed] = (len(form), hashlib.sha256(form).digest())
        return known
