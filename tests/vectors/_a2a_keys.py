"""Cases of the keys: which ones may sign, and how they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._a2a_rows import fetched, given, published, refused, shown
from tests.vectors._a2a_tokens import (
    ED,
    GONE,
    HEADER,
    JWKS_URL,
    OTHER,
    P256,
    RSA,
    RSA_1024,
    RSA_OTHER,
    b64,
    issuer,
    jwk,
    keys,
    signed,
    token,
)

if TYPE_CHECKING:
    from tests.vectors._a2a_rows import Case

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
GOOD = token()
KEYS = {"json": keys()}
ROTATED = {"json": keys(jwk(RSA_OTHER, "k0"))}
REPLACED = {"json": keys(jwk(RSA_OTHER, "k1"))}


def fitness() -> list[Case]:
    """Keys that may not sign."""
    jwks, weak = "RFC 7517 4", "RFC 8725 3.5"
    secret = {"kty": "oct", "kid": "k1", "k": b64(b"secret" * 8)}
    point = {**jwk(P256, "p256"), "y": b64(bytes(31) + b"\x01")}
    curved = token({"alg": "ES256", "kid": "p256"}, P256, "ES256")
    edwards = {"kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": b64(b"\x01" + bytes(31))}
    small = token({"alg": "EdDSA", "kid": "ed"}, algorithm="none") + b64(b"\x01" + bytes(63))
    x, odd = jwk(ED, "ed")["x"], "A key has one spelling: whoever compares keys by their text must not be misled."
    ed25519 = token({"alg": "EdDSA", "kid": "ed"}, ED, "EdDSA")
    rows: list[tuple[str, str, str, str, str, tuple[Any, ...]]] = [
        (
            "two-of-one-name",
            "key-unknown",
            jwks,
            "Which of two keys is meant depends on their order.",
            GOOD,
            (jwk(RSA, "k1"), jwk(RSA_OTHER, "k1")),
        ),
        (
            "a-secret",
            "key-unknown",
            jwks,
            "A shared secret is no public key, and everybody can read it there.",
            GOOD,
            (secret,),
        ),
        (
            "for-encryption",
            "key-unknown",
            "RFC 7517 4.2",
            "A key for encryption is kept by others than one for signatures.",
            GOOD,
            (jwk(RSA, "k1", use="enc"),),
        ),
        (
            "operations-of-encryption",
            "key-unknown",
            "RFC 7517 4.3",
            "A key says what it may be used for.",
            GOOD,
            (jwk(RSA, "k1", use=GONE, key_ops=["encrypt"]),),
        ),
        (
            "short-rsa",
            "key-refused",
            weak,
            "A key of 1024 bits can be broken.",
            token({"kid": "short"}, RSA_1024),
            (jwk(RSA_1024, "short"),),
        ),
        ("even-exponent", "key-refused", weak, "No RSA key has an even exponent.", GOOD, (jwk(RSA, "k1", e="Ag"),)),
        (
            "exponent-one",
            "key-refused",
            weak,
            "With this exponent everything is its own signature.",
            GOOD,
            (jwk(RSA, "k1", e="AQ"),),
        ),
        ("no-modulus", "key-refused", jwks, "A key without its number is none.", GOOD, (jwk(RSA, "k1", n=GONE),)),
        (
            "huge-modulus",
            "key-refused",
            weak,
            "A key of 60000 bits costs whoever checks with it.",
            GOOD,
            (jwk(RSA, "k1", n=b64(b"\xff" * 7_500)),),
        ),
        *[
            (f"other-spelling-{name}", "key-refused", "RFC 7515 2", odd, ed25519, (jwk(ED, "ed", x=spelled),))
            for name, spelled in (
                ("skipped-characters", f"{x[:5]}!!!!{x[5:]}"),
                ("padding", f"{x}="),
                ("standard-alphabet", f"{x[:5]}+{x[6:]}"),
                ("line-end", f"{x}\n"),
                ("last-bits", x[:-1] + _ALPHABET[_ALPHABET.index(x[-1]) + 1]),
            )
        ],
        (
            "two-spellings",
            "key-refused",
            "RFC 7515 2",
            odd,
            ed25519,
            (jwk(ED, "ed"), jwk(ED, "ed", x=f"{x}=")),
        ),
        ("point-off-the-curve", "key-refused", weak, "A point that is not on the curve is no key.", curved, (point,)),
        ("small-order", "key-refused", weak, "One signature of such a key fits every token.", small, (edwards,)),
    ]
    found = [
        refused(f"key/{name}", code, section, why, text, issuer(keys=keys(*jwks_keys)))
        for name, code, section, why, text, jwks_keys in rows
    ]
    whole, told = jwk(RSA, "k1"), "Whoever publishes the private half lets everybody sign."
    return [
        *found,
        *(
            refused(
                f"key/private-{name}-published",
                "key-refused",
                "RFC 7517 9.2",
                told,
                GOOD,
                fetched(),
                lookups=published({"json": keys({**whole, member: "AQAB"})}),
            )
            for name, member in (("half", "d"), ("prime", "p"))
        ),
        refused(
            "key/issuer-without-keys",
            "key-unknown",
            "NM 5",
            "An issuer who is asked about each token signs none that can be checked here.",
            GOOD,
            issuer(keys=GONE),
        ),
        shown(
            "key/same-key-twice",
            "RFC 7517 5",
            "A key that is listed once more is no other key.",
            GOOD,
            issuer(keys=keys(jwk(RSA, "k1"), jwk(RSA, "k1"), jwk(RSA, "k1", use=GONE, key_ops=["verify"]))),
        ),
        refused(
            "key/same-key-twice-once-private",
            "key-refused",
            "RFC 7517 9.2",
            "A key whose private half is published anywhere in the set signs for everybody.",
            GOOD,
            fetched(),
            lookups=published({"json": keys(whole, {**whole, "d": "AQAB"})}),
        ),
        shown(
            "key/beside-strange-ones",
            "RFC 7517 5",
            "Keys of kinds that nobody here knows stand beside those that sign.",
            GOOD,
            issuer(keys=keys({"kty": "AKP", "kid": "pq"}, secret | {"kid": "s"}, "no key", jwk(RSA, "k1"))),
        ),
        shown(
            "key/same-name-other-use",
            "RFC 7517 4.2",
            "Only one of both may sign, so it is clear which one is meant.",
            GOOD,
            issuer(keys=keys(jwk(RSA_OTHER, "k1", use="enc"), jwk(RSA, "k1"))),
        ),
        shown(
            "key/operations-of-signing",
            "RFC 7517 4.3",
            "A key may say that it verifies.",
            GOOD,
            issuer(keys=keys(jwk(RSA, "k1", use=GONE, key_ops=["verify"], alg="RS256"))),
        ),
    ]


def publication() -> list[Case]:
    """Keys that are asked for."""
    fresh = "R24"
    return [
        shown(
            "jwks/asked-for",
            "NM 5",
            "Issuers change their keys; so they are asked for, once.",
            GOOD,
            fetched(),
            lookups=published(KEYS),
            max_asks=1,
        ),
        shown(
            "jwks/rotated",
            fresh,
            "The keys at hand are older than the token; the new ones lie past the cache.",
            GOOD,
            fetched(),
            lookups=published(ROTATED, KEYS),
            max_asks=2,
        ),
        shown(
            "jwks/replaced",
            fresh,
            "A key was replaced under its name; the new one lies past the cache.",
            GOOD,
            fetched(),
            lookups=published(REPLACED, KEYS),
            max_asks=2,
        ),
        shown(
            "jwks/gone-and-back",
            fresh,
            "A cache may remember that there were no keys.",
            GOOD,
            fetched(),
            lookups=published({"status": 404}, KEYS),
            max_asks=2,
        ),
        shown(
            "jwks/not-past-the-cache",
            fresh,
            "Keys at hand are good enough; the issuer is not asked for every token.",
            GOOD,
            fetched(),
            lookups=published(KEYS, {"failed": "down", "temporary": True}),
            max_asks=1,
        ),
        shown(
            "jwks/media-type-of-keys",
            "RFC 7517 8.5",
            "Keys have a media type of their own.",
            GOOD,
            fetched(),
            lookups=published({**KEYS, "content_type": "application/jwk-set+json"}),
        ),
        shown(
            "jwks/media-type-in-capitals",
            "RFC 9110 8.3.1",
            "Media types have no case, and may have parameters.",
            GOOD,
            fetched(),
            lookups=published({**KEYS, "content_type": "Application/JSON; charset=utf-8"}),
        ),
        shown(
            "jwks/moved-on-its-host",
            "NM 5",
            "A server may move its keys on its own host.",
            GOOD,
            fetched(),
            lookups=published({**KEYS, "url": "https://login.example/v2/keys"}),
        ),
        *_unanswered(),
        *_not_asked(),
    ]


def _unanswered() -> list[Case]:
    """Answers that hold no keys."""
    missing, unknown = "key-unresolvable", "key-unknown"
    rows: list[tuple[str, str, str, bool, tuple[Any, ...]]] = [
        (
            "unknown-twice",
            unknown,
            "Once past the cache is enough: names that nobody knows cost the issuer no more.",
            False,
            (ROTATED, ROTATED),
        ),
        (
            "forged-twice",
            "bad-signature",
            "Once past the cache is enough: forged tokens cost the issuer no more.",
            False,
            (REPLACED, REPLACED),
        ),
        ("gone", unknown, "Who publishes no keys signs nothing.", False, ({"status": 404},)),
        ("gone-for-good", unknown, "Who publishes no keys any more signs nothing.", False, ({"status": 410},)),
        (
            "down",
            missing,
            "A server that is down today has keys tomorrow; the token may be tried again.",
            True,
            ({"status": 503},),
        ),
        ("moved-on", missing, "Only an answer that holds the document has keys.", False, ({**KEYS, "status": 202},)),
        (
            "no-answer",
            missing,
            "Who cannot be asked now may be asked later.",
            True,
            ({"failed": "timed out", "temporary": True},),
        ),
        (
            "no-answer-ever",
            missing,
            "Trying again is of no use, and the caller must know.",
            False,
            ({"failed": "no such host", "temporary": False},),
        ),
        (
            "fresh-no-answer",
            missing,
            "The new keys could not be had just now; the token may be good.",
            True,
            (ROTATED, {"failed": "timed out", "temporary": True}),
        ),
        (
            "of-another-host",
            missing,
            "A redirect to another host makes that host the issuer.",
            False,
            ({**KEYS, "url": "https://evil.example/jwks.json"},),
        ),
        (
            "without-tls",
            missing,
            "Whoever sits on the way could have given these keys.",
            False,
            ({**KEYS, "url": "http://login.example/jwks.json"},),
        ),
        (
            "a-page",
            missing,
            "Uploads of users are served as pages and texts; keys are served as JSON.",
            False,
            ({**KEYS, "content_type": "text/html"},),
        ),
        (
            "no-media-type",
            missing,
            "What the server does not call JSON may be anybody's upload.",
            False,
            ({"body": "{}"},),
        ),
        (
            "not-json",
            missing,
            "What cannot be read holds no keys.",
            False,
            ({"body": "{", "content_type": "application/json"},),
        ),
        ("no-set", missing, "A document without a list of keys is no JWKS.", False, ({"json": jwk(RSA, "k1")},)),
        (
            "member-twice",
            missing,
            "Of two lists of keys each reader believes another one.",
            False,
            ({"body": '{"keys":[],"keys":[]}', "content_type": "application/json"},),
        ),
    ]
    return [
        refused(
            f"jwks/{name}",
            code,
            "R24" if len(answers) > 1 else "NM 5",
            why,
            GOOD,
            fetched(),
            lookups=published(*answers),
            temporary=temporary,
            max_asks=2,
        )
        for name, code, why, temporary, answers in rows
    ]


def _not_asked() -> list[Case]:
    """Tokens for which nobody is asked."""
    two = (fetched(), issuer(issuer=OTHER, keys=keys(jwk(RSA_OTHER, "k1")), subject_domains=["b.example"]))
    why = "Whoever is nobody could make you ask others, as often as they like."
    third = token(private=RSA_OTHER, iss="https://third.example/")
    rows: list[tuple[str, str, str, tuple[Case, ...]]] = [
        ("unknown-issuer", "issuer-unknown", third, two),
        ("no-issuer", "claim-missing", token(iss=GONE), two),
        ("none-but-one-issuer", "issuer-unknown", third, two[:1]),
        ("no-claims", "claim-malformed", signed(HEADER, "{"), two[:1]),
        ("of-the-other-issuer", "bad-signature", token(iss=OTHER, sub="@bob@b.example"), two),
        ("malformed", "signature-malformed", "a.b", two[:1]),
        ("too-long", "too-large", "a." * 10_000, two[:1]),
        ("no-signature", "algorithm-refused", token({"alg": "none"}, algorithm="none"), two[:1]),
        ("own-address-of-keys", "header-forbidden", token({"jku": JWKS_URL}), two[:1]),
        ("other-type", "token-type-refused", token({"typ": "JWT"}), two[:1]),
        ("no-key-named", "key-unknown", token({"kid": GONE}), two[:1]),
    ]
    return [
        refused(f"asks/{name}", code, "NM 5", why, text, *issuers, lookups=published(KEYS), must_not_ask=["GET *"])
        for name, code, text, issuers in rows
    ] + [
        refused(
            "asks/issuer-is-no-address",
            "issuer-unknown",
            "NM 5",
            "An issuer is compared; nothing is fetched from where a token says that its issuer lives.",
            third,
            issuer(),
            issuer(issuer=OTHER),
            must_not_ask=["GET *"],
        ),
        refused(
            "asks/budget",
            "key-unresolvable",
            "R24",
            "Who allows one question to the network is not made to ask two.",
            GOOD,
            fetched(),
            lookups=published(ROTATED, KEYS),
            max_asks=1,
        )
        | {"given": given(fetched(), lookups=published(ROTATED, KEYS), limits={"asks": 1})},
        refused(
            "jwks/too-large",
            "key-unresolvable",
            "NM 5",
            "A document without end costs whoever reads it; the host says how long one may be.",
            GOOD,
        )
        | {"given": given(fetched(), lookups=published(KEYS), limits={"fetched_bytes": 100})},
    ]
