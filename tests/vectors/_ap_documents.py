"""Cases of documents that are served: to which readers, in which pages; and of followers that two servers compare."""

from __future__ import annotations

import json
from functools import reduce
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    COVERED,
    HELPER,
    SERVER,
    USUAL,
    actor,
    cavage,
    document,
    post,
    rfc9421,
    structured,
    world,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Case = dict[str, Any]
PUBLIC = f"{AS2}#Public"
NOTE = "https://agents.example/notes/1"
FOLLOWERS = f"{HELPER}/followers"
THEIRS = f"{ALICE}/followers"
PARTIAL = f"{ALICE}/followers_synchronization"
OTHER = "https://agents.example/actors/other"
TYPE = "application/activity+json"
PRIVATE = "private, no-store"
HIDDEN: Case = {
    "status": 404,
    "content_type": None,
    "cache_control": PRIVATE,
    "vary": "signature, signature-input",
    "document": None,
}


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    yield "documents", "document_response", "Who may see a document.", list(responses())
    yield "collections", "collection", "Collections, whole, in pages, or their size alone.", list(collections())
    yield "pages", "collection_page", "Pages of collections.", list(pages())
    yield "followers-digest", "followers_digest", "The digest of a set of followers.", list(digests())
    yield (
        "followers-written",
        "with_synchronization",
        "The header about followers that goes with a delivery.",
        list(written()),
    )
    yield "followers", "synchronize", "What a header about followers leads to.", list(compared())
    yield "peek", "peek", "What a request says of itself.", list(peeked())


def one(behaviour: str, name: str, section: str, why: str, input_: Any, **members: Any) -> Case:
    """A case. Its requirement is this project's own, so that it counts as one that should be met."""
    found = {"id": f"activitypub/{behaviour}/{name}", "section": section, "level": "SHOULD", "why": why, "flags": []}
    return {**found, "input": input_, **members}


# --- documents


def public(found: Any, status: int = 200) -> Case:
    return {"status": status, "content_type": TYPE, "cache_control": None, "vary": None, "document": found}


def private(found: Any, status: int = 200) -> Case:
    return {**HIDDEN, "status": status, "content_type": TYPE, "document": found}


def responses() -> Iterator[Case]:
    def case(name: str, why: str, value: Case, found: Any, **who: Any) -> Case:
        attack = {"flags": ["attack"]} if value == HIDDEN and found is not None else {}
        return one("documents", name, "D B18", why, {"document": found, **who}, value=value, **attack)

    note = {"@context": AS2, "id": NOTE, "type": "Note", "content": "<p>Yes.</p>"}
    hers, followers = {**note, "to": [ALICE]}, {**note, "to": [FOLLOWERS]}
    everybodys = {**note, "to": [PUBLIC]}
    page = {"@context": AS2, "id": HELPER, "type": "Service"}
    yield case("nothing", "What does not exist is not found.", HIDDEN, None)
    yield case("actor", "An actor is for everyone.", public(page), page)
    yield case("public", "A public note is for everyone.", public(everybodys), everybodys)
    yield case("public-for-a-reader", "For a reader it is the same.", public(everybodys), everybodys, reader=ALICE)
    unlisted = {**note, "cc": "as:Public"}
    yield case("unlisted", "The public collection may be in cc, by its short name.", public(unlisted), unlisted)
    yield case("private", "A private note cannot be told from nothing.", HIDDEN, hers)
    yield case(
        "private-for-its-reader",
        "Its recipient sees it, and no shared cache stores it.",
        private(hers),
        hers,
        reader=ALICE,
    )
    yield case("private-for-another", "Another reader does not.", HIDDEN, hers, reader=BOB)
    yield case("private-for-a-longer-id", "An id is compared as a whole.", HIDDEN, hers, reader=f"{ALICE}/x")
    for member in ("cc", "audience"):
        named = {**note, member: ALICE}
        yield case(f"in-{member}", "Whoever is addressed may read.", private(named), named, reader=ALICE)
    for member in ("bto", "bcc"):
        blind = {**note, member: [ALICE, BOB]}
        yield case(
            f"in-{member}",
            "A blind recipient may read, and sees no blind recipients.",
            private(note),
            blind,
            reader=ALICE,
        )
    yield case("public-with-bcc", "Nor does anyone else.", public(everybodys), {**everybodys, "bcc": [BOB]})
    yield case("followers", "What is for followers is hidden from others.", HIDDEN, followers, reader=ALICE)
    yield case(
        "followers-for-a-follower",
        "A follower sees it.",
        private(followers),
        followers,
        reader=ALICE,
        member_of=[FOLLOWERS],
    )
    yield case("followers-of-another", "Of this very collection.", HIDDEN, followers, reader=ALICE, member_of=[THEIRS])
    yield case(
        "followers-unverified",
        "Without a verified reader a collection counts for nothing.",
        HIDDEN,
        followers,
        member_of=[FOLLOWERS],
    )
    draft = {**note, "attributedTo": ALICE}
    yield case("unaddressed", "A note that names no recipients is for no reader.", HIDDEN, draft, reader=ALICE)
    create = {"@context": AS2, "id": f"{NOTE}/activity", "type": "Create", "to": [ALICE], "object": hers}
    yield case("activity", "An activity is as private as its object.", private(create), create, reader=ALICE)
    mixed = {**create, "object": {**note, "to": [BOB]}}
    yield case("object-for-another", "An object for another reader hides the whole.", HIDDEN, mixed, reader=ALICE)
    outbox = {"@context": AS2, "id": f"{HELPER}/outbox", "type": "OrderedCollection", "orderedItems": [hers]}
    yield case("collection-of-private-notes", "A collection is no way around that.", HIDDEN, outbox)
    tombstone = {"@context": AS2, "id": NOTE, "type": "Tombstone", "formerType": "Note"}
    yield case("tombstone", "What was deleted is gone.", public(tombstone, 410), tombstone)
    buried = {**tombstone, "to": [ALICE]}
    yield case("tombstone-private", "That it was there is as private as it was.", HIDDEN, buried, reader=BOB)
    yield case(
        "tombstone-for-its-reader", "Its reader learns that it is gone.", private(buried, 410), buried, reader=ALICE
    )


def collections() -> Iterator[Case]:
    def case(name: str, why: str, given: Case, **value: Any) -> Case:
        head = {"@context": AS2, "id": FOLLOWERS, "type": "OrderedCollection"}
        return one("collections", name, "D B19", why, {"url": FOLLOWERS, **given}, value={**head, **value})

    def refused(name: str, why: str, **given: Any) -> Case:
        return one("collections", name, "D B19", why, {"url": FOLLOWERS, **given}, rejected={"code": "malformed"})

    yield case(
        "whole",
        "A short collection holds its items.",
        {"total": 1, "items": [ALICE]},
        totalItems=1,
        orderedItems=[ALICE],
    )
    yield case("empty", "An empty one, too.", {"total": 0, "items": []}, totalItems=0, orderedItems=[])
    yield case("size-alone", "Who follows is private, and how many do may be known.", {"total": 3}, totalItems=3)
    yield case("nothing", "That may be private as well.", {})
    paged = {"total": 3, "first": "a", "last": "b"}
    yield case(
        "paged",
        "A long one leads to its pages.",
        paged,
        totalItems=3,
        first=f"{FOLLOWERS}?page=a",
        last=f"{FOLLOWERS}?page=b",
    )
    yield case(
        "cursor-encoded", "A cursor is any text.", {"first": "a&b=é#"}, first=f"{FOLLOWERS}?page=a%26b%3D%C3%A9%23"
    )
    yield refused("items-and-pages", "A collection has its items or pages.", items=[ALICE], first="a")
    yield refused("last-alone", "There is no last page without a first.", last="b")
    yield refused("negative", "Nothing has fewer than no items.", total=-1)
    yield refused("query", "The id of a collection has no query.", url=f"{FOLLOWERS}?x")


def pages() -> Iterator[Case]:
    def case(name: str, why: str, given: Case, **value: Any) -> Case:
        head = {"@context": AS2, "type": "OrderedCollectionPage", "id": f"{FOLLOWERS}?page=2", "partOf": FOLLOWERS}
        asked = {"url": FOLLOWERS, "cursor": "2", "items": [BOB], **given}
        return one("pages", name, "D B19", why, asked, value={**head, "orderedItems": [BOB], **value})

    around = {"next_cursor": "3", "prev_cursor": "1", "total": 5}
    yield case(
        "middle",
        "A page names the two around it.",
        around,
        next=f"{FOLLOWERS}?page=3",
        prev=f"{FOLLOWERS}?page=1",
        totalItems=5,
    )
    yield case("only", "The only page names none.", {})
    empty = {"url": FOLLOWERS, "cursor": "", "items": []}
    yield one("pages", "no-cursor", "D B19", "A page has a cursor.", empty, rejected={"code": "malformed"})


# --- followers


def digest(ids: Any) -> str:
    hashes = [int.from_bytes(sha256(each.encode()).digest(), "big") for each in ids]
    return f"{reduce(int.__xor__, hashes, 0):064x}"


def digests() -> Iterator[Case]:
    def case(name: str, why: str, ids: list[str], value: str) -> Case:
        return one("followers-digest", name, "D B20", why, {"ids": ids}, value=value)

    first, second = (f"https://testing.example.org/users/{number}" for number in (1, 2))
    both = "c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f"
    yield case("published", "The example of the proposal.", [first, second], both)
    yield case("order", "A set has no order.", [second, first], both)
    yield case("twice", "One follower is one follower.", [first, second, first], both)
    yield case("none", "No followers have a digest too.", [], "0" * 64)


def header(ids: Any = (HELPER,), **members: str) -> str:
    whole = {"collectionId": THEIRS, "url": PARTIAL, "digest": digest(ids)} | members
    return ", ".join(f'{name}="{value}"' for name, value in whole.items())


def written() -> Iterator[Case]:
    def case(name: str, why: str, **given: Any) -> Case:
        asked = {
            "url": f"{SERVER}/inbox",
            "followers": [ALICE, BOB],
            "collection": FOLLOWERS,
            "partial": f"{HELPER}/sync",
            **given,
        }
        ids = [each for each in asked["followers"] if each.startswith(f"{SERVER}/")]
        value = header(ids, collectionId=FOLLOWERS, url=f"{HELPER}/sync")
        return one("followers-written", name, "D B20", why, asked, value=value)

    yield case("of-the-host", "Only the followers on the host of the inbox count.")
    yield case("none-of-the-host", "There may be none.", followers=[BOB])
    yield case("longer-host", "A host is compared as a whole.", followers=[f"{SERVER}.evil.example/users/x"])
    elsewhere = {"url": f"{SERVER}/inbox", "followers": [], "collection": FOLLOWERS, "partial": f"{SERVER}/sync"}
    yield one(
        "followers-written", "elsewhere", "D B20", "Both URLs are one's own.", elsewhere, rejected={"code": "malformed"}
    )


def compared() -> Iterator[Case]:
    def signed(text: str | None) -> Any:
        unit = post(collection_synchronization=text)
        return cavage(unit, USUAL if text is None else f"{USUAL} collection-synchronization")

    def case(name: str, why: str, unit: Any, state: str, listed: Any = (HELPER,), **facts: Any) -> Case:
        items = {"@context": AS2, "id": PARTIAL, "type": "OrderedCollection", "orderedItems": [*listed]}
        who = actor(followers=facts.pop("followers", THEIRS))
        lookups = world(who, **{f"GET {PARTIAL}": document(items, url=PARTIAL)}) | facts.pop("lookups", {})
        value = {"state": state, "not_followers": [], "not_known": [], **facts.pop("value", {})}
        asked = {**unit, "actor": facts.pop("actor", ALICE), "known": facts.pop("known", [HELPER])}
        flags = ["attack"] if state == "ignored" else []
        return one(
            "followers", name, "D B20", why, asked, given={"lookups": lookups}, value=value, flags=flags, **facts
        )

    yield case("absent", "Most deliveries say nothing of followers.", signed(None), "absent", max_asks=0)
    yield case("in-sync", "Both sides know the same followers.", signed(header()), "in-sync", max_asks=1)
    modern = rfc9421(structured(collection_synchronization=header()), f'{COVERED} "collection-synchronization"')
    yield case("in-sync-rfc9421", "By either form of signature.", modern, "in-sync")
    differs = {"not_followers": [HELPER], "not_known": [OTHER]}
    listed = [OTHER]
    yield case(
        "differs", "The collection says what to change.", signed(header(listed)), "differs", listed, value=differs
    )
    foreign = [HELPER, f"{SERVER}/users/carol"]
    yield case(
        "foreign-items", "Only agents of this host are ours to change.", signed(header(foreign)), "differs", foreign
    )
    yield case(
        "another-host-of-ours",
        "The collection says nothing of agents on another host than the inbox.",
        signed(header()),
        "in-sync",
        known=[HELPER, "https://second.example/actors/helper"],
        max_asks=1,
    )
    yield case(
        "another-digest", "What does not fit its digest changes nothing.", signed(header([])), "unresolved", listed
    )
    gone = {f"GET {PARTIAL}": {"status": 404, "content_type": "", "body": ""}}
    yield case("unreadable", "Nor what cannot be read.", signed(header([])), "unresolved", lookups=gone)
    endless = {"@context": AS2, "id": PARTIAL, "type": "OrderedCollection", "first": f"{PARTIAL}?page=0"}
    endless_pages = {
        f"GET {PARTIAL}?page={n}": document(
            {
                "@context": AS2,
                "id": f"{PARTIAL}?page={n}",
                "type": "OrderedCollectionPage",
                "next": f"{PARTIAL}?page={n + 1}",
            },
            url=f"{PARTIAL}?page={n}",
        )
        for n in range(30)
    }
    pages_without_end = {**endless_pages, f"GET {PARTIAL}": document(endless, url=PARTIAL)}
    yield case(
        "pages-without-end",
        "A collection that pages for ever is not read to its end.",
        signed(header([])),
        "unresolved",
        lookups=pages_without_end,
        max_asks=20,
    )
    nothing: Case = {"max_asks": 0}
    uncovered = cavage(post(collection_synchronization=header([])))
    yield case("not-covered", "A header that is not signed is not theirs.", uncovered, "ignored", **nothing)
    changed = json.loads(json.dumps(signed(header())).replace(digest([HELPER]), digest([])))
    yield case("changed", "Nor one that was changed.", changed, "ignored")
    theirs = header([], url=f"{BOB}/followers_synchronization")
    yield case("url-elsewhere", "Nobody is sent to read of others.", signed(theirs), "ignored", **nothing)
    yield case(
        "collection-elsewhere",
        "Nor of the followers of others.",
        signed(header([], collectionId=f"{BOB}/followers")),
        "ignored",
        **nothing,
    )
    neighbour = header([], collectionId=f"{SERVER}/users/carol/followers")
    yield case("collection-of-another", "Not even on the same server.", signed(neighbour), "ignored", max_asks=1)
    yield case(
        "no-collection", "An actor that names no followers has none.", signed(header([])), "ignored", followers=None
    )
    for name, text in (
        ("twice", f'{header()}, url="{PARTIAL}"'),
        ("missing", header().partition(", digest")[0]),
        ("unknown-member", f'{header()}, more="x"'),
        ("digest-malformed", header(digest="0")),
        ("not-quoted", header().replace('"', "")),
    ):
        yield case(name, "A header that cannot be read counts for nothing.", signed(text), "ignored", **nothing)


# --- what a request says of itself


def peeked() -> Iterator[Case]:
    def case(
        name: str, why: str, body: Any, origin: str | None, kind: Any = None, own: Any = None, **more: Any
    ) -> Case:
        text = body if isinstance(body, str) else json.dumps(body)
        unit = {"method": "POST", "url": "https://agents.example/inbox", "headers": [], "body": text, **more}
        value = {"origin": origin, "type": kind, "id": own, "digest": sha256(text.encode()).hexdigest()}
        return one("peek", name, "D B21", why, unit, value=value)

    like = {"type": "Like", "id": f"{ALICE}#like", "actor": ALICE}
    yield case(
        "plain", "The host of the actor, before anything is asked.", like, "social.example", "Like", f"{ALICE}#like"
    )
    yield case("embedded", "An actor may be embedded.", {"actor": {"id": ALICE}}, "social.example")
    yield case("two-actors", "Two actors are no origin.", {"actor": [ALICE, BOB]}, None)
    yield case("private-host", "Nor is a host that is never asked.", {"actor": "https://localhost/u"}, None)
    yield case("hostile-type", "A type is a word.", {"actor": ALICE, "type": "x" * 200}, "social.example")
    yield case("hostile-id", "An id is a text.", {"actor": ALICE, "id": [1], "type": {}}, "social.example")
    yield case("not-json", "What cannot be read says nothing.", "{", None)
    yield case("not-an-object", "Nor does what is no activity.", "[]", None)
    yield case("too-deep", "Nor what is too deep.", "[" * 200 + "]" * 200, None)
    signed = [["signature", f'keyId="{ALICE}#main-key",signature="x"']]
    yield case("signed-get", "A GET is of the origin of its key.", "", "social.example", method="GET", headers=signed)
    theirs = json.dumps({"actor": BOB, "type": "Like", "id": f"{BOB}#like"})
    why = "A body of a GET is of nobody: its key alone is asked for."
    yield case("signed-get-with-body", why, theirs, "social.example", method="GET", headers=signed)
    yield case("unsigned-get", "Without a signature it has none.", "", None, method="GET")
