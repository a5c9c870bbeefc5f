"""What has to be known of a demand and of its receipt: the asks of this room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from attrs import field

from .._flow.asks import Ask, UseOnce
from .._model.base import record, value
from .._model.issuance import Issuance
from .._model.rules import Timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._x402_payment import Payment


@value
class Paid:
    """What your verifier saw of a payment. Only what it saw, never what the payer said.

    Attributes:
        verified_by: Who verified it, for logs alone.
        transaction: The id of the transaction, by which a payment counts for one demand only.
        payer: Who paid.
        network: The network, where the scheme has one.
    """

    verified_by: str = "caller"
    transaction: str | None = None
    payer: str | None = None
    network: str | None = None


@value
class Granted:
    """What your records say of a consent.

    Attributes:
        verified_by: Who verified it, for logs alone.
        expires_at: When the consent ends; None: when it is revoked.
    """

    verified_by: str = "caller"
    expires_at: Timestamp | None = None


@record
class FindIssuance(Ask["Issuance | None"]):
    """Which demand did you store under this key? Keys are `Issuance.keys`; bound how often strangers may ask.

    Attributes:
        key: SHA-256 in hex.
    """

    key: str
    _member: ClassVar[str] = "find_issuance"
    _wanted: ClassVar[str] = "Issuance(...) or None"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return answer is None or isinstance(answer, Issuance)


@record
class CheckPayment(Ask["Paid | None"]):
    """Was this offer paid? Ask the facilitator, the payment provider, your ledger; the receipt alone proves nothing.

    Answer None when it was not paid, `Failed` when that cannot be found out just now. A payment that may count only
    once must be found by its transaction, which you give back in `Paid`.

    Attributes:
        key: The demand, `Issuance.key`.
        scheme: How it is said to be paid.
        offer: The payload that you offered.
        receipt: What the payer sent. Not to be believed.
        payment: The payment by x402 that the receipt is, read and compared with the offer; None where it is none, as of
            other schemes, or of a transaction that is said to have been made already. Never settle what stands in
            `receipt` then: nobody compared it.
    """

    key: str
    scheme: str
    offer: Mapping[str, Any] = field(hash=False, repr=False)
    receipt: Mapping[str, Any] = field(hash=False, repr=False)
    payment: Payment | None = field(default=None, hash=False, repr=False)
    _member: ClassVar[str] = "check_payment"
    _wanted: ClassVar[str] = "Paid(...) or None"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return answer is None or isinstance(answer, Paid)


@record
class CheckConsent(Ask["Granted | None"]):
    """Was consent given to this demand? Your consent page knows; the receipt alone proves nothing.

    Attributes:
        key: The demand, `Issuance.key`.
        scope_hash: What was consented to, as it was asked for.
        receipt: What came back. Not to be believed.
    """

    key: str
    scope_hash: str
    receipt: Mapping[str, Any] = field(hash=False, repr=False)
    _member: ClassVar[str] = "check_consent"
    _wanted: ClassVar[str] = "Granted(...) or None"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return answer is None or isinstance(answer, Granted)


@record
class CountFailure(Ask[int]):
    """Add one to `Issuance.failures` of this demand, atomically. How many are there now?

    Attributes:
        key: The demand, `Issuance.key`.
    """

    key: str
    _member: ClassVar[str] = "count_failure"
    _wanted: ClassVar[str] = "the number of failures so far"

    @staticmethod
    def _fits(answer: Any) -> bool:
        return answer.__class__ is int and answer > 0


PolicyAsk: TypeAlias = FindIssuance | CheckPayment | CheckConsent | CountFailure | UseOnce
"""Every ask that this room makes."""
