"""MTA-STS: what a domain says about its servers is kept, also by those who would rather not."""

from __future__ import annotations

import asyncio

import pytest
from mail_peers import Mailbox, certificate, place_at
from mentionable import Fetched
from test_mail_out import queue

from mentionable_host.queue.outcome import Done, Retry
from mentionable_host.transports.mail import Mail
from mentionable_host.transports.mail.deliveries import deliver
from mentionable_host.transports.mail.mta_sts import Policy, policy_of, read_policy

URL = "https://mta-sts.a.example/.well-known/mta-sts.txt"
TEXT = "version: STSv1\r\nmode: enforce\r\nmx: mx.a.example\r\nmax_age: 86400\r\n"


@pytest.fixture
def host(make_host, world):
    world.mx["a.example"] = [(10, "mx.a.example")]
    return make_host(Mail)


def publish(world, text=TEXT, *, record=b"v=STSv1; id=1;", **facts):
    world.txt["_mta-sts.a.example"] = [record]
    described = {"url": URL, "status": 200, "content_type": "text/plain", **facts}
    world.documents[URL] = Fetched(body=text.encode(), **described)


def brought(host, world, *, tls=None, verified=None):
    """What becomes of a mail to a server with some TLS."""

    async def talk():
        async with Mailbox(tls=tls).listening() as hers:
            place_at(world, hers.port, "mx.a.example", "mx.b.example")
            mail = host.transport("email")
            mail.verified_tls = verified or mail.verified_tls
            job, _ = await queue(host, world)
            return await deliver(mail, job), hers.is_encrypted

    return asyncio.run(talk())


def test_a_server_without_tls_gets_no_mail_where_the_domain_says_so(host, world):
    publish(world)

    outcome, taken = brought(host, world)

    assert (type(outcome), outcome.reason, taken) == (Retry, "mx.a.example offers no TLS, which it must", [])


def test_a_server_with_a_certificate_of_its_name_gets_the_mail(host, world, tmp_path):
    publish(world)
    offered, trusting = certificate(tmp_path, "mx.a.example")

    outcome, taken = brought(host, world, tls=offered, verified=trusting)

    assert (type(outcome), taken) == (Done, [True])


def test_a_server_with_a_certificate_of_another_name_gets_none(host, world, tmp_path):
    publish(world)
    offered, trusting = certificate(tmp_path, "mx.b.example")

    outcome, taken = brought(host, world, tls=offered, verified=trusting)

    assert (type(outcome), taken) == (Retry, [])


def test_a_server_with_a_certificate_that_nobody_vouches_for_gets_none(host, world, tmp_path):
    publish(world)
    offered, _ = certificate(tmp_path, "mx.a.example")

    outcome, taken = brought(host, world, tls=offered)

    assert (type(outcome), taken) == (Retry, [])


def test_a_server_that_the_policy_does_not_name_gets_none(host, world):
    publish(world)
    world.mx["a.example"] = [(10, "mx.b.example")]

    outcome, taken = brought(host, world)

    assert (outcome.reason, taken) == ("a.example: its MTA-STS policy allows none of its servers", [])


@pytest.mark.parametrize("text", [TEXT.replace("enforce", "testing"), TEXT.replace("enforce", "none")])
def test_a_policy_that_is_not_enforced_keeps_nobody_away(host, world, text):
    publish(world, text)

    outcome, taken = brought(host, world)

    assert (type(outcome), taken) == (Done, [False])


def test_a_policy_stays_when_it_is_hidden_until_it_expires(host, world):
    publish(world)
    asyncio.run(policy_of(host, "a.example"))
    world.txt.clear()
    world.documents.clear()

    world.advance(hours=23)
    assert asyncio.run(policy_of(host, "a.example")).mode == "enforce"
    world.advance(hours=2)
    assert asyncio.run(policy_of(host, "a.example")) is None


def test_a_policy_of_a_new_id_takes_the_place_of_the_old_one(host, world):
    publish(world)
    asyncio.run(policy_of(host, "a.example"))
    publish(world, TEXT.replace("enforce", "testing"))
    assert asyncio.run(policy_of(host, "a.example")).mode == "enforce"

    publish(world, TEXT.replace("enforce", "testing"), record=b"v=STSv1; id=2;")
    assert asyncio.run(policy_of(host, "a.example")).mode == "testing"


@pytest.mark.parametrize(
    "facts",
    [
        {"status": 404},
        {"url": "https://elsewhere.example/mta-sts.txt"},
        {"content_type": "text/html"},
        {"record": b"v=STSv1; id=not a word"},
        {"record": b"v=spf1 -all"},
    ],
)
def test_what_is_no_policy_does_not_count(host, world, facts):
    publish(world, **facts)

    assert asyncio.run(policy_of(host, "a.example")) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT.replace("STSv1", "STSv2"),
        TEXT.replace("max_age: 86400", "max_age: soon"),
        TEXT.replace("max_age: 86400", "max_age: ²"),
        TEXT.replace("mx: mx.a.example\r\n", ""),
        TEXT.replace("enforce", "maybe"),
        TEXT + "mx: x.example\r\n" * 100,
    ],
)
def test_a_document_that_is_no_policy_is_none(text):
    assert read_policy(text) is None


@pytest.mark.parametrize(
    ("server", "is_allowed"),
    [
        ("mx.a.example", True),
        ("MX.A.example.", True),
        ("1.mx.b.example", True),
        ("mx.b.example", False),
        ("1.2.mx.b.example", False),
        ("b.example", False),
    ],
)
def test_a_star_is_one_label(server, is_allowed):
    policy = Policy(mode="enforce", servers=("mx.a.example", "*.mx.b.example"), max_age=1)

    assert policy.allows(server) is is_allowed
