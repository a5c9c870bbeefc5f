"""What a token says, judged: from whom it is, for whom, how long it holds, and who acts.

The same for the claims of a JWT and for the answer of an authorization server. Each step raises `VerificationFailed`.

Spec: RFC 7519 §4.1, RFC 8693 §4.1, RFC 9068 §2.2.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._crypto.verification import VerificationFailed
from ..._wire.address import Address, canonical
from .._settings import TokenIssuer

SKEW: Final = 60
"""How many seconds the clocks of two honest parties may differ."""

LATEST: Final = 253_402_300_799 - 86_400
"""The latest time that a claim may name: the last second that a `datetime` can, less a day for skew and zones."""

_OF_ID_TOKENS: Final = ("nonce", "at_hash", "c_hash", "s_hash", "events")
_OTHER_USES: Final = frozenset({"id", "refresh", "logout", "offline"})


class TokenSubject(NamedTuple):
    """Who sent the request.

    Attributes:
        address: The canonical address.
        claims: What the token says of them.
        principals: On whose behalf they act, if they say so.
    """

    address: Address
    claims: dict[str, Any]
    principals: tuple[str, ...]


def audience_of(claims: dict[str, Any], issuer: TokenIssuer) -> tuple[str, bool]:
    """The first name of ours that the token is for, and whether it is for others too."""
    value = claims.get("aud")
    if value.__class__ is str and value in issuer.audiences:
        return value, False
    named = [value] if value.__class__ is str else value
    if named is None or named == []:
        raise VerificationFailed("claim-missing", "aud is missing")
    if named.__class__ is not list or not all(name.__class__ is str for name in named):
        raise VerificationFailed("claim-malformed", "aud is neither a string nor an array of strings")
    ours = [name for name in named if name in issuer.audiences]
    if not ours:
        raise VerificationFailed("audience-mismatch", "aud names none of the audiences of the issuer's settings")
    is_shared = len(ours) < len(named)
    if is_shared and issuer.strict_audience:
        raise VerificationFailed("audience-mismatch", "aud names others too")
    return ours[0], is_shared


def expiry_of(claims: dict[str, Any], issuer: TokenIssuer, now: float, *, required: bool) -> float | None:
    """Until when the token holds; None when it does not say so and need not."""
    expires, begins, issued = _time_claim(claims, "exp"), _time_claim(claims, "nbf"), _time_claim(claims, "iat")
    if begins is not None and begins > now + SKEW:
        raise VerificationFailed("not-yet-valid", "nbf is in the future")
    if issued is not None and issued > now + SKEW:
        raise VerificationFailed("not-yet-valid", "iat is in the future")
    if expires is None:
        if required:
            raise VerificationFailed("time-missing", "exp is missing")
        return None
    if expires + SKEW <= now:
        raise VerificationFailed("expired", "exp is past")
    start = issued if issued is not None else begins if begins is not None else now
    if expires - start > issuer.max_lifetime:
        raise VerificationFailed("lifetime-too-long", f"the token holds for more than {issuer.max_lifetime} s")
    return expires


def _time_claim(claims: dict[str, Any], name: str) -> float | None:
    """A NumericDate; None when it is absent."""
    if name not in claims:
        return None
    value = claims[name]
    if value.__class__ not in (int, float) or not 0 <= value <= LATEST:
        raise VerificationFailed("claim-malformed", f"{name} is not a number of seconds")
    number: float = value
    return number


def check_use(claims: dict[str, Any], token_type: str) -> None:
    """Raises when a token of the older type was made for another use than to call somebody."""
    if token_type != "JWT":  # noqa: S105 - the name of a type
        return
    for name in _OF_ID_TOKENS:
        if name in claims:
            raise VerificationFailed("token-type-refused", f"{name} belongs to ID tokens and events")
    for name in ("typ", "token_use"):
        value = claims.get(name)
        if value.__class__ is str and value.lower() in _OTHER_USES:
            raise VerificationFailed("token-type-refused", f"{name} names another use")


def check_unbound(claims: dict[str, Any], *, proof_checked: bool = False) -> None:
    """Raises when the token counts only together with a proof that nobody checked (RFC 7800)."""
    if claims.get("cnf") is not None and not proof_checked:
        raise VerificationFailed("proof-unchecked", "the token is bound to a key by cnf")


def subject_of(claims: dict[str, Any], issuer: TokenIssuer) -> TokenSubject:
    """Who sent the request: the actor when the token names one, else its subject.

    With an `act` claim the subject is somebody on whose behalf the actor acts, and never the sender. Actors inside
    the actor are history and count for nothing (RFC 8693 §4.1).
    """
    actor = claims.get("act")
    if actor is None:
        return TokenSubject(_address(claims, claims, issuer), claims, ())
    if actor.__class__ is not dict:
        raise VerificationFailed("claim-malformed", "act is not an object")
    if actor.get("iss", issuer.issuer) != issuer.issuer:
        raise VerificationFailed("subject-not-authorized", "act names an actor of another issuer")
    principal = _principal(text_claim(claims, "sub"), issuer)
    return TokenSubject(_address(actor, claims, issuer), actor, (principal,))


def _address(party: dict[str, Any], claims: dict[str, Any], issuer: TokenIssuer) -> Address:
    """The address of a subject or actor, for which the issuer may speak."""
    subject = party.get("sub")
    if subject is None:
        subject = claims.get("client_id") if party is claims else None
        if subject.__class__ is not str or subject not in issuer.subjects:
            raise VerificationFailed("claim-missing", "sub is missing")
    if subject.__class__ is not str:
        raise VerificationFailed("claim-malformed", "sub is not a string")
    address = canonical(issuer.subjects.get(subject, subject))
    if address is None:
        raise VerificationFailed("subject-not-address", "sub is not of the form @agent@domain")
    if not issuer.speaks_for(address):
        raise VerificationFailed("subject-not-authorized", "the issuer may not speak for the domain of sub")
    return address


def _principal(subject: str, issuer: TokenIssuer) -> str:
    """A principal by their address, or, when the issuer may not name one, as the issuer's own subject."""
    address = canonical(subject)
    return address if address is not None and issuer.speaks_for(address) else f"{issuer.issuer}#{subject}"


def text_claim(claims: dict[str, Any], name: str) -> str:
    """A claim that must be there and be text."""
    value = claims.get(name)
    if value is None:
        raise VerificationFailed("claim-missing", f"{name} is missing")
    if value.__class__ is not str:
        raise VerificationFailed("claim-malformed", f"{name} is not a string")
    text: str = value
    return text
