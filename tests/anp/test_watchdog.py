"""What the agent does not handle in time goes to the system; what that cannot deliver is dead. Spec: ANP §6.2."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from mentionable import anp
from tests.anp.events import (
    ALL,
    DIRECT,
    IN_TWO_MINUTES,
    LATER,
    NO_SESSION,
    NO_USER,
    NOW,
    OF_AGENT,
    OF_SYSTEM,
    OLIVIA,
    PASSIVE,
    at,
    claimed,
    decided,
    escalated,
    flags,
    half_taken,
    kinds,
    refusal,
    routed,
    submission,
    submitted,
    the,
)

HOPS = {
    "pending": ("pending", "dispatched", "locked", "escalated"),
    "dispatched": ("dispatched", "locked", "escalated"),
    "locked": ("locked", "locked", "escalated"),
}
IN_A_WEEK_AND_TWO_MINUTES = "2026-11-28T20:58:00Z"


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
@pytest.mark.parametrize("made", [submitted, routed, claimed])
def test_at_its_deadline_the_system_takes_an_event_over(made, route):
    event = made(*route)
    decision = decided(event, anp.Tick(), now=LATER)
    new = decision.record
    assert decision.path == HOPS[event.status]
    assert new.routing == flags(route[0], "user", "system")
    assert new.requested == flags(*route)
    assert (new.owner_lease, new.holder, new.escalation) == (2, None, "deadline")
    settled = ["settled"] if event.status != "pending" else []  # the agent had it: devices learn that it has no more
    assert kinds(decision.effects) == ["fence_turn", *settled, "present", "agent_aware", "wake_at"]
    assert the(anp.FenceTurn, decision).lease == 1
    shown = the(anp.Present, decision)
    assert (shown.lease, shown.channel) == (2, "chat" if route[0] == "session" else "inbox")
    assert the(anp.AgentAware, decision).awareness == "escalated"
    assert new.delivery_deadline == the(anp.WakeAt, decision).at == IN_A_WEEK_AND_TWO_MINUTES


def test_what_was_submitted_with_a_deadline_that_has_passed_is_taken_over_at_once():
    event = submitted("user", "user", "agent", delivery_deadline="2026-11-21T20:55:00Z")
    assert decided(event, anp.Tick()).record.status == "escalated"


def test_an_event_has_expired_from_its_deadline_on():
    event = routed("user", "user", "agent")
    before = decided(event, anp.Tick(), now=LATER - timedelta(microseconds=1))
    assert (before.changes, kinds(before.effects)) == (False, ["wake_at"])
    assert the(anp.WakeAt, before).at == IN_TWO_MINUTES
    there = LATER.astimezone(timezone(timedelta(hours=14)))
    assert decided(event, anp.Tick(), now=there).record.status == "escalated"


def test_a_human_is_shown_the_fallback_text_and_what_the_agent_did():
    event = routed("user", "agent", "agent", metadata={"fallback_text": "Look!", "_x": 1})
    acted = decided(event, anp.Action(name="restart", lease=1)).record
    shown = the(anp.Present, decided(acted, anp.Tick(), now=LATER))
    assert (shown.content, shown.actions, shown.metadata) == ("Look!", ("restart",), {"fallback_text": "Look!"})


def test_an_escalation_goes_to_the_user_where_the_session_is_gone():
    decision = decided(routed("session", "user", "agent"), anp.Tick(), now=LATER, facts=NO_SESSION)
    assert decision.record.routing == flags("user", "user", "system")
    assert kinds(decision.effects)[:3] == ["fence_turn", "settled", "address_demoted"]
    assert the(anp.Present, decision).channel == "inbox"


def test_an_escalation_waits_for_no_turn():
    """What hangs in the lane may be why it escalates."""
    decision = decided(routed("user", "user", "agent"), anp.Tick(), now=LATER, facts=anp.Facts(lane_busy=True))
    assert "present" in kinds(decision.effects)


@pytest.mark.parametrize("route", OF_SYSTEM, ids="-".join)
@pytest.mark.parametrize("made", [submitted, routed])
def test_the_clock_does_nothing_to_what_the_system_owns(made, route):
    decision = decided(made(*route), anp.Tick(), now=NOW + timedelta(days=400))
    assert (decision.changes, decision.effects) == (False, ())


def foreign(status, target, handler, **members):
    """An event of a ledger that keeps the members of the specification and no other."""
    routing = {"address": "user", "target": target, "handler": handler}
    given = {"id": "e1", "content": "x", "status": status, "created_at": "2026-11-21T20:56:00Z", "routing": routing}
    return anp.read_notification({**given, **members}, user_id=OLIVIA)


def test_a_deadline_of_another_ledger_does_nothing_to_what_the_system_owns():
    event = foreign("dispatched", "user", "system", delivery_deadline=IN_TWO_MINUTES)
    assert not event.is_watched
    decision = decided(event, anp.Tick(), now=at(300))
    assert (decision.changes, decision.effects) == (False, ())


@pytest.mark.parametrize("status", ["pending", "dispatched"])
def test_what_the_agent_owns_in_another_ledger_without_a_deadline_gets_one(status):
    decision = decided(foreign(status, "agent", "agent"), anp.Tick())
    assert decision.path == (status,)
    assert decision.record.delivery_deadline == the(anp.WakeAt, decision).at == IN_TWO_MINUTES


# --- escalated


def test_an_escalated_event_that_nobody_sees_in_time_has_failed():
    event = escalated("user", "user", "agent")
    early = decided(event, anp.Tick(), now=LATER + timedelta(days=6))
    assert (early.changes, kinds(early.effects)) == (False, ["wake_at"])
    late = decided(event, anp.Tick(), now=LATER + timedelta(days=7))
    assert late.path == ("escalated", "failed")
    assert the(anp.DeadLetter, late).reason == "deadline"
    assert late.record.owner_lease == 2


def test_a_host_may_let_an_escalated_event_wait_for_ever():
    rules = anp.Rules(system_ttl=None)
    event = decided(routed("user", "user", "agent"), anp.Tick(), now=LATER, rules=rules).record
    assert event.delivery_deadline is None
    much_later = decided(event, anp.Tick(), now=LATER + timedelta(days=4000), rules=rules)
    assert (much_later.changes, much_later.effects) == (False, ())


def test_a_takeover_that_was_stored_half_done_is_finished():
    decision = decided(half_taken(), anp.Tick())
    assert decision.path == ("locked", "escalated")
    assert (decision.record.owner_lease, decision.record.escalation) == (2, "deadline")
    assert kinds(decision.effects) == ["present", "agent_aware", "wake_at"]
    assert the(anp.Present, decision).lease == 2
    assert decided(half_taken(escalation="silence"), anp.Tick()).record.escalation == "silence"


# --- nobody is left


@pytest.mark.parametrize("event", [routed("user", "user", "agent"), claimed("session", "agent", "agent"), half_taken()])
def test_what_cannot_be_shown_to_anybody_ends(event):
    decision = decided(event, anp.Abandon(), facts=NO_USER)
    assert decision.path[-2:] == ("locked", "failed")
    assert kinds(decision.effects)[-1] == "dead_letter"
    assert "present" not in kinds(decision.effects)
    assert (the(anp.DeadLetter, decision).reason, decision.record.escalation) == ("no_route", "no_route")
    assert (decision.record.owner_lease, decision.record.delivery_deadline) == (2, None)
    assert decision.record.routing.handler == "system"


def test_a_deadline_for_nobody_is_the_end_too():
    decision = decided(routed("session", "user", "agent"), anp.Tick(), now=LATER, facts=NO_USER)
    assert decision.path == ("dispatched", "locked", "failed")
    assert kinds(decision.effects) == ["fence_turn", "settled", "dead_letter"]


def test_an_escalated_event_for_nobody_is_given_up():
    decision = decided(escalated("user", "user", "agent"), anp.Abandon(), now=LATER, facts=NO_USER)
    assert decision.path == ("escalated", "failed")
    assert (the(anp.DeadLetter, decision).reason, decision.record.failures) == ("no_route", 0)


def test_nothing_is_abandoned_while_somebody_is_there():
    for event in (routed("user", "user", "agent"), escalated("user", "user", "agent")):
        assert refusal(event, anp.Abandon(), now=LATER) == "route-exists"


@pytest.mark.parametrize("route", [*DIRECT, *PASSIVE], ids="-".join)
@pytest.mark.parametrize("made", [submitted, routed])
def test_what_the_system_owned_from_the_first_never_fails(made, route):
    assert refusal(made(*route), anp.Abandon(), facts=NO_USER) == "transition-refused"


@pytest.mark.parametrize("route", ALL, ids="-".join)
def test_the_agent_alone_cannot_keep_an_event_open(route):
    """Invariant 16: without the agent, a clock and a human lead every event that a human may see to an end."""
    event = submitted(*route)
    now = NOW
    for command in (anp.Route(), anp.Tick(), anp.Tick()):
        now += timedelta(days=8)
        outcome = anp.decide(event, command, now=now)
        event = outcome.record if isinstance(outcome, anp.Decision) else event
    ends = "failed" if route in OF_AGENT else "dispatched"
    assert event.status == ends


def test_an_update_gives_the_agent_its_time_again():
    event = routed("user", "user", "agent", deduplication_key="k")
    words = submission("user", "user", "agent", deduplication_key="k")
    event = decided(event, anp.Submit(submission=words, id="e2"), now=at(60)).record
    assert decided(event, anp.Tick(), now=at(120)).record.status == "dispatched"
    assert decided(event, anp.Tick(), now=at(180)).record.status == "escalated"
