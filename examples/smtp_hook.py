"""An SMTP server that takes mail for one agent, and answers people, never programs or lists.

It needs `pip install mentionable aiosmtpd dnspython`.

Make a key once, `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out agent.pem`, and publish what
`mail.dkim_record(KEY)` gives. Start it: `python smtp_hook.py`; then `swaks --server 127.0.0.1:8025 --to
helper@agents.example` is refused in words, since nobody signed that. Try it without a domain: `python try_mail.py`.

The sender waits until the answer is with the mail server that passes it on. While that is away the sender is asked to
come again, and then gets the same answer. An answer that it refuses for good is dropped: it would refuse it again.
What stands in dictionaries here belongs into a database, written in one transaction, and an agent that takes its time
behind a queue.
"""

import asyncio
import smtplib
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes

import dns.asyncresolver
import dns.exception
import dns.resolver
from aiosmtpd.smtp import SMTP, Envelope, Session

from mentionable import (
    AsyncAnswers,
    FindMessage,
    Limits,
    LookupTxt,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    SigningKey,
    StoredMessage,
    adrive,
    directory,
    mail,
)

KEY = SigningKey.from_pem(Path("agent.pem").read_bytes(), key_id="2026._domainkey.agents.example")
RELAY = ("127.0.0.1", 25)  # the mail server that passes answers on
# A mail that nobody signed is refused while its sender waits: an answer would go to somebody who never asked. Only a
# report about an answer of ours comes without a signature.
SETTINGS = mail.Settings(key=KEY, require_verified=True)
stored: dict[tuple[str, str], StoredMessage] = {}
unsent: dict[str, mail.Outgoing] = {}  # id of a question → its answer, until it is sent


async def lookup_txt(ask: LookupTxt) -> list[bytes]:
    """The TXT records of a name; a name without any is an answer, a resolver in trouble raises."""
    try:
        return [b"".join(found.strings) for found in await dns.asyncresolver.resolve(ask.name, "TXT", lifetime=5)]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


def find_message(ask: FindMessage) -> StoredMessage | None:
    """What is stored under an id."""
    return stored.get((ask.native_id, ask.recipient))


lookups = AsyncAnswers(
    lookup_txt=lookup_txt,
    find_agent=directory({"helper@agents.example": "@helper@agents.example"}),
    find_message=find_message,
)


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins: it repeats what is new in a mail. For a model there is `prompt.render(message)`."""
    return NormalizedResponse.to(message, f"You wrote: {mail.new_text(message)}")


def respond(message: NormalizedMessage) -> mail.Outgoing:
    """The answer to a mail."""
    print(f"{message.sender.address} ({message.sender.auth_method}) to {message.recipient}: {mail.new_text(message)!r}")
    return mail.reply(answer(message), to=message, now=datetime.now(UTC), entropy=token_bytes(32), settings=SETTINGS)


def is_due(message: NormalizedMessage, got: Received) -> bool:
    """Whether a message gets an answer: each once, and programs and lists none. No agent runs for the others."""
    if not message.answerable:
        print(f"{message.sender.address} gets no answer: {message.answerable.reason} ({message.answerable.detail!r})")
        return False
    return message not in got.redelivered


def note(got: mail.ReceivedReport) -> str:
    """Takes note of what became of an answer. Only `stored` shows that it was one: anyone can write a report.

    Nothing of the report is stored, so one that comes twice is noted twice.
    """
    failed = [one.recipient for one in got.report.failed if one.permanent]
    print(f"report on {[row.id for row in got.stored.values()]}: {got.report.kind}, will not reach {failed}")
    return "250 2.0.0 OK"


def is_final(error: Exception) -> bool:
    """Whether the mail server would refuse the same answer again: RFC 5321 §4.2.1, RFC 6531 §3.2."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    elif isinstance(error, smtplib.SMTPResponseException):
        codes = [error.smtp_code]
    else:
        return isinstance(error, smtplib.SMTPNotSupportedError)
    return all(500 <= code < 600 for code in codes)


def send(question: str) -> bool:
    """Whether nothing is left to be sent for a question."""
    out = unsent.get(question)
    if out is None:
        return True
    try:
        with smtplib.SMTP(*RELAY, timeout=10) as server:  # the sender waits meanwhile
            options = ["SMTPUTF8"] if out.smtputf8 else []
            refused = server.sendmail(out.mail_from, out.rcpt_to, out.data, options)
    except (OSError, smtplib.SMTPException) as error:
        print(f"{out.native_id} could not be sent: {error}")
        if not is_final(error):
            return False
    else:
        for mailbox, why in refused.items():
            print(f"{out.native_id} does not reach {mailbox}: {why}")
    unsent.pop(question, None)
    return True


class Hook:
    """The handler of aiosmtpd: what it returns is what the peer reads."""

    async def handle_DATA(self, server: SMTP, session: Session, smtp: Envelope) -> str:
        """Takes one mail."""
        envelope = mail.Envelope(mail_from=smtp.mail_from, rcpt_to=smtp.rcpt_tos)
        raw, now, entropy = smtp.original_content or b"", datetime.now(UTC), token_bytes(32)
        flow = mail.receive(raw, envelope=envelope, now=now, entropy=entropy, settings=SETTINGS)
        got = await adrive(flow, lookups, catch=dns.exception.DNSException)
        if isinstance(got, Rejected):
            return got.smtp_reply
        if isinstance(got, mail.ReceivedReport):  # a bounce, a receipt, a complaint: it gets no answer
            return note(got)
        for message in got.messages:
            if is_due(message, got):
                out = await asyncio.to_thread(respond, message)
                unsent[message.id] = out
                stored[out.native_id, message.recipient] = StoredMessage(  # so that a reply finds the thread
                    id=f"answer-to-{message.id}",
                    thread_id=message.thread_id,
                    sender=message.recipient,
                    auth_method="own",
                )
        for place, row in got.to_store.items():
            if row.replaces(stored.get(place)):
                stored[place] = row
        done = [await asyncio.to_thread(send, message.id) for message in got.messages]
        return "250 2.0.0 OK" if all(done) else "451 4.4.1 The answer cannot be sent now: come again"


async def serve(port: int) -> asyncio.Server:
    """Listens at a port of this machine, behind the mail server that is on the Internet."""

    def protocol() -> SMTP:
        size = Limits().mail_bytes
        return SMTP(Hook(), data_size_limit=size, enable_SMTPUTF8=True)  # or no mailbox beyond ASCII can write

    return await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", port)


async def main() -> None:
    """Serves until it is interrupted."""
    async with await serve(8025) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
