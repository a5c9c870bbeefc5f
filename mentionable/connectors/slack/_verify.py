"""Verifies that Slack sent a request: its signature over the time and the raw body, before anything is read.

Spec: Slack, Verifying requests from Slack (version v0); Building a Connector §Native verification.
"""

from __future__ import annotations

import hmac
import re
from datetime import datetime
from typing import Final

from ..._flow.outcome import Rejected
from ..._flow.settings import check_now
from ..._wire.http import HttpRequest
from .._settings import check_own_settings
from .._verify import signature_fault, verify_request
from ._settings import Settings

SIGNATURE: Final = "x-slack-signature"
TIMESTAMP: Final = "x-slack-request-timestamp"

_SIGNATURE: Final = re.compile("v0=[0-9a-f]{64}", re.ASCII).fullmatch


def verify(request: HttpRequest, *, now: datetime, settings: Settings) -> Rejected | None:
    """Verify the signature; None when Slack signed it with a secret of yours, within five minutes of `now`.

    `receive` does this first by itself. Use it for endpoints whose requests are no messages.

    None means that Slack sent the request, and a `Rejected` is truthy: write
    `if (no := slack.verify(…)) is not None:`.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        settings: Has the signing secrets.

    Returns:
        None, or `Rejected` as `request-unverified` or `too-large`. Its verdict says why: `unsigned`,
        `signature-malformed`, `time-missing`, `expired`, `not-yet-valid`, `bad-signature`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import HttpRequest
        >>> from mentionable.connectors.slack import Settings
        >>> settings = Settings(signing_secret=b"8f742231b10e8888abcd99yyyzzz85a5", issuer="slack.agents.example")
        >>> forged = HttpRequest(method="POST", url="https://slack.agents.example/slack/events", body=b"{}")
        >>> verify(forged, now=datetime(2026, 11, 21, tzinfo=UTC), settings=settings).verdict.code
        'unsigned'
    """
    check_now(now)
    check_own_settings(settings, Settings)
    return verify_request(
        request,
        lambda: signature_fault(
            request,
            signature=SIGNATURE,
            form=_SIGNATURE,
            written="v0= and 64 digits of hex in lower case",
            timestamp=TIMESTAMP,
            now=now,
            fits=lambda signature, time: _fits(signature, b"v0:" + time + b":" + request.body, settings.secrets),
        ),
        max_bytes=settings.body_bytes,
    )


def _fits(signature: str, base: bytes, secrets: tuple[bytes, ...]) -> bool:
    """Whether the signature is valid with any secret. Each is tried, so that timing does not reveal which one."""
    signatures = ["v0=" + hmac.new(secret, base, "sha256").hexdigest() for secret in secrets]
    matches = [hmac.compare_digest(expected, signature) for expected in signatures]
    return any(matches)
