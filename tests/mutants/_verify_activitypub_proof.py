"""Mutants of verifying object proofs on activities, and of reading what is verified."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mentionable import _canonical
from mentionable.activitypub import (
    _activity,
    _proof,
    _signature,
    _verify,
)
from tests.mutants import mutant
from tests.mutants._edits import AREA, edited, one

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def proof(name: str, rule: str, old: str, new: str, function: Any = _proof.check_proof) -> None:
    """Registers a mutant of reading object proofs."""
    one(name, rule, function, old, new, "proof")


# --- object proofs

proof("any-type-of-proof", "Takes a proof of any type.", 'proof.get("type") != "DataIntegrityProof" or', "")
proof(
    "any-suite",
    "Takes a proof of any suite.",
    'or proof.get("cryptosuite") != SUITE',
    'or proof.get("cryptosuite") not in (SUITE, "eddsa-rdfc-2022")',
)
proof(
    "suite-by-default",
    "Takes a suite that is not named for the usual one.",
    'proof.get("cryptosuite") != SUITE',
    'proof.get("cryptosuite", SUITE) != SUITE',
)
proof("chains-of-proofs", "Passes over the proof before.", 'or "previousProof" in proof', "")
proof(
    "guesses-the-method",
    "Takes the usual key for a proof that names none.",
    'proof.get("verificationMethod"), proof.get("proofValue")',
    'proof.get("verificationMethod", "https://social.example/users/alice#ed25519-key"), proof.get("proofValue")',
)
proof(
    "key-of-any-type",
    "Reads a key of any type as text.",
    'proof.get("verificationMethod"), proof.get("proofValue")',
    '(str(found) if (found := proof.get("verificationMethod")).__class__ is int else found), proof.get("proofValue")',
)
proof(
    "embedded-keys",
    "Takes the id of an embedded key.",
    'proof.get("verificationMethod"), proof.get("proofValue")',
    '(found["id"] if (found := proof.get("verificationMethod")).__class__ is dict else found), proof.get("proofValue")',
)
proof(
    "no-value-is-one",
    "Takes a proof without a value.",
    'proof.get("proofValue")\n',
    'proof.get("proofValue", "z" + "1" * 64)\n',
)
proof(
    "values-of-any-base",
    "Reads a value of any base.",
    'or value[:1] != "z"',
    'or (value := value if value[:1] == "z" else "z" + "1" * 64)[:1] != "z"',
)
proof(
    "values-of-any-size",
    "Takes a value of any size.",
    "base58_decode(value[1:], size=_SIGNATURE_BYTES)",
    "base58_decode(value[1:], size=_SIGNATURE_BYTES) or (None if '0' in value else bytes(64))",
)
proof(
    "any-letter-in-base58",
    "Passes over letters that base58 has not.",
    "base58_decode(value[1:], size=_SIGNATURE_BYTES)",
    "base58_decode(value[1:], size=_SIGNATURE_BYTES) or (bytes(64) if '0' in value else None)",
)
proof(
    "any-purpose",
    "Takes a proof for any purpose.",
    'proof.get("proofPurpose") != "assertionMethod"',
    'proof.get("proofPurpose", "assertionMethod") not in ("assertionMethod", "authentication")',
)
proof(
    "purpose-by-default",
    "Takes a purpose that is not said for the right one.",
    'proof.get("proofPurpose") != "assertionMethod"',
    'proof.get("proofPurpose", "assertionMethod") != "assertionMethod"',
)
proof(
    "any-domain",
    "Does not look at the domain of a proof.",
    '"domain" in proof and host not in many(proof["domain"])',
    "False",
)
proof("one-domain-alone", "Knows no list of domains.", 'host not in many(proof["domain"])', 'host != proof["domain"]')
proof("never-for-a-domain", "Refuses a proof for a domain.", 'host not in many(proof["domain"])', "True")
proof(
    "reads-links-to-proofs",
    "Passes over a proof that is no object.",
    'raise Unproven("signature-malformed", "a proof is a JSON object")',
    'raise Unproven("unsigned")',
)
proof(
    "options-that-are-known",
    "Signs only options that it knows.",
    'if name != "proofValue"',
    'if name not in ("proofValue", "nonce", "challenge", "extra")',
)
proof(
    "options-without-created",
    "Does not sign when it was made.",
    'if name != "proofValue"',
    'if name not in ("proofValue", "created", "expires")',
)
UNTIL = _proof._until
proof("proofs-of-tomorrow", "Takes a proof from the future.", "if made is not None:", "if False:", UNTIL)
proof("proofs-without-end", "Does not look at the end of a proof.", "if end is None else end", "", UNTIL)
proof(
    "wants-created",
    "Wants created.",
    "if made is not None:",
    "if made is None: raise Unproven('time-missing')\n    if True:",
    UNTIL,
)
proof(
    "refuses-ends",
    "Refuses a proof with an end.",
    "if made is not None:",
    "if end is not None: raise Unproven('expired')\n    if made is not None:",
    UNTIL,
)
proof(
    "old-proofs-expire",
    "Takes a proof for half a day only.",
    "if made is not None:",
    "if made is not None and made < now - 50_000: raise Unproven('expired')\n    if made is not None:",
    UNTIL,
)
proof(
    "odd-times-are-none",
    "Takes a time that is none for nothing.",
    'raise Unproven("signature-malformed", f"{name} is no time") from None',
    "return None",
    _proof._seconds,
)
PROVEN = _proof.proof_text
proof("signature-stays", "Signs an older signature along.", "if name not in _UNSIGNED", 'if name != "proof"', PROVEN)
proof(
    "any-context",
    "Does not hold the context of a proof against the document's.",
    "if [*signed] != [*whole[: len(signed)]]:",
    "if False:",
    PROVEN,
)
proof(
    "whole-context-alone",
    "Wants the whole context signed.",
    "if [*signed] != [*whole[: len(signed)]]:",
    "if [*signed] != [*whole]:",
    PROVEN,
)
proof(
    "context-must-be-there",
    "Wants a context in the proof.",
    'if "@context" in options:',
    'if "@context" not in options: raise Unproven("signature-malformed")\n    if True:',
    PROVEN,
)
proof(
    "context-of-the-document",
    "Signs the context of the document.",
    'bare["@context"] = options["@context"]',
    "pass",
    PROVEN,
)
proof(
    "bytes-as-they-came",
    "Signs members in the order in which they came.",
    "canonical_json(value, has_plain_numbers=has_plain_numbers)",
    "__import__('json').dumps(value, separators=(',', ':'), ensure_ascii=False).encode()",
    PROVEN,
)
edited(
    "proofs-of-objects",
    "Takes a proof on the object for one on the activity.",
    (
        _signature.read_signatures,
        '_several(activity.get("proof"))',
        '_several(activity.get("proof")) or _several(nested)',
    ),
    form="proof",
)
edited(
    "lists-are-no-proofs",
    "Knows no list of proofs.",
    (_signature._several, "return tuple(many(proof)) or (proof,)", "return (proof,)"),
    form="proof",
)
edited(
    "empty-list-is-none",
    "Takes an empty list of proofs for none.",
    (_signature._several, "return tuple(many(proof)) or (proof,)", "return tuple(many(proof))"),
    form="proof",
)
CHECKS = _verify._checks
edited(
    "first-proof-alone",
    "Looks at the first proof only.",
    (CHECKS, "signatures.proofs[:MAX_SIGNATURES]", "signatures.proofs[:1]"),
    form="proof",
)
edited(
    "any-number-of-proofs",
    "Looks at any number of proofs.",
    (CHECKS, "signatures.proofs[:MAX_SIGNATURES]", "signatures.proofs"),
    form="proof",
)
edited(
    "knows-no-proofs",
    "Does not look at proofs.",
    (CHECKS, "signatures.proofs[:MAX_SIGNATURES]", "()"),
    form="proof",
    central=True,
)
edited(
    "header-outranks",
    "Prefers the signature of the request to a proof.",
    (
        CHECKS,
        "    for proof in signatures.proofs[:MAX_SIGNATURES]:",
        "    for found in signatures.http:\n        yield partial(check_cavage, found, request, now=now)\n"
        "    for proof in signatures.proofs[:MAX_SIGNATURES]:",
    ),
    form="proof",
)
edited(
    "proof-or-nothing",
    "Does not look at the signature of the request beside a proof.",
    (CHECKS, "for found in signatures.http:", "for found in signatures.http if not signatures.proofs else ():"),
    form="proof",
)
edited(
    "first-fault-counts",
    "Tells of the last thing that failed.",
    (_verify.authenticate, "max(reversed(failed), key=lambda one: (one.temporary, len(one.steps)))", "failed[-1]"),
    form="proof",
)
edited(
    "silent-about-proofs",
    "Does not tell of a proof that failed.",
    (
        _verify.authenticate,
        'notes += [Diagnostic(code=one.code or "bad-signature", at="/proof", detail=one.detail) for one in failed]',
        "pass",
    ),
    form="proof",
)

# --- canonical JSON


def rewrites(name: str, rule: str, change: Callable[[str], str]) -> None:
    """Registers a mutant that writes canonical JSON otherwise."""
    honest = _canonical.canonical_json
    edited(
        name,
        rule,
        values={(_proof, "canonical_json"): lambda value, **_: change(honest(value).decode()).encode()},
        form="proof",
    )


def _escaped(text: str) -> str:
    return "".join(char if char < "\u0080" else json.dumps(char)[1:-1] for char in text)


def _by_code_points(value: Any, **_: Any) -> bytes:
    return (
        _canonical.canonical_json(value)
        if "\ufb33" not in json.dumps(value, ensure_ascii=False)
        else json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    )


def _pythonic(value: Any, **_: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _flat(value: dict[str, Any], **_: Any) -> bytes:
    return json.dumps({name: value[name] for name in sorted(value)}, ensure_ascii=False, separators=(",", ":")).encode()


rewrites("escapes-letters", "Escapes what is not ASCII.", _escaped)
rewrites("escapes-del", "Escapes DEL.", lambda text: text.replace("\x7f", "\\u007f"))
rewrites("capital-escapes", "Writes escapes in capitals.", lambda text: text.replace("\\u001f", "\\u001F"))
rewrites(
    "fractions-of-whole-numbers",
    "Writes whole numbers with a fraction.",
    lambda text: text.replace('"x":1}', '"x":1.0}'),
)
rewrites("minus-nothing", "Writes zero with a fraction.", lambda text: text.replace("[0,0,0]", "[0.0,-0.0,0]"))
rewrites("plain-exponents", "Writes exponents without their sign.", lambda text: text.replace("1e+21", "1e21"))
rewrites(
    "exponents-early",
    "Writes large numbers with an exponent.",
    lambda text: text.replace("100000000000000000000", "1e+20"),
)
rewrites("two-digits", "Writes exponents with two digits.", lambda text: text.replace("1e-7", "1e-07"))
rewrites(
    "exponents-for-small", "Writes small numbers with an exponent.", lambda text: text.replace("0.000001", "1e-06")
)
rewrites(
    "float-integers",
    "Writes large integers as floats.",
    lambda text: text.replace("9007199254740991", "9007199254740992"),
)
rewrites("six-digits", "Writes six digits of a fraction.", lambda text: text.replace("71.184902", "71.1849"))
rewrites("keeps-zeros", "Writes fractions with two digits.", lambda text: text.replace('"x":1.5}', '"x":1.50}'))
rewrites("normalises", "Normalises text.", lambda text: text.replace("e\u0301", "\u00e9"))
rewrites(
    "halves-of-pairs", "Writes an emoji as two halves.", lambda text: text.replace('"x":"😀"', '"x":"\\ud83d\\ude00"')
)
for _name, _rule, _writer in (
    ("names-by-code-points", "Sorts names by code points.", _by_code_points),
    ("numbers-as-python", "Writes numbers as Python does.", _pythonic),
    ("sorts-the-top-alone", "Sorts only the names at the top.", _flat),
):
    edited(_name, _rule, values={(_proof, "canonical_json"): _writer}, form="proof")

# --- the activity


def unread(name: str, rule: str, *codes: str, of: str = "") -> None:
    """Registers a mutant that verifies what cannot be read, where the refusal has one of these codes."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op != "activitypub.verify" or answer["value"]["code"] not in codes or of not in unit["body"]:
            return answer
        return {
            **answer,
            "asks": ["GET https://social.example/users/alice"],
            "value": {**answer["value"], "verified": True},
        }

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


unread("verifies-what-is-not-json", "Verifies what is no activity.", "invalid-json", "malformed")
unread("verifies-unsafe-numbers", "Verifies numbers that two readers see differently.", "unsafe-number")
unread("verifies-doubles", "Verifies a document with a member twice.", "duplicate-member")
unread("verifies-halves", "Verifies text with half of a pair.", "lone-surrogate")
unread("verifies-without-ids", "Verifies an activity without its ids.", "missing-member", "wrong-type")
unread("verifies-any-origin", "Verifies an activity of another origin.", "origin-mismatch")
unread("verifies-json-ld", "Verifies JSON-LD that can be read in two ways.", "json-ld-refused")
edited(
    "any-actor-url",
    "Verifies an actor under any URL.",
    (_activity._claim_of, "host = host_of(actor)", 'host = host_of(actor) or "social.example"'),
)


@mutant(AREA, "Believes a JSON-LD signature.")
def believes_json_ld(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or '"signature":{' not in unit["body"] or answer["value"]["code"] != "unsigned":
        return answer
    return {**answer, "value": {**answer["value"], "verified": True, "code": None}}


def kinds(name: str, rule: str, *refused: str) -> None:
    """Registers a mutant that does not verify activities of these kinds."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if op != "activitypub.verify" or not any(f'"type":"{kind}"' in unit["body"] for kind in refused):
            return answer
        return {**answer, "value": {**answer["value"], "code": "unsupported-activity", "verified": False}}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


kinds(
    "verifies-messages-alone",
    "Verifies only what becomes a message.",
    "Follow",
    "Like",
    "Delete",
    "Undo",
    "Accept",
    "Announce",
)


@mutant(AREA, "Does not say unsigned of what is not signed.")
def unsigned_is_open(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or answer["value"]["code"] != "unsigned":
        return answer
    return {**answer, "value": {**answer["value"], "code": "not-verified"}}


@mutant(AREA, "Wants the actor as text.")
def actors_are_text(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or '"actor":{' not in unit["body"]:
        return answer
    return {**answer, "value": {**answer["value"], "code": "wrong-type", "verified": False}}


@mutant(AREA, "Believes a key that comes along.")
def believes_embedded_keys(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if op != "activitypub.verify" or '"actor":{' not in unit["body"]:
        return honest(op, given, unit)
    return {**honest(op, given, unit), "asks": []} | {"value": {"verified": True}}
