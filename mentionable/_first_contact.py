"""The first contact: what an agent answers to a person who has not written to it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from ._errors.exceptions import UsageError
from ._flow.settings import check_entropy, check_now
from ._model.capabilities import NoRelay, RecipientCapabilities
from ._model.message import Channel, NormalizedMessage
from ._model.sender import Sender, SenderProfile
from ._text.media import single_line
from ._transport.reply import FIRST_CONTACT
from ._wire.address import agent_address, canonical
from ._wire.ids import derive, uuid7
from ._wire.strict_json import is_text
from ._wire.time import format_time
from .activitypub import Actor

_MAX_SUBJECT: Final = 900
"""Characters of a subject that `mail.reply` writes whole."""


def first_contact(
    person: str | Actor, *, channel: Channel, agent: str, subject: str = "", now: datetime, entropy: bytes
) -> NormalizedMessage:
    """What to answer where `push_back` names a channel on which the person never wrote.

    Give it as `to` to the `reply` of that channel, with `replace(response, reply_to=first.id)`. What goes out answers
    no
    message: a mail has the subject that you give, no In-Reply-To and no References; a note has no inReplyTo, and is
    direct: addressed to this person, who is mentioned in it. `push_back.thread_ref` puts it into a thread, as in every
    answer.

    It stands for a message that never came: its sender is not verified, it has no parts, and it is for `reply` alone.
    Store the response, and not this, with the `native_id` of what goes out as its thread. Whether this person wants to
    hear from your agent is yours to know: to write where a peer merely asked for it is spam.

    Args:
        person: Who is written to: an address `@alice@a.example` for mail; for ActivityPub an `Actor`, as
            `activitypub.find_actor` gives it.
        channel: The protocol: `destination(response, to=question).channel`. On A2A an agent is asked with `a2a.call`.
        agent: The address of the agent that writes.
        subject: The subject of the mail, which must have one; line breaks in it become spaces. A note has none.
        now: The time, aware.
        entropy: At least 32 random bytes.

    Raises:
        UsageError: An argument is of the wrong kind, the channel has another way to make contact, a mail has no subject
            or one of more than 900 characters, or a note has one.

    Spec: Normalized Message §4 (PushBackHint).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import NormalizedResponse, mail
        >>> given = {"now": datetime(2026, 11, 21, tzinfo=UTC), "entropy": bytes(32)}
        >>> first = first_contact(
        ...     "@alice@a.example", channel="email", agent="@helper@agents.example", subject="Your forecast", **given
        ... )
        >>> out = mail.reply(NormalizedResponse.to(first, "It will rain."), to=first, **given)
        >>> out.rcpt_to, b"Subject: Your forecast" in out.data, b"In-Reply-To" in out.data
        (('alice@a.example',), True, False)
    """
    check_now(now)
    check_entropy(entropy)
    recipient = agent_address(agent)
    if channel == "email":
        sender, raw = _by_mail(person, subject)
    elif channel == "activitypub":
        sender, raw = _by_note(person, subject)
    else:
        raise UsageError("channel is 'email' or 'activitypub'; on A2A an agent is asked with a2a.call")
    if sender.address == recipient:
        raise UsageError("person is the agent itself")
    seed = derive("first_contact", entropy, channel, recipient, sender.address, subject)
    return NormalizedMessage(
        id=uuid7(now, seed, "message"),
        thread_id=f"urn:uuid:{uuid7(now, seed, 'thread')}",
        sender=sender,
        recipient=recipient,
        parts=(),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via=channel,
        received_at=format_time(now),
        raw={**raw, FIRST_CONTACT: True},
    )


def _by_mail(person: object, subject: object) -> tuple[Sender, dict[str, Any]]:
    """Who is written to by mail, and what `raw` says of the subject."""
    address = canonical(person) if isinstance(person, str) else None
    if address is None:
        raise UsageError(f"person is not an address of the form @alice@a.example: {str(person)[:80]!r}")
    if not isinstance(subject, str) or len(subject) > _MAX_SUBJECT or not is_text(subject) or not single_line(subject):
        raise UsageError(f"subject is a line of at most {_MAX_SUBJECT} characters that says what the mail is about")
    return Sender(address=address), {"parsed": {"subject": subject}}


def _by_note(person: object, subject: object) -> tuple[Sender, dict[str, Any]]:
    """Who is written to by a note, and what `raw` says of where they are."""
    if not isinstance(person, Actor):
        raise UsageError("person must be an Actor: drive(activitypub.find_actor(address), ...) gives it")
    if subject != "":
        raise UsageError("subject: a note has none")
    profile = None if person.page is None else SenderProfile(url=person.page)
    actor = {"id": person.id, "inbox": person.inbox}
    return Sender(address=person.address, profile=profile), {"activity": {"actor": person.id}, "actor": actor}
