"""Mutants around evidence: carriers, signing, roles, profiles, policies and chains."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends, quiet, spoils
from tests.mutants._identity import ALL, AREA, RECEIVE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

ACL, PROFILE, POLICY = ("identity.acl",), ("identity.profile",), ("identity.trust_policy",)
READ, SERVE, THUMB = ("identity.read_card",), ("identity.serve_card",), ("identity.thumbprint",)
ATTEST, INPUT = ("identity.attest",), ("identity.signing_input",)
Answer = "Mapping[str, Any]"


# --- carriers


def _carried(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that tells otherwise what came along."""
    spoils(AREA, ALL, name, rule, lambda value, _, unit: change(value, unit))


_carried(
    "takes-the-first",
    "Looks at the first evidence.",
    lambda value, _: (
        {**value, "subjects": value["subjects"][:1], "evidence": value["evidence"][:1]}
        if len(value["subjects"]) > 1
        else None
    ),
)
_carried(
    "takes-none",
    "Looks at no list.",
    lambda value, unit: (
        {"subjects": [], "evidence": [], "profile": None, "refused": []}
        if isinstance(unit["carrier"], list) and len(unit["carrier"]) == 1
        else None
    ),
)
_carried(
    "wants-a-list",
    "Looks at no single evidence.",
    lambda value, unit: (
        {"subjects": [], "evidence": [], "profile": None, "refused": []} if isinstance(unit["carrier"], dict) else None
    ),
)
_carried(
    "drops-all-for-one",
    "Drops all evidence when one is refused.",
    lambda value, _: {**value, "subjects": [], "evidence": []} if value["refused"] and value["subjects"] else None,
)
_carried(
    "tells-no-place",
    "Does not say which was refused.",
    lambda value, _: {**value, "refused": []} if value["refused"] else None,
)
_carried(
    "minds-nothing",
    "Says that something is wrong when nothing came.",
    lambda value, unit: {**value, "refused": [""]} if not unit["carrier"] else None,
)
_carried(
    "shows-the-last",
    "Shows the profile of the last.",
    lambda value, _: (
        {**value, "profile": value["evidence"][-1].get("claims", {}).get("profile")} if value["evidence"] else None
    ),
)
_carried(
    "structures-first",
    "Keeps of evidence what it knows.",
    lambda value, _: {
        **value,
        "evidence": [{key: one for key, one in found.items() if key != "more"} for found in value["evidence"]],
    },
)
spoils(
    AREA,
    ALL,
    "believes-the-refused",
    "Shows profiles of refused evidence.",
    lambda value, _, unit: (
        {**value, "profile": {"display_name": "Alice"}} if value["refused"] and value["profile"] is None else None
    ),
)
quiet(AREA, ALL, "evidence-refused", "evidence-omitted")
quiet(AREA, RECEIVE, "evidence-refused", "evidence-omitted", "history-role", "name-holds-address")


def received(name: str, rule: str, change: Callable[[dict[str, Any], Any], None]) -> None:
    """Registers a mutant that makes another message; changes it in place."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = copy.deepcopy(dict(honest(op, given, unit)))
        if op in RECEIVE:
            for message in answer.get("messages", ()):
                change(message, unit)
        return answer

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=RECEIVE))


def _metadata(unit: Any) -> Any:
    return unit["message"]["metadata"]["mentionable"]


def _claimed(message: dict[str, Any], unit: Any) -> None:
    found = _metadata(unit).get("identity_evidence")
    if found and "identities" not in message["sender"]:
        message["sender"]["identities"] = found if isinstance(found, list) else [found]


received(
    "shows-no-evidence",
    "Leaves evidence out of the sender.",
    lambda message, _: message["sender"].pop("identities", None),
)
received("shows-no-profile", "Leaves the profile out.", lambda message, _: message["sender"].pop("profile", None))
received("shows-no-name", "Leaves the name out.", lambda message, _: message["sender"].pop("display_name", None))
received("keeps-refused-evidence", "Keeps refused evidence at the sender.", _claimed)
received(
    "verifies-by-evidence",
    "Calls senders verified for their evidence.",
    lambda message, _: (
        message["sender"].update(verified=True, auth_method="a2a-jwt") if "identities" in message["sender"] else None
    ),
)
received(
    "believes-senders",
    "Believes what a caller says of itself.",
    lambda message, unit: message["sender"].update(_metadata(unit).get("sender", {})),
)
received(
    "keeps-evidence-in-raw",
    "Keeps evidence in raw.",
    lambda message, unit: message["raw"].update(message=unit["message"]),
)
received(
    "believes-turns",
    "Believes what a caller says of prior turns.",
    lambda message, unit: message.update(history=_metadata(unit)["history"]) if "history" in _metadata(unit) else None,
)
received("drops-turns", "Drops forwarded turns.", lambda message, _: message.pop("history", None))
received(
    "verifies-turns",
    "Calls prior turns verified for their evidence.",
    lambda message, _: [
        turn["sender"].update(verified=True) for turn in message.get("history", ()) if "identities" in turn["sender"]
    ],
)
received(
    "shows-no-turn",
    "Leaves evidence of prior turns out.",
    lambda message, _: [turn["sender"].pop("identities", None) for turn in message.get("history", ())],
)
mends(
    AREA,
    (*ALL, *RECEIVE),
    "knows-no-forwarding",
    "Never lets others bring evidence.",
    lambda given, unit: (
        {
            **given,
            "settings": {
                "trust": [
                    {key: one for key, one in entry.items() if key != "forwarding"}
                    for entry in given["settings"].get("trust", [])
                ]
            },
        },
        unit,
    ),
)
mends(
    AREA,
    (*ALL, *RECEIVE),
    "lets-anybody-forward",
    "Lets anybody bring evidence.",
    lambda given, unit: (
        {
            **given,
            "settings": {"trust": [{**entry, "forwarding": True} for entry in given["settings"].get("trust", [])]},
        },
        unit,
    ),
)

# --- signing

for _member in ("id", "on_behalf_of", "claims", "source"):
    spoils(
        AREA,
        ATTEST,
        f"signs-no-{_member.replace('_', '-')}",
        f"Leaves {_member} out.",
        lambda value, _, unit, name=_member: {key: one for key, one in value.items() if key != name},
    )
spoils(
    AREA,
    ATTEST,
    "signs-for-five-minutes",
    "Signs for five minutes, whatever it is told.",
    lambda value, *_: {**value, "expires_at": "2026-05-06T00:05:00Z"},
)
spoils(
    AREA,
    ATTEST,
    "signs-without-the-proof",
    "Signs without the proof.",
    lambda value, *_: {**value, "proof": {**value["proof"], "value": value["proof"]["value"][::-1]}},
)
for _name, _change in {
    "keeps-the-value": lambda found, unit: (
        found,
        {**unit, "evidence": {**unit["evidence"], "proof": {**unit["evidence"].get("proof", {}), "value2": "x"}}},
    ),
    "drops-unknown-members-of-proofs": lambda found, unit: (
        found,
        {
            **unit,
            "evidence": {
                **unit["evidence"],
                "proof": {key: one for key, one in unit["evidence"].get("proof", {}).items() if key != "created"},
            },
        },
    ),
    "keeps-the-proof": lambda found, unit: (found, {**unit, "proof_removed": False}),
    "drops-unknown-members": lambda found, unit: (
        found,
        {**unit, "evidence": {key: one for key, one in unit["evidence"].items() if key != "more"}},
    ),
}.items():
    mends(AREA, INPUT, _name, "Signs other bytes.", _change)

# --- policies


def policies(name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that reads policies otherwise."""
    spoils(AREA, POLICY, name, rule, lambda value, given, unit: change(value))


policies("drops-bounds", "Has bounds of its own.", lambda value: {**value, "max_lifetime": 600})
policies(
    "reads-no-empty-policy",
    "Trusts somebody by default.",
    lambda value: None if value["entries"] else {**value, "entries": [{}]},
)
policies(
    "drops-empty-lists",
    "Takes an empty list for anything.",
    lambda value: {
        **value,
        "entries": [{key: one for key, one in entry.items() if one != []} for entry in value["entries"]],
    },
)
policies(
    "cuts-prefix-ends",
    "Keeps prefixes without their end.",
    lambda value: json.loads(re.sub(r'[:/]"\]', '"]', json.dumps(value))),
)

# --- roles


spoils(AREA, ACL, "grants-one-role", "Gives one role at most.", lambda value, *_: value[:1])
spoils(AREA, ACL, "grants-by-default", "Gives everybody a role.", lambda value, *_: value or ["user"])

# --- profiles


def shows(name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that shows profiles otherwise."""
    spoils(AREA, PROFILE, name, rule, lambda value, _, unit: change(value, unit["identity"]["claims"].get("profile")))


for _member in ("url", "fetched_at", "timezone", "locale", "avatar", "extensions"):
    shows(
        f"shows-no-{_member.replace('_', '-')}",
        f"Leaves {_member} out.",
        lambda value, _, name=_member: (
            {key: one for key, one in value.items() if key != name} if value and name in value else None
        ),
    )
shows("shows-what-came", "Shows the profile as it came.", lambda value, said: said)
shows("shows-an-empty-profile", "Shows a profile without members.", lambda value, _: value or {"display_name": ""})
shows(
    "drops-odd-profiles",
    "Shows nothing when a member cannot be shown.",
    lambda value, said: {} if value != said else None,
)
