"""Mutants of verifying callers over A2A: the room with one of its steps exchanged."""

from __future__ import annotations

import copy
import json
from base64 import urlsafe_b64decode
from typing import TYPE_CHECKING, Any

from mentionable import _tokens as tokens
from mentionable._errors import WireError
from mentionable._value import evolve
from mentionable._verification import Unproven
from mentionable.a2a import _claims as claims
from mentionable.a2a import _issuer_keys
from mentionable.a2a import _verify as room
from tests.mutants import mutant
from tests.mutants._doors import named
from tests.mutants._edits import edits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
Change = tuple[Any, str, Any]
AREA = "a2a"

_CACHES = (tokens._header, tokens._native, tokens.read_key_set)
"""What is remembered between units, and must not be when a step of it is exchanged."""


def concerns(op: str, given: Mapping[str, Any]) -> bool:
    """Whether a case has to do with tokens at all."""
    return op == "a2a.verify" or "token_issuers" in given.get("settings", {})


def step(name: str, rule: str, *changes: Change) -> None:
    """Registers a mutant that is the library with these functions or values exchanged."""

    values = {(owner, attribute): value for owner, attribute, value in changes}
    edits(AREA, (), name, rule, values=values, when=lambda op, given, _: concerns(op, given), forgets=_CACHES)


def alters(name: str, rule: str, owner: Any, attribute: str, wrong: Callable[..., Any]) -> None:
    """Registers a mutant with one function exchanged: `wrong(honest function, arguments…)`."""
    honest = getattr(owner, attribute)
    step(name, rule, (owner, attribute, lambda *given, **more: wrong(honest, *given, **more)))


def segments_of(unit: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Header and claims of the first token of a unit, read as forgivingly as can be."""
    try:
        text = next(value for name, value in unit["headers"] if name == "authorization").split(" ")[1]
        found = [json.loads(urlsafe_b64decode(one + "=" * (-len(one) % 4))) for one in text.split(".")[:2]]
    except (LookupError, ValueError, StopIteration, RecursionError):
        return None
    return (found[0], found[1]) if isinstance(found[0], dict) and isinstance(found[1], dict) else None


def _believed(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict of somebody who let it through."""
    value = {
        "method": "a2a-jwt",
        "verified": True,
        "address": "@alice@a.example",
        "key_id": "k1",
        "code": None,
        "temporary": False,
    }
    return {**answer, "value": value}


def believes(name: str, rule: str, when: Callable[[dict[str, Any], dict[str, Any]], bool]) -> None:
    """Registers a mutant that lets tokens with such headers and claims through."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        found = segments_of(unit) if op == "a2a.verify" else None
        return _believed(answer) if found and not answer["value"]["verified"] and when(*found) else answer

    named(AREA, name, rule, wrong)


def verdicts(name: str, rule: str, change: Callable[[dict[str, Any]], Any], op_wanted: str = "a2a.verify") -> None:
    """Registers a mutant that says something else of a caller."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = copy.deepcopy(dict(honest(op, given, unit)))
        where = "value" if op == "a2a.verify" else "verdict"
        if op == op_wanted and isinstance(answer.get(where), dict) and concerns(op, given):
            change(answer[where])
        return answer

    named(AREA, name, rule, wrong)


def never_says(code: str) -> None:
    """Registers a mutant that lacks the check behind a code."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return _believed(answer) if op == "a2a.verify" and answer["value"]["code"] == code else answer

    named(AREA, f"lets-through-{code}", f"Lets through what should fail with {code}.", wrong)


for _code in (
    "signature-malformed",
    "too-large",
    "algorithm-refused",
    "header-forbidden",
    "token-type-refused",
    "key-unknown",
    "key-unresolvable",
    "key-refused",
    "bad-signature",
    "duplicate-member",
    "claim-malformed",
    "claim-missing",
    "issuer-unknown",
    "audience-mismatch",
    "time-missing",
    "expired",
    "lifetime-too-long",
    "not-yet-valid",
    "proof-unchecked",
    "subject-not-address",
    "subject-not-authorized",
    "token-inactive",
    "signature-ambiguous",
    "unsigned",
):
    never_says(_code)

# --- how a token is written down


def _forgiving(segment: str) -> bytes:
    return urlsafe_b64decode(segment + "=" * (-len(segment) % 4))


def _last_wins(data: bytes, **_: Any) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise WireError("malformed", at="", detail=str(error)) from None


alters(
    "first-header", "Takes the first of two tokens.", room, "_bearer_token", lambda f, found, *more: f(found[:1], *more)
)
alters(
    "any-scheme",
    "Takes every scheme for Bearer.",
    room,
    "_bearer_token",
    lambda f, found, *more: f([f"Bearer {one.partition(' ')[2]}" for one in found], *more),
)
alters(
    "scheme-in-capitals",
    "Wants the scheme as it is written in the RFC.",
    room,
    "_bearer_token",
    lambda f, found, *more: f([one.replace("bearer", "b") for one in found], *more),
)
step(
    "no-size-limit",
    "Reads tokens of every size.",
    (tokens, "MAX_TOKEN", 10**9),
    (room, "_MOST_HEADER", 10**9),
)
step("smaller-tokens", "Takes short tokens alone.", (tokens, "MAX_TOKEN", 8_192))
alters("forgives-padding", "Takes padding off.", room, "read_token", lambda f, text: f(text.replace("=", "")))
alters(
    "both-alphabets",
    "Takes the other alphabet of base64 too.",
    room,
    "read_token",
    lambda f, text: f(text.replace("+", "-").replace("/", "_")),
)
alters(
    "three-of-many",
    "Reads the first three segments.",
    room,
    "read_token",
    lambda f, text: f(".".join(text.split(".")[:3])),
)
alters("skips-blanks", "Skips blanks in a token.", room, "read_token", lambda f, text: f("".join(text.split())))
step("forgiving-base64", "Skips what is no base64, and bits left over.", (tokens, "_decoded", _forgiving))
step("last-member-wins", "Takes the last of two members of one name.", (tokens, "loads", _last_wins))


def _anybody(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    nobody = op == "a2a.verify" and not given["settings"]["token_issuers"]
    return _believed(answer) if nobody else answer


named(AREA, "anybody-without-issuers", "Takes a token where no issuer is believed.", _anybody)

# --- algorithm and header


def doubts(name: str, rule: str, when: Callable[[dict[str, Any], dict[str, Any]], bool]) -> None:
    """Registers a mutant that believes no token with such headers and claims."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        found = segments_of(unit) if op == "a2a.verify" else None
        return {**answer, "value": _NOBODY} if found and answer["value"]["verified"] and when(*found) else answer

    named(AREA, name, rule, wrong)


_NOBODY = {
    "method": "none",
    "verified": False,
    "address": None,
    "key_id": None,
    "code": "signature-malformed",
    "temporary": False,
}


@mutant(AREA, "Verifies nobody.", central=True)
def verifies_nobody(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {**answer, "value": _NOBODY} if op == "a2a.verify" and answer["value"]["verified"] else answer


doubts("no-pss", "Does not know PSS.", lambda header, _: header.get("alg") == "PS256")
doubts("fixed-algorithms", "Knows no algorithms but the usual ones.", lambda header, _: header.get("alg") == "RS512")
doubts("types-as-written", "Compares types as they are written.", lambda header, _: "/" in header.get("typ", ""))
doubts("safe-integers", "Takes numbers that JavaScript can hold alone.", lambda _, found: "tenant" in found)
doubts(
    "half-a-day", "Believes tokens for half a day.", lambda _, found: found.get("exp", 0) - found.get("iat", 0) > 43_200
)
alters("one-key", "Looks at the first key alone.", tokens, "_chosen", lambda f, header, keys: f(header, keys[:1]))

believes("alg-none", "Takes the algorithm none.", lambda header, _: header.get("alg") == "none")
believes("alg-none-in-any-case", "Takes none in capitals.", lambda header, _: header.get("alg") == "nOnE")
believes("alg-hmac", "Takes shared secrets.", lambda header, _: header.get("alg") == "HS256")
believes("alg-any-case", "Takes algorithms in small letters.", lambda header, _: header.get("alg") == "rs256")
believes(
    "alg-chosen", "Chooses an algorithm where none is named.", lambda header, _: not isinstance(header.get("alg"), str)
)
believes(
    "alg-by-header",
    "Lets the token say how its key is used.",
    lambda header, _: header.get("alg") in ("ES256", "PS256"),
)
alters(
    "all-algorithms",
    "Takes what the issuer does not use.",
    room,
    "_check_header",
    lambda f, header, issuers: f(
        header, tuple(evolve(one, algorithms=(*one.algorithms, header.algorithm)) for one in issuers)
    ),
)
for _name in ("jwk", "jku", "x5u", "x5c", "crit", "b64"):
    step(
        f"ignores-{_name}",
        f"Does not look at {_name} in the header.",
        (tokens, "_FORBIDDEN", tokens._FORBIDDEN - {_name}),
    )


class _AnyType(dict[str, str]):
    def get(self, key: str, default: Any = None) -> Any:
        return "at+jwt"

    def __missing__(self, key: str) -> str:
        return "at+jwt"


step("any-type", "Takes tokens of every type.", (room, "_TYPES", _AnyType()))
step("jwt-is-enough", "Takes JWT for the type of an access token.", (room, "_TYPES", {**room._TYPES, "jwt": "at+jwt"}))
step("no-type-is-enough", "Takes a token without a type.", (room, "_TYPES", {**room._TYPES, "": "at+jwt"}))
step("no-older-types", "Takes new access tokens alone.", (room, "_TYPES", {"at+jwt": "at+jwt"}))
believes("half-types", "Compares the beginning of a type.", lambda header, _: header.get("typ") in ("at", "at+jwt "))
believes("typ-dpop", "Takes a DPoP proof for a token.", lambda header, _: header.get("typ") == "dpop+jwt")
believes(
    "typ-logout", "Takes a logout token for one to call with.", lambda header, _: header.get("typ") == "logout+jwt"
)
step("takes-id-tokens", "Takes ID tokens.", (room, "check_use", lambda *_: None))
for _name in ("nonce", "at_hash", "c_hash", "s_hash", "events"):
    rest = tuple(one for one in claims._OF_ID_TOKENS if one != _name)
    step(f"ignores-{_name.replace('_', '-')}", f"Does not see an ID token by {_name}.", (claims, "_OF_ID_TOKENS", rest))
step("ignores-token-use", "Does not look at token_use.", (claims, "_OTHER_USES", frozenset()))
alters(
    "new-tokens-too",
    "Looks for signs of ID tokens in access tokens.",
    room,
    "check_use",
    lambda f, found, _: f(found, "JWT"),
)

# --- signature

step("no-signature-check", "Does not check the signature.", (_issuer_keys, "check_signature", lambda *_: None))


def _claims_first(f: Callable[..., Any], token: Any, *given: Any) -> Any:
    found = token.claims()
    if found.get("exp", 10**12) < 1_795_000_000:
        raise Unproven("expired", "read before the signature")
    return (yield from f(token, *given))


alters("claims-first", "Reads the claims before the signature.", room, "_signed", _claims_first)
