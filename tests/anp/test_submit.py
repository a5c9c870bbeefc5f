"""An event comes in: a new one, or new words for the open one with its key. Spec: ANP §7; rows 1 to 3."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mentionable import UsageError, anp, decode_trusted, dumps
from mentionable.anp._submit import MAX_MERGED
from tests.anp.events import (
    ALL,
    AT,
    BUSY,
    DIRECT,
    IN_TWO_MINUTES,
    LATER,
    NOW,
    OF_AGENT,
    OF_SYSTEM,
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
    submission,
    submitted,
    the,
)

KEY = {"deduplication_key": "rss_feed_x"}


def again(*route, id="e2", **members):
    """Other words under the same key."""
    return anp.Submit(submission=submission(*route, **{"content": "Still failing.", **KEY, **members}), id=id)


@pytest.mark.parametrize("route", ALL, ids="-".join)
def test_a_new_event_is_pending_and_is_to_be_dispatched(route):
    decision = decided(None, anp.Submit(submission=submission(*route), id="e1"))
    event = decision.record
    assert (decision.expected, decision.path, decision.changes) == (None, ("pending",), True)
    assert (event.id, event.status, event.owner_lease, event.revision, event.version) == ("e1", "pending", 1, 1, 1)
    assert event.routing == event.requested == flags(*route)
    assert event.created_at == event.changed_at == AT
    assert kinds(decision.effects) == ["audit", "dispatch"]
    assert the(anp.Audit, decision).what == "submitted"


@pytest.mark.parametrize("route", OF_AGENT, ids="-".join)
def test_what_the_agent_must_handle_has_a_deadline_from_the_first(route):
    assert submitted(*route).delivery_deadline == IN_TWO_MINUTES
    asked = submitted(*route, delivery_deadline="2026-11-21T22:30:00+01:00")
    assert asked.delivery_deadline == "2026-11-21T21:30:00Z"


def test_no_plugin_puts_the_watchdog_off_for_ever():
    for wish in ("9999-12-31T23:59:59Z", "2026-11-21T21:56:00.001Z"):
        event = submitted("user", "user", "agent", delivery_deadline=wish)
        assert event.delivery_deadline == "2026-11-21T21:56:00Z"


@pytest.mark.parametrize("route", OF_SYSTEM, ids="-".join)
def test_what_the_system_handles_has_none(route):
    assert submitted(*route, delivery_deadline=IN_TWO_MINUTES).delivery_deadline is None


def test_a_new_event_has_what_the_plugin_and_the_host_gave():
    told = anp.AgentInstructions(directive="Say so.", tone_hint="concise")
    event = submitted(
        *("session", "user", "agent"),
        **KEY,
        metadata={"a": [1]},
        agent_instructions=told,
        origin="agent",
        causation_id="e0",
        depth=2,
        extra={"colour": "red"},
    )
    assert (event.session_id, event.deduplication_key, event.metadata) == ("s1", "rss_feed_x", {"a": [1]})
    assert (event.agent_instructions, event.extra) == (told, {"colour": "red"})
    assert (event.origin, event.causation_id, event.depth) == ("agent", "e0", 2)
    plain = submitted("user", "user", "system")
    assert (plain.origin, plain.causation_id, plain.depth, plain.metadata) == ("plugin", None, 0, {})


def test_no_plugin_says_how_its_event_stands():
    """The canonical event of §8.1 has members that only the ledger fills."""
    told = {"status": "delivered", "id": "other", "owner_lease": 9, "ack_at": AT, "version": 3, "colour": "red"}
    event = submitted("user", "user", "system", extra=told)
    stored = decode_trusted(anp.Notification, dumps(event))
    assert stored == event
    assert (stored.id, stored.status, stored.owner_lease, stored.ack_at, stored.version) == (
        "e1",
        "pending",
        1,
        None,
        1,
    )
    assert stored.extra["colour"] == "red"
    assert stored.extra["submitted"] == {name: told[name] for name in told if name != "colour"}


def test_a_member_of_the_name_under_which_others_are_put_aside_is_put_there_too():
    assert submitted("user", "user", "system", extra={"submitted": 1}).extra == {"submitted": 1}
    event = submitted("user", "user", "system", extra={"submitted": 1, "status": "x"})
    assert event.extra == {"submitted": {"submitted": 1, "status": "x"}}


def test_the_same_submission_again_changes_nothing():
    same = anp.Submit(submission=submission("user", "user", "system", **KEY), id="e1")
    for made in (submitted, routed, delivered):
        event = made("user", "user", "system", **KEY)
        assert refusal(event, same) == "already-submitted"


def test_an_id_of_another_user_is_refused_and_says_nothing_of_the_event():
    others = anp.Submit(submission=submission("user", "user", "system", user_id="mallory"), id="e1")
    for made in (submitted, routed, delivered):
        event = made("user", "user", "system")
        assert refusal(event, others) == "wrong-user"
    assert event.content not in anp.decide(event, others, now=NOW).problems[0].rule


def test_what_was_merged_is_known_by_its_id():
    event = decided(routed("user", "user", "system", **KEY), again("user", "user", "system")).record
    assert event.merged == ("e2",)
    assert refusal(event, again("user", "user", "system", content="Old words.")) == "already-submitted"
    seen = decided(event, anp.ClientAck(lease=1, user_id=OLIVIA)).record
    assert refusal(seen, again("user", "user", "system")) == "already-submitted"


def test_new_words_bring_their_own_unknown_members():
    event = routed("user", "user", "system", **KEY, extra={"app": {"photos": 3}})
    assert decided(event, again("user", "user", "system", extra={"colour": "red"})).record.extra == {"colour": "red"}
    assert decided(event, again("user", "user", "system")).record.extra == {}


def test_so_many_merged_submissions_are_known_and_no_more():
    event = routed("user", "user", "system", **KEY)
    for number in range(MAX_MERGED + 1):
        event = decided(event, again("user", "user", "system", id=f"m{number}")).record
    assert event.merged == tuple(f"m{number}" for number in range(1, MAX_MERGED + 1))
    assert refusal(event, again("user", "user", "system", id="m1")) == "already-submitted"
    assert decided(event, again("user", "user", "system", id="m0")).record.revision == MAX_MERGED + 3


# --- merging


@pytest.mark.parametrize(
    ("depth", "after"), [(None, (1, "a")), (0, (1, "a")), (1, (1, "a")), (2, (2, "b"))], ids=["none", "0", "1", "2"]
)
def test_new_words_have_the_greater_depth_and_its_cause(depth, after):
    event = routed("user", "user", "agent", **KEY, depth=1, causation_id="a")
    new = decided(event, again("user", "user", "agent", depth=depth, causation_id="b")).record
    assert (new.depth, new.causation_id) == after


def test_new_words_of_too_long_a_chain_start_no_turn():
    event = routed("user", "user", "agent", **KEY)
    assert "start_turn" in kinds(decided(event, again("user", "user", "agent", depth=2)).effects)
    decision = decided(event, again("user", "user", "agent", depth=3))
    assert kinds(decision.effects) == ["update", "wake_at"]
    assert decision.record.routing == event.routing


def test_the_urgency_of_the_new_words_sets_the_deadline():
    rules = anp.Rules(urgent={"high": timedelta(seconds=30)})
    event = routed("user", "user", "agent", **KEY)
    new = decided(event, again("user", "user", "agent", metadata={"urgency": "High"}), rules=rules).record
    assert new.delivery_deadline == "2026-11-21T20:56:30Z"
    calm = decided(new, again("user", "user", "agent", id="e3"), rules=rules).record
    assert calm.delivery_deadline == IN_TWO_MINUTES


@pytest.mark.parametrize("route", ALL, ids="-".join)
def test_a_pending_event_gets_the_new_words_and_waits_on(route):
    event = submitted(*route, **KEY)
    decision = decided(event, again(*route, metadata={"n": 2}), now=at(30))
    new = decision.record
    assert (new.id, new.content, new.metadata) == ("e1", "Still failing.", {"n": 2})
    assert (new.status, new.owner_lease, new.revision, new.version) == ("pending", 1, 2, 2)
    assert decision.path == ("pending",)
    assert kinds(decision.effects) == (["wake_at"] if route in OF_AGENT else [])


@pytest.mark.parametrize("route", ALL, ids="-".join)
def test_whoever_has_the_old_words_is_given_the_new(route):
    decision = decided(routed(*route, **KEY), again(*route), now=at(30))
    assert decision.path == ("dispatched",)
    assert decision.record.revision == 2
    update = the(anp.Update, decision)
    assert (update.id, update.revision, update.lease, update.content) == ("e1", 2, 1, "Still failing.")
    where = {**dict.fromkeys(OF_AGENT, "context"), **dict.fromkeys(PASSIVE, "facts")}
    where |= {DIRECT[0]: "inbox", DIRECT[1]: "chat"}
    assert update.channel == where[route]
    agent = {"mediated": "proactive", "autonomous": "internal"}
    row = flags(*route).row
    if row.mode in agent:  # the turn that was given the old words commits nothing any more
        assert kinds(decision.effects) == ["update", "start_turn", "wake_at"]
        assert the(anp.StartTurn, decision).turn == agent[row.mode]
    else:
        assert kinds(decision.effects) == ["update"]


def test_an_acknowledgement_of_old_words_does_not_count_for_the_new():
    event = decided(routed("user", "user", "system", **KEY), again("user", "user", "system")).record
    assert refusal(event, anp.ClientAck(lease=1, user_id=OLIVIA, revision=1)) == "stale-revision"
    mediated = decided(routed("user", "user", "agent", **KEY), again("user", "user", "agent")).record
    said = anp.CommitTurn(lease=1, acknowledged=True, output="It failed.", narration_id="n1", revision=1)
    assert refusal(mediated, said) == "stale-revision"


@pytest.mark.parametrize("made", [submitted, routed])
def test_the_deadline_is_set_anew(made):
    event = made("user", "agent", "agent", **KEY)
    decision = decided(event, again("user", "agent", "agent"), now=at(30))
    assert decision.record.delivery_deadline == the(anp.WakeAt, decision).at == "2026-11-21T20:58:30Z"
    asked = again("user", "agent", "agent", delivery_deadline="2026-11-21T21:00:00Z")
    assert decided(event, asked).record.delivery_deadline == "2026-11-21T21:00:00Z"


def test_updates_put_the_deadline_off_so_far_and_no_further():
    event, rules = routed("user", "user", "agent", **KEY), anp.Rules(cap=timedelta(minutes=3))
    late = again("user", "user", "agent", delivery_deadline="2027-01-01T00:00:00Z")
    for command in (late, again("user", "user", "agent")):
        new = decided(event, command, now=at(119), rules=rules).record
        assert new.delivery_deadline == "2026-11-21T20:59:00Z"


@pytest.mark.parametrize("route", OF_SYSTEM, ids="-".join)
def test_what_the_system_handles_gets_no_deadline_by_an_update(route):
    command = again(*route, delivery_deadline=IN_TWO_MINUTES)
    assert decided(routed(*route, **KEY), command).record.delivery_deadline is None


def test_instructions_stay_unless_there_are_new_ones():
    told = anp.AgentInstructions(directive="Say so.")
    event = routed("user", "user", "agent", **KEY, agent_instructions=told)
    assert decided(event, again("user", "user", "agent")).record.agent_instructions == told
    other = anp.AgentInstructions(directive="Be brief.")
    new = decided(event, again("user", "user", "agent", agent_instructions=other))
    assert new.record.agent_instructions == the(anp.Update, new).agent_instructions == other


def test_metadata_are_replaced_as_a_whole():
    event = routed("user", "user", "system", **KEY, metadata={"a": 1})
    assert decided(event, again("user", "user", "system")).record.metadata == {}


@pytest.mark.parametrize(
    "other",
    [("session", "user", "system"), ("user", "agent", "system"), ("user", "user", "agent")],
    ids="-".join,
)
def test_an_update_never_changes_the_way_of_an_event(other):
    event = routed("user", "user", "system", **KEY)
    decision = decided(event, again(*other))
    assert decision.record.routing == decision.record.requested == flags("user", "user", "system")
    assert decision.record.session_id is None
    assert [note.code for note in decision.diagnostics] == ["routing-kept"]
    assert decided(event, again("user", "user", "system")).diagnostics == ()


def test_another_session_is_another_way():
    event = routed("session", "user", "system", **KEY)
    decision = decided(event, again("session", "user", "system", session_id="s2"))
    assert decision.record.session_id == "s1"
    assert [note.code for note in decision.diagnostics] == ["routing-kept"]


def test_an_event_whose_session_is_gone_is_not_told_that_its_way_was_kept():
    event = decided(
        submitted("session", "user", "system", **KEY), anp.Route(), facts=anp.Facts(session_exists=False)
    ).record
    assert event.routing.address == "user"
    assert decided(event, again("session", "user", "system")).diagnostics == ()


def test_a_queued_alert_is_shown_once_with_its_last_words():
    waiting = decided(submitted("user", "user", "system", **KEY), anp.Route(), facts=BUSY).record
    updated = decided(waiting, again("user", "user", "system"))
    assert updated.effects == ()
    assert the(anp.Present, decided(updated.record, anp.Route())).content == "Still failing."


# --- what is not merged


@pytest.mark.parametrize(
    "event",
    [
        claimed("user", "user", "agent", **KEY),
        half_taken(deduplication_key="rss_feed_x"),
        escalated("user", "user", "agent", **KEY),
        delivered("user", "user", "system", **KEY),
        failed("user", "user", "agent", **KEY),
    ],
    ids=lambda event: f"{event.status}-{event.responsible}",
)
def test_what_somebody_holds_or_what_is_over_stays_and_a_new_event_is_made(event):
    before = dumps(event)
    decision = decided(event, again("user", "user", "agent"), now=LATER)
    assert (decision.expected, decision.record.id, decision.record.revision) == (None, "e2", 1)
    assert decision.record.status == "pending"
    assert dumps(event) == before


@pytest.mark.parametrize(
    "members", [{"user_id": "mallory"}, {"deduplication_key": "other"}, {"deduplication_key": None}]
)
def test_an_event_of_another_user_or_key_is_the_fault_of_the_program(members):
    with pytest.raises(UsageError, match="same user with the same key"):
        decided(routed("user", "user", "system", **KEY), again("user", "user", "system", **members))


def test_events_without_a_key_are_never_merged():
    command = anp.Submit(submission=submission("user", "user", "system"), id="e2")
    with pytest.raises(UsageError, match="same user with the same key"):
        decided(routed("user", "user", "system"), command)


def test_time_does_not_run_backwards_for_an_event():
    event = decided(routed("user", "user", "system", **KEY), again("user", "user", "system"), now=LATER).record
    new = decided(event, again("user", "user", "system", id="e3"), now=NOW).record
    assert new.changed_at == event.changed_at == IN_TWO_MINUTES
