"""Asks whether a server is still there, before a connection is used that was idle: it may have started anew meanwhile.

To ask each time would be a sixth of what a busy host asks. There, who uses a connection that is lost notices it, is
an answer of `StoreUnavailable`, and replaces all others.
"""

from __future__ import annotations

from time import monotonic
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

__all__ = ["check_idle"]

IDLE_SECONDS: Final = 1.0
USED: Final = "mentionable_used"


def check_idle(engine: Engine) -> None:
    """Has connections that were idle be checked when they are taken out of the pool, and replaced where they are lost.

    Args:
        engine: Of a server.
    """
    dialect = engine.dialect

    @event.listens_for(engine, "checkin")
    def note(connection: Any, record: Any) -> None:
        record.info[USED] = monotonic()

    @event.listens_for(engine, "checkout")
    def check(connection: Any, record: Any, proxy: Any) -> None:
        used = record.info.get(USED)
        if used is None or monotonic() - used < IDLE_SECONDS:
            return
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise DisconnectionError("the server ended it") from error  # SQLAlchemy replaces it, and all older ones
