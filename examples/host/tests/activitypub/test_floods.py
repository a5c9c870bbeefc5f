"""A sender who writes without end fills neither the store nor the memory."""

from mentionable_host import admission

from .conftest import ACTOR


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
