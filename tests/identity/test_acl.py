from __future__ import annotations

import pytest

from mentionable import UsageError, VerifiedIdentity, decode_trusted, encode, identity
from mentionable._crypto.verification import transport_evidence, verified_identities
from tests.identity.issuer import NOW, SHOWN
from tests.vectors._identity_rows import AGENT, ALICE, HOST, METHOD, OTHER_HOST

USER = identity.Grant(role="user", subject_prefixes=("slack:T123/",), methods=(METHOD,))
ADMIN = identity.Grant(role="admin", subjects=(ALICE,), methods=(METHOD,))
ACL = identity.AgentACL(agent=AGENT, grants=(USER, ADMIN))


def shown(**changes):
    return decode_trusted(VerifiedIdentity, {**encode(SHOWN), **changes})


def test_everybody_of_a_workspace_has_its_role_and_one_of_them_more():
    assert ACL.roles([SHOWN]) == {"user", "admin"}
    assert ACL.roles([shown(subject="slack:T123/U1")]) == {"user"}
    assert ACL.allows([SHOWN], role="admin")
    assert not ACL.allows([shown(subject="slack:T9/U1")], role="user")


def test_access_is_denied_by_default():
    assert ACL.roles([]) == identity.AgentACL(agent=AGENT, grants=()).roles([SHOWN]) == frozenset()


def test_identities_may_come_one_by_one():
    assert ACL.roles(one for one in [SHOWN]) == {"user", "admin"}


def test_a_principal_has_no_role():
    assert ACL.roles([shown(subject="slack:T9/B1", principals=[ALICE])]) == frozenset()


@pytest.mark.parametrize(
    ("narrowed", "other"),
    [
        ({"issuers": (HOST,)}, {"issuer": OTHER_HOST}),
        ({"methods": (METHOD,)}, {"method": "urn:x"}),
        ({"assurance": ("platform",)}, {"assurance": "oauth"}),
    ],
)
def test_a_grant_may_be_narrowed(narrowed, other):
    grant = {"role": "user", "subjects": (ALICE,), "methods": (METHOD, "urn:x"), **narrowed}
    acl = identity.AgentACL(agent=AGENT, grants=(identity.Grant(**grant),))
    assert acl.allows([SHOWN], role="user")
    assert not acl.allows([shown(**other)], role="user")


def test_evidence_for_another_agent_grants_nothing():
    assert not identity.AgentACL(agent="@other@agents.example", grants=(USER,)).roles([SHOWN])


def of_a_transport(audience):
    alice = "@alice@a.example"
    evidence = transport_evidence("email-dkim", alice, issuer="a.example", audience=audience, key_id="k", now=NOW)
    return verified_identities([evidence])[0]


SIGNED = "urn:mentionable:auth:email-dkim:v0.1"
BY_MAIL = identity.AgentACL(
    agent=AGENT, grants=(identity.Grant(role="user", subjects=("@alice@a.example",), methods=(SIGNED,)),)
)


@pytest.mark.parametrize("audience", ["agents.example", "https://agents.example/a2a", "agents", AGENT])
def test_whom_a_transport_verified_was_sent_to_this_agent(audience):
    assert BY_MAIL.allows([of_a_transport(audience)], role="user")


def test_whom_a_transport_verified_for_another_agent_has_no_role_here():
    assert not BY_MAIL.allows([of_a_transport("@other@agents.example")], role="user")


def test_whom_a_connector_verified_for_another_agent_has_no_role_here():
    own = encode(SHOWN)
    del own["entry"]
    assert ACL.roles([decode_trusted(VerifiedIdentity, own)]) == {"user", "admin"}
    assert not ACL.roles([decode_trusted(VerifiedIdentity, {**own, "audience": "@other@agents.example"})])


def test_evidence_without_a_canonical_audience_grants_nothing():
    assert not ACL.roles([shown(audience="agents.example")])


@pytest.mark.parametrize("wrong", [encode(SHOWN), "slack:T123/U456", None])
def test_nothing_but_a_verified_identities_authorizes(wrong):
    with pytest.raises(UsageError, match=r"authorize on Received\.identities"):
        ACL.roles([wrong])


@pytest.mark.parametrize(
    "members",
    [
        {"role": "user"},
        {"role": "", "subjects": (ALICE,)},
        {"role": "user", "subjects": ("alice",)},
        {"role": "user", "subject_prefixes": ("slack:T1",)},
        {"role": "user", "subject_prefixes": ("",)},
    ],
)
def test_a_grant_that_takes_anybody_cannot_be_made(members):
    with pytest.raises(UsageError):
        identity.Grant(**members, methods=(METHOD,))


def test_a_grant_names_a_method_so_that_no_weaker_one_is_enough():
    with pytest.raises(UsageError, match="name the methods"):
        identity.Grant(role="user", subjects=(ALICE,), methods=())
