"""An event goes where its flags say. Spec: ANP §2.1, §3.1, §4; rows 4 to 8."""

from __future__ import annotations

import pytest

from mentionable import anp
from tests.anp.events import (
    ALL,
    AUTONOMOUS,
    BUSY,
    DIRECT,
    IN_TWO_MINUTES,
    MEDIATED,
    NO_SESSION,
    OF_AGENT,
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

TOLD = anp.AgentInstructions(directive="Say so.")


@pytest.mark.parametrize(("route", "surface"), [*zip(DIRECT, ("inbox", "chat"), strict=True)])
def test_the_system_presents_what_is_for_the_human(route, surface):
    decision = decided(submitted(*route, metadata={"urgency": "low", "_trace": 1}), anp.Route())
    assert decision.path == ("pending", "dispatched")
    assert kinds(decision.effects) == ["present", "agent_aware"]
    shown = the(anp.Present, decision)
    assert (shown.channel, shown.user_id, shown.content) == (surface, "olivia", "Backup failed.")
    assert (shown.session_id, shown.origin, shown.actions) == ("s1" if surface == "chat" else None, "plugin", None)
    assert shown.metadata == {"urgency": "low"}
    assert the(anp.AgentAware, decision).awareness == "shown"
    assert decision.record.delivery_deadline is None


def test_what_is_presented_at_first_is_the_content():
    """The fallback text is for when the agent should have spoken."""
    decision = decided(submitted("user", "user", "system", metadata={"fallback_text": "Look!"}), anp.Route())
    assert the(anp.Present, decision).content == "Backup failed."


@pytest.mark.parametrize("route", PASSIVE, ids="-".join)
def test_a_passive_event_is_a_fact_and_nothing_else(route):
    decision = decided(submitted(*route, agent_instructions=TOLD), anp.Route())
    assert decision.path == ("pending", "dispatched")
    assert kinds(decision.effects) == ["add_fact"]
    fact = the(anp.AddFact, decision)
    assert (fact.scope, fact.content, fact.agent_instructions) == (flags(*route).row.scope, "Backup failed.", TOLD)
    assert decision.record.delivery_deadline is None


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_the_agent_is_granted_what_it_handles_with_a_deadline_and_a_turn(route):
    decision = decided(submitted(*route, agent_instructions=TOLD), anp.Route(), now=at(30))
    assert decision.path == ("pending", "dispatched")
    assert kinds(decision.effects) == ["grant", "inject_context", "start_turn", "wake_at"]
    grant, told, turn = (the(cls, decision) for cls in (anp.Grant, anp.InjectContext, anp.StartTurn))
    scope = "session" if route[0] == "session" else "global"
    assert (grant.id, grant.lease) == ("e1", 1)
    assert (told.scope, told.must_narrate, told.agent_instructions) == (scope, route in MEDIATED, TOLD)
    assert (turn.turn, turn.scope) == ("internal" if route in AUTONOMOUS else "proactive", scope)
    assert decision.record.delivery_deadline == the(anp.WakeAt, decision).at == IN_TWO_MINUTES


def test_an_event_of_another_ledger_gets_its_deadline_when_it_is_routed():
    """The specification sets the deadline at the routing."""
    event = submitted("user", "user", "agent")
    members = {"id": "e1", "content": "x", "status": "pending", "created_at": event.created_at}
    routing = {"address": "user", "target": "user", "handler": "agent"}
    foreign = anp.read_notification({**members, "routing": routing}, user_id="olivia")
    assert foreign.delivery_deadline is None
    decision = decided(foreign, anp.Route(), now=at(30))
    assert decision.record.delivery_deadline == the(anp.WakeAt, decision).at == "2026-11-21T20:58:30Z"


# --- a turn is running


@pytest.mark.parametrize("route", DIRECT, ids="-".join)
def test_an_alert_waits_until_the_turn_ends(route):
    event = submitted(*route)
    decision = decided(event, anp.Route(), facts=BUSY)
    assert (decision.path, decision.changes, decision.record) == (("pending",), False, event)
    assert kinds(decision.effects) == ["queue"]


@pytest.mark.parametrize("route", [*PASSIVE, *OF_AGENT], ids="-".join)
def test_what_is_for_the_agent_waits_for_nothing(route):
    assert decided(submitted(*route), anp.Route(), facts=BUSY).path == ("pending", "dispatched")


def test_an_alert_that_waits_keeps_the_address_that_it_was_demoted_to():
    facts = anp.Facts(lane_busy=True, session_exists=False)
    decision = decided(submitted("session", "user", "system"), anp.Route(), facts=facts)
    assert decision.path == ("pending",)
    assert decision.record.routing == flags("user", "user", "system")
    assert kinds(decision.effects) == ["address_demoted", "queue"]
    assert kinds(decided(decision.record, anp.Route()).effects) == ["present", "agent_aware"]


# --- the session is gone


@pytest.mark.parametrize("route", [route for route in ALL if route[0] == "session"], ids="-".join)
def test_an_event_whose_session_is_gone_goes_to_its_user(route):
    event = submitted(*route)
    decision = decided(event, anp.Route(), facts=NO_SESSION)
    _, target, handler = route
    assert decision.record.routing == flags("user", target, handler)
    assert decision.record.requested == flags(*route)
    assert the(anp.AddressDemoted, decision).session_id == decision.record.session_id == "s1"
    plain = decided(submitted("user", target, handler), anp.Route())
    assert kinds(decision.effects) == ["address_demoted", *kinds(plain.effects)]


@pytest.mark.parametrize("target", ["user", "agent"])
def test_an_event_of_the_user_does_not_care_for_sessions(target):
    event = submitted("user", target, "system", session_id="s1")
    decision = decided(event, anp.Route(), facts=NO_SESSION)
    assert "address_demoted" not in kinds(decision.effects)


# --- too long a chain of the agent's own doing


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_a_chain_of_events_starts_turns_so_far_and_no_further(route):
    address, target, _ = route
    assert "start_turn" in kinds(decided(submitted(*route, depth=2), anp.Route()).effects)
    decision = decided(submitted(*route, depth=3), anp.Route())
    assert decision.record.routing == flags(address, target, "system")
    assert the(anp.TurnWithheld, decision).depth == 3
    assert kinds(decision.effects)[1:] == kinds(decided(submitted(address, target, "system"), anp.Route()).effects)
    assert decision.record.delivery_deadline is None


def test_an_event_whose_turn_is_withheld_has_no_deadline_while_it_waits():
    decision = decided(submitted("user", "user", "agent", depth=3), anp.Route(), facts=BUSY)
    assert kinds(decision.effects) == ["turn_withheld", "queue"]
    assert (decision.record.status, decision.record.delivery_deadline) == ("pending", None)
    assert not decision.record.is_watched


@pytest.mark.parametrize("target", ["user", "agent"])
def test_what_starts_no_turn_may_come_of_any_chain(target):
    decision = decided(submitted("user", target, "system", depth=9), anp.Route())
    assert "turn_withheld" not in kinds(decision.effects)


# --- what was routed before


@pytest.mark.parametrize("made", [routed, claimed, escalated])
def test_nothing_is_routed_twice(made):
    assert refusal(made("user", "user", "agent"), anp.Route()) == "transition-refused"


def test_a_takeover_and_the_ends_are_routed_nowhere():
    assert refusal(half_taken(), anp.Route()) == "transition-refused"
    for made in (delivered, failed):
        assert refusal(made("user", "user", "agent"), anp.Route()) == "already-terminal"
