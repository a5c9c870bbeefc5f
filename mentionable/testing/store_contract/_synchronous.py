"""The tests of a store whose methods are functions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ...anp import Effect, Store
from ._compared import Compared
from ._ordered import Ordered
from ._stored import Stored


class StoreContract(Stored, Compared, Ordered):
    """What every `anp.Store` does, as tests of pytest. Each test has an empty store.

    Derive a class whose name begins with `Test`, in a test module of yours. Fixtures can prepare it; `close` is called
    after each test. Needs pytest: `pip install mentionable[testing]`.

    Example:
        >>> from mentionable import anp
        >>> from mentionable.testing import StoreContract
        >>> class TestLedger(StoreContract):
        ...     def new_store(self):
        ...         return anp.Ledger()
        ...
        ...     def effects(self, store):
        ...         return store.outbox
    """

    @abstractmethod
    def new_store(self) -> Store:
        """An empty store, once a test."""

    @abstractmethod
    def effects(self, store: Any) -> Sequence[Effect]:
        """Every effect that a store has, in order, also those that were carried out.

        Args:
            store: What `new_store` returned.
        """

    def close(self, store: Any) -> None:
        """Called when a test is over.

        Args:
            store: What `new_store` returned.
        """

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        """The store of a test."""
        store = self.new_store()
        yield store
        self.close(store)

    def _outbox(self, store: Store) -> list[Effect]:
        """Every effect that the store of a test has, in order."""
        return list(self.effects(store))
