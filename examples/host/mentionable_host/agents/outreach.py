"""Where to write to a person other than in answer to what they have just written.

A transport answers messages, so it gets one that stands for a message that never came: a first contact, also where the
person wrote before. An answer to what they wrote could reach others: who stands in Reply-To, or reads a public note.
The mail of a first contact goes to their mailbox alone, and its note is direct.
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
from sqlalchemy import select

from mentionable_host.lookups import answers_of
from mentionable_host.store import messages
from mentionable_host.store.tables import people
from mentionable_host.store.uses import Uses

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["ANSWER_ONLY", "Elsewhere", "Place", "place_on", "where_they_are_alone"]

log = logging.getLogger(__name__)

TRANSPORTS: Final[dict[Channel, str]] = {"activitypub": "activitypub", "email": "email"}
"""Protocol → the transport of the host that writes to people by it. Over A2A and HTTP, answers wait for who asked."""

ANSWER_ONLY: Final = frozenset({"a2a", "rest", "slack", "discord", "bluebubbles"})
"""Transports whose answers go back to whoever waits for them, or to the account that wrote, and to nobody else."""


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
    """Where a person is written to over a protocol, so that nobody else reads it; None: there is no way.

    Args:
        host: The host.
        to: Whom, and by which protocol.
        key: What it is about: the same gives the same ids, so that a job that runs twice sends one message.
    """
    name = TRANSPORTS.get(to.channel)
    if name is None or name not in host.transports:
        return None
    if not to.is_known and not await host.database.read(
        lambda db: messages.wrote_over(db, to.person, agent=host.address, transport=name)
    ):
        return None
    return await _first_contact(host, to, key=key)


async def where_they_are_alone(host: Host, person: str, *, key: str, subject: str) -> Place | None:
    """Where a person is written to without having asked: on the transport where they last wrote, of those that can."""
    last = await host.database.read(
        lambda db: db.execute(select(people.c.transport).where(people.c.address == person)).scalar()
    )
    for channel in sorted(TRANSPORTS, key=lambda channel: (TRANSPORTS[channel] != last, channel)):
        place = await place_on(
            host, Elsewhere(channel=channel, person=person, is_known=False, subject=subject), key=key
        )
        if place is not None:
            return place
    return None


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
    own = str(uuid5(NAMESPACE_URL, f"{to.channel} {key}"))
    return Place(transport=TRANSPORTS[to.channel], message=replace(first, id=own, thread_id=f"urn:uuid:{own}"))
