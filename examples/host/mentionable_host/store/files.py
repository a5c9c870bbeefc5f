"""Files that came with messages: so many bytes of each sender are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mentionable import NormalizedMessage, replace
from sqlalchemy import Connection, func, select

from mentionable_host.store.dialects import insert_new
from mentionable_host.store.tables import blobs, messages

__all__ = ["DROPPED", "bytes_of_sender", "files_of", "put_files", "within_quota"]

DROPPED: Final = "files_dropped"
"""The member of a stored message's `extra` that names files which were not kept, and why."""

UNPROVEN: Final = 20
"""All senders that are not verified may together have so many times what one has: they can take any address."""
OPEN: Final = ("activitypub", "email", "a2a", "rest")
"""Transports whose senders are not known by a platform."""


def within_quota(
    db: Connection, message: NormalizedMessage, files: Mapping[str, bytes], *, quota: int | None
) -> tuple[NormalizedMessage, dict[str, bytes]]:
    """The files of a message that its sender has space for, and the message, which names those that are left out.

    The first files are kept as long as they fit. A file that the sender has here already counts again.
    """
    if not files or quota is None:
        return message, dict(files)
    left, kept = quota - bytes_of_sender(db, message.sender.address), dict[str, bytes]()
    if not message.sender.verified and message.received_via != "connector":
        left = min(left, UNPROVEN * quota - _bytes_of_unproven(db))
    for digest, data in files.items():
        if len(data) <= left:
            kept[digest], left = data, left - len(data)
    dropped = [digest for digest in files if digest not in kept]
    if not dropped:
        return message, kept
    marker = {"reason": "over-quota", "digests": dropped}
    return replace(message, extra={**message.extra, DROPPED: marker}), kept


def bytes_of_sender(db: Connection, address: str) -> int:
    """How many bytes of files of a sender are kept."""
    sizes = select(func.sum(func.length(blobs.c.data))).join(messages, messages.c.number == blobs.c.message)
    return int(db.execute(sizes.where(messages.c.person == address)).scalar() or 0)


def _bytes_of_unproven(db: Connection) -> int:
    """How many bytes are kept of all senders whose address nothing proves."""
    sizes = select(func.sum(func.length(blobs.c.data))).join(messages, messages.c.number == blobs.c.message)
    return int(db.execute(sizes.where(messages.c.verified.is_(False), messages.c.transport.in_(OPEN))).scalar() or 0)


def put_files(db: Connection, files: Mapping[str, bytes], *, number: int) -> None:
    """Stores the files of the message with a number."""
    for digest, data in files.items():
        insert_new(db, blobs, {"digest": digest, "message": number, "data": data})


def files_of(db: Connection, number: int) -> dict[str, bytes]:
    """Digest → bytes of the files that came with a message."""
    rows = db.execute(select(blobs.c.digest, blobs.c.data).where(blobs.c.message == number))
    return {row.digest: row.data for row in rows}
