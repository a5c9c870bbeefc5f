"""The store in memory keeps the contract of all stores, and a little more."""

import pytest

from mentionable import UsageError, anp
from tests.anp.events import NOW, OLIVIA, at, decided
from tests.anp.store_contract import StoreContract, born, ids, lane_step, running, stamp
from tests.anp.turns import MEDIATED, Host

METHODS = {"get", "lane", "open", "due", "commit"}


class TestLedger(StoreContract):
    """The ledger, as any store."""

    def new_store(self) -> anp.Ledger:
        return anp.Ledger()

    def effects(self, store: anp.Ledger) -> list[anp.Effect]:
        return store.outbox


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
