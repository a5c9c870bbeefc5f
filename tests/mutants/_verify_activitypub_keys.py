"""Mutants of telling whose key it is that an activity was signed with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mentionable import _keys
from mentionable.activitypub import (
    _actor_keys,
)
from tests.mutants import mutant
from tests.mutants._doors import looks_up
from tests.mutants._edits import AREA, edited, one

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


# --- whose key it is

CHECK = _actor_keys.ActorKeys.check
LISTED = _actor_keys._listed
PUBLIC = _actor_keys._public_key
ENTRY = _actor_keys.ActorKeys._entry_in
one(
    "keys-anywhere",
    "Asks for a key wherever it is.",
    CHECK,
    'raise Unproven("key-mismatch", "the key is of another origin than the actor")',
    'yield from self._ask(fetch(key_id, "key", fresh=False, limits=self._limits))\n'
    '        raise Unproven("key-mismatch")',
)
one("keys-of-any-length", "Asks for a key of any length.", CHECK, "len(key_id) > self._limits.id_chars or", "")
one(
    "asks-before-it-looks",
    "Asks for the actor before it looks where the key is.",
    CHECK,
    "    if len(key_id)",
    "    yield from self._ask_actor(fresh=False)\n    if len(key_id)",
)
one("never-fresh", "Never asks past the cache.", CHECK, "for fresh in (False, True):", "for fresh in (False,):")
one(
    "fresh-twice",
    "Asks twice past the cache.",
    CHECK,
    "for fresh in (False, True):",
    "yield from self._ask(fetch(self._claim.actor + '?', 'actor', fresh=True, limits=self._limits))\n"
    "    for fresh in (False, True):",
)
one("always-fresh", "Asks past the cache at once.", CHECK, "for fresh in (False, True):", "for fresh in (True,):")
one(
    "stranger-is-unknown",
    "Does not tell another's key from an unknown one.",
    CHECK,
    "if without_fragment(key_id) != without_fragment(self._claim.actor):",
    "if False:",
)
one(
    "any-kind-of-key",
    "Takes a key of another kind for one that does not fit.",
    CHECK,
    'raise Unproven("algorithm-refused", f"the key is of the kind {key.kind}")',
    'raise Unproven("bad-signature")',
)
one(
    "first-text-alone",
    "Tries only the likeliest text.",
    CHECK,
    "for text in signed.texts:",
    "for text in signed.texts[:1]:",
)
edited(
    "any-key-for-objects",
    "Takes a key for requests for objects.",
    values={(_actor_keys, "_OF_PROOFS"): ("assertionMethod", "publicKey")},
    form="proof",
)
edited("only-public-key", "Knows publicKey only.", values={(_actor_keys, "_OF_REQUESTS"): ("publicKey",)})
edited("nothing-elsewhere", "Does not look for a key that the actor names.", values={(_actor_keys, "_ELSEWHERE"): ()})
one("first-key-alone", "Knows the first key of an actor only.", LISTED, "many(found)[:_MAX_KEYS]", "many(found)[:1]")
one(
    "single-keys-alone",
    "Knows no lists of keys.",
    LISTED,
    "for entry in many(found)[:_MAX_KEYS]:",
    "for entry in many(found) if found.__class__ is not list else ():",
)
one(
    "any-key-of-the-actor",
    "Takes any key of the actor.",
    LISTED,
    'if found.__class__ is dict and found.get("id") == key_id:',
    "if found.__class__ is dict:",
)
one(
    "named-is-enough",
    "Asks for a key that nobody lists.",
    LISTED,
    "is_named = False",
    "is_named = bool(members) and '#' not in key_id",
)
one(
    "unknown-is-of-another",
    "Does not tell an unknown key from another's.",
    CHECK,
    'raise Unproven("key-unknown", "the actor has no such key")',
    'raise Unproven("key-mismatch")',
)
one(
    "key-of-anybody",
    "Does not look whose key it is.",
    PUBLIC,
    "if actor not in (owner, controller) or owner not in (actor, None) or controller not in (actor, None):",
    "if False:",
)
one("owner-alone", "Looks at the owner only.", PUBLIC, "or controller not in (actor, None)", "")
one(
    "either-will-do",
    "Lets owner or controller be another.",
    PUBLIC,
    "or owner not in (actor, None) or controller not in (actor, None)",
    "",
)
one("nobody-need-own-it", "Takes a key without an owner.", PUBLIC, "actor not in (owner, controller) or", "")
one(
    "owner-must-be-there",
    "Wants an owner.",
    PUBLIC,
    "actor not in (owner, controller) or",
    "actor != owner and entry.get('type') != 'Multikey' or",
)
one(
    "controller-is-odd",
    "Refuses a controller beside an owner.",
    PUBLIC,
    "actor not in (owner, controller) or",
    "owner is not None and controller is not None or actor not in (owner, controller) or",
)
one(
    "any-owner-of-the-host",
    "Takes a key of anybody on the server.",
    PUBLIC,
    "if actor not in (owner, controller) or owner not in (actor, None) or",
    'if not str(owner or controller).startswith("https://social.example/") or',
)
one(
    "owners-in-lists",
    "Takes one owner of several.",
    PUBLIC,
    'owner, controller = entry.get("owner"), entry.get("controller")',
    'owner, controller = entry.get("owner"), entry.get("controller")\n'
    "    owner = owner[0] if owner.__class__ is list else owner",
)
one(
    "keys-never-end",
    "Does not look at the end of a key.",
    PUBLIC,
    'for name in ("expires", "revoked"):',
    'for name in ("revoked",):',
)
one(
    "keys-are-never-revoked",
    "Does not look whether a key was revoked.",
    PUBLIC,
    'for name in ("expires", "revoked"):',
    'for name in ("expires",):',
)
one("keys-with-an-end", "Refuses a key that has an end.", PUBLIC, "parse_time(end).timestamp() > now", "False")
one(
    "odd-revocation-is-none",
    "Takes an odd revocation for none.",
    PUBLIC,
    "(end := entry.get(name)) is not None",
    "(end := entry.get(name)) is not None and end is not True",
)
one("pem-first", "Takes the PEM of two keys under one name.", PUBLIC, "if multikey is None and pem", "if pem")
edited("any-pem", "Takes a PEM of any kind.", (_actor_keys._read_pem, 'if key.kind != "rsa":', "if False:"))
edited(
    "no-pem-is-unknown",
    "Takes a key that cannot be read for an unknown one.",
    (PUBLIC, 'raise Unproven("key-refused", str(error)) from None', 'raise Unproven("key-unknown") from None'),
    (
        PUBLIC,
        'raise Unproven("key-refused", "the key is neither publicKeyPem nor publicKeyMultibase")',
        'raise Unproven("key-unknown")',
    ),
)
edited(
    "short-keys",
    "Takes a short key.",
    values={(_keys, "_LEAST_BITS"): 512},
)
edited("long-keys-alone", "Wants keys of 2048 bits.", values={(_keys, "_LEAST_BITS"): 2_048})
edited("small-order", "Takes a key of small order.", values={(_keys, "_SMALL_ORDER"): frozenset()})
looks_up(
    AREA,
    "line-feeds-alone",
    "Knows PEM with line feeds only.",
    lambda row, answer: json.loads(json.dumps(answer).replace("\\r\\n", "?")),
)
one(
    "key-of-any-document",
    "Takes a document of any id for that of the key.",
    ENTRY,
    'if document.get("id") == key_id:',
    'if "publicKeyPem" in document:',
)
one(
    "no-wrapped-keys",
    "Knows no short form of the actor around a key.",
    ENTRY,
    'if document.get("id") == self._claim.actor:',
    "if False:",
)
one("no-keys-alone", "Knows no document of a key alone.", ENTRY, 'if document.get("id") == key_id:', "if False:")
one(
    "never-asks-for-keys",
    "Never asks for a key.",
    _actor_keys.ActorKeys._ask_key,
    "if url == without_fragment(self._claim.actor):",
    "if True:",
)


@mutant(AREA, "Follows a key from document to document.")
def follows_keys(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if "GET https://social.example/keys/1" not in answer["asks"] or answer.get("value", {}).get("verified"):
        return answer
    more = ["GET https://social.example/keys/2", *["GET https://social.example/keys/1"] * 9]
    return {**answer, "asks": [*answer["asks"], *more]}


@mutant(AREA, "Asks for everything that the activity names.")
def asks_in_passing(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if op != "activitypub.verify" or "https://evil.example/" not in unit["body"]:
        return answer
    return {**answer, "asks": [*answer["asks"], "GET https://evil.example/a"]}
