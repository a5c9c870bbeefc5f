"""What the program of `mentionable demo policy` keeps, in place of a database, a facilitator and a consent page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..._flow.answers import Answers
from ..._flow.asks import UseOnce
from ..._model.base import replace
from ..._model.issuance import Issuance
from ..._model.message import NormalizedMessage
from ..._wire.canonical_json import canonical_json
from ...policy import CheckConsent, CheckPayment, ConsentStatus, CountFailure, FindIssuance, PaymentStatus


class Store:
    """Turns, demands, what was used, what was paid and what was consented to.

    The demo is one thread. In a program `count_failure` and `use_once` are one atomic statement each.

    Attributes:
        turns: Message id → a message that a demand answered.
        demands: Key of a demand → its record.
        places: Key, of a demand or of a task → the key of the demand that it names.
        used: What was used → by what.
        paid: `signed_key`, or the session of a checkout → what the facilitator or the provider saw of that payment.
        granted: Key of a demand → the scope that a person consented to on our page.
        answers: What answers the asks of `accept` and `resume`.
    """

    def __init__(self) -> None:
        self.turns: dict[str, NormalizedMessage] = {}
        self.demands: dict[str, Issuance] = {}
        self.places: dict[str, str] = {}
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
        """Keeps a demand and the turn that it interrupts, under those of its keys that it may take."""
        self.turns[turn.id] = turn
        self.demands[record.key] = record
        for key in record.keys:
            if record.replaces(self._kept(key), now=now):
                self.places[key] = record.key

    def find_issuance(self, ask: FindIssuance) -> Issuance | None:
        """The demand that is kept under a key."""
        return self._kept(ask.key)

    def _kept(self, key: str) -> Issuance | None:
        return self.demands.get(self.places.get(key, ""))

    def check_payment(self, ask: CheckPayment) -> PaymentStatus | None:
        """What was seen: of what a payer signed, by all of it; of a checkout, by the session that was offered."""
        session = ask.offer.get("session")
        return self.paid.get(signed_key(ask.receipt) if session is None else session)

    def check_consent(self, ask: CheckConsent) -> ConsentStatus | None:
        """What our consent page noted."""
        return ConsentStatus(verified_by="our consent page") if self.granted.get(ask.key) == ask.scope_hash else None

    def count_failure(self, ask: CountFailure) -> int:
        """Counts a receipt that did not fit."""
        record = self.demands[ask.key]
        record = self.demands[ask.key] = replace(record, failures=record.failures + 1)
        return record.failures

    def use_once(self, ask: UseOnce) -> bool:
        """Whether it was free, or used by the same before."""
        return self.used.setdefault(ask.key, ask.binding) == ask.binding


def signed_key(payment: Mapping[str, Any]) -> str:
    """The key under which the facilitator knows what a payer signed: every member counts."""
    return canonical_json(payment).decode()
