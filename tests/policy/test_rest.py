"""A policy as the answer to an HTTP request, both ways."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpResponse, Rejected, UsageError, encode, policy
from mentionable._model.policy import EXTENSION
from mentionable.policy._rest import from_http, to_http
from mentionable.testing import strategies
from tests.policy.demands import EXACT, OFFERED

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
OFFER = policy.AcceptedPayment(scheme="x402.exact", payload={"amount": "1"})
BEARER = policy.AuthChallenge(scheme="Bearer", params={"realm": "a"})
POLICIES = [
    (policy.Unauthorized(message="Who?", auth_challenges=(BEARER,)), 401),
    (policy.ConsentRequired(message="Agree?", state="s", return_to="https://a.example/"), 401),
    (policy.PaymentRequired(message="Pay.", accepted_payments=(OFFER,)), 402),
    (policy.Forbidden(message="No."), 403),
    (policy.TooManyRequests(message="Slow.", retry_after_seconds=30), 429),
    (policy.UnavailableForLegalReasons(message="Law."), 451),
    (policy.ServiceUnavailable(message="Later.", retry_after_seconds=0), 503),
    (policy.UnknownPolicy(kind="wait", message="Wait.", extra={"x": [1]}), 403),
]


def answer(status, document=None, media_type="application/json", **headers):
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    if media_type is not None:
        pairs.append(("content-type", media_type))
    body = document if isinstance(document, bytes) else b"" if document is None else json.dumps(document).encode()
    return HttpResponse(status=status, headers=tuple(pairs), body=body)


def read(*arguments, **headers):
    found = from_http(answer(*arguments, **headers), authority="agents.example", now=NOW)
    return found.policy if isinstance(found, policy.ParsedPolicy) else found


@pytest.mark.parametrize(("value", "status"), POLICIES, ids=lambda item: getattr(item, "kind", item))
def test_each_kind_has_its_status_and_comes_back(value, status):
    response = to_http(value)
    assert response.status == status
    assert response.header("content-type") == "application/problem+json"
    assert response.header("cache-control") == "no-store"
    assert from_http(response, authority="agents.example", now=NOW) == policy.ParsedPolicy(policy=value)


def test_an_odd_policy_of_an_unknown_kind_counts_where_the_problem_says_that_it_is_one():
    odd = {"kind": "wait", "message": "Wait.", "code": 5}
    assert read(403, odd) == policy.Forbidden(message="Wait.")
    problem = {"type": f"{EXTENSION}#wait", **odd}
    assert read(403, problem, "application/problem+json") == policy.UnknownPolicy(kind="wait", message="Wait.")
    assert read(403, {**problem, "type": "about:blank"}, "application/problem+json").kind == "forbidden"


def test_the_body_is_the_policy_and_a_problem():
    value = policy.Forbidden(message="No.", title="Denied", code="x:no", extra={"instance": "/1"})
    assert json.loads(to_http(value).body) == {
        "type": f"{EXTENSION}#forbidden",
        "status": 403,
        "detail": "No.",
        "kind": "forbidden",
        "message": "No.",
        "code": "x:no",
        "title": "Denied",
        "instance": "/1",
    }


def test_a_problem_has_a_title_only_when_the_policy_has_one():
    assert "title" not in json.loads(to_http(policy.Forbidden(message="No.")).body)


def test_an_odd_kind_is_encoded_in_the_type():
    response = to_http(policy.UnknownPolicy(kind="a b/#\u20ac", message="m"))
    assert json.loads(response.body)["type"] == f"{EXTENSION}#a%20b%2F%23%E2%82%AC"


@pytest.mark.parametrize("own", [{"type": "x"}, {"status": "pending"}, {"detail": "No."}, {"status": 403}])
def test_members_of_the_policy_are_never_shadowed(own):
    value = policy.Forbidden(message="No.", extra=own)
    response = to_http(value)
    assert response.header("content-type") == "application/json"
    assert json.loads(response.body) == encode(value)
    assert from_http(response, authority="agents.example", now=NOW) == policy.ParsedPolicy(policy=value)


def test_a_policy_that_says_what_a_problem_says_comes_back_whole():
    problem = {"type": f"{EXTENSION}#forbidden", "status": 403, "detail": "No."}
    value = policy.Forbidden(message="No.", extra=problem)
    assert from_http(to_http(value), authority="agents.example", now=NOW) == policy.ParsedPolicy(policy=value)


@pytest.mark.parametrize(
    ("value", "challenges"),
    [
        (policy.Unauthorized(message="Who?", auth_challenges=(BEARER,)), 'Bearer realm="a"'),
        (policy.Unauthorized(message="Who?", auth_challenges=()), 'Mentionable policy="unauthorized"'),
        (
            policy.ConsentRequired(message="Agree?", state="s", return_to="https://a.example/"),
            'Mentionable policy="consent_required"',
        ),
        (policy.Forbidden(message="No."), None),
    ],
)
def test_a_401_has_a_challenge_in_any_case(value, challenges):
    assert to_http(value).header("www-authenticate") == challenges


@pytest.mark.parametrize("cls", [policy.TooManyRequests, policy.ServiceUnavailable])
@pytest.mark.parametrize(("seconds", "header"), [(None, None), (0, "0"), (30, "30")])
def test_how_long_to_wait_is_a_header_too(cls, seconds, header):
    assert to_http(cls(message="m", retry_after_seconds=seconds)).header("retry-after") == header


@pytest.mark.parametrize("value", [None, {"kind": "forbidden"}, "forbidden", OFFER])
def test_only_policies_are_written(value):
    with pytest.raises(UsageError, match="policy must be a policy"):
        to_http(value)


@given(strategies.policies())
def test_nothing_is_lost_on_the_way(value):
    assert from_http(to_http(value), authority="agents.example", now=NOW) == policy.ParsedPolicy(policy=value)


@given(strategies.policies())
def test_a_policy_is_never_a_success(value):
    assert to_http(value).status in (401, 402, 403, 429, 451, 503)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (100, "not-a-message"),
        (200, "not-a-message"),
        (204, "not-a-message"),
        (302, "not-a-message"),
        (0, "not-a-message"),
        (-1, "not-a-message"),
        (400, "peer-error"),
        (404, "peer-not-found"),
        (407, "peer-error"),
        (410, "peer-not-found"),
        (408, "peer-busy"),
        (500, "peer-error"),
        (502, "peer-busy"),
        (999, "peer-error"),
    ],
)
def test_other_statuses_are_no_policies_whatever_the_body_says(status, code):
    found = read(status, {"kind": "forbidden", "message": "No."})
    assert isinstance(found, Rejected)
    assert found.code == code
    assert f"HTTP status {status}" in found.problems[0].rule


@pytest.mark.parametrize("status", [401, 402, 403, 429, 451, 503])
def test_an_unknown_kind_is_kept_whole_with_any_refusal(status):
    found = read(status, {"kind": "wait", "message": "m", "status": status, "x": 1})
    assert found == policy.UnknownPolicy(kind="wait", message="m", extra={"status": status, "x": 1})


@pytest.mark.parametrize(
    "media_type", ["application/json", "APPLICATION/JSON; charset=utf-8", "application/policy+json", None]
)
def test_any_json_may_be_a_policy(media_type):
    assert read(403, {"kind": "forbidden", "message": "No!"}, media_type) == policy.Forbidden(message="No!")


def test_what_only_makes_it_a_problem_is_taken_off():
    body = {"type": f"{EXTENSION}#forbidden", "detail": "No!", "kind": "forbidden", "message": "No!", "status": 403}
    assert read(403, body, "application/problem+json") == policy.Forbidden(message="No!")
    other = {**body, "detail": "another", "type": "about:blank"}
    found = read(403, other, "application/problem+json")
    assert found == policy.Forbidden(message="No!", extra={"detail": "another", "type": "about:blank"})


def test_a_policy_in_a_body_wins_over_the_headers():
    body = {"kind": "too_many_requests", "message": "Slow!", "retry_after_seconds": 5}
    assert read(429, body, retry_after="60") == policy.TooManyRequests(message="Slow!", retry_after_seconds=5)


@pytest.mark.parametrize(
    ("status", "body", "at"),
    [
        (403, {"kind": "unauthorized", "message": "m", "auth_challenges": []}, "/kind"),
        (401, {"kind": "forbidden", "message": "m"}, "/kind"),
        (503, {"kind": "too_many_requests", "message": "m"}, "/kind"),
        (401, {"kind": "consent_required", "message": "m", "return_to": "https://a.example/"}, "/state"),
        (401, {"kind": "payment_required", "message": "m"}, "/accepted_payments"),
        (403, {"kind": "consent_required"}, "/message"),
    ],
)
def test_a_policy_that_contradicts_its_status_counts_for_nothing(status, body, at):
    found = read(status, body)
    assert isinstance(found, Rejected)
    assert found.code == "malformed"
    assert at in {problem.at for problem in found.problems}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (401, policy.Unauthorized(message="You must sign in first.", auth_challenges=())),
        (403, policy.Forbidden(message="This is not allowed.")),
        (429, policy.TooManyRequests(message="There were too many requests.")),
        (451, policy.UnavailableForLegalReasons(message="This is not available for legal reasons.")),
        (503, policy.ServiceUnavailable(message="The service is not available just now.")),
    ],
)
@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b"", None),
        (b"<p>no</p>", "text/html"),
        (b'{"kind": "forbidden", "message": "m"}', "text/plain"),
        (b"{", "application/json"),
        (b"[]", "application/json"),
        (b"\xff", "application/json"),
        (b'{"kind": "wait", "kind": "wait", "message": "m"}', "application/json"),
        (b'{"error": "x"}', "application/json"),
        (b'{"kind": 7, "message": " "}', "application/json"),
        (b'{"kind": null, "detail": 7, "title": ""}', "application/problem+json"),
        (b"[" * 100, "application/json"),
        (b'"' + b"a" * 1_048_576 + b'"', "application/json"),
    ],
    ids=range(12),
)
def test_without_a_policy_the_status_speaks(status, expected, body, media_type):
    assert read(status, body, media_type) == expected


@pytest.mark.parametrize(
    ("body", "message", "title"),
    [
        ({"detail": "Off you go.", "title": "Denied", "message": "m"}, "Off you go.", "Denied"),
        ({"detail": "Off you go."}, "Off you go.", None),
        ({"title": "Denied"}, "Denied", None),
        ({"message": "Off."}, "Off.", None),
        ({"kind": "Status", "code": 403, "message": "Off."}, "Off.", None),
        ({"kind": "forbidden", "message": "Off.", "url": "http://[", "title": "Denied"}, "Off.", "Denied"),
        ({"detail": [], "title": "Denied"}, "Denied", None),
    ],
)
def test_the_words_of_a_problem_are_kept(body, message, title):
    assert read(403, body) == policy.Forbidden(message=message, title=title)


def test_a_policy_that_is_rejected_leaves_its_diagnostics_where_its_kind_fits_the_status():
    found = from_http(answer(403, {"kind": "forbidden", "title": "No."}), authority="agents.example", now=NOW)
    assert found.policy == policy.Forbidden(message="No.")
    assert "/message" in {note.at for note in found.diagnostics}


def test_challenges_come_from_the_header():
    found = read(401, None, None, www_authenticate='Bearer realm="a"')
    assert found == policy.Unauthorized(message="You must sign in first.", auth_challenges=(BEARER,))
    pairs = (("www-authenticate", 'Bearer realm="a"'), ("www-authenticate", "Negotiate"))
    found = from_http(HttpResponse(status=401, headers=pairs), authority="agents.example", now=NOW)
    assert [challenge.scheme for challenge in found.policy.auth_challenges] == ["Bearer", "Negotiate"]


V1 = {"x402Version": 1, "error": "Pay first.", "accepts": [dict(EXACT)]}


@pytest.mark.parametrize(
    "response",
    [
        answer(402, V1),
        answer(402, None, None, payment_required=b64encode(json.dumps(V1).encode()).decode()),
        answer(402, {"x402Version": 1}, payment_required=b64encode(json.dumps(V1).encode()).decode()),
    ],
)
def test_a_402_may_say_by_x402_how_to_pay(response):
    found = from_http(response, authority="agents.example", now=NOW)
    assert (found.policy.message, found.policy.accepted_payments[0].payload["requirement"]) == ("Pay first.", EXACT)


@pytest.mark.parametrize("header", ["", "e30", "e30=", "W10=", "é"])
def test_a_header_of_x402_that_cannot_be_read_says_nothing(header):
    assert read(402, None, None, payment_required=header).code == "missing-member"


def test_challenges_that_cannot_be_read_are_none():
    assert read(401, None, None, www_authenticate='Bearer realm="a').auth_challenges == ()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Sat, 21 Nov 2026 20:57:00 GMT", 60),
        ("Sat, 21 Nov 2026 20:00:00 GMT", 0),
        ("9" * 16, 2**53 - 1),
        ("9" * 100_000, 2**53 - 1),
        ("0" * 20 + "5", 5),
        ("-1", None),
        ("1.5", None),
        ("\u0661", None),
        ("\u00b2", None),
        ("1, 2", None),
        ("soon", None),
        ("", None),
        ("Sat, 99 Nov 2026 20:57:00 GMT", None),
    ],
    ids=lambda item: str(item)[:30],
)
@pytest.mark.parametrize("status", [429, 503])
def test_how_long_to_wait_comes_from_the_header(status, header, seconds):
    assert read(status, None, None, retry_after=header).retry_after_seconds == seconds


def test_parts_of_a_second_count_as_a_whole_one():
    response = answer(503, None, None, retry_after="Sat, 21 Nov 2026 20:57:00 GMT")
    assert from_http(response, authority=None, now=NOW + timedelta(seconds=58.5)).policy.retry_after_seconds == 2


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (None, "it has no body that offers a way to pay"),
        ({"error": "pay"}, "its body offers no way to pay"),
    ],
)
def test_a_402_that_offers_no_way_to_pay_is_rejected(body, rule):
    found = read(402, body)
    assert (found.code, found.problems) == ("missing-member", (("/accepted_payments", rule),))


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({}, ("/accepted_payments", "required")),
        ({"accepted_payments": []}, ("", "accepted_payments must not be empty")),
        ({"accepted_payments": [{"scheme": "a"}]}, ("/accepted_payments/0/payload", "required")),
    ],
)
def test_a_402_whose_demand_is_refused_says_why(members, problem):
    found = read(402, {"kind": "payment_required", "message": "m", **members})
    assert (found.code, found.problems) == ("malformed", (problem,))


def test_a_402_keeps_its_way_to_pay_whatever_its_label():
    payments = [{"scheme": "a", "payload": {}, "label": None}, {"scheme": "b", "payload": {}, "label": 5}]
    demand = read(402, {"kind": "payment_required", "message": "m", "code": None, "accepted_payments": payments})
    assert [(one.scheme, one.label) for one in demand.accepted_payments] == [("a", None), ("b", None)]


def test_wrong_arguments_are_the_callers_fault():
    with pytest.raises(UsageError, match="response must be an HttpResponse"):
        from_http({"status": 401}, authority="agents.example", now=NOW)
    with pytest.raises(UsageError, match="authority is a host"):
        from_http(answer(401), authority="https://agents.example/", now=NOW)
    with pytest.raises(UsageError, match="now must be aware"):
        from_http(answer(401), authority=None, now=datetime(2026, 11, 21))  # noqa: DTZ001 - that is what is wrong


DOCUMENTS = strategies.json_objects() | st.fixed_dictionaries(
    {"kind": st.sampled_from(["forbidden", "unauthorized", "consent_required", "wait"]) | strategies.json_values()},
    optional={name: strategies.json_values() for name in ("message", "detail", "title", "state", "auth_challenges")},
)


@given(
    st.sampled_from([200, 401, 402, 403, 429, 451, 503, 500]),
    DOCUMENTS.map(lambda document: json.dumps(document).encode()) | st.binary(max_size=30),
    st.sampled_from(["application/json", "application/problem+json", "text/html"]) | st.text(max_size=10),
    st.text(max_size=20),
)
def test_nothing_from_outside_makes_it_raise(status, body, media_type, header):
    found = read(status, body, media_type, retry_after=header, www_authenticate=header)
    assert isinstance(found, Rejected) or found.message


def test_ways_to_pay_by_x402_stand_in_its_field():
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=OFFERED, description="A table")
    response = to_http(policy.PaymentRequired(message="Pay.", accepted_payments=(offer,)))
    alone = HttpResponse(status=402, headers=(("payment-required", response.header("payment-required")),))
    assert from_http(alone, authority=None, now=NOW).policy.accepted_payments == (offer,)
    assert (
        to_http(policy.PaymentRequired(message="Pay.", accepted_payments=(OFFER,))).header("payment-required") is None
    )


def test_a_field_that_would_get_too_long_is_left_out():
    long = {**OFFERED, "requirement": {**EXACT, "description": "x" * 8_000}}
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=long)
    response = to_http(policy.PaymentRequired(message="Pay.", accepted_payments=(offer,)))
    assert response.header("payment-required") is None
