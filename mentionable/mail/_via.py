"""`mail.via`: a mail that a list, a group or a service sent on behalf of another person."""

from __future__ import annotations

import re
from typing import Any, Final

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
        address: The mailbox that sent it, `local@domain`; None where only `list_id` is known.
        list_id: The id of a mailing list, without `<>`.
        author_name: The name of the person.
        author: The mailbox of the person.
        is_rewritten: Whether From names the list or the service, so that `sender` of the message is not the person.

    Spec: RFC 2369; RFC 2919; RFC 5322 §3.6.2; RFC 9057.
    """

    address: str | None
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
        >>> sent_by.address, sent_by.author_name, sent_by.author
        ('list@lists.example', 'Alice', 'alice@a.example')
    """
    check_kind(message, NormalizedMessage, "message")
    raw = message.raw
    writers = _mailboxes(raw, "from")
    if message.received_via != "email" or len(writers) != 1:
        return None
    (writer,) = writers
    listed = _LIST_ID(field_value(raw, "list-id", max_chars=_MAX_CHARS))
    list_id = listed[1] if listed else None
    posted = _POST(field_value(raw, "list-post", max_chars=_MAX_CHARS))
    post = posted[1] if posted else None

    name = other_author(writer.name or "")
    others = [mailbox for field in _ORIGINALS for mailbox in _mailboxes(raw, field) if not _same(mailbox, writer)]
    if name or others or (post is not None and _same(Mailbox(None, post), writer)):
        others += [mailbox for mailbox in _mailboxes(raw, "reply-to") if not _same(mailbox, writer)]
        author = others[0] if others else Mailbox(None, "")
        if name or others:
            return Via(
                address=writer.address,
                list_id=list_id,
                author_name=author.name or name or writer.name,
                author=author.address or None,
                is_rewritten=True,
            )

    senders = _mailboxes(raw, "sender")
    if senders and not _same(senders[0], writer):
        post = senders[0].address
    elif list_id is None:
        return None
    return Via(address=post, list_id=list_id, author_name=writer.name, author=writer.address)


def _mailboxes(raw: Any, name: str) -> tuple[Mailbox, ...]:
    """The mailboxes of a field in `raw`, each with an address; none where there are too many."""
    return tuple([
        Mailbox(single_line(mailbox.name or "") or None, address.mailbox)
        for mailbox in few_mailboxes(field_value(raw, name, max_chars=_MAX_CHARS), name=name)
        if (address := canonical_mailbox(mailbox.address))
    ])  # fmt: skip


def _same(one: Mailbox, other: Mailbox) -> bool:
    return one.address.casefold() == other.address.casefold()
