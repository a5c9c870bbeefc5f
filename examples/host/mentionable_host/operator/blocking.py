"""Blocks somebody and hears them again, on every transport: on the Fediverse a block ends that they follow, too."""

from __future__ import annotations

from typing import cast

from mentionable_host.operator.visit import Visit
from mentionable_host.store import blocks

__all__ = ["block", "unblock"]


async def block(visit: Visit, words: str, *, severity: str, note: str | None) -> blocks.Block:
    """Blocks or silences an address, an actor, or a domain with its subdomains.

    Raises:
        ValueError: `words` is none of these, or the severity is unknown.
    """
    if severity not in ("suspend", "silence"):
        raise ValueError(f"there is no severity {severity!r}")
    how, now = cast("blocks.Severity", severity), visit.host.world.now()
    return await visit.write(lambda db: blocks.add(db, words, now=now, severity=how, note=note))


async def unblock(visit: Visit, words: str) -> bool:
    """Hears somebody again; whether they were blocked.

    Raises:
        ValueError: `words` is no address, actor or domain.
    """
    if visit.activitypub is None:
        return await visit.write(lambda db: blocks.remove(db, words))
    from mentionable_host.transports.activitypub import relations

    return await relations.unblock(visit.activitypub, words)
