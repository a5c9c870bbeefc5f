"""Bounces, delays and complaints about what the agent sent."""

from __future__ import annotations

import asyncio

import pytest
from mail_peers import ALICE, all_jobs, publish
from mentionable import NormalizedResponse

from mentionable_host.store import mailings, messages
from mentionable_host.transports.mail import Mail
from mentionable_host.transports.mail.deliveries import DELIVER


@pytest.fixture
def host(make_host, world):
    publish(world)
    return make_host(Mail)


async def take(host, raw, *, mail_from=""):
    return await host.transport("email").receive(raw, mail_from=mail_from, rcpt_to=("helper@agents.example",))


async def answered(host, world, text="Will it rain?", *, is_sent=True, **more):
    """Has a mail of Alice answered, and the answer sent; the Message-ID of the answer."""
    raw = ALICE.write(text, to="@helper@agents.example", now=world.now(), **more)
    assert await take(host, raw, mail_from="alice@a.example") == "250 2.0.0 OK"
    job = (await all_jobs(host, "answer"))[-1]
    entry = await host.database.read(lambda db: messages.entry(db, int(job.payload)))
    message, mail = entry.value, host.transport("email")
    response = NormalizedResponse.to(message, "It will.")
    reply = await mail.reply(response, to=message)

    def store(db):
        messages.put_answer(db, response, to=message, transport="email", now=world.now())
        rows = {(one, message.recipient): messages.own_row(message) for one in reply.native_ids}
        messages.put_native_ids(db, rows, person=message.sender.address)
        reply.store(db)
        [mailing] = mailings.of_mail(db, reply.native_ids[0])
        if is_sent and mailing.state == "waiting":
            mailings.record(db, mailing.native_id, mailing.mailbox, "accepted", reply="250 OK", now=world.now())

    await host.database.write(store)
    return reply.native_ids[0]


def report(native_id, *, mailbox="alice@a.example", action="failed", status="5.1.1", extra=""):
    return f"""From: Mail Delivery System <mailer-daemon@mx.example>
To: helper@agents.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

About your mail.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

{extra}Final-Recipient: rfc822; {mailbox}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 5.1.1 no such user
--b
Content-Type: text/rfc822-headers

Message-ID: {native_id}
--b--
""".replace("\n", "\r\n").encode()


COMPLAINT = """From: <fbl@mx.example>
To: helper@agents.example
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

This is spam.
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: mx/1
Version: 1

--b
Content-Type: message/rfc822

From: helper@agents.example
Message-ID: {}

Hello
--b--
"""


def state(host, native_id):
    [row] = asyncio.run(host.database.read(lambda db: mailings.of_mail(db, native_id)))
    return row.state, row.reply


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, "bounced"),
        ({"action": "failed", "status": "4.4.7"}, "failed"),
        ({"action": "delayed", "status": "4.4.1"}, "delayed"),
        ({"action": "delivered", "status": "2.0.0"}, "delivered"),
        ({"action": "relayed", "status": "2.0.0"}, "accepted"),
        ({"mailbox": "Alice@A.example"}, "bounced"),
        ({"mailbox": "alice@elsewhere.example"}, "accepted"),
        ({"mailbox": "a2@b.example", "extra": "Original-Recipient: rfc822; alice@a.example\n"}, "bounced"),
    ],
)
def test_a_report_says_what_became_of_a_mail(host, world, facts, expected):
    async def talk():
        native_id = await answered(host, world)
        return native_id, await take(host, report(native_id, **facts))

    native_id, reply = asyncio.run(talk())

    assert reply == "250 2.0.0 OK"
    assert state(host, native_id)[0] == expected


def test_no_more_mail_of_a_thread_goes_where_one_bounced(host, world):
    async def talk():
        native_id = await answered(host, world)
        await take(host, report(native_id))
        world.advance(minutes=1)
        second = await answered(host, world, "Hello?", in_reply_to=native_id)
        world.advance(minutes=1)
        return second, await answered(host, world, "Another thing")

    second, other_thread = asyncio.run(talk())

    assert state(host, second)[0] == "withheld"
    assert state(host, other_thread)[0] == "accepted"
    assert len(asyncio.run(all_jobs(host, DELIVER))) == 2
    failures = asyncio.run(host.database.read(mailings.failures))
    assert {(one.mailbox, one.state) for one in failures} == {
        ("alice@a.example", "bounced"),
        ("alice@a.example", "withheld"),
    }


def test_a_person_who_complains_gets_no_more_in_that_thread(host, world):
    async def talk():
        native_id = await answered(host, world)
        raw = COMPLAINT.format(native_id).replace("\n", "\r\n").encode()
        return native_id, await take(host, raw)

    native_id, reply = asyncio.run(talk())

    assert reply == "250 2.0.0 OK"
    assert state(host, native_id)[0] == "complained"


def test_what_bounced_stays_so_whatever_later_reports_say(host, world):
    async def talk():
        native_id = await answered(host, world)
        await take(host, report(native_id))
        await take(host, report(native_id, action="delivered", status="2.0.0"))
        return native_id

    assert state(host, asyncio.run(talk()))[0] == "bounced"


def test_an_unsigned_report_about_no_mail_of_the_agent_is_refused(host, world):
    reply = asyncio.run(take(host, report("<unknown@agents.example>")))

    assert reply.startswith("5")


def test_a_report_is_answered_by_nobody(host, world):
    async def talk():
        native_id = await answered(host, world)
        await take(host, report(native_id))
        return await all_jobs(host, "answer")

    assert len(asyncio.run(talk())) == 1


@pytest.mark.parametrize("facts", [{}, {"action": "delivered", "status": "2.0.0"}])
def test_a_report_about_a_mail_that_was_not_sent_yet_keeps_nobody_from_getting_it(host, world, facts):
    async def talk():
        native_id = await answered(host, world, is_sent=False)
        await take(host, report(native_id, **facts))
        return native_id

    assert state(host, asyncio.run(talk()))[0] == "waiting"


def test_a_bounce_counts_for_good_only_where_one_mailbox_has_the_mail(host, world):
    async def run():
        native_id = await answered(host, world)
        [mailing] = await host.database.read(lambda db: mailings.of_mail(db, native_id))

        def also(db):
            facts = {"message_id": mailing.message_id, "thread_id": mailing.thread_id, "person": mailing.person}
            mailings.put(db, native_id, ["bob@b.example"], now=world.now(), **facts)
            mailings.record(db, native_id, "bob@b.example", "accepted", reply="250 OK", now=world.now())

        await host.database.write(also)
        assert await take(host, report(native_id)) == "250 2.0.0 OK"
        return await host.database.read(lambda db: mailings.of_mail(db, native_id)), mailing.thread_id

    (alice, bob), thread_id = asyncio.run(run())

    assert (alice.state, bob.state) == ("failed", "accepted")
    with host.database.snapshot() as db:
        assert not mailings.unreachable(db, thread_id, ["alice@a.example"])
