"""Stores that break the contract, each in one way. `test_store_contract.py` runs the tests on them: each must fail."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mentionable import anp, replace
from mentionable.testing import AsyncStoreContract, StoreContract

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mentionable.anp._step import Decision


class ForgetsTheVersion(anp.Ledger):
    """It compares status and lease alone."""

    def _fits(self, decision: Decision) -> bool:
        stored, expected = self.get(decision.record.id), decision.expected
        if stored is None or expected is None:
            return super()._fits(decision)
        return (stored.status, stored.owner_lease) == (expected.status, expected.owner_lease)


class StoresHalf(anp.Ledger):
    """It stores one change after another, and stops where one does not fit."""

    def commit(self, *changes: anp.Change) -> bool:
        return all(anp.Ledger.commit(self, change) for change in changes)


class LosesOrderOfEffects(anp.Ledger):
    """Of one commit it stores the last effect first."""

    def commit(self, *changes: anp.Change) -> bool:
        place = len(self.outbox)
        is_stored = super().commit(*changes)
        self.outbox[place:] = reversed(self.outbox[place:])
        return is_stored


class LosesOrderOfEvents(anp.Ledger):
    """It sorts events by their ids."""

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[anp.Notification]:
        found = super().open(user_id, deduplication_key=deduplication_key)
        return sorted(found, key=lambda event: event.id)


class TakesATakenKey(anp.Ledger):
    """It does not look for the key of a new event."""

    def _fits(self, decision: Decision) -> bool:
        if decision.expected is None:
            return self.get(decision.record.id) is None
        return super()._fits(decision)


class KeepsEffectsOfWhatFailed(anp.Ledger):
    """It stores the effects first, and leaves them where the rest does not fit."""

    def commit(self, *changes: anp.Change) -> bool:
        is_stored = super().commit(*changes)
        for change in changes if not is_stored else ():
            self.outbox += change.all_effects if isinstance(change, anp.LaneStep) else change.effects
        return is_stored


class ForgetsTheLane(anp.Ledger):
    """It compares no version of a lane."""

    def commit(self, *changes: anp.Change) -> bool:
        return super().commit(
            *(
                replace(change, expected=self.lane(change.lane.id).version)
                if isinstance(change, anp.LaneStep)
                else change
                for change in changes
            )
        )


class HasWhatIsDueTooLate(anp.Ledger):
    """A deadline passes a moment after its time."""

    def due(self, now: datetime, /, *, limit: int) -> Sequence[anp.Notification | anp.Lane]:
        return [one for one in super().due(now, limit=limit) if (anp.next_deadline([one]) or now) < now]


class ComparesKeysWithoutCase(anp.Ledger):
    """It finds an event by a key in other letters."""

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[anp.Notification]:
        found = super().open(user_id)
        if deduplication_key is None:
            return found
        return [one for one in found if (one.deduplication_key or "").lower() == deduplication_key.lower()]


WRONG = {
    ForgetsTheVersion: "test_status_lease_and_version_are_each_compared[{'version': 1}]",
    StoresHalf: "test_of_several_changes_all_are_stored_or_none[False]",
    LosesOrderOfEffects: "test_effects_are_stored_in_the_order_in_which_they_are_to_happen",
    LosesOrderOfEvents: "test_open_events_come_in_the_order_in_which_they_were_submitted",
    TakesATakenKey: "test_a_key_is_taken_while_its_event_is_open[user user system-pending]",
    KeepsEffectsOfWhatFailed: "test_of_several_changes_all_are_stored_or_none[True]",
    ForgetsTheLane: "test_the_version_of_a_lane_is_compared",
    HasWhatIsDueTooLate: "test_events_and_lanes_come_earliest_first_and_never_before_their_time",
    ComparesKeysWithoutCase: "test_names_are_the_same_only_character_by_character",
}
"""Each with a test that finds it."""


class Kit(StoreContract):
    """The tests of a ledger of this class."""

    made: type[anp.Ledger]

    def new_store(self) -> anp.Ledger:
        return self.made()

    def effects(self, store: anp.Ledger) -> list[anp.Effect]:
        return store.outbox


class Waiting:
    """A ledger of coroutines."""

    def __init__(self, ledger: anp.Ledger) -> None:
        self.ledger = ledger

    async def get(self, id: str, /) -> anp.Notification | None:
        return self.ledger.get(id)

    async def lane(self, id: str, /) -> anp.Lane:
        return self.ledger.lane(id)

    async def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[anp.Notification]:
        return self.ledger.open(user_id, deduplication_key=deduplication_key)

    async def due(self, now: datetime, /, *, limit: int) -> Sequence[anp.Notification | anp.Lane]:
        return self.ledger.due(now, limit=limit)

    async def commit(self, *changes: anp.Change) -> bool:
        return self.ledger.commit(*changes)


class AsyncKit(AsyncStoreContract):
    """The tests of the same with coroutines."""

    made: type[anp.Ledger]

    def runner(self) -> asyncio.Runner:
        return asyncio.Runner()

    async def new_store(self) -> Waiting:
        return Waiting(self.made())

    async def effects(self, store: Waiting) -> list[anp.Effect]:
        return store.ledger.outbox


for _wrong in (anp.Ledger, *WRONG):
    globals()[f"Test{_wrong.__name__}"] = type(f"Test{_wrong.__name__}", (Kit,), {"made": _wrong})
    globals()[f"TestAsync{_wrong.__name__}"] = type(f"TestAsync{_wrong.__name__}", (AsyncKit,), {"made": _wrong})
