import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, policy
from mentionable._model.rules import is_state
from mentionable.policy._binding import payment_fault
from tests.policy.demands import INVOICE, issued, payment

WORDS = "6fc319ad1209ab06f19e2ef2f5970882d5234dc0c20c438d00fe18520c07b597"
OBJECT = "d275be49ba56038af15df2de6498e7365ea07d6dd40a77ecef003557f50656a2"


@pytest.mark.parametrize(
    "scope",
    [
        "calendar.read calendar.write",
        "calendar.write  calendar.read calendar.write",
        ["calendar.write", "calendar.read"],
        ("calendar.read", "calendar.write", "calendar.read"),
    ],
)
def test_words_of_a_scope_are_a_set(scope):
    assert policy.scope_hash(scope) == WORDS


def test_an_object_counts_as_it_is():
    assert policy.scope_hash({"resource": "calendar", "actions": ["read", "write"]}) == OBJECT
    assert policy.scope_hash({"resource": "calendar", "actions": ["write", "read"]}) != OBJECT


@given(st.lists(st.text("abc:./-", min_size=1), min_size=1))
def test_order_and_repetition_of_words_change_nothing(words):
    assert policy.scope_hash(words) == policy.scope_hash(" ".join(reversed(words))) == policy.scope_hash(words * 2)


@pytest.mark.parametrize(
    "scope",
    ["", " a", "a ", 'a"b', "a\\b", "ä", "a\nb", [], [""], ["a b"], [1], 7, None, {"n": 2**53}, {"f": "\ud800"}],
)
def test_what_is_no_scope(scope):
    with pytest.raises(UsageError, match=r"scope|JSON|surrogate"):
        policy.scope_hash(scope)


@pytest.mark.parametrize(
    ("state", "fits"),
    [
        ("a" * 22, True),
        ("A-_9" * 32, True),
        ("a" * 21, False),
        ("a" * 129, False),
        ("a" * 22 + "=", False),
        ("a" * 22 + "\n", False),
        ("é" * 22, False),
    ],
)
def test_the_form_of_a_state(state, fits):
    assert is_state(state) is fits


@pytest.mark.parametrize(
    ("scheme", "payload", "fault"),
    [
        ("ln.bolt11", INVOICE, None),
        ("ln.bolt11", dict(reversed(INVOICE.items())), None),
        ("ln.bolt11", {**INVOICE, "more": 1}, "payload-mismatch"),
        ("ln.bolt11", {}, "payload-mismatch"),
        ("ln.bolt11", {"n": 2**53}, "payload-mismatch"),
        ("LN.bolt11", INVOICE, "scheme-not-offered"),
        ("ln", INVOICE, "scheme-not-offered"),
    ],
)
def test_a_payment_is_of_an_offer_under_its_own_scheme(scheme, payload, fault):
    assert payment_fault(issued().record, scheme, payload) == fault


def test_one_and_true_are_two_offers():
    record = issued(payment(policy.AcceptedPayment(scheme="x", payload={"amount": 1}))).record
    assert payment_fault(record, "x", {"amount": 1.0}) is None
    assert payment_fault(record, "x", {"amount": True}) == "payload-mismatch"
