import json

from mentionable import activitypub

from mentionable_host.forgetting import forget
from mentionable_host.transports.activitypub import relations

from .conftest import ACTOR


def say(fediverse, alice, followers, *, signed=True):
    """Alice delivers something that says which followers she has here, and serves who they are."""
    number, url = fediverse.world.entropy().hex(), f"{alice.actor}/followers_synchronization"
    activity = {"id": f"{alice.actor}/did/{number}", "type": "Like", "to": [ACTOR], "object": f"{ACTOR}/x"}
    delivery = alice.deliver(activity, now=fediverse.world.now())
    told = activitypub.with_synchronization(
        delivery, followers=followers, collection=f"{alice.actor}/followers", url=url
    )
    signed_again = activitypub.sign(told, key=alice.key, now=fediverse.world.now())
    fediverse.serve(url, activitypub.collection(url, items=followers))
    assert fediverse.post(signed_again if signed else told) == [202]
    fediverse.work()


def follows(fediverse):
    return [(row["actor"], row["state"]) for row in fediverse.related("following")]


def follow(fediverse, alice, *, accepted):
    fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    fediverse.work()
    if accepted:
        asked = fediverse.sent("Follow")[-1][1]
        accept = {"id": f"{alice.actor}/did/a", "type": "Accept", "to": [ACTOR], "object": asked}
        fediverse.post(alice.deliver(accept, now=fediverse.world.now()))


def test_who_does_not_know_that_the_agent_follows_is_followed_no_more(fediverse, alice):
    follow(fediverse, alice, accepted=True)
    assert follows(fediverse) == [(alice.actor, "accepted")]

    say(fediverse, alice, [])

    assert follows(fediverse) == []


def test_an_accept_that_was_lost_is_made_up_for(fediverse, alice):
    follow(fediverse, alice, accepted=False)
    say(fediverse, alice, [ACTOR])

    assert follows(fediverse) == [(alice.actor, "accepted")]


def test_nothing_changes_where_both_sides_agree_or_the_header_is_not_signed(fediverse, alice):
    follow(fediverse, alice, accepted=True)
    say(fediverse, alice, [ACTOR])
    fediverse.world.advance(hours=1)
    say(fediverse, alice, [], signed=False)

    assert follows(fediverse) == [(alice.actor, "accepted")]


def test_nothing_of_a_delivery_is_left_of_who_is_forgotten(fediverse, alice):
    follow(fediverse, alice, accepted=True)
    say(fediverse, alice, [ACTOR])
    fediverse.write(lambda db: forget(db, "@alice@social.example", host=fediverse.host))

    left = {name: str(fediverse.rows(name)) for name in fediverse.counts()}
    assert [name for name, rows in left.items() if "alice" in rows and name != "jobs"] == []
    kinds = [row["kind"] for row in fediverse.rows("jobs") if "alice" in str(row)]
    assert kinds == ["activitypub.deliver"]  # her server is told that the agent follows her no more


def test_it_is_compared_once_an_hour_and_only_for_whom_the_agent_follows(fediverse, alice, bob):
    follow(fediverse, alice, accepted=True)
    for _ in range(3):
        say(fediverse, alice, [ACTOR])
    say(fediverse, bob, [ACTOR])

    found = [row["key"] for row in fediverse.rows("jobs") if row["kind"] == "activitypub.synchronize"]
    assert len(found) == 1
    assert json.dumps(found).count(alice.actor) == 1
