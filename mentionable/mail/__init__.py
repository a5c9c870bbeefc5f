r"""E-mail: a raw mail, byte for byte, becomes one message for each agent that it is for.

A mail is read forgivingly: what is odd in it becomes a diagnostic, and only a mail without an addressable sender, for
nobody here, or over a limit is rejected. Its signatures are not: a sender is verified when DKIM shows their domain, or
DMARC does by a signature of a domain that belongs to it, and nothing in the mail can be read in two ways.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, directory, drive, mail
    >>> raw = b"From: Alice <alice@a.example>\nTo: helper@agents.example\n\nHello\n"
    >>> world = Answers(find_agent=directory({"helper@agents.example": "@helper@agents.example"}))
    >>> now = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
    >>> got = drive(mail.receive(raw, now=now, entropy=bytes(32)), world)
    >>> got.message.sender.display_name, got.message.recipient, got.message.parts[0].content
    ('Alice', Address('@helper@agents.example'), 'Hello\n')
"""

from __future__ import annotations

from ._envelope import Envelope
from ._receive import MailAsk, receive
from ._settings import Settings
from ._sign import dkim_record, sign
from ._verify import verify

__all__ = ["Envelope", "MailAsk", "Settings", "dkim_record", "receive", "sign", "verify"]
