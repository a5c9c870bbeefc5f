"""A message becomes the multipart request that asks another agent.

Spec: REST transport (request); Building a Connector; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from typing import Final

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, check_entropy, check_id
from .._model.message import NormalizedMessage
from .._transport.call import NO_CONTEXT, CallContext, authorization, check_call
from .._transport.reply import check_size
from .._wire import sse as _sse
from .._wire.http import HttpRequest
from .._wire.ids import derive, uuid_of
from ._client.call import digest_of, last_turn, plain_turns, sidecars, write_form
from ._policy import write_receipt
from ._read.accept import JSON
from ._read.field import MESSAGE_ID, USER, Field

_ACCEPT: Final = f"{JSON}, text/markdown;q=0.8, text/plain;q=0.5, text/html;q=0.3"
_ACCEPT_STREAM: Final = f"{_sse.MEDIA_TYPE}, {JSON};q=0.9"


def call(
    message: NormalizedMessage,
    *,
    url: str,
    entropy: bytes,
    session: str | None = None,
    stream: bool = False,
    context: CallContext = NO_CONTEXT,
) -> HttpRequest:
    """Write the REST request that asks another agent. Read the answer with `result`, or as it arrives.

    The text and the files of the message go out as plain fields, for agents that know no others, and all of its parts
    as JSON alongside them. `raw`, the sender and a policy resolution stay here.

    A chain of agents cannot continue by accident. A message that a connector received goes to the agent that it is for,
    with its own place in the chain. Of any other message you are that agent, and it goes out with the next place; at
    the end of the chain no agent can be asked.

    Args:
        message: What to ask.
        url: The URL of the other agent, which is its identity there.
        entropy: At least 32 random bytes, fresh for each call; the same give the same id and boundary.
        session: The conversation to go on with, as the other agent knows it. None: a new one.
        stream: Whether to ask for a stream.
        context: What goes along: evidence of who asks, a token, prior turns, a receipt, bytes of files.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, an invalid URL or token, a token that would
            go unencrypted, a chain of agents that ends here, a policy among the parts, a file whose bytes are
            not in `context.blobs`, more than a body may hold.

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
    # 1. check the arguments
    check_call(message, url=url, context=context)
    check_entropy(entropy)
    check_id(session, "session")

    # 2. write the receipt: a field, or a header field for a payment by x402
    resolution, headers = write_receipt(context.receipt) if context.receipt else (None, [])

    # 3. write the fields, from which the id of the message derives
    turns = plain_turns(context.history)
    is_plain = not turns or turns[-1].name != USER  # else the message would be one turn with the turn before it
    fields = [
        *sidecars(message, session, context, resolution),
        *turns,
        *last_turn(message.parts, context.blobs, is_plain=is_plain),
    ]
    fields.insert(0, Field(MESSAGE_ID, uuid_of(derive("rest.call", entropy, message.id, url, digest_of(fields)))))
    limits = DEFAULTS.limits
    if len(fields) > limits.parts:
        raise UsageError(f"parts: a form of {len(fields)} fields, at most {limits.parts}")

    # 4. write the body, and the headers
    content_type, body = write_form(fields, entropy)
    check_size(body, most=limits.a2a_bytes, what="a body")
    accepted = _ACCEPT_STREAM if stream else _ACCEPT
    headers = [("content-type", content_type), ("accept", accepted), *headers, *authorization(context)]
    return HttpRequest(method="POST", url=url, headers=headers, body=body)
