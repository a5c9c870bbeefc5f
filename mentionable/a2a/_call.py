"""A message becomes the request that asks another agent.

Spec: A2A 0.3 §7, A2A 1.0 §9; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from .._flow.settings import DEFAULTS, check_entropy, check_id
from .._model.diagnostic import Diagnostic, cap_diagnostics
from .._model.message import NormalizedMessage
from .._model.parts import ToolCallPart
from .._model.policy import EXTENSION
from .._transport.call import NO_CONTEXT, check_call, forwarded_members
from .._transport.call import CallContext as AnyCallContext
from .._transport.reply import check_size
from .._wire.http import HttpRequest
from .._wire.ids import derive, uuid_of
from .._wire.strict_json import dump_line
from ..policy import check_receipt
from ._call_context import CallContext
from ._client.call import call_headers, row_of, send_request
from ._configuration import SendConfiguration
from ._protocol import CALL_FORMS, CallDialect, check_dialect
from ._write.dialects import IDENTITY, TOOL_EVENTS
from ._write.objects import Place, write_message
from ._write.parts import write_nothing, write_parts
from ._write.question import question_of


def call(
    message: NormalizedMessage,
    *,
    url: str,
    entropy: bytes,
    dialect: CallDialect = "1.0",
    stream: bool = False,
    context_id: str | None = None,
    task_id: str | None = None,
    context: AnyCallContext = NO_CONTEXT,
) -> HttpRequest:
    """Write the request that asks another agent. Read the answer with `result`, or as it arrives with `ResultStream`.

    The request carries the parts of the message, the platform's capabilities, and what `context` holds. `raw`, the
    sender and a policy resolution stay here.

    A chain of agents cannot continue by accident. A message that a connector received goes to the agent that it is for,
    with its own place in the chain. Of any other message you are that agent, and it goes out with the next place; at
    the end of the chain no agent can be asked.

    A2A carries nearly every part as it is; `call_diagnostics` tells what of a message it does not.

    To go on with a conversation give `context_id`, and with a task that waits for more also `task_id`: an answer has
    both in `response.extra["a2a"]`. Without either, the context of a message that came by A2A goes along. Its task does
    not: it is a task of this node.

    Args:
        message: What to ask.
        url: The URL of the interface, from the other agent's card. Of a REST interface, the one without a path of ours.
        entropy: At least 32 random bytes, fresh for each call; the same give the same messageId, which is also the id
            of the JSON-RPC request.
        dialect: The version and binding to ask in.
        stream: Whether to ask for a stream.
        context_id: The conversation with the other agent that the message is in, from its last answer.
        task_id: The task of the other agent that the message continues, from the answer that asked for more.
        context: What goes along: evidence of who asks, a token, prior turns, a receipt, bytes of files; and what is
            asked of the answer.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind, an invalid URL or token, a token that would
            go unencrypted, a chain of agents that ends here, a file whose bytes are not in `context.blobs`, more than
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
    # 1. check the arguments
    check_call(message, url=url, context=context)
    check_entropy(entropy)
    check_id(context_id, "context_id")
    check_id(task_id, "task_id")
    check_dialect(dialect)
    row = row_of(dialect)

    # 2. write the parts; what A2A cannot carry stays in the caller's own message
    written, _ = write_parts(message.parts, row, context.blobs)
    parts = written or [write_nothing(row)]

    # 3. write the metadata: capabilities, evidence, prior turns and the receipt
    hints = forwarded_members(message, context)
    receipt = check_receipt(context.receipt) if context.receipt else {}
    resolution = receipt.get("mentionable", {})
    extensions = [TOOL_EVENTS] if any(isinstance(part, ToolCallPart) for part in message.parts) else []
    extensions += [EXTENSION] if resolution else []
    extensions += [IDENTITY] if context.evidence else []

    # 4. write the message, whose id derives from all of it
    content = dump_line([parts, receipt] if receipt else parts)
    place = _place_of(message, context_id, task_id)
    names = (message.id, url, dialect, place.task_id or "", place.context_id or "")
    native = write_message(
        parts,
        row,
        message_id=uuid_of(derive("a2a.call", entropy, *names, content)),
        role=row.user,
        place=place,
        hints={**hints, **resolution},
        metadata={name: member for name, member in receipt.items() if name != "mentionable"},
        extensions=extensions,
    )

    # 5. write the request in its binding
    configuration = context.configuration if isinstance(context, CallContext) else None
    target, body = send_request(
        CALL_FORMS[dialect], url=url, message=native, configuration=configuration or SendConfiguration(), stream=stream
    )
    check_size(body, most=DEFAULTS.limits.a2a_bytes, what="a body")
    return HttpRequest(method="POST", url=target, headers=call_headers(row, context, stream=stream), body=body)


def call_diagnostics(
    message: NormalizedMessage, *, dialect: CallDialect = "1.0", context: AnyCallContext = NO_CONTEXT
) -> tuple[Diagnostic, ...]:
    """What of the parts of a message `call` cannot carry as it is: `part-changed`, with its place in the message.

    The request is the same whether you ask or not. So `call` gives the request alone, which you can send.

    Args:
        message: The message.
        dialect: The dialect of the call.
        context: That of the call, with the bytes of files.

    Raises:
        UsageError: As `call`.

    Spec: Normalized Message §5.2; A2A 0.3 §6.5, A2A 1.0 §4.1.6.

    Example:
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender, TextPart
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(TextPart(content="Hi" + chr(0)),), received_via="email", received_at="2026-11-21T00:00:00Z",
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), raw=None,
        ... )
        >>> [(one.code, one.at) for one in call_diagnostics(question)]
        [('part-changed', '/parts/0/content')]
    """
    # 1. check the arguments   2. write the parts, and give what was odd about them
    check_call(message, url="https://agents.example/", context=context)
    check_dialect(dialect)
    return cap_diagnostics(write_parts(message.parts, row_of(dialect), context.blobs)[1])


def _place_of(message: NormalizedMessage, context_id: str | None, task_id: str | None) -> Place:
    """The context and the task that the message goes into.

    The context of the message itself may be unknown to the other agent, so that a task there never goes with it.
    """
    if context_id is None and task_id is None and message.received_via == "a2a":
        context_id = question_of(message).context_id
    return Place(context_id, task_id)
