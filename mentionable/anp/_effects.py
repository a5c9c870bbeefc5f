"""Everything that the host has to do after a decision was stored: the closed union `Effect`.

Effects happen at least once. A client knows by event, revision and lease what it has displayed already; a host knows
an effect by its place in the order in which they were stored.

Spec: ANP §4, §5.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from .._model.base import EMPTY_DICT, validated
from .._model.rules import Count, JsonObject, Name, Ordinal, Timestamp
from ._notification import AgentInstructions, Origin, Submission
from ._routing import Scope, Surface

Awareness: TypeAlias = Literal["shown", "user_seen", "escalated"]
Settlement: TypeAlias = Literal["seen", "acknowledged", "withdrawn", "escalated"]
"""How an event was settled for the devices of a person."""


@validated
class EventEffect:
    """What every effect names. For a client, these three together identify what it has displayed.

    Attributes:
        id: The event.
        revision: Its revision.
        lease: Its lease.
        extra: Members that this version does not know.
    """

    id: Name
    revision: Ordinal
    lease: Ordinal
    extra: JsonObject = EMPTY_DICT


@validated
class Audit(EventEffect):
    """Something that a record of what happened should hold.

    Attributes:
        what: `submitted`, or the name of an action.
        classification: Of an action.
    """

    kind: ClassVar[Literal["audit"]] = "audit"
    what: Name
    classification: Literal["internal", "external"] | None = None


@validated
class Dispatch(EventEffect):
    """Send `Route` for the event."""

    kind: ClassVar[Literal["dispatch"]] = "dispatch"


@validated
class Queue(EventEffect):
    """The event waits until the turn in its lane ends: `route` puts it into the lane.

    Spec: ANP §6.4.
    """

    kind: ClassVar[Literal["queue"]] = "queue"


@validated
class AddressDemoted(EventEffect):
    """The session is gone, so the event went to its user. Spec: ANP §2.1.

    Attributes:
        session_id: The session that is gone.
    """

    kind: ClassVar[Literal["address_demoted"]] = "address_demoted"
    session_id: Name


@validated
class TurnWithheld(EventEffect):
    """The event came of too long a chain of the agent's own doing, so it starts no turn: the system handles it.

    Attributes:
        depth: How long the chain is.
    """

    kind: ClassVar[Literal["turn_withheld"]] = "turn_withheld"
    depth: Count


@validated
class Present(EventEffect):
    """Show the event to the human; a client acknowledges it with this lease and this revision.

    Attributes:
        channel: The inbox, or the chat of the session.
        user_id: The human.
        content: What to show.
        session_id: Which chat.
        origin: Who says it: a plugin, the agent, or the system.
        actions: What the agent did about it, to be displayed with the content.
        metadata: What else the plugin gave.

    Spec: ANP §3.1 (channels A and B).
    """

    kind: ClassVar[Literal["present"]] = "present"
    channel: Surface
    user_id: Name
    content: str
    session_id: Name | None = None
    origin: Origin | None = None
    actions: tuple[Name, ...] | None = None
    metadata: JsonObject | None = None


@validated
class Update(EventEffect):
    """Show these words in place of those of an earlier revision, wherever they stand.

    Attributes:
        channel: Where they stand: before a human in the inbox or the chat, or before the agent in its context or among
            its facts.
        user_id: Whose event.
        content: What to show.
        session_id: Of which session.
        origin: Who says it: a plugin, the agent, or the system.
        metadata: What else the plugin gave.
        agent_instructions: What to tell the model.

    Spec: ANP §7.1.
    """

    kind: ClassVar[Literal["update"]] = "update"
    channel: Literal["inbox", "chat", "context", "facts"]
    user_id: Name
    content: str
    session_id: Name | None = None
    origin: Origin | None = None
    metadata: JsonObject | None = None
    agent_instructions: AgentInstructions | None = None


@validated
class Settled(EventEffect):
    """No device of the person needs to ask for attention any more under this lease: tell all of them.

    Nothing is displayed under this lease again. Under a higher one it may be: after `escalated` the system presents it.

    Attributes:
        how: `seen`: it was before a human on one device; `acknowledged`: they clicked it there; `withdrawn`: it could
            not be presented, and cannot be acknowledged any more; `escalated`: the watchdog took it from the agent.
        surface: Where it is displayed, or would be.
        user_id: Whose event.
        session_id: Of which session.

    Spec: ANP §3, §5.1 (DELIVERED, ESCALATED, FAILED).
    """

    kind: ClassVar[Literal["settled"]] = "settled"
    how: Settlement
    surface: Surface
    user_id: Name
    session_id: Name | None = None


@validated
class AddFact(EventEffect):
    """The agent is to know this from its next turn on. No turn starts, and no human sees it.

    Attributes:
        scope: For the memory of the session, or for that beyond all sessions.
        user_id: Whose event.
        content: What to know.
        session_id: Of which session.
        agent_instructions: What to tell the model.

    Spec: ANP §4.2 (Ambient Awareness).
    """

    kind: ClassVar[Literal["add_fact"]] = "add_fact"
    scope: Scope
    user_id: Name
    content: str
    session_id: Name | None = None
    agent_instructions: AgentInstructions | None = None


@validated
class Grant(EventEffect):
    """The agent may act for the event under this lease. `Turn` keeps the grants of a turn.

    Spec: ANP §6.3.
    """

    kind: ClassVar[Literal["grant"]] = "grant"


@validated
class InjectContext(EventEffect):
    """The event goes into the context of the agent.

    Attributes:
        scope: Of the session, or beyond all sessions.
        must_narrate: Whether the human is promised to hear of it.
        user_id: Whose event.
        content: What it says.
        session_id: Of which session.
        agent_instructions: What to tell the model.

    Spec: ANP §3.1 (channel C).
    """

    kind: ClassVar[Literal["inject_context"]] = "inject_context"
    scope: Scope
    must_narrate: bool
    user_id: Name
    content: str
    session_id: Name | None = None
    agent_instructions: AgentInstructions | None = None


@validated
class StartTurn(EventEffect):
    """Start a turn of the agent for the event, as soon as its lane is free.

    Attributes:
        turn: `proactive`: the agent speaks to the human; `internal`: it need not.
        scope: Of the session, or beyond all sessions.

    Spec: ANP §4 (Agent Experience).
    """

    kind: ClassVar[Literal["start_turn"]] = "start_turn"
    turn: Literal["proactive", "internal"]
    scope: Scope


@validated
class WakeAt(EventEffect):
    """Send `Tick` for the event when this time has come.

    Attributes:
        at: When.

    Spec: ANP §6.2.
    """

    kind: ClassVar[Literal["wake_at"]] = "wake_at"
    at: Timestamp


@validated
class AgentAware(EventEffect):
    """The agent is to know what became of an event. It is never to announce it.

    Attributes:
        awareness: `shown`: the system showed it to the human; `user_seen`: the human has seen it; `escalated`: the
            watchdog took it from the agent.
        user_id: Whose event.
        content: What the event says.
        session_id: The session whose agent learns it; None: in the next turn with the user.

    Spec: ANP §5.2.
    """

    kind: ClassVar[Literal["agent_aware"]] = "agent_aware"
    awareness: Awareness
    user_id: Name
    content: str
    session_id: Name | None = None


@validated
class Allow(EventEffect):
    """The tool may run.

    Attributes:
        action: The tool.

    Spec: ANP §6.1.
    """

    kind: ClassVar[Literal["allow"]] = "allow"
    action: Name


@validated
class MustSurface(EventEffect):
    """The human must hear of an action: by the next output of the agent, or by the watchdog; or by `notice`.

    Attributes:
        action: The tool.
        notice: An event to submit, where the one for which the agent acts cannot tell it any more.
        notice_id: Its id.

    Spec: ANP §6.1.
    """

    kind: ClassVar[Literal["must_surface"]] = "must_surface"
    action: Name
    notice: Submission | None = None
    notice_id: Name | None = None


@validated
class PresentNarration(EventEffect):
    """Submit the output of the agent as an event of its own.

    Attributes:
        id: The event that was narrated.
        revision: Its revision.
        lease: Its lease.
        narration_id: The id of the new event. All events that one turn narrated name the same.
        narration: The new event.

    Spec: ANP §4.1 (Mediated Presentation).
    """

    kind: ClassVar[Literal["present_narration"]] = "present_narration"
    narration_id: Name
    narration: Submission


@validated
class FenceTurn(EventEffect):
    """Whoever acts for the event under this lease has lost it: stop them, if that is possible.

    Attributes:
        id: The event.
        revision: Its revision.
        lease: The lease that counts no more.

    Spec: ANP §6.3.
    """

    kind: ClassVar[Literal["fence_turn"]] = "fence_turn"


@validated
class DeadLetter(EventEffect):
    """The event could not be delivered, and somebody should look at it.

    Attributes:
        reason: `presentation`: it could not be presented; `deadline`: it was not acknowledged in time; `no_route`: no
            user is left to present it to.

    Spec: ANP §5.1 (FAILED).
    """

    kind: ClassVar[Literal["dead_letter"]] = "dead_letter"
    reason: Literal["presentation", "deadline", "no_route"]


Effect: TypeAlias = (
    Audit
    | Dispatch
    | Queue
    | AddressDemoted
    | TurnWithheld
    | Present
    | Update
    | Settled
    | AddFact
    | Grant
    | InjectContext
    | StartTurn
    | WakeAt
    | AgentAware
    | Allow
    | MustSurface
    | PresentNarration
    | FenceTurn
    | DeadLetter
)
"""Everything that a host has to do."""
