"""Which operation a request asks for, and its parameters, over JSON-RPC or REST: none of them is checked yet.

Spec: A2A 0.3 §7.3 to §7.10; A2A 1.0 §3.1, §9.4, §11.3.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from ..._errors.exceptions import wire_error
from ..._model.diagnostic import Diagnostic
from ..._wire.http import HttpRequest, query_of
from ..._wire.strict_json import loads, pointer
from .._protocol import Json, OperationKind, Version
from .envelope import SENDING, VERSION_DISAGREES, check_not_before_0_3, read_method, rest_method, version_label
from .routes import METHODS, is_rest, rest_version, route_of

MAX_BODY: Final = 65_536
"""How many bytes a body may have that is no message."""

_MAX_QUERY: Final = 16_384
_MAX_FIELDS: Final = 32
_INTEGERS: Final = frozenset({"historyLength", "history_length", "pageSize", "page_size"})
_BOOLEANS: Final = frozenset({"includeArtifacts", "include_artifacts"})
_TRUTH: Final = {"true": True, "false": False}
_MAX_DIGITS: Final = 16
_MAX_NAME: Final = 100  # of a parameter in a problem
_INTEGER: Final = re.compile(r"-?[0-9]+", re.ASCII).fullmatch
_VERSION_PARAMETER: Final = "A2A-Version"
_ON_TASK: Final = frozenset({"get_task", "cancel_task", "subscribe_to_task"})
"""The operations whose `id` is that of the task; that of others is of a configuration."""


class AskedOperation(NamedTuple):
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


def read_asked_operation(request: HttpRequest) -> AskedOperation | None:
    """The operation that a request asks for; None when it sends a message, or may send one.

    Raises:
        WireError: `invalid-request`, `method-unsupported`, `http-method-unsupported`, `version-unsupported`,
            `malformed`, `wrong-type`, `too-large`, `task-mismatch`; or why the body is no strict JSON.
    """
    return _asked_in_rest(request) if is_rest(request) else _asked_in_jsonrpc(request)


# -- JSON-RPC


def _asked_in_jsonrpc(request: HttpRequest) -> AskedOperation | None:
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
    return AskedOperation(
        kind=kind,
        version=version,
        params=document.get("params") or {},
        at="/params",
        is_rest=False,
        id=document.get("id"),
        diagnostics=() if label == version else (VERSION_DISAGREES,),
    )


# -- REST


def _asked_in_rest(request: HttpRequest) -> AskedOperation | None:
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
    return AskedOperation(kind, version, params, "", is_rest=True)


def _decoded(text: str) -> str:
    """A segment of a path, or a name or value of a query, without percent-encoding."""
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeError:  # it may hold a lone surrogate, too
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
    text = query_of(url)
    if len(text) > _MAX_QUERY or text.count("&") >= _MAX_FIELDS:
        raise wire_error("too-large", "", f"longer than {_MAX_QUERY} characters, or more than {_MAX_FIELDS} parameters")
    params: Json = {}
    for pair in filter(None, text.split("&")):
        name, _, value = (_decoded(side.replace("+", " ")) for side in pair.partition("="))
        if name in params:
            raise wire_error("malformed", pointer(name[:_MAX_NAME]), "the parameter is there twice")
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
