"""A sender who writes without end fills neither the store nor the memory."""

import asyncio
import json

import httpx
from mentionable import HttpRequest, activitypub
from starlette.applications import Starlette

from mentionable_host import admission
from mentionable_host.store import blocks, reactions
from mentionable_host.transports.activitypub import pending

from .conftest import ACTOR, ORIGIN


def test_who_writes_far_too_much_is_told_to_come_later(fediverse_with, world, monkeypatch):
    monkeypatch.setattr(admission, "STORED", 2)
    fediverse = fediverse_with(limits={"sender_per_hour": 2})
    alice, bob = fediverse.person("alice"), fediverse.person("bob", "other.example")

    def write(peer, number):
        return peer.write(f"Hi {number}", to=ACTOR, now=world.now())

    assert fediverse.post(*(write(alice, number) for number in range(6))) == [202, 202, 202, 202, 503, 503]
    assert fediverse.post(write(bob, 7)) == [202]
    assert fediverse.counts()["messages"] == 5

    world.advance(hours=1)
    assert fediverse.post(write(alice, 8)) == [202]


def test_who_is_silenced_is_stored_no_more_than_others(fediverse_with, world, monkeypatch):
    monkeypatch.setattr(admission, "STORED", 2)
    fediverse = fediverse_with(limits={"sender_per_hour": 2})
    alice = fediverse.person("alice")
    fediverse.write(lambda db: blocks.add(db, "social.example", severity="silence", now=world.now()))

    requests = [alice.write(f"Hi {number}", to=ACTOR, now=world.now()) for number in range(4)]

    assert fediverse.post(*requests) == [202, 202, 503, 503]


def test_the_same_words_again_and_again_are_a_flood_too(fediverse_with, world, monkeypatch):
    monkeypatch.setattr(admission, "STORED", 1)
    fediverse = fediverse_with(limits={"sender_per_hour": 5})
    alice = fediverse.person("alice")
    first = alice.write("Hi", to=ACTOR, now=world.now())
    parent = json.loads(first.body)["object"]["id"]

    def again():
        world.advance(seconds=1)  # each has an id of its own
        return alice.write("Hi", to=ACTOR, now=world.now(), in_reply_to=parent)

    assert fediverse.post(first, *(again() for _ in range(6))) == [202] * 5 + [503] * 2


def test_what_came_before_is_known_again_in_a_flood(fediverse_with, world, monkeypatch):
    monkeypatch.setattr(admission, "STORED", 1)
    fediverse = fediverse_with(limits={"sender_per_hour": 1})
    alice = fediverse.person("alice")
    request = alice.write("Hi", to=ACTOR, now=world.now())

    assert fediverse.post(request, request) == [202, 202]


def test_who_claims_many_slow_origins_keeps_no_other_network_waiting(fediverse, world, monkeypatch):
    monkeypatch.setattr(pending, "OF_A_NETWORK", 3)
    alice, never = fediverse.person("alice"), asyncio.Event()
    strangers = [fediverse.person("eve", f"e{number}.example") for number in range(4)]
    fetch = world.fetch

    async def slowly(ask, *, sign=None):
        if "//e" in ask.url:
            await never.wait()
        return await fetch(ask, sign=sign)

    monkeypatch.setattr(world, "fetch", slowly)

    async def post(peer, address):
        request = peer.write("Hi", to=ACTOR, now=world.now())
        app = Starlette(routes=fediverse.host.routes())
        transport = httpx.ASGITransport(app=app, client=(address, 4000))
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            got = await client.post(request.url, headers=dict(request.headers), content=request.body)
        return got.status_code

    async def flood():
        slow = [asyncio.create_task(post(one, "203.0.113.1")) for one in strangers[:3]]
        while len(fediverse.transport._inbox._pending._counts) < 3:
            await asyncio.sleep(0.01)
        found = await post(strangers[3], "203.0.113.1"), await post(alice, "203.0.113.2")
        for one in slow:
            one.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        return found

    assert fediverse.run(flood()) == (429, 202)
    counted = fediverse.transport._inbox._pending
    assert (counted._counts, counted._networks) == ({}, {})


def test_who_reports_without_end_fills_no_store(fediverse, alice, monkeypatch):
    monkeypatch.setattr(reactions, "REPORTS_OF_ONE", 2)
    monkeypatch.setattr(reactions, "REPORT_CHARS", 5)

    def report(number):
        flag = {
            "@context": "https://www.w3.org/ns/activitystreams",
            "id": f"https://social.example/flags/{number}",
            "type": "Flag",
            "actor": alice.actor,
            "object": [ACTOR],
            "content": "It is rude.",
        }
        headers = {"content-type": "application/activity+json"}
        request = HttpRequest(method="POST", url=f"{ORIGIN}/inbox", headers=headers, body=json.dumps(flag).encode())
        return activitypub.sign(request, key=alice.key, now=fediverse.world.now())

    assert fediverse.post(*map(report, range(4))) == [202] * 4
    assert [row["content"] for row in fediverse.rows("reports")] == ["It is"] * 2
