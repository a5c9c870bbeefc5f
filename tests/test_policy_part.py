"""Which policies the person asked alone may read."""

from __future__ import annotations

import pytest

from mentionable import CarriedPolicy, NormalizedResponse, UnanswerableError, policy
from mentionable._transport.policy_part import has_private_policy, is_private_demand, no_private_way, read_policy

OFFER = policy.AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"})
URL = "https://agents.example/act"
DONE = "https://agents.example/done"


@pytest.mark.parametrize(
    ("part", "is_private"),
    [
        (policy.ConsentRequired(message="a", state="s", return_to=DONE), True),
        (policy.PaymentRequired(message="a", accepted_payments=(OFFER,), state="s"), True),
        (policy.PaymentRequired(message="a", accepted_payments=(OFFER,), url=URL), True),
        (policy.PaymentRequired(message="a", accepted_payments=(OFFER,)), False),
        (policy.Unauthorized(message="a", auth_challenges=(), url=URL), True),
        (policy.Forbidden(message="a", url=URL), False),
        (policy.TooManyRequests(message="a"), False),
        (policy.ServiceUnavailable(message="a"), False),
        (policy.UnavailableForLegalReasons(message="a"), False),
        (policy.UnknownPolicy(kind="age_required", message="a"), False),
        (policy.UnknownPolicy(kind="age_required", message="a", url=URL), True),
        (policy.UnknownPolicy(kind="age_required", message="a", extra={"state": "s"}), True),
    ],
)
def test_a_policy_with_a_state_a_link_to_pay_or_sign_in_or_a_question_of_consent_is_private(part, is_private):
    assert is_private_demand(part) is is_private
    response = NormalizedResponse(reply_to="m1", parts=(CarriedPolicy(policy=part),))
    assert has_private_policy(response) is is_private
    assert not has_private_policy(NormalizedResponse(reply_to="m1", parts=()))


def test_where_no_private_way_leads_to_the_person_the_error_says_so():
    error = no_private_way("others read it")
    assert isinstance(error, UnanswerableError)
    assert (error.reason, str(error)) == (
        "no-private-way",
        "to is not answerable: no-private-way (others read it); answer without the policy",
    )


def test_a_link_of_a_challenge_is_named_by_its_place_in_the_json():
    challenges = [{"scheme": 1}, {"scheme": "Bearer", "params": {"resource_metadata": "https://evil.example/x"}}]
    sent = {"kind": "unauthorized", "message": "a", "url": "https://evil.example/y", "auth_challenges": challenges}
    read = read_policy(sent, authority="agents.example")
    refused = {one.at for one in read.diagnostics if one.code == "url-refused"}
    assert refused == {"/url", "/auth_challenges/1/params/resource_metadata"}
