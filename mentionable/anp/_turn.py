"""Actions during a turn of the agent, and its end: first its output is committed, then the waiting alerts go out.

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
from ._agent import MAX_ACTIONS
from ._commands import Action, Command, CommitTurn, ContextCommitted, Route, Submit, TurnFailed
from ._decide import decide
from ._effects import Allow, Audit, Dispatch, Effect, MustSurface, PresentNarration
from ._lane import MAX_SESSIONS, Lane, LaneStep, raised
from ._notification import MAX_NAME, Notification, shows_something
from ._prompt import Turn
from ._route import route
from ._routing import turned
from ._rules import NOTHING_SPECIAL, USUAL, Facts, Rules
from ._step import Decision, Step, changed, refused
from ._submit import created
from ._wording import Wording

_NO_FACTS: Final[Mapping[str, Facts]] = {}


class _Decider:
    """Makes decisions about the events of a lane, and collects them."""

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
        """The facts of an event. The lane is free for it, whatever the host says."""
        facts = self.facts.get(id, NOTHING_SPECIAL)
        check_kind(facts, Facts, "facts")
        return replace(facts, lane_busy=False)

    def decide(self, id: str, command: Command) -> Decision | None:
        """Decide about an event and collect the decision; None where it was refused."""
        if id not in self.events:
            raise UsageError(
                f"events must hold {id}: give every event of the turn, and every one that waits in the lane"
            )
        decision = decide(self.events[id], command, now=self.now, facts=self.facts_of(id), rules=self.rules)
        if isinstance(decision, Rejected):
            self.refused.append((id, decision))
            return None
        if decision.changes or decision.effects:
            self.decisions.append(decision)
        return decision

    def fail_trigger(self, lane: Lane) -> None:
        """Give the event that started a turn to the system, if the agent still owns it under the lease of the turn."""
        turn = lane.turn
        if turn is not None and turn.trigger is not None and turn.trigger in self.events:
            self.decide(turn.trigger, TurnFailed(lease=turn.lease, revision=turn.revision, holder=turn.holder))

    def free(self, lane: Lane, **members: Any) -> LaneStep:
        """Free the lane, and route the waiting alerts in the order in which they came."""
        for id in lane.waiting:
            self.decide(id, Route())
        return self.step(raised(lane, turn=None, waiting=(), **members), lane.version)

    def step(self, lane: Lane, expected: int, **members: Any) -> LaneStep:
        """All decisions, with the lane."""
        step = LaneStep(lane=lane, expected=expected, decisions=tuple(self.decisions), refused=tuple(self.refused))
        return replace(step, **members)


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
        facts: Id → facts that differ from the usual ones.
        rules: The rules of the host.

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
    decider = _Decider(events, facts, rules, now)
    tool: object = name
    if not isinstance(tool, str) or not 1 <= len(tool) <= MAX_NAME or not is_text(tool):
        return refused("malformed", "/name", f"a name of 1 to {MAX_NAME} characters")
    asked = Action(name=name, classification=classification, holder=turn.holder)
    for grant in turn.grants:
        if decider.decide(grant.id, replace(asked, lease=grant.lease)) is None and grant.id == turn.trigger:
            return decider.refused[-1][1]
    return decider.step(
        lane, lane.version, effects=() if decider.decisions else _acts_alone(turn, name, classification, rules.wording)
    )


def _acts_alone(turn: Turn, name: str, classification: str | None, wording: Wording) -> tuple[Effect, ...]:
    """The effects of an action for which no event is left. They name the turn."""
    turn_ids: dict[str, Any] = {"id": turn.id, "revision": 1, "lease": 1}
    kind = classify(classification)
    allow, audit = Allow(**turn_ids, action=name), Audit(**turn_ids, what=name, classification=kind)
    if kind == "internal":
        return allow, audit
    return allow, _must_surface(turn, name, wording), audit


def _must_surface(turn: Turn, action: str, wording: Wording) -> MustSurface:
    """The effect that notifies the human of an action by an event of its own."""
    notice = action_notice(action, user_id=turn.user_id, session_id=turn.session_id, wording=wording)
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
    """End a turn. The output of the agent and its acknowledgements count together, or not at all.

    The output becomes an event of its own, presented before the waiting alerts. If the system took over one of the
    events that the output describes, the human would be notified twice: then the output is withheld, and the turn ends
    as a failed one.

    In a conversation, the output is the reply to the user, and no event. Store that reply together with the step, or a
    crash between them loses it.

    Args:
        lane: The lane of the turn.
        turn: The turn, as `begin_turn` made it.
        events: Id → event, as they are now, for every event of the turn and every one that waits in the lane. Get them
            by id: some may be delivered or failed meanwhile.
        now: The time, aware.
        output: The text for the human.
        acknowledged_ids: The events that the agent claims to have handled. Only granted ones count, each under its
            granted lease.
        narration_id: A new id for the output; required if there is output.
        facts: Id → facts that differ from the usual ones.
        rules: The rules of the host.

    Returns:
        A step; or `stale-turn` when the turn has lost the lane. Then discard the output.

    Raises:
        UsageError: `events` lacks one; there is output without `narration_id`; or an argument is of a wrong type.

    Spec: ANP §4.1, §5.1, §6.3, §6.4.
    """
    # 1. refuse a turn that has lost its lane              5. collect the narrations of all events
    # 2. decide about each event that was granted          6. submit and present the output as one event
    # 3. withhold the output if an event of it was lost    7. report external actions that no event reports
    # 4. what the agent has read is delivered              8. free the lane, and route what waits there

    # 1.
    no = _fenced(lane, turn)
    if no is not None:
        return no

    # 2.
    decider, acknowledged = _Decider(events, facts, rules, now), _ids(acknowledged_ids)
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
        decider.decide(grant.id, command)

    # 3. Or the human would be notified twice: by the watchdog, and by the agent.
    speaks = output is not None and shows_something(output) and not is_spoken
    lost = {id for id, no in decider.refused if no.code != "stale-revision"}  # newer words alone are no loss
    if speaks and not lost.isdisjoint({*acknowledged, turn.trigger}):
        failed = _Decider(events, facts, rules, now)
        failed.fail_trigger(lane)
        step = failed.free(lane)
        refusals = tuple(dict.fromkeys((*decider.refused, *step.refused)))
        return replace(step, refused=refusals, diagnostics=(_WITHHELD,))

    # 4.
    for read in turn.facts:
        decider.decide(read.id, ContextCommitted(lease=read.lease, revision=read.revision))

    # 5.
    decider.decisions, narrations = _taken_out(decider.decisions)
    actions = tuple(dict.fromkeys(action for one in narrations for action in decider.events[one.id].actions))

    # 6.
    if narrations and not is_spoken:
        decider.decisions.append(_narrated(narrations, actions[:MAX_ACTIONS], turn, decider))
        actions = actions[MAX_ACTIONS:]

    # 7. In a conversation too: a reply need not say what was done.
    effects = tuple(_must_surface(turn, action, rules.wording) for action in actions)

    # 8.
    diagnostics = _odd(turn, acknowledged) + ([_WITHHELD] if speaks and not narrations else [])
    return replace(decider.free(lane, **_read(lane, turn)), effects=effects, diagnostics=tuple(diagnostics))


def fail_turn(
    lane: Lane,
    turn_id: str,
    *,
    events: Mapping[str, Notification],
    now: datetime,
    facts: Mapping[str, Facts] = _NO_FACTS,
    rules: Rules = USUAL,
) -> LaneStep | Rejected:
    """End a turn that failed: the system gets the event that started it; other turns get the rest.

    Args:
        lane: The lane of the turn.
        turn_id: The turn. Its id is enough: a host that has lost the rest finds it in the lane.
        events: Id → event, for the one that started it, unless it is gone, and every one that waits in the lane.
        now: The time, aware.
        facts: Id → facts that differ from the usual ones.
        rules: The rules of the host.

    Returns:
        A step; or `stale-turn` when the turn has lost the lane: then another worker has ended it.

    Raises:
        UsageError: `events` lacks one, or an argument is of a wrong type.

    Spec: ANP §5.1 (ESCALATED), §6.4.
    """
    decider = _Decider(events, facts, rules, now)
    no = _not_running(lane, turn_id)
    if no is not None:
        return no
    decider.fail_trigger(lane)
    return decider.free(lane)


def lane_tick(
    lane: Lane,
    *,
    events: Mapping[str, Notification],
    now: datetime,
    facts: Mapping[str, Facts] = _NO_FACTS,
    rules: Rules = USUAL,
) -> LaneStep:
    """Take the lane from a turn whose deadline has passed, as if it had failed; before that, nothing changes.

    Args:
        lane: The lane.
        events: Id → event, for the one that started the turn, unless it is gone, and every one that waits in the lane.
        now: The time, aware.
        facts: Id → facts that differ from the usual ones.
        rules: The rules of the host.

    Raises:
        UsageError: `events` lacks one, or an argument is of a wrong type.

    Spec: ANP §6.4.
    """
    decider = _Decider(events, facts, rules, now)
    check_kind(lane, Lane, "lane")
    if lane.turn is None or now < parse_time(lane.turn.deadline):
        return LaneStep(lane=lane, expected=lane.version)
    decider.fail_trigger(lane)
    return replace(decider.free(lane), stopped=lane.turn.id)


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


def _ids(value: object) -> frozenset[str]:
    """The ids that the agent acknowledges."""
    ids: list[Any] = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [None]
    if not all(isinstance(id, str) for id in ids):
        raise UsageError("acknowledged_ids is a list of texts")
    return frozenset(ids)


def _read(lane: Lane, turn: Turn) -> dict[str, Any]:
    """The cursors of the lane after the turn: how much the agent has read. The session becomes the newest."""
    cursors, session = dict(lane.cursors), turn.session_id
    if session is not None and turn.session_cursor > cursors.get(session, 0):
        cursors.pop(session, None)
        cursors = {**dict(list(cursors.items())[1 - MAX_SESSIONS :]), session: turn.session_cursor}
    return {"cursor": max(lane.cursor, turn.cursor), "cursors": cursors}


def _taken_out(decisions: Iterable[Decision]) -> tuple[list[Decision], list[PresentNarration]]:
    """The decisions without their narrations, and the narrations, which all name the same new event."""
    rest, collected = [], []
    for decision in decisions:
        narrations = [one for one in decision.effects if isinstance(one, PresentNarration)]
        others = tuple(one for one in decision.effects if not isinstance(one, PresentNarration))
        rest.append(replace(decision, effects=others) if narrations else decision)
        collected += narrations
    return rest, collected


def _narrated(narrations: list[PresentNarration], actions: tuple[str, ...], turn: Turn, decider: _Decider) -> Decision:
    """Submit and present the output in one decision, so that nothing comes between it and the turn.

    Its address is that of the event that started the turn. That event is also its cause, if the output describes it.
    """
    lead = next((one for one in narrations if one.id == turn.trigger), narrations[0])
    trigger = decider.events.get(turn.trigger or lead.id, decider.events[lead.id])
    narration = replace(
        lead.narration,
        routing=turned(lead.narration.routing, address=trigger.routing.address),
        session_id=trigger.session_id,
        depth=max(one.narration.depth or 0 for one in narrations),
    )
    made = created(Submit(submission=narration, id=lead.narration_id), decider.rules, decider.now)
    record = changed(made.record, actions=actions)
    routed = cast("Decision", route(Step(record, Route(), decider.facts_of(trigger.id), decider.rules, decider.now)))
    effects = (*(one for one in made.effects if not isinstance(one, Dispatch)), *routed.effects)
    return replace(routed, expected=None, effects=effects)


_WITHHELD: Final = Diagnostic(code="narration-withheld")


def _odd(turn: Turn, acknowledged: frozenset[str]) -> list[Diagnostic]:
    """Diagnostics for acknowledged events that the agent was not granted: it cannot deliver what it does not own."""
    unknown = sorted(acknowledged - {grant.id for grant in turn.grants})
    return [Diagnostic(code="acknowledgement-ignored", detail=well_formed(id[:200])) for id in unknown[:100]]
