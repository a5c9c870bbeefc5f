"""Demands for payment or consent, and the receipts that met them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Final

from attrs import frozen
from mentionable import PolicyResolution, decode_trusted, dumps, encode, parse_time, policy, replace
from sqlalchemy import Connection, select, update

from mentionable_host.store.dialects import upsert
from mentionable_host.store.tables import issuances

__all__ = [
    "Demand",
    "count_failure",
    "find",
    "grant",
    "is_granted",
    "met",
    "note_met",
    "note_resolved",
    "put",
]

PURPOSE: Final = "purpose"
"""The member of a stored record that says which call of the program asked."""


@frozen(kw_only=True)
class Demand:
    """A demand as it is stored.

    Attributes:
        record: What was issued, with its failures.
        question: The id of the message that the agent was asked in, also where receipts came in between.
    """

    record: policy.Issuance
    question: str


def put(db: Connection, record: policy.Issuance, *, purpose: str, question: str, now: datetime) -> None:
    """Stores a demand under each of its keys, unless another one keeps a key."""
    record = replace(record, extra={**record.extra, PURPOSE: purpose})
    values = {
        "person": record.principal,
        "message_id": question,
        "failures": 0,
        "until": parse_time(record.expires_at).timestamp(),
        "receipt": None,
        "value": dumps(record),
    }
    for key in record.keys:
        before = find(db, key)
        if record.replaces(None if before is None else before.record, now=now):
            upsert(db, issuances, {"key": key, **values})


def find(db: Connection, key: str) -> Demand | None:
    """The demand under a key."""
    row = db.execute(select(issuances).where(issuances.c.key == key)).mappings().first()
    if row is None:
        return None
    record = decode_trusted(policy.Issuance, row["value"])
    if record.key != key:  # failures are counted under the first key alone
        counted = db.execute(select(issuances.c.failures).where(issuances.c.key == record.key)).scalar()
        return Demand(record=replace(record, failures=counted or 0), question=row["message_id"])
    return Demand(record=replace(record, failures=row["failures"]), question=row["message_id"])


def count_failure(db: Connection, key: str) -> int:
    """Counts a receipt that did not fit; how many there were; 0 where what it answers was forgotten meanwhile."""
    counted = update(issuances).where(issuances.c.key == key).values(failures=issuances.c.failures + 1)
    return int(db.execute(counted.returning(issuances.c.failures)).scalar() or 0)


def grant(db: Connection, key: str, scope_hash: str) -> bool:
    """Notes that a person agreed; False: they did before, or it was met already."""
    here = (issuances.c.key == key) & issuances.c.receipt.is_(None)
    return bool(db.execute(update(issuances).where(here).values(receipt=_json({"granted": scope_hash}))).rowcount)


def is_granted(db: Connection, key: str, scope_hash: str) -> bool:
    """Whether a person agreed to exactly this."""
    receipt = db.execute(select(issuances.c.receipt).where(issuances.c.key == key)).scalar()
    return receipt is not None and json.loads(receipt).get("granted") == scope_hash


def note_resolved(db: Connection, record: policy.Issuance, resolution: PolicyResolution) -> None:
    """Stores the receipt that met a demand, with the uses that consume it: from now on the agent may act."""
    receipt = {"granted": record.scope_hash, "resolution": encode(resolution)}
    db.execute(update(issuances).where(issuances.c.key == record.key).values(receipt=_json(receipt)))


def note_met(db: Connection, record: policy.Issuance) -> None:
    """Notes that the agent has acted, with its answer: a second receipt is refused before it is verified."""
    for key in record.keys:
        stored = find(db, key)
        if stored is not None and stored.record.key == record.key:  # another demand may have the key of a task by now
            value = dumps(replace(stored.record, consumed=True))
            db.execute(update(issuances).where(issuances.c.key == key).values(value=value))


def met(db: Connection, question: str) -> dict[str, PolicyResolution]:
    """Purpose → the receipt, of what was asked for a message and is met."""
    rows = db.execute(select(issuances).where(issuances.c.message_id == question, issuances.c.receipt.is_not(None)))
    found = {}
    for row in rows.mappings():
        resolution = json.loads(row["receipt"]).get("resolution")
        record = decode_trusted(policy.Issuance, row["value"])
        if resolution is not None and record.key == row["key"]:
            found[str(record.extra[PURPOSE])] = decode_trusted(PolicyResolution, resolution)
    return found


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
