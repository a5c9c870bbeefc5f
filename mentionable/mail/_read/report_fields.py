"""The fields of a report, in groups that blank lines separate (RFC 3464 §2.1, RFC 8098 §3.1, RFC 5965 §3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from sys import maxunicode
from typing import Final, NamedTuple, TypeAlias

from ..._flow.settings import Limits
from ..._wire.address import canonical_mailbox
from .header_section import read_addresses, read_line

Group: TypeAlias = "dict[str, list[str]]"
"""The values of each field that is read, by its name in lower case."""

MAX_CHARS: Final = 1 << 20
"""How much of a report is read: four times what a report on as many recipients as a message may have takes up."""

TOO_LONG: Final = f"more than {MAX_CHARS} characters"

_NAME: Final = re.compile(r"[!-9;-~]++").fullmatch
_ESCAPE: Final = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")
_XTEXT: Final = re.compile(r"\+([0-9A-F]{2})")
_STATUS: Final = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)", re.ASCII).search
_REPLY: Final = re.compile(r"(?<![\w.])([45])\d\d(?=[ -])", re.ASCII).search
_OF_A_RECIPIENT: Final = ("final-recipient", "original-recipient")
_OF_THE_REPORT: Final = ("reporting-mta", "original-envelope-id", "arrival-date")
_SEVERAL: Final = ("original-rcpt-to", "reported-domain")
_READ: Final = frozenset((
    *_OF_A_RECIPIENT, *_OF_THE_REPORT, *_SEVERAL,
    "action", "status", "diagnostic-code", "remote-mta", "will-retry-until",
    "disposition", "reporting-ua", "original-message-id", "error", "failure",
    "feedback-type", "user-agent", "source-ip", "original-mail-from", "received-date",
))  # fmt: skip


class Groups(NamedTuple):
    """The groups of fields of a report.

    Attributes:
        report: What it says of the mail.
        recipients: What it says of each recipient.
        fault: The first thing that is odd, in words, or "".
    """

    report: Group
    recipients: Sequence[Group]
    fault: str


def read_groups(text: str, *, limits: Limits) -> Groups:
    """The groups of a report: one for each recipient, as many as a message may have.

    Programs leave blank lines out, or write too many. So a second recipient begins a group of its own, and a group
    without a recipient goes on with the one before it while that has no Action.

    Spec: RFC 3464 §2.1.
    """
    reader = _GroupReader(limits)
    for key, value in _fields(beginning(text)):
        reader.take(key, value)
        if reader.is_full:
            break
    reader.end_group()
    if len(text) > MAX_CHARS:
        reader.odd(TOO_LONG)
    return Groups(reader.report, reader.recipients, reader.fault)


class _GroupReader:
    """Gathers fields into groups."""

    def __init__(self, limits: Limits) -> None:
        self.report: Group = {}
        self.recipients: list[Group] = []
        self.fault = ""
        self.is_full = False
        self._group: Group = {}
        self._limits = limits

    def odd(self, fault: str) -> None:
        self.fault = self.fault or fault

    def take(self, key: str, value: str | None) -> None:
        """Takes a field, a line that is none, or an empty line."""
        if value is None:
            self.odd("a line that is no field") if key else self.end_group()
        elif key not in _READ:
            return
        elif len(value) > self._limits.mail_field_bytes:
            self.odd(f"{key} has more than {self._limits.mail_field_bytes} characters")
        else:
            if key in _OF_A_RECIPIENT and key in self._group:
                self.end_group()
            if key in _OF_A_RECIPIENT and len(self.recipients) >= self._limits.recipients:
                self.odd(f"more than {self._limits.recipients} recipients")
                self.is_full = True
                return
            values = self._group.setdefault(key, [])
            if values and (key not in _SEVERAL or len(values) >= self._limits.recipients):
                self.odd(f"{key} more than once")
            else:
                values.append(read_line(value))

    def end_group(self) -> None:
        """Adds the group to those of recipients, or to the one before it, or to what is reported of the mail."""
        group, self._group = self._group, {}
        if not group.keys().isdisjoint(_OF_A_RECIPIENT):
            self.recipients.append(group)
            group = {name: group[name] for name in _OF_THE_REPORT if name in group}
        elif self.recipients and "action" not in self.recipients[-1]:
            self.recipients[-1] = {**group, **self.recipients[-1]}
            return
        self.report = {**group, **self.report}


def _fields(text: str) -> Iterator[tuple[str, str | None]]:
    """The name, in lower case, and the unfolded value of each field.

    A line that is none has no value, and an empty one no name.
    """
    name, pieces = "", list[str]()
    for line in lines_of(text):
        content = line.strip(" \t")
        if content and line[0] in " \t" and name:
            pieces.append(content)
            continue
        if name:
            yield name, " ".join(pieces)
        key, colon, value = content.partition(":")
        key = key.rstrip(" \t").lower()
        name = key if colon and _NAME(key) else ""
        pieces = [value.strip(" \t")]
        if not name:
            yield content, None
    if name:
        yield name, " ".join(pieces)


def beginning(text: str) -> str:
    """A text up to `MAX_CHARS`, in whole lines."""
    return text if len(text) <= MAX_CHARS else text[: text.rfind("\n", 0, MAX_CHARS) + 1]


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text one by one, which may be millions."""
    start, end = 0, text.find("\n")
    while end >= 0:
        yield text[start:end].rstrip("\r")
        start, end = end + 1, text.find("\n", end + 1)
    yield text[start:]


def text_of(group: Group, name: str) -> str | None:
    """The first value of a field, or None where it is missing or empty."""
    return next(filter(None, group.get(name, ())), None)


def typed(value: str | None) -> str | None:
    """What follows the type of `type; value`, as in `dns; mx.a.example`; the whole where it has no type."""
    if value is None:
        return None
    kind, semicolon, rest = value.partition(";")
    is_typed = semicolon and " " not in kind.strip()
    return (rest if is_typed else value).strip() or None


def mailbox_of(value: str | None, *, final: str | None = None) -> str | None:
    r"""The mailbox that `rfc822; local@domain` names, without its type, `<>` and comments.

    The escapes `\x{…}` of RFC 6533 are decoded, and those of RFC 3461 (`+2B`) where that gives `final`: both are
    letters of a mailbox too.
    """
    text = typed(value)
    if text is None:
        return None
    is_utf8 = (value or "").partition(";")[0].strip().lower() == "utf-8"
    if is_utf8 and "\\x{" in text:
        text = _ESCAPE.sub(_character, text)
    if text[:1] == "<" or "(" in text:
        fields = read_addresses(text, name="final-recipient", limit=len(text))
        text = fields.mailboxes[0].address if fields.mailboxes else ""
    if final is not None and "+" in text and _XTEXT.sub(_octet, text) == final:
        return final
    address = canonical_mailbox(text)
    return address.mailbox if address else text or None


def _character(match: re.Match[str]) -> str:
    point = int(match[1], 16)
    char = chr(point) if point <= maxunicode else ""
    return char if char and char.isprintable() else match[0]


def _octet(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def status_of(*texts: str | None) -> str | None:
    """The first enhanced status code (RFC 3463) in these texts, such as `5.1.1`.

    Where there is none, that of the first reply of SMTP that refuses: of `550` it is `5.0.0`.
    """
    present = [text for text in texts if text]
    code = next(filter(None, map(_STATUS, present)), None)
    if code is not None:
        return f"{code[1]}.{int(code[2])}.{int(code[3])}"
    reply = next(filter(None, map(_REPLY, present)), None)
    return None if reply is None else f"{reply[1]}.0.0"
