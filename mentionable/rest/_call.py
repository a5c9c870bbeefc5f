"""The asking side: a message becomes the multipart request that asks another agent.

Spec: REST transport (request); Building a Connector; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from .._errors.exceptions import UsageError
from .._flow.settings import check_entropy
from .._model.message import NormalizedMessage
from .._transport.call import NO_CONTEXT, CallContext, check_call
from .._transport.reply import NO_BLOBS
from .._wire.http import HttpRequest
from .._wire.strict_json import is_text
from ._client.call import write_call


def call(
    message: NormalizedMessage,
    *,
    url: str,
    entropy: bytes,
    session: str | None = None,
    stream: bool = False,
    context: CallContext = NO_CONTEXT,
    blobs: Mapping[str, bytes] = NO_BLOBS,
) -> HttpRequest:
    """Write the REST request that asks another agent. Read the answer with `result`, or as it arrives.

    The text and the files of the message go out as plain fields, for agents that know no others, and all of its parts
    as JSON alongside them. `raw`, the sender and a policy resolution stay here.

    A chain of agents cannot go on by accident. A message that a connector took goes to the agent that it is for, with
    the place that stands in it. With any other you are that agent, and the place that goes along is the next one; where
    the chain ends, nobody can be asked.

    Args:
        message: What to ask.
        url: The URL of the other agent, which is its identity there.
        entropy: At least 32 random bytes, fresh for each call; the same give the same id and boundary.
        session: The conversation to go on with, as the other agent knows it. None: a new one.
        stream: Whether to ask for a stream.
        context: Who asks, and what goes along: evidence, a token, prior turns, a receipt.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, a URL that is none, a token that is none or
            would go in the clear, a chain of agents that ends here, a policy among the parts, a file whose bytes are
            not in `blobs`, more than a body may hold.

    Spec: REST transport (request); Normalized Message §3.3.4, §3.3.5; RFC 7578.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, TextPart
        >>> from mentionable.rest import fields_of
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(TextPart(content="Hi"),), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        ...     received_via="email", received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> request = call(question, url="https://agents.example/writer", session="s1", entropy=bytes(32))
        >>> [(one.name, one.value) for one in fields_of(request) if one.name != "message_id"]
        [('session', b's1'), ('user', b'Hi')]
    """
    check_call(message, url=url, context=context)
    check_entropy(entropy)
    if session is not None and not (isinstance(cast("object", session), str) and session and is_text(session)):
        raise UsageError("session must be text")
    return write_call(message, url=url, entropy=entropy, session=session, stream=stream, context=context, blobs=blobs)
