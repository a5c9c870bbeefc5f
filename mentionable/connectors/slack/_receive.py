"""The entry point for events: a request of Slack to one message for the agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from ..._errors.exceptions import WireError, wire_error
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Handshake, Received, Rejected, rejected
from ..._flow.settings import check_kind
from ..._model.base import replace
from ..._model.capabilities import AgentChain
from ..._model.diagnostic import Diagnostic
from ..._model.parts import LinkPart, Part
from ..._wire.address import Address
from ..._wire.http import HttpRequest
from .._change import PlatformChange, event_of, find_stored
from .._choices import picked
from .._claim import EventClaim
from .._claimed import Claimed, check_claimed, event_in_claimed
from .._deliver import PlatformEvent, claim_for_agent, deliver_for
from .._event import ReceivedEvent
from .._receive_context import ReceiveContext, receive_context
from .._remote_file import RemoteFile
from .._settings import check_own_settings
from ._claim import REMEMBER_FOR, read_request
from ._ids import is_user
from ._read.api import CallApi
from ._read.change import Change, raw_of_change
from ._read.event import Event, native_id, raw_of
from ._read.history import history_of
from ._read.look_up import Lookup, content_of, look_up
from ._read.people import account_of, team_named, withheld_reason
from ._read.request import read_event
from ._read.texts import text_parts
from ._settings import Settings

SlackAsk: TypeAlias = CallApi | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""


def receive(
    request: HttpRequest,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[SlackAsk, Received | ReceivedEvent | Rejected | Handshake]:
    """A message to an agent in Slack, an event about one, or a handshake that Slack expects.

    Mentions and messages of the Events API and slash commands become messages; edits, deletions and reactions become
    events. The signature of the request is verified before anything of it is read. The sender gets evidence when Slack
    names them as a member of the workspace.

    It is `claim` and `complete` in one. Slack waits three seconds for an answer, so take those two where your look-ups
    may take that long.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; equal bytes give equal ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `slack:<team>/<user of the bot>` and
            `slack:<team>/<app>`; a command names the app alone.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `slack.Settings`: the signing secret, the host of your Connector Instance, and limits.

    Returns:
        A flow of `Received`; of `ReceivedEvent`, of which your agent need not know; of `Handshake`, whose response you
        send; or of `Rejected`: the request is not one of Slack (`request-unverified`), is no message to the agent
        (`unsupported-event`, `own-message`), is malformed or too large.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Building a Connector §Required Pieces; Normalized Message §3.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.connectors.slack import Settings
        >>> settings = Settings(signing_secret=b"8f742231b10e8888abcd99yyyzzz85a5", issuer="slack.agents.example")
        >>> forged = HttpRequest(method="POST", url="https://slack.agents.example/slack/events", body=b"{}")
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> outcome = drive(receive(forged, now=now, entropy=bytes(32), settings=settings), Answers())
        >>> outcome.code, outcome.http_status
        ('request-unverified', 401)
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
) -> Flow[SlackAsk, Received | ReceivedEvent | Rejected]:
    """Stage two of two: look up who wrote and what went before, and make the message of a claimed event.

    It claims nothing, so run it again where it was interrupted: the outcome is the same, except for what the look-ups
    say by then.

    Args:
        claimed: What `claim` gave, or what you read back of it from your own store.
        now: The time, aware.
        entropy: 32 random bytes or more, fresh for each event; equal bytes give equal ids.
        recipient: The agent that it is for. None: the one that `claim` had, else as in `receive`.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `slack.Settings`.

    Returns:
        A flow of `Received`, of `ReceivedEvent` or of `Rejected`, as `receive` gives them. `redelivered` also names
        what was claimed before a crash: your own store says whether its turn was made.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.
    """
    check_own_settings(settings, Settings)
    check_claimed(claimed, "slack")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _complete(claimed, context, settings)


def _receive(
    request: HttpRequest, context: ReceiveContext, settings: Settings
) -> Flow[SlackAsk, Received | ReceivedEvent | Rejected | Handshake]:
    """The flow. A request with any fault ends in `Rejected`."""
    # Nothing is parsed before the signature is verified, and no person is looked up before the event is known to count:
    #   1. verify the signature                 4. claim the event: did it come before?
    #   2. parse the event, answer a handshake  5. look up people and the thread at Slack
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
) -> Flow[SlackAsk, Received | ReceivedEvent | Rejected]:
    """The flow: steps 3, 5 and 6."""
    try:
        event = event_in_claimed(claimed, settings, lambda document, _: read_event(document))
        if isinstance(event, Handshake):  # it was never claimed
            raise wire_error("unsupported-event", "", "it is no event")
        return (yield from _deliver(event, claimed, context, settings))
    except WireError as error:
        return rejected(error)


def _deliver(
    event: Event | Change, claim: EventClaim | Claimed, context: ReceiveContext, settings: Settings
) -> Flow[SlackAsk, Received | ReceivedEvent | Rejected]:
    """What comes of an event, from step 3.

    Raises:
        WireError: No agent is served, the event does not count, it has no content that an agent can read, or the store
            could not be asked.
    """
    candidates = _candidates(event)
    agent, use = yield from claim_for_agent(claim, context, candidates=candidates, remember_for=REMEMBER_FOR)
    if isinstance(event, Change):
        stored = yield from find_stored((event.native_id,), agent)
        if stored or use.type != "message" or event.by is None:
            change = yield from _platform_change(event, agent, settings, is_known=bool(stored))
            return event_of(change, stored, agent, context, is_retry=not use.is_new)
        event = event.by  # it mentions the agent for the first time
    lookup = yield from look_up(event, content_of(event, settings), settings)
    platform_event = _platform_event(event, lookup, agent, settings)
    return (yield from deliver_for(platform_event, agent, context, is_retry=not use.is_new))


def _candidates(event: Event | Change) -> list[str]:
    """The native ids under which `FindAgent` looks for the agent."""
    ids = [f"slack:{event.team}/{id}" for id in (event.bot_user, event.app) if id is not None]
    return ids or [f"slack:{event.team}"]


def _platform_event(event: Event, lookup: Lookup, agent: Address, settings: Settings) -> PlatformEvent:
    """The event, with the reason why its sender gets no evidence."""
    names = lookup.names if event.bot_user is None else {**lookup.names, event.bot_user: agent.local}
    content = lookup.content
    files = tuple([file for file in content.files if isinstance(file, RemoteFile)])
    team = team_named(event.teams, here=event.team, is_shared=event.is_shared)
    writer = event.user or event.bot or ""
    person = lookup.people.get(writer)
    is_program = event.bot is not None or not is_user(writer)
    loop_risk: tuple[Diagnostic, ...] = ()
    if is_program:
        reason: str | None = "a program wrote it"
        loop_risk = (Diagnostic(code="loop-risk", detail=f"the bot {event.bot} wrote it"),)
    elif person is None:
        reason = "Slack did not name them"
    else:
        reason = withheld_reason(person, team, here=event.team, settings=settings)
    root = None if event.root is None else native_id(event.team, event.channel, event.root)
    parent = root if event.parent_ts is None else native_id(event.team, event.channel, event.parent_ts)
    diagnostics = (*event.diagnostics, *lookup.diagnostics, *loop_risk, *content.diagnostics, *content.no_files)
    return PlatformEvent(
        event_id=event.event_id,
        native_id=event.native_id,
        thread_id=event.thread_id,
        account=account_of(writer, team, person),
        parts=_parts(event, lookup, names),
        raw=lambda: raw_of(event),
        workspace=event.team,
        channel=event.channel,
        files=files,
        parent_id=parent,
        thread_of=() if root is None else (root,),
        history=history_of(lookup.turns, event, agent, lookup.people, names),
        withheld=None if reason is None else f"{writer}: {reason}",
        may_be_verified_later=not is_program and person is None,
        diagnostics=diagnostics,
    )


def _parts(event: Event, lookup: Lookup, names: Mapping[str, str]) -> tuple[Part, ...]:
    """The texts and links; of a click the label of the choice, which is no markup."""
    if event.choice is not None:
        return (picked(event.text, event.choice),)
    links = [file for file in lookup.content.files if isinstance(file, LinkPart)]
    return (*text_parts(lookup.content.texts, names), *links)


def _platform_change(
    change: Change, agent: Address, settings: Settings, *, is_known: bool
) -> Flow[CallApi, PlatformChange]:
    """What happened to a message. Who did it is looked up only where something is stored of the message."""
    made = PlatformChange(
        type=change.type,
        event_id=change.event_id,
        object_ids=(change.native_id,),
        raw=lambda: raw_of_change(change),
        channel=change.channel,
        content=change.content,
    )
    by = change.by
    if by is None:
        return made
    alone = replace(by, thread_ts=None)  # its thread is not asked for
    content = content_of(alone, settings)
    lookup = (yield from look_up(alone, content, settings)) if is_known else Lookup(content, {}, {}, (), ())
    event = _platform_event(alone, lookup, agent, settings)
    before = None
    if change.previous is not None:
        previous = lookup._replace(content=content_of(change.previous, settings))
        before = _platform_event(change.previous, previous, agent, settings)
    return replace(
        made,
        account=event.account,
        message=event if change.type == "edited" else None,
        previous=() if before is None else before.parts,
        withheld=event.withheld if is_known else f"{by.user or by.bot}: nothing is stored of the message",
        may_be_verified_later=is_known and event.may_be_verified_later,
        diagnostics=event.diagnostics,
    )
