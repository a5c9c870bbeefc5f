"""Mutants of the way from an address to an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mentionable import _webfinger
from mentionable.discovery import _a2a_card, _resolve
from tests.mutants import MUTANTS, Mutant
from tests.mutants._discovery import AREA, believes, gives, lacks

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

OP = "resolve_agent"
OPS = (f"discovery.{OP}",)
Answer = "Mapping[str, Any]"
FOUND = {"address": "@helper@agents.example"}


def step(name: str, rule: str, function: Any, old: str, new: str, *more: Any) -> None:
    """Registers a mutant of a step on the way."""
    lacks(OP, name, rule, (function, old, new), *more)


def asks_more(name: str, rule: str, asks: Callable[[Any, Any], list[str]]) -> None:
    """Registers a mutant that asks for more than it should: `asks(given, answer)`."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {**answer, "asks": [*answer.get("asks", ()), *asks(given, answer)]} if op in OPS else answer

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=OPS))


def links_of(given: Any) -> list[Any]:
    """The links of the document of the domain."""
    return [
        link
        for row, answer in given["lookups"].items()
        if "webfinger" in row and isinstance(answer.get("json"), dict)
        for link in answer["json"].get("links", ())
    ]


# --- the domain

SUBJECT = "found.subject is None or found.subject.lower() != address.lower()"
step("any-subject", "Does not look at the subject.", _webfinger.described, SUBJECT, "False")
step(
    "subject-may-be-missing",
    "Takes a document without a subject.",
    _webfinger.described,
    SUBJECT,
    "found.subject and found.subject.lower() != address.lower()",
)
step(
    "subject-in-that-case",
    "Wants the subject in the case that was asked for.",
    _webfinger.described,
    SUBJECT,
    "found.subject != address",
)
step(
    "address-as-asked",
    "Gives the address as it was asked for.",
    _resolve._resolved,
    "found.subject or address",
    "address",
)
step(
    "any-media-type-of-domain",
    "Does not look at the media type of WebFinger.",
    _webfinger._describe,
    "not _MEDIA(answer.content_type) or ",
    "",
)
step(
    "domain-by-http", "Takes WebFinger from anywhere.", _webfinger._describe, " or not is_fetchable_url(answer.url)", ""
)
step(
    "asks-private-domains",
    "Asks domains that are not public.",
    _webfinger._ask,
    "if not is_fetchable_url(url):",
    "if False:",
)
asks_more(
    "asks-every-domain",
    "Asks any domain.",
    lambda given, answer: ["GET https://anybody/"] if not answer.get("asks") else [],
)
asks_more(
    "asks-the-second-domain",
    "Asks the domain that another one names.",
    lambda given, answer: (
        ["GET https://other.example/.well-known/webfinger"] if "acct:helper@other.example" in json.dumps(given) else []
    ),
)
asks_more(
    "follows-any-link",
    "Asks for a card wherever it lies.",
    lambda given, answer: (
        [f"GET {link['href']}" for link in links_of(given)][:1]
        if "rejected" in answer and len(answer.get("asks", ())) == 1
        else []
    ),
)
asks_more(
    "guesses-cards",
    "Guesses where a card lies.",
    lambda given, answer: (
        ["GET https://agents.example/.well-known/agent-card/helper"]
        if len(answer.get("asks", ())) == 1 and answer.get("rejected", {}).get("code") == "agent-unknown"
        else []
    ),
)
step(
    "nothing-is-temporary",
    "Calls nobody unknown who may be there later.",
    _resolve._resolved,
    '"agent-unresolvable" if fault.temporary else ',
    "",
)
step(
    "everything-is-temporary",
    "Calls unresolvable who is not there.",
    _resolve._resolved,
    'if fault.temporary else "agent-unknown"',
    'if True else "agent-unknown"',
)
believes(OP, "unknown-by-the-domain", "Finds agents that a domain does not name.", "agent-unknown", value=FOUND)
believes(
    OP,
    "no-address",
    "Finds agents without an address.",
    "malformed",
    value=FOUND,
    when=lambda unit: not unit["address"].endswith(".example") or unit["address"].count("@") > 2,
)
step(
    "no-budget",
    "Does not look at its budget.",
    _resolve.resolve_agent,
    "flow if limits.asks >= _ASKS else bounded(flow, remote=limits.asks)",
    "flow",
)

# --- the card

step("any-card", "Does not look whose card it is.", _resolve._by_card, "card.address != address", "False")
step(
    "cards-in-any-case",
    "Compares addresses without their case.",
    _resolve._by_card,
    "card.address != address",
    "card.address.lower() != address.lower()",
)
step(
    "any-media-type-of-card",
    "Does not look at the media type of a card.",
    _resolve._taken,
    "not _JSON(answer.content_type) or ",
    "",
)
step("card-from-anywhere", "Takes a card from anywhere.", _resolve._taken, " or not is_fetchable_url(answer.url)", "")
step(
    "card-is-never-busy",
    "Does not tell a card that may be had later.",
    _resolve._taken,
    "temporary=is_busy(answer.status)",
    "temporary=False",
)
step(
    "silent-is-lost",
    "Does not tell a card that may be had later.",
    _resolve._taken,
    "temporary=answer.temporary",
    "temporary=False",
)
step(
    "large-cards",
    "Takes cards of any size.",
    _resolve.resolve_agent,
    "min(own.limits.fetched_bytes, _MOST_BYTES)",
    "own.limits.fetched_bytes",
)
step(
    "asked-place",
    "Says where a card was asked for, and not where it came from.",
    _resolve._by_card,
    "card_url=answer.url",
    "card_url=url",
)
step(
    "only-its-own-section",
    "Does not read an A2A card in the same document.",
    _resolve._interfaces,
    "card_of(document, notes).interfaces if is_a2a_card(document) else ()",
    "()",
)
step(
    "own-section-first",
    "Puts its own section first.",
    _resolve._interfaces,
    "else (*listed, own)",
    "else (own, *listed)",
)
step(
    "own-section-twice",
    "Lists an interface twice.",
    _resolve._interfaces,
    "listed if any(one.url == own.url and one.dialect == own.dialect for one in listed) else (*listed, own)",
    "(*listed, own)",
)
step(
    "no-transports",
    "Takes the words of a card for those of A2A.",
    _resolve._interfaces,
    "_BINDINGS.get(section.transport, section.transport)",
    "section.transport",
)
step(
    "no-version-of-a2a",
    "Does not look which version of A2A it is.",
    _resolve._interfaces,
    'section.protocol_version or "0.3"',
    '"0.3"',
)
step(
    "calls-inside",
    "Gives ways into private networks.",
    _a2a_card.A2AInterface.way,
    "or not is_fetchable_url(self.url) ",
    "",
)
step(
    "ways-inside",
    "Gives ways into private networks.",
    _resolve._public,
    "url if is_fetchable_url(url) else None",
    "url",
)
step(
    "card-before-domain",
    "Takes the card's word before the domain's.",
    _resolve._others,
    "agent.actor or (None if fediverse is None else _public(fediverse.actor))",
    "(None if fediverse is None else _public(fediverse.actor)) or agent.actor",
)
step(
    "finds-no-rest",
    "Does not know plain HTTP.",
    _resolve._others,
    "None if mine.rest is None else _public(mine.rest.endpoint)",
    "None",
)
gives(
    OP,
    "forgets-pages",
    "Gives no page.",
    lambda value, given, unit: {**value, "profile_page": None} if value["profile_page"] else None,
)
for _code in ("malformed", "duplicate-member", "too-large"):
    believes(
        OP,
        f"reads-cards-that-are-{_code}",
        f"Reads a card that is {_code}.",
        _code,
        value=FOUND,
        when=lambda unit: unit["address"] == FOUND["address"],
    )
gives(
    OP,
    "says-its-usual-place",
    "Says that every card lies in the usual place.",
    lambda value, given, unit: (
        {**value, "card_url": "https://agents.example/.well-known/agent-card/helper"}
        if "cdn" in value["card_url"] or "cards." in value["card_url"]
        else None
    ),
)
gives(
    OP,
    "forgets-the-interfaces",
    "Gives no interface of v0.3.",
    lambda value, given, unit: (
        {**value, "interfaces": [one for one in value["interfaces"] if one["dialect"] != "0.3"]}
        if len(given["lookups"]) and set(unit) == {"address"} and not value["rest"]
        else None
    ),
)

# --- its signature

WANTED = "address.domain in settings.card_keys or settings.require_signed_cards"
step("wants-no-signature", "Never wants a signature.", _resolve._by_card, WANTED, "False")
step(
    "wants-it-where-keys-are",
    "Wants a signature only where it has keys.",
    _resolve._by_card,
    " or settings.require_signed_cards",
    "",
)
step(
    "wants-it-always",
    "Wants a signature wherever there are keys at all.",
    _resolve._by_card,
    "address.domain in settings.card_keys",
    "settings.card_keys",
)
step(
    "gives-what-is-not-signed",
    "Gives what is not signed beside what is.",
    _resolve._by_card,
    "return evolve(agent, signed=signed, ways=signed.card.ways, diagnostics=of_domain)",
    "return evolve(agent, signed=signed, ways=ways_of(_interfaces(card, document, notes)), **_others(agent, card))",
)
step(
    "forgets-who-signed",
    "Does not say by which key.",
    _resolve._by_card,
    "evolve(agent, signed=signed, ",
    "evolve(agent, ",
)
believes(OP, "takes-unsigned", "Takes a card without a signature.", "agent-card-unsigned", value=FOUND)
believes(
    OP,
    "takes-any-signature",
    "Takes any signature.",
    "agent-card-signature-invalid",
    "agent-card-key-unknown",
    value=FOUND,
)

lacks(
    "resolve_agent",
    "odd-costs-all",
    "Refuses a card for one odd member.",
    (_resolve._by_card, "settings=settings, notes=notes", "settings=settings"),
)
