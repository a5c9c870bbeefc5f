"""Mutants of the keys that A2A callers sign with, and of how they are asked for."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from mentionable import _tokens as tokens
from mentionable._verification import Unproven
from mentionable.a2a import _issuer_keys as room
from tests.mutants._doors import named
from tests.mutants._verify_a2a import AREA, alters, believes, concerns, segments_of, step

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def _first_key(f: Callable[..., Any], header: Any, keys: Any) -> Any:
    named = [key for key in keys if isinstance(key, dict) and key.get("kid") == header.key_id]
    return f(header, named[:1])


def _loose_kid(f: Callable[..., Any], header: Any, keys: Any) -> Any:
    return f(header._replace(key_id=header.key_id.strip().lower()), keys)


def _without(f: Callable[..., Any], header: Any, keys: Any, *names: str) -> Any:
    return f(
        header, [{n: v for n, v in key.items() if n not in names} if isinstance(key, dict) else key for key in keys]
    )


def _each_once(f: Callable[..., Any], header: Any, keys: Any) -> Any:
    if sum(isinstance(key, dict) and key.get("kid") == header.key_id for key in keys) > 1:
        raise Unproven("key-unknown", "listed twice")
    return f(header, keys)


def _last_key(f: Callable[..., Any], header: Any, keys: Any) -> Any:
    public = {str(key.get("n", key)): key for key in reversed(keys) if isinstance(key, dict)}
    return f(header, list(public.values()))


alters("counts-a-key-twice", "Refuses a key that is listed twice.", tokens, "_chosen", _each_once)
alters("sees-one-entry", "Looks at one of the entries of a key.", tokens, "_chosen", _last_key)
alters("first-key", "Takes the first of two keys of one name.", tokens, "_chosen", _first_key)
alters("loose-names", "Compares names of keys loosely.", tokens, "_chosen", _loose_kid)
alters(
    "any-name",
    "Takes the only key, whatever name the token gives.",
    tokens,
    "_chosen",
    lambda f, header, keys: f(header._replace(key_id=keys[0]["kid"]) if len(keys) == 1 else header, keys),
)
believes("no-name", "Takes the only key when none is named.", lambda header, _: header.get("kid") is None)
believes(
    "odd-names", "Takes names of keys that are no text.", lambda header, _: not isinstance(header.get("kid", ""), str)
)
alters("ignores-use", "Does not look at the use of a key.", tokens, "_chosen", lambda *found: _without(*found, "use"))
alters("ignores-operations", "Does not look at key_ops.", tokens, "_chosen", lambda *found: _without(*found, "key_ops"))
alters(
    "ignores-algorithm-of-key",
    "Does not look at alg of a key.",
    tokens,
    "_chosen",
    lambda *found: _without(*found, "alg"),
)
alters("ignores-private-half", "Does not see a private half.", tokens, "_chosen", lambda *found: _without(*found, "d"))
step("all-keys-sign", "Takes keys for every use, secrets too.", (tokens, "_may_verify", lambda key: True))
step("any-spelling-of-keys", "Takes a key however it is spelled.", (tokens, "_is_one_spelling", lambda member: True))
step("short-keys", "Takes RSA keys of every length.", (tokens, "_LEAST_BITS", 0))
step(
    "keys-of-one-kind",
    "Takes keys of RSA alone.",
    (tokens, "_KEYS_FOR", {k: v for k, v in tokens._KEYS_FOR.items() if v[0] == "RSA"}),
)
step(
    "keys-by-operations-only",
    "Refuses keys that say that they verify.",
    (tokens, "_may_verify", lambda key: key.get("use") == "sig"),
)


def _strange_keys(f: Callable[..., Any], header: Any, keys: Any) -> Any:
    if not all(isinstance(key, dict) and key.get("kty") in ("RSA", "EC", "OKP") for key in keys):
        raise Unproven("key-refused", "a strange key")
    return f(header, keys)


alters("no-strange-keys", "Refuses all keys for one that it does not know.", tokens, "_chosen", _strange_keys)

# --- keys that are asked for

alters(
    "never-fresh",
    "Never goes past the cache.",
    room,
    "_published",
    lambda f, url, limits, *, fresh: f(url, limits, fresh=False),
)
alters(
    "always-fresh",
    "Goes past the cache each time.",
    room,
    "_published",
    lambda f, url, limits, *, fresh: f(url, limits, fresh=True),
)
step("keys-of-any-host", "Takes keys from wherever it was sent.", (room, "url_host", lambda url: "host"))
step("keys-of-any-type", "Takes keys of every media type.", (room, "_JSON_TYPES", lambda kind: kind))
step(
    "one-media-type",
    "Takes keys of one media type alone.",
    (room, "_JSON_TYPES", lambda kind: kind if kind == "application/json" else None),
)
step("ignores-gone", "Takes keys that are gone for a server that is down.", (room, "is_gone", lambda status: False))


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
