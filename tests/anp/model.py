"""Model check: every way that one event can go, breadth first, through the `decide` that is shipped.

`python tests/anp/model.py` explores the eight routes, and the four of the agent once more at the end of a chain of its
own making, and prints how much there was to see.

The world is hostile. Whatever effect was emitted is carried out never, late, twice or out of order: what was once sent
can arrive from then on, at any time and any number of times. Clients come and go and show what `receive_presentation`
says; what stands in the chat of a session that ended, no human sees any more. The session ends, the user leaves, other
turns take the lane, two workers race, agents fall silent or act on leases and revisions that they lost, and everybody
also names leases that nobody was given. A decision that is not stored changes nothing, so whoever loses a race needs no
state of its own: `14` says that the loser always loses.

Time is whole minutes and stands still; instead the times of the event move back. An event is kept as far as it matters:
one minute until a deadline or none, whether later words replaced those that somebody holds, and whose words they are.
A fact stands in prompts for a minute at least.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mentionable import Rejected, anp, format_time, parse_time, replace
from tests.anp.alphabet import FACTS, MINUTE, OLD, ROUTES, RULES, WITHOUT_THE_AGENT, alphabet, few, sight
from tests.anp.events import AT, NOW, OLIVIA
from tests.anp.invariants import AGENT, INVARIANTS, SURFACES, Sent, broken, of_record
from tests.anp.invariants import sent as sent_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.anp.alphabet import Route

    Decide = Callable[..., anp.Decision | Rejected]
    Receive = Callable[[anp.Presentation, anp.Seen | None], anp.Reception]
    World = tuple[bool, bool, bool]
    Outcome = anp.Decision | Rejected
    Watch = Callable[[anp.Notification | None, anp.Command, Outcome], object]

# --- the event, as far as it matters


def normal(record: anp.Notification) -> dict[str, Any]:
    """The members of an event without what no rule asks for. What is lost so was compared before, in `broken`."""
    is_passive = record.routing.row.mode == "passive"
    is_slow = (record.routing.handler == "agent" or is_passive) and not record.is_terminal
    deadline = record.delivery_deadline
    if deadline is not None:
        deadline = AT if record.is_terminal else max(deadline, AT)
    created = max(record.created_at, OLD) if is_slow else OLD
    return {
        "content": "Backup failed.",
        "version": 1,
        "revision": min(record.revision, 2),
        "merged": record.merged[-1:],  # as after many others: those before count anew
        "created_at": created,
        "changed_at": max(record.changed_at, OLD) if is_slow and is_passive else created,
        "ack_at": AT if record.ack_at else None,
        "delivery_deadline": deadline,
    }


def key(record: anp.Notification, members: dict[str, Any]) -> tuple[Any, ...]:
    flags, wanted = record.routing, record.requested
    return (
        record.status, flags.address, flags.target, flags.handler, record.owner_lease, record.holder, record.actions,
        record.failures, record.outcome, record.escalation, wanted.address, wanted.target, wanted.handler,
        *members.values(),
    )  # fmt: skip


@cache
def presented(one: Sent) -> anp.Presentation:
    """What arrives at a client."""
    place: Any = one.place
    return anp.Presentation(
        id="e1", revision=one.revision, lease=one.lease, surface=place, user_id=OLIVIA, content="Backup failed.",
        replaces=one.revision > 1, session_id="s1",
    )  # fmt: skip


def settled(one: Sent) -> anp.Settled:
    """What arrives at every device."""
    return anp.Settled(
        id="e1", revision=one.revision, lease=one.lease, how="seen", surface="inbox", user_id=OLIVIA, session_id="s1"
    )


def received(one: Sent, seen: Sent | None, receive: Receive) -> Sent | None:
    """What stands before a human when something arrives; `settled`: nothing; None: what stood there before."""
    kept = None
    if seen is not None:
        place, how = (seen.place, None) if seen.place in SURFACES else ("inbox", "seen")
        kept = anp.Seen(id="e1", revision=seen.revision, lease=seen.lease, surface=place, is_whole=True, settled=how)
    if one.place == "settled":
        got = anp.receive_settled(settled(one), kept)
        return Sent("settled", got.seen.lease, got.seen.revision) if got.showing == "settle" else None
    got = receive(presented(one), kept)
    if got.showing not in ("show", "replace"):
        return None
    return Sent(got.seen.surface, got.seen.lease, got.seen.revision)


def older(record: anp.Notification) -> anp.Notification:
    """The event a minute later."""

    def back(time: str) -> str:
        return format_time(parse_time(time) - MINUTE)

    deadline = record.delivery_deadline and back(record.delivery_deadline)
    created, changed = back(record.created_at), back(record.changed_at)
    return replace(record, created_at=created, changed_at=changed, delivery_deadline=deadline)


# --- the world


class State(NamedTuple):
    """The event, and all of the world that matters to it.

    Attributes:
        record: The event, by its number.
        online: Whether a client of the user is connected.
        session: Whether the session exists.
        user: Whether the user does.
        busy: Whether another turn has the lane.
        sent: What may arrive.
        seen: What a client has shown.
        told: The revision that the agent has.
        spoken: Whether what the agent said was sent to the human.
    """

    record: int
    online: bool = True
    session: bool = True
    user: bool = True
    busy: bool = False
    sent: frozenset[Sent] = frozenset()
    seen: Sent | None = None
    told: int | None = None
    spoken: bool = False

    @property
    def world(self) -> World:
        return self.session, self.user, self.busy

    @property
    def is_before_a_human(self) -> bool:
        """Whether what a client has shown stands there still: a chat ends with its session."""
        return self.seen is not None and (self.seen.place == "inbox" or self.session)


class Change(NamedTuple):
    """A decision that does something: what it makes of the event, and what it sends."""

    command: anp.Command
    record: int
    is_new: bool
    sent: tuple[Sent, ...]
    speaks: bool


class Broken(NamedTuple):
    """An invariant that does not hold, and the shortest way there."""

    name: str
    detail: str
    way: tuple[str, ...]


class Model:
    """The exploration of one route."""

    def __init__(
        self, route: Route, decide: Decide = anp.decide, *, receive: Receive = anp.receive_presentation,
        until: str | None = None, watch: Watch | None = None,
    ) -> None:  # fmt: skip
        self.route = route
        self.decide = decide
        self.receive = cache(lambda one, seen: received(one, seen, receive))
        self.until = until
        self.watch = watch
        self.commands = alphabet(route)
        self._sights = [sight(command) for command in self.commands]
        self._few = frozenset(few(self.commands))
        self.records: list[anp.Notification] = []
        self.broken: dict[str, Broken] = {}
        self.decisions = self.refusals = self.transitions = self.parked = self.stuck = 0
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._later: dict[int, int] = {}
        self._changes: dict[tuple[int, World], list[Change]] = {}
        self._decided: dict[tuple[int, int, World], Change | None] = {}
        self._from: dict[State, tuple[State | None, str]] = {}
        self._back: dict[State, list[State]] = {}
        self._here: State | None = None

    def run(self) -> Model:
        """Explores until there is nothing new, or the invariant `until` is broken."""
        first = self._born()
        states, self._from = [first], {first: (None, "submit")}
        for state in states:
            self._here = state
            for name, detail in self._bad(state):
                self._break(name, detail)
            for what, after, is_live in self._steps(state):
                self.transitions += 1
                if is_live:
                    self._back.setdefault(after, []).append(state)
                if after not in self._from:
                    self._from[after] = (state, what)
                    states.append(after)
            if self.until in self.broken:
                return self
        self._ends(states)
        return self

    @property
    def states(self) -> int:
        return len(self._from)

    # --- what can happen

    def _born(self) -> State:
        for command in self.commands:  # nothing but a submission makes an event
            outcome = self._ask(None, command, FACTS[True, True, False])
            if not isinstance(command, anp.Submit) and not isinstance(outcome, Rejected):
                self._break("1", f"{command.kind} makes an event")
        made = self._ask(None, self.commands[0], FACTS[True, True, False])
        assert isinstance(made, anp.Decision)
        if (made.expected, made.path, made.record.owner_lease) != (None, ("pending",), 1):
            self._break("3", "an event does not begin as pending, with lease 1")
        return State(self._number(made.record))

    def _number(self, record: anp.Notification) -> int:
        members = normal(record)
        found = self._numbers.setdefault(key(record, members), len(self.records))
        if found == len(self.records):
            self.records.append(replace(record, **members))
        return found

    def _steps(self, state: State) -> Iterator[tuple[str, State, bool]]:
        """What can come next, and whether it comes without the agent."""
        record = self.records[state.record]
        changes = self._changes.get((state.record, state.world))
        if changes is None:
            changes = self._changes[state.record, state.world] = list(self._decide_all(state.record, state.world))
        for change in changes:
            if self._can(state, record, change.command):
                is_live = isinstance(change.command, WITHOUT_THE_AGENT)
                if isinstance(change.command, anp.ClientAck):  # else one that was sent before
                    is_live = state.is_before_a_human
                yield change.command.kind, self._after(state, change), is_live
        if record.is_terminal:
            return
        later = self._later.get(state.record)
        if later is None:
            later = self._later[state.record] = self._number(older(record))
        if later != state.record:
            yield "clock", state._replace(record=later), True
        yield from self._moves(state, record)

    def _moves(self, state: State, record: anp.Notification) -> Iterator[tuple[str, State, bool]]:
        """What the world does."""
        if state.user:
            yield ("offline" if state.online else "online"), state._replace(online=not state.online), not state.online
            yield "user gone", state._replace(user=False, online=False), False
        if state.session and record.session_id is not None:
            yield "session closed", state._replace(session=False), False
        # an agent that hangs keeps its lane until the lane's own deadline; whom the watchdog serves must not need it
        yield (
            ("lane free" if state.busy else "lane busy"),
            state._replace(busy=not state.busy),
            (state.busy and (record.requested.handler == "system" or record.depth >= RULES.depth)),
        )
        for one in sorted(state.sent):
            if one.place == "agent":
                if one.revision != state.told and _is_heard(state, record):
                    yield "told", state._replace(told=one.revision), True
            elif state.online and (one.place != "chat" or state.session):
                seen = self.receive(one, state.seen)
                if seen is not None:
                    if state.seen is not None and seen[1:] < state.seen[1:]:
                        self._break("15", f"a client shows {seen} after {state.seen}")
                    if state.seen is not None and state.seen.place == "settled" and seen.lease == state.seen.lease:
                        self._break("settled", f"a client shows {seen} after {state.seen}")
                    yield "seen", state._replace(seen=seen), True

    @staticmethod
    def _can(state: State, record: anp.Notification, command: Any) -> bool:
        """Whether somebody may say this now. What names a wrong lease, anybody says at any time."""
        if isinstance(command, anp.ClientAck) and command.lease == record.owner_lease:
            if record.status == "pending" or record.responsible == "agent":
                return True  # a client that guesses
            seen = state.seen
            return seen is not None and seen[1:] == (command.lease, command.revision or seen.revision)
        if isinstance(command, anp.DeliveryFailed) and command.lease == record.owner_lease:
            return any(one.place in SURFACES for one in state.sent)
        if isinstance(command, anp.ContextCommitted) and not _is_heard(state, record):
            return False
        if isinstance(command, (*AGENT, anp.ContextCommitted)) and command.lease == record.owner_lease == 1:
            return state.told is not None and getattr(command, "revision", state.told) == state.told
        return True

    def _after(self, state: State, change: Change) -> State:
        sent, seen, told = state.sent, state.seen, state.told
        if change.is_new:  # from now on, what was the newest is old
            sent = frozenset(one._replace(revision=1) for one in sent)
            seen = seen and seen._replace(revision=1)
            told = told and 1
        sent, new = sent.union(change.sent), self.records[change.record]
        if new.owner_lease > 1:  # what the agent was sent is worth nothing now: it may name its old lease at any time
            told, sent = None, frozenset(one for one in sent if one.place != "agent")
        spoken = state.spoken or change.speaks
        if new.is_terminal:  # the world can go on as it likes
            return State(change.record, sent=sent, seen=seen, spoken=spoken)
        return state._replace(record=change.record, sent=sent, seen=seen, told=told, spoken=spoken)

    # --- decisions

    def _decide_all(self, number: int, world: World) -> Iterator[Change]:
        record = self.records[number]
        views = ((True, True, False), (*world[:2], False), world)
        for place, command in enumerate(self.commands):
            if place not in self._few and self._is_wrong(record, command):
                continue  # all that the wrong one says is the same
            asked = (number, place, views[self._sights[place]])
            if asked not in self._decided:
                self._decided[asked] = self._decide(record, command, FACTS[asked[2]])
            change = self._decided[asked]
            if change is not None:
                yield change

    @staticmethod
    def _is_wrong(record: anp.Notification, command: anp.Command) -> bool:
        """Whether nothing is to come of a command: it comes too late, with a wrong lease, or of another worker."""
        is_stale = getattr(command, "lease", record.owner_lease) != record.owner_lease
        is_other = isinstance(command, AGENT) and command.holder != (record.holder or "w1")
        return record.is_terminal or is_stale or is_other

    def _ask(self, record: anp.Notification | None, command: anp.Command, facts: anp.Facts) -> Outcome:
        outcome = self.decide(record, command, now=NOW, facts=facts, rules=RULES)
        self.decisions += 1
        self.refusals += isinstance(outcome, Rejected)
        if self.watch is not None:
            self.watch(record, command, outcome)
        return outcome

    def _decide(self, record: anp.Notification, command: anp.Command, facts: anp.Facts) -> Change | None:
        outcome = self._ask(record, command, facts)
        for name in broken(record, command, facts, outcome, NOW, rules=RULES):
            self._break(name, f"{command} upon {record.status} {record.routing.row.mode}: {outcome}")
        if isinstance(outcome, Rejected):
            return None
        if outcome.expected is None:  # an event of its own
            return None
        sent = tuple(sent_by(outcome))
        speaks = any(isinstance(effect, anp.PresentNarration) for effect in outcome.effects)
        if not (outcome.changes or sent or speaks):
            return None
        is_new = outcome.record.revision > 2
        if is_new:
            sent = tuple(one._replace(revision=2) for one in sent)
        return Change(command, self._number(outcome.record), is_new, sent, speaks)

    # --- what must hold

    def _bad(self, state: State) -> Iterator[tuple[str, str]]:
        """The invariants of a state that do not hold."""
        record = self.records[state.record]
        shown = {one.lease for one in state.sent if one.place in SURFACES}
        settled = {one.lease for one in state.sent if one.place == "settled"}
        for name, holds in of_record(record, RULES.cap):
            if not holds:
                yield name, f"{record}"
        if record.status == "delivered" and record.routing.target == "user" and not (state.seen or state.spoken):
            yield "6", "delivered, and no human was shown anything"
        if record.outcome == "seen" and (state.seen is None or state.seen.lease != record.owner_lease):
            yield "6", f"counts as seen; shown was {state.seen}"
        if len(shown) + state.spoken > 1:
            yield "7", f"shown under the leases {shown}, narrated: {state.spoken}"
        if record.is_terminal and not shown <= settled:
            yield "settled", f"shown under the leases {shown}, settled: {settled}"
        if record.requested.row.mode == "passive" and (shown or state.spoken):
            yield "8", "a human is shown a passive event"
        if state.seen is not None and state.seen.lease > record.owner_lease:
            yield "15", "the lease is below one that a client saw"

    def _ends(self, states: list[State]) -> None:
        """`16`: from wherever it is an event comes to an end, without the agent; `contract`: that a human sees it."""
        ends = self._before(state for state in states if self.records[state.record].is_terminal)
        happy = self._before(state for state in states if self.records[state.record].status == "delivered")
        for state in states:
            self._here, record = state, self.records[state.record]
            is_left = not (state.user or record.is_watched) and record.routing.handler == "system"
            if state not in ends and is_left:
                self.parked += 1  # nobody is left to see it, and no edge leads on: it stays where it is
            elif state not in ends:
                self.stuck += 1
                self._break("16", f"no way out: {record.status}, {state}")
            elif state not in happy and state.user and not record.is_terminal and record.routing.target == "user":
                self._break("contract", f"no human can see it: {record.status}, {state}")

    def _before(self, states: Iterable[State]) -> set[State]:
        """The states from which these can be reached without the agent."""
        found = list(states)
        reached = set(found)
        for state in found:
            for before in self._back.get(state, ()):
                if before not in reached:
                    reached.add(before)
                    found.append(before)
        return reached

    def _break(self, name: str, detail: str) -> None:
        if name not in self.broken:
            self.broken[name] = Broken(name, detail, tuple(self._way()))

    def _way(self) -> list[str]:
        way, state = [], self._here
        while state is not None:
            state, what = self._from[state]
            way.append(what)
        return way[::-1]


def _is_heard(state: State, record: anp.Notification) -> bool:
    """Whether there can be a turn in whose prompt the event stands: not in a session that is gone."""
    return state.session or record.routing.address == "user"


def explored(watch: Watch | None = None) -> list[Model]:
    """All routes."""
    return [Model(route, watch=watch).run() for route in ROUTES]


def figures(models: list[Model]) -> Iterator[str]:
    """How much there was to see, a line for each route and one for all."""
    head = ("states", "transitions", "events", "decisions", "refusals", "parked", "stuck", "broken")
    yield f"{'route':28}" + "".join(f"{name:>12}" for name in head)
    sums = [0] * len(head)
    for model in models:
        *flags, depth = model.route
        row = [
            model.states, model.transitions, len(model.records), model.decisions, model.refusals, model.parked,
            model.stuck, len(model.broken),
        ]  # fmt: skip
        sums = [a + b for a, b in zip(sums, row, strict=True)]
        yield f"{'/'.join(flags) + (f' depth {depth}' if depth else ''):28}" + "".join(f"{one:>12,}" for one in row)
    yield f"{'all':28}" + "".join(f"{one:>12,}" for one in sums)
    yield f"invariants checked: {', '.join(INVARIANTS)}"


def main() -> int:
    models = explored()
    print("\n".join(figures(models)))
    faults = [(model.route, fault) for model in models for fault in model.broken.values()]
    for route, fault in faults:
        print(f"\nbroken: {fault.name} ({'/'.join(map(str, route))})\n  {' > '.join(fault.way)}\n  {fault.detail}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
