"""What the host remembers for itself, under names: a value is bytes."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select

from mentionable_host.store.dialects import upsert
from mentionable_host.store.tables import settings

__all__ = ["read_setting", "remove_setting", "write_setting"]


def read_setting(db: Connection, key: str) -> bytes | None:
    """The value under a name."""
    return db.execute(select(settings.c.value).where(settings.c.key == key)).scalar()


def write_setting(db: Connection, key: str, value: bytes, *, secret: bool = False) -> None:
    """Stores a value in the place of what was there; `secret` keeps it out of exports."""
    upsert(db, settings, {"key": key, "value": value, "secret": secret})


def remove_setting(db: Connection, key: str) -> None:
    """Forgets a value."""
    db.execute(delete(settings).where(settings.c.key == key))
