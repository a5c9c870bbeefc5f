"""Which devices are connected to this process, and how many of them may be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from attrs import define

from mentionable_host.notifications.access import Refused, Visitor
from mentionable_host.signals import Signals
from mentionable_host.store.streams import topic_of

__all__ = ["Connected", "Connections"]

MAX_CONNECTIONS: Final = 2_000
"""So many a process has, of all people."""
MAX_OF_A_PERSON: Final = 10


@define(eq=False)
class Connected:
    """A connection of a device.

    Attributes:
        is_ended: Whether it is to end: the device has another one now, or the host ends.
    """

    device: str
    is_ended: bool = False


class Connections:
    """The connections of all devices to this process.

    Attributes:
        count: How many there are.
    """

    def __init__(self, signals: Signals) -> None:
        """There are none."""
        self._signals, self._open, self.count = signals, dict[str, list[Connected]](), 0

    @contextmanager
    def open(self, visitor: Visitor) -> Iterator[Connected]:
        """A connection while it is open. An older one of the same device ends.

        Raises:
            Refused: The person, or all people together, have too many.
        """
        theirs = self._open.get(visitor.person, [])
        others = [one for one in theirs if one.device != visitor.device and not one.is_ended]
        if len(others) >= MAX_OF_A_PERSON or len(theirs) >= 2 * MAX_OF_A_PERSON:
            raise Refused("too-many-connections", status=429)
        if self.count >= MAX_CONNECTIONS:
            raise Refused("too-many-connections", status=503)
        for one in theirs:
            one.is_ended = one.is_ended or one.device == visitor.device
        connected = Connected(visitor.device)
        self._open.setdefault(visitor.person, theirs).append(connected)
        self.count += 1
        self._signals.tell(topic_of(visitor.person))
        try:
            yield connected
        finally:
            self.count -= 1
            theirs.remove(connected)
            if not theirs:
                self._open.pop(visitor.person, None)

    def end_all(self) -> None:
        """Says that all of them are to end, and wakes those that wait for something new."""
        for person, theirs in self._open.items():
            for one in theirs:
                one.is_ended = True
            self._signals.tell(topic_of(person))
