"""Mutants of cards that are not signed: of agents, of A2A agents, of connectors; and of directories."""

from __future__ import annotations

import json
from typing import Any

from mentionable import _connector_card
from mentionable.discovery import _a2a_card, _a2a_read, _a2a_write, _directory, _serve
from tests.mutants._discovery import believes, declines, gives, lacks, sees, without

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


def reading(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant of reading A2A cards."""
    lacks("read_a2a_card resolve_agent", name, rule, (function, old, new))


reading(
    "knows-no-v03", "Does not read the one URL of v0.3.", _a2a_read._legacy, "[] if url is None else", "[] if True else"
)
reading(
    "no-others-beside",
    "Does not read additionalInterfaces.",
    _a2a_read._legacy,
    "for other in others:",
    "for other in ():",
)
reading(
    "counts-interfaces-twice",
    "Lists an interface twice.",
    _a2a_read._legacy,
    "found.setdefault(_mark(one), one)",
    "found[str(id(other))] = one",
)
reading(
    "any-transport",
    "Does not read preferredTransport.",
    _a2a_read._legacy,
    'transport = whole.pop("preferred_transport", "JSONRPC")',
    'transport = whole.pop("preferred_transport", "") and "JSONRPC" or "JSONRPC"',
)
reading(
    "wants-a-version",
    "Knows no card without a version.",
    _a2a_read._legacy,
    '"protocol_version", "0.3.0"',
    '"protocol_version", "0.2"',
)
reading(
    "older-first",
    "Puts the one URL of v0.3 first.",
    _a2a_read.card_of,
    "listed + [one for one in v03 if _mark(one) not in known]",
    "[one for one in v03 if _mark(one) not in known] + listed",
)
reading("lists-both", "Lists the one URL of v0.3 again.", _a2a_read.card_of, " if _mark(one) not in known", "")
reading(
    "older-security-counts",
    "Takes what v0.3 says of security.",
    _a2a_read._move_security,
    'holder["security"] = _each',
    'holder["security"] = holder.get("security") or _each',
)
reading(
    "no-fuller-card",
    "Does not read where v0.3 tells of a fuller card.",
    _a2a_read._move_capabilities,
    "if extended is None or",
    "if True or",
)
lacks(
    "write_a2a_card",
    "no-location",
    "Keeps the names of v1.0 in security schemes.",
    (_a2a_read._with_place, 'if scheme.get("type") != "apiKey" or "location" not in scheme:', "if True:"),
)
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


def calling(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant of choosing an interface."""
    lacks("read_a2a_card resolve_agent", name, rule, (function, old, new))


WAY, DIALECT = _a2a_card.A2AInterface.way, _a2a_card.A2AInterface.dialect
calling("calls-any-place", "Calls any URL.", WAY, "or not is_fetchable_url(self.url) ", "")
calling("calls-fragments", "Calls URLs with fragments.", WAY, ' or "#" in self.url', "")
calling(
    "calls-the-newest",
    "Calls the newest interface.",
    _a2a_card.ways_of,
    "for one in interfaces if",
    "for one in sorted(interfaces, key=lambda one: one.dialect or '', reverse=True) if",
)
calling(
    "calls-what-it-does-not-speak",
    "Calls what the caller does not speak.",
    _a2a_card.first_spoken,
    " or way.dialect in dialects",
    " or True",
)
calling(
    "exact-versions",
    "Knows no patch and no minor version.",
    DIALECT,
    '"1" if major == "1"',
    '"1" if self.protocol_version == "1.0"',
)
calling("versions-by-prefix", "Takes 10.0 for 1.0.", DIALECT, 'major == "1"', 'major[:1] == "1"')
calling(
    "any-version",
    "Takes any version for 1.0.",
    DIALECT,
    '"1" if major == "1" else',
    '"1" if self.protocol_version[:3] != "0.3" else',
)
gives(
    A2A,
    "calls-any-binding",
    "Calls any binding.",
    lambda value, given, unit: (
        {**value, "call": {"url": "https://agents.example/a2a", "dialect": "1.0"}} if says("GRPC")(unit) else None
    ),
)
calling(
    "no-rest",
    "Takes every binding for JSON-RPC.",
    DIALECT,
    "self.protocol_binding)",
    "'JSONRPC' if self.protocol_binding == 'HTTP+JSON' else self.protocol_binding)",
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


def writing(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant of writing A2A cards."""
    lacks(WRITE, name, rule, (function, old, new))


writing(
    "flat-schemes",
    "Writes security schemes of v0.3 into v1.0.",
    _a2a_write._scheme,
    'if form == "0.3":',
    'if form != "hybrid":',
)
writing(
    "wrapped-schemes",
    "Writes security schemes of v1.0 into both.",
    _a2a_write._scheme,
    'newer if form == "1.0" else {**scheme, **newer}',
    "newer",
)
writing(
    "needs-of-v1-in-v03",
    "Writes what callers need as v1.0 does.",
    _a2a_write._with_security,
    'if form != "0.3":',
    "if True:",
)
writing(
    "fuller-card-in-one-place",
    "Tells of a fuller card in the place of v1.0.",
    _a2a_write.write_a2a_card,
    'form != "1.0" and extended is not None',
    "False",
)
writing("has-place", "Writes into v1.0 what it has no place for.", _a2a_write._without, "name != unknown", "True")
writing("no-more-interfaces", "Leaves other interfaces out.", _a2a_write._legacy, "if others:", "if False:")
writing(
    "short-version",
    "Writes a version without its patch.",
    _a2a_write._legacy,
    '"0.3.0" if version == "0.3" else version',
    '"0.3"',
)
believes(WRITE, "promises-anything", "Writes a card of v0.3 for an agent of v1.0.", "malformed")

# --- cards of connectors

CONNECTOR = "connector_card"
lacks(
    CONNECTOR,
    "any-origin",
    "Takes a card from anywhere.",
    (_connector_card.check_origin, "url not in", "False and url not in"),
)
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
lacks(
    LIST,
    "every-contact-is-an-agent",
    "Takes every contact for an agent.",
    (_directory._agents, "elif kind == _ASSISTANT:", "else:"),
)
declines(
    LIST,
    "wants-arrays",
    "Refuses one without an array.",
    lambda unit: not isinstance(unit["body"].get("contactPoint"), list),
)
lacks(
    LIST,
    "wants-arrays-of-protocols",
    "Refuses one protocol without an array.",
    (_directory._agents, "[protocols] if protocols.__class__ is str else protocols", "protocols"),
)
gives(
    LIST,
    "lists-mailboxes",
    "Lists mailboxes.",
    lambda value, given, unit: {**value, "agents": [one[1:] for one in value["agents"]]},
)
lacks(LIST, "any-type", "Takes any type.", (_directory.read_directory, 'whole.get("@type") != "Organization"', "False"))
believes(LIST, "takes-http-in-lists", "Takes URLs by http.", "malformed", when=says(HTTP))
believes(LIST, "anybody-runs-it", "Takes one that does not say who runs it.", "malformed")
lacks(
    LIST,
    "every-kind-is-an-agent",
    "Takes contacts of odd kinds for others.",
    (_directory._agents, "kind is not None and kind.__class__ is not str", "False"),
)
lacks(LIST, "two-names", "Takes two addresses for one.", (_directory._address, "canonical(named) != address", "False"))
lacks(
    LIST,
    "odd-names",
    "Does not look at a WebFinger name that is no text.",
    (_directory._address, "if named is not None and (named.__class__ is not str or", "if named.__class__ is str and ("),
)
lacks(
    LIST,
    "mailboxes-with-at",
    "Takes an address for a mailbox.",
    (_directory._address, " or address.mailbox != email", ""),
)
lacks(
    LIST,
    "first-of-two-cards",
    "Keeps the first of two agents of one address.",
    (_directory._repeated, "else (first, *others)", "else others"),
)
lacks(
    LIST,
    "keeps-none-of-two",
    "Keeps no agent that is listed twice.",
    (_directory._repeated, "others if all(agents[one] == agents[first] for one in others) else ", ""),
)
lacks(
    LIST,
    "null-is-odd-in-lists",
    "Takes null for a member that does not fit.",
    (_directory._members, " if found.get(name) is not None}", " if name in found}"),
)
lacks(
    LIST,
    "lists-are-never-null",
    "Takes null for contact points that do not fit.",
    (_directory._points, "if found is None:", "if False:"),
)
lacks(
    LIST,
    "leaves-agents-out-in-silence",
    "Does not say what is left out of agents.",
    (_directory._directory, "notes += [", "_ = ["),
)
lacks(
    "read_jrd directory",
    "leaves-out-in-silence",
    "Does not say what is left out.",
    (_serve.leave_out, "notes += left_out(problems)", "pass"),
)
declines(
    LIST,
    "wants-every-agent-to-fit",
    "Refuses a directory for one odd agent.",
    lambda unit: isinstance(unit["body"]["contactPoint"], list) and 5 in unit["body"]["contactPoint"],
)
