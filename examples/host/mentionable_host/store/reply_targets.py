"""What an answer on a platform needs and its question does not hold: tokens of interactions, chats of phone numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from mentionable_host.store.dialects import upsert
from mentionable_host.store.tables import reply_targets

__all__ = ["add", "get", "move", "put", "remove"]


def put(db: Connection, key: str, value: Mapping[str, Any], *, until: datetime, now: datetime) -> None:
    """Keeps a target until a moment; others that have expired go."""
    db.execute(delete(reply_targets).where(reply_targets.c.until <= now.timestamp()))
    upsert(db, reply_targets, {"key": key, "until": until.timestamp(), "value": json.dumps(value).encode()})


def move(db: Connection, key: str, message_id: str, *, person: str) -> None:
    """Puts the target of a job under the message that the job made; one that is there gives way."""
    if _raw(db, key) is None:
        return
    remove(db, message_id)
    db.execute(update(reply_targets).where(reply_targets.c.key == key).values(key=message_id, person=person))


def add(db: Connection, message_id: str, more: Mapping[str, Any], *, person: str, until: datetime) -> None:
    """Adds members to the target of a message; one that is not there begins, and then lasts until a moment."""
    before = _raw(db, message_id)
    value = json.dumps({**(json.loads(before) if before else {}), **more}).encode()
    values = {"key": message_id, "person": person, "until": until.timestamp(), "value": value}
    upsert(db, reply_targets, values, keep=("until", "person"))


def get(db: Connection, message_id: str, *, now: datetime) -> dict[str, Any]:
    """The target of a message; empty where there is none, or it has expired."""
    value = _raw(db, message_id, after=now)
    return {} if value is None else dict(json.loads(value))


def _raw(db: Connection, key: str, *, after: datetime | None = None) -> bytes | None:
    """The target under a key as it is stored."""
    query = select(reply_targets.c.value).where(reply_targets.c.key == key)
    if after is not None:
        query = query.where(reply_targets.c.until > after.timestamp())
    return db.execute(query).scalar()


def remove(db: Connection, key: str) -> None:
    """Forgets a target."""
    db.execute(delete(reply_targets).where(reply_targets.c.key == key))
