"""What the caller of a connector's `receive` passes alongside the request."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import Settings, check_entropy, check_inputs
from .._model.base import frozen
from .._model.capabilities import AgentChain
from .._model.trust import check_issuer
from .._wire.address import agent_address
from ._settings import ConnectorSettings
from .files import FileKey


@frozen
class ReceiveContext:
    """What the caller of `receive` passes alongside the request.

    Attributes:
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request.
        settings: Limits, history, and whether evidence is required (`require_verified`).
        issuer: The host of the Connector Instance, in whose name evidence is made; None: there is none.
        recipient: The agent, when it is known.
        agent_chain: The agent's position in a chain of agents, when it is known.
        files: Signs the URLs under which agents fetch files; None: files are named in diagnostics alone.

    Raises:
        UsageError: One of them is of the wrong kind.
    """

    now: datetime
    entropy: bytes = field(repr=False)
    settings: Settings
    issuer: str | None = None
    recipient: str | None = None
    agent_chain: AgentChain | None = None
    files: FileKey | None = field(default=None, repr=False)

    def __attrs_post_init__(self) -> None:
        check_inputs(self.now, self.settings)
        check_entropy(self.entropy)
        if self.issuer is not None:
            check_issuer(self.issuer)
        if self.recipient is not None:
            agent_address(self.recipient)
        if not isinstance(self.agent_chain, (AgentChain, type(None))):
            raise UsageError("agent_chain is an AgentChain, or None")
        if not isinstance(self.files, (FileKey, type(None))):
            raise UsageError("files is a FileKey of mentionable.connectors.files, or None")


def receive_context(
    settings: ConnectorSettings,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None,
    agent_chain: AgentChain | None,
) -> ReceiveContext:
    """The context of a `receive` with the settings of its connector.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    return ReceiveContext(
        now=now,
        entropy=entropy,
        settings=settings,
        issuer=settings.issuer,
        recipient=recipient,
        agent_chain=agent_chain,
        files=settings.files,
    )
