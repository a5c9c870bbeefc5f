"""How the cases of mail are written: one row each."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from tests.vectors._email_signing import record

ALICE = "@alice@a.example"
KEY = "s._domainkey.a.example"
DKIM = "RFC 6376 3.5"
POLICY = "v=DMARC1; p=reject"
Case = dict[str, Any]


def zone(records: Case | None = None, *more: str, **domains: Any) -> Case:
    """Look-ups: the usual key is published, and other names have no record. A text is one record.

    Args:
        records: Records by name.
        more: Domains that publish the usual key as well.
        domains: DMARC records, by domain with `_` for a dot and `__` for a hyphen.
    """
    found = {KEY: record(), **{f"s._domainkey.{domain}": record() for domain in more}, **(records or {})}
    found |= {f"_dmarc.{name.replace('__', '-').replace('_', '.')}": answer for name, answer in domains.items()}
    rows = {f"TXT {name}": [answer] if isinstance(answer, str) else answer for name, answer in found.items()}
    return {**rows, "TXT *": []}


def as_raw(raw: bytes) -> Any:
    """The bytes of a mail as a case holds them."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return {"$base64": b64encode(raw).decode()}


def _case(name: str, section: str, why: str, raw: bytes, beside: Case, lookups: Case | None, flags: list[str]) -> Case:
    unit: Case = {"raw": as_raw(raw)}
    if "envelope" in beside:
        unit["envelope"] = beside.pop("envelope")
    given: Case = {"lookups": zone() if lookups is None else lookups}
    if "settings" in beside:
        given["settings"] = beside.pop("settings")
    return {
        "id": f"email/verify-{name}",
        "section": section,
        "level": beside.pop("level", "MUST"),
        "why": why,
        "flags": ["email", *flags],
        "given": given,
        "input": unit,
    }


def shown(name: str, why: str, raw: bytes, lookups: Case | None = None, *, section: str = DKIM, **beside: Any) -> Case:
    """A mail that shows its sender: Alice by the usual key, unless it is said otherwise."""
    value = {
        "method": beside.pop("method", "email-dkim"),
        "verified": True,
        "address": beside.pop("address", ALICE),
        "key_id": beside.pop("key_id", KEY),
        "code": None,
        "temporary": False,
    }
    return _case(name, section, why, raw, beside, lookups, ["honest"]) | {"value": value} | beside


def refused(
    name: str, code: str, why: str, raw: bytes, lookups: Case | None = None, *, section: str = DKIM, **beside: Any
) -> Case:
    """A mail that shows nobody."""
    value = {
        "method": beside.pop("method", "none"),
        "verified": False,
        "address": beside.pop("address", None),
        "key_id": None,
        "code": code,
        "temporary": beside.pop("temporary", False),
    }
    return _case(name, section, why, raw, beside, lookups, ["attack"]) | {"value": value} | beside


def silent(name: str, code: str, why: str, raw: bytes, **beside: Any) -> Case:
    """A mail that shows nobody and for which nothing is asked."""
    return refused(name, code, why, raw, must_not_ask=["TXT *"], **beside)
