"""Verifies that your own server sent a webhook: by the secret in its URL, since nothing is signed."""

from __future__ import annotations

import hmac
from datetime import datetime

from ..._flow.outcome import Rejected
from ..._flow.settings import check_now
from ..._wire.http import HttpRequest, query_of
from .._settings import check_own_settings
from .._verify import Fault, verify_request
from ._settings import Settings


def verify(request: HttpRequest, *, now: datetime, settings: Settings) -> Rejected | None:
    """Verify the secret; None when the request has the secret of your server.

    `receive` does this first by itself. The secret covers neither time nor body: an attacker who reads it in a log can
    send any request, and send earlier ones again. Serve the endpoint over HTTPS, and keep its URL out of logs.

    None means that your server sent the request, and a `Rejected` is truthy: write
    `if (no := bluebubbles.verify(…)) is not None:`.

    Args:
        request: The request, with its whole URL.
        now: The time, aware, as the other connectors take it. It decides nothing, since the secret covers no time.
        settings: Has the secret, and names its place.

    Returns:
        None, or `Rejected` as `request-unverified` or `too-large`. Its verdict says why: `unsigned`,
        `signature-ambiguous`, `bad-signature`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import HttpRequest
        >>> from mentionable.connectors.bluebubbles import Settings
        >>> settings = Settings(secret="a-secret-of-your-own-server", pseudonym_key=bytes(32))
        >>> forged = HttpRequest(method="POST", url="https://imessage.example/hook")
        >>> verify(forged, now=datetime(2026, 11, 21, tzinfo=UTC), settings=settings).verdict.code
        'unsigned'
    """
    check_now(now)
    return verify_secret(request, settings)


def verify_secret(request: HttpRequest, settings: Settings) -> Rejected | None:
    """Verify the secret, as `verify` does, where no time is known.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    check_own_settings(settings, Settings)
    return verify_request(request, lambda: _fault(request, settings), max_bytes=settings.body_bytes)


def _fault(request: HttpRequest, settings: Settings) -> Fault | None:
    """The fault of the secret; None when it is there once and is the right one."""
    secrets = _secrets(request, settings)
    if not secrets:
        return "unsigned", "the secret is not there"
    if len(secrets) > 1:
        return "signature-ambiguous", "the secret is there more than once"
    if not hmac.compare_digest(secrets[0].encode("utf-8", "replace"), settings.secret.encode()):
        return "bad-signature", "it is another secret"
    return None


def _secrets(request: HttpRequest, settings: Settings) -> list[str]:
    """The values in the place of the secret."""
    if settings.secret_header is not None:
        name = settings.secret_header.lower()
        return [value for header, value in request.headers if header == name]
    pairs = [pair.partition("=") for pair in query_of(request.url).split("&")]
    return [value for name, _, value in pairs if name == settings.secret_parameter]
