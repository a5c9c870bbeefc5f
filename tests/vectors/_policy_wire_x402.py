"""Payments by x402: `conformance/v0.1/policy/x402-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_rows import ANY
from tests.vectors._policy_rows import jcs
from tests.vectors._policy_wire_rows import (
    NONCE,
    OFFERED,
    PAY,
    PAY_TO,
    PAYER,
    PAYLOADS,
    REQUIRED,
    RESOURCE,
    SIGNED,
    TERMS,
    WAYS,
    demands,
    floats,
    pays,
    rows,
    signs,
    without,
    x402,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._answer_rows import Case

CODE: Final = "x402:payment_required"
STRIPE: Final[Case] = PAY["accepted_payments"][0]
PERMIT: Final[Case] = {
    "signature": "0x" + "2d" * 65,
    "permit2Authorization": {
        "from": PAYER,
        "permitted": {"token": samples.ASSET, "amount": "10000"},
        "spender": "0x" + "4" * 40,
        "nonce": "77",
        "deadline": "1740672154",
        "witness": {"to": PAY_TO, "validAfter": "0"},
    },
}
out = rows("x402-out", "x402")
into = rows("x402-in", "x402")
paid = rows("x402-payment", "x402")
fits = rows("x402-fits", "x402", "attack")


def way(version: int = 2, scheme: str = "x402.exact", **changes: Any) -> Case:
    """A way to pay, with other members of its payload; None takes one away."""
    payload = {name: member for name, member in {**OFFERED[version], **changes}.items() if member is not None}
    return {"scheme": scheme, "payload": payload, "description": "A report"}


def terms(version: int = 2, **changes: Any) -> Case:
    """A requirement with other members; None takes one away."""
    return {name: member for name, member in {**TERMS[version], **changes}.items() if member is not None}


def written() -> Iterator[Case]:
    """Demands in the words of x402."""

    def writes(name: str, why: str, policy: Case, required: Case | None) -> Case:
        value = {"x402.payment.status": "payment-required", "x402.payment.required": required} if required else {}
        return out(name, "X402", why, {"policy": policy}, value=value)

    for version, required in REQUIRED.items():
        yield writes(f"v{version}", "Clients of x402 see exactly the terms that were offered.", x402(version), required)
    error = {"org.x402.error": "Sign again."}
    yield writes(
        "error",
        "The error of x402 comes back as it came in.",
        x402(2, data=error),
        {**REQUIRED[2], "error": "Sign again."},
    )
    more = {"org.x402.extensions": {"example": {"a": 1}}}
    yield writes(
        "extensions",
        "So do its extensions.",
        x402(2, data=more),
        {**REQUIRED[2], "extensions": more["org.x402.extensions"]},
    )
    yield writes("extensions-v1", "Version 1 has none.", x402(1, data=more), REQUIRED[1])
    yield writes(
        "no-resource",
        "What is paid for may be left out.",
        x402(2, way(resource=None)),
        without(REQUIRED[2], "resource"),
    )
    second = terms(network="eip155:8453", amount="20000")
    yield writes(
        "two-ways",
        "Every way is offered, in order.",
        x402(2, WAYS[2], way(requirement=second)),
        {**REQUIRED[2], "accepts": [TERMS[2], second]},
    )
    yield writes(
        "two-versions",
        "One object has one version: the highest goes out.",
        x402(2, WAYS[1], WAYS[2]),
        REQUIRED[2],
    )
    other = {"url": "https://agents.example/other"}
    yield writes(
        "two-resources",
        "One object has one resource: that of the first way.",
        x402(2, WAYS[2], way(resource=other, requirement=second)),
        REQUIRED[2],
    )
    yield writes(
        "beside-others", "Ways that are not of x402 stay in the demand.", x402(2, STRIPE, WAYS[2]), REQUIRED[2]
    )
    many = [terms(amount=str(number)) for number in range(1, 71)]
    yield writes(
        "many-ways",
        "No more go out than are read.",
        x402(2, *[way(requirement=one) for one in many]),
        {**REQUIRED[2], "accepts": many[:64]},
    )
    yield writes("none", "Without a way of x402 there are no keys.", x402(2, STRIPE), None)
    whole = "What a client would refuse, or read otherwise, is not offered."
    for name, offered in (
        ("other-scheme", way(scheme="x402.upto")),
        ("no-prefix", way(scheme="exact")),
        ("number-as-amount", way(requirement=terms(amount=10000))),
        ("no-amount", way(requirement=terms(amount=None))),
        ("no-payee", way(requirement=terms(payTo=None))),
        ("no-timeout", way(requirement=terms(maxTimeoutSeconds=None))),
        ("amount-of-v1", way(requirement=terms(amount=None, maxAmountRequired="10000"))),
        ("no-resource-in-v1", way(1, requirement=terms(1, resource=None))),
        ("resource-beside-v1", way(1, resource=RESOURCE)),
        ("resource-without-url", way(resource={"description": "A report"})),
        ("version-three", way(x402Version=3)),
        ("version-true", way(1, x402Version=True)),
        ("no-version", way(x402Version=None)),
        ("no-terms", way(requirement=None)),
    ):
        yield writes(f"not-offered-{name}", whole, x402(2, offered), None)


def read() -> Iterator[Case]:
    """Demands of others."""

    def reads(name: str, why: str, metadata: Any, policy: Case | None, *notes: str, **unit: Any) -> Case:
        value = {"policy": policy, "diagnostics": list(notes)}
        return into(name, "X402", why, {"metadata": metadata, **unit}, value=value)

    code = {"code": CODE}
    for version in REQUIRED:
        yield reads(
            f"v{version}", "Each way to pay holds its terms as they came.", demands(version), x402(version, **code)
        )
        why = "A protobuf hop has one kind of number; versions and seconds are integers again."
        yield reads(f"floats-v{version}", why, floats(demands(version)), x402(version, **code))
    yield reads(
        "words-and-task",
        "People read the words of the status; the task is what a payment names.",
        demands(),
        x402(2, message="One cent.", state="t9", data={"org.x402.error": "Pay first."}, **code),
        message="One cent.",
        state="t9",
    )
    yield reads(
        "no-words",
        "A demand always says something.",
        demands(error=None),
        {**x402(2, **code), "message": ANY},
    )
    extensions = {"example": {"a": 1}}
    yield reads(
        "extensions",
        "What else it says is kept.",
        demands(extensions=extensions),
        x402(2, data={"org.x402.extensions": extensions}, **code),
    )
    second = terms(network="eip155:8453", amount="20000")
    yield reads(
        "two-ways",
        "Every way is there, in order.",
        demands(accepts=[TERMS[2], second]),
        x402(2, WAYS[2], way(requirement=second), **code),
    )
    yield reads(
        "more-members",
        "Terms are kept whole: the payer repeats them.",
        demands(accepts=[{**TERMS[2], "later": {"a": [1]}}]),
        x402(2, way(requirement={**TERMS[2], "later": {"a": [1]}}), **code),
    )
    whole = "What names money is read whole or not at all, and so is what is signed."
    for name, broken in (
        ("number-as-amount", terms(amount=10000)),
        ("negative-amount", terms(amount="-1")),
        ("no-amount", terms(amount=None)),
        ("no-payee", terms(payTo=None)),
        ("no-scheme", terms(scheme=None)),
        ("no-asset", terms(asset=None)),
        ("no-network", terms(network=None)),
        ("text", "exact"),
        ("seconds-as-text", terms(maxTimeoutSeconds="300")),
        ("half-a-second", terms(maxTimeoutSeconds=0.5)),
        ("extra-of-text", terms(extra="USDC")),
    ):
        for place, accepts in (("first", [broken, TERMS[2]]), ("last", [TERMS[2], broken])):
            metadata = demands(accepts=accepts)
            value: Case = {"policy": None, "diagnostics": ["policy-malformed"]}
            yield into(f"one-of-two-{name}-{place}", "R54", whole, {"metadata": metadata}, value=value)
    yield from lenient(whole)
    none = "What cannot be paid is no demand."
    for name, changes in (
        ("version-three", {"x402Version": 3}),
        ("version-true", {"x402Version": True}),
        ("version-text", {"x402Version": "2"}),
        ("no-ways", {"accepts": []}),
        ("ways-of-text", {"accepts": "exact"}),
        ("too-many-ways", {"accepts": [TERMS[2]] * 65}),
        ("resource-of-text", {"resource": "https://agents.example/report"}),
        ("large-number", {"later": 2**60}),
        ("terms-of-v1", {"accepts": [TERMS[1]]}),
    ):
        yield reads(f"broken-{name}", none, demands(**changes), None, "policy-malformed")
    large = "Each way to pay repeats what it is paid for: a large one would fill a whole memory."
    room = 65_536 - len(jcs({**REQUIRED[2], "later": ""}))
    most, more = "x" * room, "x" * (room + 1)
    yield reads("as-large-as-may-be", large, demands(later=most), x402(2, **code))
    yield reads("broken-too-large", large, demands(later=more), None, "policy-malformed")
    letters = "é" * (room // 2 + 1)
    yield reads(
        "broken-too-many-bytes", "Bytes are counted, not letters.", demands(later=letters), None, "policy-malformed"
    )
    why = "A demand always says something, and blanks say nothing."
    said = {**x402(2, **code), "message": ANY}
    kept = {**said, "data": {"org.x402.error": " "}}
    either = [{"value": {"policy": found, "diagnostics": []}} for found in (said, kept)]
    yield into("blank-error", "X402", why, {"metadata": demands(error=" ")}, any_of=either)
    yield reads("blank-words", why, demands(), x402(2, **code), message=" \n")
    required = {"x402.payment.status": "payment-required", "x402.payment.required": [REQUIRED[2]]}
    yield reads("broken-array", none, required, None, "policy-malformed")
    silent = "Nobody demands anything here."
    for name, metadata in (
        ("no-status", without(demands(), "x402.payment.status")),
        ("completed", {**demands(), "x402.payment.status": "payment-completed"}),
        ("submitted", {**demands(), "x402.payment.status": "payment-submitted"}),
        ("no-metadata", None),
        ("nothing", {}),
    ):
        yield reads(f"not-demanded-{name}", silent, metadata, None)
    status = {"x402.payment.status": "payment-required"}
    yield reads("nowhere", none, status, None, "policy-malformed")
    method = {"supported_methods": "https://www.x402.org/", "data": REQUIRED[2]}
    card = {"supported_methods": "basic-card", "data": REQUIRED[1]}
    request = {"payment_request": {"method_data": [card, method]}}
    for name, cart in (("cart", request), ("cart-contents", {"contents": request})):
        parts = [{"text": "Your cart"}, {"data": {"ap2.mandates.CartMandate": cart}}]
        why = "The demand may stand in a cart of AP2, among other ways to pay."
        yield reads(name, why, status, x402(2, **code), parts=parts)
    yield reads(
        "metadata-before-carts",
        "The metadata says where to look.",
        demands(1),
        x402(1, **code),
        parts=[{"data": {"ap2.mandates.CartMandate": request}}],
    )


def lenient(whole: str) -> Iterator[Case]:
    """Demands of which something does not fit that is no money."""

    def reads(name: str, why: str, metadata: Case, policy: Case | None, *notes: str) -> Case:
        value = {"policy": policy, "diagnostics": list(notes)}
        return into(name, "R54", why, {"metadata": metadata}, value=value)

    def old(**changes: Any) -> Case:
        return {**TERMS[1], **changes}

    words = "Words that do not fit cost themselves; what is to be paid is kept as it came."
    code, dropped = {"code": CODE}, "member-dropped"
    plain = way(1, requirement=old(description=5))
    del plain["description"]
    metadata = demands(1, accepts=[old(description=5), TERMS[1]])
    yield reads("words-description-v1", words, metadata, x402(1, plain, WAYS[1], **code), dropped)
    for name, odd in (("mimeType", 5), ("outputSchema", "x")):
        metadata = demands(1, accepts=[old(**{name: odd})])
        policy = x402(1, way(1, requirement=old(**{name: odd})), **code)
        yield reads(f"words-{name.lower()}-v1", words, metadata, policy, dropped)
    for name in ("description", "mimeType"):
        thing = {**RESOURCE, name: 5}
        kept = way(resource=thing)
        if name == "description":
            del kept["description"]
        yield reads(f"words-{name.lower()}", words, demands(resource=thing), x402(2, kept, **code), dropped)
    yield reads("words-extensions", words, demands(extensions=[5]), x402(2, **code), dropped)
    yield reads("words-error", words, demands(error=5), {**x402(2, **code), "message": ANY}, dropped)
    nulls = {"maxTimeoutSeconds": None, "extra": None}
    bare = {**TERMS[2], **nulls}
    policy = x402(2, way(requirement=bare), **code)
    yield reads("nulls", "Null is absence.", demands(accepts=[bare], extensions=None), policy)
    odd = [old(description=5, mimeType=5, outputSchema=5)] * 40
    last = [*odd, old(maxAmountRequired=10000)]
    many: list[Case] = [
        {"value": {"policy": None, "diagnostics": notes}}
        for notes in (["policy-malformed"], ["policy-malformed", *[dropped] * 120])
    ]
    more = {"value": {"policy": None, "diagnostics": ["policy-malformed", *[dropped] * 98, "diagnostics-omitted"]}}
    unit = {"metadata": demands(1, accepts=last)}
    yield into("money-behind-many-words", "R54", whole, unit, any_of=[*many, more])


def payments() -> Iterator[Case]:
    """What payers send."""

    def reads(name: str, why: str, metadata: Any, found: Case | str | None, **unit: Any) -> Case:
        outcome = {"rejected": {"code": found}} if isinstance(found, str) else {"value": found}
        return paid(name, "X402", why, {"metadata": metadata, **unit}, **outcome)

    second = {"scheme": "x402.exact", "network": "eip155:84532", "payer": PAYER, "nonce": NONCE}
    yield reads("v1", "Who pays, where and by what nonce.", pays(1), {**second, "network": "base-sepolia"})
    yield reads("v2", "Who pays, where and by what nonce.", pays(), second)
    one = "A nonce is a number: one that is spelled otherwise is not another."
    for name, spelled in (("upper", "0x" + NONCE[2:].upper()), ("prefix", "0X" + NONCE[2:])):
        yield reads(f"nonce-{name}", one, pays(payload=signs(nonce=spelled)), second)
    yield reads("nonce-short", one, pays(payload=signs(nonce="0x4d")), {**second, "nonce": f"0x{0x4D:064x}"})
    yield reads("permit", "By Permit2, too.", pays(payload=PERMIT), {**second, "nonce": f"0x{77:064x}"})
    opaque = pays(payload={"transaction": "AQID"})
    yield reads("other-chain", "Other chains sign otherwise.", opaque, {**second, "payer": None, "nonce": None})
    refused = "A payment that says two things, or not enough, is refused."
    for name, metadata in (
        ("two-authorizations", pays(payload={**SIGNED, **PERMIT})),
        ("number-as-nonce", pays(payload=signs(nonce=77))),
        ("number-as-value", pays(payload=signs(value=10000))),
        ("no-receiver", pays(payload=signs(to=None))),
        ("permit-without-witness", pays(payload={**PERMIT, "permit2Authorization": {"from": PAYER}})),
        ("resource-of-text", pays(resource="https://agents.example/report")),
        ("terms-of-v1", pays(accepted=TERMS[1])),
        ("version-three", pays(x402Version=3)),
        ("version-true", pays(1, x402Version=True)),
        ("nothing", {"x402.payment.status": "payment-submitted"}),
    ):
        yield reads(f"refused-{name}", refused, metadata, "receipt-malformed")
    nothing = "Only what is submitted is a payment."
    receipt = {"success": True, "transaction": "0x1", "network": "eip155:84532"}
    for status in ("payment-completed", "payment-verified", "payment-required"):
        metadata = {**pays(), "x402.payment.status": status, "x402.payment.receipts": [receipt]}
        yield reads(f"not-by-{status}", nothing, metadata, None)
    yield reads("not-by-receipts", nothing, {"x402.payment.receipts": [receipt]}, None)
    submitted = {"x402.payment.status": "payment-submitted"}
    detail = {"payment_method": {"supported_methods": "https://www.x402.org/", "data": PAYLOADS[2]}}
    response = {"payment_response": {"method_name": "https://www.x402.org/", "details": PAYLOADS[2]}}
    flat, nested = {"payment_details": detail}, {"payment_mandate_contents": response}
    for name, mandate in (("mandate", flat), ("mandate-contents", nested)):
        parts = [{"data": {"ap2.mandates.PaymentMandate": mandate}}]
        yield reads(name, "The payment may stand in a mandate of AP2.", submitted, second, parts=parts)
    parts = [{"data": {"ap2.mandates.PaymentMandate": mandate}} for mandate in (flat, nested)]
    yield reads("two-mandates", "Of two nobody knows which one counts.", submitted, "receipt-malformed", parts=parts)


def fitting() -> Iterator[Case]:
    """Whether a payment pays what was offered."""

    def pays_it(name: str, why: str, metadata: Case, offered: Case, value: bool) -> Case:
        return fits(name, "X402", why, {"metadata": metadata, "offered": offered}, value=value)

    def offers(version: int = 2, **changes: Any) -> Case:
        return {**OFFERED[version], "requirement": terms(version, **changes)}

    exact = "Who pays exactly what was offered has paid."
    yield pays_it("v1", exact, pays(1), OFFERED[1], True)
    yield pays_it("v2", exact, pays(), OFFERED[2], True)
    yield pays_it("v2-floats", exact, floats(pays()), OFFERED[2], True)
    quiet = without(pays(), "x402.payment.payload")
    unsaid = {**quiet, "x402.payment.payload": without(PAYLOADS[2], "resource")}
    yield pays_it("no-resource", "The resource need not be repeated.", unsaid, OFFERED[2], True)
    nulls = pays(accepted={**TERMS[2], "later": None}, resource={**RESOURCE, "later": None})
    yield pays_it("nulls", "Null is the same as nothing: types of some peers fill it in.", nulls, OFFERED[2], True)
    plain = offers(extra=None)
    yield pays_it("empty-extra", "So is an extra with nothing in it.", pays(accepted=terms(extra={})), plain, True)
    lower = pays(1, payload=signs(to=PAY_TO.lower()))
    yield pays_it("case-of-accounts", "Accounts of EVM have no case.", lower, OFFERED[1], True)
    yield pays_it("permit", "By Permit2, too.", pays(payload=PERMIT), OFFERED[2], True)
    opaque: Case = {"payload": {"transaction": "AQID"}}
    yield pays_it("other-chain", "The terms are repeated, whatever is signed.", pays(**opaque), OFFERED[2], True)
    other = "Who pays something else has not paid."
    elsewhere = "0x" + "1" * 40
    for version in (1, 2):
        amount = {1: "maxAmountRequired", 2: "amount"}[version]
        changed: tuple[tuple[str, Case], ...] = (
            ("amount", {amount: "10001"}),
            ("amount-spelled", {amount: "010000"}),
            ("network", {"network": "eip155:1"}),
            ("payee", {"payTo": elsewhere}),
            ("scheme", {"scheme": "upto"}),
        )
        for name, changes in changed:
            yield pays_it(f"other-{name}-v{version}", other, pays(version), offers(version, **changes), False)
    others: tuple[tuple[str, Case], ...] = (
        ("asset", {"asset": elsewhere}),
        ("timeout", {"maxTimeoutSeconds": 301}),
        ("extra", {"extra": {"name": "USDC", "version": "3"}}),
        ("more", {"later": True}),
    )
    for name, changes in others:
        yield pays_it(f"other-{name}", other, pays(), offers(**changes), False)
    same = "1 is not true, and not text."
    one, true = {"n": 1}, {"n": True}
    yield pays_it("true-for-one", same, pays(accepted=terms(extra=true)), offers(extra=one), False)
    yield pays_it("text-for-one", same, pays(accepted=terms(extra={"n": "1"})), offers(extra=one), False)
    yield pays_it(
        "whole-for-one",
        "The numbers 1.0 and 1 are one.",
        pays(accepted=terms(extra={"n": 1.0})),
        offers(extra=one),
        True,
    )
    thing = {**RESOURCE, "url": "https://agents.example/other"}
    yield pays_it("other-resource", other, pays(resource=thing), OFFERED[2], False)
    yield pays_it("resource-of-nothing", other, pays(), without(OFFERED[2], "resource"), False)
    less = "What is signed counts, whatever is repeated."
    yield pays_it("signed-less", less, pays(payload=signs(value="1")), OFFERED[2], False)
    yield pays_it("signed-to-another", less, pays(payload=signs(to=elsewhere)), OFFERED[2], False)
    yield pays_it("signed-less-v1", less, pays(1, payload=signs(value="1")), OFFERED[1], False)
    yield pays_it("signed-to-another-v1", less, pays(1, payload=signs(to=elsewhere)), OFFERED[1], False)
    token = {**PERMIT["permit2Authorization"], "permitted": {"token": elsewhere, "amount": "10000"}}
    permit = pays(payload={**PERMIT, "permit2Authorization": token})
    yield pays_it("permit-of-another-asset", less, permit, OFFERED[2], False)
    yield pays_it(
        "opaque-v1", "In version 1 only the signature shows what is paid.", pays(1, **opaque), OFFERED[1], False
    )
    yield pays_it("version-of-another", other, pays(1), OFFERED[2], False)
    yield pays_it("not-submitted", other, {**pays(), "x402.payment.status": "payment-completed"}, OFFERED[2], False)
    yield pays_it("offer-of-another-kind", other, pays(), STRIPE["payload"], False)


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "x402-out", "policy.x402_metadata", [*written()]
    yield "x402-in", "policy.x402_demand", [*read()]
    yield "x402-payment", "policy.x402_payment", [*payments()]
    yield "x402-fits", "policy.x402_fits", [*fitting()]
