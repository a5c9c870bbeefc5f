"""Mutants of policies as answers of HTTP, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import refuses, spoils, takes
from tests.mutants._policy_wire import AREA, text_of, wrongs

if TYPE_CHECKING:
    from collections.abc import Callable

OUT, IN = ("policy.to_http",), ("policy.from_http",)


def _out(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that answers otherwise: `change(value, policy)`; None leaves it."""
    spoils(AREA, OUT, f"http-{name}", rule, lambda value, _, unit: change(value, unit["policy"]))


def _status(name: str, rule: str, old: str, new: int) -> None:
    _out(f"status-{name}", rule, lambda value, policy: {**value, "status": new} if policy["kind"] == old else None)


_status("unauthorized", "Forbids who must sign in.", "unauthorized", 403)
_status("consent", "Forbids who must consent.", "consent_required", 403)
_status("payment", "Has no status for payments.", "payment_required", 403)
_status("forbidden", "Lets who is forbidden sign in.", "forbidden", 401)
_status("limit", "Takes a limit for an outage.", "too_many_requests", 503)
_status("legal", "Does not say that law forbids it.", "unavailable_for_legal_reasons", 403)
_status("outage", "Takes an outage for a fault.", "service_unavailable", 500)
_status("unknown", "Takes what it does not know for a success.", "example:age_check", 200)


def _headers(name: str, rule: str, header: str, change: Callable[[str], str | None]) -> None:
    def changed(value: Any, _: Any) -> Any:
        made = [[key, change(text) if key == header else text] for key, text in value["headers"]]
        return {**value, "headers": [pair for pair in made if pair[1] is not None]}

    _out(name, rule, changed)


_headers("no-challenge", "Does not say how to sign in.", "www-authenticate", lambda _: None)
_headers("first-challenge", "Says one challenge.", "www-authenticate", lambda text: text.partition(", N")[0])
_headers("no-escapes", "Does not escape quotes.", "www-authenticate", lambda text: text.replace("\\", ""))
_headers("no-parameters", "Leaves parameters out.", "www-authenticate", lambda text: text.partition(" ")[0])
_headers("no-wait", "Does not say how long to wait.", "retry-after", lambda _: None)
_headers("waits-in-ms", "Waits a thousand times as long.", "retry-after", lambda text: f"{text}000")
_headers("cached", "Lets caches keep a demand.", "cache-control", lambda _: None)
_headers("plain-json", "Does not call it a problem.", "content-type", lambda _: "application/json")
_headers("always-a-problem", "Calls everything a problem.", "content-type", lambda _: "application/problem+json")
_out(
    "challenges-all",
    "Challenges whom no identity helps.",
    lambda value, _: (
        None if value["status"] == 401 else {**value, "headers": [*value["headers"], ["www-authenticate", "Basic"]]}
    ),
)
_out(
    "waits-anyhow",
    "Says to wait though nobody knows how long.",
    lambda value, policy: (
        None if "retry_after_seconds" in policy else {**value, "headers": [*value["headers"], ["retry-after", "60"]]}
    ),
)
_out(
    "beyond-ascii",
    "Writes every parameter into the field.",
    lambda value, policy: (
        {**value, "headers": [["www-authenticate", 'Basic realm="Gr\xfc\xdfe"']]}
        if "Grüße" in text_of(policy)
        else None
    ),
)
_out("no-body", "Sends no policy.", lambda value, _: {**value, "body": {}})
_out(
    "problem-alone",
    "Sends a problem, and no policy.",
    lambda value, policy: {
        **value,
        "body": {n: v for n, v in value["body"].items() if n in ("type", "status", "detail")},
    },
)
_out(
    "no-problem",
    "Sends the policy alone.",
    lambda value, policy: {**value, "body": policy},
)
_out(
    "problem-wins",
    "Replaces members of a policy by those of a problem.",
    lambda value, policy: {**value, "body": {**value["body"], "status": value["status"], "detail": policy["message"]}},
)


# in
NONE: dict[str, Any] = {"policy": None, "diagnostics": []}


def _in(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that reads another policy: `change(policy, unit)`; False leaves it."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        made = change(value["policy"], unit)
        return None if made is False else {**value, "policy": made}

    spoils(AREA, IN, f"http-reads-{name}", rule, changed)


def _is_policy(unit: Any) -> bool:
    return isinstance(unit["body"], dict) and "kind" in unit["body"]


def _bare(policy: Any, _: Any = None) -> Any:
    """A policy of which nothing but the kind is known."""
    return {"kind": policy["kind"], "message": "Refused."}


_in("no-bodies", "Reads the status alone.", lambda policy, unit: _bare(policy) if _is_policy(unit) else False)
_in(
    "problem-members",
    "Takes members of a problem for those of a policy.",
    lambda policy, unit: (
        {**policy, "status": unit["status"]} if "status" in unit["body"] and _is_policy(unit) else False
    ),
)
_in(
    "known-kinds",
    "Knows known kinds alone.",
    lambda policy, _: _bare({"kind": "forbidden"}) if ":" in policy["kind"] else False,
)
_in("other-kind", "Takes every refusal for a no.", lambda policy, unit: {**policy, "kind": "forbidden"})
_in(
    "no-challenges",
    "Reads no challenges.",
    lambda policy, _: {**policy, "auth_challenges": []} if policy.get("auth_challenges") else False,
)


def _challenged(policy: Any, unit: Any) -> Any:
    is_bad = policy.get("auth_challenges") == [] and unit["headers"]
    return {**policy, "auth_challenges": [{"scheme": "Basic"}]} if is_bad else False


_in("broken-challenges", "Reads what is left of a broken challenge.", _challenged)
_in(
    "no-parameters",
    "Reads no parameters.",
    lambda policy, _: (
        {**policy, "auth_challenges": [{"scheme": one["scheme"]} for one in policy["auth_challenges"]]}
        if policy.get("auth_challenges")
        else False
    ),
)
_in(
    "no-escapes",
    "Keeps backslashes of quoted text.",
    lambda policy, unit: {**policy, "auth_challenges": []} if "\\\\" in text_of(unit["headers"]) else False,
)
_in(
    "no-wait",
    "Reads no Retry-After.",
    lambda policy, _: {n: one for n, one in policy.items() if n != "retry_after_seconds"},
)
_in(
    "no-dates",
    "Reads no dates.",
    lambda policy, unit: _bare(policy) if "GMT" in text_of(unit["headers"]) else False,
)
_in(
    "past-waits",
    "Waits for what has passed.",
    lambda policy, unit: {**policy, "retry_after_seconds": -3360} if "20:00:00" in text_of(unit) else False,
)
_in(
    "any-wait",
    "Waits whatever it says.",
    lambda policy, unit: (
        {**policy, "retry_after_seconds": 1}
        if "retry-after" in text_of(unit) and "retry_after_seconds" not in policy
        else False
    ),
)
_in(
    "no-words",
    "Says its own words.",
    lambda policy, unit: (
        {**_bare(policy), "message": "No."} if isinstance(unit["body"], dict) and "kind" not in unit["body"] else False
    ),
)
_in(
    "pages",
    "Reads pages.",
    lambda policy, unit: {**policy, "kind": "page"} if unit["body"] and isinstance(unit["body"], str) else False,
)
_in(
    "shadow-wins",
    "Takes the header for the body.",
    lambda policy, unit: _bare(policy) if unit["status"] == 402 and _is_policy(unit) and unit["headers"][1:] else False,
)
_in(
    "no-x402",
    "Reads policies alone.",
    lambda policy, unit: None if policy.get("code") == "x402:payment_required" else False,
)
_in(
    "x402-by-any-status",
    "Reads payments under any status.",
    lambda policy, unit: (
        {**policy, "kind": "payment_required"} if unit["status"] == 403 and "x402Version" in text_of(unit) else False
    ),
)


def _any_url(value: Any, _: Any, unit: Any) -> Any:
    if "url-refused" not in value["diagnostics"]:
        return None
    return {"policy": {**value["policy"], "url": "https://evil.example/"}, "diagnostics": []}


spoils(AREA, IN, "http-reads-any-url", "Leads people anywhere.", _any_url)
spoils(
    AREA,
    IN,
    "http-reads-silently",
    "Does not say what it left out.",
    lambda value, *_: {**value, "diagnostics": []} if value["diagnostics"] else None,
)
spoils(
    AREA,
    IN,
    "http-reads-no-links",
    "Drops every link.",
    lambda value, _, unit: (
        {**value, "policy": {n: one for n, one in value["policy"].items() if n != "url"}}
        if "url" in value["policy"]
        else None
    ),
)


def _taken(name: str, rule: str, code: str, when: Any) -> None:
    takes(AREA, IN, f"http-takes-{name}", rule, lambda *_: {**NONE, "policy": {"kind": "x"}}, code, when=when)


_taken("any-status", "Does not compare kind and status.", "malformed", lambda unit: "message" in unit["body"])
_taken("success", "Reads demands of what succeeded.", "not-a-message", lambda _: True)
_taken("any-error", "Reads demands of any error.", "peer-error", lambda _: True)
_taken("any-outage", "Reads demands of any outage.", "peer-busy", lambda _: True)
_taken("no-offers", "Demands payments that nobody can make.", "missing-member", lambda _: True)
_taken("malformed-consent", "Lets sign in who must consent.", "malformed", lambda unit: "return_to" in unit["body"])
refuses(
    AREA,
    IN,
    "http-refuses-malformed",
    "Gives up where a body cannot be read.",
    lambda unit: "Ask Bob." in text_of(unit["body"]) and "order" in text_of(unit["body"]),
)
wrongs(
    IN,
    "http-rejects-otherwise",
    "Says malformed of every error.",
    lambda answer, *_: {"rejected": {"code": "malformed"}} if "rejected" in answer else None,
)
refuses(AREA, IN, "http-refuses-bare", "Wants a body.", lambda unit: unit["body"] == "" and unit["status"] != 402)
