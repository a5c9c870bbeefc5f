"""Mutants of payments by x402."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import refuses, spoils, takes
from tests.mutants._policy_wire import AREA, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

OUT, IN, PAID, FITS = (
    ("policy.x402_metadata",),
    ("policy.x402_demand",),
    ("policy.x402_payment",),
    ("policy.x402_fits",),
)
REQUIRED = "x402.payment.required"


# out
def _out(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that demands otherwise: `change(required, policy)`; None leaves it."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        made = change(value[REQUIRED], unit["policy"]) if REQUIRED in value else None
        return None if made is None else {**value, REQUIRED: made}

    spoils(AREA, OUT, f"x402-out-{name}", rule, changed)


def _payloads(policy: Any) -> list[Any]:
    return [one["payload"] for one in policy["accepted_payments"]]


_out("one-way", "Offers one way.", lambda found, _: {**found, "accepts": found["accepts"][:1]})
_out(
    "all-ways",
    "Offers every way, whatever its version and resource.",
    lambda found, policy: {
        **found,
        "accepts": [one["requirement"] for one in _payloads(policy) if "requirement" in one],
    },
)
_out("lowest-version", "Takes the lowest version.", lambda found, _: {**found, "x402Version": 1})
_out(
    "payloads",
    "Writes payloads in place of terms.",
    lambda found, policy: {**found, "accepts": _payloads(policy)},
)
_out(
    "no-error", "Writes no error text.", lambda found, _: {name: one for name, one in found.items() if name != "error"}
)
_out(
    "own-words",
    "Says the message where x402 said another.",
    lambda found, policy: {**found, "error": policy["message"]},
)
_out(
    "no-extensions",
    "Loses extensions.",
    lambda found, _: {name: one for name, one in found.items() if name != "extensions"},
)
_out(
    "extensions-of-v1",
    "Writes extensions in version 1.",
    lambda found, policy: {**found, "extensions": {}} if found["x402Version"] == 1 and policy.get("data") else None,
)
_out(
    "no-resource",
    "Does not say what is paid for.",
    lambda found, _: {name: one for name, one in found.items() if name != "resource"},
)
_out("makes-resources", "Says something of what is paid for.", lambda found, _: {"resource": {"url": ""}, **found})


def _anyhow(value: Any, _: Any, unit: Any) -> Any:
    if value:
        return None
    accepts = [one.get("requirement", one) for one in _payloads(unit["policy"])]
    return {"x402.payment.status": "payment-required", REQUIRED: {"x402Version": 2, "accepts": accepts}}


spoils(AREA, OUT, "x402-out-anyhow", "Offers what cannot be paid.", _anyhow)
spoils(AREA, OUT, "x402-out-no-status", "Writes no status.", lambda value, *_: {REQUIRED: value.get(REQUIRED)})


# in
def _in(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that reads another demand: `change(policy, unit)`; None leaves it."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        made = change(value["policy"], unit) if value["policy"] else None
        return None if made is None else {**value, "policy": made}

    spoils(AREA, IN, f"x402-in-{name}", rule, changed)


def _each(change: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda policy, _: {**policy, "accepted_payments": [change(one) for one in policy["accepted_payments"]]}


_in("bare-schemes", "Names schemes as x402 does.", _each(lambda one: {**one, "scheme": "exact"}))
_in(
    "bare-terms",
    "Takes the terms for the payload.",
    _each(lambda one: {**one, "payload": one["payload"]["requirement"]}),
)
_in(
    "known-members",
    "Keeps the terms that it knows.",
    _each(
        lambda one: {
            **one,
            "payload": {
                **one["payload"],
                "requirement": {n: v for n, v in one["payload"]["requirement"].items() if n != "later"},
            },
        }
    ),
)
_in("one-way", "Reads one way.", lambda policy, _: {**policy, "accepted_payments": policy["accepted_payments"][:1]})
_in("no-state", "Forgets the task.", lambda policy, _: {name: one for name, one in policy.items() if name != "state"})
_in(
    "no-data",
    "Keeps nothing else that it says.",
    lambda policy, _: {n: one for n, one in policy.items() if n != "data"},
)
_in(
    "own-words",
    "Says what x402 says.",
    lambda policy, unit: {**policy, "message": "Pay first."} if "message" in unit else None,
)
_in(
    "no-code",
    "Does not say that it came by x402.",
    lambda policy, _: {name: one for name, one in policy.items() if name != "code"},
)
_in(
    "version-one-alone",
    "Reads version 1 alone.",
    lambda policy, _: (
        {**policy, "kind": "unknown"} if policy["accepted_payments"][0]["payload"]["x402Version"] > 1 else None
    ),
)


def _drops(name: str, rule: str, when: Callable[[Any], bool]) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        return {"policy": None, "diagnostics": []} if value["policy"] and when(unit) else None

    spoils(AREA, IN, f"x402-in-{name}", rule, changed)


_drops("no-floats", "Takes whole numbers that came as floats for malformed.", lambda unit: "300.0" in text_of(unit))
_drops("no-carts", "Does not look into carts.", lambda unit: REQUIRED not in unit["metadata"])
_drops("flat-carts", "Knows one form of carts.", lambda unit: '"contents"' in text_of(unit))
_drops(
    "all-or-nothing",
    "Drops all ways for a bad one.",
    lambda unit: len(unit["metadata"].get(REQUIRED, {}).get("accepts", ())) > 1,
)
_drops("wants-errors", "Wants an error text.", lambda unit: '"error": null' in text_of(unit))
_drops(
    "no-metadata-beside-carts", "Looks into carts first.", lambda unit: "parts" in unit and REQUIRED in unit["metadata"]
)


def _takes_anyhow(name: str, rule: str, when: Callable[[Any], bool]) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        taken = {"kind": "payment_required", "message": "Pay.", "accepted_payments": []}
        return {"policy": taken, "diagnostics": []} if not value["policy"] and when(unit) else None

    spoils(AREA, IN, f"x402-in-{name}", rule, changed)


def _is_demanded(unit: Any) -> bool:
    return isinstance(unit["metadata"], dict) and unit["metadata"].get("x402.payment.status") == "payment-required"


_takes_anyhow("malformed", "Takes what cannot be paid.", _is_demanded)
_takes_anyhow("any-status", "Demands what nobody demands.", lambda unit: not _is_demanded(unit))
spoils(
    AREA,
    IN,
    "x402-in-silent",
    "Does not say what it could not read.",
    lambda value, *_: {**value, "diagnostics": []} if value["diagnostics"] else None,
)


def _bad_ways(value: Any, _: Any, unit: Any) -> Any:
    if not value["policy"] or not value["diagnostics"]:
        return None
    offers = [{"scheme": "x402.exact", "payload": {}}, *value["policy"]["accepted_payments"]]
    return {"policy": {**value["policy"], "accepted_payments": offers}, "diagnostics": []}


spoils(AREA, IN, "x402-in-bad-ways", "Offers ways that cannot be read.", _bad_ways)
_drops(
    "wants-words",
    "Refuses a demand for words that do not fit.",
    lambda unit: any(odd in text_of(unit) for odd in ('": 5', "[5]", '"outputSchema": "x"')),
)


# payments
def _paid(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    def changed(value: Any, _: Any, unit: Any) -> Any:
        return change(value, unit) if value else None

    spoils(AREA, PAID, f"x402-paid-{name}", rule, changed)


def _nonce_as_it_came(value: Any, unit: Any) -> Any:
    payload = unit["metadata"].get("x402.payment.payload", {}).get("payload", {})
    signed = payload.get("authorization") or payload.get("permit2Authorization") or {}
    return {**value, "nonce": signed["nonce"]} if "nonce" in signed else None


_paid("nonces-as-they-came", "Takes one nonce in two spellings for two.", _nonce_as_it_came)
_paid("no-payer", "Forgets who pays.", lambda value, _: {**value, "payer": None})
_paid("bare-schemes", "Names schemes as x402 does.", lambda value, _: {**value, "scheme": "exact"})
_paid("makes-payers", "Makes a payer up.", lambda value, _: {**value, "payer": value["payer"] or "nobody"})
_paid("no-networks", "Forgets the network.", lambda value, _: {**value, "network": "base"})
spoils(
    AREA,
    PAID,
    "x402-paid-by-word",
    "Believes what a payer says of the end.",
    lambda value, *_: {"scheme": "x402.exact", "network": "x", "payer": None, "nonce": None} if value is None else None,
)
spoils(
    AREA,
    PAID,
    "x402-paid-no-mandates",
    "Does not look into mandates.",
    lambda value, _, unit: {} if "parts" in unit else None,
)
takes(AREA, PAID, "x402-paid-anyhow", "Takes payments that it cannot read.", lambda *_: None, "receipt-malformed")
refuses(AREA, PAID, "x402-paid-evm-alone", "Knows one kind of chain.", lambda unit: "transaction" in text_of(unit))
refuses(AREA, PAID, "x402-paid-no-permits", "Knows no Permit2.", lambda unit: "permit2" in text_of(unit))


# fitting
def _fits(name: str, rule: str, when: Callable[[Any, Any, Any], bool], *, value: bool) -> None:
    """Registers a mutant that answers `value` where `when(payload, requirement, unit)`."""

    def changed(_: Any, __: Any, unit: Any) -> Any:
        payload = unit["metadata"].get("x402.payment.payload", {})
        terms = unit["offered"].get("requirement", {})
        return value if when(payload, terms, unit) else None

    spoils(AREA, FITS, f"x402-fits-{name}", rule, changed)


def _accepted(payload: Any) -> Any:
    return payload.get("accepted", payload)


def _signed(payload: Any) -> Any:
    return payload.get("payload", {}).get("authorization", {})


def _is_repeated(payload: Any, terms: Any, unit: Any) -> bool:
    """Whether the resource is the offered one, and what is signed, too."""
    signed = _signed(payload)
    is_paid = (signed.get("to"), signed.get("value")) == (terms.get("payTo"), terms.get("amount"))
    return payload.get("resource") == unit["offered"].get("resource") and is_paid


_fits(
    "dicts",
    "Compares as Python does.",
    lambda payload, terms, unit: payload.get("accepted") == terms and _is_repeated(payload, terms, unit),
    value=True,
)
for _name in ("asset", "maxTimeoutSeconds", "extra", "later", "network", "payTo", "amount", "scheme"):

    def _but(payload: Any, terms: Any, _: Any, name: str = _name) -> bool:
        chosen = payload.get("accepted", {})
        return chosen.get(name) != terms.get(name) and {**chosen, name: 0} == {**terms, name: 0}

    _fits(f"any-{_name.lower()}", f"Does not compare {_name}.", _but, value=True)


def _is_v1(payload: Any, terms: Any) -> bool:
    """Whether a payment of version 1 names the scheme and the network that were offered."""
    names = ("scheme", "network")
    return "accepted" not in payload and [payload.get(name) for name in names] == [terms.get(name) for name in names]


def _by_signature(payload: Any, terms: Any, _: Any) -> bool:
    signed = _signed(payload)
    return _is_v1(payload, terms) and signed.get("to", "").lower() == str(terms.get("payTo", "")).lower()


_fits("v1-any-amount", "Does not compare amounts in version 1.", _by_signature, value=True)
_fits(
    "v1-any-payee",
    "Does not compare who is paid in version 1.",
    lambda payload, terms, _: (
        _is_v1(payload, terms) and _signed(payload).get("value") == terms.get("maxAmountRequired")
    ),
    value=True,
)
for _name, _other in (("network", "scheme"), ("scheme", "network")):

    def _named(payload: Any, terms: Any, _: Any, other: str = _other) -> bool:
        signed = _signed(payload)
        money = [signed.get("to"), signed.get("value"), payload.get(other)]
        return "accepted" not in payload and money == [
            terms.get("payTo"),
            terms.get("maxAmountRequired"),
            terms.get(other),
        ]

    _fits(f"v1-any-{_name}", f"Does not compare {_name} in version 1.", _named, value=True)

_fits(
    "v1-no-signature",
    "Pays by what cannot be read.",
    lambda payload, *_: "accepted" not in payload and not _signed(payload),
    value=True,
)
_fits(
    "amounts-as-numbers",
    "Compares amounts as numbers.",
    lambda payload, terms, _: str(terms.get("amount", terms.get("maxAmountRequired"))) == "010000",
    value=True,
)
_fits(
    "repeated-alone",
    "Does not look at what is signed.",
    lambda payload, terms, unit: (
        text_of(payload.get("accepted")) == text_of(terms)
        and payload.get("resource") == unit["offered"].get("resource")
    ),
    value=True,
)
_fits(
    "any-resource",
    "Does not compare resources.",
    lambda payload, terms, unit: (
        payload.get("accepted") == terms and payload.get("resource") != unit["offered"].get("resource")
    ),
    value=True,
)
_fits(
    "any-version",
    "Does not compare versions.",
    lambda payload, terms, _: ("accepted" in payload) != ("amount" in terms),
    value=True,
)
_fits(
    "completed",
    "Believes what a payer says of the end.",
    lambda _, __, unit: "completed" in text_of(unit["metadata"]),
    value=True,
)
_fits("foreign", "Takes any offer for one of x402.", lambda _, terms, __: not terms, value=True)
_fits("exact-nulls", "Takes null for something.", lambda payload, *_: "null" in text_of(payload), value=False)
_fits(
    "exact-extra",
    "Takes nothing for something.",
    lambda payload, *_: _accepted(payload).get("extra") == {},
    value=False,
)
_fits(
    "exact-accounts",
    "Compares letters of accounts.",
    lambda payload, terms, _: _signed(payload).get("to") not in (None, terms.get("payTo")),
    value=False,
)
_fits(
    "wants-resources",
    "Wants the resource repeated.",
    lambda payload, *_: "accepted" in payload and "resource" not in payload,
    value=False,
)
_fits("no-floats", "Takes 1.0 for another number than 1.", lambda payload, *_: ".0" in text_of(payload), value=False)
_fits("no-permits", "Knows no Permit2.", lambda payload, *_: "permit2" in text_of(payload), value=False)
_fits("evm-alone", "Knows one kind of chain.", lambda payload, *_: "transaction" in text_of(payload), value=False)
_fits("never-v1", "Takes no payment of version 1.", lambda payload, *_: payload.get("x402Version") == 1, value=False)
_fits("never-v2", "Takes no payment of version 2.", lambda payload, *_: payload.get("x402Version") == 2, value=False)
