"""What devices send about events: it counts for events of their own person alone."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from mentionable import MentionableError, Rejected, anp
from sqlalchemy import Connection

from mentionable_host.notifications.events import apply, events_in
from mentionable_host.notifications.rules import RULES
from mentionable_host.store.streams import topic_of

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["MAX_MESSAGES", "take"]

log = logging.getLogger(__name__)

MAX_MESSAGES: Final = 100
MALFORMED: Final = "malformed"
UNKNOWN: Final = "unknown-notification"
NAME: Final = 200


async def take(host: Host, person: str, messages: Sequence[object]) -> list[dict[str, str | None]]:
    """Applies messages of a device, in order; for each the id of its event, and why it was refused.

    Args:
        host: The host.
        person: Whose device it is.
        messages: The messages: JSON, or what was read of it; of more than `MAX_MESSAGES` the first ones.

    Raises:
        StoreUnavailable: Nothing is stored. The device sends them again.
        Conflict: The same.
    """
    read = [_read(one) for one in messages[:MAX_MESSAGES]]

    def work(db: Connection) -> list[dict[str, str | None]]:
        return [{"id": id, "code": MALFORMED if one is None else _apply(db, host, person, one)} for id, one in read]

    results = await host.database.write_again(work)
    host.signals.tell(topic_of(person))
    host.wake()
    return results


def _apply(db: Connection, host: Host, person: str, message: anp.ClientMessage) -> str | None:
    """Applies a message; why it is refused."""
    event = events_in(host, db).get(message.id)
    if event is not None and event.user_id != person:
        return UNKNOWN  # it is not theirs to know that there is one
    command = anp.command_of(message, user_id=person)
    if isinstance(command, anp.DeliveryFailed):  # it waits for another device, or until the host writes
        decision = anp.decide(event, command, now=host.world.now(), rules=RULES)
        return decision.code if isinstance(decision, Rejected) else None
    return apply(host, db, message.id, command)


def _read(value: Any) -> tuple[str | None, anp.ClientMessage | None]:
    """The id of the event, and the message; None where it is none."""
    try:
        message = anp.client_message(value if isinstance(value, str) else json.dumps(value))
    except (MentionableError, ValueError, RecursionError) as error:
        log.info("a device sends what is no message: %s", type(error).__name__)
        id = value.get("id") if isinstance(value, dict) else None
        return (id[:NAME].encode("utf-8", "replace").decode() if isinstance(id, str) else None), None
    return message.id, message
