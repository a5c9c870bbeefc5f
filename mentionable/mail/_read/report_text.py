"""Bounces that say in words alone which recipients a mail did not reach, as many mail servers write them."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..._flow.settings import Limits
from .._report import DeliveryAction
from .header_section import read_line
from .report_fields import MAX_CHARS, TOO_LONG, beginning, lines_of
from .report_phrases import action_before, is_end, listed, mailbox_on_line

_RETURNED: Final = ("original", "copy of", "returned", "unsent", "undelivered", "message header", "message text")


def is_qsbmf(text: str) -> bool:
    """Whether a text has the marks of a bounce of qmail: `<local@domain>:` on a line, and dashes above the mail."""
    return ">:\n" in text and "\n---" in text


class Missed(NamedTuple):
    """What a bounce says of one mailbox.

    Attributes:
        action: What the server did.
        reason: Why, in one line; "" where it does not say so.
    """

    action: DeliveryAction
    reason: str


NOT_EXPLAINED: Final = Missed("failed", "")
"""That a mail did not reach a mailbox, without a reason."""


class Explained(NamedTuple):
    """The text of a bounce.

    Attributes:
        mailboxes: Mailbox → why the mail did not reach it.
        returned: The mail that came back below it, from its first field on; "" where none did.
        fault: What is odd, in words, or "".
    """

    mailboxes: dict[str, Missed]
    returned: str
    fault: str = ""


def read_text(text: str, *, is_list: bool = False, limits: Limits) -> Explained:
    """The mailboxes in the text of a bounce, each with the lines that follow it up to an empty one.

    A phrase that mail servers write begins a list. A mailbox is alone on the first line of a paragraph: qmail writes
    `<local@domain>:`, Exim indents it, and the lines that follow it more; Postfix writes the reason behind it. A line
    that begins with dashes ends the list; below it is the mail that came back.

    Args:
        text: The text.
        is_list: Whether the whole text is such a list, as that of qmail is.
        limits: How many mailboxes are read, and how long a reason may be.
    """
    reader = _TextReader(limits, is_list=is_list)
    position = 0
    for line in lines_of(beginning(text)):
        position += len(line) + 1
        if reader.take(line):
            return Explained(reader.mailboxes(), text[position:].lstrip("\r\n"), reader.fault)
    return Explained(reader.mailboxes(), "", reader.fault or (TOO_LONG if len(text) > MAX_CHARS else ""))


class _TextReader:
    """Gathers mailboxes, and why a mail did not reach them."""

    def __init__(self, limits: Limits, *, is_list: bool) -> None:
        self.fault = ""
        self._limits = limits
        self._whole: DeliveryAction | None = "failed" if is_list else None
        self._list: DeliveryAction | None = self._whole
        self._missed: dict[str, tuple[DeliveryAction, list[str]]] = {}
        self._reason: list[str] | None = None
        self._size, self._indent, self._is_deeper = 0, 0, True
        self._before = ""

    def mailboxes(self) -> dict[str, Missed]:
        """All of them, in order."""
        return {one: Missed(action, read_line(" ".join(words))) for one, (action, words) in self._missed.items()}

    def take(self, line: str) -> bool:
        """Takes a line. Returns whether the mail that came back is below it."""
        words, depth = line.strip(), len(line) - len(line.lstrip())
        before, self._before = self._before, words
        if not words:
            self._reason, self._before = None, ""
        elif (action := self._action(before, words)) is not None:
            self._list, self._reason, self._before = action, None, ""
            self._on_line(words)
        elif words.startswith("--"):
            self._list, self._reason = self._whole, None
            return words.startswith("--- ") or any(mark in words.lower() for mark in _RETURNED)
        elif self._missed and self._reason is None and is_end(words):
            return True
        elif self._begins(depth) and self._list is not None and (named := listed(words)) is not None:
            self._add(self._list, named.mailbox, named.reason, depth)
        elif self._reason is not None:
            self._is_deeper = self._is_deeper and depth > self._indent
            self._explain(words)
        else:
            self._on_line(words)
        return False

    def _action(self, before: str, words: str) -> DeliveryAction | None:
        """What the server did for the mailboxes below, where this line begins their list."""
        return None if self._reason or words[0] == ">" else action_before(before, words)

    def _begins(self, depth: int) -> bool:
        """Whether a line may begin with a mailbox: the lines above it are no reason, or stand deeper."""
        return not self._reason or (depth == self._indent and (depth > 0 or self._is_deeper))

    def _on_line(self, words: str) -> None:
        """Takes the mailbox of a line that says all by itself."""
        mailbox = mailbox_on_line(words) if words[0] != ">" else None
        if mailbox is not None:
            self._add("failed", mailbox, words, 0)

    def _add(self, action: DeliveryAction, mailbox: str, reason: str, depth: int) -> None:
        if mailbox in self._missed:
            self._explain(reason)
        elif len(self._missed) >= self._limits.recipients:
            self.fault, self._reason = f"more than {self._limits.recipients} recipients", None
        else:
            self._reason, self._size, self._indent, self._is_deeper = [], 0, depth, True
            self._missed[mailbox] = (action, self._reason)
            self._explain(reason)

    def _explain(self, words: str) -> None:
        """Adds words to the reason."""
        if self._reason is None or not words:
            return
        self._size += len(words)
        if self._size > self._limits.mail_field_bytes:
            self.fault = self.fault or f"a reason has more than {self._limits.mail_field_bytes} characters"
            self._reason = None
        else:
            self._reason.append(words)
