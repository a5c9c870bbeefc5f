"""`policy.resume`: the agent consumes the state of a completed demand, once, before it acts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from .._errors.exceptions import Code, UsageError, WireError, wire_error
from .._flow.asks import PolicyAsk, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Rejected, rejected
from .._flow.settings import check_entropy, check_now
from .._model.base import frozen
from .._model.issuance import MAX_LIFETIME, Issuance
from .._model.message import NormalizedMessage
from .._model.policy import ConsentConfirmation, PaymentConfirmation, PolicyResolution
from .._wire.canonical_json import canonical_json
from .._wire.ids import derive
from .._wire.time import parse_time
from ._binding import ReceiptContext, answered, check_binding, check_consent_time, issuance_of, payment_fault
from ._x402_terms import SCHEME_PREFIX, is_x402, network_of

_FOR_EVER: Final = datetime(9999, 12, 31, tzinfo=UTC)


@frozen
class Resumed:
    """The demand was completed, and the state is consumed: act now.

    Attributes:
        resolution: The completion. Never branch on its `verified_by`.
        record: The demand.
    """

    resolution: PolicyResolution
    record: Issuance


def resume(
    message: NormalizedMessage, *, subject: str | None = None, now: datetime, entropy: bytes
) -> Flow[PolicyAsk, Resumed | Rejected]:
    """Consume the state that a message completes: for agents, before they act.

    That a message has a `policy_resolution` proves nothing. It is looked up among your own demands, must be for this
    agent, sender, thread and offer, and is consumed by one atomic `UseOnce`: of all who try, one gets `Resumed`. It
    stays consumed when later work fails.

    Args:
        message: A message whose `policy_resolution` is set.
        subject: As for `accept`.
        now: The time, aware.
        entropy: At least 32 random bytes, other ones for each try. The same ones are the same try: a workflow that is
            taken up again after a crash gets the same answer.

    Returns:
        A flow of `Resumed`; or of `Rejected`: go on as if there were no resolution, and demand again. A temporary one
        is no reason to demand again, since it may have been paid: try once more, or answer that you cannot tell now.

    Raises:
        UsageError: An argument is of the wrong kind, or the message has no resolution.

    Spec: Normalized Message §3.4, §8; PolicyPart §PolicyResolution; PolicyPart §Security Rules.
    """
    check_now(now)
    check_entropy(entropy)
    if not isinstance(message, NormalizedMessage):
        raise UsageError("message must be a NormalizedMessage")
    resolution = message.policy_resolution
    if resolution is None:
        raise UsageError("the message has no policy_resolution: there is nothing to resume")
    return _resumed(message, resolution, subject, now, entropy)


def _resumed(
    message: NormalizedMessage, resolution: PolicyResolution, subject: str | None, now: datetime, entropy: bytes
) -> Flow[PolicyAsk, Resumed | Rejected]:
    #   1. look up the demand (ask: FindIssuance)
    #   2. check agent, thread, sender, and what was offered or asked for (ask on a mismatch: CountFailure)
    #   3. a consent must not have expired; a payment counts for one demand (ask: UseOnce)
    #   4. consume the state (ask: UseOnce)
    try:
        # 1.
        record = yield from issuance_of(resolution.in_reply_to_state, now)

        # 2.
        yield from check_binding(
            record, resolution.kind, ReceiptContext(message, subject), _confirmation_fault(record, resolution)
        )

        # 3. A payment is marked before the state is consumed: an attacker could show it to two demands at once.
        confirmation = resolution.confirmation
        if isinstance(confirmation, ConsentConfirmation):
            check_consent_time(confirmation.expires_at, now)
        else:
            for key in _marks_of(confirmation):
                yield from _use(key, record.key, _FOR_EVER, "transaction-reused")

        # 4. The same message with the same entropy is the same attempt, and succeeds again.
        attempt = f"{message.id} {derive('policy.resume', entropy, message.id).hex()}"
        yield from _use(
            f"policy-state:{record.key}", attempt, parse_time(record.expires_at) + MAX_LIFETIME, "already-consumed"
        )
        return Resumed(resolution=resolution, record=record)
    except WireError as error:
        return rejected(error)


def _confirmation_fault(record: Issuance, resolution: PolicyResolution) -> Code | None:
    """Why a confirmation is not of what was offered or asked for, or None."""
    confirmation = resolution.confirmation
    if isinstance(confirmation, PaymentConfirmation):
        return payment_fault(record, confirmation.scheme, confirmation.original_payload)
    return None if confirmation.scope_hash == record.scope_hash else "scope-mismatch"


def _marks_of(confirmation: PaymentConfirmation) -> Iterator[str]:
    """What tells one payment from every other, so that it counts for one demand only.

    A transaction is one of its scheme and network; all schemes of x402 settle alike, and name networks in two ways. The
    nonce is one of whoever signed it, whatever else they say.

    Spec: PolicyPart §Security Rules.
    """
    scheme, network = confirmation.scheme, confirmation.network
    if is_x402(scheme):
        scheme, network = SCHEME_PREFIX, network_of(confirmation.original_payload) or network
    if confirmation.transaction is not None:
        yield _mark("transaction", scheme, network, confirmation.transaction)
    nonce = confirmation.extra.get("nonce")
    if isinstance(nonce, str):
        yield _mark("nonce", confirmation.payer, nonce)


def _mark(what: str, *members: str | None) -> str:
    """A key for names that others spell: case, blanks around and the `0x` of EVM make no difference."""
    folded = [None if member is None else member.strip().casefold().removeprefix("0x") for member in members]
    return f"policy-{what}:{sha256(canonical_json(folded)).hexdigest()}"


def _use(key: str, binding: str, until: datetime, code: Code) -> Flow[UseOnce, None]:
    """Raises when `key` holds another binding. The same attempt may come again, and succeeds again."""
    if answered((yield from UseOnce(key=key, binding=binding, until=until)), "what was used before") == "other":
        raise wire_error(code)
