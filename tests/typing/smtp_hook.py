"""Mail by aiosmtpd, with DNS by dnspython."""

from datetime import UTC, datetime
from secrets import token_bytes

import dns.asyncresolver
import dns.exception
import dns.resolver
from aiosmtpd.smtp import SMTP, Envelope, Session

from mentionable import AsyncAnswers, LookupTxt, NormalizedMessage, Received, Rejected, adrive, directory, mail


async def lookup_txt(ask: LookupTxt) -> list[bytes]:
    try:
        return [b"".join(r.strings) for r in await dns.asyncresolver.resolve(ask.name, "TXT")]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


world = AsyncAnswers(lookup_txt=lookup_txt, find_agent=directory({"helper@agents.example": "@helper@agents.example"}))


class Handler:
    async def handle_DATA(self, server: SMTP, session: Session, smtp: Envelope) -> str:
        envelope = mail.Envelope(mail_from=smtp.mail_from, rcpt_to=smtp.rcpt_tos)
        raw, now, entropy = smtp.original_content or b"", datetime.now(UTC), token_bytes(32)
        flow = mail.receive(raw, envelope=envelope, now=now, entropy=entropy)
        match await adrive(flow, world, catch=dns.exception.DNSException):
            case Rejected() as no:
                return no.smtp_reply
            case Received(verdict=verdict) if verdict.temporary:
                return f"451 4.7.5 {verdict.code}"
            case Received(messages=messages):
                for message in messages:
                    dispatch(message)
                return "250 OK"
            case mail.ReceivedReport():
                return "250 OK"


inbox: list[NormalizedMessage] = []


def dispatch(message: NormalizedMessage) -> None:
    inbox.append(message)
