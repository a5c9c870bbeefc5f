"""Two faults at once, of which the first one in order counts: `conformance/v0.1/policy/order-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_core_receipts import CONSENT, shown
from tests.vectors._policy_rows import (
    ELSEWHERE,
    INVOICE,
    LN,
    MALLORY,
    Case,
    agreed,
    given,
    granted,
    kept,
    one,
    paid,
    resolved,
    stored,
    turn,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

WHY = "One answer to one fault everywhere: the checks have an order, and what would tell more comes later."
ENDED = "2026-11-21T20:56:00Z"
OTHER = {**LN, "payload": {**INVOICE, "amount": 2}}
UNKNOWN = {"scheme": "pg.inicis", "payload": OTHER["payload"]}
USED = {"ONCE *": False}


def _pairs() -> Iterator[tuple[str, str, Any, Case, Case, Case, Any]]:
    """Name, code, record, changes of the message, the receipt, the resolution, and the account that is signed in."""
    right, away = resolved(), {"recipient": ELSEWHERE, "thread_id": "t2"}
    account = {"subject": "account-7"}
    elsewhere = {"recipient": ELSEWHERE}
    yield "malformed-unknown", "state-malformed", None, {}, paid(state="a"), resolved(state="a"), None
    yield "consumed-expired", "already-consumed", stored(consumed=True, expires_at=ENDED), {}, paid(), right, None
    yield "expired-kind", "state-expired", stored(expires_at=ENDED), {}, granted(), agreed(), None
    yield "kind-agent", "kind-mismatch", stored(), elsewhere, granted(), agreed(), None
    yield "kind-scope", "kind-mismatch", stored(), {}, granted(scope_hash="0"), agreed(scope_hash="0"), None
    yield "agent-thread", "agent-mismatch", stored(), away, paid(), right, None
    yield "agent-subject", "agent-mismatch", stored(**account), elsewhere, paid(), right, None
    nowhere = {"thread_id": "t2", "sender": MALLORY}
    yield "thread-subject", "thread-mismatch", stored(), nowhere, paid(), right, None
    yield "thread-account", "thread-mismatch", stored(**account), {"thread_id": "t2"}, paid(), right, "account-8"
    theirs = {"sender": MALLORY}
    yield "subject-scheme", "subject-mismatch", stored(), theirs, paid(UNKNOWN), resolved(UNKNOWN), None
    yield "subject-payload", "subject-mismatch", stored(), theirs, paid(OTHER), resolved(OTHER), None
    yield "account-payload", "subject-mismatch", stored(**account), {}, paid(OTHER), resolved(OTHER), "account-8"
    narrow = agreed(scope_hash="0" * 64)
    yield "subject-scope", "subject-mismatch", stored(CONSENT), theirs, granted(scope_hash="0" * 64), narrow, None
    yield "scheme-payload", "scheme-not-offered", stored(), {}, paid(UNKNOWN), resolved(UNKNOWN), None


def accepting() -> Iterator[Case]:
    """Of receipts."""
    for name, code, record, change, candidate, _, account in _pairs():
        rows = kept(record, candidate["state"], **{"PAYMENT *": None, "CONSENT *": None})
        unit = {"candidate": candidate, "message": turn(**change), **({"subject": account} if account else {})}
        quiet = ["PAYMENT *", "CONSENT *", "ONCE *"]
        beside = {"rejected": {"code": code}, "must_not_ask": quiet, "flags": ["attack"]}
        yield one("order-accept", name, "D B3", WHY, unit, given=given(rows), **beside)
    unverified = {"PAYMENT *": None, "CONSENT *": None}
    for name, code, record, candidate in (
        ("payload-unverified", "payload-mismatch", stored(), paid(OTHER)),
        ("scope-unverified", "scope-mismatch", stored(CONSENT), granted(scope_hash="0" * 64)),
    ):
        unit, around = {"candidate": candidate, "message": turn()}, given(kept(record, **unverified))
        quiet = ["PAYMENT *", "CONSENT *"]
        yield one("order-accept", name, "D B3", WHY, unit, given=around, rejected={"code": code}, must_not_ask=quiet)


def resuming() -> Iterator[Case]:
    """Of completions: whatever is wrong comes before what consumes."""
    for name, code, record, change, _, resolution, account in _pairs():
        message = shown(resolution, **change)
        unit = {"message": message, **({"subject": account} if account else {})}
        around = given(kept(record, resolution["in_reply_to_state"], **USED))
        beside = {"rejected": {"code": code}, "must_not_ask": ["ONCE *"], "flags": ["attack"]}
        yield one("order-resume", name, "D B3", WHY, unit, given=around, **beside)
    ended = agreed(expires_at="2026-11-21T20:56:00Z")
    reused = {"transaction": "tx1"}
    for name, code, record, resolution, quiet in (
        ("payload-transaction", "payload-mismatch", stored(), resolved(OTHER, **reused), ["ONCE *"]),
        ("transaction-consumed", "transaction-reused", stored(), resolved(**reused), None),
        ("ended-consumed", "consent-expired", stored(CONSENT), ended, ["ONCE *"]),
        ("scope-ended", "scope-mismatch", stored(CONSENT), {**ended, "confirmation": {
            **ended["confirmation"], "scope_hash": "0" * 64}}, ["ONCE *"]),
    ):  # fmt: skip
        around = given(kept(record, **USED))
        beside = {"must_not_ask": quiet} if quiet else {}
        unit = {"message": shown(resolution)}
        yield one("order-resume", name, "D B3", WHY, unit, given=around, rejected={"code": code}, **beside)


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "policy", "order-accept", "policy.accept", "Two faults at once.", list(accepting())
    yield "policy", "order-resume", "policy.resume", "Two faults at once.", list(resuming())
