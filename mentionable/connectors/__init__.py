"""Connectors: events of Slack, Discord and BlueBubbles become messages, with signed evidence of their senders.

A connector is a module of functions. `receive` verifies a request of the platform and returns a message, with evidence
of its sender in `message.sender.identities`, or a `ReceivedEvent`: an edit, a deletion, a reaction. `claim` and
`complete` are the same in two stages, for platforms that want an answer at once. `attest` signs that evidence for one
agent, so that it counts elsewhere. `reply` returns the calls of the platform's API that carry an answer back.
`Connector` is that shape as a type: `slack`, `discord` and `bluebubbles` fit it, and so may yours.

For your own there is what the three share: `read_json` parses a body, `Account` and `account_address`
describe the sender, `PlatformEvent` is the parsed event, and `deliver_event` makes the message of it, with evidence,
files and redelivery; `PlatformChange` and `deliver_change` do it for events, and `claim_event` is stage one of two.

Example:
    >>> from mentionable.connectors import Connector, bluebubbles, discord
    >>> shapes: tuple[Connector, ...] = (discord, bluebubbles)
    >>> [sorted(name for name in ("attest", "receive", "reply") if hasattr(one, name)) for one in shapes]
    [['attest', 'receive', 'reply'], ['attest', 'receive', 'reply']]
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol, TypeVar

from .._crypto.keys import SigningKey
from .._flow.asks import AnyAsk, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Handshake, Received, Rejected
from .._flow.settings import Settings
from .._model.capabilities import AgentChain
from .._model.identity import IdentityEvidence
from .._model.message import NormalizedMessage, NormalizedResponse
from .._wire.http import HttpRequest
from ._api import ApiRequest, Outgoing, Placeholder, Upload, retry_after
from ._change import PlatformChange, deliver_change
from ._choices import Choice
from ._claim import EventClaim, claim_event
from ._claimed import Claimed, Retry
from ._deliver import PlatformEvent, deliver_event, read_json
from ._event import ReceivedEvent
from ._platform import Account, account_address
from ._receive_context import ReceiveContext
from ._remote_file import RemoteFile
from ._settings import ConnectorSettings

__all__ = [
    "Account",
    "ApiRequest",
    "Choice",
    "Claimed",
    "Connector",
    "ConnectorSettings",
    "EventClaim",
    "Outgoing",
    "Placeholder",
    "PlatformChange",
    "PlatformEvent",
    "ReceiveContext",
    "ReceivedEvent",
    "RemoteFile",
    "Retry",
    "StagedConnector",
    "Upload",
    "account_address",
    "claim_event",
    "deliver_change",
    "deliver_event",
    "read_json",
    "retry_after",
]

_Ask = TypeVar("_Ask", bound=AnyAsk, covariant=True)
_Own = TypeVar("_Own", bound=Settings, contravariant=True)
_Out = TypeVar("_Out", covariant=True)


class Connector(Protocol[_Ask, _Own, _Out]):
    """The shape of a connector: a module, or an object, with these three functions.

    Generic in the asks that it makes, in its settings, and in the result of `reply`. None of the functions does I/O:
    `receive` asks, and whoever drives its flow answers.

    Spec: Building a Connector §Required Pieces.
    """

    def receive(
        self,
        request: HttpRequest,
        /,
        *,
        now: datetime,
        entropy: bytes,
        recipient: str | None = None,
        agent_chain: AgentChain | None = None,
        settings: _Own,
    ) -> Flow[_Ask, Received | ReceivedEvent | Rejected | Handshake]:
        """Verify the platform's own proof, and convert the event to a message, or to what happened to one.

        A request with any fault ends in `Rejected`. A request that is no message, such as the one by which a platform
        tests an endpoint, ends in `Handshake`. Only known members of the platform's JSON are passed on.

        Args:
            request: The request as it came, byte for byte.
            now: The time, aware.
            entropy: At least 32 random bytes, fresh for each request.
            recipient: The agent that it is for, when you know; then `FindAgent` is not asked.
            agent_chain: The agent's position in a chain of agents, when you know it.
            settings: Holds the platform's secret or key.
        """
        ...

    def attest(
        self, message: NormalizedMessage, /, *, audience: str, key: SigningKey, settings: _Own, now: datetime
    ) -> tuple[IdentityEvidence, ...]:
        """The evidence about the sender that `receive` put into `message`, signed for one agent, for five minutes.

        Empty when the platform verified no sender. Never attest a redelivered message anew: receivers reject the same
        id with another signature. Send the first request again.

        Args:
            message: As `receive` gave it.
            audience: The agent that it is for, canonical: `@agent@domain`.
            key: The Connector Instance's own; the Connector Card has its public half.
            settings: Names the issuer.
            now: The time, aware.

        Raises:
            UsageError: An argument is of the wrong kind, such as an audience that is not canonical.
        """
        ...

    def reply(self, response: NormalizedResponse, /, *, to: NormalizedMessage) -> _Out:
        """The calls of the platform's API that carry an answer back, without any credential in what may be logged.

        Args:
            response: The answer, whole.
            to: The message that it answers, as `receive` gave it.

        Raises:
            UsageError: The response may not go out like that: fix your program.
        """
        ...


class StagedConnector(Connector[_Ask, _Own, _Out], Protocol[_Ask, _Own, _Out]):
    """A connector that receives in two stages, too: `claim` at once, `complete` later.

    Spec: Building a Connector §Required Pieces.
    """

    def claim(
        self, request: HttpRequest, /, *, now: datetime, recipient: str | None = None, settings: _Own
    ) -> Flow[UseOnce, Claimed | Rejected | Handshake]:
        """Stage one of two: verify the platform's own proof, and claim the event by one ask. Nothing is looked up.

        Args:
            request: The request as it came, byte for byte.
            now: The time, aware.
            recipient: The agent that it is for, when you know it.
            settings: Holds the platform's secret or key.
        """
        ...

    def complete(
        self,
        claimed: Claimed,
        /,
        *,
        now: datetime,
        entropy: bytes,
        recipient: str | None = None,
        agent_chain: AgentChain | None = None,
        settings: _Own,
    ) -> Flow[_Ask, Received | ReceivedEvent | Rejected]:
        """Stage two of two: look up what the message needs, and make it.

        Args:
            claimed: What `claim` gave.
            now: The time, aware.
            entropy: 32 random bytes or more, fresh for each event.
            recipient: The agent that it is for, when you know it.
            agent_chain: The agent's position in a chain of agents, when you know it.
            settings: As for `claim`.
        """
        ...
