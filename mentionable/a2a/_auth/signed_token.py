"""A signed token of a trusted issuer, up to its claims: where it is, whose it is, and which of their keys signed it.

Spec: RFC 6750, RFC 7519 §7.2, RFC 8725.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._crypto.jwt import MAX_TOKEN, Header, Token, read_token
from ..._crypto.verification import VerificationFailed
from ..._flow.asks import Fetch
from ..._flow.flow import Flow
from ..._flow.settings import Limits
from ..._wire.http import credentials
from .._settings import TokenIssuer, TokenType
from .claims import issuer_named, text_claim
from .issuer_keys import check_key

SIGNED_STEPS: Final = ("token", "header", "key", "signature", "issuer")
"""The steps of `check_signed`, as a verdict names them."""

_MAX_HEADER: Final = MAX_TOKEN + 64
_TYPES: Final[dict[str, TokenType]] = {"at+jwt": "at+jwt", "jwt": "JWT", "": "JWT"}
"""The media type of a token → the token type that it means."""


class SignedToken(NamedTuple):
    """A token that a key of its issuer signed; its other claims are not verified.

    Attributes:
        token: The token.
        type: Its type.
        issuer: The settings of its issuer.
        claims: All of its claims.
    """

    token: Token
    type: TokenType
    issuer: TokenIssuer
    claims: dict[str, Any]


def bearer_token(fields: list[str], issuers: tuple[TokenIssuer, ...]) -> str:
    """The token in the one Authorization header.

    Raises:
        VerificationFailed: `signature-ambiguous`, `issuer-unknown`, `too-large`, `signature-malformed`,
            `token-type-refused`.
    """
    if len(fields) > 1:
        raise VerificationFailed("signature-ambiguous", "there are several Authorization headers")
    if not issuers:
        raise VerificationFailed("issuer-unknown", "no token issuers are set")
    if len(fields[0]) > _MAX_HEADER:
        raise VerificationFailed("too-large", f"an Authorization header of {len(fields[0])} characters")
    scheme, token = credentials(fields[0])
    if not token:
        raise VerificationFailed("signature-malformed", "the Authorization header is not a scheme and a token")
    if scheme != "bearer":
        raise VerificationFailed("token-type-refused", "the scheme of the Authorization header is not Bearer")
    return token


def check_signed(
    text: str, issuers: tuple[TokenIssuer, ...], limits: Limits, *, types: tuple[TokenType, ...] = ()
) -> Flow[Fetch, SignedToken]:
    """Check that a key of one of the issuers signed a token.

    Args:
        text: The token.
        issuers: The trusted issuers.
        limits: Of look-ups.
        types: The types that count; without any, those of the issuer's settings.

    Raises:
        VerificationFailed: A step failed. Its `steps` are those of `SIGNED_STEPS` that passed.
    """
    # Cheapest first, so that no issuer is asked for a token that cannot count:
    #   1. size, segments, base64 and header     3. fetch the key (the only ask), verify the signature
    #   2. algorithm and type                    4. iss
    steps: list[str] = []
    try:
        token = read_token(text)
        steps.append("token")
        header, issuer, claims = token.header, issuers[0], None
        token_type = _check_header(header, issuers, types)
        if len(issuers) > 1 or issuer.jwks_url is not None:
            # `iss` is not verified yet. It only chooses among your own settings whose keys the signature must fit: an
            # attacker who forges it gets a signature that does not fit, and no look-up for a stranger.
            claims = token.claims()
            issuer = issuer_named(text_claim(claims, "iss"), issuers, "iss")
            _check_header(header, (issuer,), types)
        steps.append("header")
        yield from check_key(token, issuer, limits)
        steps += ("key", "signature")
        if claims is None:
            claims = token.claims()
        if text_claim(claims, "iss") != issuer.issuer:
            raise VerificationFailed("issuer-unknown", "iss is not the issuer of the key")
    except VerificationFailed as fault:
        fault.steps = (*steps, *fault.steps)
        raise
    return SignedToken(token, token_type, issuer, claims)


def _check_header(header: Header, issuers: tuple[TokenIssuer, ...], types: tuple[TokenType, ...]) -> TokenType:
    """The type of a token. Raises unless one of the issuers uses its algorithm and its type."""
    users = [issuer for issuer in issuers if header.algorithm in issuer.algorithms]
    if not users:
        raise VerificationFailed("algorithm-refused", "alg is none of the algorithms of the issuer's settings")
    token_type = _TYPES.get(header.type)
    if token_type is None or not [issuer for issuer in users if token_type in (types or issuer.token_types)]:
        raise VerificationFailed("token-type-refused", "typ is none of the token types that count")
    return token_type
