"""Trust and roles as one document: read to the letter, with every fault at its place."""

from __future__ import annotations

import tomllib

import pytest

from mentionable import DecodeError, UsageError, WireError, identity
from tests.vectors._identity_rows import AGENT, ALICE, ENTRY, HOST, METHOD, OTHER_HOST, entry

GRANT = {"role": "user", "subject_prefixes": ["slack:T123/"], "methods": [METHOD]}
TOML = f"""
max_lifetime = 200

[defaults]
methods = ["{METHOD}"]
assurance = ["platform"]

[[entries]]
issuer = "{HOST}"
subject_prefixes = ["slack:T123/"]

[[entries]]
issuer = "{OTHER_HOST}"
methods = ["urn:x"]
subjects = ["teams:1"]
max_lifetime = 60

[[agents."{AGENT}"]]
role = "user"
subject_prefixes = ["slack:T123/"]
methods = ["{METHOD}"]
"""


def faults(document):
    with pytest.raises(DecodeError) as error:
        identity.read_trust(document)
    return {problem.at: problem.rule for problem in error.value.problems}


def faults_of_grant(**members):
    grant = {name: member for name, member in {**GRANT, **members}.items() if member is not ...}
    return {at.removeprefix(f"/agents/{AGENT}/0") for at in faults({"agents": {AGENT: [grant]}})}


def test_toml_is_read_with_its_defaults():
    config = identity.read_trust(tomllib.loads(TOML))
    first, second = config.trust.entries
    assert (first.methods, first.assurance, first.max_lifetime) == ((METHOD,), ("platform",), None)
    assert (second.methods, second.assurance, second.max_lifetime) == (("urn:x",), ("platform",), 60)
    assert (config.trust.max_lifetime, config.trust.skew) == (200, 60)
    assert config.acl(AGENT).grants == (
        identity.Grant(role="user", subject_prefixes=("slack:T123/",), methods=(METHOD,)),
    )


def test_the_array_of_the_guide_is_read_as_it_is_printed():
    config = identity.read_trust([ENTRY])
    assert config.trust.trusts(HOST)
    assert config.acls == ()
    assert identity.read_trust((ENTRY,)) == config


def test_an_empty_document_trusts_no_issuer():
    assert identity.read_trust({}).trust == identity.TrustPolicy()
    assert identity.read_trust([]).trust.entries == ()


def test_an_agent_without_grants_allows_no_role():
    assert identity.read_trust({}).acl(AGENT) == identity.AgentACL(agent=AGENT, grants=())


def test_roles_of_one_agent_are_not_those_of_another():
    config = identity.read_trust({"agents": {"@other@agents.example": [GRANT]}})
    assert config.acl(AGENT).grants == ()


def test_an_agent_is_asked_for_by_its_address():
    with pytest.raises(UsageError):
        identity.TrustConfig().acl("helper")


def test_an_empty_list_of_pins_is_refused():
    entry = {"issuer": "slack.agents.example", "methods": ["urn:x"], "assurance": ["platform"], "thumbprints": []}
    for document, at in (({"entries": [entry]}, "/entries/0/thumbprints"), ([entry], "/0/thumbprints")):
        with pytest.raises(DecodeError) as caught:
            identity.read_trust(document)
        assert [problem.at for problem in caught.value.problems] == [at]


def test_two_lists_for_one_agent_cannot_be_made():
    acl = identity.AgentACL(agent=AGENT, grants=())
    with pytest.raises(UsageError, match="one agent twice"):
        identity.TrustConfig(acls=(acl, acl))


@pytest.mark.parametrize("methods", [..., []])
def test_a_grant_names_its_methods(methods):
    assert faults_of_grant(methods=methods) == {"/methods"}


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"role": ...}, "/role"),
        ({"role": ""}, "/role"),
        ({"role": None}, "/role"),
        ({"role": " admin"}, "/role"),
        ({"role": "admin\n"}, "/role"),
        ({"role": "admin user"}, "/role"),
        ({"role": "admin\xa0user"}, "/role"),
        ({"role": "user\u200b"}, "/role"),
        ({"role": "user\u200d"}, "/role"),
        ({"role": "user\ufe0f"}, "/role"),
        ({"role": "\u3164user"}, "/role"),
        ({"role": "user\ue000"}, "/role"),
        ({"issuers": []}, "/issuers"),
        ({"assurance": []}, "/assurance"),
        ({"methods": None}, "/methods"),
        ({"methods": METHOD}, "/methods"),
        ({"subject": [ALICE]}, "/subject"),
        ({"subject_prefixes": ["slack:T1"]}, "/subject_prefixes"),
        ({"subject_prefixes": ...}, ""),
        ({"subjects": ["alice"]}, ""),
    ],
)
def test_a_fault_of_a_grant_has_its_place(members, place):
    assert faults_of_grant(**members) == {place}


@pytest.mark.parametrize(
    ("document", "places"),
    [
        ({"entry": []}, {"/entry"}),
        ({"entries": {}}, {"/entries"}),
        ({"entries": [{**ENTRY, "subject_prefix": "slack:T1/"}]}, {"/entries/0/subject_prefix"}),
        ([{**ENTRY, "forward": True}], {"/0/forward"}),
        ([HOST], {"/0"}),
        ({"entries": [ENTRY, entry(max_lifetime=3_601)]}, {"/entries/1/max_lifetime"}),
        ({"entries": [entry(max_lifetime=0)]}, {"/entries/0/max_lifetime"}),
        ({"entries": [entry(max_delegation=9)]}, {"/entries/0/max_delegation"}),
        ({"defaults": []}, {"/defaults"}),
        ({"defaults": {"forwarding": True}}, {"/defaults/forwarding"}),
        ({"defaults": {"methods": [7]}}, {"/defaults/methods/0"}),
        ({"defaults": None}, {"/defaults"}),
        ({"agents": []}, {"/agents"}),
        ({"agents": {"helper": [GRANT]}}, {"/agents/helper"}),
        ({"agents": {AGENT: GRANT}}, {f"/agents/{AGENT}"}),
        ({"agents": {AGENT: [7]}}, {f"/agents/{AGENT}/0"}),
        ({"max_lifetime": "300"}, {"/max_lifetime"}),
        (7, {""}),
        ("[]", {""}),
    ],
)
def test_a_fault_of_a_document_has_its_place(document, places):
    assert set(faults(document)) == places


def test_every_fault_is_named_at_once():
    assert set(faults({"entry": [], "agents": {"helper": [], AGENT: [7]}})) == {
        "/entry",
        "/agents/helper",
        f"/agents/{AGENT}/0",
    }


def test_what_is_no_json_is_refused():
    with pytest.raises(WireError):
        identity.read_trust(tomllib.loads("max_lifetime = 2026-11-21"))


def test_a_default_is_not_for_an_entry_with_an_empty_list():
    config = identity.read_trust({"defaults": {"methods": [METHOD]}, "entries": [entry(methods=[])]})
    assert config.trust.entries[0].methods == ()


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"entries": [ENTRY] * 1_001}, "/entries"),
        ({"entries": [entry(subjects=[ALICE] * 20_000)]}, "/entries"),
        ({"agents": {AGENT: [GRANT] * 1_001}}, "/agents"),
    ],
)
def test_a_document_has_only_so_many_entries_grants_and_names(document, place):
    assert set(faults(document)) == {place}
