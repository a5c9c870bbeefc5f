"""Whatever comes ends in a clean status, and what was not verified leaves nothing behind."""

import asyncio
import json
from random import Random

import pytest
from mentionable import HttpRequest

from mentionable_host.store import reactions
from mentionable_host.transports.activitypub.inbox import claimed_actor

from .conftest import ACTOR, ORIGIN

INBOX = f"{ORIGIN}/inbox"


def bare(body, **headers):
    return HttpRequest(method="POST", url=INBOX, headers=headers, body=body)


ODD = [
    b'{"actor": "https://social.example/\\u0000", "type": "Like", "id": "https://social.example/1"}',
    b'{"actor": "\\ud800", "type": "Like", "id": "https://social.example/1"}',
    b'{"actor": "https://a.example/u", "actor": "\\ud800", "id": "https://a.example/1", "type": "Like"}',
    b'{"actor": {"id": []}, "type": "Follow", "id": "https://social.example/1"}',
    b'{"actor": {"id": "https://social.example/users/alice"}, "type": "Follow", "id": "https://social.example/1"}',
    b'{"actor": "https://127.0.0.1/u", "type": "Follow", "id": "https://127.0.0.1/1"}',
    b'{"actor": "https://social.example:8443/u", "type": "Follow", "id": "https://social.example:8443/1"}',
    b'{"actor": "https://agents.example/actors/helper", "type": "Follow", "id": "https://agents.example/1"}',
    b'{"actor": ' + b"[" * 100_000,
    b'{"actor": 1' + b"0" * 5000 + b"}",
    b"\xff\xfe",
    b"null",
]


@pytest.mark.parametrize("body", ODD)
def test_an_odd_delivery_is_refused(fediverse, alice, body):
    (status,) = fediverse.post(bare(body))

    assert 400 <= status < 504
    assert status != 500
    assert fediverse.counts() == {}


def test_changed_deliveries_are_refused_or_for_nobody(fediverse, alice):
    chance, request = Random(7), alice.write("Will it rain?", to=ACTOR, now=fediverse.world.now())
    changed = []
    for _ in range(150):
        body = bytearray(request.body)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(body))
            body[place : place + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
        if bytes(body) != request.body:
            changed.append(HttpRequest(method="POST", url=INBOX, headers=request.headers, body=bytes(body)))

    statuses = set(fediverse.post(*changed))

    assert 500 not in statuses
    assert fediverse.counts() == {}


def test_signatures_that_cannot_be_read_are_refused(fediverse, alice):
    request = alice.write("Will it rain?", to=ACTOR, now=fediverse.world.now())
    odd = [
        {"signature": 'keyId="https://social.example/users/alice#main-key",signature="AAAA"'},
        {"signature": "x" * 10_000},
        {"signature-input": "sig1=()", "signature": "sig1=::"},
        {"signature-input": "((((", "signature": ")"},
    ]

    statuses = fediverse.post(*(bare(request.body, **headers) for headers in odd))

    assert set(statuses) == {401}
    assert fediverse.counts() == {}


def test_readers_whose_signatures_cannot_be_read_see_nothing(fediverse):
    odd = ["x", 'keyId="https://127.0.0.1/",signature="AAAA"', 'keyId="\\"', 'keyId="https://social.example/nobody"']

    assert {fediverse.get(f"{ORIGIN}/objects/x", signature=one).status_code for one in odd} == {404}


def test_the_same_delivery_many_times_at_once_counts_once(fediverse, alice):
    request = alice.write("Will it rain?", to=ACTOR, now=fediverse.world.now())

    async def flood():
        return await asyncio.gather(*(fediverse.request(request) for _ in range(16)))

    statuses = {one.status_code for one in fediverse.run(flood())}
    fediverse.work()

    assert statuses <= {202, 503}
    assert len(fediverse.sent("Create")) == 1


def test_what_a_peer_writes_is_stored_without_zero_bytes(fediverse, alice):
    now = fediverse.world.now()
    facts = {"actor": alice.actor, "kind": "EmojiReact", "object_id": f"{ORIGIN}/objects/1"}

    assert fediverse.write(lambda db: reactions.put(db, **facts, content="a\0b", now=now))
    assert [row["content"] for row in fediverse.rows("reactions")] == ["ab"]


@pytest.mark.parametrize(
    ("body", "actor"),
    [
        ({"actor": "https://a.example/u"}, "https://a.example/u"),
        ({"actor": {"id": "https://a.example/u"}}, "https://a.example/u"),
        ({"actor": ["https://a.example/u"]}, None),
        ({}, None),
    ],
)
def test_the_claimed_actor_is_the_one_that_is_named(body, actor):
    assert claimed_actor(json.dumps(body).encode()) == actor
