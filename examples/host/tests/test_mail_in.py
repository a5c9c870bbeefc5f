"""Mail that comes, over real connections of SMTP and LMTP."""

from __future__ import annotations

import asyncio
import smtplib
from contextlib import suppress

import aiosmtplib
import pytest
from aiosmtpd.smtp import SMTP
from mail_peers import ALICE, HELPER, all_jobs, certificate, client, publish
from mentionable import Failed
from mentionable import mail as library
from sqlalchemy import insert, select

from mentionable_host.config import ConfigError
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.tables import blocks, messages
from mentionable_host.transports.mail import Mail, listening

LISTEN = {"smtp": "127.0.0.1:0", "lmtp": "127.0.0.1:0"}


@pytest.fixture
def host(make_host, world):
    publish(world)
    return make_host(Mail, mail=LISTEN)


def run(host, talk):
    """What a talk with the host gives, while its mail transport listens and nothing else works."""

    async def serve():
        mail = host.transport("email")
        await mail.start()
        try:
            return await talk(mail)
        finally:
            await mail.stop()

    return asyncio.run(serve())


def write(world, text="Will it rain?", to=HELPER, **more):
    return ALICE.write(text, to=to, now=world.now(), **more)


async def bring(mail, raw, *, sender="alice@a.example", to="helper@agents.example"):
    """The reply to a mail, or to what was refused before it."""
    async with await client(mail.ports["smtp"]) as smtp:
        try:
            _, reply = await smtp.sendmail(sender, to if isinstance(to, list) else [to], raw)
        except aiosmtplib.SMTPRecipientsRefused as error:
            return error.recipients[0].code, error.recipients[0].message
        except aiosmtplib.SMTPResponseException as error:
            return error.code, error.message
        return 250, reply


def stored(host):
    return asyncio.run(host.database.read(lambda db: db.execute(select(messages)).mappings().fetchall()))


def test_a_signed_mail_is_stored_and_its_answer_is_due_before_the_peer_reads_250(host, world):
    assert run(host, lambda mail: bring(mail, write(world))) == (250, "2.0.0 OK")

    assert [(row["sender"], row["verified"], row["transport"]) for row in stored(host)] == [
        ("@alice@a.example", True, "email")
    ]
    assert [job.state for job in asyncio.run(all_jobs(host, "answer"))] == ["waiting"]


def test_the_same_mail_again_is_taken_and_answered_once(host, world):
    raw = write(world)

    async def twice(mail):
        return [await bring(mail, raw), await bring(mail, raw)]

    assert [code for code, _ in run(host, twice)] == [250, 250]
    assert len(stored(host)) == 1
    assert len(asyncio.run(all_jobs(host, "answer"))) == 1


def test_a_mailbox_with_a_tag_is_the_agents(host, world):
    code, _ = run(host, lambda mail: bring(mail, write(world), to="Helper+news@Agents.example"))

    assert code == 250


def test_another_mailbox_of_the_domain_is_refused_before_the_mail(host, world):
    reply = run(host, lambda mail: bring(mail, write(world), to="bob@agents.example"))

    assert reply == (550, "5.1.1 There is no such mailbox here")


def test_mail_for_another_domain_is_not_passed_on(host, world):
    reply = run(host, lambda mail: bring(mail, write(world), to="bob@b.example"))

    assert reply == (550, "5.7.1 No mail is passed on here")


def test_a_blocked_sender_is_refused_at_mail(host, world):
    row = {"target": "a.example", "kind": "domain", "by": "operator", "since": 0}
    asyncio.run(host.database.write(lambda db: db.execute(insert(blocks).values(**row))))

    assert run(host, lambda mail: bring(mail, write(world))) == (550, "5.7.1 Mail from here is not wanted")


def test_a_mail_that_was_changed_is_refused(host, world):
    code, _ = run(host, lambda mail: bring(mail, write(world).replace(b"rain", b"snow")))

    assert code // 100 == 5
    assert stored(host) == []


def test_an_unsigned_mail_is_answered_where_the_configuration_wants_it(make_host, world):
    host = make_host(Mail, mail={**LISTEN, "unverified": True})
    raw = b"From: bob@b.example\r\nTo: helper@agents.example\r\n\r\nHello\r\n"

    assert run(host, lambda mail: bring(mail, raw))[0] == 250
    assert [row["verified"] for row in stored(host)] == [False]


@pytest.mark.parametrize("unverified", [False, True])
def test_a_mail_whose_key_cannot_be_looked_up_is_to_come_again(make_host, world, unverified):
    async def failing(ask):
        return Failed("the resolver does not answer")

    world.lookup_txt = failing
    host = make_host(Mail, mail={**LISTEN, "unverified": unverified})

    code, _ = run(host, lambda mail: bring(mail, write(world)))

    assert code // 100 == 4
    assert stored(host) == []


def test_a_mail_is_to_come_again_while_the_store_is_away(host, world, monkeypatch):
    async def write_nothing(work):
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(host.database, "write", write_nothing)

    code, words = run(host, lambda mail: bring(mail, write(world)))

    assert (code, words[:6]) == (451, "4.3.0 ")
    assert stored(host) == []


def test_a_program_gets_no_answer(host, world):
    written = write(world)
    written = written[written.index(b"From:") :].replace(b"From:", b"Auto-Submitted: auto-replied\r\nFrom:")
    signed = library.sign(written, key=ALICE.key, now=world.now())

    assert run(host, lambda mail: bring(mail, signed))[0] == 250
    assert len(stored(host)) == 1
    assert asyncio.run(all_jobs(host, "answer")) == []


def test_lmtp_replies_for_each_recipient(host, world):
    async def talk(mail):
        return await asyncio.to_thread(lmtp, mail.ports["lmtp"], write(world))

    def lmtp(port, raw):
        with smtplib.LMTP("127.0.0.1", port) as peer:
            peer.ehlo()
            peer.mail("alice@a.example")
            replies = [peer.rcpt(f"{one}@agents.example")[0] for one in ("helper", "bob", "helper+b")]
            return [*replies, peer.data(raw), peer.getreply()]

    assert run(host, talk) == [250, 550, 250, (250, b"2.0.0 OK"), (250, b"2.0.0 OK")]
    assert len(stored(host)) == 1


WHOLE = {"line": b"a" * 70_000 + b"\r\n", "size": (b"a" * 998 + b"\r\n") * 26_000, "ends": b"a\nb\r\n"}


@pytest.mark.parametrize("raw", WHOLE.values(), ids=WHOLE)
def test_lmtp_refuses_a_mail_for_each_recipient(host, raw):
    async def talk(mail):
        reader, writer = await asyncio.open_connection("127.0.0.1", mail.ports["lmtp"])
        rcpt = b"RCPT TO:<helper@agents.example>\r\n" * 3
        writer.write(b"LHLO a\r\nMAIL FROM:<alice@a.example>\r\n" + rcpt + b"DATA\r\n" + raw + b".\r\nNOOP\r\nQUIT\r\n")
        replies = (await reader.read()).splitlines()
        writer.close()
        await writer.wait_closed()
        return replies[-6:]

    begun, *refused, noop, _ = run(host, talk)

    assert begun.startswith(b"354")
    assert len(set(refused)) == 1
    assert refused[0].startswith(b"5")
    assert noop.startswith(b"250")


def test_a_mail_of_very_many_lines_is_not_read_to_its_end(host, monkeypatch):
    monkeypatch.setattr(listening, "LINES", 1_000)

    async def talk(mail):
        reader, writer = await asyncio.open_connection("127.0.0.1", mail.ports["smtp"])
        rcpt = b"RCPT TO:<helper@agents.example>\r\n"
        writer.write(b"EHLO a\r\nMAIL FROM:<alice@a.example>\r\n" + rcpt + b"DATA\r\n" + b"\r\n" * 10_000)
        reply = (await reader.read()).splitlines()[-1]
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        return reply

    assert run(host, talk) == b"552 5.3.4 Too many lines"


def test_lmtp_listens_at_a_socket(make_host, world, tmp_path):
    publish(world)
    place = str(tmp_path / "lmtp")
    host = make_host(Mail, mail={"lmtp": place})

    async def talk(mail):
        reader, writer = await asyncio.open_unix_connection(place)
        greeting = await reader.readline()
        writer.close()
        return greeting

    assert run(host, talk).startswith(b"220 agents.example ")


def test_starttls_is_offered_with_a_certificate(make_host, world, tmp_path):
    _, trusting = certificate(tmp_path, "agents.example")
    publish(world)
    pem = str(tmp_path / "agents.example.pem")
    host = make_host(Mail, mail={**LISTEN, "certificate": pem})

    async def talk(mail):
        async with await client(mail.ports["smtp"]) as smtp:
            await smtp.starttls(server_hostname="agents.example", tls_context=trusting)
            await smtp.ehlo()
            _, reply = await smtp.sendmail("alice@a.example", ["helper@agents.example"], write(world))
            return reply, smtp.supports_extension("auth"), smtp.supports_extension("pipelining")

    assert run(host, talk) == ("2.0.0 OK", False, True)


def test_a_size_over_the_limit_is_refused_before_the_mail(host, world):
    async def talk(mail):
        async with await client(mail.ports["smtp"]) as smtp:
            reply = await smtp.execute_command(b"MAIL", b"FROM:<alice@a.example> SIZE=99999999999")
            return reply.code, smtp.esmtp_extensions["size"]

    assert run(host, talk) == (552, "25000000")


def test_one_address_has_so_many_connections_and_no_more(host, monkeypatch):
    async def talk(mail):
        open_ones = [await asyncio.open_connection("127.0.0.1", mail.ports["smtp"]) for _ in range(12)]
        greetings = [await reader.readline() for reader, _ in open_ones]
        for _, writer in open_ones:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in open_ones))
        async with await client(mail.ports["smtp"]) as smtp:
            return [greeting[:3] for greeting in greetings], (await smtp.noop()).code

    assert run(host, talk) == ([b"220"] * 10 + [b"421"] * 2, 250)


def test_a_mail_with_a_bare_line_end_is_refused(host, world):
    async def talk(mail):
        reader, writer = await asyncio.open_connection("127.0.0.1", mail.ports["smtp"])
        writer.write(b"EHLO a\r\nMAIL FROM:<alice@a.example>\r\nRCPT TO:<helper@agents.example>\r\nDATA\r\n")
        writer.write(b"From: alice@a.example\r\n\r\nOne\n.\r\nMAIL FROM:<eve@a.example>\r\n.\r\nQUIT\r\n")
        lines = (await reader.read()).split(b"\r\n")
        writer.close()
        return [line for line in lines if line][-2:]

    assert run(host, talk) == [b"554 5.6.0 A line ends in a bare CR or LF", b"221 Bye"]


def test_a_server_of_your_own_brings_mail_by_a_function(host, world):
    mail = host.transport("email")

    reply = asyncio.run(mail.receive(write(world), mail_from="alice@a.example", rcpt_to=("helper@agents.example",)))

    assert reply == "250 2.0.0 OK"


def test_a_port_that_is_taken_is_named(host, make_host):
    async def talk(mail):
        other = make_host(Mail, mail={"smtp": f"127.0.0.1:{mail.ports['smtp']}"})
        await other.transport("email").start()

    with pytest.raises(ConfigError, match=r"mail.smtp is '127.0.0.1:"):
        run(host, talk)


@pytest.mark.parametrize("relay", ["relay.example", "http://relay.example", "smtp://", "smtp://a:b:c"])
def test_a_relay_that_is_no_url_is_named(make_host, relay):
    with pytest.raises(ConfigError, match=r"mail.relay is no URL"):
        make_host(Mail, mail={"relay": relay})


def test_a_report_with_no_sender_is_read(host):
    raw = (
        b"From: Mail Delivery System <mailer-daemon@mx.example>\r\nTo: helper@agents.example\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nNo.\r\n--b\r\n"
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        b"Final-Recipient: rfc822; alice@a.example\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n"
    )

    code, words = run(host, lambda mail: bring(mail, raw, sender=""))

    assert (code, words[:6]) == (550, "5.7.1 ")  # nobody signed it, and it is about no mail of the agent


def test_so_much_mail_at_once_is_taken_and_no_more(host, monkeypatch):
    monkeypatch.setattr(listening, "BYTES_AT_ONCE", 100_000)

    async def talk(mail):
        reader, writer = await asyncio.open_connection("127.0.0.1", mail.ports["smtp"])
        writer.write(b"EHLO a\r\nMAIL FROM:<alice@a.example>\r\nRCPT TO:<helper@agents.example>\r\nDATA\r\n")
        await reader.readuntil(b"354 ")
        writer.write(b"A: b\r\n" * 20_000)
        with suppress(ConnectionError):
            lines = (await reader.read()).split(b"\r\n")
        writer.transport.abort()
        [connections] = mail._connections[:1]
        async with await client(mail.ports["smtp"]) as smtp:
            return lines[-2], connections.size < 100, (await smtp.noop()).code

    assert run(host, talk) == (b"421 4.3.1 Too much mail at once: please come again later", True, 250)


def test_commands_that_come_together_are_replied_to_together(host, world):
    async def talk(mail):
        reader, writer = await asyncio.open_connection("127.0.0.1", mail.ports["smtp"])
        await reader.readline()
        writer.write(b"EHLO a\r\n")
        while (await reader.readline())[3:4] == b"-":
            pass
        writer.write(b"MAIL FROM:<alice@a.example>\r\n")
        alone = await reader.readline()
        writer.write(b"RCPT TO:<helper@agents.example>\r\nRCPT TO:<bob@b.example>\r\nDATA\r\n")
        await reader.readuntil(b"354 ")
        await reader.readline()
        writer.write(b".\r\nMAIL FROM:<alice@a.example>\r\nQUIT\r\n")
        last = await reader.read()
        writer.close()
        return alone, last.split(b"\r\n")[1:]

    assert run(host, talk) == (b"250 2.1.0 OK\r\n", [b"250 2.1.0 OK", b"221 Bye", b""])


@pytest.mark.parametrize(
    "written",
    [
        *("<alice@a.example>", "<a.b+c@a-b.example> SIZE=10", "<a@b.example>  SIZE=10 BODY=8BITMIME", "<>", "<@>"),
        *("<@x,@y:alice@a.example>", "<a..b@a.example>", "<.a@b.example>", "<alice@a.example", "alice@a.example"),
        *('<"a b"@a.example>', "<a@b.example>x", "<a@b.example.>", "<a@[192.0.2.1]>", f"<{'a' * 65}@a.example>"),
        *("<ä@a.example>", "<a@b>", " <a@b.example>", "<a@b.example >", "<a_b@c_d.example>"),
    ],
)
def test_addresses_are_read_as_by_the_whole_grammar(host, written):
    async def read(mail):
        rules = listening.Rules(sender=None, recipient=None, take=None)
        server = listening.SmtpServer(rules, listening.Connections(), hostname="x", size=9, tls=None)
        return server._getaddr(written), SMTP._getaddr(server, written)

    short, whole = run(host, read)
    assert short == whole
