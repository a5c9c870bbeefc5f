"""Where to write to a person other than in answer to what they have just written.

A transport answers messages. So it gets the newest one that the person wrote there, under an id of its own: what goes
out then is neither taken for the answer to that message nor sent twice. Where they never wrote, and the transport makes
a first contact, it gets a message that stands for one.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

from attrs import frozen
from mentionable import (
    Channel,
    NormalizedMessage,
    Rejected,
    UsageError,
    activitypub,
    adrive,
    first_contact,
    replace,
)
from sqlalchemy import Connection, select

from mentionable_host.receiving import answers_of
from mentionable_host.store import messages
from mentionable_host.store.tables import people
from mentionable_host.store.uses import Uses

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Elsewhere", "Place", "place_on", "where_they_wrote"]

log = logging.getLogger(__name__)

TRANSPORTS: Final[dict[Channel, str]] = {"activitypub": "activitypub", "email": "mail", "a2a": "a2a"}
"""Protocol → the transport of the host."""

ANSWER_ONLY: Final = frozenset({"a2a", "rest"})
"""Transports whose answers go back to who waits for them: nothing can be written there later."""


@frozen(kw_only=True)
class Elsewhere:
    """Where an answer is to go instead.

    Attributes:
        channel: The protocol.
        person: Who it is there.
        is_known: Whether the program says so; else they must have written there, and been verified.
        subject: Of a mail, where there is none to answer.
    """

    channel: Channel
    person: str
    is_known: bool
    subject: str | None = None


@frozen(kw_only=True)
class Place:
    """What a transport is given to write to a person.

    Attributes:
        transport: Its name.
        message: What it answers. It is not stored.
    """

    transport: str
    message: NormalizedMessage


async def place_on(host: Host, to: Elsewhere, *, key: str) -> Place | None:
    """Where a person is written to over a protocol; None: there is no way.

    Args:
        host: The host.
        to: Whom, and by which protocol.
        key: What it is about: the same gives the same ids, so that a job that runs twice sends one message.
    """
    name = TRANSPORTS[to.channel]
    if name not in host.transports or name in ANSWER_ONLY:
        return None
    found = await host.database.read(lambda db: _place(db, host, to.person, transport=name, key=key))
    if found is not None or not to.is_known:
        return found
    return await _first_contact(host, to, key=key)


async def where_they_wrote(host: Host, person: str, *, key: str) -> Place | None:
    """Where a person is written to: on the transport where they last wrote, of those that can."""

    def look(db: Connection) -> Place | None:
        last = db.execute(select(people.c.transport).where(people.c.address == person)).scalar()
        names = sorted(host.transports.keys() - ANSWER_ONLY, key=lambda name: (name != last, name))
        places = (_place(db, host, person, transport=name, key=key) for name in names)
        return next((place for place in places if place is not None), None)

    return await host.database.read(look)


def _place(db: Connection, host: Host, person: str, *, transport: str, key: str) -> Place | None:
    """The newest message of a person on a transport, under an id of its own."""
    found = messages.latest_of(db, person, agent=host.address, transport=transport)
    if found is None or not isinstance(found.value, NormalizedMessage) or not found.value.answerable:
        return None
    return Place(transport=transport, message=replace(found.value, id=str(uuid5(NAMESPACE_URL, f"{transport} {key}"))))


async def _first_contact(host: Host, to: Elsewhere, *, key: str) -> Place | None:
    """A message that stands for one that never came."""
    person: str | activitypub.Actor = to.person
    if to.channel == "activitypub":
        found = await adrive(activitypub.find_actor(to.person), answers_of(host, Uses()), gather=asyncio.gather)
        if isinstance(found, Rejected):
            log.warning("the actor of %r is not found: %s", to.person, found.code)
            return None
        person = found
    subject = (to.subject or f"From {host.config.agent.display_name or host.address}") if to.channel == "email" else ""
    try:
        first = first_contact(
            person,
            channel=to.channel,
            agent=host.address,
            subject=subject,
            now=host.world.now(),
            entropy=host.world.entropy(),
        )
    except UsageError as error:  # the program gave an address that is none
        log.error("nobody can be written to there: %s", error)
        return None
    name, own = TRANSPORTS[to.channel], str(uuid5(NAMESPACE_URL, f"{to.channel} {key}"))
    return Place(transport=name, message=replace(first, id=own, thread_id=f"urn:uuid:{own}"))
