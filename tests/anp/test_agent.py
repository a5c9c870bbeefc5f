"""What becomes of an event that the agent owns. Spec: ANP §4, §5, §6.1, §6.3; rows 12 to 21, 27, 29, 31."""

from __future__ import annotations

import pytest

from mentionable import UsageError, anp
from mentionable.anp._actions import notice_id
from mentionable.anp._agent import MAX_ACTIONS
from tests.anp.events import (
    AT,
    AUTONOMOUS,
    IN_TWO_MINUTES,
    LATER,
    MEDIATED,
    NO_SESSION,
    OF_AGENT,
    OF_SYSTEM,
    OLIVIA,
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

SAID = {"output": "Your backup failed.", "narration_id": "n1"}


def acts(lease=1, holder=None, until=IN_TWO_MINUTES):
    """Everything that an agent can do for an event, by its name."""
    return {
        "claim": anp.Claim(lease=lease, holder=holder or "w1"),
        "action": anp.Action(lease=lease, holder=holder, name="send_mail"),
        "internal": anp.Action(lease=lease, holder=holder, name="think", classification="internal"),
        "commit_turn": anp.CommitTurn(lease=lease, holder=holder, acknowledged=True, **SAID),
        "turn_failed": anp.TurnFailed(lease=lease, holder=holder),
        "extend": anp.Extend(lease=lease, holder=holder, until=until),
    }


ACTS = list(acts())


# --- who may act


@pytest.mark.parametrize("what", ACTS)
def test_nobody_acts_without_the_current_lease(what):
    for lease in (None, 0, 2, -1, 10**5000):
        assert refusal(routed("user", "user", "agent"), acts(lease)[what]) == "stale-lease"
        assert refusal(claimed("user", "agent", "agent"), acts(lease, "w1")[what]) == "stale-lease"


@pytest.mark.parametrize("what", ACTS)
def test_after_an_escalation_the_agent_acts_no_more(what):
    event = escalated("user", "agent", "agent")
    assert refusal(event, acts(1)[what], now=LATER) == "stale-lease"
    assert refusal(event, acts(2)[what], now=LATER) == "wrong-owner"
    assert refusal(half_taken(), acts(2)[what]) == "wrong-owner"


@pytest.mark.parametrize("what", ACTS)
@pytest.mark.parametrize("route", OF_SYSTEM, ids="-".join)
def test_an_agent_never_acts_for_what_the_system_owns(what, route):
    assert refusal(routed(*route), acts()[what]) == "wrong-owner"


@pytest.mark.parametrize("what", ACTS)
def test_nobody_acts_for_what_was_not_handed_over_yet(what):
    assert refusal(submitted("user", "user", "agent"), acts()[what]) == "transition-refused"


@pytest.mark.parametrize("what", ACTS)
def test_only_the_worker_that_claimed_an_event_acts_for_it(what):
    event = claimed("user", "agent", "agent")
    for holder in ("w2", None):
        if (what, holder) != ("claim", None):  # a claim names a worker
            assert refusal(event, acts(holder=holder)[what], now=at(1)) == "wrong-holder"
    assert isinstance(anp.decide(event, acts(holder="w1")[what], now=at(1)), anp.Decision)


def test_a_worker_that_was_too_slow_is_in_time_before_the_watchdog_looks():
    """The lease is the authority, not the clock."""
    command = anp.CommitTurn(lease=1, acknowledged=True, **SAID)
    assert decided(routed("user", "user", "agent"), command, now=at(999)).record.status == "delivered"


# --- claiming


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_a_worker_takes_an_event(route):
    decision = decided(routed(*route), anp.Claim(lease=1, holder="w1"))
    assert decision.path == ("dispatched", "locked")
    assert (decision.record.holder, decision.record.owner_lease) == ("w1", 1)
    assert (decision.record.delivery_deadline, decision.effects) == (IN_TWO_MINUTES, ())
    again = decided(decision.record, anp.Claim(lease=1, holder="w1"))
    assert (again.changes, again.path, again.effects) == (False, ("locked",), ())


# --- actions


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("internal", "internal"),
        (" INTERNAL\n", "internal"),
        *[(word, "external") for word in ("external", "EXTERNAL", "", "intern", "internal!", "unknown", None, 7, [])],
    ],
)
def test_all_but_internal_is_external(word, kind):
    assert anp.classify(word) == kind


@pytest.mark.parametrize("made", [routed, claimed])
@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_an_internal_action_is_allowed_and_audited_and_nobody_is_told(made, route):
    event = made(*route)
    command = anp.Action(name="remember", lease=1, classification="INTERNAL", holder=event.holder)
    decision = decided(event, command)
    assert (decision.changes, kinds(decision.effects)) == (False, ["allow", "audit"])
    assert the(anp.Allow, decision).action == "remember"
    audit = the(anp.Audit, decision)
    assert (audit.what, audit.classification) == ("remember", "internal")


@pytest.mark.parametrize("classification", ["external", None, "harmless"])
@pytest.mark.parametrize("made", [routed, claimed])
@pytest.mark.parametrize("route", AUTONOMOUS, ids="-".join)
def test_an_external_action_promises_the_event_to_the_human(made, route, classification):
    event = made(*route)
    command = anp.Action(name="send_mail", lease=1, classification=classification, holder=event.holder)
    decision = decided(event, command)
    new = decision.record
    assert decision.path == (event.status,)
    assert new.routing == flags(route[0], "user", "agent")
    assert new.requested == flags(*route)
    assert (new.owner_lease, new.delivery_deadline, new.holder) == (1, IN_TWO_MINUTES, event.holder)
    assert new.actions == ("send_mail",)
    assert kinds(decision.effects) == ["allow", "must_surface", "audit"]
    surface = the(anp.MustSurface, decision)
    assert (surface.action, surface.notice, surface.notice_id) == ("send_mail", None, None)
    assert the(anp.Audit, decision).classification == "external"


def test_after_an_external_action_silence_is_no_veto():
    event = decided(routed("user", "agent", "agent"), anp.Action(name="rm", lease=1)).record
    decision = decided(event, anp.CommitTurn(lease=1, acknowledged=True))
    assert (decision.record.status, decision.record.escalation) == ("escalated", "silence")
    assert the(anp.Present, decision).actions == ("rm",)


def test_an_external_action_on_a_mediated_event_is_remembered_once():
    event = routed("user", "user", "agent")
    first = decided(event, anp.Action(name="rm", lease=1))
    assert (first.record.routing, first.record.actions) == (event.routing, ("rm",))
    second = decided(first.record, anp.Action(name="rm", lease=1))
    assert (second.changes, kinds(second.effects)) == (False, ["allow", "must_surface", "audit"])
    assert decided(first.record, anp.Action(name="mv", lease=1)).record.actions == ("rm", "mv")


def test_an_event_remembers_so_many_actions_and_no_more():
    event = routed("user", "user", "agent")
    for number in range(MAX_ACTIONS):
        event = decided(event, anp.Action(name=f"tool{number}", lease=1)).record
    more = decided(event, anp.Action(name="one_more", lease=1))
    assert (len(more.record.actions), more.changes) == (MAX_ACTIONS, False)
    told = the(anp.MustSurface, more)
    assert (told.action, told.notice_id) == ("one_more", notice_id("e1", "one_more"))
    assert told.notice is not None
    assert told.notice.content == "The agent used one_more."
    assert the(anp.MustSurface, decided(event, anp.Action(name="tool3", lease=1))).notice is None


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_an_external_action_after_the_event_is_over_is_told_by_a_notice(route):
    event = delivered(*route)
    decision = decided(event, anp.Action(name="send_mail", lease=1))
    assert (decision.changes, decision.path) == (False, ("delivered",))
    assert kinds(decision.effects) == ["allow", "must_surface", "audit"]
    surface = the(anp.MustSurface, decision)
    assert surface.notice_id == notice_id("e1", "send_mail")
    notice = surface.notice
    assert "send_mail" in notice.content
    assert notice.routing == flags(route[0], "user", "system")
    assert (notice.user_id, notice.session_id) == (OLIVIA, "s1" if route[0] == "session" else None)
    assert (notice.origin, notice.causation_id, notice.depth) == ("system", "e1", 1)


def test_an_internal_action_after_the_event_is_over_is_told_to_nobody():
    command = anp.Action(name="think", lease=1, classification="internal")
    assert kinds(decided(delivered("user", "user", "agent"), command).effects) == ["allow", "audit"]


def test_an_action_after_the_end_needs_lease_owner_and_worker_too():
    command = anp.Action(name="rm", lease=1, classification="internal")
    assert refusal(delivered("user", "user", "agent"), anp.Action(name="rm", lease=2)) == "stale-lease"
    assert refusal(delivered("user", "user", "system"), command) == "wrong-owner"
    assert refusal(delivered("user", "agent", "system"), command) == "wrong-owner"
    assert refusal(failed("user", "user", "agent"), anp.Action(name="rm", lease=2)) == "wrong-owner"
    said = anp.CommitTurn(lease=1, acknowledged=True, holder="w1", **SAID)
    event = decided(claimed("user", "user", "agent"), said).record
    assert event.status == "delivered"
    assert refusal(event, command) == "wrong-holder"
    assert decided(event, anp.Action(name="rm", lease=1, holder="w1")).changes is False


def test_an_action_outside_any_event_has_a_notice():
    notice = anp.action_notice("send_mail", user_id=OLIVIA)
    assert (notice.routing, notice.session_id) == (flags("user", "user", "system"), None)
    assert (notice.causation_id, notice.depth, notice.metadata) == (None, None, {"action": "send_mail"})
    attached = anp.action_notice("send_mail", user_id=OLIVIA, session_id="s1", cause=routed("user", "user", "agent"))
    assert (attached.routing, attached.session_id) == (flags("session", "user", "system"), "s1")
    assert (attached.causation_id, attached.depth) == ("e1", 1)
    with pytest.raises(UsageError):
        anp.action_notice("send_mail", user_id="")


# --- the end of a turn


@pytest.mark.parametrize(
    "how", [{"acknowledged": True}, {"is_trigger": True}, {"acknowledged": True, "is_trigger": True}]
)
@pytest.mark.parametrize("route", MEDIATED, ids="-".join)
def test_a_mediated_event_is_delivered_by_what_the_agent_says(route, how):
    decision = decided(routed(*route), anp.CommitTurn(lease=1, **how, **SAID))
    assert decision.path == ("dispatched", "locked", "delivered")
    assert (decision.record.outcome, decision.record.ack_at) == ("narrated", None)
    assert kinds(decision.effects) == ["present_narration"]
    said = the(anp.PresentNarration, decision)
    assert said.narration_id == "n1"
    narration = said.narration
    assert (narration.content, narration.routing) == (SAID["output"], flags(route[0], "user", "system"))
    assert (narration.user_id, narration.session_id) == (OLIVIA, "s1" if route[0] == "session" else None)
    assert (narration.origin, narration.causation_id, narration.depth) == ("agent", "e1", 1)


def test_a_narration_is_an_event_that_the_human_acknowledges():
    said = the(anp.PresentNarration, decided(routed("session", "user", "agent"), acts()["commit_turn"]))
    event = decided(None, anp.Submit(submission=said.narration, id=said.narration_id)).record
    shown = decided(event, anp.Route())
    assert the(anp.Present, shown).origin == "agent"
    assert decided(shown.record, anp.ClientAck(lease=1, user_id=OLIVIA)).record.status == "delivered"


@pytest.mark.parametrize("made", [routed, claimed])
@pytest.mark.parametrize("output", [None, "", " \n\t"])
@pytest.mark.parametrize("how", [{"acknowledged": True}, {"is_trigger": True}])
def test_silence_on_a_mediated_event_escalates_at_once(made, output, how):
    event = made("session", "user", "agent")
    decision = decided(event, anp.CommitTurn(lease=1, output=output, holder=event.holder, **how))
    assert decision.path[-2:] == ("locked", "escalated")
    assert (decision.record.escalation, decision.record.owner_lease) == ("silence", 2)
    assert "present_narration" not in kinds(decision.effects)
    assert the(anp.Present, decision).channel == "chat"


def test_silence_escalates_to_the_user_where_the_session_is_gone():
    decision = decided(routed("session", "user", "agent"), anp.CommitTurn(lease=1, is_trigger=True), facts=NO_SESSION)
    assert the(anp.Present, decision).channel == "inbox"


@pytest.mark.parametrize("said", [{}, SAID])
def test_a_turn_about_something_else_leaves_a_mediated_event_waiting(said):
    decision = decided(routed("user", "user", "agent"), anp.CommitTurn(lease=1, **said))
    assert (decision.changes, decision.effects) == (False, ())


@pytest.mark.parametrize("route", AUTONOMOUS, ids="-".join)
def test_the_agent_may_veto_what_is_for_it(route):
    decision = decided(routed(*route), anp.CommitTurn(lease=1, acknowledged=True, output=" "))
    assert decision.path == ("dispatched", "locked", "delivered")
    assert (decision.record.outcome, decision.record.routing, decision.effects) == ("vetoed", flags(*route), ())


@pytest.mark.parametrize("route", AUTONOMOUS, ids="-".join)
def test_the_agent_may_speak_of_what_is_for_it(route):
    decision = decided(routed(*route), anp.CommitTurn(lease=1, acknowledged=True, **SAID))
    assert decision.record.outcome == "spoke"
    narration = the(anp.PresentNarration, decision).narration
    assert narration.routing == flags(route[0], "user", "system")


@pytest.mark.parametrize("how", [{}, {"is_trigger": True}, {"is_trigger": True, **SAID}])
def test_what_is_for_the_agent_waits_until_it_is_acknowledged(how):
    event = routed("user", "agent", "agent")
    decision = decided(event, anp.CommitTurn(lease=1, **how))
    assert (decision.changes, decision.effects, decision.record.delivery_deadline) == (False, (), IN_TWO_MINUTES)


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_a_claimed_event_is_delivered_from_where_it_stands(route):
    command = anp.CommitTurn(lease=1, acknowledged=True, holder="w1", **SAID)
    assert decided(claimed(*route), command).path == ("locked", "delivered")


def test_two_turns_never_deliver_one_event():
    event = decided(routed("user", "user", "agent"), acts()["commit_turn"]).record
    assert refusal(event, acts()["commit_turn"]) == "already-terminal"


def test_a_commit_of_the_current_words_counts():
    command = anp.CommitTurn(lease=1, acknowledged=True, revision=1, **SAID)
    assert decided(routed("user", "user", "agent"), command).record.status == "delivered"
    stale = anp.CommitTurn(lease=1, acknowledged=True, revision=2, **SAID)
    assert refusal(routed("user", "user", "agent"), stale) == "stale-revision"


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
@pytest.mark.parametrize("made", [routed, claimed])
def test_a_turn_that_broke_off_escalates(made, route):
    event = made(*route)
    decision = decided(event, anp.TurnFailed(lease=1, holder=event.holder))
    assert decision.record.status == "escalated"
    assert (decision.record.escalation, decision.record.routing.target) == ("failed", "user")


@pytest.mark.parametrize("made", [routed, claimed])
def test_a_turn_that_broke_off_settles_the_words_that_it_has_read(made):
    event = made("user", "user", "agent")
    assert refusal(event, anp.TurnFailed(lease=1, revision=2, holder=event.holder)) == "stale-revision"
    of_these = anp.TurnFailed(lease=1, revision=1, holder=event.holder)
    assert decided(event, of_these).record.status == "escalated"


# --- more time


def test_the_agent_may_ask_for_longer():
    event = claimed("user", "agent", "agent")
    decision = decided(event, anp.Extend(lease=1, holder="w1", until="2026-11-21T22:30:00+01:00"), now=at(60))
    assert decision.path == ("locked",)
    assert decision.record.delivery_deadline == the(anp.WakeAt, decision).at == "2026-11-21T21:30:00Z"
    assert decision.record.owner_lease == 1


@pytest.mark.parametrize("until", [AT, "2026-11-21T20:55:00Z", "2026-11-21T21:56:00.001Z", "2027-01-01T00:00:00Z"])
def test_a_deadline_lies_ahead_and_within_what_the_host_allows(until):
    assert refusal(routed("user", "user", "agent"), anp.Extend(lease=1, until=until)) == "deadline-refused"


def test_the_last_moment_that_the_host_allows_is_allowed():
    command = anp.Extend(lease=1, until="2026-11-21T21:56:00Z")
    assert decided(routed("user", "user", "agent"), command).record.delivery_deadline == "2026-11-21T21:56:00Z"
