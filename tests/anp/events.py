"""Events for the tests of notifications: in every state, by the commands that lead there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from mentionable import Rejected, anp, dumps, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

E = TypeVar("E", bound=anp.EventEffect)

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
AT = "2026-11-21T20:56:00Z"
LATER = NOW + timedelta(minutes=2)
"""When the usual deadline has come."""

IN_TWO_MINUTES = "2026-11-21T20:58:00Z"
IN_A_WEEK = "2026-11-28T20:56:00Z"
OLIVIA = "olivia"

DIRECT = [("user", "user", "system"), ("session", "user", "system")]
MEDIATED = [("user", "user", "agent"), ("session", "user", "agent")]
PASSIVE = [("user", "agent", "system"), ("session", "agent", "system")]
AUTONOMOUS = [("user", "agent", "agent"), ("session", "agent", "agent")]
OF_SYSTEM = [*DIRECT, *PASSIVE]
OF_AGENT = [*MEDIATED, *AUTONOMOUS]
ALL = [*OF_SYSTEM, *OF_AGENT]
"""Address, target and handler of the eight routes."""

NO_SESSION = anp.Facts(session_exists=False)
NO_USER = anp.Facts(user_exists=False)
BUSY = anp.Facts(lane_busy=True)


def at(seconds: float) -> datetime:
    """So many seconds after `NOW`."""
    return NOW + timedelta(seconds=seconds)


def flags(address: Any, target: Any, handler: Any) -> anp.Routing:
    return anp.Routing(address=address, target=target, handler=handler)


def submission(address: str, target: str, handler: str, **members: Any) -> anp.Submission:
    """An event as a plugin submits it."""
    given = {"content": "Backup failed.", "user_id": OLIVIA, **members}
    if address == "session":
        given.setdefault("session_id", "s1")
    return anp.Submission(routing=flags(address, target, handler), **given)


def decided(record: anp.Notification | None, command: anp.Command, *, now: datetime = NOW, **how: Any) -> anp.Decision:
    """What is decided, where nothing stands against it."""
    decision = anp.decide(record, command, now=now, **how)
    assert isinstance(decision, anp.Decision), decision
    return decision


def refusal(record: anp.Notification, command: anp.Command, *, now: datetime = NOW, **how: Any) -> str:
    """The code of a refusal, which leaves every byte of the event as it is."""
    before = dumps(record)
    outcome = anp.decide(record, command, now=now, **how)
    assert isinstance(outcome, Rejected), outcome
    assert dumps(record) == before
    return outcome.code


def submitted(address: str, target: str, handler: str, *, id: str = "e1", **members: Any) -> anp.Notification:
    """An event that has come in and goes nowhere yet."""
    event = submission(address, target, handler, **members)
    return decided(None, anp.Submit(submission=event, id=id)).record


def routed(address: str, target: str, handler: str, **members: Any) -> anp.Notification:
    """An event that stands where its flags say."""
    return decided(submitted(address, target, handler, **members), anp.Route()).record


def claimed(address: str, target: str, handler: str, **members: Any) -> anp.Notification:
    """An event of the agent that the worker `w1` has taken."""
    return decided(routed(address, target, handler, **members), anp.Claim(lease=1, holder="w1")).record


def escalated(address: str, target: str, handler: str, **members: Any) -> anp.Notification:
    """An event that the watchdog took over at its deadline."""
    return decided(routed(address, target, handler, **members), anp.Tick(), now=LATER).record


def failed(address: str, target: str, handler: str, **members: Any) -> anp.Notification:
    """An event that could not be delivered."""
    return decided(escalated(address, target, handler, **members), anp.DeliveryFailed(lease=2), now=LATER).record


def delivered(address: str, target: str, handler: str, **members: Any) -> anp.Notification:
    """An event that arrived: the human has seen it, or the agent has read, narrated or vetoed it."""
    record = routed(address, target, handler, **members)
    if handler == "agent":
        said = {"output": "It failed.", "narration_id": "n1"} if target == "user" else {}
        return decided(record, anp.CommitTurn(lease=1, acknowledged=True, **said)).record
    if target == "agent":
        return decided(record, anp.ContextCommitted(lease=1)).record
    return decided(record, anp.ClientAck(lease=1, user_id=OLIVIA)).record


def half_taken(**members: Any) -> anp.Notification:
    """A takeover that another ledger has stored half done: locked, and of the system."""
    event = claimed("session", "user", "agent")
    data = {"owner_lease": 2, "status": "locked", "delivery_deadline": None, **members}
    routing = flags("session", "user", "system")
    return replace(event, **{"routing": routing, "holder": None, **data})


def kinds(effects: Iterable[anp.Effect]) -> list[str]:
    """The kinds of effects, in order."""
    return [effect.kind for effect in effects]


def the(kind: type[E], decision: anp.Decision) -> E:
    """The one effect of a class."""
    (found,) = (effect for effect in decision.effects if isinstance(effect, kind))
    return found
