"""What a call asked, with which its answer is compared.

Spec: JSON-RPC 2.0 §5; A2A 1.0 §3.4.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError, WireError, wire_error
from ..._flow.settings import DEFAULTS
from ..._transport.json_body import load_body
from ..._wire.http import HttpRequest
from .._protocol import CALL_IDS


class Asked(NamedTuple):
    """What is compared.

    Attributes:
        call_id: The id of the JSON-RPC request; None: there was none, or it is not known.
        task_id: The task that the message went into.
        context_id: The context that it went into.
    """

    call_id: Any = None
    task_id: str | None = None
    context_id: str | None = None


UNKNOWN: Final = Asked()
"""Nothing is known of the call."""


def read_asked(request: object) -> Asked:
    """What the request of a call asked; `UNKNOWN` for None.

    Raises:
        UsageError: It is no request that `call` made.
    """
    if request is None:
        return UNKNOWN
    if not isinstance(request, HttpRequest):
        raise UsageError("request must be the HttpRequest that call made")
    if not request.body:  # of a method without a body
        return UNKNOWN
    try:
        body = load_body(request.body, DEFAULTS.limits)
    except WireError:
        body = None
    if body.__class__ is not dict:
        raise UsageError("request must be the HttpRequest that call made")
    call_id = body.get("id") if "jsonrpc" in body else None
    params = body.get("params") if "jsonrpc" in body else body
    message = params.get("message") if params.__class__ is dict else None
    if message.__class__ is not dict:
        return Asked(call_id)
    return Asked(call_id, message.get("taskId"), message.get("contextId"))


def check_call_id(document: Any, asked: Asked) -> bool:
    """Whether a JSON-RPC answer has the id of the call; False when it has none.

    Numbers and texts that read alike are the same id: some servers convert them.

    Raises:
        WireError: `call-mismatch`: it has the id of another call, and may be for another caller.
    """
    if asked.call_id is None or document.__class__ is not dict or "jsonrpc" not in document:
        return True
    call_id = document.get("id")
    if call_id is None:
        return False
    if call_id.__class__ not in CALL_IDS or _spelled(call_id) != _spelled(asked.call_id):
        raise wire_error("call-mismatch", "/id", "the answer has the id of another call")
    return True


def _spelled(call_id: Any) -> str:
    return str(int(call_id)) if call_id.__class__ is float and call_id.is_integer() else str(call_id)
