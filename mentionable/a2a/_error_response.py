"""The answer to a request that was rejected: a JSON-RPC error or a REST error, in the version of the request.

Spec: A2A 0.3 §8; A2A 1.0 §3.3, §9.5, §11.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .._errors.exceptions import CODES, UsageError, WireError
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS
from .._transport.json_body import load_body
from .._wire.http import HttpRequest, HttpResponse, check_request
from .._wire.strict_json import dump_line
from ._protocol import CALL_IDS, JSON_TYPE, VERSION_HEADER, Json, Version
from ._read.envelope import SENDING, rest_method, version_label

_ERROR_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
_DOMAIN: Final = "a2a-protocol.org"
_OWN_DOMAIN: Final = "mentionable.dev"

_REASONS: Final[Mapping[int, tuple[str, str]]] = {
    -32001: ("TASK_NOT_FOUND", "TaskNotFoundError"),
    -32002: ("TASK_NOT_CANCELABLE", "TaskNotCancelableError"),
    -32003: ("PUSH_NOTIFICATION_NOT_SUPPORTED", "PushNotificationNotSupportedError"),
    -32004: ("UNSUPPORTED_OPERATION", "UnsupportedOperationError"),
    -32005: ("CONTENT_TYPE_NOT_SUPPORTED", "ContentTypeNotSupportedError"),
    -32006: ("INVALID_AGENT_RESPONSE", "InvalidAgentResponseError"),
    -32007: ("EXTENDED_AGENT_CARD_NOT_CONFIGURED", "AuthenticatedExtendedCardNotConfiguredError"),
    -32008: ("EXTENSION_SUPPORT_REQUIRED", "ExtensionSupportRequiredError"),
    -32009: ("VERSION_NOT_SUPPORTED", "VersionNotSupportedError"),
    -32600: ("INVALID_REQUEST", "InvalidRequestError"),
    -32601: ("METHOD_NOT_FOUND", "MethodNotFoundError"),
    -32602: ("INVALID_PARAMS", "InvalidParamsError"),
    -32603: ("INTERNAL_ERROR", "InternalError"),
    -32700: ("JSON_PARSE_ERROR", "JSONParseError"),
}
"""JSON-RPC code → its names in v1.0 and among clients of v0.3. Other codes are ours."""

_STATUS_NAMES: Final[Mapping[int, str]] = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    502: "INTERNAL",
    503: "UNAVAILABLE",
}
"""HTTP status → its name in `google.rpc.Code`. Others of 400 and more are bad arguments, but for these."""

_CODE_NAMES: Final[Mapping[int, str]] = {
    -32002: "FAILED_PRECONDITION",
    -32003: "UNIMPLEMENTED",
    -32004: "UNIMPLEMENTED",
    -32007: "FAILED_PRECONDITION",
    -32008: "FAILED_PRECONDITION",
    -32009: "UNIMPLEMENTED",
    -32601: "UNIMPLEMENTED",
}
"""JSON-RPC code → the same name. Spec: A2A 1.0 §5.4."""

_UNAUTHENTICATED: Final = 401
_BAD_REQUEST: Final = 400
_UNPROCESSABLE: Final = 422


class _Rejected(NamedTuple):
    """The readable part of a rejected request."""

    is_rest: bool
    version: Version
    id: Any


def error_response(rejected: Rejected, *, request: HttpRequest) -> HttpResponse:
    """The response to a request that `receive` rejected: the peer learns the code, never the problems.

    Over JSON-RPC the status is 200, as JSON-RPC requires; over REST it is that of the code. A caller that must
    authenticate gets 401 over both. A failed agent rejects nothing: `reply` sends its error as a failed task.

    Args:
        rejected: The outcome.
        request: The rejected request. The response has its JSON-RPC id where that can be read.

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
    # 1. read what the request allows: binding, version and id   2. write the headers   3. write the body of its binding
    asked = _read(request)
    must_authenticate = rejected.http_status == _UNAUTHENTICATED
    headers = [("content-type", JSON_TYPE)]
    if asked.version == "1.0":
        headers.append((VERSION_HEADER, asked.version))
    if must_authenticate:
        headers.append(("www-authenticate", "Bearer"))
    if asked.is_rest:
        status = _rest_status(rejected)
        body = _rest_error(rejected, status, asked.version)
    else:
        status = _UNAUTHENTICATED if must_authenticate else 200
        data: Any = [_error_info(rejected)] if asked.version == "1.0" else {"code": rejected.code}
        error = {"code": rejected.jsonrpc_code, "message": CODES[rejected.code].text, "data": data}
        body = {"jsonrpc": "2.0", "id": asked.id, "error": error}
    return HttpResponse(status=status, headers=headers, body=dump_line(body).encode())


def _read(request: HttpRequest) -> _Rejected:
    """The binding, the version and the id of a request that may be broken."""
    try:
        label = version_label(request)
    except WireError:
        label = "1.0"
    is_older = label is None or label == "0.3"
    if rest_method(request.url) is not None:
        return _Rejected(True, "0.3" if is_older else "1.0", None)
    call = _call_in(request.body)
    method, call_id = call.get("method"), call.get("id")
    version = SENDING.get(method) if method.__class__ is str else None
    if version is None:
        version = "0.3" if is_older else "1.0"
    return _Rejected(False, version, call_id if call_id.__class__ in CALL_IDS else None)


def _call_in(body: bytes) -> dict[str, Any]:
    """The JSON-RPC request in a body; empty when it cannot be read."""
    try:
        call = load_body(body, DEFAULTS.limits)
    except WireError:
        return {}
    return call if call.__class__ is dict else {}


def _rest_status(rejected: Rejected) -> int:
    """The status of a REST error. What of the request cannot be read is a bad request, as AIP-193 has no 422."""
    status = rejected.http_status
    return _BAD_REQUEST if status < _BAD_REQUEST or status == _UNPROCESSABLE else status


def _rest_error(rejected: Rejected, status: int, version: Version) -> Json:
    """The body of a REST error, which Google's API guidelines shape (AIP-193).

    A2A 0.3 does not define one. Its clients read the members of the JSON-RPC error or the name of its kind, so these
    are there too.
    """
    error: Json = {
        "code": status,
        "status": _STATUS_NAMES.get(status) or _CODE_NAMES.get(rejected.jsonrpc_code, "INVALID_ARGUMENT"),
        "message": CODES[rejected.code].text,
        "details": [_error_info(rejected)],
    }
    if version == "1.0":
        return {"error": error}
    old = {"code": rejected.jsonrpc_code, "message": error["message"], "error": error}
    _, kind = _REASONS.get(rejected.jsonrpc_code, (None, None))
    return old if kind is None else {"type": kind, **old}


def _error_info(rejected: Rejected) -> Json:
    """The reason for programs: A2A's own where it has one, and the code of this library in any case."""
    reason, _ = _REASONS.get(rejected.jsonrpc_code, (None, None))
    return {
        "@type": _ERROR_INFO,
        "reason": reason or rejected.code.upper().replace("-", "_"),
        "domain": _DOMAIN if reason else _OWN_DOMAIN,
        "metadata": {"code": rejected.code},
    }
