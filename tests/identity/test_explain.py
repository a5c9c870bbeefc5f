"""Who would be let in by what, said by the functions that decide."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Rejected, Settings, UsageError, identity
from tests.identity.issuer import NOW, verified
from tests.vectors._identity_rows import AGENT, ALICE, BOT, ENTRY, GONE, HOST, METHOD, OTHER_HOST, entry, signed

MAIL = "urn:mentionable:auth:email-dkim:v0.1"
USER = {"role": "user", "subject_prefixes": ["slack:T123/"], "methods": [METHOD]}
ADMIN = {"role": "admin", "subjects": ["slack:T123/U1", "@alice@a.example"], "methods": [METHOD, MAIL]}
AT = f"/agents/{AGENT}"


def config(*entries, grants=(USER, ADMIN)):
    return identity.read_trust({"entries": list(entries), "agents": {AGENT: list(grants)}})


def explained(found, *, issuer=HOST, agent=AGENT, **members):
    statement = identity.Statement(**{"subject": ALICE, "method": METHOD, "assurance": "platform", **members})
    return found.explain(statement, agent=agent, issuer=issuer)


def test_a_person_with_a_role_is_explained_by_the_entry_and_the_grant():
    found = explained(config(entry(issuer=OTHER_HOST), ENTRY))
    assert (found.verified_by, found.grants, found.roles) == ("/entries/1", (f"{AT}/0",), ("user",))
    assert (found.agent, found.subject, found.step, found.code, found.advice) == (AGENT, ALICE, None, None, "")
    assert found.refusals == (identity.Refusal(at=f"{AT}/1", reason="subjects"),)


def test_roles_are_in_order():
    assert explained(config(ENTRY), subject="slack:T123/U1").roles == ("admin", "user")


def test_an_array_has_places_without_a_name_in_front():
    assert explained(identity.read_trust([ENTRY])).verified_by == "/0"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"issuer": OTHER_HOST}, "issuer-untrusted"),
        ({"method": "urn:x"}, "method-untrusted"),
        ({"assurance": "oauth"}, "assurance-untrusted"),
        ({"subject": "slack:T9/U1"}, "subject-out-of-scope"),
    ],
)
def test_a_refusal_names_the_step_the_code_and_what_to_change(members, code):
    found = explained(config(ENTRY), **members)
    assert (found.step, found.code, found.roles, found.verified_by, found.grants) == ("trust", code, (), None, ())
    assert found.advice
    assert found.refusals == (() if code == "issuer-untrusted" else (identity.Refusal(at="/entries/0", reason=code),))


def test_an_issuer_that_is_no_host_is_refused_with_the_text_of_its_code():
    found = explained(config(ENTRY), issuer="https://x/")
    assert (found.step, found.code) == ("syntax", "issuer-malformed")
    assert found.advice


def test_a_person_without_a_grant_has_no_role():
    assert explained(config(ENTRY, grants=[ADMIN])).advice.startswith("no grant fits")
    assert explained(config(ENTRY, grants=[])).advice.startswith("there are no grants")


def test_what_a_transport_verifies_itself_needs_no_entry():
    found = explained(config(), subject="@alice@a.example", method=MAIL, assurance="domain", issuer="a.example")
    assert (found.verified_by, found.roles) == ("transport", ("admin",))
    found = explained(config(), subject="@alice@a.example", method=MAIL, assurance="oauth", issuer="a.example")
    assert (found.code, found.roles) == ("issuer-untrusted", ())
    found = explained(config(), subject="@alice@a.example", method=MAIL, assurance="domain", issuer="mail.a.example")
    assert (found.verified_by, found.roles) == ("transport", ("admin",))
    for stranger in ("evil.example", "example", "A.EXAMPLE", ""):
        found = explained(config(), subject="@alice@a.example", method=MAIL, assurance="domain", issuer=stranger)
        assert (found.verified_by, found.roles, found.step is not None) == (None, (), True)
    found = explained(config(), subject="alice", method=MAIL, assurance="domain", issuer="a.example")
    assert (found.code, found.roles) == ("subject-malformed", ())


def test_an_entry_that_requires_an_id_wants_one():
    strict = config(entry(require_id=True))
    assert explained(strict, id="Ev1").roles == ("user",)
    assert (explained(strict).step, explained(strict).code) == ("replay", "replay-id-missing")


def test_delegation_that_an_entry_does_not_allow_is_refused():
    found = explained(config(ENTRY), on_behalf_of=("slack:T123/U1",))
    assert (found.step, found.code) == ("delegation", "delegation-not-allowed")


def evidence(**members):
    return signed(**members)


def of_evidence(document, *entries, caller=BOT, now=NOW):
    return config(*(entries or [ENTRY])).explain_evidence(document, agent=AGENT, caller=caller, now=now)


def test_received_evidence_is_explained_without_its_signature():
    assert of_evidence(evidence()).roles == ("user",)
    assert of_evidence(b'{"subject": 7}').code == "shape-invalid"
    assert of_evidence(evidence(), caller="other.example").code == "caller-not-issuer"
    assert of_evidence(evidence(), now=NOW + timedelta(hours=1)).code == "expired"
    assert of_evidence(evidence(audience="@other@agents.example")).code == "audience-mismatch"


def test_evidence_that_claims_the_method_of_a_transport_needs_an_entry():
    claimed = evidence(subject="@alice@a.example", method=MAIL, assurance="domain")
    assert (of_evidence(claimed).code, of_evidence(claimed).roles) == ("method-untrusted", ())


def test_an_issuer_may_have_a_lifetime_of_its_own():
    short, long = entry(max_lifetime=60), entry(max_lifetime=3_600)
    assert of_evidence(evidence(), short).code == "lifetime-too-long"
    hours = evidence(expires_at="2026-11-21T21:50:00.000Z")
    assert of_evidence(hours).code == "lifetime-too-long"
    assert of_evidence(hours, long).roles == ("user",)


@given(
    st.sampled_from([HOST, OTHER_HOST]),
    st.sampled_from([METHOD, "urn:x"]),
    st.sampled_from(["platform", "oauth"]),
    st.sampled_from([ALICE, "slack:T123/U1", "slack:T9/U1", "@alice@a.example"]),
    st.lists(
        st.sampled_from([ENTRY, entry(methods=["urn:x"]), entry(subject_prefixes=GONE, subject_domains=["a.example"])]),
        max_size=3,
    ),
)
def test_an_explanation_is_what_verification_decides(issuer, method, assurance, subject, entries):
    found = config(*entries)
    members = {"issuer": issuer, "method": method, "assurance": assurance, "subject": subject}
    decided = verified(signed(**members), caller=issuer, settings=Settings(trust=found.trust))
    said = explained(found, **members)
    if isinstance(decided, Rejected):
        if said.verified_by != "transport" and decided.step == "trust":
            assert (said.step, said.code, said.roles) == (decided.step, decided.code, ())
    else:
        assert said.verified_by == f"/entries/{decided.entry}"
        assert set(said.roles) == found.acl(AGENT).roles([decided])


@pytest.mark.parametrize("statement", [None, ALICE])
def test_a_statement_is_one(statement):
    with pytest.raises(UsageError, match="statement is"):
        identity.TrustConfig().explain(statement, agent=AGENT, issuer=HOST)


def test_other_arguments_raise_a_usage_error():
    statement = identity.Statement(subject=ALICE, method=METHOD, assurance="platform")
    with pytest.raises(UsageError, match="issuer is"):
        identity.TrustConfig().explain(statement, agent=AGENT, issuer=None)
    with pytest.raises(UsageError):
        identity.TrustConfig().explain_evidence({}, agent=AGENT, caller=7, now=NOW)
