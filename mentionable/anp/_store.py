"""What a store must do, and one in memory for tests.

Spec: ANP §5, §6.3 (Database Enforcement).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from heapq import heappop, heappush
from typing import Protocol, TypeAlias

from .._errors.exceptions import UsageError
from .._wire.time import format_time, parse_time
from ._effects import Effect
from ._lane import Lane, LaneStep, deadline_of
from ._notification import OPEN, Notification
from ._step import Decision

Change: TypeAlias = Decision | LaneStep
"""What can be stored together with others."""


class Store(Protocol):
    """What a host keeps, in five methods.

    The contract of `commit` is what everything rests upon:

    - All of its changes are stored, or none is.
    - A decision is stored only where what is stored under its id has the status, the lease and the version of
      `Decision.expected`; one that expects nothing, only where nothing is stored under its id, and where the same user
      has no other event with the same key that is pending or dispatched.
    - No two changes are of the same event or lane, and no new event takes a key that another change makes free.
    - A step is stored only where the version of its lane is `LaneStep.expected`, 0 where no lane is stored. That is
      compared also where the step leaves the lane as it is.
    - The effects are stored with it, in their order, and carried out only afterwards, at least once.
    - It answers False when it stored nothing for one of these reasons. Then read again and decide again.

    `mentionable.testing.StoreContract` has tests for all of this, for a store of yours.

    Spec: ANP §6.3.
    """

    def get(self, id: str, /) -> Notification | None:
        """The event under an id."""

    def lane(self, id: str, /) -> Lane:
        """The lane under an id; a new one, of version 0, where none is stored."""

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[Notification]:
        """The events of a user that are not delivered or failed, in the order in which they were submitted.

        With a key, those with that key that are pending or dispatched: at most one.
        """

    def due(self, now: datetime, /, *, limit: int) -> Sequence[Notification | Lane]:
        """Events that are not delivered or failed, and lanes with a turn, whose deadline has come; earliest first."""

    def commit(self, *changes: Change) -> bool:
        """Stores changes; whether it did. See the contract above."""


class AsyncStore(Protocol):
    """What a host keeps, in the same five methods as coroutines. The contract is that of `Store`.

    What decides is the same for both: `await store.commit(decide(await store.get(id), …))`.

    Spec: ANP §6.3.
    """

    async def get(self, id: str, /) -> Notification | None:
        """The event under an id."""

    async def lane(self, id: str, /) -> Lane:
        """The lane under an id; a new one, of version 0, where none is stored."""

    async def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[Notification]:
        """The events of a user that are not delivered or failed, in the order in which they were submitted.

        With a key, those with that key that are pending or dispatched.
        """

    async def due(self, now: datetime, /, *, limit: int) -> Sequence[Notification | Lane]:
        """Events that are not delivered or failed, and lanes with a turn, whose deadline has come; earliest first."""

    async def commit(self, *changes: Change) -> bool:
        """Stores changes; whether it did. See the contract of `Store`."""


class Ledger:
    """A `Store` in memory, for tests. It forgets nothing, and is safe in one thread.

    Attributes:
        outbox: Every effect that was stored, in order. The place of the first is 1.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import anp
        >>> ledger, now = anp.Ledger(), datetime(2026, 11, 21, tzinfo=UTC)
        >>> flags = anp.Routing(address="user", target="user", handler="system")
        >>> submission = anp.Submission(content="Backup done.", user_id="olivia", routing=flags)
        >>> made = anp.decide(None, anp.Submit(submission=submission, id="e1"), now=now)
        >>> ledger.commit(made), ledger.commit(made)
        (True, False)
        >>> event = ledger.get("e1")
        >>> ledger.commit(anp.dispatch(ledger.lane(anp.lane_of(event)), event, now=now))
        True
        >>> [effect.kind for effect in ledger.outbox]
        ['audit', 'dispatch', 'present', 'agent_aware']
    """

    def __init__(self) -> None:
        self.outbox: list[Effect] = []
        self._events: dict[str, Notification] = {}
        self._lanes: dict[str, Lane] = {}
        self._of_user: dict[str, dict[str, None]] = {}
        self._by_key: dict[tuple[str, str], str] = {}
        self._deadlines: list[tuple[str, int, str]] = []

    def get(self, id: str, /) -> Notification | None:
        """The event under an id."""
        return self._events.get(id)

    def lane(self, id: str, /) -> Lane:
        """The lane under an id; a new one where none is stored."""
        return self._lanes.get(id) or Lane(id=id)

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[Notification]:
        """The events of a user that are not delivered or failed; with a key, the one that it would be merged into."""
        if deduplication_key is not None:
            id = self._by_key.get((user_id, deduplication_key))
            return [] if id is None else [self._events[id]]
        return [self._events[one] for one in self._of_user.get(user_id, ())]

    def due(self, now: datetime, /, *, limit: int) -> Sequence[Notification | Lane]:
        """Events and lanes whose deadline has come, the earliest first."""
        due: list[Notification | Lane] = []
        entries: set[tuple[str, int, str]] = set()
        until = format_time(now)
        while self._deadlines and self._deadlines[0][0] <= until and len(due) < limit:
            entry = heappop(self._deadlines)
            one = self._waits(entry)
            if one is not None and entry not in entries:
                due.append(one)
                entries.add(entry)
        for entry in entries:
            heappush(self._deadlines, entry)
        return due

    def _waits(self, entry: tuple[str, int, str]) -> Notification | Lane | None:
        """The event or lane of a deadline, if it still has that one."""
        deadline, is_lane, id = entry
        one = self._lanes[id] if is_lane else self._events[id]
        return one if _deadline(one) == deadline else None

    def commit(self, *changes: Change) -> bool:
        """Stores all changes and their effects, or nothing."""
        for change in changes:
            if not isinstance(change, (Decision, LaneStep)):
                raise UsageError(f"commit takes decisions and steps, not {change!r:.200}")
        decisions: list[Decision] = []
        for change in changes:
            decisions += change.decisions if isinstance(change, LaneStep) else [change]
        steps = [change for change in changes if isinstance(change, LaneStep)]
        if not all(self.lane(one.lane.id).version == one.expected for one in steps):
            return False
        if not all(map(self._fits, decisions)) or _conflict(decisions, steps):
            return False
        for one in steps:
            self._keep_lane(one.lane)
        for decision in decisions:
            self._keep(decision.record)
        for change in changes:
            self.outbox += change.all_effects if isinstance(change, LaneStep) else change.effects
        return True

    def _fits(self, decision: Decision) -> bool:
        stored, expected = self._events.get(decision.record.id), decision.expected
        if expected is None:
            key = (decision.record.user_id, decision.record.deduplication_key or "")
            return stored is None and (decision.record.status not in OPEN or key not in self._by_key)
        if stored is None:
            return False
        return (stored.status, stored.owner_lease, stored.version) == (
            expected.status,
            expected.owner_lease,
            expected.version,
        )

    def _keep(self, event: Notification) -> None:
        before = self._events.get(event.id)
        self._events[event.id] = event
        of_user = self._of_user.setdefault(event.user_id, {})
        if event.is_terminal:
            of_user.pop(event.id, None)
        else:
            of_user[event.id] = None
        if event.deduplication_key is not None:
            key = (event.user_id, event.deduplication_key)
            if event.status in OPEN:
                self._by_key[key] = event.id
            elif self._by_key.get(key) == event.id:
                del self._by_key[key]
        deadline = _deadline(event)
        if deadline is not None and (before is None or _deadline(before) != deadline):
            heappush(self._deadlines, (deadline, 0, event.id))

    def _keep_lane(self, lane: Lane) -> None:
        self._lanes[lane.id] = lane
        deadline = _deadline(lane)
        if deadline is not None:
            heappush(self._deadlines, (deadline, 1, lane.id))


def _conflict(decisions: Sequence[Decision], steps: Sequence[LaneStep]) -> bool:
    """Whether two changes are of the same event or lane, or two new events have the same user and key."""
    ids = {decision.record.id for decision in decisions}
    keys = [
        (one.record.user_id, one.record.deduplication_key)
        for one in decisions
        if one.expected is None and one.record.deduplication_key is not None
    ]
    lanes = {one.lane.id for one in steps}
    return len(ids) < len(decisions) or len(lanes) < len(steps) or len(set(keys)) < len(keys)


def _deadline(one: Notification | Lane) -> str | None:
    """A deadline in the one form in which texts sort like times."""
    deadline = deadline_of(one)
    return None if deadline is None else format_time(parse_time(deadline))
