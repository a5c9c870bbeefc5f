"""An agent is a good citizen: servers made with Fedify do each activity to the example, and then its forged twin."""

from __future__ import annotations

import threading

import pytest

from tests.interop.citizens import (
    ACTOR,
    ALICE,
    BOB,
    MALLORY,
    NUMBERS,
    PUBLIC,
    activity,
    object_of,
    person,
    undo,
)
from tests.test_servers_web import HELPER

FLOOR = 100


def test_a_follow_is_accepted_and_its_undo_ends_it(servers, count):
    follow = activity("Follow", object=ACTOR)
    assert servers.send(follow) == 202
    accept = servers.heard("Accept", follow["id"])
    assert (accept["actor"], accept["object"]["type"], accept["object"]["actor"]) == (ACTOR, "Follow", ALICE)
    assert servers.fedify("collection", url=f"{ACTOR}/followers")["total"] == 1
    assert servers.send(undo(follow)) == 202
    assert servers.get(f"{ACTOR}/followers")["totalItems"] == 0
    count(4)


def test_a_follow_of_somebody_blocked_is_rejected(servers, count):
    servers.send(activity("Block", object=ACTOR))
    follow = activity("Follow", object=ACTOR)
    assert servers.send(follow) == 202
    assert servers.heard("Reject", follow["id"])["actor"] == ACTOR
    assert len(servers.citizen.followers) == 0
    count(2)


def test_who_blocks_the_agent_follows_it_no_more_and_hears_no_more_until_that_is_undone(servers, count):
    servers.send(activity("Follow", object=ACTOR))
    block = activity("Block", object=ACTOR)
    assert servers.send(block) == 202
    assert len(servers.citizen.followers) == 0
    unanswered = servers.world.mention("Are you there?")
    assert servers.send(undo(block)) == 202
    servers.mention("And now?")
    assert unanswered not in map(object_of, servers.came)
    count(3)


def tally(note, number, text="Tea or coffee?"):
    """A poll of Alice for the agent, as it is after some votes."""
    mention = {"type": "Mention", "href": ACTOR, "name": HELPER}
    options = [
        {"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": votes}}
        for name, votes in (("Tea", number), ("Coffee", 1))
    ]
    return {
        "type": "Question",
        "id": note,
        "attribution": ALICE,
        "to": ACTOR,
        "content": f'<p><a href="{ACTOR}">@helper</a> {text}</p>',
        "tags": [mention],
        "exclusiveOptions": options,
        "published": "2026-11-27T12:00:00Z",
        "updated": f"2026-11-27T12:{number:02}:00Z",
    }


def test_a_mention_with_thirty_tallies_and_edits_is_answered_once(servers, count):
    poll = f"https://social.example/notes/poll-{next(NUMBERS)}"
    assert servers.send(activity("Create", object=tally(poll, 0))) == 202
    for number in range(1, 31):
        text = "Tea or coffee?" if number % 3 else f"Tea or coffee, {number}?"
        assert servers.send(activity("Update", object=tally(poll, number, text))) == 202
    servers.heard("Create", poll)
    servers.mention("After all of them")
    assert poll not in map(object_of, servers.came)
    assert servers.done == []
    count(31)


def test_the_answer_to_a_note_that_is_deleted_is_withdrawn(servers, count):
    note, answer = servers.mention("Will it rain?", open=True)
    assert servers.world.get(answer["id"]).status == 200
    gone = {"type": "Tombstone", "id": note}
    assert servers.send(activity("Delete", object=gone)) == 202
    delete = servers.heard("Delete", answer["id"])
    assert (delete["actor"], delete["object"]["type"]) == (ACTOR, "Tombstone")
    assert servers.world.get(answer["id"]).status == servers.world.get(f"{answer['id']}/activity").status == 410
    assert servers.citizen.messages.find_all(note) == servers.citizen.messages.find_all(answer["id"]) == {}
    count(3)


def test_what_an_actor_asked_is_forgotten_with_the_actor(servers, count):
    servers.send(activity("Follow", object=ACTOR))
    _, answer = servers.mention("Will it rain?")
    assert servers.send(activity("Delete", object=ALICE)) == 202
    servers.heard("Delete", answer["id"])
    assert servers.citizen.messages.ids_by("@alice@social.example") == []
    assert len(servers.citizen.followers) == 0
    count(2)


def test_a_private_answer_is_served_to_its_reader_alone(servers, count):
    _, answer = servers.mention("In private")
    assert servers.fedify("read", url=answer["id"], by=ALICE)["content"] == answer["content"]
    assert servers.fedify("read", url=answer["id"], by=BOB) is None
    assert servers.world.get(answer["id"]).status == 404
    count(2)


def test_fedify_reads_which_software_this_is(servers, count):
    found = servers.fedify("nodeinfo", url="https://agents.example")
    assert found == {"software": "helper", "protocols": ["activitypub"], "users": 1}
    count()


REACTIONS = {
    "Like": {},
    "EmojiReact": {"content": "🎉"},
    "Announce": {"to": PUBLIC, "cc": ACTOR},
    "Dislike": {},
}


@pytest.mark.parametrize("kind", REACTIONS)
def test_a_reaction_counts_until_it_is_undone(servers, count, kind):
    _, answer = servers.answer()
    reaction = activity(kind, object=answer["id"], **REACTIONS[kind])
    assert servers.send(reaction) == 202
    assert dict(servers.citizen.reactions) == {
        f"{kind} of {answer['id']} by {ALICE}": REACTIONS[kind].get("content"),
    }
    assert servers.send(undo(reaction)) == 202
    assert len(servers.citizen.reactions) == 0
    count(2)


OURS = {"type": "Follow", "id": "https://agents.example/activities/1", "actor": ACTOR, "object": ALICE}
POLL = "https://agents.example/objects/1"


def own_acts(answer):
    """What any actor may do in the own name: each is an event, and only its signature or its id can be forged."""
    return {
        "Follow": {"object": ACTOR},
        "Block": {"object": ACTOR},
        "Flag": {"objects": [ACTOR, answer["id"]], "content": "Spam?"},
        "QuoteRequest": {"object": answer["id"], "instrument": f"{ALICE}/notes/{next(NUMBERS)}"},
        "Create": {
            "object": {
                "type": "Note",
                "id": f"{ALICE}/votes/{next(NUMBERS)}",
                "attribution": ALICE,
                "name": "Tea",
                "replyTarget": POLL,
                "to": ACTOR,
            }
        },
        **{kind: {"object": answer["id"], **more} for kind, more in REACTIONS.items()},
    }


OWN = ("Follow", "Block", "Flag", "QuoteRequest", "Create", *REACTIONS)


@pytest.mark.parametrize("kind", OWN)
def test_what_is_done_in_the_name_of_another_changes_nothing(servers, count, kind):
    _, answer = servers.answer()
    honest = activity(kind, **own_acts(answer)[kind])
    record = servers.record()
    statuses = {
        "by a key of the same server": servers.send(honest, by=BOB),
        "by a key of another server": servers.send(honest, by=MALLORY),
        "under the name of the one and the id of the other": servers.send({**honest, "actor": MALLORY}),
    }
    assert (servers.done, servers.record()) == ([], record), statuses
    assert all(400 <= status < 500 for status in statuses.values()), statuses
    assert servers.send(honest) == 202
    [event] = servers.done
    assert (event.type, event.authority, event.actor.id) == ("Vote" if kind == "Create" else kind, "own", ALICE)
    assert event.recipients == (HELPER,)
    count(4)


def about(servers, kind, by=ALICE):
    """An activity of an actor about what is Alice's."""
    note, answer = servers.answer()
    follow = activity("Follow", object=ACTOR)
    like = activity("Like", object=answer["id"])
    servers.send(follow)
    servers.send(like)
    servers.done.clear()
    match kind:
        case "Undo of a Follow":
            return activity("Undo", by, object=follow)
        case "Undo of a Like":
            return activity("Undo", by, object=like)
        case "Delete of a note":
            return activity("Delete", by, object={"type": "Tombstone", "id": note})
        case "Delete of an actor":
            return activity("Delete", by, object=ALICE)
        case "Update of an actor":
            return activity("Update", by, object=person())
        case "Accept" | "Reject":
            return activity(kind, by, object=OURS)
        case "Add" | "Remove":
            return activity(kind, by, object=note, target=f"{ALICE}/featured")
    return activity("Move", by, object=ALICE, target=BOB)


AUTHORITIES = {
    "Undo of a Follow": "author",
    "Undo of a Like": "author",
    "Delete of a note": "author",
    "Delete of an actor": "self",
    "Update of an actor": "self",
    "Accept": "object",
    "Reject": "object",
    "Move": "self",
    "Add": "collection",
    "Remove": "collection",
}


@pytest.fixture
def moved(servers):
    """Alice has moved to Bob, and he says so; a collection of hers is in her document."""
    members = {"successor": BOB, "featured": f"{ALICE}/featured"}
    servers.fedify("profile", id=ALICE, members=members)
    servers.fedify("profile", id=BOB, members={"aliases": [ALICE]})
    yield
    servers.fedify("profile", id=ALICE, members={})
    servers.fedify("profile", id=BOB, members={})


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize("kind", AUTHORITIES)
def test_what_is_done_to_the_things_of_another_changes_nothing(servers, count, kind):
    honest = about(servers, kind)
    record = servers.record()
    statuses = {by: servers.send(by_another(honest, by)) for by in (BOB, MALLORY)}
    statuses["by a key of another"] = servers.send(honest, by=BOB)
    assert (servers.done, servers.record()) == ([], record), statuses
    assert servers.send(honest) == 202
    [event] = servers.done
    assert (event.type, event.authority, event.actor.id) == (kind.partition(" ")[0], AUTHORITIES[kind], ALICE)
    count(4)


def by_another(honest, by):
    """The same activity by another actor, about the same things."""
    return {**honest, "id": f"{by}/did/{next(NUMBERS)}", "actor": by}


def test_an_undo_that_lies_about_whose_follow_it_was_takes_no_follower_away(servers, count):
    follow = activity("Follow", object=ACTOR)
    servers.send(follow)
    record = servers.record()
    for by in (BOB, MALLORY):
        servers.send(activity("Undo", by, object={**follow, "actor": by}))
    assert servers.record() == record
    assert list(servers.citizen.followers) == [ALICE]
    count(2)


def test_a_move_counts_only_when_the_new_account_says_so(servers, count):
    servers.fedify("profile", id=ALICE, members={"successor": BOB})
    try:
        assert servers.send(activity("Move", object=ALICE, target=BOB)) != 503
        assert servers.done == []
    finally:
        servers.fedify("profile", id=ALICE, members={})
    count()


@pytest.mark.parametrize("kind", ["Follow", "QuoteRequest"])
def test_what_asks_about_something_else_too_is_not_answered(servers, count, kind):
    _, answer = servers.answer()
    more = {"instrument": f"{ALICE}/notes/{next(NUMBERS)}"} if kind == "QuoteRequest" else {}
    own = ACTOR if kind == "Follow" else answer["id"]
    record = servers.record()
    assert servers.send(activity(kind, objects=[own, BOB], **more)) == 422
    assert servers.send(activity(kind, objects=[BOB], **more)) == 202
    assert servers.record() == record
    count(2)


def test_a_quote_of_a_public_answer_alone_is_approved(servers, count):
    _, private = servers.mention("In private")
    _, public = servers.mention("Before everybody", open=True)
    for answer, kind in ((private, "Reject"), (public, "Accept")):
        request = activity("QuoteRequest", object=answer["id"], instrument=f"{ALICE}/notes/{next(NUMBERS)}")
        assert servers.send(request) == 202
        result = servers.heard(kind, request["id"])["result"]
    found = servers.fedify("stamp", url=result)
    assert (found["quote"], found["quoted"]) == (request["instrument"], public["id"])
    count(3)


def test_what_is_undone_by_its_id_alone_is_asked_of_its_server(servers, count):
    follow = activity("Follow", object=ACTOR)
    servers.send(follow)
    lie = {**follow, "@context": "https://www.w3.org/ns/activitystreams", "actor": BOB}
    for document, followers in ((None, 1), (lie, 1), ({**lie, "actor": ALICE}, 0)):
        if document is not None:
            servers.fedify("page", url=follow["id"], document=document)
        servers.send(activity("Undo", object=follow["id"]))
        assert len(servers.citizen.followers) == followers
    count(3)


def test_somebody_who_is_gone_is_refused_for_good(servers, count):
    servers.fedify("page", url=BOB, document={}, status=410)
    try:
        record = servers.record()
        assert (
            400 <= servers.send(activity("Create", BOB, object=tally(f"{BOB}/polls/1", 0) | {"attribution": BOB})) < 500
        )
        assert servers.record() == record
    finally:
        servers.fedify("page", url=BOB)
    count()


def test_a_follower_is_forgotten_with_the_inbox(servers, count, monkeypatch):
    forget, is_forgotten = servers.citizen.forget_inbox, threading.Event()
    monkeypatch.setattr(servers.citizen, "forget_inbox", lambda inbox: (forget(inbox), is_forgotten.set()))
    servers.fedify("page", url=f"{BOB}/inbox", document={}, status=410)
    servers.send(activity("Follow", BOB, object=ACTOR))
    assert is_forgotten.wait(10)
    assert len(servers.citizen.followers) == 0
    servers.fedify("page", url=f"{BOB}/inbox")
    count()


def test_what_somebody_asked_is_forgotten_when_their_server_says_that_they_are_gone(servers, count):
    _, answer = servers.mention("Will it rain?", open=True)
    servers.send(activity("Follow", object=ACTOR))
    follow = activity("Follow", BOB, object=ACTOR)
    servers.send(follow)
    servers.fedify("page", url=ALICE, document={}, status=410)
    servers.done.clear()
    servers.send(activity("Delete", ALICE, object=BOB))
    servers.send(activity("Delete", BOB, object=ALICE))
    assert servers.done == []
    assert sorted(servers.citizen.followers) == [ALICE, BOB]
    assert servers.send(activity("Delete", ALICE, object=ALICE)) == 202
    [event] = servers.done
    assert event.authority == "gone"
    assert servers.world.get(answer["id"]).status == 410
    assert list(servers.citizen.followers) == [BOB]
    assert servers.citizen.messages.ids_by("@alice@social.example") == []
    servers.fedify("page", url=ALICE)
    count(3)
