"""Lanes: turns of the agent one after another, and the alerts of the system between them.

Spec: ANP §6.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from .._errors.exceptions import UsageError
from .._flow.outcome import Rejected
from .._flow.settings import check_kind, check_now
from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, frozen, replace, validated
from .._model.diagnostic import Diagnostic
from .._model.rules import Count, JsonObject, Name, Ordinal, Timestamp
from .._wire.strict_json import is_text
from .._wire.time import parse_time
from ._commands import Route
from ._decide import decide
from ._effects import Effect
from ._notification import Notification
from ._prompt import NO_CONTEXT, Prompt, Turn, TurnContext, TurnKind, is_offered
from ._rules import NOTHING_SPECIAL, USUAL, Facts, Rules, after
from ._step import Decision, refused

MAX_WAITING: Final = 1_000
"""How many alerts may wait in one lane."""

MAX_SESSIONS: Final = 1_000
"""Of how many sessions a lane keeps how much the agent has read. Of older ones, the agent reads it again."""


@validated
class RunningTurn:
    """The turn that has a lane.

    Attributes:
        id: The turn.
        deadline: Until when it may keep the lane.
        trigger: The event that started it.
        lease: The lease that it was granted for that event.
        revision: The words of that event that it has read.
        holder: The worker that runs it.
        extra: Members that this version does not know.
    """

    id: Name
    deadline: Timestamp
    trigger: Name | None = None
    lease: Ordinal | None = None
    revision: Ordinal | None = None
    holder: Name | None = None
    extra: JsonObject = EMPTY_DICT


@validated
class Lane:
    """What orders the turns of an agent and the alerts of the system. A user has one, or one for each session.

    Attributes:
        id: As `lane_id` makes it.
        version: Raised with every change; 0 for one that nothing has changed yet.
        turn: The turn that has it now.
        waiting: The alerts that wait for that turn to end, in the order in which they came.
        cursor: How much the agent has read of what became of events of the user.
        cursors: Session → how much it has read of what became of events of that session.
        extra: Members that this version does not know.

    Spec: ANP §5.2, §6.4.
    """

    id: Name
    version: Count = 0
    turn: RunningTurn | None = None
    waiting: tuple[Name, ...] = ()
    cursor: Count = 0
    cursors: JsonObject = EMPTY_DICT
    extra: JsonObject = EMPTY_DICT

    def _check(self) -> None:
        if any(place.__class__ is not int or place < 0 for place in self.cursors.values()):
            raise InvalidMember("cursors are numbers from 0 by session")


@frozen
class LaneStep:
    """What is to be stored at once: a lane, and decisions upon events. Only then come the effects.

    Attributes:
        lane: The lane as it is from now on.
        expected: The version that must be stored now; 0: none.
        decisions: What becomes of events, in the order in which their effects happen.
        effects: What else is to be done, before those.
        refused: The events for which something could not be decided, with the reason.
        turn: The turn that begins.
        stopped: The turn that lost the lane: stop it, if that is possible.
        diagnostics: What was odd.
    """

    lane: Lane
    expected: int
    decisions: tuple[Decision, ...] = ()
    effects: tuple[Effect, ...] = ()
    refused: tuple[tuple[str, Rejected], ...] = ()
    turn: Turn | None = None
    stopped: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def all_effects(self) -> tuple[Effect, ...]:
        """All effects, in the order in which they happen."""
        return (*self.effects, *(effect for decision in self.decisions for effect in decision.effects))


def raised(lane: Lane, **members: Any) -> Lane:
    """A lane with other members, as it is from now on."""
    return replace(lane, version=lane.version + 1, **members)


def lane_id(user_id: str, session_id: str | None = None, *, rules: Rules = USUAL) -> str:
    """The id of a lane: that of a user, or where `Rules.lanes` says so of one session of theirs.

    Args:
        user_id: The user.
        session_id: The session, of what belongs to one.
        rules: What the host decided.

    Spec: ANP §6.4.

    Example:
        >>> lane_id("olivia", "s1")
        'user:olivia'
        >>> lane_id("olivia", "s1", rules=Rules(lanes="session"))
        'session:olivia:s1'
    """
    names: tuple[object, ...] = (user_id,) if session_id is None else (user_id, session_id)
    if not all(isinstance(name, str) and is_text(name) for name in names):
        raise UsageError("lane_id(user_id, session_id) takes texts")
    check_kind(rules, Rules, "rules")
    if rules.lanes == "session" and session_id is not None:
        return f"session:{quote(user_id, safe='')}:{quote(session_id, safe='')}"
    return f"user:{quote(user_id, safe='')}"


def lane_of(event: Notification, *, facts: Facts = NOTHING_SPECIAL, rules: Rules = USUAL) -> str:
    """The id of the lane of an event, by where it is addressed now; where its session is gone, that of the user.

    Args:
        event: The event.
        facts: What the host looked up for the event.
        rules: What the host decided.

    Raises:
        UsageError: An argument is of a wrong type.

    Spec: ANP §2.1, §6.4.
    """
    check_kind(event, Notification, "event")
    check_kind(facts, Facts, "facts")
    return lane_id(event.user_id, event.addressed_session if facts.session_exists else None, rules=rules)


def dispatch(
    lane: Lane, event: Notification, *, now: datetime, facts: Facts = NOTHING_SPECIAL, rules: Rules = USUAL
) -> LaneStep | Rejected:
    """Carries `Dispatch` out: the event goes where its flags say, or waits in its lane until the turn there ends.

    Args:
        lane: The lane of the event, `Store.lane(lane_of(event, facts=facts))`.
        event: The event.
        now: The time, aware.
        facts: What the host looked up for the event; the lane itself says whether it is busy.
        rules: What the host decided.

    Returns:
        A step. A `Rejected` of the code `lane-full` is temporary: dispatch the event again when the turn has ended. Any
        other says that there is nothing to dispatch any more.

    Raises:
        UsageError: The lane is another one, or an argument is of a wrong type.

    Spec: ANP §6.4.
    """
    check_kind(lane, Lane, "lane")
    own = lane_of(event, facts=facts, rules=rules)
    if lane.id != own:
        raise UsageError(f"the event belongs into the lane {own}, not {lane.id}")
    decision = decide(event, Route(), now=now, facts=replace(facts, lane_busy=lane.turn is not None), rules=rules)
    if isinstance(decision, Rejected):
        return decision
    if decision.record.status != "pending" or event.id in lane.waiting:
        return LaneStep(lane=lane, expected=lane.version, decisions=(decision,))
    if len(lane.waiting) >= MAX_WAITING:
        return refused("lane-full", "", f"{MAX_WAITING} alerts wait")
    queued = raised(lane, waiting=(*lane.waiting, event.id))
    return LaneStep(lane=queued, expected=lane.version, decisions=(decision,))


def begin_turn(
    lane: Lane,
    turn_id: str,
    *,
    user_id: str,
    now: datetime,
    session_id: str | None = None,
    trigger: Notification | None = None,
    context: TurnContext = NO_CONTEXT,
    holder: str | None = None,
    rules: Rules = USUAL,
) -> LaneStep | Rejected:
    """Begins a turn of the agent: it gets the lane, a prompt, and a grant for each event that stands in it.

    Args:
        lane: The lane in which it is to run.
        turn_id: Its id, new for each turn.
        user_id: The user that the agent speaks with. Events of others are left out.
        now: The time, aware.
        session_id: In which session. Events of other sessions are left out.
        trigger: The event of a `StartTurn`; None when the user spoke.
        context: What the agent may read: open events of the user, and what happened to others.
        holder: The worker that runs it.
        rules: What the host decided.

    Returns:
        A step with the `turn`. A `Rejected` of the code `lane-busy` is temporary; any other says that the event needs
        no turn any more.

    Raises:
        UsageError: The lane or the event is another user's, or of another session.

    Spec: ANP §4, §6.3, §6.4.
    """
    # 1. lane, user, session and trigger belong together     4. add what became of other events, while it fits
    # 2. refuse while another turn runs, or without need     5. grant the turn what the prompt holds
    # 3. write the prompt: the trigger, then other events    6. the lane is the turn's until its deadline

    # 1.
    check_kind(lane, Lane, "lane")
    check_now(now)
    check_kind(context, TurnContext, "context")
    check_kind(rules, Rules, "rules")
    is_theirs = trigger is None or _is_visible(trigger, user_id, session_id)
    if lane.id != lane_id(user_id, session_id, rules=rules) or not is_theirs:
        raise UsageError("lane, user_id, session_id and trigger must belong together")

    # 2.
    if lane.turn is not None:
        return refused("lane-busy", "", f"turn {lane.turn.id} runs until {lane.turn.deadline}")
    no = None if trigger is None else _needless(trigger, holder)
    if no is not None:
        return no

    # 3.
    prompt = Prompt(rules)
    events = [event for event in context.events if _is_visible(event, user_id, session_id)]
    prompt.add_events(trigger, events, holder=holder)

    # 4. The cursors say how far the agent has read, so nothing is announced twice.
    read: dict[str | None, int] = {None: lane.cursor}
    if session_id is not None:
        read[session_id] = lane.cursors.get(session_id, 0)
    for place, one in context.aware:
        if one.user_id == user_id and place > read.get(one.session_id, place):  # of another session: never
            if not prompt.tell(one):
                break
            read[one.session_id] = place

    # 5.
    what: TurnKind = "conversation"
    if trigger is not None:
        what = "proactive" if trigger.routing.target == "user" else "internal"
    turn = Turn(
        id=turn_id,
        lane_id=lane.id,
        user_id=user_id,
        what=what,
        prompt=prompt.text,
        session_id=session_id,
        trigger=trigger.id if trigger is not None else None,
        grants=tuple(prompt.grants),
        facts=tuple(prompt.facts),
        cursor=read[None],
        session_cursor=read[session_id] if session_id is not None else 0,
        holder=holder,
    )

    # 6.
    running = RunningTurn(
        id=turn_id,
        deadline=after(now, rules.turn_ttl),
        trigger=turn.trigger,
        lease=trigger.owner_lease if trigger is not None else None,
        revision=trigger.revision if trigger is not None else None,
        holder=holder,
    )
    return LaneStep(lane=raised(lane, turn=running), expected=lane.version, turn=turn, diagnostics=prompt.diagnostics)


def next_deadline(waiting: Iterable[Notification | Lane]) -> datetime | None:
    """When the watchdog must look again: the earliest deadline of events and of turns.

    Args:
        waiting: Events, of which those count that the watchdog looks after, and lanes.

    Returns:
        A moment in UTC, maybe one that has passed; None when nothing waits for the clock.

    Spec: ANP §6.2.
    """
    deadlines = [deadline_of(one) for one in waiting]
    return min((parse_time(deadline) for deadline in deadlines if deadline is not None), default=None)


def deadline_of(one: Notification | Lane) -> str | None:
    """Until when an event that the watchdog looks after, or the turn in a lane, has time."""
    if isinstance(one, Lane):
        return one.turn.deadline if one.turn is not None else None
    check_kind(one, Notification, "event")
    return one.delivery_deadline if one.is_watched else None


def _needless(trigger: Notification, holder: str | None) -> Rejected | None:
    """Why an event needs no turn any more."""
    if trigger.is_terminal:
        return refused("already-terminal", "/status", trigger.status)
    if is_offered(trigger, holder):
        return None
    is_held = trigger.status == "locked" and trigger.routing.handler == "agent"
    return refused("wrong-holder" if is_held else "wrong-owner", "/status", trigger.status)


def _is_visible(event: Notification, user_id: str, session_id: str | None) -> bool:
    """Whether the agent may read an event in this session: it is this user's, and of no other session."""
    check_kind(event, Notification, "event")
    return event.user_id == user_id and event.addressed_session in (None, session_id)
