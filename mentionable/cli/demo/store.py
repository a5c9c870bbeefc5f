"""The store of `mentionable demo policy`: replaces a database, a payment service and a consent page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..._flow.answers import Answers
from ..._flow.asks import Used, UseOnce
from ..._model.base import replace
from ..._model.issuance import Issuance
from ..._model.message import NormalizedMessage
from ..._wire.canonical_json import canonical_json
from ...policy import CheckConsent, CheckPayment, ConsentStatus, CountFailure, FindIssuance, PaymentStatus
from ...testing.lookups import use_in


class Store:
    """Turns, policy requirements, and the receipts that were used, paid or consented to.

    The demo is one thread. In a program `count_failure` and `use_once` are one atomic statement each.

    Attributes:
        turns: Message id → the message that a policy requirement interrupted.
        requirements: Key of a policy requirement, or of its task → its record.
        used: Key of a receipt → the binding that used it.
        paid: `signed_key` → the status of that payment at the payment service.
        granted: Key of a policy requirement → the scope that a person consented to.
        answers: Answers the asks of `accept` and `resume`.
    """

    def __init__(self) -> None:
        self.turns: dict[str, NormalizedMessage] = {}
        self.requirements: dict[str, Issuance] = {}
        self.used: dict[str, str] = {}
        self.paid: dict[str, PaymentStatus] = {}
        self.granted: dict[str, str] = {}
        self.answers = Answers(
            find_issuance=self.find_issuance,
            check_payment=self.check_payment,
            check_consent=self.check_consent,
            count_failure=self.count_failure,
            use_once=self.use_once,
        )

    def keep(self, turn: NormalizedMessage, record: Issuance, *, now: datetime) -> None:
        """Store a policy requirement and the turn that it interrupts, under each key that it may replace."""
        self.turns[turn.id] = turn
        for key in record.keys:
            if record.replaces(self.requirements.get(key), now=now):
                self.requirements[key] = record

    def find_issuance(self, ask: FindIssuance) -> Issuance | None:
        """The policy requirement under a key."""
        return self.requirements.get(ask.key)

    def check_payment(self, ask: CheckPayment) -> PaymentStatus | None:
        """The status of a payment."""
        return self.paid.get(signed_key(ask.receipt))

    def check_consent(self, ask: CheckConsent) -> ConsentStatus | None:
        """The consent that a person gave on our page."""
        return ConsentStatus(verified_by="our consent page") if self.granted.get(ask.key) == ask.scope_hash else None

    def count_failure(self, ask: CountFailure) -> int:
        """Count a receipt that was rejected."""
        record = self.requirements[ask.key]
        counted = replace(record, failures=record.failures + 1)
        self.requirements |= {key: counted for key, one in self.requirements.items() if one is record}
        return counted.failures

    def use_once(self, ask: UseOnce) -> Used:
        """What was under the key before."""
        return use_in(self.used, ask)


def signed_key(payment: Mapping[str, Any]) -> str:
    """The key of a payment at the payment service, from everything that the payer signed."""
    return canonical_json(payment).decode()
