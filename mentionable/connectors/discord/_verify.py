"""Whether Discord sent a request: its Ed25519 signature over the time and the raw body, before anything is read.

Spec: Discord, Interactions (Security and Authorization); Building a Connector §Native verification.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from ..._crypto.keys import public_key_of_raw
from ..._flow.outcome import Rejected
from ..._flow.settings import check_now
from ..._wire.http import HttpRequest
from .._verify import Fault, signature_fault, verify_request
from ._settings import Settings, check_settings

SIGNATURE: Final = "x-signature-ed25519"
TIMESTAMP: Final = "x-signature-timestamp"

_SIGNATURE: Final = re.compile("[0-9a-f]{128}", re.ASCII).fullmatch


def verify(request: HttpRequest, *, now: datetime, settings: Settings) -> Rejected | None:
    """Verify the signature; None when Discord signed it for your application, within five minutes of `now`.

    `receive` does this first by itself. Answer what is refused with its `http_status`: Discord wants 401, and sends
    wrong signatures on purpose to see it.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        settings: Has the key of the application.

    Returns:
        `Rejected` as `request-unverified`, or `too-large`. Its verdict says why: `unsigned`, `signature-malformed`,
        `time-missing`, `expired`, `not-yet-valid`, `bad-signature`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import HttpRequest
        >>> from mentionable.connectors.discord import Settings
        >>> settings = Settings(public_key="c4" * 32, application_id="7", issuer="discord.agents.example")
        >>> forged = HttpRequest(method="POST", url="https://discord.agents.example/interactions", body=b"{}")
        >>> verify(forged, now=datetime(2026, 11, 21, tzinfo=UTC), settings=settings).verdict.code
        'unsigned'
    """
    check_now(now)
    check_settings(settings)
    return verify_request(request, lambda: _fault(request, now, settings.public_key), max_bytes=settings.body_bytes)


def _fault(request: HttpRequest, now: datetime, public_key: str) -> Fault | None:
    """The fault of the signature; None when it is valid with the key of the application."""
    return signature_fault(
        request,
        signature=SIGNATURE,
        form=_SIGNATURE,
        written="128 digits of hex in lower case",
        timestamp=TIMESTAMP,
        now=now,
        fits=lambda signature, time: _fits(signature, time, request.body, public_key),
    )


def _fits(signature: str, time: bytes, body: bytes, public_key: str) -> bool:
    """Whether the key signed the time and the body."""
    return public_key_of_raw(bytes.fromhex(public_key)).fits(bytes.fromhex(signature), time + body)
