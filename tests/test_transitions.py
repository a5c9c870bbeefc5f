"""The tables of docs/explanation/anp.md leave nothing out, and change when the code does."""

from __future__ import annotations

from typing import get_args

import pytest

from mentionable import anp
from mentionable.anp import _agent, _system, _watchdog
from tests import regenerate, transitions
from tests.transition_cases import (
    COMMANDS,
    CREDENTIALS,
    NOWHERE,
    STATES,
    Guard,
    Outcome,
    Stand,
    cases,
    fits,
    led,
    outcome,
    stands,
)

LEGAL = {
    ("pending", "dispatched"),
    ("dispatched", "locked"),
    ("dispatched", "delivered"),
    ("locked", "locked"),
    ("locked", "delivered"),
    ("locked", "escalated"),
    ("locked", "failed"),
    ("escalated", "delivered"),
    ("escalated", "failed"),
}

PLACES = list(stands())


def test_every_route_is_driven_into_every_state_that_it_has():
    modes = {(place.state, place.mode) for place in PLACES}
    assert {state for state, _ in modes} == set(STATES)
    for mode in ("direct", "mediated", "passive", "autonomous"):
        assert ("pending[system]", mode) in modes
        assert ("delivered", mode) in modes
    flags = [place.event.requested for place in PLACES if place.event is not None]
    assert {(one.address, one.target, one.handler) for one in flags} == set(anp.ROUTE_TABLE)
    assert len(anp.ROUTE_TABLE) == 8


def test_every_state_that_is_named_is_that_of_its_event():
    for state, _, event in PLACES:
        assert event is not None
        status, _, owner = state.rstrip("]").partition("[")
        assert event.status == status
        assert event.responsible == {"watchdog": "system", "": "nobody"}.get(owner, owner)


def test_events_go_only_where_they_may():
    assert set(transitions.edges()) == LEGAL


def test_every_command_and_every_effect_is_on_the_page():
    page = transitions.transition_tables()
    assert {command.kind for command in COMMANDS} == {command.kind for command in get_args(anp.Command)}
    assert all(f"| `{command.kind}` |" in page for command in COMMANDS)
    assert [effect.kind for effect in get_args(anp.Effect) if effect.kind not in page] == []


def test_every_refusal_that_one_event_can_meet_is_on_the_page():
    page = transitions.refusals() + transitions.overview()
    codes = {
        *("stale-lease", "stale-revision", "wrong-holder", "wrong-user", "wrong-owner", "already-submitted"),
        *("already-terminal", "deadline-refused", "route-exists"),
    }
    assert [code for code in codes if f"`{code}`" not in page] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.kind)
def test_whoever_has_one_thing_wrong_is_refused_whatever_else_is_wrong_too(command):
    """Several faults at once: refused with the code of one of them. So the table of single faults is all there is."""
    for place in PLACES:
        for case in cases(command, credentials=True):
            if not fits(place, case) or not case["user_there"] or case["session"] == "gone":
                continue
            right = {guard.name: next(iter(guard.words)) for guard in CREDENTIALS.get(command, ())}
            faults = [{**case, **right, name: case[name]} for name in right if case[name] != right[name]]
            codes = {outcome(command, place.event, {**case, **right}).code}
            codes |= {outcome(command, place.event, fault).code for fault in faults}
            came = outcome(command, place.event, case).code
            assert came in codes
            assert (came is None) == (codes == {None})


def test_each_case_is_in_exactly_one_row():
    """Rows of one command are told apart: no two have the same words."""
    for states in transitions.SECTIONS:
        rows = [(kind, words) for kind, words, _ in transitions.transitions(states, PLACES)]
        assert len(rows) == len(set(rows))


# -- drift


@pytest.mark.parametrize(
    ("where", "name", "other"),
    [
        (
            _system,
            "aware",
            lambda event, _: anp.AgentAware(
                id=event.id, revision=1, lease=1, awareness="shown", user_id=event.user_id, content=""
            ),
        ),
        (_watchdog, "present", lambda event: anp.FenceTurn(id=event.id, revision=1, lease=1)),
        (_agent, "classify", lambda _: "internal"),
        (_agent, "escalate", lambda step, _: step.stay()),
        (_agent, "stale", lambda *_: None),
    ],
    ids=["same effect", "another effect", "no promotion", "no escalation", "no lease"],
)
def test_a_page_of_other_rules_is_stale(monkeypatch, where, name, other):
    monkeypatch.setattr(where, name, other)
    is_seen = name != "aware"  # it still makes the agent aware: the page names kinds
    assert bool([*regenerate.stale(["transitions"])]) == is_seen


# -- grouping


A = Guard("a", {1: "one", 2: "two", 3: "three"}, {frozenset({"one", "two"}): "few"})
B = Guard("b", {0: "", 1: "b"})


def rows(of: dict[tuple[int, int], str]) -> list[tuple[tuple[str, ...], str]]:
    found = [({"a": a, "b": b}, Outcome(code)) for (a, b), code in of.items()]
    return [(words, came.code) for words, came in transitions.grouped(found, (A, B))]


def test_what_makes_no_difference_is_not_said():
    assert rows({(a, b): "x" for a in (1, 2, 3) for b in (0, 1)}) == [((), "x")]
    assert rows({(a, b): "y" if b else "x" for a in (1, 2, 3) for b in (0, 1)}) == [((), "x"), (("b",), "y")]


def test_values_that_come_to_the_same_are_one_row_in_the_best_words():
    assert rows({(1, 0): "x", (2, 0): "x", (3, 0): "y"}) == [(("few",), "x"), (("three",), "y")]
    assert rows({(1, 0): "y", (2, 0): "x", (3, 0): "x"}) == [(("one",), "y"), (("two or three",), "x")]


def test_a_session_that_is_gone_is_said_in_brackets_where_nothing_else_depends_on_it():
    there, gone = {"session": "there"}, {"session": "gone"}
    one = Outcome(None, ("pending", "dispatched"), (), ("present",))
    demoted = one._replace(effects=("address_demoted", "present"))
    assert transitions.folded([(there, one), (gone, demoted)]) == [
        ({}, one._replace(effects=("(address_demoted)", "present")))
    ]
    assert transitions.folded([(there, one), (gone, one)]) == [({}, one)]
    assert transitions.folded([(there, one), (gone, one._replace(effects=()))]) is None
    with pytest.raises(AssertionError, match="what makes the difference"):
        transitions.folded([(there, one), (there, demoted)])


def test_a_command_that_is_refused_leads_nowhere():
    with pytest.raises(AssertionError, match="route is refused"):
        led(None, anp.Route())


def test_what_stands_nowhere_can_only_be_submitted():
    nowhere = Stand(NOWHERE, "", None)
    for command in COMMANDS:
        found = {outcome(command, None, case).code for case in cases(command) if fits(nowhere, case)}
        assert found == ({None} if command is anp.Submit else {"unknown-notification"})
