import json

import pytest
from mentionable import Failed, Fetched, UsageError, activitypub

from mentionable_host import forgetting
from mentionable_host.store import blocks, database, publications, reactions
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.transports.activitypub import actions, activities, relations

from .conftest import ACTOR, ORIGIN, PUBLIC

AGENT = "@helper@agents.example"


def follow(fediverse, peer):
    out = activitypub.follow(fediverse.helper, **fediverse.facts(peer))
    fediverse.follows = {**getattr(fediverse, "follows", {}), peer.actor: out}
    return out.deliveries[0]


def undo(fediverse, activity, peer):
    return activitypub.undo(activity, to=fediverse.helper, **fediverse.facts(peer)).deliveries[0]


def followers(fediverse):
    return [(row["actor"], row["state"]) for row in fediverse.related("followers")]


def do(fediverse, peer, kind, **members):
    """Somebody does something; what the inbox answers."""
    number = fediverse.world.entropy().hex()
    activity = {"id": f"{peer.actor}/did/{number}", "type": kind, "to": [ACTOR], **members}
    return fediverse.post(peer.deliver(activity, now=fediverse.world.now()))


def public_answer(fediverse, peer):
    """The id of a note of theirs to everyone, and of the answer to it."""
    note = {
        "id": f"https://{peer.address.domain}/notes/{fediverse.world.entropy().hex()}",
        "type": "Note",
        "attributedTo": peer.actor,
        "content": "<p>Will it rain?</p>",
        "to": [PUBLIC],
        "cc": [ACTOR],
        "tag": [{"type": "Mention", "href": ACTOR, "name": AGENT}],
    }
    create = {"id": f"{note['id']}/activity", "type": "Create", "to": [PUBLIC], "cc": [ACTOR], "object": note}
    assert fediverse.post(peer.deliver(create, now=fediverse.world.now())) == [202]
    fediverse.work()
    return note["id"], fediverse.sent("Create")[-1][1]["object"]["id"]


def test_who_asks_to_follow_is_accepted(fediverse, alice):
    assert fediverse.post(follow(fediverse, alice)) == [202]
    fediverse.work()

    assert followers(fediverse) == [(alice.actor, "accepted")]
    ((inbox, accept),) = fediverse.sent("Accept")
    assert inbox == f"{alice.actor}/inbox"
    assert accept["object"]["id"] == fediverse.follows[alice.actor].native_id


def test_the_same_bytes_of_a_follow_do_nothing_twice(fediverse, alice):
    request = follow(fediverse, alice)

    assert fediverse.post(request, request) == [202, 202]
    fediverse.work()

    assert len(fediverse.sent("Accept")) == 1
    assert followers(fediverse) == [(alice.actor, "accepted")]


def test_a_second_follow_is_accepted_too_and_its_accept_takes_the_place_of_the_first(fediverse, alice):
    fediverse.post(follow(fediverse, alice))
    fediverse.world.advance(minutes=1)
    fediverse.post(follow(fediverse, alice))
    fediverse.work()

    assert len(fediverse.related("followers")) == 1
    assert len([row for row in fediverse.rows("publications") if row["kind"] == "accept"]) == 1
    assert len(fediverse.sent("Accept")) == 1  # the first one still waited, and was not needed any more


def test_a_follow_that_could_not_be_stored_whole_is_not_stored_at_all(fediverse, alice, monkeypatch):
    request = follow(fediverse, alice)
    with monkeypatch.context() as patch:
        patch.setattr(activities.publishing, "accept_request", lambda *_, **__: _fail())
        assert fediverse.post(request) == [503]
    assert fediverse.counts() == {}

    assert fediverse.post(request) == [202]
    fediverse.work()
    assert followers(fediverse) == [(alice.actor, "accepted")]
    assert len(fediverse.sent("Accept")) == 1


def _fail():
    raise StoreUnavailable("killed between two steps")


def test_nobody_follows_where_the_policy_is_to_reject(fediverse_with):
    fediverse = fediverse_with(own={"follows": "reject"})
    alice = fediverse.person("alice")

    fediverse.post(follow(fediverse, alice))
    fediverse.work()

    assert followers(fediverse) == []
    assert len(fediverse.sent("Reject")) == 1


def test_the_operator_decides_where_the_policy_is_to_ask(fediverse_with):
    fediverse = fediverse_with(own={"follows": "ask"})
    alice, bob = fediverse.person("alice"), fediverse.person("bob", "other.example")
    fediverse.post(follow(fediverse, alice), follow(fediverse, bob))
    fediverse.work()
    assert followers(fediverse) == [(alice.actor, "pending"), (bob.actor, "pending")]
    assert fediverse.sent() == []

    assert fediverse.run(relations.accept_follower(fediverse.transport, "@alice@social.example"))
    assert not fediverse.run(relations.accept_follower(fediverse.transport, alice.actor))
    assert fediverse.run(relations.reject_follower(fediverse.transport, bob.actor))
    assert not fediverse.run(relations.reject_follower(fediverse.transport, bob.actor))
    fediverse.work()

    assert followers(fediverse) == [(alice.actor, "accepted")]
    assert fediverse.sent("Accept")[0][1]["object"]["id"] == fediverse.follows[alice.actor].native_id
    assert fediverse.sent("Reject")[0][1]["object"]["id"] == fediverse.follows[bob.actor].native_id


def test_who_undoes_their_follow_is_no_follower_any_more(fediverse, alice):
    fediverse.post(follow(fediverse, alice))
    fediverse.post(undo(fediverse, fediverse.follows[alice.actor].activity, alice))

    assert followers(fediverse) == []
    assert [row for row in fediverse.rows("publications") if row["kind"] == "accept"] == []


def test_who_undoes_the_follow_of_another_account_goes_on_to_follow(fediverse, alice):
    fediverse.post(follow(fediverse, alice))
    inner = {
        "id": f"{alice.actor}/follows/9",
        "type": "Follow",
        "actor": alice.actor,
        "object": f"{ORIGIN}/actors/other",
    }
    do(fediverse, alice, "Undo", object=inner)

    assert followers(fediverse) == [(alice.actor, "accepted")]


def test_an_undo_of_the_follow_of_somebody_else_changes_nothing(fediverse, alice, bob):
    fediverse.post(follow(fediverse, alice))
    forged = {**fediverse.follows[alice.actor].activity}
    do(fediverse, bob, "Undo", object=forged)

    assert followers(fediverse) == [(alice.actor, "accepted")]


def test_who_blocks_the_agent_gets_nothing_more_until_they_undo_it(fediverse, alice):
    fediverse.post(follow(fediverse, alice))
    block = activitypub.block(fediverse.helper, **fediverse.facts(alice))
    fediverse.post(block.deliveries[0])
    fediverse.work()
    assert followers(fediverse) == []
    assert fediverse.sent() == []

    fediverse.post(follow(fediverse, alice))
    fediverse.post(alice.write("Hello?", to=ACTOR, now=fediverse.world.now()))
    fediverse.work()
    assert [one["type"] for _, one in fediverse.sent()] == ["Reject"]
    assert fediverse.rows("messages") == []

    fediverse.post(undo(fediverse, block.activity, alice))
    fediverse.world.advance(minutes=1)
    fediverse.post(follow(fediverse, alice))
    fediverse.work()
    assert followers(fediverse) == [(alice.actor, "accepted")]


def test_who_blocks_the_agent_is_followed_no_more(fediverse, alice):
    fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    fediverse.post(activitypub.block(fediverse.helper, **fediverse.facts(alice)).deliveries[0])

    assert fediverse.related("following") == []


@pytest.mark.parametrize("kind", ["Like", "Announce", "EmojiReact", "Dislike"])
def test_a_reaction_counts_once_until_it_is_undone(fediverse, alice, bob, kind):
    _, answer = public_answer(fediverse, alice)
    more = {"content": "👍"} if kind == "EmojiReact" else {}
    assert do(fediverse, bob, kind, object=answer, **more) == do(fediverse, bob, kind, object=answer, **more) == [202]
    (row,) = fediverse.rows("reactions")
    assert (row["object"], row["actor"], row["kind"], row["content"]) == (answer, bob.actor, kind, more.get("content"))

    inner = {"id": f"{bob.actor}/did/0", "type": kind, "actor": bob.actor, "object": answer, **more}
    do(fediverse, bob, "Undo", object=inner)
    assert fediverse.rows("reactions") == []


def test_a_reaction_to_what_is_not_here_is_not_stored(fediverse, bob):
    do(fediverse, bob, "Like", object=f"{ORIGIN}/objects/nothing")

    assert fediverse.rows("reactions") == []


def test_no_object_keeps_more_reactions_than_the_bound(fediverse, alice, bob, monkeypatch):
    monkeypatch.setattr(reactions, "MAX_REACTIONS", 0)
    _, answer = public_answer(fediverse, alice)
    do(fediverse, bob, "Like", object=answer)

    assert fediverse.rows("reactions") == []


def test_who_deletes_a_question_takes_the_answer_with_it(fediverse, alice):
    question, answer = public_answer(fediverse, alice)

    assert do(fediverse, alice, "Delete", object=question, to=[PUBLIC]) == [202]
    fediverse.work()

    ((_, gone),) = fediverse.sent("Delete")
    assert gone["object"] == answer or gone["object"]["id"] == answer
    assert fediverse.get(answer).status_code == 410
    assert fediverse.rows("messages") == []
    assert fediverse.rows("native_ids") == []


def test_a_question_that_comes_again_after_its_deletion_is_not_answered(fediverse, alice):
    request = alice.write("Will it rain?", to=ACTOR, now=fediverse.world.now())
    fediverse.post(request)
    fediverse.work()
    note = json.loads(request.body)["object"]["id"]
    do(fediverse, alice, "Delete", object=note, to=[PUBLIC])
    fediverse.world.advance(minutes=1)

    again = alice.deliver(json.loads(request.body), now=fediverse.world.now())
    assert fediverse.post(again) == [202]
    fediverse.work()

    assert len(fediverse.sent("Create")) == 1
    assert fediverse.rows("messages") == []


def test_nobody_deletes_the_question_of_another(fediverse, alice, bob):
    question, answer = public_answer(fediverse, alice)
    do(fediverse, bob, "Delete", object=question, to=[PUBLIC])

    assert fediverse.get(answer).status_code == 200


def test_an_account_that_is_deleted_is_forgotten(fediverse, alice, bob):
    fediverse.post(follow(fediverse, alice))
    _, answer = public_answer(fediverse, alice)
    _, other = public_answer(fediverse, bob)
    do(fediverse, alice, "Like", object=other)

    assert do(fediverse, alice, "Delete", object=alice.actor, to=[PUBLIC]) == [202]
    fediverse.work()

    assert followers(fediverse) == []
    assert fediverse.rows("reactions") == []
    assert {row["person"] for row in fediverse.rows("messages")} == {str(bob.address)}
    assert [row["address"] for row in fediverse.rows("people")] == [str(bob.address)]
    assert fediverse.get(answer).status_code == 410
    assert fediverse.get(other).status_code == 200


def test_an_account_whose_server_says_that_it_is_gone_is_forgotten_too(fediverse, alice):
    fediverse.post(follow(fediverse, alice))
    request = alice.deliver(
        {"id": f"{alice.actor}#delete", "type": "Delete", "to": [PUBLIC], "object": alice.actor},
        now=fediverse.world.now(),
    )
    fediverse.world.documents[alice.actor] = Fetched(url=alice.actor, status=410, content_type="", body=b"")

    assert fediverse.post(request) == [202]
    assert followers(fediverse) == []


def test_a_stranger_learns_nothing_of_who_follows_by_the_deletion_of_another(fediverse, alice, bob):
    fediverse.post(follow(fediverse, alice))
    do(fediverse, bob, "Delete", object=alice.actor, to=[PUBLIC])

    assert followers(fediverse) == [(alice.actor, "accepted")]


def test_an_actor_who_changes_their_inbox_is_delivered_to_there(fediverse, alice):
    fediverse.post(follow(fediverse, alice))
    document = json.loads(fediverse.world.documents[alice.actor].body)
    document["endpoints"] = {"sharedInbox": "https://social.example/shared"}
    fediverse.serve(alice.actor, document)

    assert do(fediverse, alice, "Update", object=document) == [202]
    assert [row["shared_inbox"] for row in fediverse.related("followers")] == ["https://social.example/shared"]


def test_a_public_note_may_be_quoted(fediverse, alice, bob):
    _, answer = public_answer(fediverse, alice)
    quote = f"https://other.example/notes/{fediverse.world.entropy().hex()}"
    note = {"id": quote, "type": "Note", "attributedTo": bob.actor, "content": "<p>So</p>", "quote": answer}
    fediverse.serve(quote, note)
    do(fediverse, bob, "QuoteRequest", object=answer, instrument=note)
    do(fediverse, bob, "QuoteRequest", object=f"{ORIGIN}/objects/nothing", instrument=note)
    fediverse.work()

    stamp = fediverse.sent("Accept")[0][1]["result"]
    assert fediverse.get(stamp).status_code == 200
    assert len(fediverse.sent("Reject")) == 1


def test_a_report_is_kept_for_the_operator(fediverse, alice, bob):
    _, answer = public_answer(fediverse, alice)

    assert do(fediverse, bob, "Flag", object=[ACTOR, answer], content="It is rude.") == [202]

    (report,) = fediverse.read(reactions.reports)
    assert (report.address, report.content) == (str(bob.address), "It is rude.")
    assert report.objects == (ACTOR, answer)


@pytest.mark.parametrize(
    "target",
    [
        "https://users.social.example/users/alice",
        "@alice@users.social.example",
        "users.social.example",
        "social.example",
    ],
)
def test_whom_the_operator_blocks_is_not_heard(fediverse, target):
    alice = fediverse.person("alice", "users.social.example")
    now = fediverse.world.now()
    fediverse.write(lambda db: blocks.add(db, target, now=now))

    statuses = fediverse.post(alice.write("Hello", to=ACTOR, now=now), follow(fediverse, alice))

    assert set(statuses) <= {202, 403}
    assert fediverse.rows("messages") == []
    assert followers(fediverse) == []
    assert fediverse.counts().keys() <= {"blocks", "uses"}


def test_the_block_of_one_domain_leaves_others_alone(fediverse, alice):
    now = fediverse.world.now()
    fediverse.write(lambda db: blocks.add(db, "ocial.example", now=now))

    assert fediverse.post(follow(fediverse, alice)) == [202]
    assert followers(fediverse) == [(alice.actor, "accepted")]


def test_the_agent_follows_and_is_accepted(fediverse, alice):
    relation = fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    again = fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    fediverse.work()
    assert relation.state == again.state == "pending"
    ((_, asked),) = fediverse.sent("Follow")

    assert do(fediverse, alice, "Accept", object=asked) == [202]
    assert [(row["actor"], row["state"]) for row in fediverse.related("following")] == [(alice.actor, "accepted")]
    assert json.loads(fediverse.get(f"{ACTOR}/following").content)["totalItems"] == 1

    do(fediverse, alice, "Reject", object=asked)
    assert fediverse.related("following") == []


def test_an_accept_of_what_the_agent_never_asked_changes_nothing(fediverse, alice):
    asked = {"id": f"{ORIGIN}/activities/1", "type": "Follow", "actor": ACTOR, "object": alice.actor}
    do(fediverse, alice, "Accept", object=asked)

    assert fediverse.related("following") == []


def test_the_agent_follows_no_more(fediverse, alice):
    fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    fediverse.work()

    assert fediverse.run(relations.unfollow(fediverse.transport, "@alice@social.example"))
    assert not fediverse.run(relations.unfollow(fediverse.transport, "@alice@social.example"))
    fediverse.work()

    assert fediverse.related("following") == []
    assert [one["object"]["type"] for _, one in fediverse.sent("Undo")] == ["Follow"]


def test_the_agent_follows_the_new_account_of_whom_it_followed(fediverse, alice):
    new = fediverse.person("alice", "new.example")
    fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    fediverse.work()
    old_document = json.loads(fediverse.world.documents[alice.actor].body)
    new_document = json.loads(fediverse.world.documents[new.actor].body)
    fediverse.serve(alice.actor, activitypub.with_aliases(old_document, moved_to=new.actor))
    fediverse.serve(new.actor, activitypub.with_aliases(new_document, also_known_as=[alice.actor]))

    assert do(fediverse, alice, "Move", object=alice.actor, target=new.actor) == [202]
    fediverse.work()

    assert [row["actor"] for row in fediverse.related("following")] == [new.actor]
    assert [one["type"] for _, one in fediverse.sent()] == ["Follow", "Undo", "Follow"]


def test_a_move_that_the_new_account_does_not_confirm_changes_nothing(fediverse, alice):
    mallory = fediverse.person("mallory", "new.example")
    fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    do(fediverse, alice, "Move", object=alice.actor, target=mallory.actor)
    fediverse.work()

    assert [row["actor"] for row in fediverse.related("following")] == [alice.actor]


def test_what_is_withdrawn_is_no_publication_any_more(fediverse, alice):
    _, answer = public_answer(fediverse, alice)

    assert fediverse.run(actions.withdraw(fediverse.transport, answer))
    assert not fediverse.run(actions.withdraw(fediverse.transport, answer))
    assert fediverse.read(publications.count_public) == 0


def test_a_person_is_forgotten_with_what_was_answered_to_them(fediverse, alice, bob):
    fediverse.post(follow(fediverse, alice))
    _, answer = public_answer(fediverse, alice)
    _, other = public_answer(fediverse, bob)

    fediverse.write(lambda db: forgetting.forget(db, "@alice@social.example", host=fediverse.host))
    fediverse.work()

    assert followers(fediverse) == []
    assert [one["object"]["id"] for _, one in fediverse.sent("Delete")] == [answer]
    assert {row["person"] for row in fediverse.rows("messages")} == {str(bob.address)}
    assert fediverse.get(answer).status_code == 404  # a tombstone would name them
    assert fediverse.get(other).status_code == 200
    assert not [row for row in fediverse.rows("documents") if b"alice" in row["value"]]


def test_who_waits_is_rejected_when_the_policy_has_become_to_reject(fediverse_with):
    fediverse = fediverse_with(own={"follows": "ask"})
    alice = fediverse.person("alice")
    fediverse.post(follow(fediverse, alice))
    strict = fediverse_with(own={"follows": "reject"})
    strict.world.advance(minutes=1)
    strict.post(follow(strict, alice))
    strict.work()

    assert [one["type"] for _, one in strict.sent()] == ["Reject"]


def test_who_is_blocked_follows_no_more_and_is_told_where_that_is_wanted(fediverse, alice, bob):
    fediverse.post(follow(fediverse, alice), follow(fediverse, bob))
    fediverse.run(relations.follow(fediverse.transport, "@bob@other.example"))
    fediverse.work()

    assert fediverse.run(relations.block(fediverse.transport, "Other.Example")) == 2
    assert followers(fediverse) == [(alice.actor, "accepted")]
    assert fediverse.related("following") == []
    assert fediverse.run(relations.block(fediverse.transport, "@alice@social.example", tell=True)) == 1
    fediverse.work()
    assert [inbox for inbox, _ in fediverse.sent("Block")] == [f"{alice.actor}/inbox"]

    assert fediverse.run(relations.unblock(fediverse.transport, "@alice@social.example"))
    assert fediverse.run(relations.unblock(fediverse.transport, "other.example"))
    assert not fediverse.run(relations.unblock(fediverse.transport, "other.example"))
    fediverse.work()
    assert [one["object"]["type"] for _, one in fediverse.sent("Undo")] == ["Block"]
    assert fediverse.post(follow(fediverse, bob)) == [202]


@pytest.mark.parametrize("target", ["", "@alice", "@alice@", "a b.example"])
def test_what_names_nobody_cannot_be_blocked(fediverse, target):
    with pytest.raises(ValueError, match="is no"):
        fediverse.run(relations.block(fediverse.transport, target))


def test_an_activity_that_cannot_be_answered_does_nothing_and_is_not_sent_again(fediverse, alice, monkeypatch):
    def refuse(*_, **__):
        raise UsageError("this cannot be accepted")

    monkeypatch.setattr(activities.publishing, "accept_request", refuse)

    assert fediverse.post(follow(fediverse, alice)) == [202]
    assert followers(fediverse) == []


def test_an_action_is_tried_again_where_another_transaction_was_faster(fediverse, monkeypatch):
    calls, publish = [], actions.publishing.publish

    def often(db, out, **more):
        calls.append(out)
        if len(calls) < 3:
            raise Conflict("another one was faster")
        publish(db, out, **more)

    monkeypatch.setattr(actions.publishing, "publish", often)
    fediverse.run(actions.post(fediverse.transport, "Good morning."))
    assert len(fediverse.rows("publications")) == 1

    calls.clear()
    monkeypatch.setattr(database, "ATTEMPTS", 2)
    with pytest.raises(Conflict):
        fediverse.run(actions.post(fediverse.transport, "Good evening."))


@pytest.mark.parametrize(("page", "state"), [(Failed("time-out"), "waiting"), (b"[]", "dead"), (b"{", "dead")])
def test_an_account_that_moved_and_cannot_be_read_is_asked_again_or_given_up(fediverse, alice, page, state):
    fediverse.run(relations.follow(fediverse.transport, "@alice@social.example"))
    fediverse.work()
    new = "https://new.example/users/alice"
    kind = "application/activity+json"
    found = page if isinstance(page, Failed) else Fetched(url=new, status=200, content_type=kind, body=page)
    fediverse.world.documents[new] = found
    now = fediverse.world.now()
    fediverse.write(lambda db: activities._moved(db, alice.actor, new, transport=fediverse.transport, now=now))
    fediverse.work()

    assert [row["state"] for row in fediverse.rows("jobs") if row["kind"] == "activitypub.move"] == [state]
    assert [row["actor"] for row in fediverse.related("following")] == [alice.actor]


def test_who_is_silenced_may_follow(fediverse, alice):
    now = fediverse.world.now()
    fediverse.write(lambda db: blocks.add(db, "social.example", severity="silence", now=now))
    fediverse.post(follow(fediverse, alice))

    assert followers(fediverse) == [(alice.actor, "accepted")]
