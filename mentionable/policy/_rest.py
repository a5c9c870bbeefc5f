"""A policy as the answer to an HTTP request, both ways.

The body is two things at once: the whole policy, and a problem of RFC 9457 for clients that know only those.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from math import ceil
from typing import Any, Final, NamedTuple, get_args
from urllib.parse import quote

from .._errors.exceptions import Problem, UsageError, WireError
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, check_now
from .._model.base import replace
from .._model.codec import encode
from .._model.policy import (
    EXTENSION,
    KINDS,
    ConsentRequired,
    Forbidden,
    PaymentRequired,
    PolicyPart,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnavailableForLegalReasons,
    UnknownPolicy,
)
from .._model.rules import bare_type
from .._transport.peer_error import code_of_status
from .._transport.policy_part import ParsedPolicy, bind_policy, read_policy
from .._wire.authority import is_authority
from .._wire.base64 import base64_decode
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line, loads
from .._wire.time import retry_after_seconds
from ._challenges import read_challenges, write_challenges
from ._x402 import x402_demand_in_body, x402_metadata
from ._x402_terms import REQUIRED

_JSON: Final = "application/json"
_PROBLEM: Final = "application/problem+json"
_X402: Final = "payment-required"
"""The header field in which version 2 of x402 says what is to be paid."""

_MAX_IN_FIELD: Final = 8_192
"""Servers reject longer fields; the body has everything."""

_UNKNOWN: Final = 403
"""The status of a policy of an unknown kind: no client takes it for a success, or tries again."""

_STATUSES: Final[Mapping[str, int]] = {
    Unauthorized.kind: 401,
    ConsentRequired.kind: 401,
    PaymentRequired.kind: 402,
    Forbidden.kind: 403,
    TooManyRequests.kind: 429,
    UnavailableForLegalReasons.kind: 451,
    ServiceUnavailable.kind: 503,
}
_WORDS: Final[Mapping[int, str]] = {
    401: "You must sign in first.",
    403: "This is not allowed.",
    429: "There were too many requests.",
    451: "This is not available for legal reasons.",
    503: "The service is not available just now.",
}
"""Status → the message of a rejection that has no text of its own."""


def to_http(policy: PolicyPart) -> HttpResponse:
    """The HTTP response that makes a demand: its status, the headers that go with it, and the whole policy as JSON.

    A policy of an unknown kind is a 403, never a success. A 401 has a challenge in any case, as HTTP wants it. Ways to
    pay by x402 stand in its own header field, too, unless it gets too long. The body is a problem as well (RFC 9457),
    unless the policy has members of its own called `type`, `status` or `detail`: these stay, and the body is plain JSON
    then.

    Raises:
        UsageError: `policy` is no policy.

    Spec: PolicyPart §Wire Mappings (REST); RFC 9457 §3; RFC 9110 §11.6.1, §10.2.3.

    Example:
        >>> from mentionable.policy import TooManyRequests
        >>> response = to_http(TooManyRequests(message="Slow down, please.", retry_after_seconds=30))
        >>> response.status, response.header("retry-after")
        (429, '30')
    """
    written = to_http_members(policy)
    return HttpResponse(status=written.status, headers=written.headers, body=dump_line(written.members).encode())


class HttpMembers(NamedTuple):
    """The response of a policy, before its body is written.

    Attributes:
        status: Its status.
        headers: Its header fields.
        members: The JSON of its body.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    members: dict[str, Any]


def to_http_members(policy: PolicyPart) -> HttpMembers:
    """As `to_http`, for a transport that adds members to the body.

    Raises:
        UsageError: `policy` is no policy.
    """
    if not isinstance(policy, get_args(PolicyPart)):
        raise UsageError("policy must be a policy, such as policy.Forbidden(...)")
    status = _STATUSES.get(policy.kind, _UNKNOWN)
    members = encode(policy)
    problem = _problem(policy.kind, policy.message, status)
    is_problem = problem.keys().isdisjoint(members)
    headers = [("content-type", _PROBLEM if is_problem else _JSON), ("cache-control", "no-store")]
    if status == 401:
        challenges = write_challenges(policy.auth_challenges) if isinstance(policy, Unauthorized) else None
        headers.append(("www-authenticate", challenges or f'Mentionable policy="{policy.kind}"'))
    if isinstance(policy, (TooManyRequests, ServiceUnavailable)) and policy.retry_after_seconds is not None:
        headers.append(("retry-after", str(policy.retry_after_seconds)))
    if isinstance(policy, PaymentRequired) and (required := x402_metadata(policy).get(REQUIRED)):
        field = b64encode(dump_line(required).encode()).decode()
        if len(field) <= _MAX_IN_FIELD:
            headers.append((_X402, field))
    return HttpMembers(status, tuple(headers), {**problem, **members} if is_problem else members)


def from_http(response: HttpResponse, *, authority: str | None, now: datetime) -> ParsedPolicy | Rejected:
    """The policy that a peer answered with, whether it knows policies or only HTTP.

    A body that is a policy wins when its kind fits the status. Without one the policy is made of the status, the
    challenges, `Retry-After`, and the words of a problem; or, for a 402, of what x402 says in body or header. Bodies
    over `Limits.fetched_bytes` are not read.

    Args:
        response: As it came.
        authority: The host of the agent that answered, such as `agents.example`, to which URLs must lead. None when
            it is not known: then no URL counts.
        now: The time, which must be aware; a `Retry-After` may be a date.

    Returns:
        The policy, and what was left out of it; or `Rejected`: a code `peer-…` for other errors,
        `not-a-message` for what is no error, `malformed` for a policy that cannot be read or contradicts the status,
        `missing-member` for a 402 that offers no way to pay.

    Raises:
        UsageError: An argument is of the wrong kind. Nothing in the response makes it raise.

    Spec: PolicyPart §Wire Mappings (REST); RFC 9110 §15.5, §15.6.4; RFC 6585 §4; RFC 7725 §3.

    Example:
        >>> from datetime import UTC, datetime
        >>> response = HttpResponse(status=503, headers=(("retry-after", "120"),))
        >>> parsed = from_http(response, authority="agents.example", now=datetime(2026, 11, 21, tzinfo=UTC))
        >>> parsed.policy.retry_after_seconds
        120
    """
    if not isinstance(response, HttpResponse):
        raise UsageError("response must be an HttpResponse")
    if authority is not None and not is_authority(authority):
        raise UsageError(f"authority is a host, such as agents.example, not {authority!r:.80}")
    check_now(now)
    return from_http_members(response, _document(response), authority=authority, now=now)


def from_http_members(
    response: HttpResponse, document: Mapping[str, Any], *, authority: str | None, now: datetime
) -> ParsedPolicy | Rejected:
    """As `from_http`, for a transport that has read the body already, within limits of its own.

    Args:
        response: The status and the header fields.
        document: The JSON object of the body; empty when there is none.
        authority: As for `from_http`.
        now: As for `from_http`.
    """
    # 1. check the status                      3. a 402 without one: read what x402 says
    # 2. take the policy of a body that fits   4. otherwise: the status, its header fields and the words of a problem

    # 1.
    status = response.status
    if status not in _STATUSES.values():
        return _no_policy(status)

    # 2.
    document, is_ours = _without_problem(response, document)
    kind: Any = document.get("kind")
    is_known = kind.__class__ is str and kind in KINDS
    parsed = read_policy(document, authority=authority) if "kind" in document else ParsedPolicy(policy=None)
    if parsed.policy is not None:
        policy = parsed.policy
        is_odd = any(note.code == "member-dropped" for note in parsed.diagnostics)
        if not isinstance(policy, UnknownPolicy):
            if _STATUSES[policy.kind] == status:
                return parsed
            rule = f"does not fit the HTTP status {status}"
            return Rejected(code="malformed", problems=(Problem("/kind", rule),))
        if is_ours or not is_odd:  # else it is the JSON of something else, which has a `kind` too
            return parsed
    elif is_known and (kind == ConsentRequired.kind or _STATUSES[kind] != status):
        return Rejected(code="malformed", problems=_problems(parsed))

    # 3.
    if status == 402:
        return _payment_of(response, document, parsed)

    # 4. A policy in the body that was rejected leaves its diagnostics.
    made = bind_policy(_made(response, document, now), authority)
    if is_ours or is_known:
        return replace(made, diagnostics=(*parsed.diagnostics, *made.diagnostics))
    return made


def _problem(kind: str, message: str, status: int) -> dict[str, Any]:
    """The members that make the JSON of a policy a problem; `title` is the policy's own."""
    return {"type": f"{EXTENSION}#{quote(kind, safe='')}", "status": status, "detail": message}


def _no_policy(status: int) -> Rejected:
    if status < 400:
        return Rejected(code="not-a-message", problems=(Problem("", f"HTTP status {status} demands nothing"),))
    problems = (Problem("", f"the peer answered with HTTP status {status}"),)
    return Rejected(code=code_of_status(status), problems=problems)


def _document(response: HttpResponse) -> dict[str, Any]:
    """The JSON object of a body, empty when there is none."""
    media_type = _media_type(response)
    if media_type != _JSON and not media_type.endswith("+json"):
        return {}
    limits = DEFAULTS.limits
    try:
        document = loads(
            response.body, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth, safe_integers=False
        )
    except WireError:
        return {}
    return document if isinstance(document, dict) else {}


def _media_type(response: HttpResponse) -> str:
    return bare_type(response.header("content-type") or _JSON)


def _without_problem(response: HttpResponse, document: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """The JSON of a body without what only makes it a problem, and whether the type of that problem is our policy."""
    kind, message = document.get("kind"), document.get("message")
    if _media_type(response) == _PROBLEM and isinstance(kind, str) and isinstance(message, str):
        problem = _problem(kind, message, response.status)
        own = {name: member for name, member in document.items() if name not in problem or member != problem[name]}
        return own, document.get("type") == problem["type"]
    return document, False


def _problems(parsed: ParsedPolicy) -> tuple[Problem, ...]:
    return tuple([Problem(note.at, note.detail) for note in parsed.diagnostics])


def _payment_of(response: HttpResponse, document: Mapping[str, Any], parsed: ParsedPolicy) -> ParsedPolicy | Rejected:
    """The payment that a 402 asks for by x402, in its body or in the header field of version 2.

    Args:
        response: The response, whose body is no policy that counts.
        document: The JSON of its body.
        parsed: The policy of the body, rejected.
    """
    problems: tuple[Problem, ...] = ()
    for body in (document, _in_header(response)):
        offered = x402_demand_in_body(body)
        if offered.policy is not None:
            return offered
        problems += _problems(offered)
    if document.get("kind") == PaymentRequired.kind:
        return Rejected(code="malformed", problems=_problems(parsed))
    rule = "its body offers no way to pay" if document else "it has no body that offers a way to pay"
    return Rejected(code="missing-member", problems=problems or (Problem("/accepted_payments", rule),))


def _in_header(response: HttpResponse) -> Any:
    """What the header of x402 says; None when there is none that can be read."""
    limits = DEFAULTS.limits
    try:
        data = base64_decode(response.header(_X402) or "") or b""
        return loads(data, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth)
    except WireError:
        return None


def _made(response: HttpResponse, document: Mapping[str, Any], now: datetime) -> PolicyPart:
    """The policy that a status other than 402 stands for."""
    words = _words(document, response.status)
    if response.status == 401:
        return Unauthorized(auth_challenges=read_challenges([response.header("www-authenticate") or ""]), **words)
    if response.status == 403:
        return Forbidden(**words)
    if response.status == 451:
        return UnavailableForLegalReasons(**words)
    later = TooManyRequests if response.status == 429 else ServiceUnavailable
    wait = retry_after_seconds(response.header("retry-after") or "", now=now)
    return later(retry_after_seconds=None if wait is None else ceil(wait), **words)


def _words(document: Mapping[str, Any], status: int) -> dict[str, Any]:
    """The message, and the title when it is not the message itself, of a problem or a policy that is not whole."""
    detail, message, title = [
        member if isinstance(member := document.get(name), str) and member.strip() else None
        for name in ("detail", "message", "title")
    ]
    text = detail or message
    return {"message": text or title or _WORDS[status], "title": title if text else None}
