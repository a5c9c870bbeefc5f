"""The headers and the binding of the request that asks another agent.

Spec: A2A 0.3 §7, A2A 1.0 §9; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ..._model.policy import EXTENSION
from ..._transport.call import CallContext, authorization
from ..._wire import sse as _sse
from ..._wire.strict_json import dump_line
from .._configuration import SendConfiguration
from .._protocol import JSON_TYPE, REST_SEND, REST_STREAM, SEND, STREAM, VERSION_HEADER, CallDialect, Json
from .._write.configuration import configuration_in
from .._write.dialects import IDENTITY, TOOL_EVENTS, V03, V03_REST, V1, Dialect


class Binding(NamedTuple):
    """How a message is sent.

    Attributes:
        dialect: The dialect of the message.
        path: The path between the URL of a REST interface and the method; None over JSON-RPC.
    """

    dialect: Dialect
    path: str | None


_ACCEPT: Final = f"{JSON_TYPE}, {V1.rest_type}"

BINDINGS: Final[Mapping[CallDialect, Binding]] = {
    "1.0": Binding(V1, None),
    "1.0-rest": Binding(V1, "/"),
    "0.3": Binding(V03, None),
    "0.3-rest": Binding(V03_REST, "/v1/"),
}


def write_body(binding: Binding, message: Json, configuration: SendConfiguration, *, stream: bool) -> bytes:
    """The JSON-RPC request or REST body that sends a message."""
    body: Json = {"message": message}
    asked = configuration_in(configuration, binding.dialect, stream=stream)
    if asked:
        body["configuration"] = asked
    if binding.path is None:
        method = (STREAM if stream else SEND)[binding.dialect.version]
        body = {"jsonrpc": "2.0", "id": message["messageId"], "method": method, "params": body}
    return dump_line(body).encode()


def call_url(binding: Binding, url: str, *, stream: bool) -> str:
    """The URL of the method."""
    if binding.path is None:
        return url
    base, mark, query = url.partition("?")
    return f"{base.removesuffix('/')}{binding.path}{REST_STREAM if stream else REST_SEND}{mark}{query}"


def call_headers(dialect: Dialect, context: CallContext, *, stream: bool) -> list[tuple[str, str]]:
    """The header fields. They offer the extensions of tool calls and policies, which an agent may not know."""
    headers = [("content-type", JSON_TYPE), ("accept", _sse.MEDIA_TYPE if stream else _ACCEPT)]
    if dialect.version == "1.0":
        headers.append((VERSION_HEADER, dialect.version))
    extensions = (TOOL_EVENTS, EXTENSION, IDENTITY) if context.evidence else (TOOL_EVENTS, EXTENSION)
    headers.append((dialect.extensions_header, ",".join(extensions)))
    return [*headers, *authorization(context)]
