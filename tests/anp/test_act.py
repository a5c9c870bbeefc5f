"""Tools: what an agent may do in a turn, and of what a human hears."""

import pytest

from mentionable import UsageError, anp
from mentionable.anp._actions import notice_id
from tests.anp.events import AT, LATER, NOW, OLIVIA, at, kinds
from tests.anp.turns import (
    AUTONOMOUS,
    MEDIATED,
    PASSIVE,
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


def test_an_internal_tool_runs_and_is_audited(host):
    host.add("a1", AUTONOMOUS)
    turn, before = host.begin("a1"), host.event("a1")
    step = host.act(turn, "remember", "internal")
    assert kinds(step.all_effects) == ["allow", "audit"]
    assert every(anp.Audit, step.all_effects)[0].classification == "internal"
    assert host.event("a1") == before


@pytest.mark.parametrize("what", ["external", "EXTERNAL", None, "", "harmless"])
def test_every_other_tool_makes_the_event_one_of_which_the_human_hears(host, what):
    host.add("a1", AUTONOMOUS)
    turn, before = host.begin("a1"), host.event("a1")
    step = host.act(turn, "rm", what)
    event = host.event("a1")
    assert kinds(step.all_effects) == ["allow", "must_surface", "audit"]
    assert (event.routing.target, event.actions, event.requested.target) == ("user", ("rm",), "agent")
    kept = ("status", "owner_lease", "delivery_deadline", "holder")
    assert [getattr(event, name) for name in kept] == [getattr(before, name) for name in kept]
    assert event.routing.handler == "agent"


def test_after_such_a_tool_the_agent_must_speak(host):
    host.add("a1", AUTONOMOUS)
    turn = host.begin("a1")
    host.act(turn, "rm")
    step = host.end(turn, None, "a1")
    assert host.event("a1").escalation == "silence"
    (present,) = every(anp.Present, step.all_effects)
    assert (present.id, present.actions) == ("a1", ("rm",))


def test_after_such_a_tool_what_the_agent_says_is_enough(host):
    host.add("a1", AUTONOMOUS)
    turn = host.begin("a1")
    host.act(turn, "rm")
    assert shown(host.end(turn, "I deleted it.")) == ["n-t1"]
    assert host.event("a1").outcome == "narrated"


def test_a_tool_counts_for_every_event_of_the_turn_and_for_no_other(host):
    for id, route in (("a1", AUTONOMOUS), ("a2", AUTONOMOUS), ("m1", MEDIATED), ("f1", PASSIVE)):
        host.add(id, route)
    turn = host.begin("a1")
    host.add("a3", AUTONOMOUS)
    host.act(turn, "rm")
    assert {id: event.actions for id, event in host.events.items()} == {
        "a1": ("rm",),
        "a2": ("rm",),
        "m1": ("rm",),
        "f1": (),
        "a3": (),
    }
    assert host.event("a3").routing.target == "agent"


def test_a_stale_turn_may_not_use_a_tool(host):
    host.add("a1", AUTONOMOUS)
    turn = host.begin("a1")
    host.decide("a1", anp.Tick(), now=LATER)
    before = host.event("a1")
    for what in ("internal", "external"):
        refused = anp.act(host.lane(), turn, "rm", what, events=host.events, now=LATER)
        assert code(refused) == "stale-lease"
    assert host.event("a1") == before


def test_an_event_that_left_the_turn_does_not_forbid_a_tool_to_the_others(host):
    host.add("a1", AUTONOMOUS)
    host.add("a2", AUTONOMOUS, delivery_deadline=AT)
    turn = host.begin("a1")
    host.decide("a2", anp.Tick())
    step = host.act(turn, "rm")
    assert (refusals(step), ends(step)) == ([("a2", "stale-lease")], {"a1": ("dispatched",)})


def test_of_a_tool_and_a_time_out_at_once_one_is_stored(host):
    turn = host.begin()
    asked = anp.act(host.lane(), turn, "rm", None, events={}, now=at(300))
    host.tick(at(300))
    assert not host.ledger.commit(asked)


@pytest.mark.parametrize("session", [None, "s1"])
def test_what_the_agent_does_outside_any_event_is_told_by_a_notice(host, session):
    turn = host.begin(session_id=session)
    step = host.act(turn, "rm")
    (surface,) = every(anp.MustSurface, step.all_effects)
    assert (surface.id, surface.action, surface.notice_id) == ("t1", "rm", notice_id("t1", "rm"))
    notice = surface.notice
    assert (notice.user_id, notice.session_id, notice.origin) == (OLIVIA, session, "system")
    assert notice.routing.row.channel == ("B" if session else "A")
    assert notice.content == "The agent used rm."
    assert every(anp.MustSurface, host.act(turn, "rm").all_effects)[0].notice_id == notice_id("t1", "rm")


def test_a_notice_tells_of_a_tool_where_all_events_have_left_the_conversation(host):
    host.add("a1", AUTONOMOUS)
    turn = host.begin()
    host.decide("a1", anp.Tick(), now=LATER)
    step = host.act(turn, "rm", now=LATER)
    assert refusals(step) == [("a1", "stale-lease")]
    assert every(anp.MustSurface, step.all_effects)[0].notice_id == notice_id("t1", "rm")


def test_an_internal_tool_outside_any_event_needs_no_notice(host):
    step = host.act(host.begin(), "remember", "internal")
    assert not every(anp.MustSurface, step.all_effects)


@pytest.mark.parametrize("what", ["internal", "external"])
def test_a_tool_outside_any_event_is_audited_too(host, what):
    step = host.act(host.begin(), "rm", what)
    assert [(one.what, one.classification) for one in every(anp.Audit, step.all_effects)] == [("rm", what)]


def test_a_tool_for_an_event_that_was_delivered_meanwhile_is_told_by_a_notice(host):
    host.add("m1", MEDIATED)
    turn = host.begin("m1")
    host.decide("m1", anp.CommitTurn(lease=1, acknowledged=True, output="It failed.", narration_id="n0"))
    before = host.event("m1")
    step = host.act(turn, "rm")
    assert every(anp.MustSurface, step.all_effects)[0].notice_id == notice_id("m1", "rm")
    assert host.event("m1") == before


@pytest.mark.parametrize("name", ["", None, 5, ["rm"], "x" * 257, "\ud800"], ids=lambda name: ascii(name)[:10])
@pytest.mark.parametrize("has_event", [True, False], ids=["of an event", "of none"])
def test_a_model_that_names_no_tool_is_refused(host, name, has_event):
    if has_event:
        host.add("a1", AUTONOMOUS)
    turn = host.begin()
    refused = anp.act(host.lane(), turn, name, "internal", events=host.events, now=NOW)
    assert (code(refused), refused.problems[0].at) == ("malformed", "/name")


def test_the_name_of_a_tool_may_be_long(host):
    host.add("a1", AUTONOMOUS)
    host.act(host.begin(), "x" * 256)
    assert host.event("a1").actions == ("x" * 256,)


# Wrong arguments


@pytest.mark.parametrize("wrong", [{"turn": None}, {"lane": None}, {"rules": None}], ids=str)
@pytest.mark.parametrize("has_event", [True, False], ids=["of an event", "of none"])
def test_wrong_arguments_of_act_are_the_fault_of_the_program(host, wrong, has_event):
    if has_event:
        host.add("m1", MEDIATED)
    given = {"turn": host.begin(), "lane": host.lane(), "name": "rm", "events": host.events, "now": NOW, **wrong}
    lane, turn, name = (given.pop(one) for one in ("lane", "turn", "name"))
    with pytest.raises(UsageError):
        anp.act(lane, turn, name, None, **given)
