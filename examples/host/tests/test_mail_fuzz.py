"""Sessions of SMTP and LMTP that no honest peer has: each ends in replies, and no mail is stored by halves."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import struct
from contextlib import suppress
from random import Random
from socket import SO_LINGER, SOL_SOCKET

import pytest
from mail_peers import ALICE, certificate, client, publish
from sqlalchemy import func, select

from mentionable_host.store.tables import jobs, messages, native_ids
from mentionable_host.transports.mail import Mail

REPLY = re.compile(rb"[2-5][0-9]{2}[ -][\x20-\x7e]*")
AT_ONCE = 8
SECONDS = 20
HANDSHAKE_SECONDS = 0.2
WAYS_TO_END = (b"\r\n.\r\nQUIT\r\n", b"\r\n.\r\nRSET\r\nQUIT\r\n")

COMMANDS = (
    *(b"EHLO a.example\r\n", b"HELO a\r\n", b"LHLO a\r\n", b"EHLO\r\n", b"EHLO " + b"a" * 600 + b"\r\n"),
    *(b"MAIL FROM:<alice@a.example>\r\n", b"MAIL FROM:<>\r\n", b"mail from: alice@a.example SIZE=10\r\n"),
    *(b"MAIL FROM:<alice@a.example> SIZE=-1 BODY=8BITMIME\r\n", b"MAIL FROM:<alice@a.example> SIZE=\xc2\xb2\r\n"),
    *(b"MAIL FROM:<al\x00ice@a.example>\r\n", b"MAIL FROM:<\xff\xfe@a.example> SMTPUTF8\r\n", b"MAIL FROM:<\r\n"),
    *(b"MAIL FROM:<@x,@y:alice@a.example>\r\n", b'MAIL FROM:<"a\\"b"@a.example>\r\n', b"MAIL FROM:(((((<a@b>\r\n"),
    *(b"RCPT TO:<helper@agents.example>\r\n", b"RCPT TO:<helper+x@agents.example>\r\n", b"RCPT TO:<bob@b.example>\r\n"),
    *(b"RCPT TO:<helper@agents.example\r\n", b"RCPT TO:<\xe2\x98\x83@agents.example>\r\n", b"RCPT TO:<> X=Y\r\n"),
    *(b"DATA\r\n", b"DATA now\r\n", b"DATA\n", b"BDAT 5 LAST\r\nhello", b"RSET\r\n", b"NOOP\r\n", b"HELP RCPT\r\n"),
    *(b"VRFY \xff\x1b[2J\r\n", b"EXPN list\r\n", b"AUTH PLAIN AGEAYg==\r\n", b"AUTH LOGIN\r\n", b"TURN\r\n"),
    *(b"\r\n", b"\n", b"\r", b"\x00\x00\r\n", b"\x1b]0;x\x07\r\n", b"X" * 70_000 + b"\r\n", b"GET / HTTP/1.1\r\n"),
    *(b"\xff\xfd\x01\r\n", b"STARTTLS\r\n", b"STARTTLS x\r\n", b"\x16\x03\x01\x00\xa5\x01\x00\x00", b"QUIT x\r\n"),
)
ENVELOPE = b"EHLO a\r\nMAIL FROM:<alice@a.example>\r\nRCPT TO:<helper@agents.example>\r\nDATA\r\n"
LMTP_ENVELOPE = ENVELOPE.replace(b"EHLO", b"LHLO")
ENDS = (
    b"\r\n.\r\n",
    b"\n.\r\n",
    b"\r\n.\n",
    b"\n.\n",
    b"\r.\r\n",
    b"\r\n.\r",
    b"\r\n..\r\n",
    b".\r\n",
    b"\r\n\x00.\r\n",
)
BODIES = (
    *(b"From: bob@b.example\r\nTo: helper@agents.example\r\n\r\nHello", b"From: bob@b.example\n\nHello", b"", b"\x00"),
    *(b"From: \xff\xfe\r\n\r\n\x80\x81", b"From: bob@b.example\r\nSubject: " + b"a" * 70_000, b"Subject: x\r\n\r\n"),
    *(b"From: bob@b.example\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n--a\r\n--a", b"." * 2_000),
    *(b"From: bob@b.example\r\nContent-Type: multipart/report\r\nAuto-Submitted: auto-replied\r\n\r\nx",),
)


def session(chance: Random, *, envelope: bytes) -> bytes:
    """What a peer writes."""
    pieces = []
    for _ in range(chance.randint(1, 8)):
        kind = chance.random()
        if kind < 0.45:
            pieces.append(chance.choice(COMMANDS))
        elif kind < 0.85:
            number = b"Message-ID: <%d@b.example>\r\n" % chance.getrandbits(40)
            body = chance.choice(BODIES)
            pieces += [envelope, number if body.startswith(b"From") else b"", body, chance.choice(ENDS)]
        elif kind < 0.95:
            pieces.append(chance.randbytes(chance.randint(1, 300)))
        else:
            pieces.append(chance.choice(COMMANDS)[: chance.randint(0, 9)])
    return b"".join(pieces)


async def talk(port: int, written: bytes, chance: Random) -> bytes | None:
    """What the host replied; None where the peer went before."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    is_aborted, replied = chance.random() < 0.2, b""
    with suppress(ConnectionError):
        for start in range(0, len(written), step := chance.choice((1_000_000, 4_000, 37))):
            if step < 100 and start > 2_000:
                writer.write(written[start:])
                break
            writer.write(written[start : start + step])
            await writer.drain()
        if is_aborted:
            if chance.random() < 0.5:
                writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return None
        writer.write(chance.choice(WAYS_TO_END))
        replied = await read(reader, written)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return replied


async def read(reader: asyncio.StreamReader, written: bytes) -> bytes | None:
    """All replies. A handshake of TLS that never ends is left alone: the host ends it after a minute."""
    try:
        async with asyncio.timeout(HANDSHAKE_SECONDS if b"STARTTLS" in written else SECONDS):
            return await reader.read()
    except TimeoutError:
        assert b"STARTTLS" in written, written[:500]
        return None


async def storm(host, count: int, seed: int) -> list[object]:
    """Has a host hear so many sessions; what the loop calls a fault."""
    mail, faults, chance = host.transport("email"), [], Random(seed)
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
    await mail.start()
    free = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        kind = "lmtp" if number % 3 == 0 else "smtp"
        own = Random(chance.getrandbits(64))
        written = session(own, envelope=LMTP_ENVELOPE if kind == "lmtp" else ENVELOPE)
        async with free:
            replied = await talk(mail.ports[kind], written, own)
        for line in (replied or b"").split(b"\r\n")[:-1]:
            assert REPLY.fullmatch(line), (number, line, written[:300])
        assert replied is None or replied.endswith(b"\r\n") or not replied, (number, replied[-80:])

    await asyncio.gather(*(one(number) for number in range(count)))
    async with await client(mail.ports["smtp"]) as smtp:
        raw = ALICE.write("Still there?", to="@helper@agents.example", now=host.world.now())
        await smtp.sendmail("alice@a.example", ["helper@agents.example"], raw)
    connections = list(mail._connections)
    await mail.stop()
    gc.collect()
    for _ in range(10):
        await asyncio.sleep(0)
    assert [(one.size, one.servers) for one in connections] == [(0, set()), (0, set())]
    return faults


def check(make_host, world, tmp_path, caplog, *, count, seed):
    publish(world)
    certificate(tmp_path, "agents.example")
    pem = str(tmp_path / "agents.example.pem")
    listen = {"smtp": "127.0.0.1:0", "lmtp": "127.0.0.1:0", "certificate": pem, "unverified": True}
    host = make_host(Mail, mail=listen)
    with caplog.at_level(logging.WARNING):
        faults = asyncio.run(storm(host, count, seed))

    assert faults == []
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
    stored, is_native, is_due = asyncio.run(host.database.read(counts))
    assert stored > 1
    assert is_native == stored
    assert is_due > 0


def counts(db):
    """How many messages are stored, how many of them have their id, and how many are due."""
    known = select(func.count(func.distinct(native_ids.c.message_id))).where(
        native_ids.c.message_id.in_(select(messages.c.id))
    )
    due = select(func.count()).select_from(jobs).where(jobs.c.kind == "answer")
    all_of_them = select(func.count(func.distinct(messages.c.id)))
    return [db.execute(one).scalar_one() for one in (all_of_them, known, due)]


def test_a_session_of_anything_ends_in_replies(make_host, world, tmp_path, caplog):
    check(make_host, world, tmp_path, caplog, count=150, seed=1)


@pytest.mark.storm
@pytest.mark.parametrize("seed", range(10))
def test_very_many_sessions_of_anything_end_in_replies(make_host, world, tmp_path, caplog, seed):
    check(make_host, world, tmp_path, caplog, count=2_000, seed=1_000 + seed)
