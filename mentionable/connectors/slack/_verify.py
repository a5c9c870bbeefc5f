"""Whether Slack sent it: the signature over the raw body, before anything of it is read.

Spec: Slack, Verifying requests from Slack (version v0); Building a Connector §Native verification.
"""

from __future__ import annotations

import hmac
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from ..._errors import UsageError
from ..._http import HttpRequest
from ..._outcome import Rejected, Verdict
from ..._settings import check_now
from ._settings import check_settings

if TYPE_CHECKING:
    from ..._errors import Code
    from ._settings import Settings

SIGNATURE: Final = "x-slack-signature"
TIMESTAMP: Final = "x-slack-request-timestamp"

_WINDOW: Final = timedelta(minutes=5)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS: Final = re.compile("0|[1-9][0-9]{0,10}", re.ASCII).fullmatch
_SIGNATURE: Final = re.compile("v0=[0-9a-f]{64}", re.ASCII).fullmatch


def refusal(unit: HttpRequest, *, now: datetime, settings: Settings) -> Rejected | None:
    """Why a request is not taken; None when Slack signed it with a secret of yours, within five minutes of `now`.

    `receive` does this first by itself. Use it for endpoints whose requests are no messages.

    Args:
        unit: The request, its body byte for byte.
        now: The time, aware.
        settings: Has the signing secrets.

    Returns:
        `Rejected` as `request-unverified`, or `too-large`. Its verdict says why: `unsigned`, `signature-malformed`,
        `time-missing`, `expired`, `not-yet-valid`, `bad-signature`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> from mentionable import HttpRequest
        >>> from mentionable.connectors.slack import Settings
        >>> settings = Settings(signing_secret=b"8f742231b10e8888abcd99yyyzzz85a5", issuer="slack.agents.example")
        >>> forged = HttpRequest(method="POST", url="https://slack.agents.example/slack/events", body=b"{}")
        >>> refusal(forged, now=datetime(2026, 11, 21, tzinfo=UTC), settings=settings).verdict.code
        'unsigned'
    """
    check_now(now)
    check_settings(settings)
    if not isinstance(unit, HttpRequest):
        raise UsageError("a unit is an HttpRequest")
    if len(unit.body) > settings.body_bytes:
        return Rejected(code="too-large")
    fault = _fault(unit, now, settings.secrets)
    if fault is None:
        return None
    verdict = Verdict(method="none", verified=False, code=fault[0], detail=fault[1])
    return Rejected(code="request-unverified", verdict=verdict)


def _fault(unit: HttpRequest, now: datetime, secrets: tuple[bytes, ...]) -> tuple[Code, str] | None:
    """Why the signature shows nothing: a code, and in words; None when it fits."""
    signature, timestamp = unit.header(SIGNATURE), unit.header(TIMESTAMP)
    if signature is None:
        return "unsigned", f"there is no {SIGNATURE}"
    if _SIGNATURE(signature) is None:
        return "signature-malformed", f"{SIGNATURE} is not v0= and 64 digits of hex in lower case"
    if timestamp is None:
        return "time-missing", f"there is no {TIMESTAMP}"
    if _SECONDS(timestamp) is None:
        return "time-missing", f"{TIMESTAMP} is not a number of seconds"
    age = now - _EPOCH - timedelta(seconds=int(timestamp))
    if age > _WINDOW:
        return "expired", "it was signed more than five minutes ago"
    if age < -_WINDOW:
        return "not-yet-valid", "it was signed more than five minutes in the future"
    base = b"v0:" + timestamp.encode() + b":" + unit.body
    fitting = [hmac.compare_digest(_signed(base, secret), signature) for secret in secrets]
    return None if any(fitting) else ("bad-signature", "the signature does not fit the body")


def _signed(base: bytes, secret: bytes) -> str:
    return "v0=" + hmac.new(secret, base, "sha256").hexdigest()
