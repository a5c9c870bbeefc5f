"""What becomes of an event that the system owns: a human sees it, or cannot; the agent has read it.

Spec: ANP §5.
"""

from __future__ import annotations

from typing import Literal

from .._flow.outcome import Rejected
from .._wire.time import format_time, parse_time
from ._effects import DeadLetter, Dispatch, Settlement
from ._present import aware, fact, gone, present, settled
from ._routing import turned
from ._step import Decision, Step, effect, refused, refused_here, stale


def client_ack(step: Step) -> Decision | Rejected:
    """Rows 9, 23 and 30: the human has seen it."""
    record = step.record
    no = stale(step)
    if no is not None:
        return no
    if record.status == "pending":
        return refused_here(record, step.command)
    if record.routing.handler == "agent":
        return refused("wrong-owner", "/routing/handler", "the agent owns the event")
    if not record.is_presented:
        return refused_here(record, step.command)
    new = step.change(status="delivered", ack_at=format_time(step.now), outcome="seen")
    how: Settlement = "acknowledged" if step.command.how == "clicked" else "seen"
    return step.to(new, "delivered", effects=[settled(new, how), aware(new, "user_seen")])


def delivery_failed(step: Step) -> Decision | Rejected:
    """Rows 10 and 24: it could not be presented. Only an escalated event ever fails."""
    record = step.record
    no = stale(step)
    if no is not None:
        return no
    if not record.is_presented:
        return refused_here(record, step.command)
    if step.has_lost_session:
        return _moved(step)
    if record.status == "dispatched":  # it waits for a client to come back
        return step.stay()
    failures = record.failures + 1
    if step.command.is_final or failures >= step.rules.attempts:
        return dead(step, "presentation", failures=failures)
    new = step.change(failures=failures)
    return step.to(new, effects=[present(new)])


def reconnect(step: Step) -> Decision:
    """Row 10: present again what is not acknowledged, as it is now. Out of a session that is gone it moves.

    An event that still waits is dispatched again, which changes nothing where it stands in its lane.
    """
    record = step.record
    if step.has_lost_session and (record.is_presented or record.is_fact):
        return _moved(step)
    if record.status == "pending":  # the lane may have been full when it was dispatched
        return step.stay(effect(Dispatch, record))
    return step.stay(present(record)) if record.is_presented else step.stay()


def _moved(step: Step) -> Decision:
    """It stood in a session that is gone: to the inbox, or to what the agent knows beyond all sessions."""
    new = step.change(routing=turned(step.record.routing, address="user"))
    return step.to(new, effects=[gone(new), present(new) if new.is_presented else fact(new)])


def context_committed(step: Step) -> Decision | Rejected:
    """Row 11: the agent has read a passive event. Within its time in prompts it stays, and nothing is stored."""
    record = step.record
    no = stale(step)
    if no is not None:
        return no
    if not record.is_fact:
        return refused_here(record, step.command)
    if step.now < parse_time(step.rules.context_expires_at(record)):
        return step.stay()
    return step.to(step.change(status="delivered", outcome="read"), "delivered", effects=[])


def dead(
    step: Step, reason: Literal["presentation", "deadline", "no_route"], *, failures: int | None = None
) -> Decision:
    """An escalated event fails: no device can acknowledge it any more."""
    counted = step.record.failures if failures is None else failures
    new = step.change(status="failed", failures=counted)
    return step.to(new, "failed", effects=[settled(new, "withdrawn"), effect(DeadLetter, new, reason=reason)])
