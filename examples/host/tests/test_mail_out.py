"""Mail that goes: what other servers get, whatever they say and however often they are asked."""

from __future__ import annotations

import asyncio
import contextlib
import email
import ssl
from email import policy as email_policy

import dkim
import pytest
from mail_peers import ALICE, Mailbox, all_jobs, certificate, client, ended_jobs, place_at, publish, until
from mentionable import Failed, NormalizedResponse, Received, UsageError, adrive, first_contact
from mentionable import mail as library
from sqlalchemy import select

from mentionable_host.lookups import answers_of
from mentionable_host.queue.outcome import Dead, Done, Retry
from mentionable_host.store import blocks, jobs, mailings, messages
from mentionable_host.store.tables import native_ids
from mentionable_host.store.uses import Uses
from mentionable_host.transports.mail import Mail
from mentionable_host.transports.mail.deliveries import DELIVER, deliver, enqueue
from mentionable_host.transports.mail.sending import Letter, Relay, Server, Undeliverable, Unreachable, send

QUESTION = "Will it rain?"
NO_MAIL = "a.example takes no mail: there is no such domain, or it says so (RFC 7505)"
MX = [(10, "mx.a.example")]


@pytest.fixture
def host(make_host, world):
    publish(world)
    world.mx["a.example"] = MX
    return make_host(Mail, mail={"smtp": "127.0.0.1:0"})


def asked(world, *, sender=ALICE.address):
    """A message that nobody wrote, to be answered."""
    facts = {"channel": "email", "agent": "@helper@agents.example", "subject": "Rain"}
    return first_contact(sender, now=world.now(), entropy=world.entropy(), **facts)


async def queue(host, world, *mailboxes, sender=ALICE.address, text="It will."):
    """The job of a mail to some mailboxes of one domain; what they get."""
    mail, message = host.transport("email"), asked(world, sender=sender)
    response = NormalizedResponse.to(message, text)
    entropy = world.entropy()
    out = library.reply(response, to=message, now=world.now(), entropy=entropy, settings=mail.settings)
    rcpt_to = mailboxes or out.rcpt_to

    def store(db):
        facts = {"message_id": message.id, "thread_id": message.thread_id, "person": message.sender.address}
        mailings.put(db, out.native_id, rcpt_to, now=world.now(), **facts)
        enqueue(db, out, rcpt_to, to=message, relay=mail.relay, now=world.now())

    await host.database.write(store)
    return (await all_jobs(host, DELIVER))[-1], out


def states(host, native_id):
    rows = asyncio.run(host.database.read(lambda db: mailings.of_mail(db, native_id)))
    return {row.mailbox: row.state for row in rows}


def test_a_mail_is_answered_by_a_signed_mail_in_its_thread(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            async with host.running():
                raw = ALICE.write(QUESTION, to="@helper@agents.example", now=world.now(), subject="Rain")
                async with await client(host.transport("email").ports["smtp"]) as smtp:
                    await smtp.sendmail("alice@a.example", ["helper@agents.example"], raw)
                await until(lambda: ended_jobs(host, DELIVER))
            return raw, hers.mails

    raw, [(mail_from, rcpt_to, answer)] = asyncio.run(talk())

    assert (mail_from, rcpt_to) == ("helper@agents.example", ("alice@a.example",))
    question, parsed = (email.message_from_bytes(one, policy=email_policy.default) for one in (raw, answer))
    assert parsed["In-Reply-To"] == question["Message-ID"]
    assert "You wrote: Will it rain?" in parsed.get_body(("plain",)).get_content()
    record = library.dkim_record(host.keys.mail).encode()
    assert dkim.verify(answer, dnsfunc=lambda name, timeout=5: record)
    assert states(host, parsed["Message-ID"]) == {"alice@a.example": "accepted"}


def test_an_answer_to_the_answer_is_in_the_same_thread(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            async with host.running():
                port = host.transport("email").ports["smtp"]
                await say(port, world, QUESTION)
                await until(lambda: ended_jobs(host, DELIVER))
                answered = email.message_from_bytes(hers.mails[0][2])["Message-ID"]
                world.advance(minutes=1)
                await say(port, world, "And tomorrow?", in_reply_to=answered)
                await until(lambda: two_answers(host))
        return await host.database.read(lambda db: messages.entry(db, 1))

    first = asyncio.run(talk())
    thread = asyncio.run(host.database.read(lambda db: messages.thread(db, first.thread_id, agent=first.agent)))
    assert [entry.role for entry in thread] == ["user", "assistant", "user", "assistant"]
    assert thread[2].value.history is None  # else what is removed by its author stays in what was written after it


async def say(port, world, text, **more):
    raw = ALICE.write(text, to="@helper@agents.example", now=world.now(), **more)
    async with await client(port) as smtp:
        await smtp.sendmail("alice@a.example", ["helper@agents.example"], raw)


async def two_answers(host):
    return len(await ended_jobs(host, DELIVER)) == 2


def test_a_mail_that_is_wanted_later_comes_again_as_the_same_bytes(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            hers.to_data = ["451 4.7.1 Greylisted, come again"]
            place_at(world, hers.port, "mx.a.example")
            job, out = await queue(host, world)
            first = await deliver(host.transport("email"), job)
            second = await deliver(host.transport("email"), job)
            await host.database.write(second.store)
            return first, second, hers.mails, out

    first, second, mails, out = asyncio.run(talk())

    assert isinstance(first, Retry)
    assert "Greylisted" in first.reason
    assert first.after.total_seconds() == 300
    assert isinstance(second, Done)
    assert [data for _, _, data in mails] == [out.data, out.data]
    assert states(host, out.native_id) == {"alice@a.example": "accepted"}


def test_the_worker_brings_a_greylisted_mail_when_its_time_has_come(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            hers.to_data = ["451 4.7.1 Greylisted"]
            place_at(world, hers.port, "mx.a.example")
            await queue(host, world)
            async with host.running():
                await until(lambda: postponed(host))
                world.advance(minutes=10)
                host.wake()
                [job] = await until(lambda: ended_jobs(host, DELIVER))
            return job.state, len({data for _, _, data in hers.mails}), len(hers.mails)

    assert asyncio.run(talk()) == ("done", 1, 2)


async def postponed(host):
    return [one for one in await all_jobs(host, DELIVER) if one.error]


def test_who_has_a_mail_gets_it_no_second_time_because_another_could_not(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            job, out = await queue(host, world, "alice@a.example", "bob@a.example")
            hers.to_recipient = lambda mailbox: "450 4.2.1 Busy" if mailbox.startswith("bob") else None
            first = await deliver(host.transport("email"), job)
            hers.to_recipient = lambda mailbox: None
            second = await deliver(host.transport("email"), job)
            await host.database.write(second.store)
            return first, second, [rcpt_to for _, rcpt_to, _ in hers.mails], out

    first, second, recipients, out = asyncio.run(talk())

    assert isinstance(first, Retry)
    assert isinstance(second, Done)
    assert recipients == [("alice@a.example",), ("bob@a.example",)]
    assert states(host, out.native_id) == {"alice@a.example": "accepted", "bob@a.example": "accepted"}


def test_of_two_recipients_one_is_refused_and_the_other_has_the_mail(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            job, out = await queue(host, world, "alice@a.example", "bob@a.example")
            hers.to_recipient = lambda mailbox: "550 5.1.1 No such user" if mailbox.startswith("bob") else None
            outcome = await deliver(host.transport("email"), job)
            await host.database.write(outcome.store)
            again = await deliver(host.transport("email"), job)
            return outcome, again, hers.mails, out

    outcome, again, mails, out = asyncio.run(talk())

    assert outcome.reason == "bob@a.example: 550 5.1.1 No such user"
    assert again == Done()
    assert len(mails) == 1
    assert states(host, out.native_id) == {"alice@a.example": "accepted", "bob@a.example": "bounced"}


def test_a_refused_mail_goes_when_the_operator_has_it_sent_again(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            hers.to_data = ["554 5.7.1 Your address has no name"]
            job, _ = await queue(host, world)
            refused = await deliver(host.transport("email"), job)
            await host.database.write(refused.store)
            return refused, await deliver(host.transport("email"), job), len(hers.mails)

    refused, again, count = asyncio.run(talk())
    assert (type(refused), type(again), count) == (Dead, Done, 2)


def test_a_mail_that_was_sent_before_the_process_was_killed_goes_again_under_the_same_id(host, world):
    async def talk():
        async with Mailbox().listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            job, out = await queue(host, world)
            await deliver(host.transport("email"), job)  # nothing is stored: the process ends here
            async with host.running():
                await until(lambda: ended_jobs(host, DELIVER))
            return out, hers.mails

    out, mails = asyncio.run(talk())
    assert [data for _, _, data in mails] == [out.data, out.data]


@pytest.mark.parametrize(
    ("found", "kind", "words"),
    [
        ([], Dead, NO_MAIL),
        ([(0, ".")], Dead, NO_MAIL),
        (Failed("SERVFAIL"), Retry, "a.example: SERVFAIL"),
        (Failed("no such domain", temporary=False), Dead, "a.example: no such domain"),
        ([(1, "gone.a.example")], Retry, "gone.a.example: gone.a.example is not there"),
    ],
)
def test_a_domain_without_servers_is_told_in_words(host, world, found, kind, words):
    async def talk():
        async def lookup_mx(domain):
            return found

        world.lookup_mx = lookup_mx
        job, _ = await queue(host, world)
        return await deliver(host.transport("email"), job)

    outcome = asyncio.run(talk())
    assert (type(outcome), outcome.reason) == (kind, words)


@pytest.mark.parametrize("who", ["@alice@a.example", "a.example", "example"])
def test_who_was_blocked_meanwhile_gets_no_mail(host, world, who):
    async def story():
        job, _ = await queue(host, world)
        await host.database.write(lambda db: blocks.add(db, who, now=world.now()))
        return await deliver(host.transport("email"), job)

    assert asyncio.run(story()) == Done()


def test_the_next_server_gets_a_mail_that_the_first_cannot_take(host, world):
    world.mx["a.example"] = [(1, "dead.a.example"), (2, "mx.a.example")]

    async def talk():
        async with Mailbox().listening() as hers:

            async def places(name, port):
                return [("127.0.0.1", 1 if name == "dead.a.example" else hers.port)]

            world.places = places
            job, _ = await queue(host, world)
            return await deliver(host.transport("email"), job), len(hers.mails)

    outcome, count = asyncio.run(talk())
    assert (type(outcome), count) == (Done, 1)


def test_a_mailbox_beyond_ascii_needs_a_server_that_can_write_to_it(host, world):
    async def talk(utf8):
        async with Mailbox(utf8=utf8).listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            job, _ = await queue(host, world, sender="@gr%C3%BC%C3%9Fe@a.example")
            return await deliver(host.transport("email"), job), [rcpt_to for _, rcpt_to, _ in hers.mails]

    refused, _ = asyncio.run(talk(False))
    taken, recipients = asyncio.run(talk(True))

    assert (type(refused), refused.reason) == (
        Dead,
        "mx.a.example cannot write to a mailbox that is not ASCII (no SMTPUTF8)",
    )
    assert (type(taken), recipients) == (Done, [("grüße@a.example",)])


def test_tls_is_used_where_it_is_offered_by_anybody(host, world, tmp_path):
    offered, _ = certificate(tmp_path, "somebody.example")

    async def talk():
        async with Mailbox(tls=offered).listening() as hers:
            place_at(world, hers.port, "mx.a.example")
            job, _ = await queue(host, world)
            return await deliver(host.transport("email"), job), hers.is_encrypted

    outcome, is_encrypted = asyncio.run(talk())
    assert (type(outcome), is_encrypted) == (Done, [True])


def test_a_relay_gets_all_of_it_without_a_look_up(make_host, world):
    async def talk():
        async with Mailbox().listening() as relay:
            host = make_host(Mail, mail={"relay": f"smtp://127.0.0.1:{relay.port}"})
            job, _ = await queue(host, world, "alice@a.example", "bob@b.example")
            return await deliver(host.transport("email"), job), [rcpt_to for _, rcpt_to, _ in relay.mails]

    outcome, recipients = asyncio.run(talk())
    assert (type(outcome), recipients) == (Done, [("alice@a.example", "bob@b.example")])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://relay.example", ("relay.example", 587, "required", None)),
        ("smtp://al%40a:p%3Aw@relay.example:2525", ("relay.example", 2525, "required", "al@a")),
        ("smtps://relay.example", ("relay.example", 465, "whole", None)),
        ("smtp://localhost", ("localhost", 25, "none", None)),
        ("smtp://[::1]:26", ("::1", 26, "none", None)),
    ],
)
def test_a_relay_elsewhere_must_speak_tls(url, expected):
    server = Relay.parse(url).server

    assert (server.host, server.port, server.tls, server.user) == expected
    assert "p:w" not in repr(server)


def test_a_relay_that_must_speak_tls_and_does_not_gets_no_password(host, tmp_path):
    _, trusting = certificate(tmp_path, "relay.example")
    letter = Letter(native_id="<1@a>", mail_from="helper@agents.example", smtputf8=False, data=b"A: b\r\n\r\nHi\r\n")

    async def talk():
        async with Mailbox().listening() as relay:
            server = Server(
                name="relay.example", host="127.0.0.1", port=relay.port, tls="required", user="u", password="p"
            )
            with pytest.raises(Unreachable, match=r"relay\.example offers no TLS, which it must"):
                await send(letter, ["alice@a.example"], server=server, hostname="agents.example", verified=trusting)

    asyncio.run(talk())


def test_a_first_mail_begins_a_thread_that_its_answer_is_in(host, world):
    async def talk():
        thread = await host.transport("email").first_contact("alice@a.example", "It will rain.", subject="Rain")
        [native_id] = await host.database.read(lambda db: db.execute(select(native_ids.c.native_id)).scalars().all())
        raw = ALICE.write("Thank you.", to="@helper@agents.example", now=world.now(), in_reply_to=native_id)
        flow = library.receive(raw, recipient="@helper@agents.example", now=world.now(), entropy=world.entropy())

        return thread, await adrive(flow, answers_of(host, Uses()))

    thread, got = asyncio.run(talk())

    assert isinstance(got, Received)
    assert got.message.thread_id == thread
    assert [turn.role for turn in got.message.history] == ["assistant"]
    [job] = asyncio.run(all_jobs(host, DELIVER))
    assert job.thread_id == thread
    assert b"\r\nSubject: Rain\r\n" in job.payload


def test_a_first_mail_to_no_address_is_refused(host):
    with pytest.raises(UsageError):
        asyncio.run(host.transport("email").first_contact("alice", "Hello"))


@pytest.mark.parametrize("mailbox", ["alice@a.example> NOTIFY=NEVER", "alice@a.example\r\nQUIT", "<alice@a.example"])
def test_what_an_address_could_add_to_a_command_is_not_sent(mailbox):
    letter = Letter(native_id="<1@a>", mail_from="helper@agents.example", smtputf8=False, data=b"A: b\r\n\r\nHi\r\n")
    nowhere = Server(name="mx.a.example", host="127.0.0.1", port=1, tls="none")

    with pytest.raises(Undeliverable, match="a space or a control character"):
        asyncio.run(send(letter, [mailbox], server=nowhere, hostname="a", verified=ssl.create_default_context()))


@contextlib.asynccontextmanager
async def speaking(**said):
    """A server that says just this: command → reply; its port, and how many mails came."""
    usual = {"": b"220 mx ESMTP", "EHLO": b"250 mx", "DATA": b"354 go", ".": b"250 OK"}
    replies = usual | {name: line.encode("latin-1") for name, line in said.items()}

    mails = []

    async def talk(reader, writer):
        writer.write(replies[""] + b"\r\n")
        in_mail = False
        while line := await reader.readline():
            if in_mail and line != b".\r\n":
                continue
            mails.extend([line] if in_mail else [])
            name = "." if in_mail else line[:4].strip().decode("latin-1").upper()
            in_mail = name == "DATA" and replies["DATA"].startswith(b"354")
            writer.write(replies.get(name, b"250 OK") + b"\r\n")
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], mails


@pytest.mark.parametrize(
    ("said", "expected", "state"),
    [
        ({"DATA": "250 OK"}, Retry, "waiting"),
        ({".": "354 go on"}, Retry, "waiting"),
        ({"RCPT": "252 perhaps"}, Done, "accepted"),
        ({"MAIL": "251 fine"}, Done, "accepted"),
        ({"EHLO": "250-mx\r\n250 STARTTLS", "STAR": "454 4.7.0 TLS is not available"}, Done, "accepted"),
        ({"RCPT": "550 5.1.1 \xff\x00\x1b[2J no"}, Dead, "bounced"),
    ],
)
def test_whatever_a_server_says_a_mail_is_there_or_comes_again_or_is_refused(host, world, said, expected, state):
    async def talk():
        async with speaking(**said) as (port, mails):
            place_at(world, port, "mx.a.example")
            job, out = await queue(host, world)
            outcome = await deliver(host.transport("email"), job)
            if not isinstance(outcome, Retry):
                reason = getattr(outcome, "reason", "")
                await host.database.write(outcome.store)
                await host.database.write(lambda db: jobs.bury(db, job.number, now=world.now(), error=reason))
            return outcome, out, mails

    outcome, out, mails = asyncio.run(talk())

    assert isinstance(outcome, expected)
    assert mails or state != "accepted"
    assert states(host, out.native_id) == {"alice@a.example": state}
