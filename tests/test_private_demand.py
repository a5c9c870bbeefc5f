"""Which policies reach the person asked alone."""

from __future__ import annotations

import pytest

from mentionable import replace
from mentionable._transport.policy_part import is_private_demand
from mentionable.policy import (
    AcceptedPayment,
    ConsentRequired,
    Forbidden,
    PaymentRequired,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnknownPolicy,
)

STATE = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
URL = "https://agents.example/x"
PAY = PaymentRequired(message="Pay.", accepted_payments=(AcceptedPayment(scheme="x402.exact", payload={}),))


@pytest.mark.parametrize(
    "policy",
    [
        ConsentRequired(message="Agree?", state=STATE, return_to=URL),
        replace(PAY, state=STATE),
        replace(PAY, url=URL),
        Unauthorized(message="Who?", auth_challenges=(), url=URL),
        Unauthorized(message="Who?", auth_challenges=(), extra={"state": STATE}),
        Forbidden(message="No.", extra={"state": STATE}),
        UnknownPolicy(kind="example:age", message="Age?", extra={"state": STATE}),
        UnknownPolicy(kind="example:age", message="Age?", url=URL),
    ],
)
def test_a_state_a_link_to_pay_or_to_sign_in_and_a_question_of_consent_are_private(policy):
    assert is_private_demand(policy)


@pytest.mark.parametrize(
    "policy",
    [
        PAY,
        Forbidden(message="No.", url=URL),
        Unauthorized(message="Who?", auth_challenges=()),
        TooManyRequests(message="Slow."),
        ServiceUnavailable(message="Later."),
        UnknownPolicy(kind="example:age", message="Age?"),
    ],
)
def test_what_nobody_else_could_use_is_not_private(policy):
    assert not is_private_demand(policy)
