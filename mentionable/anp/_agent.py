"""What becomes of an event that the agent owns.

Spec: ANP §4, §5, §6.1, §6.3.
"""

from __future__ import annotations

from typing import Final

from .._flow.outcome import Rejected
from .._wire.time import format_time, parse_time
from ._actions import action_notice, classify, notice_id
from ._effects import Allow, Audit, Effect, MustSurface, PresentNarration, WakeAt
from ._notification import Notification, Outcome, Status, Submission
from ._routing import turned
from ._step import Decision, Step, effect, refused, refused_here, stale
from ._watchdog import escalate

MAX_ACTIONS: Final = 100
"""How many names of actions an event keeps for the human. Each further one is reported by a notice of its own."""


def claim(step: Step) -> Decision | Rejected:
    """Row 12: a worker takes the event."""
    no = _not_granted(step)
    if no is not None:
        return no
    if step.record.status == "locked":
        return step.stay()
    return step.to(step.change(status="locked", holder=step.command.holder), "locked", effects=[])


def action(step: Step) -> Decision | Rejected:
    """Rows 13 to 16: the agent is about to call a tool."""
    record, kind = step.record, classify(step.command.classification)
    no = _not_granted(step)
    if no is not None:
        return no
    name = step.command.name
    audit = effect(Audit, record, what=name, classification=kind)
    if kind == "internal":
        return step.stay(effect(Allow, record, action=name), audit)
    is_listed = name in record.actions
    if record.is_terminal or (len(record.actions) >= MAX_ACTIONS and not is_listed):
        return step.stay(effect(Allow, record, action=name), _noticed(step, name), audit)
    actions = record.actions if is_listed else (*record.actions, name)
    routing = turned(record.routing, target="user")
    if (routing, actions) == (record.routing, record.actions):
        new = record
    else:
        new = step.change(routing=routing, actions=actions)
    return step.to(new, effects=[effect(Allow, new, action=name), effect(MustSurface, new, action=name), audit])


def _noticed(step: Step, name: str) -> MustSurface:
    """What tells the human of an action when its event cannot any more."""
    record, wording = step.record, step.rules.wording
    session = record.addressed_session
    notice = action_notice(name, user_id=record.user_id, session_id=session, cause=record, wording=wording)
    return effect(MustSurface, record, action=name, notice=notice, notice_id=notice_id(record.id, name))


def commit_turn(step: Step) -> Decision | Rejected:
    """Rows 17 to 20: the output and the acknowledgement count at once."""
    no = _not_granted(step)
    if no is not None:
        return no
    record, command = step.record, step.command
    if record.routing.target == "user":
        if not (command.acknowledged or command.is_trigger):
            return step.stay()
        return _delivered(step, "narrated") if command.speaks else escalate(step, "silence")
    if not command.acknowledged:  # it is offered again in the next turn
        return step.stay()
    return _delivered(step, "spoke" if command.speaks else "vetoed")


def _delivered(step: Step, outcome: Outcome) -> Decision:
    hops: tuple[Status, ...] = ("delivered",) if step.record.status == "locked" else ("locked", "delivered")
    new = step.change(status="delivered", outcome=outcome)
    return step.to(new, *hops, effects=[_narration(new, step)] if step.command.speaks else [])


def _narration(record: Notification, step: Step) -> Effect:
    """The output as an event of its own: it is presented and acknowledged like any other."""
    narration = Submission(
        content=step.command.output,
        user_id=record.user_id,
        routing=turned(record.routing, target="user", handler="system"),
        session_id=record.session_id,
        origin="agent",
        causation_id=record.id,
        depth=record.depth + 1,
    )
    return effect(PresentNarration, record, narration_id=step.command.narration_id, narration=narration)


def turn_failed(step: Step) -> Decision | Rejected:
    """Row 21: the turn broke off."""
    return _not_granted(step) or escalate(step, "failed")


def extend(step: Step) -> Decision | Rejected:
    """Row 31: the agent needs longer."""
    no = _not_granted(step)
    if no is not None:
        return no
    record, until = step.record, parse_time(step.command.until)
    deadline = format_time(until)
    if until <= step.now or step.rules.capped(record, deadline) != deadline:
        return refused("deadline-refused", "/until", "it has passed, or lies beyond what the host allows")
    new = step.change(delivery_deadline=deadline)
    return step.to(new, effects=[effect(WakeAt, new, at=deadline)])


def _not_granted(step: Step) -> Rejected | None:
    """The refusal of whoever may not act for the event: another lease, another owner, another worker."""
    record, command = step.record, step.command
    no = stale(step)
    if no is not None:
        return no
    if record.status == "pending":
        return refused_here(record, command)
    if record.routing.handler != "agent":
        return refused("wrong-owner", "/routing/handler", "the system owns the event")
    is_held = record.status == "locked" or record.holder is not None  # a delivered one was held, maybe
    if is_held and record.holder != command.holder:
        return refused("wrong-holder", "/holder", "another worker has claimed the event")
    return None
