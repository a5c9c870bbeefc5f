"""The asking side: a message becomes the request that asks another agent.

Spec: A2A 0.3 §7, A2A 1.0 §9; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from .. import _sse
from .._errors import UsageError
from .._http import HttpRequest, is_web_url
from .._ids import derive
from .._json import is_text
from .._model.capabilities import NoRelay
from .._model.message import NormalizedMessage
from .._model.parts import ToolCallPart
from .._reply import NO_BLOBS
from .._settings import check_entropy
from ._dialects import IDENTITY, TOOL_EVENTS, V03, V03_REST, V1
from ._part_writing import write_nothing, write_parts
from ._question import question_of
from ._responding import JSON_TYPE, VERSION_HEADER, as_json
from ._writing import Place, uuid_of, write_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .._model.identity import IdentityEvidence
    from ._dialects import Dialect, Json

CallDialect: TypeAlias = Literal["1.0", "1.0-rest", "0.3", "0.3-rest"]
"""The version of A2A to ask in, over JSON-RPC or over REST. The other agent's card says which ones it speaks."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII).fullmatch


class _Way(NamedTuple):
    """How a message is sent.

    Attributes:
        dialect: How it is written.
        method: The JSON-RPC method; or, with a slash in front, what comes after the URL of a REST interface.
        streaming: The same for a stream.
        configuration: What is asked for beside the message.
    """

    dialect: Dialect
    method: str
    streaming: str
    configuration: Json | None


_ACCEPT: Final = f"{JSON_TYPE}, {V1.rest_type}"
_BLOCKING: Final = {"blocking": True}
"""v0.3 answers before the task is done unless it is told to wait; v1.0 waits unless it is told not to."""

_WAYS: Final[Mapping[str, _Way]] = {
    "1.0": _Way(V1, "SendMessage", "SendStreamingMessage", None),
    "1.0-rest": _Way(V1, "/message:send", "/message:stream", None),
    "0.3": _Way(V03, "message/send", "message/stream", _BLOCKING),
    "0.3-rest": _Way(V03_REST, "/v1/message:send", "/v1/message:stream", _BLOCKING),
}


def call(
    message: NormalizedMessage,
    *,
    url: str,
    evidence: tuple[IdentityEvidence, ...] = (),
    token: str | None = None,
    entropy: bytes,
    dialect: CallDialect = "1.0",
    stream: bool = False,
    task_id: str | None = None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
) -> HttpRequest:
    """The request that asks another agent. What comes back goes to `result`, or as it comes to `ResultStream`.

    Only the parts of the message travel, the platform's capabilities with the place in the chain of agents, and the
    evidence that you give. `raw`, the sender and a policy resolution stay here. To ask as the next agent of a chain,
    put that place into the message first: `evolve(m.recipient_capabilities, agent_chain=chain.next())`.

    The context goes along when the message came by A2A. Its task does not: that is a task of this node.

    Args:
        message: What to ask.
        url: The URL of the interface, from the other agent's card. Of a REST interface, the one without a path of ours.
        evidence: Who asks, signed for the other agent.
        token: A bearer token for the other agent.
        entropy: At least 32 random bytes, fresh for each call; the same give the same messageId, which is also the id
            of the JSON-RPC request.
        dialect: The version and binding to ask in.
        stream: Whether to ask for a stream.
        task_id: The task of the other agent that the message continues, from the answer that asked for more.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, a URL that is none, a token that is none, a
            file whose bytes are not in `blobs`.

    Spec: Normalized Message §3.3.4, §3.3.5; A2A 0.3 §7, A2A 1.0 §9.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, TextPart
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(TextPart(content="Hi"),), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        ...     received_via="email", received_at="2026-11-21T00:00:00.000Z", raw=None,
        ... )
        >>> request = call(question, url="https://agents.example/a2a", entropy=bytes(32))
        >>> request.method, request.header("a2a-version"), b'"method":"SendMessage"' in request.body
        ('POST', '1.0', True)
    """
    _check(message, url, evidence, token, task_id, dialect)
    check_entropy(entropy)
    way = _WAYS[dialect]
    message_id = uuid_of(derive("a2a-call", entropy, message.id, url))
    body: Json = {"message": _message(message, way.dialect, message_id, evidence, task_id, blobs)}
    if way.configuration is not None and not stream:
        body["configuration"] = dict(way.configuration)
    method = way.streaming if stream else way.method
    if method[0] == "/":
        address, mark, query = url.partition("?")
        url = f"{address.removesuffix('/')}{method}{mark}{query}"
    else:
        body = {"jsonrpc": "2.0", "id": message_id, "method": method, "params": body}
    return HttpRequest(
        method="POST",
        url=url,
        headers=_headers(way.dialect, token, has_evidence=bool(evidence), stream=stream),
        body=as_json(body).encode(),
    )


def _check_evidence(evidence: object) -> None:
    from .._model.identity import IdentityEvidence

    if not isinstance(evidence, tuple) or not all(isinstance(one, IdentityEvidence) for one in evidence):
        raise UsageError("evidence must be a tuple of IdentityEvidence")


def _check(message: object, url: object, evidence: object, token: object, task_id: object, dialect: object) -> None:
    """Raises `UsageError` when an argument is of the wrong kind."""
    if evidence != ():
        _check_evidence(evidence)
    if not isinstance(message, NormalizedMessage):
        raise UsageError("message must be a NormalizedMessage")
    if not isinstance(url, str) or not is_web_url(url) or "#" in url:
        raise UsageError("url must be the http or https URL of an A2A interface, without a fragment")
    if token is not None and not (isinstance(token, str) and _TOKEN(token)):
        raise UsageError("token must be a bearer token (RFC 6750 §2.1)")
    if task_id is not None and not (isinstance(task_id, str) and task_id and is_text(task_id)):
        raise UsageError("task_id must be text")
    if dialect not in get_args(CallDialect):
        raise UsageError("dialect is one of 1.0, 1.0-rest, 0.3 and 0.3-rest")


def _message(
    message: NormalizedMessage,
    dialect: Dialect,
    message_id: str,
    evidence: tuple[IdentityEvidence, ...],
    task_id: str | None,
    blobs: Mapping[str, bytes],
) -> Json:
    """The message as the other agent reads it."""
    extensions = [TOOL_EVENTS] if any(isinstance(part, ToolCallPart) for part in message.parts) else []
    if evidence:
        extensions.append(IDENTITY)
    return write_message(
        write_parts(message.parts, dialect, blobs) or [write_nothing(dialect)],
        dialect,
        message_id=message_id,
        role=dialect.user,
        place=Place(question_of(message).context_id if message.received_via == "a2a" else None, task_id),
        hints=_hints(message, evidence),
        extensions=extensions,
    )


def _hints(message: NormalizedMessage, evidence: tuple[IdentityEvidence, ...]) -> Json:
    """What is forwarded beside the parts."""
    capabilities = message.recipient_capabilities
    hints: dict[str, Any] = {}
    if not isinstance(capabilities.mention_relay, NoRelay) or capabilities.agent_chain is not None or evidence:
        from .._codec import encode

        if not isinstance(capabilities.mention_relay, NoRelay) or capabilities.agent_chain is not None:
            hints["recipient_capabilities"] = encode(capabilities)
        if evidence:
            hints["identity_evidence"] = encode(evidence)
    return hints


def _headers(dialect: Dialect, token: str | None, *, has_evidence: bool, stream: bool) -> list[tuple[str, str]]:
    headers = [("content-type", JSON_TYPE), ("accept", _sse.MEDIA_TYPE if stream else _ACCEPT)]
    if dialect.version == "1.0":
        headers.append((VERSION_HEADER, dialect.version))
    # Tool calls in the answer are asked for; an agent that does not know them answers without.
    headers.append((dialect.extensions_header, f"{TOOL_EVENTS},{IDENTITY}" if has_evidence else TOOL_EVENTS))
    if token is not None:
        headers.append(("authorization", f"Bearer {token}"))
    return headers
