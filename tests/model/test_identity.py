from __future__ import annotations

import ast
import copy
import pickle
import re

import attrs
import pytest

from mentionable import (
    DecodeError,
    IdentityEvidence,
    UsageError,
    VerifiedIdentity,
    decode,
    decode_trusted,
    dumps,
    encode,
    identity,
    replace,
)
from tests.packages import modules

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


# --- identities

STORED = {
    "issuer": "slack.agents.example",
    "subject": "slack:T1/U1",
    "method": "urn:x",
    "assurance": "platform",
    "audience": "@helper@agents.example",
    "issued_at": "2026-11-21T00:00:00Z",
    "principals": ["slack:T1/U2"],
    "entry": 0,
    "claims": {"profile": {"display_name": "Alice"}},
    "source": {},
}


def test_an_identity_comes_back_from_its_own_store():
    found = decode_trusted(VerifiedIdentity, STORED)
    assert encode(found) == STORED
    assert decode_trusted(VerifiedIdentity, dumps(found)) == found
    assert (found.principals, found.expires_at, found.id) == (("slack:T1/U2",), None, None)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_an_identity_can_be_copied_and_pickled(copied):
    found = decode_trusted(VerifiedIdentity, STORED)
    assert copied(found) == found


def test_nobody_else_makes_an_identity():
    found = decode_trusted(VerifiedIdentity, STORED)
    members = {name: getattr(found, name) for name in STORED}
    with pytest.raises(UsageError, match="only verification makes"):
        VerifiedIdentity(**members)
    with pytest.raises(UsageError, match="only verification makes"):
        replace(found, subject="slack:T1/U9")
    with pytest.raises(UsageError, match="comes from your own store alone"):
        decode(VerifiedIdentity, STORED)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        found.subject = "slack:T1/U9"


@pytest.mark.parametrize("name", ["issuer", "subject", "audience", "issued_at", "principals", "claims", "source"])
def test_a_stored_identity_is_whole(name):
    with pytest.raises(DecodeError):
        decode_trusted(VerifiedIdentity, {key: member for key, member in STORED.items() if key != name})


@pytest.mark.parametrize(
    "wrong", [{"entry": True}, {"subject": ""}, {"principals": "x"}, {"issued_at": "now"}, {"claims": []}]
)
def test_a_stored_identity_is_read_strictly(wrong):
    with pytest.raises(DecodeError):
        decode_trusted(VerifiedIdentity, {**STORED, **wrong})


def test_an_identity_of_a_later_version_is_read():
    assert decode_trusted(VerifiedIdentity, {**STORED, "later": 1}).extra == {"later": 1}


@pytest.mark.uncounted
def test_identities_are_made_in_two_places_and_restored_by_the_codec():
    text = {module.name: module.path.read_text() for module in modules()}
    made = [name for name, code in text.items() if re.search(r"unchecked\(\s*VerifiedIdentity\)", code)]
    assert sorted(made) == ["_crypto.verification", "identity._verify"]
    stored = [name for name, code in text.items() if "restored" in re.sub(r'"""(?s:.)*?"""', "", code)]
    assert sorted(stored) == ["_model.base", "_model.identity", "_model.structure"]
    called = [
        module.name
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "VerifiedIdentity"
    ]
    assert called == []
