"""The claims with which an agent signs a push notification: for which webhook, when, about which task, over which body.

Spec: A2A 1.0 §13 (push notifications); RFC 7519 §4.1.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NamedTuple

from ..._crypto.verification import VerificationFailed
from ..._model.base import replace
from .._settings import TokenIssuer
from .claims import SKEW, audience_of, check_unbound, check_use, expiry_of, text_claim, time_claim

LIFETIME: Final = 300
"""Seconds for which a notification counts after it was signed, whatever its `exp` says."""

PUSH_STEPS: Final = ("audience", "time", "use", "body")
"""The steps of `verify_push_claims`, as a verdict names them."""

_DIGEST: Final = "request_body_sha256"


class PushClaims(NamedTuple):
    """What counts of the claims.

    Attributes:
        task_id: The task that they name, if any.
        expires_at: When they expire.
    """

    task_id: str | None
    expires_at: float


def push_claims(issuer: str, *, url: str, task_id: str, body: bytes, jti: str, now: datetime) -> dict[str, Any]:
    """The claims about one notification.

    Args:
        issuer: Who sends it.
        url: To which webhook.
        task_id: About which task.
        body: Its body.
        jti: The id of the claims.
        now: The time.
    """
    issued = int(now.timestamp())
    times = {"iat": issued, "exp": issued + LIFETIME}
    return {"iss": issuer, "aud": url, **times, "jti": jti, "taskId": task_id, _DIGEST: sha256(body).hexdigest()}


def verify_push_claims(claims: dict[str, Any], issuer: TokenIssuer, *, url: str, body: bytes, now: float) -> PushClaims:
    """Verify the claims of a notification whose issuer is known.

    Args:
        claims: The claims.
        issuer: The settings of the issuer.
        url: The webhook that was registered, an audience like those of the settings.
        body: The body that came.
        now: The time.

    Raises:
        VerificationFailed: A claim does not count. Its `steps` are those of `PUSH_STEPS` that passed.
    """
    passed = 0
    try:
        audience_of(claims, replace(issuer, audiences=(url, *issuer.audiences)))
        passed = 1
        expires_at = _expiry_of(claims, issuer, now)
        passed = 2
        check_use(claims, "JWT")
        check_unbound(claims)
        passed = 3
        if not compare_digest(text_claim(claims, _DIGEST).encode(), sha256(body).hexdigest().encode()):
            raise VerificationFailed("digest-mismatch", f"{_DIGEST} is not the digest of the body")
        task_id = text_claim(claims, "taskId") if claims.get("taskId") is not None else None
    except VerificationFailed as fault:
        fault.steps = PUSH_STEPS[:passed]
        raise
    return PushClaims(task_id, expires_at)


def _expiry_of(claims: dict[str, Any], issuer: TokenIssuer, now: float) -> float:
    """When the claims expire: by `exp`, and some minutes after `iat` at the latest."""
    expires = expiry_of(claims, issuer, now, required=True)
    issued = time_claim(claims, "iat")
    if expires is None or issued is None:
        raise VerificationFailed("time-missing", "iat is missing")
    if issued + LIFETIME + SKEW <= now:
        raise VerificationFailed("expired", f"iat is more than {LIFETIME} s ago")
    return min(expires, issued + LIFETIME)
