from contextlib import suppress

import pytest
from hypothesis import given

from mentionable import WireError, encode, policy
from mentionable.testing import strategies

HOST = "agents.example"


@given(strategies.policies())
def test_every_policy_comes_back(value):
    assert policy.read_policy(encode(value), authority=HOST) == policy.ParsedPolicy(policy=value)


@given(strategies.json_values())
def test_no_json_makes_it_raise(value):
    found = policy.read_policy(value, authority=HOST)
    assert (found.policy is None) == any(note.code == "policy-malformed" for note in found.diagnostics)


@pytest.mark.parametrize(
    ("value", "at"),
    [
        (None, ""),
        ("forbidden", ""),
        ([{"kind": "forbidden", "message": "no"}], ""),
        ({}, "/kind"),
        ({"kind": 7, "message": "no"}, "/kind"),
        ({"kind": "forbidden"}, "/message"),
        ({"kind": "forbidden", "message": ""}, "/message"),
        ({"kind": "wait", "message": 7}, "/message"),
        ({"kind": "payment_required", "message": "pay", "accepted_payments": []}, ""),
        (
            {"kind": "payment_required", "message": "pay", "accepted_payments": [{"scheme": "x"}]},
            "/accepted_payments/0/payload",
        ),
        ({"kind": "consent_required", "message": "may I", "return_to": "https://a.example/"}, "/state"),
        (
            {"kind": "consent_required", "message": "may I", "state": "s", "return_to": "http://a.example/"},
            "/return_to",
        ),
    ],
    ids=str,
)
def test_a_policy_that_is_malformed_counts_for_nothing(value, at):
    found = policy.read_policy(value, authority=HOST)
    assert (found.policy, [(note.code, note.at) for note in found.diagnostics]) == (None, [("policy-malformed", at)])


@pytest.mark.parametrize(
    ("members", "at"),
    [
        ({"url": "http://agents.example/"}, "/url"),
        ({"data": {"order": 1}}, "/data/order"),
        ({"message_translations": {"de_AT": {"message": "nein"}}}, "/message_translations/de_AT"),
        ({"x": 2**53}, "/x"),
        ({"kind": "unauthorized", "auth_challenges": [{"scheme": "a b"}]}, "/auth_challenges/0"),
        ({"kind": "too_many_requests", "retry_after_seconds": 1.5}, "/retry_after_seconds"),
        ({"kind": "too_many_requests", "retry_after_seconds": -1}, "/retry_after_seconds"),
        ({"kind": "too_many_requests", "retry_after_seconds": True}, "/retry_after_seconds"),
    ],
    ids=str,
)
def test_a_member_that_does_not_fit_costs_itself(members, at):
    found = policy.read_policy({"kind": "forbidden", "message": "no", **members}, authority=HOST)
    assert found.policy is not None
    assert [(note.code, note.at) for note in found.diagnostics] == [("member-dropped", at)]


def test_a_kind_that_nobody_knows_keeps_every_member():
    value = {"kind": "captcha_required", "message": "Are you one?", "puzzle": {"n": [1]}}
    assert policy.read_policy(value, authority=HOST).policy == policy.UnknownPolicy(
        kind="captcha_required", message="Are you one?", extra={"puzzle": {"n": [1]}}
    )


def test_whole_seconds_may_come_as_floats():
    found = policy.read_policy(
        {"kind": "service_unavailable", "message": "later", "retry_after_seconds": 30.0}, authority=HOST
    )
    assert found.policy.retry_after_seconds == 30
    assert type(found.policy.retry_after_seconds) is int


@pytest.mark.parametrize("authority", ["other.example", "", None, "AGENTS.example"])
def test_a_link_to_another_host_is_left_out(authority):
    value = {"kind": "forbidden", "message": "no", "url": "https://agents.example/x", "action_label": "Go"}
    found = policy.read_policy(value, authority=authority)
    assert found.policy == policy.Forbidden(message="no")
    assert [(note.code, note.at) for note in found.diagnostics] == [("url-refused", "/url")]


def test_a_challenge_that_leads_elsewhere_is_left_out_alone():
    theirs = {"scheme": "Bearer", "params": {"resource_metadata": "https://evil.example/x"}}
    value = {"kind": "unauthorized", "message": "who", "auth_challenges": [theirs], "url": "https://agents.example/"}
    assert policy.read_policy(value, authority=HOST).policy == policy.Unauthorized(
        message="who", auth_challenges=(), url="https://agents.example/"
    )


def test_challenges_and_links_that_lead_elsewhere_are_left_out():
    mine = {"scheme": "Bearer", "params": {"resource_metadata": "https://agents.example/.well-known/x"}}
    theirs = {"scheme": "Bearer", "params": {"resource_metadata": "https://evil.example/x"}}
    value = {
        "kind": "unauthorized",
        "message": "who",
        "auth_challenges": [theirs, mine],
        "url": "https://evil.example/",
    }
    found = policy.read_policy(value, authority=HOST)
    assert encode(found.policy) == {"kind": "unauthorized", "message": "who", "auth_challenges": [mine]}


def resolution(**changes):
    return {
        "in_reply_to_state": "s",
        "kind": "payment_required",
        "confirmation": {"scheme": "x", "original_payload": {"n": 1}, "payer": "alice", "transaction": "tx"},
        "verified_by": "me",
        **changes,
    }


def test_a_receipt_is_a_claim():
    value = resolution()
    assert policy.read_resolution(value) == policy.Candidate(
        kind="payment_required",
        state="s",
        scheme="x",
        original_payload={"n": 1},
        payer="alice",
        receipt=value["confirmation"],
    )
    given_consent = {"scope_hash": "h", "expires_at": "2027-01-01T00:00:00Z"}
    value = resolution(kind="consent_required", confirmation=given_consent)
    assert policy.read_resolution(value) == policy.Candidate(
        kind="consent_required", state="s", scope_hash="h", receipt=given_consent
    )


def test_who_verified_it_by_their_own_word_is_not_looked_at():
    assert policy.read_resolution(resolution(verified_by=7)) == policy.read_resolution(resolution())


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ([], ""),
        (resolution(in_reply_to_state=7), "/in_reply_to_state"),
        (resolution(in_reply_to_state="\ud800"), "/in_reply_to_state"),
        (resolution(kind="forbidden"), "/kind"),
        (resolution(kind=["payment_required"]), "/kind"),
        (resolution(confirmation=None), "/confirmation"),
        (resolution(confirmation=[]), "/confirmation"),
        (resolution(confirmation={}), "/confirmation/scheme"),
        (resolution(confirmation={"scheme": "x", "original_payload": {"n": 2**53}}), "/confirmation"),
        (resolution(kind="consent_required"), "/confirmation/scope_hash"),
    ],
    ids=str,
)
def test_a_receipt_that_is_malformed(value, at):
    with pytest.raises(WireError) as raised:
        policy.read_resolution(value)
    assert (raised.value.code, raised.value.problems[0].at) == ("receipt-malformed", at)


@given(strategies.json_values())
def test_no_receipt_makes_it_raise_anything_else(value):
    for claimed in (value, resolution(confirmation=value)):
        with suppress(WireError):
            assert policy.read_resolution(claimed).state == "s"
