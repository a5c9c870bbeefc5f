"""How the cases of A2A tokens are written: one row each."""

from __future__ import annotations

from typing import Any

from tests.vectors._a2a_tokens import ALICE, JWKS_URL, NOW, issuer

URL = "https://agents.example/helper"
Case = dict[str, Any]


def request(*texts: str, scheme: str = "Bearer ") -> Case:
    """A request with an Authorization header for each token."""
    return {"method": "POST", "url": URL, "headers": [["authorization", f"{scheme}{text}"] for text in texts]}


def given(*issuers: Case, lookups: Case | None = None, **settings: Any) -> Case:
    """What stands around a unit: these issuers are believed, the usual one when none is named."""
    found: Case = {"now": NOW, "settings": {"token_issuers": list(issuers) or [issuer()], **settings}}
    return found | ({} if lookups is None else {"lookups": lookups})


def shown(
    name: str, section: str, why: str, unit: Any, *issuers: Case, lookups: Case | None = None, **beside: Any
) -> Case:
    """A unit that shows its sender: Alice by the usual key, unless it is said otherwise."""
    value = {
        "method": beside.pop("method", "a2a-jwt"),
        "verified": True,
        "address": beside.pop("address", ALICE),
        "key_id": beside.pop("key_id", "k1"),
        "code": None,
        "temporary": False,
    }
    return _case(name, section, why, ["honest"], given(*issuers, lookups=lookups), unit, value, beside)


def refused(
    name: str, code: str, section: str, why: str, unit: Any, *issuers: Case, lookups: Case | None = None, **beside: Any
) -> Case:
    """A unit that shows nobody."""
    value = {
        "method": "none",
        "verified": False,
        "address": None,
        "key_id": None,
        "code": code,
        "temporary": beside.pop("temporary", False),
    }
    return _case(name, section, why, ["attack"], given(*issuers, lookups=lookups), unit, value, beside)


def _case(
    name: str, section: str, why: str, flags: list[str], around: Case, unit: Any, value: Case, beside: Case
) -> Case:
    if isinstance(unit, str):
        unit = request(unit)
    level = beside.pop("level", "MUST")
    flags = beside.pop("flags", flags)
    return {
        "id": f"a2a/verify-{name}",
        "section": section,
        "level": level,
        "why": why,
        "flags": ["a2a", *flags],
        "given": around,
        "input": unit,
        "value": value,
        **beside,
    }


def fetched(**members: Any) -> Case:
    """The issuer whose keys are to be asked for."""
    return issuer(jwks_url=JWKS_URL, **members)


def published(*answers: Any) -> Case:
    """The look-ups in which its keys lie: first the ones at hand, then those past the cache."""
    return {f"GET {JWKS_URL}": list(answers) if len(answers) > 1 else answers[0]}
