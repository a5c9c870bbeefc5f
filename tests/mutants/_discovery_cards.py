"""Mutants of cards that are not signed: of agents, of A2A agents, of connectors; and of directories."""

from __future__ import annotations

import json
from typing import Any

from tests.mutants._discovery import believes, declines, gives, sees, without

HTTP = "http://"


def says(*words: str) -> Any:
    """Whether a unit has all of these words in it."""
    return lambda unit: all(word in json.dumps(unit) for word in words)


def lacks_member(*names: str) -> Any:
    """Whether a card lacks one of these members."""
    return lambda unit: isinstance(unit["card"], dict) and any(name not in unit["card"] for name in names)


# --- cards of agents

CARD = "read_agent_card"
gives(
    CARD,
    "keeps-no-unknown-members",
    "Forgets what it does not know.",
    lambda value, given, unit: without(value, "later", "depth", "x", "url", "capabilities"),
)
gives(
    CARD,
    "keeps-no-kinds",
    "Forgets kinds that it does not know.",
    lambda value, given, unit: without(value, "icon", "ext", "identity_policy"),
)
declines(CARD, "knows-all-modes", "Refuses kinds of content that it does not know.", says("hologram"))
declines(CARD, "knows-all-schemes", "Refuses schemes that it does not know.", says("passkey"))
declines(CARD, "knows-all-transports", "Refuses transports that it does not know.", says("pigeons"))
declines(CARD, "knows-no-oauth", "Refuses OAuth.", says("oauth2"))
declines(CARD, "knows-no-jwt", "Refuses tokens.", says("bearer-jwt"))
declines(
    CARD,
    "wants-a-description",
    "Refuses cards without a description.",
    lambda unit: lacks_member("description")(unit) and not says("later")(unit),
)
declines(CARD, "knows-no-older-form", "Does not read the older form.", says("preferred_address"))
sees(
    CARD,
    "older-form-first",
    "Takes the older form first.",
    lambda unit: {"card": without(unit["card"], "address")} if says("preferred_address")(unit) else unit,
)
believes(
    CARD,
    "fills-in-members",
    "Fills in what is missing.",
    "malformed",
    when=lambda unit: (
        lacks_member("address", "name", "version", "a2a", "mentionable")(unit)
        and "preferred_address" not in unit["card"]
    ),
)
believes(
    CARD,
    "fills-in-a-section",
    "Fills in what is missing of A2A.",
    "malformed",
    when=lambda unit: (
        "a2a" in unit["card"] and not {"endpoint", "transport", "auth", "skills"} <= unit["card"]["a2a"].keys()
    ),
)
believes(CARD, "takes-http", "Takes endpoints by http.", "malformed", when=says(HTTP))
believes(
    CARD,
    "any-address",
    "Takes any address.",
    "malformed",
    when=lambda unit: (
        says("Agents.example")(unit) or '"helper@agents' in json.dumps(unit) or '"helper"' in json.dumps(unit)
    ),
)
believes(
    CARD,
    "coerces-members",
    "Takes members of another type.",
    "malformed",
    when=lambda unit: says('"true"')(unit) or says('"name": 5')(unit),
)
believes(CARD, "modes-without-types", "Takes files of no type.", "malformed", when=says('{"kind": "file"}'))
believes(
    CARD,
    "schemes-without-places",
    "Takes schemes that say not enough.",
    "malformed",
    when=lambda unit: says("oauth2")(unit) or says("bearer-jwt")(unit),
)
believes(CARD, "takes-private-keys", "Takes private keys.", "malformed", when=says('"d": "x"'))
for _code in ("wrong-type", "duplicate-member", "too-large"):
    believes(CARD, f"reads-cards-{_code}", f"Reads a card that is {_code}.", _code)

# --- cards of A2A agents

A2A = "read_a2a_card"


declines(A2A, "wants-everything", "Refuses what is left out.", lacks_member("description", "skills"))
declines(A2A, "null-is-something", "Refuses null.", says("null"))
declines(A2A, "one-spelling", "Knows one spelling.", says("icon_url"))
declines(A2A, "other-schemes", "Refuses schemes that it does not know.", says("passkey"))
gives(
    A2A, "forgets-unknown-members", "Forgets what it does not know.", lambda value, given, unit: without(value, "later")
)
gives(
    A2A,
    "forgets-needs",
    "Forgets what callers need.",
    lambda value, given, unit: without(value, "securityRequirements") if says('"jwt"')(value) else None,
)
gives(
    A2A,
    "forgets-interfaces",
    "Keeps the first interface alone.",
    lambda value, given, unit: (
        {**value, "card": {**value["card"], "supportedInterfaces": value["card"]["supportedInterfaces"][:1]}}
        if value["call"] == {"url": "https://agents.example/a2a", "dialect": "1.0"} and len(unit) == 1
        else None
    ),
)
believes(A2A, "any-name", "Takes a card without a name.", "malformed", when=lambda unit: not unit["card"].get("name"))
believes(
    A2A,
    "any-interfaces",
    "Takes interfaces that say not enough.",
    "malformed",
    when=lambda unit: (
        unit["card"].get("name") and not says("securitySchemes")(unit) and len(json.dumps(unit["card"])) < 600
    ),
)
believes(A2A, "coerces-flags", "Takes anything for true.", "malformed", when=says('"streaming": "true"'))
believes(A2A, "coerces-numbers", "Takes 1 for true.", "malformed", when=says('"streaming": 1'))
believes(
    A2A,
    "coerces-lists",
    "Takes one for a list.",
    "malformed",
    when=lambda unit: (
        says('"defaultInputModes": "text/plain"')(unit) or isinstance(unit["card"].get("supportedInterfaces"), dict)
    ),
)
believes(
    A2A,
    "half-members",
    "Takes skills, extensions and providers that say not enough.",
    "malformed",
    when=lambda unit: (
        says('"extensions": [{}]')(unit)
        or says('"provider"')(unit)
        or not all("id" in one for one in unit["card"].get("skills", ()))
    ),
)
believes(
    A2A,
    "any-scheme",
    "Takes any security scheme.",
    "malformed",
    when=lambda unit: says("securitySchemes")(unit) or says("securityRequirements")(unit),
)
believes(
    A2A,
    "no-transport",
    "Takes interfaces without a binding.",
    "malformed",
    when=lambda unit: (
        says("additionalInterfaces")(unit)
        or any(
            "protocolBinding" not in one or "protocolVersion" not in one
            for one in unit["card"].get("supportedInterfaces") or [{}]
        )
    ),
)
believes(A2A, "takes-the-last-spelling", "Takes the last of two spellings.", "duplicate-member")

# --- which interface to call


gives(
    A2A,
    "calls-any-binding",
    "Calls any binding.",
    lambda value, given, unit: (
        {**value, "call": {"url": "https://agents.example/a2a", "dialect": "1.0"}} if says("GRPC")(unit) else None
    ),
)
gives(
    A2A,
    "calls-nothing-old",
    "Calls nothing of v0.3.",
    lambda value, given, unit: (
        {**value, "call": None}
        if value["call"] and value["call"]["dialect"] == "0.3" and "supportedInterfaces" not in unit["card"]
        else None
    ),
)

# --- writing them

WRITE = "write_a2a_card"


believes(WRITE, "promises-anything", "Writes a card of v0.3 for an agent of v1.0.", "malformed")

# --- cards of connectors

CONNECTOR = "connector_card"
believes(CONNECTOR, "private-keys-of-connectors", "Takes private keys.", "card-private-key")
believes(CONNECTOR, "keys-of-one-name", "Takes two keys of one name.", "key-ambiguous")
believes(CONNECTOR, "any-issuer", "Takes any issuer.", "card-invalid", when=says('"issuer": "https:'))
believes(CONNECTOR, "no-keys", "Takes a card without keys.", "card-invalid", when=says('"keys": []'))
gives(
    CONNECTOR,
    "first-key-alone",
    "Reads the first key alone.",
    lambda value, given, unit: (
        {**value, "faults": dict(list(value["faults"].items())[:1])} if len(value["faults"]) > 1 else None
    ),
)
gives(
    CONNECTOR,
    "revokes-names",
    "Revokes a name instead of a key.",
    lambda value, given, unit: (
        {**value, "faults": {**value["faults"], "2026-11": None}} if "key-revoked" in value["faults"].values() else None
    ),
)
gives(
    CONNECTOR,
    "serves-no-use",
    "Serves keys without their use.",
    lambda value, given, unit: {**value, "served": without(value["served"], "use")},
)

# --- directories

LIST = "directory"
gives(
    LIST,
    "forgets-what-it-lists",
    "Forgets what it does not know.",
    lambda value, given, unit: without(value, "telephone", "logo", "description"),
)
declines(
    LIST,
    "wants-arrays",
    "Refuses one without an array.",
    lambda unit: not isinstance(unit["body"].get("contactPoint"), list),
)
gives(
    LIST,
    "lists-mailboxes",
    "Lists mailboxes.",
    lambda value, given, unit: {**value, "agents": [one[1:] for one in value["agents"]]},
)
believes(LIST, "takes-http-in-lists", "Takes URLs by http.", "malformed", when=says(HTTP))
believes(LIST, "anybody-runs-it", "Takes one that does not say who runs it.", "malformed")
declines(
    LIST,
    "wants-every-agent-to-fit",
    "Refuses a directory for one odd agent.",
    lambda unit: isinstance(unit["body"]["contactPoint"], list) and 5 in unit["body"]["contactPoint"],
)
