"""A sender who writes without end fills neither the store nor the memory."""

import json

from mentionable import HttpRequest, activitypub

from mentionable_host import admission
from mentionable_host.store import reactions

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


def test_what_came_before_is_known_again_in_a_flood(fediverse_with, world, monkeypatch):
    monkeypatch.setattr(admission, "STORED", 1)
    fediverse = fediverse_with(limits={"sender_per_hour": 1})
    alice = fediverse.person("alice")
    request = alice.write("Hi", to=ACTOR, now=world.now())

    assert fediverse.post(request, request) == [202, 202]


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
