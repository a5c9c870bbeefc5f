"""Cases of who calls: honest tokens of every kind, subjects and actors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._a2a_claims import OLD, TWO, Row, broken
from tests.vectors._a2a_rows import refused, shown
from tests.vectors._a2a_tokens import (
    ALICE,
    BOT,
    ED,
    GONE,
    ISSUER,
    OTHER,
    P256,
    P384,
    RSA_OTHER,
    T,
    issuer,
    jwk,
    keys,
    token,
)

if TYPE_CHECKING:
    from tests.vectors._a2a_rows import Case


def honest() -> list[Case]:
    """Forms of tokens that real issuers give."""
    jwa = "RFC 7518 3.1"
    every = "Issuers sign by this algorithm, and their agents are who they are."
    curves = issuer(keys=keys(jwk(P256, "p256"), jwk(P384, "p384"), jwk(ED, "ed")))
    rows: list[tuple[str, dict[str, Any], Any, str]] = [
        ("es256", {"alg": "ES256", "kid": "p256"}, P256, "ES256"),
        ("es384", {"alg": "ES384", "kid": "p384"}, P384, "ES384"),
        ("eddsa", {"alg": "EdDSA", "kid": "ed"}, ED, "EdDSA"),
        ("ed25519", {"alg": "Ed25519", "kid": "ed"}, ED, "EdDSA"),
    ]
    found = [
        shown(f"honest/{name}", jwa, every, token(header, private, algorithm), curves, key_id=header["kid"])
        for name, header, private, algorithm in rows
    ]
    mapped = issuer(subjects={"0oa1": ALICE, "agent-7": BOT})
    named = "The host says which agent a name of its issuer is; nobody guesses."
    return [
        shown("honest/rs256", jwa, every, token()),
        shown("honest/ps256", jwa, every, token({"alg": "PS256"}, algorithm="PS256")),
        *found,
        shown(
            "honest/rs512-by-setting",
            jwa,
            "The host allows more where its issuer needs it.",
            token({"alg": "RS512"}, algorithm="RS512"),
            issuer(algorithms=["RS512"]),
        ),
        shown(
            "honest/type-in-full",
            "RFC 9068 2.1",
            "A type may be written with its prefix and in capitals.",
            token({"typ": "application/AT+JWT"}),
        ),
        shown(
            "honest/older-type",
            "RFC 9068 2.1",
            "Older issuers call every token JWT; the host says which ones.",
            token({"typ": "JWT"}),
            OLD,
        ),
        shown(
            "honest/no-type",
            "RFC 9068 2.1",
            "Older issuers give no type; the host says which ones.",
            token({"typ": GONE}),
            OLD,
        ),
        shown(
            "honest/older-type-bearer",
            "RFC 9068 2.1",
            "Keycloak writes into the claims that it is an access token.",
            token({"typ": "JWT"}, typ="Bearer", token_use="access"),
            OLD,
        ),
        shown(
            "honest/nonce-in-an-access-token",
            "RFC 9068 2.2",
            "A token that says its type is believed; only an older one is looked at for signs of another use.",
            token(nonce="n", at_hash="x"),
        ),
        shown(
            "honest/whole-milliseconds", "RFC 7519 2", "A time may have a fraction.", token(exp=T + 600.5, iat=T - 0.5)
        ),
        shown(
            "honest/large-number",
            "RFC 7519 4.3",
            "A claim of the issuer's own may be a number that JavaScript cannot hold.",
            token(tenant=2**60),
        ),
        shown(
            "honest/subject-without-mark",
            "NM 3.1",
            "An address may be written without its mark.",
            token(sub="alice@A.Example"),
        ),
        shown(
            "honest/subject-as-acct",
            "NM 3.1",
            "An address may be written as an acct URI.",
            token(sub="acct:alice@a.example"),
        ),
        shown("honest/subject-by-name", "NM 5", named, token(sub="0oa1"), mapped),
        shown(
            "honest/client-by-name",
            "RFC 9068 2.2",
            "An agent that acts for itself may have no subject but its client id. " + named,
            token(sub=GONE),
            mapped,
            address=BOT,
        ),
        shown(
            "honest/second-issuer",
            "NM 5",
            "Each issuer has its own keys and speaks for its own domains.",
            token(private=RSA_OTHER, iss=OTHER, sub="bob@b.example"),
            *TWO,
            address="@bob@b.example",
        ),
    ]


def subjects() -> list[Case]:
    """Who it is."""
    section, no_address, not_theirs = "NM 5", "subject-not-address", "subject-not-authorized"
    guess = "A name of another system is no address, and guessing one would name somebody else."
    lent = "An issuer speaks for its own domains; else every issuer could name everybody."
    rows: list[Row] = [
        (
            "missing",
            "claim-missing",
            {"sub": GONE},
            "Who calls must be said; the client id is not guessed to be an agent.",
        ),
        ("null", "claim-missing", {"sub": None}, "Null is nobody."),
        ("a-number", "claim-malformed", {"sub": 7}, "A subject is text."),
        ("a-list", "claim-malformed", {"sub": [ALICE]}, "A subject is one, and text."),
        ("a-word", no_address, {"sub": "alice"}, guess),
        ("empty", no_address, {"sub": ""}, guess),
        ("a-uuid", no_address, {"sub": "8f14e45f-ceea-467f-9575-6b6f3c1f2a10"}, guess),
        (
            "three-marks",
            no_address,
            {"sub": "@a@b@a.example"},
            "Of three marks, each reader takes another one for the last.",
        ),
        (
            "line-end",
            no_address,
            {"sub": "alice@a.example\n"},
            "A line end would split what is written into logs and headers.",
        ),
        (
            "line-end-before",
            no_address,
            {"sub": "\nalice@a.example"},
            "A line end would split what is written into logs and headers.",
        ),
        ("a-url", no_address, {"sub": "https://a.example/alice"}, guess),
        ("quoted", no_address, {"sub": '"alice"@a.example'}, "Quotes make two spellings of one address."),
        ("a-mail-link", no_address, {"sub": "mailto:alice@a.example"}, guess),
        ("of-another-domain", not_theirs, {"sub": "@alice@b.example"}, lent),
        ("of-a-longer-domain", not_theirs, {"sub": "@alice@a.example.evil.example"}, lent),
        ("of-a-subdomain", not_theirs, {"sub": "@alice@sub.a.example"}, "A subdomain may be somebody else's."),
        ("of-the-domain-above", not_theirs, {"sub": "@alice@example"}, lent),
        (
            "homoglyph",
            not_theirs,
            {"sub": "@alice@\u0430.example"},
            "A Cyrillic letter makes another domain that looks the same.",
        ),
    ]
    rows = [
        (name, no_address if claims["sub"] == "@alice@example" else code, claims, why)
        for name, code, claims, why in rows
    ]
    mapped = issuer(subjects={"0oa1": ALICE})
    return [
        *broken("subject", section, rows),
        refused("subject/name-not-mapped", no_address, section, guess, token(sub="0oa2"), mapped),
        refused(
            "subject/client-not-mapped",
            "claim-missing",
            "RFC 9068 2.2",
            "A client whom the host does not know is no agent.",
            token(sub=GONE, client_id="agent-8"),
            mapped,
        ),
        refused(
            "subject/preferred-name",
            no_address,
            section,
            "A user chooses this name; the issuer does not vouch for it.",
            token(sub="user-7", preferred_username=ALICE, email="alice@a.example"),
        ),
    ]


def actors() -> list[Case]:
    """Who acts, and for whom."""
    section, not_theirs = "RFC 8693 4.1", "subject-not-authorized"
    rows: list[Row] = [
        ("text", "claim-malformed", {"act": BOT}, "An actor is an object with a subject."),
        ("a-list", "claim-malformed", {"act": [{"sub": BOT}]}, "There is one actor."),
        (
            "empty",
            "claim-missing",
            {"act": {}},
            "Somebody acts, and it is not said who; the subject is not the sender.",
        ),
        ("a-number", "claim-malformed", {"act": {"sub": 7}}, "A subject is text."),
        ("a-word", "subject-not-address", {"act": {"sub": "bot"}}, "A name of another system is no address."),
        ("of-another-domain", not_theirs, {"act": {"sub": "bot@b.example"}}, "An issuer speaks for its own domains."),
        (
            "of-another-issuer",
            not_theirs,
            {"act": {"sub": BOT, "iss": OTHER}},
            "A subject is unique for its issuer alone.",
        ),
        ("for-nobody", "claim-missing", {"act": {"sub": BOT}, "sub": GONE}, "An actor acts for somebody."),
        ("for-a-number", "claim-malformed", {"act": {"sub": BOT}, "sub": 7}, "A subject is text."),
        (
            "inside-an-actor",
            "claim-missing",
            {"act": {"act": {"sub": BOT}}},
            "Actors inside the actor are history, and nobody of today.",
        ),
    ]
    why = "The user is the subject and the agent is the actor: the agent sent this."
    return [
        *broken("actor", section, rows),
        shown("actor/for-a-user", section, why, token(sub="user-7", act={"sub": "bot@a.example"}), address=BOT),
        shown("actor/for-an-agent", section, why, token(act={"sub": BOT, "iss": ISSUER}), address=BOT),
        shown(
            "actor/for-somebody-elsewhere",
            section,
            "For whom an agent acts may be anybody; only the agent must be one of the issuer's.",
            token(sub="ceo@bank.example", act={"sub": BOT}),
            address=BOT,
        ),
        shown(
            "actor/after-another",
            section,
            "An actor before this one counts for nothing.",
            token(act={"sub": BOT, "act": {"sub": "@old@evil.example"}}),
            address=BOT,
        ),
        shown("actor/null", section, "Some issuers write null for nobody.", token(act=None)),
    ]
