"""`mail.receive`: a raw mail becomes one message for each agent that it is for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

from .._crypto.verification import VerificationFailed, check_replay
from .._errors.exceptions import WireError
from .._flow.asks import FindAgent, FindHistory, FindMessage, LookupTxt, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Received, Rejected, rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_entropy, check_inputs
from .._model.answerable import DUE, as_extra
from .._model.base import EMPTY_DICT, replace, tuple_maker, unchecked
from .._model.capabilities import RecipientCapabilities, RecipientFieldRelay
from .._model.diagnostic import Diagnostic
from .._model.parts import TextPart
from .._model.stored_message import StoredMessage
from .._transport.delivery import IncomingMessage, ask_stored, deliver, resolve_recipients
from .._wire.address import Address, agent_address, canonical_mailbox
from ._envelope import Envelope
from ._policy import append_policy
from ._raw import raw_of
from ._read.automatic import AUTORESPONDER, FAILED, FIELDS, IS_MAILER_PATH, IS_SIGN, Signs, read_signs
from ._read.enclosed import read_enclosed
from ._read.header_section import (
    ADDRESS_FIELDS,
    POLICY,
    Addresses,
    HeaderSection,
    check_mail,
    read_addresses,
    read_header_section,
    read_line,
)
from ._read.mailer import is_named_mailer, unnamed_author
from ._read.message import Author, Content, read_author, read_content, read_thread
from ._read.mime import walk
from ._read.report import read_report
from ._report import ReceivedReport, Report
from ._verify import Authentication, SenderClaim, authenticate, unsigned_fields

MailAsk: TypeAlias = LookupTxt | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask that `receive` makes."""

_CAPABILITIES: Final = RecipientCapabilities(mention_relay=RecipientFieldRelay(fields=("to", "cc")))
_new_claim = tuple_maker(SenderClaim)
_new_incoming = unchecked(IncomingMessage)
_TRACED: Final = frozenset(("return-path", "delivered-to"))
"""Fields of which any may be a sign, not the first alone."""

_new_text_part = unchecked(TextPart)


def receive(
    raw: bytes,
    *,
    envelope: Envelope | None = None,
    recipient: str | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Flow[MailAsk, Received | ReceivedReport | Rejected]:
    r"""Read a raw mail as one message for each agent that it is for.

    The sender is verified when a signature verifies their domain, as `verify` does it. The mail is for `recipient`,
    else for the recipients of the envelope, else for those of To and Cc.

    Args:
        raw: The mail as it came, byte for byte. Never text: decoding would lose what signatures cover.
        envelope: The SMTP envelope.
        recipient: The agent that it is for, when you know it; then no agent is looked up.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each mail; the same give the same ids.
        settings: Limits, history policy, and what must be verified; `mail.Settings` has more than the others.

    Returns:
        A flow of `Received`; of `ReceivedReport` when a program reports about a mail: a bounce, a receipt, a complaint;
        or of `Rejected` when the mail is no report and has no sender that can be addressed, is for no agent here, or is
        over a limit. Whatever else is odd in it is a diagnostic. With `require_verified`, an unverified mail is
        rejected, unless it is a report about a mail that your store shows as your agent's own.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5 (email), §5.3, §5.3.1, §6, §8; RFC 3464, 8098 and 5965 (reports).

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
    check_mail(raw, envelope)
    recipients = None if recipient is None else (agent_address(recipient),)
    return _received(bytes(raw), envelope=envelope, recipients=recipients, now=now, entropy=entropy, settings=settings)


def _received(
    raw: bytes,
    *,
    envelope: Envelope | None,
    recipients: tuple[Address, ...] | None,
    now: datetime,
    entropy: bytes,
    settings: Settings,
) -> Flow[MailAsk, Received | ReceivedReport | Rejected]:
    # 1. read the header section     7. authenticate the sender
    # 2. read the sender             8. read the policy in the header section
    # 3. read the addresses, thread  9. find out whether an answer is due
    # 4. read the body               10. ask for the mail that a report is about
    # 5. read the report             11. deliver one message to each recipient
    # 6. find the recipients, unless the caller named one
    limits = settings.limits
    try:
        # 1.
        headers = read_header_section(raw, limits=limits)
        first = headers.first

        # 2. Mail servers often write no address into From: such a mail has a sender where it is a report.
        unnamed: WireError | None = None
        odd_paths = _odd_paths(first, envelope)
        is_mailer = any(map(IS_MAILER_PATH, odd_paths))
        may_report = FAILED in first or "report" in first.get("content-type", "")[:24].lower()
        try:
            author = read_author(headers, limits=limits)
            is_mailer = is_mailer or author.is_mailer
        except WireError as error:
            is_mailer = is_mailer or is_named_mailer(headers)
            if not (is_mailer or may_report):
                raise
            author, unnamed = unnamed_author(error), error.with_traceback(None)

        # 3.
        lists: dict[str, Addresses | None] = dict.fromkeys(ADDRESS_FIELDS)
        for name in lists:
            if name in first:
                lists[name] = read_addresses(first[name], name=name, limit=limits.recipients)
        thread = read_thread(headers, limits=limits)

        # 4. A mail without a body says its subject.
        tree = walk(headers.raw, headers.body, first, limits=limits)
        content = read_content(headers.raw, tree, limits=limits)
        if content.enclosed:
            content = read_enclosed(content, limits=limits)
        subject = read_line(first["subject"]) if "subject" in first else None
        parts = content.parts or ((_new_text_part(content=subject),) if subject else ())
        diagnostics = [
            *headers.diagnostics,
            *author.diagnostics,
            *thread.diagnostics,
            *tree.diagnostics,
            *content.diagnostics,
        ]

        # 5. Only what a mail server wrote, or what says that it is one, may be a report.
        report: Report | None = None
        if is_mailer or may_report:
            report, faults = read_report(headers, tree, content.texts, is_mailer=is_mailer, limits=limits)
            diagnostics += faults
        if unnamed is not None and report is None:
            raise unnamed

        # 6.
        if recipients is None:
            recipients = yield from _recipients(envelope, (lists["to"], lists["cc"]), limits)

        # 7.
        claim = _new_claim(
            headers=headers,
            author=author,
            native_id=thread.native_id,
            host=recipients[0].domain,
            envelope=envelope,
        )
        if unnamed is None:
            auth = yield from authenticate(claim, now=now, settings=settings)
        else:  # there is no domain that could verify it
            auth = Authentication(VerificationFailed(unnamed.code, str(unnamed)).verdict())
        if auth.verified_by is not None:
            diagnostics += unsigned_fields(headers, auth.verified_by, is_subject_text=not content.parts)
        if auth.forwarder is not None:
            diagnostics.append(Diagnostic(code="trusted-forwarder", at="/headers/arc-seal", detail=auth.forwarder))

        # 8.
        if POLICY in first:
            parts, odd = append_policy(parts, headers, author.sender, auth.verified_by, limits=limits)
            diagnostics += odd

        # 9.
        unanswerable = EMPTY_DICT
        if odd_paths or may_report or report is not None or _may_have_signs(headers, author, content):
            signs = Signs(
                headers=headers,
                sender=author.sender.address[1:],
                by_name=author.by_name,
                addressed=(lists["to"], lists["cc"]),
                reply_to=lists["reply-to"],
                agents=[agent.mailbox for agent in recipients],
                odd_paths=odd_paths,
                is_reply="REPLY" in content.methods,
                is_report=report is not None,
            )
            unanswerable = as_extra(read_signs(signs))

        # 10.
        asked: dict[FindMessage, Any] | None = None
        stored: dict[str, StoredMessage] = {}
        if report is not None and (original_id := report.original_id) is not None:
            parents, joins = (original_id, *thread.parents), (original_id, *thread.joins)
            thread = thread._replace(parents=parents, joins=joins)
            answer = yield from ask_stored((original_id,), recipients, verdict=auth.verdict)
            if isinstance(answer, Rejected):
                return answer
            asked, stored = answer, _own(answer)

        # 11. A signature counts for one mail: replayed with another mail, it does not verify.
        checked = yield from check_replay(auth.verdict, settings, recipients)
        if stored and settings.require_verified and not checked.verdict.verified:
            # Reports are rarely signed. Only who got the mail of an agent knows its id.
            recipients = tuple([agent for agent in recipients if agent in stored])
            settings = replace(settings, require_verified=False)
        incoming = _new_incoming(
            native_id=thread.native_id,
            thread_id=thread.thread_id,
            sender=author.sender,
            parts=parts,
            recipient_capabilities=_CAPABILITIES,
            received_via="email",
            # Made when a caller asks for it, of these few values: the message does not keep the whole mail in memory.
            raw=partial(
                raw_of,
                headers.fields,
                author=author.field,
                address_fields=lists,
                subject=subject,
                texts=content.texts,
                attachments=content.attachments,
                envelope=envelope,
                results=auth.results,
                dmarc=auth.dmarc,
                chain=auth.chain,
            ),
            aliases=() if thread.conversation is None else (thread.conversation,),
            parents=thread.parents,
            thread_of=thread.joins,
            # Outlook's own mark counts where no Message-ID tells anything.
            conversation_id=None if thread.joins else thread.conversation,
            received_trace=content.trace,
            asked=asked,
            extra=unanswerable,
            is_report=report is not None,
        )
        received = yield from deliver(
            incoming,
            recipients=recipients,
            verdict=checked.verdict,
            seen_by=checked.seen_by,
            now=now,
            entropy=entropy,
            settings=settings,
            blobs=content.blobs,
            diagnostics=diagnostics,
        )
        if report is None or isinstance(received, Rejected):
            return received
        return ReceivedReport(report=report, received=received, stored=stored)
    except WireError as error:
        return rejected(error)


def _odd_paths(first: Mapping[str, str], envelope: Envelope | None) -> list[str]:
    """The return paths, in the header section and in the envelope, that are not those of an ordinary mail."""
    paths = [first["return-path"]] if "return-path" in first else []
    if envelope is not None and envelope.mail_from is not None:
        paths.append(envelope.mail_from)
    return list(filter(IS_SIGN, paths))


def _may_have_signs(headers: HeaderSection, author: Author, content: Content) -> bool:
    """Whether anything else may be a sign that no answer is due. So an ordinary mail enters no further module."""
    first = headers.first
    return not (
        author.by_name is DUE
        and FIELDS.isdisjoint(first)
        and not content.attachments
        and ("delivered-to" not in first or first["delivered-to"].lower() != AUTORESPONDER)
        and _TRACED.isdisjoint(headers.repeated)
    )


def _own(asked: Mapping[FindMessage, StoredMessage | None]) -> dict[str, StoredMessage]:
    """Agent → the stored mail, where the agent sent it. What only claims to be the agent's does not count."""
    return {
        ask.recipient: row
        for ask, row in asked.items()
        if row is not None and row.sender == ask.recipient and row.auth_method != "none" and row.verified is not False
    }


def _recipients(
    envelope: Envelope | None, fields: tuple[Addresses | None, ...], limits: Limits
) -> Flow[FindAgent, tuple[Address, ...]]:
    """The agents that a mail is for. To and Cc count only when the envelope names no agent that is served here."""
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
