"""Receipts as they come in: JSON that an attacker may have written."""

from __future__ import annotations

from typing import Any

from .._errors.exceptions import DecodeError, WireError, wire_error
from .._model.codec import decode_parsed
from .._model.issuance import Candidate
from .._model.policy import ConsentConfirmation, PaymentConfirmation
from .._wire.canonical_json import canonical_json
from .._wire.strict_json import is_text, pointer


def read_resolution(value: Any) -> Candidate:
    """A receipt in the form of a PolicyResolution, as a claim. Its `verified_by` is not looked at.

    Args:
        value: The JSON, as a strict loader gave it: the member `policy_resolution` of A2A metadata or a REST body.

    Raises:
        WireError: `receipt-malformed`, with every problem.

    Spec: PolicyPart §PolicyResolution; Normalized Message §3.4.
    """
    if value.__class__ is not dict:
        raise wire_error("receipt-malformed", "", "a resolution is an object")
    state, kind = value.get("in_reply_to_state"), value.get("kind")
    if state.__class__ is not str or not is_text(state):
        raise wire_error("receipt-malformed", "/in_reply_to_state", "expected a string")
    if kind not in ("payment_required", "consent_required"):
        raise wire_error("receipt-malformed", "/kind", "expected payment_required or consent_required")
    claimed: Any = value.get("confirmation")
    try:
        canonical_json(claimed)
        if kind == "payment_required":
            paid = decode_parsed(PaymentConfirmation, claimed)
            return Candidate(
                kind=kind,
                state=state,
                scheme=paid.scheme,
                original_payload=paid.original_payload,
                payer=paid.payer,
                receipt=claimed,
            )
        return Candidate(
            kind=kind, state=state, scope_hash=decode_parsed(ConsentConfirmation, claimed).scope_hash, receipt=claimed
        )
    except WireError as error:
        problems = [problem._replace(at=pointer("confirmation") + problem.at) for problem in error.problems]
        raise DecodeError("receipt-malformed", problems) from None
