"""The entry point for webhooks: one of your own BlueBubbles server to one message for the agent."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, TypeAlias

from ..._errors.exceptions import WireError, wire_error
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Flow
from ..._flow.outcome import Received, Rejected, rejected
from ..._flow.settings import check_kind
from ..._model.answerable import Answerable, as_extra
from ..._model.base import EMPTY_DICT
from ..._model.capabilities import AgentChain, NoRelay
from ..._model.sender import SenderProfile
from ..._wire.http import HttpRequest
from .._deliver import PlatformEvent, deliver_event
from .._platform import Account, account_address
from .._receive_context import ReceiveContext, receive_context
from .._settings import check_settings
from ._read.event import Event, read_event
from ._settings import Settings
from ._verify import verify

BlueBubblesAsk: TypeAlias = FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""

METHOD: Final = "urn:mentionable:auth:imessage-handle:v0.1"
"""The method in evidence of this connector: the sender has a handle of iMessage."""

_OWN: Final = Answerable(reason="own-message", detail="the account of the server wrote it")
_REMEMBER_FOR: Final = timedelta(days=7)
"""How long a message is remembered: a server that was offline sends webhooks of what it missed."""


def receive(
    request: HttpRequest,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[BlueBubblesAsk, Received | Rejected]:
    """A message to the iMessage account of your server, for the agent.

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
        A flow of `Received`, or of `Rejected`: the request does not have the secret (`request-unverified`), is no
        message to the agent (`unsupported-event`, `own-message`), is malformed or too large.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Building a Connector §Required Pieces, §Sender Profile Facts; Normalized Message §3.
    """
    check_settings(settings, Settings)
    check_kind(request, HttpRequest, "request")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _receive(request, context, settings)


def _receive(
    request: HttpRequest, context: ReceiveContext, settings: Settings
) -> Flow[BlueBubblesAsk, Received | Rejected]:
    """The flow. A request with any fault ends in `Rejected`."""
    # Nothing is parsed before the secret is verified:
    #   1. verify the secret  2. parse the event  3. deliver the message to its agent, with its evidence
    rejection = verify(request, settings=settings)
    if rejection is not None:
        return rejection
    try:
        event = read_event(request, settings)
        if event.is_group and not settings.groups:
            raise wire_error("unsupported-event", "/data/chats", "messages of group chats are not for the agent")
        platform_event = _platform_event(event, settings.server)
    except WireError as error:
        return rejected(error)
    candidates = (f"bluebubbles:{settings.server}",)
    return (yield from deliver_event(platform_event, context, candidates=candidates, remember_for=_REMEMBER_FOR))


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


def chats(request: HttpRequest, *, settings: Settings) -> dict[str, str]:
    """Thread id → GUID of the chat, of a webhook that `receive` takes; empty for any other.

    The GUID holds phone numbers. Keep it in your connector, under the thread id; `reply` takes it as `chat_guid`.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    if verify(request, settings=settings) is not None:
        return {}
    try:
        event = read_event(request, settings)
    except WireError:
        return {}
    return {event.thread_id: event.chat_guid}
