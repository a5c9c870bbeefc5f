from __future__ import annotations

import pytest

from mentionable import UsageError, WireError, identity
from tests.vectors._identity_rows import EVIDENCE, signed, signing_input
from tests.vectors._identity_signature import SEED, golden


def test_all_but_the_value_of_the_proof_is_signed():
    assert identity.signing_input(golden()) == signing_input(SEED)
    assert identity.signing_input(SEED) == signing_input(SEED)
    assert b'"kid":"2026-05","type":"signed-attestation"' in identity.signing_input(golden())


def test_the_whole_proof_may_be_left_out_by_the_word_of_an_operator():
    made = identity.signing_input(golden(), proof_removed=True)
    assert made == signing_input(SEED, removed=True)
    assert b"signed-attestation" not in made


def test_what_is_given_is_not_changed():
    made = signed()
    identity.signing_input(made)
    assert made == signed()


@pytest.mark.parametrize("members", [{}, EVIDENCE, {"proof": "x"}, {"proof": None}])
def test_evidence_without_a_proof_is_the_callers_fault(members):
    with pytest.raises(UsageError, match="a proof"):
        identity.signing_input(members)


@pytest.mark.parametrize("claims", [{"n": 2**53}, {"n": float("inf")}, {"x": "\ud800"}, {"x": {1}}, {7: 1}])
def test_what_has_no_canonical_form_is_not_signed(claims):
    with pytest.raises(WireError, match="not-canonical"):
        identity.signing_input({**signed(), "claims": claims})
