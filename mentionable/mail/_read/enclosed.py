"""What is read of files beyond their names: invitations, forwarded mails, and why a file stays closed.

It goes to `FilePart.extra`, so that it is there without the bytes. It never becomes text of the sender, and changes
nothing about who wrote the mail, its thread, its trace or its policy.
"""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import Code, WireError, wire_error
from ..._flow.settings import Limits
from ..._model.base import FrozenDict, replace
from ..._model.diagnostic import Diagnostic, prefixed, unread
from ..._model.parts import FilePart, Part
from ..._text.enclosed_text import CLOSED, FORWARDED, described
from ..._text.invites import CALENDAR
from ..._wire.strict_json import without_null
from .calendar import MAX_BYTES, read_calendar
from .charset import decode_text
from .forwarded import MAX_DEPTH, open_mail
from .message import Content, Enclosed
from .mime import place

_CODES: Final[dict[str, Code]] = {
    "encrypted": "content-encrypted",
    "signed": "content-signed",
    "encapsulated": "content-encapsulated",
}
_SIGNED_DATA: Final = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
"""The object identifier of signed data, which begins a CMS message. RFC 5652 §5.1."""


def read_enclosed(content: Content, *, limits: Limits, depth: int = MAX_DEPTH) -> Content:
    """The content of a mail, with what its files say in `FilePart.extra`.

    Args:
        content: The content.
        limits: How many parts all mails inside it may have together, and how much text of them is taken.
        depth: How many mails inside each other are opened.
    """
    return _Reader(limits).read(content, depth)


class _Reader:
    """Reads what is enclosed in one mail, with one budget of parts and text for all of it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._parts = limits.parts
        self._chars = limits.inline_bytes

    def read(self, content: Content, depth: int) -> Content:
        """A content with what its files say."""
        parts, diagnostics = list(content.parts), list(content.diagnostics)
        methods = content.methods
        for one in content.enclosed:
            if one.kind == "mail":
                members, odd = self._mail(one, depth)
            elif one.kind == "calendar":
                members, method, odd = _calendar(one)
                methods |= {method}
            else:
                members, odd = _closed(one)
            diagnostics += odd
            if members:
                at = _marked(parts, one)
                parts[at] = _with(parts[at], members)
        return content._replace(parts=tuple(parts), diagnostics=diagnostics, enclosed=(), methods=methods)

    def _mail(self, one: Enclosed, depth: int) -> tuple[dict[str, Any], list[Diagnostic]]:
        """What a forwarded mail says, those inside it included as far as `depth` goes."""
        if not depth:
            return {}, []
        at = place("", one.number)
        try:
            if not self._parts:
                rule = f"only {self._limits.parts} parts of all forwarded mails together are read"
                raise wire_error("too-many-parts", "", rule)
            mail = open_mail(one.data, limits=replace(self._limits, parts=self._parts))
        except WireError as error:
            return {}, prefixed([unread(error)], at)
        self._parts = max(0, self._parts - mail.body_part_count)
        content = self.read(mail.content, depth - 1)
        text = "\n\n".join(filter(None, map(described, content.parts)))
        is_cut, text = len(text) > self._chars, text[: self._chars]
        self._chars -= len(text)
        members = {
            "from": mail.claim or None,
            "date": mail.date,
            "subject": mail.subject,
            "text": text or None,
            "cut": is_cut or None,
        }
        return {FORWARDED: without_null(members)}, prefixed([*mail.diagnostics, *content.diagnostics], at)


def _marked(parts: list[Part], one: Enclosed) -> int:
    """The place of the part that is marked: what precedes an encrypted body part only names how it is encrypted."""
    behind = parts[one.place + 1] if one.kind == "pgp" and one.place + 1 < len(parts) else None
    return one.place + isinstance(behind, FilePart)


def _with(part: Part, members: dict[str, Any]) -> Part:
    return replace(part, extra=FrozenDict({**part.extra, **members}))


def _calendar(one: Enclosed) -> tuple[dict[str, Any], str, list[Diagnostic]]:
    """What a calendar says, and its method."""
    header = one.header
    text, _ = decode_text(one.data[:MAX_BYTES], header.charset or "utf-8")
    read = read_calendar(text, method=header.parameters.get("method", ""))
    faults = read.faults
    if len(one.data) > MAX_BYTES:
        faults += (f"only its first {MAX_BYTES} bytes are read",)
    odd = [_note("calendar-malformed", one, fault) for fault in faults]
    return {CALENDAR: read.members} if read.members else {}, read.method, odd


def _closed(one: Enclosed) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Why a file stays closed, if it does."""
    if one.kind == "pgp":
        reason, words = "encrypted", "PGP/MIME"
    elif one.kind == "tnef":
        reason, words = "encapsulated", "TNEF"
    else:
        kind = one.header.parameters.get("smime-type", "").strip().lower()
        if kind == "certs-only":
            return {}, []
        is_signed = kind == "signed-data" if kind else _SIGNED_DATA in one.data[:64]
        reason, words = ("signed" if is_signed else "encrypted"), f"S/MIME {kind}".rstrip()
    return {CLOSED: reason}, [_note(_CODES[reason], one, words)]


def _note(code: Code, one: Enclosed, words: str) -> Diagnostic:
    return Diagnostic(code=code, at=place("", one.number), detail=f"body part {one.number}: {words}")
