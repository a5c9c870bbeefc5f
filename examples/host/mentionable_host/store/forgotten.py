"""What stays of messages that were forgotten: a hash of their ids. So none that comes again is answered again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection

from mentionable_host.store.statements import insert_new
from mentionable_host.store.tables import uses
from mentionable_host.store.uses import look_up

__all__ = ["KEPT", "mark_forgotten", "was_forgotten"]

KEPT: Final = timedelta(days=30)
"""So long no server tries to deliver a message again."""


def mark_forgotten(db: Connection, native_ids: Iterable[str], *, now: datetime) -> None:
    """Keeps hashes of ids for a while."""
    until = (now + KEPT).timestamp()
    for native_id in native_ids:
        insert_new(db, uses, {"key": _key(native_id), "binding": "", "until": until})


def was_forgotten(db: Connection, native_id: str) -> bool:
    """Whether a message of this id was stored once, and is forgotten."""
    return look_up(db, _key(native_id)) is not None


def _key(native_id: str) -> str:
    return f"forgotten {sha256(native_id.encode('utf-8', 'replace')).hexdigest()}"
