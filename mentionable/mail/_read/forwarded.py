"""A mail inside a mail (RFC 2046 §5.2.1): what it claims, and its parts. Nothing in it is verified."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic, unread
from ..._model.sender import Sender
from ..._wire.address import Address
from .header_section import read_date, read_header_section, read_line
from .message import Content, read_author, read_content
from .mime import walk

MAX_DEPTH: Final = 3
"""How many mails inside each other are opened when a mail is received."""


class Opened(NamedTuple):
    """A mail inside a mail, one level of it.

    Attributes:
        sender: The sender that From names, if it names one address.
        claim: From, as a line of text.
        date: Its Date, RFC 3339 in UTC.
        subject: Its Subject.
        content: Its content, of whose files nothing more is read yet.
        body_part_count: The number of its body parts.
        diagnostics: What is odd in it, but for its content.
    """

    sender: Sender | None
    claim: str
    date: str | None
    subject: str | None
    content: Content
    body_part_count: int
    diagnostics: tuple[Diagnostic, ...]


def open_mail(data: bytes, *, limits: Limits) -> Opened:
    """Read a mail inside a mail.

    Raises:
        WireError: It has no header section, or is over a limit.

    Spec: RFC 2046 §5.2.1.
    """
    headers = read_header_section(data, limits=limits)
    first = headers.first
    sender: Sender | None = None
    claim = read_line(first.get("from", ""))
    diagnostics = [*headers.diagnostics]
    try:
        author = read_author(headers, limits=limits)
        sender = author.sender
        diagnostics += author.diagnostics
        mailbox = Address(sender.address).mailbox
        claim = f"{sender.display_name} <{mailbox}>" if sender.display_name else mailbox
    except WireError as error:
        diagnostics.append(unread(error))
    tree = walk(headers.raw, headers.body, first, limits=limits)
    content = read_content(headers.raw, tree, limits=limits)
    return Opened(
        sender,
        claim,
        read_date(first.get("date", "")),
        read_line(first.get("subject", "")) or None,
        content,
        len(tree.body_parts),
        (*diagnostics, *tree.diagnostics),
    )
