"""The phrases with which mail servers say in words which mailboxes a mail did not reach, and how they write these.

Each phrase is one that a program writes before the mailboxes, or before one mailbox on the same line. Without a mailbox
where the phrase wants one, it says nothing.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .._report import DeliveryAction

_MAX_LINE: Final = 1_000
"""How much of a line is looked at, in characters: RFC 5322 §2.1.1 allows 998."""

_FAILED: Final = (
    r"the following address(?:es|\(es\))? failed",
    r"had permanent fatal errors",
    r"did not reach the following recipient",
    r"to the following recipients? (?:failed|was aborted)",
    r"the following recipients?(?:\(s\))? could not be reached",
    r"could not be delivered to one or more (?:destinations|recipients)",
    r"(?:cannot|could not) be delivered to(?: the following|:)",
    r"could not deliver message to the following",
    r"not delivered to(?: the following(?: addresses| recipients)?)?:",
    r"undeliverable to the following",
    r"did not receive (?:a copy of )?your message",
    r"able to deliver your message to the following",
    r"failed (?:addresses follow|recipients -)",
)
_DELAYED: Final = (
    r"not yet been delivered (?:is|are):",
    r"not yet been delivered to the following",
    r"to the following recipients? has been delayed",
    r"had transient non-fatal errors",
)
_ON_LINE_WITH: Final = (
    r"undeliverable {1,4}to",
    r"unknown user:",
    r"invalid final delivery userid:",
    r"mailbox exceeds allowed size:",
    r"mailbox is full:",
    r"delivery failed [0-9]{1,4} attempts:",
    r"undeliverable address:",
    r"error-for:",
    r"unable to deliver (?:your )?message to",
    r"local mailbox",
    r"did not reach the following recipient:",
)
_ENDS: Final = re.compile(
    r"(?:original message(?: as received)?|message (?:headers?|text)) (?:follows?|attached|is)\b"
    r"|copy of the (?:original |first part of the )?message",
    re.ASCII,
).search
_BEFORE_LIST: Final = re.compile(rf"(?P<failed>{'|'.join(_FAILED)})|(?:{'|'.join(_DELAYED)})", re.ASCII).search
_CHAR: Final = r"""[^\s<>()\[\],;:"\\@]"""
_MAILBOX: Final = rf"({_CHAR}{{1,64}}@(?:\[[0-9a-f.:]{{2,64}}\]|{_CHAR}{{1,255}}))"
_ON_LINE: Final = re.compile(rf"(?:{'|'.join(_ON_LINE_WITH)}) {{0,4}}<?{_MAILBOX}", re.IGNORECASE).search
_LISTED: Final = re.compile(
    # before it: the mark of a list, the words of two programs, an address of X.400
    rf"(?:\* {{1,4}}|recipient: {{1,4}}\[smtp:|recipient address: {{1,4}}|c=[^@]{{1,200}}smtp=)?<?{_MAILBOX}>?"
    # behind it: nothing, when, or why
    r"(?:\]?[:;]?\Z|[:;](?= )| (?=\()| {0,4}\.\.\. {0,4}|;? on [a-z]{3}, .*+)",
    re.IGNORECASE,
).match


class Listed(NamedTuple):
    """A mailbox that a line names, and why the mail did not reach it, as far as the line says that."""

    mailbox: str
    reason: str


def action_before(line: str, following: str) -> DeliveryAction | None:
    """What a server did for the mailboxes that come next, by the words of two lines; None where they do not say."""
    match = _BEFORE_LIST(f"{line[-_MAX_LINE:]} {following[:_MAX_LINE]}".lower())
    return None if match is None else "failed" if match["failed"] else "delayed"


def mailbox_on_line(line: str) -> str | None:
    """The mailbox on a line that says itself that a mail did not reach it."""
    match = _ON_LINE(line[:_MAX_LINE])
    return match[1] if match else None


def listed(line: str) -> Listed | None:
    """The mailbox with which a line of a list begins."""
    match = _LISTED(line[:_MAX_LINE])
    return Listed(match[1], line[match.end() :].strip()) if match else None


def is_end(line: str) -> bool:
    """Whether a line says that the mail that came back is below it."""
    return _ENDS(line[:_MAX_LINE].lower()) is not None
