"""Where the agent writes to a person without answering what they have just written, so that they alone read it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from attrs import frozen
from mentionable import Channel, NormalizedMessage, Rejected, UsageError, activitypub
from sqlalchemy import select

from mentionable_host import first_contact
from mentionable_host.store import messages
from mentionable_host.store.tables import people

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["ANSWER_ONLY", "Elsewhere", "first_message", "where_they_are_alone"]

log = logging.getLogger(__name__)

ANSWER_ONLY: Final = frozenset({"a2a", "chat", "rest", "slack", "discord", "bluebubbles"})
"""Transports whose answers go back to whoever waits for them, or to the account that wrote, and no one else."""


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


async def first_message(host: Host, to: Elsewhere, *, key: str) -> NormalizedMessage | None:
    """What a transport answers to write to a person; None: there is no way to them.

    Args:
        host: The host.
        to: Who it is, and by which protocol.
        key: As for `first_contact.begin`.
    """
    if to.channel not in first_contact.CHANNELS or to.channel not in host.transports:
        return None
    if not to.is_known and not await host.database.read(
        lambda db: messages.wrote_over(db, to.person, agent=host.address, transport=to.channel)
    ):
        return None
    person: str | activitypub.Actor | Rejected = to.person
    if to.channel == "activitypub":
        person = await host.drive(activitypub.find_actor(to.person))
    if isinstance(person, Rejected):
        log.warning("the actor of %r is not found: %s", to.person, person.code)
        return None
    subject = (to.subject or f"From {host.config.agent.display_name or host.address}") if to.channel == "email" else ""
    try:
        return first_contact.begin(host, person, channel=to.channel, subject=subject, key=key)
    except UsageError as error:  # the program gave an address that is none
        log.error("the person cannot be written to: %s", error)
        return None


async def where_they_are_alone(host: Host, person: str, *, key: str, subject: str) -> NormalizedMessage | None:
    """As `first_message`, to who did not ask: on the transport where they last wrote, of those that can."""
    last = await host.database.read(
        lambda db: db.execute(select(people.c.transport).where(people.c.address == person)).scalar()
    )
    for channel in sorted(first_contact.CHANNELS, key=lambda one: (one != last, one)):
        to = Elsewhere(channel=channel, person=person, is_known=False, subject=subject)
        first = await first_message(host, to, key=key)
        if first is not None:
            return first
    return None
