"""Payments by x402: read, and compared with what was offered."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given

from mentionable import WireError
from mentionable._model.payment import Transfer
from mentionable.policy._x402_payment import fits, x402_payment, x402_payment_from
from mentionable.testing import strategies
from tests.policy.x402_samples import (
    NONCE,
    OFFERED,
    PAY_TO,
    PAYER,
    PAYLOADS,
    PERMITTED,
    REQUIREMENTS,
    RESOURCE,
    SIGNED,
    changed,
    floated,
    mandate,
    submitted,
)

VERSIONS = pytest.mark.parametrize("version", [1, 2])
BY_PERMIT = {**PAYLOADS[2], "payload": PERMITTED}
BY_TRANSACTION = {"transaction": "AQAB"}


def pays(payload, offered=None):
    return fits(x402_payment(submitted(payload)), OFFERED[payload["x402Version"]] if offered is None else offered)


# -- reading


def test_a_payment_of_version_1_is_read():
    found = x402_payment(submitted(PAYLOADS[1]))
    assert (found.version, found.scheme, found.network) == (1, "x402.exact", "base-sepolia")
    assert (found.payload, found.accepted, found.resource) == (PAYLOADS[1], None, None)
    assert (found.payer, found.nonce, found.transfer) == (PAYER, NONCE, Transfer(PAY_TO, "10000"))


def test_a_payment_of_version_2_is_read():
    found = x402_payment(submitted(PAYLOADS[2]))
    assert (found.version, found.scheme, found.network) == (2, "x402.exact", "eip155:84532")
    assert (found.payload, found.accepted, found.resource) == (PAYLOADS[2], REQUIREMENTS[2], RESOURCE)
    assert (found.payer, found.nonce, found.transfer) == (PAYER, NONCE, Transfer(PAY_TO, "10000"))


def test_a_payment_by_permit_is_read():
    found = x402_payment(submitted(BY_PERMIT))
    assert (found.payer, found.nonce) == (PAYER, "0x" + "4d".rjust(64, "0"))
    assert found.transfer == Transfer(PAY_TO, "10000", REQUIREMENTS[2]["asset"])


def test_a_payment_of_another_chain_is_read_without_its_payer():
    found = x402_payment(submitted({**PAYLOADS[2], "payload": BY_TRANSACTION}))
    assert (found.payer, found.nonce, found.transfer) == (None, None, None)


@VERSIONS
def test_a_payment_after_a_hop_through_protobuf_is_the_same(version):
    found = x402_payment(submitted(floated(PAYLOADS[version])))
    assert repr(found) == repr(x402_payment(submitted(PAYLOADS[version])))


def test_reading_changes_nothing():
    metadata = submitted(floated(PAYLOADS[2]))
    before = copy.deepcopy(metadata)
    x402_payment(metadata)
    assert repr(metadata) == repr(before)


@pytest.mark.parametrize("spelling", [NONCE, "0x" + NONCE[2:].upper(), "0X" + NONCE[2:]], ids=["low", "high", "mixed"])
def test_a_nonce_has_one_spelling(spelling):
    assert x402_payment_from(changed(PAYLOADS[1], "payload/authorization/nonce", spelling)).nonce == NONCE


def test_a_nonce_of_a_permit_has_one_spelling():
    found = x402_payment_from(changed(BY_PERMIT, "payload/permit2Authorization/nonce", "0077"))
    assert found.nonce == x402_payment_from(BY_PERMIT).nonce


def test_a_payload_by_itself_is_read():
    assert x402_payment_from(PAYLOADS[2]) == x402_payment(submitted(PAYLOADS[2]))


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        [],
        {},
        {"x402.payment.payload": PAYLOADS[2]},
        {**submitted(PAYLOADS[2]), "x402.payment.status": "payment-completed"},
        {**submitted(PAYLOADS[2]), "x402.payment.status": "payment-verified"},
        {**submitted(PAYLOADS[2]), "x402.payment.status": "payment-rejected"},
        {**submitted(PAYLOADS[2]), "x402.payment.status": ["payment-submitted"]},
        {
            "x402.payment.status": "payment-completed",
            "x402.payment.receipts": [{"success": True, "transaction": "0xabc", "network": "base"}],
        },
    ],
)
def test_only_a_payment_that_is_submitted_is_one(metadata):
    assert x402_payment(metadata) is None


def test_receipts_that_a_payer_sends_are_not_looked_at():
    metadata = {**submitted(PAYLOADS[2]), "x402.payment.receipts": "paid, honestly"}
    assert x402_payment(metadata) == x402_payment(submitted(PAYLOADS[2]))


FAULTS = [
    (1, "x402Version", 3),
    (1, "x402Version", True),
    (1, "x402Version", "1"),
    (1, "x402Version", ...),
    (1, "scheme", ...),
    (1, "scheme", ""),
    (1, "network", 8453),
    (1, "payload", ...),
    (1, "payload", "0x"),
    (1, "payload/signature", ...),
    (1, "payload/signature", None),
    (1, "payload/authorization", None),
    (1, "payload/authorization", "0x"),
    (1, "payload/authorization/from", ...),
    (1, "payload/authorization/to", 7),
    (1, "payload/authorization/value", 10000),
    (1, "payload/authorization/value", 10000.0),
    (1, "payload/authorization/validAfter", 0),
    (1, "payload/authorization/validBefore", ...),
    (1, "payload/authorization/nonce", None),
    (1, "payload/authorization/nonce", "f374"),
    (1, "payload/authorization/nonce", "0x"),
    (1, "payload/authorization/nonce", "0x" + "0" * 65),
    (1, "payload/authorization/nonce", "77"),
    (1, "payload/authorization/nonce", " 1"),
    (2, "x402Version", 3),
    (2, "x402Version", 2.5),
    (2, "accepted", ...),
    (2, "accepted", "exact"),
    (2, "accepted/scheme", ...),
    (2, "accepted/amount", 10000),
    (2, "accepted/payTo", None),
    (2, "accepted/maxTimeoutSeconds", True),
    (2, "resource", "https://shop.example/report"),
    (2, "payload", []),
    (2, "payload/authorization/value", 10000),
]


@pytest.mark.parametrize(("version", "place", "value"), FAULTS, ids=repr)
def test_a_payment_with_a_fault_is_refused_and_the_place_is_named(version, place, value):
    with pytest.raises(WireError) as caught:
        x402_payment(submitted(changed(PAYLOADS[version], place, value)))
    assert caught.value.code == "receipt-malformed"
    assert [problem.at for problem in caught.value.problems] == ["/x402.payment.payload/" + place]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("payload/permit2Authorization", None),
        ("payload/permit2Authorization/from", ...),
        ("payload/permit2Authorization/nonce", 77),
        ("payload/permit2Authorization/nonce", "0x4d"),
        ("payload/permit2Authorization/nonce", "-1"),
        ("payload/permit2Authorization/deadline", ...),
        ("payload/permit2Authorization/spender", None),
        ("payload/permit2Authorization/permitted", ...),
        ("payload/permit2Authorization/permitted/amount", 10000),
        ("payload/permit2Authorization/permitted/token", ...),
        ("payload/permit2Authorization/witness", "0x"),
        ("payload/permit2Authorization/witness/to", ...),
        ("payload/signature", ...),
    ],
)
def test_a_permit_with_a_fault_is_refused_and_the_place_is_named(place, value):
    with pytest.raises(WireError) as caught:
        x402_payment(submitted(changed(BY_PERMIT, place, value)))
    assert caught.value.code == "receipt-malformed"
    assert [problem.at for problem in caught.value.problems] == ["/x402.payment.payload/" + place]


@pytest.mark.parametrize(
    "payload",
    [
        "0x",
        [PAYLOADS[1]],
        {**PAYLOADS[1], "extra": 2**53},
        {**PAYLOADS[1], "payload": {**SIGNED, "big": [-(2**53)]}},
        {**PAYLOADS[2], "payload": {**SIGNED, "half": "\ud800"}},
    ],
)
def test_a_payload_without_canonical_form_is_refused(payload):
    with pytest.raises(WireError) as caught:
        x402_payment(submitted(payload))
    assert (caught.value.code, caught.value.problems[0].at) == ("receipt-malformed", "/x402.payment.payload")


def test_of_two_authorizations_none_counts():
    with pytest.raises(WireError, match="two authorizations"):
        x402_payment_from({**PAYLOADS[2], "payload": {**PERMITTED, **SIGNED}})


def test_a_permit_means_nothing_in_version_1():
    found = x402_payment_from({**PAYLOADS[1], "payload": PERMITTED})
    assert (found.payer, found.transfer) == (None, None)
    assert not fits(found, OFFERED[1])


def read_or_refused(metadata, parts):
    try:
        x402_payment(metadata, parts=parts)
    except WireError as error:
        return error.code
    return "read"


@given(strategies.json_objects(), strategies.json_objects())
def test_any_payload_is_read_or_refused(odd, other):
    for payload in (odd, {**PAYLOADS[1], **odd}, {**PAYLOADS[2], "payload": {**odd, "authorization": other}}):
        for metadata, parts in ((submitted(payload), ()), ({"x402.payment.status": "payment-submitted"}, [odd])):
            assert read_or_refused(metadata, parts) in ("read", "receipt-malformed")


# -- payment mandates of AP2


EMBEDDED = {"x402.payment.status": "payment-submitted"}


@pytest.mark.parametrize("nested", [False, True])
def test_the_payment_in_a_mandate_is_found(nested):
    parts = [{"text": "Here."}, mandate("token", method="basic-card"), mandate(PAYLOADS[1], nested=nested)]
    before = copy.deepcopy(parts)
    assert x402_payment(EMBEDDED, parts=parts) == x402_payment(submitted(PAYLOADS[1]))
    assert parts == before


def test_metadata_goes_before_mandates():
    found = x402_payment(submitted(PAYLOADS[2]), parts=[mandate(PAYLOADS[1])])
    assert found.version == 2


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [{"text": "Here."}],
        [{"data": {"ap2.mandates.PaymentMandate": 7}}],
        [{"data": {"ap2.mandates.PaymentMandate": {"payment_details": {}}}}],
        [mandate(PAYLOADS[1]), mandate(PAYLOADS[1])],
    ],
)
def test_without_exactly_one_payment_it_is_refused(parts):
    with pytest.raises(WireError) as caught:
        x402_payment(EMBEDDED, parts=parts)
    assert (caught.value.code, caught.value.problems[0].at) == ("receipt-malformed", "/x402.payment.payload")


def test_a_fault_in_a_mandate_is_named_with_its_place():
    with pytest.raises(WireError) as caught:
        x402_payment(EMBEDDED, parts=[mandate({**PAYLOADS[1], "x402Version": 3})])
    place = "/parts/0/data/ap2.mandates.PaymentMandate/payment_details/payment_method/data/x402Version"
    assert caught.value.problems[0].at == place


# -- fitting an offer


@VERSIONS
def test_a_payment_fits_what_was_offered(version):
    assert pays(PAYLOADS[version])
    assert pays(floated(PAYLOADS[version]))
    assert pays(PAYLOADS[version], floated(OFFERED[version]))


def test_a_permit_fits_what_was_offered():
    assert pays(BY_PERMIT)


def test_a_transaction_fits_in_version_2_alone():
    assert pays({**PAYLOADS[2], "payload": BY_TRANSACTION})
    assert not pays({**PAYLOADS[1], "payload": BY_TRANSACTION})


def test_accounts_of_evm_are_compared_in_any_case():
    for version in (1, 2):
        assert pays(changed(PAYLOADS[version], "payload/authorization/to", PAY_TO.lower()))
    shouted = "0x" + BY_PERMIT["payload"]["permit2Authorization"]["permitted"]["token"][2:].upper()
    assert pays(changed(BY_PERMIT, "payload/permit2Authorization/permitted/token", shouted))


def test_other_accounts_are_compared_exactly():
    offered = changed(OFFERED[1], "requirement/payTo", "TAlice")
    payment = changed(PAYLOADS[1], "payload/authorization/to", "TAlice")
    assert pays(payment, offered)
    assert not pays(changed(PAYLOADS[1], "payload/authorization/to", "talice"), offered)
    assert not pays(changed(PAYLOADS[1], "payload/authorization/to", PAY_TO.lower()), offered)


@pytest.mark.parametrize(
    ("payload", "place", "value"),
    [
        (PAYLOADS[1], "scheme", "upto"),
        (PAYLOADS[1], "network", "base"),
        (PAYLOADS[1], "payload/authorization/to", PAYER),
        (PAYLOADS[1], "payload/authorization/value", "9999"),
        (PAYLOADS[1], "payload/authorization/value", "010000"),
        (PAYLOADS[1], "payload/authorization/value", "0x2710"),
        (PAYLOADS[1], "payload/authorization/value", "10000.0"),
        (PAYLOADS[1], "payload/authorization/value", "10001"),
        (PAYLOADS[2], "accepted/scheme", "upto"),
        (PAYLOADS[2], "accepted/network", "eip155:8453"),
        (PAYLOADS[2], "accepted/amount", "1"),
        (PAYLOADS[2], "accepted/asset", PAYER),
        (PAYLOADS[2], "accepted/payTo", PAYER),
        (PAYLOADS[2], "accepted/payTo", PAY_TO.lower()),
        (PAYLOADS[2], "accepted/maxTimeoutSeconds", 301),
        (PAYLOADS[2], "accepted/extra", {"name": "USDC"}),
        (PAYLOADS[2], "accepted/extra", ...),
        (PAYLOADS[2], "accepted/colour", "red"),
        (PAYLOADS[2], "resource/url", "https://shop.example/other"),
        (PAYLOADS[2], "resource/description", "Another report"),
        (PAYLOADS[2], "resource", {}),
        (PAYLOADS[2], "payload/authorization/to", PAYER),
        (PAYLOADS[2], "payload/authorization/value", "9999"),
        (BY_PERMIT, "payload/permit2Authorization/witness/to", PAYER),
        (BY_PERMIT, "payload/permit2Authorization/permitted/amount", "9999"),
        (BY_PERMIT, "payload/permit2Authorization/permitted/token", PAYER),
    ],
)
def test_a_payment_of_something_else_does_not_fit(payload, place, value):
    assert not pays(changed(payload, place, value))


def test_one_and_true_are_different():
    offered = changed(OFFERED[2], "requirement/extra", {"fee": 1})
    assert pays(changed(PAYLOADS[2], "accepted/extra", {"fee": 1.0}), offered)
    assert not pays(changed(PAYLOADS[2], "accepted/extra", {"fee": True}), offered)


def test_the_resource_need_not_be_repeated():
    assert pays(changed(PAYLOADS[2], "resource", ...))
    assert pays(changed(PAYLOADS[2], "resource", None))


def test_a_resource_where_none_was_offered_does_not_fit():
    assert not pays(PAYLOADS[2], changed(OFFERED[2], "resource", ...))
    assert pays(changed(PAYLOADS[2], "resource", ...), changed(OFFERED[2], "resource", ...))


def test_members_that_say_nothing_are_the_same_as_none():
    bare = changed(OFFERED[2], "requirement/extra", ...)
    assert pays(changed(PAYLOADS[2], "accepted/extra", {}), bare)
    assert pays(changed(PAYLOADS[2], "accepted/extra", None), bare)
    assert pays(changed(PAYLOADS[2], "resource/serviceName", None))
    assert pays(changed(PAYLOADS[2], "accepted/extra", ...), changed(OFFERED[2], "requirement/extra", {}))


@pytest.mark.parametrize(
    "offered",
    [
        {},
        OFFERED[1],
        {**OFFERED[2], "x402Version": True},
        {**OFFERED[2], "x402Version": 3},
        {**OFFERED[2], "requirement": None},
        changed(OFFERED[2], "requirement/amount", 10000),
        changed(OFFERED[2], "requirement/extra/big", 2**53),
    ],
)
def test_nothing_fits_what_is_no_offer_of_that_version(offered):
    assert not pays(PAYLOADS[2], offered)


def test_a_version_fits_only_its_own():
    assert not pays(PAYLOADS[1], OFFERED[2])
    assert not fits(x402_payment_from(PAYLOADS[2]), {"x402Version": 1, "requirement": REQUIREMENTS[1]})
