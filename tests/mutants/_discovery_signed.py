"""Mutants of signatures on A2A cards."""

from __future__ import annotations

import copy
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from mentionable import _tokens
from mentionable.discovery import _covered, _signature
from tests.mutants._discovery import believes, declines, gives, lacks, sees
from tests.mutants._discovery_cards import says

if TYPE_CHECKING:
    from collections.abc import Callable

OPS = "verify_card"
READ, FITTING, VERIFIED = _signature._read, _signature._fitting, _signature._verified


def step(name: str, rule: str, function: Any, old: str, new: str, **more: Any) -> None:
    """Registers a mutant of a step of the verification."""
    lacks(OPS, name, rule, (function, old, new), **more)


def header_of(signature: Any) -> Any:
    """What the protected header of a signature says; nothing when it cannot be read."""
    try:
        text = signature["protected"]
        return json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, KeyError, TypeError):
        return {}


def signatures_of(unit: Any) -> list[Any]:
    """The signatures of a card that is an object."""
    card = unit["card"]
    found = card.get("signatures") if isinstance(card, dict) else None
    return found if isinstance(found, list) else []


def by_header(test: Callable[[Any], bool]) -> Any:
    """Whether the protected header of the first signature passes a test."""
    return lambda unit: any(test(header_of(one)) for one in signatures_of(unit)[:1])


# --- what is covered

WHOLE = "{name: member for name, member in document.items() if name != 'signatures'}"
step("gives-the-whole-card", "Gives the card as it came.", VERIFIED, "document=form.document", f"document={WHOLE}")
step(
    "one-form",
    "Knows the form of the libraries alone.",
    VERIFIED,
    "tuple(covered(document))",
    "tuple(covered(document))[:1]",
)
step(
    "form-of-the-text",
    "Knows the form of the text alone.",
    VERIFIED,
    "tuple(covered(document))",
    "tuple(covered(document))[1:2]",
    when=lambda unit: not says("supportedInterfaces")(unit) or says('"empty"')(unit) or says('"description": ""')(unit),
)
step(
    "two-forms",
    "Knows no form of the older library.",
    VERIFIED,
    "tuple(covered(document))",
    "tuple(covered(document))[:2]",
)
declines(OPS, "knows-all-members", "Refuses members that it does not know.", says('"later"'))
lacks(
    OPS,
    "keeps-null",
    "Signs null.",
    (_covered._known, "or value is None ", "or (value is None and member.shape != 'one') "),
    when=says("null"),
)
lacks(OPS, "keeps-defaults", "Signs defaults.", (_covered._known, " or (value is False and not member.is_told)", ""))
lacks(
    OPS,
    "keeps-empties",
    "Signs what is empty in objects of anybody.",
    (_covered._cleaned, 'None if value == "" else value', "value"),
)
lacks(OPS, "drops-required", "Leaves out what is required and empty.", (_covered._kept, "member.required or ", ""))
lacks(
    OPS,
    "keeps-types-of-schemes",
    "Signs the types of security schemes.",
    (_covered._without_defaults, 'key != "type" or value not in _SCHEME_TYPES', "True"),
)
lacks(
    OPS,
    "keeps-older-defaults",
    "Signs the transport of v0.3.",
    (_covered._without_defaults, "if _DEFAULTS.get(name) != value", ""),
)
lacks(
    OPS,
    "forgets-older-defaults",
    "Gives no types of security schemes.",
    (_covered._with_defaults, 'if scheme.__class__ is dict and "type" not in scheme:', "if False:"),
)
lacks(
    OPS,
    "sorted-as-it-came",
    "Signs members in the order in which they came.",
    values={
        (_covered, "canonical_json"): lambda value: json.dumps(
            value, separators=(",", ":"), ensure_ascii=False
        ).encode()
    },
)
lacks(
    OPS,
    "floats-as-they-came",
    "Signs numbers as they came.",
    values={
        (_covered, "canonical_json"): lambda value: json.dumps(
            value, separators=(",", ":"), ensure_ascii=False, sort_keys=True
        ).encode()
    },
    when=lambda unit: says("1.0,")(unit) or says("9007199254740992")(unit),
)
gives(
    OPS,
    "forgets-the-form",
    "Says another form.",
    lambda value, given, unit: {**value, "form": "without-empties"} if value["form"] != "without-empties" else None,
)
declines(
    OPS,
    "verifies-no-v03",
    "Refuses cards of v0.3.",
    lambda unit: isinstance(unit["card"], dict) and "supportedInterfaces" not in unit["card"],
)
declines(
    OPS,
    "wants-members-in-order",
    "Refuses members in another order.",
    lambda unit: isinstance(unit["card"], dict) and next(iter(unit["card"])) == "signatures",
)

# --- the signature

step(
    "believes-headers",
    "Does not look whether a signature fits.",
    FITTING,
    "        except Unproven:\n            continue\n",
    "        except Unproven:\n            pass\n",
    when=lambda unit: not says("/evil")(unit),
)
step(
    "believes-what-leads-elsewhere",
    "Does not look whether a signature fits.",
    FITTING,
    "        except Unproven:\n            continue\n",
    "        except Unproven:\n            pass\n",
    when=says("/evil"),
)
step(
    "first-signature-alone",
    "Looks at the first signature alone.",
    VERIFIED,
    "enumerate(entries):",
    "enumerate(entries[:1]):",
)
step(
    "any-number-of-signatures",
    "Looks at any number of signatures.",
    VERIFIED,
    " or len(entries) > _MOST_SIGNATURES",
    "",
)
step(
    "all-must-fit",
    "Wants every signature to fit.",
    VERIFIED,
    "faults.append(WireError(",
    "raise error; faults.append(WireError(",
    when=lambda unit: len(signatures_of(unit)) < 9,
)
step(
    "signs-the-card-alone",
    "Does not look at the header.",
    _signature._signed,
    'f"{protected}.{_encoded(form.signed)}"',
    "_encoded(form.signed)",
)

# --- its header

step(
    "padded-base64",
    "Takes padded base64.",
    _signature._decoded,
    'base64url_decode(text) if text.isascii() and set(text).isdisjoint("+/=") else None',
    '__import__("base64").urlsafe_b64decode(text + "=" * (-len(text) % 4))',
    when=lambda unit: any("=" in str(one) for one in signatures_of(unit)[:1]),
)
believes(
    OPS,
    "trailing-bits",
    "Takes base64 with bits left over.",
    "agent-card-signature-malformed",
    when=lambda unit: (
        len(signatures_of(unit)) == 1
        and isinstance(signatures_of(unit)[0], dict)
        and len(signatures_of(unit)[0].get("signature", "")) == 86
        and header_of(signatures_of(unit)[0]).get("kid") == "ed"
        and "=" not in json.dumps(signatures_of(unit)[0])
    ),
)
believes(
    OPS,
    "signatures-that-are-none",
    "Takes what is no signature.",
    "agent-card-signature-malformed",
    when=lambda unit: (
        not signatures_of(unit) or not isinstance(signatures_of(unit)[0], dict) or len(signatures_of(unit)[0]) < 2
    ),
)
believes(
    OPS,
    "headers-that-are-none",
    "Takes what is no header.",
    "agent-card-signature-malformed",
    when=lambda unit: (
        bool(signatures_of(unit)) and isinstance(signatures_of(unit)[0], dict) and len(signatures_of(unit)[0]) == 2
    ),
)
step(
    "needs-no-name",
    "Takes the key when there is one.",
    READ,
    "if key_id.__class__ is not str or not key_id:",
    'key_id = key_id or "ed"\n    if False:',
)
step(
    "keys-that-come-along",
    "Does not look for keys in the header.",
    READ,
    "if not _FORBIDDEN.isdisjoint(header):",
    "if False:",
)
step(
    "any-use",
    "Does not look at the type.",
    READ,
    'if kind is not None and (kind.__class__ is not str or kind.upper() != "JOSE"):',
    "if False:",
)
step("types-have-case", "Compares types with their case.", READ, 'kind.upper() != "JOSE"', 'kind != "JOSE"')
step("wants-a-type", "Wants a type.", READ, "if kind is not None and (", "if (kind is None or True) and (")
believes(
    OPS,
    "takes-none",
    "Takes cards without a signature of a public key.",
    "agent-card-algorithm-refused",
    when=by_header(lambda header: header.get("alg") in ("none", "HS256", None, "ES256K")),
)
believes(
    OPS,
    "takes-any-algorithm",
    "Does not look which algorithms are taken.",
    "agent-card-algorithm-refused",
    when=says('"algorithms"'),
)
believes(
    OPS,
    "takes-any-key-for-any-algorithm",
    "Does not look whether an algorithm goes with its key.",
    "agent-card-algorithm-refused",
    when=by_header(lambda header: header.get("alg") in ("RS256", "EdDSA")),
)
step(
    "follows-no-jku",
    "Refuses to know where keys lie.",
    READ,
    "if not _FORBIDDEN.isdisjoint(header):",
    "if not {*_FORBIDDEN, 'jku'}.isdisjoint(header):",
)


def _merged(unit: Any) -> Any:
    """The unit with what the unprotected header says in the protected one."""
    changed = copy.deepcopy(unit)
    for one in signatures_of(changed):
        if isinstance(one, dict) and isinstance(one.get("header"), dict):
            merged = {**header_of(one), **one["header"]}
            one["protected"] = urlsafe_b64encode(json.dumps(merged).encode()).decode().rstrip("=")
    return changed


sees(OPS, "believes-what-is-not-signed", "Reads the unprotected header.", _merged)
believes(OPS, "takes-unsigned-cards", "Takes cards without a signature.", "agent-card-unsigned")

# --- keys

step(
    "any-key-of-any-domain",
    "Takes keys of other domains.",
    VERIFIED,
    "settings.card_keys.get(domain)",
    "next(iter(settings.card_keys.values()), None)",
)
step(
    "subdomains-too",
    "Takes the keys of a domain for those below.",
    VERIFIED,
    "settings.card_keys.get(domain)",
    "next((k for d, k in settings.card_keys.items() if ('.' + domain).endswith('.' + d)), None)",
)
believes(
    OPS,
    "any-name-of-a-key",
    "Takes any key, whatever its name.",
    "agent-card-key-unknown",
    when=by_header(lambda header: header.get("kid") == "x"),
)
believes(
    OPS,
    "no-keys-needed",
    "Believes when there are no keys.",
    "agent-card-key-unknown",
    when=lambda unit: "card_keys" not in unit,
)
lacks(OPS, "any-use-of-keys", "Does not look at the use of keys.", values={(_tokens, "_may_verify"): lambda key: True})
believes(
    OPS,
    "first-of-two-keys",
    "Takes the first of two keys.",
    "agent-card-key-unknown",
    when=lambda unit: len(unit.get("card_keys", {}).get("agents.example", {}).get("keys", ())) == 2,
)
believes(OPS, "weak-keys", "Takes weak keys.", "agent-card-key-refused")
declines(
    OPS,
    "one-name-of-an-algorithm",
    "Knows EdDSA by one name.",
    by_header(lambda header: header.get("alg") == "Ed25519"),
)
lacks(
    OPS,
    "one-name-of-a-key",
    "Takes a key only under the name of the algorithm that the signature has.",
    (_tokens._chosen, "(None, *_ED25519) if algorithm in _ED25519 else (None, algorithm)", "(None, algorithm)"),
)
for _algorithm in ("RS256", "PS256", "ES256", "ES384"):
    declines(
        OPS,
        f"knows-no-{_algorithm.lower()}",
        f"Does not know {_algorithm}.",
        by_header(lambda header, name=_algorithm: header.get("alg") == name),
    )
gives(
    OPS,
    "forgets-the-key",
    "Does not say which key it was.",
    lambda value, given, unit: (
        {**value, "key_id": None}
        if value["key_id"] == "ed" and len(unit) == 2 and len(json.dumps(unit["card"])) < 900
        else None
    ),
)

# --- documents

believes(OPS, "reads-signed-arrays", "Reads an array as a card.", "wrong-type")
believes(OPS, "reads-members-twice", "Takes the last of two members.", "duplicate-member")
believes(OPS, "reads-no-cards", "Takes what is no card.", "malformed")
believes(OPS, "rounds-numbers", "Rounds numbers.", "not-canonical")

# --- signing

SIGN = "sign_card"


def signs(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant of signing."""
    lacks(SIGN, name, rule, (function, old, new))


MAKE = _signature.sign_card
signs("signs-empties", "Signs what readers do not agree on.", MAKE, "if empty:", "if False:")
believes(
    SIGN,
    "signs-anything",
    "Signs cards of v0.3.",
    "malformed",
    when=lambda unit: "supportedInterfaces" not in unit["card"],
)
signs("writes-no-type", "Writes no type.", MAKE, ', "typ": "JOSE"', "")
signs("drops-signatures", "Drops the signatures that are there.", MAKE, '*(document.get("signatures") or ()), ', "")
gives(
    SIGN,
    "serves-what-is-signed",
    "Serves what is signed alone.",
    lambda value, given, unit: {
        name: member
        for name, member in value.items()
        if name not in ("url", "address", "protocolVersion", "securityRequirements")
    },
)
lacks(
    SIGN,
    "signs-the-form-of-the-text",
    "Signs what is empty.",
    (
        _covered._cleaned,
        "or None\n    if value.__class__ is list:",
        "or None\n    if value.__class__ is list and value:",
    ),
    (_covered._cleaned, 'None if value == "" else value', "value"),
)
gives(
    SIGN, "forgets-to-sign", "Serves cards without a signature.", lambda value, given, unit: {**value, "signatures": []}
)
believes(SIGN, "signs-malformed-cards", "Signs what is no card.", "malformed", when=says('"name": 5'))
