"""The entry point for webhooks: one of your own BlueBubbles server to one message for the agent."""

from __future__ import annotations

from datetime import datetime
from typing import Final, TypeAlias

from ..._errors.exceptions import WireError
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Received, Rejected, rejected
from ..._flow.settings import check_kind
from ..._model.answerable import Answerable, as_extra
from ..._model.base import EMPTY_DICT
from ..._model.capabilities import AgentChain, NoRelay
from ..._model.sender import SenderProfile
from ..._wire.http import HttpRequest
from .._change import PlatformChange, event_of, find_stored
from .._claim import EventClaim
from .._claimed import Claimed, check_claimed, event_in_claimed
from .._deliver import PlatformEvent, claim_for_agent, deliver_for
from .._event import ReceivedEvent
from .._platform import Account, account_address
from .._receive_context import ReceiveContext, receive_context
from .._settings import check_own_settings
from ._claim import REMEMBER_FOR, event_in, read_request
from ._read.change import Change
from ._read.event import Event
from ._settings import Settings

BlueBubblesAsk: TypeAlias = FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""

METHOD: Final = "urn:mentionable:auth:imessage-handle:v0.1"
"""The method in evidence of this connector: the sender has a handle of iMessage."""

_OWN: Final = Answerable(reason="own-message", detail="the account of the server wrote it")


def receive(
    request: HttpRequest,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[BlueBubblesAsk, Received | ReceivedEvent | Rejected]:
    """A message to the iMessage account of your server, for the agent, or something that happened to one.

    Edits, unsent messages and reactions are events. It is `claim` and `complete` in one.

    The secret of the webhook is verified before anything is read. Phone numbers, mail addresses and names of chats stay
    in the connector: the agent sees pseudonyms made with `Settings.pseudonym_key`.

    Evidence is made when `Settings.issuer` is set, and for iMessage alone: the sender of an SMS chooses its number
    freely. It rests on your server and its secret, so give agents a trust entry for it that they would give a person.

    Args:
        request: The request, with its whole URL.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; equal bytes give equal ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `bluebubbles:<server>`.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `bluebubbles.Settings`: the secret, the key of pseudonyms, and limits.

    Returns:
        A flow of `Received`, of `ReceivedEvent`, or of `Rejected`: the request does not have the secret
        (`request-unverified`), is no message to the agent (`unsupported-event`, `own-message`), is malformed or too
        large.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Building a Connector §Required Pieces, §Sender Profile Facts; Normalized Message §3.
    """
    check_own_settings(settings, Settings)
    check_kind(request, HttpRequest, "request")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _receive(request, context, settings)


def complete(
    claimed: Claimed,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[BlueBubblesAsk, Received | ReceivedEvent | Rejected]:
    """Stage two of two: make the message of a claimed event.

    It claims nothing, so run it again where it was interrupted.

    Args:
        claimed: What `claim` gave, or what you read back of it from your own store.
        now: The time, aware.
        entropy: 32 random bytes or more, fresh for each event; equal bytes give equal ids.
        recipient: The agent that it is for. None: the one that `claim` had, else as in `receive`.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `bluebubbles.Settings`.

    Returns:
        A flow of `Received`, of `ReceivedEvent` or of `Rejected`, as `receive` gives them. `redelivered` also names
        what was claimed before a crash: your own store says whether its turn was made.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.
    """
    check_own_settings(settings, Settings)
    check_claimed(claimed, "bluebubbles")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _complete(claimed, context, settings)


def _receive(
    request: HttpRequest, context: ReceiveContext, settings: Settings
) -> Flow[BlueBubblesAsk, Received | ReceivedEvent | Rejected]:
    """The flow. A request with any fault ends in `Rejected`."""
    # Nothing is parsed before the secret is verified:
    #   1. verify the secret  2. parse the event  3. find the agent it is for
    #   4. claim the event: did it come before?   5. deliver the message with its evidence
    read = read_request(request, settings)
    if isinstance(read, Rejected):
        return read
    try:
        return (yield from _deliver(read.event, read.claim, context, settings))
    except WireError as error:
        return rejected(error)


def _complete(
    claimed: Claimed, context: ReceiveContext, settings: Settings
) -> Flow[BlueBubblesAsk, Received | ReceivedEvent | Rejected]:
    """The flow: steps 3 and 5."""
    try:
        return (yield from _deliver(event_in_claimed(claimed, settings, event_in), claimed, context, settings))
    except WireError as error:
        return rejected(error)


def _deliver(
    event: Event | Change, claim: EventClaim | Claimed, context: ReceiveContext, settings: Settings
) -> Flow[BlueBubblesAsk, Received | ReceivedEvent | Rejected]:
    """What comes of an event, from step 3.

    Raises:
        WireError: No agent is served, the event does not count, it has no content that an agent can read, or the store
            could not be asked.
    """
    candidates = (f"bluebubbles:{settings.server}",)
    agent, use = yield from claim_for_agent(claim, context, candidates=candidates, remember_for=REMEMBER_FOR)
    is_retry = not use.is_new
    if isinstance(event, Event):
        return (yield from deliver_for(_platform_event(event, settings.server), agent, context, is_retry=is_retry))
    stored = yield from find_stored((event.native_id,), agent)
    return event_of(_platform_change(event, settings.server), stored, agent, context, is_retry=is_retry)


def _platform_event(event: Event, server: str) -> PlatformEvent:
    """The event. Its sender is a pseudonym."""
    is_imessage, is_own = event.service == "imessage", event.person is None
    withheld = None if is_imessage else "the number of a text message is whatever its sender says"
    return PlatformEvent(
        event_id=event.native_id,
        native_id=event.native_id,
        thread_id=event.thread_id,
        account=_account(event.person, server),
        parts=event.parts,
        raw=lambda: event.raw,
        workspace=server,
        channel=event.chat,
        files=event.files,
        parent_id=event.parent_id,
        withheld="the account of the server wrote it" if is_own else withheld,
        extra=as_extra(_OWN) if is_own else EMPTY_DICT,
        mention_relay=NoRelay(),
        diagnostics=event.diagnostics,
    )


def _platform_change(change: Change, server: str) -> PlatformChange:
    """What happened to a message."""
    by = _platform_event(change.by, server)
    return PlatformChange(
        type=change.type,
        event_id=change.event_id,
        object_ids=(change.native_id,),
        raw=lambda: change.raw,
        account=by.account,
        channel=by.channel,
        message=by if change.type == "edited" else None,
        content=change.content,
        withheld=by.withheld,
    )


def _account(person: str | None, server: str) -> Account:
    """The account of a person, or that of the server itself."""
    if person is None:
        address, profile = account_address("me", server, "bluebubbles"), SenderProfile(display_name="Me")
        return Account(platform="bluebubbles", address=address, subject="", method=METHOD, profile=profile)
    subject = f"imessage:{person}"
    return Account(
        platform="bluebubbles",
        address=account_address(person, "bluebubbles"),
        subject=subject,
        method=METHOD,
        profile=SenderProfile(provider="imessage", provider_subject=subject),
    )
