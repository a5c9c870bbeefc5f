from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import DecodeError, UsageError, decode, encode
from mentionable._model.trust import behind_scheme, check_issuer, is_issuer, is_prefix
from mentionable.identity import TrustEntry, TrustPolicy
from tests.vectors._identity_rows import ENTRY, HOST, METHOD, OTHER_HOST, entry

PRINTED = """[{
  "issuer": "mentionable-slack.example",
  "methods": ["urn:mentionable:auth:slack-workspace-member:v0.1"],
  "assurance": ["platform"],
  "subject_prefixes": ["slack:"]
}]"""
PIN = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_a_policy_is_read_as_the_guide_prints_it():
    policy = decode(TrustPolicy, PRINTED)
    assert policy.trusts("mentionable-slack.example")
    assert not policy.trusts("slack.example")
    assert policy.entries[0].takes("slack:T123/U456")
    assert (policy.max_lifetime, policy.skew) == (300, 60)
    assert decode(TrustPolicy, encode(policy)) == policy


def test_an_entry_takes_what_it_names():
    one = decode(TrustPolicy, [entry(subjects=["teams:a"], subject_domains=["social.example"])]).entries[0]
    assert all(map(one.takes, ["slack:T123/U1", "teams:a", "@alice@social.example"]))
    refused = ["slack:T1234/U1", "teams:ab", "@alice@a.social.example", "social.example:x", "\0", ""]
    assert not any(map(one.takes, refused))


@given(st.text(max_size=8))
def test_an_entry_that_names_nothing_takes_nothing(subject):
    assert not TrustEntry(issuer=HOST, methods=(METHOD,), assurance=("platform",)).takes(subject)


@pytest.mark.parametrize("prefix", ["slack:", "slack:T1/", "urn:x:", "https://a.example/", "a+b.c-d:x/"])
def test_a_prefix_ends_where_a_name_ends(prefix):
    assert is_prefix(prefix)


@pytest.mark.parametrize(
    "prefix",
    [
        *("", "*", "slack", "slack:T1", "Slack:", ":", "/", "slack:a b/", "slack:a%2F/", 'slack:"/', "slack:é/"),
        *("slack:\\/", "https://a.example", "slack:a//", "slack:a//b://c/", "slack:a/../", "slack:\n", "@a@b.example"),
    ],
)
def test_no_other_prefix_can_be_trusted(prefix):
    assert not is_prefix(prefix)
    with pytest.raises(DecodeError):
        decode(TrustPolicy, [entry(subject_prefixes=[prefix])])


def test_two_slashes_may_stand_behind_the_scheme_alone():
    assert [behind_scheme(text) for text in ("a://b//c", "a:b", "a", "a:///b")] == ["b//c", "b", "", "/b"]


@pytest.mark.parametrize(
    "host", ["localhost", "a.localhost", "a.internal", "a.local", "10.0.0.1", "A.example", "a", "", "é.example"]
)
def test_an_issuer_is_a_public_host(host):
    assert not is_issuer(host)
    with pytest.raises(UsageError):
        TrustEntry(issuer=host, methods=(), assurance=())


@pytest.mark.parametrize("odd", [None, 7, [], {}, b"a.example", "a.example.", "a.example:1", "https://a.example"])
def test_an_issuer_is_text_and_nothing_else(odd):
    assert not is_issuer(odd)
    with pytest.raises(UsageError, match=r"bare and without https://: connector\.example"):
        check_issuer(odd)
    check_issuer("slack.agents.example")


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": 7},
        {"methods": "x"},
        {"methods": [7]},
        {"methods": [""]},
        {"assurance": {}},
        {"subject_prefixes": None},
        {"subject_prefixes": [[]]},
        {"subject_domains": ["*.example"]},
        {"delegation": ["slack:T1"]},
        {"max_delegation": -1},
        {"max_delegation": 9},
        {"max_delegation": True},
        {"forwarding": "yes"},
        {"thumbprints": ["x"]},
        {"subject_prefix": "slack:T1/"},
        {"extra": {}},
    ],
)
def test_an_entry_says_what_it_can_say_and_no_more(wrong):
    with pytest.raises(DecodeError):
        decode(TrustPolicy, [{**ENTRY, **wrong}])


@pytest.mark.parametrize(
    "wrong",
    [{"max_lifetime": 0}, {"max_lifetime": 3_601}, {"skew": -1}, {"skew": 301}, {"skew": True}, {"default": "allow"}],
)
def test_a_policy_has_bounds(wrong):
    with pytest.raises(DecodeError):
        decode(TrustPolicy, {"entries": [ENTRY], "max_lifetime": 300, "skew": 60, **wrong})
    with pytest.raises((UsageError, TypeError)):
        TrustPolicy(**wrong)


def test_one_key_is_pinned_to_one_issuer():
    pinned = entry(thumbprints=[PIN])
    assert len(decode(TrustPolicy, [pinned, pinned]).entries) == 2
    with pytest.raises(DecodeError, match="two issuers"):
        decode(TrustPolicy, [pinned, {**pinned, "issuer": OTHER_HOST}])


def problems(data):
    with pytest.raises(DecodeError) as refused:
        decode(TrustPolicy, data)
    return {(problem.at, problem.rule) for problem in refused.value.problems}


def test_a_misspelt_member_is_named_where_the_operator_wrote_it():
    misspelt = {("assurence" if name == "assurance" else name): member for name, member in ENTRY.items()}
    assert problems([ENTRY, misspelt]) == {("/1/assurance", "required"), ("/1/assurence", "unknown")}
    whole = {"entries": [misspelt], "max_lifetime": 300, "skew": 60, "more": 1}
    assert problems(whole) == {
        ("/entries/0/assurance", "required"),
        ("/entries/0/assurence", "unknown"),
        ("/more", "unknown"),
    }
    assert problems([{**ENTRY, "forwardin": True}]) == {("/0/forwardin", "unknown")}


def test_what_two_entries_break_together_is_told_of_the_whole():
    pinned = {**ENTRY, "thumbprints": ["A" * 43]}
    assert problems([pinned, {**pinned, "issuer": OTHER_HOST}]) == {("", "one key is pinned to two issuers")}


def test_unknown_members_are_refused_in_values_too():
    known = {"issuer": HOST, "methods": (METHOD,), "assurance": ("platform",)}
    with pytest.raises(UsageError, match="unknown: x, y"):
        TrustEntry(**known, extra={"y": 1, "x": 1})
    with pytest.raises(UsageError, match="unknown: x"):
        TrustPolicy(extra={"x": 1})
