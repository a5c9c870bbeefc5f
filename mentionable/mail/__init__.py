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

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from .._text.invites import CalendarUser as CalendarUser
    from .._text.invites import EventTime as EventTime
    from .._text.invites import Invite as Invite
    from .._text.plain_text import subject as subject
    from .._text.spans import Span as Span
    from .._text.spans import new_text as new_text
    from .._text.spans import spans as spans
    from ._auth.sign import dkim_record as dkim_record
    from ._auth.sign import sign as sign
    from ._enclosed import ForwardedMail as ForwardedMail
    from ._enclosed import forwarded as forwarded
    from ._enclosed import invites as invites
    from ._enclosed import part_of as part_of
    from ._envelope import Envelope as Envelope
    from ._mbox import MboxMail as MboxMail
    from ._mbox import split_mbox as split_mbox
    from ._receive import MailAsk as MailAsk
    from ._receive import receive as receive
    from ._reply import Outgoing as Outgoing
    from ._reply import reply as reply
    from ._report import DeliveryAction as DeliveryAction
    from ._report import DeliveryStatus as DeliveryStatus
    from ._report import Disposition as Disposition
    from ._report import Feedback as Feedback
    from ._report import ReceivedReport as ReceivedReport
    from ._report import Report as Report
    from ._report import ReportKind as ReportKind
    from ._settings import Settings as Settings
    from ._verify import verify as verify
    from ._via import Via as Via
    from ._via import via as via

_HOME, _load = lazy_names(
    __name__,
    {
        "_text.invites": "CalendarUser EventTime Invite",
        "_text.plain_text": "subject",
        "_text.spans": "Span new_text spans",
        "mail._auth.sign": "dkim_record sign",
        "mail._enclosed": "ForwardedMail forwarded invites part_of",
        "mail._envelope": "Envelope",
        "mail._mbox": "MboxMail split_mbox",
        "mail._receive": "MailAsk receive",
        "mail._reply": "Outgoing reply",
        "mail._report": "DeliveryAction DeliveryStatus Disposition Feedback ReceivedReport Report ReportKind",
        "mail._settings": "Settings",
        "mail._verify": "verify",
        "mail._via": "Via via",
    },
)

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


if not TYPE_CHECKING:  # a type checker that saw it would take any name
    __getattr__ = _load


def __dir__() -> list[str]:
    return __all__
