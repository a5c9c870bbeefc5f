"""`mail.reply`: a response becomes a mail that is ready to be sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

from attrs import field

from .._errors.exceptions import UnanswerableError, UsageError
from .._flow.settings import DEFAULTS, Settings, check_kind, own_settings
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import CarriedPolicy
from .._transport.policy_part import has_private_policy
from .._transport.reply import NO_BLOBS, check_reply, check_size, check_whole
from .._wire.address import MAIL_ANONYMOUS, Address
from .._wire.ids import derive, uuid7
from .._wire.time import mail_date
from ._auth.sign import sign
from ._policy import write_policy
from ._read.automatic import named_as_program
from ._read.identification import next_thread_index
from ._settings import Settings as MailSettings
from ._write.body import Content, compose, write_body
from ._write.header_section import folded, is_message_id, mailboxes_field, text_field, unsubscribe_fields
from ._write.question import Question, question_of
from ._write.recipients import asker_alone, author_of, recipients_of

_MAX_REFERENCES_CHARS: Final = 8_000
"""Of a longer chain its root and its end stay, so that readers still find the thread."""

_ALWAYS: Final = (
    "X-Auto-Response-Suppress: OOF, AutoReply",  # the same for those that do not know the RFC; bounces still come
    "MIME-Version: 1.0",
)


@frozen
class Outgoing:
    """A mail to hand to your SMTP client.

    Store the response under `native_id`, so that an answer to it is known as one. Where your server writes another
    Message-ID (Amazon SES does, and tells it to you), store it under that one too.

    Attributes:
        mail_from: The reverse path, without `<>`: bounces go there.
        rcpt_to: The mailboxes that it is for, without `<>`.
        data: The mail, its lines ended by CRLF.
        native_id: Its Message-ID with its `<>`.
        smtputf8: Whether a mailbox is not ASCII, so that the server must offer SMTPUTF8 (RFC 6531).
        diagnostics: What was odd; the mail is fit to be sent all the same.
    """

    mail_from: str
    rcpt_to: tuple[str, ...]
    data: bytes = field(repr=False)
    native_id: str
    smtputf8: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    supersedes: str | None = None,
    sender: str | None = None,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[str] = (),
    settings: Settings = DEFAULTS,
) -> Outgoing:
    r"""The mail that answers a mail: for people as text and as HTML, for programs with the whole response alongside it.

    It goes to the asker and to the siblings that you name, and to no other recipient of the question. One with a policy
    that has a state, a link to pay or sign in, or a question of consent goes to the mailbox of the asker alone. The
    thread goes on as mail programs expect it, or as `push_back.thread_ref`, a Message-ID, says. Send it once for each
    response.

    What is not `answerable` gets no answer: programs could answer each other for ever, and a list has many readers.
    `mail.Settings(answer_unanswerable=True)` writes it all the same, with the diagnostic `loop-risk`.

    A mail cannot be called back. Of one that names an older answer in Supersedes some programs hide the old one, others
    show both, in one thread: so let the new text say that it corrects the old one.

    Args:
        response: The answer, whole.
        to: The message that it answers, as `receive` gave it.
        supersedes: The `native_id` of the answer to the same message that this one takes the place of; it was sent from
            the same domain. Give the same siblings again, or they know only the old answer.
        sender: Who it is from, as `Name <helper@agents.example>`, a mailbox or an address; None: the agent that was
            asked.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each mail; the same give the same mail.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        siblings: Addresses of agents that get the answer too, and so are brought in.
        settings: `mail.Settings` with the key that signs; limits, the trace viewer.

    Raises:
        UnanswerableError: The message is not answerable: ask `to.answerable` before the agent runs. Or a list
            or a service passed it on (`via`), and the answer has a policy for the asker alone (`no-private-way`).
        UsageError: The response may not go out like that, the message is a report of a mail server that names no
            address, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §3.3.1, §4, §10.3; RFC 5322 §3.6; RFC 3834 §3; RFC 2156 and RFC 5536 §3.2.12 (Supersedes).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, NormalizedResponse, drive
        >>> from mentionable.mail import receive
        >>> now, entropy = datetime(2026, 11, 21, tzinfo=UTC), bytes(32)
        >>> raw = b"From: Alice <alice@a.example>\nSubject: Rain?\nMessage-ID: <1@a.example>\n\nWill it rain?\n"
        >>> flow = receive(raw, recipient="@helper@agents.example", now=now, entropy=entropy)
        >>> question = drive(flow, Answers()).message
        >>> out = reply(NormalizedResponse.to(question, "It will."), to=question, now=now, entropy=entropy)
        >>> out.mail_from, out.rcpt_to
        ('helper@agents.example', ('alice@a.example',))
        >>> [line.decode() for line in out.data.splitlines()[1:5:2]]
        ['To: Alice <alice@a.example>', 'Date: Sat, 21 Nov 2026 00:00:00 +0000']
    """
    # 1. check the response            5. compose the content
    # 2. read the mail that it answers  6. write the header fields, and the policy among them
    # 3. find the recipients            7. write the mail
    # 4. find the thread                8. sign it

    # 1.
    check_reply(response, to=to, channel="email", now=now, entropy=entropy, settings=settings)
    check_whole(response)
    limits = settings.limits

    # 2.
    question = question_of(to, limits=limits)
    own = own_settings(MailSettings, settings)
    diagnostics: list[Diagnostic] = []
    if question.is_first_contact or to.answerable.reason is not None:
        diagnostics += _loop_risk(to, question, own)

    # 3.
    author = author_of(sender, to=to)
    domain = author.address.rpartition("@")[2]
    recipients = recipients_of(question.reply_to, author=author, to=to, siblings=siblings, limits=limits)
    has_policy = bool(response.parts) and isinstance(response.parts[-1], CarriedPolicy)
    if has_policy and has_private_policy(response):
        recipients = asker_alone(recipients, to=to)
    diagnostics += recipients.diagnostics

    # 4.
    parent, references = _thread(response, question, to)

    # 5.
    seed = derive("mail.reply", entropy, to.id, to.recipient)
    content, left_out = compose(response, blobs=blobs, seed=seed, domain=domain, limits=limits)
    diagnostics += left_out

    # 6.
    fields = [mailboxes_field("From", (author,)), mailboxes_field("To", recipients.to)]
    if recipients.cc:
        fields.append(mailboxes_field("Cc", recipients.cc))
    subject = question.subject if question.is_first_contact else _reply_subject(question.subject)
    fields += text_field("Subject", subject), f"Date: {mail_date(now)}"
    if parent is not None:
        fields.append(folded("In-Reply-To", [parent]))
    if references:
        fields.append(folded("References", references))
    if question.thread_index and parent == question.parent:
        index = next_thread_index(question.thread_index, now)
        if index is not None:
            fields.append(folded("Thread-Index", [index]))
    if supersedes is not None:
        fields.append(folded("Supersedes", [_own_id(supersedes, domain)]))
    if has_policy:
        policy, left_out = write_policy(response, limits=limits)
        fields += () if policy is None else (policy,)
        diagnostics += left_out
    fields += unsubscribe_fields(own.unsubscribe)

    # 7.
    submitted = "auto-generated" if question.is_first_contact else "auto-replied"
    data, native_id = write_mail(fields, content, submitted=submitted, domain=domain, now=now, seed=seed)
    check_size(data, most=limits.mail_bytes, what="a mail")

    # 8. A key of another domain verifies no sender.
    key = own.key
    if key is not None:
        data = sign(data, key=key, now=now)
        if key.key_id.partition("._domainkey.")[2].lower() != domain.lower():
            diagnostics.append(
                Diagnostic(code="not-aligned", at="/headers/from", detail="the key is of another domain")
            )

    rcpt_to = tuple([mailbox.address for mailbox in (*recipients.to, *recipients.cc)])
    return Outgoing(
        mail_from=author.address,
        rcpt_to=rcpt_to,
        data=data,
        native_id=native_id,
        smtputf8=not "".join((author.address, *rcpt_to)).isascii(),
        diagnostics=tuple(diagnostics),
    )


def _loop_risk(to: NormalizedMessage, question: Question, settings: MailSettings) -> list[Diagnostic]:
    """A diagnostic where what is written goes to a program, which may answer in turn.

    Raises:
        UnanswerableError: The message is not answerable, and the settings do not ask for an answer all the same.
        UsageError: It is a report of a mail server that names no address of its own.

    Spec: RFC 3834 §2.
    """
    answerable = to.answerable
    if question.is_first_contact:
        answerable = named_as_program(Address(to.sender.address))
    elif answerable.reason is not None and not settings.answer_unanswerable:
        raise UnanswerableError(answerable.reason, answerable.detail)
    if to.sender.address == MAIL_ANONYMOUS:
        raise UsageError("to is a report of a mail server that names no address to answer to")
    return [] if answerable.reason is None else [Diagnostic(code="loop-risk", detail=answerable.detail)]


def _reply_subject(subject: str) -> str:
    """The subject of an answer: that of the question behind one `Re:`.

    Spec: RFC 5322 §3.6.5.
    """
    while subject[:3].lower() == "re:":
        subject = subject[3:].lstrip()
    return f"Re: {subject}".rstrip()


def _own_id(native_id: str, domain: str) -> str:
    """The Message-ID of a mail of this domain: to replace a mail of another is not the agent's to do."""
    check_kind(native_id, str, "supersedes")
    if not is_message_id(native_id):
        raise UsageError("supersedes: not a Message-ID with its <>")
    if native_id[:-1].rpartition("@")[2].lower() != domain.lower():
        raise UsageError(f"supersedes: not a Message-ID of {domain}, from which the new mail is sent")
    return native_id


def _thread(
    response: NormalizedResponse, question: Question, to: NormalizedMessage
) -> tuple[str | None, tuple[str, ...]]:
    """The ids in In-Reply-To and References.

    Spec: RFC 5322 §3.6.4; Normalized Message §4 (PushBackHint).
    """
    other = response.push_back.thread_ref if response.push_back else None
    if other is not None and other != to.thread_id:
        if not is_message_id(other):
            raise UsageError(f"push_back.thread_ref: not a Message-ID with its <>: {other[:80]!r}")
        return other, (other,)
    parent = question.parent
    chain = tuple(dict.fromkeys([one for one in question.chain if one != parent]))
    if parent is not None:  # the last one, also where the mail names itself among those before it
        chain = (*chain, parent)
    if sum(map(len, chain)) + len(chain) > _MAX_REFERENCES_CHARS:
        remaining, start = _MAX_REFERENCES_CHARS - len(chain[0]), len(chain)
        while (remaining := remaining - len(chain[start - 1]) - 1) >= 0:
            start -= 1
        chain = (chain[0], *chain[start:])
    return parent, chain


def write_mail(
    fields: Sequence[str], content: Content, *, submitted: str, domain: str, now: datetime, seed: bytes
) -> tuple[bytes, str]:
    """The bytes of a mail, and its Message-ID with its `<>`.

    Args:
        fields: Its header fields, but for those that are the same in every answer, and for Message-ID.
        content: The content of its body.
        submitted: How a program came to send it (RFC 3834 §5); programs do not answer what has such a word.
        domain: The right-hand side of its Message-ID (`id-right`, RFC 5322 §3.6.4).
        now: The time in that id.
        seed: Random bytes. The id depends on the whole mail too: two answers never share it.
    """
    content_fields, body = write_body(content, seed=seed)
    digest = derive("mail.message-id", seed, *fields, sha256(body).digest())
    native_id = f"<{uuid7(now, digest, 'message')}@{domain}>"
    lines = [*fields, folded("Message-ID", [native_id]), f"Auto-Submitted: {submitted}", *_ALWAYS]
    return b"\r\n".join(("\r\n".join(lines).encode(), content_fields, b"", body, b"")), native_id
