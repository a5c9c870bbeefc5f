"""`policy.accept`: verify that a receipt is for a demand of yours, and that the payment or consent took place.

Nothing is consumed here: adapters and callbacks accept, the agent resumes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from .._errors.exceptions import Code, UsageError, WireError, wire_error
from .._flow.asks import CheckConsent, CheckPayment, CountFailure, PolicyAsk
from .._flow.flow import Flow
from .._flow.outcome import Rejected, rejected
from .._flow.settings import check_entropy, check_now
from .._model.base import frozen, replace
from .._model.issuance import Candidate, Issuance
from .._model.message import NormalizedMessage
from .._model.payment import Payment
from .._model.policy import ConsentConfirmation, PaymentConfirmation, PolicyResolution
from .._wire.ids import uuid7
from .._wire.time import format_time
from ._binding import (
    ReceiptContext,
    answered,
    check_binding,
    check_consent_time,
    issuance_of,
    key_of,
    payload_hash,
    payment_fault,
    task_state,
)
from ._x402_payment import fits, x402_payment_from
from ._x402_terms import SCHEME_PREFIX, is_same_account, is_x402

_SIGNED: Final = frozenset({"x402Version", "accepted", "payload"})
"""Members that a payment by x402 has, and a confirmation has not."""


@frozen
class Accepted:
    """A receipt that was verified.

    Attributes:
        resolution: The completion, for the agent. Its `resume` consumes the state; until then nothing has happened.
        record: The demand. `message_id` names the turn that it interrupted.
    """

    resolution: PolicyResolution
    record: Issuance


def accept(
    candidate: Candidate, *, message: NormalizedMessage | None = None, subject: str | None = None, now: datetime
) -> Flow[PolicyAsk, Accepted | Rejected]:
    """Verify a receipt: for adapters, with the message it came with; for callbacks, without one.

    The demand is looked up among yours. The receipt must be for this agent, sender and thread, and for exactly what was
    offered or asked for; then your verifier is asked. A receipt that does not fit is counted and consumes nothing.

    Args:
        candidate: The receipt: `Received.candidate`, or what your callback received.
        message: The message that it came with. None for a callback: then `subject` alone identifies the payer.
        subject: The payer in your own terms, for demands that were issued with a subject: the account that is signed
            in.
        now: The time, aware.

    Returns:
        A flow of `Accepted`; or of `Rejected`: go on as if there were no receipt, and demand again. A temporary one is
        no reason to demand again, since it may have been paid: answer that you cannot tell just now.

    Raises:
        UsageError: An argument is of the wrong kind, or a receipt that names a task comes without a message. Nothing
            else in the receipt makes it raise.

    Spec: PolicyPart §PolicyResolution, §Resumption Patterns; Normalized Message §3.4, §8.
    """
    check_now(now)
    if not isinstance(candidate, Candidate):
        raise UsageError("candidate must be a Candidate(...), such as Received.candidate")
    if message is not None and not isinstance(message, NormalizedMessage):
        raise UsageError("message must be the NormalizedMessage that the receipt came with")
    if message is None and candidate.state is None:
        raise UsageError("a receipt that names a task needs the message that it came with")
    return _accepted(candidate, ReceiptContext(message, subject), now)


def _accepted(candidate: Candidate, context: ReceiptContext, now: datetime) -> Flow[PolicyAsk, Accepted | Rejected]:
    # A receipt that is not for this demand costs one `CountFailure` and no more; the verifier is asked last:
    #   1. take the state that the receipt names, or derive the one of its task
    #   2. look up the demand (ask: FindIssuance)
    #   3. check agent, thread, sender, and what was offered or asked for (ask on a mismatch: CountFailure)
    #   4. have the payment or the consent verified (ask: CheckPayment or CheckConsent)
    try:
        # 1.
        message = context.message
        if message is None or candidate.task_id is None:
            state = candidate.state or ""
        else:
            state = task_state(message.recipient, message.sender.address, candidate.task_id)

        # 2. The state of a task is no secret: a receipt may name the task, never that state.
        record = yield from issuance_of(state, now)
        if candidate.state is not None and key_of(state) != record.key:
            raise wire_error("state-unknown")

        # 3. and 4.
        if candidate.kind == "payment_required":
            resolution = yield from _verify_payment(candidate, state, record, context)
        else:
            resolution = yield from _verify_consent(candidate, state, record, context, now)
        return Accepted(resolution=resolution, record=record)
    except WireError as error:
        return rejected(error)


def _payment_in(candidate: Candidate) -> Payment | None:
    """The payment by x402 in a receipt. A receipt that echoes its offer may be something else.

    Raises:
        WireError: `receipt-malformed`: it is one, and cannot be read; no verifier may read it in another way.
    """
    receipt = candidate.receipt
    if not is_x402(candidate.scheme or "") or (candidate.original_payload is not None and _SIGNED.isdisjoint(receipt)):
        return None
    if candidate.original_payload is not None and receipt.get("scheme") == candidate.scheme:
        # What repeats the offer names the scheme as we do; a payment of version 1 has the same member.
        receipt = {**receipt, "scheme": (candidate.scheme or "").removeprefix(SCHEME_PREFIX)}
    return x402_payment_from(receipt)


def _offer_paid(
    record: Issuance, candidate: Candidate, payment: Payment | None
) -> tuple[Mapping[str, Any], Code | None]:
    """The payload of the offer that a receipt is for, or why it is for none."""
    scheme, echoed = candidate.scheme or "", candidate.original_payload
    fault = None if echoed is None else payment_fault(record, scheme, echoed)
    if fault is not None:
        return {}, fault
    hashed = None if echoed is None else payload_hash(echoed)
    offered = {
        offer.payload_hash: echoed if offer.payload is None else offer.payload
        for offer in record.offers
        if offer.scheme == scheme and hashed in (None, offer.payload_hash)
    }
    if not offered:
        return {}, "scheme-not-offered"
    payloads = [payload for payload in offered.values() if payload is not None]
    fitting = payloads if payment is None else [payload for payload in payloads if fits(payment, payload)]
    if len(fitting) != 1:  # without an echo, two offers of one scheme are ambiguous
        return {}, "payload-mismatch"
    return fitting[0], None


def _verify_payment(
    candidate: Candidate, state: str, record: Issuance, context: ReceiptContext
) -> Flow[CountFailure | CheckPayment, PolicyResolution]:
    """Steps 3 and 4 for a payment."""
    scheme, receipt, payment = candidate.scheme or "", candidate.receipt, _payment_in(candidate)
    payload, fault = _offer_paid(record, candidate, payment)
    yield from check_binding(record, "payment_required", context, fault)
    paid = answered(
        (yield from CheckPayment(key=record.key, scheme=scheme, offer=payload, receipt=receipt, payment=payment)),
        "the payment",
    )
    if paid is None:
        raise wire_error("payment-unverified")
    claimed = candidate.payer if payment is None else payment.payer
    if claimed is not None and paid.payer is not None and not is_same_account(claimed, paid.payer):
        raise wire_error("payer-mismatch")
    nonce = None if payment is None else payment.nonce
    return PolicyResolution(
        in_reply_to_state=state,
        kind="payment_required",
        confirmation=PaymentConfirmation(
            scheme=scheme,
            original_payload=payload,
            transaction=paid.transaction,
            payer=paid.payer or (None if payment is None else payment.payer),
            network=paid.network or (None if payment is None else payment.network),
            extra={} if nonce is None else {"nonce": nonce},
        ),
        verified_by=paid.verified_by,
    )


def _verify_consent(
    candidate: Candidate, state: str, record: Issuance, context: ReceiptContext, now: datetime
) -> Flow[CountFailure | CheckConsent, PolicyResolution]:
    """Steps 3 and 4 for a consent."""
    scope = candidate.scope_hash or ""
    yield from check_binding(
        record, "consent_required", context, None if scope == record.scope_hash else "scope-mismatch"
    )
    granted = answered(
        (yield from CheckConsent(key=record.key, scope_hash=scope, receipt=candidate.receipt)), "the consent"
    )
    if granted is None:
        raise wire_error("consent-unverified")
    check_consent_time(granted.expires_at, now)
    return PolicyResolution(
        in_reply_to_state=state,
        kind="consent_required",
        confirmation=ConsentConfirmation(scope_hash=scope, expires_at=granted.expires_at),
        verified_by=granted.verified_by,
    )


def with_resolution(message: NormalizedMessage, accepted: Accepted) -> NormalizedMessage:
    """The message that a receipt came with, with its completion: for the agent, which then resumes.

    Raises:
        UsageError: `accepted` is not what `accept` returned, such as `Rejected`.

    Spec: PolicyPart §Resumption Patterns (in-band).
    """
    _check_accepted(accepted)
    return replace(message, policy_resolution=accepted.resolution)


def next_turn(turn: NormalizedMessage, accepted: Accepted, *, now: datetime, entropy: bytes) -> NormalizedMessage:
    """The turn that a demand interrupted, as a new message with its completion.

    For callbacks, whose receipt comes with no message. It repeats the first message, in its thread and from its sender,
    so the agent does what it was asked for, and the answer goes to the same place.

    Args:
        turn: The message that was answered by the demand, from your store: `accepted.record.message_id` names it.
        accepted: What `accept` returned.
        now: The time, aware.
        entropy: At least 32 random bytes.

    Raises:
        UsageError: It is not that message, or `accepted` is not what `accept` returned.

    Spec: PolicyPart §Resumption Patterns (out-of-band).
    """
    check_now(now)
    check_entropy(entropy)
    _check_accepted(accepted)
    if turn.id != accepted.record.message_id:
        raise UsageError("turn must be the message that the demand interrupted: accepted.record.message_id names it")
    return replace(
        turn,
        id=uuid7(now, entropy, "policy.next-turn"),
        in_reply_to=turn.id,
        received_at=format_time(now),
        policy_resolution=accepted.resolution,
    )


def _check_accepted(accepted: object) -> None:
    if not isinstance(accepted, Accepted):
        raise UsageError(
            f"accepted must be Accepted(...), not {type(accepted).__name__}: look at what accept() returned"
        )
