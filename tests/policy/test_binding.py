from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given

from mentionable import UsageError, policy
from mentionable._model.rules import is_state
from mentionable.policy._binding import payment_fault
from tests.policy.demands import INVOICE, issued, payment
from tests.test_canonical_json import VALUES

WORDS = ["calendar.read", "calendar.write"]
OBJECT = "d275be49ba56038af15df2de6498e7365ea07d6dd40a77ecef003557f50656a2"


def test_a_scope_is_known_by_its_canonical_json():
    assert policy.scope_hash(" ".join(WORDS)) == sha256(b'"calendar.read calendar.write"').hexdigest()
    assert policy.scope_hash(WORDS) == sha256(b'["calendar.read","calendar.write"]').hexdigest()
    assert policy.scope_hash({"resource": "calendar", "actions": ["read", "write"]}) == OBJECT
    assert policy.scope_hash([{"type": "b", "n": 1.0}]) == sha256(b'[{"n":1,"type":"b"}]').hexdigest()


def test_a_scope_counts_as_it_stands():
    read, write = WORDS
    scopes = [
        f"{read} {write}",
        f"{write} {read}",
        f"{read}  {write}",
        WORDS,
        [write, read],
        [read, write, read],
        [read],
    ]
    assert len(set(map(policy.scope_hash, [*scopes, read, "", []]))) == len(scopes) + 3


@given(scope=VALUES)
def test_a_scope_is_hashed_as_another_implementation_of_rfc_8785_writes_it(scope):
    assert policy.scope_hash(scope) == sha256(rfc8785.dumps(scope)).hexdigest()


@pytest.mark.parametrize("scope", [{"n": 2**53}, [{"n": 2**53}], {"f": "\ud800"}, {"f": float("nan")}, {"f": object()}])
def test_what_has_no_canonical_form_is_no_scope(scope):
    with pytest.raises(UsageError, match=r"canonical form|JSON|surrogate"):
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
