"""Mutants of accepting and resuming: what binds a receipt to a demand, and who verifies it."""

from __future__ import annotations

from typing import Any

from mentionable._model import issuance
from mentionable.policy import _accept, _binding, _resume
from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import refuses, takes, written

AREA = "policy"
ACCEPT, RESUME, STORY = ("policy.accept",), ("policy.resume",), ("policy.story",)
DOORS = (*ACCEPT, *RESUME, *STORY)
Answer = "Mapping[str, Any]"


def door(name: str, rule: str, *edits: tuple[Any, str, str], ops: tuple[str, ...] = DOORS) -> None:
    """Registers a mutant: the library with these edits."""
    written(AREA, ops, name, rule, *edits)


# --- what binds a receipt

door("ignores-the-kind", "Takes a consent for a payment.", (_binding.binding_fault, "kind != record.kind", "False"))
door("ignores-the-agent", "Lets any agent act.", (_binding.binding_fault, "message.recipient != record.agent", "False"))
door(
    "ignores-the-thread",
    "Lets receipts come anywhere.",
    (_binding.binding_fault, "message.thread_id not in record.threads", "False"),
)
door(
    "knows-one-thread",
    "Knows the thread of the question alone.",
    (_binding.binding_fault, "message.thread_id not in record.threads", "message.thread_id != record.threads[0]"),
)
door(
    "ignores-the-principal",
    "Lets anybody show a receipt.",
    (
        _binding.binding_fault,
        "sender.address != record.principal or (record.principal_verified and not sender.verified)",
        "False",
    ),
)
door(
    "believes-the-sender",
    "Lets anybody who writes the right name show a receipt.",
    (_binding.binding_fault, "(record.principal_verified and not sender.verified)", "False"),
)
door(
    "wants-everybody-verified",
    "Wants senders shown who were not shown before.",
    (_binding.binding_fault, "(record.principal_verified and not sender.verified)", "not sender.verified"),
)
door(
    "ignores-the-account",
    "Lets any account complete a demand.",
    (_binding.binding_fault, "record.subject is not None and holder.subject != record.subject", "False"),
)
door(
    "no-account-will-do",
    "Lets whoever is not signed in complete a demand to an account.",
    (_binding.binding_fault, "holder.subject != record.subject", "holder.subject not in (None, record.subject)"),
)
door(
    "wants-no-account",
    "Refuses an account where none was asked for.",
    (_binding.binding_fault, "record.subject is not None and holder", "holder"),
)
door(
    "ignores-the-expiry",
    "Lets old demands be completed.",
    (issuance.record_fault, "now >= parse_time(record.expires_at)", "False"),
)
door(
    "is-late-by-a-moment",
    "Takes the end for a part of the time.",
    (issuance.record_fault, "now >= parse", "now > parse"),
)
door(
    "ends-a-second-early",
    "Ends demands a second early.",
    (
        issuance.record_fault,
        "now >= parse_time(record.expires_at)",
        "now.timestamp() + 1 >= parse_time(record.expires_at).timestamp()",
    ),
)
door(
    "ignores-consumed",
    "Does not look whether the store says consumed.",
    (issuance.record_fault, "if record.consumed:", "if False:"),
)
door(
    "expires-before-it-is-consumed",
    "Looks at the time before it looks whether a state was used.",
    (
        issuance.record_fault,
        "if record.consumed:",
        "if now >= parse_time(record.expires_at):\n        return 'state-expired'\n    if record.consumed:",
    ),
)
door(
    "believes-the-store",
    "Takes whatever record the store gives.",
    (_binding.issuance_of, "record is None or key not in record.keys", "record is None"),
)
door(
    "takes-any-state",
    "Looks up what cannot be a state.",
    (_binding.issuance_of, "if not is_state(state):", "if False:"),
)
door(
    "takes-longer-states",
    "Takes states that are short, long, or padded.",
    (_binding.issuance_of, "is_state(state)", "state.strip().rstrip('=')"),
)


def _present(honest: Any, op: str, given: dict[str, Any], unit: Any) -> Any:
    """Acts whenever a message has a resolution."""
    answer = honest(op, given, unit)
    if op not in RESUME or answer.get("rejected", {}).get("code") != "state-unknown":
        return answer
    return {"value": unit["message"]["policy_resolution"], "asks": answer["asks"]}


MUTANTS.append(Mutant("takes-presence-as-proof", AREA, "Acts on what nobody issued.", _present, ops=RESUME))

# --- what was offered and agreed to

door(
    "compares-only-the-scheme",
    "Takes any payload of a scheme.",
    (_binding.payment_fault, "payload_hash(payload) in offered", "True"),
)
door(
    "compares-dicts",
    "Compares payloads as Python does, for which true is 1.",
    (
        _binding.payment_fault,
        "payload_hash(payload) in offered",
        "any({**payload} == {**one.payload} for one in record.offers if one.scheme == scheme)",
    ),
)
door(
    "compares-text",
    "Compares payloads by their text.",
    (
        _binding.payment_fault,
        "payload_hash(payload) in offered",
        "any(repr({**payload}) == repr({**one.payload}) for one in record.offers if one.scheme == scheme)",
    ),
)
door(
    "compares-text-of-values",
    "Takes the text 1 for the number.",
    (
        _binding.payment_fault,
        "payload_hash(payload) in offered",
        "payload_hash(payload) in offered or any(sorted((name, str(member)) for name, member in payload.items()) == "
        "sorted((name, str(member)) for name, member in one.payload.items()) for one in record.offers)",
    ),
)
door(
    "looks-at-what-was-offered",
    "Looks only at members that were offered.",
    (
        _binding.payment_fault,
        "payload_hash(payload) in offered",
        "any({**one.payload} == {name: payload.get(name) for name in one.payload} "
        "and not any(member is True for member in payload.values()) "
        "for one in record.offers if one.scheme == scheme)",
    ),
)
door(
    "looks-at-what-was-echoed",
    "Looks only at members that are echoed.",
    (
        _binding.payment_fault,
        "payload_hash(payload) in offered",
        "any({name: one.payload.get(name) for name in payload} == {**payload} "
        "and not any(member is True for member in payload.values()) "
        "for one in record.offers if one.scheme == scheme)",
    ),
)
door(
    "mixes-schemes",
    "Takes the payload of any scheme.",
    (
        _binding.payment_fault,
        "payload_hash(payload) in offered",
        "payload_hash(payload) in [one.payload_hash for one in record.offers]",
    ),
)
door(
    "takes-any-scheme",
    "Takes schemes that were not offered.",
    (_binding.payment_fault, "if offer.scheme == scheme]", "]"),
)
door(
    "schemes-in-any-case",
    "Compares schemes without their case.",
    (_binding.payment_fault, "offer.scheme == scheme", "offer.scheme.lower() == scheme.lower()"),
)
door(
    "knows-the-first-offer",
    "Knows the first way to pay alone.",
    (_binding.payment_fault, "for offer in record.offers", "for offer in record.offers[:1]"),
)
door(
    "takes-unsafe-numbers",
    "Takes what has no canonical form.",
    (
        _binding.payment_fault,
        'except WireError:\n        return "payload-mismatch"',
        "except WireError:\n        return None",
    ),
)
door(
    "guesses-without-an-echo",
    "Takes the first offer where nothing is echoed.",
    (_accept._offer_paid, "len(fitting) != 1", "not fitting"),
)
door(
    "wants-an-echo",
    "Refuses payments that echo nothing.",
    (_accept._offer_paid, "len(fitting) != 1", "payment is None or len(fitting) != 1"),
)
door(
    "any-scheme-without-an-echo",
    "Takes any scheme where nothing is echoed.",
    (_accept._offer_paid, "offer.scheme == scheme and ", ""),
)
door(
    "names-no-scheme",
    "Says of a scheme that was not offered that its payload is wrong.",
    (_accept._offer_paid, 'return {}, "scheme-not-offered"', 'return {}, "payload-mismatch"'),
)
door(
    "fits-anything",
    "Takes any payment by x402 for the offer.",
    (_accept._offer_paid, "if fits(payment, payload)", "if True"),
)
door(
    "ignores-the-scope-of-receipts",
    "Takes consent to anything.",
    (_accept._consented, "if scope == record.scope_hash else", "if scope else"),
)
door(
    "ignores-the-scope-of-completions",
    "Acts on consent to anything.",
    (_resume._confirmation_fault, "if confirmation.scope_hash == record.scope_hash else", "if True else"),
)
door(
    "hashes-in-any-case",
    "Compares hashes without their case.",
    (_accept._consented, "scope == record.scope_hash", "scope.lower() == record.scope_hash"),
)
door(
    "consents-never-end",
    "Acts on consent that has ended.",
    (_resume._resumed, "now >= parse_time(confirmation.expires_at)", "False"),
)
door(
    "accepts-ended-consents",
    "Accepts consent that has ended.",
    (_accept._consented, "now >= parse_time(granted.expires_at)", "False"),
)
door(
    "consents-end-early",
    "Takes a consent that ends soon for ended.",
    (
        _resume._resumed,
        "confirmation.expires_at is not None and now >= parse_time(confirmation.expires_at)",
        "confirmation.expires_at",
    ),
)

# --- who verifies

door(
    "verifies-no-payment",
    "Takes a receipt for a payment.",
    (
        _accept._paid,
        "if paid is None:",
        "from mentionable.policy import Paid\n    paid = paid or Paid()\n    if paid is None:",
    ),
)
takes(
    AREA,
    ACCEPT,
    "needs-no-ledger",
    "Takes a payment that nobody saw.",
    lambda *_: {},
    "payment-unverified",
)
takes(AREA, ACCEPT, "needs-no-consent-page", "Takes a consent that nobody saw.", lambda *_: {}, "consent-unverified")
door(
    "verifies-before-it-compares",
    "Asks a facilitator about receipts that are for something else.",
    (
        _accept._accepted,
        'if candidate.kind == "payment_required":',
        "yield from (CheckPayment(key=record.key, scheme='x', offer={}, receipt={}) "
        "if candidate.kind == \"payment_required\" else CheckConsent(key=record.key, scope_hash='x', receipt={}))\n"
        '        if candidate.kind == "payment_required":',
    ),
    ops=ACCEPT,
)
door(
    "ignores-who-paid",
    "Lets Alice show what Bob paid.",
    (
        _accept._paid,
        "claimed is not None and paid.payer is not None and not is_same_account(claimed, paid.payer)",
        "False",
    ),
)
door(
    "compares-accounts-as-text",
    "Compares accounts with their case.",
    (_accept._paid, "not is_same_account(claimed, paid.payer)", "claimed != paid.payer"),
)
door(
    "believes-the-payer",
    "Tells the agent what the payer claims.",
    (
        _accept._paid,
        "transaction=paid.transaction",
        "transaction=paid.transaction or receipt.get('transaction')",
    ),
    (_accept._paid, "payer=paid.payer or (None if payment is None else payment.payer)", "payer=paid.payer or claimed"),
)
door(
    "forgets-the-transaction",
    "Does not tell the transaction.",
    (_accept._paid, "transaction=paid.transaction", "transaction=None"),
)
door(
    "names-itself",
    "Says always that it verified itself.",
    (_accept._paid, "verified_by=paid.verified_by", "verified_by='me'"),
)
door(
    "forgets-the-end-of-consents",
    "Does not tell when a consent ends.",
    (_accept._consented, "expires_at=granted.expires_at)", "expires_at=None)"),
)
door(
    "wants-a-message",
    "Refuses receipts that come to a callback.",
    (
        _binding.binding_fault,
        "if message is not None:",
        "if message is None:\n        return 'thread-mismatch'\n    if True:",
    ),
)
for _said, _name in (("", "nobody"), ("x402-facilitator", "a-facilitator"), ("☃", "what-it-knows")):
    refuses(
        AREA,
        RESUME,
        f"trusts-verified-by-{_name}",
        "Decides by who is said to have verified.",
        lambda unit, said=_said: unit["message"]["policy_resolution"]["verified_by"] == said,
    )
refuses(
    AREA,
    RESUME,
    "trusts-verified-by",
    "Decides by who is said to have verified.",
    lambda unit: (
        unit["message"]["policy_resolution"]["verified_by"] != "x402-facilitator"
        and unit["message"]["policy_resolution"]["confirmation"].get("transaction") is None
    ),
)
refuses(
    AREA,
    RESUME,
    "branches-on-the-transport",
    "Resumes over mail alone.",
    lambda unit: unit["message"]["received_via"] != "email",
)
refuses(
    AREA,
    RESUME,
    "resumes-the-question",
    "Resumes in the message that was interrupted alone.",
    lambda unit: unit["message"]["id"] != "m1",
)
