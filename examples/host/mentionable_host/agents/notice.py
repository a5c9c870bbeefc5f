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
        turn: The turn; `turn.prompt` is what a model should read.
    """

    host: Host
    person: str
    turn: anp.Turn

    @property
    def prompt(self) -> str:
        """The event for the system text of a model, as data that follows no instructions in it."""
        return self.turn.prompt
