"""Mutants of verifying callers over A2A: what callers and tokens are taken for."""

from __future__ import annotations

import copy
import json
from base64 import urlsafe_b64decode
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._receiving import named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "a2a"


def concerns(op: str, given: Mapping[str, Any]) -> bool:
    """Whether a case has to do with tokens at all."""
    return op == "a2a.verify" or "token_issuers" in given.get("settings", {})


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


class _AnyType(dict[str, str]):
    def get(self, key: str, default: Any = None) -> Any:
        return "at+jwt"

    def __missing__(self, key: str) -> str:
        return "at+jwt"


believes("half-types", "Compares the beginning of a type.", lambda header, _: header.get("typ") in ("at", "at+jwt "))
believes("typ-dpop", "Takes a DPoP proof for a token.", lambda header, _: header.get("typ") == "dpop+jwt")
believes(
    "typ-logout", "Takes a logout token for one to call with.", lambda header, _: header.get("typ") == "logout+jwt"
)
