"""Bounces that say in words alone which recipients a mail did not reach: those of Exim and qmail."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..._flow.settings import Limits
from .header_section import read_line
from .report_fields import MAX_CHARS, TOO_LONG, beginning, lines_of

_RETURNED: Final = ("original", "copy of", "returned", "unsent", "undelivered")


def is_qsbmf(text: str) -> bool:
    """Whether a text has the marks of a bounce of qmail: `<local@domain>:` on a line, and dashes above the mail."""
    return ">:\n" in text and "\n---" in text


class Explained(NamedTuple):
    """The text of a bounce.

    Attributes:
        reasons: Mailbox → why the mail did not reach it, in one line.
        returned: The mail that came back below it, from its first field on; "" where none did.
        fault: What is odd, in words, or "".
    """

    reasons: dict[str, str]
    returned: str
    fault: str = ""


def read_text(text: str, *, limits: Limits) -> Explained:
    """The mailboxes in the text of a bounce, each with the lines that follow it up to an empty one.

    A mailbox is alone on the first line of a paragraph: qmail writes `<local@domain>:`, Exim indents it, and the
    lines that follow it more. A line that begins with dashes ends them; below it is the mail that came back.
    """
    reasons: dict[str, list[str]] = {}
    gathered: list[str] | None = None
    position, fault, size, indent = 0, "", 0, 0
    for line in lines_of(beginning(text)):
        position += len(line) + 1
        words, depth = line.strip(), len(line) - len(line.lstrip())
        if words.startswith("--"):
            if words.startswith("--- ") or any(mark in words.lower() for mark in _RETURNED):
                return Explained(_joined(reasons), text[position:].lstrip("\r\n"), fault)
            gathered = None
        elif not words:
            gathered = None
        elif (not gathered or 0 < depth == indent) and (mailbox := _mailbox(words)) and mailbox not in reasons:
            if len(reasons) >= limits.recipients:
                fault, gathered = f"more than {limits.recipients} recipients", None
                continue
            gathered, size, indent = reasons.setdefault(mailbox, []), 0, depth
        elif gathered is not None:
            size += len(words)
            if size > limits.mail_field_bytes:
                fault, gathered = fault or f"a reason has more than {limits.mail_field_bytes} characters", None
            else:
                gathered.append(words)
    return Explained(_joined(reasons), "", fault or (TOO_LONG if len(text) > MAX_CHARS else ""))


def _mailbox(words: str) -> str:
    """The mailbox that a line names alone, or ""."""
    mailbox = words.removesuffix(":").removeprefix("<").removesuffix(">")
    return mailbox if "@" in mailbox[1:-1] and not any(char in mailbox for char in ' \t<>(),;:"') else ""


def _joined(reasons: dict[str, list[str]]) -> dict[str, str]:
    return {mailbox: read_line(" ".join(lines)) for mailbox, lines in reasons.items()}
