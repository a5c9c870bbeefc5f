"""An SMTP server that takes mail for one agent, and answers it. Needs `pip install mentionable aiosmtpd dnspython`.

Make a key once, `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out agent.pem`, and publish what
`mail.dkim_record(KEY)` gives. Try it: `python smtp_hook.py`, then
`swaks --server 127.0.0.1:8025 --to helper@agents.example`.
"""

import asyncio
import smtplib
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes

import dns.asyncresolver
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from mentionable import (
    AsyncAnswers,
    LookupTxt,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    SigningKey,
    adrive,
    directory,
    mail,
    plain_text,
)

KEY = SigningKey.from_pem(Path("agent.pem").read_bytes(), key_id="2026._domainkey.agents.example")


async def lookup_txt(ask: LookupTxt) -> list[bytes]:
    """The TXT records of a name; a name without any is an answer, a resolver in trouble raises."""
    try:
        return [b"".join(found.strings) for found in await dns.asyncresolver.resolve(ask.name, "TXT", lifetime=5)]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


world = AsyncAnswers(lookup_txt=lookup_txt, find_agent=directory({"helper@agents.example": "@helper@agents.example"}))


def dispatch(message: NormalizedMessage) -> None:
    """Where your agent begins. This one answers whom it knows, and no programs."""
    how = message.sender.auth_method if message.sender.verified else "not verified"
    print(f"{message.sender.address} ({how}) to {message.recipient}:\n{plain_text(message)}")
    if not message.sender.verified:
        return  # a forged sender would be written to, who never asked
    response, now, entropy = NormalizedResponse.to(message, "Hello!"), datetime.now(UTC), token_bytes(32)
    out = mail.reply(response, to=message, key=KEY, now=now, entropy=entropy)
    if "loop-risk" in [note.code for note in out.diagnostics]:
        return
    try:
        with smtplib.SMTP("127.0.0.1") as server:
            server.sendmail(out.mail_from, out.rcpt_to, out.data, ["SMTPUTF8"] if out.smtputf8 else [])
    except OSError as error:  # the question was taken all the same: put the answer on a queue here
        print(f"{out.native_id} could not be sent: {error}")


class Hook:
    """The handler of aiosmtpd: what it returns is what the peer reads."""

    async def handle_DATA(self, server: SMTP, session: Session, smtp: Envelope) -> str:
        """Takes one mail."""
        envelope = mail.Envelope(mail_from=smtp.mail_from, rcpt_to=smtp.rcpt_tos)
        now, entropy = datetime.now(UTC), token_bytes(32)
        flow = mail.receive(smtp.original_content or b"", envelope=envelope, now=now, entropy=entropy)
        match await adrive(flow, world, catch=dns.exception.DNSException):
            case Rejected() as no:
                return no.smtp_reply
            case Received(messages=messages):
                for message in messages:
                    await asyncio.to_thread(dispatch, message)
                return "250 2.0.0 OK"


async def main() -> None:
    """Serves until it is interrupted."""
    controller = Controller(Hook(), hostname="127.0.0.1", port=8025)
    controller.start()
    try:
        await asyncio.Event().wait()
    finally:
        controller.stop()


if __name__ == "__main__":
    asyncio.run(main())
