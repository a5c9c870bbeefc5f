import pytest

from mentionable import UsageError, policy, replace
from tests.policy.demands import consent, issued, payment, x402_payload

PAID = policy.PaymentConfirmation(
    scheme="ln.bolt11", original_payload={"invoice": "lnbc10", "payment_hash": "ab"}, transaction="tx1"
)


def test_a_receipt_is_read_as_a_claim():
    made = issued()
    sent = policy.receipt(made.part, PAID)["mentionable"]["policy_resolution"]
    claim = policy.read_resolution(sent)
    assert (claim.state, claim.scheme, claim.receipt["transaction"]) == (made.part.state, "ln.bolt11", "tx1")


def test_a_receipt_for_a_consent():
    made = issued(consent())
    given = policy.ConsentConfirmation(scope_hash=made.record.scope_hash)
    claim = policy.read_resolution(policy.receipt(made.part, given)["mentionable"]["policy_resolution"])
    assert (claim.kind, claim.scope_hash) == ("consent_required", made.record.scope_hash)


@pytest.mark.parametrize(
    ("demand", "confirmation", "words"),
    [
        (policy.Forbidden(message="no"), PAID, "names a state"),
        (payment(), PAID, "names a state"),
        (payment(state="s" * 22), replace(PAID, scheme="x"), "does not make"),
        (payment(state="s" * 22), replace(PAID, original_payload={}), "does not make"),
        (payment(state="s" * 22), policy.ConsentConfirmation(scope_hash="h"), "PaymentConfirmation"),
        (consent(), PAID, "ConsentConfirmation"),
    ],
    ids=range(6),
)
def test_what_is_no_receipt(demand, confirmation, words):
    with pytest.raises(UsageError, match=words):
        policy.receipt(demand, confirmation)


def test_a_payment_by_x402_is_submitted():
    metadata = policy.x402_submission(x402_payload())
    assert policy.x402_payment(metadata).payload == x402_payload()
    with pytest.raises(UsageError, match="no payment of x402"):
        policy.x402_submission({**x402_payload(), "x402Version": True})
