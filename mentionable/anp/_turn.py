"""How a turn of the agent goes on and ends: what it did and said counts at once, and then come the alerts that waited.

Spec: ANP §5.1, §6.1, §6.3, §6.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, cast

from .._errors.exceptions import UsageError
from .._flow.outcome import Rejected
from .._flow.settings import check_kind, check_now
from .._model.base import replace
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import is_text, well_formed
from .._wire.time import parse_time
from ._actions import action_notice, classify, notice_id
from ._agent import MOST_ACTIONS
from ._commands import Action, Command, CommitTurn, ContextCommitted, Route, Submit, TurnFailed
from ._decide import decide
from ._effects import Allow, Audit, Dispatch, Effect, MustSurface, PresentNarration
from ._lane import MOST_SESSIONS, Lane, LaneStep, raised
from ._notification import LONGEST_NAME, Notification, shows_something
from ._prompt import Turn
from ._route import route
from ._routing import turned
from ._rules import NOTHING_SPECIAL, USUAL, Facts, Rules
from ._step import Decision, Step, changed, refused
from ._submit import created

_NO_FACTS: Final[Mapping[str, Facts]] = {}


class _World:
    """What decisions upon the events of a lane are made with."""

    def __init__(
        self, events: Mapping[str, Notification], facts: Mapping[str, Facts], rules: Rules, now: datetime
    ) -> None:
        check_now(now)
        check_kind(events, Mapping, "events")
        check_kind(facts, Mapping, "facts")
        check_kind(rules, Rules, "rules")
        self.events = events
        self.facts = facts
        self.rules = rules
        self.now = now
        self.decisions: list[Decision] = []
        self.refused: list[tuple[str, Rejected]] = []

    def facts_of(self, id: str) -> Facts:
        """How the world of an event is. The lane itself has let it through."""
        found = self.facts.get(id, NOTHING_SPECIAL)
        check_kind(found, Facts, "facts")
        return replace(found, lane_busy=False)

    def decide(self, id: str, command: Command) -> Decision | None:
        """Decides upon an event, and keeps what changes; None where it was refused."""
        if id not in self.events:
            raise UsageError(
                f"events must hold {id}: give every event of the turn, and every one that waits in the lane"
            )
        found = decide(self.events[id], command, now=self.now, facts=self.facts_of(id), rules=self.rules)
        if isinstance(found, Rejected):
            self.refused.append((id, found))
            return None
        if found.changes or found.effects:
            self.decisions.append(found)
        return found

    def step(self, lane: Lane, expected: int, **members: Any) -> LaneStep:
        """All that was decided, with the lane."""
        made = LaneStep(lane=lane, expected=expected, decisions=tuple(self.decisions), refused=tuple(self.refused))
        return replace(made, **members)


def act(
    lane: Lane,
    turn: Turn,
    name: str,
    classification: str | None,
    *,
    events: Mapping[str, Notification],
    now: datetime,
    facts: Mapping[str, Facts] = _NO_FACTS,
    rules: Rules = USUAL,
) -> LaneStep | Rejected:
    """Asks whether the agent may call a tool. Ask before it runs, and store the step: a `Rejected` forbids the tool.

    An external one counts for every event that the turn was granted. Where none is left, a notice tells the human.

    Args:
        lane: The lane of the turn.
        turn: The turn.
        name: The tool.
        classification: What the host's registry says of it: `Actions.classify`.
        events: Id → event, for every event of the turn.
        now: The time, aware.
        facts: Id → how the world is, where it is not as usual.
        rules: What the host decided.

    Returns:
        A step, whose lane stays as it is; or what forbids the tool: `stale-turn`, `malformed` where its name is none,
        or why the agent may not act for the event that started the turn.

    Raises:
        UsageError: `events` lacks one, or an argument is of a wrong type.

    Spec: ANP §6.1.
    """
    no = _fenced(lane, turn)
    if no is not None:
        return no
    world = _World(events, facts, rules, now)
    given: object = name
    if not isinstance(given, str) or not 1 <= len(given) <= LONGEST_NAME or not is_text(given):
        return refused("malformed", "/name", f"a name of 1 to {LONGEST_NAME} characters")
    asked = Action(name=name, classification=classification, holder=turn.holder)
    for grant in turn.grants:
        if world.decide(grant.id, replace(asked, lease=grant.lease)) is None and grant.id == turn.trigger:
            return world.refused[-1][1]
    return world.step(lane, lane.version, effects=() if world.decisions else _acts_alone(turn, name, classification))


def _acts_alone(turn: Turn, name: str, classification: str | None) -> tuple[Effect, ...]:
    """What is to be done about an action for which no event is left: it is the turn that the effects name."""
    whose: dict[str, Any] = {"id": turn.id, "revision": 1, "lease": 1}
    kind = classify(classification)
    allow, audit = Allow(**whose, action=name), Audit(**whose, what=name, classification=kind)
    if kind == "internal":
        return allow, audit
    return allow, _must_surface(turn, name), audit


def _must_surface(turn: Turn, action: str) -> MustSurface:
    """What tells the human of an action by an event of its own."""
    notice = action_notice(action, user_id=turn.user_id, session_id=turn.session_id)
    id = notice_id(turn.id, action)
    return MustSurface(id=turn.id, revision=1, lease=1, action=action, notice=notice, notice_id=id)


def commit_turn(
    lane: Lane,
    turn: Turn,
    *,
    events: Mapping[str, Notification],
    now: datetime,
    output: str | None = None,
    acknowledged_ids: Iterable[str] = (),
    narration_id: str | None = None,
    facts: Mapping[str, Facts] = _NO_FACTS,
    rules: Rules = USUAL,
) -> LaneStep | Rejected:
    """Ends a turn. What the agent said and what it acknowledged count at once, or not at all.

    What it said becomes an event of its own, presented before the alerts that waited. Where one of the events that it
    speaks of was taken from the agent meanwhile, the human would hear of that twice: then all of it is withheld, and
    the turn ends as one that broke off.

    In a conversation what the agent said is the answer to the user, and no event. Store that answer together with the
    step, or a crash between them loses it.

    Args:
        lane: The lane of the turn.
        turn: The turn, as `begin_turn` made it.
        events: Id → event, as they are now, for every event of the turn and every one that waits in the lane. Get them
            by id: some may be delivered or failed meanwhile.
        now: The time, aware.
        output: What the agent says to the human.
        acknowledged_ids: What the agent says it has handled. Only what it was granted counts, under the lease that it
            was granted.
        narration_id: A new id, for what it says; needed where it says something.
        facts: Id → how the world is, where it is not as usual.
        rules: What the host decided.

    Returns:
        A step; or `stale-turn` when the turn has lost the lane. Then what the agent said is to be thrown away.

    Raises:
        UsageError: `events` lacks one; there is output without `narration_id`; or an argument is of a wrong type.

    Spec: ANP §4.1, §5.1, §6.3, §6.4.
    """
    no = _fenced(lane, turn)
    if no is not None:
        return no
    world, acknowledged = _World(events, facts, rules, now), _ids(acknowledged_ids)
    is_spoken = turn.what == "conversation"
    for grant in turn.grants:
        command = CommitTurn(
            lease=grant.lease,
            output=output,
            acknowledged=grant.id in acknowledged,
            is_trigger=grant.id == turn.trigger,
            narration_id=narration_id or (turn.id if is_spoken else None),
            revision=grant.revision,
            holder=turn.holder,
        )
        world.decide(grant.id, command)
    speaks = output is not None and shows_something(output) and not is_spoken
    if speaks and any(_is_taken(id, no, turn, acknowledged) for id, no in world.refused):
        return _withheld(lane, world)
    for read in turn.facts:
        world.decide(read.id, ContextCommitted(lease=read.lease, revision=read.revision))
    world.decisions, narrations = _taken_out(world.decisions)
    actions = _actions_of(narrations, world)
    if narrations and not is_spoken:
        world.decisions.append(_narrated(narrations, actions[:MOST_ACTIONS], turn, world))
        actions = actions[MOST_ACTIONS:]
    effects = tuple(_must_surface(turn, action) for action in actions)  # an answer need not say what was done
    notes = _odd(turn, acknowledged) + ([_WITHHELD] if speaks and not narrations else [])
    return replace(_ended(lane, world, **_read(lane, turn)), effects=effects, notes=tuple(notes))


def fail_turn(
    lane: Lane,
    turn_id: str,
    *,
    events: Mapping[str, Notification],
    now: datetime,
    facts: Mapping[str, Facts] = _NO_FACTS,
    rules: Rules = USUAL,
) -> LaneStep | Rejected:
    """Ends a turn that broke off: the event that started it goes to the system; the others are offered again.

    Args:
        lane: The lane of the turn.
        turn_id: The turn. Its id is enough: a host that has lost the rest finds it in the lane.
        events: Id → event, for the one that started it, unless it is gone, and every one that waits in the lane.
        now: The time, aware.
        facts: Id → how the world is, where it is not as usual.
        rules: What the host decided.

    Returns:
        A step; or `stale-turn` when the turn has lost the lane: then somebody else has ended it.

    Raises:
        UsageError: `events` lacks one, or an argument is of a wrong type.

    Spec: ANP §5.1 (ESCALATED), §6.4.
    """
    world = _World(events, facts, rules, now)
    no = _not_running(lane, turn_id)
    if no is not None:
        return no
    _fail_trigger(lane, world)
    return _ended(lane, world)


def lane_tick(
    lane: Lane,
    *,
    events: Mapping[str, Notification],
    now: datetime,
    facts: Mapping[str, Facts] = _NO_FACTS,
    rules: Rules = USUAL,
) -> LaneStep:
    """Takes the lane from a turn whose time is over, as if it had broken off; before that, nothing changes.

    Args:
        lane: The lane.
        events: Id → event, for the one that started the turn, unless it is gone, and every one that waits in the lane.
        now: The time, aware.
        facts: Id → how the world is, where it is not as usual.
        rules: What the host decided.

    Raises:
        UsageError: `events` lacks one, or an argument is of a wrong type.

    Spec: ANP §6.4.
    """
    world = _World(events, facts, rules, now)
    check_kind(lane, Lane, "lane")
    if lane.turn is None or now < parse_time(lane.turn.deadline):
        return LaneStep(lane=lane, expected=lane.version)
    _fail_trigger(lane, world)
    return replace(_ended(lane, world), stopped=lane.turn.id)


def _fenced(lane: Lane, turn: Turn) -> Rejected | None:
    """The refusal of a turn that has lost its lane."""
    check_kind(lane, Lane, "lane")
    check_kind(turn, Turn, "turn")
    if lane.id != turn.lane_id:
        raise UsageError(f"the turn runs in the lane {turn.lane_id}, not {lane.id}")
    return _not_running(lane, turn.id)


def _not_running(lane: Lane, turn_id: str) -> Rejected | None:
    check_kind(lane, Lane, "lane")
    if lane.turn is None or lane.turn.id != turn_id:
        return refused("stale-turn", "", f"turn {turn_id} does not have the lane")
    return None


def _ids(given: object) -> frozenset[str]:
    """The ids that the agent acknowledges."""
    ids: list[Any] = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [None]
    if not all(isinstance(id, str) for id in ids):
        raise UsageError("acknowledged_ids is a list of texts")
    return frozenset(ids)


def _fail_trigger(lane: Lane, world: _World) -> None:
    """The event that started a turn goes to the system, if the agent still owns it under the lease of the turn."""
    running = lane.turn
    if running is not None and running.trigger is not None and running.trigger in world.events:
        world.decide(running.trigger, TurnFailed(lease=running.lease, revision=running.revision, holder=running.holder))


def _ended(lane: Lane, world: _World, **members: Any) -> LaneStep:
    """The lane is free, and the alerts that waited go out, in the order in which they came."""
    for id in lane.waiting:
        world.decide(id, Route())
    return world.step(raised(lane, turn=None, waiting=(), **members), lane.version)


def _read(lane: Lane, turn: Turn) -> dict[str, Any]:
    """How much the agent has read, now that a turn has ended. The session comes last, as the newest."""
    cursors, session = dict(lane.cursors), turn.session_id
    if session is not None and turn.session_cursor > cursors.get(session, 0):
        cursors.pop(session, None)
        cursors = {**dict(list(cursors.items())[1 - MOST_SESSIONS :]), session: turn.session_cursor}
    return {"cursor": max(lane.cursor, turn.cursor), "cursors": cursors}


def _taken_out(decisions: Iterable[Decision]) -> tuple[list[Decision], list[PresentNarration]]:
    """The decisions without what is to be narrated, and that: all of it names the same new event."""
    rest, found = [], []
    for decision in decisions:
        narrations = [one for one in decision.effects if isinstance(one, PresentNarration)]
        others = tuple(one for one in decision.effects if not isinstance(one, PresentNarration))
        rest.append(replace(decision, effects=others) if narrations else decision)
        found += narrations
    return rest, found


def _narrated(narrations: list[PresentNarration], actions: tuple[str, ...], turn: Turn, world: _World) -> Decision:
    """What the agent said, submitted and presented in one decision: nothing comes between it and the turn.

    It goes where the event that started the turn is addressed, and is caused by that event if it tells of it.
    """
    lead = next((one for one in narrations if one.id == turn.trigger), narrations[0])
    trigger = world.events.get(turn.trigger or lead.id, world.events[lead.id])  # one too long stood in no prompt
    narration = replace(
        lead.narration,
        routing=turned(lead.narration.routing, address=trigger.routing.address),
        session_id=trigger.session_id,
        depth=max(one.narration.depth or 0 for one in narrations),
    )
    made = created(Submit(submission=narration, id=lead.narration_id), world.rules, world.now)
    record = changed(made.record, actions=actions)
    shown = cast("Decision", route(Step(record, Route(), world.facts_of(trigger.id), world.rules, world.now)))
    effects = (*(one for one in made.effects if not isinstance(one, Dispatch)), *shown.effects)
    return replace(shown, expected=None, effects=effects)


def _actions_of(narrations: list[PresentNarration], world: _World) -> tuple[str, ...]:
    """What the agent did about the events that it tells of, each tool once."""
    return tuple(dict.fromkeys(action for one in narrations for action in world.events[one.id].actions))


_WITHHELD: Final = Diagnostic(code="narration-withheld")


def _is_taken(id: str, no: Rejected, turn: Turn, acknowledged: frozenset[str]) -> bool:
    """Whether a turn speaks of an event that is not the agent's any more. One with newer words still is."""
    return no.code != "stale-revision" and (id in acknowledged or id == turn.trigger)


def _withheld(lane: Lane, world: _World) -> LaneStep:
    """The end of a turn whose words count no more: as of one that broke off."""
    failed = _World(world.events, world.facts, world.rules, world.now)
    _fail_trigger(lane, failed)
    step = _ended(lane, failed)
    return replace(step, refused=tuple(dict.fromkeys((*world.refused, *step.refused))), notes=(_WITHHELD,))


def _odd(turn: Turn, acknowledged: frozenset[str]) -> list[Diagnostic]:
    """What the agent acknowledges and was not granted: it can deliver nothing to a human that it does not own."""
    unknown = sorted(acknowledged - {grant.id for grant in turn.grants})
    return [Diagnostic(code="acknowledgement-ignored", detail=well_formed(id[:200])) for id in unknown[:100]]
