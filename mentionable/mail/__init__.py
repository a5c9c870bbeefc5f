r"""E-mail: a raw mail, byte for byte, becomes one message for each agent that it is for, and its answer a mail.

A mail is read forgivingly: what is odd in it becomes a diagnostic, and only a mail without an addressable sender, for
no agent here, or over a limit is rejected. An invalid signature rejects no mail: it leaves the sender unverified. A
sender is verified when DKIM verifies their domain, or DMARC does by a signature of a domain of the same organisation,
and the mail is not ambiguous.

An answer is due when `message.answerable` is true: no program and no list gets one. What else a mail says is read from
the message when you ask: its `subject`, which is no part of its text; what of a text is new (`spans`, `new_text`); on
whose behalf it was sent (`via`); `invites`, `forwarded` mails, and the file that a `cid:` URL names (`part_of`). A
bounce, a receipt or a complaint is no message, but a `ReceivedReport`.

A mail is written strictly: in ASCII but for a mailbox that is not, in short lines, with nothing ambiguous in it. People
see text or simple HTML; other agents find the whole response alongside it.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, NormalizedResponse, directory, drive, mail
    >>> raw = b"From: Alice <alice@a.example>\nTo: helper@agents.example\n\nHello\n"
    >>> lookups = Answers(find_agent=directory({"helper@agents.example": "@helper@agents.example"}))
    >>> now = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
    >>> got = drive(mail.receive(raw, now=now, entropy=bytes(32)), lookups)
    >>> got.message.sender.display_name, got.message.recipient, got.message.parts[0].content
    ('Alice', Address('@helper@agents.example'), 'Hello\n')
    >>> response = NormalizedResponse.to(got.message, "Hello, *Alice*!")
    >>> answer = mail.reply(response, to=got.message, now=now, entropy=bytes(32))
    >>> answer.mail_from, answer.rcpt_to
    ('helper@agents.example', ('alice@a.example',))
    >>> back = drive(mail.receive(answer.data, recipient="@alice@a.example", now=now, entropy=bytes(32)), lookups)
    >>> back.message.parts[0].content, back.message.received_trace == response
    ('Hello, *Alice*!', True)
"""

from __future__ import annotations

from .._text.invites import CalendarUser, EventTime, Invite
from .._text.plain_text import subject
from .._text.spans import Span, new_text, spans
from ._auth.sign import dkim_record, sign
from ._enclosed import ForwardedMail, forwarded, invites, part_of
from ._envelope import Envelope
from ._mbox import MboxMail, split_mbox
from ._receive import MailAsk, receive
from ._reply import Outgoing, reply
from ._report import (
    DeliveryAction,
    DeliveryStatus,
    Disposition,
    Feedback,
    ReceivedReport,
    Report,
    ReportKind,
)
from ._settings import Settings
from ._verify import verify
from ._via import Via, via

__all__ = [
    "CalendarUser",
    "DeliveryAction",
    "DeliveryStatus",
    "Disposition",
    "Envelope",
    "EventTime",
    "Feedback",
    "ForwardedMail",
    "Invite",
    "MailAsk",
    "MboxMail",
    "Outgoing",
    "ReceivedReport",
    "Report",
    "ReportKind",
    "Settings",
    "Span",
    "Via",
    "dkim_record",
    "forwarded",
    "invites",
    "new_text",
    "part_of",
    "receive",
    "reply",
    "sign",
    "spans",
    "split_mbox",
    "subject",
    "verify",
    "via",
]
