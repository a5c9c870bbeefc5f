"""Payments by x402 as a payer sends them: read, and compared with what was offered.

Nothing here proves that money moved. A payment that fits an offer is a candidate until a facilitator confirms it; what
a payer says about receipts is ignored.

Spec: PolicyPart §PolicyResolution; x402 v1 §5.2, v2 §5.2; A2A x402 extension v0.2 §5.5, §7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from .._errors.exceptions import WireError, wire_error
from .._model.issuance import Candidate
from .._model.payment import Payment, Transfer
from .._wire.canonical_json import canonical_json
from .._wire.strict_json import pointer
from ._ap2 import payments_in
from ._x402_terms import (
    AMOUNT,
    PAYLOAD,
    SCHEME_PREFIX,
    STATUS,
    fault_in,
    is_name,
    is_same_account,
    version_of,
    with_whole_number,
)

_SIGNED: Final = ("from", "to", "value", "validAfter", "validBefore", "nonce")
"""The members of an EIP-3009 authorization, all of them strings."""

_NONCE: Final = re.compile(r"0[xX][0-9a-fA-F]{1,64}").fullmatch
_PERMIT_NONCE: Final = re.compile(r"[0-9]{1,78}").fullmatch


def x402_payment(metadata: Any, *, parts: Iterable[Any] = ()) -> Payment | None:
    """The payment in the metadata of a message, or in the payment mandate that it points to; None when there is none.

    Only `payment-submitted` is a payment: `payment-completed`, `payment-verified` and receipts are for the seller to
    say, and are not looked at.

    Args:
        metadata: `metadata` of the message.
        parts: The parts of the message as JSON, read only when the metadata has no payload (AP2).

    Raises:
        WireError: `receipt-malformed`: the message says that a payment is submitted, and it cannot be read. The place
            is in the metadata, or under `/parts`.

    Spec: A2A x402 extension v0.2 §5.5; x402 v1 §5.2, v2 §5.2.
    """
    if metadata.__class__ is not dict or metadata.get(STATUS) != "payment-submitted":
        return None
    if metadata.get(PAYLOAD) is not None:
        return _payment(metadata[PAYLOAD], pointer(PAYLOAD))
    payments = list(payments_in(parts))
    if len(payments) != 1:
        _refuse(pointer(PAYLOAD), "neither the metadata nor exactly one payment mandate has the payload")
    at, payload = payments[0]
    return _payment(payload, "/parts" + at)


def x402_payment_from(payload: Any) -> Payment:
    """The payment in a payload of x402 by itself, as it comes in a header or body of HTTP once it is decoded.

    Raises:
        WireError: `receipt-malformed`.

    Spec: x402 v1 §5.2, v2 §5.2.
    """
    return _payment(payload, "")


def payment_candidate(payment: Payment, task_id: str) -> Candidate:
    """The candidate of a payment by x402, which names no state: the task identifies it."""
    return Candidate(
        kind="payment_required",
        task_id=task_id,
        scheme=payment.scheme,
        payer=payment.payer,
        receipt=payment.payload,
    )


def fits(payment: Payment, offered: Mapping[str, Any]) -> bool:
    """Whether a payment pays exactly this offer.

    In version 2 the payer repeats the requirement and may repeat the resource: both must be the offered ones, compared
    by their canonical bytes; null, and an `extra` with nothing in it, are the same as nothing. In version 1 only the
    scheme and the network are repeated, so what was signed must go to the offered account and be the offered amount; a
    payload that does not show that fits nothing. In version 2 it must, too, wherever the payload shows it.

    Accounts of EVM are compared in any case, amounts as strings.

    Args:
        payment: What `x402_payment` read.
        offered: `payload` of the way to pay that was offered.

    Spec: PolicyPart §PolicyResolution; x402 v1 §6.1, v2 §6.1.
    """
    requirement = offered.get("requirement")
    if version_of(offered) != payment.version or requirement.__class__ is not dict:
        return False
    if fault_in(requirement, payment.version) is not None:
        return False
    if payment.scheme != SCHEME_PREFIX + requirement["scheme"] or payment.network != requirement["network"]:
        return False
    transfer = payment.transfer
    if transfer is None:
        if payment.version == 1:
            return False
    elif (
        not is_same_account(transfer.to, requirement["payTo"])
        or transfer.value != requirement[AMOUNT[payment.version]]
        or (transfer.asset is not None and not is_same_account(transfer.asset, requirement["asset"]))
    ):
        return False
    return payment.version == 1 or (
        _is_equal(payment.accepted, requirement)
        and (payment.resource is None or _is_equal(payment.resource, offered.get("resource")))
    )


def _is_equal(one: Any, other: Any) -> bool:
    """Whether two objects are the same by their canonical bytes, members that say nothing left out."""
    try:
        return other.__class__ is dict and canonical_json(_significant(one)) == canonical_json(_significant(other))
    except WireError:  # no payer can repeat an offer without canonical form
        return False


def _significant(document: dict[str, Any]) -> dict[str, Any]:
    """The members of a requirement or resource that say something: the types of some peers fill in the others."""
    return {
        name: member
        for name, member in document.items()
        if member is not None and not (name == "extra" and member == {})
    }


def _payment(payload: Any, at: str) -> Payment:
    """Reads the object that a payer signed."""
    if payload.__class__ is not dict:
        _refuse(at, "expected an object")
    try:
        canonical_json(payload)
    except WireError as error:
        _refuse(at, f"it has no canonical form: {error}")
    version = version_of(payload)
    if version is None:
        _refuse(at + "/x402Version", "expected version 1 or 2")
    written = with_whole_number(payload, "x402Version")
    chosen: dict[str, Any] = written
    accepted: dict[str, Any] | None = None
    resource: dict[str, Any] | None = None
    if version == 1:
        for name in ("scheme", "network"):
            _expect(is_name(written.get(name)), at + pointer(name), "expected a string")
    else:
        chosen = _object(written, "accepted", at)
        fault = fault_in(chosen, version)
        _expect(fault is None, f"{at}/accepted/{fault}", "missing, or not of the form that x402 says")
        accepted = chosen = written["accepted"] = with_whole_number(chosen, "maxTimeoutSeconds")
        resource = written.get("resource")
        _expect(resource is None or resource.__class__ is dict, at + "/resource", "expected an object")
    signed = _object(written, "payload", at)
    payer, nonce, transfer = _signed(signed, version, at + "/payload")
    return Payment(
        version=version,
        scheme=SCHEME_PREFIX + chosen["scheme"],
        network=chosen["network"],
        payload=written,
        accepted=accepted,
        resource=resource,
        payer=payer,
        nonce=nonce,
        transfer=transfer,
    )


def _signed(signed: dict[str, Any], version: int, at: str) -> tuple[str | None, str | None, Transfer | None]:
    """Who pays, the nonce and the transfer, of the two forms that chains of EVM have; nothing of any other."""
    by_permit = version > 1 and "permit2Authorization" in signed
    if "authorization" not in signed:
        return _permitted(signed, at) if by_permit else (None, None, None)
    _expect(not by_permit, at, "has two authorizations")
    authorization = _object(signed, "authorization", at)
    _need(authorization, _SIGNED, at + "/authorization")
    _need(signed, ("signature",), at)
    nonce = authorization["nonce"]
    _expect(_NONCE(nonce) is not None, at + "/authorization/nonce", "expected 32 bytes in hex behind 0x")
    transfer = Transfer(authorization["to"], authorization["value"])
    return authorization["from"], _spelled(int(nonce, 16)), transfer


def _permitted(signed: dict[str, Any], at: str) -> tuple[str, str, Transfer]:
    """The same of a Permit2 authorization."""
    permit = _object(signed, "permit2Authorization", at)
    at_permit = at + "/permit2Authorization"
    _need(permit, ("from", "nonce", "deadline", "spender"), at_permit)
    permitted, witness = _object(permit, "permitted", at_permit), _object(permit, "witness", at_permit)
    _need(permitted, ("token", "amount"), at_permit + "/permitted")
    _need(witness, ("to",), at_permit + "/witness")
    _need(signed, ("signature",), at)
    nonce = permit["nonce"]
    _expect(_PERMIT_NONCE(nonce) is not None, at_permit + "/nonce", "expected a decimal number")
    return permit["from"], _spelled(int(nonce)), Transfer(witness["to"], permitted["amount"], permitted["token"])


def _spelled(nonce: int) -> str:
    """The nonce in its one spelling: the same number in other letters must not pass for another nonce."""
    return f"0x{nonce:064x}"


def _object(document: dict[str, Any], name: str, at: str) -> dict[str, Any]:
    """The member `name`, which must be an object."""
    member = document.get(name)
    if not isinstance(member, dict):
        _refuse(at + pointer(name), "expected an object")
    return member


def _need(document: dict[str, Any], names: Iterable[str], at: str) -> None:
    """Holds that each of these members is a string; a number would be rounded somewhere."""
    for name in names:
        _expect(is_name(document.get(name)), at + pointer(name), "expected a string")


def _expect(holds: bool, at: str, rule: str) -> None:
    if not holds:
        _refuse(at, rule)


def _refuse(at: str, rule: str) -> NoReturn:
    """Refuses the payment.

    Raises:
        WireError: `receipt-malformed`.
    """
    raise wire_error("receipt-malformed", at, rule)
