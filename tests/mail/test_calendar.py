"""Invitations: iCalendar as JSON."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._text.invites import MAX_ATTENDEES, MAX_EVENTS
from mentionable.mail._read.calendar import read_calendar


def event(*lines: str) -> Any:
    """What is read of one event."""
    calendar = read_calendar(text(*lines))
    return calendar.members["events"][0] if calendar.members else None


def text(*lines: str, head: str = "") -> str:
    return "\r\n".join(
        ["BEGIN:VCALENDAR", *filter(None, [head]), "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"]
    )


def test_an_invitation_is_read_whole() -> None:
    calendar = read_calendar(
        text(
            "UID:1@a.example",
            "SEQUENCE:2",
            "SUMMARY:Planning\\, part\\; two\\nand a",
            "  half",
            'DTSTART;TZID="Europe/Berlin":20261130T090000',
            "DTEND;TZID=Europe/Berlin:20261130T100000",
            "LOCATION:Room 1",
            'ORGANIZER;CN="Bob: the ^\'chair^\'";SENT-BY="mailto:x@b.example":MAILTO:bob@b.example',
            "ATTENDEE;PARTSTAT=accepted;CN=Eve:mailto:eve@e.example",
            "ATTENDEE:mailto:ash@e.example",
            "STATUS:confirmed",
            "RRULE:FREQ=WEEKLY;COUNT=3",
            "RECURRENCE-ID;VALUE=DATE:20261207",
            head="METHOD:request",
        )
    )
    assert calendar.faults == ()
    assert calendar.members == {
        "method": "REQUEST",
        "events": [
            {
                "uid": "1@a.example",
                "sequence": 2,
                "summary": "Planning, part; two and a half",
                "start": {"at": "2026-11-30T09:00:00", "zone": "Europe/Berlin"},
                "end": {"at": "2026-11-30T10:00:00", "zone": "Europe/Berlin"},
                "location": "Room 1",
                "organizer": {"mailbox": "bob@b.example", "name": 'Bob: the "chair"'},
                "attendee_count": 2,
                "attendees": [
                    {"mailbox": "eve@e.example", "name": "Eve", "partstat": "ACCEPTED"},
                    {"mailbox": "ash@e.example"},
                ],
                "status": "CONFIRMED",
                "rrule": "FREQ=WEEKLY;COUNT=3",
                "recurrence_id": {"at": "2026-12-07"},
            }
        ],
    }


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("DTSTART:20261130T090000Z", {"at": "2026-11-30T09:00:00Z"}),
        ("DTSTART;TZID=Europe/Berlin:20261130T090000Z", {"at": "2026-11-30T09:00:00Z"}),
        ("DTSTART;TZID=W. Europe Time:20261130T090000", {"at": "2026-11-30T09:00:00", "zone": "W. Europe Time"}),
        ("DTSTART:20261130T090000", {"at": "2026-11-30T09:00:00"}),
        ("DTSTART;TZID=:20261130T0900", {"at": "2026-11-30T09:00:00"}),
        ("DTSTART:20261130T235960Z", {"at": "2026-11-30T23:59:59Z"}),
        ("DTSTART:2026-11-30T09:00:00Z", {"at": "2026-11-30T09:00:00Z"}),
        ("DTSTART;VALUE=DATE:20261130", {"at": "2026-11-30"}),
        ("DTSTART:20261331T090000Z", None),
        ("DTSTART:tomorrow", None),
        ("DTSTART;no colon", None),
    ],
)  # fmt: skip
def test_a_moment_keeps_the_form_that_it_has(line: str, start: Any) -> None:
    assert event("UID:1", line).get("start") == start


@pytest.mark.parametrize(
    ("line", "member"),
    [
        ("SEQUENCE:-1", None),
        ("SEQUENCE:2147483648", None),
        ("SEQUENCE:" + "9" * 5000, None),
        ("DURATION:PT1H30M", "PT1H30M"),
        ("DURATION:+P1W", "P1W"),
        ("DURATION:P", None),
        ("DURATION:P1DT", None),
        ("DURATION:-PT1H", None),
        ("ORGANIZER:urn:uuid:1", None),
        ("ORGANIZER;EMAIL=bob@b.example:urn:uuid:1", {"mailbox": "bob@b.example"}),
        ("SUMMARY:", None),
        ("SUMMARY:a\\\\b\\", "a\\b\\"),
        ("SUMMARY:x\x1b[31m\u202e", "x [31m"),
        ("STATUS: ", None),
    ],
)
def test_a_member_that_does_not_fit_costs_itself(line: str, member: Any) -> None:
    name = line.partition(":")[0].partition(";")[0].lower()
    assert event("UID:1", line) == {"uid": "1", **({name: member} if member is not None else {})}


@pytest.mark.parametrize(
    ("stated", "parameter", "method", "faults"),
    [
        ("METHOD:CANCEL", "", "CANCEL", 0),
        ("METHOD:CANCEL", "cancel", "CANCEL", 0),
        ("METHOD:CANCEL", "REQUEST", "CANCEL", 1),
        ("", "reply", "REPLY", 0),
        ("METHOD:", "REPLY", "REPLY", 0),
        ("METHOD;x", "REPLY", "REPLY", 0),
        ("METHOD:BUY", "SELL", None, 0),
        ("METHOD:REQUEST\r\nMETHOD:CANCEL", "", "REQUEST", 0),
    ],
)
def test_the_method_of_the_object_counts_before_that_of_its_body_part(
    stated: str, parameter: str, method: Any, faults: int
) -> None:
    calendar = read_calendar(text("UID:1", head=stated), method=parameter)
    assert (calendar.members.get("method"), len(calendar.faults)) == (method, faults)


def test_the_first_of_doubled_properties_counts() -> None:
    assert event("UID:1", "UID:2") == {"uid": "1"}


def test_only_the_properties_of_the_event_itself_count() -> None:
    alarm = ("BEGIN:VALARM", "SUMMARY:alarm", "ATTENDEE:mailto:a@a.example", "END:VALARM")
    assert event(*alarm, "UID:1", "SUMMARY:event") == {"uid": "1", "summary": "event"}


def test_a_component_that_is_never_ended_ends_with_its_event() -> None:
    calendar = read_calendar(text("UID:1", "BEGIN:VALARM", "END:VEVENT", "BEGIN:VEVENT", "UID:2"))
    assert calendar.members["events"] == [{"uid": "1"}, {"uid": "2"}]


def test_time_zones_and_tasks_are_no_events() -> None:
    zone = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nDTSTART:16010101T000000\nRRULE:FREQ=YEARLY\nEND:VTIMEZONE\n"
    assert read_calendar(zone + "BEGIN:VTODO\nUID:1\nEND:VTODO\n") == ({}, ("no event",), "")


@pytest.mark.parametrize("nothing", ["", "hello", "BEGIN:VEVENT\nEND:VEVENT", "BEGIN:VEVENT", "END:VEVENT\nUID:1"])
def test_what_has_no_event_says_so(nothing: str) -> None:
    assert read_calendar(nothing) == ({}, ("no event",), "")


def test_a_calendar_without_an_event_has_its_method() -> None:
    assert read_calendar("METHOD:REPLY\n", method="REQUEST").method == "REPLY"
    assert read_calendar("", method="reply").method == "REPLY"


def test_a_description_is_one_line_of_a_bounded_length() -> None:
    assert event("DESCRIPTION:Bring\\nthe plan\\, please")["description"] == "Bring the plan, please"
    assert len(event("DESCRIPTION:" + "x" * 5_000)["description"]) <= 1_000


def test_events_and_attendees_are_bounded_and_the_rest_is_told() -> None:
    calendar = read_calendar("BEGIN:VEVENT\nUID:1\nEND:VEVENT\n" * (MAX_EVENTS + 1))
    assert (len(calendar.members["events"]), calendar.faults) == (MAX_EVENTS, ("only its first 20 events are read",))
    found = event(*["ATTENDEE:mailto:a@a.example"] * 1000)
    assert (len(found["attendees"]), found["attendee_count"]) == (MAX_ATTENDEES, 1000)


def test_a_million_rules_are_read_as_one() -> None:
    calendar = read_calendar(text("UID:1", *["RRULE:FREQ=DAILY"] * 1_000_000))
    assert calendar.members["events"] == [{"uid": "1", "rrule": "FREQ=DAILY"}]
    assert calendar.faults == ("only its first 50000 lines are read",)


def test_a_long_text_is_cut_where_it_can_be_seen() -> None:
    summary = event("SUMMARY:" + "x" * 100_000)["summary"]
    assert (len(summary.encode()), summary[-1]) == (1000, "…")


WORDS = (
    "BEGIN:VEVENT",
    "END:VEVENT",
    "BEGIN:X",
    "END:X",
    "UID",
    "DTSTART",
    "ORGANIZER",
    ":",
    ";",
    '"',
    "\n",
    " ",
    "2026",
    "T",
    "\\",
)


@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
def test_any_text_gives_a_calendar(anything: str) -> None:
    calendar = read_calendar(anything, method=anything[:10])
    assert bool(calendar.members) != ("no event" in calendar.faults)
