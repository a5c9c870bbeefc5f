"""An answer to a mail, put together: its recipients, which thread it is in, its content, and its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Settings
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._transport.reply import check_size
from ..._wire.ids import derive, uuid7
from ..._wire.time import mail_date
from .._policy import write_policy
from .body import Faces, write_body
from .compose import compose
from .header_section import folded, is_message_id, mailboxes_field, text_field
from .question import Question, question_of
from .recipients import People, author_of, people_of

_MAX_REFERENCES: Final = 8_000
"""Characters of References: of a longer chain its root and its end stay, so that the thread is found all the same."""

_ALWAYS: Final = (
    "X-Auto-Response-Suppress: OOF, AutoReply",  # the same for those that do not know the RFC; bounces still come
    "MIME-Version: 1.0",
)


class WrittenMail(NamedTuple):
    """A mail, and its Message-ID with its `<>`."""

    data: bytes
    native_id: str


class Answer(NamedTuple):
    """An answer that is not signed yet.

    Attributes:
        people: The sender and the recipients in its fields.
        mail: Its bytes.
        notes: What was odd.
    """

    people: People
    mail: WrittenMail
    notes: tuple[Diagnostic, ...]


def write_answer(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    sender: str | None,
    now: datetime,
    entropy: bytes,
    blobs: Mapping[str, bytes],
    siblings: Iterable[str],
    settings: Settings,
) -> Answer:
    """The answer to a mail. The arguments are those of `reply`, and the first of them has been checked.

    Raises:
        UsageError: See `reply`.
    """
    limits = settings.limits
    notes: list[Diagnostic] = []
    question = question_of(to, limits=limits)
    if question.automatic:
        notes.append(Diagnostic(code="loop-risk", detail=question.automatic))
    author = author_of(sender, to=to)
    people = people_of(question, author=author, to=to, siblings=siblings, limits=limits, notes=notes)
    parent, chain = _thread(response, question, to)
    seed = derive("mail.reply", entropy, to.id, to.recipient)
    faces = compose(response, blobs=blobs, seed=seed, domain=people.domain, settings=settings, notes=notes)
    subject = question.subject if question.is_first_contact else _answered(question.subject)
    fields = _fields(people, subject, parent, chain, now) + write_policy(response, limits=limits, notes=notes)
    submitted = "auto-generated" if question.is_first_contact else "auto-replied"
    mail = write_mail(fields, faces, submitted=submitted, domain=people.domain, now=now, seed=seed)
    check_size(mail.data, most=limits.mail_bytes, what="a mail")
    return Answer(people, mail, tuple(notes))


def write_mail(
    fields: Sequence[str], faces: Faces, *, submitted: str, domain: str, now: datetime, seed: bytes
) -> WrittenMail:
    """The bytes of a mail.

    Args:
        fields: Its header fields, but for those that are the same in every answer, and for Message-ID.
        faces: What its body is made of.
        submitted: How a program came to send it (RFC 3834 §5); programs do not answer what has such a word.
        domain: Where its id is unique.
        now: The time in that id.
        seed: Random bytes. The id depends on the whole mail too: two answers never share it.
    """
    content_fields, body = write_body(faces, seed=seed)
    made_of = derive("mail.message-id", seed, *fields, sha256(body).digest())
    native_id = f"<{uuid7(now, made_of, 'message')}@{domain}>"
    head = "\r\n".join([*fields, folded("Message-ID", [native_id]), f"Auto-Submitted: {submitted}", *_ALWAYS]).encode()
    return WrittenMail(b"".join((head, b"\r\n", content_fields, b"\r\n\r\n", body, b"\r\n")), native_id)


def _fields(people: People, subject: str, parent: str | None, chain: tuple[str, ...], now: datetime) -> list[str]:
    """The fields that differ from mail to mail, but for Message-ID."""
    fields = [mailboxes_field("From", (people.author,)), mailboxes_field("To", people.to)]
    if people.cc:
        fields.append(mailboxes_field("Cc", people.cc))
    fields += text_field("Subject", subject), f"Date: {mail_date(now)}"
    if parent is not None:
        fields.append(folded("In-Reply-To", [parent]))
    if chain:
        fields.append(folded("References", chain))
    return fields


def _answered(subject: str) -> str:
    """The subject of an answer: that of the question behind one `Re:`.

    Spec: RFC 5322 §3.6.5.
    """
    while subject[:3].lower() == "re:":
        subject = subject[3:].lstrip()
    return f"Re: {subject}".rstrip()


def _thread(
    response: NormalizedResponse, question: Question, to: NormalizedMessage
) -> tuple[str | None, tuple[str, ...]]:
    """What In-Reply-To and References say.

    Spec: RFC 5322 §3.6.4; Normalized Message §4 (PushBackHint).
    """
    wanted = response.push_back.thread_ref if response.push_back else None
    if wanted is not None and wanted != to.thread_id:
        if not is_message_id(wanted):
            raise UsageError(f"push_back.thread_ref: not a Message-ID with its <>: {wanted[:80]!r}")
        return wanted, (wanted,)
    chain = tuple(dict.fromkeys([*question.chain, *filter(None, (question.parent,))]))
    return question.parent, _shortened(chain)


def _shortened(chain: tuple[str, ...]) -> tuple[str, ...]:
    """The root, and as many of the last ids as there is room for."""
    if sum(map(len, chain)) + len(chain) <= _MAX_REFERENCES:
        return chain
    room, start = _MAX_REFERENCES - len(chain[0]), len(chain)
    while (room := room - len(chain[start - 1]) - 1) >= 0:
        start -= 1
    return (chain[0], *chain[start:])
