"""An invitation: what an iCalendar object (RFC 5545) says of its events, as JSON.

Only what people ask of an invitation is read, and nothing is computed: the name of a time zone stays a name, and the
rule of a recurrence stays text. One pattern finds the lines that matter, so that all others cost nothing but their
bytes. A line that does not fit costs itself.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from ..._text.invites import MAX_ATTENDEES, MAX_EVENTS
from ..._text.media import single_line
from ..._text.plain_text import shorten
from ..._wire.strict_json import without_null

MAX_BYTES: Final = 4_194_304
"""Bytes of a calendar that are read."""

_MAX_LINES: Final = 50_000
_MAX_TEXT: Final = 1_000
_MAX_NUMBER: Final = 2_147_483_647  # RFC 5545 §3.3.8
_METHODS: Final = frozenset((
    "PUBLISH", "REQUEST", "REPLY", "ADD", "CANCEL", "REFRESH", "COUNTER", "DECLINECOUNTER",
))  # fmt: skip
"""RFC 5546 §1.4. Another word is no method."""

_FOLDS: Final = re.compile(r"\n[ \t]")
_LINES: Final = re.compile(
    r"^(BEGIN|END|METHOD|UID|SEQUENCE|SUMMARY|DTSTART|DTEND|DURATION|DESCRIPTION|LOCATION|ORGANIZER|ATTENDEE|STATUS|RRULE"
    r"|RECURRENCE-ID)([:;].*+)",
    re.IGNORECASE | re.MULTILINE,
).finditer
# Bounded, and each repetition begins with what no other part can begin with there.
_VALUE: Final = re.compile(r'((?:;[^":;]*+(?:"[^"]*+"[^":;]*+){0,20}){0,30}):(.*+)').match
_PARAMETER: Final = re.compile(r';[ \t]*+([A-Za-z0-9-]++)=(?:"([^"]*+)"|([^";]*+))').findall
_CARETS: Final = {"^^": "^", "^n": " ", "^'": '"'}
_CARET: Final = re.compile(r"\^[\^n']")
_ESCAPE: Final = re.compile(r"\\(.)")
_DIGITS: Final = re.compile(r"[0-9]{1,10}").fullmatch
_MOMENT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?", re.ASCII).fullmatch
_DURATION: Final = re.compile(
    r"\+?P(?:\d{1,5}W|(?:\d{1,5}D)?(?:T(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?)", re.ASCII
).fullmatch


class Calendar(NamedTuple):
    """What a calendar says.

    Attributes:
        members: Its method and its events, as JSON; empty where there is nothing to tell.
        faults: What is odd about it, in words.
        method: Its method, also where it has no event; "" for none.
    """

    members: dict[str, Any]
    faults: tuple[str, ...] = ()
    method: str = ""


class _Property(NamedTuple):
    """One line of an object: its parameters by name in upper case, and its value."""

    parameters: dict[str, str]
    value: str


def read_calendar(text: str, *, method: str = "") -> Calendar:
    """The method of an iCalendar object, and its events in order.

    Args:
        text: The object.
        method: The `method` parameter of its body part. The property of the object is what calendar programs act on:
            where the two differ, it counts.

    Spec: RFC 5545 §3; RFC 5546 §1.4, §3.2; RFC 6047 §2.4.
    """
    reader = _Reader()
    faults = reader.read(_FOLDS.sub("", text.replace("\r\n", "\n")))
    named = method.strip().upper()
    stated = reader.method or (named if named in _METHODS else "")
    if reader.method and named and named != reader.method:
        faults += ("the method of its body part is another one",)
    events = [event for event in reader.events if event]
    if not events:
        return Calendar({}, (*faults, "no event"), stated)
    return Calendar(without_null({"method": stated or None, "events": events}), faults, stated)


class _Reader:
    """Reads an object line by line.

    Only the properties of the event itself count, and not those of an alarm inside it. The end of an event ends
    whatever is open in it.
    """

    def __init__(self) -> None:
        self.method = ""
        self.events: list[dict[str, Any]] = []
        self._event: dict[str, Any] | None = None
        self._depth = 0

    def read(self, text: str) -> tuple[str, ...]:
        """Reads the lines of an unfolded text. What is odd comes back, in words."""
        for number, match in enumerate(_LINES(text)):
            if number == _MAX_LINES:
                return (f"only its first {_MAX_LINES} lines are read",)
            name, rest = match[1].upper(), match[2].strip()
            if name in ("BEGIN", "END"):
                if rest[1:].strip().upper() != "VEVENT":
                    self._depth = max(0, self._depth + (1 if name == "BEGIN" else -1))
                elif name == "END":
                    self._event = None
                elif len(self.events) == MAX_EVENTS:
                    return (f"only its first {MAX_EVENTS} events are read",)
                else:
                    self._event = {}
                    self.events.append(self._event)
                    self._depth = 0
            elif self._event is None:
                if name == "METHOD" and not self.method:
                    self._take_method(rest)
            elif not self._depth:
                self._take(self._event, name, rest)
        return ()

    def _take_method(self, rest: str) -> None:
        read = _property(rest)
        method = read.value.upper() if read else ""
        self.method = method if method in _METHODS else ""

    def _take(self, event: dict[str, Any], name: str, rest: str) -> None:
        """Adds a property to an event. The first of doubled ones counts."""
        if name == "ATTENDEE":
            event["attendee_count"] = event.get("attendee_count", 0) + 1
            if event["attendee_count"] > MAX_ATTENDEES:
                return
        member = _MEMBERS.get(name, name.lower())
        if member in event:
            return
        read = _property(rest)
        value = _read_value(name, read) if read else None
        if value is None:
            return
        if name == "ATTENDEE":
            event.setdefault("attendees", []).append(value)
        else:
            event[member] = value


_MEMBERS: Final = {"DTSTART": "start", "DTEND": "end", "RECURRENCE-ID": "recurrence_id", "ATTENDEE": ""}
"""The members that are not named as their properties are."""


def _property(rest: str) -> _Property | None:
    """What follows the name of a property, or None when that is no property."""
    match = _VALUE(rest)
    if match is None:
        return None
    parameters: dict[str, str] = {}
    for name, quoted, bare in _PARAMETER(match[1]):
        text = quoted or bare
        if "^" in text:  # RFC 6868
            text = _CARET.sub(lambda escape: _CARETS[escape[0]], text)
        parameters.setdefault(name.upper(), _line(text))
    return _Property(parameters, match[2].strip())


def _line(text: str) -> str:
    return shorten(single_line(text[: 2 * _MAX_TEXT]), _MAX_TEXT)


def _text(value: str) -> str | None:
    """A text as one line."""
    value = value[: 2 * _MAX_TEXT]
    if "\\" in value:
        value = _ESCAPE.sub(lambda match: " " if match[1] in "nN" else match[1], value)
    return _line(value) or None


def _read_value(name: str, read: _Property) -> Any:
    """The value of a property as JSON, or None when it does not fit."""
    match name:
        case "DTSTART" | "DTEND" | "RECURRENCE-ID":
            return _moment(read)
        case "ORGANIZER" | "ATTENDEE":
            return _person(read)
        case "SEQUENCE":
            number = int(read.value) if _DIGITS(read.value) else -1
            return number if 0 <= number <= _MAX_NUMBER else None
        case "DURATION":
            value = read.value.upper().removeprefix("+")
            return value if _DURATION(value) and value[-1:] not in ("P", "T") else None
        case "STATUS" | "RRULE":
            return _line(read.value.upper()) or None
        case _:
            return _text(read.value)


def _moment(read: _Property) -> dict[str, str] | None:
    """A moment in UTC, a local time with the name of its zone or without one, or a day."""
    match = _MOMENT(read.value[:32].upper().replace("-", "").replace(":", ""))
    if match is None:
        return None
    year, month, day, hour, minute, second, utc = match.groups()
    clock = (int(hour or 0), int(minute or 0), min(int(second or 0), 59))  # a leap second is the second before it
    try:
        at = datetime(int(year), int(month), int(day), *clock, tzinfo=UTC).isoformat()[:19]
    except ValueError:
        return None
    if hour is None:
        return {"at": at[:10]}
    if utc:
        return {"at": f"{at}Z"}
    zone = read.parameters.get("TZID")
    return {"at": at, **({"zone": zone} if zone else {})}


def _person(read: _Property) -> dict[str, str] | None:
    """Who organizes or attends: a mailbox, a name, and for attendees their answer."""
    scheme, _, mailbox = read.value.partition(":")
    if scheme.lower() != "mailto" or "@" not in mailbox:
        mailbox = read.parameters.get("EMAIL", "")  # RFC 7986 §6.2
    members = {
        "mailbox": _line(mailbox),
        "name": read.parameters.get("CN", ""),
        "partstat": read.parameters.get("PARTSTAT", "").upper(),
    }
    return {name: text for name, text in members.items() if text} or None
