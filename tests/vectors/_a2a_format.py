"""Cases of how a token is spelled, by which algorithm it is signed, and what its header says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors._a2a_rows import refused, request, shown
from tests.vectors._a2a_tokens import (
    CLAIMS,
    ED,
    GONE,
    HEADER,
    NOW,
    P256,
    P384,
    RSA,
    RSA_OTHER,
    T,
    as_bytes,
    b64,
    issuer,
    jwk,
    keys,
    sign,
    signed,
    token,
    unb64,
)

if TYPE_CHECKING:
    from tests.vectors._a2a_rows import Case

GOOD = token()
HEAD, PAYLOAD, SIGNATURE = GOOD.split(".")


def _last_bit(text: str) -> str:
    """The same text with a bit that base64url leaves over: it decodes to the same bytes."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) + 1]


def spelling() -> list[Case]:
    """How the token is written down."""
    malformed, jws = "signature-malformed", "RFC 7515 5.2"
    standard = SIGNATURE.replace("-", "+").replace("_", "/")
    assert standard != SIGNATURE
    long = token(pad="x" * 20_000)
    rows = [
        ("two-segments", f"{HEAD}.{PAYLOAD}", "Without its signature a token is anybody's word."),
        (
            "four-segments",
            f"{GOOD}.{SIGNATURE}",
            "Whoever reads three of four segments reads another token than others.",
        ),
        ("five-segments", f"{HEAD}..{PAYLOAD}.{SIGNATURE}.x", "An encrypted token is none that is checked here."),
        ("one-word", "opaque-token", "A token that only its issuer can read says nothing by itself."),
        ("no-payload", f"{HEAD}..{SIGNATURE}", "A detached payload would be taken from elsewhere."),
        (
            "json-serialization",
            '{"protected":"x","payload":"x","signature":"x"}',
            "JWT has the compact form only; the other one carries several signatures and headers without any.",
        ),
        ("padding", f"{GOOD}==", "Two spellings of one token are two replay keys."),
        ("standard-alphabet", f"{HEAD}.{PAYLOAD}.{standard}", "The other alphabet is another spelling of one token."),
        (
            "junk-in-signature",
            f"{HEAD}.{PAYLOAD}.!{SIGNATURE}",
            "Readers that skip what they do not know can be fooled.",
        ),
        (
            "bits-left-over",
            f"{GOOD[:-1]}{_last_bit(GOOD)[-1]}",
            "Bits that nobody reads give one token many spellings.",
        ),
        ("one-character-more", f"{HEAD}.{PAYLOAD}.{SIGNATURE}AAA", "No bytes are written with that many characters."),
        (
            "tab-inside",
            f"{HEAD}.{PAYLOAD}\t.{SIGNATURE}",
            "Blanks inside a token make it another one for some readers.",
        ),
        ("header-not-json", signed("{", CLAIMS), "A header that cannot be read says nothing of the signature."),
        ("header-a-list", signed([HEADER], CLAIMS), "A header is an object."),
        ("header-deeply-nested", signed("[" * 9_000, CLAIMS), "Nesting without end brings readers down."),
        ("header-not-utf-8", signed(b'{"alg":"RS256","kid":"\xff"}', CLAIMS), "Broken text is read in several ways."),
    ]
    found = [refused(f"spelling/{name}", malformed, jws, why, text) for name, text, why in rows]
    twice = as_bytes(HEADER)[:-1] + b',"alg":"RS256"}'
    return [
        *found,
        refused(
            "spelling/too-long",
            "too-large",
            "RFC 8725 2.4",
            "Work on a token is done before anybody is known; so it is short. The signature of this one fits.",
            long,
        ),
        refused(
            "spelling/far-too-long",
            "too-large",
            "RFC 8725 2.4",
            "A hundred thousand characters are no token.",
            "a." * 50_000,
        ),
        refused(
            "spelling/header-member-twice",
            "duplicate-member",
            "RFC 7515 4",
            "Of two members with one name, each reader believes another one.",
            signed(twice, CLAIMS),
        ),
        shown(
            "spelling/nearly-too-long",
            "RFC 7519 7.2",
            "A token with many claims is a good token; issuers write group lists into them.",
            token(groups=["g" * 40] * 200),
        ),
    ]


def scheme() -> list[Case]:
    """How the token stands in the request."""
    bearer, why_not = "RFC 6750 2.1", "signature-malformed"
    nothing = request()
    return [
        refused(
            "scheme/no-header",
            "unsigned",
            bearer,
            "Who shows nothing is nobody, and that is not the same as a token that failed.",
            nothing,
        ),
        refused(
            "scheme/two-headers",
            "signature-ambiguous",
            bearer,
            "With two tokens a proxy before you may have checked the other one.",
            request(GOOD, token(sub="@mallory@a.example", private=RSA_OTHER)),
        ),
        refused(
            "scheme/two-in-one", why_not, bearer, "Two tokens joined by a comma are two.", f"{GOOD}, Bearer {GOOD}"
        ),
        refused("scheme/nothing-after-it", why_not, bearer, "A scheme alone shows nobody.", request("")),
        refused(
            "scheme/basic", "token-type-refused", bearer, "A password is no token.", request("YTpi", scheme="Basic ")
        ),
        refused(
            "scheme/dpop",
            "token-type-refused",
            "RFC 9449 7.1",
            "A token that is bound to a key counts with its proof alone, and nobody checked that.",
            request(GOOD, scheme="DPoP "),
        ),
        refused(
            "scheme/no-issuers",
            "issuer-unknown",
            "NM 5",
            "Where no issuer is believed, no token shows anybody, however well it is signed.",
            GOOD,
        )
        | {"given": {"now": NOW, "settings": {"token_issuers": []}}},
        shown(
            "scheme/lower-case",
            "RFC 9110 11.1",
            "The name of a scheme has no case; some clients write it small.",
            request(GOOD, scheme="bearer "),
        ),
    ]


def algorithms() -> list[Case]:
    """Which algorithm is named, and which key goes with it."""
    refusal, jwa = "algorithm-refused", "RFC 8725 3.1"
    pem = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    modulus = jwk(RSA, "k1")["n"].encode()
    secret = {"kty": "oct", "kid": "shared", "k": b64(b"secret" * 8)}
    both = issuer(keys=keys(jwk(RSA, "k1"), secret))
    confused = "Who takes a public key for a shared secret lets everybody sign."
    rows: list[tuple[str, str, str, tuple[Case, ...]]] = [
        ("none", token({"alg": "none"}, algorithm="none"), "A token without signature is anybody's word.", ()),
        ("none-mixed-case", token({"alg": "nOnE"}, algorithm="none"), "A check for one spelling lets others pass.", ()),
        (
            "none-but-signed",
            token({"alg": "none"}),
            "The algorithm is what the header says, and this one is no signature.",
            (),
        ),
        ("missing", token({"alg": GONE}), "Without an algorithm each reader chooses one.", ()),
        ("a-list", token({"alg": ["RS256"]}), "An algorithm is named by one word.", ()),
        ("lower-case", token({"alg": "rs256"}), "Algorithms are compared exactly.", ()),
        ("hmac-with-pem", token({"alg": "HS256"}, pem, "HS256"), confused, ()),
        ("hmac-with-modulus", token({"alg": "HS256"}, modulus, "HS256"), confused, ()),
        ("hmac-with-empty-key", token({"alg": "HS256"}, b"", "HS256"), "An empty secret is known to all.", ()),
        (
            "hmac-with-published-secret",
            token({"alg": "HS256", "kid": "shared"}, b"secret" * 8, "HS256"),
            "A secret that stands in a published document is none.",
            (both,),
        ),
        ("not-of-the-issuer", token({"alg": "RS512"}, algorithm="RS512"), "The issuer never signs by this one.", ()),
        (
            "of-another-issuer",
            token({"alg": "ES256", "kid": "p256"}, P256, "ES256"),
            "What one issuer may use, another may not.",
            (
                issuer(keys=keys(jwk(P256, "p256")), algorithms=["RS256"]),
                issuer(issuer="https://other.example/", keys=keys(jwk(P256, "p256"))),
            ),
        ),
        (
            "curve-for-rsa-key",
            token({"alg": "ES256"}, P256, "ES256"),
            "The key decides which algorithms it goes with, not the token.",
            (),
        ),
        (
            "pss-for-pkcs-key",
            token({"alg": "PS256"}, algorithm="PS256"),
            "A key that names its algorithm is used with no other.",
            (issuer(keys=keys(jwk(RSA, "k1", alg="RS256"))),),
        ),
        (
            "other-curve",
            token({"alg": "ES256", "kid": "p384"}, P384, "ES256"),
            "ES256 is of one curve; on another one it is no signature that anybody proved.",
            (issuer(keys=keys(jwk(P384, "p384"))),),
        ),
        (
            "key-of-edwards-for-rsa",
            token({"kid": "ed"}),
            "The key decides which algorithms it goes with, not the token.",
            (issuer(keys=keys(jwk(ED, "ed"))),),
        ),
    ]
    return [refused(f"algorithm/{name}", refusal, jwa, why, text, *issuers) for name, text, why, issuers in rows]


def headers() -> list[Case]:
    """What else the header says."""
    own = jwk(RSA_OTHER, "k1")
    forbidden = "header-forbidden"
    brings = "A token that brings its own key is signed by anybody; nothing may be taken or fetched from there."
    rows: list[tuple[str, Any, str, str]] = [
        ("jwk", own, "RFC 7515 4.1.3", brings),
        ("jku", "https://evil.example/jwks.json", "RFC 7515 4.1.2", brings),
        ("x5u", "https://evil.example/cert.pem", "RFC 7515 4.1.5", brings),
        ("x5c", ["MIIB"], "RFC 7515 4.1.6", brings),
        ("crit", ["exp2"], "RFC 7515 4.1.11", "What a token calls critical and nobody knows cannot be left out."),
        ("b64", False, "RFC 7797 6", "It changes what is signed, and then two readers see two payloads."),
    ]
    found = [
        refused(f"header/{name}", forbidden, section, why, token({name: value}), must_not_ask=["GET *"])
        for name, value, section, why in rows
    ]
    found.append(
        refused(
            "header/jwk-that-fits",
            forbidden,
            "RFC 7515 4.1.3",
            "The signature fits the key that the token brings, which proves nothing.",
            token({"jwk": own}, RSA_OTHER),
        )
    )
    kid, unknown, compared = (
        "RFC 7515 4.1.4",
        "key-unknown",
        "The name of a key is compared, and never used in a path, a query or a URL.",
    )
    both = issuer(keys=keys(jwk(RSA, "k1"), jwk(RSA_OTHER, "k2")))
    return [
        *found,
        refused("kid/missing", unknown, kid, "Without a name keys would be tried one by one.", token({"kid": GONE})),
        refused("kid/null", unknown, kid, "Null names no key.", token({"kid": None})),
        refused("kid/unknown", unknown, kid, "A key that nobody publishes signs nothing.", token({"kid": "k9"})),
        refused("kid/other-case", unknown, kid, "Names of keys are compared exactly.", token({"kid": "K1"})),
        refused("kid/path", unknown, kid, compared, token({"kid": "../../dev/null"}), must_not_ask=["GET *"]),
        refused("kid/query", unknown, kid, compared, token({"kid": "' OR 1=1 --"}), must_not_ask=["GET *"]),
        refused("kid/url", unknown, kid, compared, token({"kid": "https://evil.example/k"}), must_not_ask=["GET *"]),
        refused("kid/line-end", unknown, kid, "A name with a line end is another name.", token({"kid": "k1\n"})),
        refused(
            "kid/a-list", "signature-malformed", kid, "A key has one name, and it is text.", token({"kid": ["k1"]})
        ),
        refused("kid/a-number", "signature-malformed", kid, "A key has one name, and it is text.", token({"kid": 1})),
        refused(
            "kid/of-another-key",
            "bad-signature",
            kid,
            "Only the key that is named may have signed; another one of the same issuer does not count.",
            token({"kid": "k2"}),
            both,
        ),
        shown(
            "kid/one-of-several",
            kid,
            "Issuers publish the next key beside the one in use.",
            token({"kid": "k2"}, RSA_OTHER),
            both,
            key_id="k2",
        ),
    ]


def signatures() -> list[Case]:
    """Signatures that do not fit."""
    bad, section = "bad-signature", "RFC 7515 5.2"
    curve = issuer(keys=keys(jwk(P256, "p256"), jwk(ED, "ed")))
    curved = signed({**HEADER, "alg": "ES256", "kid": "p256"}, CLAIMS, P256, "ES256")
    edwards = signed({**HEADER, "alg": "EdDSA", "kid": "ed"}, CLAIMS, ED, "EdDSA")
    raw = unb64(curved.rpartition(".")[2])
    body = curved.rpartition(".")[0]
    der = b"\x30\x44\x02\x20" + raw[:32] + b"\x02\x20" + raw[32:]
    other = b64(as_bytes({**CLAIMS, "sub": "@mallory@a.example"}))
    flipped = bytearray(unb64(SIGNATURE))
    flipped[7] ^= 1
    typed = b64(as_bytes({**HEADER, "x": 1}))
    edge = edwards.rpartition(".")
    rows: list[tuple[str, str, str, tuple[Case, ...]]] = [
        ("one-bit", f"{HEAD}.{PAYLOAD}.{b64(bytes(flipped))}", "One bit of the signature is not as it was signed.", ()),
        ("other-payload", f"{HEAD}.{other}.{SIGNATURE}", "The claims are not those that were signed.", ()),
        ("other-header", f"{typed}.{PAYLOAD}.{SIGNATURE}", "The header is signed as well.", ()),
        ("other-key", token(private=RSA_OTHER), "Somebody else's key has signed under the name of this one.", ()),
        ("empty", f"{HEAD}.{PAYLOAD}.", "No signature is a signature that does not fit.", ()),
        ("cut-short", f"{HEAD}.{PAYLOAD}.{b64(unb64(SIGNATURE)[:-1])}", "A signature has the length of its key.", ()),
        (
            "other-padding",
            f"{HEAD}.{PAYLOAD}.{b64(sign('PS256', RSA, GOOD.rpartition('.')[0].encode()))}",
            "A signature by PSS is none by RS256.",
            (),
        ),
        ("curve-zeros", f"{body}.{b64(bytes(64))}", "Zeros fit everything where nobody looks.", (curve,)),
        (
            "curve-der",
            f"{body}.{b64(der)}",
            "JWS writes both numbers one after the other; DER is another spelling.",
            (curve,),
        ),
        ("curve-longer", f"{body}.{b64(raw + bytes(1))}", "A signature of this curve has 64 bytes.", (curve,)),
        (
            "edwards-cut-short",
            f"{edge[0]}.{b64(unb64(edge[2])[:-1])}",
            "A signature of Ed25519 has 64 bytes.",
            (curve,),
        ),
        (
            "before-the-claims",
            signed(HEADER, "{", RSA_OTHER),
            "Nothing of a payload is read before its signature fits: this one is no JSON.",
            (),
        ),
        (
            "before-the-time",
            token(private=RSA_OTHER, exp=T - 9_999),
            "What a forged token says of itself is not worth an answer of its own.",
            (),
        ),
    ]
    return [refused(f"signature/{name}", bad, section, why, text, *issuers) for name, text, why, issuers in rows]
