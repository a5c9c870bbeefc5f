"""The request that asks another agent: its message, its headers, and the binding that they go by.

Spec: A2A 0.3 §7, A2A 1.0 §9; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ..._flow.settings import DEFAULTS
from ..._model.capabilities import NoRelay
from ..._model.codec import encode
from ..._model.message import NormalizedMessage
from ..._model.parts import ToolCallPart
from ..._model.policy import EXTENSION
from ..._transport.call import CallContext
from ..._transport.forwarded import forward_capabilities, forward_turn
from ..._transport.reply import check_size
from ..._wire import sse as _sse
from ..._wire.http import HttpRequest
from ..._wire.ids import derive, uuid_of
from ..._wire.strict_json import dump_line
from .._policy import check_receipt
from .._protocol import JSON_TYPE, REST_SEND, REST_STREAM, SEND, STREAM, VERSION_HEADER, CallDialect, Json
from .._read.metadata import CARRIER
from .._write.dialects import IDENTITY, TOOL_EVENTS, V03, V03_REST, V1, Dialect
from .._write.objects import Place, write_message
from .._write.parts import EncodeContext, write_nothing, write_parts
from .._write.question import question_of


class Binding(NamedTuple):
    """How a message is sent.

    Attributes:
        wording: How it is dialect_row.
        path: What comes between the URL of a REST interface and the method; None over JSON-RPC.
        configuration: What is asked for beside the message.
    """

    dialect: Dialect
    path: str | None
    configuration: Json | None


_ACCEPT: Final = f"{JSON_TYPE}, {V1.rest_type}"
_BLOCKING: Final = {"blocking": True}
"""v0.3 answers before the task is done unless it is told to wait; v1.0 waits unless it is told not to."""

_BINDINGS: Final[Mapping[CallDialect, Binding]] = {
    "1.0": Binding(V1, None, None),
    "1.0-rest": Binding(V1, "/", None),
    "0.3": Binding(V03, None, _BLOCKING),
    "0.3-rest": Binding(V03_REST, "/v1/", _BLOCKING),
}


def write_call(
    message: NormalizedMessage,
    *,
    url: str,
    entropy: bytes,
    dialect: CallDialect,
    stream: bool,
    task_id: str | None,
    context: CallContext,
    blobs: Mapping[str, bytes],
) -> HttpRequest:
    """The request. The arguments are those of `call`, and have been checked.

    Raises:
        UsageError: See `call`.
    """
    binding = _BINDINGS[dialect]
    dialect_row = binding.dialect
    parts = write_parts(message.parts, EncodeContext(dialect_row, blobs, [])) or [write_nothing(dialect_row)]
    place = Place(question_of(message).context_id if message.received_via == "a2a" else None, task_id)
    hints, evidence = _hints(message, context), context.evidence
    receipt = check_receipt(context.receipt) if context.receipt else {}
    content = dump_line([parts, receipt] if receipt else parts)
    resolution = receipt.get("mentionable", {})
    sidecar = {name: member for name, member in receipt.items() if name != "mentionable"}
    message_id = uuid_of(derive("a2a.call", entropy, message.id, url, dialect, task_id or "", content))
    extensions = [TOOL_EVENTS] if any(isinstance(part, ToolCallPart) for part in message.parts) else []
    if resolution:
        extensions.append(EXTENSION)
    if evidence:
        extensions.append(IDENTITY)
    sent = write_message(
        parts,
        dialect_row,
        message_id=message_id,
        role=dialect_row.user,
        place=place,
        hints={**hints, **resolution},
        beside=sidecar,
        extensions=extensions,
    )
    body: Json = {"message": sent}
    if binding.configuration is not None and not stream:
        body["configuration"] = binding.configuration
    if binding.path is None:
        methods = STREAM if stream else SEND
        body = {"jsonrpc": "2.0", "id": message_id, "method": methods[dialect_row.version], "params": body}
    else:
        address, mark, query = url.partition("?")
        url = f"{address.removesuffix('/')}{binding.path}{REST_STREAM if stream else REST_SEND}{mark}{query}"
    data = dump_line(body).encode()
    check_size(data, most=DEFAULTS.limits.a2a_bytes, what="a body")
    headers = _headers(dialect_row, context.token, has_evidence=bool(evidence), stream=stream)
    return HttpRequest(method="POST", url=url, headers=headers, body=data)


def _hints(message: NormalizedMessage, context: CallContext) -> Json:
    """The members of `metadata.mentionable` that go along with the parts."""
    evidence, history = context.evidence, context.history
    capabilities = message.recipient_capabilities
    if capabilities.agent_chain is not None:
        capabilities = forward_capabilities(message)
    forwarded: Json = {}
    if not isinstance(capabilities.mention_relay, NoRelay) or capabilities.agent_chain is not None:
        forwarded["recipient_capabilities"] = capabilities
    if evidence:
        forwarded[CARRIER] = evidence
    if history:
        forwarded["history"] = tuple([forward_turn(turn, evidence) for turn in history])
    if forwarded:
        forwarded = {name: encode(member) for name, member in forwarded.items()}
    return forwarded


def _headers(dialect: Dialect, token: str | None, *, has_evidence: bool, stream: bool) -> list[tuple[str, str]]:
    headers = [("content-type", JSON_TYPE), ("accept", _sse.MEDIA_TYPE if stream else _ACCEPT)]
    if dialect.version == "1.0":
        headers.append((VERSION_HEADER, dialect.version))
    # Tool calls and policies in the answer are asked for; an agent that does not know them answers without.
    extensions = (TOOL_EVENTS, EXTENSION, IDENTITY) if has_evidence else (TOOL_EVENTS, EXTENSION)
    headers.append((dialect.extensions_header, ",".join(extensions)))
    if token is not None:
        headers.append(("authorization", f"Bearer {token}"))
    return headers
