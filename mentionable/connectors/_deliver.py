"""From what somebody said on a platform to one message for an agent: what the `receive` of every connector shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from .._crypto.verification import own_identity, refused
from .._errors.exceptions import WireError, wire_error
from .._flow.asks import FindAgent, FindHistory, FindMessage, UseOnce
from .._flow.flow import Flow
from .._flow.outcome import Received, Rejected, rejected
from .._flow.settings import Settings
from .._model.base import frozen, replace
from .._model.capabilities import InlineRelay, MentionRelayCapability, RecipientCapabilities
from .._model.diagnostic import Diagnostic
from .._model.message import HistoricalMessage
from .._model.parts import Part
from .._model.sender import Sender
from .._transport.delivery import IncomingMessage, deliver, resolve_recipients
from .._wire.address import Address, agent_address
from .._wire.strict_json import loads
from ._platform import PLATFORM_ONLY, Account, Observation, seen_once, sender_of
from ._receive_context import ReceiveContext
from ._remote_file import RemoteFile, given_out

MOST_BODY: Final = 1_048_576
"""The bytes of a body that is read, unless the settings of a room say otherwise."""

_A_DAY: Final = timedelta(days=1)


@frozen
class PlatformEvent:
    """What somebody said on a platform: read, every member named, and not yet a message.

    Attributes:
        event_id: The platform's own id of the event, behind its name: `slack:Ev0123`. Evidence has it.
        native_id: The id of the message, behind the name of the platform; the same when the platform tries again.
        thread_id: The id of the conversation, likewise.
        account: Who said it.
        parts: What was said, but for files.
        raw: Makes what `raw` tells of it: fresh JSON of ids and short words alone.
        workspace: Where on the platform: the scope of files.
        channel: In which channel: in the source of evidence, and the scope of files.
        files: The files that came along.
        parent_id: The native id of the message that it answers.
        thread_of: Native ids of messages whose thread it joins when they are known.
        history: What was said before, as the platform tells it; empty: `FindHistory` asks your store.
        withheld: Why there is no evidence of who said it; None: there is.
        may_be_shown_later: Whether trying again later may bring the evidence.
        mention_relay: How other agents can be brought in on the platform.
    """

    event_id: str
    native_id: str
    thread_id: str
    account: Account
    parts: tuple[Part, ...]
    raw: Callable[[], Mapping[str, Any]]
    workspace: str = ""
    channel: str | None = None
    files: tuple[RemoteFile, ...] = ()
    parent_id: str | None = None
    thread_of: tuple[str, ...] = ()
    history: tuple[HistoricalMessage, ...] = ()
    withheld: str | None = None
    may_be_shown_later: bool = False
    mention_relay: MentionRelayCapability = InlineRelay()


def read_json(body: bytes, *, settings: Settings, max_bytes: int = MOST_BODY) -> dict[str, Any] | Rejected:
    """The JSON object that a platform sent, read strictly: bounded in size and depth, and no member twice.

    Verify the request before.

    Args:
        body: The body of the request.
        settings: `limits.json_depth` bounds how deep it is.
        max_bytes: How long it may be.

    Example:
        >>> read_json(b"[" * 200_000, settings=Settings()).code
        'too-deep'
    """
    try:
        return object_of_body(body, settings=settings, max_bytes=max_bytes)
    except WireError as error:
        return rejected(error)


def object_of_body(body: bytes, *, settings: Settings, max_bytes: int) -> dict[str, Any]:
    """The JSON object in a body.

    Raises:
        WireError: There is none, or it is too long or too deep.
    """
    found = loads(body, max_bytes=max_bytes, max_depth=settings.limits.json_depth, safe_integers=False)
    if not isinstance(found, dict):
        raise wire_error("wrong-type", "", "it must be a JSON object")
    return found


def agent_for(candidates: Sequence[str], intake: ReceiveContext) -> Flow[FindAgent, Address]:
    """The agent that a request is for: the one that the caller named, else the one that `FindAgent` finds.

    Raises:
        WireError: `no-served-recipient`, `lookup-failed`.
    """
    if intake.recipient is not None:
        return agent_address(intake.recipient)
    agents = yield from resolve_recipients(candidates, limits=intake.settings.limits)
    return agents[0]


def deliver_event(
    heard: PlatformEvent, intake: ReceiveContext, *, candidates: Sequence[str] = (), remembered: timedelta = _A_DAY
) -> Flow[FindAgent | FindMessage | FindHistory | UseOnce, Received | Rejected]:
    """The message of what somebody said, for the agent that it is for. Nothing raises for what came from outside.

    Finds the agent, sees to it that an event counts once (a retry of the platform passes, and becomes a redelivery with
    the same id), gives the files out, and makes the evidence of who said it.

    Args:
        heard: What was said.
        intake: What the caller of `receive` said beside the request.
        candidates: The native ids of agents that `FindAgent` is asked for, when the caller named none.
        remembered: After which time the platform certainly tries no more.

    Raises:
        UsageError: An answer to an ask is of the wrong kind.

    Spec: Building a Connector §Required Pieces.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, TextPart, drive
        >>> from mentionable.connectors import account_address
        >>> account = Account(
        ...     platform="tavern", address=account_address("42", "house5", "tavern"), subject="tavern:5/42",
        ...     method="urn:mentionable:auth:tavern-guest:v0.1",
        ... )
        >>> heard = PlatformEvent(
        ...     event_id="tavern:9001", native_id="tavern:5/17/9001", thread_id="tavern:5/17", account=account,
        ...     parts=(TextPart(content="Will it rain?"),), raw=lambda: {"platform": "tavern"},
        ... )
        >>> intake = ReceiveContext(
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=Settings(),
        ...     issuer="tavern.agents.example", recipient="@helper@agents.example",
        ... )
        >>> got = drive(deliver_event(heard, intake), Answers(use_once=lambda ask: True))
        >>> got.identities[0].subject
        'tavern:5/42'
    """
    try:
        agent = yield from agent_for(candidates, intake)
        yield from seen_once(heard.event_id, native_id=heard.native_id, until=intake.now + remembered)
        return (yield from delivered(heard, agent, intake, []))
    except WireError as error:
        return rejected(error)


def delivered(
    heard: PlatformEvent, agent: Address, intake: ReceiveContext, notes: list[Diagnostic]
) -> Flow[FindMessage | FindHistory, Received | Rejected]:
    """The message of an event that counts, for its agent.

    Raises:
        WireError: Nothing was said that an agent can read.
    """
    files = given_out(
        heard.files,
        intake=intake,
        agent=agent,
        provider=heard.account.platform,
        place=(heard.workspace, heard.channel or ""),
        turn=heard.native_id,
        notes=notes,
    )
    parts = (*heard.parts, *files)
    if not parts:
        is_lost = any(note.code == "part-unsupported" for note in notes)
        code: Any = "part-unsupported" if is_lost else "unsupported-event"
        raise wire_error(code, "", "nothing was said that an agent can read, or the platform withholds it")
    sender = _sender(heard, agent, intake, notes)
    if intake.settings.require_verified and not sender.identities:
        return refused(replace(PLATFORM_ONLY, detail=notes[-1].detail, temporary=notes[-1].temporary))
    chain = intake.agent_chain
    draft = IncomingMessage(
        native_id=heard.native_id,
        thread_id=heard.thread_id,
        sender=sender,
        parts=parts,
        recipient_capabilities=RecipientCapabilities(mention_relay=heard.mention_relay, agent_chain=chain),
        received_via="connector",
        raw=heard.raw,
        parent_id=heard.parent_id,
        thread_of=heard.thread_of,
        history=heard.history,
    )
    # What the platform tells is the conversation itself; a store would say some of it again, in other words.
    is_history_wanted = intake.settings.stored_history and not heard.history
    return (
        yield from deliver(
            draft,
            recipients=(agent,),
            verdict=PLATFORM_ONLY,
            now=intake.now,
            entropy=intake.entropy,
            settings=replace(intake.settings, require_verified=False, stored_history=is_history_wanted),
            diagnostics=notes,
            identities=tuple(map(own_identity, sender.identities or ())),
        )
    )


def _sender(heard: PlatformEvent, agent: Address, intake: ReceiveContext, notes: list[Diagnostic]) -> Sender:
    """Who said it, with evidence; else a diagnostic says why there is none."""
    reason = "no issuer is set" if intake.issuer is None else heard.withheld
    if intake.issuer is None or reason is not None:
        later = heard.may_be_shown_later
        notes.append(Diagnostic(code="evidence-withheld", detail=reason or "", temporary=later))
        return sender_of(heard.account, None)
    seen = Observation(
        issuer=intake.issuer, audience=agent, event_id=heard.event_id, now=intake.now, channel=heard.channel
    )
    return sender_of(heard.account, seen)
