"""An event goes where its flags say.

Spec: ANP §2.1, §3.1, §4.
"""

from __future__ import annotations

from typing import Any

from .._flow.outcome import Rejected
from ._effects import Effect, Grant, Queue, StartTurn, TurnWithheld, WakeAt
from ._notification import Notification
from ._present import aware, fact, gone, injected, present
from ._routing import Routing, turned
from ._step import Decision, Step, effect, refused_here


def route(step: Step) -> Decision | Rejected:
    """Row 4 to 8 of the transition table."""
    if step.record.status != "pending":
        return refused_here(step.record, step.command)
    routing, effects = _demoted(step)
    row = routing.row
    if row.mode == "direct" and step.facts.lane_busy:
        waiting = step.record
        if routing is not step.record.routing:
            waiting = step.change(routing=routing, delivery_deadline=None)
        return step.to(waiting, effects=[*effects, effect(Queue, waiting)])
    members: dict[str, Any] = {"routing": routing, "status": "dispatched"}
    if row.has_deadline:
        members["delivery_deadline"] = step.record.delivery_deadline or step.rules.deadline(step.record, step.now)
    else:
        members["delivery_deadline"] = None
    new = step.change(**members)
    if row.mode == "direct":
        effects += [present(new), aware(new, "shown")]
    elif row.mode == "passive":
        effects.append(fact(new))
    else:
        effects += _offered(new)
    return step.to(new, "dispatched", effects=effects)


def _demoted(step: Step) -> tuple[Routing, list[Effect]]:
    """The flags that count now: to the user when the session is gone, to the system at the end of too long a chain."""
    record, routing = step.record, step.record.routing
    effects: list[Effect] = []
    if step.has_lost_session:
        routing = turned(routing, address="user")
        effects.append(gone(record))
    if routing.handler == "agent" and record.depth >= step.rules.depth:
        routing = turned(routing, handler="system")
        effects.append(effect(TurnWithheld, record, depth=record.depth))
    return routing, effects


def _offered(record: Notification) -> list[Effect]:
    """An event handed to the agent, with a lease, a deadline and a turn."""
    row = record.routing.row
    return [
        effect(Grant, record),
        injected(record),
        effect(StartTurn, record, turn=row.turn, scope=row.scope),
        effect(WakeAt, record, at=record.delivery_deadline),
    ]
