"""Verifies that Discord sent a request: its signature over the time and the raw body, before anything is read.

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
from .._settings import check_own_settings
from .._verify import signature_fault, verify_request
from ._settings import Settings

SIGNATURE: Final = "x-signature-ed25519"
TIMESTAMP: Final = "x-signature-timestamp"

_SIGNATURE: Final = re.compile("[0-9a-f]{128}", re.ASCII).fullmatch


def verify(request: HttpRequest, *, now: datetime, settings: Settings) -> Rejected | None:
    """Verify the signature; None when Discord signed it for your application, within five minutes of `now`.

    `receive` does this first by itself. Answer a rejected request with its `http_status`: Discord sends
    wrong signatures on purpose, and expects 401.

    None means that Discord sent the request, and a `Rejected` is truthy: write
    `if (no := discord.verify(…)) is not None:`.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        settings: Has the key of the application.

    Returns:
        None, or `Rejected` as `request-unverified` or `too-large`. Its verdict says why: `unsigned`,
        `signature-malformed`, `time-missing`, `expired`, `not-yet-valid`, `bad-signature`.

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
    check_own_settings(settings, Settings)
    return verify_request(
        request,
        lambda: signature_fault(
            request,
            signature=SIGNATURE,
            form=_SIGNATURE,
            written="128 digits of hex in lower case",
            timestamp=TIMESTAMP,
            now=now,
            fits=lambda signature, time: _fits(signature, time + request.body, settings.public_key),
        ),
        max_bytes=settings.body_bytes,
    )


def _fits(signature: str, base: bytes, public_key: str) -> bool:
    """Whether the signature is valid with the key of the application."""
    return public_key_of_raw(bytes.fromhex(public_key)).fits(bytes.fromhex(signature), base)
