"""`mail.reply`: a response becomes a mail that is ready to be sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from attrs import field

from .._flow.settings import DEFAULTS, Settings, own_settings
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._transport.reply import NO_BLOBS, check_reply, check_whole
from ._auth.sign import sign
from ._settings import Settings as MailSettings
from ._write.answer import write_answer


@frozen
class Outgoing:
    """A mail to hand to your SMTP client.

    Store the response under `native_id`, so that an answer to it is known as one.

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
    sender: str | None = None,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    siblings: Iterable[str] = (),
    settings: Settings = DEFAULTS,
) -> Outgoing:
    r"""The mail that answers a mail: for people as text and as HTML, for programs with the whole response alongside it.

    It goes to the asker and to the siblings that you name, and to no other recipient of the question. The thread goes
    on as mail programs expect it, or as `push_back.thread_ref`, a Message-ID, says. Send it once for each response;
    think twice when it has the diagnostic `loop-risk`.

    Args:
        response: The answer, whole.
        to: The message that it answers, as `receive` gave it.
        sender: Who it is from, as `Name <helper@agents.example>`, a mailbox or an address; None: the agent that was
            asked.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each mail; the same give the same mail.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        siblings: Addresses of agents that get the answer too, and so are brought in.
        settings: `mail.Settings` with the key that signs; limits, the trace viewer.

    Raises:
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §3.3.1, §4, §10.3; RFC 5322 §3.6; RFC 3834 §3.

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
    check_reply(response, to=to, channel="email", now=now, entropy=entropy, settings=settings)
    check_whole(response)
    answer = write_answer(
        response, to=to, sender=sender, now=now, entropy=entropy, blobs=blobs, siblings=siblings, settings=settings
    )
    data, notes = answer.mail.data, answer.notes
    key = own_settings(MailSettings, settings).key
    if key is not None:
        data = sign(data, key=key, now=now)
        if key.key_id.partition("._domainkey.")[2].lower() != answer.people.domain.lower():
            notes += (Diagnostic(code="not-aligned", at="/headers/from", detail="the key is of another domain"),)
    return Outgoing(
        mail_from=answer.people.author.address,
        rcpt_to=answer.people.mailboxes,
        data=data,
        native_id=answer.mail.native_id,
        smtputf8=not answer.people.is_ascii,
        diagnostics=notes,
    )
