"""The entry points `follow`, `block`, `like` and `announce`: what an agent does in its own name."""

from __future__ import annotations

from datetime import datetime

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, check_kind
from .._flow.settings import Settings as BaseSettings
from ._outgoing import Outgoing, outgoing
from ._write.activity import Author, author_with, check_object_id
from ._write.audience import Audience, addressees_for
from ._write.recipients import Actor, Addressees


def follow(to: Actor, *, base: str, now: datetime, entropy: bytes, settings: BaseSettings = DEFAULTS) -> Outgoing:
    """Makes the Follow of an actor. It counts once their Accept has come, which names it; `undo` ends it.

    Args:
        to: The actor to follow, from `find_actor`.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor. Ids
            are `<base>/activities/<uuid>`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: `activitypub.Settings` with the key that signs, which also says which actor this is.

    Raises:
        UsageError: An argument is of the wrong kind, or `to` is the agent itself.

    Spec: ActivityPub §6.5, §7.5.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> out = follow(alice, **args)
        >>> out.activity["object"], [post.url for post in out.deliveries]
        ('https://social.example/alice', ['https://social.example/inbox'])
    """
    return _to_actor("Follow", to, author_with(base, now=now, entropy=entropy, settings=settings))


def block(to: Actor, *, base: str, now: datetime, entropy: bytes, settings: BaseSettings = DEFAULTS) -> Outgoing:
    """Makes the Block of an actor: their server stops what is between them and the agent; `undo` ends it.

    Refuse by yourself what they send. To tell their server is your choice: it shows people that they are blocked.

    Args:
        to: The actor to block.
        base: As for `follow`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `follow`.

    Raises:
        UsageError: As `follow`.

    Spec: ActivityPub §6.9.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> block(alice, **args).activity["type"]
        'Block'
    """
    return _to_actor("Block", to, author_with(base, now=now, entropy=entropy, settings=settings))


def like(
    object_id: str, *, to: Actor, base: str, now: datetime, entropy: bytes, settings: BaseSettings = DEFAULTS
) -> Outgoing:
    """Makes the Like of an object, for its author alone; `undo` ends it.

    Args:
        object_id: What the agent likes: the id of a note, which is the `native_id` of a message.
        to: Its author.
        base: As for `follow`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `follow`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: ActivityPub §6.8.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> like("https://social.example/objects/1", to=alice, **args).activity["object"]
        'https://social.example/objects/1'
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_object_id(object_id, "object_id", author)
    check_kind(to, Actor, "to")
    return outgoing(author, "Like", {"object": object_id}, addressees=Addressees.direct(to.id), to=to)


def announce(
    object_id: str,
    *,
    audience: Audience,
    base: str,
    now: datetime,
    entropy: bytes,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Announce of an object, which passes it on to the agent's followers; `undo` ends it.

    Announce only what is public: everyone who gets it asks for the object.

    Args:
        object_id: What is passed on: the id of a note.
        audience: Its readers; `actors` hold the author, who so hears of it.
        base: As for `follow`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `follow`.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: ActivityPub §7.11.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> audience = activitypub.Audience(actors=(alice,), followers=("https://other.example/inbox",))
        >>> out = announce("https://social.example/objects/1", audience=audience, **args)
        >>> [post.url for post in out.deliveries]
        ['https://social.example/inbox', 'https://other.example/inbox']
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_object_id(object_id, "object_id", author)
    check_kind(audience, Audience, "audience")
    addressees = addressees_for(audience, followers=author.followers, limits=author.settings.limits)
    return outgoing(author, "Announce", {"object": object_id}, addressees=addressees, to=audience.to)


def _to_actor(kind: str, to: Actor, author: Author) -> Outgoing:
    """An activity about one actor, which is for them alone."""
    check_kind(to, Actor, "to")
    if to.id == author.id:
        raise UsageError("to is the agent itself")
    return outgoing(author, kind, {"object": to.id}, addressees=Addressees.direct(to.id), to=to)
