"""Who may do what: an activity counts only when its actor may say so, and a valid signature alone does not show that.

Spec: FEP-fe34 (origin-based security); ActivityPub §6, §7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, NoReturn, TypeAlias

from .._errors.exceptions import wire_error
from .._flow.asks import Fetch, Fetched
from .._flow.flow import Failed, Flow, ask_each
from .._flow.settings import Limits
from .._model.stored_message import StoredMessage
from .._wire.http import is_fetchable_url
from ._activity import Authority
from ._read.documents import Actor, Unreadable, fetch, read_actor, read_document
from ._read.event import WITH_INNER, Event, InnerActivity, read_inner
from ._read.json_ld import ActivityType, is_at, many, reference, without_fragment
from ._read.object import Activity, ActivityHead

RULES: Final[Mapping[ActivityType, tuple[Authority, ...]]] = {
    **dict.fromkeys(
        (
            *("Announce", "Block", "Dislike", "EmojiReact", "Flag", "Follow", "Ignore", "Invite", "Join", "Leave"),
            *("Like", "Listen", "Offer", "QuoteRequest", "Read", "View", "Vote"),
        ),
        ("own",),
    ),
    **dict.fromkeys(("Accept", "Reject", "TentativeAccept", "TentativeReject"), ("object",)),
    **dict.fromkeys(("Move", "Update"), ("self",)),
    **dict.fromkeys(("Add", "Remove"), ("collection",)),
    "Delete": ("self", "author", "gone"),
    "Undo": ("author",),
}
"""Type → what gives an actor the authority to do this."""

_FOR_TARGETS: Final = frozenset({"Invite", "Offer"})
"""The types whose target is asked, and answers."""

_COLLECTIONS: Final = ("featured", "featuredTags", "outbox", "followers", "following", "liked", "streams")
"""The members of an actor document that name collections of the actor's own."""

MAX_ASKS: Final = 2
"""The largest number of documents that an authority asks for: both accounts of a Move, or the inner activity."""


_IsOwn: TypeAlias = Callable[[StoredMessage], bool]
"""Whether the actor wrote a stored message."""


class Authorized(NamedTuple):
    """Why an actor may do what an activity says.

    Attributes:
        authority: Why.
        inner: The activity inside it, embedded or fetched.
        stored: Agent → the stored message that it is about.
    """

    authority: Authority
    inner: InnerActivity | None
    stored: Mapping[str, StoredMessage]


def check_claims(event: Event, head: ActivityHead) -> None:
    """Raises when an activity says itself that it is about what is another's: for that nothing need be asked.

    Raises:
        WireError: `owner-mismatch`, `origin-mismatch`.
    """
    inner = event.inner
    if event.type == "Undo" and inner is not None:
        if inner.actor_id != head.actor:
            _refuse("the activity that is undone is of another actor")
        if inner.id is not None and not is_at(inner.id, head.host):
            raise wire_error("origin-mismatch", "/object/id", "the activity that is undone is of another origin")
    if event.type in ("Update", "Move") and event.object_ids not in ((), (head.actor,)):
        _refuse("it is about another actor")
    if event.type == "Delete" and not is_at(event.object_ids[0], head.host):
        # Who writes is on the host of what they write. Nothing is asked, so that no attacker learns what is stored.
        raise wire_error("origin-mismatch", "/object", "what is deleted is of another origin than the actor")


def authorize(
    event: Event,
    activity: Activity,
    actor: Actor,
    *,
    address: str,
    stored: Mapping[str, Mapping[str, StoredMessage]],
    limits: Limits,
) -> Flow[Fetch, Authorized]:
    """Why the verified actor of an activity may do what it says.

    Args:
        event: What it says; `check_claims` has passed it.
        activity: The activity.
        actor: The actor, by the document that verified them.
        address: The verified address of the actor.
        stored: Id → agent → the message that is stored under it.
        limits: The bounds.

    Raises:
        WireError: `owner-mismatch`: it is about what another wrote. `authority-unproven`: nothing shows that the actor
            may do this. `lookup-failed`: that could not be looked up just now.
    """
    authority, *_ = RULES[event.type]
    rows: Mapping[str, StoredMessage] = {
        agent: row for one in event.object_ids for agent, row in stored.get(one, {}).items()
    }
    inner, own = event.inner, activity.head.actor

    def is_own(row: StoredMessage) -> bool:
        return row.is_by(address, claimed=actor.sender.address)

    if event.type in WITH_INNER and inner is None:
        inner = yield from _fetched_inner(event, activity.head.host, limits)
    match event.type:
        case "Delete" if event.object_ids != (own,):
            authority, rows = "author", _by_author(rows, is_own)
        case "Undo":
            rows = _undone(inner, own, stored, is_own)
        case "Accept" | "Reject" | "TentativeAccept" | "TentativeReject":
            rows = _answered(inner, own, stored, is_own)
        case "Move":
            yield from _check_move(event, own, limits)
        case "Add" | "Remove":
            named = {reference(actor.document.get(name)) for name in _COLLECTIONS}
            # An actor document may name anything: the collection of another server is not the actor's for that.
            if event.target_id not in named or not is_at(event.target_id or "", activity.head.host):
                _unproven("the collection is none that the actor document names on its own host")
        case "QuoteRequest":
            if not all(map(is_own, stored.get(event.target_id or "", {}).values())):
                _refuse("the post that wants to quote was written by another")
    return Authorized(authority, inner, rows)


def _by_author(rows: Mapping[str, StoredMessage], is_own: _IsOwn) -> dict[str, StoredMessage]:
    """Those of the stored messages that the actor wrote; they are verified, whatever was verified then."""
    own = {agent: row for agent, row in rows.items() if is_own(row)}
    if not own:
        _refuse("what it is about was written by another")
    return own


def _undone(
    inner: InnerActivity | None, actor_id: str, stored: Mapping[str, Mapping[str, StoredMessage]], is_own: _IsOwn
) -> Mapping[str, StoredMessage]:
    """The stored messages that an undone activity was about.

    An embedded activity is the word of the actor about itself: its id may be that of what another did.
    """
    if inner is None:
        _unproven("what is undone cannot be read")
    if inner.actor_id != actor_id:
        _refuse("the activity that is undone is of another actor")
    if inner.id is not None and not all(map(is_own, stored.get(inner.id, {}).values())):
        _refuse("the activity that is undone was stored as that of another actor")
    return {} if inner.object_id is None else stored.get(inner.object_id, {})


def _answered(
    inner: InnerActivity | None, actor_id: str, stored: Mapping[str, Mapping[str, StoredMessage]], is_own: _IsOwn
) -> Mapping[str, StoredMessage]:
    """The stored messages that an accepted or rejected activity was about.

    The actor is its object, or the target of what was offered to them, or wrote the object.
    """
    if inner is None or inner.object_id is None:
        _unproven("what is answered cannot be read")
    targets = many(inner.document.get("target")) if inner.type in _FOR_TARGETS else ()
    if inner.object_id == actor_id or [*map(reference, targets)] == [actor_id]:
        return {}
    rows = {agent: row for agent, row in stored.get(inner.object_id, {}).items() if is_own(row)}
    if not rows:
        _unproven("the actor was not asked for what is answered")
    return rows


def _fetched_inner(event: Event, host: str, limits: Limits) -> Flow[Fetch, InnerActivity | None]:
    """The activity that is only named, from its origin; None when it cannot be had. What is undone is on `host`."""
    iri = event.object_ids[0]
    if not (is_at(iri, host) if event.type == "Undo" else is_fetchable_url(iri)):
        return None
    url = without_fragment(iri)
    document = read_document((yield from fetch(url, "activity", limits=limits)), url, limits=limits)
    if isinstance(document, Unreadable):
        if document.temporary:
            raise wire_error("lookup-failed", "/object", f"the activity: {document.reason}")
        return None
    return read_inner(document, limits) if document["id"] == iri else None


def _check_move(event: Event, own: str, limits: Limits) -> Flow[Fetch, None]:
    """Raises unless the old account names the new one, and the new one the old one, each by its newest document."""
    target = event.target_id or ""
    if not is_fetchable_url(target):
        _unproven("the new account has no id that may be asked for")
    asks = [fetch(one, "actor", fresh=True, limits=limits) for one in (own, target)]
    answers = yield from ask_each(asks)
    old, new = (_newest(answer, ask.url, limits) for answer, ask in zip(answers, asks, strict=True))
    if reference(old.document.get("movedTo")) != target:
        _unproven("the old account does not name the new one")
    if own not in map(reference, many(new.document.get("alsoKnownAs"))):
        _unproven("the new account does not name the old one")


def _newest(answer: Fetched | Failed, actor_id: str, limits: Limits) -> Actor:
    actor = read_actor(answer, actor_id, limits)
    if isinstance(actor, Unreadable):
        if actor.temporary:
            raise wire_error("lookup-failed", "/target", f"an actor document: {actor.reason}")
        _unproven(f"an actor document: {actor.reason}")
    return actor


def _refuse(detail: str) -> NoReturn:
    raise wire_error("owner-mismatch", "/object", detail)


def _unproven(detail: str) -> NoReturn:
    raise wire_error("authority-unproven", "/object", detail)
