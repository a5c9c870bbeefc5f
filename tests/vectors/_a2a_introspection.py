"""Cases of what an authorization server says of a token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._a2a_rows import refused, request, shown
from tests.vectors._a2a_tokens import (
    ALICE,
    AUDIENCE,
    BOT,
    GONE,
    ISSUER,
    OTHER,
    T,
    issuer,
)

if TYPE_CHECKING:
    from tests.vectors._a2a_claims import Row
    from tests.vectors._a2a_rows import Case

SERVER = issuer(keys=GONE)
ANSWER = {
    "active": True,
    "iss": ISSUER,
    "aud": AUDIENCE,
    "sub": ALICE,
    "exp": T + 600,
    "iat": T - 5,
    "token_type": "Bearer",
    "client_id": "agent-7",
}


def said(text: str = "opaque-token", *, asked: str = ISSUER, proof: bool = False, **members: Any) -> Case:
    """A request with a token of which the authorization server said something."""
    response = {name: one for name, one in {**ANSWER, **members}.items() if one is not GONE}
    answer = {"response": response, "issuer": asked} | ({"proof_checked": True} if proof else {})
    return {**request(text), "introspection": answer}


def introspections() -> list[Case]:
    """What an authorization server says of a token."""
    section, inactive = "RFC 7662 2.2", "token-inactive"
    exactly = "Active is true, and nothing that looks like it; else a broken answer lets everybody in."
    not_asked = "Another server speaks than the one that was asked."
    rows: list[Row] = [
        ("inactive", inactive, {"active": False}, "The server says that it is not good any more."),
        ("active-as-text", inactive, {"active": "true"}, exactly),
        ("active-as-number", inactive, {"active": 1}, exactly),
        ("active-missing", inactive, {"active": GONE}, exactly),
        ("other-issuer", "issuer-unknown", {"iss": OTHER}, not_asked),
        ("issuer-null", "issuer-unknown", {"iss": None}, not_asked),
        ("no-audience", "claim-missing", {"aud": GONE}, "A token for nobody in particular is one for every service."),
        ("other-audience", "audience-mismatch", {"aud": "https://other.example"}, "It was given for another service."),
        ("audience-a-number", "claim-malformed", {"aud": 7}, "A service is named by text."),
        ("expired", "expired", {"exp": T - 60}, "The server may have answered from a cache."),
        ("expiry-text", "claim-malformed", {"exp": str(T + 60)}, "A time is a number."),
        ("for-too-long", "lifetime-too-long", {"exp": T + 10**9}, "A stolen token would be good for ever."),
        ("not-before-later", "not-yet-valid", {"nbf": T + 61}, "It holds later."),
        (
            "issued-later",
            "not-yet-valid",
            {"iat": T + 61},
            "A token from the future was made by a clock that is wrong.",
        ),
        ("other-type", "token-type-refused", {"token_type": "DPoP"}, "It counts with a proof alone."),
        ("no-type-of-access", "token-type-refused", {"token_type": "N_A"}, "It is no access token."),
        ("type-a-number", "claim-malformed", {"token_type": 7}, "A type is text."),
        ("bound", "proof-unchecked", {"cnf": {"x5t#S256": "x"}}, "It counts with a proof that nobody checked."),
        ("no-subject", "claim-missing", {"sub": GONE}, "Who calls must be said."),
        (
            "user-name-only",
            "claim-missing",
            {"sub": GONE, "username": ALICE},
            "The name of a user is for people to read, and no address.",
        ),
        ("subject-a-word", "subject-not-address", {"sub": "alice"}, "A name of another system is no address."),
        ("subject-a-number", "claim-malformed", {"sub": 7}, "A subject is text."),
        (
            "subject-elsewhere",
            "subject-not-authorized",
            {"sub": "@alice@b.example"},
            "An issuer speaks for its own domains.",
        ),
        ("actor-a-word", "subject-not-address", {"act": {"sub": "bot"}}, "A name of another system is no address."),
    ]
    found = [
        refused(f"introspection/{name}", code, section, why, said(**members), SERVER)
        for name, code, members, why in rows
    ]
    oauth: dict[str, Any] = {"method": "a2a-oauth", "key_id": None}
    client = issuer(keys=GONE, subjects={"agent-7": BOT})
    no_header = said()
    no_header["headers"] = []
    return [
        *found,
        refused(
            "introspection/server-not-believed",
            "issuer-unknown",
            section,
            "Only the servers in the settings are believed.",
            said(asked=OTHER),
            SERVER,
        ),
        refused(
            "introspection/of-no-token",
            "unsigned",
            section,
            "An answer about a token that the request does not carry is about another request.",
            no_header,
            SERVER,
        ),
        shown(
            "introspection/active",
            section,
            "Opaque tokens show their callers by the word of their server.",
            said(),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/token-not-read",
            section,
            "What the token itself looks like does not matter; its server has judged it.",
            said("a.b.c"),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/bound-and-checked",
            "RFC 7800 3.1",
            "The host checked the proof that it is bound to.",
            said(proof=True, cnf={"x5t#S256": "x"}),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/without-issuer",
            section,
            "A server need not name itself; the host knows whom it asked.",
            said(iss=GONE),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/without-type",
            section,
            "A server need not say the type.",
            said(token_type=GONE),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/type-in-small-letters",
            section,
            "Types have no case.",
            said(token_type="bearer"),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/without-expiry",
            section,
            "A server that is asked each time need not say how long.",
            said(exp=GONE, iat=GONE),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/audience-list",
            section,
            "A token may be for several services.",
            said(aud=["x", AUDIENCE]),
            SERVER,
            **oauth,
        ),
        shown(
            "introspection/actor",
            "RFC 8693 4.1",
            "The agent that acts sent this, and not the user.",
            said(act={"sub": BOT}),
            SERVER,
            address=BOT,
            **oauth,
        ),
        shown(
            "introspection/client-by-name",
            section,
            "The host says which agent a client is.",
            said(sub=GONE),
            client,
            address=BOT,
            **oauth,
        ),
    ]
