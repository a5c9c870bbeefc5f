"""The entry point for events: an interaction, or a message of the gateway, to one message for the agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from ..._errors.exceptions import WireError
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Handshake, Received, Rejected, rejected
from ..._model.base import replace
from ..._model.capabilities import AgentChain
from ..._model.diagnostic import Diagnostic
from ..._wire.address import shows_other_domain
from ..._wire.http import HttpRequest
from .._change import PlatformChange, event_of, find_stored
from .._claim import EventClaim
from .._claimed import Claimed, check_claimed, event_in_claimed
from .._deliver import PlatformEvent, claim_for_agent, deliver_for
from .._event import ReceivedEvent
from .._receive_context import ReceiveContext, receive_context
from .._settings import check_own_settings
from ._claim import REMEMBER_FOR, check_request, event_in, read_request
from ._read.api import CallApi
from ._read.change import Change
from ._read.event import Event
from ._read.history import Turns, ask_history
from ._read.people import DIRECT, Author
from ._settings import Settings

DiscordAsk: TypeAlias = CallApi | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""


def receive(
    request: HttpRequest | Mapping[str, Any],
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[DiscordAsk, Received | ReceivedEvent | Rejected | Handshake]:
    """An event of Discord, as a message for the agent, or as something that happened to one.

    The signature of an HTTP request is verified before anything of it is read. A mapping is an event of the gateway,
    and not signed: your bot received it in the session that it opened with its own token. Give nothing else as a
    mapping. `MESSAGE_CREATE` and `INTERACTION_CREATE` become messages; `MESSAGE_UPDATE`, `MESSAGE_DELETE` and
    `MESSAGE_REACTION_ADD`, with those like them, become events. It is `claim` and `complete` in one.

    The sender's account is evidence in `message.sender.identities`, for `attest` to sign. It verifies no address, so
    `sender.verified` stays False. Bots and webhooks get no evidence, and the diagnostic `loop-risk`. The token of an
    interaction, the URLs of files, and members that this library does not name are never passed on.

    Args:
        request: The HTTP request of an interaction, or an event of the gateway, with or without its envelope (`op`,
            `t`, `d`): what happened to a message needs it. It is not changed.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; equal bytes give equal ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `discord:<application id>`.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `discord.Settings`: the key of your application, the host of your Connector Instance, and limits.

    Returns:
        A flow of `Received`; of `ReceivedEvent`; of `Handshake` for a ping, and for the completion of an option, of
        which an agent knows nothing; or of `Rejected`: the request is not one of Discord (`request-unverified`), is no
        message to the agent (`unsupported-event`, `own-message`), is malformed or too large.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Building a Connector §Required Pieces; Normalized Message §3.
    """
    check_own_settings(settings, Settings)
    check_request(request)
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
) -> Flow[DiscordAsk, Received | ReceivedEvent | Rejected]:
    """Stage two of two: look up what went before, and make the message of a claimed event.

    It claims nothing, so run it again where it was interrupted: the outcome is the same, except for what the look-ups
    say by then.

    Args:
        claimed: What `claim` gave, or what you read back of it from your own store.
        now: The time, aware.
        entropy: 32 random bytes or more, fresh for each event; equal bytes give equal ids.
        recipient: The agent that it is for. None: the one that `claim` had, else as in `receive`.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `discord.Settings`.

    Returns:
        A flow of `Received`, of `ReceivedEvent` or of `Rejected`, as `receive` gives them. `redelivered` also names
        what was claimed before a crash: your own store says whether its turn was made.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.
    """
    check_own_settings(settings, Settings)
    check_claimed(claimed, "discord")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _complete(claimed, context, settings)


def _receive(
    request: HttpRequest | Mapping[str, Any], context: ReceiveContext, settings: Settings
) -> Flow[DiscordAsk, Received | ReceivedEvent | Rejected | Handshake]:
    """The flow. A request with any fault ends in `Rejected`."""
    # Nothing of an HTTP request is parsed before its signature is verified; gateway events come over the bot's session:
    #   1. verify the signature                 4. claim the event: did it come before?
    #   2. parse the event, answer a handshake  5. look up the history of the channel
    #   3. find the agent it is for             6. deliver the message with its evidence
    read = read_request(request, now=context.now, settings=settings)
    if isinstance(read, (Handshake, Rejected)):
        return read
    try:
        return (yield from _deliver(read.event, read.claim, context, settings))
    except WireError as error:
        return rejected(error)


def _complete(
    claimed: Claimed, context: ReceiveContext, settings: Settings
) -> Flow[DiscordAsk, Received | ReceivedEvent | Rejected]:
    """The flow: steps 3, 5 and 6."""
    try:
        return (yield from _deliver(event_in_claimed(claimed, settings, event_in), claimed, context, settings))
    except WireError as error:
        return rejected(error)


def _deliver(
    event: Event | Change, claim: EventClaim | Claimed, context: ReceiveContext, settings: Settings
) -> Flow[DiscordAsk, Received | ReceivedEvent | Rejected]:
    """What comes of an event, from step 3.

    Raises:
        WireError: No agent is served, the event does not count, it has no content that an agent can read, or the store
            could not be asked.
    """
    candidates = (f"discord:{settings.application_id}",)
    agent, use = yield from claim_for_agent(claim, context, candidates=candidates, remember_for=REMEMBER_FOR)
    if isinstance(event, Change):
        stored = yield from find_stored(event.native_ids, agent)
        if stored or use.type != "message" or event.message is None:
            return event_of(_platform_change(event), stored, agent, context, is_retry=not use.is_new)
        event = event.message  # it mentions the agent for the first time
    history, left_out = yield from ask_history(event, agent=agent, settings=settings)
    platform_event = _platform_event(event, history, left_out)
    return (yield from deliver_for(platform_event, agent, context, is_retry=not use.is_new))


def _platform_event(event: Event, history: Turns, left_out: tuple[Diagnostic, ...]) -> PlatformEvent:
    """The event, with the reason why its sender gets no evidence."""
    author, account = event.author, event.author.account
    diagnostics = list(event.diagnostics)
    if author.is_program:
        diagnostics.append(Diagnostic(code="loop-risk", detail="a bot or a webhook wrote it"))
    name = None if account.profile is None else account.profile.display_name
    if name and shows_other_domain(name, account.address):
        diagnostics.append(Diagnostic(code="name-holds-address", at="/author"))
    return PlatformEvent(
        event_id=event.event_id,
        native_id=event.native_id,
        thread_id=event.thread_id,
        account=account,
        parts=event.parts,
        raw=lambda: dict(event.raw),
        workspace=event.guild or DIRECT,
        channel=event.channel,
        files=event.files,
        parent_id=event.parent_id,
        history=history,
        withheld=_withheld(author),
        diagnostics=(*diagnostics, *left_out),
    )


def _platform_change(change: Change) -> PlatformChange:
    """What happened to a message. The gateway says all that is known of who did it, so that nothing is looked up."""
    made = PlatformChange(
        type=change.type,
        event_id=change.event_id,
        object_ids=change.native_ids,
        raw=lambda: change.raw,
        channel=change.channel,
        content=change.content,
    )
    if change.author is None:
        return made
    reason = _withheld(change.author)
    message = None if change.message is None else _platform_event(change.message, (), ())
    diagnostics = () if message is None else message.diagnostics
    return replace(made, account=change.author.account, withheld=reason, message=message, diagnostics=diagnostics)


def _withheld(author: Author) -> str | None:
    """Why there is no evidence of an author; None: there is some."""
    if author.is_program:
        return f"{author.id}: a program wrote it"
    return None if author.is_member else f"{author.id}: Discord does not show them to be a member"
