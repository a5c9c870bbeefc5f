"""Bounces that say in words alone which recipients a mail did not reach: those of Exim and qmail."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..._flow.settings import Limits
from .header_section import read_line
from .report_fields import lines_of

QSBMF: Final = "Hi. This is the"
"""How the text of a bounce of qmail begins (QSBMF)."""

_RETURNED: Final = ("original", "copy of", "returned", "unsent", "undelivered")


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

    A mailbox stands alone on its line: Exim indents it, qmail writes `<local@domain>:`. A line that begins with dashes
    ends them; below it is the mail that came back.
    """
    reasons: dict[str, list[str]] = {}
    gathered: list[str] | None = None
    position, fault, size = 0, "", 0
    for line in lines_of(text):
        position += len(line) + 1
        words = line.strip()
        if words.startswith("--"):
            if words.startswith("--- ") or any(mark in words.lower() for mark in _RETURNED):
                return Explained(_joined(reasons), text[position:].lstrip("\r\n"), fault)
            gathered = None
        elif not words:
            gathered = None
        elif (mailbox := _mailbox(words)) and mailbox not in reasons:
            if len(reasons) >= limits.recipients:
                fault, gathered = f"more than {limits.recipients} recipients", None
                continue
            gathered, size = reasons.setdefault(mailbox, []), 0
        elif gathered is not None:
            size += len(words)
            if size > limits.mail_field_bytes:
                fault, gathered = fault or f"a reason has more than {limits.mail_field_bytes} characters", None
            else:
                gathered.append(words)
    return Explained(_joined(reasons), "", fault)


def _mailbox(words: str) -> str:
    """The mailbox that a line names alone, or ""."""
    mailbox = words.removesuffix(":").removeprefix("<").removesuffix(">")
    return mailbox if "@" in mailbox[1:-1] and not any(char in mailbox for char in ' \t<>(),;:"') else ""


def _joined(reasons: dict[str, list[str]]) -> dict[str, str]:
    return {mailbox: read_line(" ".join(lines)) for mailbox, lines in reasons.items()}
