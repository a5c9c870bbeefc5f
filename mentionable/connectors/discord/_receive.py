"""The entry point for events: an interaction, or a message of the gateway, to one message for the agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from ..._errors.exceptions import UsageError, WireError, wire_error
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Handshake, Received, Rejected, rejected
from ..._model.capabilities import AgentChain
from ..._model.diagnostic import Diagnostic
from ..._wire.address import shows_other_domain
from ..._wire.http import HttpRequest, HttpResponse
from ..._wire.strict_json import checked_json, dump_line
from .._deliver import PlatformEvent, agent_for, deliver_for, object_of_body
from .._platform import check_event_replay
from .._receive_context import ReceiveContext, receive_context
from .._settings import check_settings
from ._read.api import CallApi
from ._read.event import Event
from ._read.history import Turns, ask_history
from ._read.interaction import AUTOCOMPLETE, PING, is_interaction, read_interaction
from ._read.message import read_message
from ._read.people import DIRECT
from ._settings import Settings
from ._verify import verify

DiscordAsk: TypeAlias = CallApi | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""

_REMEMBER_FOR: Final = timedelta(days=1)
"""How long an event is remembered: Discord retries for minutes at most."""

_JSON: Final = {"content-type": "application/json"}
_DISPATCHES: Final = ("MESSAGE_CREATE", "INTERACTION_CREATE")


def receive(
    request: HttpRequest | Mapping[str, Any],
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[DiscordAsk, Received | Rejected | Handshake]:
    """An event of Discord, as a message for the agent.

    The signature of an HTTP request is verified before anything of it is read. A mapping is an event of the gateway,
    `MESSAGE_CREATE` or `INTERACTION_CREATE`, and not signed: your bot received it in the session that it opened with
    its own token. Give nothing else as a mapping.

    The sender's account is evidence in `message.sender.identities`, for `attest` to sign. It verifies no address, so
    `sender.verified` stays False. Bots and webhooks get no evidence, and the diagnostic `loop-risk`. The token of an
    interaction, the URLs of files, and members that this library does not name are never passed on.

    Args:
        request: The HTTP request of an interaction, or an event of the gateway, with or without its envelope (`op`,
            `t`, `d`). It is not changed.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; equal bytes give equal ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `discord:<application id>`.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `discord.Settings`: the key of your application, the host of your Connector Instance, and limits.

    Returns:
        A flow of `Received`; of `Handshake` for a ping, and for the completion of an option, of which an agent knows
        nothing; or of `Rejected`: the request is not one of Discord (`request-unverified`), is no message to the agent
        (`unsupported-event`, `own-message`), is malformed or too large.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Building a Connector §Required Pieces; Normalized Message §3.
    """
    check_settings(settings, Settings)
    if not isinstance(request, (HttpRequest, Mapping)):
        raise UsageError("request is an HttpRequest, or an event of the gateway as a mapping")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _receive(request, context, settings)


def _receive(
    request: HttpRequest | Mapping[str, Any], context: ReceiveContext, settings: Settings
) -> Flow[DiscordAsk, Received | Rejected | Handshake]:
    """The flow. A request with any fault ends in `Rejected`."""
    # Nothing of an HTTP request is parsed before its signature is verified; gateway events come over the bot's session:
    #   1. verify the signature                 4. check that this event was not used before
    #   2. parse the event, answer a handshake  5. look up the history of the channel
    #   3. find the agent it is for             6. deliver the message with its evidence
    if isinstance(request, HttpRequest):
        rejection = verify(request, now=context.now, settings=settings)
        if rejection is not None:
            return rejection
    try:
        document = _document(request, settings)
        handshake = _handshake(document) if isinstance(request, HttpRequest) else None
        if handshake is not None:
            return handshake
        event = _event(document, settings)
        _check_is_for_agent(event, settings)
        agent = yield from agent_for((f"discord:{settings.application_id}",), context)
        until = context.now + _REMEMBER_FOR
        is_retry = yield from check_event_replay(event.event_id, native_id=event.native_id, agent=agent, until=until)
        history, left_out = yield from ask_history(event, agent=agent, settings=settings)
        return (yield from deliver_for(_platform_event(event, history, left_out), agent, context, is_retry=is_retry))
    except WireError as error:
        return rejected(error)


def _document(request: HttpRequest | Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The JSON object of a request."""
    if isinstance(request, HttpRequest):
        return object_of_body(request.body, settings=settings, max_bytes=settings.body_bytes)
    document: dict[str, Any] = checked_json(request, max_depth=settings.limits.json_depth)
    return document


def _handshake(document: Mapping[str, Any]) -> Handshake | None:
    """The response to a ping, and to the completion of an option."""
    kind = document.get("type")
    if kind.__class__ is not int:  # True is 1, too
        return None
    if kind == PING:
        return Handshake(response=_response({"type": 1}))
    if kind == AUTOCOMPLETE:
        return Handshake(response=_response({"type": 8, "data": {"choices": []}}))
    return None


def _response(value: Any) -> HttpResponse:
    return HttpResponse(status=200, headers=_JSON, body=dump_line(value).encode())


def defer(*, ephemeral: bool = False) -> HttpResponse:
    """The response to an interaction that is answered later: Discord waits three seconds for it.

    Send it before the agent is asked; `reply(..., interaction_token=...)` fills it in, for a quarter of an hour.

    Args:
        ephemeral: Whether only the asker sees the answer.

    Example:
        >>> defer().body
        b'{"type":5}'
    """
    return _response({"type": 5, "data": {"flags": 64}} if ephemeral else {"type": 5})


def _event(document: dict[str, Any], settings: Settings) -> Event:
    """The event in a document, out of its envelope if it has one."""
    if "t" in document and "d" in document:
        if document["t"] not in _DISPATCHES or not isinstance(document["d"], dict):
            raise wire_error("unsupported-event", "/t", "neither a message nor an interaction")
        document = document["d"]
    read = read_interaction if is_interaction(document) else read_message
    return read(document, settings=settings)


def _check_is_for_agent(event: Event, settings: Settings) -> None:
    """Raise unless the event is for the agent."""
    listens = settings.listen_to == "everything" and not event.author.is_program
    if not event.is_addressed and not listens:
        raise wire_error("unsupported-event", "", "the message neither mentions nor answers the agent")


def _platform_event(event: Event, history: Turns, left_out: tuple[Diagnostic, ...]) -> PlatformEvent:
    """The event, with the reason why its sender gets no evidence."""
    author, account = event.author, event.author.account
    reason = None
    diagnostics = list(event.diagnostics)
    if author.is_program:
        reason = "a program wrote it"
        diagnostics.append(Diagnostic(code="loop-risk", detail="a bot or a webhook wrote it"))
    elif not author.is_member:
        reason = "Discord does not show them to be a member"
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
        withheld=None if reason is None else f"{author.id}: {reason}",
        diagnostics=(*diagnostics, *left_out),
    )
