"""Demands by x402, out and in."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpResponse, UsageError, policy
from mentionable.policy._x402 import (
    CODE,
    MAX_OFFERS,
    is_offer,
    x402_demand,
    x402_demand_in_body,
    x402_metadata,
    x402_settlement,
)
from mentionable.policy._x402_terms import is_x402
from mentionable.testing import strategies
from tests.policy.demands import NOW
from tests.policy.x402_samples import (
    DEMANDS,
    OFFERED,
    REQUIREMENTS,
    RESOURCE,
    cart,
    changed,
    demand,
    demands,
    floated,
    required,
    way,
)

VERSIONS = pytest.mark.parametrize("version", [1, 2])
STRIPE = policy.AcceptedPayment(scheme="stripe.checkout", payload={"url": "https://pay.example/1"})


def accepts(found):
    return found["x402.payment.required"]["accepts"]


# -- out


@VERSIONS
def test_a_demand_goes_out_as_the_specification_shows_it(version):
    assert x402_metadata(required(way(version))) == demand(version)


def test_only_ways_to_pay_by_x402_go_out():
    assert accepts(x402_metadata(required(STRIPE, way(), STRIPE))) == [REQUIREMENTS[2]]
    assert x402_metadata(required(STRIPE)) == {}


def test_of_two_versions_the_higher_one_goes_out():
    found = x402_metadata(required(way(1), way(2), way(1)))
    assert found["x402.payment.required"] == DEMANDS[2]


def test_of_two_resources_the_first_one_goes_out():
    other = way(resource={"url": "https://shop.example/other"})
    cheap = way(requirement={**REQUIREMENTS[2], "amount": "1"})
    found = x402_metadata(required(way(), other, cheap))
    assert [requirement["amount"] for requirement in accepts(found)] == ["10000", "1"]
    assert found["x402.payment.required"]["resource"] == RESOURCE


def test_a_resource_is_not_invented():
    found = x402_metadata(required(way(2, resource=None)))
    assert "resource" not in found["x402.payment.required"]


def test_error_text_and_extensions_come_from_data():
    data = {"org.x402.error": "expired", "org.x402.extensions": {"bazaar": {"info": {}}}}
    assert x402_metadata(required(way(2), data=data))["x402.payment.required"] == {
        **DEMANDS[2],
        "error": "expired",
        "extensions": data["org.x402.extensions"],
    }
    assert x402_metadata(required(way(1), data=data))["x402.payment.required"] == {**DEMANDS[1], "error": "expired"}
    odd = {"org.x402.error": 7, "org.x402.extensions": []}
    assert x402_metadata(required(way(2), data=odd)) == demand(2)


def test_numbers_go_out_as_integers():
    sent = x402_metadata(required(way(2, x402Version=2.0, requirement=floated(REQUIREMENTS[2]))))
    assert json.dumps(sent) == json.dumps(demand(2))


def test_what_goes_out_is_a_copy():
    part = required(way(2), data={"org.x402.extensions": {"bazaar": {}}})
    found = x402_metadata(part)
    found["x402.payment.required"]["resource"].clear()
    found["x402.payment.required"]["extensions"].clear()
    accepts(found)[0]["extra"].clear()
    assert x402_metadata(part)["x402.payment.required"]["resource"] == RESOURCE
    assert part == required(way(2), data={"org.x402.extensions": {"bazaar": {}}})


def test_no_more_go_out_than_are_read():
    found = x402_metadata(required(*[way()] * (MAX_OFFERS + 1)))
    assert len(accepts(found)) == MAX_OFFERS
    assert x402_demand(found).policy is not None


def test_a_way_to_pay_of_x402_is_told():
    assert is_offer(way(1))
    assert is_offer(way(2))
    assert is_offer(way(2, resource=None))
    assert is_offer(way(2, resource={"url": "https://shop.example/"}))
    assert not is_offer(STRIPE)


@pytest.mark.parametrize("version", [0, 3, True, "2", None, 2.5], ids=repr)
def test_another_version_does_not_go_out(version):
    assert not is_offer(way(2, x402Version=version))


@pytest.mark.parametrize(
    "odd",
    [
        way(2, scheme="x402.upto"),
        way(2, scheme="X402.exact"),
        way(2, scheme="exact"),
        way(2, requirement="exact"),
        way(2, resource="https://shop.example/"),
        way(2, resource={}),
        way(2, resource={"url": "https://shop.example/", "mimeType": 7}),
        way(1, resource=RESOURCE),
    ],
)
def test_a_payload_of_another_form_does_not_go_out(odd):
    assert not is_offer(odd)
    assert x402_metadata(required(odd)) == {}


FAULTS = [
    (1, "scheme", ...),
    (1, "network", ""),
    (1, "payTo", 7),
    (1, "asset", None),
    (1, "maxAmountRequired", 10000),
    (1, "maxAmountRequired", "0x10"),
    (1, "maxAmountRequired", "1e4"),
    (1, "maxAmountRequired", "1."),
    (1, "maxAmountRequired", "1" * 79),
    (1, "maxAmountRequired", "١"),
    (1, "maxTimeoutSeconds", "300"),
    (1, "maxTimeoutSeconds", True),
    (1, "resource", 7),
    (1, "extra", "USDC"),
    (2, "scheme", 7),
    (2, "amount", 10000),
    (2, "amount", "-1"),
    (2, "amount", ...),
    (2, "maxTimeoutSeconds", 1.5),
    (2, "maxTimeoutSeconds", -300),
    (2, "extra", []),
]


@pytest.mark.parametrize(("version", "name", "value"), FAULTS)
def test_a_requirement_with_a_fault_neither_goes_out_nor_comes_in(version, name, value):
    odd = changed(REQUIREMENTS[version], name, value)
    assert not is_offer(way(version, requirement=odd))
    for accepts in ([odd, REQUIREMENTS[version]], [REQUIREMENTS[version], odd]):
        found = x402_demand(demand(version, accepts=accepts))
        assert found.policy is None
        assert [(note.code, note.at) for note in found.diagnostics] == [
            ("policy-malformed", f"/x402.payment.required/accepts/{accepts.index(odd)}/{name}")
        ]


@pytest.mark.parametrize(("name", "value"), [("description", []), ("mimeType", 7), ("outputSchema", [])])
def test_words_that_do_not_fit_cost_themselves(name, value):
    odd = changed(REQUIREMENTS[1], name, value)
    assert not is_offer(way(1, requirement=odd))
    found = x402_demand(demand(1, accepts=[odd, REQUIREMENTS[1]]))
    first, second = found.policy.accepted_payments
    assert first.payload["requirement"] == odd  # as it came: it is echoed
    assert first.description == (None if name == "description" else "A report")
    assert second == way(1)
    assert [(note.code, note.at) for note in found.diagnostics] == [
        ("member-dropped", f"/x402.payment.required/accepts/0/{name}")
    ]


@pytest.mark.parametrize("name", ["description", "mimeType"])
def test_words_about_what_is_paid_for_cost_themselves(name):
    odd = {**RESOURCE, name: 7}
    found = x402_demand(demand(2, resource=odd))
    (payment,) = found.policy.accepted_payments
    assert payment.payload["resource"] == odd
    assert payment.description == (None if name == "description" else "A report")
    assert [(note.code, note.at) for note in found.diagnostics] == [
        ("member-dropped", f"/x402.payment.required/resource/{name}")
    ]


@pytest.mark.parametrize(("name", "value"), [("error", 7), ("error", ["x"]), ("extensions", []), ("extensions", "x")])
def test_words_beside_the_ways_to_pay_cost_themselves(name, value):
    found = x402_demand(demand(2, **{name: value}), message="Pay first")
    assert found.policy == x402_demand(demand(2, **{name: None}), message="Pay first").policy
    assert [(note.code, note.at) for note in found.diagnostics] == [
        ("member-dropped", f"/x402.payment.required/{name}")
    ]


@VERSIONS
def test_null_is_absence(version):
    for name in ("maxTimeoutSeconds", "extra", "resource", "description", "mimeType", "outputSchema"):
        bare = {**REQUIREMENTS[version], name: None}
        found = x402_demand(demand(version, accepts=[bare]))
        assert (found.policy.accepted_payments[0].payload["requirement"], found.diagnostics) == (bare, ())
    for name in ("error", "extensions", "resource"):
        assert x402_demand(demand(version, **{name: None})).diagnostics == ()


@pytest.mark.parametrize(("version", "name"), [(1, "resource"), (1, "maxTimeoutSeconds"), (2, "maxTimeoutSeconds")])
def test_what_carts_leave_out_may_come_in_but_does_not_go_out(version, name):
    bare = changed(REQUIREMENTS[version], name, ...)
    assert not is_offer(way(version, requirement=bare))
    (payment,) = x402_demand(demand(version, accepts=[bare])).policy.accepted_payments
    assert payment.payload["requirement"] == bare


def test_schemes_of_x402_are_told_by_how_they_begin():
    assert is_x402("x402.exact")
    assert not is_x402("x402")
    assert not is_x402("X402.exact")


# -- in


@VERSIONS
def test_a_demand_comes_in(version):
    found = x402_demand(demand(version), message="Ten cents, please.", state="task-1")
    assert found.diagnostics == ()
    assert found.policy == required(
        way(version),
        message="Ten cents, please.",
        code="x402:payment_required",
        state="task-1",
        data={"org.x402.error": "Pay first"},
    )


@VERSIONS
def test_integers_come_back_from_a_hop_through_protobuf(version):
    found = x402_demand(floated(demand(version)), message="Pay first")
    assert json.dumps(found.policy.accepted_payments[0].payload) == json.dumps(OFFERED[version])


@pytest.mark.parametrize(
    ("given_text", "error", "message"),
    [
        ("Hello", "Pay first", "Hello"),
        ("", "Pay first", "Pay first"),
        ("", None, "Payment is required."),
        ("", "", "Payment is required."),
        ("", 7, "Payment is required."),
    ],
)
def test_the_text_for_people_is_the_best_that_there_is(given_text, error, message):
    assert x402_demand(demand(2, error=error), message=given_text).policy.message == message


def test_the_error_text_is_kept_only_where_it_says_something_else():
    assert x402_demand(demand(2), message="Pay first").policy.data is None
    assert x402_demand(demand(2), message="Hello").policy.data == {"org.x402.error": "Pay first"}


def test_extensions_are_kept():
    found = x402_demand(demand(2, extensions={"bazaar": {"info": {}}}), message="Pay first").policy
    assert found.data == {"org.x402.extensions": {"bazaar": {"info": {}}}}
    assert x402_demand(demand(1, extensions={"bazaar": {}}), message="Pay first").policy.data is None
    assert x402_demand(demand(2, extensions=[]), message="Pay first").policy.data is None


def test_unknown_members_of_a_requirement_are_kept():
    odd = {**REQUIREMENTS[2], "colour": {"b": 1, "a": [None]}}
    (payment,) = x402_demand(demand(2, accepts=[odd])).policy.accepted_payments
    assert payment.payload["requirement"] == odd


def test_a_description_comes_from_where_the_version_has_it():
    assert x402_demand(demand(1)).policy.accepted_payments[0].description == "A report"
    assert x402_demand(demand(2)).policy.accepted_payments[0].description == "A report"
    assert x402_demand(demand(2, resource=None)).policy.accepted_payments[0].description is None
    empty = {**REQUIREMENTS[1], "description": ""}
    assert x402_demand(demand(1, accepts=[empty])).policy.accepted_payments[0].description is None


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        [],
        "payment-required",
        {},
        {"x402.payment.required": DEMANDS[2]},
        {**demand(), "x402.payment.status": "payment-completed"},
        {**demand(), "x402.payment.status": ["payment-required"]},
        {**demand(), "x402.payment.status": "Payment-Required"},
    ],
)
def test_without_the_status_nothing_is_demanded(metadata):
    assert x402_demand(metadata) == policy.ParsedPolicy(policy=None)


@pytest.mark.parametrize(
    ("found", "at"),
    [
        ("exact", ""),
        ([DEMANDS[2]], ""),
        ({**DEMANDS[2], "x402Version": 3}, "/x402Version"),
        ({**DEMANDS[1], "x402Version": True}, "/x402Version"),
        ({**DEMANDS[2], "x402Version": "2"}, "/x402Version"),
        ({**DEMANDS[2], "x402Version": 1.5}, "/x402Version"),
        ({**DEMANDS[2], "accepts": []}, "/accepts"),
        ({**DEMANDS[2], "accepts": REQUIREMENTS[2]}, "/accepts"),
        ({**DEMANDS[2], "accepts": [REQUIREMENTS[2]] * 65}, "/accepts"),
        ({**DEMANDS[2], "accepts": ["exact"]}, "/accepts/0"),
        ({**DEMANDS[2], "accepts": [{**REQUIREMENTS[2], "amount": 1}]}, "/accepts/0/amount"),
        ({**DEMANDS[2], "resource": "https://shop.example/"}, "/resource"),
        ({**DEMANDS[2], "resource": {"url": ""}}, "/resource"),
        ({**DEMANDS[2], "extensions": {"big": 2**53}}, ""),
        ({**DEMANDS[2], "extensions": {"half": "\ud800"}}, ""),
    ],
)
def test_a_demand_that_cannot_be_read_is_no_policy_and_says_why(found, at):
    offers = x402_demand({"x402.payment.status": "payment-required", "x402.payment.required": found})
    assert offers.policy is None
    assert [(note.code, note.at) for note in offers.diagnostics] == [
        ("policy-malformed", "/x402.payment.required" + at)
    ]


def test_amounts_of_ledgers_that_count_in_fractions_come_in():
    assert x402_demand(demand(2, accepts=[{**REQUIREMENTS[2], "amount": "0.01"}])).diagnostics == ()


# -- carts of AP2


WAITING = {"x402.payment.status": "payment-required"}


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda part: part,
        lambda part: {"kind": "data", **part},
        lambda part: {"data": part},
    ],
    ids=["1.0", "0.3", "0.3-rest"],
)
def test_the_demand_in_a_cart_is_found(nested, wrap):
    parts = [{"text": "Your cart"}, {"data": [1]}, wrap(cart(DEMANDS[1], nested=nested))]
    before = copy.deepcopy(parts)
    found = x402_demand(WAITING, state="t1", parts=parts)
    assert found == policy.ParsedPolicy(policy=required(way(1), code=CODE, state="t1"))
    assert parts == before


def test_a_cart_may_be_paid_in_both_versions():
    found = x402_demand(WAITING, parts=[cart(DEMANDS[1], DEMANDS[2])], message="Pay first")
    assert found.policy == required(way(1), way(2), code=CODE)


def test_what_a_cart_says_twice_counts_once():
    found = x402_demand(WAITING, parts=[cart(DEMANDS[1], {**DEMANDS[1], "error": "Other"})])
    assert found.policy.message == "Pay first"


def test_metadata_goes_before_carts():
    found = x402_demand(demand(2), parts=[cart(DEMANDS[1])], message="Pay first")
    assert found.policy == required(way(2), code=CODE)


def test_a_fault_in_a_cart_is_named_with_its_place():
    found = x402_demand(WAITING, parts=[cart({**DEMANDS[1], "x402Version": 3})])
    assert found.policy is None
    place = "/parts/0/data/ap2.mandates.CartMandate/payment_request/method_data/1/data/x402Version"
    assert [note.at for note in found.diagnostics] == [place]


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [cart()],
        [{"data": {"ap2.mandates.CartMandate": None}}],
        [{"data": {"ap2.mandates.CartMandate": {"payment_request": {"method_data": "x402"}}}}],
        [
            {
                "data": {
                    "ap2.mandates.CartMandate": {
                        "payment_request": {"method_data": [7, {"supported_methods": "https://www.x402.org/"}]}
                    }
                }
            }
        ],
        [None, 7, "data"],
    ],
)
def test_where_no_cart_says_what_to_pay_there_is_no_policy(parts):
    found = x402_demand(WAITING, parts=parts)
    assert (found.policy, [note.at for note in found.diagnostics]) == (None, ["/x402.payment.required"])


# -- bodies of HTTP 402


@VERSIONS
def test_a_body_is_read(version):
    assert x402_demand_in_body(DEMANDS[version]) == policy.ParsedPolicy(policy=required(way(version), code=CODE))
    assert x402_demand_in_body(DEMANDS[version], message="Hello").policy.message == "Hello"


@pytest.mark.parametrize("body", [None, [], {}, {"kind": "payment_required"}])
def test_a_body_in_another_format_is_no_demand(body):
    assert x402_demand_in_body(body) == policy.ParsedPolicy(policy=None)


def test_a_body_that_cannot_be_read_says_why():
    found = x402_demand_in_body({"x402Version": 3})
    assert (found.policy, found.diagnostics[0].at) == (None, "/x402Version")


# -- laws


@given(demands())
def test_what_is_written_is_read_again(part):
    assert x402_demand(x402_metadata(part), message=part.message, state=part.state) == policy.ParsedPolicy(policy=part)


@given(demands())
def test_a_hop_through_protobuf_changes_nothing(part):
    through = floated(x402_metadata(part))
    assert x402_demand(through, message=part.message, state=part.state).policy == part


@given(strategies.json_objects(), strategies.json_objects())
def test_any_metadata_is_read_without_an_error(odd, other):
    for found in (odd, {**DEMANDS[2], **odd}, {**DEMANDS[1], "accepts": [{**REQUIREMENTS[1], **other}]}):
        x402_demand({"x402.payment.status": "payment-required", "x402.payment.required": found}, parts=[odd])
        x402_demand(WAITING, parts=[cart(found)])
        x402_demand_in_body(found)


@given(
    st.sampled_from(["x402.exact", "x402.", "card"]) | strategies.names(), strategies.json_objects(is_canonical=True)
)
def test_any_way_to_pay_goes_out_or_does_not(scheme, odd):
    for payload in (odd, {**OFFERED[2], "requirement": odd}, {**OFFERED[1], "requirement": {**REQUIREMENTS[1], **odd}}):
        payment = policy.AcceptedPayment(scheme=scheme, payload=payload)
        assert len(accepts(x402_metadata(required(payment, way(2), way(1))))) in (1, 2)


# -- receipts


PAID = {"success": True, "transaction": "0xabc", "network": "base"}
FAILED = {"success": False, "transaction": "", "network": "base", "errorReason": "expired"}


def test_receipts_say_how_it_ended():
    assert x402_settlement([FAILED, PAID]) == {
        "x402.payment.status": "payment-completed",
        "x402.payment.receipts": [FAILED, PAID],
    }
    assert x402_settlement((PAID, FAILED), error="EXPIRED_PAYMENT") == {
        "x402.payment.status": "payment-failed",
        "x402.payment.receipts": [PAID, FAILED],
        "x402.payment.error": "EXPIRED_PAYMENT",
    }
    assert "x402.payment.error" not in x402_settlement([FAILED])


@pytest.mark.parametrize(
    ("receipts", "error"),
    [
        ([], None),
        (["0xabc"], None),
        ([{**PAID, "success": 1}], None),
        ([{**PAID, "transaction": ""}], None),
        ([{**PAID, "network": None}], None),
        ([{**FAILED, "transaction": None}], None),
        ([PAID], "EXPIRED_PAYMENT"),
    ],
)
def test_receipts_of_another_form_do_not_go_out(receipts, error):
    with pytest.raises(UsageError):
        x402_settlement(receipts, error=error)


def test_only_payments_go_out_as_x402():
    for other in (policy.Forbidden(message="No."), {"kind": "payment_required"}):
        with pytest.raises(UsageError, match="PaymentRequired"):
            x402_metadata(other)


def test_a_demand_is_not_larger_than_its_ways_to_pay_need():
    demand = {**DEMANDS[2], "resource": {"url": "https://shop.example/", "description": "x" * 65_536}}
    found = x402_demand_in_body(demand)
    assert (found.policy, found.diagnostics[0].code) == (None, "policy-malformed")


def test_only_so_many_ways_to_pay_are_looked_at():
    broken = {"x402Version": 2, "accepts": [0] * 64}
    found = x402_demand(WAITING, parts=[cart(*[broken] * 100)])
    assert found.policy is None
    assert len(found.diagnostics) == 65
    found = x402_demand(WAITING, parts=[cart(*[{"x402Version": 2}] * 100, DEMANDS[2])])
    assert (found.policy, len(found.diagnostics)) == (None, 65)
    assert found.diagnostics[64].at.endswith("/method_data/65/data")


def test_whoever_answers_402_learns_what_is_wrong_with_the_demand():
    body = json.dumps({**DEMANDS[2], "accepts": [{**REQUIREMENTS[2], "amount": 1}]}).encode()
    found = policy.from_http(HttpResponse(status=402, body=body), authority="shop.example", now=NOW)
    assert (found.code, [problem.at for problem in found.problems]) == ("missing-member", ["/accepts/0/amount"])


def test_only_what_x402_settlement_returns_is_a_settlement():
    settlement = x402_settlement([PAID])
    assert policy.check_settlement(settlement) == settlement
    for wrong in (None, {}, {**settlement, "more": 1}):
        with pytest.raises(UsageError, match="settlement"):
            policy.check_settlement(wrong)
