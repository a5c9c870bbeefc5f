"""Mutants of Connector Cards and their keys."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils
from tests.mutants._identity import AREA, VERIFY

if TYPE_CHECKING:
    from collections.abc import Callable


ACL, PROFILE, POLICY = ("identity.acl",), ("identity.profile",), ("identity.trust_policy",)
READ, SERVE, THUMB = ("identity.read_card",), ("identity.serve_card",), ("identity.thumbprint",)
ATTEST, INPUT = ("identity.attest",), ("identity.signing_input",)
Answer = "Mapping[str, Any]"


# --- cards and keys


def lacks(name: str, rule: str, words: str) -> None:
    """Registers a mutant that believes nobody whose card has this in it."""
    spoils(
        AREA,
        VERIFY,
        name,
        rule,
        lambda value, given, _: {} if value and words in json.dumps(given["lookups"]) else None,
    )


lacks("wants-plain-json", "Takes application/json alone.", "jwk-set+json")
lacks("compares-media-types-by-case", "Compares media types by case.", "Application/JSON")
lacks("knows-one-spelling", "Does not know keys one level down.", '"jwks"')
lacks("knows-all-members", "Refuses cards with members that it does not know.", '"motto"')
spoils(
    AREA,
    VERIFY,
    "needs-no-newer-card",
    "Takes no card that has an end.",
    lambda value, given, _: {} if value and '"expires_at": "2026-11-22' in json.dumps(given["lookups"]) else None,
)
lacks("knows-no-old-algorithm", "Knows one name of the algorithm.", '"alg": "EdDSA"')


def _keys(given: Any) -> list[Any]:
    found = [row for row in given["lookups"].values() if isinstance(row, dict) and isinstance(row.get("json"), dict)]
    return [key for row in found for key in row["json"].get("keys", []) if isinstance(key, dict)]


def lacking(name: str, rule: str, wrong: Callable[[list[Any]], bool]) -> None:
    """Registers a mutant that believes nobody with such keys."""
    spoils(
        AREA, VERIFY, name, rule, lambda value, given, _: {} if value and _keys(given) and wrong(_keys(given)) else None
    )


lacking("needs-alg", "Needs the algorithm of a key.", lambda keys: any("alg" not in key for key in keys[:1]))
lacking("needs-use", "Needs the use of a key.", lambda keys: any("use" not in key for key in keys[:1]))
lacking("knows-no-operations", "Knows no operations.", lambda keys: any("key_ops" in key for key in keys))
lacking(
    "wants-all-keys-good",
    "Refuses a card with a key of no use.",
    lambda keys: any(key.get("kty") == "RSA" for key in keys),
)
lacking("has-short-ids", "Takes ids of 64 characters.", lambda keys: any(len(str(key.get("kid"))) > 64 for key in keys))
lacking(
    "has-plain-ids", "Takes ids of letters and digits.", lambda keys: any("#" in str(key.get("kid")) for key in keys)
)
lacking(
    "uses-the-first-key",
    "Takes the first key of a card.",
    lambda keys: len(keys) > 1 and keys[1].get("kid") == "2026-10",
)
spoils(
    AREA,
    VERIFY,
    "reads-pins-loosely",
    "Refuses where a key is pinned.",
    lambda value, given, _: {} if value and "thumbprints" in json.dumps(given["settings"]) else None,
)


def told(name: str, rule: str, change: Callable[[Any], Any], ops: tuple[str, ...] = READ) -> None:
    """Registers a mutant that tells a card otherwise."""
    spoils(AREA, ops, name, rule, lambda value, given, unit: change(value))


told(
    "tells-no-name",
    "Leaves the name of a card out.",
    lambda card: {key: one for key, one in card.items() if key != "name"},
)
told(
    "tells-no-faults",
    "Does not say what is wrong with keys.",
    lambda card: {
        **card,
        "keys": [{key: one for key, one in found.items() if key != "fault"} for found in card["keys"]],
    },
)
for _op, _name in ((READ, "reads"), (SERVE, "serves")):
    spoils(
        AREA,
        _op,
        f"{_name}-no-windows",
        "Leaves times of keys out.",
        lambda value, *_: json.loads(re.sub(r', "not_(?:before|after)": "[^"]+"', "", json.dumps(value))),
    )
spoils(
    AREA,
    READ,
    "needs-a-url",
    "Refuses cards that come from a store.",
    lambda value, _, unit: None if "url" in unit else {},
)
spoils(
    AREA,
    READ,
    "wants-the-first-name",
    "Takes cards under their first name alone.",
    lambda value, _, unit: {} if "connector-card" in unit.get("url", "") else None,
)
spoils(
    AREA,
    SERVE,
    "serves-no-age",
    "Lets everybody keep a card for ever.",
    lambda value, *_: {**value, "headers": value["headers"][:1]},
)
spoils(
    AREA,
    SERVE,
    "hides-revoked-keys",
    "Does not say that a key is revoked.",
    lambda value, *_: json.loads(re.sub(r', "revoked_at": "[^"]+"', "", json.dumps(value))),
)
spoils(
    AREA,
    THUMB,
    "orders-members-as-written",
    "Hashes members in the order of the RFC of keys.",
    lambda value, *_: value[::-1],
)
spoils(
    AREA,
    THUMB,
    "hashes-all-members",
    "Hashes every member.",
    lambda value, _, unit: "x" * 43 if "kid" in unit["jwk"] else None,
)
