"""Mails to rows: one function of record batches, which reads nothing, writes nothing and knows no engine.

It has the shape of Spark's `mapInArrow`. The same mail gives the same row wherever and whenever it is called: `now` is
an argument, and ids are made of `now` and of the mail.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from columns import OUTPUT

from mentionable import Answers, DigestRef, Failed, Received, UsageError, drive, dumps, mail, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from mentionable import LookupTxt, NormalizedMessage, Part, Rejected

NO_RECORDS: Mapping[str, list[bytes]] = MappingProxyType({})
CRASHED = "crashed"
"""The code of a mail over which the program itself stumbled: one of a million must not cost the others."""


def normalise(
    batches: Iterator[pa.RecordBatch],
    *,
    recipient: str,
    now: datetime,
    records: Mapping[str, list[bytes]] = NO_RECORDS,
    keep_bad: bool = False,
) -> Iterator[pa.RecordBatch]:
    """Batches of mails (`columns.INPUT`) as batches of rows (`columns.OUTPUT`), in their order, one row a mail.

    Args:
        batches: The mails.
        recipient: The agent for whom all of them are.
        now: When the messages count as received.
        records: DNS name → TXT records. Without those of its domain, no sender is verified.
        keep_bad: Whether the row of a bad mail has its bytes.

    Raises:
        UsageError: `recipient` is no address, or `now` has no time zone.
    """
    mail.receive(b"", recipient=recipient, now=now, entropy=bytes(32))  # what is wrong with these is no mail's fault
    lookups = Answers(lookup_txt=partial(txt_of, records))
    for batch in batches:
        rows = [row(found, recipient, now, lookups, keep_bad) for found in batch.to_pylist()]
        yield pa.RecordBatch.from_pylist(rows, schema=OUTPUT)


def row(found: dict[str, Any], recipient: str, now: datetime, lookups: Answers, keep_bad: bool) -> dict[str, Any]:
    """The columns of one mail that are not null."""
    raw = found.pop("raw")
    digest = sha256(raw)
    where = {**found, "sha256": digest.hexdigest()}
    try:
        outcome = drive(mail.receive(raw, recipient=recipient, now=now, entropy=digest.digest()), lookups)
        if isinstance(outcome, mail.ReceivedReport):  # a bounce is a mail of the archive too
            outcome = outcome.received
        if isinstance(outcome, Received):
            return where | message_of(outcome)
        bad = refusal(outcome)
    except Exception as error:
        bad = {"code": CRASHED, "problems": [{"at": "", "rule": ascii(error)}]}
    return where | bad | ({"raw": raw} if keep_bad else {})


def refusal(outcome: Rejected) -> dict[str, Any]:
    """The columns of a mail that is no message."""
    return {"code": outcome.code, "problems": [problem._asdict() for problem in outcome.problems]}


def message_of(outcome: Received) -> dict[str, Any]:
    """The columns of a message."""
    message, sender, parsed = outcome.message, outcome.message.sender, outcome.message.raw["parsed"]
    return {
        "id": message.id,
        "thread_id": message.thread_id,
        "in_reply_to": message.in_reply_to,
        "native_id": outcome.native_id,
        "aliases": list(outcome.aliases),
        "sent_at": moment(parsed.get("date")),
        "received_at": moment(message.received_at),
        "sender": sender.address,
        "sender_name": sender.display_name,
        "verified": sender.verified,
        "auth_method": sender.auth_method,
        "unverified_because": outcome.verdict.code,
        "recipient": message.recipient,
        "subject": parsed.get("subject"),
        "parts": parts_of(message),
        "diagnostics": [{"code": note.code, "at": note.at, "detail": note.detail} for note in outcome.diagnostics],
        "json": dumps(message),
    }


def parts_of(message: NormalizedMessage) -> list[dict[str, Any]]:
    """The parts, each with those of the columns that it has."""
    return [
        {
            "kind": part.kind,
            "mime": getattr(part, "mime", None),
            "name": getattr(part, "name", None),
            "text": getattr(part, "content", None),
            "size": getattr(part, "size_bytes", None),
            "sha256": digest_of(part),
        }
        for part in message.parts
    ]


def digest_of(part: Part) -> str | None:
    """The digest of a file that lies outside of the message."""
    ref = getattr(part, "bytes_ref", None)
    return ref.digest if isinstance(ref, DigestRef) else None


def moment(text: str | None) -> datetime | None:
    """A time as a value; None for a Date field that says none."""
    try:
        return None if text is None else parse_time(text)
    except UsageError:
        return None


def txt_of(records: Mapping[str, list[bytes]], ask: LookupTxt) -> list[bytes] | Failed:
    """The records of a name out of a table. A table that has a row `*` answers everything."""
    found = records.get(ask.name, records.get("*"))
    return Failed("not in the table of records") if found is None else found
