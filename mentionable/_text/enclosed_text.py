"""What a file says beyond its name, in words: an invitation, a forwarded mail, what is encrypted.

It was read when the message was received, and is in `FilePart.extra`, so that it is there without the bytes of the
file. Whoever wrote the file wrote all of it: it is quoted, and nothing in it was verified. What another program stored
there is read member by member, and what does not fit is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._model.parts import FilePart, Part
from .invites import CALENDAR, CalendarUser, EventTime, Invite, invites_of
from .left_out import quote_lines
from .media import single_line
from .plain_text import part_text

FORWARDED: Final = "forwarded"
"""The member of `FilePart.extra` that holds what a forwarded mail says: its claimed sender, date, subject and text."""

CLOSED: Final = "closed"
"""The member that says why a file was not read: one of `REASONS`."""

REASONS: Final[Mapping[str, str]] = {
    "encrypted": "It is encrypted: nothing of what it says could be read.",
    "signed": "Its content is inside a signature that was not opened: nothing of what it says could be read.",
    "encapsulated": "Its content is in a format of one mail program (TNEF): nothing of what it says could be read.",
}

_MAX_CHARS: Final = 4_000
_ATTENDANCE: Final = ("REPLY", "COUNTER", "DECLINECOUNTER")
"""The methods whose attendees are those who answer."""


def described(part: Part) -> str:
    """One part as plain text, with what a file says beyond its name."""
    enclosed = enclosed_text(part) if isinstance(part, FilePart) else ""
    return "\n".join(filter(None, (part_text(part), enclosed)))


def enclosed_text(part: FilePart) -> str:
    r"""What a file says beyond its name, as lines of text; empty where nothing is known of it.

    Example:
        >>> event = {"summary": "Planning", "start": {"at": "2026-11-30T09:00:00", "zone": "Europe/Berlin"}}
        >>> members = {"calendar": {"method": "REQUEST", "events": [event]}}
        >>> part = FilePart(mime="text/calendar", bytes_ref=FilePart.of(b"", mime="a/b").bytes_ref, extra=members)
        >>> print(enclosed_text(part))
        A calendar, in the words of whoever wrote it; no name is verified:
        > Method: REQUEST
        > Summary: Planning
        > Start: 2026-11-30T09:00:00 (Europe/Berlin)
    """
    extra = part.extra
    if not extra:
        return ""
    lines: list[str] = []
    reason = extra.get(CLOSED)
    if isinstance(reason, str) and reason in REASONS:
        lines.append(REASONS[reason])
    if isinstance(extra.get(CALENDAR), Mapping):
        lines += _quoted("A calendar, in the words of whoever wrote it; no name is verified:", _calendar(part))
    forwarded = extra.get(FORWARDED)
    if isinstance(forwarded, Mapping):
        lines += _quoted("A forwarded mail; its sender is a claim, not verified:", _mail(forwarded))
    return "\n".join(lines)


def _quoted(heading: str, lines: Iterator[str]) -> list[str]:
    """Lines of others under a line of ours; none where they say nothing."""
    text = "\n".join(lines)
    return [heading, quote_lines(text)] if text else []


def _field(name: str, text: object) -> Iterator[str]:
    """A line with the name of what it says, if there is anything to say."""
    line = single_line(text[:_MAX_CHARS]) if isinstance(text, str) else ""
    if line:
        yield f"{name}: {line}"


def _calendar(part: FilePart) -> Iterator[str]:
    yield from _field("Method", part.extra[CALENDAR].get("method"))
    for number, invite in enumerate(invites_of(part)):
        if number:
            yield ""
        yield from _event(invite)


def _event(invite: Invite) -> Iterator[str]:
    yield from _field("Summary", invite.summary)
    yield from _field("Start", _moment(invite.start))
    yield from _field("End", _moment(invite.end))
    yield from _field("Duration", invite.duration)
    yield from _field("Repeats", invite.rrule)
    yield from _field("This occurrence only", _moment(invite.recurrence_id))
    yield from _field("Location", invite.location)
    yield from _field("Description", invite.description)
    yield from _field("Organizer", _person(invite.organizer))
    yield from _field("Status", invite.status)
    if invite.method in _ATTENDANCE:
        for attendee in invite.attendees:
            yield from _field("Attendee", _person(attendee))
    elif invite.attendee_count:
        yield f"Attendees: {invite.attendee_count}"


def _moment(time: EventTime | None) -> str:
    """A moment, with the name of its zone where it is a local time."""
    if time is None:
        return ""
    note = time.zone or ("all day" if len(time.at) == len("2026-11-30") else "")
    return f"{time.at} ({note})" if note else time.at


def _person(user: CalendarUser | None) -> str:
    """A name, a mailbox, and what they answered."""
    if user is None:
        return ""
    mailbox, answer = user.mailbox and f"<{user.mailbox}>", user.partstat and f"({user.partstat})"
    return " ".join(filter(None, (user.name, mailbox, answer)))


def _mail(members: Mapping[str, Any]) -> Iterator[str]:
    yield from _field("From", members.get("from"))
    yield from _field("Date", members.get("date"))
    yield from _field("Subject", members.get("subject"))
    text = members.get("text")
    if isinstance(text, str) and text:
        yield ""
        yield from text.splitlines()
    if members.get("cut") is True:
        yield ""
        yield "(The mail goes on: the file has all of it.)"
