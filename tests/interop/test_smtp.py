"""A real run: a mail goes over SMTP from a client to a server, and its sender is shown by keys that come over DNS."""

from __future__ import annotations

import asyncio
import base64
import smtplib
import threading
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from mentionable import Answers, Received, Rejected, SigningKey, directory, drive, mail
from tests.interop.resolving import asking, served

FLOOR = 13
HERE = Path(__file__).resolve().parent
PEM = (HERE.parents[1] / "conformance/keys/mail-rsa.pem").read_bytes()
HELPER = "@helper@agents.example"


@pytest.fixture(scope="module")
def names():
    """A DNS server with the zones of `zone.txt`."""
    record = mail.dkim_record(SigningKey.from_pem(PEM, key_id="2026._domainkey.a.example"))
    strings = " ".join(f'"{record[at : at + 200]}"' for at in range(0, len(record), 200))
    with served((HERE / "zone.txt").read_text().replace("./KEY", strings)) as server:
        yield server


class Hook:
    """The handler of the server: who is not shown is refused while the client waits."""

    def __init__(self, names):
        self.taken = []
        self.world = Answers(
            lookup_txt=asking(names),
            find_agent=directory({"helper@agents.example": HELPER}),
            find_message=lambda ask: None,
            find_history=lambda ask: (),
        )

    async def handle_DATA(self, server, session, smtp):
        envelope = mail.Envelope(mail_from=smtp.mail_from, rcpt_to=smtp.rcpt_tos)
        facts = {"envelope": envelope, "now": datetime.now(UTC), "entropy": bytes(32)}
        settings = mail.Settings(require_verified=True)
        flow = mail.receive(smtp.original_content, settings=settings, **facts)
        outcome = await asyncio.to_thread(drive, flow, self.world)
        self.taken.append(outcome)
        match outcome:
            case Rejected():
                return outcome.smtp_reply
            case Received():
                return "250 2.0.0 OK"


@pytest.fixture
def server(names):
    """An SMTP server at a free port of loopback: the port, and what it took."""
    hook = Hook(names)
    ready, ports = threading.Event(), []

    async def serve():
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(lambda: SMTP(hook, hostname="mx.agents.example"), "127.0.0.1", 0)
        ports.extend([listening.sockets[0].getsockname()[1], lambda: loop.call_soon_threadsafe(stopping.set)])
        ready.set()
        async with listening:
            await stopping.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    yield ports[0], hook.taken
    ports[1]()
    thread.join()


def written(sender="Alice <alice@a.example>", subject="Grüße"):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "helper@agents.example", subject
    message["Date"], message["Message-ID"] = "Sat, 21 Nov 2026 20:55:00 +0000", "<1@a.example>"
    message.set_content("Hello\n.\n..two dots\n\nfrom Alice, with a long line: " + "x" * 300 + "\n")
    message.add_alternative("<p>Hello</p>", subtype="html")
    return message.as_bytes(policy=SMTP_POLICY)


def signed(other_python, raw, domain="a.example"):
    pem = load_pem_private_key(PEM, None).private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    facts = {"pem": pem.decode(), "seed": "", "domain": domain, "selector": "2026", "algorithm": "rsa-sha256"}
    fields = ["from", "to", "subject", "date", "message-id", "mime-version", "content-type"]
    packed = base64.b64encode(raw).decode()
    return base64.b64decode(
        other_python("dkimpy.sign", message=packed, canonicalization="relaxed/simple", fields=fields, **facts)
    )


def sent(server, raw, mail_from="alice@a.example"):
    """What the client reads after it sent a mail."""
    with smtplib.SMTP("127.0.0.1", server[0], timeout=10) as client:
        client.ehlo("mx.a.example")
        client.mail(mail_from)
        client.rcpt("helper@agents.example")
        return client.data(raw)


def test_the_sender_of_a_mail_that_came_over_smtp_is_shown_by_dns(server, names, other_python, count):
    names.asked.clear()
    assert sent(server, signed(other_python, written()))[0] == 250
    message = server[1][-1].message
    assert (message.sender.address, message.sender.verified) == ("@alice@a.example", True)
    assert (message.sender.auth_method, message.sender.key_id) == ("email-dkim", "2026._domainkey.a.example")
    assert (message.recipient, message.sender.display_name) == (HELPER, "Alice")
    assert message.parts[0].content.startswith("Hello\n.\n..two dots\n")
    assert names.asked == ["2026._domainkey.a.example"]
    count(4)


def test_a_signature_of_a_domain_below_shows_the_sender_by_dmarc(server, names, other_python, count):
    names.asked.clear()
    assert sent(server, signed(other_python, written(), "news.a.example"))[0] == 250
    sender = server[1][-1].message.sender
    assert (sender.address, sender.verified, sender.auth_method) == ("@alice@a.example", True, "email-dmarc")
    assert "_dmarc.a.example" in names.asked
    assert len(names.asked) == len(set(names.asked))
    count(3)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda raw: raw.replace(b"from Alice", b"from Alicf"), "digest-mismatch"),
        (lambda raw: raw.replace(b"\r\nTo: helper", b"\r\nTo: he1per"), "bad-signature"),
        (lambda raw: raw.replace(b"From: Alice <alice@a.example>", b"From: Alice <alice@b.example>"), "not-aligned"),
        (lambda raw: raw[raw.index(b"From:") :], "unsigned"),
        (lambda raw: raw.replace(b"s=2026", b"s=2027"), "key-unknown"),
    ],
)
def test_a_mail_that_was_changed_on_its_way_is_refused_while_the_client_waits(
    server, other_python, count, change, code
):
    status, text = sent(server, change(signed(other_python, written())))
    assert (status // 100, server[1][-1].verdict.verified) == (5, False)
    assert server[1][-1].verdict.code == code
    assert text
    count()


def test_a_client_is_asked_to_try_again_when_dns_does_not_answer(server, other_python, count):
    raw = signed(other_python, written("Alice <alice@servfail.example>"), "servfail.example")
    status, _ = sent(server, raw, "alice@servfail.example")
    assert status // 100 == 4
    assert (server[1][-1].verdict.code, server[1][-1].verdict.temporary) == ("key-unresolvable", True)
    count()
