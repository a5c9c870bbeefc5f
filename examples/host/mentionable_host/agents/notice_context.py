"""What an agent gets with an event that it is to tell a person of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen
from mentionable import anp

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["NoticeContext"]


@frozen(kw_only=True)
class NoticeContext:
    """A turn that an event began.

    Attributes:
        host: The host.
        person: Who is to hear of it.
        turn: The turn.
    """

    host: Host
    person: str
    turn: anp.Turn

    def as_instructions(self) -> str:
        """The event for the system text of a model: its words are data, and change nothing about what it may do."""
        return self.turn.prompt
