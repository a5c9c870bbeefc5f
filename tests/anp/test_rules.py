"""Times and numbers of a host: how long anybody has for an event."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from mentionable import UsageError, anp
from mentionable.anp._rules import after
from tests.anp.events import AT, IN_TWO_MINUTES, NOW, submitted

MINUTE = timedelta(minutes=1)


def test_the_usual_rules():
    rules = anp.Rules()
    assert (rules.ttl, rules.cap, rules.system_ttl) == (2 * MINUTE, timedelta(hours=1), timedelta(days=7))
    assert (rules.attempts, rules.depth, rules.lanes, dict(rules.urgent)) == (1, 3, "user", {})
    assert (rules.context_ttl, rules.max_facts, rules.max_fact_characters) == (timedelta(), 100, 131_072)
    assert rules.wording == anp.ENGLISH
    assert anp.Facts() == anp.Facts(session_exists=True, user_exists=True, lane_busy=False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ttl": timedelta()},
        {"ttl": 120},
        {"ttl": 61 * MINUTE},
        {"cap": MINUTE},
        {"urgent": {"low": 61 * MINUTE}},
        {"cap": -MINUTE},
        {"turn_ttl": None},
        {"system_ttl": timedelta()},
        {"urgent": {"high": timedelta()}},
        {"urgent": {"high": 5}},
        {"urgent": [("high", MINUTE)]},
        {"urgent": {"HIGH": MINUTE}},
        {"urgent": {" high": MINUTE}},
        {"urgent": {5: MINUTE}},
        {"attempts": 0},
        {"attempts": True},
        {"depth": 1.5},
        {"depth": 0},
        {"lanes": "host"},
        {"max_facts": 0},
        {"max_facts": 201},
        {"max_facts": True},
        {"max_fact_characters": 4_095},
        {"max_fact_characters": 262_145},
        {"max_fact_characters": 5_000.0},
    ],
    ids=str,
)
def test_a_host_decides_something_that_makes_sense(wrong):
    with pytest.raises(UsageError):
        anp.Rules(**wrong)


def test_an_escalated_event_may_wait_for_ever():
    assert anp.Rules(system_ttl=None).system_ttl is None


@pytest.mark.parametrize(
    ("hint", "seconds"), [("high", 30), (" HIGH ", 30), ("low", 600), ("whenever", 120), (9, 120), (None, 120)]
)
def test_the_hint_of_urgency_chooses_the_time(hint, seconds):
    rules = anp.Rules(urgent={"high": timedelta(seconds=30), "low": timedelta(minutes=10)})
    event = submitted("user", "user", "agent", metadata={"urgency": hint})
    assert rules.deadline(event, NOW) == after(NOW, timedelta(seconds=seconds))


def test_a_deadline_is_capped_from_when_the_event_was_submitted():
    rules, event = anp.Rules(cap=2 * MINUTE), submitted("user", "user", "agent")
    assert rules.capped(event, "2026-11-21T20:57:00Z") == "2026-11-21T20:57:00Z"
    assert rules.capped(event, IN_TWO_MINUTES) == IN_TWO_MINUTES
    assert rules.capped(event, "2026-11-21T20:58:00.001Z") == IN_TWO_MINUTES
    assert rules.capped(event, "2026-11-21T21:57:59+01:00") == "2026-11-21T21:57:59+01:00"


def test_times_are_written_in_utc():
    assert after(datetime(2026, 11, 21, 21, 54, tzinfo=timezone(timedelta(hours=1))), 2 * MINUTE) == AT


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))])
def test_time_ends_with_the_year_9999(zone):
    late = datetime(9999, 12, 31, 11, 59, tzinfo=zone)
    assert after(late, timedelta(days=2)) == "9999-12-31T23:59:59.999Z"
    assert after(NOW, timedelta.max) == "9999-12-31T23:59:59.999Z"
