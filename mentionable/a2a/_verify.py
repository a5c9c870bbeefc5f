"""Who calls: the bearer token of a request, or what its authorization server says of it, becomes a verdict.

The order of the steps matters. Size, segments, base64 and header are read first; then the key; then the signature;
and only then are the claims judged. One thing of the payload is read before, with several issuers or with keys that
must be asked for: `iss`, as a look-up among your own settings, so that nobody is asked for a token of a stranger. A
forged `iss` chooses nothing but the keys that the signature must then fit, and the claim is compared once more when it
does.

Spec: A2A §7 (authentication); RFC 6750, RFC 7519, RFC 8725, RFC 9068; RFC 7662, RFC 8693.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, NamedTuple, cast

from .._crypto.jwt import MAX_TOKEN, Header, Token, read_token
from .._crypto.verification import VerificationFailed, minted, replay_of
from .._errors.exceptions import UsageError, WireError
from .._flow.asks import Fetch
from .._flow.flow import Flow
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs
from .._model.base import replace
from .._model.diagnostic import Diagnostic
from .._model.identity import IdentityEvidence
from .._model.sender import AuthMethod
from .._wire.address import Address
from .._wire.http import HttpRequest, check_request
from .._wire.strict_json import loads
from ._auth.claims import (
    SKEW,
    Party,
    audience_of,
    check_issuer,
    check_unbound,
    check_use,
    expiry_of,
    party_of,
    text_claim,
)
from ._auth.introspection import Introspection, check_active, check_bearer, issuer_of
from ._auth.issuer_keys import check_key
from ._read.envelope import open_unit
from ._read.message import read_head
from ._read.parse_context import Reading
from ._read.task import read_task
from ._settings import TokenIssuer, token_issuers

_MOST_HEADER: Final = MAX_TOKEN + 64
_NOTHING: Final = hashlib.sha256(b"").hexdigest()
_TYPES: Final = {"at+jwt": "at+jwt", "jwt": "JWT", "": "JWT"}
"""The media type of a token → the token type that it means."""


class Authentication(NamedTuple):
    """What came of a token.

    Attributes:
        verdict: The verdict.
        auth: What `raw.auth` says of it, claims not yet redacted; None when it showed nobody.
        party: What it says of the sender; None when it showed nobody.
        notes: What was odd in a token that showed its sender.
    """

    verdict: Verdict
    auth: dict[str, Any] | None = None
    party: Party | None = None
    notes: tuple[Diagnostic, ...] = ()


class _Proven(NamedTuple):
    """A token of which every step was passed."""

    method: AuthMethod
    issuer: str
    audience: str
    is_shared: bool
    expires: float
    key_id: str | None
    claims: dict[str, Any]
    party: Party
    used: bytes


def verify(
    request: HttpRequest,
    *,
    introspection: Introspection | None = None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[Fetch, Verdict]:
    """Who sent a request, shown by its bearer token.

    `receive` takes the same steps; this door is for requests that are no messages, and for looking before you read.

    Args:
        request: The request. Its body is read for the id of the message alone, to which the token is bound.
        introspection: What the authorization server said of the token, when your host asked it; the token itself is
            then not read.
        now: The time, aware.
        settings: `a2a.Settings(token_issuers=...)`: whose tokens you believe.

    Returns:
        A flow of the verdict: `a2a-jwt` or `a2a-oauth` with the address of the caller, or the code of the step that
        failed. Without an Authorization header it is `unsigned`. The binding of its `replay` is the native id that
        `receive` gives the unit, or the address and the digest of the body where that is no message.

    Raises:
        UsageError: An argument of the wrong kind. Nothing in the request makes the flow raise.

    Spec: Normalized Message §5 (auth_method), §6 (raw.auth).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> header = {"Authorization": "Bearer x.y.z"}
        >>> request = HttpRequest(method="POST", url="https://agents.example/helper", headers=header)
        >>> drive(verify(request, now=datetime(2026, 11, 21, tzinfo=UTC)), Answers()).code
        'issuer-unknown'
    """
    check_inputs(now, settings)
    check_request(request)
    check_introspection(introspection)
    return _verified(request, introspection, now, settings)


def check_introspection(found: object) -> None:
    """Raises `UsageError` when what a door was given is no introspection."""
    if found is not None and not isinstance(found, Introspection):
        raise UsageError("introspection must be an Introspection(response=..., issuer=...)")


def _verified(
    request: HttpRequest, introspection: Introspection | None, now: datetime, settings: Settings
) -> Flow[Fetch, Verdict]:
    """The flow behind the door."""

    def binding(address: Address) -> str:
        return f"{address} {_unit_id(request, settings.limits)}"

    return (yield from authenticate(request, introspection, binding, now, settings)).verdict


def _unit_id(request: HttpRequest, limits: Limits) -> str:
    """The id of the message or task in a request, or the digest of a body that holds none."""
    if not request.body:
        return "sha256:" + _NOTHING
    try:
        body = loads(request.body, max_bytes=limits.a2a_bytes, max_depth=limits.json_depth, safe_integers=False)
        unit = open_unit(body, request=request)
        reading = Reading(limits)
        if unit.message is not None:
            return read_head(unit.message, reading).id
        task = read_task(unit.task, reading)
        return task.id if task.message is None else task.message.id
    except WireError:
        return f"sha256:{hashlib.sha256(request.body).hexdigest()}"


def authenticate(
    request: HttpRequest | None,
    introspection: Introspection | None,
    binding: Callable[[Address], str],
    now: datetime,
    settings: Settings,
) -> Flow[Fetch, Authentication]:
    """What comes of the token of a unit, whatever is wrong with it.

    Args:
        request: The request; None when the host had only the message, and the introspection stands for the token.
        introspection: What the authorization server said.
        binding: Address → native id of the unit.
        now: The time.
        settings: Whose tokens are believed.
    """
    fields = [] if request is None else [value for name, value in request.headers if name == "authorization"]
    if request is not None and not fields:
        return Authentication(UNSIGNED)
    steps: list[str] = []
    try:
        issuers = token_issuers(settings)
        text = ""
        if request is not None:
            text = _bearer_token(fields, issuers)
            steps.append("authorization")
        moment = now.timestamp()
        if introspection is not None:
            proven = _introspected(introspection, text, issuers, moment, steps)
        else:
            token = read_token(text)
            steps.append("token")
            proven = yield from _signed(token, issuers, moment, steps, settings.limits)
    except VerificationFailed as fault:
        return Authentication(fault.verdict(tuple(steps)))
    return _shown(proven, binding(proven.party.address), now, steps)


def is_signed(request: HttpRequest) -> bool:
    """Whether a request has an Authorization header at all."""
    return any(name == "authorization" for name, _ in request.headers)


def _bearer_token(fields: list[str], issuers: tuple[TokenIssuer, ...]) -> str:
    """The token in the one Authorization header."""
    if len(fields) > 1:
        raise VerificationFailed("signature-ambiguous", "there are several Authorization headers")
    if not issuers:
        raise VerificationFailed("issuer-unknown", "no token issuers are set")
    if len(fields[0]) > _MOST_HEADER:
        raise VerificationFailed("too-large", f"an Authorization header of {len(fields[0])} characters")
    scheme, _, token = fields[0].partition(" ")
    token = token.strip(" ")
    if not token or "," in token or " " in token:
        raise VerificationFailed("signature-malformed", "the Authorization header is not a scheme and a token")
    if scheme.lower() != "bearer":
        raise VerificationFailed("token-type-refused", "the scheme of the Authorization header is not Bearer")
    return token


def _signed(
    token: Token, issuers: tuple[TokenIssuer, ...], now: float, steps: list[str], limits: Limits
) -> Flow[Fetch, _Proven]:
    """The steps of a JWT."""
    header = token.header
    _check_header(header, issuers)
    claims = None
    issuer = issuers[0]
    if len(issuers) > 1 or issuer.jwks_url is not None:
        claims = token.claims()
        issuer = _issuer_named(claims, issuers)
        _check_header(header, (issuer,))
    steps.append("header")
    yield from check_key(token, issuer, steps, limits)
    steps.append("signature")
    if claims is None:
        claims = token.claims()
    check_issuer(claims, issuer)
    steps.append("issuer")
    audience, is_shared = audience_of(claims, issuer)
    steps.append("audience")
    expires = cast("float", expiry_of(claims, issuer, now, required=True))
    steps.append("time")
    check_use(claims, _TYPES[header.type])
    check_unbound(claims)
    steps.append("use")
    party = party_of(claims, issuer)
    steps.append("subject")
    return _Proven("a2a-jwt", issuer.issuer, audience, is_shared, expires, header.key_id, claims, party, token.signed)


def _check_header(header: Header, issuers: tuple[TokenIssuer, ...]) -> None:
    """Raises unless one of the issuers uses the algorithm and the type of a token."""
    users = [issuer for issuer in issuers if header.algorithm in issuer.algorithms]
    if not users:
        raise VerificationFailed("algorithm-refused", "alg is none of the algorithms of the issuer's settings")
    wanted = _TYPES.get(header.type)
    if not [issuer for issuer in users if wanted in issuer.token_types]:
        raise VerificationFailed("token-type-refused", "typ is none of the token_types of the issuer's settings")


def _issuer_named(claims: dict[str, Any], issuers: tuple[TokenIssuer, ...]) -> TokenIssuer:
    """The issuer that a token names, before that is known to be true: it chooses the keys and nothing else."""
    named = text_claim(claims, "iss")
    for issuer in issuers:
        if issuer.issuer == named:
            return issuer
    raise VerificationFailed("issuer-unknown", "iss is none of the token issuers")


def _introspected(
    introspection: Introspection, text: str, issuers: tuple[TokenIssuer, ...], now: float, steps: list[str]
) -> _Proven:
    """The steps of what an authorization server says."""
    issuer = issuer_of(introspection, issuers)
    claims: dict[str, Any] = dict(introspection.response)
    check_active(claims, issuer)
    steps.append("active")
    audience, is_shared = audience_of(claims, issuer)
    steps.append("audience")
    expires = expiry_of(claims, issuer, now, required=False)
    steps.append("time")
    check_bearer(claims)
    check_unbound(claims, proof_checked=introspection.proof_checked)
    steps.append("use")
    party = party_of(claims, issuer)
    steps.append("subject")
    until = now + issuer.max_lifetime if expires is None else expires
    return _Proven("a2a-oauth", issuer.issuer, audience, is_shared, until, None, claims, party, text.encode())


def _shown(proven: _Proven, binding: str, now: datetime, steps: list[str]) -> Authentication:
    """What a token makes that passed every step: the one place of this room where a sender becomes verified."""
    party = proven.party
    replay = None
    if proven.used:
        replay = replay_of("a2a", proven.used, binding=binding, until=proven.expires + SKEW)
    verdict = Verdict(
        method=proven.method,
        verified=True,
        address=party.address,
        key_id=proven.key_id,
        evidence=_evidence(proven, now),
        steps=tuple(steps),
        replay=replay,
    )
    kind = "jwt" if proven.method == "a2a-jwt" else "oauth"
    auth = {"kind": kind, "subject": proven.claims.get("sub"), "token_claims": proven.claims}
    notes = (Diagnostic(code="audience-shared"),) if proven.is_shared else ()
    return Authentication(verdict, auth, party, notes)


def _evidence(proven: _Proven, now: datetime) -> IdentityEvidence:
    """The evidence for a sender; with the principals on whose behalf they act, outermost first."""
    party = proven.party
    evidence = minted(
        proven.method, party.address, issuer=proven.issuer, audience=proven.audience, key_id=proven.key_id, now=now
    )
    if not party.principals:
        return evidence
    claims = {"sub": proven.claims["sub"], "act": {"sub": party.claims["sub"]}}
    return replace(evidence, on_behalf_of=party.principals, claims=claims)
