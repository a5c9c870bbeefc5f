"""The watchdog: what the agent does not handle in time goes to the system, and what that cannot deliver is dead.

Spec: ANP §6.2.
"""

from __future__ import annotations

from .._flow.outcome import Rejected
from .._wire.time import parse_time
from ._effects import DeadLetter, Effect, FenceTurn, WakeAt
from ._notification import Escalation, Status
from ._present import aware, gone, present, settled
from ._routing import turned
from ._rules import after
from ._step import Decision, Step, effect, refused, refused_here
from ._system import dead


def tick(step: Step) -> Decision | Rejected:
    """Rows 22 and 25. A deadline has passed from its own moment on."""
    record = step.record
    if not record.is_watched:
        return step.stay()
    if record.status == "locked" and record.routing.handler == "system":  # a takeover that somebody stored half done
        return escalate(step, "deadline")
    if record.delivery_deadline is None:
        if record.status == "escalated":
            return step.stay()
        new = step.change(delivery_deadline=step.rules.deadline(record, step.now))
        return step.to(new, effects=[effect(WakeAt, new, at=new.delivery_deadline)])
    if step.now < parse_time(record.delivery_deadline):
        return step.stay(effect(WakeAt, record, at=record.delivery_deadline))
    return dead(step, "deadline") if record.status == "escalated" else escalate(step, "deadline")


def abandon(step: Step) -> Decision | Rejected:
    """Row 26: no user is left to present it to."""
    record = step.record
    if step.facts.user_exists:
        return refused("route-exists", "", "the user exists, so the system can reach them")
    if record.status == "escalated":
        return dead(step, "no_route")
    if record.status != "locked" and record.routing.handler == "system":
        return refused_here(record, step.command)
    return escalate(step, "no_route")


def escalate(step: Step, reason: Escalation) -> Decision:
    """The watchdog takes the event over, and the system presents it: in one decision, with no state in between.

    It does not wait for the turn in its lane: what hangs there may be why it escalates.
    """
    record = step.record
    was_taken = record.routing.handler == "system"
    hops: dict[Status, tuple[Status, ...]] = {"pending": ("dispatched", "locked"), "dispatched": ("locked",)}
    taken = hops.get(record.status, () if was_taken else ("locked",))
    effects: list[Effect] = [] if was_taken else [effect(FenceTurn, record)]
    if record.routing.handler == "agent" and record.status != "pending":
        effects.append(settled(record, "escalated"))
    address = "user" if step.has_lost_session else record.routing.address
    routing = turned(record.routing, address=address, target="user", handler="system")
    can_end = step.facts.user_exists
    wait = step.rules.system_ttl
    new = step.change(
        routing=routing,
        status="escalated" if can_end else "failed",
        owner_lease=record.owner_lease + (not was_taken),
        holder=None,
        escalation=record.escalation or reason,
        delivery_deadline=after(step.now, wait) if wait is not None and can_end else None,
    )
    if step.has_lost_session:
        effects.append(gone(new))
    if not can_end:
        return step.to(new, *taken, "failed", effects=[*effects, effect(DeadLetter, new, reason="no_route")])
    effects += [present(new), aware(new, "escalated")]
    if new.delivery_deadline is not None:
        effects.append(effect(WakeAt, new, at=new.delivery_deadline))
    return step.to(new, *taken, "escalated", effects=effects)
