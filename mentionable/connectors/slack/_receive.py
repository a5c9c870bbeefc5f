"""The entry point for events: a request of Slack to one message for the agent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from ..._errors.exceptions import WireError, wire_error
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Failed, Flow, ask_each
from ..._flow.outcome import Handshake, Received, Rejected, rejected
from ..._flow.settings import check_kind
from ..._model.capabilities import AgentChain
from ..._model.diagnostic import Diagnostic
from ..._model.parts import TextPart
from ..._text.mrkdwn import read_text
from ..._wire.address import Address
from ..._wire.http import HttpRequest
from .._deliver import PlatformEvent, agent_for, deliver_for
from .._platform import check_event_replay
from .._receive_context import ReceiveContext, receive_context
from .._settings import check_settings
from ._ids import is_user
from ._read.api import CallApi
from ._read.event import Event, native_id, raw_of, read_event
from ._read.files import files_in
from ._read.history import Turn, ask_thread, history_of, unknown_writers
from ._read.people import Person, account_of, read_person, team_named, users_info, withheld_reason
from ._settings import Settings
from ._verify import verify

SlackAsk: TypeAlias = CallApi | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""

_REMEMBER_FOR: Final = timedelta(hours=25)
"""How long Slack retries an event: an hour, or a day where the app asks for delayed events."""

_MENTIONED: Final = re.compile(r"<@([UW][A-Z0-9]{1,31})[|>]")
_MAX_MENTIONED: Final = 10
"""Mentioned users whose names are looked up."""


class _Lookup(NamedTuple):
    """The answers of Slack's API to the asks of one event."""

    people: dict[str, Person]
    turns: list[Turn]
    diagnostics: tuple[Diagnostic, ...]


def receive(
    request: HttpRequest,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[SlackAsk, Received | Rejected | Handshake]:
    """A message to an agent in Slack, or a handshake that Slack expects.

    Mentions and messages of the Events API and slash commands become messages. The signature of the request is verified
    before anything of it is read. The sender gets evidence when Slack names them as a member of the workspace.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; equal bytes give equal ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `slack:<team>/<user of the bot>` and
            `slack:<team>/<app>`; a command names the app alone.
        agent_chain: The agent's position in a chain of agents, when you know it.
        settings: `slack.Settings`: the signing secret, the host of your Connector Instance, and limits.

    Returns:
        A flow of `Received`; of `Handshake`, whose response you send; or of `Rejected`: the request is not one of Slack
        (`request-unverified`), is no message to the agent (`unsupported-event`, `own-message`), is malformed or too
        large.

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
    check_settings(settings, Settings)
    check_kind(request, HttpRequest, "request")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _receive(request, context, settings)


def _receive(
    request: HttpRequest, context: ReceiveContext, settings: Settings
) -> Flow[SlackAsk, Received | Rejected | Handshake]:
    """The flow. A request with any fault ends in `Rejected`."""
    # Nothing is parsed before the signature is verified, and no person is looked up before the event is known to count:
    #   1. verify the signature                 4. check that this event was not used before
    #   2. parse the event, answer a handshake  5. look up people and the thread at Slack
    #   3. find the agent it is for             6. deliver the message with its evidence
    rejection = verify(request, now=context.now, settings=settings)
    if rejection is not None:
        return rejection
    try:
        event = read_event(request, settings)
        if isinstance(event, Handshake):
            return event
        _check_is_for_agent(event, settings)
        agent = yield from agent_for(_candidates(event), context)
        is_retry = yield from _check_replay(event, agent, until=context.now + _REMEMBER_FOR)
        lookup = yield from _look_up(event, settings)
        platform_event = _platform_event(event, lookup, agent, settings)
        return (yield from deliver_for(platform_event, agent, context, is_retry=is_retry))
    except WireError as error:
        return rejected(error)


def _check_is_for_agent(event: Event, settings: Settings) -> None:
    """Raise unless the event is for the agent."""
    if event.is_own:
        raise wire_error("own-message", "/event", "the app itself wrote it")
    if event.kind == "app_mention" or event.bot_user in _MENTIONED.findall(event.text):
        return
    if event.bot is not None:
        raise wire_error("unsupported-event", "/event", "a program wrote it and does not mention the agent")
    if not event.is_direct and settings.listen_to == "mentions":
        raise wire_error("unsupported-event", "/event", "it does not mention the agent")


def _candidates(event: Event) -> list[str]:
    """The native ids under which `FindAgent` looks for the agent."""
    ids = [f"slack:{event.team}/{id}" for id in (event.bot_user, event.app) if id is not None]
    return ids or [f"slack:{event.team}"]


def _check_replay(event: Event, agent: Address, *, until: datetime) -> Flow[UseOnce, bool]:
    """Whether the event is a retry; raise unless it is that or new, and no other event has the same message.

    Slack sends a mention in a channel twice to an app that subscribes to mentions and to messages.
    """
    is_retry = yield from check_event_replay(event.event_id, native_id=event.native_id, agent=agent, until=until)
    own = event.native_id.removeprefix("slack:")
    answer = yield from UseOnce(key=f"slack:message:{own} {agent}", binding=event.id, until=until)
    if isinstance(answer, Failed):
        raise wire_error("lookup-failed", "", f"whether another event brought the message: {answer.reason}")
    if answer == "other":
        raise wire_error("unsupported-event", "/event", "another event brought the same message")
    return is_retry


def _look_up(event: Event, settings: Settings) -> Flow[CallApi, _Lookup]:
    """Look up the author, mentioned users and the thread, by a bounded number of calls."""
    limits = settings.limits
    mentioned = [user for user in dict.fromkeys(_MENTIONED.findall(event.text)) if user != event.bot_user]
    users = dict.fromkeys([*([event.user] if event.user else []), *mentioned[:_MAX_MENTIONED]])
    asked = tuple(users)[: limits.asks]
    people, unanswered = yield from _ask_people(asked)
    if event.root is None or settings.history.max_messages <= 0:
        return _Lookup(people, [], unanswered)
    turns, truncated = yield from ask_thread(event, event.root, settings)
    writers = unknown_writers(turns, asked, max_users=limits.asks - len(asked) - limits.walk_depth)
    others, also_unanswered = yield from _ask_people(writers)
    return _Lookup({**people, **others}, turns, (*unanswered, *truncated, *also_unanswered))


def _ask_people(users: Sequence[str]) -> Flow[CallApi, tuple[dict[str, Person], tuple[Diagnostic, ...]]]:
    """Ask Slack for each of these users at once."""
    asks = tuple(map(users_info, users))
    answers = [read_person(ask, answer) for ask, answer in zip(asks, (yield from ask_each(asks)), strict=True)]
    people = {person.id: person for person, _ in answers if person is not None}
    return people, tuple([diagnostic for _, diagnostics in answers for diagnostic in diagnostics])


def _platform_event(event: Event, lookup: _Lookup, agent: Address, settings: Settings) -> PlatformEvent:
    """The event, with the reason why its sender gets no evidence."""
    names = {user: person.name for user, person in lookup.people.items()}
    if event.bot_user is not None:
        names[event.bot_user] = agent.local
    content, mime = read_text(event.text, names=names)
    files, left_out = files_in(event.files, settings.limits)
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
    return PlatformEvent(
        event_id=event.event_id,
        native_id=event.native_id,
        thread_id=event.thread_id,
        account=account_of(writer, team, person),
        parts=(TextPart(content=content, mime=mime),) if content.strip() else (),
        raw=lambda: raw_of(event),
        workspace=event.team,
        channel=event.channel,
        files=files,
        parent_id=root,
        thread_of=() if root is None else (root,),
        history=history_of(lookup.turns, event, agent, lookup.people, names),
        withheld=None if reason is None else f"{writer}: {reason}",
        may_be_verified_later=not is_program and person is None,
        diagnostics=(*lookup.diagnostics, *loop_risk, *left_out),
    )
