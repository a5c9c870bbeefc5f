"""How mutants of finding agents are made, and those of WebFinger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mentionable import _connector_card, _tokens, _webfinger
from mentionable.discovery import _jrd
from tests.mutants._answers import mends, of_unit, refuses, spoils, takes
from tests.mutants._edits import CACHES, edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants._edits import Edit, Values

AREA = "discovery"
Answer = "Mapping[str, Any]"
REMEMBERED = [*CACHES, _tokens._header, _tokens._native, _connector_card.read_ready]
"""What is remembered between units, and must not be when a step of it is edited."""


def lacks(
    op: str,
    name: str,
    rule: str,
    *changes: Edit,
    values: Values | None = None,
    when: Callable[[Any], bool] | None = None,
) -> None:
    """Registers a mutant of operations (`read_jrd webfinger`): the library with these edits of its text, or values."""
    ops = tuple(f"discovery.{one}" for one in op.split())
    edits(AREA, ops, name, rule, *changes, values=values, when=of_unit(when), forgets=REMEMBERED)


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
DESCRIPTOR = _webfinger.ResourceDescriptor
READ = "read_jrd resolve_agent"
HREF = "return link.href if is_fetchable_url(link.href) else None"

# --- reading what a domain says

lacks(
    READ,
    "schemes-have-case",
    "Knows acct: in lower case alone.",
    (_webfinger.read_descriptor, "subject[:5].lower()", "subject[:5]"),
)
lacks(
    "read_jrd",
    "local-parts-have-no-case",
    "Lowers the name of an agent.",
    (_webfinger.read_descriptor, "canonical(subject) if", "canonical(subject.lower()) if"),
)
gives(
    "read_jrd",
    "any-subject-is-an-agent",
    "Makes an address of any subject.",
    lambda value, given, unit: {**value, "subject": "@helper@agents.example"} if value["subject"] is None else None,
)
lacks(
    READ,
    "knows-no-older-relation",
    "Does not know the older relation.",
    (DESCRIPTOR.agent_card, "(AGENT_CARD, LEGACY_AGENT_CARD)", "(AGENT_CARD,)"),
)
lacks(
    READ,
    "older-relation-first",
    "Takes the older relation first.",
    (DESCRIPTOR.agent_card, "(AGENT_CARD, LEGACY_AGENT_CARD)", "(LEGACY_AGENT_CARD, AGENT_CARD)"),
)
lacks(
    READ, "any-place-of-a-card", "Takes any URL for that of a card.", (DESCRIPTOR.agent_card, HREF, "return link.href")
)
lacks(
    READ,
    "looks-for-another-card",
    "Takes another link when one is no place.",
    (DESCRIPTOR.agent_card, HREF, "if is_fetchable_url(link.href): return link.href"),
)
lacks(
    "read_jrd",
    "last-card",
    "Takes the last link.",
    (DESCRIPTOR.agent_card, "for link in self.links:", "for link in reversed(self.links):"),
)
lacks(
    "read_jrd",
    "one-type-of-activitystreams",
    "Knows one media type of ActivityStreams.",
    (_webfinger._is_activitystreams, "and is_profiled", "and False"),
)
lacks(
    "read_jrd",
    "any-self-is-an-actor",
    "Takes any self for an actor.",
    (DESCRIPTOR.actor, "_is_activitystreams(link.type) and ", ""),
)
lacks("read_jrd", "actors-by-http", "Takes actors by http.", (DESCRIPTOR.actor, " and is_fetchable_url(link.href)", ""))
lacks(
    "read_jrd",
    "pages-by-http",
    "Takes pages by http.",
    (DESCRIPTOR.profile_page, ' and link.href[:8] == "https://"', ""),
)
lacks(
    "read_jrd",
    "mailboxes-with-more",
    "Cuts a mailto: link at its question mark.",
    (DESCRIPTOR.mailbox, "canonical(link.href[7:])", 'canonical(link.href[7:].partition("?")[0])'),
    (DESCRIPTOR.mailbox, " and address.mailbox == link.href[7:]", ""),
)
declines(
    "read_jrd",
    "no-odd-links",
    "Refuses a document for a link that it cannot read.",
    lambda unit: isinstance(unit["body"], dict) and 5 in unit["body"].get("links", ()),
)
lacks(
    READ,
    "null-is-odd",
    "Takes null for a member that does not fit.",
    (_webfinger._odd, "if member is not None:", "if True:"),
)
lacks(
    READ,
    "arrays-are-never-null",
    "Takes null for an array that does not fit.",
    (_webfinger._array, "if found is None:", "if False:"),
)
lacks(
    READ,
    "says-nothing-of-a-domain",
    "Does not say what is left out of what a domain says.",
    (_webfinger._read, "tuple(left_out(problems)) if problems else ()", "()"),
)
lacks(
    READ,
    "links-without-relation",
    "Keeps links that do not say what they are.",
    (_webfinger._link, "if rel.__class__ is not str:", "if link.__class__ is not dict:"),
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
lacks(
    "write_jrd",
    "aliases-with-others",
    "Writes aliases that nobody gave.",
    (_jrd.write_jrd, "for alias in aliases]", "for alias in (*aliases, agent_card)]"),
)
gives(
    "write_jrd",
    "domains-have-case",
    "Writes a domain as it is given.",
    lambda value, given, unit: {**value, "subject": f"acct:{unit['address'].lstrip('@')}"},
)
believes("write_jrd", "writes-anything", "Writes whatever it is given.", "malformed")
lacks(
    "agent_card_url",
    "names-as-they-are",
    "Writes a name into a path as it is.",
    (_jrd.agent_card_url, "quote(own.local, safe='')", "own.local"),
)
gives(
    "agent_card_url",
    "cards-elsewhere",
    "Writes another path.",
    lambda value, given, unit: value.replace("agent-card", "card"),
)

# --- serving it


def served(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant of serving."""
    lacks("webfinger", name, rule, (function, old, new))


SERVE, PARAMETERS = _jrd.webfinger_response, _jrd._parameters
served(
    "serves-exact-names", "Finds addresses in their own case alone.", _jrd._folded, "address.lower()", "str(address)"
)
served("serves-the-first", "Answers with the first of several.", SERVE, "len(found) != 1", "not found")
served(
    "serves-any-domain",
    "Compares names without their domains.",
    _jrd._folded,
    "address.lower()",
    "address.local.lower()",
)
served(
    "no-alias-is-found",
    "Finds nobody under an alias.",
    _jrd._names,
    '(_folded(subject), *(jrd.get("aliases") or ()))',
    "(_folded(subject),)",
)
served(
    "aliases-have-no-case",
    "Compares aliases without their case.",
    _jrd._folded,
    "return resource",
    "return resource.lower()",
)
served("narrows-nothing", "Does not look at rel.", SERVE, "if rels:", "if False:")
served("asks-for-ascii-no-more", "Decodes letters of domains.", _jrd._folded, " if resource.isascii() else None", "")
served(
    "takes-the-first-resource",
    "Takes the first of several resources.",
    PARAMETERS,
    "len(resources) != 1 or not resources[0]",
    "not resources or not resources[0]",
)
served("any-method", "Answers every method.", SERVE, 'request.method not in ("GET", "HEAD")', "False")
served("any-path", "Answers on every path.", SERVE, 'path[path.find("/") :] != _PATH', "False")
served("decodes-loosely", "Reads bytes that are no text.", _jrd._decoded, ".decode()", '.decode("utf-8", "ignore")')
served(
    "never-malformed",
    "Calls malformed requests unknown.",
    SERVE,
    "        return empty_response(400)\n    wanted",
    "        return empty_response(404)\n    wanted",
)
served(
    "no-address-is-malformed",
    "Calls malformed addresses unknown.",
    SERVE,
    "if wanted is None:\n        return empty_response(400)",
    "if wanted is None:\n        return empty_response(404)",
)
served("serves-empty-names", "Looks for a name that is empty.", PARAMETERS, " or not resources[0]", "")
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
