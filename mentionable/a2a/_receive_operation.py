"""Receiving an operation: a request for a task, its updates or a card becomes a value.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, cast
from urllib.parse import unquote_to_bytes

from .._crypto.verification import ReplayCheck, check_replay, rejection_of
from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.asks import Fetch, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Rejected, Verdict, rejected
from .._flow.settings import DEFAULTS, Settings, check_inputs, own_settings
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from .._model.stored_task import StoredTask
from .._transport.caller import Caller, authenticated
from .._wire.http import HttpRequest, check_request
from .._wire.strict_json import loads
from ._auth.introspection import Introspection
from ._operation import CreateTaskPushNotificationConfig, Operation
from ._protocol import CALL_FORMS, CallDialect, Json, OperationKind, Version
from ._read.envelope import (
    SENDING,
    VERSION_DISAGREES,
    check_call_id_length,
    check_not_before_0_3,
    read_method,
    rest_method,
    version_label,
)
from ._read.operation import read_operation
from ._read.push_config import check_webhook
from ._read.routes import METHODS, is_rest, rest_version, route_of
from ._settings import Settings as A2ASettings
from ._verify import authenticate

OperationAsk: TypeAlias = Fetch | UseOnce
"""Every ask that `receive_operation` makes."""

MAX_BODY: Final = 65_536
"""How many bytes a body may have that is no message."""

_MAX_QUERY: Final = 16_384
_MAX_FIELDS: Final = 32
_INTEGERS: Final = frozenset({"historyLength", "history_length", "pageSize", "page_size"})
_BOOLEANS: Final = frozenset({"includeArtifacts", "include_artifacts"})
_TRUTH: Final = {"true": True, "false": False}
_MAX_DIGITS: Final = 16
_INTEGER: Final = re.compile(r"-?[0-9]+", re.ASCII).fullmatch
_VERSION_PARAMETER: Final = "A2A-Version"
_ON_TASK: Final = frozenset({"get_task", "cancel_task", "subscribe_to_task"})
"""The operations whose `id` is that of the task; that of others is of a configuration."""

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


class _Asked(NamedTuple):
    """What a request asks for, before its parameters are read.

    Attributes:
        kind: The operation.
        version: The version of the answer.
        params: The parameters.
        at: JSON Pointer to them.
        is_rest: Whether the binding is REST.
        id: The id of the JSON-RPC call.
        diagnostics: What was odd.
    """

    kind: OperationKind
    version: Version
    params: Any
    at: str
    is_rest: bool
    id: Any = None
    diagnostics: tuple[Diagnostic, ...] = ()


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
        asked = _asked_in_rest(request) if is_rest(request) else _asked_in_jsonrpc(request)
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


# -- JSON-RPC


def _asked_in_jsonrpc(request: HttpRequest) -> _Asked | None:
    """The operation of a JSON-RPC request; None when it may hold a message, which is for `receive` to say."""
    if len(request.body) > MAX_BODY:
        return None
    document = loads(request.body, max_bytes=MAX_BODY, safe_integers=False)
    if document.__class__ is not dict:
        raise wire_error("invalid-request", "", "a request must be an object")
    if "jsonrpc" not in document and "method" not in document:
        return None
    method = read_method(document)
    if method is None or method in SENDING:
        return None
    label = version_label(request) or "0.3"
    check_not_before_0_3(method)
    if method not in METHODS:
        raise wire_error("method-unsupported", "/method", "there is no such method")
    if "id" not in document:
        raise wire_error("invalid-request", "/id", "every request of A2A has an id: notifications are not answered")
    version, kind = METHODS[method]
    return _Asked(
        kind=kind,
        version=version,
        params=document.get("params") or {},
        at="/params",
        is_rest=False,
        id=document.get("id"),
        diagnostics=() if label == version else (VERSION_DISAGREES,),
    )


# -- REST


def _asked_in_rest(request: HttpRequest) -> _Asked | None:
    """The operation of a REST request; None when it sends a message."""
    is_message, route = rest_method(request.url) is not None, route_of(request)
    if is_message and request.method == "POST":
        return None
    if not is_message and route is None:
        raise wire_error("method-unsupported", "", "there is no such path")
    if route is None or request.method not in route.operations:
        raise wire_error("http-method-unsupported", "", f"the path does not take {request.method:.20}")
    version = rest_version(request)
    kind = route.operations[request.method]
    params = _body(request) if request.method == "POST" else _query(request.url)
    task_id, config_id = _decoded(route.task_id), _decoded(route.config_id)
    params = _with_ids(params, task_id, config_id, is_on_task=kind in _ON_TASK)
    return _Asked(kind, version, params, "", is_rest=True)


def _decoded(text: str) -> str:
    """A segment of a path, or a name or value of a query, without percent-encoding."""
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeError:  # it may hold half of a surrogate pair, too
        raise wire_error("malformed", "", "the URL is not UTF-8") from None


def _body(request: HttpRequest) -> Json:
    """The JSON of a REST body; an absent body is an empty object."""
    if not request.body:
        return {}
    document = loads(request.body, max_bytes=MAX_BODY, safe_integers=False)
    if document.__class__ is not dict:
        raise wire_error("wrong-type", "", "the body must be an object")
    members: Json = document
    return members


def _query(url: str) -> Json:
    """The parameters in a query, of the types that JSON would have."""
    text = url.partition("#")[0].partition("?")[2]
    if len(text) > _MAX_QUERY or text.count("&") >= _MAX_FIELDS:
        raise wire_error("too-large", "", f"longer than {_MAX_QUERY} characters, or more than {_MAX_FIELDS} parameters")
    params: Json = {}
    for pair in filter(None, text.split("&")):
        name, _, value = (_decoded(side.replace("+", " ")) for side in pair.partition("="))
        if name in params:
            raise wire_error("malformed", f"/{name}", "the parameter is there twice")
        if name != _VERSION_PARAMETER:
            params[name] = _typed(name, value)
    return params


def _typed(name: str, value: str) -> Any:
    """The value of a parameter: an integer, a truth value or text, by its name."""
    if name in _INTEGERS and len(value) <= _MAX_DIGITS and _INTEGER(value):
        return int(value)
    return _TRUTH.get(value, value) if name in _BOOLEANS else value


def _with_ids(params: Json, task_id: str, config_id: str, *, is_on_task: bool) -> Json:
    """The parameters together with the ids of the path, which say nothing else than the parameters."""
    if not task_id:
        return params
    ids = {"id": task_id} if is_on_task else {"taskId": task_id, **({"id": config_id} if config_id else {})}
    for name, own in (("taskId", task_id), ("task_id", task_id), *ids.items()):
        if params.get(name) not in (None, "", own):
            raise wire_error("task-mismatch", f"/{name}", "it is another one than in the path")
    return {**{name: member for name, member in params.items() if name not in ("taskId", "task_id")}, **ids}
