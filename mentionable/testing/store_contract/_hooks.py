"""What the tests of stores need of the class that runs them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from ...anp import Effect, Store


class Hooks(ABC):
    """What the tests need, apart from a store."""

    def keeps(self, effect: Effect) -> bool:
        """Whether the store keeps an effect. Override it where the store drops some, such as those for audits.

        Args:
            effect: An effect of a decision or of a step.
        """
        return True

    @abstractmethod
    def _outbox(self, store: Store) -> list[Effect]:
        """Every effect that the store of a test has, in order."""

    def _expected(self, effects: Iterable[Effect]) -> list[Effect]:
        """Those effects that the store keeps."""
        return [effect for effect in effects if self.keeps(effect)]
