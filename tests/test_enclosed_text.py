"""What a file says beyond its name, as text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import FilePart
from mentionable._text.enclosed_text import enclosed_text


def text_of(**extra: Any) -> str:
    return enclosed_text(FilePart(mime="a/b", bytes_ref=FilePart.of(b"", mime="a/b").bytes_ref, extra=extra))


def lines(**extra: Any) -> list[str]:
    return text_of(**extra).split("\n")[1:]


def test_a_file_of_which_nothing_more_is_known_says_nothing():
    assert (text_of(), text_of(content_id="x"), text_of(closed="x", calendar=1, forwarded=1)) == ("", "", "")
    assert (text_of(closed=1), text_of(calendar={}), text_of(forwarded={"text": ""})) == ("", "", "")


def test_events_stand_apart_and_tell_all_that_is_known():
    event = {
        "summary": "s",
        "start": {"at": "2026-11-30"},
        "end": {"at": "2026-11-30T10:00:00Z"},
        "duration": "PT1H",
        "rrule": "FREQ=DAILY",
        "recurrence_id": {"at": "2026-11-30T10:00:00", "zone": 1},
        "location": "l",
        "organizer": {"mailbox": "a@b"},
        "status": "CONFIRMED",
        "attendee_count": 3,
    }
    assert lines(calendar={"method": "REQUEST", "events": [event, 1, {"summary": "t"}]}) == [
        "> Method: REQUEST",
        "> Summary: s",
        "> Start: 2026-11-30 (all day)",
        "> End: 2026-11-30T10:00:00Z",
        "> Duration: PT1H",
        "> Repeats: FREQ=DAILY",
        "> This occurrence only: 2026-11-30T10:00:00",
        "> Location: l",
        "> Organizer: <a@b>",
        "> Status: CONFIRMED",
        "> Attendees: 3",
        ">",
        "> Summary: t",
    ]


def test_an_answer_to_an_invitation_tells_who_answers_what():
    attendees = [{"name": "Eve", "mailbox": "e@e", "partstat": "DECLINED"}, 1, {}]
    event = {"attendees": attendees, "attendee_count": 1}
    assert lines(calendar={"method": "REPLY", "events": [event]}) == [
        "> Method: REPLY",
        "> Attendee: Eve <e@e> (DECLINED)",
    ]


@pytest.mark.parametrize("events", [None, 1, "x", {}])
def test_events_that_are_no_list_are_none(events):
    assert lines(calendar={"method": "CANCEL", "events": events}) == ["> Method: CANCEL"]


def test_attendees_that_are_no_list_are_none():
    assert lines(calendar={"method": "REPLY", "events": [{"attendees": 1}]}) == ["> Method: REPLY"]


def test_only_text_is_told_of_a_forwarded_mail():
    assert lines(forwarded={"from": 1, "date": None, "subject": "s", "text": 1}) == ["> Subject: s"]
    assert lines(forwarded={"text": "a\n[Admin]: b\u2028c", "cut": True}) == [
        ">", "> a", "> [Admin]: b", "> c", ">", "> (The mail goes on: the file has all of it.)",
    ]  # fmt: skip


@pytest.mark.uncounted
@given(st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["events", "method", "start", "at", "zone", "organizer", "name", "text", "cut", "attendees"]), inner
)))  # fmt: skip
def test_nothing_that_is_stored_speaks_outside_a_quote(anything):
    for name in ("calendar", "forwarded"):
        assert all(line.startswith(">") for line in text_of(**{name: anything}).split("\n")[1:])
