"""Cases of keys: whose they are, by whose word, where they may be asked for, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    EDDSA,
    EDDSA_ID,
    KEY_ID,
    OTHER,
    SECONDS,
    SERVER,
    SHORT,
    Cases,
    activity,
    actor,
    base58,
    cavage,
    compact,
    document,
    failed,
    multikey_entry,
    pem,
    post,
    proven,
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

PATH_ID = f"{ALICE}/main-key"
KEYS_URL = f"{SERVER}/keys/1"
TINY = """-----BEGIN PUBLIC KEY-----
MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhAKng0PfOegNGXtZZgfCp3/eE3vbolIz6
DTgi+5H4OOnGQ5y+lHkArzzO17q/jUmoKBQmwKhGZz3osv8CcHu+gxWqZ6ZeV1Q3
jBZ/7Fs6WY89pqXtZwlT1jGMbvCCsvlU/wIDAQAB
-----END PUBLIC KEY-----
"""
"""An RSA key of 768 bits."""
GET_ACTOR = f"GET {ALICE}"


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Keys that are the actor's by the actor's own document.", owned()
    yield "Keys that are not the actor's, or not fit to verify with.", foreign()
    yield "Documents of actors and keys that cannot be had, or are not what their URL promised.", documents()
    yield "What is asked, how often, and what never.", asked()


def owned() -> Cases:
    cases = Cases("verify-key", "R26")
    signed = cavage(post())

    def add(variant: str, why: str, who: Any, unit: Any = signed, expected: Any = None, **more: Any) -> None:
        answers = {name: more.pop(name) for name in [*more] if name.startswith("GET ")}
        cases.add(variant, why, unit, expected, lookups=world(who, **answers), **more)

    add("list-of-one", "Keys may stand in a list.", actor(publicKey=[rsa_entry()]))
    old = rsa_entry(OTHER, id=f"{ALICE}#old-key")
    add("several", "An actor may have several keys; the one that is named counts.", actor(publicKey=[old, rsa_entry()]))
    add(
        "rsa-as-assertion",
        "Newer actors list all keys as assertion methods.",
        actor(publicKey=..., assertionMethod=[rsa_entry()]),
    )
    add("controller", "A key may name its controller.", actor(publicKey=rsa_entry(owner=..., controller=ALICE)))
    add("owner-and-controller", "Or both, when both are right.", actor(publicKey=rsa_entry(controller=ALICE)))
    null = "In JSON-LD null is absence."
    add("owner-is-null", null, actor(publicKey=rsa_entry(owner=None, controller=ALICE)))
    add("controller-is-null", null, actor(publicKey=rsa_entry(controller=None)))
    add("no-end", null, actor(publicKey=rsa_entry(expires=None, revoked=None)))
    add("no-second-key", null, actor(publicKey=rsa_entry(publicKeyMultibase=None)))
    add(
        "not-yet-revoked",
        "The end of a key may be told before.",
        actor(publicKey=rsa_entry(revoked="2027-01-01T00:00:00Z")),
    )
    add(
        "not-yet-expired",
        "A key may have an end that is ahead.",
        actor(publicKey=rsa_entry(expires="2027-01-01T00:00:00Z")),
    )
    add(
        "by-its-id",
        "The key may stand elsewhere in the document.",
        actor(publicKey=KEY_ID, verificationMethod=[rsa_entry()]),
    )
    add(
        "1024-bits",
        "Old servers have keys of 1024 bits.",
        actor(publicKey=rsa_entry(SHORT)),
        cavage(post(), key=SHORT),
        level="SHOULD",
    )
    bits = pem("activitypub-rsa").replace("\n", "\r\n")
    add("other-line-ends", "Some servers end lines by CR LF.", actor(publicKey=rsa_entry(publicKeyPem=bits)))
    unit = timed(post(), key=EDDSA, key_id=EDDSA_ID)
    add("multikey", "Requests may be signed by a Multikey.", actor(publicKey=...), unit, shown(key_id=EDDSA_ID))
    entry = rsa_entry(id=PATH_ID)
    path = cavage(post(), algorithm='"hs2019"', key_id=PATH_ID)
    found = shown(key_id=PATH_ID)
    add("path-within-the-actor", "The id of a key may be a path.", actor(publicKey=entry), path, found, max_asks=2)
    stub = {"@context": AS2, "id": ALICE, "type": "Person", "preferredUsername": "alice", "publicKey": entry}
    named = actor(publicKey=PATH_ID)
    add(
        "wrapped-document",
        "GoToSocial answers a key's URL with a short form of the actor.",
        named,
        path,
        found,
        **{f"GET {PATH_ID}": document(stub)},
    )
    alone = {"@context": "https://w3id.org/security/v1", **entry}
    add(
        "document-of-its-own",
        "A key may have a document of its own.",
        named,
        path,
        found,
        **{f"GET {PATH_ID}": document(alone)},
    )
    apart = rsa_entry(id=KEYS_URL)
    add(
        "elsewhere-on-the-server",
        "Anywhere on the actor's server, when the actor names it.",
        actor(publicKey=KEYS_URL),
        cavage(post(), key_id=KEYS_URL),
        shown(key_id=KEYS_URL),
        **{f"GET {KEYS_URL}": document({"@context": AS2, **apart})},
    )
    profile = f'application/ld+json; profile="{AS2}"'
    add(
        "json-ld-by-profile",
        "Servers may serve the other type of ActivityStreams.",
        document(actor(), content_type=profile),
    )
    add(
        "charset",
        "The type may come with a charset.",
        document(actor(), content_type="application/activity+json; charset=utf-8"),
    )
    without_keys = document(actor(publicKey=..., assertionMethod=...))
    rotated = document(actor(publicKey=rsa_entry(OTHER)))
    add(
        "new-key",
        "A key that the cache does not know is looked for past it.",
        None,
        **{GET_ACTOR: [without_keys, document(actor())]},
        max_asks=3,
        section="R24",
    )
    add(
        "changed-key",
        "A key that does not fit may have changed.",
        None,
        **{GET_ACTOR: [rotated, document(actor())]},
        max_asks=3,
        section="R24",
    )
    unit = post(proven())
    changed = document(actor(assertionMethod=[multikey_entry("activitypub-ed25519-other")]))
    add(
        "changed-multikey",
        "A key of proofs may have changed too.",
        None,
        unit,
        shown("ap-object-integrity-proof"),
        **{GET_ACTOR: [changed, document(actor())]},
        max_asks=3,
        section="R24",
    )
    stale = {**alone, "publicKeyPem": pem(OTHER)}
    add(
        "changed-document",
        "So may a key in a document of its own.",
        named,
        path,
        found,
        **{f"GET {PATH_ID}": [document(stale), document(alone)]},
        max_asks=5,
        section="R24",
    )
    return cases


def foreign() -> Cases:
    cases = Cases("verify-key-refused", "NM 8")
    signed = cavage(post())

    def refuse(variant: str, why: str, who: Any, code: str, unit: Any = signed, **more: Any) -> None:
        answers = {name: more.pop(name) for name in [*more] if name.startswith("GET ")}
        cases.add(variant, why, unit, code, **({"attack": True, "lookups": world(who, **answers)} | more))

    def entry(variant: str, why: str, code: str, **members: Any) -> None:
        refuse(variant, why, actor(publicKey=rsa_entry(**members)), code)

    refuse("none", "An actor without keys signs nothing.", actor(publicKey=..., assertionMethod=...), "key-unknown")
    entry("another-id", "The key that is named must be there.", "key-unknown", id=f"{ALICE}#other")
    refuse("odd-list", "What is no key is passed over.", actor(publicKey=["x", 5, None, {}]), "key-unknown")
    refuse("named-and-nowhere", "A name alone is no key.", actor(publicKey=KEY_ID), "key-unknown")
    entry("owner-is-another", "A key of another is not hers.", "key-mismatch", owner=BOB)
    entry("controller-is-another", "Both must be right.", "key-mismatch", controller=BOB)
    entry("nobody-owns-it", "A key without an owner is nobody's.", "key-mismatch", owner=...)
    entry("owner-is-a-list", "One key has one owner.", "key-mismatch", owner=[ALICE, BOB])
    entry("owner-on-the-same-host", "One host is not one person.", "key-mismatch", owner=f"{SERVER}/users/eve")
    entry("expired", "A key has an end.", "key-refused", expires="2026-01-01T00:00:00Z")
    entry("revoked", "A key that was revoked shows nobody.", "key-refused", revoked="2026-01-01T00:00:00Z")
    entry("revoked-oddly", "However that is said.", "key-refused", revoked=True)
    entry("too-short", "A key of 768 bits can be broken.", "key-refused", publicKeyPem=TINY)
    entry("another-kind", "A key on a curve of another kind is not taken.", "key-refused", publicKeyPem=pem("a2a-p256"))
    entry("ed25519-in-pem", "An Ed25519 key comes as Multikey.", "key-refused", publicKeyPem=pem(EDDSA))
    entry("no-key-at-all", "Text that is no key is none.", "key-refused", publicKeyPem="x")
    entry("no-material", "An entry without a key is none.", "key-refused", publicKeyPem=...)
    both = multikey_entry()["publicKeyMultibase"]
    entry("two-in-one", "Two keys under one name are none.", "key-refused", publicKeyMultibase=both)
    unit = timed(post(), key=EDDSA, key_id=EDDSA_ID)
    small = "z" + base58(b"\xed\x01\x01" + bytes(31))
    refuse(
        "small-order",
        "Under a key of small order one signature fits many messages.",
        actor(assertionMethod=[multikey_entry(publicKeyMultibase=small)]),
        "key-refused",
        unit,
    )
    p256 = "zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169"
    refuse(
        "multikey-of-another-kind",
        "A Multikey is Ed25519 here.",
        actor(assertionMethod=[multikey_entry(publicKeyMultibase=p256)]),
        "key-refused",
        unit,
    )
    eve = f"{SERVER}/users/eve#main-key"
    stranger = document(
        {"@context": AS2, "id": f"{SERVER}/users/eve", "type": "Person", "publicKey": rsa_entry(id=eve)}
    )
    refuse(
        "another-user-of-the-host",
        "Whoever has an account on the same server signs for herself alone.",
        None,
        "key-mismatch",
        cavage(post(), key_id=eve),
        **{f"GET {SERVER}/users/eve": stranger},
        must_not_ask=[f"GET {SERVER}/users/eve"],
    )
    listed = document({"@context": AS2, **rsa_entry(id=KEYS_URL)})
    refuse(
        "not-listed-by-the-actor",
        "A document that calls a key hers is not her word.",
        None,
        "key-mismatch",
        cavage(post(), key_id=KEYS_URL),
        **{f"GET {KEYS_URL}": listed},
        must_not_ask=[f"GET {KEYS_URL}"],
    )
    path = cavage(post(), key_id=PATH_ID)
    named = actor(publicKey=PATH_ID)
    lent = {"@context": AS2, **rsa_entry(id=PATH_ID, owner=BOB)}
    refuse(
        "document-names-another",
        "Both sides must say so.",
        named,
        "key-mismatch",
        path,
        **{f"GET {PATH_ID}": document(lent)},
    )
    other = {"@context": AS2, **rsa_entry(id=f"{ALICE}/other-key")}
    refuse(
        "document-of-another-key",
        "A key is called by its id.",
        named,
        "key-mismatch",
        path,
        **{f"GET {PATH_ID}": document(other)},
    )
    refuse(
        "forwarded",
        "What another server's actor signed is honestly not verified: nobody asks for that key.",
        None,
        "key-mismatch",
        cavage(post(), key=OTHER, key_id="https://hub.example/actor#main-key"),
        max_asks=0,
        section="R21",
        attack=False,
    )
    return cases


def documents() -> Cases:
    cases = Cases("verify-documents", "NM 8")
    signed = cavage(post())

    def actor_is(variant: str, why: str, answer: Any, code: str, *, temporary: bool = False, **more: Any) -> None:
        verdict = unshown(code, temporary=temporary)
        found = {**world(), GET_ACTOR: answer}
        cases.add(variant, why, signed, verdict, **({"lookups": found, "attack": not temporary} | more))

    later = {"temporary": True, "section": "R21"}
    actor_is("timeout", "A server that does not answer now may answer later.", failed(), "key-unresolvable", **later)
    actor_is("server-error", "So may one that fails.", document(actor(), status=503), "key-unresolvable", **later)
    actor_is(
        "too-many", "So may one that is asked too much.", document(actor(), status=429), "key-unresolvable", **later
    )
    never = {"section": "R21", "attack": False}
    actor_is(
        "never",
        "What cannot be asked at all is told apart.",
        failed("refused", temporary=False),
        "key-unresolvable",
        **never,
    )
    actor_is("gone", "An actor who is gone has no keys.", {"status": 410}, "key-unknown", **never)
    actor_is("not-found", "Nor has one who never was.", {"status": 404}, "key-unknown", **never)
    actor_is("forbidden", "Some servers answer signed requests only.", {"status": 401}, "key-unresolvable", **never)
    for name, kind in {
        "html": "text/html",
        "json": "application/json",
        "json-ld": "application/ld+json",
        "none": "",
    }.items():
        why = "An upload of a user is not the word of the server: only the type tells them apart."
        actor_is(f"type-{name}", why, document(actor(), content_type=kind), "key-unresolvable")
    evil = document(actor(), url="https://evil.example/users/alice")
    actor_is("redirected-away", "Another server cannot speak for her.", evil, "key-unresolvable")
    moved = document(actor(), url=f"{SERVER}/media/upload.json")
    actor_is("redirected-on-the-server", "Nor can another page of the server.", moved, "key-unresolvable")
    insecure = document(actor(), url="http://social.example/users/alice")
    actor_is("redirected-to-http", "Nor a page that anybody on the way may change.", insecure, "key-unresolvable")
    actor_is(
        "another-id",
        "A document is the one of its own id.",
        document(actor(id=f"{SERVER}/users/eve")),
        "key-unresolvable",
    )
    actor_is("no-id", "Without an id it is nobody's.", document(actor(id=...)), "key-unresolvable")
    actor_is("id-of-the-key", "A key is no actor.", document(actor(id=KEY_ID)), "key-unresolvable")
    actor_is("not-an-actor", "A note is no actor, whatever it holds.", document(actor(type="Note")), "key-unresolvable")
    actor_is("not-json", "What cannot be read says nothing.", document("{"), "key-unresolvable")
    actor_is("a-list", "A list is no document.", document("[]"), "key-unresolvable")
    twice = compact(actor())[:-1] + f',"publicKey":{compact(rsa_entry(OTHER))}}}'
    actor_is("member-twice", "Two readers would take two keys.", document(twice), "key-unresolvable")
    graph = document(actor(**{"@graph": [actor()]}))
    actor_is("json-ld-graph", "A reader of JSON-LD would see another actor.", graph, "key-unresolvable")
    huge = document(actor(summary="x" * 3_000))
    limits = {"limits": {"fetched_bytes": 2_000}}
    actor_is(
        "too-large", "A document has a bound.", huge, "key-unresolvable", settings=limits, attack=False, level="SHOULD"
    )
    without_keys = document(actor(publicKey=..., assertionMethod=...))
    gone = [without_keys, failed()]
    actor_is(
        "unreachable-past-the-cache",
        "Where the cache may be stale and nobody answers, it is open.",
        gone,
        "key-unresolvable",
        **later,
    )
    path = cavage(post(), key_id=PATH_ID)
    alone = {"@context": AS2, **rsa_entry(id=PATH_ID)}

    def key_is(variant: str, why: str, answer: Any, code: str, *, temporary: bool = False, **more: Any) -> None:
        found = {**world(actor(publicKey=PATH_ID)), f"GET {PATH_ID}": answer}
        cases.add(
            variant,
            why,
            path,
            unshown(code, temporary=temporary),
            **({"lookups": found, "attack": not temporary} | more),
        )

    key_is("key-timeout", "A key may come later too.", failed(), "key-unresolvable", **later)
    key_is("key-gone", "A key that is gone is none.", {"status": 410}, "key-unknown", **never)
    key_is(
        "key-as-an-upload",
        "A key has the type of ActivityStreams.",
        document(alone, content_type="application/json"),
        "key-unresolvable",
    )
    away = document(alone, url="https://evil.example/key")
    key_is("key-redirected-away", "Another server cannot give her a key.", away, "key-unresolvable")
    return cases


def asked() -> Cases:
    cases = Cases("verify-asks", "R24")
    none: dict[str, Any] = {"must_not_ask": ["GET *"], "attack": True, "section": "NM 5.1.1"}
    for variant, key_id in {
        "another-origin": f"{BOB}#main-key",
        "with-userinfo": "https://social.example@evil.example/users/alice#main-key",
        "with-password": "https://a:b@social.example/users/alice#main-key",
        "another-port": "https://social.example:8443/users/alice#main-key",
        "over-http": "http://social.example/users/alice#main-key",
        "at-an-ip": "https://192.0.2.1/key",
        "at-metadata": "https://169.254.169.254/latest/meta-data",
        "at-ipv6": "https://[::1]/key",
        "at-localhost": "https://localhost/key",
        "in-private": "https://router.internal/key",
        "below-the-host": "https://keys.social.example/alice",
        "behind-the-host": "https://social.example.evil.example/users/alice#main-key",
        "with-backslash": "https://social.example\\\\@evil.example/key",
        "is-a-file": "file:///etc/passwd",
        "is-data": "data:application/json,x",
        "is-no-url": "main-key",
        "is-an-address": "acct:alice@social.example",
    }.items():
        why = (
            "A key is never asked for anywhere but at the actor's own server: whoever signs would choose what we fetch."
        )
        cases.add(f"key-{variant}", why, cavage(post(), key_id=key_id), "key-mismatch", lookups={}, **none)
    unit = rfc9421(structured(), parameters=f';created={SECONDS};keyid="https://evil.example/key"')
    cases.add("key-of-another-origin-rfc9421", "That holds with either form.", unit, "key-mismatch", lookups={}, **none)
    unit = cavage(post(), key_id=ALICE + "#" + "x" * 2_100)
    cases.add("key-too-long", "An id has a bound.", unit, "key-mismatch", lookups={}, **(none | {"level": "SHOULD"}))
    cases.add("usual", "The actor and the domain of the address are asked, once each.", cavage(post()), max_asks=2)
    once = {"attack": True, "max_asks": 2}
    why = "Past the cache it is asked once: else every forged signature costs the other server more."
    cases.add("one-refresh", why, cavage(post(), key=OTHER), "bad-signature", **once)
    cases.add("one-refresh-for-a-proof", why, post(proven() | {"to": []}), "bad-signature", **once)
    unit = cavage(post(), key_id=f"{ALICE}#nowhere")
    cases.add("one-refresh-for-an-unknown-key", why, unit, "key-unknown", **once)
    broken = proven() | {"to": []}
    unit = cavage(post(broken), key=OTHER)
    cases.add(
        "two-that-fail",
        "Several signatures of one actor ask for the same documents once.",
        unit,
        "bad-signature",
        **once,
    )
    gone = {**world(), GET_ACTOR: failed()}
    why = "An actor who did not answer is not asked again."
    cases.add(
        "no-second-try", why, cavage(post()), unshown("key-unresolvable", temporary=True), lookups=gone, max_asks=1
    )
    loop = world(
        actor(publicKey=KEYS_URL),
        **{f"GET {KEYS_URL}": document({"@context": AS2, "id": KEYS_URL, "publicKey": KEYS_URL})},
    )
    unit = cavage(post(), key_id=KEYS_URL)
    why = "A key that leads to itself, or on and on, ends there."
    cases.add("loop-of-keys", why, unit, "key-mismatch", lookups=loop, attack=True, max_asks=4)
    onward = {"@context": AS2, "id": ALICE, "type": "Person", "publicKey": f"{SERVER}/keys/2"}
    chain = world(actor(publicKey=KEYS_URL), **{f"GET {KEYS_URL}": document(onward)})
    cases.add(
        "chain-of-keys", why, unit, "key-mismatch", lookups=chain, attack=True, must_not_ask=[f"GET {SERVER}/keys/2"]
    )
    why = "Nobody asks where the activity points to in passing."
    lured = activity(
        inReplyTo="https://evil.example/a", context="https://evil.example/b", replies="https://evil.example/c"
    )
    cases.add("nothing-in-passing", why, cavage(post(lured)), must_not_ask=["GET https://evil.example/*"], attack=True)
    spare = {"limits": {"asks": 0}}
    why = "Where the budget is spent, it is open who sent it."
    cases.add(
        "budget-of-none", why, cavage(post()), unshown("key-unresolvable", temporary=False), settings=spare, max_asks=0
    )
    spare = {"limits": {"asks": 1}}
    cases.add("budget-of-one", why, cavage(post()), unshown("address-unresolvable"), settings=spare, max_asks=1)
    return cases
