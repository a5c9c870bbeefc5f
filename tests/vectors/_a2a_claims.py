"""Cases of the claims: from whom, for whom, how long, and for what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._a2a_rows import refused, shown
from tests.vectors._a2a_tokens import (
    AUDIENCE,
    CLAIMS,
    GONE,
    HEADER,
    ISSUER,
    OTHER,
    RSA_OTHER,
    T,
    as_bytes,
    issuer,
    jwk,
    keys,
    signed,
    token,
)

if TYPE_CHECKING:
    from tests.vectors._a2a_rows import Case

OLD = issuer(token_types=["at+jwt", "JWT"])
_SECOND = issuer(issuer=OTHER, keys=keys(jwk(RSA_OTHER, "k1")), subject_domains=["b.example"])
TWO = (issuer(), _SECOND)
DAY = 86_400
Row = tuple[str, str, dict[str, Any], str]


def broken(behaviour: str, section: str, rows: list[Row], *issuers: Case) -> list[Case]:
    """Tokens that are honest but for some claims."""
    return [
        refused(f"{behaviour}/{name}", code, section, why, token(**claims), *issuers)
        for name, code, claims, why in rows
    ]


def types() -> list[Case]:
    """Tokens that were made for another use."""
    refusal, section = "token-type-refused", "RFC 8725 3.11"
    wrong = "A token for another use is signed by the same key, and would pass for this one."
    kinds = {
        "jwt": "JWT",
        "jose": "JOSE",
        "dpop": "dpop+jwt",
        "introspection": "token-introspection+jwt",
        "logout": "logout+jwt",
        "event": "secevent+jwt",
        "half-a-name": "at",
        "blank-after-it": "at+jwt ",
        "empty": "",
        "absent": GONE,
        "a-list": ["at+jwt"],
    }
    found = [refused(f"type/{name}", refusal, section, wrong, token({"typ": kind})) for name, kind in kinds.items()]
    older = [
        refused(f"type/older-{name}", refusal, section, wrong, token({"typ": kind}), OLD)
        for name, kind in kinds.items()
        if name in ("dpop", "logout")
    ]
    marks: list[tuple[str, dict[str, Any]]] = [
        ("nonce", {"nonce": "n"}),
        ("access-token-hash", {"at_hash": "x"}),
        ("code-hash", {"c_hash": "x"}),
        ("state-hash", {"s_hash": "x"}),
        ("events", {"events": {}}),
        ("claim-id", {"typ": "ID"}),
        ("claim-refresh", {"typ": "Refresh"}),
        ("use-id", {"token_use": "id"}),
    ]
    id_token = "A token that tells who logged in is given to every client; whoever has one could call in that name."
    return [
        *found,
        *older,
        *(
            refused(f"type/id-token-{name}", refusal, section, id_token, token({"typ": "JWT"}, **claims), OLD)
            for name, claims in marks
        ),
        refused(
            "type/agent-card",
            refusal,
            section,
            "The signature of an agent card is read by everybody; it is no credential.",
            signed({**HEADER, "typ": "JOSE"}, {"name": "Alice", "url": "https://a.example"}),
        ),
        refused(
            "type/id-token-without-a-type",
            refusal,
            section,
            id_token,
            token({"typ": GONE}, nonce="n"),
            OLD,
        ),
    ]


def payloads() -> list[Case]:
    """Payloads that hold no claims."""
    malformed, section = "claim-malformed", "RFC 7519 7.2"
    rows: list[tuple[str, Any, str]] = [
        ("a-list", [CLAIMS], "Claims are members of an object."),
        ("text", '"alice"', "Claims are members of an object."),
        ("not-json", "{", "What cannot be read says nothing."),
        ("deeply-nested", '{"a":' + "[" * 9_000, "Nesting without end brings readers down."),
        ("half-of-a-pair", as_bytes(CLAIMS)[:-1] + b',"x":"\\ud800"}', "Broken text is read in several ways."),
    ]
    found = [
        refused(f"payload/{name}", malformed, section, why, signed(HEADER, payload)) for name, payload, why in rows
    ]
    twice = as_bytes(CLAIMS)[:-1] + b',"sub":"@bob@a.example"}'
    expiry = as_bytes(CLAIMS)[:-1] + f',"exp":{T + 60}}}'.encode()
    why = "Of two claims with one name, the issuer may have meant the first and the reader believe the last."
    return [
        *found,
        refused("payload/subject-twice", "duplicate-member", "RFC 8725 3.10", why, signed(HEADER, twice)),
        refused("payload/expiry-twice", "duplicate-member", "RFC 8725 3.10", why, signed(HEADER, expiry)),
    ]


def issuers() -> list[Case]:
    """Whose word it is."""
    unknown = "issuer-unknown"
    rows: list[Row] = [
        ("missing", "claim-missing", {"iss": GONE}, "Whose word it is must be said, also by who has the key."),
        ("null", "claim-missing", {"iss": None}, "Null is nobody's word."),
        ("a-number", "claim-malformed", {"iss": 7}, "An issuer is named by text."),
        ("a-list", "claim-malformed", {"iss": [ISSUER]}, "An issuer is one, and named by text."),
        ("other", unknown, {"iss": "https://evil.example/"}, "The issuer is another one, whoever has the key."),
        (
            "no-slash-at-the-end",
            unknown,
            {"iss": ISSUER[:-1]},
            "Issuers are compared exactly: two tenants may differ by a slash.",
        ),
        ("other-case", unknown, {"iss": ISSUER.replace("login", "LOGIN")}, "Issuers are compared exactly."),
        ("longer", unknown, {"iss": ISSUER + "tenant"}, "One tenant of a server is not another."),
    ]
    section = "RFC 8725 3.8"
    forged = "A forged issuer chooses the keys that the signature must fit, and nothing else."
    return [
        *broken("issuer", section, rows),
        refused(
            "issuer/none-of-two",
            unknown,
            section,
            "The issuer is none of those that are believed.",
            token(iss="https://third.example/"),
            *TWO,
        ),
        refused(
            "issuer/missing-of-two",
            "claim-missing",
            section,
            "Without an issuer nobody knows by whose keys.",
            token(iss=GONE),
            *TWO,
        ),
        refused(
            "issuer/a-number-of-two", "claim-malformed", section, "An issuer is named by text.", token(iss=7), *TWO
        ),
        refused("issuer/forged", "bad-signature", section, forged, token(iss=OTHER, sub="bob@b.example"), *TWO),
        refused("issuer/key-of-the-other", "bad-signature", section, forged, token(private=RSA_OTHER), *TWO),
        refused(
            "issuer/speaks-for-the-other",
            "subject-not-authorized",
            section,
            "One issuer may not speak for the domain of another.",
            token(private=RSA_OTHER, iss=OTHER),
            *TWO,
        ),
        refused(
            "issuer/type-of-the-other",
            "token-type-refused",
            section,
            "What one issuer may use, another may not.",
            token({"typ": "JWT"}),
            issuer(),
            {**_SECOND, "token_types": ["JWT"]},
        ),
        refused(
            "issuer/believed-for-mail-only",
            "issuer-unknown",
            section,
            "Only the issuers in the settings are believed, not every one with a domain.",
            token(iss="https://a.example/"),
        ),
    ]


def audiences() -> list[Case]:
    """For whom it is."""
    section, other = "RFC 7519 4.1.3", "audience-mismatch"
    passed_on = "Who got a token for another service would call here with it."
    rows: list[Row] = [
        ("missing", "claim-missing", {"aud": GONE}, "A token for nobody in particular is one for every service."),
        ("null", "claim-missing", {"aud": None}, "Null names no service."),
        ("empty-list", "claim-missing", {"aud": []}, "A list without names is for nobody."),
        ("a-number", "claim-malformed", {"aud": 7}, "A service is named by text."),
        ("an-object", "claim-malformed", {"aud": {AUDIENCE: True}}, "A service is named by text."),
        ("list-with-a-number", "claim-malformed", {"aud": [AUDIENCE, 7]}, "Every name in the list is text."),
        ("other", other, {"aud": "https://other.example"}, passed_on),
        ("list-of-others", other, {"aud": ["https://other.example", "x"]}, passed_on),
        ("begins-alike", other, {"aud": AUDIENCE + ".evil.example"}, "Names are compared whole."),
        ("shorter", other, {"aud": AUDIENCE[:-3]}, "Names are compared whole."),
        ("slash-at-the-end", other, {"aud": AUDIENCE + "/"}, "Names are compared exactly."),
        ("other-case", other, {"aud": AUDIENCE.upper()}, "Names are compared exactly."),
        ("empty", other, {"aud": ""}, "An empty name is nobody's."),
    ]
    strict = issuer(strict_audience=True)
    shared = token(aud=["https://other.example", AUDIENCE])
    return [
        *broken("audience", section, rows),
        refused(
            "audience/shared-where-strict",
            other,
            "RFC 8725 3.9",
            "Every service in the list could call here with it; the host may refuse that.",
            shared,
            strict,
        ),
        shown("audience/shared", section, "A token may be for several services.", shared),
        shown("audience/list-of-one", section, "One name may stand in a list.", token(aud=[AUDIENCE]), strict),
        shown(
            "audience/second-name",
            section,
            "A service may have several names.",
            token(aud="agents"),
            issuer(audiences=[AUDIENCE, "agents"]),
        ),
    ]


def times() -> list[Case]:
    """How long it holds."""
    section, malformed, long = "RFC 7519 4.1.4", "claim-malformed", "lifetime-too-long"
    text = "A time is a number; what else is read there differs from reader to reader."
    forever = "A stolen token would be good for ever."
    future = "A token from the future was made by a clock that is wrong, or kept for later."
    rows: list[Row] = [
        ("no-expiry", "time-missing", {"exp": GONE}, "A token without end is good for whoever finds it, for ever."),
        ("expired", "expired", {"exp": T - 3_600, "iat": T - 7_200}, "A token that is over is over."),
        ("just-expired", "expired", {"exp": T - 60}, "Clocks may differ by a minute, and by no more."),
        ("expiry-zero", "expired", {"exp": 0, "iat": GONE}, "Zero is a time, and long past."),
        ("expiry-negative", malformed, {"exp": -1}, text),
        ("expiry-text", malformed, {"exp": str(T + 60)}, text),
        ("expiry-date", malformed, {"exp": "2026-11-21T21:56:00Z"}, text),
        ("expiry-true", malformed, {"exp": True}, text),
        ("expiry-null", malformed, {"exp": None}, text),
        ("expiry-infinite", malformed, {"exp": float("inf")}, text),
        ("expiry-not-a-number", malformed, {"exp": float("nan")}, text),
        ("expiry-huge", malformed, {"exp": 10**400}, text),
        ("expiry-after-the-last-year", malformed, {"exp": 10**12}, "Calendars end; readers must not."),
        ("for-a-hundred-years", long, {"exp": T + 100 * 365 * DAY}, forever),
        ("a-bit-more-than-a-day", long, {"exp": T + DAY - 9}, forever),
        ("a-day-from-now-without-start", long, {"exp": T + DAY + 1, "iat": GONE}, forever),
        ("not-before-later", "not-yet-valid", {"nbf": T + 61}, "It holds later."),
        ("not-before-text", malformed, {"nbf": str(T)}, text),
        ("not-before-false", malformed, {"nbf": False}, text),
        ("issued-later", "not-yet-valid", {"iat": T + 61}, future),
        ("issued-text", malformed, {"iat": "now"}, text),
    ]
    short = issuer(max_lifetime=60)
    return [
        *broken("time", section, rows),
        refused(
            "time/longer-than-the-setting",
            long,
            section,
            "The host decides for how long it believes a token.",
            token(),
            short,
        ),
        refused(
            "time/not-before-as-start",
            long,
            section,
            "Without its birth, a token is as old as its first moment.",
            token(iat=GONE, nbf=T - 10, exp=T + 51),
            short,
        ),
        shown(
            "time/within-a-minute-after", section, "Clocks of honest parties differ by some seconds.", token(exp=T - 59)
        ),
        shown(
            "time/within-a-minute-before",
            section,
            "Clocks of honest parties differ by some seconds.",
            token(iat=T + 60, nbf=T + 60),
        ),
        shown("time/a-whole-day", section, "The usual issuers give a day at most.", token(exp=T + DAY - 10)),
    ]


def uses() -> list[Case]:
    """Tokens that count with a proof alone."""
    bound = "Whoever stole it could use it: it counts only with the proof that it is bound to, and nobody checked that."
    section = "RFC 7800 3.1"
    rows: list[Row] = [
        ("bound-by-dpop", "proof-unchecked", {"cnf": {"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}, bound),
        (
            "bound-by-certificate",
            "proof-unchecked",
            {"cnf": {"x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2"}},
            bound,
        ),
        ("bound-by-anything", "proof-unchecked", {"cnf": "x"}, bound),
    ]
    return broken("use", section, rows)
