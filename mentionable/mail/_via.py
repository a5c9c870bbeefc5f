"""`mail.via`: a mail that a list, a group or a service sent on behalf of another person."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from .._flow.settings import check_kind
from .._model.base import frozen
from .._model.message import NormalizedMessage
from .._text.display_names import other_author
from .._text.media import single_line
from .._wire.address import canonical_mailbox
from ._read.header_section import Mailbox
from ._read.raw_fields import few_mailboxes, field_value

_ORIGINALS: Final = ("author", "x-original-from", "x-mailman-original-from", "original-from", "x-original-sender")
"""Fields that name who wrote a mail whose From was rewritten: that of RFC 9057, then those of lists."""

_MAX_CHARS: Final = 2_000
_LIST_ID: Final = re.compile(r"[^<>]*+<([!-;=?-~]{1,255})>\s*+").fullmatch
_POST: Final = re.compile(r"\s*+<mailto:([^<>?\s]{1,320})(?:\?[^<>\s]*+)?>", re.IGNORECASE).match


@frozen
class Via:
    """Who sent a mail on behalf of another person, and who that person is. These are claims of the mail, not verified.

    Attributes:
        mailbox: The mailbox that sent it, `local@domain`; None where only `list_id` is known.
        list_id: The id of a mailing list, without `<>`.
        author_name: The name of the person.
        author: The mailbox of the person.
        is_rewritten: Whether From names the list or the service, so that `sender` of the message is not the person.

    Spec: RFC 2369; RFC 2919; RFC 5322 §3.6.2; RFC 9057.
    """

    mailbox: str | None
    list_id: str | None = None
    author_name: str | None = None
    author: str | None = None
    is_rewritten: bool = False


def via(message: NormalizedMessage) -> Via | None:
    r"""Who sent a mail on behalf of another person: a mailing list, a group, a service, an assistant.

    Some of them write themselves into From, such as `Alice via List <list@lists.example>`. Then the sender of the
    message is the list, verified or not, and never Alice: whoever writes to the list chooses the name.

    Args:
        message: A message, as `receive` returned it; it is read from its `raw`.

    Returns:
        What the mail says about it; None when it says nothing, and for messages that are no mail.

    Raises:
        UsageError: The argument is of another kind.

    Spec: RFC 5322 §3.6.2; RFC 2369; RFC 2919; RFC 9057.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive, mail
        >>> raw = b"From: Alice via List <list@lists.example>\nReply-To: alice@a.example\n\nHello\n"
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(mail.receive(raw, recipient="@helper@b.example", now=now, entropy=bytes(32)), Answers())
        >>> sent_by = mail.via(got.message)
        >>> sent_by.mailbox, sent_by.author_name, sent_by.author
        ('list@lists.example', 'Alice', 'alice@a.example')
    """
    # 1. read From, and what lists write    3. else who sent the mail that From names the author of
    # 2. whether From was rewritten
    check_kind(message, NormalizedMessage, "message")

    # 1.
    value_of = partial(field_value, message.raw, max_chars=_MAX_CHARS)
    writers = _mailboxes("from", value_of("from"))
    if message.received_via != "email" or len(writers) != 1:
        return None
    (writer,) = writers
    listed, posted = _LIST_ID(value_of("list-id")), _POST(value_of("list-post"))
    list_id = listed[1] if listed else None
    post = posted[1] if posted else None

    # 2. A list that names itself in From has the author in Reply-To.
    name = other_author(writer.name or "")
    authors = [one for field in _ORIGINALS for one in _others(field, value_of(field), writer)]
    if name or authors or (post is not None and _same(Mailbox(None, post), writer)):
        authors += _others("reply-to", value_of("reply-to"), writer)
    if name or authors:
        author = authors[0] if authors else Mailbox(None, "")
        return Via(
            mailbox=writer.address,
            list_id=list_id,
            author_name=author.name or name or writer.name,
            author=author.address or None,
            is_rewritten=True,
        )

    # 3.
    senders = _mailboxes("sender", value_of("sender"))
    is_for_another = bool(senders) and not _same(senders[0], writer)
    if not is_for_another and list_id is None:
        return None
    mailbox = senders[0].address if is_for_another else post
    return Via(mailbox=mailbox, list_id=list_id, author_name=writer.name, author=writer.address)


def _mailboxes(name: str, value: str) -> tuple[Mailbox, ...]:
    """The mailboxes of a field, each with an address; none where there are too many."""
    return tuple([
        Mailbox(single_line(mailbox.name or "") or None, address.mailbox)
        for mailbox in few_mailboxes(value, name=name)
        if (address := canonical_mailbox(mailbox.address))
    ])  # fmt: skip


def _others(name: str, value: str, writer: Mailbox) -> list[Mailbox]:
    """The mailboxes of a field but for that of From."""
    return [mailbox for mailbox in _mailboxes(name, value) if not _same(mailbox, writer)]


def _same(one: Mailbox, other: Mailbox) -> bool:
    return one.address.lower() == other.address.lower()
