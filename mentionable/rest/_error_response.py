"""The answer to a request that was rejected: a problem of RFC 9457.

Spec: REST transport (responses); RFC 9457 §3.
"""

from __future__ import annotations

from typing import Final

from .._errors.exceptions import CODES, UsageError
from .._flow.outcome import Rejected
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line

PROBLEM: Final = "application/problem+json"

_TYPE: Final = "https://mentionable.dev/ns/transport-rest/v0.1#"
_BAD_REQUEST: Final = 400
_UNAUTHENTICATED: Final = 401


def error_response(rejected: Rejected) -> HttpResponse:
    """The response to a request that `receive` rejected: the peer learns the code, never the problems.

    Args:
        rejected: The outcome.

    Raises:
        UsageError: It is no `Rejected`.

    Spec: RFC 9457 §3; RFC 9110 §15.5.2.

    Example:
        >>> response = error_response(Rejected(code="missing-member"))
        >>> response.status, response.header("content-type")
        (422, 'application/problem+json')
    """
    if not isinstance(rejected, Rejected):
        raise UsageError("rejected must be the Rejected that receive gave")
    status = max(rejected.http_status, _BAD_REQUEST)
    headers = [("content-type", PROBLEM), ("cache-control", "no-store")]
    if status == _UNAUTHENTICATED:
        headers.append(("www-authenticate", f'Mentionable error="{rejected.code}"'))
    problem = {
        "type": _TYPE + rejected.code,
        "title": CODES[rejected.code].text,
        "status": status,
        "code": rejected.code,
    }
    return HttpResponse(status=status, headers=headers, body=dump_line(problem).encode())
