"""What a domain says about an agent: `conformance/v0.1/discovery/jrd*.json`, `card-url.json`, `webfinger.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._discovery_rows import (
    ADDRESS,
    CARD_LINK,
    CARD_URL,
    HOME,
    JRD,
    LEGACY,
    PAGE_REL,
    REL,
    Case,
    one,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ACTOR = f"{HOME}/helper"
PAGE = f"{HOME}/@helper"
SELF: Case = {"rel": "self", "type": "application/activity+json", "href": ACTOR}
PAGE_LINK: Case = {"rel": PAGE_REL, "type": "text/html", "href": PAGE}
MAIL_LINK: Case = {"rel": "mailto", "href": "mailto:helper@agents.example"}
NOTHING: Case = {"subject": ADDRESS, "agent_card": None, "actor": None, "profile_page": None, "mailbox": None}
FOUND: Case = {**NOTHING, "agent_card": CARD_URL}
OLD_LINK: Case = {"rel": LEGACY, "href": f"{HOME}/old"}


def reads(name: str, section: str, why: str, body: Any, value: Case) -> Case:
    """A document that is read."""
    return one("jrd", name, section, why, {"body": body}, value=value, flags=["honest"])


def linked(name: str, section: str, why: str, *links: Any, **found: Any) -> Case:
    """The same, with these links."""
    return reads(name, section, why, {**JRD, "links": list(links)}, {**NOTHING, **found})


def read() -> Iterator[Case]:
    """Documents that are read, and some that are not."""
    whole = {**FOUND, "actor": ACTOR, "profile_page": PAGE, "mailbox": "helper@agents.example"}
    yield linked("whole", "D A6", "All links are found.", SELF, CARD_LINK, PAGE_LINK, MAIL_LINK, **whole)
    yield linked("any-order", "D A6", "Others write other orders.", MAIL_LINK, PAGE_LINK, CARD_LINK, SELF, **whole)
    yield reads(
        "subject-in-capitals",
        "RFC 7565 3",
        "A scheme and a domain have no case.",
        {**JRD, "subject": "ACCT:helper@Agents.EXAMPLE"},
        FOUND,
    )
    yield reads(
        "local-part-keeps-case",
        "D B8",
        "Who it is, the domain decides.",
        {**JRD, "subject": "acct:Helper@agents.example"},
        {**FOUND, "subject": "@Helper@agents.example"},
    )
    why = "Only an account is an agent."
    yield reads("subject-url", "D A6", why, {**JRD, "subject": ACTOR}, {**FOUND, "subject": None})
    yield reads(
        "subject-missing",
        "RFC 7033 4.4.1",
        "It may be missing, and then nothing is said.",
        {"links": [CARD_LINK]},
        {**FOUND, "subject": None},
    )
    yield linked(
        "older-relation", "D C8", "Older nodes name the card in another way.", OLD_LINK, agent_card=f"{HOME}/old"
    )
    yield linked(
        "newer-relation-first",
        "D C8",
        "The newer name counts, wherever it stands.",
        OLD_LINK,
        CARD_LINK,
        agent_card=CARD_URL,
    )
    other = {**CARD_LINK, "href": f"{HOME}/other"}
    yield linked("first-card", "D B14", "The first link counts.", CARD_LINK, other, agent_card=CARD_URL)
    why = "A card that is not https is none, and no other one takes its place."
    for name, href in (
        ("http", "http://agents.example/card"),
        ("address", "https://192.0.2.1/card"),
        ("port", "https://agents.example:8443/card"),
        ("userinfo", "https://agents.example@evil.example/card"),
        ("local", "https://printer.local/card"),
        ("relative", "/card"),
    ):
        yield linked(f"card-{name}", "D A6", why, {**CARD_LINK, "href": href}, OLD_LINK)
    yield linked(
        "actor-by-profile",
        "D A6",
        "ActivityStreams has two media types.",
        {**SELF, "type": 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'},
        actor=ACTOR,
    )
    yield linked(
        "self-of-another-type", "D A6", "What is no ActivityStreams is no actor.", {**SELF, "type": "text/html"}
    )
    yield linked(
        "actor-by-http", "D A6", "Nothing is read without https.", {**SELF, "href": "http://agents.example/helper"}
    )
    yield linked(
        "page-by-http", "D A6", "All links but mailto are https.", {**PAGE_LINK, "href": "http://agents.example"}
    )
    yield linked(
        "mailbox-with-more",
        "D A6",
        "A mailbox is no form that somebody filled in.",
        {**MAIL_LINK, "href": "mailto:helper@agents.example?subject=x"},
    )
    why = "What cannot be read is left out, and the rest counts."
    yield linked("odd-links", "RFC 7033 4.4", why, 5, {"rel": 5, "href": None}, CARD_LINK, agent_card=CARD_URL)
    for name, body, code in (
        ("array", [JRD], "wrong-type"),
        ("not-json", "{", "invalid-json"),
        ("twice", '{"subject": "acct:a@agents.example", "subject": "acct:b@agents.example"}', "duplicate-member"),
        ("subject-number", {**JRD, "subject": 5}, "wrong-type"),
    ):
        yield refused("jrd", name, "RFC 7033 4.4", "A document is read in one way or not at all.", {"body": body}, code)


def odd() -> Iterator[Case]:
    """Documents of which something does not fit."""
    nothing: list[str] = []
    dropped = ["member-dropped"]
    with_aliases = {**JRD, "aliases": [ACTOR]}
    for name, why, changes, value, notes in (
        ("link-number", "A link that is none costs itself.", {"links": [5, CARD_LINK]}, FOUND, dropped),
        ("link-null", "A link that is none costs itself.", {"links": [None, CARD_LINK]}, FOUND, dropped),
        (
            "link-without-relation",
            "A link without a relation is none.",
            {"links": [{"href": PAGE}, CARD_LINK]},
            FOUND,
            dropped,
        ),
        (
            "link-relation-number",
            "A link without a relation is none.",
            {"links": [{**SELF, "rel": 5}, CARD_LINK]},
            FOUND,
            dropped,
        ),
        (
            "link-place-number",
            "A card without a place is none, and no other one takes its place.",
            {"links": [{**CARD_LINK, "href": 5}, CARD_LINK, OLD_LINK]},
            NOTHING,
            dropped,
        ),
        (
            "link-type-number",
            "What does not say that it is ActivityStreams is no actor.",
            {"links": [{**SELF, "type": ["application/activity+json"]}, CARD_LINK]},
            FOUND,
            dropped,
        ),
        ("link-type-null", "Null is absence.", {"links": [{**CARD_LINK, "type": None}]}, FOUND, nothing),
        ("links-one", "Links that are no array are none.", {"links": CARD_LINK}, NOTHING, dropped),
        ("links-null", "Null is absence.", {"links": None}, NOTHING, nothing),
        ("aliases-one", "Aliases that are no array are none.", {"aliases": ACTOR}, FOUND, dropped),
        ("aliases-null", "Null is absence.", {"aliases": None}, FOUND, nothing),
        ("alias-number", "An alias that is none costs itself.", {"aliases": [5, ACTOR]}, FOUND, dropped),
        (
            "much",
            "Each thing that does not fit costs itself.",
            {"aliases": [ACTOR, None], "links": ["x", {**CARD_LINK, "type": 5}, {"rel": None}]},
            FOUND,
            dropped * 4,
        ),
    ):
        body = {**with_aliases, **changes}
        yield one("jrd-odd", name, "R54", why, {"body": body}, value=value, diagnostics=notes, flags=["honest"])


def written() -> Iterator[Case]:
    """Documents that are written."""
    base: Case = {"address": ADDRESS, "agent_card": CARD_URL}
    rows: list[tuple[str, str, Case, Case]] = [
        ("card", "The card is always there.", {}, JRD),
        (
            "whole",
            "Readers take the links in this order.",
            {"mailto": "helper@agents.example", "profile_page": PAGE, "actor": ACTOR},
            {**JRD, "aliases": [ACTOR, PAGE], "links": [SELF, CARD_LINK, PAGE_LINK, MAIL_LINK]},
        ),
        ("aliases", "Aliases are written as they are given.", {"aliases": [PAGE]}, {**JRD, "aliases": [PAGE]}),
        ("domain-in-capitals", "A domain is written in one way.", {"address": "helper@Agents.EXAMPLE"}, JRD),
    ]
    for name, why, changes, value in rows:
        yield one("jrd-written", name, "D A6", why, {**base, **changes}, value=value, flags=["honest"])
    for name, changes in (
        ("http", {"agent_card": "http://agents.example/card"}),
        ("actor-http", {"actor": "http://agents.example/helper"}),
        ("page-http", {"profile_page": "http://agents.example"}),
        ("alias-http", {"aliases": ["http://agents.example"]}),
        ("one-label", {"address": "@helper@localhost"}),
        ("percent", {"address": "@a%b@agents.example"}),
        ("mailto-url", {"mailto": "mailto:helper@agents.example"}),
    ):
        yield refused("jrd-written", name, "D A6", "What cannot be read is not written.", {**base, **changes})


def urls() -> Iterator[Case]:
    """Where cards lie."""
    for name, address, url in (
        ("plain", ADDRESS, CARD_URL),
        ("encoded", "@a/b+c@agents.example", f"{HOME}/.well-known/agent-card/a%2Fb%2Bc"),
        ("domain", "@helper@Agents.EXAMPLE", CARD_URL),
    ):
        why = "A name is one segment of a path, whatever is in it."
        yield one("card-url", name, "D A7", why, {"address": address}, value=url, flags=["honest"])


AGENTS: list[Case] = [
    {**JRD, "aliases": [ACTOR], "links": [SELF, CARD_LINK, MAIL_LINK]},
    {**JRD, "subject": "acct:Writer@agents.example"},
    {**JRD, "subject": "acct:twin@agents.example", "aliases": [f"{HOME}/twins"]},
    {**JRD, "subject": "acct:Twin@agents.example", "aliases": [f"{HOME}/twins"]},
    {**JRD, "subject": "acct:a+b@agents.example"},
]


def served(name: str, why: str, query: str, found: Case | int, section: str = "RFC 7033 4.1", **members: Any) -> Case:
    """A request, and the document or status that answers it."""
    unit = {"url": f"{HOME}/.well-known/webfinger?{query}", "agents": AGENTS, **members}
    value: Case = {"status": found, "content_type": None, "document": None}
    if isinstance(found, dict):
        value = {"status": 200, "content_type": "application/jrd+json", "document": found}
    return one(
        "webfinger", name, section, why, unit, value=value, flags=["honest" if value["status"] == 200 else "attack"]
    )


def requests() -> Iterator[Case]:
    """Requests for WebFinger."""
    helper, writer, *_, plus = AGENTS
    mine = "resource=acct:helper@agents.example"
    yield served("plain", "An agent is found under its address.", mine, helper)
    yield served("encoded", "Clients encode more than they must.", "resource=acct%3Ahelper%40agents.example", helper)
    yield served(
        "any-case", "People write addresses as they like.", "resource=ACCT:HELPER@Agents.example", helper, "D A1"
    )
    yield served(
        "own-case", "The answer has the address as it is.", "resource=acct:writer@agents.example", writer, "D A1"
    )
    yield served("alias", "Servers ask for actors by their ids.", f"resource={ACTOR}", helper)
    yield served("plus", "A plus sign in a query is one.", "resource=acct:a+b@agents.example", plus)
    yield served("plus-encoded", "A plus sign may be encoded.", "resource=acct:a%2Bb@agents.example", plus)
    narrow = {**helper, "links": [SELF, MAIL_LINK]}
    yield served(
        "narrowed",
        "Who asks for relations gets these, in their order.",
        f"{mine}&rel=mailto&rel=self",
        narrow,
        "RFC 7033 4.3",
    )
    yield served("other-parameters", "What nobody knows changes nothing.", f"x=1&{mine}&y", helper)
    yield served("twins", "What is for one must not reach the other.", "resource=acct:twin@agents.example", 404, "D A1")
    yield served("twins-alias", "What is for one must not reach the other.", f"resource={HOME}/twins", 404, "D A1")
    yield served("nobody", "Whoever is not served is not there.", "resource=acct:other@agents.example", 404)
    yield served("other-domain", "The domain is part of the name.", "resource=acct:helper@other.example", 404)
    yield served("alias-in-capitals", "A path has case.", f"resource={HOME}/Helper", 404)
    why = "A request asks for exactly one thing."
    yield served("none", why, "rel=self", 400, "RFC 7033 4.2")
    yield served("empty", why, "resource=", 400, "RFC 7033 4.2")
    yield served("two", why, f"{mine}&resource=acct:other@agents.example", 400, "RFC 7033 4.2")
    why = "A name that is no address is malformed, not unknown."
    yield served("no-domain", why, "resource=acct:helper", 400, "RFC 7033 4.2")
    yield served("two-ats", why, "resource=acct:helper@agents.example@evil.example", 400, "RFC 7033 4.2")
    yield served(
        "letters", "A domain in letters comes encoded for DNS.", "resource=acct:a@b%C3%BCcher.example", 400, "D A1"
    )
    yield served(
        "bad-percent",
        "What is half encoded is read in two ways.",
        "resource=acct:helper%4@agents.example",
        400,
        "RFC 7033 4.2",
    )
    yield served(
        "not-utf8", "What is no text is no name.", "resource=acct:%FFhelper@agents.example", 400, "RFC 7033 4.2"
    )
    yield served(
        "long", "Nobody has such a name.", "resource=acct:" + "a" * 2_048 + "@agents.example", 400, "RFC 7033 4.2"
    )
    yield served("post", "There is nothing to post.", mine, 405, "RFC 7033 4.2", method="POST")
    yield served("other-path", "WebFinger lies at one place.", mine, 404, url=f"{HOME}/webfinger?{mine}")


def resources() -> Iterator[Case]:
    """What a request asks for."""
    where = f"{HOME}/.well-known/webfinger"
    for name, query, resource in (
        ("plain", "resource=acct:helper@agents.example", "acct:helper@agents.example"),
        ("encoded", "x=1&resource=acct%3Aa%2Bb%40agents.example", "acct:a+b@agents.example"),
    ):
        why = "Who serves many looks for the one that is asked for."
        unit = {"url": f"{where}?{query}"}
        yield one("resource", name, "RFC 7033 4.1", why, unit, value=resource, flags=["honest"])
    for name, query in (("none", "rel=self"), ("two", "resource=acct:a@a.example&resource=acct:b@b.example")):
        why = "A request asks for exactly one thing."
        yield refused("resource", name, "RFC 7033 4.2", why, {"url": f"{where}?{query}"}, "resource-malformed")


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The case files of this module."""
    assert REL in CARD_LINK["rel"]
    yield "jrd", "read_jrd", "What a domain says about an agent.", list(read())
    yield "jrd-odd", "read_jrd", "What a domain says of which something does not fit.", list(odd())
    yield "jrd-written", "write_jrd", "What one's own domain says.", list(written())
    yield "card-url", "agent_card_url", "Where cards lie.", list(urls())
    yield "resource", "asked_resource", "What a request asks for.", list(resources())
    yield "webfinger", "webfinger", "Requests for WebFinger, and what answers them.", list(requests())
