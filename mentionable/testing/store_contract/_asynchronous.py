"""The same tests of a store whose methods are coroutines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol, TypeVar, cast

import pytest

from ...anp import AsyncStore, Change, Effect, Lane, Notification, Store
from ._compared import Compared
from ._ordered import Ordered
from ._stored import Stored

T = TypeVar("T")


class Runner(Protocol):
    """What runs coroutines one after another, as `asyncio.Runner` does."""

    def run(self, coroutine: Coroutine[Any, Any, T], /) -> T:
        """What a coroutine returns."""


class Blocking(Store):
    """A store of coroutines as one that waits for them."""

    def __init__(self, store: AsyncStore, runner: Runner) -> None:
        self.store = store
        self.runner = runner

    def get(self, id: str, /) -> Notification | None:
        """The event under an id."""
        return self.runner.run(self.store.get(id))

    def lane(self, id: str, /) -> Lane:
        """The lane under an id."""
        return self.runner.run(self.store.lane(id))

    def open(self, user_id: str, /, *, deduplication_key: str | None = None) -> Sequence[Notification]:
        """The events of a user that are not delivered or failed."""
        return self.runner.run(self.store.open(user_id, deduplication_key=deduplication_key))

    def due(self, now: datetime, /, *, limit: int) -> Sequence[Notification | Lane]:
        """Events and lanes whose deadline has come."""
        return self.runner.run(self.store.due(now, limit=limit))

    def commit(self, *changes: Change) -> bool:
        """Stores changes; whether it did."""
        return self.runner.run(self.store.commit(*changes))


class AsyncStoreContract(Stored, Compared, Ordered):
    """What every `anp.AsyncStore` does: the tests of `StoreContract`, with coroutines. Each test has an empty store.

    Example:
        >>> import asyncio
        >>> from mentionable.testing import AsyncStoreContract
        >>> class TestMine(AsyncStoreContract):
        ...     def runner(self):
        ...         return asyncio.Runner()
        ...
        ...     async def new_store(self):
        ...         return await MyStore.connect("postgresql://localhost/empty")
        ...
        ...     async def effects(self, store):
        ...         return await store.all_effects()
    """

    @abstractmethod
    def runner(self) -> AbstractContextManager[Runner]:
        """What runs the coroutines of one test: `asyncio.Runner()`, or of a library of yours what has such a `run`."""

    @abstractmethod
    async def new_store(self) -> AsyncStore:
        """An empty store, once a test."""

    @abstractmethod
    async def effects(self, store: Any) -> Sequence[Effect]:
        """Every effect that a store has, in order, also those that were carried out.

        Args:
            store: What `new_store` returned.
        """

    async def close(self, store: Any) -> None:
        """Called when a test is over.

        Args:
            store: What `new_store` returned.
        """

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        """The store of a test."""
        with self.runner() as runner:
            store = runner.run(self.new_store())
            yield Blocking(store, runner)
            runner.run(self.close(store))

    def _outbox(self, store: Store) -> list[Effect]:
        """Every effect that the store of a test has, in order."""
        blocking = cast("Blocking", store)
        return list(blocking.runner.run(self.effects(blocking.store)))
