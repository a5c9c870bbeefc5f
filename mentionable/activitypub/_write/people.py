"""Whom an answer is for: who asked, and whom the agent brings in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Limits
from ..._model.base import record
from ..._model.message import NormalizedMessage
from ..._transport.reply import check_siblings
from ..._wire.address import Address, is_canonical
from ..._wire.http import is_web_url
from .._read.iri import PUBLIC, authority_of, host_in, is_at
from .question import Question


@record
class Actor:
    """Somebody who can be written to, as `find_actor` found them.

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
        given: tuple[Any, ...] = (self.address, self.page)
        if not isinstance(given[0], str) or not is_canonical(given[0]):
            raise UsageError("Actor.address must be a canonical address: @user@domain")
        host = host_in(self.id)
        if host is None or self.id in PUBLIC:
            raise UsageError("Actor.id must be an https URL on the default port of a DNS name")
        if host_in(self.inbox) != host or (self.shared_inbox is not None and host_in(self.shared_inbox) != host):
            raise UsageError("Actor.inbox and Actor.shared_inbox must be https URLs on the host of the id")
        if given[1] is not None and not (isinstance(given[1], str) and is_web_url(given[1])):
            raise UsageError("Actor.page must be an http or https URL")


class Person(NamedTuple):
    """Somebody whom an answer is for.

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


def people_of(
    to: NormalizedMessage, question: Question, siblings: Iterable[Actor], *, own: str, limits: Limits
) -> list[Person]:
    """Everybody whom the answer is for, each once: who asked comes first. The agent itself is no sibling.

    Raises:
        UsageError: `siblings` holds something else than actors, or too many.
    """
    most = min(limits.recipients, limits.tags) - 1
    actors = check_siblings(siblings, most=most)
    if not all(isinstance(one, Actor) for one in actors):
        raise UsageError("siblings must be Actor values: drive(activitypub.find_actor(address), ...) gives them")
    people = {question.asker: _asker(to, question)}
    for one in actors:
        if one.id != own:
            person = Person(Address(one.address), one.id, one.page or one.id, one.inbox, one.shared_inbox)
            people.setdefault(one.id, person)
    return list(people.values())


def _asker(to: NormalizedMessage, question: Question) -> Person:
    """Who asked. Their page counts when it is of their own host: it is what a mention of them links to."""
    profile = to.sender.profile
    page = None if profile is None else profile.url
    if page is None or authority_of(page) != question.host:
        page = question.asker
    inbox, shared = inboxes_in(question.actor, question.host)
    return Person(Address(to.sender.address), question.asker, page, inbox, shared)


def inboxes_in(document: dict[str, Any], host: str) -> tuple[str | None, str | None]:
    """The inbox of an actor and the shared one of their server; None for each that is not of their origin."""
    endpoints = document.get("endpoints")
    shared = endpoints.get("sharedInbox") if endpoints.__class__ is dict else None
    inbox, shared = (
        url if url.__class__ is str and is_at(url, host) else None for url in (document.get("inbox"), shared)
    )
    return inbox, shared
