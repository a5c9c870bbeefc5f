import pytest

from mentionable import UsageError, parse_time, policy, replace

HASH = "0" * 64
RECORD = {
    "key": HASH,
    "agent": "@helper@agents.example",
    "threads": ("t1",),
    "principal": "@alice@a.example",
    "principal_verified": True,
    "message_id": "m1",
    "issued_at": "2026-11-21T20:56:00Z",
    "expires_at": "2026-11-21T21:06:00Z",
}


def test_a_payment_has_offers_and_a_consent_a_scope():
    with pytest.raises(UsageError, match="a payment has offers"):
        policy.Issuance(kind="payment_required", **RECORD)
    with pytest.raises(UsageError, match="a consent has a scope_hash"):
        policy.Issuance(kind="consent_required", **RECORD)
    offers = (policy.Offer(scheme="x", payload_hash=HASH),)
    assert policy.Issuance(kind="payment_required", offers=offers, **RECORD).failures == 0
    assert policy.Issuance(kind="consent_required", scope_hash=HASH, **RECORD).keys == (HASH,)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"kind": "payment_required", "scheme": "x"}, "either a state or a task"),
        ({"kind": "payment_required", "scheme": "x", "state": "s", "task_id": "t"}, "either a state or a task"),
        ({"kind": "payment_required", "state": "s"}, "a payment has a scheme"),
        ({"kind": "consent_required", "state": "s"}, "a consent has a state and a scope_hash"),
        ({"kind": "consent_required", "task_id": "t", "scope_hash": HASH}, "a consent has a state and a scope_hash"),
    ],
)
def test_a_receipt_says_what_it_is_for(members, words):
    with pytest.raises(UsageError, match=words):
        policy.Candidate(**members)


def test_a_record_is_open_until_it_is_spent():
    record = policy.Issuance(kind="consent_required", scope_hash=HASH, **RECORD)
    assert record.is_open(parse_time("2026-11-21T21:05:59Z"))
    assert not record.is_open(parse_time("2026-11-21T21:06:00Z"))
    assert not replace(record, consumed=True).is_open(parse_time("2026-11-21T21:00:00Z"))
    assert not replace(record, failures=3).is_open(parse_time("2026-11-21T21:00:00Z"))


def test_nobody_takes_the_place_of_an_open_demand_to_a_stranger():
    now, late = parse_time("2026-11-21T21:00:00Z"), parse_time("2026-11-21T22:00:00Z")
    verified = policy.Issuance(kind="consent_required", scope_hash=HASH, **RECORD)
    stranger = replace(verified, principal_verified=False)
    assert stranger.replaces(None, now=now)
    assert not stranger.replaces(stranger, now=now)
    assert stranger.replaces(stranger, now=late)
    assert stranger.replaces(replace(stranger, consumed=True), now=now)
    assert verified.replaces(verified, now=now)
    assert verified.replaces(stranger, now=now)
    assert not stranger.replaces(verified, now=now)


def test_a_receipt_is_not_shown_in_logs():
    candidate = policy.Candidate(kind="payment_required", scheme="x", state="canary", receipt={"signature": "canary"})
    assert "canary" not in repr(candidate)
