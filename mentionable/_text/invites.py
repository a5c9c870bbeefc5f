"""The events of a calendar that came as a file, as `FilePart.extra` holds them.

What another program stored there is read member by member, and what does not fit is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._model.base import frozen
from .._model.parts import FilePart
from .._wire.strict_json import dig, whole_number

CALENDAR: Final = "calendar"
"""The member of `FilePart.extra` that holds what a calendar says: its method, and its events."""

MAX_EVENTS: Final = 20
"""Events of one calendar that are read."""

MAX_ATTENDEES: Final = 20
"""Attendees of one event that are named; all are counted."""

_TEXTS: Final = ("uid", "summary", "description", "duration", "location", "status", "rrule")


@frozen
class EventTime:
    """A moment of an event, as its calendar says it.

    Attributes:
        at: In UTC, as RFC 3339: `2026-11-30T09:00:00Z`; or a local time: `2026-11-30T09:00:00`; or a day:
            `2026-11-30`.
        zone: The name that the calendar has for the time zone of a local time. It may be no name of the tz database.
            A local time without a zone is that of wherever one is.
    """

    at: str
    zone: str | None = None


@frozen
class CalendarUser:
    """An organizer or an attendee, as a calendar names them: a claim of its writer, never verified.

    Attributes:
        mailbox: Their mailbox.
        name: Their name (CN).
        partstat: What they answered: `ACCEPTED`, `DECLINED`, `TENTATIVE`, `NEEDS-ACTION`, and others.
    """

    mailbox: str | None = None
    name: str | None = None
    partstat: str | None = None


@frozen
class Invite:
    """One event of a calendar that came with a mail. Everything in it is what its writer says.

    Attributes:
        method: What is to be done with it: `REQUEST`, `REPLY`, `CANCEL`, `COUNTER`, `PUBLISH`, and others of RFC 5546.
        uid: The id of the event. An update and a cancellation have that of what they change.
        sequence: Which revision of the event it is.
        summary: What it is called.
        description: What is written about it, as one line of up to 1,000 characters. The file has all of it.
        start: When it begins.
        end: When it ends.
        duration: How long it takes, as RFC 5545 writes it (`PT1H30M`), where it has no end.
        location: Where it is.
        organizer: Who invites. Compare it with the verified sender of the mail before you act on it.
        attendees: Who is invited, up to 20 of them; in a `REPLY`, who answers.
        attendee_count: How many are invited.
        status: `CONFIRMED`, `TENTATIVE` or `CANCELLED`.
        rrule: The rule by which it recurs, as RFC 5545 writes it.
        recurrence_id: Which occurrence of a recurring event it is about, where it is about one.

    Spec: RFC 5545 §3.6.1; RFC 5546 §3.2.
    """

    method: str | None = None
    uid: str | None = None
    sequence: int = 0
    summary: str | None = None
    description: str | None = None
    start: EventTime | None = None
    end: EventTime | None = None
    duration: str | None = None
    location: str | None = None
    organizer: CalendarUser | None = None
    attendees: tuple[CalendarUser, ...] = ()
    attendee_count: int = 0
    status: str | None = None
    rrule: str | None = None
    recurrence_id: EventTime | None = None


def invites_of(part: FilePart) -> Iterator[Invite]:
    """The events of the calendar that a file is, in order; none for other files."""
    calendar = part.extra.get(CALENDAR)
    events = dig(calendar, "events")
    for event in events[:MAX_EVENTS] if isinstance(events, (list, tuple)) else ():
        if isinstance(event, Mapping):
            attendees = event.get("attendees")
            listed = attendees[:MAX_ATTENDEES] if isinstance(attendees, (list, tuple)) else ()
            texts = {name: _text(event, name) for name in _TEXTS}
            yield Invite(
                method=_text(calendar, "method"),
                sequence=whole_number(event.get("sequence")) or 0,
                start=_time(event.get("start")),
                end=_time(event.get("end")),
                recurrence_id=_time(event.get("recurrence_id")),
                organizer=_user(event.get("organizer")),
                attendees=tuple([user for user in map(_user, listed) if user]),
                attendee_count=whole_number(event.get("attendee_count")) or 0,
                **texts,
            )


def _text(members: Any, name: str) -> str | None:
    text = dig(members, name)
    return text if isinstance(text, str) else None


def _time(member: Any) -> EventTime | None:
    at = _text(member, "at")
    return EventTime(at=at, zone=_text(member, "zone")) if at else None


def _user(member: Any) -> CalendarUser | None:
    user = CalendarUser(
        mailbox=_text(member, "mailbox"), name=_text(member, "name"), partstat=_text(member, "partstat")
    )
    return None if user == CalendarUser() else user
