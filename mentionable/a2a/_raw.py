"""`raw`: the native message and task as they came, without what must never be passed on.

The objects are kept by reference; only the way down to something redacted is copied.

Spec: Normalized Message §6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._secrets import redacted

if TYPE_CHECKING:
    from ._envelope import Unit
    from ._reading import Reading
    from ._sender import Caller


def raw_of(unit: Unit, caller: Caller | None, reading: Reading) -> dict[str, Any]:
    """The native message: `task`, `message` and `auth` as the contract names them, and what stood around them."""
    message = unit.message
    if message is None:
        message = unit.task["status"].get("message")
    raw = {"task": unit.task, "message": message, "auth": None, "envelope": unit.envelope}
    if reading.may_hold_secrets:
        raw = redacted(raw)
    if caller is not None:
        raw["auth"] = {"kind": None, "subject": caller.subject, "token_claims": redacted(caller.claims)}
    return raw
