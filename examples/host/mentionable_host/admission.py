"""Whether a message gets an answer: one function decides, for every transport."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from mentionable import NormalizedMessage
from sqlalchemy import Connection, select

from mentionable_host.store.tables import blocks

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["admit"]


def admit(db: Connection, message: NormalizedMessage, *, host: Host, now: datetime) -> str | None:
    """Why a message gets no answer; None: it gets one."""
    if not message.answerable:
        return f"unanswerable: {message.answerable.reason}"
    address = message.sender.address
    targets = [address, address.rpartition("@")[2]]
    if db.execute(select(blocks.c.target).where(blocks.c.target.in_(targets))).first() is not None:
        return "blocked"
    return None
