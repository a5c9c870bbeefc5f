"""The recipients of an answer: the asker, and those whom the agent brings in; who may see it, and their inboxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..._errors.exceptions import UsageError
from ..._flow.settings import Limits
from ..._model.base import frozen, unchecked
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage
from ..._model.sender import Sender
from ..._transport.reply import check_siblings
from ..._transport.webfinger import ACTIVITY_JSON
from ..._wire.address import Address, is_canonical
from ..._wire.http import HttpRequest, is_web_url
from ..._wire.strict_json import plain
from .._auth.sign import sign
from .._read.documents import Actor as ReadActor
from .._read.json_ld import ADDRESSING, PUBLIC, Node, authority_of, host_in, host_of, is_at, many, read_node, reference
from .._read.object import PUBLIC_COLLECTION
from .._settings import Settings
from .question import Question

Visibility: TypeAlias = Literal["direct", "followers", "unlisted", "public"]
"""Who may see a note: those it is addressed to, an actor's followers too, or everyone."""

_NARROWEST_FIRST: Final[tuple[Visibility, ...]] = ("direct", "followers", "unlisted", "public")

_BY_SHARED_INBOX: Final[frozenset[Visibility]] = frozenset({"public", "unlisted"})


@frozen
class Actor:
    """An actor who can be written to, as `find_actor` returns it.

    Attributes:
        address: Their `@user@domain`, confirmed by the domain.
        id: The id of their actor.
        inbox: Where what is for them alone is delivered.
        shared_inbox: Where their server takes what is for many.
        name: What they call themselves.
        page: The page about them, on the same host.
    """

    address: str
    id: str
    inbox: str
    shared_inbox: str | None = None
    name: str | None = None
    page: str | None = None

    def __attrs_post_init__(self) -> None:
        address: Any = self.address
        page: Any = self.page
        if not isinstance(address, str) or not is_canonical(address):
            raise UsageError("Actor.address must be a canonical address: @user@domain")
        host = host_in(self.id)
        if host is None or self.id in PUBLIC:
            raise UsageError("Actor.id must be an https URL on the default port of a DNS name")
        if host_in(self.inbox) != host or (self.shared_inbox is not None and host_in(self.shared_inbox) != host):
            raise UsageError("Actor.inbox and Actor.shared_inbox must be https URLs on the host of the id")
        if page is not None and not (isinstance(page, str) and is_web_url(page)):
            raise UsageError("Actor.page must be an http or https URL")


_new_actor: Final = unchecked(Actor)


class Recipient(NamedTuple):
    """A recipient of an answer.

    Attributes:
        address: Theirs.
        id: The id of their actor.
        page: What a mention of them links to.
        inbox: Where to deliver; None when nothing says where.
        shared_inbox: Where their server takes what is for many.
    """

    address: Address
    id: str
    page: str
    inbox: str | None
    shared_inbox: str | None


def recipients_of(
    to: NormalizedMessage, question: Question, siblings: Iterable[Actor], *, own: str, limits: Limits
) -> list[Recipient]:
    """The recipients of the answer, each once, the asker first. The agent itself is no sibling.

    Raises:
        UsageError: `siblings` holds something else than actors, or too many.
    """
    actors = check_siblings(siblings, most=min(limits.recipients, limits.tags) - 1)
    if not all(isinstance(one, Actor) for one in actors):
        raise UsageError("siblings must be Actor values: drive(activitypub.find_actor(address), ...) gives them")
    recipients = {question.asker: _asker(to, question)}
    for one in actors:
        if one.id != own:
            recipients.setdefault(one.id, recipient_of(one))
    return list(recipients.values())


def recipient_of(actor: Actor) -> Recipient:
    """An actor as a recipient."""
    return Recipient(Address(actor.address), actor.id, actor.page or actor.id, actor.inbox, actor.shared_inbox)


def _asker(to: NormalizedMessage, question: Question) -> Recipient:
    """Who asked. Their page counts when it is of their own host: it is what a mention of them links to."""
    inbox, shared = _inboxes_in(question.actor, question.host)
    page = _own_page(to.sender, question.host) or question.asker
    return Recipient(Address(to.sender.address), question.asker, page, inbox, shared)


def actor_at(actor: ReadActor, *, address: str) -> Actor | None:
    """An actor whose document was read, under their confirmed address; None without an inbox."""
    actor_id: str = actor.document["id"]
    host = host_of(actor_id) or ""
    inbox, shared_inbox = _inboxes_in(actor.document, host)
    if inbox is None:
        return None
    return _new_actor(
        address=address,
        id=actor_id,
        inbox=inbox,
        shared_inbox=shared_inbox,
        name=actor.sender.display_name,
        page=_own_page(actor.sender, host),
    )


def _own_page(sender: Sender, host: str) -> str | None:
    """The page about a sender, where it is on their own host."""
    page = None if sender.profile is None else sender.profile.url
    return page if page is not None and authority_of(page) == host else None


def _inboxes_in(document: dict[str, Any], host: str) -> tuple[str | None, str | None]:
    """The inbox of an actor and the shared one of their server; None for each that is not of their origin.

    One to which no request can be signed is none either.
    """
    endpoints = document.get("endpoints")
    shared = endpoints.get("sharedInbox") if endpoints.__class__ is dict else None
    inbox, shared = (
        url if url.__class__ is str and is_at(url, host) and is_web_url(url) else None
        for url in (document.get("inbox"), shared)
    )
    return inbox, shared


class Addressees(NamedTuple):
    """The addressees of an activity.

    Attributes:
        visibility: Who may see it.
        to: Whom it is for.
        cc: Who may see it too.
    """

    visibility: Visibility
    to: list[str]
    cc: list[str]

    @classmethod
    def direct(cls, *ids: str) -> Addressees:
        """Those of an activity that is for these actors alone."""
        return cls("direct", [*ids], [])


def addressees_of_answer(question: Question, recipients: Sequence[Recipient]) -> Addressees:
    """The addressees of an answer: as many may see it as the question, and no more.

    In doubt it is direct, and always when the question had blind recipients: the answer would tell of them.

    An answer to what went to an actor's followers is addressed to the same followers, not to those of the agent.
    Their server may pass it on to them (ActivityPub §7.1.2).

    Spec: Normalized Message §3.3.1 (addressing).
    """
    collection = question.actor.get("followers")
    followers: str | None = collection if host_in(collection) == question.host else None
    # The narrower of activity and object decides; `audience` alone makes nothing public.
    holders = [holder for holder in (question.activity, question.document) if any(map(holder.raw.get, ADDRESSING))]
    levels = [_NARROWEST_FIRST.index(_visibility(holder, followers)) for holder in holders]
    visibility = _NARROWEST_FIRST[0 if question.blind else min(levels, default=0)]
    named = [recipient.id for recipient in recipients]
    if visibility == "public":
        return Addressees(visibility, [PUBLIC_COLLECTION, *named], [])
    if visibility == "unlisted":
        return Addressees(visibility, named, [PUBLIC_COLLECTION])
    return Addressees(visibility, named, [followers] if visibility == "followers" and followers is not None else [])


def _visibility(holder: Node, followers: str | None) -> Visibility:
    """Who may see an activity or an object, by its own `to` and `cc`."""
    to, cc = ({reference(entry) for entry in entries} for entries in (holder.to, holder.cc))
    if not PUBLIC.isdisjoint(to):
        return "public"
    if not PUBLIC.isdisjoint(cc):
        return "unlisted"
    return "followers" if followers is not None and followers in to | cc else "direct"


def is_for(document: Mapping[str, Any], actor: str) -> bool:
    """Whether a document of the agent is for one actor alone."""
    return many(document.get("to")) == [actor] and not any(map(document.get, ("cc", "bto", "bcc", "audience")))


def addressees_of(document: Mapping[str, Any]) -> Addressees:
    """The addressees of a document of the agent, by its own `to` and `cc`.

    Raises:
        UsageError: One of its addressees is no id.
    """
    node = read_node({name: plain(document[name]) for name in ("to", "cc") if name in document})
    to, cc = [*node.to], [*node.cc]
    if not all(isinstance(one, str) for one in (*to, *cc)):
        raise UsageError("to and cc of the document must hold ids")
    # What is for followers needs no other way than what is for some: no shared inbox.
    return Addressees(_visibility(node, None), to, cc)


def inboxes_for(recipients: Sequence[Recipient], visibility: Visibility) -> tuple[list[str], list[Diagnostic]]:
    """The inboxes to deliver to, each once; and a diagnostic for each person without one.

    A shared inbox is for what is public. What is for a few goes to their own inboxes: there the server need not guess
    which of its users it is for (ActivityPub §7.1.3).
    """
    inboxes: dict[str, None] = {}
    diagnostics: list[Diagnostic] = []
    for recipient in recipients:
        inbox = recipient.shared_inbox if visibility in _BY_SHARED_INBOX and recipient.shared_inbox else recipient.inbox
        if inbox is None:
            detail = f"the actor document of {recipient.address} names no inbox of its own host"
            diagnostics.append(Diagnostic(code="undeliverable", at="/to", detail=detail))
        else:
            inboxes[inbox] = None
    return list(inboxes), diagnostics


def inboxes_of(to: Actor | Iterable[Actor | str], *, visibility: Visibility) -> list[str]:
    """The inboxes of actors, and inboxes themselves, each once: what is public goes to shared inboxes.

    Raises:
        UsageError: `to` is something else.
    """
    if isinstance(to, str) or not isinstance(to, Actor | Iterable):
        raise UsageError("to is an Actor, or a list of actors and of URLs of inboxes; one URL is a list of one")
    inboxes: dict[str, None] = {}
    for one in [to] if isinstance(to, Actor) else to:
        if isinstance(one, Actor):
            shared = one.shared_inbox if visibility in _BY_SHARED_INBOX else None
            inboxes[shared or one.inbox] = None
        elif host_in(one) is not None and "#" not in one:
            inboxes[one] = None
        else:
            raise UsageError("to holds Actor values and URLs of inboxes: https, on the default port of a DNS name")
    return [*inboxes]


def deliveries_to(inboxes: Iterable[str], body: bytes, *, settings: Settings, now: datetime) -> tuple[HttpRequest, ...]:
    """The POSTs of an activity to inboxes, signed when there is a key."""
    headers, key = (("content-type", ACTIVITY_JSON),), settings.key
    posts = [HttpRequest(method="POST", url=inbox, headers=headers, body=body) for inbox in inboxes]
    return tuple(posts if key is None else [sign(post, key=key, now=now, form=settings.form) for post in posts])
