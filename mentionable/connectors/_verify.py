"""Whether a platform sent a request: the checks that every connector shares."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from .._errors.exceptions import Code, UsageError
from .._flow.outcome import Rejected, Verdict
from .._wire.http import HttpRequest
from .._wire.time import EPOCH

Fault: TypeAlias = "tuple[Code, str]"
"""Why a request is unverified: a code, and words for logs."""

_WINDOW: Final = timedelta(minutes=5)
_SECONDS: Final = re.compile("0|[1-9][0-9]{0,10}", re.ASCII).fullmatch


def verify_request(request: HttpRequest, fault: Callable[[], Fault | None], *, max_bytes: int) -> Rejected | None:
    """Reject a request that the platform did not send; None for a verified one.

    Args:
        request: The request.
        fault: Checks the platform's own proof, of a request that is short enough.
        max_bytes: How long its body may be.

    Raises:
        UsageError: `request` is no `HttpRequest`.
    """
    if not isinstance(request, HttpRequest):
        raise UsageError("request is an HttpRequest")
    if len(request.body) > max_bytes:
        return Rejected(code="too-large")
    unverified = fault()
    if unverified is None:
        return None
    code, detail = unverified
    verdict = Verdict(method="none", verified=False, code=code, detail=detail)
    return Rejected(code="request-unverified", verdict=verdict)


def signature_fault(
    request: HttpRequest,
    *,
    signature: str,
    form: Callable[[str], Any],
    written: str,
    timestamp: str,
    now: datetime,
    fits: Callable[[str, bytes], bool],
) -> Fault | None:
    """The fault of a signature over a time and the body; None when it is valid, within five minutes of `now`.

    Args:
        request: The request.
        signature: The header with the signature.
        form: Matches a well-formed signature.
        written: Describes that form in words.
        timestamp: The header with the time in seconds.
        now: The time, aware.
        fits: Whether the signature is valid over this time and the body.
    """
    signed, time = request.header(signature), request.header(timestamp)
    if signed is None:
        return "unsigned", f"there is no {signature}"
    if form(signed) is None:
        return "signature-malformed", f"{signature} is not {written}"
    if time is None:
        return "time-missing", f"there is no {timestamp}"
    if _SECONDS(time) is None:
        return "time-missing", f"{timestamp} is not a number of seconds"
    age = now - EPOCH - timedelta(seconds=int(time))
    if age > _WINDOW:
        return "expired", "it was signed more than five minutes ago"
    if age < -_WINDOW:
        return "not-yet-valid", "it was signed more than five minutes in the future"
    return None if fits(signed, time.encode()) else ("bad-signature", "the signature does not fit the body")
