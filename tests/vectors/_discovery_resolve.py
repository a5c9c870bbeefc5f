"""From an address to an agent that can be called: `conformance/v0.1/discovery/resolve*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._discovery_rows import (
    A2A,
    ADDRESS,
    CARD,
    CARD_LINK,
    CARD_URL,
    DOMAIN,
    GONE,
    HOME,
    JRD,
    LEGACY,
    PAGE_REL,
    RPC,
    V03,
    V1,
    WEBFINGER,
    Case,
    changed,
    one,
    refused,
)
from tests.vectors._discovery_signed import ED_KEY, OLD, signature, with_signatures

if TYPE_CHECKING:
    from collections.abc import Iterator

BOTH: Final[Case] = {**A2A, **CARD}
SIGNED: Final[Case] = {**with_signatures(signature(A2A)), **CARD}
FOUND: Final[Case] = {
    "address": ADDRESS,
    "card_url": CARD_URL,
    "rest": None,
    "actor": None,
    "mailbox": None,
    "profile_page": None,
    "interfaces": [{"url": RPC, "dialect": "0.3"}],
    "signed_by": None,
}
TWO: Final = [{"url": RPC, "dialect": "1.0"}, {"url": RPC, "dialect": "0.3"}]
KEYS: Final[Case] = {"card_keys": {DOMAIN: {"keys": [ED_KEY]}}}
ROW: Final = frozenset({"json", "body", "status", "failed"})


def world(jrd: Any = JRD, card: Any = CARD, **settings: Any) -> Case:
    """What stands around an address: its domain's document, and its card."""

    def row(found: Case, kind: str) -> Case:
        return found if ROW & found.keys() else {"json": found, "content_type": kind}

    lookups = {f"GET {WEBFINGER}": row(jrd, "application/jrd+json"), f"GET {CARD_URL}": row(card, "application/json")}
    return {"lookups": lookups, **({"settings": settings} if settings else {})}


def found(name: str, why: str, value: Case, *, section: str = "D B14", address: str = ADDRESS, **around: Any) -> Case:
    """An agent that is found; `unit` may hold keys."""
    unit = {"address": address, **around.pop("unit", {})}
    beside = {"given": around.pop("given", None) or world(**around), "max_asks": 2, "flags": ["honest"]}
    return one("resolve", name, section, why, unit, value={**FOUND, **value}, **beside)


def lost(name: str, why: str, code: str, *, section: str = "D B14", address: str = ADDRESS, **around: Any) -> Case:
    """An agent that is not found."""
    unit = {"address": address, **around.pop("unit", {})}
    beside = around.pop("beside", {})
    beside["given"] = around.pop("given", None) or world(**around)
    return refused("resolve-refused", name, section, why, unit, code, **beside)


def ways() -> Iterator[Case]:
    """Agents that are found, and the ways to reach them."""
    yield found("plain", "The domain names the card, and the card the address.", {})
    links = [
        {"rel": "self", "type": "application/activity+json", "href": f"{HOME}/helper"},
        CARD_LINK,
        {"rel": PAGE_REL, "type": "text/html", "href": f"{HOME}/@helper"},
        {"rel": "mailto", "href": "mailto:helper@agents.example"},
    ]
    all_ways = {"actor": f"{HOME}/helper", "profile_page": f"{HOME}/@helper", "mailbox": "helper@agents.example"}
    rich = changed(CARD, activitypub={"actor": f"{HOME}/other"}, mentionable__rest={"endpoint": f"{HOME}/rest"})
    rich = changed(rich, mentionable__homepage=HOME)
    yield found(
        "all-ways",
        "What the domain says counts before what the card says.",
        {**all_ways, "rest": f"{HOME}/rest"},
        jrd={**JRD, "links": links},
        card=rich,
    )
    less = {"actor": f"{HOME}/other", "profile_page": HOME, "rest": f"{HOME}/rest"}
    yield found("ways-of-the-card", "What the domain does not say, the card may say.", less, card=rich)
    yield found("a2a-card-beside", "The A2A card in the same document comes first.", {"interfaces": TWO}, card=BOTH)
    odd = {**BOTH, "skills": 5, "description": 5, "icon": {"url": "data:image/png;base64,AA=="}}
    odd = changed(odd, mentionable__homepage="mailto:helper@agents.example")
    why = "An optional member that does not fit costs itself."
    dropped = {"diagnostics": ["member-dropped"] * 4}
    value = {**FOUND, "interfaces": TWO}
    unit, around = {"address": ADDRESS}, {"given": world(card=odd), "max_asks": 2, "flags": ["honest"]}
    yield one("resolve", "odd-members", "R54", why, unit, value=value, **dropped, **around)
    odd_jrd = {**JRD, "aliases": 5, "links": [5, CARD_LINK, {"rel": "self", "type": 5, "href": f"{HOME}/helper"}]}
    dropped, around = {"diagnostics": ["member-dropped"] * 3}, {**around, "given": world(jrd=odd_jrd)}
    why = "What a domain says that does not fit costs itself."
    yield one("resolve", "odd-jrd", "R54", why, unit, value=FOUND, **dropped, **around)
    old = {**OLD, **changed(CARD, a2a__endpoint=f"{HOME}/old")}
    more = [{"url": RPC, "dialect": "0.3"}, {"url": f"{HOME}/old", "dialect": "0.3"}]
    yield found("old-a2a-card-beside", "It may be of either version.", {"interfaces": more}, card=old)
    for transport, version, dialect in (
        ("https+jsonrpc", "1.0", "1.0"),
        ("https+json", GONE, "0.3-rest"),
        ("https+sse", "1.0", "1.0-rest"),
        ("https+pigeons", GONE, None),
    ):
        card = changed(CARD, a2a__transport=transport, a2a__protocol_version=version)
        value = {"interfaces": [{"url": RPC, "dialect": dialect}] if dialect else []}
        name = f"transport-{transport.partition('+')[2]}"
        yield found(name, "The card says how it is spoken to.", value, card=card, section="D A7")
    why = "A card must not lead into the network of who reads it."
    inside = changed(
        CARD, a2a__endpoint="https://10.0.0.1/a2a", mentionable__rest={"endpoint": "https://db.internal/x"}
    )
    inside = changed(inside, activitypub={"actor": "https://localhost/helper"})
    yield found("ways-inside", why, {"interfaces": []}, card=inside)
    yield found(
        "older-relation",
        "Older nodes name the card in another way.",
        {},
        section="D C8",
        jrd={**JRD, "links": [{"rel": LEGACY, "href": CARD_URL}]},
    )
    older = {"preferred_address": ADDRESS, "url": RPC}
    yield found("older-card", "An older guide shows another form.", {}, section="D C3", card=older)
    upper = WEBFINGER.replace("helper", "Helper")
    lookups = {f"GET {upper}": {"json": JRD}, f"GET {CARD_URL}": {"json": CARD}}
    yield found(
        "any-case",
        "The domain says how it is written.",
        {},
        address="@Helper@agents.example",
        given={"lookups": lookups},
    )
    moved = {"url": "https://www.agents.example/jrd", "json": JRD, "content_type": "application/json"}
    card = {"url": "https://cdn.example/helper.json", "json": CARD, "content_type": "application/json; charset=utf-8"}
    yield found(
        "moved",
        "Documents may lie elsewhere, as long as they are read by https.",
        {"card_url": "https://cdn.example/helper.json"},
        jrd=moved,
        card=card,
    )
    yield found(
        "card-elsewhere",
        "A card lies where the domain says.",
        {"card_url": "https://cards.example/1"},
        given={
            "lookups": {
                f"GET {WEBFINGER}": {"json": {**JRD, "links": [{**CARD_LINK, "href": "https://cards.example/1"}]}},
                "GET https://cards.example/1": {"json": CARD},
            }
        },
    )


def signed() -> Iterator[Case]:
    """Agents whose cards must be signed."""
    why = "Where a signature is wanted, nothing else counts."
    evil = changed(
        SIGNED, mentionable__rest={"endpoint": "https://evil.example/rest"}, a2a__endpoint="https://evil.example/a2a"
    )
    evil = changed(
        evil, activitypub={"actor": "https://evil.example/helper"}, mentionable__homepage="https://evil.example"
    )
    value = {"interfaces": TWO, "signed_by": "ed"}
    yield found("signed", why, value, card=SIGNED, unit=KEYS, section="A2A 1.0 8.4")
    yield found(
        "only-what-is-signed",
        why,
        value,
        card={**evil, "url": "https://evil.example"},
        unit=KEYS,
        section="A2A 1.0 8.4",
    )
    other = {"card_keys": {"other.example": KEYS["card_keys"][DOMAIN]}}
    yield found(
        "keys-of-others", "Keys of another domain change nothing.", {"interfaces": TWO}, card=SIGNED, unit=other
    )
    section = "A2A 1.0 8.4"
    for name, card, unit, code in (
        ("unsigned", BOTH, KEYS, "agent-card-unsigned"),
        ("no-a2a-card", CARD, KEYS, "agent-card-unsigned"),
        (
            "changed",
            {**SIGNED, "supportedInterfaces": [{**V1, "url": "https://evil.example"}, V03]},
            KEYS,
            "agent-card-signature-invalid",
        ),
        ("required-without-keys", SIGNED, {"require_signed_cards": True}, "agent-card-key-unknown"),
        ("required-unsigned", BOTH, {"require_signed_cards": True}, "agent-card-unsigned"),
    ):
        yield lost(name, why, code, card=card, unit=unit, section=section)


def unknown() -> Iterator[Case]:
    """Addresses behind which nobody is found."""
    section, code = "D B14", "agent-unknown"
    why = "Whoever the domain does not name is not there."
    nowhere = {"beside": {"must_not_ask": [f"GET {CARD_URL}"]}}
    for name, jrd in (
        ("not-found", {"status": 404}),
        ("no-json", {"body": "<html>", "content_type": "application/jrd+json"}),
        ("html", {"json": JRD, "content_type": "text/html"}),
        ("refused", {"failed": "connection refused", "temporary": False}),
        ("other-subject", {**JRD, "subject": "acct:other@agents.example"}),
        ("subject-of-another-domain", {**JRD, "subject": "acct:helper@other.example"}),
        ("no-subject", changed(JRD, subject=GONE)),
        ("subject-url", {**JRD, "subject": f"{HOME}/helper"}),
        ("by-http", {"json": JRD, "url": WEBFINGER.replace("https", "http")}),
        ("from-inside", {"json": JRD, "url": "https://127.0.0.1/jrd"}),
    ):
        yield lost(name, why, code, jrd=jrd, section=section, **nowhere)
    why = "Where the card lies, the domain says, and nobody guesses."
    yield lost("no-card", why, code, jrd={**JRD, "links": []}, **nowhere)
    yield lost("other-relation", why, code, jrd={**JRD, "links": [{**CARD_LINK, "rel": "agent-card"}]}, **nowhere)
    why = "A document must not lead into the network of who reads it."
    for name, place in (
        ("http", "http://agents.example/card"),
        ("address", "https://169.254.169.254/latest/meta-data"),
        ("local", "https://printer.local/card"),
        ("localhost", "https://localhost/card"),
        ("port", "https://agents.example:8443/card"),
        ("userinfo", "https://agents.example@evil.example/card"),
    ):
        links = [{**CARD_LINK, "href": place}]
        beside = {"must_not_ask": [f"GET {place}"], "max_asks": 1}
        yield lost(f"card-{name}", why, code, jrd={**JRD, "links": links}, beside=beside)
    why = "Names of local networks are nobody's business."
    for name, domain in (
        ("local", "printer.local"),
        ("internal", "db.internal"),
        ("localhost", "agents.localhost"),
        ("onion", "abc.onion"),
        ("arpa", "home.arpa"),
    ):
        yield lost(
            f"domain-{name}", why, code, address=f"@helper@{domain}", beside={"must_not_ask": ["GET *"], "max_asks": 0}
        )
    subject = {**JRD, "subject": "acct:helper@other.example"}
    asked = {"must_not_ask": ["GET https://other.example/*"]}
    yield lost("no-second-domain", "A domain speaks for its own agents.", code, jrd=subject, beside=asked)
    why = "What cannot be had is not guessed."
    for name, card in (
        ("card-not-found", {"status": 404}),
        ("card-html", {"json": CARD, "content_type": "text/html"}),
        ("card-from-inside", {"json": CARD, "url": "https://10.0.0.1/card"}),
        ("card-by-http", {"json": CARD, "url": CARD_URL.replace("https", "http")}),
    ):
        yield lost(name, why, code, card=card)


def faulty() -> Iterator[Case]:
    """Cards that are not those of the address, and documents that may be had later."""
    code, why = "agent-card-mismatch", "A card counts for the address that it names."
    for name, address in (
        ("other-agent", "@other@agents.example"),
        ("other-domain", "@helper@other.example"),
        ("other-case", "@Helper@agents.example"),
    ):
        yield lost(name, why, code, card={**CARD, "address": address})
    yield lost("older-card-of-another", why, code, card={"preferred_address": "@other@agents.example", "url": RPC})
    why = "A card is read in one way or not at all."
    yield lost("card-faulty", why, "malformed", card=changed(CARD, a2a=GONE))
    yield lost("a2a-interfaces-faulty", why, "malformed", card={**BOTH, "supportedInterfaces": 5})
    yield lost("no-address", why, "malformed", card=A2A)
    yield lost(
        "card-twice", why, "duplicate-member", card={"body": '{"a": 1, "a": 2}', "content_type": "application/json"}
    )
    yield lost("card-large", "Nobody has so large a card.", "too-large", card={**CARD, "ext": {"x": "y" * 65_536}})
    why, code = "What may be had later is not lost.", "agent-unresolvable"
    for name, row in (("silent", {"failed": "timeout"}), ("broken", {"status": 500}), ("busy", {"status": 429})):
        yield lost(f"domain-{name}", why, code, jrd=row, beside={"flags": []})
        yield lost(f"card-{name}", why, code, card=row, beside={"flags": []})
    why = "The budget of look-ups is yours."
    for asks in (0, 1):
        beside = {"max_asks": asks, "flags": []}
        yield lost(f"budget-{asks}", why, "agent-unknown", section="R24", beside=beside, limits={"asks": asks})
    for name, address in (
        ("no-domain", "helper"),
        ("two-ats", "@a@b@agents.example"),
        ("one-label", "@helper@localhost"),
    ):
        yield lost(name, "What is no address is not looked for.", "malformed", address=address, section="D B8")


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The case files of this module."""
    with_keys = list(signed())
    honest = [*ways(), *(case for case in with_keys if "value" in case)]
    yield "resolve", "resolve_agent", "Agents that are found.", honest
    wrong = [*unknown(), *faulty(), *(case for case in with_keys if "rejected" in case)]
    yield "resolve-refused", "resolve_agent", "Addresses behind which nobody is found.", wrong
