"""The header section of a mail: bytes to fields, once and for all readers.

What is odd in it never loses the mail: each oddity is noted, and the reading goes on with the first of doubled fields.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic

POLICY: Final = "x-mentionable-policy"
"""The field that carries a policy, in lower case."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_END_OF_HEAD: Final = re.compile(rb"\n\r?\n").search
_FOLDS: Final = re.compile(r"\r\n(?=[ \t])")
_NAMES: Final = re.compile(r"[!-9;-~]++").fullmatch
_ODD_FIELD: Final = re.compile(r"([!-9;-~]++)[ \t]*+:(.*+)", re.DOTALL).fullmatch
SINGLE: Final = frozenset((
    "from", "sender", "reply-to", "to", "cc", "bcc", "subject", "date", "message-id", "in-reply-to", "references",
    "mime-version", "content-type", "content-transfer-encoding", "content-disposition", "content-id",
))  # fmt: skip
"""The fields that are read, in lower case. A mail has each of them once."""


class Head(NamedTuple):
    """A header section.

    Attributes:
        fields: The fields in order, as `raw` shows them: name in lower case, name as written, unfolded value.
        first: The first value of each field, by its name in lower case.
        repeated: The names, in lower case, that occur more than once.
        body: Where the body begins in `raw`.
        raw: The mail with CRLF line ends, unless they were mixed.
    """

    fields: list[dict[str, str]]
    first: dict[str, str]
    repeated: set[str]
    body: int
    raw: bytes


def read_head(raw: bytes, *, limits: Limits, notes: list[Diagnostic]) -> Head:
    """The header section of a whole mail. A file whose lines all end in LF is read as one with CRLF.

    Raises:
        LimitError: The mail, its head, or the number of fields is over a limit.
        DecodeError: There is no header section.

    Spec: RFC 5322 §2.2.
    """
    if len(raw) > limits.mail_bytes:
        raise wire_error("too-large", "", f"a mail has at most {limits.mail_bytes} bytes")
    raw = _with_crlf(raw, notes)
    end = _END_OF_HEAD(raw, 0, limits.mail_head_bytes + 4)
    size, body = (end.start() + 1, end.end()) if end else (len(raw), len(raw))
    if size > limits.mail_head_bytes:
        raise wire_error("too-large", "/headers", f"a header section has at most {limits.mail_head_bytes} bytes")
    fields, first, repeated = _read_fields(raw[:size], notes)
    if not fields or raw[:1] in b"\r\n":  # an empty first line is an empty head
        raise wire_error("malformed", "/headers", "a mail begins with header fields")
    if len(fields) > limits.mail_fields:
        raise wire_error("too-many-fields", "/headers", f"a mail has at most {limits.mail_fields} fields")
    if not repeated.isdisjoint(SINGLE):
        notes += [
            Diagnostic(code="field-repeated", at=f"/headers/{key}", detail="the first one counts")
            for key in sorted(repeated & SINGLE)
        ]
    if size > limits.mail_field_bytes:
        for key, value in first.items():
            if len(value) > limits.mail_field_bytes and key in SINGLE:
                raise wire_error("too-large", f"/headers/{key}", f"at most {limits.mail_field_bytes} bytes")
    return Head(fields, first, repeated, body, raw)


def _with_crlf(raw: bytes, notes: list[Diagnostic]) -> bytes:
    """`raw` without a byte order mark, and with CRLF line ends where every line ends in LF."""
    if raw.startswith(_BYTE_ORDER_MARK):
        notes.append(Diagnostic(code="head-malformed", at="/headers", detail="a byte order mark before it"))
        raw = raw[3:]
    first = raw.find(b"\n")
    if first < 0 or raw[first - 1] == 13 or b"\r\n" in raw:
        return raw
    return raw.replace(b"\n", b"\r\n")


def _read_fields(data: bytes, notes: list[Diagnostic]) -> tuple[list[dict[str, str]], dict[str, str], set[str]]:
    """Every field of a header section, in UTF-8 (RFC 6532); the first value of each name; the names that are repeated.

    Where a line is no field, the slow reader takes over.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append(Diagnostic(code="head-malformed", at="/headers", detail="bytes that are not UTF-8"))
        text = data.decode("utf-8", "replace")
    text = _FOLDS.sub("", text)
    lines = text.removesuffix("\r\n").split("\r\n")
    ends = len(lines) if text.endswith("\r\n") else len(lines) - 1
    if text.count("\n") != ends or text.count("\r") != ends or "\0" in text:
        return _read_odd_fields(text, notes)
    fields: list[dict[str, str]] = []
    first: dict[str, str] = {}
    repeated: set[str] = set()
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name:
            return _read_odd_fields(text, notes)
        key, value = name.lower(), value.strip()
        fields.append({"key": key, "originalKey": name, "value": value})
        if key in first:
            repeated.add(key)
        else:
            first[key] = value
    # All names are looked at together: a blank, a control character or a letter beyond ASCII in any of them shows.
    names = "".join(first) if text.isascii() else "".join([field["originalKey"] for field in fields])
    return (fields, first, repeated) if _NAMES(names) else _read_odd_fields(text, notes)


def _read_odd_fields(text: str, notes: list[Diagnostic]) -> tuple[list[dict[str, str]], dict[str, str], set[str]]:
    """The fields of a header section that has lines which are none: those are left out. Each kind is noted once."""
    fields: list[dict[str, str]] = []
    first: dict[str, str] = {}
    repeated: set[str] = set()
    faults: dict[str, int] = {}
    if text.count("\n") != text.count("\r\n"):
        notes.append(Diagnostic(code="line-ends-mixed", at="/headers"))
    text = text.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", "\t").removesuffix("\n")
    for number, line in enumerate(text.split("\n"), 1):
        match = _ODD_FIELD(line)
        if match is None:
            mbox = number == 1 and line.startswith(("From ", ">From "))
            faults.setdefault("an mbox line" if mbox else "a line that is no field", number)
            continue
        name, value = match.groups()
        if line[len(name)] != ":":
            faults.setdefault("a blank before a colon", number)
        if "\r" in value or "\0" in value:
            faults.setdefault("a control character", number)
            value = value.replace("\r", " ").replace("\0", " ")
        key, value = name.lower(), value.strip()
        fields.append({"key": key, "originalKey": name, "value": value})
        if key in first:
            repeated.add(key)
        first.setdefault(key, value)
    notes += [
        Diagnostic(code="head-malformed", at="/headers", detail=f"line {number}: {fault}")
        for fault, number in faults.items()
    ]
    return fields, first, repeated
