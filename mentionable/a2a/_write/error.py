"""An error as an HTTP response: of JSON-RPC or REST, in one version.

Spec: A2A 0.3 §8; A2A 1.0 §5.4, §9.5, §11.6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ..._errors.exceptions import CODES
from ..._flow.outcome import Rejected
from ..._wire.http import HttpResponse
from ..._wire.strict_json import dump_line
from .._protocol import JSON_TYPE, VERSION_HEADER, Json, Version

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


def write_error(
    rejected: Rejected, *, version: Version, is_rest: bool, call_id: Any, allow: Collection[str] = ()
) -> HttpResponse:
    """The response that names an error.

    Args:
        rejected: The error.
        version: The version of the request.
        is_rest: Whether its binding is REST, not JSON-RPC.
        call_id: The id of a JSON-RPC call.
        allow: The HTTP methods that the URL takes, where it does not take the one of the request.
    """
    must_authenticate = rejected.http_status == _UNAUTHENTICATED
    headers = [("content-type", JSON_TYPE)]
    if version == "1.0":
        headers.append((VERSION_HEADER, version))
    if must_authenticate:
        headers.append(("www-authenticate", "Bearer"))
    if allow:
        headers.append(("allow", ", ".join(allow)))
    if is_rest:
        status = _rest_status(rejected)
        body = _rest_error(rejected, status, version)
    else:
        status = _UNAUTHENTICATED if must_authenticate else 200
        data: Any = [_error_info(rejected)] if version == "1.0" else {"code": rejected.code}
        error = {"code": rejected.jsonrpc_code, "message": CODES[rejected.code].text, "data": data}
        body = {"jsonrpc": "2.0", "id": call_id, "error": error}
    return HttpResponse(status=status, headers=headers, body=dump_line(body).encode())


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
