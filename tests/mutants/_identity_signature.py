"""Mutants of verifying evidence: what is signed, and how often it counts."""

from __future__ import annotations

import json
from typing import Any

from mentionable.identity import _sign, _trust, _verify
from tests.mutants._answers import spoils
from tests.mutants._identity import AREA, STORY, VERIFY, library

# --- steps 12 to 14: what is signed, and how often it counts


def signs(
    name: str,
    rule: str,
    old: str,
    new: str,
    *,
    codes: tuple[str, ...] | None = ("signature-invalid",),
    when: Any = None,
) -> None:
    """Registers a mutant that has other bytes signed."""
    library(name, rule, (_verify._verified, old, new), codes=codes, when=when)


FITS = 'if not key.fits(a2b_base64(signature + b"=="), signed):'
ELSE = "from mentionable.identity._sign import signing_input as made\n        members = statement.members\n        "
signs("checks-no-signature", "Checks no signature.", FITS, "if False:")


def also(name: str, rule: str, members: str) -> None:
    """Registers a mutant that tries other bytes when a signature does not fit."""
    other = f"made({members})"
    signs(
        name,
        rule,
        FITS,
        f"{ELSE}if not key.fits(a2b_base64(signature + b'=='), signed) and not key.fits(a2b_base64(signature "
        f"+ b'=='), {other}):",
    )


also("tries-without-proof", "Tries without the proof, too.", "members, proof_removed=True")
also("tries-with-proof", "Tries with the proof, too.", "members")
for _member in (
    "subject",
    "method",
    "assurance",
    "issued_at",
    "expires_at",
    "not_before",
    "id",
    "claims",
    "source",
    "audience",
    "on_behalf_of",
    "admin",
):
    _known = {
        "subject": "'slack:T123/U456'",
        "method": "'urn:mentionable:auth:slack-workspace-member:v0.1'",
        "assurance": "'platform'",
        "issued_at": "'2026-11-21T20:55:00.000Z'",
        "expires_at": "'2026-11-21T20:59:00.000Z'",
        "not_before": "'2026-11-21T20:55:00.000Z'",
        "id": "'slack:Ev1'",
        "audience": "'@helper@agents.example'",
    }
    if _member in _known:
        also(
            f"does-not-sign-{_member.replace('_', '-')}",
            f"Lets {_member} be changed.",
            f"{{**members, {_member!r}: {_known[_member]}}}",
        )
    else:
        _was = {
            "claims": "{'profile': {'display_name': 'Alice', 'username': 'alice', 'provider': 'slack', "
            "'provider_subject': 'slack:T123/U456'}}",
            "source": "{'transport': 'slack', 'connector': 'slack-connector', 'channel': 'C123'}",
        }.get(_member)
        _put = (
            f"{{**members, {_member!r}: {_was}}}"
            if _was
            else f"{{name: member for name, member in members.items() if name != {_member!r}}}"
        )
        also(f"does-not-sign-{_member.replace('_', '-')}", f"Lets {_member} be changed.", _put)
also("adds-what-is-gone", "Adds unknown members that are gone.", "{**members, 'admin': False}")
also("forgives-types-of-numbers", "Takes true and texts for numbers.", "{**members, 'claims': {'n': 1}}")
also("normalizes-text", "Normalizes text.", "{**members, 'claims': {'name': 'Zo\\u00eb'}}")
also("does-not-sign-issuer", "Lets the issuer be changed.", "{**members, 'issuer': 'slack.agents.example'}")
also("strips-kids", "Lets the key id be changed.", "{**members, 'proof': {**members['proof'], 'kid': '2026-11'}}")
also(
    "adds-canonicalization",
    "Lets canonicalization be dropped.",
    "{**members, 'proof': {**members['proof'], 'canonicalization': 'jcs'}}",
)
also(
    "drops-canonicalization",
    "Lets canonicalization be added.",
    "{**members, 'proof': {name: member for name, member in members['proof'].items() if name != 'canonicalization'}}",
)
also(
    "does-not-sign-the-type",
    "Does not sign the type of the proof.",
    "{**members, 'proof': {name: member for name, member in members['proof'].items() if name != 'type'}}",
)
signs(
    "empties-the-value",
    "Signs an empty value.",
    FITS,
    "from mentionable._canonical import canonical_json\n        emptied = {**statement.members, 'proof': "
    "{**statement.proof, 'value': ''}}\n        if not key.fits(a2b_base64(signature + b'=='), "
    "canonical_json(emptied)):",
)
signs(
    "signs-a-digest",
    "Takes a signature over the digest.",
    FITS,
    "if not key.fits(a2b_base64(signature + b'=='), sha256(signed).digest()):",
)
signs(
    "signs-a-line",
    "Takes a signature over a line.",
    FITS,
    "if not key.fits(a2b_base64(signature + b'=='), signed + b'\\n'):",
)
signs(
    "signs-what-was-sent",
    "Takes a signature over what was written.",
    FITS,
    "import json\n        from mentionable.identity._read import MAX_BYTES\n        sent = "
    "json.loads(evidence)\n        del sent['proof']['value']\n        if not "
    "key.fits(a2b_base64(signature + b'=='), json.dumps(sent, separators=(',', ':')).encode()) and not "
    "key.fits(a2b_base64(signature + b'=='), json.dumps(sent, separators=(',', ':'), "
    "sort_keys=True).encode()):",
)
signs(
    "reduces-signatures",
    "Takes a signature that was written anew.",
    FITS,
    "order = 2**252 + 27742317777372353535851937790883648493\n        raw = a2b_base64(signature + "
    "b'==')\n        if not key.fits(raw[:32] + (int.from_bytes(raw[32:], 'little') % "
    "order).to_bytes(32, 'little'), signed):",
)


def _odd(unit: Any, _: Any) -> bool:
    words = ('"names"', "U0001f600", "\\ud83d", "1e", "0.", "-0", "\\u00eb", "unknown", "confidence")
    return any(one in json.dumps(unit) for one in words)


library(
    "sorts-by-code-points",
    "Sorts names by code points.",
    swaps=(
        (
            _sign,
            "canonical_json",
            lambda value, **_: json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode(),
        ),
    ),
    when=_odd,
)
library(
    "escapes-letters",
    "Escapes what is not ASCII.",
    swaps=(
        (_sign, "canonical_json", lambda value, **_: json.dumps(value, sort_keys=True, separators=(",", ":")).encode()),
    ),
    when=_odd,
)
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
library(
    "never-removes-proofs",
    "Signs with the proof, whatever an operator says.",
    (_verify._verified, "proof_removed=bool(believed.entry.proof_removed)", "proof_removed=False"),
    when=lambda _, given: "proof_removed" in json.dumps(given["settings"]),
)
library(
    "removes-proofs",
    "Signs without the proof.",
    (_verify._verified, "proof_removed=bool(believed.entry.proof_removed)", "proof_removed=True"),
    when=lambda unit, _: "2026-05-06" in json.dumps(unit),
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

USED = _verify._used_once
library(
    "asks-for-no-use",
    "Lets evidence count for any message.",
    (USED, "if answer is not True:", "if False:"),
    ops=(*VERIFY, *STORY),
)
library(
    "binds-nothing",
    "Lets evidence count for any message once more.",
    (USED, 'f"{digest.hex()} {sha256(said).hexdigest()}"', "'x'"),
    ops=STORY,
)
library(
    "binds-every-try",
    "Lets nobody send a message again.",
    (USED, 'f"{digest.hex()} {sha256(said).hexdigest()}"', "f'{id(object())}{__import__(\"time\").time_ns()}'"),
    ops=STORY,
)
library(
    "binds-words-alone",
    "Binds the words, not the evidence.",
    (USED, 'f"{digest.hex()} {sha256(said).hexdigest()}"', "sha256(said).hexdigest()"),
    ops=STORY,
)
library("shares-ids", "Shares ids between issuers.", (USED, "believed.entry.issuer.encode()", "b''"), ops=STORY)
library(
    "ignores-ids",
    "Looks for replay by digest alone.",
    (USED, 'b"\\x01" + digest if named is None else named.encode()', "digest"),
    ops=STORY,
)
library(
    "counts-the-value",
    "Looks for replay by how it was written.",
    (USED, 'b"\\x01" + digest if named is None else named.encode()', "repr(list(statement.members)).encode()"),
    ops=STORY,
)
library(
    "one-use-for-all",
    "Takes all evidence of an issuer for the same.",
    (USED, 'b"\\x01" + digest if named is None else named.encode()', "b'x'"),
    ops=STORY,
)
library(
    "passes-when-the-store-is-down",
    "Lets it pass when nobody remembers.",
    (USED, 'raise Refused("replay-store-unavailable", "replay", answer.reason)', "answer = True"),
    codes=("replay-store-unavailable",),
)
library(
    "needs-no-id",
    "Needs no id, whatever an operator says.",
    (USED, "named is None and believed.entry.require_id", "False"),
    codes=("replay-id-missing",),
)
library(
    "needs-an-id",
    "Needs an id to look for replay.",
    (USED, "believed.entry.require_id", "True"),
    when=lambda unit, _: (
        "require_id" not in str(unit) and "U456" in json.dumps(unit) and '"source"' not in json.dumps(unit)
    ),
)
spoils(
    AREA,
    VERIFY,
    "refuses-where-an-id-is-wanted",
    "Refuses where an id is wanted.",
    lambda value, given, _: {} if "require_id" in json.dumps(given["settings"]) else None,
)
library(
    "uses-first",
    "Uses evidence before it looks whether it is signed.",
    (
        _verify._verified,
        FITS,
        "yield from _used_once(statement, believed, recipient, b'x' * 32, said)\n        if not "
        "key.fits(a2b_base64(signature + b'=='), signed):",
    ),
    ops=(*VERIFY, *STORY),
    when=lambda unit, _: "steps" in unit or "U1" in json.dumps(unit),
)
library(
    "believes-the-expired-again",
    "Remembers who was shown, and looks at no time.",
    (_trust._times, "now - expires_at >= skew", "False"),
    ops=STORY,
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
library(
    "shares-ids-between-agents",
    "Lets an event count for one agent alone.",
    (USED, 'f"identity:{key} {recipient}"', 'f"identity:{key}"'),
    ops=STORY,
)
