"""How a turn goes on and ends: what counts, what does not, and in which order everything happens."""

import pytest

from mentionable import Diagnostic, UsageError, anp, replace
from tests.anp.events import IN_A_WEEK, LATER, NOW, OLIVIA, kinds, routed, the
from tests.anp.turns import (
    AUTONOMOUS,
    DIRECT,
    LANE,
    MEDIATED,
    PASSIVE,
    SESSION_AUTONOMOUS,
    SESSION_MEDIATED,
    Host,
    code,
    ends,
    every,
    refusals,
    shown,
)


@pytest.fixture
def host() -> Host:
    return Host()


def ignored(step: anp.LaneStep) -> list[str]:
    """The ids that a step reports as acknowledged in vain."""
    return [note.detail for note in step.diagnostics if note.code == "acknowledgement-ignored"]


# What the agent said becomes an event of its own


def test_what_the_agent_said_is_shown_and_its_event_delivered_in_one_step(host):
    host.add("m1", MEDIATED)
    step = host.end(host.begin("m1"), "Your backup failed.", "m1")
    assert ends(step) == {"m1": ("dispatched", "locked", "delivered"), "n-t1": ("pending", "dispatched")}
    assert kinds(step.all_effects) == ["audit", "present", "agent_aware"]
    (present,) = every(anp.Present, step.all_effects)
    assert (present.id, present.content, present.channel) == ("n-t1", "Your backup failed.", "inbox")
    event, narration = host.event("m1"), host.ledger.get("n-t1")
    assert (event.outcome, event.ack_at) == ("narrated", None)
    assert narration.requested == narration.routing
    assert (narration.origin, narration.causation_id, narration.depth) == ("agent", "m1", 1)
    assert (narration.routing.handler, narration.routing.target, narration.content) == (
        "system",
        "user",
        "Your backup failed.",
    )
    assert (step.refused, step.diagnostics) == ((), ())


def test_the_event_that_started_the_turn_need_not_be_acknowledged(host):
    host.add("m1", MEDIATED)
    host.end(host.begin("m1"), "It failed.")
    assert (host.event("m1").status, host.event("m1").outcome) == ("delivered", "narrated")


def test_a_narration_has_its_own_acknowledgement(host):
    host.add("m1", MEDIATED)
    host.end(host.begin("m1"), "It failed.")
    narration = host.ledger.get("n-t1")
    seen = anp.decide(narration, anp.ClientAck(lease=1, user_id=OLIVIA), now=NOW)
    assert (seen.record.status, host.event("m1").status) == ("delivered", "delivered")


def test_what_is_told_once_narrates_every_event_of_the_turn_that_was_acknowledged(host):
    for id, route in (("m1", MEDIATED), ("m2", MEDIATED), ("m3", MEDIATED), ("a1", AUTONOMOUS), ("a2", AUTONOMOUS)):
        host.add(id, route)
    step = host.end(host.begin("m2"), "All failed.", "m1", "a1")
    assert shown(step) == ["n-t1"]
    assert {id: event.outcome for id, event in host.events.items()} == {
        "m1": "narrated",
        "m2": "narrated",
        "m3": None,
        "a1": "spoke",
        "a2": None,
    }
    assert host.ledger.get("n-t1").causation_id == "m2"
    assert not every(anp.PresentNarration, step.all_effects)


@pytest.mark.parametrize(
    ("exists", "channel", "address"), [(True, "chat", "session"), (False, "inbox", "user")], ids=["lives", "gone"]
)
def test_a_narration_goes_to_the_chat_of_its_session_or_to_the_inbox(host, exists, channel, address):
    host.add("m1", SESSION_MEDIATED)
    turn = host.begin("m1", session_id="s1")
    step = host.end(turn, "It failed.", facts={"m1": anp.Facts(session_exists=exists)})
    (present,) = every(anp.Present, step.all_effects)
    assert (present.channel, present.origin) == (channel, "agent")
    assert bool(every(anp.AddressDemoted, step.all_effects)) is not exists
    assert host.ledger.get("n-t1").routing.address == address
    assert host.event("m1").routing.address == "session"  # it never moves once it is delivered


def test_the_facts_of_the_host_cannot_make_a_narration_wait(host):
    host.add("m1", MEDIATED)
    step = host.end(host.begin("m1"), "It failed.", facts={"m1": anp.Facts(lane_busy=True)})
    assert shown(step) == ["n-t1"]


def test_the_narration_of_the_last_event_of_a_chain_is_shown_too(host):
    host.add("m1", MEDIATED, depth=2)
    step = host.end(host.begin("m1"), "It failed.")
    assert shown(step) == ["n-t1"]
    assert host.ledger.get("n-t1").depth == 3


def test_a_step_whose_narration_has_the_id_of_an_event_is_not_stored(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    step = host.ended(turn, "It failed.", narration_id="m1")
    assert not host.ledger.commit(step)
    assert host.event("m1").status == "dispatched"


def test_what_is_said_needs_an_id(host):
    host.add("m1", MEDIATED)
    with pytest.raises(UsageError, match="narration_id"):
        host.ended(host.begin("m1"), "It failed.", narration_id=None)


# Silence


@pytest.mark.parametrize("output", [None, "", "  \n\t", "\u00a0\u2003"], ids=repr)
@pytest.mark.parametrize("acks", [(), ("m1",)], ids=["unacknowledged", "acknowledged"])
def test_where_the_agent_must_speak_silence_goes_to_the_system_at_once(host, output, acks):
    host.add("m1", MEDIATED)
    step = host.end(host.begin("m1"), output, *acks)
    event = host.event("m1")
    assert ends(step) == {"m1": ("dispatched", "locked", "escalated")}
    assert (event.escalation, event.owner_lease, event.routing.handler) == ("silence", 2, "system")
    assert event.delivery_deadline == IN_A_WEEK
    assert kinds(step.all_effects) == ["fence_turn", "settled", "present", "agent_aware", "wake_at"]
    assert step.diagnostics == ()


def test_an_acknowledged_event_beside_the_first_goes_to_the_system_too(host):
    for id in ("m1", "m2", "m3"):
        host.add(id, MEDIATED)
    step = host.end(host.begin("m1"), None, "m2")
    assert ends(step) == dict.fromkeys(("m1", "m2"), ("dispatched", "locked", "escalated"))
    assert host.event("m3").status == "dispatched"


def test_what_only_stood_in_the_prompt_is_offered_again(host):
    host.add("m1", MEDIATED)
    host.add("m2", MEDIATED)
    host.end(host.begin("m1"), "It failed.")
    assert host.event("m2").status == "dispatched"
    assert host.begin("m2", id="t2").grants == (anp.PromptEvent(id="m2", lease=1, revision=1),)


def test_where_the_agent_is_the_target_it_may_acknowledge_in_silence(host):
    host.add("a1", AUTONOMOUS)
    step = host.end(host.begin("a1"), None, "a1")
    assert ends(step) == {"a1": ("dispatched", "locked", "delivered")}
    assert host.event("a1").outcome == "vetoed"
    assert step.all_effects == ()


def test_where_the_agent_is_the_target_and_says_nothing_at_all_the_event_waits_for_its_deadline(host):
    host.add("a1", AUTONOMOUS)
    before = host.event("a1")
    step = host.end(host.begin("a1"))
    assert (step.decisions, host.event("a1")) == ((), before)
    assert host.begin("a1", id="t2").grants[0].id == "a1"


def test_where_the_agent_is_the_target_it_may_speak(host):
    host.add("a1", SESSION_AUTONOMOUS)
    step = host.end(host.begin("a1", session_id="s1"), "Look at this!", "a1")
    assert host.event("a1").outcome == "spoke"
    assert [(one.id, one.channel) for one in every(anp.Present, step.all_effects)] == [("n-t1", "chat")]


def test_words_for_no_event_are_kept_back_and_reported(host):
    host.add("a1", AUTONOMOUS)
    step = host.end(host.begin("a1"), "Look at this!")
    assert (step.all_effects, host.event("a1").status) == ((), "dispatched")
    assert step.diagnostics == (Diagnostic(code="narration-withheld"),)


# Acknowledgements


def test_ids_that_the_turn_was_not_granted_are_ignored_and_reported(host):
    host.add("d1", DIRECT)
    host.add("f1", PASSIVE)
    host.add("a1", AUTONOMOUS)
    turn = host.begin("a1")
    host.add("a2", AUTONOMOUS)
    step = host.end(turn, None, "a1", "d1", "f1", "a2", "unknown", "\n")
    assert ignored(step) == ["\n", "a2", "d1", "f1", "unknown"]
    assert [host.event(id).status for id in ("a1", "d1", "a2")] == ["delivered", "dispatched", "dispatched"]


def test_an_agent_never_delivers_what_the_system_shows(host):
    host.add("d1", DIRECT)
    before = host.event("d1")
    host.end(host.begin(), "Hello.", "d1")
    assert host.event("d1") == before


def test_so_many_ids_are_reported_each_cut_short(host):
    step = host.end(host.begin(), None, *(f"{place:03}" + "x" * 500 for place in range(150)))
    assert len(ignored(step)) == 100
    assert {len(id) for id in ignored(step)} == {200}


def test_no_acknowledgement_is_needed_and_each_counts_once(host):
    host.add("a1", AUTONOMOUS)
    host.add("a2", AUTONOMOUS)
    step = host.end(host.begin("a1"), None, "a1", "a1")
    assert ends(step) == {"a1": ("dispatched", "locked", "delivered")}


# Grants


@pytest.mark.parametrize(("route", "output"), [(MEDIATED, "It failed."), (AUTONOMOUS, None)])
def test_a_late_turn_finds_its_event_taken_over_and_changes_nothing(host, route, output):
    host.add("e1", route)
    turn = host.begin("e1")
    host.decide("e1", anp.Tick(), now=LATER)
    before = host.event("e1")
    step = host.end(turn, output, "e1", now=LATER)
    assert refusals(step) == [("e1", "stale-lease")]
    assert (host.event("e1"), step.decisions, step.all_effects) == (before, (), ())
    assert host.ledger.get("n-t1") is None
    assert [note.code for note in step.diagnostics] == (["narration-withheld"] if output else [])


def test_the_lease_of_the_turn_counts_and_never_the_current_one(host):
    """Where the agent still owns the event, a turn that took the current lease would pass."""
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    event = host.event("m1")
    raised = replace(event, owner_lease=2)
    step = host.ended(turn, "It failed.", "m1", events={"m1": raised})
    assert (refusals(step), step.decisions) == ([("m1", "stale-lease")], ())
    acted = anp.act(host.lane(), turn, "rm", None, events={"m1": raised}, now=NOW)
    assert code(acted) == "stale-lease"


def test_new_words_for_an_event_make_what_was_said_of_the_old_ones_stale(host):
    event = host.add("m1", MEDIATED, deduplication_key="backup")
    turn = host.begin("m1")
    again = anp.Submission(content="Twice.", user_id=OLIVIA, routing=event.routing, deduplication_key="backup")
    merged = host.decide("m1", anp.Submit(submission=again, id="m2"))
    assert the(anp.StartTurn, merged).turn == "proactive"
    step = host.end(turn, "It failed.", "m1")
    assert refusals(step) == [("m1", "stale-revision")]
    assert shown(step) == []
    second = host.begin("m1", id="t2")
    assert '"Twice."' in second.prompt
    host.end(second, "It failed twice.")
    assert host.event("m1").outcome == "narrated"


def test_a_fact_whose_words_changed_is_read_in_the_next_turn(host):
    event = host.add("f1", PASSIVE, deduplication_key="disk")
    turn = host.begin()
    again = anp.Submission(content="Full.", user_id=OLIVIA, routing=event.routing, deduplication_key="disk")
    host.decide("f1", anp.Submit(submission=again, id="f2"))
    assert refusals(host.end(turn)) == [("f1", "stale-revision")]
    host.end(host.begin(id="t2"))
    assert (host.event("f1").status, host.event("f1").outcome) == ("delivered", "read")


def test_a_fact_is_delivered_when_the_turn_that_read_it_ends_and_not_before(host):
    host.add("f1", PASSIVE)
    broken = host.begin()
    host.fail(broken)
    assert host.event("f1").status == "dispatched"
    step = host.end(host.begin(id="t2"))
    assert ends(step) == {"f1": ("dispatched", "delivered")}
    assert step.all_effects == ()
    assert host.begin(id="t3").prompt == ""


def test_a_worker_acts_and_speaks_for_what_it_has_claimed(host):
    host.add("m1", MEDIATED)
    host.decide("m1", anp.Claim(lease=1, holder="w1"))
    turn = host.begin("m1", holder="w1")
    host.act(turn, "rm")
    step = host.end(turn, "It failed.", "m1")
    assert ends(step)["m1"] == ("locked", "delivered")


def test_what_another_worker_claimed_during_the_turn_is_refused(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1", holder="w1")
    host.decide("m1", anp.Claim(lease=1, holder="w2"))
    assert code(anp.act(host.lane(), turn, "rm", None, events=host.events, now=NOW)) == "wrong-holder"
    assert refusals(host.end(turn, "It failed.")) == [("m1", "wrong-holder")]


# Conversations


def test_in_a_conversation_the_answer_is_the_hosts_to_show(host):
    host.add("m1", MEDIATED)
    host.add("a1", AUTONOMOUS)
    host.add("m2", MEDIATED)
    step = host.end(host.begin(), "Hello. And by the way, it failed.", "m1", "a1", narration_id=None)
    assert {id: event.outcome for id, event in host.events.items()} == {"m1": "narrated", "a1": "spoke", "m2": None}
    assert (step.all_effects, step.diagnostics, shown(step)) == ((), (), [])


def test_in_a_conversation_an_id_for_the_narration_makes_none_either(host):
    host.add("m1", MEDIATED)
    host.end(host.begin(), "Hello.", "m1", narration_id="n1")
    assert host.ledger.get("n1") is None


def test_in_a_conversation_an_answer_alone_delivers_nothing(host):
    host.add("m1", MEDIATED)
    host.add("a1", AUTONOMOUS)
    step = host.end(host.begin(), "Hello.")
    assert (step.decisions, step.diagnostics) == ((), ())


def test_in_a_conversation_a_veto_is_a_veto_and_silence_is_silence(host):
    host.add("m1", MEDIATED)
    host.add("a1", AUTONOMOUS)
    host.end(host.begin(), None, "m1", "a1")
    assert (host.event("m1").escalation, host.event("a1").outcome) == ("silence", "vetoed")


def test_a_step_tells_all_its_effects_in_their_order():
    event = routed(*MEDIATED)
    decision = anp.decide(event, anp.Tick(), now=LATER)
    own = anp.Dispatch(id="x", revision=1, lease=1)
    step = anp.LaneStep(lane=anp.Lane(id=LANE), expected=0, decisions=(decision,), effects=(own,))
    assert step.all_effects == (own, *decision.effects)


# Wrong arguments


@pytest.mark.parametrize(
    "wrong",
    [
        {"acknowledged_ids": None},
        {"acknowledged_ids": "abc"},
        {"acknowledged_ids": [1, "a"]},
        {"acknowledged_ids": [[]]},
        {"output": 5},
        {"output": ["It failed."]},
        {"narration_id": ""},
        {"narration_id": 1},
        {"now": "2026-11-21T20:56:00Z"},
        {"now": NOW.replace(tzinfo=None)},
        {"events": None},
        {"facts": {"m1": None}},
        {"rules": None},
        {"turn": None},
        {"lane": None},
        {"output": "x" * 65_537},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_wrong_arguments_of_commit_turn_are_the_fault_of_the_program(host, wrong):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    given = {"lane": host.lane(), "turn": turn, "events": host.events, "now": NOW, "output": "A", "narration_id": "n"}
    given |= wrong
    with pytest.raises(UsageError):
        anp.commit_turn(given.pop("lane"), given.pop("turn"), **given)
