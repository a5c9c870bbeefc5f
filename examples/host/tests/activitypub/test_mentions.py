import json

import pytest
from mentionable import (
    Failed,
    HttpRequest,
    NormalizedMessage,
    Rejected,
    activitypub,
    decode_trusted,
    drive,
    plain_text,
)
from mentionable.testing import answers

from mentionable_host import Agent, first_contact, receiving
from mentionable_host.store import messages
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.retention import housekeeping
from mentionable_host.transports.activitypub import actions
from mentionable_host.transports.activitypub.pending import OF_AN_ORIGIN

from .conftest import ACTOR, ORIGIN, PUBLIC


def mention(fediverse, alice, text="Will it rain?", **more):
    return alice.write(text, to=ACTOR, mention="@helper@agents.example", now=fediverse.world.now(), **more)


def test_a_mention_is_answered_by_a_signed_note(fediverse, alice):
    assert fediverse.post(mention(fediverse, alice)) == [202]
    fediverse.work()

    ((inbox, create),) = fediverse.sent()
    assert inbox == "https://social.example/users/alice/inbox"
    assert (create["type"], create["actor"]) == ("Create", ACTOR)
    assert "You wrote: " in create["object"]["content"]
    assert "Will it rain?" in create["object"]["content"]
    actor = json.loads(fediverse.get(ACTOR).content)
    lookups = answers(
        alice,
        agents={alice.actor: "@alice@social.example"},
        lookups={
            f"GET {ACTOR}": {"content_type": "application/activity+json", "json": actor},
            f"GET {ORIGIN}/.well-known/webfinger?resource=acct:helper@agents.example": {
                "content_type": "application/jrd+json",
                "json": json.loads(
                    fediverse.get(f"{ORIGIN}/.well-known/webfinger?resource=acct:helper@agents.example").content
                ),
            },
            "GET *": {"status": 404, "content_type": "", "body": ""},
        },
    )
    delivery = fediverse.world.sent[0]
    got = drive(activitypub.receive(delivery, now=fediverse.world.now(), entropy=bytes(32)), lookups)
    assert not isinstance(got, Rejected)
    assert got.message.sender.verified
    assert got.message.sender.address == "@helper@agents.example"


def test_the_same_bytes_twice_are_answered_once(fediverse, alice):
    request = mention(fediverse, alice)

    assert fediverse.post(request, request) == [202, 202]
    fediverse.work()

    assert len(fediverse.sent("Create")) == 1
    assert len(fediverse.rows("messages")) == 2


def test_a_mention_that_comes_through_both_inboxes_is_answered_once(fediverse, alice):
    fediverse.post(mention(fediverse, alice), mention(fediverse, alice, inbox=f"{ACTOR}/inbox"))
    fediverse.work()

    assert len(fediverse.sent("Create")) == 1


def test_a_forged_mention_is_refused_and_nothing_is_stored(fediverse, alice):
    request = mention(fediverse, alice)
    forged = HttpRequest(
        method="POST", url=request.url, headers=request.headers, body=request.body.replace(b"rain", b"snow")
    )

    assert fediverse.post(forged) == [401]
    assert fediverse.counts() == {}


def test_what_is_not_signed_is_refused_and_nothing_is_stored(fediverse, alice):
    request = mention(fediverse, alice)
    bare = HttpRequest(
        method="POST", url=request.url, headers={"content-type": "application/activity+json"}, body=request.body
    )

    assert fediverse.post(bare) == [401]
    assert fediverse.counts() == {}


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 400), (b"[]", 400), (b"{", 400), (b'{"actor": 5}', 400), (b" " * 1_048_577, 413)]
)
def test_what_is_no_activity_is_refused(fediverse, body, status):
    assert fediverse.post(HttpRequest(method="POST", url=f"{ORIGIN}/inbox", body=body)) == [status]


def test_a_peer_whose_documents_cannot_be_had_just_now_sends_it_again(fediverse, alice):
    request = mention(fediverse, alice)
    del fediverse.world.documents[f"https://social.example/.well-known/webfinger?resource=acct:{alice.address[1:]}"]
    fediverse.world.documents[alice.actor] = Failed("time-out")

    assert fediverse.post(request)[0] >= 500
    assert fediverse.counts() == {}


def test_another_delivery_that_was_faster_is_a_conflict_and_read_again(fediverse, alice, monkeypatch):
    calls = []
    store = receiving.messages.put

    def put(db, message, **more):
        calls.append(message.id)
        if len(calls) == 1:
            raise Conflict("another one was faster")
        return store(db, message, **more)

    monkeypatch.setattr(receiving.messages, "put", put)

    assert fediverse.post(mention(fediverse, alice)) == [202]
    assert len(calls) == 2
    assert len(fediverse.rows("messages")) == 1
    assert len(fediverse.rows("uses")) == 1


def test_when_storing_fails_nothing_is_used_up_and_the_peer_is_told_to_come_again(fediverse, alice, monkeypatch):
    def full(db, message, **more):
        raise StoreUnavailable("the disk is full")

    request = mention(fediverse, alice)
    with monkeypatch.context() as patch:
        patch.setattr(receiving.messages, "put", full)
        assert fediverse.post(request) == [503]
    assert fediverse.counts() == {}
    assert fediverse.post(request) == [202]
    fediverse.work()
    assert len(fediverse.sent("Create")) == 1


def test_an_edit_takes_the_place_of_what_was_there_and_is_not_answered(fediverse, alice):
    request = mention(fediverse, alice)
    fediverse.post(request)
    fediverse.work()
    note = json.loads(request.body)["object"]
    edited = {**note, "content": note["content"].replace("rain", "snow"), "updated": "2026-11-27T12:05:00Z"}
    update = {"id": f"{note['id']}#updates/1", "type": "Update", "to": note.get("to"), "object": edited}
    fediverse.world.advance(minutes=5)

    assert fediverse.post(alice.deliver(update, now=fediverse.world.now())) == [202]
    fediverse.work()

    assert len(fediverse.sent("Create")) == 1
    (row,) = [one for one in fediverse.rows("messages") if one["role"] == "user"]
    now_it_reads = plain_text(decode_trusted(NormalizedMessage, row["value"]))
    assert "snow" in now_it_reads
    assert "rain" not in now_it_reads


def test_a_reply_to_the_answer_joins_its_thread(fediverse, alice):
    fediverse.post(mention(fediverse, alice))
    fediverse.work()
    answer = fediverse.sent("Create")[0][1]["object"]["id"]
    fediverse.world.advance(minutes=1)

    fediverse.post(mention(fediverse, alice, "And on Sunday?", in_reply_to=answer))

    assert len({row["thread_id"] for row in fediverse.rows("messages")}) == 1
    assert len(fediverse.rows("messages")) == 3


def test_a_mention_that_is_deleted_while_the_agent_thinks_gets_no_answer(fediverse_with, world):
    agent, request = Agent(), []

    @agent.on_message
    async def answer(message, context):
        note = json.loads(request[0].body)["object"]["id"]
        gone = {"id": f"{note}#delete", "type": "Delete", "to": [PUBLIC], "object": note}
        response = await fediverse.request(alice.deliver(gone, now=world.now()))
        assert response.status_code == 202
        return "Too late."

    fediverse = fediverse_with(agent)
    alice = fediverse.person("alice")
    request.append(mention(fediverse, alice))
    fediverse.post(*request)
    fediverse.work()

    assert fediverse.sent() == []
    assert fediverse.counts().keys().isdisjoint({"documents", "messages", "native_ids", "publications"})


def test_many_deliveries_of_one_slow_origin_are_refused_for_now(fediverse, alice):
    pending = fediverse.transport._inbox._pending
    pending._counts["social.example"] = OF_AN_ORIGIN

    assert fediverse.post(mention(fediverse, alice)) == [429]
    assert fediverse.counts() == {}


def test_the_thread_of_an_answer_is_that_of_its_question(fediverse, alice):
    fediverse.post(mention(fediverse, alice))
    fediverse.work()

    (answer,) = [one for one in fediverse.rows("publications") if one["kind"] == "answer"]
    found = fediverse.read(lambda db: messages.find(db, answer["native_id"], "@helper@agents.example"))
    (question,) = [one for one in fediverse.rows("messages") if one["role"] == "user"]
    assert found.thread_id == question["thread_id"]


def test_a_message_that_an_edit_has_overtaken_does_not_come_back_as_it_was(fediverse, alice):
    request = mention(fediverse, alice)
    note = json.loads(request.body)["object"]
    edited = {**note, "content": note["content"].replace("rain", "snow"), "updated": "2026-11-27T12:05:00Z"}
    update = {"id": f"{note['id']}#updates/1", "type": "Update", "to": note.get("to"), "object": edited}

    fediverse.post(alice.deliver(update, now=fediverse.world.now()), request)
    fediverse.work()

    (row,) = [one for one in fediverse.rows("messages") if one["role"] == "user"]
    assert "snow" in plain_text(decode_trusted(NormalizedMessage, row["value"]))
    assert len(fediverse.sent("Create")) == 1


def test_a_message_with_a_proof_that_comes_again_long_after_its_deletion_is_not_answered(fediverse, alice):
    request = mention(fediverse, alice, form="proof")
    fediverse.post(request)
    fediverse.work()
    note = json.loads(request.body)["object"]["id"]
    gone = {"id": f"{note}#delete", "type": "Delete", "to": [PUBLIC], "object": note}
    fediverse.post(alice.deliver(gone, now=fediverse.world.now()))
    fediverse.world.advance(days=20)
    fediverse.run(housekeeping(fediverse.host))

    assert fediverse.post(request) == [202]
    fediverse.work()

    assert len(fediverse.sent("Create")) == 1
    assert fediverse.rows("messages") == []


def test_the_agent_writes_to_somebody_who_never_wrote(fediverse, alice):
    async def write():
        actor = await actions.find_actor(fediverse.transport, "@alice@social.example")
        first = first_contact.begin(fediverse.host, actor, channel="activitypub")
        written = await first_contact.write(fediverse.host, "Good morning.", to=first)
        await fediverse.host.database.write(lambda db: written.store(db, now=fediverse.world.now()))

    fediverse.run(write())
    fediverse.work()

    ((inbox, create),) = fediverse.sent()
    assert (inbox, create["to"]) == (f"{alice.actor}/inbox", [alice.actor])
    assert "Good morning." in create["object"]["content"]

    fediverse.post(mention(fediverse, alice, in_reply_to=create["object"]["id"]))
    (thread,) = {row["thread_id"] for row in fediverse.rows("messages")}
    assert {row["thread_id"] for row in fediverse.rows("jobs")} == {thread}


def poll(alice, votes):
    options = [
        {"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": count}}
        for name, count in (("Tea", votes), ("Coffee", 1))
    ]
    return {
        "id": "https://social.example/notes/poll",
        "type": "Question",
        "attributedTo": alice.actor,
        "to": [ACTOR],
        "content": "<p>Tea or coffee?</p>",
        "tag": [{"type": "Mention", "href": ACTOR, "name": "@helper@agents.example"}],
        "oneOf": options,
        "published": "2026-11-27T12:00:00Z",
        "updated": f"2026-11-27T12:{votes:02}:00Z",
    }


def test_a_poll_is_answered_once_however_many_vote(fediverse, alice):
    create = {"id": "https://social.example/notes/poll/activity", "type": "Create", "to": [ACTOR]}
    requests = [alice.deliver({**create, "object": poll(alice, 0)}, now=fediverse.world.now())]
    for votes in range(1, 4):
        update = {"id": f"https://social.example/notes/poll#{votes}", "type": "Update", "to": [ACTOR]}
        requests.append(alice.deliver({**update, "object": poll(alice, votes)}, now=fediverse.world.now()))

    assert fediverse.post(*requests) == [202] * 4
    fediverse.work()

    ((_, answer),) = fediverse.sent("Create")
    assert "Tea" in answer["object"]["content"]
    assert len([row for row in fediverse.rows("messages") if row["role"] == "user"]) == 1
