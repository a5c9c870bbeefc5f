"""The door: which arguments it takes, what it says before anything else, and what a decision is."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mentionable import CODES, Rejected, UsageError, anp
from mentionable.anp._step import effect
from tests.anp.events import (
    LATER,
    NOW,
    OLIVIA,
    claimed,
    decided,
    delivered,
    escalated,
    failed,
    refusal,
    routed,
    submission,
    submitted,
)
from tests.anp.test_commands import COMMANDS, EFFECTS

LIVING = [kind for kind in COMMANDS if kind not in ("submit", "action")]
"""Commands that mean something only to an event that is not over."""


@pytest.mark.parametrize("kind", [kind for kind in COMMANDS if kind != "submit"])
def test_without_an_event_there_is_nothing_to_do(kind):
    outcome = anp.decide(None, COMMANDS[kind], now=NOW)
    assert isinstance(outcome, Rejected)
    assert outcome.code == "unknown-notification"


@pytest.mark.parametrize("kind", LIVING)
@pytest.mark.parametrize("made", [delivered, failed])
def test_what_is_over_is_over(made, kind):
    event = made("user", "user", "agent")
    assert refusal(event, COMMANDS[kind], now=LATER, facts=anp.Facts(user_exists=False)) == "already-terminal"


def test_that_something_is_over_is_benign():
    assert {CODES[code].http for code in ("already-terminal", "already-submitted")} == {200}


MALLORYS = [
    anp.ClientAck(lease=9, user_id="mallory"),
    anp.Reconnect(user_id="mallory"),
    anp.DeliveryFailed(lease=9, user_id="mallory"),
]


@pytest.mark.parametrize("made", [submitted, routed, claimed, escalated, delivered])
@pytest.mark.parametrize("command", MALLORYS)
def test_another_user_learns_nothing_of_an_event(made, command):
    assert refusal(made("user", "user", "agent"), command, now=LATER) == "wrong-user"
    assert CODES["wrong-user"].http == CODES["unknown-notification"].http == 404


@pytest.mark.parametrize(
    ("record", "command", "how"),
    [
        ("e1", anp.Tick(), {}),
        (None, "tick", {}),
        (None, None, {}),
        (None, anp.Dispatch(id="e1", revision=1, lease=1), {}),
        (None, anp.Tick(), {"facts": {}}),
        (None, anp.Tick(), {"rules": None}),
        (None, anp.Tick(), {"now": NOW.replace(tzinfo=None)}),
        (None, anp.Tick(), {"now": "2026-11-21T20:56:00Z"}),
        (None, anp.Tick(), {"now": NOW.date()}),
    ],
)
def test_wrong_arguments_are_the_fault_of_the_program(record, command, how):
    with pytest.raises(UsageError):
        anp.decide(record, command, **{"now": NOW, **how})


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"record": "e1"}, "record must be Notification, not str"),
        ({"facts": {}}, "facts must be Facts, not dict"),
        ({"rules": None}, "rules must be Rules, not NoneType"),
    ],
)
def test_what_an_argument_must_be_is_said(wrong, words):
    given = {"record": None, "command": anp.Tick(), "now": NOW, **wrong}
    with pytest.raises(UsageError, match=words):
        anp.decide(given.pop("record"), given.pop("command"), **given)


def test_the_type_of_a_command_is_named():
    with pytest.raises(UsageError, match=r"command must be one of anp\.Command, not str"):
        anp.decide(routed("user", "user", "agent"), "tick", now=NOW)


def test_a_decision_says_what_must_be_stored_now():
    event = claimed("user", "user", "agent")
    decision = decided(event, anp.Tick(), now=LATER)
    assert decision.expected == anp.Expected(status="locked", owner_lease=1, version=event.version)
    assert (decision.record.version, decision.changes) == (event.version + 1, True)


def test_a_decision_that_changes_nothing_says_so():
    event = routed("user", "user", "system")
    decision = decided(event, anp.Reconnect(user_id=OLIVIA))
    assert (decision.record, decision.changes, decision.path) == (event, False, ("dispatched",))
    assert decision.expected.version == event.version


def test_a_change_of_words_is_told_by_the_version_alone():
    """Status and lease are the same before and after an update: without the version it would be lost."""
    event = routed("user", "user", "agent", deduplication_key="k")
    words = submission("user", "user", "agent", deduplication_key="k", content="Other words.")
    updated = decided(event, anp.Submit(submission=words, id="e2"))
    claim = decided(event, anp.Claim(lease=1, holder="w1"))
    assert (updated.record.status, updated.record.owner_lease) == (claim.expected.status, claim.expected.owner_lease)
    assert updated.record.version != claim.expected.version


def test_time_does_not_run_backwards():
    event = decided(submitted("user", "user", "agent"), anp.Route(), now=LATER).record
    early = decided(event, anp.Claim(lease=1, holder="w1"), now=NOW - timedelta(days=1)).record
    assert early.changed_at == event.changed_at
    overdue = decided(event, anp.Tick(), now=datetime.min.replace(tzinfo=NOW.tzinfo))
    assert overdue.record.status == "escalated"


@pytest.mark.parametrize("kind", EFFECTS)
def test_an_effect_that_is_decided_is_what_its_public_constructor_makes(kind):
    sample = EFFECTS[kind]
    names = [name for cls in type(sample).__mro__ for name in getattr(cls, "__annotations__", ()) if name != "kind"]
    members = {name: getattr(sample, name) for name in names if name not in ("id", "revision", "lease")}
    event = submitted("user", "user", "system")
    assert effect(type(sample), event, **members) == sample
    assert repr(effect(type(sample), event, **members)) == repr(sample)
