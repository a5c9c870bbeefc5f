"""Laws of events: whatever happens in whatever state, what the specification promises holds."""

from __future__ import annotations

from datetime import UTC, timedelta
from itertools import product
from typing import get_args

import attrs
from hypothesis import assume, given
from hypothesis import strategies as st

from mentionable import (
    CODES,
    DecodeError,
    Rejected,
    UsageError,
    anp,
    decode,
    decode_trusted,
    dumps,
    encode,
    format_time,
    parse_time,
    replace,
)
from mentionable.testing import strategies
from tests.anp.events import (
    ALL,
    LATER,
    NOW,
    OF_AGENT,
    claimed,
    delivered,
    escalated,
    failed,
    half_taken,
    kinds,
    routed,
    submitted,
)
from tests.anp.invariants import is_of_the_agent

EDGES = {
    *[("pending", "dispatched"), ("dispatched", "locked"), ("locked", "locked"), ("dispatched", "delivered")],
    *[("locked", "delivered"), ("locked", "escalated"), ("locked", "failed")],
    *[("escalated", "delivered"), ("escalated", "failed")],
}
"""The legal hops of §5.1, with the acknowledgement of what the system shows or the agent has read."""

KEPT = (
    *("id", "user_id", "requested", "created_at", "session_id", "deduplication_key", "origin", "causation_id"),
    *("depth", "extra"),
)
"""Members that nothing ever changes."""

HUMAN = {"seen", "narrated", "spoke"}
"""Outcomes of which a human knows."""


def fitting(record, until):
    """Of each kind a command that is meant for the event, so that most of them lead somewhere."""
    lease, holder = record.owner_lease, record.holder or "w1"
    acting = {"lease": lease, "holder": record.holder}
    said = {"output": "It failed.", "narration_id": "n1"}
    yield from (anp.Route(), anp.Tick(), anp.Abandon(), anp.Reconnect(user_id=record.user_id))
    yield from (anp.ClientAck(lease=lease, user_id=record.user_id), anp.ContextCommitted(lease=lease))
    yield from (anp.DeliveryFailed(lease=lease, is_final=is_final) for is_final in (False, True))
    yield from (anp.Claim(lease=lease, holder=holder), anp.TurnFailed(**acting), anp.Extend(until=until, **acting))
    yield from (anp.Action(name="rm", classification=word, **acting) for word in ("internal", None))
    yield from (anp.CommitTurn(acknowledged=True, **words, **acting) for words in ({}, said))
    yield anp.CommitTurn(is_trigger=True, **acting)
    if record.deduplication_key is not None:
        words = anp.Submission(
            content="Other words.",
            user_id=record.user_id,
            routing=record.requested,
            session_id=record.session_id,
            deduplication_key=record.deduplication_key,
        )
        yield anp.Submit(submission=words, id=record.id + "2")


facts = st.builds(anp.Facts, session_exists=st.booleans(), user_exists=st.booleans(), lane_busy=st.booleans())
minutes = st.integers(1, 60).map(lambda number: timedelta(minutes=number))
rules = st.builds(
    anp.Rules,
    ttl=minutes,
    urgent=st.dictionaries(st.sampled_from(["low", "high"]), minutes),
    system_ttl=st.none() | minutes,
    attempts=st.integers(1, 3),
    depth=st.integers(1, 4),
)


def _world(draw):
    """A time, often one of those of an event, and what else a decision depends on."""
    record = draw(strategies.notifications())
    near = parse_time(draw(st.sampled_from([record.delivery_deadline or record.changed_at, record.changed_at])))
    now = draw(st.datetimes(timezones=st.just(UTC)) | st.integers(-1, 1).map(lambda n: near + timedelta(seconds=n)))
    return record, {"now": now, "facts": draw(facts), "rules": draw(rules)}


worlds = st.composite(_world)()


def outcome_of(record, command, how):
    """The outcome; None where `Submit` comes with an event that is none of its own."""
    try:
        return anp.decide(record, command, **how)
    except UsageError:
        assert isinstance(command, anp.Submit)
        return None


@given(worlds, strategies.commands(), st.data())
def test_every_command_has_an_outcome_in_every_state_and_always_the_same(world, command, data):
    record, how = world
    before = dumps(record), dumps(command)
    for one in (command, data.draw(st.sampled_from(list(fitting(record, record.changed_at))))):
        outcome = outcome_of(record, one, how)
        assert outcome == outcome_of(
            decode_trusted(anp.Notification, before[0]), decode_trusted(anp.Command, dumps(one)), how
        )
        if isinstance(outcome, Rejected):
            assert outcome.code in CODES
        elif outcome is not None:
            assert decode_trusted(anp.Notification, dumps(outcome.record)) == outcome.record
            assert [decode_trusted(anp.Effect, dumps(effect)) for effect in outcome.effects] == list(outcome.effects)
            assert {note.code for note in outcome.diagnostics} <= set(CODES)
    assert (dumps(record), dumps(command)) == before


@given(strategies.submissions(), strategies.names(), st.datetimes(timezones=st.just(UTC)))
def test_every_submission_makes_an_event_that_can_be_stored(submission, id, now):
    event = anp.decide(None, anp.Submit(submission=submission, id=id), now=now).record
    assert decode_trusted(anp.Notification, dumps(event)) == event
    assert (event.status, event.owner_lease, event.routing) == ("pending", 1, event.requested)
    assert event.requested == submission.routing


def goes_only_where_the_specification_lets_it(record, command, decision):
    new = decision.record
    assert decision.path[0] == record.status == decision.expected.status
    assert decision.path[-1] == new.status
    assert set(zip(decision.path, decision.path[1:], strict=False)) <= EDGES
    assert (decision.expected.owner_lease, decision.expected.version) == (record.owner_lease, record.version)
    assert new.version == record.version + decision.changes
    assert decision.changes == (new != record)
    times = [format_time(parse_time(one.changed_at)) for one in (record, new)]  # kept to the millisecond
    assert times == sorted(times)
    assert [getattr(new, name) for name in KEPT] == [getattr(record, name) for name in KEPT]


def leaves_what_is_over(record, command, decision):
    if record.is_terminal:
        assert isinstance(command, anp.Action)
        assert (decision.record, decision.changes, decision.path) == (record, False, (record.status,))


def raises_the_lease_once_and_by_a_takeover_only(record, command, decision):
    taken = record.routing.handler == "agent" and decision.record.status in ("escalated", "failed")
    assert decision.record.owner_lease == record.owner_lease + taken <= 2
    assert (decision.record.owner_lease == 2) == (decision.record.escalation is not None)


def moves_flags_towards_the_user_and_the_system_only(record, command, decision):
    old, new = record.routing, decision.record.routing
    assert (old.address, new.address) != ("user", "session")
    assert (old.target, new.target) != ("user", "agent")
    assert (old.handler, new.handler) != ("system", "agent")
    assert new.extra == old.extra


def escalates_to_the_user_by_the_system(record, command, decision):
    if decision.record.status == "escalated":
        assert (decision.record.routing.target, decision.record.routing.handler) == ("user", "system")
        assert decision.record.responsible == "system"


def delivers_to_the_user_only_what_a_human_was_shown(record, command, decision):
    new = decision.record
    if new.status == "delivered" and new != record:
        assert new.routing.target == "agent" or new.outcome in HUMAN
        assert (new.outcome == "seen") == isinstance(command, anp.ClientAck) == (new.ack_at is not None)


def shows_raw_words_only_of_what_the_system_presents(record, command, decision):
    seen = [effect for effect in decision.effects if isinstance(effect, anp.Present)]
    assert len(seen) <= 1
    if seen:
        assert decision.record.routing.row.mode == "direct"
        assert not decision.record.is_terminal


def keeps_passive_events_out_of_sight(record, command, decision):
    if decision.record.routing.row.mode == "passive":
        assert not {"present", "start_turn", "wake_at", "grant"} & set(kinds(decision.effects))
        assert decision.record.status in ("pending", "dispatched", "delivered")


def sets_the_agent_a_deadline(record, command, decision):
    if decision.record.responsible == "agent":
        assert decision.record.delivery_deadline is not None


def names_event_words_and_lease_in_every_effect(record, command, decision):
    for effect in decision.effects:
        lease = (record if is_of_the_agent(effect) else decision.record).owner_lease
        assert (effect.id, effect.revision, effect.lease) == (record.id, decision.record.revision, lease)


LAWS = (
    goes_only_where_the_specification_lets_it,
    leaves_what_is_over,
    raises_the_lease_once_and_by_a_takeover_only,
    moves_flags_towards_the_user_and_the_system_only,
    escalates_to_the_user_by_the_system,
    delivers_to_the_user_only_what_a_human_was_shown,
    shows_raw_words_only_of_what_the_system_presents,
    keeps_passive_events_out_of_sight,
    sets_the_agent_a_deadline,
    names_event_words_and_lease_in_every_effect,
)
"""What a decision upon an event, whatever the command, never breaks."""


def lawful(record, how):
    """The outcomes of all commands; none of them breaks a law."""
    for command in fitting(record, format_time(parse_time(record.created_at) + timedelta(minutes=59))):
        outcome = anp.decide(record, command, **how)
        if isinstance(outcome, anp.Decision) and outcome.expected is not None:
            for law in LAWS:
                law(record, command, outcome)
        yield outcome


@given(worlds)
def test_no_decision_breaks_a_law(world):
    assert list(lawful(*world))


def every_state():
    """An event in every state that it can come into by itself, on each of the eight ways."""
    key = {"deduplication_key": "k"}
    for route in ALL:
        yield from (made(*route, **key) for made in (submitted, routed, delivered))
    for route in OF_AGENT:
        yield from (made(*route, **key) for made in (claimed, escalated, failed))
        yield submitted(*route, depth=3)
    yield half_taken(escalation="deadline")


def test_the_laws_hold_on_every_way_that_there_is():
    """Every hop of the specification and every kind of effect comes up, so that no law holds for want of a case."""
    hops, found, refusals = set(), set(), set()
    for record, now, *world in product(every_state(), (NOW, LATER), *[(True, False)] * 3):
        known = anp.Facts(session_exists=world[0], user_exists=world[1], lane_busy=world[2])
        for outcome in lawful(record, {"now": now, "facts": known}):
            if isinstance(outcome, anp.Decision):
                hops.update(zip(outcome.path, outcome.path[1:], strict=False))
                found.update(kinds(outcome.effects))
            else:
                refusals.add(outcome.code)
    assert hops == EDGES
    assert found == {cls.kind for cls in get_args(anp.Effect)}
    assert refusals == {"already-terminal", "route-exists", "transition-refused", "wrong-owner"}


@given(worlds, st.none() | st.integers())
def test_a_lease_that_does_not_count_changes_nothing(world, lease):
    record, how = world
    assume(lease != record.owner_lease)
    for command in fitting(record, record.changed_at):
        if hasattr(command, "lease"):
            outcome = anp.decide(record, replace(command, lease=lease), **how)
            assert isinstance(outcome, Rejected)
            over = record.is_terminal and not isinstance(command, anp.Action)
            assert outcome.code == ("already-terminal" if over else "stale-lease")


COMMON = (anp.Route(), anp.Tick(), anp.Claim(lease=1, holder="w"), anp.ClientAck(lease=2, user_id="olivia"))
steps = st.lists(st.tuples(st.sampled_from(COMMON) | strategies.commands(), st.integers(0, 90)), max_size=8)


@given(strategies.submissions(), steps, facts)
def test_whatever_happens_the_clock_leads_what_the_agent_handles_to_an_end(submission, steps, facts):
    """Invariants 3 and 16: a lease is 1, or 2 after an escalation; no cooperation of the agent is needed."""
    now = NOW
    event = anp.decide(None, anp.Submit(submission=submission, id="e1"), now=now).record
    for command, seconds in steps:
        now += timedelta(seconds=seconds)
        if not isinstance(command, anp.Submit):
            outcome = anp.decide(event, command, now=now, facts=facts)
            event = outcome.record if isinstance(outcome, anp.Decision) else event
        assert event.owner_lease == 1 + (event.escalation is not None)
    for _ in range(3):
        if event.is_watched:
            assert event.delivery_deadline is not None
            now = max(now, parse_time(event.delivery_deadline))
            event = anp.decide(event, anp.Tick(), now=now, facts=facts).record
    assert event.is_terminal or event.routing.row.has_deadline is False
    assert not event.is_watched


# --- on the wire

unknown = st.dictionaries(strategies.names().map("x-{}".format), st.integers() | strategies.texts(), min_size=1)


@given(strategies.notifications() | strategies.submissions() | strategies.routings(), unknown)
def test_members_of_a_value_that_nobody_knows_survive(value, members):
    written = {**encode(value), **members}
    assert encode(decode_trusted(type(value), written)) == written
    assert encode(decode(type(value), written)) == written


@given(strategies.commands(), unknown)
def test_members_of_a_command_that_nobody_knows_survive(command, members):
    written = {**encode(command), **members}
    assert encode(decode(anp.Command, written)) == written


@given(strategies.effects(), unknown)
def test_members_of_an_effect_that_nobody_knows_survive(effect, members):
    written = {**encode(effect), **members}
    assert encode(decode(anp.Effect, written)) == written


@given(strategies.notifications())
def test_a_ledger_reads_what_it_wrote_in_any_case_of_letters(event):
    written = encode(event)
    loud = {**written, "status": written["status"].upper()}
    for name in ("routing", "requested"):
        flags = {key: member.upper() for key, member in written[name].items() if not key.startswith("x-")}
        loud[name] = {**written[name], **flags}
    read = anp.read_notification(loud)
    assert (read.status, read.routing, read.requested) == (event.status, event.routing, event.requested)


@given(st.dictionaries(st.sampled_from([a.name for a in attrs.fields(anp.Submission)]), strategies.json_values()))
def test_whatever_a_plugin_gives_is_read_or_refused(data):
    for read in (anp.read_submission, anp.read_notification):
        try:
            value = read(data)
        except DecodeError:
            continue
        assert decode_trusted(type(value), dumps(value)) == value


def test_the_same_command_after_the_same_command_is_refused_or_changes_nothing():
    """What comes twice counts once, but for what is shown again or asked for again."""
    said = anp.CommitTurn(lease=1, acknowledged=True, output="x", narration_id="n", holder="w1")
    for event, command in (
        (submitted("user", "user", "system"), anp.Route()),
        (claimed("user", "user", "agent"), said),
        (routed("user", "user", "agent"), anp.Claim(lease=1, holder="w1")),
        (routed("user", "user", "agent"), anp.TurnFailed(lease=1)),
        (half_taken(), anp.Tick()),
        (routed("user", "user", "agent"), anp.Tick()),
    ):
        once = anp.decide(event, command, now=LATER).record
        twice = anp.decide(once, command, now=LATER)
        assert isinstance(twice, Rejected) or not twice.changes
