"""Cases of signed GETs: who asks for a document, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    BOB,
    EDDSA,
    EDDSA_ID,
    KEY_ID,
    OTHER,
    SECONDS,
    SERVER,
    Cases,
    actor,
    cavage,
    document,
    failed,
    finger,
    having,
    http_date,
    pem,
    post,
    rfc9421,
    rsa_entry,
    shown,
    structured,
    timed,
    unshown,
    world,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Unit

OP = "activitypub.verify_reader"
NOTE = "https://agents.example/notes/1"
PAGE = "https://agents.example/actors/helper/outbox?page=2"
NAMES = "(request-target) host date"
WHOLE = '"@method" "@target-uri"'
PARTS = '"@method" "@authority" "@path"'
KEY_URL = f"{ALICE}/main-key"


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Readers that are verified by a signed GET.", of_readers()
    yield "A signature that was made for another request, or does not name the document.", of_place()
    yield "Keys that make nobody a reader.", of_keys()


def get(url: str = NOTE, method: str = "GET", **headers: str | None) -> Unit:
    """A GET that is not signed."""
    usual = {"host": url.split("/")[2], "date": http_date()}
    unit = {"method": method, "url": url, "headers": [[name, value] for name, value in usual.items()], "body": ""}
    return having(unit, **headers)


def by(key_id: str = KEY_ID) -> dict[str, Any]:
    """The outcome for alice."""
    return {"id": ALICE, **shown(key_id=key_id)}


class Readers(Cases):
    """The same with the outcome of a reader."""

    def add(self, variant: str, why: str, unit: Unit, expected: Any = None, **facts: Any) -> None:
        if isinstance(expected, str):
            expected = unshown(expected)
        super().add(variant, why, unit, {"id": None, **expected} if expected else by(), **facts)


def apart(entry: Any, **members: Any) -> dict[str, Any]:
    """Alice's server, with her key in a document of its own."""
    who = actor(publicKey=rsa_entry(id=KEY_URL, **members))
    return world(
        who, **{f"GET {KEY_URL}": entry if "status" in entry or "failed" in entry else document(entry, url=KEY_URL)}
    )


def of_readers() -> Cases:
    cases = Readers("reader", "R26")
    add = cases.add
    add("cavage", "As servers sign what they fetch.", cavage(get(), NAMES))
    add("cavage-hs2019", "The same with (created).", timed(get(), "(request-target) (created) host"))
    add("cavage-accept", "Other headers may be covered too.", cavage(get(accept="text/html"), f"{NAMES} accept"))
    add("rfc9421", "The same by RFC 9421.", rfc9421(get(), WHOLE))
    ed25519 = f';created={SECONDS};keyid="{EDDSA_ID}"'
    add(
        "rfc9421-ed25519", "By another key of hers.", rfc9421(get(), WHOLE, key=EDDSA, parameters=ed25519), by(EDDSA_ID)
    )
    add("head", "A HEAD asks for a document as well.", cavage(get(method="HEAD"), NAMES))
    add("query", "The query is covered as a part of the target.", cavage(get(PAGE), NAMES))
    add("query-rfc9421", "The query is covered as a component.", rfc9421(get(PAGE), f'{PARTS} "@query"'))
    add(
        "key-in-a-document-of-its-own",
        "Some servers keep a key under a URL of its own.",
        cavage(get(), NAMES, key_id=KEY_URL),
        by(KEY_URL),
        lookups=apart(rsa_entry(id=KEY_URL)),
    )
    add(
        "key-in-a-part-of-the-actor",
        "Or a part of the actor with the key inside.",
        cavage(get(), NAMES, key_id=KEY_URL),
        by(KEY_URL),
        lookups=apart({"id": ALICE, "publicKey": rsa_entry(id=KEY_URL)}),
    )
    old = document(actor(publicKey=None))
    add(
        "key-rotated",
        "A cached document that does not list the key is asked for again.",
        cavage(get(), NAMES),
        lookups={**world(), f"GET {ALICE}": [old, document(actor())]},
        max_asks=4,
    )
    return cases


def of_place() -> Cases:
    cases = Readers("reader-elsewhere", "R25")
    add, refuse = cases.add, cases.refuse
    made, modern = cavage(get(), NAMES), rfc9421(get(), WHOLE)
    there = "https://agents.example/notes/2"

    def unfit(variant: str, why: str, unit: Unit) -> None:
        add(variant, why, unit, "bad-signature", attack=True)

    unfit("another-path", "A signature for one document is none for another.", {**made, "url": there})
    unfit("another-path-rfc9421", "That holds with either form.", {**modern, "url": there})
    unfit("query-added", "Nor for a page of it.", {**made, "url": f"{NOTE}?page=2"})
    unfit("query-changed", "Nor for another page.", {**cavage(get(PAGE), NAMES), "url": PAGE.replace("2", "3")})
    unfit(
        "query-not-signed",
        "The form without the query, which counts for deliveries, counts for no document.",
        cavage(get(PAGE), NAMES, target="/actors/helper/outbox"),
    )
    refuse("query-not-covered", "Nor by RFC 9421.", rfc9421(get(PAGE), PARTS), "coverage-missing")
    unfit("head-as-get", "The method is covered.", {**cavage(get(method="HEAD"), NAMES), "method": "GET"})
    unfit("post-as-get", "A signed delivery reads nothing.", {**cavage(post(url=NOTE)), "method": "GET"})
    refuse(
        "post-as-get-without-body",
        "Nor without its body.",
        {**cavage(post(url=NOTE)), "method": "GET", "body": ""},
        "digest-mismatch",
    )
    unfit("post-as-get-rfc9421", "That holds with either form.", {**rfc9421(structured(url=NOTE)), "method": "GET"})
    refuse("post", "A delivery asks for no document.", cavage(post(url=NOTE)), "host-mismatch")
    victim = NOTE.replace("agents", "victim")
    refuse("another-host", "A signature for one server is none for another.", {**made, "url": victim}, "host-mismatch")
    unfit("host-rewritten", "Nor when Host is rewritten.", having({**made, "url": victim}, host="victim.example"))
    refuse(
        "target-not-covered", "Without the target it reads anything.", cavage(get(), "host date"), "coverage-missing"
    )
    refuse(
        "host-not-covered",
        "Without the host it reads anywhere.",
        cavage(get(), "(request-target) date"),
        "coverage-missing",
    )
    refuse(
        "method-not-covered",
        "Without the method it counts for each.",
        rfc9421(get(), '"@target-uri"'),
        "coverage-missing",
    )
    refuse("no-time", "Without a time it counts for ever.", cavage(get(), "(request-target) host"), "time-missing")
    refuse("old", "It counts for half a day.", cavage(get(date=http_date(SECONDS - 60_000)), NAMES), "expired")
    refuse("future", "Clocks differ by an hour.", cavage(get(date=http_date(SECONDS + 7_200)), NAMES), "not-yet-valid")
    refuse("unsigned", "Without a signature there is no reader.", get(), "unsigned", attack=False)
    return cases


def of_keys() -> Cases:
    cases = Readers("reader-key", "R26")
    add = cases.add
    made, parted = cavage(get(), NAMES), cavage(get(), NAMES, key_id=KEY_URL)

    def refuse(variant: str, why: str, unit: Unit, code: Any, lookups: Any = None, **facts: Any) -> None:
        add(variant, why, unit, code, lookups=lookups, attack=True, **facts)

    refuse("another-key", "Another key under her id is not hers.", cavage(get(), NAMES, key=OTHER), "bad-signature")
    refuse(
        "owner-elsewhere",
        "A key that names an owner on another server is not believed, and nothing is asked there.",
        parted,
        "key-mismatch",
        apart(rsa_entry(id=KEY_URL, owner=BOB)),
        must_not_ask=[f"GET {BOB}*"],
    )
    refuse(
        "owner-without-back-link",
        "The owner must list the key.",
        parted,
        "key-mismatch",
        world(actor(), **{f"GET {KEY_URL}": document(rsa_entry(id=KEY_URL), url=KEY_URL)}),
    )
    refuse(
        "owner-missing",
        "A key without an owner is of nobody.",
        parted,
        "key-mismatch",
        apart(rsa_entry(id=KEY_URL, owner=...)),
    )
    carol = {"id": KEY_URL, "owner": f"{SERVER}/users/carol", "publicKeyPem": pem(OTHER)}
    refuse(
        "owner-of-the-same-server",
        "A key that anybody can upload on her server is not hers.",
        cavage(get(), NAMES, key=OTHER, key_id=KEY_URL),
        "key-unresolvable",
        world(**{f"GET {KEY_URL}": document(carol, url=KEY_URL), f"GET {SERVER}/users/carol": failed(temporary=False)}),
    )
    note = world(actor(type="Note"))
    refuse("no-actor", "What is no actor is not asked for twice.", made, "key-unresolvable", note, max_asks=1)
    upload = document(rsa_entry(id=KEY_URL), url=KEY_URL, content_type="text/plain")
    refuse("upload", "An upload is no key.", parted, "key-unresolvable", world(actor(), **{f"GET {KEY_URL}": upload}))
    refuse(
        "gone",
        "A deleted key is no key.",
        parted,
        "key-unknown",
        apart({"status": 410, "content_type": "", "body": ""}),
    )
    add(
        "later",
        "A key that could not be had may be had later.",
        parted,
        unshown("key-unresolvable", temporary=True),
        lookups=apart(failed()),
    )
    good = rfc9421(get(), WHOLE)
    headers = dict(good["headers"])
    declared, signature = headers["signature-input"], headers["signature"]
    label = declared.partition("=")[0]
    theirs = declared.replace(f"{label}=", "other=", 1).replace("social.example", "other.example")
    elsewhere = KEY_ID.replace("social.example", "other.example").partition("#")[0]
    both = having(
        good,
        signature_input=f"{theirs}, {declared}",
        signature=f"{signature.replace(f'{label}=', 'other=', 1)}, {signature}",
    )
    add(
        "of-two-hosts",
        "One request has the server of its first key asked, and no other.",
        both,
        unshown("key-unresolvable", temporary=True),
        lookups=world(**{f"GET {elsewhere}": failed()}),
        must_not_ask=["GET https://social*"],
    )
    for variant, key_id in (
        ("http", KEY_ID.replace("https", "http")),
        ("address", "https://127.0.0.1/key"),
        ("acct", "acct:a@b.example"),
    ):
        cases.refuse(
            f"at-{variant}", "Such a URL is never asked for.", cavage(get(), NAMES, key_id=key_id), "key-refused"
        )
    refuse(
        "address-not-confirmed",
        "An address that its domain does not confirm is not theirs.",
        made,
        "address-unconfirmed",
        world(jrd=finger({"subject": "acct:alice@social.example", "links": []})),
    )
    return cases
