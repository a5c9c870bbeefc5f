"""Policies in REST answers, payments by x402 in header fields, and the receipts that go out with a call.

Spec: PolicyPart §Wire Mappings (REST), §Resumption Patterns; x402 v1 §6, v2 §6.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from .. import policy as policies
from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.outcome import Rejected
from .._flow.settings import Limits
from .._model.base import replace
from .._model.diagnostic import Diagnostic
from .._model.issuance import Candidate
from .._model.policy import PolicyPart
from .._transport.policy_part import ParsedPolicy
from .._wire.base64 import base64_decode
from .._wire.http import HttpRequest, HttpResponse
from .._wire.strict_json import dump_line, loads
from .._wire.time import EPOCH, http_seconds
from ._read.field import RESOLUTION
from ._read.form import ABSENT, Form

ENVELOPE: Final = "mentionable"
"""The member of a policy's body that holds the rest of the answer."""

STATUSES: Final = frozenset({401, 402, 403, 429, 451, 503})
"""The statuses whose response is a policy. Spec: PolicyPart §Wire Mappings (REST)."""

MAX_HEADER: Final = 8_192
"""Common servers reject longer header fields."""

_STATUS: Final = "x402.payment.status"
_PAYLOAD: Final = "x402.payment.payload"
_RECEIPTS: Final = "x402.payment.receipts"
_PAYMENTS: Final[Mapping[int, str]] = {1: "x-payment", 2: "payment-signature"}
"""Version of x402 → the header field of a payment."""

_SETTLEMENTS: Final = ("payment-response", "x-payment-response")


# -- answers


def write_policy_response(policy: PolicyPart, answer: dict[str, Any]) -> tuple[HttpResponse, tuple[Diagnostic, ...]]:
    """The response of a policy, whose body holds the rest of the answer in a member of its own."""
    written = policies.to_http_members(policy)
    members, diagnostics = {**written.members, ENVELOPE: answer}, list[Diagnostic]()
    if ENVELOPE in written.members:
        members = written.members
        detail = f"the policy has a member {ENVELOPE} of its own, so nothing else of the answer was sent"
        diagnostics.append(Diagnostic(code="part-changed", at="/parts", detail=detail))
    body = dump_line(members).encode()
    return HttpResponse(status=written.status, headers=written.headers, body=body), tuple(diagnostics)


def read_policy(response: HttpResponse, document: Any, *, authority: str) -> ParsedPolicy | Rejected:
    """The policy in a response.

    A `Retry-After` that is a date is read against the `Date` of the same response, so no clock is needed; without a
    `Date`, such a field is ignored.

    Args:
        response: The response.
        document: The JSON of its body, without the rest of the answer.
        authority: The host of the agent that answered.
    """
    date = http_seconds(response.header("date") or "")
    wait = response.header("retry-after") or ""
    headers = response.headers
    if date is None and not wait.strip().isdecimal():
        headers = tuple([pair for pair in headers if pair[0] != "retry-after"])
    members = document if document.__class__ is dict else {}
    now = EPOCH + timedelta(seconds=date or 0)
    return policies.from_http_members(replace(response, headers=headers), members, authority=authority, now=now)


def settlement_headers(settlement: dict[str, Any]) -> tuple[list[tuple[str, str]], tuple[Diagnostic, ...]]:
    """The settlement of a payment, in the header fields of both versions of x402."""
    value = b64encode(dump_line(settlement[_RECEIPTS][-1]).encode()).decode("ascii")
    if len(value) > MAX_HEADER:
        detail = f"the receipt of a payment takes more than {MAX_HEADER} characters, so it was left out"
        return [], (Diagnostic(code="part-changed", detail=detail),)
    return [(name, value) for name in _SETTLEMENTS], ()


# -- calls


def write_receipt(value: object) -> tuple[Any, list[tuple[str, str]]]:
    """The receipt of a call: the JSON of a policy resolution or None, and header fields.

    Raises:
        UsageError: It is not what `policy.receipt` or `policy.x402_submission` gives, or too long for a header field.
    """
    members = policies.check_receipt(value)
    if _STATUS not in members:
        return members["mentionable"]["policy_resolution"], []
    payment = b64encode(dump_line(members[_PAYLOAD]).encode()).decode("ascii")
    if len(payment) > MAX_HEADER:
        raise UsageError(f"receipt: the payment takes more than {MAX_HEADER} characters of a header field")
    return None, [(_PAYMENTS[policies.x402_payment_from(members[_PAYLOAD]).version], payment)]


# -- requests


def candidate_in(
    form: Form, request: HttpRequest | None, thread_id: str
) -> tuple[Candidate | None, tuple[Diagnostic, ...]]:
    """The receipt of the caller, or None. A malformed one is ignored.

    A policy resolution, in its field, counts before a payment by x402 in a header field.
    """
    value, unreadable = form.json_of(RESOLUTION)
    if value is not ABSENT:
        try:
            return policies.read_resolution(value), ()
        except WireError as error:
            return None, (_malformed_receipt(error, form.pointer_of(RESOLUTION)),)
    for name in (_PAYMENTS[2], _PAYMENTS[1]):
        text = None if request is None else request.header(name)
        if text is not None:
            try:
                return _payment(text, thread_id, form.limits), unreadable
            except WireError as error:
                return None, (*unreadable, _malformed_receipt(error, f"/headers/{name}"))
    return None, unreadable


def _payment(text: str, thread_id: str, limits: Limits) -> Candidate:
    """The payment in a header field."""
    data = base64_decode(text)
    if data is None:
        raise wire_error("receipt-malformed", "", "expected base64 of JSON")
    payload = loads(data, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth, safe_integers=False)
    return policies.payment_candidate(policies.x402_payment_from(payload), thread_id)


def _malformed_receipt(error: WireError, at: str) -> Diagnostic:
    pointer, reason = error.problems[0] if error.problems else ("", str(error))
    return Diagnostic(code="receipt-malformed", at=at + pointer, detail=reason)
