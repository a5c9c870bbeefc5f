"""How mutants of finding agents are made, and those of WebFinger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants._answers import mends, refuses, spoils, takes

if TYPE_CHECKING:
    from collections.abc import Callable


AREA = "discovery"
Answer = "Mapping[str, Any]"
"""What is remembered between units, and must not be when a step of it is edited."""


def gives(op: str, name: str, rule: str, change: Any) -> None:
    """Registers a mutant that gives another value: `change(value, given, unit)`; None leaves it as it was."""
    spoils(AREA, (f"discovery.{op}",), name, rule, change)


def believes(op: str, name: str, rule: str, *codes: str, when: Any = None, value: Any = None) -> None:
    """Registers a mutant that takes what it must refuse for these codes."""
    takes(AREA, (f"discovery.{op}",), name, rule, lambda given, unit: value or {}, *codes, when=when)


def declines(op: str, name: str, rule: str, when: Callable[[Any], bool]) -> None:
    """Registers a mutant that refuses what it must take."""
    refuses(AREA, (f"discovery.{op}",), name, rule, when)


def sees(op: str, name: str, rule: str, see: Callable[[Any], Any]) -> None:
    """Registers a mutant that reads another unit."""
    mends(AREA, (f"discovery.{op}",), name, rule, lambda given, unit: (given, see(unit)))


def without(value: Any, *names: str) -> Any:
    """The value without these members, however deep."""
    if isinstance(value, dict):
        return {name: without(member, *names) for name, member in value.items() if name not in names}
    return [without(item, *names) for item in value] if isinstance(value, list) else value


MAILTO = "mailto:helper@agents.example"
READ = "read_jrd resolve_agent"

# --- reading what a domain says

gives(
    "read_jrd",
    "any-subject-is-an-agent",
    "Makes an address of any subject.",
    lambda value, given, unit: {**value, "subject": "@helper@agents.example"} if value["subject"] is None else None,
)
declines(
    "read_jrd",
    "no-odd-links",
    "Refuses a document for a link that it cannot read.",
    lambda unit: isinstance(unit["body"], dict) and 5 in unit["body"].get("links", ()),
)
declines(
    "read_jrd",
    "wants-links-in-order",
    "Refuses links in another order.",
    lambda unit: isinstance(unit["body"], dict) and unit["body"]["links"][0] == {"rel": "mailto", "href": MAILTO},
)
for _code in ("wrong-type", "invalid-json", "duplicate-member"):
    believes("read_jrd", f"reads-{_code}", f"Reads a document that is {_code}.", _code)
gives(
    "read_jrd",
    "forgets-the-mailbox",
    "Does not read the mailbox.",
    lambda value, given, unit: {**value, "mailbox": None} if value["mailbox"] else None,
)

# --- writing it


def _links(change: Callable[[list[Any]], list[Any]]) -> Any:
    return lambda value, given, unit: {**value, "links": change(value["links"])}


gives(
    "write_jrd",
    "card-last",
    "Writes the card last.",
    _links(lambda links: sorted(links, key=lambda one: "card" in one["rel"])),
)
gives(
    "write_jrd",
    "writes-the-older-relation",
    "Writes the older relation.",
    _links(lambda links: [{**one, "rel": one["rel"].replace("/ns/rel", "")} for one in links]),
)
gives("write_jrd", "no-aliases", "Writes no aliases.", lambda value, given, unit: without(value, "aliases"))
gives(
    "write_jrd",
    "domains-have-case",
    "Writes a domain as it is given.",
    lambda value, given, unit: {**value, "subject": f"acct:{unit['address'].lstrip('@')}"},
)
believes("write_jrd", "writes-anything", "Writes whatever it is given.", "malformed")
gives(
    "agent_card_url",
    "cards-elsewhere",
    "Writes another path.",
    lambda value, given, unit: value.replace("agent-card", "card"),
)

# --- serving it


gives(
    "webfinger",
    "another-type",
    "Serves JSON of another type.",
    lambda value, given, unit: {**value, "content_type": "application/json"} if value["document"] else None,
)
gives(
    "webfinger",
    "answers-as-asked",
    "Writes the address as it was asked for.",
    lambda value, given, unit: (
        {
            **value,
            "document": {
                **value["document"],
                "subject": unit["url"].rpartition("resource=")[2].replace("ACCT", "acct"),
            },
        }
        if value["document"] and "cct:" in unit["url"] and "&" not in unit["url"] and "%" not in unit["url"]
        else None
    ),
)
gives(
    "webfinger",
    "narrows-in-the-order-asked",
    "Writes links in the order in which they were asked for.",
    lambda value, given, unit: (
        {**value, "document": {**value["document"], "links": value["document"]["links"][::-1]}}
        if "rel=" in unit["url"] and value["document"]
        else None
    ),
)
gives(
    "webfinger",
    "answers-for-everybody",
    "Answers whoever is asked for.",
    lambda value, given, unit: (
        {"status": 200, "content_type": "application/jrd+json", "document": unit["agents"][0]}
        if value["status"] == 404 and "other" in unit["url"]
        else None
    ),
)
sees(
    "webfinger",
    "plus-is-a-blank",
    "Takes a plus sign for a blank.",
    lambda unit: {**unit, "url": unit["url"].replace("+", "%20")},
)
sees(
    "webfinger",
    "double-decoding",
    "Encodes once more.",
    lambda unit: (
        {**unit, "url": unit["url"].replace("%", "%25")} if "%3A" in unit["url"] or "%2B" in unit["url"] else unit
    ),
)
gives(
    "webfinger",
    "knows-no-others",
    "Refuses parameters that it does not know.",
    lambda value, given, unit: (
        {"status": 400, "content_type": None, "document": None} if "x=1" in unit["url"] else None
    ),
)
gives(
    "webfinger",
    "lists-everybody",
    "Answers with an agent when nobody is asked for.",
    lambda value, given, unit: (
        {"status": 200, "content_type": "application/jrd+json", "document": unit["agents"][0]}
        if value["status"] == 400 and "acct" not in unit["url"]
        else None
    ),
)

believes("asked_resource", "asks-for-nothing", "Takes a request for any number of resources.", "resource-malformed")
sees(
    "asked_resource",
    "first-parameter",
    "Reads the first parameter alone.",
    lambda unit: {**unit, "url": unit["url"].partition("&")[0]},
)
gives(
    "asked_resource", "encoded-resources", "Does not decode.", lambda value, given, unit: unit["url"].rpartition("=")[2]
)
gives("asked_resource", "no-scheme", "Leaves the scheme out.", lambda value, given, unit: value.removeprefix("acct:"))
