"""What goes along with a message over A2A."""

from __future__ import annotations

from .._model.base import validated
from .._transport.call import CallContext as AnyCallContext
from ._configuration import SendConfiguration


@validated
class CallContext(AnyCallContext):
    """Who asks another agent, what goes along with the message, and what is asked of the answer.

    Attributes:
        evidence: Who asks, signed for the other agent.
        token: A bearer token for the other agent. It goes over https alone, or to this machine (`localhost`).
        history: Prior turns for the other agent: `message.history or ()` for all of them. Each goes along with the
            profile of its author; with their evidence only where that is for the same agent as `evidence`.
        receipt: The receipt for a policy of the other agent: `policy.receipt(...)` or `policy.x402_submission(...)`.
        blobs: SHA-256 in hex → bytes, for files of the message that are named by their digest alone.
        configuration: What is asked of the answer; None: nothing.

    Example:
        >>> CallContext(token="abc", configuration=SendConfiguration(return_immediately=True)).configuration
        SendConfiguration(return_immediately=True)
    """

    configuration: SendConfiguration | None = None
