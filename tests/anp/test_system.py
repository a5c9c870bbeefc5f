"""What the system owns: a human sees it, or cannot; the agent has read it. Spec: ANP §5; rows 9 to 11, 23, 24, 30."""

from __future__ import annotations

import pytest

from mentionable import anp
from tests.anp.events import (
    ALL,
    AT,
    DIRECT,
    LATER,
    MEDIATED,
    NO_SESSION,
    OF_AGENT,
    OLIVIA,
    PASSIVE,
    at,
    claimed,
    decided,
    delivered,
    escalated,
    failed,
    flags,
    half_taken,
    kinds,
    refusal,
    routed,
    submitted,
    the,
)


def seen(lease=1, **members):
    return anp.ClientAck(lease=lease, user_id=OLIVIA, **members)


# --- the human has seen it


@pytest.mark.parametrize("route", DIRECT, ids="-".join)
def test_an_alert_is_delivered_when_the_human_has_seen_it(route):
    decision = decided(routed(*route), seen(), now=at(5))
    assert decision.path == ("dispatched", "delivered")
    assert (decision.record.ack_at, decision.record.outcome) == ("2026-11-21T20:56:05Z", "seen")
    aware = the(anp.AgentAware, decision)
    assert (kinds(decision.effects), aware.awareness) == (["settled", "agent_aware"], "user_seen")
    assert aware.session_id == ("s1" if route[0] == "session" else None)


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_an_escalated_event_is_delivered_when_the_human_has_seen_it(route):
    decision = decided(escalated(*route), seen(2), now=LATER)
    assert decision.path == ("escalated", "delivered")
    assert the(anp.AgentAware, decision).awareness == "user_seen"
    assert (decision.record.escalation, decision.record.outcome) == ("deadline", "seen")


@pytest.mark.parametrize(
    ("event", "right"),
    [(routed("user", "user", "system"), 1), (escalated("user", "user", "agent"), 2)],
    ids=["alert", "escalated"],
)
def test_only_the_current_lease_counts(event, right):
    for lease in (None, 0, -1, right - 1, right + 1, 10**5000):
        assert refusal(event, seen(lease), now=LATER) == "stale-lease"
        assert refusal(event, anp.DeliveryFailed(lease=lease), now=LATER) == "stale-lease"
    assert decided(event, seen(right), now=LATER).record.status == "delivered"


def test_a_revision_that_is_named_must_be_the_current_one():
    event = routed("user", "user", "system")
    for revision in (0, 2, 10**5000):
        assert refusal(event, seen(revision=revision)) == "stale-revision"
    assert decided(event, seen(revision=1)).record.status == "delivered"


def test_a_second_acknowledgement_is_benign_and_the_first_time_stays():
    event = delivered("user", "user", "system")
    assert event.ack_at == AT
    assert refusal(event, seen(), now=LATER) == "already-terminal"
    assert refusal(event, seen(7), now=LATER) == "already-terminal"


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
@pytest.mark.parametrize("made", [routed, claimed])
def test_no_client_acknowledges_what_the_agent_owns(made, route):
    assert refusal(made(*route), seen()) == "wrong-owner"


@pytest.mark.parametrize("route", PASSIVE, ids="-".join)
def test_no_client_acknowledges_what_no_human_is_shown(route):
    assert refusal(routed(*route), seen()) == "transition-refused"


def test_no_client_acknowledges_what_has_not_been_shown_yet():
    assert refusal(submitted("user", "user", "system"), seen()) == "transition-refused"
    assert refusal(half_taken(), seen(2)) == "transition-refused"


# --- it could not be shown


@pytest.mark.parametrize("route", DIRECT, ids="-".join)
@pytest.mark.parametrize("is_final", [False, True])
def test_an_alert_waits_for_a_client_and_is_never_given_up(route, is_final):
    event = routed(*route)
    decision = decided(event, anp.DeliveryFailed(lease=1, is_final=is_final))
    assert (decision.changes, decision.effects, decision.record) == (False, (), event)


def test_an_escalated_event_that_cannot_be_shown_has_failed():
    decision = decided(escalated("user", "user", "agent"), anp.DeliveryFailed(lease=2), now=LATER)
    assert decision.path == ("escalated", "failed")
    assert (decision.record.failures, decision.record.ack_at, decision.record.outcome) == (1, None, None)
    assert kinds(decision.effects) == ["settled", "dead_letter"]
    assert the(anp.Settled, decision).how == "withdrawn"
    assert the(anp.DeadLetter, decision).reason == "presentation"


def test_a_host_may_try_more_often():
    rules, event = anp.Rules(attempts=2), escalated("session", "user", "agent")
    first = decided(event, anp.DeliveryFailed(lease=2), now=LATER, rules=rules)
    assert (first.path, first.record.failures, kinds(first.effects)) == (("escalated",), 1, ["present"])
    assert the(anp.Present, first).lease == 2
    second = decided(first.record, anp.DeliveryFailed(lease=2), now=LATER, rules=rules)
    assert (second.path, second.record.failures) == (("escalated", "failed"), 2)


def test_what_no_attempt_can_better_is_given_up_at_once():
    command = anp.DeliveryFailed(lease=2, is_final=True)
    decision = decided(escalated("user", "user", "agent"), command, now=LATER, rules=anp.Rules(attempts=9))
    assert decision.record.status == "failed"


@pytest.mark.parametrize(
    ("event", "lease"),
    [
        (submitted("user", "user", "system"), 1),
        (routed("user", "user", "agent"), 1),
        (claimed("user", "agent", "agent"), 1),
        (routed("user", "agent", "system"), 1),
        (half_taken(), 2),
    ],
    ids=["pending", "mediated", "claimed", "passive", "takeover"],
)
def test_what_is_not_shown_cannot_fail_to_be_shown(event, lease):
    assert refusal(event, anp.DeliveryFailed(lease=lease)) == "transition-refused"


@pytest.mark.parametrize("user_id", [None, OLIVIA])
def test_the_host_or_a_client_of_the_user_says_that_it_could_not_be_shown(user_id):
    decision = decided(escalated("user", "user", "agent"), anp.DeliveryFailed(lease=2, user_id=user_id), now=LATER)
    assert decision.record.status == "failed"


# --- a client is back


@pytest.mark.parametrize("route", DIRECT, ids="-".join)
def test_a_client_that_is_back_is_shown_what_nobody_has_acknowledged(route):
    event = routed(*route)
    decision = decided(event, anp.Reconnect(user_id=OLIVIA))
    assert (decision.changes, kinds(decision.effects)) == (False, ["present"])
    assert decision.effects == decided(submitted(*route), anp.Route()).effects[:1]


def test_a_client_that_is_back_is_shown_an_escalated_event_with_its_lease_and_its_fallback():
    event = escalated("user", "user", "agent", metadata={"fallback_text": "Look!"})
    shown = the(anp.Present, decided(event, anp.Reconnect(user_id=OLIVIA), now=LATER))
    assert (shown.lease, shown.content) == (2, "Look!")


@pytest.mark.parametrize(
    "event",
    [*(routed(*route) for route in (*PASSIVE, *OF_AGENT)), claimed(*MEDIATED[0]), half_taken()],
    ids=lambda event: f"{event.status}-{event.routing.row.mode}-{event.routing.address}",
)
def test_a_client_that_is_back_is_shown_nothing_that_is_not_for_it(event):
    decision = decided(event, anp.Reconnect(user_id=OLIVIA))
    assert (decision.changes, decision.effects) == (False, ())


@pytest.mark.parametrize("route", ALL, ids="-".join)
@pytest.mark.parametrize("facts", [anp.Facts(), NO_SESSION], ids=["lives", "gone"])
def test_a_client_that_is_back_has_what_still_waits_dispatched_again(route, facts):
    """Its lane may have been full when it came."""
    decision = decided(submitted(*route), anp.Reconnect(user_id=OLIVIA), facts=facts)
    assert (decision.changes, decision.effects) == (False, (anp.Dispatch(id="e1", revision=1, lease=1),))


# --- the chat in which it stood is gone


@pytest.mark.parametrize(
    ("event", "lease"),
    [(routed("session", "user", "system"), 1), (escalated("session", "user", "agent"), 2)],
    ids=["alert", "escalated"],
)
def test_what_stood_in_a_chat_that_is_gone_goes_to_the_inbox(event, lease):
    """Nobody can have seen it there, so no attempt to show it is counted, and none is the last."""
    commands = (
        anp.Reconnect(user_id=OLIVIA),
        *(anp.DeliveryFailed(lease=lease, is_final=last) for last in (False, True)),
    )
    for command in commands:
        decision = decided(event, command, now=LATER, facts=NO_SESSION)
        assert decision.path == (event.status,)
        assert decision.record.routing == flags("user", "user", "system")
        assert (decision.record.owner_lease, decision.record.failures) == (lease, 0)
        assert kinds(decision.effects) == ["address_demoted", "present"]
        shown = the(anp.Present, decision)
        assert (shown.channel, shown.lease) == ("inbox", lease)
        seen_there = decided(decision.record, seen(lease), now=LATER, facts=NO_SESSION)
        assert seen_there.record.status == "delivered"


def test_a_fact_of_a_session_that_is_gone_is_known_beyond_all_sessions():
    """No turn of that session would ever read it."""
    event = routed("session", "agent", "system")
    decision = decided(event, anp.Reconnect(user_id=OLIVIA), facts=NO_SESSION)
    assert decision.record.routing == flags("user", "agent", "system")
    assert kinds(decision.effects) == ["address_demoted", "add_fact"]
    assert the(anp.AddFact, decision).scope == "global"


def test_what_was_seen_before_the_chat_was_gone_counts():
    decision = decided(routed("session", "user", "system"), seen(), facts=NO_SESSION)
    assert decision.record.status == "delivered"


# --- the agent has read it


@pytest.mark.parametrize("route", PASSIVE, ids="-".join)
def test_a_passive_event_is_delivered_by_the_turn_in_whose_prompt_it_stood(route):
    decision = decided(routed(*route), anp.ContextCommitted(lease=1, revision=1))
    assert decision.path == ("dispatched", "delivered")
    assert (decision.record.outcome, decision.record.ack_at, decision.effects) == ("read", None, ())


def test_the_turn_must_have_read_the_current_words():
    event = routed("user", "agent", "system")
    assert refusal(event, anp.ContextCommitted(lease=1, revision=2)) == "stale-revision"
    assert refusal(event, anp.ContextCommitted()) == "stale-lease"


@pytest.mark.parametrize(
    ("event", "lease"),
    [
        (submitted("user", "agent", "system"), 1),
        (routed("user", "user", "system"), 1),
        (routed("user", "agent", "agent"), 1),
        (escalated("user", "agent", "agent"), 2),
    ],
    ids=["pending", "direct", "autonomous", "escalated"],
)
def test_nothing_else_is_delivered_by_standing_in_a_prompt(event, lease):
    assert refusal(event, anp.ContextCommitted(lease=lease), now=LATER) == "transition-refused"


def test_nothing_happens_to_what_is_over():
    for event in (failed("user", "user", "agent"), delivered("user", "agent", "system")):
        for command in (seen(2), anp.DeliveryFailed(lease=1), anp.Reconnect(user_id=OLIVIA), anp.ContextCommitted()):
            assert refusal(event, command, now=LATER) == "already-terminal"
