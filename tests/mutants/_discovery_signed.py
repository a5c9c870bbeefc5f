"""Mutants of signatures on A2A cards."""

from __future__ import annotations

import copy
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from tests.mutants._discovery import believes, declines, gives, sees
from tests.mutants._discovery_cards import says

if TYPE_CHECKING:
    from collections.abc import Callable

OPS = "verify_card"


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
declines(OPS, "knows-all-members", "Refuses members that it does not know.", says('"later"'))
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

# --- its header

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


believes(
    SIGN,
    "signs-anything",
    "Signs cards of v0.3.",
    "malformed",
    when=lambda unit: "supportedInterfaces" not in unit["card"],
)
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
gives(
    SIGN, "forgets-to-sign", "Serves cards without a signature.", lambda value, given, unit: {**value, "signatures": []}
)
believes(SIGN, "signs-malformed-cards", "Signs what is no card.", "malformed", when=says('"name": 5'))
