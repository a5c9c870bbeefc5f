"""What the host remembers for itself, under names: a value is bytes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, select

from mentionable_host.store.dialects import insert_new, upsert
from mentionable_host.store.tables import settings

__all__ = ["first_setting", "read_setting", "remove_setting", "write_setting"]


def read_setting(db: Connection, key: str) -> bytes | None:
    """The value under a name."""
    return db.execute(select(settings.c.value).where(settings.c.key == key)).scalar()


def write_setting(db: Connection, key: str, value: bytes, *, expires_at: datetime | None = None) -> None:
    """Stores a value in the place of what was there; once it has expired, it is removed."""
    upsert(db, settings, {"key": key, "value": value, "until": expires_at and expires_at.timestamp()})


def first_setting(db: Connection, key: str, value: bytes) -> bytes:
    """The value under a name that is stored once: this one, or that of before."""
    insert_new(db, settings, {"key": key, "value": value})
    return bytes(db.execute(select(settings.c.value).where(settings.c.key == key)).scalar_one())


def remove_setting(db: Connection, key: str) -> None:
    """Forgets a value."""
    db.execute(delete(settings).where(settings.c.key == key))
