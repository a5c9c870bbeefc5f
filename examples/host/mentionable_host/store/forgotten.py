"""What stays of messages that were deleted or forgotten: a hash of their ids, so that none is taken again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from mentionable import NormalizedMessage
from sqlalchemy import Connection, bindparam, select

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.statements import run
from mentionable_host.store.tables import people, uses

__all__ = ["KEPT", "is_sender_forgotten", "mark_forgotten", "was_forgotten"]

KEPT: Final = timedelta(days=30)
"""So long no server tries to deliver a message again."""


def mark_forgotten(db: Connection, native_ids: Iterable[str], *, now: datetime) -> None:
    """Keeps hashes of ids for a while."""
    until = (now + KEPT).timestamp()
    for native_id in native_ids:
        insert_new(db, uses, {"key": _key(native_id), "binding": "", "until": until})


def was_forgotten(db: Connection, *native_ids: str) -> bool:
    """Whether a message that has one of these ids was deleted, or its sender forgotten."""
    return bool(run(db, _FORGOTTEN, {"keys": [_key(one) for one in native_ids]}))


def is_sender_forgotten(db: Connection, message: NormalizedMessage) -> bool:
    """Whether the sender of a message was forgotten while it is answered. Until the transaction ends they are not."""
    db.execute(select(people.c.address).where(people.c.address == message.sender.address).with_for_update())
    return was_forgotten(db, message.id, message.in_reply_to or message.id)  # after a receipt, it answers the question


_FORGOTTEN: Final = select(uses.c.key).where(uses.c.key.in_(bindparam("keys", expanding=True))).limit(1)


def _key(native_id: str) -> str:
    return f"forgotten {sha256(native_id.encode('utf-8', 'replace')).hexdigest()}"
