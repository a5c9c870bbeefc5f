"""Demands in REST answers, payments by x402 in header fields, and the receipts that go out with a call.

Spec: PolicyPart §Wire Mappings (REST), §Resumption Patterns; x402 v1 §6, v2 §6.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from .. import policy as policies
from .._errors.exceptions import UsageError, WireError
from .._flow.outcome import Rejected
from .._model.diagnostic import Diagnostic
from .._model.policy import PolicyPart
from .._transport.policy_part import ParsedPolicy
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line, loads, plain
from .._wire.time import http_seconds

ENVELOPE: Final = "mentionable"
"""The member of a demand's body that holds what else the answer says."""

STATUSES: Final = frozenset({401, 402, 403, 429, 451, 503})
"""The statuses that are demands. Spec: PolicyPart §Wire Mappings (REST)."""

MOST_IN_FIELD: Final = 8_192
"""Servers take no longer header fields."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_STATUS: Final = "x402.payment.status"
_PAYLOAD: Final = "x402.payment.payload"
_RECEIPTS: Final = "x402.payment.receipts"
_PAYMENTS: Final[Mapping[int, str]] = {1: "x-payment", 2: "payment-signature"}
_SETTLEMENTS: Final = ("payment-response", "x-payment-response")


# -- answers


def write_demand(policy: PolicyPart, beside: dict[str, Any], notes: list[Diagnostic]) -> HttpResponse:
    """The response that makes a demand, with what else the answer says in a member of its own."""
    made = policies.to_http(policy)
    members = loads(made.body, max_bytes=len(made.body), max_depth=128, safe_integers=False)
    if ENVELOPE in members:
        detail = f"the policy has a member {ENVELOPE} of its own, so nothing else of the answer was sent"
        notes.append(Diagnostic(code="part-changed", at="/parts", detail=detail))
        return made
    body = dump_line({**members, ENVELOPE: beside}).encode()
    return HttpResponse(status=made.status, headers=made.headers, body=body)


def read_demand(response: HttpResponse, document: Any, *, authority: str) -> ParsedPolicy | Rejected:
    """The demand that a response makes.

    A `Retry-After` that is a date is read against the `Date` of the same response, so no clock is needed; where there
    is none, such a date counts for nothing.

    Args:
        response: As it came.
        document: Its JSON without what else the answer says; None when it has none.
        authority: The host of the agent that answered.
    """
    said = http_seconds(response.header("date") or "")
    now = _EPOCH + timedelta(seconds=said or 0)
    wait = response.header("retry-after") or ""
    is_useless = said is None and not wait.strip().isdecimal()
    headers = [pair for pair in response.headers if not (is_useless and pair[0] == "retry-after")]
    body = response.body if document is None else dump_line(document).encode()
    return policies.from_http(
        HttpResponse(status=response.status, headers=headers, body=body), authority=authority, now=now
    )


def settlement_headers(settlement: dict[str, Any], notes: list[Diagnostic]) -> list[tuple[str, str]]:
    """How a payment ended, in the header fields of both versions of x402."""
    field = b64encode(dump_line(settlement[_RECEIPTS][-1]).encode()).decode("ascii")
    if len(field) > MOST_IN_FIELD:
        detail = f"the receipt of a payment takes more than {MOST_IN_FIELD} characters, so it was left out"
        notes.append(Diagnostic(code="part-changed", detail=detail))
        return []
    return [(name, field) for name in _SETTLEMENTS]


# -- calls


def write_receipt(value: object) -> tuple[Any, list[tuple[str, str]]]:
    """What a payer sends along: the JSON of a resolution or None, and header fields.

    Raises:
        UsageError: It is not what `policy.receipt` or `policy.x402_submission` gives, or too long for a header field.
    """
    members = _given(value)
    try:
        if _STATUS in members:
            return None, [_payment_header(members)]
        hints: Any = members.get("mentionable")
        if len(members) == 1 and hints.__class__ is dict and hints.keys() == {"policy_resolution"}:
            policies.read_resolution(hints["policy_resolution"])
            return hints["policy_resolution"], []
    except WireError as error:
        raise UsageError(f"receipt: not what policy.receipt() or policy.x402_submission() gives: {error}") from None
    raise UsageError("receipt: not what policy.receipt() or policy.x402_submission() gives")


def _payment_header(members: dict[str, Any]) -> tuple[str, str]:
    """A payment by x402 as the header field of its version."""
    payment = policies.x402_payment(members)
    if payment is None or members != policies.x402_submission(payment.payload):
        raise UsageError("receipt: not what policy.x402_submission() gives")
    field = b64encode(dump_line(members[_PAYLOAD]).encode()).decode("ascii")
    if len(field) > MOST_IN_FIELD:
        raise UsageError(f"receipt: the payment takes more than {MOST_IN_FIELD} characters of a header field")
    return _PAYMENTS[payment.version], field


def _given(value: object) -> dict[str, Any]:
    return plain(value) if isinstance(value, Mapping) else {}
