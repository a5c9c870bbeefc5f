"""What can happen to an event: every route in every state, and every command in every way that makes a difference.

`tests/transitions.py` prints what comes of it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from mentionable import Rejected, anp, format_time, parse_time, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
USER: Final = "olivia"
KEY: Final = "k"
WORKER: Final = "w1"

STATES: Final = (
    "pending[system]",
    "dispatched[system]",
    "dispatched[agent]",
    "locked[agent]",
    "locked[watchdog]",
    "escalated[system]",
    "delivered",
    "failed",
)
"""Where an event stands, and who is responsible for it there. Before it is submitted, it stands nowhere."""

NOWHERE: Final = "(none)"
COMMANDS: Final = tuple(get_args(anp.Command))


class Outcome(NamedTuple):
    """What came of a command: a code, or where the event went, what of it changed, and what is to be done."""

    code: str | None
    path: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()


class Guard(NamedTuple):
    """Something that can make a difference: each value, with the words for it. No words: as it usually is."""

    name: str
    words: Mapping[Any, str]
    together: Mapping[frozenset[str], str] = {}
    """Better words for values that come to the same."""


class Stand(NamedTuple):
    """An event somewhere on its way, with the mode that its flags mean there."""

    state: str
    mode: str
    event: anp.Notification | None


Case = dict[str, Any]

MODE: Final = "mode"
SESSION: Final = Guard("session", {"none": "", "there": "", "gone": "its session is gone"})
USER_THERE: Final = Guard("user_there", {True: "", False: "its user is gone"})
LANE: Final = Guard("lane_busy", {False: "", True: "a turn has its lane"})
CHAIN: Final = Guard("depth", {0: "", 3: "its chain of causes is too long"})
ATTEMPTS: Final = Guard(
    "attempts", {"left": "attempts are left", "used": "it was the last attempt", "final": "no attempt can do better"}
)
KIND: Final = Guard(
    "classification",
    {"internal": "internal", "external": "external", None: "not classified", "other": "another word"},
    {frozenset({"external", "not classified", "another word"}): "external, or not classified"},
)
PART: Final = Guard(
    "part",
    {(True, True): "both", (True, False): "acknowledged", (False, True): "started", (False, False): "neither"},
    {
        frozenset({"both", "acknowledged", "started"}): "acknowledged, or it started the turn",
        frozenset({"both", "acknowledged"}): "acknowledged",
        frozenset({"started", "neither"}): "not acknowledged",
        frozenset({"neither"}): "not acknowledged, and it did not start the turn",
    },
)
OUTPUT: Final = Guard(
    "output",
    {"Look!": "the agent speaks", None: "silence", " \n": "blanks"},
    {frozenset({"silence", "blanks"}): "the agent says nothing"},
)
TIME: Final = Guard(
    "time", {"before": "before its deadline", "none": "it has no deadline", "come": "its deadline has come"}
)
KEPT: Final = Guard("kept", {False: "", True: "it is to be in later prompts too"})

OTHER_WORKER: Final = "another worker, or none"
OTHER_LEASE: Final = "another lease, or none"
IDENTITY: Final = Guard("is_same", {False: "", True: "the same submission again"})
UNTIL: Final = Guard(
    "until", {5: "", 90: "a deadline in the past, or beyond the cap", -5: "a deadline in the past, or beyond the cap"}
)
LEASE: Final = Guard("lease", {0: "", 1: OTHER_LEASE, -1: OTHER_LEASE, None: OTHER_LEASE})
OWN_USER: Final = Guard("user_id", {USER: "", "eve": "another user"})
REVISION: Final = Guard("revision", {0: "", None: "", 1: "another revision"})
HOLDER: Final = Guard("holder", {WORKER: "", "w2": OTHER_WORKER, None: OTHER_WORKER})
NO_USER: Final = Guard("user_there", {False: "", True: "its user is there"})

GUARDS: Final[Mapping[type, tuple[Guard, ...]]] = {
    anp.Route: (CHAIN, LANE),
    anp.DeliveryFailed: (ATTEMPTS,),
    anp.ContextCommitted: (KEPT,),
    anp.Action: (KIND,),
    anp.CommitTurn: (PART, OUTPUT),
    anp.Tick: (TIME,),
}
"""What can make a difference, beside the mode of the event, its session and its user."""

CREDENTIALS: Final[Mapping[type, tuple[Guard, ...]]] = {
    anp.Submit: (IDENTITY,),
    anp.ClientAck: (OWN_USER, LEASE, REVISION),
    anp.DeliveryFailed: (LEASE,),
    anp.Reconnect: (OWN_USER,),
    anp.ContextCommitted: (LEASE, REVISION),
    anp.Claim: (LEASE, Guard("holder", {WORKER: "", "w2": OTHER_WORKER})),
    anp.Action: (LEASE, HOLDER),
    anp.CommitTurn: (LEASE, REVISION, HOLDER),
    anp.TurnFailed: (LEASE, HOLDER),
    anp.Extend: (LEASE, HOLDER, UNTIL),
    anp.Abandon: (NO_USER,),
}
"""What shows that whoever sends a command may; of each the first value is the right one."""


def stands() -> Iterator[Stand]:
    """Every route in every state that it can get into, led there by commands."""
    for address, target, handler in anp.ROUTE_TABLE:
        flags = anp.Routing(address=address, target=target, handler=handler)
        born = led(None, anp.Submit(submission=submission(flags), id="e1"))
        yield stand("pending[system]", born)
        routed = led(born, anp.Route())
        yield stand(f"dispatched[{routed.responsible}]", routed)
        if routed.responsible == "agent":
            yield from of_agent(routed)
        elif flags.row.mode == "passive":
            yield stand("delivered", led(routed, anp.ContextCommitted(lease=1)))
        else:
            yield stand("delivered", led(routed, anp.ClientAck(lease=1, user_id=USER)))


def of_agent(routed: anp.Notification) -> Iterator[Stand]:
    """Where else an event gets to that the agent is given."""
    locked = led(routed, anp.Claim(lease=1, holder=WORKER))
    yield stand("locked[agent]", locked)
    said = anp.CommitTurn(lease=1, acknowledged=True, output="Look!", narration_id="n1", holder=WORKER)
    yield stand("delivered", led(locked, said))
    taken = replace(locked.routing, target="user", handler="system")  # only another ledger stores this half of a step
    yield stand("locked[watchdog]", replace(locked, routing=taken, owner_lease=2, holder=None))
    escalated = led(routed, anp.Tick(), now=parse_time(routed.delivery_deadline or ""))
    yield stand("escalated[system]", escalated)
    yield stand("delivered", led(escalated, anp.ClientAck(lease=2, user_id=USER)))
    yield stand("failed", led(escalated, anp.DeliveryFailed(lease=2, is_final=True)))


def submission(flags: anp.Routing) -> anp.Submission:
    """An event as a plugin submits it."""
    session = "s1" if flags.address == "session" else None
    return anp.Submission(
        content="Backup failed.", user_id=USER, routing=flags, session_id=session, deduplication_key=KEY
    )


def led(event: anp.Notification | None, command: anp.Command, *, now: datetime = NOW) -> anp.Notification:
    """An event one step further."""
    decision = anp.decide(event, command, now=now)
    if isinstance(decision, Rejected):
        raise AssertionError(f"{command.kind} is refused: {decision}")
    return decision.record


def stand(state: str, event: anp.Notification) -> Stand:
    return Stand(state, event.routing.row.mode, event)


def cases(command: type, *, credentials: bool = False) -> Iterator[Case]:
    """Every way in which a command can come; with credentials, the wrong ones too."""
    given = CREDENTIALS.get(command, ())
    usual = {guard.name: next(iter(guard.words)) for guard in given}
    guards = [USER_THERE, SESSION, *GUARDS.get(command, ()), *(given if credentials else ())]
    for values in product(*(guard.words for guard in guards)):
        yield {**usual, **dict(zip((guard.name for guard in guards), values, strict=True))}


def fits(place: Stand, case: Case) -> bool:
    """Whether an event can be in such a case: only one of a session has a session that is there or gone."""
    address = place.event.routing.address if place.event is not None else "user"
    return (address == "session") == (case["session"] != "none")


def made(kind: type, event: anp.Notification | None, case: Case) -> anp.Command:
    """The command of a case."""
    members: dict[str, Any] = {name: case[name] for name in ("user_id", "holder", "classification") if name in case}
    if "lease" in case:
        lease, owner = case["lease"], event.owner_lease if event is not None else 1
        members["lease"] = None if lease is None else owner + lease
    if "revision" in case:
        members["revision"] = None if case["revision"] is None or event is None else event.revision + case["revision"]
    if kind is anp.Submit:
        flags = event.requested if event is not None else anp.Routing(address="user", target="user", handler="agent")
        members |= {"submission": submission(flags), "id": "e1" if case["is_same"] else "e2"}
    if kind is anp.Action:
        members["name"] = "send_mail"
    if kind is anp.DeliveryFailed:
        members["is_final"] = case["attempts"] == "final"
    if kind is anp.CommitTurn:
        acknowledged, is_trigger = case["part"]
        members |= {"output": case["output"], "acknowledged": acknowledged, "is_trigger": is_trigger}
        members["narration_id"] = "n1"
    if kind is anp.Extend:
        members["until"] = format_time(NOW + timedelta(minutes=case["until"]))
    command: anp.Command = kind(**members)
    return command


def outcome(kind: type, event: anp.Notification | None, case: Case) -> Outcome:
    """What the library makes of a case."""
    now = NOW if event is None else parse_time(event.changed_at)
    if event is not None and case.get("depth"):
        event = replace(event, depth=case["depth"])
    if event is not None and case.get("time") == "none":
        event = replace(event, delivery_deadline=None)
    if event is not None and case.get("time") == "come":
        now = parse_time(event.delivery_deadline) if event.delivery_deadline else NOW + timedelta(days=30)
    facts = anp.Facts(
        session_exists=case["session"] != "gone",
        user_exists=case["user_there"],
        lane_busy=case.get("lane_busy", False),
    )
    kept = timedelta(minutes=10 if case.get("kept") else 0)
    rules = anp.Rules(attempts=3 if case.get("attempts") == "left" else 1, context_ttl=kept)
    decision = anp.decide(event, made(kind, event, case), now=now, facts=facts, rules=rules)
    if isinstance(decision, Rejected):
        return Outcome(decision.code)
    is_new = decision.expected is None
    changes = () if is_new or event is None else tuple(changed(event, decision.record))
    path = (NOWHERE, *decision.path) if is_new else decision.path
    return Outcome(None, path, changes, tuple(effect.kind for effect in decision.effects))


def changed(old: anp.Notification, new: anp.Notification) -> Iterator[str]:
    """What of an event changed, beside its status, its version and its time, and what an end leaves of no meaning."""
    if new.routing.row.mode != old.routing.row.mode:
        yield f"now {new.routing.row.mode}"
    for name in ("owner_lease", "revision", "failures"):
        if getattr(new, name) != getattr(old, name):
            yield f"`{name}` + {getattr(new, name) - getattr(old, name)}"
    for name in ("outcome", "escalation"):
        if getattr(new, name) != getattr(old, name):
            yield f"`{name}`: {getattr(new, name)}"
    for name in ("holder", "delivery_deadline", "ack_at", "actions"):
        value = getattr(new, name)
        if value != getattr(old, name) and (value is not None or new.status == "pending"):
            yield f"`{name}`" if value is not None else f"no `{name}`"
