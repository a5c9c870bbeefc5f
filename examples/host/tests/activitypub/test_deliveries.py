import json
from datetime import timedelta

import pytest
from mentionable import Failed, HttpResponse, activitypub
from sqlalchemy import update

from mentionable_host.store import blocks
from mentionable_host.store.tables import jobs
from mentionable_host.transports.activitypub import actions, relations

from .conftest import ACTOR, PUBLIC


def befriend(fediverse, peer, *, shared=None):
    """Somebody follows the agent, and has got its Accept."""
    if shared:
        document = json.loads(fediverse.world.documents[peer.actor].body)
        fediverse.serve(peer.actor, {**document, "endpoints": {"sharedInbox": shared}})
    out = activitypub.follow(fediverse.helper, **fediverse.facts(peer))
    assert fediverse.post(out.deliveries[0]) == [202]
    fediverse.work()
    fediverse.world.sent.clear()


def ask(fediverse, peer):
    fediverse.post(peer.write("Will it rain?", to=ACTOR, now=fediverse.world.now()))


def delivery(fediverse):
    (row,) = [row for row in fediverse.rows("jobs") if row["kind"] == "activitypub.deliver"]
    return row


def answer_with(fediverse, *responses):
    waiting = [*responses]
    fediverse.world.responses = lambda _: waiting.pop(0) if len(waiting) > 1 else waiting[0]


def test_a_shared_inbox_gets_a_post_once(fediverse):
    for name in ("alice", "bob", "carol"):
        befriend(fediverse, fediverse.person(name), shared="https://social.example/shared")
    befriend(fediverse, fediverse.person("dave", "other.example"))

    fediverse.run(actions.post(fediverse.transport, "Good morning."))
    fediverse.work()

    assert sorted(url for url, _ in fediverse.sent()) == [
        "https://other.example/users/dave/inbox",
        "https://social.example/shared",
    ]
    assert {row["lane"] for row in fediverse.rows("jobs")} == {"other.example", "social.example"}


def test_a_direct_note_goes_to_whom_it_mentions_alone(fediverse, alice, bob):
    befriend(fediverse, alice)
    fediverse.run(actions.post(fediverse.transport, "For you.", visibility="direct", mention=["@bob@other.example"]))
    fediverse.work()

    assert [url for url, _ in fediverse.sent()] == [f"{bob.actor}/inbox"]


def test_nobody_is_found_under_an_address_that_is_none(fediverse):
    with pytest.raises(actions.ActorNotFound, match=r"@nobody@social\.example"):
        fediverse.run(actions.post(fediverse.transport, "Hello", mention=["@nobody@social.example"]))


def test_the_form_of_signature_that_a_host_takes_is_remembered(fediverse, alice):
    fediverse.world.responses = lambda request: HttpResponse(status=202 if request.header("signature-input") else 401)
    ask(fediverse, alice)
    fediverse.work()
    assert len(fediverse.world.sent) == 2

    fediverse.world.advance(minutes=1)
    fediverse.post(alice.write("And on Sunday?", to=ACTOR, now=fediverse.world.now()))
    fediverse.work()
    assert len(fediverse.world.sent) == 3


@pytest.mark.parametrize("response", [HttpResponse(status=503), Failed("no such name"), HttpResponse(status=408)])
def test_what_may_work_later_is_tried_again(fediverse, alice, response):
    answer_with(fediverse, response, HttpResponse(status=202))
    ask(fediverse, alice)
    fediverse.work()
    assert delivery(fediverse)["state"] == "waiting"
    assert "social.example" in delivery(fediverse)["error"]

    fediverse.world.advance(minutes=1)
    fediverse.work()
    assert delivery(fediverse)["state"] == "done"
    assert len({json.loads(one.body)["id"] for one in fediverse.world.sent}) == 1


def test_a_host_that_names_a_time_is_left_alone_until_then(fediverse, alice):
    answer_with(fediverse, HttpResponse(status=429, headers={"retry-after": "3600"}))
    ask(fediverse, alice)
    fediverse.work()

    assert delivery(fediverse)["due"] >= (fediverse.world.now() + timedelta(minutes=55)).timestamp()


def test_a_host_that_is_down_for_a_week_is_given_up(fediverse, alice):
    answer_with(fediverse, HttpResponse(status=503))
    ask(fediverse, alice)
    for _ in range(20):
        fediverse.work()
        fediverse.world.advance(hours=30)

    assert delivery(fediverse)["state"] == "dead"


@pytest.mark.parametrize(("status", "remain"), [(410, 0), (404, 1), (400, 1), (403, 1)])
def test_an_inbox_that_is_gone_takes_its_followers_with_it(fediverse, alice, status, remain):
    befriend(fediverse, alice)
    answer_with(fediverse, HttpResponse(status=status))
    fediverse.run(actions.post(fediverse.transport, "Good morning."))
    fediverse.work()

    assert len(fediverse.related("followers")) == remain
    assert [row["state"] for row in fediverse.rows("jobs") if "/objects/" in row["key"]] == ["dead"]


def test_what_was_withdrawn_meanwhile_is_not_delivered(fediverse, alice):
    answer_with(fediverse, HttpResponse(status=503))
    ask(fediverse, alice)
    fediverse.work()
    note = fediverse.sent("Create")[0][1]["object"]["id"]
    answer_with(fediverse, HttpResponse(status=202))
    fediverse.world.sent.clear()

    fediverse.run(actions.withdraw(fediverse.transport, note))
    fediverse.world.advance(hours=1)
    fediverse.work()

    assert [one["type"] for _, one in fediverse.sent()] == ["Delete"]


@pytest.mark.parametrize("target", ["social.example", "@alice@social.example"])
def test_who_was_blocked_meanwhile_gets_nothing(fediverse, alice, target):
    ask(fediverse, alice)
    now = fediverse.world.now()
    answer_with(fediverse, HttpResponse(status=503))
    fediverse.work()
    fediverse.write(lambda db: blocks.add(db, target, now=now))
    fediverse.world.sent.clear()
    fediverse.world.advance(hours=1)
    fediverse.work()

    assert fediverse.sent() == []


def test_who_blocks_the_agent_meanwhile_gets_nothing(fediverse, alice):
    ask(fediverse, alice)
    block = activitypub.block(fediverse.helper, **fediverse.facts(alice))
    fediverse.post(block.deliveries[0])
    fediverse.work()

    assert fediverse.sent() == []


def test_a_blocked_follower_gets_no_post(fediverse, alice, bob):
    befriend(fediverse, alice)
    befriend(fediverse, bob)
    now = fediverse.world.now()
    fediverse.write(lambda db: blocks.add(db, "other.example", now=now))
    fediverse.run(actions.post(fediverse.transport, "Good morning."))
    fediverse.work()

    assert [url for url, _ in fediverse.sent()] == [f"{alice.actor}/inbox"]


def test_a_process_that_is_killed_after_it_delivered_delivers_the_same_activity_again(fediverse, alice):
    ask(fediverse, alice)
    fediverse.work()
    job = delivery(fediverse)
    fediverse.run(fediverse.host._worker.recover())  # nothing was left behind
    assert job["state"] == "done"
    first = json.loads(fediverse.world.sent[0].body)["id"]
    payload = json.dumps({"inbox": f"{alice.actor}/inbox", "body": fediverse.world.sent[0].body.decode()}).encode()
    again = update(jobs).where(jobs.c.key == job["key"]).values(state="waiting", payload=payload)
    fediverse.write(lambda db: db.execute(again))
    fediverse.work()

    assert [one["id"] for _, one in fediverse.sent()] == [first, first]


def test_a_note_of_somebody_is_passed_on_once(fediverse, alice, bob):
    befriend(fediverse, alice)
    note = "https://other.example/notes/1"

    first = fediverse.run(actions.announce(fediverse.transport, note, author="@bob@other.example"))
    assert fediverse.run(actions.announce(fediverse.transport, note)) == first
    fediverse.work()
    assert sorted(url for url, _ in fediverse.sent("Announce")) == [f"{bob.actor}/inbox", f"{alice.actor}/inbox"]

    assert fediverse.run(actions.withdraw(fediverse.transport, first))
    fediverse.work()
    assert len(fediverse.sent("Undo")) == 2


def test_the_agent_moves_to_an_account_that_names_it(fediverse, alice):
    befriend(fediverse, alice)
    new = fediverse.person("helper", "new.example")
    document = json.loads(fediverse.world.documents[new.actor].body)
    fediverse.serve(new.actor, activitypub.with_aliases(document, also_known_as=[ACTOR]))

    assert fediverse.run(relations.move(fediverse.transport, "@helper@new.example")) == 1
    fediverse.work()

    ((_, moved),) = fediverse.sent("Move")
    assert (moved["object"], moved["target"]) == (ACTOR, new.actor)
    assert json.loads(fediverse.get(ACTOR).content)["movedTo"] == new.actor


def test_what_is_public_is_for_everyone(fediverse):
    note = fediverse.run(actions.post(fediverse.transport, "Good morning."))

    assert PUBLIC in json.loads(fediverse.get(note).content)["to"]


def test_a_server_sees_which_of_its_own_users_follow(fediverse, alice, bob):
    befriend(fediverse, alice)
    befriend(fediverse, bob)
    fediverse.run(actions.post(fediverse.transport, "Good morning."))
    fediverse.work()

    (mine,) = [one for one in fediverse.world.sent if one.url.startswith("https://social.example/")]
    header = mine.header("collection-synchronization")
    assert f'digest="{activitypub.followers_digest([alice.actor])}"' in header
    url = fediverse.transport.synchronization_url
    assert f'url="{url}"' in header
    assert json.loads(fediverse.get(url, by=alice).content)["orderedItems"] == [alice.actor]
    assert json.loads(fediverse.get(url, by=bob).content)["orderedItems"] == [bob.actor]
    assert fediverse.get(url).status_code == 404
