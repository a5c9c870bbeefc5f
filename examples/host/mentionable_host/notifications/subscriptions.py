"""Subscriptions of Web Push as browsers send them.

Spec: Push API §8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mentionable import MentionableError, anp, decode

from mentionable_host.notifications.access import Refused
from mentionable_host.notifications.encryption import is_usable
from mentionable_host.store import pushes

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from mentionable_host.host import Host

__all__ = ["subscribe", "unsubscribe"]


async def subscribe(
    host: Host, body: Any, *, person: str, device: str, check: Callable[[Connection], None] = lambda db: None
) -> None:
    """Stores how a device of a person is reached.

    Args:
        host: The host.
        body: A `PushSubscription`, parsed from JSON, and in a member `device` the id of the device.
        person: Who has signed in.
        device: The id of the device where `body` has none.
        check: Refuses, in the transaction that stores it, who is not signed in any more.

    Raises:
        Refused: It is no subscription (400), the browser is another person's (409), or `check` says so.
        StoreUnavailable: Nothing is stored.
        Conflict: Likewise.
    """
    members = dict(body) if isinstance(body, dict) else {}
    try:
        named = anp.Device(id=members.pop("device", device), user_id=person)
        subscription = decode(anp.PushSubscription, members)
    except MentionableError as error:
        raise Refused("malformed", status=400) from error
    if not is_usable(subscription.keys):
        raise Refused("malformed", status=400)
    now = host.world.now()

    def work(db: Connection) -> None:
        check(db)
        if not pushes.subscribe(db, person, named.id, subscription, now=now):
            raise Refused("not-yours", status=409)

    await host.database.write(work)


async def unsubscribe(host: Host, body: Any, *, person: str) -> None:
    """Forgets a subscription, where it is that of the person.

    Args:
        host: The host.
        body: `{"endpoint": "https://…"}`, parsed from JSON.
        person: Who has signed in.

    Raises:
        Refused: It names no subscription (400).
        StoreUnavailable: Nothing is forgotten.
        Conflict: Likewise.
    """
    endpoint = body.get("endpoint") if isinstance(body, dict) else None
    if not isinstance(endpoint, str):
        raise Refused("malformed", status=400)
    await host.database.write(lambda db: pushes.unsubscribe(db, person, endpoint))
