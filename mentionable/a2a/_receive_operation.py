"""Receiving an operation: a request for a task, its updates or a card becomes a value.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias, cast

from .._crypto.verification import ReplayCheck, check_replay, rejection_of
from .._errors.exceptions import UsageError, WireError
from .._flow.asks import Fetch, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Rejected, Verdict, rejected
from .._flow.settings import DEFAULTS, Settings, check_inputs, own_settings
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from .._model.stored_task import StoredTask
from .._transport.caller import Caller, authenticated
from .._wire.http import HttpRequest, check_request
from ._auth.introspection import Introspection
from ._operation import CreateTaskPushNotificationConfig, Operation
from ._protocol import CALL_FORMS, CallDialect
from ._read.asked_operation import read_asked_operation
from ._read.envelope import check_call_id_length
from ._read.operation import read_operation
from ._read.push_config import check_webhook
from ._settings import Settings as A2ASettings
from ._verify import authenticate

OperationAsk: TypeAlias = Fetch | UseOnce
"""Every ask that `receive_operation` makes."""

_DIALECTS: Final = {(form.version, form.is_rest): dialect for dialect, form in CALL_FORMS.items()}


@frozen
class ReceivedOperation:
    """An operation that a client asks for, and all that `operation_response` needs to answer it.

    Attributes:
        operation: What is asked for.
        caller: Who asks: the verified address, else the one that your host names; None: unknown.
        verdict: Who sent it, and how that was verified.
        diagnostics: What was odd.
        dialect: The version and the binding of the request.
        id: The id of the JSON-RPC call.
    """

    operation: Operation
    caller: str | None
    verdict: Verdict
    diagnostics: tuple[Diagnostic, ...] = ()
    dialect: CallDialect
    id: Any = None

    def owns(self, task: StoredTask | None) -> bool:
        """Whether there is a task, and it is the caller's. Ask this before you act on a task.

        A task of another is answered like one that does not exist: give `operation_response` None for both.
        """
        return task is not None and task.owner == self.caller


def receive_operation(
    request: HttpRequest,
    *,
    caller: Caller | Introspection | None = None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[OperationAsk, ReceivedOperation | Rejected | None]:
    """Receive what a client asks for other than to send a message: a task, its updates, or the extended card.

    Call it for each request before `receive`: None says that the request sends a message. Look the task up, act, and
    give `operation_response` the outcome. What is broken is `Rejected`, for `error_response`.

    Args:
        request: The HTTP request. A body of more than 64 KiB is none of these.
        caller: The caller, as the host knows it: a `Caller`, which counts where no token verifies one, or the
            authorization server's answer about the token, an `Introspection`.
        now: The time, aware.
        settings: `a2a.Settings(token_issuers=...)` names the issuers whose tokens count.

    Returns:
        A flow of the operation; of `Rejected` when it cannot be read; or of None when the request sends a message.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind. Nothing in the request makes the flow raise.

    Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> body = b'{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "t1", "historyLength": 5}}'
        >>> request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
        >>> flow = receive_operation(request, caller=Caller(subject="alice"), now=datetime(2026, 11, 21, tzinfo=UTC))
        >>> got = drive(flow, Answers())
        >>> got.operation, got.caller, got.dialect
        (GetTask(task_id='t1', history_length=5), 'alice', '1.0')
    """
    check_inputs(now, settings)
    check_request(request)
    if caller is not None and not isinstance(caller, (Caller, Introspection)):
        raise UsageError("caller must be a Caller(subject=...) or an Introspection(response=..., issuer=...)")
    return _received(request, caller, now, settings)


def _received(
    request: HttpRequest, caller: Caller | Introspection | None, now: datetime, settings: Settings
) -> Flow[OperationAsk, ReceivedOperation | Rejected | None]:
    """The flow of `receive_operation`. A fault of the request ends it with `Rejected`."""
    # What needs no look-up comes first:
    #   1. the binding, and which operation: by the REST path, or the JSON-RPC method
    #   2. read the parameters
    #   3. verify the bearer token   (asks for the issuer's keys, and whether the token was used before)
    try:
        asked = read_asked_operation(request)
        if asked is None:
            return None
        check_call_id_length(asked.id, settings.limits)
        operation, odd = read_operation(asked.kind, asked.params, asked.version, at=asked.at, limits=settings.limits)
        if isinstance(operation, CreateTaskPushNotificationConfig):
            allows_local = own_settings(A2ASettings, settings).local_webhooks
            check_webhook(operation.config, asked.at, allows_local=allows_local)
    except WireError as error:
        return rejected(error)

    introspection = None
    if isinstance(caller, Introspection):
        introspection, caller = caller, caller.caller
    authentication = yield from authenticate(
        request, introspection, message_id=partial(_request_id, request), now=now, settings=settings
    )
    replay = cast("Flow[Fetch | UseOnce, ReplayCheck]", check_replay(authentication.verdict, settings))
    verdict = (yield from replay).verdict
    if settings.require_verified and not verdict.verified:
        return rejection_of(verdict)

    return ReceivedOperation(
        operation=operation,
        caller=authenticated(verdict, caller),
        verdict=verdict,
        diagnostics=(*asked.diagnostics, *odd, *authentication.diagnostics),
        dialect=_DIALECTS[asked.version, asked.is_rest],
        id=asked.id,
    )


def _request_id(request: HttpRequest) -> str:
    """What a token for this request is bound to: the request, byte for byte."""
    text = f"{request.method} {request.url}\n".encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(text + request.body).hexdigest()}"
