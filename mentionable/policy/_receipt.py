"""Receipts as the side that paid or consented sends them along with its next message.

Spec: PolicyPart §PolicyResolution, §Resumption Patterns (in-band); A2A x402 extension v0.2 §5.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._errors.exceptions import UsageError, WireError
from .._model.base import EMPTY_DICT
from .._model.codec import encode
from .._model.policy import ConsentConfirmation, ConsentRequired, PaymentConfirmation, PaymentRequired
from .._wire.strict_json import plain
from ._binding import payload_hash
from ._read import read_resolution
from ._x402_payment import x402_payment_from
from ._x402_terms import PAYLOAD, STATUS

_UNTRUSTED = "sender"
"""The `verified_by` of a receipt that only its sender verified. No receiver reads it."""


def receipt(
    demand: PaymentRequired | ConsentRequired, confirmation: PaymentConfirmation | ConsentConfirmation
) -> dict[str, Any]:
    """The metadata that shows a demand to be met: for `a2a.CallContext(receipt=...)`, or the body of a REST request.

    Args:
        demand: The demand as it came.
        confirmation: What was paid, by an offer of the demand and with its payload unchanged; or to what was consented.

    Raises:
        UsageError: The demand names no state, or the confirmation is of another kind or another offer.

    Spec: PolicyPart §PolicyResolution.

    Example:
        >>> from mentionable.policy import AcceptedPayment, PaymentConfirmation, PaymentRequired
        >>> offer = AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"})
        >>> demand = PaymentRequired(message="Pay.", accepted_payments=(offer,), state="s" * 22)
        >>> paid = PaymentConfirmation(scheme=offer.scheme, original_payload=offer.payload, transaction="tx1")
        >>> receipt(demand, paid)["mentionable"]["policy_resolution"]["confirmation"]["transaction"]
        'tx1'
    """
    if getattr(demand, "state", None) is None:
        raise UsageError("only a payment or a consent that names a state has such a receipt")
    if isinstance(demand, PaymentRequired):
        offers = [(offer.scheme, payload_hash(offer.payload)) for offer in demand.accepted_payments]
        if not isinstance(confirmation, PaymentConfirmation):
            raise UsageError("a payment is shown by a PaymentConfirmation")
        if (confirmation.scheme, payload_hash(confirmation.original_payload)) not in offers:
            raise UsageError("the confirmation is of an offer that the demand does not make")
    elif not isinstance(confirmation, ConsentConfirmation):
        raise UsageError("a consent is shown by a ConsentConfirmation")
    resolution = {
        "in_reply_to_state": demand.state,
        "kind": demand.kind,
        "confirmation": encode(confirmation),
        "verified_by": _UNTRUSTED,
    }
    return {"mentionable": {"policy_resolution": resolution}}


def x402_submission(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that submits a payment by x402: for `a2a.CallContext(receipt=...)`.

    Args:
        payload: The payment payload as a wallet signed it, of version 1 or 2.

    Raises:
        UsageError: It is no payment payload.

    Spec: A2A x402 extension v0.2 §5.5.
    """
    written = plain(payload)
    try:
        x402_payment_from(written)
    except WireError as error:
        raise UsageError(f"payload is no payment of x402: {error}") from None
    return {STATUS: "payment-submitted", PAYLOAD: written}


def check_receipt(value: object) -> dict[str, Any]:
    """The receipt that goes out with a call, as fresh JSON.

    Raises:
        UsageError: It is not what `receipt` or `x402_submission` gives.
    """
    members: dict[str, Any] = plain(value) if isinstance(value, Mapping) else {}
    hints: Any = members.get("mentionable")
    try:
        if STATUS in members:
            is_valid = members == x402_submission(members.get(PAYLOAD, EMPTY_DICT))
        else:
            is_valid = len(members) == 1 and hints.__class__ is dict and hints.keys() == {"policy_resolution"}
            read_resolution(hints["policy_resolution"] if is_valid else {})
    except (UsageError, WireError) as error:
        raise UsageError(f"receipt: not what policy.receipt() or policy.x402_submission() gives: {error}") from None
    if not is_valid:
        raise UsageError("receipt: not what policy.x402_submission() gives")
    return members
