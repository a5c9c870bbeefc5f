"""Mutants of reading policies and receipts, and of the words of a policy."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.mutants import Perform

AREA = "policy"
READ, SHOWN, WORDS = ("policy.read",), ("policy.read_resolution",), ("policy.localize",)
KINDS = (
    "unauthorized",
    "payment_required",
    "consent_required",
    "forbidden",
    "too_many_requests",
    "unavailable_for_legal_reasons",
    "service_unavailable",
)


def _heals(name: str, rule: str, heal: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that mends a policy before it reads it: what it mends, it lets through."""

    def healed(given: Any, unit: Any) -> Any:
        value = unit["value"]
        return given, {**unit, "value": heal(copy.deepcopy(value)) if isinstance(value, dict) else value}

    mends(AREA, READ, name, rule, healed)


def _drop(name: str, bad: Callable[[Any], bool]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Leaves a member out when it is bad."""
    return lambda value: {key: member for key, member in value.items() if key != name or not bad(member)}


def _default(
    name: str, value: Any, bad: Callable[[Any], bool], *kinds: str
) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Puts a member in where it is bad."""
    return lambda found: (
        {**found, name: value} if bad(found.get(name)) and found.get("kind") in (kinds or KINDS) else found
    )


def _no_text(member: Any) -> bool:
    return not isinstance(member, str) or not member


mends(
    AREA,
    READ,
    "takes-anything-for-a-policy",
    "Takes what is no object for a refusal.",
    lambda given, unit: (
        given,
        unit if isinstance(unit["value"], dict) else {**unit, "value": {"kind": "forbidden", "message": "?"}},
    ),
)
_heals(
    "needs-no-kind",
    "Takes a policy without kind for a refusal.",
    lambda value: {**value, "kind": "forbidden"} if _no_text(value.get("kind")) else value,
)
_heals("needs-no-message", "Takes a policy without message.", _default("message", "?", _no_text))
_heals("drops-odd-titles", "Drops what is no title.", _drop("title", lambda title: not isinstance(title, str)))
_heals(
    "takes-any-scheme-of-urls",
    "Drops a link that is not https, and takes the policy.",
    _drop("url", lambda url: not isinstance(url, str) or url[:8] != "https://" or "@" in url),
)
_heals(
    "needs-no-challenges",
    "Takes 401 without challenges.",
    _default("auth_challenges", [], lambda found: found is None, "unauthorized"),
)


def _challenges(value: dict[str, Any]) -> dict[str, Any]:
    """Drops challenges that cannot be read."""
    found = value.get("auth_challenges")
    if not isinstance(found, list):
        return value
    good = [one for one in found if isinstance(one, dict) and re.fullmatch(r"[\w-]+", one.get("scheme", ""))]
    return {**value, "auth_challenges": good}


def _parameters(value: dict[str, Any]) -> dict[str, Any]:
    """Drops parameters that cannot be read."""
    for challenge in value.get("auth_challenges", ()):
        params = challenge.get("params", {}) if isinstance(challenge, dict) else {}
        for name in [*params]:
            if not isinstance(params[name], str) or "\n" in params[name]:
                del params[name]
        lowered = {name.lower(): member for name, member in params.items()}
        if len(lowered) < len(params):
            challenge["params"] = lowered
    return value


def _offers(value: dict[str, Any]) -> dict[str, Any]:
    """Drops ways to pay that cannot be read."""
    if value.get("kind") != "payment_required":
        return value
    whole = [
        one
        for one in value.get("accepted_payments", ())
        if one.get("scheme") and isinstance(one.get("payload"), dict) and one["payload"].get("amount", 0) < 2**53
    ]
    return {**value, "accepted_payments": whole or [{"scheme": "?", "payload": {}}]}


def _translations(value: dict[str, Any]) -> dict[str, Any]:
    """Drops translations that cannot be read."""
    found = value.get("message_translations")
    if found is None:
        return value
    if not isinstance(found, dict):
        return {name: member for name, member in value.items() if name != "message_translations"}
    good = {tag: one for tag, one in found.items() if re.fullmatch("[A-Za-z-]+", tag) and one.get("message")}
    alike = {tag.lower(): tag for tag in good}
    return {**value, "message_translations": {tag: good[tag] for tag in alike.values()}}


def _data(value: dict[str, Any]) -> dict[str, Any]:
    """Drops data under other names."""
    found = value.get("data")
    if found is None:
        return value
    return {**value, "data": {name: found[name] for name in found if "." in name} if isinstance(found, dict) else {}}


_heals("drops-odd-challenges", "Drops challenges that cannot be read.", _challenges)
_heals("drops-odd-parameters", "Drops parameters that cannot be read.", _parameters)
_heals("drops-odd-offers", "Drops ways to pay that cannot be read.", _offers)
_heals("drops-odd-translations", "Drops translations that cannot be read.", _translations)
_heals("drops-odd-data", "Drops data whose names belong to nobody.", _data)
_heals("drops-odd-states", "Drops states that are no text.", _drop("state", _no_text))
_heals("needs-no-state", "Takes a consent without state.", _default("state", "?", _no_text, "consent_required"))
_heals(
    "needs-no-way-back",
    "Takes a consent without a way back.",
    _default("return_to", "https://a.example/", lambda found: not str(found).startswith("https:"), "consent_required"),
)
_heals(
    "drops-odd-times",
    "Drops times that are no numbers of seconds.",
    _drop("retry_after_seconds", lambda found: type(found) not in (int, float) or found < 0 or found % 1),
)
_heals(
    "kinds-in-any-spelling",
    "Reads kinds without their case.",
    lambda value: (
        {**value, "kind": value["kind"].lower().replace("-", "_").strip()}
        if "accepted_payments" not in value and isinstance(value.get("kind"), str)
        else value
    ),
)


def _reads(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that reads another policy."""

    def changed(value: Any, given: Any, unit: Any) -> Any:
        return {**value, "policy": change(value["policy"])} if value["policy"] else None

    spoils(AREA, READ, name, rule, changed)


for _kind in KINDS:
    _reads(
        f"knows-no-{_kind.replace('_', '-')}",
        f"Knows no {_kind}.",
        lambda policy, kind=_kind: None if policy["kind"] == kind else policy,
    )
for _member in ("code", "title", "message_translations", "action_label", "data"):
    _reads(
        f"drops-{_member.replace('_', '-')}",
        f"Drops {_member}.",
        lambda policy, member=_member: {name: found for name, found in policy.items() if name != member},
    )
_reads(
    "drops-unknown-kinds",
    "Drops policies of kinds that it does not know.",
    lambda policy: policy if policy["kind"] in KINDS else None,
)
_reads(
    "takes-ok-for-success",
    "Takes a kind that sounds well for success.",
    lambda policy: None if policy["kind"] == "ok" else policy,
)
_BASE = ("kind", "code", "title", "message", "message_translations", "url", "action_label", "data")
_KNOWN = frozenset(
    (*_BASE, "auth_challenges", "state", "accepted_payments", "return_to", "retry_after_seconds"),
)
_reads(
    "drops-what-it-does-not-know",
    "Drops members that it does not know.",
    lambda policy: {name: member for name, member in policy.items() if name in _KNOWN},
)
_reads(
    "drops-what-offers-say-more",
    "Drops members of ways to pay that it does not know.",
    lambda policy: (
        {
            **policy,
            "accepted_payments": [
                {name: one[name] for name in one if name in ("scheme", "payload", "label", "description")}
                for one in policy["accepted_payments"]
            ],
        }
        if "accepted_payments" in policy
        else policy
    ),
)

# --- receipts


def _misreads(name: str, rule: str, when: Callable[[Any], bool]) -> None:
    """Registers a mutant that takes a receipt that cannot be read."""
    takes(AREA, SHOWN, name, rule, lambda *_: {}, "receipt-malformed", when=lambda unit: when(unit["value"]))


def _confirmed(value: Any) -> Any:
    return value.get("confirmation") if isinstance(value, dict) else None


_misreads(
    "takes-anything-for-a-receipt", "Takes what is no object for a receipt.", lambda value: not isinstance(value, dict)
)
_misreads(
    "needs-no-state-of-receipts",
    "Takes receipts without state.",
    lambda value: isinstance(value, dict) and not isinstance(value.get("in_reply_to_state"), str),
)
_misreads(
    "takes-receipts-of-any-kind",
    "Takes receipts of any kind.",
    lambda value: isinstance(value, dict) and value.get("kind") not in ("payment_required", "consent_required"),
)
_misreads(
    "needs-no-confirmation",
    "Takes receipts that confirm nothing.",
    lambda value: isinstance(value, dict) and not isinstance(_confirmed(value), dict),
)
_misreads(
    "reads-payments-loosely",
    "Takes payments of which something is missing or odd.",
    lambda value: isinstance(_confirmed(value), dict) and value.get("kind") == "payment_required",
)
_misreads(
    "reads-consents-loosely",
    "Takes consents of which something is missing or odd.",
    lambda value: isinstance(_confirmed(value), dict) and value.get("kind") == "consent_required",
)


def _believes(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
    """Wants to know who verified."""
    answer = honest(op, given, unit)
    if op in SHOWN and "value" in answer and not isinstance(unit["value"].get("verified_by"), str):
        return {"rejected": {"code": "receipt-malformed"}}
    return answer


MUTANTS.append(Mutant("reads-verified-by", AREA, "Wants to know who verified.", _believes, ops=SHOWN))
spoils(
    AREA,
    SHOWN,
    "drops-the-receipt",
    "Gives the verifier nothing of what came.",
    lambda value, *_: {**value, "receipt": {}},
)

# --- words


def _speaks(name: str, rule: str, change: Callable[[list[str], dict[str, Any]], list[str]]) -> None:
    """Registers a mutant that looks for other languages."""

    def other(given: Any, unit: Any) -> Any:
        return given, {**unit, "languages": change(unit["languages"], unit["policy"].get("message_translations", {}))}

    mends(AREA, WORDS, name, rule, other)


_speaks("speaks-no-language", "Translates nothing.", lambda languages, _: [])
_speaks("takes-the-first-language", "Looks at one language.", lambda languages, _: languages[:1])
_speaks("takes-the-last-language", "Takes the last language for the best.", lambda languages, _: languages[::-1])
_speaks(
    "speaks-anything",
    "Speaks any language to whoever knows none of them.",
    lambda languages, tongues: [*languages, *tongues],
)
_speaks(
    "takes-any-for-the-first",
    "Takes * for the first language.",
    lambda languages, tongues: [next(iter(tongues)) if one == "*" else one for one in languages],
)
_speaks(
    "knows-no-regions",
    "Compares whole tags.",
    lambda languages, tongues: [one for one in languages if one.lower() in {tag.lower() for tag in tongues}],
)
_speaks(
    "knows-no-nearer",
    "Looks at the first subtag alone.",
    lambda languages, _: [one.partition("-")[0] for one in languages],
)
_speaks(
    "tags-in-their-case",
    "Compares tags with their case.",
    lambda languages, tongues: [
        one for one in languages if one in tongues or one.lower() != one.swapcase().lower() or not one.isupper()
    ],
)
_speaks(
    "skips-private-use", "Skips private languages.", lambda languages, _: [one for one in languages if "-x-" not in one]
)
_speaks(
    "widens-languages",
    "Finds a language in any script.",
    lambda languages, tongues: [
        *languages,
        *[tag for tag in tongues for one in languages if tag.startswith(f"{one}-")],
    ],
)
_speaks(
    "takes-the-nearest",
    "Takes what is nearest for the best.",
    lambda languages, tongues: sorted(languages, key=lambda one: one not in tongues),
)
_speaks(
    "stops-at-odd-languages",
    "Stops at what is no language.",
    lambda languages, _: (
        languages if all(re.fullmatch(r"[\w-]*\w", one) for one in languages) or "*" in languages else []
    ),
)


def _wants_languages(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
    """Refuses policies in one language."""
    if op in WORDS and "message_translations" not in unit["policy"]:
        return {"rejected": {"code": "malformed"}}
    return honest(op, given, unit)


MUTANTS.append(Mutant("wants-translations", AREA, "Refuses policies in one language.", _wants_languages, ops=WORDS))
_heals(
    "reads-one-offer",
    "Reads the first offer alone, whatever is wrong with the others.",
    lambda value: {name: member[:1] if name == "accepted_payments" else member for name, member in value.items()},
)
