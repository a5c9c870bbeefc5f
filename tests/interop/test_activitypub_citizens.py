"""An agent is a good citizen: servers made with Fedify do each activity to the example, and then its forged twin."""

from __future__ import annotations

import json
from itertools import count as counter

import pytest

from tests.test_examples_web import HELPER, Tls, fediverse, fetch_on_loopback

FLOOR = 60
ACTOR, INBOX = "https://agents.example/actors/helper", "https://agents.example/inbox"
ALICE, BOB = "https://social.example/users/alice", "https://social.example/users/bob"
MALLORY = "https://other.example/users/mallory"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
NUMBERS = counter(1)


class Fediverse:
    """The running example and the servers of Fedify, and what the example was told to do."""

    def __init__(self, world, patch):
        self.world, self.fedify, self.citizen, self.done = world, world.fedify, world.agent.citizen, []
        self.came = []
        act = self.citizen.act
        patch.setattr(self.citizen, "act", lambda got: (self.done.append(got), act(got)))

    def send(self, activity, *, by=None, inbox=INBOX):
        """The status of the inbox of the example for an activity, signed by its actor or by another one."""
        return self.fedify("send", by=by or activity["actor"], inbox=inbox, activity=activity)

    def get(self, url):
        """A document of the example as everybody gets it."""
        return json.loads(self.world.get(url).body)

    def heard(self, kind, about=None):
        """The next activity of this type that came back and was verified by Fedify, about a certain object."""
        while not (fits := [one for one in self.came if one["type"] == kind and about in (None, object_of(one))]):
            more = self.fedify("heard", count=1)["activities"]
            assert more, f"no {kind} came"
            self.came += more
        self.came.remove(fits[0])
        return fits[0]

    def mention(self, text="Will it rain?", **more):
        """A note of Alice for the example, and the note that answers it, as Fedify heard it."""
        note = self.world.mention(f"{text} {next(NUMBERS)}", **more)
        create = self.heard("Create", note)
        assert create["actor"] == ACTOR
        return note, create["object"]

    def record(self):
        """All that the example remembers of others, and what it serves."""
        citizen = self.citizen
        tables = (citizen.followers, citizen.blocked_by, citizen.reactions, citizen.documents)
        rows = citizen.messages._database.execute("SELECT native_id, id FROM messages ORDER BY 1").fetchall()
        return [*map(dict, tables), rows, set(self.world.agent.outbox.answers)]


def object_of(came):
    """What an activity is about; of a note, what that answers."""
    return came["object"]["inReplyTo"] if came["type"] == "Create" else came["objectId"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    tls = Tls(tmp_path_factory.mktemp("tls"), "agents.example", "social.example", "other.example")
    with fediverse(tmp_path_factory.mktemp("agent"), tls, fetch_on_loopback(tls)) as world:
        yield world


@pytest.fixture
def servers(place, monkeypatch):
    found = Fediverse(place, monkeypatch)
    yield found
    for table in (found.citizen.followers, found.citizen.blocked_by, found.citizen.reactions):
        table.clear()


def activity(kind, actor=ALICE, **members):
    """An activity of an actor under an id of its own, by the names that Fedify has for its members."""
    return {"type": kind, "id": f"{actor}/did/{next(NUMBERS)}", "actor": actor, "to": ACTOR, **members}


def undo(inner, **members):
    return activity("Undo", inner["actor"], object=inner, **members)


def person(actor=ALICE):
    return {"type": "Person", "id": actor, "preferredUsername": actor.rpartition("/")[2], "inbox": f"{actor}/inbox"}


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
    _, answer = servers.mention("Will it rain?", open=True)
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
    _, answer = servers.mention("Will it rain?", open=True)
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
    note, answer = servers.mention("Will it rain?", open=True)
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
