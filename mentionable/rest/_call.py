"""The asking side: a message becomes the multipart request that asks another agent.

Spec: REST transport (request); Building a Connector; Normalized Message §3.3.4, §3.3.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._errors.exceptions import UsageError
from .._flow.settings import check_entropy
from .._model.base import EMPTY_DICT
from .._model.identity import IdentityEvidence
from .._model.message import HistoricalMessage, NormalizedMessage
from .._transport.call import check_call
from .._transport.reply import NO_BLOBS
from .._wire.http import HttpRequest
from .._wire.strict_json import is_text
from ._client.call import Asked, write_call
from ._policy import write_receipt


def call(
    message: NormalizedMessage,
    *,
    url: str,
    evidence: tuple[IdentityEvidence, ...] = (),
    token: str | None = None,
    entropy: bytes,
    session: str | None = None,
    history: tuple[HistoricalMessage, ...] = (),
    stream: bool = False,
    receipt: Mapping[str, Any] = EMPTY_DICT,
    blobs: Mapping[str, bytes] = NO_BLOBS,
) -> HttpRequest:
    """The request that asks another agent by REST. What comes back goes to `result`, or as it comes to `ResultStream`.

    The text and the files of the message go out as plain fields, for agents that know no others, and all of its parts
    as JSON beside them. `raw`, the sender and a policy resolution stay here.

    A chain of agents cannot go on by accident. A message that a connector took goes to the agent that it is for, with
    the place that stands in it. With any other you are that agent, and the place that goes along is the next one; where
    the chain ends, nobody can be asked.

    Args:
        message: What to ask.
        url: The URL of the other agent, which is its identity there.
        evidence: Who asks, signed for the other agent.
        token: A bearer token for the other agent. It goes over https alone, or to this machine (`localhost`).
        entropy: At least 32 random bytes, fresh for each call; the same give the same id and boundary.
        session: The conversation to go on with, as the other agent knows it. None: a new one.
        history: Prior turns that the other agent shall see: `message.history or ()` for all of them. Who wrote each
            goes along with the profile; evidence only where it is for the same agent as `evidence`.
        stream: Whether to ask for a stream.
        receipt: What shows that a demand of the other agent was met: `policy.receipt(...)` or
            `policy.x402_submission(...)`.
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
    check_call(message, url=url, evidence=evidence, token=token, history=history)
    _check_session(session)
    check_entropy(entropy)
    resolution: Any = None
    paid: list[tuple[str, str]] = []
    if receipt:
        resolution, paid = write_receipt(receipt)
    asked = Asked(message, url, evidence, token, entropy, session, history, stream, resolution, paid, blobs)
    return write_call(asked)


def _check_session(session: object) -> None:
    if session is not None and not (isinstance(session, str) and session and is_text(session)):
        raise UsageError("session must be text")
