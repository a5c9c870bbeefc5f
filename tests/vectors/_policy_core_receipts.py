"""Receipts that are shown: accepted, resumed, or refused with a code. `conformance/v0.1/policy/accept*`, `resume*`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_rows import (
    ELSEWHERE,
    INVOICE,
    LN,
    MALLORY,
    MEMBER,
    NOBODY,
    NOW,
    OTHER_TIME,
    SESSION,
    STATE,
    STRIPE,
    TURN,
    Case,
    agreed,
    given,
    granted,
    hashed,
    kept,
    key,
    one,
    paid,
    resolved,
    shown_by_slack,
    state,
    stored,
    turn,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CONSENT = "consent_required"
ALICE = "0x857b06519E91e3A54538791bDbb0E22373e36b66"


def _unit(candidate: Case, message: Any, subject: str | None) -> Case:
    shown = {} if message is None else {"message": message}
    return {"candidate": candidate, **shown, **({} if subject is None else {"subject": subject})}


def taken(
    name: str,
    why: str,
    candidate: Case,
    value: Case,
    record: Any,
    *,
    section: str = "PP 5",
    message: Any = None,
    subject: str | None = None,
    callback: bool = False,
    now: str = NOW,
    **lookups: Any,
) -> Case:
    """A receipt that counts: it is verified, and nothing is consumed or counted."""
    unit = _unit(candidate, None if callback else message or turn(), subject)
    around = given(kept(record, candidate.get("state", STATE), **lookups), now)
    beside = {"value": value, "must_not_ask": ["ONCE *", "COUNT *"], "flags": ["honest"]}
    return one("accept", name, section, why, unit, given=around, **beside)


def accepted() -> Iterator[Case]:
    """Receipts that count."""
    seen = {"verified_by": "ledger", "transaction": "tx1", "payer": "alice", "network": "ln"}
    told = {name: seen[name] for name in ("transaction", "payer", "network")}
    both, consents = stored(), stored(CONSENT)
    yield taken(
        "payment",
        "The agent learns what your verifier saw.",
        paid(),
        resolved(**told, verified_by="ledger"),
        both,
        **{"PAYMENT *": seen},
    )
    yield taken("payment-by-another-way", "Any way that was offered will do.", paid(STRIPE), resolved(STRIPE), both)
    yield taken(
        "second-payload-of-a-scheme",
        "One scheme may be offered with several payloads.",
        paid({**LN, "payload": SESSION}),
        resolved({**LN, "payload": SESSION}),
        stored("payment_required", LN, {**LN, "payload": SESSION}),
    )
    yield taken(
        "members-in-another-order",
        "JSON has no order of members.",
        paid(original_payload=dict(reversed(INVOICE.items()))),
        resolved(),
        both,
    )
    yield taken(
        "same-number-otherwise-written",
        "A hop through protobuf writes 1 as 1.0, the same number.",
        paid(original_payload={**INVOICE, "amount": 1.0}),
        resolved(),
        both,
        section="RFC 8785 3.2.2.3",
    )
    yield taken(
        "without-an-echo",
        "Where a scheme echoes nothing and was offered once, there is no doubt what was paid.",
        paid(original_payload=None),
        resolved(),
        both,
        section="R38",
    )
    yield taken(
        "equal-offers-without-an-echo",
        "The same offer twice is one offer: there is no doubt what was paid.",
        paid(original_payload=None),
        resolved(),
        stored("payment_required", LN, LN),
        section="R38",
    )
    by_hash = stored()
    by_hash["offers"] = [{name: one[name] for name in ("scheme", "payload_hash")} for one in by_hash["offers"]]
    yield taken(
        "offers-by-their-hashes",
        "A store need not keep what was offered: the echo shows it.",
        paid(),
        resolved(),
        by_hash,
        section="R38",
    )
    yield taken(
        "payer-has-no-say",
        "Transaction and payer come from your verifier; what the payer writes is no proof.",
        paid(payer="mallory", receipt={"transaction": "mine", "network": "mine"}),
        resolved(),
        both,
        section="D B3",
    )
    yield taken(
        "payer-is-the-one",
        "Addresses of one account are written in small and capital letters.",
        paid(payer=ALICE.lower()),
        resolved(payer=ALICE),
        both,
        **{"PAYMENT *": {"payer": ALICE}},
    )
    yield taken("consent", "Consent is known by its scope.", granted(), agreed(), consents)
    until = "2027-01-01T00:00:00Z"
    yield taken(
        "consent-for-a-time",
        "The agent learns how long a consent holds.",
        granted(),
        agreed(expires_at=until, verified_by="page"),
        consents,
        **{"CONSENT *": {"expires_at": until, "verified_by": "page"}},
    )
    yield taken(
        "by-callback",
        "A payment provider calls without any message.",
        paid(),
        resolved(),
        both,
        section="R38",
        callback=True,
    )
    yield taken(
        "by-callback-of-an-account",
        "A callback knows who is signed in.",
        granted(),
        agreed(),
        stored(CONSENT, subject="account-7"),
        section="R38",
        callback=True,
        subject="account-7",
    )
    yield taken(
        "an-account-more",
        "A demand without an account can be completed by one who has one.",
        paid(),
        resolved(),
        both,
        subject="account-7",
    )
    yield taken(
        "nobody-was-verified",
        "Who was not shown then need not be shown now.",
        paid(),
        resolved(),
        stored(principal_verified=False),
        message=turn(sender=NOBODY),
    )
    yield taken(
        "in-the-second-thread",
        "A question without a task is answered by one, and the receipt names it.",
        paid(),
        resolved(),
        stored(threads=["t1", "task-1"]),
        message=turn(thread_id="task-1"),
        section="R39",
    )
    yield taken(
        "at-the-last-moment",
        "Until its end a demand can be completed.",
        paid(),
        resolved(),
        both,
        now="2026-11-21T21:04:59.999Z",
        section="R39",
    )
    yield taken("after-two-mistakes", "People mistype.", paid(), resolved(), stored(failures=2), section="D B3")
    for name, text in (("shortest-state", "aB3_-" * 4 + "aB"), ("longest-state", "aB3_-" * 25 + "aB3")):
        long = {"key": key(text)}
        yield taken(
            name,
            "States have 22 to 128 characters.",
            paid(state=text),
            resolved(state=text),
            stored(**long),
            section="D B11",
        )


def _state_faults() -> Iterator[tuple[str, str, str, str]]:
    """States that nobody can have issued."""
    why = "What cannot be a state is not even looked up."
    for name, text in (
        ("too-short", "a" * 21),
        ("too-long", "a" * 129),
        ("empty", ""),
        ("standard-base64", "+/" + STATE[2:]),
        ("padded", STATE + "="),
        ("line-end", STATE + "\n"),
        ("blank", STATE[:20] + " " + STATE[21:]),
        ("other-script", "ａ" * 43),
    ):
        yield name, "state-malformed", why, text


def record_faults() -> Iterator[tuple[str, str, str, str, Any]]:
    """Records that nobody can complete any more: name, code, section, why, record."""
    yield "unknown", "state-unknown", "PP 5", "Presence is not proof: only what you issued counts.", None
    other = stored(key=key(state("other")))
    yield "of-another-demand", "state-unknown", "PP 5", "A store that gives another record gives none.", other
    yield "void", "state-void", "D B3", "After three mistakes somebody is guessing.", stored(failures=3)
    yield "long-void", "state-void", "D B3", "More mistakes make it no better.", stored(failures=9)
    yield "consumed", "already-consumed", "D B3", "A state acts once.", stored(consumed=True)
    ended = stored(expires_at="2026-11-21T20:56:00Z")
    yield "expired", "state-expired", "R39", "At its end a demand has ended.", ended
    long_ago = stored(expires_at="2026-11-21T19:56:00Z")
    yield "long-expired", "state-expired", "R39", "An old link must not act.", long_ago


def holder_faults() -> Iterator[tuple[str, str, str, Case]]:
    """Messages from elsewhere: name, code, why, what is changed."""
    to_other = {"recipient": ELSEWHERE}
    yield "another-agent", "agent-mismatch", "What one agent asked for another does not do.", to_other
    yield "another-thread", "thread-mismatch", "A receipt counts where it was asked for.", {"thread_id": "t2"}
    yield "another-sender", "subject-mismatch", "Mallory must not use what Alice paid.", {"sender": MALLORY}
    yield "unverified-sender", "subject-mismatch", "Anybody can write Alice as a sender.", {"sender": NOBODY}


def payload_faults() -> Iterator[tuple[str, str, str, Case]]:
    """Payments of something else: name, code, why, what is changed."""
    code = "payload-mismatch"
    yield (
        "scheme-not-offered",
        "scheme-not-offered",
        "Only what was offered pays.",
        {"scheme": "pg.inicis", "original_payload": INVOICE},
    )
    yield "scheme-in-capitals", "scheme-not-offered", "Schemes are compared exactly.", {"scheme": "LN.BOLT11"}
    yield "other-amount", code, "Nobody sets the price but you.", {"original_payload": {**INVOICE, "amount": 2}}
    true = {"original_payload": {**INVOICE, "amount": True}}
    yield "true-for-one", code, "Some languages take true for 1; the canonical bytes do not.", true
    yield "text-for-a-number", code, "Text is not a number.", {"original_payload": {**INVOICE, "amount": "1"}}
    yield "another-member", code, "What was added was not offered.", {"original_payload": {**INVOICE, "to": "me"}}
    less = {name: member for name, member in INVOICE.items() if name != "amount"}
    yield "a-member-less", code, "What was left out was offered.", {"original_payload": less}
    yield "payload-of-another-scheme", code, "A payload belongs to its scheme.", {"original_payload": SESSION}
    yield "nothing-as-payload", code, "An empty echo echoes nothing.", {"original_payload": {}}
    big = {"original_payload": {**INVOICE, "amount": 2**53}}
    yield "unsafe-number", code, "Beyond 2^53 - 1 nobody knows which number it was.", big


def refused(
    name: str, code: str, section: str, why: str, candidate: Case, record: Any, *quiet: str, **more: Any
) -> Case:
    """A receipt that does not count, and consumes nothing."""
    message = None if more.pop("callback", False) else more.pop("message", turn())
    unit = _unit(candidate, message, more.pop("subject", None))
    around = given(more.pop("lookups", None) or kept(record, candidate["state"], **more.pop("rows", {})))
    beside = {"rejected": {"code": code}, "must_not_ask": ["ONCE *", *quiet], "flags": ["attack"]}
    return one("accept-refused", name, section, why, unit, given=around, **beside)


def accept_refused() -> Iterator[Case]:
    """Receipts that do not count."""
    for name, code, why, text in _state_faults():
        quiet = ("ISSUANCE *", "COUNT *", "PAYMENT *")
        yield refused(f"state-{name}", code, "D B11", why, paid(state=text), stored(), *quiet)
    for name, code, section, why, record in record_faults():
        yield refused(f"state-{name}", code, section, why, paid(), record, "COUNT *", "PAYMENT *")
    for name, code, why, change in holder_faults():
        yield refused(name, code, "D B3", why, paid(), stored(), "PAYMENT *", message=turn(**change))
        if name != "unverified-sender":
            yield refused(f"{name}-consents", code, "D B3", why, granted(), stored(CONSENT), message=turn(**change))
    for name, code, why, change in payload_faults():
        yield refused(name, code, "D B3", why, paid(**change), stored(), "PAYMENT *")
    account = stored(subject="account-7")
    why = "What is for one account is not for another."
    yield refused("another-account", "subject-mismatch", "R38", why, paid(), account, subject="account-8")
    yield refused("no-account", "subject-mismatch", "R38", why, paid(), account)
    yield refused("callback-without-account", "subject-mismatch", "R38", why, paid(), account, callback=True)
    person = stored(subject="slack:T1/U1", subject_method=MEMBER)
    for name, why, sender in other_people():
        yield refused(name, "subject-mismatch", "R59", why, paid(), person, "PAYMENT *", message=turn(sender=sender))
    why = "A consent is no payment."
    yield refused("consent-for-payment", "kind-mismatch", "D B3", why, granted(), stored(), "CONSENT *")
    yield refused("payment-for-consent", "kind-mismatch", "D B3", why, paid(), stored(CONSENT), "PAYMENT *")
    narrow = granted(scope_hash=hashed(["calendar.read"]))
    why = "Who agreed to less did not agree to this."
    yield refused("another-scope", "scope-mismatch", "D B3", why, narrow, stored(CONSENT), "CONSENT *")
    why = "Hashes are compared exactly."
    yield refused(
        "scope-in-capitals",
        "scope-mismatch",
        "D B3",
        why,
        granted(scope_hash=granted()["scope_hash"].upper()),
        stored(CONSENT),
    )
    two = stored("payment_required", LN, {**LN, "payload": SESSION})
    why = "Without an echo two offers of one scheme cannot be told apart."
    yield refused("no-echo-of-two", "payload-mismatch", "R38", why, paid(original_payload=None), two, "PAYMENT *")
    echoless = paid(original_payload=None, scheme="pg.inicis")
    why = "Without an echo the scheme must be one that was offered, too."
    yield refused("no-echo-not-offered", "scheme-not-offered", "R38", why, echoless, stored(), "PAYMENT *")
    yield from _unverified()


def _unverified() -> Iterator[Case]:
    """Receipts that fit, and of which your verifier says otherwise; they are not counted."""
    no, counted = "A receipt alone shows nothing.", "COUNT *"
    for name, row in (("payment-not-made", None), ("payment-denied", False)):
        rows = {"PAYMENT *": row}
        yield refused(name, "payment-unverified", "D B3", no, paid(), stored(), counted, rows=rows)
    rows = {"CONSENT *": None}
    yield refused("consent-not-given", "consent-unverified", "D B3", no, granted(), stored(CONSENT), counted, rows=rows)
    rows = {"CONSENT *": {"expires_at": NOW}}
    why = "A consent that has ended is none."
    yield refused("consent-ended", "consent-expired", "D B3", why, granted(), stored(CONSENT), counted, rows=rows)
    rows = {"PAYMENT *": {"payer": "bob"}}
    why = "Alice must not show what Bob paid."
    yield refused("payer-is-another", "payer-mismatch", "D B3", why, paid(payer="alice"), stored(), rows=rows)
    down = {"failed": "down", "temporary": True}
    why = "What cannot be found out is never a yes."
    yield refused("store-unknown", "lookup-failed", "R38", why, paid(), None, lookups={"PAYMENT *": True})
    yield refused("store-down", "lookup-failed", "R38", why, paid(), down, "PAYMENT *")
    yield refused("ledger-down", "lookup-failed", "R38", why, paid(), stored(), rows={"PAYMENT *": down})
    yield refused("page-down", "lookup-failed", "R38", why, granted(), stored(CONSENT), rows={"CONSENT *": down})
    why = "A counter that is down makes a wrong receipt no better."
    rows = {"COUNT *": down}
    yield refused(
        "counter-down",
        "thread-mismatch",
        "R38",
        why,
        paid(),
        stored(),
        rows=rows,
        message=turn(thread_id="t2"),
    )


# --- resuming


def other_people() -> Iterator[tuple[str, str, Case]]:
    """Senders who write from the address of a person, and are not that person."""
    why = "Many people write from the address of a connector."
    yield "another-person", why, shown_by_slack("slack:T1/U2")
    yield "another-method", "A subject counts by the method that showed it.", shown_by_slack(method="urn:x:other")
    yield "person-not-shown", "Without evidence nothing says that it is the same person.", TURN["sender"]


def shown(resolution: Case, **changes: Any) -> Case:
    """A message with a resolution."""
    return turn(**changes, policy_resolution=resolution)


def _resume(
    name: str, section: str, why: str, message: Case, record: Any, *quiet: str, subject: str | None = None, **more: Any
) -> Case:
    unit = {"message": message, **({} if subject is None else {"subject": subject})}
    around = given(more.pop("lookups", None) or kept(record, **more.pop("rows", {})), more.pop("now", NOW))
    code = more.pop("code", None)
    outcome = {"value": message["policy_resolution"]} if code is None else {"rejected": {"code": code}}
    if quiet:
        outcome["must_not_ask"] = list(quiet)
    behaviour = "resume" if code is None else "resume-refused"
    return one(
        behaviour, name, section, why, unit, given=around, flags=["honest" if code is None else "attack"], **outcome
    )


def resumed() -> Iterator[Case]:
    """Resolutions that count."""
    verified = ("PAYMENT *", "CONSENT *", "COUNT *")
    yield _resume("payment", "PP 5", "The agent may act.", shown(resolved(transaction="tx1")), stored(), *verified)
    yield _resume("consent", "PP 5", "The agent may act.", shown(agreed()), stored(CONSENT), *verified)
    why = "Who verified it is for logs: whatever stands there, nothing changes."
    for name, said in (("nobody", ""), ("caller", "caller"), ("somebody-trusted", "x402-facilitator"), ("odd", "☃")):
        message = shown(resolved(verified_by=said))
        yield _resume(f"verified-by-{name}", "PP 5", why, message, stored())
    until = agreed(expires_at="2026-11-21T20:56:00.001Z")
    yield _resume("consent-that-holds", "D B3", "Until its end a consent holds.", shown(until), stored(CONSENT))
    same = {**LN, "payload": dict(reversed({**INVOICE, "amount": 1.0}.items()))}
    why = "Canonical bytes are the same for the same JSON."
    yield _resume("payload-otherwise-written", "RFC 8785 3.2.2.3", why, shown(resolved(same)), stored())
    why = "A demand to an account is completed by that account."
    account = stored(subject="account-7")
    yield _resume("for-an-account", "R38", why, shown(resolved()), account, subject="account-7")
    why = "A demand to a person of a platform is completed by that person."
    person = stored(subject="slack:T1/U1", subject_method=MEMBER)
    yield _resume("for-the-person", "R59", why, shown(resolved(), sender=shown_by_slack()), person)
    why = "A question without a task is answered by one, and the receipt names it."
    tasks = stored(threads=["t1", "task-1"])
    yield _resume("in-the-second-thread", "R39", why, shown(resolved(), thread_id="task-1"), tasks)
    why = "The transport says nothing about a receipt."
    yield _resume("over-another-transport", "D B11", why, shown(resolved(), received_via="activitypub"), stored())
    yield _resume(
        "in-another-message", "PP 5", "A receipt comes in a later message.", shown(resolved(), id="m2"), stored()
    )


def resume_refused() -> Iterator[Case]:
    """Resolutions that do not count: whatever is wrong with them, nothing is consumed."""
    unburnt = "ONCE *"
    for name, code, why, text in _state_faults():
        if text:  # an empty one cannot stand in a message
            message = shown(resolved(state=text))
            quiet = (unburnt, "ISSUANCE *")
            yield _resume(f"state-{name}", "D B11", why, message, stored(), *quiet, code=code)
    for name, code, section, why, record in record_faults():
        quiet = (unburnt, "COUNT *")
        yield _resume(f"state-{name}", section, why, shown(resolved()), record, *quiet, code=code)
    for name, code, why, change in holder_faults():
        yield _resume(name, "D B3", why, shown(resolved(), **change), stored(), unburnt, code=code)
    for name, code, why, change in payload_faults():
        scheme, payload = change.get("scheme", "ln.bolt11"), change.get("original_payload", INVOICE)
        message = shown(resolved({"scheme": scheme, "payload": payload}))
        yield _resume(name, "D B3", why, message, stored(), unburnt, code=code)
    account, why = stored(subject="account-7"), "What is for one account is not for another."
    for name, subject in (("another-account", "account-8"), ("no-account", None)):
        message = shown(resolved())
        yield _resume(name, "R38", why, message, account, unburnt, code="subject-mismatch", subject=subject)
    person = stored(subject="slack:T1/U1", subject_method=MEMBER)
    for name, why, sender in other_people():
        message = shown(resolved(), sender=sender)
        yield _resume(name, "R59", why, message, person, unburnt, code="subject-mismatch")
    why = "A consent is no payment."
    yield _resume("consent-for-payment", "D B3", why, shown(agreed()), stored(), unburnt, code="kind-mismatch")
    message = shown(resolved())
    yield _resume("payment-for-consent", "D B3", why, message, stored(CONSENT), unburnt, code="kind-mismatch")
    narrow = shown(agreed(scope_hash=hashed(["calendar.read"])))
    why = "Who agreed to less did not agree to this."
    yield _resume("another-scope", "D B3", why, narrow, stored(CONSENT), unburnt, code="scope-mismatch")
    ended = shown(agreed(expires_at=OTHER_TIME))
    why = "A consent may end between its receipt and the work."
    at = {"now": OTHER_TIME, "code": "consent-expired"}
    yield _resume("consent-ended", "D B3", why, ended, stored(CONSENT), unburnt, **at)
    used = {"ONCE *": False}
    why = "Of all who race, one acts."
    message = shown(resolved())
    yield _resume("lost-race", "D B3", why, message, stored(), rows=used, code="already-consumed")
    yield _resume(
        "lost-race-for-consent", "D B3", why, shown(agreed()), stored(CONSENT), rows=used, code="already-consumed"
    )
    why = "One payment pays one demand."
    message = shown(resolved(transaction="tx1"))
    yield _resume("transaction-shown-before", "D B3", why, message, stored(), rows=used, code="transaction-reused")
    why = "What cannot be found out is never a yes."
    down = {"failed": "down", "temporary": True}
    code = "lookup-failed"
    yield _resume("store-unknown", "R38", why, shown(resolved()), None, lookups={"CONSENT *": True}, code=code)
    yield _resume("store-down", "R38", why, shown(resolved()), down, unburnt, code=code)
    yield _resume("consuming-fails", "R38", why, shown(resolved()), stored(), rows={"ONCE *": down}, code=code)
    why = "A counter that is down makes a wrong receipt no better."
    message = shown(resolved(), thread_id="t2")
    yield _resume(
        "counter-down", "R38", why, message, stored(), unburnt, rows={"COUNT *": down}, code="thread-mismatch"
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "policy", "accept", "policy.accept", "Receipts that count. Nothing is consumed.", list(accepted())
    yield "policy", "accept-refused", "policy.accept", "Receipts that do not count.", list(accept_refused())
    yield "policy", "resume", "policy.resume", "Completions that count, once.", list(resumed())
    yield "policy", "resume-refused", "policy.resume", "Completions that do not count.", list(resume_refused())
