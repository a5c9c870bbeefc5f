"""The answer to a request that was rejected: a JSON-RPC error or a REST error, in the version of the request.

Spec: A2A 0.3 §8; A2A 1.0 §3.3, §9.5, §11.6.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError, WireError
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Limits, Settings, check_settings
from .._transport.json_body import load_body
from .._wire.http import HttpRequest, HttpResponse, check_request
from ._protocol import CALL_IDS, Version
from ._read.envelope import SENDING, version_label
from ._read.routes import METHODS, is_rest, rest_version, route_of
from ._write.error import write_error

_VERSIONS: Final[Mapping[str, Version]] = {**SENDING, **{name: version for name, (version, _) in METHODS.items()}}
"""JSON-RPC method → the version that it is of."""


class _Rejected(NamedTuple):
    """The readable part of a rejected request."""

    is_rest: bool
    version: Version
    id: Any


def error_response(rejected: Rejected, *, request: HttpRequest, settings: Settings = DEFAULTS) -> HttpResponse:
    """The response to a rejected request: the peer learns the code, never the problems.

    Over JSON-RPC the status is 200, as JSON-RPC requires; over REST it is that of the code. A caller that must
    authenticate gets 401 over both. A failed agent rejects nothing: `reply` sends its error as a failed task.

    Args:
        rejected: What `receive` or `receive_operation` gave.
        request: The rejected request. The response has its JSON-RPC id where that can be read.
        settings: Those of `receive`: the id is read within their limits.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: A2A 0.3 §8; A2A 1.0 §9.5, §11.6.

    Example:
        >>> from mentionable import HttpRequest, Rejected
        >>> body = b'{"jsonrpc": "2.0", "id": 7, "method": "message/send", "params": {}}'
        >>> request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
        >>> print(error_response(Rejected(code="missing-member"), request=request).body.decode())
        {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"A required member is missing.","data":{"code":"missing-member"}}}
    """  # noqa: E501 - the example shows a whole body
    if not isinstance(rejected, Rejected):
        raise UsageError("rejected must be the Rejected that receive gave")
    check_request(request)
    check_settings(settings)
    # 1. read what the request allows: binding, version and id   2. write the error in that form
    asked = _read(request, settings.limits)
    allow = _methods_of(request) if rejected.code == "http-method-unsupported" else ()
    return write_error(rejected, version=asked.version, is_rest=asked.is_rest, call_id=asked.id, allow=allow)


def _methods_of(request: HttpRequest) -> Collection[str]:
    """The HTTP methods that a REST path takes."""
    route = route_of(request)
    return ("POST",) if route is None else route.operations


def _read(request: HttpRequest, limits: Limits) -> _Rejected:
    """The binding, the version and the id of a request that may be broken."""
    if is_rest(request):
        return _Rejected(True, _version(request, rest_version), None)
    call = _call_in(request.body, limits)
    method, call_id = call.get("method"), call.get("id")
    named = _VERSIONS.get(method) if method.__class__ is str else None
    version = named or _version(request, lambda one: "0.3" if version_label(one) in (None, "0.3") else "1.0")
    return _Rejected(False, version, call_id if call_id.__class__ in CALL_IDS else None)


def _version(request: HttpRequest, read: Callable[[HttpRequest], Version]) -> Version:
    """The version of a request; the newer one where it names one that is not supported."""
    try:
        return read(request)
    except WireError:
        return "1.0"


def _call_in(body: bytes, limits: Limits) -> dict[str, Any]:
    """The JSON-RPC request in a body; empty when it cannot be read."""
    try:
        call = load_body(body, limits)
    except WireError:
        return {}
    return call if call.__class__ is dict else {}
