import pytest

from mentionable import UsageError, policy

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
