"""Demands that are issued, and the hashes by which they are known: `conformance/v0.1/policy/issue*`, `scope*`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_rows import (
    ANY,
    HOST,
    LN,
    MEMBER,
    NOBODY,
    STATE,
    STRIPE,
    TURN,
    WORDS,
    Case,
    consent,
    hashed,
    key,
    one,
    payment,
    shown_by_slack,
    state,
    stored,
    turn,
)
from tests.vectors._policy_wire_rows import OFFERED, WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator

ISSUED_AT = "2026-11-21T20:56:00Z"
CALLBACK = "https://hub.example/back"


def _made(
    name: str,
    why: str,
    part: Case,
    expires: str,
    *ways: Case,
    section: str = "R39",
    settings: Case | None = None,
    record: Case | None = None,
    **facts: Any,
) -> Case:
    """A demand that is issued: what goes out, and what is stored."""
    unit = {"part": part, "to": TURN, **facts}
    written = stored(part["kind"], *ways, key=ANY, issued_at=ISSUED_AT, expires_at=expires, **(record or {}))
    out = {**part, "state": ANY}
    around = {"settings": settings} if settings else None
    return one("issue", name, section, why, unit, given=around, value={"part": out, "record": written})


def issued() -> Iterator[Case]:
    """Demands that may go out."""
    ten, quarter = "2026-11-21T21:06:00Z", "2026-11-21T21:11:00Z"
    yield _made("payment", "A payment is open for ten minutes.", payment(), ten, LN)
    why = "Each way to pay is stored with the hash of its payload."
    yield _made("two-ways", why, payment(LN, STRIPE), ten, LN, STRIPE, section="PP 5")
    same = {**LN, "payload": STRIPE["payload"]}
    why = "Two payloads of one scheme are two ways to pay."
    yield _made("two-payloads", why, payment(LN, same), ten, LN, same, section="PP 5")
    worded = {"scope_hash": hashed(WORDS)}
    why = "A consent is open for a quarter of an hour."
    yield _made("consent-to-words", why, consent(), quarter, scope=WORDS, record=worded)
    why = "A scope counts as it stands: nothing is sorted."
    backwards = WORDS.split()[::-1]
    record = {"scope_hash": hashed(backwards)}
    yield _made("scope-as-array", why, consent(), quarter, section="PP 5", scope=backwards, record=record)
    fine = {"resource": "calendar", "actions": ["read", "write"]}
    record = {"scope_hash": hashed(fine)}
    why = "What a scope of your own means is yours: it counts as it is."
    yield _made("scope-as-object", why, consent(), quarter, section="PP 5", scope=fine, record=record)
    why = "The operator sets the time, up to an hour."
    hour = "2026-11-21T21:56:00Z"
    yield _made("for-an-hour", why, payment(), hour, LN, lifetime_seconds=3600)
    yield _made("for-a-second", why, payment(), "2026-11-21T20:56:01Z", LN, lifetime_seconds=1)
    record = {"subject": "account-7"}
    why = "A demand may be for one account."
    yield _made("for-an-account", why, payment(), ten, LN, section="R38", subject="account-7", record=record)
    record = {"subject": "slack:T1/U1", "subject_method": MEMBER}
    why = "Where a platform says who it is, the demand is for that person."
    yield _made(
        "for-the-person", why, payment(), ten, LN, section="R59", to=turn(sender=shown_by_slack()), record=record
    )
    record = {"principal_verified": False}
    why = "Whether the sender was shown is stored, so that nobody does with less."
    yield _made("to-nobody-verified", why, payment(), ten, LN, section="D B3", to=turn(sender=NOBODY), record=record)
    own = payment(url=f"https://{HOST}/pay?order=7")
    yield _made("own-url", "People are led to the agent's own host.", own, ten, LN, section="PP")
    other = payment(url="https://pay.example/7")
    why = "The operator may name other hosts, each exactly."
    yield _made("host-of-operator", why, other, ten, LN, section="D B11", settings={"policy_hosts": ["pay.example"]})
    hub = consent(return_to=CALLBACK)
    why = "People go back to a callback that the connector registered."
    facts: Case = {"scope": WORDS, "callbacks": [CALLBACK]}
    yield _made("callback-of-connector", why, hub, quarter, section="D B11", record=worded, **facts)


def refused() -> Iterator[Case]:
    """Demands that may not go out."""
    scoped = {"scope": WORDS}
    for name, section, why, part, facts in (
        ("forbidden", "R38", "Nobody completes a refusal.", {"kind": "forbidden", "message": "No."}, {}),
        ("own-state", "D B11", "A state that somebody chose may be known.", payment(state=state("mine")), {}),
        ("weak-state", "D B11", "A short state is guessed.", payment(state="order-7"), {}),
        ("consent-own-state", "D B11", "A state that somebody chose is known.", consent(state=STATE), scoped),
        ("no-time", "R39", "What has ended cannot be met.", payment(), {"lifetime_seconds": 0}),
        ("time-gone", "R39", "What has ended cannot be met.", payment(), {"lifetime_seconds": -1}),
        ("too-long", "R39", "After an hour a link is old.", payment(), {"lifetime_seconds": 3601}),
        ("payment-with-scope", "PP 5", "A payment has no scope.", payment(), scoped),
        ("consent-without-scope", "PP 5", "Nobody agrees to nothing in particular.", consent(), {}),
        (
            "scope-with-unsafe-number",
            "PP 5",
            "What has no canonical form has no hash.",
            consent(),
            {"scope": {"most": 2**53}},
        ),
        ("elsewhere", "PP", "People are led to the agent's own host.", payment(url="https://evil.example/"), {}),
        ("subdomain", "PP", "A subdomain may be somebody else's.", payment(url=f"https://pay.{HOST}/"), {}),
        ("unsafe", "PP", "Addresses are https.", payment(url=f"http://{HOST}/"), {}),
        ("back-elsewhere", "D B11", "Who agreed must come back.", consent(return_to="https://evil.example/"), scoped),
        ("back-unsafe", "PP", "Addresses are https.", consent(return_to=f"http://{HOST}/"), scoped),
        (
            "back-behind-callback",
            "D B11",
            "A callback is registered as a whole, not as a beginning.",
            consent(return_to=CALLBACK + "/../evil"),
            {**scoped, "callbacks": [CALLBACK]},
        ),
        (
            "back-before-callback",
            "D B11",
            "A callback is registered as a whole, not as an end.",
            consent(return_to="https://hub.example"),
            {**scoped, "callbacks": [CALLBACK]},
        ),
        ("no-way-to-pay", "PP", "Who can pay in no way never can.", {**payment(), "accepted_payments": []}, {}),
        ("no-message", "PP", "People must be told.", {**payment(), "message": ""}, {}),
        *[
            (f"x402-{name}", "X402", "What clients of x402 would refuse is offered to nobody.", payment(way), {})
            for name, way in (
                ("without-terms", {"scheme": "x402.exact", "payload": {"amount": "1"}}),
                ("of-another-scheme", {**WAYS[2], "scheme": "x402.upto"}),
                ("with-a-number", {**WAYS[1], "payload": {**OFFERED[1], "x402Version": 2}}),
            )
        ],
        ("no-word-in-message", "PP", "People must be told.", {**payment(), "message": " \n"}, {}),
        (
            "unsafe-number",
            "RFC 8785 3.2.2.3",
            "Nobody repeats a number that parsers round.",
            payment({**LN, "payload": {"amount": 2**53}}),
            {},
        ),
    ):
        unit = {"part": part, "to": TURN, **facts}
        yield one("issue-refused", name, section, why, unit, rejected={"code": "malformed"})


def keys() -> Iterator[Case]:
    """The keys of states."""
    why = "A store that leaks must not be a list of states."
    for name, text in (("usual", STATE), ("shortest", "a" * 22)):
        yield one("state-key", name, "D B3", why, {"state": text}, value=key(text))


def scopes() -> Iterator[Case]:
    """The hashes of scopes."""
    both = "6fc319ad1209ab06f19e2ef2f5970882d5234dc0c20c438d00fe18520c07b597"
    fine = {"resource": "calendar", "actions": ["read", "write"]}
    details = [{"type": "payment", "actions": ["initiate"]}, {"type": "account"}]
    as_is = "A scope counts as it stands: nothing is sorted, split or converted."
    for name, why, scope, value in (
        ("text", as_is, "calendar.read calendar.write", hashed("calendar.read calendar.write")),
        ("text-in-another-order", as_is, "calendar.write calendar.read", hashed("calendar.write calendar.read")),
        ("text-with-blanks", as_is, " a   a ", hashed(" a   a ")),
        ("text-with-quotes", "Any text is a scope.", 'a"b\\c\té', hashed('a"b\\c\té')),
        ("one-text", "A text is no array of one.", "email", hashed("email")),
        ("array-of-one", "An array of one is no text.", ["email"], hashed(["email"])),
        ("list", as_is, ["calendar.read", "calendar.write"], both),
        ("array-in-another-order", as_is, ["b", "a", "b"], hashed(["b", "a", "b"])),
        ("array-of-anything", as_is, ["a b", 1, None, [True]], hashed(["a b", 1, None, [True]])),
        ("array-of-objects", "Authorization details are an array of objects (RFC 9396).", details, hashed(details)),
        ("empty-array", as_is, [], hashed([])),
        ("object", as_is, fine, "d275be49ba56038af15df2de6498e7365ea07d6dd40a77ecef003557f50656a2"),
        ("object-in-another-order", "JSON has no order of members.", dict(reversed(fine.items())), hashed(fine)),
        ("object-with-other-list", as_is, {**fine, "actions": ["write", "read"]}, None),
        ("letters", "Names are in the order of UTF-16.", {"😀": "a", "\ufb01": "b"}, None),
        ("nothing-in-particular", as_is, {}, None),
        ("whole-float", "Numbers are written as ECMAScript does.", {"most": 10.0}, hashed({"most": 10})),
    ):
        yield one("scope", name, "PP 5", why, {"scope": scope}, value=value or hashed(scope))


def no_scopes() -> Iterator[Case]:
    """What is no scope."""
    for name, why, scope in (
        ("unsafe-number", "Beyond 2^53 - 1 nobody knows which number it was.", {"most": 2**53}),
        ("unsafe-number-in-array", "Beyond 2^53 - 1 nobody knows which number it was.", [{"most": -(2**53)}]),
    ):
        yield one("scope-refused", name, "PP 5", why, {"scope": scope}, rejected={"code": "malformed"})


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "policy", "issue", "policy.issue", "Demands that may go out.", list(issued())
    yield "policy", "issue-refused", "policy.issue", "Demands that may not go out.", list(refused())
    yield "policy", "state-key", "policy.state_key", "Under which a demand is stored.", list(keys())
    yield "policy", "scope", "policy.scope_hash", "By what a consent is known.", list(scopes())
    yield "policy", "scope-refused", "policy.scope_hash", "What is no scope.", list(no_scopes())
