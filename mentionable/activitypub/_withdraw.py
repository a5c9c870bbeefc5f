"""The entry points `undo` and `delete`: an agent takes back what it did, and what it wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, check_kind
from .._flow.settings import Settings as BaseSettings
from .._wire.strict_json import plain
from .._wire.time import format_time
from ._outgoing import Outgoing, outgoing
from ._read.json_ld import OBJECTS
from ._write.activity import Author, author_with
from ._write.context import context_of
from ._write.recipients import Actor, Addressees, addressees_of

_UNDONE: Final = ("Accept", "Announce", "Block", "Follow", "Like")
"""What can be undone: every server knows these, and a note is deleted instead."""

_DELETED: Final = OBJECTS | {"QuoteAuthorization"}
_ENVELOPE: Final = frozenset({"@context", "proof", "signature"})
"""Members of a document that the activity around it has itself."""


def undo(
    activity: Mapping[str, Any],
    *,
    to: Actor | Iterable[Actor | str],
    base: str,
    now: datetime,
    entropy: bytes,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Undo of a Follow, Block, Like, Announce or Accept of the agent. A note is withdrawn with `delete`.

    It is addressed as the activity was. A Tombstone takes the place of the activity.

    Args:
        activity: What is undone, as it is served: `out.serve[out.native_id]`.
        to: Where it goes: the actors, or the URLs of the inboxes that the activity went to.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: `activitypub.Settings` with the key that signs, which also says which actor this is.

    Raises:
        UsageError: An argument is of the wrong kind, or the activity is of another type or of another actor.

    Spec: ActivityPub §6.10, §7.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> followed = activitypub.follow(alice, **args)
        >>> out = undo(followed.serve[followed.native_id], to=alice, **args)
        >>> out.activity["object"]["id"] == followed.native_id
        True
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_kind(activity, Mapping, "activity")
    if activity.get("type") not in _UNDONE:
        raise UsageError(f"activity must be one of {', '.join(_UNDONE)}")
    if not author.wrote(activity, "actor"):
        raise UsageError(f"activity is not by this agent: the key is that of {author.id}")
    addressees = addressees_of(activity)
    undone = _without(activity, _ENVELOPE)
    serve = _tombstones({activity["id"]: activity["type"]}, addressees, author)
    return outgoing(author, "Undo", {"object": undone}, addressees=addressees, to=to, serve=serve)


def delete(
    note: Mapping[str, Any],
    *,
    to: Actor | Iterable[Actor | str],
    base: str,
    now: datetime,
    entropy: bytes,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """Makes the Delete of a note of the agent: an answer, a post, a poll, or the stamp of a quote.

    It is addressed as the note was, and so is the Tombstone that takes its place: who could see the note may know that
    it is gone. Give it every inbox that the note and its updates were delivered to; of people who forwarded it you
    know nothing.

    Args:
        note: What is withdrawn, as it is served: `out.serve[out.native_id]`.
        to: Where it goes: actors, or the URLs of inboxes such as `[post.url for post in out.deliveries]`.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: `activitypub.Settings` with the key that signs, which also says which actor this is.

    Returns:
        The Delete. Its `serve` holds the Tombstones of the note and of its Create, which `document_response` answers
        with 410. Serve no more what has an id of `<id of the note>/updates/`, nor the files that only this note has.

    Raises:
        UsageError: An argument is of the wrong kind, or the note is not by this agent.

    Spec: ActivityPub §6.4, §7.4; Activity Vocabulary §3.1 (Tombstone).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> note = {"id": "https://agents.example/objects/1", "type": "Note"}
        >>> note |= {"attributedTo": "https://agents.example/helper", "to": ["https://social.example/alice"]}
        >>> out = delete(note, to=["https://social.example/inbox"], **args)
        >>> out.activity["object"]["type"], out.activity["to"]
        ('Tombstone', ['https://social.example/alice'])
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    check_kind(note, Mapping, "note")
    if note.get("type") not in _DELETED or not author.wrote(note, "attributedTo"):
        raise UsageError(f"note is not a note by this agent: the key is that of {author.id}")
    addressees, note_id, kind = addressees_of(note), note["id"], note["type"]
    gone = {note_id: kind} if kind not in OBJECTS else {note_id: kind, f"{note_id}/activity": "Create"}
    serve = _tombstones(gone, addressees, author)
    tombstone = _without(serve[note_id], _ENVELOPE)
    return outgoing(author, "Delete", {"object": tombstone}, addressees=addressees, to=to, serve=serve)


def _tombstones(gone: Mapping[str, str], addressees: Addressees, author: Author) -> dict[str, dict[str, Any]]:
    """Id → the Tombstone of what had this id and type, for those who could see it."""
    return {
        one: {
            "@context": context_of({"type": kind}),
            "id": one,
            "type": "Tombstone",
            "formerType": kind,
            "deleted": format_time(author.now),
            # A document that names no recipients, such as a stamp, is for everyone: so is its Tombstone.
            **({"to": addressees.to, "cc": addressees.cc} if addressees.to or addressees.cc else {}),
        }
        for one, kind in gone.items()
    }


def _without(document: Mapping[str, Any], members: frozenset[str]) -> dict[str, Any]:
    return {name: member for name, member in plain(document).items() if name not in members}
