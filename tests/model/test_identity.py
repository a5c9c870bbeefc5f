from __future__ import annotations

import pytest

from mentionable import IdentityEvidence, UsageError, encode, identity

PROOFS = [
    (identity.TransportProof(verified_by="mail"), {"type": "transport", "verified_by": "mail"}),
    (
        identity.AttestationProof(alg="EdDSA", kid="k", value="c2ln"),
        {"type": "signed-attestation", "alg": "EdDSA", "kid": "k", "value": "c2ln"},
    ),
    (identity.BearerProof(verified_by="rest"), {"type": "bearer-token", "verified_by": "rest"}),
    (identity.UnknownProof(type="passkey", extra={"x": 1}), {"type": "passkey", "x": 1}),
]


@pytest.mark.parametrize(("proof", "data"), PROOFS)
def test_what_may_stand_behind_an_evidence(proof, data):
    evidence = IdentityEvidence(
        subject="slack:T1/U1",
        issuer="@slack@connect.example",
        method="urn:x",
        assurance="platform",
        audience=("@helper@agents.example",),
        issued_at="2026-11-21T20:56:00Z",
        proof=proof,
    )
    assert encode(evidence)["proof"] == data
    assert encode(evidence)["audience"] == ["@helper@agents.example"]


@pytest.mark.parametrize("kind", sorted(identity.UnknownProof.known))
def test_a_known_proof_cannot_be_unknown(kind):
    with pytest.raises(UsageError, match=f"UnknownProof: {kind} has a class of its own"):
        identity.UnknownProof(type=kind)


def test_a_proof_says_what_it_is():
    with pytest.raises(UsageError, match=r"TransportProof\.type: expected 'transport'"):
        identity.TransportProof(type="bearer-token", verified_by="mail")
