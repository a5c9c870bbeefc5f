"""What is inside the files of a mail: invitations, forwarded mails, and the file that a `cid:` URL names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from attrs import field

from .._flow.settings import DEFAULTS, Limits, check_kind
from .._model.base import EMPTY_DICT, frozen
from .._model.diagnostic import Diagnostic, cap_diagnostics
from .._model.message import HistoricalMessage, NormalizedMessage
from .._model.parts import FilePart, Part
from .._model.sender import Sender
from .._text.invites import Invite, invites_of
from .._text.media import bytes_of
from ._read.enclosed import read_enclosed
from ._read.forwarded import open_mail
from ._read.message import CONTENT_ID

_SCHEME: Final = "cid:"


@frozen
class ForwardedMail:
    """A mail that somebody forwarded, as it claims to be: whoever forwarded it may have written all of it.

    Attributes:
        sender: The sender that From names, never verified; None where it does not name one address.
        date: Its Date, RFC 3339 in UTC.
        subject: Its Subject.
        parts: Its parts, as those of a message. A mail inside it is a file again.
        blobs: SHA-256 in hex → bytes of its files that are too large for it.
        diagnostics: What is odd in it.
        raw: The mail, byte for byte.
    """

    sender: Sender | None
    date: str | None
    subject: str | None
    parts: tuple[Part, ...]
    blobs: Mapping[str, bytes] = field(default=EMPTY_DICT, hash=False, repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()
    raw: bytes = field(default=b"", repr=False)


def invites(message: NormalizedMessage | HistoricalMessage) -> tuple[Invite, ...]:
    r"""The events of the calendars that came with a mail, in order: up to 20 of each calendar.

    They are read when the mail is received, and are in `extra["calendar"]` of its file, so that they are there
    without the bytes. What another program stored there and does not fit is left out.

    Args:
        message: A message, as `receive` returns it, or a turn of its history.

    Returns:
        The events; none where no calendar came with it.

    Raises:
        UsageError: The argument is of another kind.

    Spec: RFC 5545; RFC 5546; RFC 6047.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive, mail
        >>> event = b"BEGIN:VEVENT\nUID:1@a.example\nDTSTART:20261130T090000Z\nSUMMARY:Planning\nEND:VEVENT\n"
        >>> headers = b"From: alice@a.example\nContent-Type: text/calendar; method=REQUEST\n\n"
        >>> raw = headers + b"BEGIN:VCALENDAR\nMETHOD:REQUEST\n" + event + b"END:VCALENDAR\n"
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> got = drive(mail.receive(raw, recipient="@helper@b.example", now=now, entropy=bytes(32)), Answers())
        >>> [(invite.method, invite.summary, invite.start.at) for invite in mail.invites(got.message)]
        [('REQUEST', 'Planning', '2026-11-30T09:00:00Z')]
    """
    check_kind(message, (NormalizedMessage, HistoricalMessage), "message")
    return tuple([invite for part in message.parts if isinstance(part, FilePart) for invite in invites_of(part)])


def part_of(message: NormalizedMessage | HistoricalMessage, url: str) -> FilePart | None:
    """The file that a `cid:` URL in the text of a mail names.

    Its id is in `extra["content_id"]` of the file. A file that the text shows, such as a picture, has `inline` in
    `extra["disposition"]`; an attachment has not.

    Args:
        message: A message, as `receive` returns it, or a turn of its history.
        url: The URL, `cid:logo@a.example`.

    Returns:
        The first file with that id; None where there is none, and for a URL of another scheme.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: RFC 2392.

    Example:
        >>> from mentionable import FilePart, HistoricalMessage, Sender
        >>> file = FilePart.of(b"...", mime="image/png")
        >>> logo = FilePart(mime="image/png", bytes_ref=file.bytes_ref, extra={"content_id": "logo@a.example"})
        >>> alice = Sender(address="@alice@a.example")
        >>> turn = HistoricalMessage(role="user", sender=alice, parts=(logo,), timestamp="2026-11-21T09:00:00Z")
        >>> part_of(turn, "cid:logo%40a.example") == logo
        True
    """
    check_kind(message, (NormalizedMessage, HistoricalMessage), "message")
    check_kind(url, str, "url")
    if url[: len(_SCHEME)].lower() != _SCHEME:
        return None
    content_id = unquote(url[len(_SCHEME) :])
    files = [part for part in message.parts if isinstance(part, FilePart)]
    return next((part for part in files if part.extra.get(CONTENT_ID) == content_id), None)


def forwarded(
    part: FilePart, *, blobs: Mapping[str, bytes] | None = None, limits: Limits = DEFAULTS.limits
) -> ForwardedMail | None:
    r"""Open a mail that was attached to a mail, one level of it.

    Nothing in it is verified, whoever forwarded it: its sender, date and text are claims.

    Args:
        part: The file, with the media type `message/rfc822` or `message/global`.
        blobs: `Received.blobs`, or your own store: SHA-256 in hex → bytes. For a mail inside the mail that this
            returns, its own `blobs`.
        limits: The bounds of the mail.

    Returns:
        The mail, or None when its bytes are not there.

    Raises:
        UsageError: An argument is of the wrong kind.
        WireError: The bytes are no mail, or one over a limit.

    Spec: RFC 2046 §5.2.1.

    Example:
        >>> from mentionable import FilePart
        >>> part = FilePart.of(b"From: Bob <bob@b.example>\nSubject: Lunch?\n\nAt one.\n", mime="message/rfc822")
        >>> mail = forwarded(part)
        >>> mail.sender.display_name, mail.sender.verified, mail.subject, mail.parts[0].content
        ('Bob', False, 'Lunch?', 'At one.\n')
    """
    check_kind(part, FilePart, "part")
    check_kind(limits, Limits, "limits")
    data = bytes_of(part, blobs)
    if data is None:
        return None
    opened = open_mail(data, limits=limits)
    content = read_enclosed(opened.content, limits=limits)
    return ForwardedMail(
        sender=opened.sender,
        date=opened.date,
        subject=opened.subject,
        parts=content.parts,
        blobs=content.blobs,
        diagnostics=cap_diagnostics((*opened.diagnostics, *content.diagnostics)),
        raw=data,
    )
