"""Policies and receipts as they come in: JSON that anybody may have written."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._bound_url import bound
from .._canonical import canonical_json
from .._errors import DecodeError, WireError, wire_error
from .._json import pointer
from .._model.issuance import Candidate
from .._model.policy import ConsentConfirmation, PaymentConfirmation, PolicyPart
from .._outcome import Diagnostic

_WHOLE_NUMBERS = ("retry_after_seconds",)
"""Members that are integers, and come as `30.0` from senders whose JSON has only one kind of number."""


class Found(NamedTuple):
    """What a wire says of a policy.

    Attributes:
        policy: The policy, or None when it counts for nothing.
        diagnostics: Why, or what of it was left out; each `at` is relative to the policy.
    """

    policy: PolicyPart | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_policy(value: Any, *, authority: str | None) -> Found:
    """A policy out of any JSON. It is never a success, whatever its kind.

    A URL that is not on the host of the agent that demands is left out: nobody shall be led elsewhere.

    Args:
        value: The JSON, as a strict loader gave it.
        authority: The host of the agent; None when nobody knows whose policy it is, and then no URL counts.

    Spec: PolicyPart §Base Fields, §3.6; decisions B11.
    """
    try:
        policy = _decoded(value)
    except WireError as error:
        problem = next(iter(error.problems), None)
        at, rule = ("", str(error)) if problem is None else problem
        return Found(None, (Diagnostic(code="policy-malformed", at=at, detail=rule),))
    return found_of(policy, authority)


def found_of(policy: PolicyPart, authority: str | None) -> Found:
    """A policy without the URLs that are not on the host of the agent that demands."""
    own, problems = bound(policy, authority or "")
    return Found(own, tuple([Diagnostic(code="url-refused", at=at, detail=rule) for at, rule in problems]))


def _decoded(value: Any) -> PolicyPart:
    from .._codec import decode

    if value.__class__ is not dict:
        raise wire_error("malformed", "", "a policy is an object")
    healed = {**value}
    for name in _WHOLE_NUMBERS:
        number = healed.get(name)
        if number.__class__ is float and number.is_integer():
            healed[name] = int(number)
    return decode(PolicyPart, healed)


def read_resolution(value: Any) -> Candidate:
    """A receipt in the form of a PolicyResolution, as a claim. Its `verified_by` is not looked at.

    Args:
        value: The JSON, as a strict loader gave it: the member `policy_resolution` of A2A metadata or a REST body.

    Raises:
        WireError: `receipt-malformed`, with every problem.

    Spec: PolicyPart §PolicyResolution; Normalized Message §3.4.
    """
    from .._codec import decode

    if value.__class__ is not dict:
        raise wire_error("receipt-malformed", "", "a resolution is an object")
    state, kind = value.get("in_reply_to_state"), value.get("kind")
    if state.__class__ is not str:
        raise wire_error("receipt-malformed", "/in_reply_to_state", "expected a string")
    if kind not in ("payment_required", "consent_required"):
        raise wire_error("receipt-malformed", "/kind", "expected payment_required or consent_required")
    claimed: Any = value.get("confirmation")
    try:
        canonical_json(claimed)
        if kind == "payment_required":
            paid = decode(PaymentConfirmation, claimed)
            return Candidate(
                kind=kind,
                state=state,
                scheme=paid.scheme,
                original_payload=paid.original_payload,
                payer=paid.payer,
                receipt=claimed,
            )
        return Candidate(
            kind=kind, state=state, scope_hash=decode(ConsentConfirmation, claimed).scope_hash, receipt=claimed
        )
    except WireError as error:
        raise _in_confirmation(error) from None


def _in_confirmation(error: WireError) -> WireError:
    """The same fault as one of the whole receipt."""
    problems = [problem._replace(at=pointer("confirmation") + problem.at) for problem in error.problems]
    return DecodeError("receipt-malformed", problems)
