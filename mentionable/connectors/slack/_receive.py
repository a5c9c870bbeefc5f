"""The entry point: a request of Slack to one message for the agent that it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from ..._errors.exceptions import UsageError, WireError, wire_error
from ..._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from ..._flow.flow import Failed, Flow, ask_each
from ..._flow.outcome import Handshake, Received, Rejected, rejected
from ..._model.base import replace
from ..._model.capabilities import AgentChain
from ..._model.diagnostic import Diagnostic
from ..._model.parts import Part, TextPart
from ..._wire.address import Address
from ..._wire.http import HttpRequest
from .._deliver import PlatformEvent, agent_for, deliver_for
from .._platform import Account, check_event_replay
from .._receive_context import ReceiveContext, receive_context
from ._ids import is_user
from ._read.api import CallApi
from ._read.event import Event, native_id, raw_of, read_unit
from ._read.files import files_in
from ._read.mrkdwn import read_text
from ._read.people import (
    METHOD,
    Person,
    address_of,
    profile_in,
    read_person,
    subject_of,
    team_named,
    users_info,
    why_no_member,
)
from ._read.thread import Turn, ask_thread, history_of, writers_to_find
from ._settings import Settings, check_settings
from ._verify import verify

SlackAsk: TypeAlias = CallApi | FindAgent | FindMessage | FindHistory | UseOnce
"""Every ask of this connector."""

_REMEMBER_FOR: Final = timedelta(hours=25)
"""How long Slack may try an event again: an hour, or a day where the app asks for delayed events."""

_MENTIONED: Final = re.compile(r"<@([UW][A-Z0-9]{1,31})[|>]")
_MAX_MENTIONED: Final = 10
"""How many people who are mentioned are looked up by their names."""


def receive(
    request: HttpRequest,
    *,
    now: datetime,
    entropy: bytes,
    recipient: str | None = None,
    agent_chain: AgentChain | None = None,
    settings: Settings,
) -> Flow[SlackAsk, Received | Rejected | Handshake]:
    """What somebody says to an agent in Slack, as one message; or what Slack wants to be answered.

    Taken are mentions and messages of the Events API, and slash commands. The request must be signed by Slack: nothing
    of it is read before. Who wrote it gets evidence when Slack shows them to be a member of the workspace.

    Args:
        request: The request, its body byte for byte.
        now: The time, aware.
        entropy: At least 32 random bytes, fresh for each request; the same give the same ids.
        recipient: The agent that it is for. None: `FindAgent` asks for `slack:<team>/<user of the bot>` and
            `slack:<team>/<app>`; a command names the app alone.
        agent_chain: Where the agent stands in a chain of agents, when you know.
        settings: `slack.Settings`: the signing secret, the host of your Connector Instance, and limits.

    Returns:
        A flow of `Received`; of `Handshake`, whose response you send; or of `Rejected`: the request is not one of Slack
        (`request-unverified`), says nothing to the agent (`unsupported-event`, `own-message`), is broken or too large.

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
    check_settings(settings)
    if not isinstance(request, HttpRequest):
        raise UsageError("request is an HttpRequest")
    context = receive_context(settings, now=now, entropy=entropy, recipient=recipient, agent_chain=agent_chain)
    return _received(request, context, settings)


def _received(
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
    notes: list[Diagnostic] = []
    try:
        event = read_unit(request, settings)
        if isinstance(event, Handshake):
            return event
        _check_is_for_agent(event, settings)
        agent = yield from agent_for(_candidates(event), context)
        yield from _check_replay(event, until=context.now + _REMEMBER_FOR)
        people, turns = yield from _look_up(event, settings, notes)
        names = _names(event, agent, people)
        platform_event = replace(
            _platform_event(event, people, settings, notes),
            parts=_text_parts(event, names),
            files=tuple(files_in(event.files, settings.limits, notes)),
            history=history_of(turns, event, agent, people, names),
        )
        return (yield from deliver_for(platform_event, agent, context, notes))
    except WireError as error:
        return rejected(error)


def _check_is_for_agent(event: Event, settings: Settings) -> None:
    """Raise unless the event is for the agent."""
    if event.is_own:
        raise wire_error("own-message", "/event", "the app itself wrote it")
    is_mention = event.kind == "app_mention" or event.bot_user in _MENTIONED.findall(event.text)
    if is_mention:
        return
    if event.bot is not None:
        raise wire_error("unsupported-event", "/event", "a program wrote it and does not mention the agent")
    if not event.is_direct and settings.listen_to == "mentions":
        raise wire_error("unsupported-event", "/event", "it does not mention the agent")


def _candidates(event: Event) -> list[str]:
    """The native ids under which `FindAgent` looks for the agent."""
    names = [f"slack:{event.team}/{found}" for found in (event.bot_user, event.app) if found is not None]
    return names or [f"slack:{event.team}"]


def _check_replay(event: Event, *, until: datetime) -> Flow[UseOnce, None]:
    """Raise unless the event is new or a retry, and no other event has the same message.

    Slack sends a mention in a channel twice to an app that subscribes to mentions and to messages.
    """
    yield from check_event_replay(f"slack:{event.id}", native_id=event.native_id, until=until)
    own = event.native_id.removeprefix("slack:")
    answer = yield from UseOnce(key=f"slack:message:{own}", binding=event.id, until=until)
    if isinstance(answer, Failed):
        raise wire_error("lookup-failed", "", f"whether another event brought the message: {answer.reason}")
    if not answer:
        raise wire_error("unsupported-event", "/event", "another event brought the same message")


def _look_up(
    event: Event, settings: Settings, notes: list[Diagnostic]
) -> Flow[CallApi, tuple[dict[str, Person], list[Turn]]]:
    """Look up the author, mentioned people and the thread, by a bounded number of calls."""
    people: dict[str, Person] = {}
    left = settings.limits.asks
    mentioned = [user for user in dict.fromkeys(_MENTIONED.findall(event.text)) if user != event.bot_user]
    first = dict.fromkeys([*([event.user] if event.user else []), *mentioned[:_MAX_MENTIONED]])
    wanted = tuple(first)[:left]
    yield from _ask_people(wanted, people, notes)
    turns: list[Turn] = []
    if event.root is not None and settings.history.max_messages > 0:
        turns = yield from ask_thread(event, event.root, settings, notes)
        writers = writers_to_find(turns, wanted, most=left - len(wanted) - settings.limits.walk_depth)
        yield from _ask_people(writers, people, notes)
    return people, turns


def _ask_people(users: Sequence[str], people: dict[str, Person], notes: list[Diagnostic]) -> Flow[CallApi, None]:
    """Asks Slack about each of these users at once."""
    asks = tuple(map(users_info, users))
    for ask, answer in zip(asks, (yield from ask_each(asks)), strict=True):
        person = read_person(ask, answer, notes)
        if person is not None:
            people[person.id] = person


def _names(event: Event, agent: Address, people: Mapping[str, Person]) -> dict[str, str]:
    """The names of mentioned people; the app has the name of its agent."""
    names = {user: person.name for user, person in people.items()}
    if event.bot_user is not None:
        names[event.bot_user] = agent.local
    return names


def _text_parts(event: Event, names: Mapping[str, str]) -> tuple[Part, ...]:
    """The text as a part; none for an empty text."""
    content, mime = read_text(event.text, names=names)
    return (TextPart(content=content, mime=mime),) if content.strip() else ()


def _platform_event(
    event: Event, people: Mapping[str, Person], settings: Settings, notes: list[Diagnostic]
) -> PlatformEvent:
    """What is known of an event but for what was said, with why there is no evidence of who said it."""
    team = team_named(event.teams, here=event.team, is_shared=event.is_shared)
    writer = event.user or event.bot or ""
    person = people.get(writer)
    if event.bot is not None or not is_user(writer):
        reason: str | None = "a program wrote it"
        notes.append(Diagnostic(code="loop-risk", detail=f"the bot {event.bot} wrote it"))
    elif person is None:
        reason = "Slack did not tell who they are"
    else:
        reason = why_no_member(person, team, here=event.team, settings=settings)
    root = None if event.root is None else native_id(event.team, event.channel, event.root)
    return PlatformEvent(
        event_id=f"slack:{event.id}",
        native_id=event.native_id,
        thread_id=event.thread_id,
        account=Account(
            platform="slack",
            address=address_of(writer, team),
            subject=subject_of(team or "", writer),
            method=METHOD,
            profile=None if person is None else profile_in(person, team),
        ),
        parts=(),
        raw=lambda: raw_of(event),
        workspace=event.team,
        channel=event.channel,
        parent_id=root,
        thread_of=() if root is None else (root,),
        withheld=None if reason is None else f"{writer}: {reason}",
        may_be_verified_later=event.bot is None and is_user(writer) and person is None,
    )
