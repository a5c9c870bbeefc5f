"""The operations of lazy file capabilities for the worked harness of Python: minting, verifying, counting."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import mentionable as m
from mentionable.connectors import files
from mentionable.testing.lookups import LookupTable

Object = Mapping[str, Any]
Answer = dict[str, Any]
TERMS = ("presenter", "bearer_ok", "revocable")
HEADERS = ("cache-control", "content-disposition", "referrer-policy", "x-content-type-options")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _key(unit: Object) -> files.FileKey:
    if "secret" in unit:
        return files.FileKey.from_secret(_bytes(unit["secret"]), key_id=unit["kid"])
    if "seed" in unit:
        return files.FileKey.from_signing_key(m.SigningKey.from_seed(_bytes(unit["seed"]), key_id=unit["kid"]))
    return files.FileKey.from_public_key(_bytes(unit["public"]), key_id=unit["kid"])


def _scope(unit: Object) -> files.Scope:
    return files.Scope(**unit)


def _minted(given: Object, unit: Object) -> files.FileUrl:
    granted = {name: unit[name] for name in ("audience", "turn", "max_bytes")}
    grant = files.FileGrant(scope=_scope(unit["scope"]), **granted)
    facts: dict[str, Any] = {name: unit[name] for name in ("issuer", "provider")}
    if "lifetime_seconds" in unit:
        facts["lifetime"] = timedelta(seconds=unit["lifetime_seconds"])
    clock = {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}
    return files.issue_file_url(grant, key=_key(unit["key"]), **facts, **clock)


def _mint(given: Object, unit: Object) -> Answer:
    """The URL up to the token, and what stands in the token."""
    minted = _minted(given, unit)
    start, slash, token = minted.url.rpartition("/")
    header, claims = (json.loads(_bytes(segment)) for segment in token.split(".")[:2])
    same = claims["jti"] == minted.token_id
    return {"url": start + slash, "expires_at": minted.expires_at, "header": header, "claims": claims, "same_id": same}


def _capability(found: files.Capability) -> Answer:
    names = ("token_id", "issuer", "audience", "turn", "max_bytes", "key_id")
    times = {name: m.format_time(getattr(found, name)) for name in ("issued_at", "expires_at")}
    scope = {name: getattr(found.scope, name) for name in ("workspace", "channel", "file")}
    return {**{name: getattr(found, name) for name in names}, **times, "scope": scope}


def _verify(_: str, given: Object, unit: Object) -> Answer:
    table = LookupTable(given["lookups"])
    token = _minted(given, unit["minted"]).url.rpartition("/")[2] if "minted" in unit else unit["token"]
    facts: dict[str, Any] = {"presenter": None, **{name: unit[name] for name in TERMS if name in unit}}
    expected: dict[str, Any] = {name: unit[name] for name in ("turn", "size") if name in unit}
    if "scope" in unit:
        expected["scope"] = _scope(unit["scope"])
    facts["expected"] = files.ExpectedFile(**expected)
    try:
        keys = [_key(key) for key in unit["keys"]]
    except m.UsageError:
        return {"rejected": {"code": "malformed"}, "asks": table.asked}
    flow = files.verify(token, keys=keys, issuer=unit["issuer"], now=m.parse_time(given["now"]), **facts)
    found = m.drive(flow, table.answer)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}, "asks": table.asked}
    return {"value": _capability(found), "asks": table.asked}


def _budget(_: str, given: Object, unit: Object) -> Answer:
    """What comes of each step: `sent`, `fits`, or a code. `of` says which response; all share one ledger."""
    table, start = LookupTable(given["lookups"]), m.parse_time(given["now"])
    held = dict(unit["capability"])
    for name in ("issued_at", "expires_at"):
        held[name] = m.parse_time(held[name])
    capability = files.Capability(**{**held, "scope": _scope(held["scope"])})
    budgets: dict[int, files.ByteQuota] = {}
    said = []
    for step in unit["steps"]:
        budget = budgets.setdefault(step.get("of", 0), files.ByteQuota(capability))
        if "size" in step:
            refusal = budget.check_size(step["size"])
            said.append("fits" if refusal is None else refusal.code)
        else:
            now = start + timedelta(seconds=step.get("at", 0))
            refusal = m.drive(budget.take(step["take"], now=now), table.answer)
            said.append("sent" if refusal is None else refusal.code)
    return {"value": said, "asks": table.asked}


def _headers(_: Object, unit: Object) -> Answer:
    found = dict(files.response_headers(name=unit.get("name"), mime=unit.get("mime")))
    return {name: found[name] for name in (*HEADERS, "content-type")}


PURE: dict[str, Callable[[Object, Any], Any]] = {"files.mint": _mint, "files.headers": _headers}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {"files.verify": _verify, "files.budget": _budget}
