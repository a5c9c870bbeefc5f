"""The door: a raw mail to one message for each agent that it is for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from .._crypto.verification import used_once
from .._errors.exceptions import WireError
from .._flow.asks import FindAgent, FindHistory, FindMessage, LookupTxt, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_entropy, check_inputs
from .._model.base import trusted
from .._model.capabilities import RecipientCapabilities, RecipientFieldRelay
from .._model.diagnostic import Diagnostic
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._wire.address import Address, agent_address
from ._envelope import Envelope, check_unit
from ._policy import with_policy
from ._raw import raw_of, read_lists, subject_of
from ._read.header_section import POLICY, Addresses, Head, read_head
from ._read.message import (
    Author,
    Content,
    Thread,
    canonical_mailbox,
    read_author,
    read_content,
    read_thread,
    subject_part,
)
from ._read.mime import root_head, walk
from ._verify import Authentication, Claim, authenticate, doubt_of, unsigned_fields

MailAsk: TypeAlias = LookupTxt | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask that this room makes."""

_CAPABILITIES: Final = RecipientCapabilities(mention_relay=RecipientFieldRelay(fields=("to", "cc")))
_draft = trusted(
    IncomingMessage,
    "native_id",
    "thread_id",
    "sender",
    "parts",
    "recipient_capabilities",
    "received_via",
    "raw",
    "parent_id",
    "thread_of",
    "received_trace",
)


def receive(
    raw: bytes,
    *,
    envelope: Envelope | None = None,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[MailAsk, Received | Rejected]:
    r"""What a raw mail says, as one message for each agent that it is for.

    The sender is verified when a signature shows their domain, as `verify` finds out. Whom the mail is for:
    `recipient`, else the recipients of the envelope, else those of To and Cc.

    Args:
        raw: The mail as it came, byte for byte. Never text: decoding would lose what signatures cover.
        envelope: What the SMTP conversation said.
        recipient: The agent that it is for, when you know; then nobody is asked.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each unit; the same give the same ids.
        settings: Limits, history policy, and what must be shown; `mail.Settings` has more than the others.

    Returns:
        A flow of `Received`, or of `Rejected` when the mail has no sender that can be addressed, is for nobody here, or
        is over a limit. Whatever else is odd in it is a diagnostic.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (email), §5.3, §5.3.1, §6, §8.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> raw = b"From: Alice <alice@a.example>\nSubject: Hi\n\nHello\n"
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(receive(raw, recipient="@helper@b.example", now=now, entropy=bytes(32)), Answers())
        >>> got.message.parts[0].content
        'Hello\n'
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    check_unit(raw, envelope)
    recipients = None if recipient is None else (agent_address(recipient),)
    return _received(bytes(raw), envelope, recipients, now, entropy, settings)


def _received(
    raw: bytes,
    envelope: Envelope | None,
    recipients: tuple[Address, ...] | None,
    now: datetime,
    entropy: bytes,
    settings: Settings,
) -> Flow[MailAsk, Received | Rejected]:
    """The flow behind the door. Whatever the mail's fault is ends in `Rejected`."""
    limits = settings.limits
    notes: list[Diagnostic] = []
    try:
        head = read_head(raw, limits=limits, notes=notes)
        author = read_author(head, limits=limits)
        doubt = doubt_of(head, author, notes)
        notes += author.notes
        lists = read_lists(head, limits=limits)
        thread = read_thread(head, limits=limits, notes=notes)
        tree = walk(head.raw, head.body, root_head(head.first, limits=limits), limits=limits, notes=notes)
        content = read_content(head.raw, tree, limits=limits, notes=notes)
        if recipients is None:
            recipients = yield from _recipients(envelope, (lists["to"], lists["cc"]), limits)
        claim = Claim(head, author.sender.address, doubt, thread.native_id, recipients[0], envelope)
        found = yield from authenticate(claim, now=now, settings=settings)
        notes += unsigned_fields(head, found.shown_by, is_subject_text=not content.parts)
        return (
            yield from deliver(
                _draft_of(head, author, lists, thread, content, envelope, found, limits, notes),
                recipients=recipients,
                verdict=(yield from used_once(found.verdict, settings)),
                now=now,
                entropy=entropy,
                settings=settings,
                blobs=content.blobs,
                diagnostics=notes,
            )
        )
    except WireError as error:
        return rejected(error)


def _draft_of(
    head: Head,
    author: Author,
    lists: dict[str, Addresses | None],
    thread: Thread,
    content: Content,
    envelope: Envelope | None,
    found: Authentication,
    limits: Limits,
    notes: list[Diagnostic],
) -> IncomingMessage:
    """What the mail says, for delivery to the agents. Of a mail without a body, its subject; a policy at the end."""
    subject = subject_of(head)
    said = content.parts or ((subject_part(subject),) if subject else ())
    if POLICY in head.first:
        said = with_policy(said, head, author.sender, found.shown_by, limits=limits, notes=notes)
    return _draft(
        thread.native_id,
        thread.thread_id,
        author.sender,
        said,
        _CAPABILITIES,
        "email",
        partial(
            raw_of,
            head.fields,
            author=author.field,
            lists=lists,
            subject=subject,
            texts=content.texts,
            attachments=content.attachments,
            envelope=envelope,
            judgements=found.judgements,
            dmarc=found.dmarc,
        ),
        thread.parent,
        thread.joins,
        content.trace,
    )


def _recipients(
    envelope: Envelope | None, fields: tuple[Addresses | None, ...], limits: Limits
) -> Flow[FindAgent, tuple[Address, ...]]:
    """The agents that a mail is for. To and Cc count only when the envelope names nobody who is served here."""
    named = _mailboxes(mailbox.address for field in fields if field for mailbox in field.mailboxes)
    if envelope is not None and envelope.rcpt_to:
        asked = _mailboxes(envelope.rcpt_to)
        try:
            return (yield from resolve_recipients(asked, limits=limits))
        except WireError as error:
            known = frozenset(asked)
            named = tuple([mailbox for mailbox in named if mailbox not in known])
            if error.code != "no-served-recipient" or not named:
                raise
    return (yield from resolve_recipients(named, limits=limits))


def _mailboxes(texts: Iterable[str]) -> tuple[str, ...]:
    """Mailboxes in canonical form where they have one, else as they were written."""
    return tuple([address.mailbox if (address := canonical_mailbox(text)) else text for text in texts if text])
