"""Where the URLs of a whole policy lead."""

from __future__ import annotations

import pytest

from mentionable import policy
from mentionable._errors.exceptions import Problem
from mentionable._transport.url_binding import unbound_urls

HOST = "agent.example.com"


def challenged(**params):
    return policy.Unauthorized(message="Who?", auth_challenges=(policy.AuthChallenge(scheme="Bearer", params=params),))


def places(value, authority=HOST, **more):
    return [problem.at for problem in unbound_urls(value, authority, **more)]


def test_the_url_of_a_policy_is_looked_at():
    assert places(policy.Forbidden(message="No.", url="https://agent.example.com/a")) == []
    assert places(policy.Forbidden(message="No.")) == []
    assert unbound_urls(policy.Forbidden(message="No.", url="https://evil.com/"), HOST) == (
        Problem("/url", "its host is not that of the agent"),
    )
    assert places(policy.Forbidden(message="No.", url="https://pay.example/"), also=["pay.example"]) == []


def test_an_authority_from_outside_may_be_anything():
    assert places(policy.Forbidden(message="No.", url="https://agent.example.com/"), "") == ["/url"]
    assert places(policy.Forbidden(message="No.", url="https://localhost/"), "localhost") == ["/url"]


@pytest.mark.parametrize(
    "value",
    [
        "https://evil.com/",
        "HTTPS://evil.com",
        "http://agent.example.com/",
        "https:evil.com",
        "https:/evil.com",
        r"https:\\evil.com",
        "ftp://evil.com/",
        "javascript://evil.com/",
        " https://evil.com/",
        "ht\ttps://evil.com/",
        "\thttps://agent.example.com/",
        "https://evil.com https://agent.example.com/",
        "//evil.example/x",
        "/\\evil.example",
        r"\\evil.example\x",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "blob:https://evil.com/1",
        "view-source:https://evil.com",
        "feed:https://evil.com",
        "<https://evil.com>",
        "///evil.example",
        "//evil%2eexample/x",
        "//evil\u3002example",
        "//[::1]/",
        "ftp:evil.example",
        "wss:evil.example",
        "view-source:https:evil.example",
        "x:https:evil.example",
        "intent:#Intent",
        "\u00a0https://evil.com",
        "\ufeffhttps://evil.com",
    ],
)
def test_a_parameter_that_looks_like_a_url_is_looked_at(value):
    assert places(challenged(realm="a", resource_metadata=value)) == ["/auth_challenges/0/params/resource_metadata"]


@pytest.mark.parametrize(
    "value", ["", "a", "//abc=", "a:b", "urn:x:y", "see https://evil.com/", "https://agent.example.com/m", "1://a"]
)
def test_other_parameters_are_left_alone(value):
    assert places(challenged(realm=value)) == []


def test_the_place_of_a_parameter_is_a_pointer():
    bad = "https://evil.com/"
    challenges = (
        policy.AuthChallenge(scheme="Basic"),
        policy.AuthChallenge(scheme="Bearer", params={"a~b": bad, "c": "d"}),
        policy.AuthChallenge(scheme="Bearer", params={"e": bad}),
    )
    value = policy.Unauthorized(message="Who?", url=bad, auth_challenges=challenges)
    assert places(value) == ["/url", "/auth_challenges/1/params/a~0b", "/auth_challenges/2/params/e"]


def test_what_a_payment_scheme_says_is_its_own():
    payment = policy.AcceptedPayment(scheme="x.pay", payload={"url": "https://checkout.example/1"})
    assert places(policy.PaymentRequired(message="Pay.", accepted_payments=(payment,))) == []
