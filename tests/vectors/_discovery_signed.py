"""A2A cards that are signed: `conformance/v0.1/discovery/a2a-signed*.json`.

Canonical bytes are made here by hand or by code of these modules. Two signatures that are another one each time are
kept as text, and two cards are those that a2a-sdk 1.3.0 and 0.3.26 signed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256

from tests.vectors import KEYS, ROOT
from tests.vectors._a2a_tokens import ED, P256, P384, RSA, RSA_1024, RSA_OTHER, b64, jwk
from tests.vectors._discovery_rows import A2A, DOMAIN, GONE, HOME, OLD, V03, V1, Case, changed, one, refused
from tests.vectors._policy_rows import jcs

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTION: Final = "A2A 1.0 8.4"
ED_KEY: Final = jwk(ED, "ed", alg="EdDSA")
RSA_KEY: Final = jwk(RSA, "rsa")
P256_KEY: Final = jwk(P256, "k1")
P384_KEY: Final = jwk(P384, "p384")
ALL: Final = (ED_KEY, RSA_KEY, P256_KEY, P384_KEY)
PRIVATE: Final[dict[str, Any]] = {"ed": ED, "rsa": RSA}

KEPT: Final = {
    "PS256": (
        "uQcnGCQIdAmyBFnl-X7qbfZQppQhSus63_RqTa0VLcZRfskZU8t21PxZFUuDiqsYLThzgNPUKaxbUmewTlAj5g8fllGDpiErEUZb"
        "flNGhXMC_FIXYbLqVYZ4nc8Z6i2YgwhqpF_y4nbxNT1FZMX9XR4JsBi3jQHBssGI4FM2Kjkz-hd7ZnQ_kfObX_ZG10ks4krOw_Fc"
        "sfWj6K-vLhttjAfhvPznr7_FHC9t7G7gIO9uetwYZ7GjTJ71x9SBf8AC4rD-H7MDdlaVQvrqWnjVL1n6cVNKnQ0937rAGXbaJEwX"
        "jWvKMtxWlPnm4mEvzNvCXk-RnHE5BoCz4r3e_ieXJA"
    ),
    "ES384": (
        "X0NL7HsdQR18nUKEXGhuSRQOB_LOOVV5Tm0X6ctojbBZXAHWd2Yp3fvh6RvW-NTBZL-ZKlPUk9yHepnaNQgF2ETEYqqvoZq14Pf6"
        "6-yW5t3DbhnWHfAEofZRrYG0CQKY"
    ),
}
"""Signatures over the usual card by `rsa` and `p384`."""


def header(alg: str = "EdDSA", kid: str | None = "ed", typ: str | None = "JOSE", **members: Any) -> str:
    """A protected header."""
    named = {"alg": alg, "kid": kid, "typ": typ, **members}
    return b64(json.dumps({name: value for name, value in named.items() if value is not None}).encode())


def sign(protected: str, canonical: bytes, private: Any) -> str:
    """A signature by Ed25519 or RS256."""
    data = f"{protected}.{b64(canonical)}".encode()
    if isinstance(private, Ed25519PrivateKey):
        return b64(private.sign(data))
    return b64(private.sign(data, padding.PKCS1v15(), SHA256()))


def signature(canonical: bytes | Case, protected: str = "", private: Any = ED) -> Case:
    """An entry of `signatures`, by the usual key unless it is said otherwise."""
    protected = protected or header()
    data = canonical if isinstance(canonical, bytes) else jcs(canonical)
    return {"protected": protected, "signature": sign(protected, data, private)}


def with_signatures(*signatures: Any, card: Case = A2A) -> Case:
    """A card with these signatures."""
    return {**card, "signatures": list(signatures)}


GOOD: Final = signature(A2A)
SIGNED: Final = with_signatures(GOOD)


def unit(card: Any, *keys: Case, **members: Any) -> Case:
    """What is verified, with these keys of its domain, the usual ones when none is named."""
    return {"card": card, "card_keys": {DOMAIN: {"keys": list(keys or ALL)}}, **members}


def shown(
    name: str, why: str, card: Any, document: Case = A2A, *keys: Case, algorithm: str = "EdDSA", **beside: Any
) -> Case:
    """A card that is signed, and the part that is."""
    members = beside.pop("unit", {})
    value = {
        "key_id": beside.pop("key_id", "ed"),
        "algorithm": algorithm,
        "form": beside.pop("form", "without-empties"),
        "document": document,
    }
    return one("a2a-signed", name, SECTION, why, unit(card, *keys, **members), value=value, flags=["honest"], **beside)


def sample(name: str) -> Case:
    """A card that a library of others signed."""
    found: Case = json.loads((ROOT / "tests" / "discovery" / "samples" / f"{name}_signed_card.json").read_text())
    return found


def algorithms() -> Iterator[Case]:
    """Cards that are signed in the usual way, by every family of keys."""
    why = "Whoever has the key of the domain may sign."
    yield shown("eddsa", why, SIGNED)
    full = header("Ed25519")
    yield shown(
        "ed25519",
        "The algorithm has two names.",
        with_signatures(signature(A2A, full)),
        A2A,
        jwk(ED, "ed"),
        algorithm="Ed25519",
    )
    name = "A key may have either name, whichever the signature has (RFC 9864)."
    yield shown("eddsa-by-an-ed25519-key", name, SIGNED, A2A, {**ED_KEY, "alg": "Ed25519"})
    yield shown(
        "ed25519-by-an-eddsa-key", name, with_signatures(signature(A2A, full)), A2A, ED_KEY, algorithm="Ed25519"
    )
    rsa = signature(A2A, header("RS256", "rsa"), RSA)
    yield shown("rs256", why, with_signatures(rsa), algorithm="RS256", key_id="rsa")
    for algorithm, kid in (("PS256", "rsa"), ("ES384", "p384")):
        kept = {"protected": header(algorithm, kid), "signature": KEPT[algorithm]}
        yield shown(algorithm.lower(), why, with_signatures(kept), algorithm=algorithm, key_id=kid)
    py1 = sample("py1")
    gone = (
        "signatures",
        "url",
        "preferredTransport",
        "protocolVersion",
        "security",
        "securityRequirements",
        "description",
    )
    covered = {name: member for name, member in py1.items() if name not in gone}
    covered["securitySchemes"] = {"jwt": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}}}
    extension = dict(covered["capabilities"]["extensions"][0])
    extension.pop("required", None)
    covered["capabilities"] = {**covered["capabilities"], "extensions": [extension]}
    yield shown(
        "a2a-sdk-v1", "Cards of the library for Python are signed so.", py1, covered, algorithm="ES256", key_id="k1"
    )
    py03 = sample("py03")
    covered = {
        name: member
        for name, member in py03.items()
        if name not in ("signatures", "capabilities", "defaultOutputModes")
    }
    covered["securitySchemes"] = {name: one for name, one in py03["securitySchemes"].items() if name != "m"}
    covered |= {"security": [{"o": ["s"]}], "skills": [changed(py03["skills"][0], tags=GONE)]}
    why = "Cards of the older library for Python are signed so."
    yield shown("a2a-sdk-v03", why, py03, covered, algorithm="ES256", key_id="k1", form="without-defaults")


def forms() -> Iterator[Case]:
    """What is covered, and in which form."""
    empties = {**A2A, "description": "", "skills": []}
    less = changed(A2A, description=GONE, skills=GONE)
    yield shown(
        "empties-left-out",
        "Both libraries leave out what is empty.",
        with_signatures(signature(less), card=empties),
        less,
    )
    kept = with_signatures(signature(empties), card={**empties, "iconUrl": None})
    yield shown("empties-kept", "The text keeps what is required.", kept, empties, form="with-required-empties")
    why = "What is not covered may have been written by anybody."
    legacy = {"url": "https://evil.example/a2a", "preferredTransport": "JSONRPC", "protocolVersion": "0.3"}
    yield shown("legacy-url", why, {**SIGNED, **legacy})
    yield shown(
        "legacy-interfaces",
        why,
        {**SIGNED, "additionalInterfaces": [{"url": "https://evil.example", "transport": "X"}]},
    )
    yield shown("unknown-member", why, {**SIGNED, "later": {"url": "https://evil.example"}})
    yield shown("unknown-inside", why, changed(SIGNED, capabilities__later=True))
    yield shown("empty-need", why, {**SIGNED, "securityRequirements": [{"schemes": {"evil": {"list": []}}}]})
    yield shown("needs-of-v03", why, {**SIGNED, "security": [{"evil": ["x"]}]})
    params = {"uri": "https://x.example", "params": {"a": 1, "b": [True], "e": "é"}}
    rich = changed(A2A, capabilities={"streaming": False, "extensions": [params]})
    floats = {**params, "required": False, "params": {**params["params"], "a": 1.0, "empty": "", "none": None}}
    came = changed(A2A, capabilities={"streaming": False, "extensions": [floats]})
    yield shown(
        "as-protobuf-writes",
        "A number is written as a float on the way, and defaults come along.",
        with_signatures(signature(rich), card=came),
        rich,
    )
    yield shown("order", "The order of members means nothing.", dict(reversed(SIGNED.items())))
    older = jcs(OLD)
    yield shown("v03", "Cards of v0.3 may be signed too.", with_signatures(signature(older), card=OLD), OLD)


def signatures() -> Iterator[Case]:
    """One signature that fits is enough, whatever stands beside it."""
    why = "One signature that fits is enough."
    yield shown("second", why, with_signatures(signature(b"{}"), {}, GOOD))
    yield shown("unknown-key-first", why, with_signatures(signature(A2A, header(kid="x")), GOOD))
    elsewhere = header(jku="https://evil.example/jwks.json")
    yield shown("jku", "Where keys are said to lie is not followed.", with_signatures(signature(A2A, elsewhere)))
    yield shown("no-typ", "A type may be missing.", with_signatures(signature(A2A, header(typ=None))))
    yield shown("typ-in-lower-case", "A type has no case.", with_signatures(signature(A2A, header(typ="jose"))))
    yield shown(
        "unprotected-header",
        "What is not signed counts for nothing.",
        with_signatures({**GOOD, "header": {"kid": "x", "alg": "none", "jku": "https://evil.example"}}),
    )


def refusal(name: str, why: str, code: str, card: Any, *keys: Case, **members: Any) -> Case:
    """A card that must not be believed."""
    return refused("a2a-signed-refused", name, SECTION, why, unit(card, *keys, **members), code)


def tampered() -> Iterator[Case]:
    """Cards that were changed after they were signed."""
    why = "What is covered cannot be changed."
    invalid = "agent-card-signature-invalid"
    for name, card in (
        ("name", {**SIGNED, "name": "Other"}),
        ("url", changed(SIGNED, supportedInterfaces=[{**V1, "url": "https://evil.example/a2a"}, V03])),
        ("order-of-interfaces", changed(SIGNED, supportedInterfaces=[V03, V1])),
        ("one-more-interface", changed(SIGNED, supportedInterfaces=[V1, V03, {**V1, "url": "https://evil.example"}])),
        ("new-icon", {**SIGNED, "iconUrl": "https://evil.example/i.png"}),
        ("new-need", {**SIGNED, "securityRequirements": [{"schemes": {"evil": {"list": ["x"]}}}]}),
        ("no-skills", changed(SIGNED, skills=GONE)),
        ("false-for-true", changed(SIGNED, capabilities={"streaming": False})),
        ("other-version-of-card", {**with_signatures(signature(OLD)), **OLD, "supportedInterfaces": [V1]}),
    ):
        yield refusal(f"changed-{name}", why, invalid, card)
    py1, py03 = sample("py1"), sample("py03")
    yield refusal("changed-a2a-sdk-v1", why, invalid, {**py1, "name": "Echo Agent"})
    yield refusal("changed-a2a-sdk-v03", why, invalid, {**py03, "url": "https://evil.example/a2a"})
    yield refusal(
        "other-header", "The header is signed too.", invalid, with_signatures({**GOOD, "protected": header(x=1)})
    )
    yield refusal("other-key", "A name is no key.", invalid, SIGNED, {**ED_KEY, "x": b64(bytes([1] * 31 + [64]))})
    yield refusal(
        "payload-only",
        "The header is signed too.",
        invalid,
        with_signatures({**GOOD, "signature": b64(ED.sign(b64(jcs(A2A)).encode()))}),
    )


def headers() -> Iterator[Case]:
    """Signatures that cannot be followed."""
    malformed = "agent-card-signature-malformed"
    why = "A signature is read in one way or not at all."
    for name, entry in (
        ("text", "x"),
        ("no-signature", changed(GOOD, signature=GONE)),
        ("no-header", changed(GOOD, protected=GONE)),
        ("padded", {**GOOD, "protected": GOOD["protected"] + "="}),
        ("padded-signature", {**GOOD, "signature": GOOD["signature"] + "=="}),
        ("header-no-json", {**GOOD, "protected": b64(b"{")}),
        ("header-array", {**GOOD, "protected": b64(b"[]")}),
        ("header-twice", {**GOOD, "protected": b64(b'{"alg":"EdDSA","kid":"x","kid":"ed"}')}),
        ("no-kid", signature(A2A, header(kid=None))),
        ("empty-kid", signature(A2A, header(kid=""))),
        ("trailing-bits", {**GOOD, "signature": GOOD["signature"][:-1] + chr(ord(GOOD["signature"][-1]) + 1)}),
    ):
        yield refusal(name, why, malformed, with_signatures(entry))
    yield refusal("many", "Nobody needs so many.", malformed, with_signatures(*[{}] * 8, GOOD))
    yield refusal("no-array", why, malformed, {**A2A, "signatures": GOOD})
    for name in ("jwk", "x5c", "x5u", "crit", "b64"):
        why = "A key that comes along shows nothing, and nobody changes the rules."
        code = "agent-card-header-forbidden"
        yield refusal(name, why, code, with_signatures(signature(A2A, header(**{name: ["x"]}))))
    why = "What was signed for another use shows nothing here."
    for name, kind in (("jwt", "JWT"), ("access-token", "at+jwt")):
        yield refusal(name, why, "agent-card-type-refused", with_signatures(signature(A2A, header(typ=kind))))
    for name, algorithm in (("none", "none"), ("hs256", "HS256"), ("no-algorithm", None), ("es256k", "ES256K")):
        entry = signature(A2A, header(algorithm))  # type: ignore[arg-type]
        why = "Only signatures of public keys show anything."
        yield refusal(name, why, "agent-card-algorithm-refused", with_signatures(entry))
    why = "Which algorithms are taken, the reader says."
    yield refusal("not-named", why, "agent-card-algorithm-refused", SIGNED, algorithms=["ES256"])
    for name in ("unsigned", "no-signatures", "null"):
        card = {"unsigned": A2A, "no-signatures": {**A2A, "signatures": []}, "null": {**A2A, "signatures": None}}[name]
        yield refusal(name, "No signature is none.", "agent-card-unsigned", card)


def keys() -> Iterator[Case]:
    """Keys that show nothing."""
    unknown, why = "agent-card-key-unknown", "A key counts for the domain for which it is pinned."
    yield refusal("other-kid", why, unknown, with_signatures(signature(A2A, header(kid="x"))))
    yield refusal("other-domain", why, unknown, SIGNED, domain="other.example")
    yield refusal("subdomain", why, unknown, SIGNED, domain=f"sub.{DOMAIN}")
    yield refused("a2a-signed-refused", "no-keys", SECTION, why, {"card": SIGNED}, unknown)
    yield refusal("for-encryption", "A key has one use.", unknown, SIGNED, {**ED_KEY, "use": "enc"})
    twice = "Of two keys of one name nobody knows which."
    yield refusal("kid-twice", twice, unknown, SIGNED, ED_KEY, {**ED_KEY, "x": f"{RSA_KEY['n'][:42]}A"})
    rsa = signature(A2A, header("RS256", "rsa"), RSA_OTHER)
    yield refusal("another-rsa-key", "A name is no key.", "agent-card-signature-invalid", with_signatures(rsa))
    mixed = signature(A2A, header("RS256", "ed"), RSA)
    why = "An algorithm goes with its kind of keys."
    yield refusal("algorithm-of-another-key", why, "agent-card-algorithm-refused", with_signatures(mixed))
    yield refusal("algorithm-of-the-key", why, "agent-card-algorithm-refused", SIGNED, {**ED_KEY, "alg": "ES256"})
    weak = "With such a key anybody could sign."
    zero = {**ED_KEY, "x": "A" * 43}
    yield refusal("small-order", weak, "agent-card-key-refused", SIGNED, zero)
    short = signature(A2A, header("RS256", "short"), RSA_1024)
    yield refusal("short", weak, "agent-card-key-refused", with_signatures(short), jwk(RSA_1024, "short"))


def documents() -> Iterator[Case]:
    """What is no card, or has no canonical form."""
    why = "What cannot be read in one way is not believed."
    large = {"extensions": [{"uri": "x", "params": {"n": 2**53}}]}
    for name, card, code in (
        ("array", "[]", "wrong-type"),
        ("twice", json.dumps(SIGNED)[:-1] + ', "name": "Other"}', "duplicate-member"),
        ("name-number", {**SIGNED, "name": 5}, "malformed"),
        ("no-card", {"name": "Helper", "signatures": [GOOD]}, "malformed"),
        ("large-number", changed(SIGNED, capabilities=large), "not-canonical"),
        (
            "signed-but-no-card",
            with_signatures(signature(b'{"name":"x"}'), card={"name": "x", "supportedInterfaces": []}),
            "malformed",
        ),
    ):
        yield refusal(f"document-{name}", why, code, card)


def signing() -> Iterator[Case]:
    """Cards that are signed."""
    pem = {name: (KEYS / f"a2a-{name}.pem").read_text() for name in ("ed25519", "rsa")}
    compact = {"alg": "EdDSA", "kid": "ed", "typ": "JOSE"}

    def entry(canonical: Case, alg: str = "EdDSA", kid: str = "ed", private: Any = ED) -> Case:
        protected = b64(json.dumps({**compact, "alg": alg, "kid": kid}, separators=(",", ":")).encode())
        return signature(canonical, protected, private)

    def signs(name: str, why: str, card: Case, *made: Case, key: Case | None = None) -> Case:
        unit = {"card": card, "key": key or {"pem": pem["ed25519"], "key_id": "ed"}}
        value = {**card, "signatures": [*card.get("signatures", ()), *made]}
        return one("a2a-sign", name, SECTION, why, unit, value=value, flags=["honest"])

    yield signs("plain", "Others verify what is signed.", A2A, entry(A2A))
    rsa = {"pem": pem["rsa"], "key_id": "rsa"}
    yield signs("rsa", "Others verify what is signed.", A2A, entry(A2A, "RS256", "rsa", RSA), key=rsa)
    hybrid = {**A2A, "url": f"{HOME}/a2a", "protocolVersion": "0.3", "address": "@helper@agents.example"}
    yield signs("beside", "What v1.0 does not know is served, and not signed.", hybrid, entry(A2A))
    yield signs(
        "second",
        "A card may be signed twice.",
        {**A2A, "signatures": [{"protected": "x", "signature": "y"}]},
        entry(A2A),
    )
    scopeless = {**A2A, "securityRequirements": [{"schemes": {"jwt": {"list": []}}}]}
    yield signs("empty-need", "Both libraries leave out what is empty.", scopeless, entry(A2A))
    why = "Readers do not agree on what is required and empty."
    for name, card in (
        ("empty-description", {**A2A, "description": ""}),
        ("no-skills", {**A2A, "skills": []}),
        ("no-capabilities", {**A2A, "capabilities": {}}),
        ("no-tags", changed(A2A, skills=[{**A2A["skills"][0], "tags": []}])),
        ("missing-version", changed(A2A, version=GONE)),
    ):
        unit = {"card": card, "key": {"pem": pem["ed25519"], "key_id": "ed"}}
        yield refused("a2a-sign", name, SECTION, why, unit, flags=[])
    for name, card in (("v03", OLD), ("number", {**A2A, "name": 5})):
        unit = {"card": card, "key": {"pem": pem["ed25519"], "key_id": "ed"}}
        yield refused("a2a-sign", name, SECTION, "Only a card of v1.0 is signed.", unit, flags=[])


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The case files of this module."""
    honest = [*algorithms(), *forms(), *signatures()]
    yield "a2a-signed", "verify_card", "Cards that are signed, and what is covered.", honest
    wrong = [*tampered(), *headers(), *keys(), *documents()]
    yield "a2a-signed-refused", "verify_card", "Cards that must not be believed.", wrong
    yield "a2a-sign", "sign_card", "Cards that are signed.", list(signing())
