"""The URL, the body and the headers of the request that asks another agent.

Spec: A2A 0.3 §7, A2A 1.0 §9; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from typing import Final

from ..._model.policy import EXTENSION
from ..._transport.call import CallContext, authorization
from ..._wire import sse as _sse
from ..._wire.strict_json import dump_line
from .._configuration import SendConfiguration
from .._protocol import (
    CALL_FORMS,
    JSON_TYPE,
    REST_SEND,
    REST_STREAM,
    SEND,
    STREAM,
    VERSION_HEADER,
    CallDialect,
    CallForm,
    Json,
)
from .._write.configuration import configuration_in
from .._write.dialects import DIALECTS, IDENTITY, TOOL_EVENTS, V1, Dialect

_ACCEPT: Final = f"{JSON_TYPE}, {V1.rest_type}"


def row_of(dialect: CallDialect) -> Dialect:
    """How objects are written in a dialect."""
    return DIALECTS[CALL_FORMS[dialect].form]


def send_request(
    form: CallForm, *, url: str, message: Json, configuration: SendConfiguration, stream: bool
) -> tuple[str, bytes]:
    """The URL and the body of the request that sends a message."""
    body: Json = {"message": message}
    if asked := configuration_in(configuration, DIALECTS[form.form], stream=stream):
        body["configuration"] = asked
    if form.path is None:
        method = (STREAM if stream else SEND)[form.version]
        return url, jsonrpc_body(method, body, call_id=message["messageId"])
    return rest_url(url, form.path + (REST_STREAM if stream else REST_SEND)), dump_line(body).encode()


def jsonrpc_body(method: str, params: Json, *, call_id: str) -> bytes:
    """A JSON-RPC request."""
    return dump_line({"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}).encode()


def rest_url(url: str, path: str) -> str:
    """The URL of a path of a REST interface. The path may have a query; that of the interface stays, after it."""
    base, mark, query = url.partition("?")
    target = base.removesuffix("/") + path
    return target + ("&" if "?" in target else mark) + query if mark else target


def call_headers(dialect: Dialect, context: CallContext, *, stream: bool) -> list[tuple[str, str]]:
    """The header fields. They offer the extensions of tool calls and policies, which an agent may not know."""
    headers = [("content-type", JSON_TYPE), ("accept", _sse.MEDIA_TYPE if stream else _ACCEPT)]
    if dialect.version == "1.0":
        headers.append((VERSION_HEADER, dialect.version))
    extensions = (TOOL_EVENTS, EXTENSION, IDENTITY) if context.evidence else (TOOL_EVENTS, EXTENSION)
    headers.append((dialect.extensions_header, ",".join(extensions)))
    return [*headers, *authorization(context)]
