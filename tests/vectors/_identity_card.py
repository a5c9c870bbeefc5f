"""Connector Cards: `identity/{card,key,small-order,read-card,serve-card,thumbprint}.json`."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.vectors._identity_rows import (
    CARD,
    CARD_URL,
    GONE,
    HOST,
    KEY,
    KID,
    OLD_KEY,
    OTHER_HOST,
    OTHER_KEY,
    UNUSED,
    Case,
    b64,
    card,
    entry,
    given,
    jwk,
    one,
    public,
    raw,
    refuses,
    served,
    signed,
    takes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELD = 2**255 - 19
ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SIGN = 1 << 255
SMALL = {
    "zero": 0,
    "one": 1,
    "minus-one": FIELD - 1,
    "field": FIELD,
    "field-and-one": FIELD + 1,
    "order-8": ORDER_8,
    "order-8-other": FIELD - ORDER_8,
}
RSA = {"kty": "RSA", "n": b64(b"\xc1" * 256), "e": "AQAB", "kid": KID}
AGAIN = "A copy that is too old is asked for once more, past the cache, and no more often."


def _point(number: int) -> str:
    return b64(number.to_bytes(32, "little"))


def _card() -> Iterator[Case]:
    no = partial(refuses, "card", section="D A4", **UNUSED)
    yes = partial(takes, "card", section="D A4")
    evidence = signed()
    unavailable = "What is not there shows nobody; it may come back."
    for name, answer in {
        "failed": {"failed": "timeout"},
        "failed-for-good": {"failed": "no such host", "temporary": False},
        "not-found": served(status=404),
        "gone": served(status=410),
        "server-error": served(status=503),
        "other-success": served(status=203),
        "html": {"content_type": "text/html", "body": json.dumps(CARD)},
        "no-type": {"content_type": "", "body": json.dumps(CARD)},
        "json-like": {"content_type": "text/json", "body": json.dumps(CARD)},
    }.items():
        yield no(name, "card-unavailable", unavailable, evidence, given(card=answer), max_asks=1)
    yield yes(
        "jwk-set",
        "A card is a JWK Set.",
        evidence,
        given(card=served(content_type="application/jwk-set+json; charset=utf-8")),
    )
    yield yes(
        "type-in-capitals", "Media types have no case.", evidence, given(card=served(content_type="Application/JSON"))
    )
    whose = "The card of another issuer says nothing about this one."
    yield no("another-issuer", "card-issuer-mismatch", whose, evidence, given(card=served(card(issuer=OTHER_HOST))))
    yield no(
        "parent-issuer", "card-issuer-mismatch", whose, evidence, given(card=served(card(issuer="agents.example")))
    )
    where = "Whoever can have a redirect there could serve any keys."
    for name, url in {
        "redirected": f"https://{OTHER_HOST}/.well-known/adapter-card",
        "redirected-path": f"https://{HOST}/u/1/.well-known/adapter-card",
        "redirected-www": f"https://www.{HOST}/.well-known/adapter-card",
        "redirected-port": f"https://{HOST}:8443/.well-known/adapter-card",
        "redirected-query": f"{CARD_URL}?x",
        "redirected-slash": f"{CARD_URL}/",
        "redirected-http": f"http://{HOST}/.well-known/adapter-card",
    }.items():
        yield no(name, "card-origin-mismatch", where, evidence, given(card=served(url=url)))
    newer = served(url=f"https://{HOST}/.well-known/connector-card")
    yield yes("other-name", "The card may move to its other name on its host.", evidence, given(card=newer))
    form = "A card that can be read in two ways has the keys that an attacker wants."
    large = card(note="x" * 65_536)
    for name, body in {
        "no-json": "keys",
        "not-utf8": raw(b'{"issuer":"\xff"}'),
        "array": json.dumps([CARD]),
        "no-issuer": json.dumps(card(issuer=GONE)),
        "issuer-url": json.dumps(card(issuer=f"https://{HOST}")),
        "issuer-array": json.dumps(card(issuer=[HOST])),
        "issuer-capitals": json.dumps(card(issuer="Slack.agents.example")),
        "twice": json.dumps(CARD).replace('"keys":', '"keys":[],"keys":'),
        "no-keys": json.dumps(card(keys=GONE)),
        "keys-empty": json.dumps(card(keys=[])),
        "keys-object": json.dumps(card(keys={KID: jwk()})),
        "keys-text": json.dumps(card(keys=["A6EH"])),
        "seventeen-keys": json.dumps(card(*[jwk(kid=f"k{n}") for n in range(16)], jwk())),
        "both-spellings": json.dumps(card(jwks={"keys": [jwk()]})),
        "jwks-array": json.dumps(card(keys=GONE, jwks=[jwk()])),
        "kid-missing": json.dumps(card(jwk(), jwk(kid=GONE))),
        "kid-newline": json.dumps(card(jwk(), jwk(kid="k\n"))),
        "kid-number": json.dumps(card(jwk(), jwk(kid=1))),
        "too-large": json.dumps(large),
        "too-deep": json.dumps(CARD).replace('"0.1"', "[" * 16 + "]" * 16),
        "name-number": json.dumps(card(name=7)),
        "methods-text": json.dumps(card(methods="urn:x")),
        "methods-number": json.dumps(card(methods=[7])),
        "expiry-offset": json.dumps(card(expires_at="2026-12-01T00:00:00+00:00")),
        "expiry-number": json.dumps(card(expires_at=1_795_294_500)),
        "window-offset": json.dumps(card(jwk(not_after="2026-12-01T00:00:00+00:00"))),
        "window-empty": json.dumps(card(jwk(not_before=""))),
        "revoked-true": json.dumps(card(jwk(), jwk(OLD_KEY, "old", revoked_at=True))),
        "callbacks-array": json.dumps(card(callbacks=["https://slack.agents.example/x"])),
        "callbacks-http": json.dumps(card(callbacks={"policy": ["http://slack.agents.example/x"]})),
        "callbacks-object": json.dumps(card(callbacks={"policy": {"url": "https://slack.agents.example/x"}})),
    }.items():
        answer = {"content_type": "application/json", "body": body}
        yield no(f"invalid-{name}", "card-invalid", form, evidence, given(card=answer))
    sixteen = card(*[jwk(kid=f"k{n}") for n in range(15)], jwk())
    yield yes("sixteen-keys", "Sixteen keys are allowed.", evidence, given(card=served(sixteen)))
    yield yes(
        "jwks",
        "The keys may stand one level down.",
        evidence,
        given(card=served(card(keys=GONE, jwks={"keys": [jwk()]}))),
    )
    odd = card(jwk(fault="none", kind="key", ext=True), motto="Hello", extra={"a": 1})
    yield yes("unknown-members", "Later versions may say more.", evidence, given(card=served(odd)))
    private = "Whose private half is published has no secret any more."
    yield no("private", "card-private-key", private, evidence, given(card=served(card(jwk(d=b64(bytes(32)))))))
    spare = served(card(jwk(), jwk(OLD_KEY, "old", d=b64(bytes(32)))))
    yield no("private-another", "card-private-key", private, evidence, given(card=spare))
    yield no("private-null", "card-private-key", private, evidence, given(card=served(card(jwk(d=None)))))
    two = served(card(jwk(), jwk(OLD_KEY)))
    yield no("same-kid", "key-ambiguous", "One id names one key.", evidence, given(card=two))
    yield no(
        "same-kid-same-key", "key-ambiguous", "One id stands once.", evidence, given(card=served(card(jwk(), jwk())))
    )
    unused = served(card(jwk(), jwk(OLD_KEY, "old"), {**jwk(), "kid": "old", "kty": "RSA"}))
    yield no("same-kid-unusable", "key-ambiguous", "One id names one key, usable or not.", evidence, given(card=unused))

    old, fresh = served(card(expires_at="2026-11-21T20:56:00Z")), served(card(expires_at="2026-11-22T00:00:00Z"))
    yield yes("refreshed", AGAIN, evidence, given(card=[old, fresh]), max_asks=2)
    yield yes(
        "not-expired", "A card holds until it ends.", evidence, given(card=[fresh, served(status=500)]), max_asks=1
    )
    yield no("expired", "card-expired", AGAIN, evidence, given(card=old), max_asks=2)
    yield no("expired-then-gone", "card-unavailable", AGAIN, evidence, given(card=[old, {"failed": "x"}]), max_asks=2)
    unknown = served(card(jwk(OLD_KEY, "2026-10")))
    yield yes("kid-refreshed", AGAIN, evidence, given(card=[unknown, served()]), max_asks=2)
    yield no("kid-unknown", "key-unknown", AGAIN, evidence, given(card=unknown), max_asks=2)
    yield no("kid-then-expired", "card-expired", AGAIN, evidence, given(card=[unknown, old]), max_asks=2)
    yield no(
        "kid-then-invalid",
        "card-invalid",
        AGAIN,
        evidence,
        given(card=[unknown, {"content_type": "application/json", "body": "{}"}]),
        max_asks=2,
    )
    forged = signed(OTHER_KEY)
    why = "A signature that fits no key is no reason to ask again."
    yield no(
        "forged-not-refreshed",
        "signature-invalid",
        why,
        forged,
        given(card=[served(), served(card(jwk(OTHER_KEY)))]),
        max_asks=1,
    )
    revoked = served(card(jwk(revoked_at="2026-11-21T00:00:00Z")))
    yield no(
        "revoked-not-refreshed",
        "key-revoked",
        "What is revoked stays so.",
        evidence,
        given(card=[revoked, served()]),
        max_asks=1,
    )


def _key() -> Iterator[Case]:
    no = partial(refuses, "key", section="D A4", **UNUSED)
    yes = partial(takes, "key", section="D A4")
    evidence = signed()

    def keys(*found: Case) -> Case:
        return given(card=served(card(*found)))

    exact = "The id of a key is compared as it stands."
    for name, kid in {"case": "K1", "longer": "k11", "shorter": "k"}.items():
        yield no(f"kid-{name}", "key-unknown", exact, signed(proof={"kid": kid}), keys(jwk(kid="k1")))
    yield yes("kid-longest", "128 characters are allowed.", signed(proof={"kid": "k" * 128}), keys(jwk(kid="k" * 128)))
    yield yes("kid-signs", "Visible ASCII is allowed.", signed(proof={"kid": "a/b#c?!"}), keys(jwk(kid="a/b#c?!")))
    kind = "A key of another kind cannot check this signature."
    p256 = {"kty": "EC", "crv": "P-256", "x": public(KEY), "y": public(KEY), "kid": KID}
    for name, key in {
        "rsa": RSA,
        "p256": p256,
        "x25519": jwk(crv="X25519"),
        "ed448": jwk(crv="Ed448"),
        "no-kty": jwk(kty=GONE),
        "kty-case": jwk(kty="okp"),
        "no-x": jwk(x=GONE),
        "x-number": jwk(x=7),
        "x-array": jwk(x=[public(KEY)]),
        "x-padded": jwk(x=public(KEY) + "="),
        "x-short": jwk(x=public(KEY)[:42]),
        "x-standard-alphabet": jwk(x=public(KEY).replace("_", "/")),
        "x-trailing-bits": jwk(x=public(KEY)[:-1] + "h"),
        "x-newline": jwk(x=public(KEY) + "\n"),
        "alg-hs256": jwk(alg="HS256"),
        "alg-none": jwk(alg="none"),
        "alg-ed25519ph": jwk(alg="Ed25519ph"),
        "alg-case": jwk(alg="eddsa"),
        "alg-array": jwk(alg=["Ed25519"]),
    }.items():
        yield no(f"type-{name}", "key-type-mismatch", kind, evidence, keys(key))
    told = "Who shows a key that must stay private may have shown others."
    secret = {"kty": "oct", "k": public(KEY), "kid": KID, "alg": "HS256"}
    for name, key in {"shared-secret": secret, "private-prime": {**RSA, "p": "AQAB"}}.items():
        yield no(name, "card-private-key", told, evidence, keys(key))
    use = "A key for another purpose is not there to sign evidence."
    for name, members in {
        "encryption": {"use": "enc"},
        "use-array": {"use": ["sig"]},
        "operations": {"use": GONE, "key_ops": ["encrypt"]},
        "operations-sign-only": {"key_ops": ["sign"]},
        "operations-empty": {"key_ops": []},
        "operations-text": {"key_ops": "verify"},
    }.items():
        yield no(f"use-{name}", "key-use-mismatch", use, evidence, keys(jwk(**members)))
    for name, members in {
        "alg-eddsa": {"alg": "EdDSA"},
        "alg-missing": {"alg": GONE},
        "use-missing": {"use": GONE},
        "operations-verify": {"use": GONE, "key_ops": ["verify"]},
        "operations-both": {"key_ops": ["sign", "verify"]},
    }.items():
        yield yes(
            name,
            "There are two names of the algorithm, and what a key is for may be left open.",
            evidence,
            keys(jwk(**members)),
        )
    why = "A key that is of no use costs nobody else."
    yield yes("unusable-beside", why, evidence, keys(RSA | {"kid": "rsa"}, jwk(x=_point(0), kid="weak"), jwk()))

    begin, end = "2026-11-21T20:55:00Z", "2026-11-21T20:56:00.001Z"
    yield yes(
        "window",
        "The window holds its begin, and what is before its end.",
        evidence,
        keys(jwk(not_before=begin, not_after=end)),
    )
    yield no(
        "too-new",
        "key-not-yet-valid",
        "Nobody signed with it then.",
        evidence,
        keys(jwk(not_before="2026-11-21T20:55:00.001Z")),
    )
    yield no(
        "retired",
        "key-retired",
        "Whoever finds an old key must find it useless.",
        evidence,
        keys(jwk(not_after="2026-11-21T20:56:00Z")),
    )
    why = "Evidence that was made after the end was not made by the issuer."
    later = signed(issued_at="2026-11-21T20:56:30Z")
    yield no("retired-before-it-was-issued", "key-retired", why, later, keys(jwk(not_after="2026-11-21T20:56:20Z")))
    rotated = keys(jwk(not_before="2026-11-21T20:55:30Z"), jwk(OLD_KEY, "2026-10", not_after="2026-11-21T21:01:30Z"))
    under_way = signed(OLD_KEY, proof={"kid": "2026-10"})
    yield yes("rotated-under-way", "Evidence under way outlives the change of keys.", under_way, rotated)
    yield yes("rotated-new", "The new key counts at once.", signed(issued_at="2026-11-21T20:55:40Z"), rotated)
    why = "The old key signs no longer."
    gone = keys(jwk(), jwk(OLD_KEY, "2026-10", not_after="2026-11-21T20:55:50Z"))
    yield no("rotated-too-late", "key-retired", why, under_way, gone)
    dead = "What is revoked is the key itself, whatever it is called."
    yield no("revoked", "key-revoked", dead, evidence, keys(jwk(revoked_at="2026-11-21T20:00:00Z")))
    yield no(
        "revoked-under-another-id",
        "key-revoked",
        dead,
        evidence,
        keys(jwk(), jwk(kid="old", revoked_at="2026-11-01T00:00:00Z")),
    )
    yield no("revoked-later", "key-revoked", dead, evidence, keys(jwk(revoked_at="2026-11-22T00:00:00Z")))
    other = keys(jwk(), jwk(OLD_KEY, "old", revoked_at="2026-11-01T00:00:00Z"))
    yield yes("another-revoked", "Another key is another key.", evidence, other)
    yield no(
        "revoked-and-retired",
        "key-revoked",
        "Revoked is told before retired.",
        evidence,
        keys(jwk(revoked_at="2026-11-21T20:00:00Z", not_after="2026-11-21T20:00:00Z")),
    )
    pin = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    pinned = "A host that was taken over serves other keys."
    yield no("pin", "key-pin-mismatch", pinned, evidence, given(entry(thumbprints=[pin])))
    mine = given(entry(thumbprints=[pin, thumbprint(public(KEY))]))
    yield yes("pinned", "The pinned key counts.", evidence, mine)
    yield yes("pins-empty", "No pin is no pin.", evidence, given(entry(thumbprints=[])))
    yield no(
        "pin-after-window",
        "key-retired",
        "The window is looked at before the pin.",
        evidence,
        given(entry(thumbprints=[pin]), card=served(card(jwk(not_after="2026-11-21T20:00:00Z")))),
    )


def thumbprint(x: str) -> str:
    """The RFC 7638 thumbprint of a key."""
    from hashlib import sha256

    return b64(sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest())


def _small_order() -> Iterator[Case]:
    """The fourteen encodings, and points that are written in another way than the one."""
    constant = b64((1).to_bytes(32, "little") + bytes(32))
    forged = signed(proof={"value": constant})
    why = "With such a key one signature fits every message, or many of them."
    for name, number in SMALL.items():
        for sign, bit in {"": 0, "-signed": SIGN}.items():
            found = given(card=served(card(jwk(x=_point(number | bit)))))
            yield refuses("small-order", name + sign, "key-weak", why, forged, found, section="D A4", **UNUSED)
    why = "A point that is written in two ways is two keys."
    for name, number in {"beyond-field": FIELD + 2, "largest": 2**255 - 1}.items():
        found = given(card=served(card(jwk(x=_point(number)))))
        yield refuses("small-order", name, "key-weak", why, forged, found, section="D A4", **UNUSED)


def _reading() -> Iterator[Case]:
    def read(name: str, why: str, found: Any, **outcome: Any) -> Case:
        return one("read-card", name, "BC", why, found, **outcome)

    usual: Case = {
        "issuer": HOST,
        "keys": [{"kid": KID, "x": public(KEY)}],
        "name": "Slack Connector",
        "version": "0.1",
    }
    yield read("usual", "A card says who signs with which keys.", {"body": CARD, "url": CARD_URL}, value=usual)
    url = f"https://{HOST}/.well-known/connector-card"
    yield read("other-url", "It may lie under its other name.", {"body": CARD, "url": url}, value=usual)
    yield read("no-url", "Whoever has it from a store asks nowhere.", {"body": CARD}, value=usual)
    whole = card(
        jwk(not_before="2026-11-01T00:00:00Z", note="main"),
        jwk(OLD_KEY, "old", not_after="2026-11-01T00:06:00Z"),
        jwk(OTHER_KEY, "lost", revoked_at="2026-10-01T00:00:00Z"),
        RSA | {"kid": "rsa"},
        jwk(x=_point(1), kid="weak"),
        jwk(kid="enc", use="enc"),
        callbacks={"policy": [f"https://{HOST}/callback"], "oauth": f"https://{HOST}/o"},
        methods=["urn:x"],
        subject_prefixes=["slack:"],
        expires_at="2026-12-01T00:00:00Z",
        motto="Hi",
    )
    told = {
        **usual,
        "keys": [
            {"kid": KID, "x": public(KEY), "not_before": "2026-11-01T00:00:00Z", "note": "main"},
            {"kid": "old", "x": public(OLD_KEY), "not_after": "2026-11-01T00:06:00Z"},
            {"kid": "lost", "x": public(OTHER_KEY), "revoked_at": "2026-10-01T00:00:00Z", "fault": "key-revoked"},
            {"kid": "rsa", "x": None, "fault": "key-type-mismatch", "n": RSA["n"], "e": "AQAB"},
            {"kid": "weak", "x": None, "fault": "key-weak"},
            {"kid": "enc", "x": public(KEY), "fault": "key-use-mismatch"},
        ],
        **{name: whole[name] for name in ("callbacks", "methods", "subject_prefixes", "expires_at", "motto")},
    }
    yield read("whole", "Each key is told with what is wrong with it.", {"body": whole}, value=told)
    where = "A card that lies elsewhere may be anybody's."
    for name, elsewhere in {
        "host": f"https://{OTHER_HOST}/.well-known/adapter-card",
        "http": f"http://{HOST}/.well-known/adapter-card",
        "path": f"https://{HOST}/card",
        "empty": "",
    }.items():
        yield read(
            f"elsewhere-{name}", where, {"body": CARD, "url": elsewhere}, rejected={"code": "card-origin-mismatch"}
        )
    why = "Whose private half is published has no secret any more."
    yield read("private", why, {"body": card(jwk(d=b64(bytes(32))))}, rejected={"code": "card-private-key"})
    yield read(
        "same-kid", "One id names one key.", {"body": card(jwk(), jwk(OLD_KEY))}, rejected={"code": "key-ambiguous"}
    )
    yield read("no-json", "A card is JSON.", {"body": "issuer: slack"}, rejected={"code": "card-invalid"})


def _serving() -> Iterator[Case]:
    def serve(name: str, why: str, found: Any, **outcome: Any) -> Case:
        return one("serve-card", name, "BC", why, found, **outcome)

    headers = [["content-type", "application/json"], ["cache-control", "public, max-age=300"]]
    headers.append(["access-control-allow-origin", "*"])
    made = {"status": 200, "headers": headers}
    yield serve(
        "usual",
        "What is published is what everybody reads, for five minutes.",
        {"card": CARD},
        value={**made, "body": CARD},
    )
    full = card(
        jwk(not_before="2026-11-01T00:00:00Z"),
        jwk(OLD_KEY, "old", not_after="2026-11-01T00:06:00Z"),
        callbacks={"policy": [f"https://{HOST}/callback"]},
        methods=["urn:x"],
        subject_prefixes=["slack:"],
        expires_at="2026-12-01T00:00:00Z",
        motto="Hi",
    )
    yield serve("whole", "Times and unknown members are kept.", {"card": full}, value={**made, "body": full})
    lost = card(jwk(), jwk(OLD_KEY, "old", revoked_at="2026-11-01T00:00:00Z"))
    yield serve("revoked", "Everybody must hear of a revoked key.", {"card": lost}, value={**made, "body": lost})
    spoiled = "Whoever publishes a key of no use locks everybody out."
    for name, key in {
        "weak": {"kid": KID, "x": _point(1)},
        "no-key": {"kid": KID, "x": "slack"},
        "no-x": {"kid": KID, "x": None},
        "fault": {"kid": KID, "x": public(KEY), "fault": "key-use-mismatch"},
    }.items():
        yield serve(name, spoiled, {"card": CARD, "keys": [key]}, rejected={"code": "malformed"})
    twice = {"card": CARD, "keys": [{"kid": KID, "x": public(KEY)}] * 2}
    yield serve("same-kid", "One id names one key.", twice, rejected={"code": "malformed"})
    yield serve(
        "no-keys", "A card without keys shows nobody.", {"card": CARD, "keys": []}, rejected={"code": "malformed"}
    )


def _thumbprints() -> Iterator[Case]:
    known = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}

    def of(name: str, why: str, found: Case, **outcome: Any) -> Case:
        return one("thumbprint", name, "RFC 8037", why, {"jwk": found}, **outcome)

    value = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    yield of("known", "A pin is compared with it.", known, value=value)
    yield of("other-members", "Only the key counts, not its id.", {**known, "kid": "k", "use": "sig"}, value=value)
    yield of("another", "Another key has another one.", jwk(), value=thumbprint(public(KEY)))
    yield of("weak", "A weak key has none.", {**known, "x": _point(0)}, rejected={"code": "key-weak"})
    yield of("rsa", "A key of another kind has none here.", RSA, rejected={"code": "key-type-mismatch"})


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "card", "identity.verify", "Step 10: the card of the issuer.", _card()
    yield "key", "identity.verify", "Step 11: the key under that id.", _key()
    yield "small-order", "identity.verify", "Step 11: keys with which one signature fits many messages.", _small_order()
    yield "read-card", "identity.read_card", "What a Connector Card says.", _reading()
    yield "serve-card", "identity.serve_card", "How a connector publishes its card.", _serving()
    yield "thumbprint", "identity.thumbprint", "Thumbprints of keys, for pins.", _thumbprints()
