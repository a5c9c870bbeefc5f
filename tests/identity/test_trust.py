from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Rejected
from mentionable._model.trust import is_prefix
from mentionable.identity._trust import is_method, is_subject
from tests.identity.issuer import World, trusting, verified
from tests.vectors._identity_rows import ALICE, ENTRY, GONE, HOST, OTHER_HOST, card, entry, jwk, signed
from tests.vectors._identity_signature import FAULTS

BOB = "slack:T123/U1"


def step_of(evidence, *entries, **facts):
    found = verified(evidence, settings=trusting(*(entries or [ENTRY])), **facts)
    assert isinstance(found, Rejected)
    return found.step, found.code


@pytest.mark.parametrize(
    "text",
    ["slack:T1/U1", "a:b", "https://a.example/u/1", "urn:x:y", "@alice@social.example", "did:web:a.example", "a:.b/c."],
)
def test_a_subject_has_one_spelling(text):
    assert is_subject(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "alice", "slack:", ":x", "@alice", "@a@B.example", "@a@b@c.example", "slack:a b", "slack:a\n", "slack:é"),
        *("slack:a/../b", "slack:../b", "slack:a/..", "slack:a/.", "slack:a/./b", "slack:a//b", "slack:a%2Fb"),
        *("slack:a\\b", 'slack:"a"', "slack:a//b://c", "@a//b@c.example", "slack:///a//b", "Slack:a", "x:" + "a" * 511),
        *(None, 7, [], {}, b"slack:a"),
    ],
)
def test_what_has_two_spellings_is_no_subject(text):
    assert not is_subject(text)


@given(st.text(alphabet="slack:T/.%@a ", max_size=20))
def test_a_subject_in_scope_stays_in_its_namespace(text):
    if is_subject(text) and text.startswith("slack:T/"):
        assert not {"..", ".", ""} & {*text.removeprefix("slack:").split("/")[:-1]}
        assert is_prefix("slack:T/")


@pytest.mark.parametrize(
    ("text", "fits"), [("urn:x", True), ("", False), ("u" * 257, False), ("a b", False), (7, False)]
)
def test_a_method_is_visible_ascii(text, fits):
    assert is_method(text) is fits


def test_the_entry_that_fits_is_named():
    entries = (entry(methods=["urn:x"]), entry(issuer=OTHER_HOST), ENTRY)
    assert verified(signed(), settings=trusting(*entries)).entry == 2


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ((), "method-untrusted"),
        ((entry(issuer=OTHER_HOST),), "issuer-untrusted"),
        ((entry(methods=["urn:x"]), entry(subject_prefixes=["slack:T9/"])), "subject-out-of-scope"),
        ((entry(subject_prefixes=["slack:T9/"]), entry(methods=["urn:x"])), "subject-out-of-scope"),
        ((entry(assurance=["oauth"]),), "assurance-untrusted"),
    ],
)
def test_the_furthest_step_is_told(entries, code):
    evidence = signed() if entries else signed(method="urn:x")
    assert step_of(evidence, *entries) == ("trust", code)


DELEGATING = entry(delegation=["slack:T123/"], max_delegation=2)


@pytest.mark.parametrize(
    ("named", "trust", "code"),
    [
        ([BOB], ENTRY, "delegation-not-allowed"),
        ([BOB], entry(delegation=["slack:"]), "delegation-not-allowed"),
        ([BOB], entry(max_delegation=1), "delegation-not-allowed"),
        ([BOB] * 3, DELEGATING, "delegation-too-deep"),
        ([BOB] * 2, DELEGATING, "delegation-malformed"),
        ([ALICE], DELEGATING, "delegation-malformed"),
        ([[]], DELEGATING, "delegation-malformed"),
        ([{}], DELEGATING, "delegation-malformed"),
        (["slack:T9/U1"], DELEGATING, "principal-out-of-scope"),
    ],
)
def test_authority_is_carried_where_an_operator_allows_it(named, trust, code):
    assert step_of(signed(on_behalf_of=named), trust) == ("delegation", code)


def test_principals_stand_beside_who_acts():
    found = verified(signed(on_behalf_of=[BOB]), settings=trusting(DELEGATING))
    assert (found.subject, found.principals) == (ALICE, (BOB,))
    delegated = entry(assurance=["delegated"])
    assert step_of(signed(assurance="delegated"), delegated) == ("delegation", "delegation-malformed")


def test_canonicalization_may_be_absent_where_the_entry_that_fits_says_so():
    absent = signed(proof={"canonicalization": None})
    del absent["proof"]["canonicalization"]
    lax = entry(without_canonicalization=True)
    assert step_of(absent) == ("proof", "canonicalization-unsupported")
    assert step_of(absent, lax) == ("signature", "signature-invalid")
    assert step_of(absent, ENTRY, {**lax, "issuer": OTHER_HOST}) == ("proof", "canonicalization-unsupported")


@pytest.mark.parametrize("caller", [HOST, f"@bot@{HOST}", f"bot@{HOST}", f"acct:bot@{HOST}"])
def test_the_issuer_itself_may_bring_evidence(caller):
    assert verified(signed(), caller=caller).subject == ALICE


@pytest.mark.parametrize(
    "caller",
    [None, "", "@bot@other.example", f"@bot@a.{HOST}", f"@a@b@{HOST}", f"@bot@{HOST}.", f" {HOST}", "x" * 9_000],
)
def test_nobody_else_may(caller):
    assert step_of(signed(), caller=caller) == ("caller", "caller-not-issuer")


@pytest.mark.parametrize("first", range(len(FAULTS) - 2))
def test_of_two_faults_the_earlier_is_told(first):
    one, other = FAULTS[first], FAULTS[first + 2]
    members = {**other[2], **one[2], "proof": {**other[2].get("proof", {}), **one[2].get("proof", {})}}
    facts = {"caller": members.pop("caller")} if "caller" in members else {}
    document = members.pop("card", None)
    proof = members.pop("proof")
    made = signed(**members)
    made["proof"].update(proof)
    down = document is not None and "failed" in document
    world = World(card(issuer=OTHER_HOST) if down else document["json"] if document else card(jwk()))
    found = verified(made, world, **facts)
    assert found.code == ("card-issuer-mismatch" if one[0] == "card" else one[1])


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"audience": None}, "audience-missing"),
        ({"audience": []}, "audience-missing"),
        ({"audience": {}}, "audience-missing"),
        ({"audience": [7] * 17}, "audience-too-broad"),
        ({"audience": [[]]}, "audience-not-canonical"),
        ({"audience": "acct:helper@agents.example"}, "audience-not-canonical"),
        ({"audience": "@other@agents.example"}, "audience-mismatch"),
        ({"audience": ["@helper@agents.example", "@other@agents.example"]}, "audience-too-broad"),
    ],
)
def test_evidence_is_for_one_agent(members, code):
    assert step_of(signed(**members)) == ("audience", code)
    assert verified(signed(audience=["@helper@agents.example"])).audience == "@helper@agents.example"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"issued_at": "2026-11-21T20:55:00+00:00"}, "timestamp-malformed"),
        ({"expires_at": "tomorrow"}, "timestamp-malformed"),
        ({"not_before": ""}, "timestamp-malformed"),
        ({"expires_at": "2026-11-21T20:55:00Z"}, "lifetime-invalid"),
        ({"not_before": "2026-11-21T20:59:00Z"}, "lifetime-invalid"),
        ({"expires_at": "2026-11-21T21:00:00.001Z"}, "lifetime-too-long"),
        ({"not_before": "2026-11-21T20:53:59Z"}, "lifetime-too-long"),
        ({"issued_at": "2026-11-21T20:57:00.001Z"}, "issued-in-future"),
        ({"not_before": "2026-11-21T20:57:00.001Z"}, "not-yet-valid"),
        ({"issued_at": "2026-11-21T20:54:00Z", "expires_at": "2026-11-21T20:55:00Z"}, "expired"),
    ],
)
def test_evidence_holds_for_a_while(members, code):
    assert step_of(signed(**members)) == ("time", code)


def test_evidence_has_an_end():
    assert step_of(signed(expires_at=GONE)) == ("time", "expiry-missing")


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"issuer": "https://a.example"}, "issuer-malformed"),
        ({"subject": "alice"}, "subject-malformed"),
        ({"method": "a b"}, "method-malformed"),
    ],
)
def test_names_have_their_syntax(members, code):
    assert step_of(signed(**members)) == ("syntax", code)


@pytest.mark.parametrize(
    ("proof", "code"),
    [
        ({"type": "transport"}, "proof-not-verifiable"),
        ({"jwk": {}}, "proof-member-unknown"),
        ({"alg": "none"}, "algorithm-not-allowed"),
        ({"canonicalization": None}, "canonicalization-unsupported"),
        ({"kid": []}, "key-id-malformed"),
        ({"value": []}, "signature-malformed"),
        ({"value": "A" * 85 + "B"}, "signature-malformed"),
    ],
)
def test_a_proof_has_one_form(proof, code):
    assert step_of(signed(proof=proof)) == ("proof", code)
