"""What an agent stores of a demand that it issued, and what comes back as a receipt for one.

Spec: PolicyPart §PolicyResolution; Normalized Message §3.4.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from attrs import field

from .._errors.exceptions import Code
from .._wire.time import parse_time
from .annotation import InvalidMember
from .base import EMPTY_DICT, validated
from .rules import CanonicalAddress, Count, JsonObject, Name, Sha256, Timestamp

Resumable: TypeAlias = Literal["payment_required", "consent_required"]
"""The kinds of demand after which work is resumed."""

MAX_LIFETIME: Final = timedelta(hours=1)
"""How long a demand can be completed at most."""

MOST_FAILURES: Final = 3
"""So many wrong receipts make a state void."""


@validated
class Offer:
    """One way to pay that was offered.

    Attributes:
        scheme: Its scheme.
        payload_hash: SHA-256 of the canonical JSON of its payload.
        payload: The payload itself, for receipts that do not echo it. Leave it out of your store when you take none.
        extra: Members that this version does not know.
    """

    scheme: Name
    payload_hash: Sha256
    payload: JsonObject | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Issuance:
    """The record of one demand. It does not hold the state itself: whoever reads your store cannot answer with it.

    Attributes:
        key: SHA-256 of the state. `keys` are all under which to store it.
        kind: Which demand.
        agent: Who demands.
        threads: The threads in which the receipt may come: the one of the question, and the task of the answer.
        principal: The sender of the question.
        principal_verified: Whether that sender was verified. Then the one with the receipt must be, too.
        message_id: The question, which the demand interrupted.
        issued_at: When.
        expires_at: Until when it can be completed.
        aliases: Other keys under which to store it: by task, for receipts that name no state. `replaces` says whether.
        subject: Who it is in your own terms, when you bound it to them; else the subject of the evidence that a
            platform gave of the sender of the question, if it gave any.
        subject_method: The method of that evidence; None: the subject is in your own terms.
        offers: The ways to pay that were offered.
        scope_hash: What consent was asked for.
        failures: How many receipts did not fit; `CountFailure` adds one.
        consumed: Whether it was completed. What counts is `UseOnce`; set it after `resume`, so that a second
            completion is rejected before the agent runs.
        extra: Members that this version does not know.
    """

    key: Sha256
    kind: Resumable
    agent: CanonicalAddress
    threads: tuple[Name, ...]
    principal: CanonicalAddress
    principal_verified: bool
    message_id: Name
    issued_at: Timestamp
    expires_at: Timestamp
    aliases: tuple[Sha256, ...] = ()
    subject: Name | None = None
    subject_method: Name | None = None
    offers: tuple[Offer, ...] = ()
    scope_hash: Sha256 | None = None
    failures: Count = 0
    consumed: bool = False
    extra: JsonObject = EMPTY_DICT

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys under which to store it."""
        return (self.key, *self.aliases)

    def is_open(self, now: datetime) -> bool:
        """Whether it can still be completed, as far as the record says."""
        return record_fault(self, now) is None

    def replaces(self, stored: Issuance | None, *, now: datetime) -> bool:
        """Whether to store it where `stored` lies, if anything does.

        A task that any caller may write in names one demand: the first that is open, so that no caller is led to pay
        for what another one asked there. A demand to a verified caller replaces one to an unverified caller.

        Args:
            stored: What your store has under one of its `keys`.
            now: The time, aware.
        """
        return stored is None or self.principal_verified or not stored.is_open(now)

    def _check(self) -> None:
        if self.kind == "payment_required" and not self.offers:
            raise InvalidMember("a payment has offers")
        if self.kind == "consent_required" and self.scope_hash is None:
            raise InvalidMember("a consent has a scope_hash")


def record_fault(record: Issuance, now: datetime) -> Code | None:
    """Why a demand cannot be completed any more, or None."""
    if record.failures >= MOST_FAILURES:
        return "state-void"
    if record.consumed:
        return "already-consumed"
    if now >= parse_time(record.expires_at):
        return "state-expired"
    return None


@validated
class Candidate:
    """A receipt as it came in: a claim, until `policy.accept` has had it verified.

    Attributes:
        kind: For which demand.
        state: The state that it names; None when it names a task.
        task_id: The task that it names, where payments name no state.
        scheme: How was paid.
        original_payload: The payload of the offer as the payer echoes it; None when the scheme does not echo it.
        payer: Who paid, by their word.
        scope_hash: To what was consented.
        receipt: Everything that came, for whoever verifies it.
        extra: Members that this version does not know.
    """

    kind: Resumable
    state: str | None = field(default=None, repr=False)
    task_id: Name | None = None
    scheme: Name | None = None
    original_payload: JsonObject | None = None
    payer: str | None = None
    scope_hash: str | None = None
    receipt: JsonObject = field(default=EMPTY_DICT, repr=False)
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if (self.state is None) == (self.task_id is None):
            raise InvalidMember("names either a state or a task")
        if self.kind == "payment_required" and self.scheme is None:
            raise InvalidMember("a payment has a scheme")
        if self.kind == "consent_required" and (self.scope_hash is None or self.state is None):
            raise InvalidMember("a consent has a state and a scope_hash")
