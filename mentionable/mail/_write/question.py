"""What an answer must know of the mail that it answers, out of `raw`.

Nothing here raises.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from ..._flow.settings import Limits
from ..._model.message import NormalizedMessage
from ..._text.plain_text import subject_of
from ..._transport.reply import is_first_contact
from ..._wire.strict_json import dig
from .._read.header_section import Mailbox, read_ids, read_line
from .._read.identification import CORRESPONDENTS, RESERVED, without_addresses
from .._read.raw_fields import few_mailboxes, field_value
from .header_section import is_message_id

_IDS: Final = ("message-id", "in-reply-to", "references")
_MAX_SUBJECT: Final = 900


class ReplyTo(NamedTuple):
    """The Reply-To of a mail.

    Attributes:
        mailboxes: Its mailboxes, none where there are too many.
        is_signed: Whether the signature that verified the sender covers the field.
        is_repeated: Whether it is there more than once.
    """

    mailboxes: tuple[Mailbox, ...]
    is_signed: bool
    is_repeated: bool


class Question(NamedTuple):
    """The mail that is answered.

    Attributes:
        subject: One line; "" when there is none.
        parent: Its Message-ID.
        chain: The ids before it in the thread, the root first.
        thread_index: Its Thread-Index, by which Outlook groups mails; "" when there is none.
        reply_to: Its Reply-To.
        is_first_contact: Whether no mail came: what is written answers none.
    """

    subject: str
    parent: str | None
    chain: tuple[str, ...]
    thread_index: str
    reply_to: ReplyTo | None
    is_first_contact: bool


def question_of(to: NormalizedMessage, *, limits: Limits) -> Question:
    """Read what is known of a mail.

    The thread is that of the mail as it was received: References, else what In-Reply-To begins with, else the mail
    itself; where nothing of it is known, `thread_id`.

    Spec: RFC 5322 §3.6.4; Normalized Message §5.3.1.
    """
    value_of = partial(field_value, to.raw, max_chars=limits.mail_field_bytes)
    ids = {name: tuple(filter(is_message_id, read_ids(value_of(name), max_chars=limits.id_chars))) for name in _IDS}
    parent = ids["message-id"][0] if ids["message-id"] else None
    chain = ids["references"]
    if not chain and ids["in-reply-to"]:
        mailboxes = "\n".join([value_of(name) for name in CORRESPONDENTS])
        chain = tuple(without_addresses(ids["in-reply-to"], mailboxes)[:1])
    if parent is None and not chain and is_message_id(to.thread_id) and not to.thread_id.endswith(RESERVED):
        chain = (to.thread_id,)
    subject = subject_of(to) or ""
    if not isinstance(dig(to.raw, "parsed", "subject"), str) and (written := value_of("subject")):
        subject = read_line(written)
    reply_to = value_of("reply-to")
    return Question(
        subject=subject if len(subject) <= _MAX_SUBJECT else f"{subject[: _MAX_SUBJECT - 1]}…",
        parent=parent,
        chain=chain,
        thread_index=value_of("thread-index"),
        reply_to=_reply_to(reply_to, to) if reply_to else None,
        is_first_contact=is_first_contact(to),
    )


def _reply_to(value: str, to: NormalizedMessage) -> ReplyTo:
    is_repeated = isinstance(dig(to.raw, "headers", "reply-to"), (list, tuple))
    return ReplyTo(few_mailboxes(value, name="reply-to"), to.sender.verified and _covers_reply_to(to), is_repeated)


def _covers_reply_to(to: NormalizedMessage) -> bool:
    """Whether the signature that verified the sender covers Reply-To."""
    domain = to.sender.address.rpartition("@")[2]
    results = dig(to.raw, "dkim", "results")
    for result in results if isinstance(results, (list, tuple)) else ():
        if dig(result, "status") != "pass":
            continue
        names, signer = dig(result, "signed_fields"), dig(result, "domain")
        is_of_sender = signer == domain or f"{dig(result, 'selector')}._domainkey.{signer}" == to.sender.key_id
        if is_of_sender and isinstance(names, (list, tuple)) and "reply-to" in names:
            return True
    return False
