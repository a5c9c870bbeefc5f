from __future__ import annotations

import json

import pytest

from mentionable.identity._read import MAX_BYTES, EvidenceRejected, parse_evidence
from tests.linearity import steps_grow_linearly, time_grows_linearly
from tests.vectors._identity_rows import signed, text


def refused(data):
    with pytest.raises(EvidenceRejected) as caught:
        parse_evidence(data)
    return caught.value.step, caught.value.code


def test_evidence_is_read_with_its_proof():
    found = parse_evidence(text(signed(n=1.0)).encode())
    assert found.members["n"] == 1
    assert found.proof is found.members["proof"]
    assert found.has_plain_numbers
    assert not parse_evidence(text(signed(n=1e-9)).encode()).has_plain_numbers


@pytest.mark.parametrize(
    ("data", "step", "code"),
    [
        (b" " * (MAX_BYTES + 1), "size", "too-large"),
        (b"[" + b"0," * 1_100 + b"0]", "json", "too-large"),
        (b"\xff{}", "json", "json-malformed"),
        (b"", "json", "json-malformed"),
        (b'{"a":1,"a":1}', "json", "duplicate-member"),
        (b'{"a":NaN}', "json", "number-out-of-range"),
        (b'{"a":"\\ud800"}', "json", "lone-surrogate"),
        (b'{"a":' + b"[" * 16 + b"]" * 16 + b"}", "json", "too-deep"),
        (b"[]", "json", "not-an-object"),
        (b"{}", "shape", "shape-invalid"),
    ],
)
def test_each_fault_has_its_step(data, step, code):
    assert refused(data) == (step, code)


@pytest.mark.parametrize("name", ["subject", "issuer", "method", "assurance", "issued_at", "proof"])
@pytest.mark.parametrize("wrong", [None, 7, True, [], ["x"]])
def test_required_members_have_one_type(name, wrong):
    assert refused(json.dumps({**signed(), name: wrong}).encode()) == ("shape", "shape-invalid")


@pytest.mark.parametrize("name", ["id", "not_before", "expires_at", "claims", "source", "on_behalf_of"])
@pytest.mark.parametrize("wrong", [None, 7, True])
def test_optional_members_have_one_type(name, wrong):
    assert refused(json.dumps({**signed(), name: wrong}).encode()) == ("shape", "shape-invalid")


@pytest.mark.uncounted
def test_reading_is_linear():
    def make(size):
        return json.dumps({**signed(), "claims": {"x": "\\u0041]" * size}}).encode()

    steps_grow_linearly(parse_evidence, make)
    time_grows_linearly(parse_evidence, make, largest=200, size=100)


def test_an_id_is_not_empty():
    assert refused(json.dumps({**signed(), "id": ""}).encode()) == ("shape", "shape-invalid")


def test_a_rejection_becomes_an_outcome_with_its_step():
    outcome = EvidenceRejected("card-unavailable", "card", "timeout").outcome()
    assert (outcome.code, outcome.step, outcome.temporary) == ("card-unavailable", "card", True)
    assert [problem.rule for problem in outcome.problems] == ["timeout"]


def test_a_rejection_may_have_no_detail():
    assert EvidenceRejected("replayed", "replay").outcome().problems == ()
