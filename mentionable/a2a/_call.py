"""The asking side: a message becomes the request that asks another agent.

Spec: A2A 0.3 §7, A2A 1.0 §9; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast, get_args

from .._errors.exceptions import UsageError
from .._flow.settings import check_entropy
from .._model.message import NormalizedMessage
from .._transport.call import NO_CONTEXT, CallContext, check_call
from .._transport.reply import NO_BLOBS
from .._wire.http import HttpRequest
from .._wire.strict_json import is_text
from ._client.call import write_call
from ._protocol import CallDialect


def call(
    message: NormalizedMessage,
    *,
    url: str,
    entropy: bytes,
    dialect: CallDialect = "1.0",
    stream: bool = False,
    task_id: str | None = None,
    context: CallContext = NO_CONTEXT,
    blobs: Mapping[str, bytes] = NO_BLOBS,
) -> HttpRequest:
    """Write the request that asks another agent. Read the answer with `result`, or as it arrives with `ResultStream`.

    The request carries the parts of the message, the platform's capabilities, and what `context` holds. `raw`, the
    sender and a policy resolution stay here.

    A chain of agents cannot go on by accident. A message that a connector took goes to the agent that it is for, with
    the place that stands in it. With any other you are that agent, and the place that goes along is the next one; where
    the chain ends, nobody can be asked.

    The context goes along when the message came by A2A. Its task does not: that is a task of this node.

    Args:
        message: What to ask.
        url: The URL of the interface, from the other agent's card. Of a REST interface, the one without a path of ours.
        entropy: At least 32 random bytes, fresh for each call; the same give the same messageId, which is also the id
            of the JSON-RPC request.
        dialect: The version and binding to ask in.
        stream: Whether to ask for a stream.
        task_id: The task of the other agent that the message continues, from the answer that asked for more.
        context: Who asks, and what goes along: evidence, a token, prior turns, a receipt.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, a URL that is none, a token that is none or
            would go in the clear, a chain of agents that ends here, a file whose bytes are not in `blobs`, more than
            an A2A body may hold.

    Spec: Normalized Message §3.3.4, §3.3.5; A2A 0.3 §7, A2A 1.0 §9.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, TextPart
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(TextPart(content="Hi"),), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        ...     received_via="email", received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> request = call(question, url="https://agents.example/a2a", entropy=bytes(32))
        >>> request.method, request.header("a2a-version"), b'"method":"SendMessage"' in request.body
        ('POST', '1.0', True)
    """
    check_call(message, url=url, context=context)
    check_entropy(entropy)
    if task_id is not None and not (isinstance(cast("object", task_id), str) and task_id and is_text(task_id)):
        raise UsageError("task_id must be text")
    if dialect not in get_args(CallDialect):
        raise UsageError("dialect is one of 1.0, 1.0-rest, 0.3 and 0.3-rest")
    return write_call(
        message,
        url=url,
        entropy=entropy,
        dialect=dialect,
        stream=stream,
        task_id=task_id,
        context=context,
        blobs=blobs,
    )
