"""What a file says beyond its name, in words: an invitation, a forwarded mail, what is encrypted.

It was read when the message was received, and is in `FilePart.extra`, so that it is there without the bytes of the
file. Whoever wrote the file wrote all of it: it is quoted, and nothing in it was verified. What another program stored
there is read member by member, and what does not fit is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._model.parts import FilePart, Part
from .media import single_line
from .plain_text import part_text

CALENDAR: Final = "calendar"
"""The member of `FilePart.extra` that holds what a calendar says: its method, and its events."""

FORWARDED: Final = "forwarded"
"""The member that holds what a forwarded mail says: the sender that it claims, its date, its subject, its text."""

CLOSED: Final = "closed"
"""The member that says why a file was not read: one of `REASONS`."""

REASONS: Final[Mapping[str, str]] = {
    "encrypted": "It is encrypted: nothing of what it says could be read.",
    "signed": "Its content is inside a signature that was not opened: nothing of what it says could be read.",
    "encapsulated": "Its content is in a format of one mail program (TNEF): nothing of what it says could be read.",
}

_MAX_EVENTS: Final = 20
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
    calendar, forwarded = extra.get(CALENDAR), extra.get(FORWARDED)
    if isinstance(calendar, Mapping):
        lines += _quoted("A calendar, in the words of whoever wrote it; no name is verified:", _calendar(calendar))
    if isinstance(forwarded, Mapping):
        lines += _quoted("A forwarded mail; its sender is a claim, not verified:", _mail(forwarded))
    return "\n".join(lines)


def _quoted(heading: str, lines: Iterator[str]) -> list[str]:
    """Lines of others under a line of ours; none where they say nothing."""
    quoted = [f"> {line}" if line else ">" for line in lines]
    return [heading, *quoted] if quoted else []


def _field(name: str, text: object) -> Iterator[str]:
    """A line with the name of what it says, if there is anything to say."""
    line = single_line(text[:_MAX_CHARS]) if isinstance(text, str) else ""
    if line:
        yield f"{name}: {line}"


def _calendar(members: Mapping[str, Any]) -> Iterator[str]:
    method, events = members.get("method"), members.get("events")
    yield from _field("Method", method)
    for number, event in enumerate(events[:_MAX_EVENTS] if isinstance(events, (list, tuple)) else ()):
        if isinstance(event, Mapping):
            if number:
                yield ""
            yield from _event(event, shows_attendees=method in _ATTENDANCE)


def _event(event: Mapping[str, Any], *, shows_attendees: bool) -> Iterator[str]:
    yield from _field("Summary", event.get("summary"))
    yield from _field("Start", _moment(event.get("start")))
    yield from _field("End", _moment(event.get("end")))
    yield from _field("Duration", event.get("duration"))
    yield from _field("Repeats", event.get("rrule"))
    yield from _field("This occurrence only", _moment(event.get("recurrence_id")))
    yield from _field("Location", event.get("location"))
    yield from _field("Organizer", _person(event.get("organizer")))
    yield from _field("Status", event.get("status"))
    attendees = event.get("attendees")
    for attendee in attendees[:_MAX_EVENTS] if shows_attendees and isinstance(attendees, (list, tuple)) else ():
        yield from _field("Attendee", _person(attendee))
    count = event.get("attendee_count")
    if type(count) is int and not shows_attendees:
        yield f"Attendees: {count}"


def _moment(member: object) -> str | None:
    """A moment, with the name of its zone where it is a local time."""
    at = member.get("at") if isinstance(member, Mapping) else None
    if not isinstance(at, str):
        return None
    zone = member.get("zone") if isinstance(member, Mapping) else None
    return f"{at} ({zone})" if isinstance(zone, str) else f"{at} (all day)" if len(at) == len("2026-11-30") else at


def _person(member: object) -> str | None:
    """A name, a mailbox, and what they answered."""
    if not isinstance(member, Mapping):
        return None
    name, address, answer = (member.get(key) for key in ("name", "address", "partstat"))
    words = [name if isinstance(name, str) else "", f"<{address}>" if isinstance(address, str) else ""]
    words.append(f"({answer})" if isinstance(answer, str) else "")
    return " ".join(filter(None, words))


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
