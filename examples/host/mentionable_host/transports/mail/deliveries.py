"""The job that brings a mail to its recipients of one domain. Each gets it at least once, under one Message-ID.

What a server replied for a recipient is stored before the others are tried again, so that none gets it twice because
another could not be reached.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from aiosmtplib import SMTPResponse
from attrs import frozen
from mentionable import Address, Failed, NormalizedMessage, mail
from sqlalchemy import Connection

from mentionable_host.queue.outcome import Dead, Done, Outcome, Retry
from mentionable_host.store import blocks, jobs, mailings
from mentionable_host.store.jobs import StoredJob
from mentionable_host.store.mailings import State
from mentionable_host.transports.mail.mta_sts import policy_of
from mentionable_host.transports.mail.sending import Letter, Relay, Server, Undeliverable, Unreachable, send

if TYPE_CHECKING:
    from mentionable_host.transports.mail.transport import Mail

__all__ = ["DELIVER", "deliver", "enqueue"]

log = logging.getLogger(__name__)

DELIVER: Final = "mail.deliver"
PORT: Final = 25
SERVERS: Final = 5
"""So many servers of a domain are tried each time."""
PLACES: Final = 3
"""So many addresses of a server are tried."""

GREYLISTED: Final = timedelta(minutes=5)
"""Servers that want a mail again later do not take it sooner, most of them (RFC 6647 §2)."""

_ABOUT_MAILBOX: Final = re.compile(r"5\.1\.[0-9]{1,3}\b")


@frozen(kw_only=True)
class Payload:
    """What a job has: the mail, and its recipients in one domain."""

    letter: Letter
    rcpt_to: tuple[str, ...]

    @classmethod
    def read(cls, payload: bytes) -> Payload:
        """What `write` wrote."""
        head, _, data = payload.partition(b"\n")
        table = json.loads(head)
        rcpt_to = tuple(table.pop("rcpt_to"))
        return cls(letter=Letter(data=data, **table), rcpt_to=rcpt_to)

    def write(self) -> bytes:
        """A line of JSON, and then the mail."""
        letter = self.letter
        table = {"native_id": letter.native_id, "mail_from": letter.mail_from, "smtputf8": letter.smtputf8}
        return json.dumps({**table, "rcpt_to": self.rcpt_to}).encode() + b"\n" + letter.data


def enqueue(
    db: Connection,
    out: mail.Outgoing,
    rcpt_to: Sequence[str],
    *,
    to: NormalizedMessage,
    relay: Relay | None,
    now: datetime,
) -> None:
    """Stores a job for each domain of the recipients; with a relay, one for all."""
    letter = Letter(native_id=out.native_id, mail_from=out.mail_from, smtputf8=out.smtputf8, data=out.data)
    groups: dict[str, list[str]] = {}
    for mailbox in rcpt_to:
        groups.setdefault("relay" if relay else Address(mailbox).domain, []).append(mailbox)
    for place, mailboxes in groups.items():
        job = jobs.Job(
            key=f"{DELIVER} {out.native_id} {place}",
            kind=DELIVER,
            lane=f"mail {place}",
            payload=Payload(letter=letter, rcpt_to=tuple(mailboxes)).write(),
            person=to.sender.address,
            thread_id=to.thread_id,
        )
        jobs.enqueue(db, job, now=now)


async def deliver(transport: Mail, job: StoredJob) -> Outcome:
    """Brings a mail to those who do not have it, unless the operator has blocked them since."""
    payload, host = Payload.read(job.payload), transport.host
    letter = payload.letter

    def look(db: Connection) -> list[str]:
        due = mailings.due(db, letter.native_id, payload.rcpt_to)
        return [one for one in due if not blocks.is_blocked(db, blocks.targets(Address(one)))]

    waiting = await host.database.read(look)
    if not waiting:
        return Done()
    try:
        servers = await _servers(transport, waiting[0])
        replies = await _try(transport, letter, waiting, servers)
    except Unreachable as error:
        return Retry(str(error))
    except Undeliverable as error:
        store = partial(_store, replies=dict.fromkeys(waiting, SMTPResponse(550, str(error))))
        return Dead(str(error), partial(store, native_id=letter.native_id, now=host.world.now()))
    store = partial(_store, replies=replies, native_id=letter.native_id, now=host.world.now())
    left = [mailbox for mailbox in waiting if _state(replies[mailbox]) == "waiting"]
    if left:
        await host.database.write(store)
        return Retry(_words(replies, left), after=GREYLISTED)
    refused = [mailbox for mailbox in waiting if _state(replies[mailbox]) != "accepted"]
    return Dead(_words(replies, refused), store) if refused else Done(store)


async def _servers(transport: Mail, mailbox: str) -> list[Server]:
    """The servers that take mail for a mailbox, the preferred one first.

    Raises:
        Unreachable: They cannot be looked up now, or none is allowed by the policy of the domain.
        Undeliverable: The domain takes no mail.
    """
    if transport.relay is not None:
        return [transport.relay.server]
    world, domain = transport.host.world, Address(mailbox).domain
    found = await world.lookup_mx(domain)
    if isinstance(found, Failed):
        if not found.temporary:
            raise Undeliverable(f"{domain}: {found.reason}")
        raise Unreachable(f"{domain}: {found.reason}")
    if not [name for _, name in found if name not in ("", ".")]:
        raise Undeliverable(f"{domain} takes no mail: there is no such domain, or it says so (RFC 7505)")
    policy = await policy_of(transport.host, domain)
    must_keep = policy is not None and policy.mode == "enforce"
    names = [name.rstrip(".") for _, name in found if policy is None or not must_keep or policy.allows(name)]
    if not names:
        raise Unreachable(f"{domain}: its MTA-STS policy allows none of its servers")
    servers, reasons = [], []
    for name in names[:SERVERS]:
        places = await world.places(name, PORT)
        if isinstance(places, Failed):
            reasons.append(f"{name}: {places.reason}")
            continue
        tls = "required" if must_keep else "tried"
        servers += [Server(name=name, host=host, port=port, tls=tls) for host, port in places[:PLACES]]
    if not servers:
        raise Unreachable("; ".join(reasons) or f"{domain}: its servers have no addresses")
    return servers


async def _try(
    transport: Mail, letter: Letter, recipients: Sequence[str], servers: Sequence[Server]
) -> dict[str, SMTPResponse]:
    """What the first server says that can be reached.

    Raises:
        Unreachable: None can be.
        Undeliverable: One cannot take this mail.
    """
    reasons = []
    for server in servers:
        try:
            return await send(
                letter, recipients, server=server, hostname=transport.hostname, verified=transport.verified_tls
            )
        except Unreachable as error:
            reasons.append(str(error))
    raise Unreachable("; ".join(reasons))


def _state(reply: SMTPResponse) -> State:
    """What a reply means for a recipient."""
    if 200 <= reply.code < 300:
        return "accepted"
    if 500 <= reply.code < 600:
        return "bounced" if _ABOUT_MAILBOX.match(reply.message) else "refused"
    return "waiting"


def _store(db: Connection, *, replies: Mapping[str, SMTPResponse], native_id: str, now: datetime) -> None:
    """Stores what was replied for each recipient."""
    for mailbox, reply in replies.items():
        mailings.record(db, native_id, mailbox, _state(reply), reply=f"{reply.code} {reply.message}", now=now)


def _words(replies: Mapping[str, SMTPResponse], mailboxes: Sequence[str]) -> str:
    """What was replied for some recipients, for the operator."""
    lines = [f"{mailbox}: {replies[mailbox].code} {replies[mailbox].message}" for mailbox in mailboxes]
    return "; ".join(lines)[: mailings.REPLY_LENGTH]
