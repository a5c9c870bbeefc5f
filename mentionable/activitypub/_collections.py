"""The collections of an actor: what it posted, its followers, and the actors that it follows."""

from __future__ import annotations

from typing import Any

from ._actor_document import check_actor_url
from ._read.json_ld import AS2


def empty_collections(url: str) -> dict[str, dict[str, Any]]:
    """Id → document of the outbox, the followers and the following of an actor, all empty.

    Servers look at them, and some show an agent without them as broken. An agent need not say who follows it.

    Args:
        url: The id of the actor.

    Raises:
        UsageError: It is no such URL.

    Spec: ActivityPub §5.1, §5.3, §5.4.

    Example:
        >>> list(empty_collections("https://agents.example/helper"))[0]
        'https://agents.example/helper/outbox'
    """
    check_actor_url(url)
    empty = {"type": "OrderedCollection", "totalItems": 0}
    ids = [f"{url}/{name}" for name in ("outbox", "followers", "following")]
    return {one: {"@context": AS2, "id": one, **empty, "orderedItems": []} for one in ids}
