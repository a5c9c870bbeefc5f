"""Mutants of what a token says of an A2A caller, and of the messages that come of it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from mentionable import a2a
from mentionable._value import evolve
from mentionable._verification import Unproven
from mentionable.a2a import _claims as claims
from mentionable.a2a import _verify as room
from tests.mutants._verify_a2a import alters, believes, step

if TYPE_CHECKING:
    from collections.abc import Callable


Answer = "Mapping[str, Any]"


def loosely(name: str, rule: str, step_name: str, claim: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that reads a claim loosely: `change(claim, issuer)` gives what it takes it for."""

    def wrong(f: Callable[..., Any], found: dict[str, Any], issuer: Any, *given: Any, **more: Any) -> Any:
        return f({**found, claim: change(found[claim], issuer)} if claim in found else found, issuer, *given, **more)

    alters(name, rule, room, step_name, wrong)


# --- payload, issuer, audience


def _text(change: Callable[[str], str]) -> Callable[[Any, Any], Any]:
    return lambda value, _: change(value) if isinstance(value, str) else value


step("any-issuer", "Does not compare the issuer.", (room, "check_issuer", lambda *_: None))
loosely(
    "loose-slash",
    "Takes an issuer without its slash.",
    "check_issuer",
    "iss",
    _text(lambda text: text.rstrip("/") + "/"),
)
loosely("issuer-any-case", "Takes an issuer in capitals.", "check_issuer", "iss", _text(str.lower))
loosely(
    "issuer-begins",
    "Compares the beginning of an issuer.",
    "check_issuer",
    "iss",
    lambda value, issuer: issuer.issuer if str(value).startswith(issuer.issuer) else value,
)
loosely(
    "issuer-in-a-list",
    "Takes the first issuer of a list.",
    "check_issuer",
    "iss",
    lambda value, _: value[0] if isinstance(value, list) else value,
)


def _named_first(f: Callable[..., Any], found: Any, issuers: Any) -> Any:
    try:
        return f(found, issuers)
    except Unproven:
        return issuers[0]


alters("first-issuer", "Takes the first issuer for one that it does not know.", room, "_issuer_named", _named_first)
alters(
    "issuer-not-checked-again",
    "Lets an issuer be any that is believed.",
    room,
    "_issuer_named",
    lambda f, found, issuers: issuers[0],
)
believes(
    "issuer-by-domain",
    "Believes every issuer whose domain it speaks for.",
    lambda _, found: found.get("iss") == "https://a.example/",
)

step(
    "any-audience",
    "Does not look for whom it is.",
    (room, "audience_of", lambda found, issuer: (issuer.audiences[0], False)),
)
loosely("audience-any-case", "Compares names without their case.", "audience_of", "aud", _text(str.lower))
loosely(
    "audience-loose-slash", "Takes a name with a slash.", "audience_of", "aud", _text(lambda text: text.rstrip("/"))
)
loosely(
    "audience-begins",
    "Compares the beginning of a name.",
    "audience_of",
    "aud",
    lambda value, issuer: issuer.audiences[0] if str(value).startswith(issuer.audiences[0]) else value,
)
loosely(
    "audience-is-part",
    "Takes a part of a name.",
    "audience_of",
    "aud",
    lambda value, issuer: issuer.audiences[0] if isinstance(value, str) and value in issuer.audiences[0] else value,
)
loosely(
    "audience-must-be-text",
    "Takes no lists.",
    "audience_of",
    "aud",
    lambda value, _: "" if isinstance(value, list) else value,
)
loosely(
    "audience-mixed-list",
    "Skips what is no name in a list.",
    "audience_of",
    "aud",
    lambda value, _: [one for one in value if isinstance(one, str)] if isinstance(value, list) else value,
)
loosely(
    "audience-of-keys",
    "Takes the names of an object for a list.",
    "audience_of",
    "aud",
    lambda value, _: list(value) if isinstance(value, dict) else value,
)
loosely(
    "audience-null",
    "Takes null for everybody.",
    "audience_of",
    "aud",
    lambda value, issuer: value if value else issuer.audiences[0],
)
alters(
    "audience-optional",
    "Takes a token for nobody in particular.",
    room,
    "audience_of",
    lambda f, found, issuer: f({"aud": issuer.audiences[0], **found}, issuer),
)
alters(
    "never-strict",
    "Never refuses others in the audience.",
    room,
    "audience_of",
    lambda f, found, issuer: f(found, evolve(issuer, strict_audience=False)),
)
alters(
    "always-strict",
    "Always refuses others in the audience.",
    room,
    "audience_of",
    lambda f, found, issuer: f(found, evolve(issuer, strict_audience=True)),
)
alters(
    "one-audience",
    "Knows one of its names.",
    room,
    "audience_of",
    lambda f, found, issuer: f(found, evolve(issuer, audiences=issuer.audiences[:1])),
)

# --- time


def _timeless(name: str, rule: str, *claim_names: str, when: Callable[[Any], bool] = lambda _: True) -> None:
    """Registers a mutant that does not look at some times."""

    def wrong(f: Callable[..., Any], found: dict[str, Any], issuer: Any, now: float, *, required: bool) -> Any:
        rest = {one: value for one, value in found.items() if one not in claim_names or not when(value)}
        until = f(rest, issuer, now, required=required and ("exp" in rest or "exp" not in found))
        return until if until is not None or not required else now + 60

    alters(name, rule, room, "expiry_of", wrong)


_timeless("ignores-expiry", "Does not look at the end.", "exp")
_timeless("ignores-not-before", "Does not look at nbf.", "nbf")
_timeless("ignores-issued", "Does not look at iat.", "iat")
_timeless(
    "ignores-odd-times",
    "Does not look at times that are no numbers.",
    "exp",
    "nbf",
    "iat",
    when=lambda value: type(value) not in (int, float),
)
_timeless(
    "ignores-far-times",
    "Takes times that no calendar has for ever.",
    "exp",
    when=lambda value: isinstance(value, (int, float)) and not 0 <= value <= 10**11,
)
alters(
    "expiry-optional",
    "Takes a token without end.",
    room,
    "expiry_of",
    lambda f, found, issuer, now, *, required: f(
        {"exp": now + 60, **found} if required else found, issuer, now, required=required
    ),
)
alters(
    "expiry-needed",
    "Wants an end from a server too.",
    room,
    "expiry_of",
    lambda f, *given, required: f(*given, required=True),
)
alters(
    "any-lifetime",
    "Takes tokens for a hundred years.",
    room,
    "expiry_of",
    lambda f, found, issuer, now, *, required: f(found, evolve(issuer, max_lifetime=10**12), now, required=required),
)
alters(
    "a-day-for-all",
    "Takes tokens for a day, whatever the host says.",
    room,
    "expiry_of",
    lambda f, found, issuer, now, *, required: f(found, evolve(issuer, max_lifetime=86_400), now, required=required),
)
alters(
    "lifetime-from-now",
    "Counts the life of a token from now.",
    room,
    "expiry_of",
    lambda f, found, issuer, now, *, required: f(
        {one: value for one, value in found.items() if one not in ("nbf", "iat")}, issuer, now, required=required
    ),
)
step("no-skew", "Allows no clock to differ.", (claims, "SKEW", 0))
step("wide-skew", "Allows clocks to differ by an hour.", (claims, "SKEW", 3_700))
believes("expiry-text", "Reads times out of text.", lambda _, found: isinstance(found.get("exp"), str))
believes("expiry-true", "Takes true for a time.", lambda _, found: found.get("exp") is True)
believes("expiry-infinite", "Takes infinity for a time.", lambda _, found: found.get("exp") in (float("inf"), 10**400))
alters(
    "whole-seconds",
    "Wants whole seconds.",
    claims,
    "_time_claim",
    lambda f, found, name: f({**found, name: "x"} if isinstance(found.get(name), float) else found, name),
)

# --- use and subject

step("any-proof", "Does not ask for proofs.", (room, "check_unbound", lambda *_, **__: None))
alters(
    "no-proof-counts",
    "Does not believe that a proof was checked.",
    room,
    "check_unbound",
    lambda f, found, **_: f(found),
)
alters(
    "known-bindings",
    "Sees known bindings alone.",
    room,
    "check_unbound",
    lambda f, found, **more: f(found if isinstance(found.get("cnf"), dict) else {}, **more),
)
step(
    "speaks-for-all",
    "Lets every issuer speak for every domain.",
    (a2a.TokenIssuer, "speaks_for", lambda self, address: True),
)
step(
    "speaks-for-subdomains",
    "Lets an issuer speak for subdomains.",
    (
        a2a.TokenIssuer,
        "speaks_for",
        lambda self, address: f".{address.rpartition('@')[2]}".endswith(
            tuple(f".{one}" for one in self.subject_domains)
        ),
    ),
)
step(
    "speaks-for-beginnings",
    "Compares the beginning of a domain.",
    (a2a.TokenIssuer, "speaks_for", lambda self, address: address.rpartition("@")[2].startswith(self.subject_domains)),
)
believes(
    "homoglyphs", "Takes letters that look alike for the same.", lambda _, found: "\u0430" in str(found.get("sub"))
)


def subject(name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that takes a subject for another one."""

    def wrong(f: Callable[..., Any], party: dict[str, Any], found: Any, issuer: Any) -> Any:
        loose = {**party, "sub": change(party["sub"])} if "sub" in party else party
        return f(loose, loose if found is party else found, issuer)

    alters(name, rule, claims, "_address", wrong)


def _if_text(change: Callable[[str], str]) -> Callable[[Any], Any]:
    return lambda value: change(value) if isinstance(value, str) else value


subject("trims-subjects", "Trims subjects.", _if_text(str.strip))
subject(
    "words-are-addresses",
    "Makes addresses of words.",
    _if_text(lambda text: text if "@" in text or ":" in text else f"{text or 'x'}@a.example"),
)
subject(
    "last-mark",
    "Splits a subject at its last mark.",
    _if_text(lambda text: "@a@a.example" if text.count("@") > 2 else text),
)
subject("unquotes", "Takes quotes off.", _if_text(lambda text: text.replace('"', "")))
subject("mail-links", "Takes mail links for addresses.", _if_text(lambda text: text.removeprefix("mailto:")))
subject(
    "urls-are-addresses",
    "Makes addresses of URLs.",
    _if_text(lambda text: "@alice@a.example" if text.startswith("https:") else text),
)
subject(
    "numbers-are-text",
    "Takes numbers and lists for text.",
    lambda value: value if isinstance(value, str) or value is None else "@alice@a.example",
)
subject("no-acct", "Does not know acct URIs.", _if_text(lambda text: text.replace("acct:", "x:")))
subject(
    "mark-needed",
    "Wants the mark of an address.",
    _if_text(lambda text: text if text[:1] == "@" or "@" not in text else "x"),
)
believes("short-domains", "Takes a domain of one label.", lambda _, found: found.get("sub") == "@alice@example")


def _guesses(f: Callable[..., Any], party: dict[str, Any], found: Any, issuer: Any) -> Any:
    known = evolve(issuer, subjects={"agent-7": "@alice@a.example", "agent-8": "@alice@a.example"})
    return f(party, found, known if party.get("sub") is None else issuer)


def _knows_as(name: str) -> Callable[..., Any]:
    def wrong(f: Callable[..., Any], party: dict[str, Any], found: Any, issuer: Any) -> Any:
        fallen = {**party, "sub": party[name]} if name in party else party
        return f(fallen, fallen if found is party else found, issuer)

    return wrong


alters("guesses-clients", "Takes every client for an agent.", claims, "_address", _guesses)
alters(
    "ignores-subjects",
    "Does not look at which agent a name is.",
    claims,
    "_address",
    lambda f, party, found, issuer: f(party, found, evolve(issuer, subjects={})),
)
alters("preferred-names", "Takes the name that a user chose.", claims, "_address", _knows_as("preferred_username"))
alters("user-names", "Takes the name of a user for an address.", claims, "_address", _knows_as("username"))
believes("knows-all-names", "Takes names that the host does not know.", lambda _, found: found.get("sub") == "0oa2")

# --- who acts


def actor(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that reads the actor otherwise."""

    def wrong(f: Callable[..., Any], found: dict[str, Any], issuer: Any) -> Any:
        found = copy.deepcopy(found)
        change(found)
        return f(found, issuer)

    alters(name, rule, room, "party_of", wrong)


actor("ignores-actors", "Takes the subject for the sender, whoever acts.", lambda found: found.pop("act", None))
actor(
    "odd-actors",
    "Does not see an actor that is no object.",
    lambda found: None if isinstance(found.get("act"), dict) else found.pop("act", None),
)
actor(
    "actors-of-all",
    "Takes actors of every issuer.",
    lambda found: found["act"].pop("iss", None) if isinstance(found.get("act"), dict) else None,
)
actor(
    "actors-of-none",
    "Takes no actor that names their issuer.",
    lambda found: (
        found["act"].update(iss="x") if isinstance(found.get("act"), dict) and "iss" in found["act"] else None
    ),
)
actor(
    "innermost-actor",
    "Takes the innermost actor.",
    lambda found: (
        found.update(act=found["act"]["act"]) if isinstance(found.get("act"), dict) and "act" in found["act"] else None
    ),
)
actor(
    "empty-actors",
    "Does not see an actor without a name.",
    lambda found: found.pop("act") if found.get("act") == {} else None,
)
actor(
    "acts-for-nobody",
    "Lets actors act for nobody.",
    lambda found: found.update(sub="x") if "act" in found and not isinstance(found.get("sub"), str) else None,
)
actor(
    "null-is-an-actor",
    "Takes null for an actor.",
    lambda found: found.update(act={}) if "act" in found and found["act"] is None else None,
)
actor(
    "principals-of-issuer",
    "Wants an address of whoever is acted for.",
    lambda found: found.update(act={}) if "act" in found and str(found.get("sub")).find("@a.example") < 0 else None,
)
