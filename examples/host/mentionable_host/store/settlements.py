"""What the program saw of payments by signature (x402). One is settled once, so what it saw is remembered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from mentionable import dumps, policy
from sqlalchemy import Connection, delete, select

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.tables import issuances, uses
from mentionable_host.store.uses import look_up

__all__ = ["find", "put", "remove"]

LASTS: Final = timedelta(days=366)
MEMBERS: Final = ("verified_by", "transaction", "payer", "network")
"""The members of a `policy.PaymentStatus`."""


def find(db: Connection, person: str, signed: Mapping[str, Any]) -> policy.PaymentStatus | None:
    """What was seen of a payment of a person, whatever they paid for with it; None: it is not settled."""
    stored = look_up(db, _key(person, signed))
    return None if stored is None else policy.PaymentStatus(**json.loads(stored))


def put(
    db: Connection,
    person: str,
    signed: Mapping[str, Any],
    status: policy.PaymentStatus,
    *,
    asked: str,
    now: datetime,
) -> None:
    """Remembers what was seen of a payment, unless its person was forgotten meanwhile.

    Args:
        db: The transaction.
        person: The address of whoever was asked to pay.
        signed: The payment as they signed it.
        status: What was seen.
        asked: The key under which it was asked for. It is gone where they were forgotten.
        now: The time.
    """
    if db.execute(select(issuances.c.key).where(issuances.c.key == asked).with_for_update()).first() is None:
        return
    binding = json.dumps({name: getattr(status, name) for name in MEMBERS})
    insert_new(db, uses, {"key": _key(person, signed), "binding": binding, "until": (now + LASTS).timestamp()})


def remove(db: Connection, person: str) -> int:
    """Removes all that was seen of the payments of a person, since it names their account; how many there were."""
    return db.execute(delete(uses).where(uses.c.key.startswith(_prefix(person)))).rowcount


def _key(person: str, signed: Mapping[str, Any]) -> str:
    return f"{_prefix(person)}{sha256(dumps(signed)).hexdigest()}"


def _prefix(person: str) -> str:
    return f"settled {sha256(person.encode()).hexdigest()} "
