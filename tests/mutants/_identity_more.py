"""Mutants around evidence: carriers, signing, roles, profiles, policies and chains."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

from mentionable import _forwarded
from mentionable.identity import _acl, _profile, _turns
from mentionable.identity import _forwarded as forwarded
from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends, quiet, spoils
from tests.mutants._identity import ALL, AREA, RECEIVE, library

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
library(
    "looks-at-everything",
    "Looks at any number.",
    swaps=((forwarded, "MAX_ITEMS", 10**6),),
    ops=(*ALL, *RECEIVE),
    when=lambda unit, _: len(json.dumps(unit)) > 3_000,
)
library("looks-at-three", "Looks at three.", swaps=((forwarded, "MAX_ITEMS", 3),), ops=ALL)
library("takes-any-total", "Looks at any size.", swaps=((forwarded, "MAX_TOTAL", 10**9),), ops=ALL)
library("takes-little", "Looks at few bytes.", swaps=((forwarded, "MAX_TOTAL", 20_000),), ops=ALL)
library(
    "counts-twice", "Takes the same evidence twice.", (forwarded._items, "if data not in seen:", "if True:"), ops=ALL
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
library("looks-at-every-turn", "Looks at the evidence of every turn.", swaps=((_turns, "MAX_TURNS", 99),), ops=RECEIVE)
library(
    "notes-no-roles",
    "Does not say that a caller speaks for the agent.",
    (_forwarded.read_history, "if own:", "if False:"),
    ops=RECEIVE,
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


def roles(name: str, rule: str, old: str, new: str, function: Any = _acl.Grant.takes) -> None:
    """Registers a mutant that gives roles otherwise."""
    library(name, rule, (function, old, new), ops=ACL)


STARTS = "identity.subject.startswith(self.subject_prefixes or _NONE)"
roles("grants-nothing", "Gives no roles of workspaces.", STARTS, "False")
roles("grants-everybody", "Gives everybody every role.", STARTS, "True")
roles(
    "cuts-workspaces",
    "Compares workspaces without their end.",
    STARTS,
    "identity.subject.startswith(tuple(one[:-1] for one in self.subject_prefixes) or _NONE)",
)
roles(
    "folds-subjects-of-grants",
    "Folds the case of subjects.",
    STARTS,
    "identity.subject.lower().startswith(tuple(one.lower() for one in self.subject_prefixes) or _NONE)",
)
roles(
    "grants-longer-subjects",
    "Takes subjects for prefixes.",
    "identity.subject in self.subjects",
    "identity.subject.startswith(self.subjects or _NONE)",
)
roles(
    "grants-principals",
    "Gives who acts the roles of their principals.",
    "identity.subject in self.subjects",
    "({identity.subject, *identity.principals} & {*self.subjects})",
)
roles(
    "grants-claims",
    "Gives roles by claims.",
    "identity.subject in self.subjects",
    "(identity.subject in self.subjects or str(identity.claims.get('profile', "
    "{}).get('provider_subject')) in self.subjects)",
)
for _name in ("issuer", "method", "assurance"):
    _list = {"issuer": "issuers", "method": "methods", "assurance": "assurance"}[_name]
    roles(
        f"narrows-by-no-{_name}",
        f"Does not look at the {_name} of a grant.",
        f"not self.{_list} or identity.{_name} in self.{_list}",
        "True",
    )
    roles(
        f"narrows-all-by-{_name}",
        f"Gives nobody a role that is narrowed by {_name}.",
        f"not self.{_list} or identity.{_name} in self.{_list}",
        f"not self.{_list}",
    )
roles(
    "grants-for-other-agents",
    "Takes evidence for another agent.",
    "audience == self.agent",
    "True",
    _acl.AgentACL._is_for,
)
roles(
    "grants-no-transports",
    "Takes no identity of a transport.",
    "identity.entry is None",
    "False",
    _acl.AgentACL._is_for,
)
roles(
    "grants-for-others-by-connectors",
    "Takes whatever a connector itself showed.",
    " and not is_canonical(audience)",
    "",
    _acl.AgentACL._is_for,
)
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
library("shows-lines", "Shows lines as they came.", swaps=((_profile, "one_line", lambda text: text),), ops=PROFILE)
library("shows-secrets", "Passes tokens on.", swaps=((_profile, "redacted", lambda value: value),), ops=PROFILE)
