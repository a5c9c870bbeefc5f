"""`raw`: the native message and task as they came, without what must never be passed on.

Spec: Normalized Message §6.
"""

from __future__ import annotations

from typing import Any

from .._text.redaction import redacted
from .._transport.caller import Caller
from .._wire.strict_json import without_null
from ._read.envelope import Envelope


def raw_of(unit: Envelope, caller: Caller | None, token: dict[str, Any] | None) -> dict[str, Any]:
    """The native message: `task`, `message` and `auth` as the contract names them, and what stood around them."""
    message = unit.message
    if message is None:
        message = unit.task["status"].get("message")
    around = without_null(unit.envelope)
    raw = redacted(without_null({"task": unit.task, "message": message, "envelope": around}))
    if token is not None:
        raw["auth"] = {**token, "token_claims": redacted(token["token_claims"])}
    elif caller is not None:
        raw["auth"] = {"subject": caller.subject, "token_claims": redacted(caller.claims)}
    found: dict[str, Any] = raw
    return found
