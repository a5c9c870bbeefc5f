"""A mail that came: what the library makes of it is stored, and then the peer reads a reply of SMTP."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from mentionable import Address, AsyncAnswers, FindAgent, Flow, Received, Rejected, UsageError, mail
from sqlalchemy import Connection

from mentionable_host.receiving import store_received, take_in
from mentionable_host.sections import AgentSettings
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.transports.mail.reports import note_report

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["AGAIN", "agent_of", "receive"]

log = logging.getLogger(__name__)

TAKEN: Final = "250 2.0.0 OK"
AGAIN: Final = "451 4.3.0 It cannot be taken now: please send it again later"
NO_LOOKUP: Final = "451 4.4.3 Who sent it cannot be verified now: please send it again later"


async def receive(host: Host, raw: bytes, envelope: mail.Envelope, *, settings: mail.Settings, transport: str) -> str:
    """Takes a mail in; the reply to DATA. A `250` is given when the mail is stored, and never before.

    What cannot be stored, and whose sender cannot be looked up at the moment, is to be sent again.
    """

    def begin() -> Flow[mail.MailAsk, Received | mail.ReceivedReport | Rejected]:
        now, entropy = host.world.now(), host.world.entropy()
        return mail.receive(raw, envelope=envelope, now=now, entropy=entropy, settings=settings)

    def store(db: Connection, got: Received | mail.ReceivedReport | Rejected) -> None:
        if isinstance(got, mail.ReceivedReport):
            note_report(db, got, now=host.world.now())
        elif isinstance(got, Received) and not got.verdict.temporary:
            store_received(db, got, host=host, transport=transport)

    def find_agent(ask: FindAgent) -> str | None:
        return agent_of(host.config.agent, ask.native_id) or host.find_agent(ask)

    try:
        got = await take_in(host, begin, store=store, answers=AsyncAnswers(find_agent=find_agent))
    except (StoreUnavailable, Conflict) as error:
        log.warning("a mail is not taken: %s", error)
        return AGAIN
    except Exception:
        log.exception("a mail is not taken")
        return AGAIN
    if isinstance(got, Rejected):
        log.info("a mail from %r is refused: %s", envelope.mail_from, got.code)
        return got.smtp_reply
    if isinstance(got, Received) and got.verdict.temporary:
        return NO_LOOKUP
    return TAKEN


def agent_of(agent: AgentSettings, mailbox: str) -> str | None:
    """The agent that has a mailbox: its own, or one with a tag, as `helper+news@agents.example`."""
    try:
        address = Address(mailbox)
    except UsageError:
        return None
    name = address.local.partition("+")[0]
    is_own = (name.casefold(), address.domain) == (agent.name.casefold(), agent.domain.casefold())
    return agent.address if is_own else None
