"""What must be true of every event and every decision. The numbers are those of the invariants.

1 one is responsible. 2 what has ended never changes. 3 the lease is 1, and 2 once the watchdog took the event. 4 flags
only sink. 5 what was escalated is the system's, for the user, once. 6 what was delivered to the user, the user saw. 7
the human is shown an event in one way. 8 the passive is not shown. 9 whoever must act has a deadline. 10 what the agent
handles is not shown raw. 11 a wrong lease or revision changes nothing. 12 one open event has a key. 13 no alert inside
a turn. 14 of two decisions upon the same event one is stored. 15 a client never goes back to a lower lease. 16 an event
comes to an end without the agent. Beside them: `legal-edge`, `cap` (no deadline can be put off for ever), `once` (a
submission that comes again changes nothing), `contract` (as long as there is a user, what is for the user can still be
seen), `settled` (every device is told when nothing more comes under a lease, and only then), `context` (a fact that was
read stays as long as it is to stand in prompts, and no longer).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mentionable import Rejected, anp, format_time, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, timedelta

    Outcome = anp.Decision | Rejected

AGENT: Final = (anp.Claim, anp.Action, anp.CommitTurn, anp.TurnFailed, anp.Extend)
SYSTEM: Final = (anp.ClientAck, anp.DeliveryFailed, anp.ContextCommitted)
EDGES: Final = {
    ("pending", "dispatched"), ("dispatched", "locked"), ("locked", "locked"), ("locked", "delivered"),
    ("locked", "escalated"), ("locked", "failed"), ("escalated", "delivered"), ("escalated", "failed"),
    ("dispatched", "delivered"),
}  # fmt: skip
INVARIANTS: Final = (*map(str, range(1, 17)), "legal-edge", "cap", "once", "contract", "settled", "context")
SURFACES: Final = ("inbox", "chat")


class Sent(NamedTuple):
    """Something that was sent to a human (`inbox`, `chat`) or to the agent (`agent`), and may arrive from now on.

    `settled` is what was sent to all devices of the human."""

    place: str
    lease: int
    revision: int


def sent(decision: anp.Decision) -> Iterator[Sent]:
    """What a decision sends."""
    for effect in decision.effects:
        if isinstance(effect, (anp.Present, anp.Update)) and effect.channel in ("inbox", "chat"):
            yield Sent(effect.channel, effect.lease, effect.revision)
        elif isinstance(effect, (anp.Grant, anp.AddFact, anp.Update)):
            yield Sent("agent", effect.lease, effect.revision)
        elif isinstance(effect, anp.Settled):
            yield Sent("settled", effect.lease, effect.revision)


def of_record(record: anp.Notification, cap: timedelta) -> Iterator[tuple[str, bool]]:
    """What is true of an event at any time, whatever led to it."""
    flags, wanted, status = record.routing, record.requested, record.status
    is_agents = status in ("dispatched", "locked") and flags.handler == "agent"
    owner = "nobody" if status in ("delivered", "failed") else "agent" if is_agents else "system"
    yield "1", record.responsible == owner
    yield "3", record.owner_lease == 1 + (record.escalation is not None)
    yield "4", has_sunk(wanted, flags)
    if status == "escalated":
        yield "5", (flags.handler, flags.target, record.responsible) == ("system", "user", "system")
    if wanted.row.mode == "passive":
        yield "8", record.escalation is None and status in ("pending", "dispatched", "delivered")
    if is_agents or status == "locked":
        yield "9", record.delivery_deadline is not None
    if is_agents:
        yield "cap", (record.delivery_deadline or "") <= format_time(parse_time(record.created_at) + cap)


def has_sunk(before: anp.Routing, after: anp.Routing) -> bool:
    """Whether flags only moved towards the user and the system."""
    return all(
        now in (was, lowest)
        for was, now, lowest in (
            (before.address, after.address, "user"),
            (before.target, after.target, "user"),
            (before.handler, after.handler, "system"),
        )
    )


def broken(
    old: anp.Notification, command: Any, facts: anp.Facts, outcome: Outcome, now: datetime, *, rules: anp.Rules
) -> Iterator[str]:
    """The invariants that a decision breaks."""
    lease = getattr(command, "lease", old.owner_lease)
    revision = getattr(command, "revision", None)
    if isinstance(outcome, Rejected):
        if isinstance(command, anp.Tick) and not old.is_terminal:
            yield "16"
        return
    new, effects = outcome.record, outcome.effects
    if isinstance(command, anp.Submit):
        if command.submission.user_id != old.user_id:
            yield "1"
        if command.id in (old.id, *old.merged):
            yield "once"
        if (outcome.expected is None) == (old.status in ("pending", "dispatched")):
            yield "12"
        if outcome.expected is None:
            return
    if lease != old.owner_lease or revision not in (None, old.revision):
        yield "11"
    if (getattr(command, "user_id", None) or old.user_id) != old.user_id:
        yield "1"
    if isinstance(command, anp.Reconnect) and not is_shown_again(old, outcome):
        yield "contract"
    if old.is_terminal and (new != old or any(one.kind not in ("allow", "must_surface", "audit") for one in effects)):
        yield "2"
    if not is_safe(old, outcome):
        yield "14"
    if not all(is_edge(old, *edge) for edge in zip(outcome.path, outcome.path[1:], strict=False)):
        yield "legal-edge"
    if (outcome.path[0], outcome.path[-1]) != (old.status, new.status) or outcome.path[1:].count("escalated") > 1:
        yield "5"
    if isinstance(command, anp.ContextCommitted):
        until = min(parse_time(old.changed_at) + rules.context_ttl, parse_time(old.created_at) + rules.cap)
        if (outcome.record.status == "delivered") != (until <= now):
            yield "context"
    yield from _wrong(old, command, facts, outcome, now)


def _wrong(
    old: anp.Notification, command: Any, facts: anp.Facts, outcome: anp.Decision, now: datetime
) -> Iterator[str]:
    new, presents = outcome.record, [one for one in sent(outcome) if one.place in SURFACES]
    if new.owner_lease < old.owner_lease or (new.owner_lease > old.owner_lease) != (new.escalation != old.escalation):
        yield "3"
    if new.requested != old.requested or not has_sunk(old.routing, new.routing):
        yield "4"
    if new != old and not old.is_terminal:
        may = "agent" if isinstance(command, AGENT) else "system" if isinstance(command, SYSTEM) else old.responsible
        if may != old.responsible:
            yield "1"
        if isinstance(command, AGENT) and old.holder not in (None, command.holder):
            yield "1"
    starts = any(isinstance(one, anp.StartTurn) for one in outcome.effects)
    if old.requested.row.mode == "passive" and (presents or starts):
        yield "8"
    if presents and new.routing.handler == "agent":
        yield "10"
    if presents and facts.lane_busy and isinstance(command, anp.Route):
        yield "13"
    if [one.how for one in outcome.effects if isinstance(one, anp.Settled)] != list(_settled(old, new, command)):
        yield "settled"
    if isinstance(command, anp.ClientAck) and new.status == "delivered" and command.lease != old.owner_lease:
        yield "15"
    is_due = old.delivery_deadline is not None and old.delivery_deadline <= format_time(now)
    if isinstance(command, anp.Tick) and is_due and old.is_watched and new.status not in ("escalated", "failed"):
        yield "16"


def _settled(old: anp.Notification, new: anp.Notification, command: Any) -> Iterator[str]:
    """How a decision settles an event for the devices of its user."""
    if old.is_presented and new.is_terminal:
        clicked = isinstance(command, anp.ClientAck) and command.how == "clicked"
        yield "withdrawn" if new.status == "failed" else "acknowledged" if clicked else "seen"
    elif old.responsible == "agent" and new.owner_lease > old.owner_lease:
        yield "escalated"


def is_shown_again(old: anp.Notification, decision: anp.Decision) -> bool:
    """Whether a client that is back gets what nobody has acknowledged, and what waits is dispatched again."""
    new = decision.record
    again = {"dispatch"} if old.status == "pending" else {"present"} if new.is_presented else set[str]()
    surfaces = {one.place for one in sent(decision) if one.place in SURFACES}
    return again <= {one.kind for one in decision.effects} and surfaces <= {new.surface}


def is_safe(old: anp.Notification, decision: anp.Decision) -> bool:
    """Whether of two decisions upon the same event the second always fails, and effects are those of what is stored."""
    new = decision.record
    if decision.expected != anp.Expected(status=old.status, owner_lease=old.owner_lease, version=old.version):
        return False
    if new.version != old.version + (new != old) or decision.changes != (new != old):
        return False
    return all(
        (one.id, one.revision) == (new.id, new.revision)
        and one.lease == (old if is_of_the_agent(one) else new).owner_lease
        for one in decision.effects
        if not isinstance(one, (anp.AddressDemoted, anp.TurnWithheld))
    )


def is_of_the_agent(effect: anp.Effect) -> bool:
    """Whether an effect ends what was done under the lease of the agent."""
    return isinstance(effect, anp.FenceTurn) or (isinstance(effect, anp.Settled) and effect.how == "escalated")


def is_edge(old: anp.Notification, before: str, after: str) -> bool:
    if (before, after) == ("dispatched", "delivered"):
        return old.responsible == "system"
    return (before, after) in EDGES
