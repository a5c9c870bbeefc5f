"""The claims of a token: its issuer, audience, validity, use and subject.

They are the same in a JWT and in the answer of an authorization server. Each check raises `VerificationFailed`.

Spec: RFC 7519 §4.1, RFC 8693 §4.1, RFC 9068 §2.2.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._crypto.verification import VerificationFailed
from ..._wire.address import Address, canonical
from .._settings import TokenIssuer

SKEW: Final = 60
"""Seconds by which the clocks of two honest parties may differ."""

LATEST: Final = 253_402_300_799 - 86_400
"""The latest time that a claim may name: the last second that a `datetime` can, less a day for skew and zones."""

_OF_ID_TOKENS: Final = ("nonce", "at_hash", "c_hash", "s_hash", "events")
_OTHER_USES: Final = frozenset({"id", "refresh", "logout", "offline"})


CLAIM_STEPS: Final = ("audience", "time", "use", "subject")
"""The steps of `verify_claims`, as a verdict names them."""


class TokenSubject(NamedTuple):
    """The sender of the request.

    Attributes:
        address: The canonical address.
        claims: The claims about the sender.
        principals: On whose behalf the sender acts, if the token names them.
    """

    address: Address
    claims: dict[str, Any]
    principals: tuple[str, ...]


class VerifiedClaims(NamedTuple):
    """The claims of a token that counts: all of them, and those that were verified."""

    all: dict[str, Any]
    audience: str
    is_shared: bool  # with other audiences
    expires_at: float | None
    subject: TokenSubject


def verify_claims(
    claims: dict[str, Any],
    issuer: TokenIssuer,
    now: float,
    *,
    token_type: str | None,
    proof_checked: bool = False,
) -> VerifiedClaims:
    """Verify the claims of a token whose issuer is known.

    Args:
        claims: The claims.
        issuer: The settings of the issuer.
        now: The time.
        token_type: The type of a JWT, which must have `exp`; None for the answer of an authorization server.
        proof_checked: Whether the host checked the proof of a token that is bound to a key.

    Raises:
        VerificationFailed: A claim does not count. Its `steps` are those of `CLAIM_STEPS` that passed.
    """
    passed = 0
    try:
        audience, is_shared = audience_of(claims, issuer)
        passed = 1
        expires_at = expiry_of(claims, issuer, now, required=token_type is not None)
        passed = 2
        if token_type is None:
            check_bearer(claims)
        else:
            check_use(claims, token_type)
        check_unbound(claims, proof_checked=proof_checked)
        passed = 3
        return VerifiedClaims(claims, audience, is_shared, expires_at, subject_of(claims, issuer))
    except VerificationFailed as fault:
        fault.steps = CLAIM_STEPS[:passed]
        raise


def issuer_named(name: str, issuers: tuple[TokenIssuer, ...], what: str) -> TokenIssuer:
    """The settings of an issuer, which is not verified yet: they choose the keys and nothing else.

    Raises:
        VerificationFailed: There are none; `what` says where the name is from.
    """
    for issuer in issuers:
        if issuer.issuer == name:
            return issuer
    raise VerificationFailed("issuer-unknown", f"{what} is none of the token issuers")


def audience_of(claims: dict[str, Any], issuer: TokenIssuer) -> tuple[str, bool]:
    """The first of our audiences that the token names, and whether it names others too."""
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
    """When the token expires; None when it has no `exp` and needs none."""
    expires, begins, issued = time_claim(claims, "exp"), time_claim(claims, "nbf"), time_claim(claims, "iat")
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


def time_claim(claims: dict[str, Any], name: str) -> float | None:
    """A NumericDate; None when it is absent."""
    if name not in claims:
        return None
    value = claims[name]
    if value.__class__ not in (int, float) or not 0 <= value <= LATEST:
        raise VerificationFailed("claim-malformed", f"{name} is not a number of seconds")
    number: float = value
    return number


def check_use(claims: dict[str, Any], token_type: str) -> None:
    """Raises when a token of the older type is for another use than to call an agent."""
    if token_type != "JWT":  # noqa: S105 - the name of a type
        return
    for name in _OF_ID_TOKENS:
        if name in claims:
            raise VerificationFailed("token-type-refused", f"{name} belongs to ID tokens and events")
    for name in ("typ", "token_use"):
        value = claims.get(name)
        if value.__class__ is str and value.lower() in _OTHER_USES:
            raise VerificationFailed("token-type-refused", f"{name} names another use")


def check_bearer(claims: dict[str, Any]) -> None:
    """Raises when an authorization server names another type than Bearer."""
    value = claims.get("token_type", "Bearer")
    if value.__class__ is not str:
        raise VerificationFailed("claim-malformed", "token_type is not a string")
    if value.lower() != "bearer":
        raise VerificationFailed("token-type-refused", "token_type is not Bearer")


def check_unbound(claims: dict[str, Any], *, proof_checked: bool = False) -> None:
    """Raises when the token counts only together with an unchecked proof of possession (RFC 7800)."""
    if claims.get("cnf") is not None and not proof_checked:
        raise VerificationFailed("proof-unchecked", "the token is bound to a key by cnf")


def subject_of(claims: dict[str, Any], issuer: TokenIssuer) -> TokenSubject:
    """The sender of the request: the actor when the token names one, else its subject.

    With an `act` claim the actor acts on behalf of the subject, which is never the sender. Actors inside the actor are
    history and are ignored (RFC 8693 §4.1).
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
    """A principal by address, or, when the issuer may not speak for it, as the issuer's own subject."""
    address = canonical(subject)
    return address if address is not None and issuer.speaks_for(address) else f"{issuer.issuer}#{subject}"


def text_claim(claims: dict[str, Any], name: str) -> str:
    """A required claim that is text."""
    value = claims.get(name)
    if value is None:
        raise VerificationFailed("claim-missing", f"{name} is missing")
    if value.__class__ is not str:
        raise VerificationFailed("claim-malformed", f"{name} is not a string")
    text: str = value
    return text
