"""What the library is told while it works: from the store, and from the world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from mentionable import (
    AsyncAnswers,
    FindHistory,
    FindMessage,
    FindMessages,
    HistoricalMessage,
    HistoryPolicy,
    StoredMessage,
    Used,
    UseOnce,
)

from mentionable_host.store import messages
from mentionable_host.store.uses import Uses

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["answers_of"]

TURNS: Final = HistoryPolicy().max_messages
"""The library has use for so many."""

MORE: Final = frozenset(
    (
        *("find_agent", "find_issuance", "check_payment", "check_consent", "count_failure"),
        *("find_task", "call_api", "check_revoked", "debit", "find_messages", "fetch"),
    )
)
"""What a transport may answer itself; what decides about use and identity is the host's."""


def answers_of(host: Host, uses: Uses, more: AsyncAnswers | None = None) -> AsyncAnswers:
    """What the library is told: from the store, and from the world."""
    look = host.database.look

    async def find_message(ask: FindMessage) -> StoredMessage | None:
        found = await look(lambda db: messages.find(db, ask.native_id, ask.recipient))
        if found is None:
            uses.absent(ask.native_id, ask.recipient)
        return found

    async def find_messages(ask: FindMessages) -> dict[str, StoredMessage]:
        found = await look(lambda db: messages.find_all(db, ask.native_id))
        if host.address not in found:
            uses.absent(ask.native_id, host.address)
        return found

    async def find_history(ask: FindHistory) -> Sequence[HistoricalMessage]:
        return await look(lambda db: messages.history(db, ask, limit=TURNS))

    async def use_once(ask: UseOnce) -> Used:
        return await look(lambda db: uses.answer(db, ask))

    own: dict[str, Any] = {
        "fetch": host.fetch,
        "lookup_txt": host.world.lookup_txt,
        "find_agent": host.find_agent,
        "find_message": find_message,
        "find_messages": find_messages,
        "find_history": find_history,
        "use_once": use_once,
    }
    given = {} if more is None else {name: one for name in MORE if (one := getattr(more, name)) is not None}
    return AsyncAnswers(**own | given)
