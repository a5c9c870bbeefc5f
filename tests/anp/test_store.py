"""The store in memory keeps the contract of all stores, and a little more."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

import pytest

from mentionable import UsageError, anp
from mentionable.testing import AsyncStoreContract, StoreContract
from mentionable.testing.store_contract._values import born, ids, lane_step, running, stamp
from tests.anp.events import NOW, OLIVIA, at, decided
from tests.anp.turns import MEDIATED, Host

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

METHODS = {"get", "lane", "open", "due", "commit"}


class TestLedger(StoreContract):
    """The ledger, as any store."""

    def new_store(self) -> anp.Ledger:
        return anp.Ledger()

    def effects(self, store: anp.Ledger) -> list[anp.Effect]:
        return store.outbox


class Awaited:
    """A ledger of coroutines, each of which lets others go first."""

    def __init__(self) -> None:
        self.ledger = anp.Ledger()
        self.is_open = True

    async def get(self, id: str, /) -> anp.Notification | None:
        await asyncio.sleep(0)
        return self.ledger.get(id)

    async def lane(self, id: str, /) -> anp.Lane:
        await asyncio.sleep(0)
        return self.ledger.lane(id)

    async def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[anp.Notification]:
        await asyncio.sleep(0)
        return self.ledger.open(user_id, deduplication_key=deduplication_key)

    async def due(self, now: datetime, /, *, limit: int) -> Sequence[anp.Notification | anp.Lane]:
        await asyncio.sleep(0)
        return self.ledger.due(now, limit=limit)

    async def commit(self, *changes: anp.Change) -> bool:
        await asyncio.sleep(0)
        return self.ledger.commit(*changes)


class TestAwaited(AsyncStoreContract):
    """The same ledger, as any store of coroutines; all of a test runs in one loop."""

    def runner(self) -> asyncio.Runner:
        return asyncio.Runner()

    async def new_store(self) -> Awaited:
        self.loop = asyncio.get_running_loop()
        return Awaited()

    async def effects(self, store: Awaited) -> list[anp.Effect]:
        assert asyncio.get_running_loop() is self.loop
        return store.ledger.outbox

    async def close(self, store: Awaited) -> None:
        assert asyncio.get_running_loop() is self.loop
        await super().close(store)


@pytest.mark.parametrize("kit", [StoreContract, AsyncStoreContract])
def test_a_store_has_five_methods_and_its_tests_are_the_same_in_both_kits(kit):
    assert {name for name in vars(anp.AsyncStore) if not name.startswith("_")} == METHODS
    assert all(inspect.iscoroutinefunction(getattr(anp.AsyncStore, name)) for name in METHODS)
    assert [name for name in vars(kit) if name.startswith("test")] == []
    tests = {name for name in dir(kit) if name.startswith("test")}
    assert tests == {name for name in dir(StoreContract) if name.startswith("test")}
    with pytest.raises(TypeError, match="abstract"):
        kit()


def test_a_store_has_five_methods():
    assert {name for name in vars(anp.Store) if not name.startswith("_")} == METHODS
    assert {name for name in vars(anp.Ledger) if not name.startswith("_")} == METHODS


def test_deadlines_are_compared_as_moments():
    ledger = anp.Ledger()
    ledger.commit(lane_step(1, expected=0, turn=running(deadline="2026-11-21T22:56:20+02:00")))
    ledger.commit(born("e1", MEDIATED, delivery_deadline="2026-11-21T22:56:10+02:00"))
    assert ids(ledger.due(at(9), limit=9)) == []
    assert ids(ledger.due(at(10), limit=9)) == ["e1"]
    assert ids(ledger.due(at(20), limit=9)) == ["e1", "user:olivia"]


def test_a_deadline_that_returns_is_given_once():
    ledger = anp.Ledger()
    ledger.commit(born("e1", MEDIATED))
    ledger.commit(decided(ledger.get("e1"), anp.Route()))
    for seconds in (300, 600, 300, 600, 300):
        ledger.commit(decided(ledger.get("e1"), anp.Extend(lease=1, until=stamp(seconds))))
    assert ids(ledger.due(at(10**4), limit=9)) == ["e1"]
    assert ids(ledger.due(at(10**4), limit=9)) == ["e1"]


def test_an_event_out_of_another_ledger_keeps_its_place():
    ledger = anp.Ledger()
    data = {"id": "e1", "content": "x", "user_id": OLIVIA, "created_at": "2026-11-21T20:56:00Z", "status": "escalated"}
    flags = {"address": "user", "target": "user", "handler": "system"}
    event = anp.read_notification({**data, "routing": flags, "delivery_deadline": stamp(5)})
    assert ledger.commit(anp.Decision(record=event, expected=None, path=("escalated",)))
    assert ids(ledger.due(at(5), limit=9)) == ["e1"]
    assert ids(ledger.open(OLIVIA)) == ["e1"]


def test_an_event_that_is_no_longer_open_may_have_any_key():
    ledger = anp.Ledger()
    ledger.commit(born("e1", deduplication_key="k"))
    data = {"id": "e2", "content": "x", "user_id": OLIVIA, "created_at": "2026-11-21T20:56:00Z", "status": "delivered"}
    flags = {"address": "user", "target": "user", "handler": "system"}
    event = anp.read_notification({**data, "routing": flags, "deduplication_key": "k"})
    assert ledger.commit(anp.Decision(record=event, expected=None, path=("delivered",)))
    assert ids(ledger.open(OLIVIA, deduplication_key="k")) == ["e1"]
    assert ids(ledger.open(OLIVIA)) == ["e1"]


def test_a_time_without_a_zone_is_the_fault_of_the_program():
    with pytest.raises(UsageError, match="aware"):
        anp.Ledger().due(NOW.replace(tzinfo=None), limit=1)


@pytest.mark.parametrize("wrong", [None, "e1", anp.Tick(), {}])
def test_only_what_was_decided_is_stored(wrong):
    ledger = anp.Ledger()
    with pytest.raises(UsageError, match="commit takes decisions and steps, not"):
        ledger.commit(born("e1"), wrong)
    assert (ledger.get("e1"), ledger.outbox) == (None, [])


def test_two_ledgers_know_nothing_of_each_other():
    host, other = Host(), Host()
    host.add("m1", MEDIATED)
    assert (other.ledger.get("m1"), other.ledger.outbox, other.events) == (None, [], {})
