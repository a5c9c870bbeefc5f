"""Mutants of the keys that A2A callers sign with, and of how they are asked for."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.mutants._receiving import named
from tests.mutants._verify_a2a import AREA, believes, concerns, segments_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def _without(f: Callable[..., Any], header: Any, keys: Any, *names: str) -> Any:
    return f(
        header, [{n: v for n, v in key.items() if n not in names} if isinstance(key, dict) else key for key in keys]
    )


believes("no-name", "Takes the only key when none is named.", lambda header, _: header.get("kid") is None)
believes(
    "odd-names", "Takes names of keys that are no text.", lambda header, _: not isinstance(header.get("kid", ""), str)
)


# --- keys that are asked for


def _answered(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that takes an answer with keys for another one."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        given = copy.deepcopy(given)
        for row, found in given["lookups"].items():
            if row.startswith("GET "):
                for one in found if isinstance(found, list) else [found]:
                    change(one)
        return honest(op, given, unit)

    named(AREA, name, rule, wrong)


_answered(
    "keys-without-tls",
    "Takes keys that came without TLS.",
    lambda one: one.update(url=one["url"].replace("http:", "https:")) if "url" in one else None,
)
_answered(
    "own-host-only",
    "Takes keys from the very URL alone.",
    lambda one: one.update(url="https://evil.example/") if "url" in one else None,
)
_answered("any-status", "Takes keys of every status.", lambda one: one.update(status=200) if "json" in one else None)
_answered(
    "never-again",
    "Says that nothing can be tried again.",
    lambda one: one.update(temporary=False) if "failed" in one else None,
)
_answered(
    "always-again",
    "Says that everything can be tried again.",
    lambda one: one.update(temporary=True) if "failed" in one else None,
)
_answered(
    "down-is-gone",
    "Takes a server that is down for one without keys.",
    lambda one: one.update(status=404) if one.get("status") == 503 else None,
)
_answered(
    "broken-is-empty",
    "Takes a document that it cannot read for an empty set.",
    lambda one: one.update(body='{"keys":[]}', content_type="application/json") if "body" in one else None,
)
_answered(
    "one-key-is-a-set",
    "Takes a key for a set.",
    lambda one: one.update(json={"keys": [one["json"]]}) if "kty" in one.get("json", {}) else None,
)


def _limits_ignored(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if not concerns(op, given):
        return honest(op, given, unit)
    settings = {name: value for name, value in given["settings"].items() if name != "limits"}
    return honest(op, {**given, "settings": settings}, unit)


named(AREA, "ignores-limits-of-keys", "Does not look at its limits when it asks for keys.", _limits_ignored)


def _asks_first(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    urls = [one["jwks_url"] for one in given.get("settings", {}).get("token_issuers", ()) if "jwks_url" in one]
    asks = answer.get("asks", [])
    return {**answer, "asks": [*asks, *(f"GET {url}" for url in urls if f"GET {url}" not in asks)]}


def _asks_again(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    asks = answer.get("asks", [])
    return {**answer, "asks": asks + asks[:1]} if len(asks) > 1 and concerns(op, given) else answer


def _follows_header(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    found = segments_of(unit) if op == "a2a.verify" else None
    more = [f"GET {found[0][name]}" for name in ("jku", "x5u", "kid") if name in found[0]] if found else []
    return {**answer, "asks": [*answer["asks"], *more]} if more and not answer["value"]["verified"] else answer


def _follows_issuer(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    found = segments_of(unit) if op == "a2a.verify" else None
    is_other = found is not None and answer["value"]["code"] == "issuer-unknown"
    return {**answer, "asks": [*answer["asks"], f"GET {found[1]['iss']}"]} if found and is_other else answer


named(AREA, "asks-first", "Asks for keys before it has read the token.", _asks_first)


def _asks_twice(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    asks = answer.get("asks", [])
    return {**answer, "asks": asks * 2} if len(asks) == 1 and op == "a2a.verify" else answer


named(AREA, "asks-twice", "Asks for the keys at hand twice.", _asks_twice)
named(AREA, "asks-again", "Asks for keys once more than it need.", _asks_again)
named(AREA, "follows-header", "Fetches what the header names.", _follows_header)
named(AREA, "follows-issuer", "Fetches the keys of every issuer that a token names.", _follows_issuer)
