"""Mutants of Connector Cards and their keys."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from mentionable import _connector_card
from mentionable.identity import _card
from tests.mutants._answers import spoils
from tests.mutants._identity import AREA, VERIFY, library

if TYPE_CHECKING:
    from collections.abc import Callable


ACL, PROFILE, POLICY = ("identity.acl",), ("identity.profile",), ("identity.trust_policy",)
READ, SERVE, THUMB = ("identity.read_card",), ("identity.serve_card",), ("identity.thumbprint",)
ATTEST, INPUT = ("identity.attest",), ("identity.signing_input",)
Answer = "Mapping[str, Any]"


# --- cards and keys


def _served(words: str) -> Callable[[Any, Any], bool]:
    return lambda _, given: words in json.dumps(given["lookups"])


def lacks(name: str, rule: str, words: str) -> None:
    """Registers a mutant that believes nobody whose card has this in it."""
    spoils(
        AREA,
        VERIFY,
        name,
        rule,
        lambda value, given, _: {} if value and words in json.dumps(given["lookups"]) else None,
    )


library(
    "takes-any-type-of-card",
    "Does not look at media types.",
    swaps=((_card, "_MEDIA", lambda text: True),),
    codes=("card-unavailable",),
)
library(
    "takes-any-status",
    "Does not look at the status.",
    (_card._card, "answer.status != 200 or", ""),
    codes=("card-unavailable",),
)
library(
    "takes-any-success",
    "Takes any success.",
    (_card._card, "answer.status != 200", "not 200 <= answer.status < 300"),
    codes=("card-unavailable",),
)
library(
    "takes-any-card",
    "Takes the card of another issuer.",
    (_card._card, "card.card.issuer != issuer", "False"),
    codes=("card-issuer-mismatch",),
)
library(
    "takes-cards-from-anywhere",
    "Does not look where a card came from.",
    (_connector_card.check_origin, "url not in ready.places", "False"),
    codes=("card-origin-mismatch",),
    ops=(*VERIFY, *READ),
)
library(
    "takes-cards-of-the-host",
    "Looks at the host of a card alone.",
    (_connector_card.check_origin, "url not in ready.places", "not url.startswith(f'https://{ready.card.issuer}')"),
    codes=("card-origin-mismatch",),
    ops=(*VERIFY, *READ),
)
lacks("wants-plain-json", "Takes application/json alone.", "jwk-set+json")
lacks("compares-media-types-by-case", "Compares media types by case.", "Application/JSON")
library(
    "knows-one-name",
    "Takes cards under their first name alone.",
    swaps=((_connector_card, "CARD_PATHS", ("/.well-known/adapter-card",)),),
    ops=(*VERIFY, *READ),
    when=lambda unit, given: "connector-card" in json.dumps([unit, given]),
)
library(
    "takes-fifteen-keys", "Refuses sixteen keys.", swaps=((_connector_card, "_MOST_KEYS", 15),), when=_served('"k14"')
)
lacks("knows-one-spelling", "Does not know keys one level down.", '"jwks"')
lacks("knows-all-members", "Refuses cards with members that it does not know.", '"motto"')
library(
    "asks-once",
    "Never asks for a newer card.",
    swaps=((_card, "_OLD", frozenset()),),
    when=lambda _, given: isinstance(next(iter(given["lookups"].values())), list),
)
library(
    "ignores-the-end-of-cards",
    "Uses cards that are too old.",
    (_card._key, "card.expires_at is not None and now >= card.expires_at", "False"),
    codes=("card-expired", "card-unavailable"),
)
library(
    "asks-again-always",
    "Asks for a newer card when anything is wrong.",
    (_card.signing_key, "if refused.code not in _OLD:", "if False:"),
    codes=("key-revoked", "key-retired"),
)
spoils(
    AREA,
    VERIFY,
    "needs-no-newer-card",
    "Takes no card that has an end.",
    lambda value, given, _: {} if value and '"expires_at": "2026-11-22' in json.dumps(given["lookups"]) else None,
)
library(
    "takes-long-windows-only",
    "Wants keys without windows.",
    (_card._check_window, "issued_at < key.not_before", "True"),
    (_card._check_window, "(issued_at >= key.not_after or now >= key.not_after)", "True"),
    when=lambda _, given: '"not_after"' in json.dumps(given["lookups"]),
)
library(
    "opens-windows-late",
    "Takes no evidence of the first moment.",
    (_card._check_window, "issued_at < key.not_before", "issued_at <= key.not_before"),
    when=_served('"not_before"'),
)
library(
    "ignores-begins",
    "Takes keys before they begin.",
    (_card._check_window, "issued_at < key.not_before", "False"),
    codes=("key-not-yet-valid",),
)
library(
    "begins-by-now",
    "Compares the begin with now.",
    (_card._check_window, "issued_at < key.not_before", "True and key.not_before.year > 2026"),
    codes=("key-not-yet-valid",),
)
library(
    "ignores-ends",
    "Takes keys that have ended.",
    (_card._check_window, "(issued_at >= key.not_after or now >= key.not_after)", "False"),
    codes=("key-retired",),
)
library(
    "ends-by-now",
    "Compares the end with now alone.",
    (_card._check_window, "issued_at >= key.not_after or ", ""),
    codes=("key-retired",),
)
library(
    "ends-by-issue",
    "Compares the end with the issue alone.",
    (_card._check_window, "issued_at >= key.not_after or now >= key.not_after", "issued_at >= key.not_after"),
    codes=("key-retired",),
)
library(
    "ignores-revocation",
    "Takes revoked keys.",
    (_connector_card._ready, 'jwk.get("x") in revoked', "False"),
    codes=("key-revoked",),
    ops=VERIFY,
)
library(
    "revokes-ids",
    "Revokes ids, not keys.",
    (_connector_card._ready, 'jwk.get("x") in revoked', 'jwk.get("revoked_at")'),
    codes=("key-revoked",),
)
library(
    "revokes-everything",
    "Takes a card with a revoked key for revoked.",
    (_connector_card._ready, 'jwk.get("x") in revoked', "revoked"),
    when=_served('"revoked_at"'),
)
library(
    "ignores-uses",
    "Does not look what a key is for.",
    (
        _connector_card._ready,
        'jwk.get("use") not in (None, "sig") or not (uses is None or (uses.__class__ is list and "verify" in uses))',
        "False",
    ),
    codes=("key-use-mismatch",),
)
library(
    "looks-for-words-in-operations",
    "Looks for the word in operations.",
    (_connector_card._ready, 'uses.__class__ is list and "verify" in uses', '"verify" in uses'),
    codes=("key-use-mismatch",),
)
library(
    "ignores-algorithms-of-keys",
    "Does not look at the algorithm of a key.",
    (_connector_card._ready, 'jwk.get("alg") not in _ALGORITHMS', "False"),
    codes=("key-type-mismatch",),
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
library(
    "ignores-pins",
    "Does not look at pins.",
    (_card._key, "entry.thumbprints and", "False and"),
    codes=("key-pin-mismatch",),
)
library(
    "folds-kids",
    "Folds the case of key ids.",
    (_card._key, "card.keys.get(key_id)", "{name.lower(): key for name, key in card.keys.items()}.get(key_id.lower())"),
    codes=("key-unknown",),
)
library(
    "takes-any-key",
    "Takes any key of the card.",
    (_card._key, "card.keys.get(key_id)", "next(iter(card.keys.values()))"),
    codes=("key-unknown",),
)
library(
    "takes-keys-twice",
    "Takes the last of two keys of one id.",
    (_connector_card.read_ready, "len(set(ids)) < len(ids)", "False"),
    codes=("key-ambiguous",),
    ops=(*VERIFY, *READ),
)
library(
    "takes-private-halves",
    "Overlooks a private half.",
    (_connector_card._jwks, '"d" in jwk', "False"),
    codes=("card-private-key",),
    ops=(*VERIFY, *READ),
)
library(
    "takes-any-callbacks",
    "Does not look at callbacks.",
    swaps=((_connector_card, "_urls", lambda callbacks: ()),),
    codes=("card-invalid",),
)
library(
    "takes-both-spellings",
    "Takes keys in both places.",
    (_connector_card._jwks, '"keys" in document and "jwks" in document', "False"),
    codes=("card-invalid",),
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
