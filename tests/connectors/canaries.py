"""Words by which a law sees what becomes of each member: those that people can read, and those that they cannot."""

from __future__ import annotations

from random import Random
from typing import Any

from mentionable import Received, dumps, encode


class Canaries:
    """Makes words that occur once, and remembers which of them people can read."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.seen: list[str] = []
        self.unseen: list[str] = []

    def word(self) -> str:
        """A word that people can read."""
        self.seen.append(f"seen{len(self.seen):04}x")
        return self.seen[-1]

    def secret(self) -> str:
        """A word that people cannot read."""
        self.unseen.append(f"hidden{len(self.unseen):04}x")
        return self.unseen[-1]

    def forget_unused(self, *documents: Any) -> None:
        """Forget the words that were made for what is in none of the documents."""
        text = repr(documents)
        self.seen = [word for word in self.seen if word in text]

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def either(self, *makers: Any) -> Any:
        """What one of them makes."""
        return self.random.choice(makers)()

    def several(self, make: Any, count: int = 3) -> list[Any]:
        return [make() for _ in range(self.random.randint(0, count))]


def lost(outcome: Any, canaries: Canaries) -> list[str]:
    """The words that people can read, and that are nowhere: in no part, no turn, no diagnostic."""
    read = everything(outcome)
    return [word for word in canaries.seen if word not in read]


def leaked(outcome: Any, canaries: Canaries) -> list[str]:
    """The words that people cannot read, and that are somewhere."""
    read = everything(outcome) + repr(outcome)
    return [word for word in canaries.unseen if word in read]


def everything(outcome: Any) -> str:
    """All of an outcome as text."""
    if not isinstance(outcome, Received):
        return repr(outcome)
    return dumps(outcome.message).decode() + repr([encode(one) for one in outcome.diagnostics])


def places(value: Any) -> list[dict[str, Any]]:
    """Every object in a value."""
    if isinstance(value, dict):
        return [value, *(found for member in value.values() for found in places(member))]
    return [found for item in value for found in places(item)] if isinstance(value, list) else []
