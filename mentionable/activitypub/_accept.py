"""The entry points `accept` and `reject`: what an agent answers to a follow and to other requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, Literal

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, check_kind
from .._flow.settings import Settings as BaseSettings
from ._activity import ReceivedActivity
from ._outgoing import Outgoing, outgoing
from ._read.json_ld import is_at, many, reference
from ._write.activity import Author, author_with
from ._write.context import context_of
from ._write.recipients import Addressees


def accept(
    received: ReceivedActivity, *, base: str, now: datetime, entropy: bytes, settings: BaseSettings = DEFAULTS
) -> Outgoing:
    """Makes the Accept of a Follow, Invite, Join, Offer or QuoteRequest that the agent received.

    It goes to the actor who asked, and names what they asked by its id, its actor and its object: servers find their
    request by these. Of a Follow, put `received.actor` into your followers. Of a QuoteRequest it also makes the stamp
    by which every server sees that the quote is approved; serve it as long as you approve: `delete` withdraws it.

    Args:
        received: The request, from `receive`.
        base: The `https://host` or `https://host/path` under which you serve documents, on the host of your actor. Ids
            are `<base>/activities/<uuid>`, and of a stamp `<base>/stamps/<uuid>`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: `activitypub.Settings` with the key that signs, which also says which actor this is.

    Returns:
        The Accept. Its `serve` also holds the stamp, whose id is `activity["result"]`.

    Raises:
        UsageError: An argument is of the wrong kind, or the request is not this agent's to answer: a follow of another
            actor, or a quote of a note on another host. Whether the note is by this agent is yours to check.

    Spec: ActivityPub §7.5, §7.6; FEP-044f.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, Verdict, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> received = activitypub.ReceivedActivity(
        ...     type="Follow", id="https://social.example/follows/1", actor=alice, authority="own",
        ...     object_ids=("https://agents.example/helper",), document={},
        ...     verdict=Verdict(method="ap-http-signature", verified=True, address=alice.address),
        ... )
        >>> accept(received, **args).activity["object"]["id"]
        'https://social.example/follows/1'
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    request = _request(received, author)
    if received.type != "QuoteRequest":
        return _answer(author, "Accept", {"object": request}, received)
    stamp = _stamp(received, author)
    return _answer(author, "Accept", {"object": request, "result": stamp["id"]}, received, {stamp["id"]: stamp})


def reject(
    received: ReceivedActivity, *, base: str, now: datetime, entropy: bytes, settings: BaseSettings = DEFAULTS
) -> Outgoing:
    """Makes the Reject of a Follow, Invite, Join, Offer or QuoteRequest that the agent received.

    Of a Follow that the agent accepted before, it removes the follower.

    Args:
        received: The request, from `receive`.
        base: As for `accept`.
        now: The time, aware.
        entropy: 32 random bytes or more; the same inputs give the same ids.
        settings: As for `accept`.

    Raises:
        UsageError: As `accept`.

    Spec: ActivityPub §7.7; FEP-044f.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey, Verdict, activitypub
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#main-key")
        >>> args = {"base": "https://agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> args["settings"] = activitypub.Settings(key=key)
        >>> alice = activitypub.Actor(
        ...     address="@alice@social.example", id="https://social.example/alice", inbox="https://social.example/inbox"
        ... )
        >>> received = activitypub.ReceivedActivity(
        ...     type="Follow", id="https://social.example/follows/1", actor=alice, authority="own",
        ...     object_ids=("https://agents.example/helper",), document={},
        ...     verdict=Verdict(method="ap-http-signature", verified=True, address=alice.address),
        ... )
        >>> [post.url for post in reject(received, **args).deliveries]
        ['https://social.example/inbox']
    """
    author = author_with(base, now=now, entropy=entropy, settings=settings)
    return _answer(author, "Reject", {"object": _request(received, author)}, received)


def _answer(
    author: Author,
    kind: Literal["Accept", "Reject"],
    members: Mapping[str, Any],
    received: ReceivedActivity,
    serve: Mapping[str, dict[str, Any]] | None = None,
) -> Outgoing:
    """The answer to a request, for the actor who made it."""
    to = received.actor
    return outgoing(author, kind, members, addressees=Addressees.direct(to.id), to=to, serve=serve)


def _request(received: ReceivedActivity, author: Author) -> dict[str, Any]:
    """The request as its server needs it to find it again, and nothing else of it.

    Raises:
        UsageError: It is of another type, or not this agent's to answer.
    """
    check_kind(received, ReceivedActivity, "received")
    is_asked = _IS_ASKED.get(received.type)
    if is_asked is None:
        raise UsageError(f"received is a {received.type}: accept and reject answer {', '.join(_IS_ASKED)}")
    if not is_asked(received, author):
        raise UsageError(f"received is not for this agent to answer: the key is that of {author.id}")
    ids = received.object_ids
    request = {
        "id": received.id,
        "type": received.type,
        "actor": received.actor.id,
        "object": ids[0] if len(ids) == 1 else [*ids],
    }
    if received.target_id is not None:
        request["instrument" if received.type == "QuoteRequest" else "target"] = received.target_id
    return request


def _stamp(received: ReceivedActivity, author: Author) -> dict[str, Any]:
    """The approval of a quote: it names the post that quotes, and the post that is quoted (FEP-044f)."""
    quoting, quoted = str(received.target_id), received.object_ids[0]
    stamp = {
        "id": author.new_id("stamps", quoting, quoted),
        "type": "QuoteAuthorization",
        "attributedTo": author.id,
        "interactingObject": quoting,
        "interactionTarget": quoted,
    }
    return {"@context": context_of(stamp), **stamp}


def _is_object(received: ReceivedActivity, author: Author) -> bool:
    return received.object_ids == (author.id,)


def _is_invited(received: ReceivedActivity, author: Author) -> bool:
    return author.id in (received.target_id, *received.object_ids)


def _is_one_here(received: ReceivedActivity, author: Author) -> bool:
    return len(received.object_ids) == 1 and _is_here(received, author)


def _is_here(received: ReceivedActivity, author: Author) -> bool:
    return all(is_at(one, author.host) for one in received.object_ids)


def _is_offered(received: ReceivedActivity, author: Author) -> bool:
    named = [reference(one) for member in ("target", "to") for one in many(received.document.get(member))]
    return author.id in (*named, *received.object_ids)


_IS_ASKED: Final[Mapping[str, Callable[[ReceivedActivity, Author], bool]]] = {
    "Follow": _is_object,
    "Invite": _is_invited,
    "Join": _is_here,
    "Offer": _is_offered,
    "QuoteRequest": _is_one_here,
}
"""The types that are answered → whether the agent is the one to do so."""
