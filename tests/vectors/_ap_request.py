"""Cases of what every signature is held against: the body, the clock, the request line, and the activity itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    COVERED,
    INBOX,
    KEY_ID,
    NOTE,
    SECONDS,
    TIMED,
    Cases,
    activity,
    actor,
    cavage,
    compact,
    digest,
    having,
    http_date,
    post,
    rfc9421,
    structured,
    timed,
    world,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Unit

KEY = f';keyid="{KEY_ID}"'
WRONG = "SHA-256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Whether the body is the one that was signed.", of_body()
    yield "When a signature counts.", of_time()
    yield "A signature that was made for another request.", of_place()
    yield "What is verified: activities of any kind, and nothing that cannot be read.", of_activity()


def of_body() -> Cases:
    cases = Cases("verify-digest", "NM 8")
    add, refuse = cases.add, cases.refuse
    body = post()["body"]
    right, long = digest(body), digest(body, "SHA-512")
    other = activity(to=["https://agents.example/actors/other"])
    honest = {"section": "R26"}
    add("name-in-lower-case", "Names of digests have no case.", cavage(post(digest=digest(body, "sha-256"))), **honest)
    add("name-in-mixed-case", "However they are written.", cavage(post(digest=digest(body, "Sha-256"))), **honest)
    add("sha-256-last", "SHA-256 need not be the first.", cavage(post(digest=f"{long},{right}")), **honest)
    add("blank-between", "A blank may follow the comma.", cavage(post(digest=f"{long}, {right}")), **honest)
    add(
        "unknown-beside",
        "Digests that nobody knows are passed over.",
        cavage(post(digest=f"unixsum=30637,{right}")),
        **honest,
    )
    both = having(post(), content_digest=digest(body, "sha-256", colons=True))
    add("both-headers", "Both headers may be there, when both are right.", cavage(both), **honest)
    add("both-headers-rfc9421", "That holds with either form.", rfc9421(having(structured(), digest=right)), **honest)

    def mismatch(variant: str, why: str, unit: Unit) -> None:
        refuse(variant, why, unit, "digest-mismatch")

    def uncovered(variant: str, why: str, unit: Unit) -> None:
        refuse(variant, why, unit, "coverage-missing")

    forged = compact(other)
    mismatch("body-changed", "Another body is not what was signed.", {**cavage(post()), "body": forged})
    mismatch("body-changed-rfc9421", "Nor with the other form.", {**rfc9421(structured()), "body": forged})
    mismatch("blank-added", "One blank makes another body.", {**cavage(post()), "body": body + " "})
    mismatch("stale", "A digest of another body is signed in vain.", cavage(post(digest=digest(forged))))
    mismatch("not-base64", "What is no digest does not fit.", cavage(post(digest="SHA-256=x")))
    mismatch("first-wrong", "Of two digests both must be right.", cavage(post(digest=f"{WRONG},{right}")))
    mismatch("second-wrong", "Whichever comes first.", cavage(post(digest=f"{right},{WRONG}")))
    mismatch("long-one-wrong", "Of any algorithm that is known.", cavage(post(digest=f"{right},SHA-512=AAAA")))
    twice = cavage(post(digest=right))
    twice = {**twice, "headers": [*twice["headers"], ["digest", WRONG]]}
    mismatch("header-twice", "A second header is a second digest.", twice)
    wrong = having(cavage(post()), content_digest="sha-256=:AAAA:")
    mismatch("other-header-wrong", "A digest that is not signed must be right all the same.", wrong)
    mismatch("digest-wrong-rfc9421", "Nor may the older header disagree.", having(rfc9421(structured()), digest=WRONG))
    mismatch("without-colons", "Content-Digest has its colons.", rfc9421(structured(content_digest=right)))
    uncovered("gone", "A covered digest must be there.", having(cavage(post()), digest=None))
    uncovered("gone-rfc9421", "That holds with either form.", having(rfc9421(structured()), content_digest=None))
    uncovered("sha-512-alone", "SHA-256 is what everybody compares.", cavage(post(digest=long)))
    uncovered("unknown-alone", "A digest that nobody can make shows nothing.", cavage(post(digest="MD5=AAAA")))
    unit = rfc9421(structured(content_digest="md5=:AAAA:"))
    uncovered("unknown-alone-rfc9421", "That holds with either form.", unit)
    unit = rfc9421(having(structured(content_digest=None), digest=right), COVERED.replace("content-", ""))
    uncovered("old-header-rfc9421", "RFC 9421 signs Content-Digest.", unit)
    unit = cavage(having(post(digest="MD5=AAAA"), content_digest=digest(body, "sha-256", colons=True)))
    uncovered("right-one-unsigned", "A right digest that is not signed shows nothing.", unit)
    return cases


def of_time() -> Cases:
    cases = Cases("verify-time", "R25")

    def at(variant: str, why: str, unit: Unit, code: str | None = None, **facts: Any) -> None:
        if code is None:
            cases.add(variant, why, unit, **({"section": "R26"} | facts))
        else:
            cases.refuse(variant, why, unit, code, **facts)

    def dated(seconds: int) -> Unit:
        return cavage(post(date=http_date(SECONDS + seconds)))

    def created(seconds: int) -> Unit:
        return timed(post(), created=str(SECONDS + seconds))

    def modern(seconds: int, more: str = "") -> Unit:
        return rfc9421(structured(), parameters=f";created={SECONDS + seconds}{more}{KEY}")

    old, ahead = -46_799, 3_599
    for name, made in {"date": dated, "created": created, "rfc9421": modern}.items():
        at(f"old-{name}", "Servers try again for half a day; clocks differ by an hour.", made(old))
        at(f"too-old-{name}", "After that it is a replay.", made(old - 2), "expired")
        at(f"ahead-{name}", "A clock may be fast by an hour.", made(ahead))
        at(f"too-far-ahead-{name}", "And no more: else it could be kept for later.", made(ahead + 2), "not-yet-valid")
    ended = timed(post(), TIMED + " (expires)", created=str(SECONDS - 7_200), expires=str(SECONDS - 3_599))
    at("just-ended", "An end has the same hour of grace.", ended)
    ended = timed(post(), TIMED + " (expires)", created=str(SECONDS - 7_200), expires=str(SECONDS - 3_601))
    at("ended", "Then it is over for good.", ended, "expired")
    at("just-ended-rfc9421", "With either form the same.", modern(-7_200, f";expires={SECONDS - 3_599}"))
    at("ended-rfc9421", "Then it is over for good.", modern(-7_200, f";expires={SECONDS - 3_601}"), "expired")
    unit = timed(post(), TIMED + " (expires)", created=str(SECONDS - 50_000), expires=str(SECONDS + 50_000))
    at("end-too-far", "An end never makes it count for longer.", unit, "expired")
    at(
        "end-too-far-rfc9421",
        "That holds with either form.",
        modern(-50_000, f";expires={SECONDS + 50_000}"),
        "expired",
    )
    unit = timed(post(), TIMED + " date", created=str(SECONDS - 50_000))
    at("older-of-two", "Of two times that are signed both must be right.", unit, "expired")
    unit = timed(post(date=http_date(SECONDS - 50_000)), TIMED + " date")
    at("older-date-of-two", "It does not matter which one is old.", unit, "expired")
    for form, date in (("rfc850", "Saturday, 21-Nov-26 20:56:00 GMT"), ("asctime", "Sat Nov 21 20:56:00 2026")):
        facts = {"section": "RFC 9110 5.6.7"}
        at(f"date-of-{form}", "A date of HTTP has three forms.", cavage(post(date=date)), **facts)
        older = cavage(post(date=date.replace("21", "20")))
        at(f"old-date-of-{form}", "It counts as any other.", older, "expired", **facts)
    at("asctime-of-one-digit", "A day may be one digit.", cavage(post(date="Sun Nov  1 20:56:00 2026")), "expired")
    unit = cavage(post(date="Saturday, 21-Nov-77 20:56:00 GMT"))
    at("century", "A year of two digits is never more than fifty years ahead.", unit, "expired")
    unit = cavage(post(date="Sat, 21 Nov 2026 20:56:00 +0000"))
    at("date-of-mail", "A date has a form of HTTP.", unit, "time-missing", level="SHOULD")
    unit = timed(post(date=http_date(SECONDS - 50_000)))
    at("date-uncovered", "A date that is not signed says nothing.", unit)
    return cases


def of_place() -> Cases:
    cases = Cases("verify-elsewhere", "R25")
    add, refuse = cases.add, cases.refuse
    made, modern = cavage(post()), rfc9421(structured())
    queried = cavage(post(url=INBOX + "?a=1"))
    there = "https://agents.example/users/other/inbox"

    def unfit(variant: str, why: str, unit: Unit) -> None:
        add(variant, why, unit, "bad-signature", attack=True)

    unfit("another-path", "A signature for one inbox is none for another.", {**made, "url": there})
    unfit("another-path-rfc9421", "That holds with either form.", {**modern, "url": there})
    unfit("another-query", "A query is part of the address.", {**queried, "url": INBOX + "?a=2"})
    unfit("another-query-rfc9421", "That holds with either form.", {**modern, "url": INBOX + "?admin=1"})
    unfit("another-method", "A signature for one method is none for another.", {**made, "method": "PUT"})
    unfit("another-method-rfc9421", "That holds with either form.", {**modern, "method": "PUT"})
    unfit("http-for-https", "The target says by which scheme.", {**modern, "url": INBOX.replace("https", "http")})
    get = {**post(), "method": "GET"}
    replayed = {**cavage(having(get, digest=None), "(request-target) host date"), "method": "POST"}
    refuse("signed-get", "A signed GET, as any server sends them, is no signed POST.", replayed, "coverage-missing")
    replayed = {**rfc9421(having(get, digest=None), '"@method" "@target-uri"'), "method": "POST"}
    refuse("signed-get-rfc9421", "That holds with either form.", replayed, "coverage-missing")
    elsewhere = INBOX.replace("agents", "victim")
    refuse(
        "another-host", "What was sent to one server is not for another.", {**made, "url": elsewhere}, "host-mismatch"
    )
    add(
        "another-host-rfc9421",
        "With either form: the URL is the one that the server has by its own word.",
        {**modern, "url": elsewhere},
        "host-mismatch",
        attack=True,
    )
    moved = having({**made, "url": elsewhere}, host="victim.example")
    unfit("host-rewritten", "Nor when Host is rewritten on the way.", moved)
    moved = having({**modern, "url": elsewhere}, host="victim.example")
    unfit("host-rewritten-rfc9421", "That holds with either form.", moved)
    refuse(
        "another-port",
        "Another port is another server.",
        {**made, "url": "https://agents.example:8443/inbox"},
        "host-mismatch",
    )
    refuse("no-host", "Without Host nobody knows for whom it is.", having(made, host=None), "host-mismatch")
    two = {**made, "headers": [*made["headers"], ["host", "victim.example"]]}
    refuse("two-hosts", "Two hosts are no host at all.", two, "host-mismatch")
    hosted = '"@method" "@path" "host" "content-digest"'
    foreign = rfc9421(structured(host="other.example"), hosted)
    refuse(
        "signed-host-is-foreign", "A signed Host is the one of the URL, or it is for another.", foreign, "host-mismatch"
    )
    return cases


def of_activity() -> Cases:
    cases = Cases("verify-activity", "NM 8")
    add, refuse = cases.add, cases.refuse
    refuse("unsigned", "Nothing shows the sender.", post(), "unsigned", attack=False)
    linked = {"type": "RsaSignature2017", "creator": KEY_ID, "signatureValue": "AAAA"}
    why = "A JSON-LD signature never counts: the same bytes can be read as another document."
    refuse("json-ld-signature", why, post(activity(signature=linked)), "unsigned")
    refuse(
        "json-ld-graph-signature",
        "Whatever its type.",
        post(activity(signature={"type": "Ed25519Signature2018", "jws": "x"})),
        "unsigned",
    )
    helper = "https://agents.example/actors/helper"
    for kind in ("Follow", "Like", "Delete", "Undo", "Accept"):
        why = "Every activity has a sender, whether it becomes a message or not."
        add(kind.lower(), why, cavage(post(activity(type=kind, object=helper))), section="NM 5")
    announce = activity(type="Announce", object="https://other.example/notes/1")
    add(
        "announce",
        "Of a boost it is the booster who is shown, and never the author.",
        cavage(post(announce)),
        section="NM 5",
    )
    add(
        "embedded-actor",
        "An actor may be embedded; its id counts.",
        cavage(post(activity(actor={"id": ALICE}))),
        section="NM 5",
    )

    def unread(variant: str, why: str, what: Any, code: str) -> None:
        refuse(variant, why, cavage(post(what)), code)

    unread("no-json", "What cannot be read has no sender.", "{", "invalid-json")
    unread("no-object", "A list has no sender either.", "[]", "malformed")
    unread("no-actor", "An activity that nobody did was sent by nobody.", activity(actor=...), "missing-member")
    unread("two-actors", "Two people are not one sender.", activity(actor=[ALICE, BOB]), "wrong-type")
    unread("no-id", "Without an id it cannot be told from a replay.", activity(id=...), "missing-member")
    unread(
        "id-of-another-origin",
        "A server names its own activities alone.",
        activity(id="https://other.example/1"),
        "origin-mismatch",
    )
    for member in ("@graph", "@included", "@reverse"):
        why = "A reader of JSON-LD would see another activity than a reader of JSON."
        unread(f"json-ld-{member[1:]}", why, activity(**{member: [{"id": NOTE}]}), "json-ld-refused")
    unread(
        "terms-redefined",
        "A context may not give other meanings to the words.",
        activity(**{"@context": [AS2, {"actor": "urn:x"}]}),
        "json-ld-refused",
    )
    unread(
        "no-context",
        "What is not ActivityStreams says something else.",
        activity(**{"@context": ...}),
        "json-ld-refused",
    )
    for variant, iri in {
        "actor-over-http": "http://social.example/users/alice",
        "actor-with-userinfo": "https://social.example@evil.example/users/alice",
        "actor-with-port": "https://social.example:8443/users/alice",
        "actor-at-an-ip": "https://192.0.2.1/users/alice",
        "actor-at-ipv6": "https://[::1]/users/alice",
        "actor-at-localhost": "https://localhost/users/alice",
        "actor-in-private": "https://router.internal/users/alice",
        "actor-with-backslash": "https://social.example\\@evil.example/alice",
        "actor-is-script": "javascript:alert(1)",
        "actor-is-data": "data:application/json,{}",
    }.items():
        unread(variant, "An id that nobody may ask for is nobody's.", activity(actor=iri), "id-refused")
    embedded = actor(publicKey={"id": KEY_ID, "owner": ALICE, "publicKeyPem": "x"})
    add(
        "embedded-key",
        "A key that comes along proves only itself.",
        cavage(post(activity(actor=embedded))),
        "key-unknown",
        attack=True,
        lookups=world(actor(publicKey=..., assertionMethod=...)),
        max_asks=2,
    )
    return cases
