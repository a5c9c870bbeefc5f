"""`raw`: the native message and task as they came, without secrets.

Spec: Normalized Message §6.
"""

from __future__ import annotations

from typing import Any

from .._text.redaction import redacted
from .._transport.caller import Caller
from .._wire.strict_json import without_null
from ._read.envelope import Envelope


def raw_of(envelope: Envelope, *, caller: Caller | None, token: dict[str, Any] | None) -> dict[str, Any]:
    """The native message: `task`, `message` and `auth` as the contract names them, and the envelope."""
    message = envelope.message
    if message is None:
        message = envelope.task["status"].get("message")
    around = without_null(envelope.around)
    raw = redacted(without_null({"task": envelope.task, "message": message, "envelope": around}))
    if token is not None:
        raw["auth"] = {**token, "token_claims": redacted(token["token_claims"])}
    elif caller is not None:
        raw["auth"] = {"subject": caller.subject, "token_claims": redacted(caller.claims)}
    value: dict[str, Any] = raw
    return value
