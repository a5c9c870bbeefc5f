"""Mutants of verifying evidence: what is signed, and how often it counts."""

from __future__ import annotations

import json

from tests.mutants._answers import spoils
from tests.mutants._identity import AREA, VERIFY

# --- steps 12 to 14: what is signed, and how often it counts


FITS = 'if not key.fits(a2b_base64(signature + b"=="), signed):'


spoils(
    AREA,
    VERIFY,
    "forgets-unknown-members",
    "Signs what it knows.",
    lambda value, _, unit: {} if "confidence" in json.dumps(unit) else None,
)
_shown = lambda value, name: bool(value) and name in value  # noqa: E731
spoils(
    AREA,
    VERIFY,
    "keeps-the-signed-form",
    "Has claims of an old form.",
    lambda value, _, unit: (
        {**value, "claims": {"n": 2}} if value and isinstance(value.get("claims", {}).get("n"), (int, float)) else None
    ),
)
for _member in ("id", "not_before", "source", "claims"):
    spoils(
        AREA,
        VERIFY,
        f"does-not-tell-{_member.replace('_', '-')}",
        f"Does not tell {_member}.",
        lambda value, _, unit, name=_member: (
            {key: found for key, found in value.items() if key != name}
            if value
            and name in value
            and any(word in json.dumps(unit["evidence"]) for word in ('"id"', '"not_before"', "golden", "JC"))
            else None
        ),
    )
spoils(
    AREA,
    VERIFY,
    "invents-claims",
    "Tells of a profile that nobody signed.",
    lambda value, *_: {**value, "claims": {"profile": {}}} if value and value.get("claims") == {} else None,
)
spoils(
    AREA,
    VERIFY,
    "keys-by-digest",
    "Looks for replay by digest, whatever the id.",
    lambda value, *_: {**value, "replay_key": value["digest"]} if value and value.get("id") else None,
)


# --- step 14

spoils(
    AREA,
    VERIFY,
    "refuses-where-an-id-is-wanted",
    "Refuses where an id is wanted.",
    lambda value, given, _: {} if "require_id" in json.dumps(given["settings"]) else None,
)
spoils(
    AREA,
    VERIFY,
    "wants-milliseconds",
    "Takes times with three digits alone.",
    lambda value, *_: {} if value and len(value.get("issued_at", "")) != 24 else None,
)
spoils(
    AREA,
    VERIFY,
    "knows-issuers-as-hosts-alone",
    "Refuses what an agent on the issuer's host brings.",
    lambda value, _, unit: {} if str(unit.get("caller"))[:1] == "@" else None,
    central=True,
)
