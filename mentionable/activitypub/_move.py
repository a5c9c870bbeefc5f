"""The entry point `move`, and what an actor document says of other accounts of the same agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, check_kind, items_of
from .._flow.settings import Settings as BaseSettings
from .._wire.strict_json import plain
from ._outgoing import Outgoing, outgoing
from ._read.json_ld import ACTORS, host_in, many, reference, type_in
from ._write.activity import author_with
from ._write.context import terms_of
from ._write.recipients import Actor, Addressees


def move(
    target: Mapping[str, Any],
    *,
    to: Iterable[Actor | str],
    base: str,
    now: datetime,
    entropy: bytes,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Move of the agent to another account: servers let its followers there follow that instead.

    Before you deliver it, serve `with_aliases(actor, moved_to=<id of the new account>)` as the actor document: servers
    look for both directions.

    Args:
        target: The actor document of the new account, newly fetched; its `alsoKnownAs` names the agent.
        to: The agent's followers: actors, or URLs of inboxes.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: `activitypub.Settings` with the key that signs, which also says which actor this is.

    Raises:
        UsageError: An argument is of the wrong kind, or `target` is no actor who names the agent.

    Spec: FEP-7628 (Move actor).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> own, new = "https://agents.example/helper", "https://other.example/helper"
        >>> settings = activitypub.Settings(key=SigningKey.from_seed(bytes(32), key_id=f"{own}#main-key"))
        >>> target = {"id": new, "type": "Service", "alsoKnownAs": [own]}
        >>> out = move(
        ...     target, to=["https://social.example/inbox"], base="https://agents.example",
        ...     now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32), settings=settings,
        ... )
        >>> out.activity["object"], out.activity["target"]
        ('https://agents.example/helper', 'https://other.example/helper')
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_kind(target, Mapping, "target")
    document = plain(target)
    target_id = document.get("id")
    if host_in(target_id) is None or target_id == author.id or type_in(document.get("type"), ACTORS) is None:
        raise UsageError("target must be the actor document of another account")
    if author.id not in map(reference, many(document.get("alsoKnownAs"))):
        raise UsageError(f"target must name the agent in alsoKnownAs: {author.id}")
    addressees = Addressees("followers", [author.followers], [])
    return outgoing(author, "Move", {"object": author.id, "target": target_id}, addressees=addressees, to=to)


def with_aliases(
    actor: Mapping[str, Any], *, also_known_as: Iterable[str] = (), moved_to: str | None = None
) -> dict[str, Any]:
    """An actor document that also names other accounts of the same agent.

    Args:
        actor: The document, as `actor` makes it.
        also_known_as: The ids of the accounts that the agent also has or had: one of them may `move` here.
        moved_to: The id of the account that the agent moved to.

    Raises:
        UsageError: One of them is no id of an actor.

    Spec: FEP-7628 (Move actor).

    Example:
        >>> document = {"@context": ["https://www.w3.org/ns/activitystreams"], "id": "https://agents.example/helper"}
        >>> with_aliases(document, moved_to="https://other.example/helper")["movedTo"]
        'https://other.example/helper'
    """
    check_kind(actor, Mapping, "actor")
    aliases = items_of(also_known_as, str, "also_known_as", what="ids of actors")
    if not all(host_in(one) is not None for one in (*aliases, *(() if moved_to is None else (moved_to,)))):
        raise UsageError("also_known_as is a list of ids of actors, and moved_to is one: https, on a DNS name")
    document: dict[str, Any] = plain(actor)
    members = ({"alsoKnownAs": aliases} if aliases else {}) | ({} if moved_to is None else {"movedTo": moved_to})
    terms = [terms_of(members)] if members else []
    return document | {"@context": [*many(document.get("@context")), *terms]} | members
