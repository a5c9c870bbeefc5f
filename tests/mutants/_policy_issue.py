"""Mutants of issuing, of the hashes by which demands are known, and of the rules for agents."""

from __future__ import annotations

import json
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from mentionable.policy import _binding, _check, _issue
from tests.mutants._answers import refuses, spoils, swapped, takes, written

if TYPE_CHECKING:
    from collections.abc import Callable

AREA = "policy"
ISSUE, SCOPE, KEY, CHECK = ("policy.issue",), ("policy.scope_hash",), ("policy.state_key",), ("policy.check_response",)
HOUR = timedelta(hours=1)


def _edit(ops: tuple[str, ...], name: str, rule: str, *edits: Any) -> None:
    written(AREA, ops, name, rule, *edits)


# --- issuing

swapped(
    AREA,
    ISSUE,
    "payments-live-long",
    "Keeps payments open for an hour.",
    _issue,
    "_LIFETIMES",
    {**_issue._LIFETIMES, "payment_required": HOUR},
)
swapped(
    AREA,
    ISSUE,
    "consents-live-long",
    "Keeps consents open for an hour.",
    _issue,
    "_LIFETIMES",
    {**_issue._LIFETIMES, "consent_required": HOUR},
)
_edit(
    ISSUE,
    "one-lifetime",
    "Keeps every demand open as long.",
    (_issue._checked, "return lifetime", "return _LIFETIMES[kind]"),
)
_edit(
    ISSUE,
    "any-lifetime",
    "Keeps demands open as long as it is told.",
    (_issue._checked, "not timedelta(0) < lifetime <= MAX_LIFETIME", "False"),
)
_edit(ISSUE, "less-than-an-hour", "Refuses an hour.", (_issue._checked, "<= MAX_LIFETIME", "< MAX_LIFETIME"))
takes(
    AREA,
    ISSUE,
    "issues-refusals",
    "Issues policies that nobody completes.",
    lambda *_: {},
    "malformed",
    when=lambda unit: unit["part"]["kind"] == "forbidden",
)
_edit(
    ISSUE, "any-state", "Takes the state that it is told.", (_issue.issue, "part.state not in (None, state)", "False")
)
_edit(
    ISSUE,
    "any-host",
    "Leads people anywhere.",
    (_issue.issue, "unbound_urls(part, host, also=settings.policy_hosts)", "()"),
)
_edit(ISSUE, "only-its-own-host", "Knows no hosts of the operator.", (_issue.issue, ", also=settings.policy_hosts", ""))
_edit(ISSUE, "payments-have-scopes", "Takes a scope of a payment.", (_issue._paid_by, "scope is not None", "False"))
takes(
    AREA,
    ISSUE,
    "consents-have-no-scope",
    "Asks for consent to nothing.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "scope" not in unit,
)
takes(
    AREA,
    ISSUE,
    "issues-odd-scopes",
    "Asks for consent to what has no canonical form.",
    lambda *_: {},
    "malformed",
    when=lambda unit: isinstance(unit.get("scope"), dict),
)
_edit(
    ISSUE,
    "back-to-anywhere",
    "Sends people back to anywhere.",
    (_issue._consented, "why_not is not None and part.return_to not in callbacks", "False"),
)
_edit(
    ISSUE,
    "callbacks-by-prefix",
    "Compares the beginning of callbacks.",
    (_issue._consented, "part.return_to not in callbacks", "not part.return_to.startswith(tuple(callbacks) or ('?',))"),
)
_edit(
    ISSUE,
    "callbacks-by-host",
    "Compares the hosts of callbacks.",
    (
        _issue._consented,
        "part.return_to not in callbacks",
        "not any(one.startswith(part.return_to) for one in callbacks)",
    ),
)
_edit(
    ISSUE,
    "back-home-alone",
    "Sends people back to its own host alone.",
    (_issue._consented, " and part.return_to not in callbacks", ""),
)
takes(
    AREA,
    ISSUE,
    "issues-what-is-malformed",
    "Sends out policies that nobody can read.",
    lambda *_: {},
    "malformed",
    when=lambda unit: (
        not unit["part"]["message"]
        or unit["part"].get("accepted_payments") == []
        or str(2**53) in json.dumps(unit["part"])
        or "http:" in json.dumps(unit["part"])
    ),
)


def _stores(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that stores something else."""
    spoils(
        AREA, ISSUE, name, rule, lambda value, *_: {**value, "record": {**value["record"], **change(value["record"])}}
    )


_stores("stores-one-offer", "Stores the first way to pay alone.", lambda record: {"offers": record["offers"][:1]})
_stores(
    "stores-offers-by-scheme",
    "Stores one payload of a scheme.",
    lambda record: {"offers": [*{one["scheme"]: one for one in record["offers"]}.values()]},
)
_stores(
    "hashes-offers-as-text",
    "Hashes the text of a payload.",
    lambda record: {
        "offers": [
            {**one, "payload_hash": sha256(json.dumps(one["payload"]).encode()).hexdigest()} for one in record["offers"]
        ]
    },
)
_stores(
    "forgets-accounts", "Does not store the account.", lambda record: {"subject": None} if "subject" in record else {}
)
_stores("takes-everybody-for-verified", "Takes every sender for shown.", lambda record: {"principal_verified": True})
_stores(
    "hashes-scopes-as-they-are",
    "Stores the scope of a consent in other words.",
    lambda record: {"scope_hash": "0" * 64} if "scope_hash" in record else {},
)
spoils(
    AREA,
    ISSUE,
    "sends-out-no-url",
    "Drops the link of a demand.",
    lambda value, *_: {**value, "part": {name: found for name, found in value["part"].items() if name != "url"}},
)

# --- hashes

for _name, _rule, _converted in (
    ("sorts-scopes", "Sorts an array of words.", "sorted(scope) if isinstance(scope, list) else scope"),
    ("drops-repetitions", "Hashes a word once.", "list(dict.fromkeys(scope)) if isinstance(scope, list) else scope"),
    ("splits-scopes", "Takes a text for its words.", "scope.split() if isinstance(scope, str) else scope"),
    ("sets-of-words", "Takes a text for a set.", "sorted(set(scope.split())) if isinstance(scope, str) else scope"),
    ("strips-scopes", "Leaves out blanks around a text.", "scope.strip() if isinstance(scope, str) else scope"),
    ("lists-one-text", "Takes one text for an array.", "[scope] if isinstance(scope, str) else scope"),
    (
        "unpacks-one",
        "Takes an array of one for what is in it.",
        "scope[0] if isinstance(scope, list) and len(scope) == 1 else scope",
    ),
    ("objects-are-words", "Takes an object's names for words.", "sorted(scope) if isinstance(scope, dict) else scope"),
    (
        "sorts-lists-of-objects",
        "Sorts lists in objects.",
        "{name: sorted(found) if isinstance(found, list) else found for name, found in scope.items()}"
        " if isinstance(scope, dict) else scope",
    ),
):
    _edit(SCOPE, _name, _rule, (_binding.scope_hash, "plain(scope)", f"(lambda scope: {_converted})(plain(scope))"))


def _holds_more(scope: Any) -> bool:
    return isinstance(scope, list) and not all(isinstance(item, str) for item in scope)


def _by(hashes: Callable[[Any], bytes]) -> Any:
    return lambda value, given, unit: (
        sha256(hashes(unit["scope"])).hexdigest() if isinstance(unit["scope"], dict) else None
    )


spoils(
    AREA,
    SCOPE,
    "hashes-json-as-it-comes",
    "Hashes objects in the order that they have.",
    _by(lambda scope: json.dumps(scope, separators=(",", ":"), ensure_ascii=False).encode()),
)
spoils(
    AREA,
    SCOPE,
    "sorts-by-code-points",
    "Sorts names by their code points.",
    _by(lambda scope: json.dumps(scope, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()),
)
refuses(AREA, SCOPE, "wants-members", "Refuses an object without members.", lambda unit: unit["scope"] == {})
refuses(AREA, SCOPE, "wants-words", "Refuses an array of anything but words.", lambda unit: _holds_more(unit["scope"]))
refuses(
    AREA, SCOPE, "wants-signs", "Refuses other signs than those of RFC 6749.", lambda unit: '"' in str(unit["scope"])
)
takes(AREA, SCOPE, "unsafe-numbers", "Takes any number.", lambda *_: "0" * 64, "malformed")
spoils(AREA, KEY, "stores-states", "Stores the state itself.", lambda value, _, unit: unit["state"])
spoils(
    AREA,
    KEY,
    "hashes-states-alone",
    "Hashes a state without saying what for.",
    lambda value, _, unit: sha256(unit["state"].encode()).hexdigest(),
)

# --- what agents must not do

_edit(
    CHECK,
    "answers-anything",
    "Lets an answer name another message.",
    (_check._answer_faults, "response.reply_to != message.id", "False"),
)
_edit(
    CHECK,
    "policies-anywhere",
    "Lets a policy stand anywhere.",
    (_check._answer_faults, "index + 1 < len(response.parts)", "False"),
)
_edit(
    CHECK,
    "policies-in-any-frame",
    "Lets any frame have a policy.",
    (_check._answer_faults, 'response.status == "partial"', "False"),
)
_edit(
    CHECK,
    "leads-anywhere",
    "Lets a policy lead anywhere.",
    (
        _check._demand_faults,
        "unbound_urls(policy, agent_address(message.recipient).domain, also=settings.policy_hosts)",
        "()",
    ),
)
_edit(
    CHECK,
    "leads-home-alone",
    "Knows no hosts of the operator.",
    (_check._demand_faults, ", also=settings.policy_hosts", ""),
)
_edit(
    CHECK,
    "leads-below",
    "Lets a policy lead below hosts of the operator.",
    (
        _check._demand_faults,
        "also=settings.policy_hosts",
        "also=(*settings.policy_hosts, *('a.' + host for host in settings.policy_hosts))",
    ),
)
_edit(
    CHECK,
    "needs-no-states",
    "Lets a demand have no state.",
    (
        _check._demand_faults,
        "if policy.state is None:\n        yield",
        "if policy.state is None:\n        return\n        yield",
    ),
)
_edit(
    CHECK,
    "needs-no-store",
    "Lets a demand go out that was not stored.",
    (
        _check._demand_faults,
        "elif record is None:\n        yield",
        "elif record is None:\n        return\n        yield",
    ),
)
_edit(
    CHECK,
    "compares-no-keys",
    "Takes any record for that of the demand.",
    (_check._demand_faults, "record.key != key_of(policy.state) or ", ""),
)
_edit(
    CHECK,
    "compares-no-kinds",
    "Takes a record of another kind.",
    (
        _check._demand_faults,
        "(record.kind, record.message_id) != (policy.kind, message.id)",
        "record.message_id != message.id",
    ),
)
_edit(
    CHECK,
    "compares-no-questions",
    "Takes a record of another question.",
    (
        _check._demand_faults,
        "(record.kind, record.message_id) != (policy.kind, message.id)",
        "record.kind != policy.kind",
    ),
)
_edit(
    CHECK,
    "forgets-demands",
    "Lets an issued demand be forgotten.",
    (_check._demand_faults, "if record is not None:", "if False:"),
)
_edit(
    CHECK,
    "acts-on-presence",
    "Lets an agent act on what a message shows.",
    (_check._resolution_faults, "elif resolution is not None", "elif False"),
)
_edit(
    CHECK,
    "resumes-anything",
    "Lets an agent act on another completion.",
    (_check._resolution_faults, "resumed.resolution != resolution", "False"),
)
_edit(
    CHECK,
    "demands-once",
    "Takes a second demand for acting.",
    (_check._resolution_faults, "demand_of(response) is None and ", ""),
)
_edit(
    CHECK,
    "failing-is-acting",
    "Takes an error for acting.",
    (_check._resolution_faults, ' and response.status != "error"', ""),
)
_edit(
    CHECK,
    "resumed-is-not-enough",
    "Takes acting after resuming for acting on presence.",
    (_check._resolution_faults, "if resumed is not None:", "if False:"),
)
_edit(
    CHECK,
    "every-policy-has-a-state",
    "Wants every policy to have a record.",
    (_check._demand_faults, "not isinstance(policy, (PaymentRequired, ConsentRequired))", "False"),
    (_check._demand_faults, "policy.state is None", "getattr(policy, 'state', None) is None"),
)


def _finds(name: str, rule: str, when: Callable[[Any], bool]) -> None:
    """Registers a mutant that finds fault where there is none."""
    spoils(AREA, CHECK, name, rule, lambda value, _, unit: ["/parts"] if not value and when(unit) else None)


def _demanded(unit: Any) -> Any:
    return unit["response"]["parts"][-1].get("policy", {}) if unit["response"]["parts"] else {}


_finds(
    "agents-must-speak",
    "Wants every answer to say something.",
    lambda unit: not unit["response"]["parts"] and "error" not in unit["response"],
)
_finds(
    "agents-must-demand",
    "Wants every answer to demand something.",
    lambda unit: not _demanded(unit) and "policy_resolution" not in unit["message"],
)
_finds("no-refusals", "Lets no agent refuse.", lambda unit: _demanded(unit).get("kind") == "forbidden")
_finds("no-consents", "Lets no agent ask for consent.", lambda unit: _demanded(unit).get("kind") == "consent_required")
_finds("no-payments", "Lets no agent ask for money.", lambda unit: _demanded(unit).get("kind") == "payment_required")
_finds(
    "no-unknown-kinds",
    "Lets no agent demand what it does not know.",
    lambda unit: _demanded(unit).get("kind") == "example:age_check",
)
