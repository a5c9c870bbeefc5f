"""The door: a webhook of your own BlueBubbles server to one message for the agent."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..._address import agent_address
from ..._asks import FindAgent, FindHistory, FindMessage, Flow, UseOnce
from ..._delivery import Draft, deliver, served
from ..._errors import UsageError, WireError, wire_error
from ..._http import HttpRequest
from ..._json import loads
from ..._model.capabilities import AgentChain, NoRelay, RecipientCapabilities
from ..._model.sender import SenderProfile
from ..._outcome import Diagnostic, Received, Rejected, rejected
from ..._settings import check_entropy, check_inputs
from ..._value import evolve
from ..._verification import own_identity, refused
from .._offered import Desk, given_out
from .._platform import PLATFORM_ONLY, Account, Sighting, account_address, seen_once, sender_of
from ._event import read_event
from ._settings import check_settings
from ._verify import verify

if TYPE_CHECKING:
    from datetime import datetime

    from ..._address import Address
    from ..._errors import Code
    from ..._model.parts import Part
    from ..._model.sender import Sender
    from ._event import Event
    from ._settings import Settings

BlueBubblesAsk: TypeAlias = FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask that this room makes."""

_USED_FOR: Final = timedelta(days=7)
"""How long a message is remembered: a server that was away tells of what it missed."""


class _Context(NamedTuple):
    """What the caller said beside the unit."""

    recipient: Address | None
    chain: AgentChain | None
    now: datetime
    entropy: bytes
    settings: Settings


def receive(
    unit: HttpRequest,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[BlueBubblesAsk, Received | Rejected]:
    """What somebody wrote to the iMessage account of your server, as a message for the agent.

    The secret of the webhook is looked at before anything is read. Phone numbers, mail addresses and names of chats
    stay here: what stands for them are words made with `Settings.pseudonym_key`, and the agent sees these alone.

    Evidence is made when `Settings.issuer` says in whose name, and for iMessage alone: the number of an SMS is whatever
    its sender says. It rests on your server and its secret, so give agents a trust entry for it that they would give a
    person.

    Args:
        unit: The request, with its whole URL.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each unit; the same give the same ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `bluebubbles:<server>`.
        agent_chain: Where the agent stands in a chain of agents, when you know.
        settings: `bluebubbles.Settings`: the secret, the key of pseudonyms, and limits.

    Returns:
        A flow of `Received`, or of `Rejected`: the request does not show the secret (`request-unverified`), says
        nothing to the agent (`unsupported-event`, `own-message`), is broken or too large.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Building a Connector §Required Pieces, §Sender Profile Facts; Normalized Message §3.

    Example:
        >>> import json
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.connectors.bluebubbles import Settings
        >>> settings = Settings(secret="a-secret-of-your-own-server", pseudonym_key=bytes(32))
        >>> body = json.dumps({"type": "new-message", "data": {
        ...     "guid": "00000000-0000-4000-8000-000000000001", "text": "Hi", "isFromMe": False,
        ...     "handle": {"address": "+15550100", "service": "iMessage"}, "chats": [{"guid": "iMessage;-;+15550100"}],
        ... }}).encode()
        >>> url = "https://imessage.example/hook?secret=a-secret-of-your-own-server"
        >>> flow = receive(
        ...     HttpRequest(method="POST", url=url, body=body), recipient="@helper@agents.example",
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=settings,
        ... )
        >>> got = drive(flow, Answers(use_once=lambda ask: True))
        >>> got.message.parts[0].content, got.message.sender.address.domain
        ('Hi', 'bluebubbles.invalid')
    """
    check_inputs(now, settings)
    check_settings(settings)
    check_entropy(entropy)
    if not isinstance(unit, HttpRequest):
        raise UsageError("a unit is an HttpRequest")
    if not isinstance(agent_chain, (AgentChain, type(None))):
        raise UsageError("agent_chain is an AgentChain, or None")
    agent = None if recipient is None else agent_address(recipient)
    return _received(unit, _Context(agent, agent_chain, now, entropy, settings))


def _received(unit: HttpRequest, context: _Context) -> Flow[BlueBubblesAsk, Received | Rejected]:
    """The flow behind the door. Whatever the unit's fault is ends in `Rejected`."""
    settings, notes = context.settings, list[Diagnostic]()
    fault = verify(unit, settings=settings)
    if fault is not None:
        return fault
    try:
        event = read_event(document_of(unit, settings), settings=settings, notes=notes)
        agent = yield from _agent(event, context)
        yield from seen_once(event.native_id, native_id=event.native_id, until=context.now + _USED_FOR)
        parts = _parts(event, agent, context, notes)
        sender = _sender(event, agent, context, notes)
        if settings.require_verified and not sender.identities:
            return refused(PLATFORM_ONLY)
        return (
            yield from deliver(
                _draft(event, sender, parts, context),
                recipients=(agent,),
                verdict=PLATFORM_ONLY,
                now=context.now,
                entropy=context.entropy,
                settings=evolve(settings, require_verified=False),
                diagnostics=notes,
                identities=tuple(own_identity(one) for one in sender.identities or ()),
            )
        )
    except WireError as error:
        return rejected(error)


def document_of(unit: HttpRequest, settings: Settings) -> dict[str, Any]:
    """The JSON object of a webhook."""
    depth = settings.limits.json_depth
    found = loads(unit.body, max_bytes=settings.body_bytes, max_depth=depth, safe_integers=False)
    if not isinstance(found, dict):
        raise wire_error("wrong-type", "", "expected an object")
    return found


def _agent(event: Event, context: _Context) -> Flow[FindAgent, Address]:
    """The agent that an event is for."""
    settings = context.settings
    if event.is_group and not settings.groups:
        raise wire_error("unsupported-event", "/data/chats", "messages of group chats are not for the agent")
    if context.recipient is not None:
        return context.recipient
    agents = yield from served((f"bluebubbles:{settings.server}",), limits=settings.limits)
    return agents[0]


def _sender(event: Event, agent: Address, context: _Context, notes: list[Diagnostic]) -> Sender:
    """Who wrote it: a pseudonym, with evidence where there is any."""
    subject = f"imessage:{event.person}"
    account = Account(
        platform="bluebubbles",
        address=account_address(event.person, "bluebubbles"),
        subject=subject,
        method="imessage-handle",
        profile=SenderProfile(provider="imessage", provider_subject=subject),
    )
    seen, issuer = None, context.settings.issuer
    if issuer is not None and event.service == "imessage":
        seen = Sighting(issuer=issuer, audience=agent, event_id=event.native_id, now=context.now, channel=event.chat)
    else:
        reason = "no issuer is set" if issuer is None else "the number of a text message is whatever its sender says"
        notes.append(Diagnostic(code="evidence-withheld", detail=reason))
    return sender_of(account, seen)


def _parts(event: Event, agent: Address, context: _Context, notes: list[Diagnostic]) -> tuple[Part, ...]:
    """What was written, with its files behind URLs of the connector."""
    desk = Desk(
        key=context.settings.files,
        provider="bluebubbles",
        issuer=context.settings.issuer,
        audience=agent,
        workspace=context.settings.server,
        channel=event.chat,
        turn=event.native_id,
        now=context.now,
        entropy=context.entropy,
    )
    parts = (*event.parts, *given_out(event.files, desk, notes))
    if not parts:
        code: Code = "part-unsupported" if notes else "unsupported-event"
        raise wire_error(code, "/data", "nothing was said that an agent can read")
    return parts


def _draft(event: Event, sender: Sender, parts: tuple[Part, ...], context: _Context) -> Draft:
    """What an event says, for delivery."""
    return Draft(
        native_id=event.native_id,
        thread_id=event.thread_id,
        sender=sender,
        parts=parts,
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay(), agent_chain=context.chain),
        received_via="connector",
        raw=lambda: event.raw,
        parent_id=event.parent,
        history=None,
    )
