"""First contacts: the agent writes to a person without answering what they wrote.

A transport answers messages, so it gets one in place of a message that never came, also where the person wrote before.
An answer to what they wrote could reach others: whoever is in Reply-To, or reads a public note. The mail of a first
contact goes to their mailbox alone, and its note is direct.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

from attrs import evolve
from mentionable import Channel, NormalizedMessage, NormalizedResponse, UsageError, activitypub, first_contact, replace

from mentionable_host.transports.transport import Written

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["CHANNELS", "begin", "in_own_thread", "write"]

CHANNELS: Final[tuple[Channel, ...]] = ("activitypub", "email")
"""The protocols by which people are written to, which are the names of transports, too. Over A2A and HTTP, answers wait
for who asked."""


def begin(
    host: Host, person: str | activitypub.Actor, *, channel: Channel, subject: str = "", key: str | None = None
) -> NormalizedMessage:
    """What a transport answers to write to a person first. It is not stored.

    Args:
        host: The host.
        person: The recipient: an address for mail, an actor for the Fediverse.
        channel: By which protocol.
        subject: Of a mail.
        key: What it is about: the same gives the same ids, so that a job that runs twice sends one message.

    Raises:
        UsageError: The address is none, the transport is not configured, or the subject is missing or too long.
    """
    if channel not in host.transports:
        raise UsageError(f"{channel} is not configured")
    now, entropy = host.world.now(), host.world.entropy()
    first = first_contact(person, channel=channel, agent=host.address, subject=subject, now=now, entropy=entropy)
    if key is None:
        return first
    return replace(first, id=str(uuid5(NAMESPACE_URL, f"{channel} {key}")))


async def write(host: Host, response: NormalizedResponse | str, *, to: NormalizedMessage) -> Written:
    """A first contact as its transport writes it.

    Args:
        host: The host.
        response: What it says; a string is Markdown.
        to: As `begin` gives it.

    Raises:
        MentionableError: The transport cannot write it.
    """
    if isinstance(response, str):
        response = NormalizedResponse.to(to, response)
    if response.streaming is not None:
        raise UsageError("a first contact is sent whole")
    own = replace(response, reply_to=to.id, push_back=None)
    written = await host.transport(to.received_via).write(own, to=to)
    return evolve(written, to=in_own_thread(to, written.reply.native_ids[0]))


def in_own_thread(to: NormalizedMessage, native_id: str) -> NormalizedMessage:
    """What is answered, in the thread that a first contact begins: what people answer to it is in that of its own id.

    Args:
        to: A first contact; any other message is in its thread already, and returned as it is.
        native_id: The id under which the protocol knows what goes out.
    """
    is_first = isinstance(to.raw, Mapping) and to.raw.get("first_contact") is True
    return replace(to, thread_id=native_id) if is_first else to
