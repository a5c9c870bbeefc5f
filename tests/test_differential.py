"""The two implementations give the same answers to the same generated inputs; `.ci/nightly differential` has more."""

from __future__ import annotations

import json

import pytest

from mentionable.ingest._rules import RULES
from tests import differential
from tests.differential import GENERATORS, comparable, differences, inputs, main, node_answers, perform, python_answers
from tests.differential.cases import OPERATIONS
from tests.differential.grammars import GENERATORS as OF_INPUTS
from tests.differential.grammars import NOW
from tests.differential.html import GENERATORS as OF_HTML
from tests.differential.signed import GENERATORS as SIGNED
from tests.differential.signed import REQUESTS
from tests.node_programs import node
from tests.test_conformance_node import declared

GRAMMARS = {**OF_INPUTS, **OF_HTML}
SOME = 1_000
FEW = 150
"""How many inputs are made of cases: these take longer, and the cases themselves run elsewhere."""


@pytest.mark.parametrize("op", GRAMMARS)
def test_both_answer_alike(op):
    assert list(differences(op, seed=1, count=SOME, node=node())) == []


@pytest.mark.parametrize("op", OPERATIONS)
def test_both_answer_alike_what_is_made_of_cases(op):
    assert list(differences(op, seed=1, count=FEW, node=node())) == []


@pytest.mark.parametrize("op", SIGNED)
def test_both_answer_alike_what_is_signed(op):
    assert list(differences(op, seed=1, count=FEW, node=node())) == []


@pytest.mark.parametrize("op", ["identity.verify", *REQUESTS])
def test_some_of_what_is_signed_is_good_and_most_is_refused_for_some_reason(op):
    answers = python_answers(op, inputs(op, 1, 0, 400))
    codes = [_code(answer) for answer in answers]
    assert codes.count(None) > 5
    assert len(set(codes)) > 10


def _code(answer):
    return answer["rejected"]["code"] if "rejected" in answer else (answer.get("value") or {}).get("code")


HALF = "\ud800"
CALLED = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}}]}
JSON_OF_A_HOST = [
    [{"role": "assistant", "content": [{**CALLED["content"][0], "input": {"a": HALF}}]}],
    [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": [HALF]}}]}],
    [
        CALLED,
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": {HALF: 1}}]},
    ],
    [
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"json": {"a": HALF}}]}}]},
    ],
]
"""Rows with a lone surrogate in JSON of the host: no case of the suite can hold one."""


def test_both_refuse_a_lone_surrogate_in_json_of_a_host():
    units = [({"rows": rows, "dialect": dialect}, NOW) for rows in JSON_OF_A_HOST for dialect in RULES]
    answers = [*python_answers("ingest.lower", units), *node_answers("ingest.lower", units, node())]
    assert [answer.get("rejected") for answer in answers] == [{"code": "malformed"}] * 2 * len(units)


def test_both_refuse_a_lone_surrogate_in_place_of_stored_json():
    units = [({"agent": "@helper@agents.example", "grants": [], "identities": [HALF]}, NOW)]
    answers = [*python_answers("identity.acl", units), *node_answers("identity.acl", units, node())]
    assert [answer.get("rejected") for answer in answers] == [{"code": "not-utf8"}] * 2


def test_every_operation_of_the_other_one_is_compared():
    assert {*GENERATORS} == declared()


@pytest.mark.parametrize("op", OPERATIONS)
def test_most_inputs_that_are_made_of_cases_are_read(op):
    answers = python_answers(op, inputs(op, 1, 0, FEW))
    assert sum("errored" not in answer for answer in answers) > FEW * 0.7
    assert len({json.dumps(answer) for answer in answers}) > 1


@pytest.mark.parametrize("op", GRAMMARS)
def test_the_inputs_of_an_operation_are_not_all_answered_alike(op):
    answers = [perform()(op, given, unit) for unit, given in inputs(op, 1, 0, 500)]
    assert sum("rejected" not in answer for answer in answers) > 50
    assert len({json.dumps(answer.get("value")) for answer in answers}) >= (5 if op != "render.mention_relay" else 12)


def test_an_input_has_its_number_for_ever():
    assert inputs("json.loads", 7, 10, 3) == inputs("json.loads", 7, 0, 20)[10:13]
    assert inputs("json.loads", 7, 10, 3) != inputs("json.loads", 8, 10, 3)


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ({"value": 1}, {"value": 1.0}, True),
        ({"value": 1}, {"value": True}, False),
        ({"value": [0]}, {"value": [False]}, False),
        ({"value": 9007199254740993}, {"value": 9007199254740992.0}, True),
        ({"value": None}, {"rejected": {"code": "malformed"}}, False),
        ({"rejected": {"code": "a"}}, {"rejected": {"code": "b"}}, False),
        ({"value": "a", "asks": ["x"]}, {"value": "a"}, True),
    ],
)
def test_answers_are_compared_strictly(one, other, are_alike):
    assert (comparable(one, "json.loads") == comparable(other, "json.loads")) is are_alike


MADE = ["00000000-0000-8000-a000-000000000001", "00000000-0000-8000-a000-000000000002"]


def clouded(*ids):
    """The answer with CloudEvents of these ids."""
    event = {"specversion": "1.0", "source": "/", "type": "t", "data": {"id": "e1", "content": "a"}}
    return {"value": {"events": [{"id": id, **event} for id in ids], "headers": [{"ce-id": id} for id in ids]}}


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ((MADE[0], MADE[1]), (MADE[1], MADE[0]), True),
        ((MADE[0], MADE[0]), (MADE[1], MADE[1]), True),
        ((MADE[0], MADE[0]), (MADE[0], MADE[1]), False),
        ((MADE[0],), ("a-1",), False),
        (("a-1",), ("a-2",), False),
    ],
)
def test_ids_that_each_implementation_makes_are_compared_by_their_places(one, other, are_alike):
    first, second = (comparable(clouded(*ids), "anp.cloudevent") for ids in (one, other))
    assert (first == second) is are_alike


def test_a_difference_is_printed_and_ends_with_1(monkeypatch, capsys):
    monkeypatch.setattr(differential, "node_answers", lambda op, units, node: [{"value": "other"} for _ in units])
    assert main(["trace.viewer", "--inputs", "3", "--show", "1"]) == 1
    counted, named, *both = capsys.readouterr().out.splitlines()
    assert counted == "trace.viewer: 3 inputs, 3 differences"
    assert named.startswith("  0/trace.viewer/0: ")
    assert len(both) == 2
