from __future__ import annotations

import pytest

from mentionable import PolicyResolution, UsageError, decode, encode, policy
from mentionable._model.policy import KINDS

PAYMENT = policy.AcceptedPayment(scheme="x402.exact", payload={"amount": "1"})
POLICIES = [
    policy.Unauthorized(message="Who?", auth_challenges=(policy.AuthChallenge(scheme="Bearer", params={"a": "b"}),)),
    policy.PaymentRequired(message="Pay.", accepted_payments=(PAYMENT,), state="s"),
    policy.ConsentRequired(message="Agree?", state="s", return_to="https://a.example/"),
    policy.Forbidden(message="No."),
    policy.TooManyRequests(message="Slow.", retry_after_seconds=30),
    policy.UnavailableForLegalReasons(message="Law."),
    policy.ServiceUnavailable(message="Later.", retry_after_seconds=0),
]
NEIN = policy.PolicyTranslation(message="Nein.")


@pytest.mark.parametrize("value", POLICIES, ids=lambda value: value.kind)
def test_the_seven_kinds(value):
    assert KINDS[value.kind] is type(value)
    assert encode(value)["kind"] == value.kind
    assert decode(policy.PolicyPart, encode(value)) == value


def test_there_are_seven():
    assert set(KINDS) == {value.kind for value in POLICIES}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_known_policy_cannot_be_unknown(kind):
    with pytest.raises(UsageError, match=f"UnknownPolicy: {kind} has a class of its own"):
        policy.UnknownPolicy(kind=kind, message="m")


def test_an_unknown_policy_is_kept_whole():
    value = policy.UnknownPolicy(kind="wait", message="m", extra={"x": 1})
    assert encode(value) == {"kind": "wait", "message": "m", "x": 1} == encode(decode(policy.PolicyPart, encode(value)))


def test_a_policy_says_something():
    with pytest.raises(UsageError, match=r"Forbidden\.message: expected a non-empty string"):
        policy.Forbidden(message="")


def test_a_payment_offers_a_way_to_pay():
    with pytest.raises(UsageError, match="PaymentRequired: accepted_payments must not be empty"):
        policy.PaymentRequired(message="Pay.", accepted_payments=())


def test_words_in_other_languages_are_translations():
    value = policy.Forbidden(message="No.", message_translations={"de": policy.PolicyTranslation(message="Nein.")})
    assert value.message_translations["de"].message == "Nein."
    with pytest.raises(UsageError, match=r"message_translations: expected PolicyTranslation, not str"):
        policy.Forbidden(message="No.", message_translations={"de": "Nein."})


PAID = policy.PaymentConfirmation(scheme="x402.exact", original_payload={})
AGREED = policy.ConsentConfirmation(scope_hash="h")


def test_a_resolution_confirms_what_was_demanded():
    common = {"in_reply_to_state": "s", "verified_by": "me"}
    PolicyResolution(kind="payment_required", confirmation=PAID, **common)
    PolicyResolution(kind="consent_required", confirmation=AGREED, **common)
    with pytest.raises(UsageError, match="PolicyResolution: payment_required needs a PaymentConfirmation"):
        PolicyResolution(kind="payment_required", confirmation=AGREED, **common)
    with pytest.raises(UsageError, match="PolicyResolution: consent_required needs a ConsentConfirmation"):
        PolicyResolution(kind="consent_required", confirmation=PAID, **common)
    with pytest.raises(UsageError, match=r"PolicyResolution\.kind: expected 'payment_required' or 'consent_required'"):
        PolicyResolution(kind="forbidden", confirmation=PAID, **common)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: policy.AuthChallenge(scheme="a b"), "token"),
        (lambda: policy.AuthChallenge(scheme="Bearer", params={"a b": "x"}), "by tokens of HTTP"),
        (lambda: policy.AuthChallenge(scheme="Bearer", params={"a": "x", "A": "y"}), "differ in case alone"),
        (lambda: policy.AuthChallenge(scheme="Bearer", params={"a": "x\r\nEvil: y"}), "control characters"),
        (lambda: policy.AuthChallenge(scheme="Bearer", extra={"n": 2**53}), "canonical form"),
        (lambda: policy.AcceptedPayment(scheme="x", payload={"n": 2**53}), "canonical form"),
        (lambda: policy.Forbidden(message=" \n"), "blank"),
        (lambda: policy.PolicyTranslation(message="\t"), "blank"),
        (lambda: policy.Forbidden(message="m", url="http://a.example/"), "an https URL"),
        (lambda: policy.Forbidden(message="m", data={"order": 1}), "reversed domain"),
        (lambda: policy.Forbidden(message="m", data={"com.": 1}), "reversed domain"),
        (lambda: policy.Forbidden(message="m", extra={"n": 2**53}), "canonical form"),
        (lambda: policy.Forbidden(message="m", message_translations={"de_AT": NEIN}), "language tags"),
        (lambda: policy.Forbidden(message="m", message_translations={"de": NEIN, "DE": NEIN}), "differ in case alone"),
        (lambda: policy.ConsentRequired(message="m", state="s", return_to="http://a.example/"), "an https URL"),
    ],
    ids=range(15),
)
def test_what_no_policy_may_have(make, words):
    with pytest.raises(UsageError, match=words):
        make()


def test_what_a_policy_may_have():
    challenge = policy.AuthChallenge(scheme="Bearer", params={"realm": "a b\tc", "error": "é"})
    assert policy.Unauthorized(message="m", auth_challenges=(challenge,)).auth_challenges == (challenge,)
    data = {"com.example.order": 1, "com.example/x": 2, "org.x402:y z": 3}
    assert policy.Forbidden(message="m", data=data, message_translations={"zh-Hant-TW": NEIN}).data == data
