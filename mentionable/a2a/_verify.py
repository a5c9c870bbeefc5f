"""Verify the caller: the bearer token of a request, or the authorization server's answer about it, gives a verdict.

Spec: A2A §7 (authentication); RFC 6750, RFC 7519, RFC 8725, RFC 9068; RFC 7662, RFC 8693.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

from .._crypto.verification import VerificationFailed, replay_ask, transport_evidence
from .._errors.exceptions import UsageError, WireError
from .._flow.asks import Fetch, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Limits, Settings, check_inputs, own_settings
from .._model.base import replace
from .._model.diagnostic import Diagnostic
from .._model.sender import AuthMethod
from .._transport.json_body import load_body
from .._wire.http import HttpRequest, check_request
from ._auth.claims import (
    CLAIM_STEPS,
    SKEW,
    TokenSubject,
    VerifiedClaims,
    issuer_named,
    verify_claims,
)
from ._auth.introspection import Introspection, check_active
from ._auth.signed_token import SIGNED_STEPS, bearer_token, check_signed
from ._read.envelope import open_envelope
from ._read.message import read_head
from ._read.task import read_task
from ._settings import Settings as A2ASettings
from ._settings import TokenIssuer

_EMPTY_DIGEST: Final = hashlib.sha256(b"").hexdigest()


class Authentication(NamedTuple):
    """The result of verifying a token.

    Attributes:
        verdict: The verdict.
        auth: The token for `raw.auth`, claims not yet redacted; None when it did not verify.
        subject: The subject; None when it did not verify.
        diagnostics: What is odd about a token that verified.
    """

    verdict: Verdict
    auth: dict[str, Any] | None = None
    subject: TokenSubject | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class _VerifiedToken(NamedTuple):
    """A token that passed every step.

    Attributes:
        method: The method by which the sender is verified.
        issuer: Its issuer.
        claims: Its claims.
        expires_at: When it expires; None: its authorization server decides each time.
        key_id: The key that signed it.
        replay_bytes: The bytes that may be used for one request only.
        steps: The steps that it passed.
    """

    method: AuthMethod
    issuer: str
    claims: VerifiedClaims
    expires_at: float | None
    key_id: str | None
    replay_bytes: bytes
    steps: tuple[str, ...]


def verify(
    request: HttpRequest,
    *,
    introspection: Introspection | None = None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[Fetch, Verdict]:
    """Verify the bearer token of a request.

    `receive` does the same. This function is for requests without a message, and for a check before you read one.

    Args:
        request: The request. Its body is read only for the id of the message, to which the token is bound.
        introspection: The authorization server's answer about the token, when your host asked it; then the token itself
            is not read.
        now: The time, aware.
        settings: `a2a.Settings(token_issuers=...)`: the issuers whose tokens count.

    Returns:
        A flow of the verdict: `a2a-jwt` or `a2a-oauth` with the address of the caller, or the code of the step that
        failed. Without an Authorization header it is `unsigned`. The binding in its `replays` is the native id that
        `receive` gives the request, or the address and the digest of the body where that is no message; that of
        `receive` names the agent, too.

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
    return _verdict(request, introspection, now, settings)


def check_introspection(introspection: object) -> None:
    """Raises `UsageError` unless the argument of a public function is an introspection, or None."""
    if introspection is not None and not isinstance(introspection, Introspection):
        raise UsageError("introspection must be an Introspection(response=..., issuer=...)")


def _verdict(
    request: HttpRequest, introspection: Introspection | None, now: datetime, settings: Settings
) -> Flow[Fetch, Verdict]:
    """The flow of `verify`."""
    message_id = partial(_message_id, request, settings.limits)
    return (yield from authenticate(request, introspection, message_id=message_id, now=now, settings=settings)).verdict


def _message_id(request: HttpRequest, limits: Limits) -> str:
    """The id of the message or task in a request, or the digest of a body that holds none."""
    if not request.body:
        return "sha256:" + _EMPTY_DIGEST
    try:
        envelope = open_envelope(load_body(request.body, limits), request=request)
        if envelope.message is not None:
            return read_head(envelope.message, limits).id
        task = read_task(envelope.task, limits)
        return task.id if task.message is None else task.message.id
    except WireError:
        return f"sha256:{hashlib.sha256(request.body).hexdigest()}"


def authenticate(
    request: HttpRequest | None,
    introspection: Introspection | None,
    *,
    message_id: Callable[[], str],
    now: datetime,
    settings: Settings,
) -> Flow[Fetch, Authentication]:
    """Verify the bearer token of a request, or the authorization server's answer about it.

    Args:
        request: The request; None when the host has only the message, and the introspection in place of the token.
        introspection: The authorization server's answer.
        message_id: Gives the id of the message, to which the token is bound.
        now: The time.
        settings: The issuers whose tokens count.
    """
    fields = [] if request is None else [value for name, value in request.headers if name == "authorization"]
    if request is not None and not fields:
        return Authentication(UNSIGNED)
    steps: tuple[str, ...] = ()
    try:
        issuers, text = own_settings(A2ASettings, settings).token_issuers, ""
        if request is not None:
            text = bearer_token(fields, issuers)
            steps = ("authorization",)
        if introspection is not None:
            token = _verify_introspection(introspection, text, issuers, now.timestamp())
        else:
            token = yield from _verify_jwt(text, issuers, now.timestamp(), settings.limits)
    except VerificationFailed as fault:
        return Authentication(fault.verdict((*steps, *fault.steps)))
    subject, claims = token.claims.subject, token.claims.all
    return Authentication(
        _verified_verdict(token, f"{subject.address} {message_id()}", now, (*steps, *token.steps)),
        auth={
            "kind": "jwt" if token.method == "a2a-jwt" else "oauth",
            "subject": claims.get("sub"),
            "token_claims": claims,
        },
        subject=subject,
        diagnostics=(Diagnostic(code="audience-shared"),) if token.claims.is_shared else (),
    )


def _verify_jwt(text: str, issuers: tuple[TokenIssuer, ...], now: float, limits: Limits) -> Flow[Fetch, _VerifiedToken]:
    """Verify a JWT."""
    # RFC 7519 §7.2 and RFC 9068 §4: 1. the signature: see `check_signed`   2. the claims: see `verify_claims`
    signed = yield from check_signed(text, issuers, limits)
    try:
        verified = verify_claims(signed.claims, signed.issuer, now, token_type=signed.type)
    except VerificationFailed as fault:
        fault.steps = (*SIGNED_STEPS, *fault.steps)
        raise
    return _VerifiedToken(
        method="a2a-jwt",
        issuer=signed.issuer.issuer,
        claims=verified,
        expires_at=verified.expires_at,
        key_id=signed.token.header.key_id,
        replay_bytes=signed.token.signed,
        steps=(*SIGNED_STEPS, *CLAIM_STEPS),
    )


def _verify_introspection(
    introspection: Introspection, text: str, issuers: tuple[TokenIssuer, ...], now: float
) -> _VerifiedToken:
    """Verify the answer of an authorization server about a token."""
    # RFC 7662 §2.2: 1. the issuer that was asked   2. active   3. the other claims: see `verify_claims`
    issuer = issuer_named(introspection.issuer, issuers, "the issuer of the introspection")
    claims: dict[str, Any] = dict(introspection.response)
    check_active(claims, issuer)
    try:
        verified = verify_claims(claims, issuer, now, token_type=None, proof_checked=introspection.proof_checked)
    except VerificationFailed as fault:
        fault.steps = ("active", *fault.steps)
        raise
    return _VerifiedToken(
        method="a2a-oauth",
        issuer=issuer.issuer,
        claims=verified,
        expires_at=verified.expires_at,
        key_id=None,
        replay_bytes=text.encode(),
        steps=("active", *CLAIM_STEPS),
    )


def _verified_verdict(token: _VerifiedToken, native_id: str, now: datetime, steps: tuple[str, ...]) -> Verdict:
    """The verdict on a token that passed every step. Nothing else in A2A makes a verdict that is verified."""
    subject, audience = token.claims.subject, token.claims.audience
    evidence = transport_evidence(
        token.method, subject.address, issuer=token.issuer, audience=audience, key_id=token.key_id, now=now
    )
    if subject.principals:  # on whose behalf the sender acts, outermost first
        claims = {"sub": token.claims.all["sub"], "act": {"sub": subject.claims["sub"]}}
        evidence = replace(evidence, on_behalf_of=subject.principals, claims=claims)
    replays: tuple[UseOnce, ...] = ()
    if token.replay_bytes:
        ends = None if token.expires_at is None else token.expires_at + SKEW
        replays = (replay_ask("a2a", token.replay_bytes, binding=native_id, until=ends),)
    return Verdict(
        method=token.method,
        verified=True,
        address=subject.address,
        key_id=token.key_id,
        evidence=evidence,
        steps=steps,
        replays=replays,
    )
