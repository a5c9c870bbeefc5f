"""Forgets a person: what went to them is taken back where that can be, and what is stored of them is erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from mentionable_host.store import erase
from mentionable_host.store.erase import Erased

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["forget"]


def forget(db: Connection, who: str, *, host: Host) -> Erased:
    """Erases a person, with the jobs that tell others, all in the transaction of the caller.

    On SQLite call `Database.compact` afterwards: only then their words are not in the file any more.

    Args:
        db: The transaction.
        who: `@name@domain`, a mailbox, or the URL of an actor.
        host: The host.

    Raises:
        ValueError: `who` is none of these; a domain is many people.
    """

    def take_back(address: str) -> None:
        for transport in host.transports.values():
            transport.forget(db, address)

    return erase.forget(db, who, now=host.world.now(), take_back=take_back)
