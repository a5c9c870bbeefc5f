"""An agent is a good citizen: servers made with Fedify do each activity to the example, and beside it its forged twin."""

from __future__ import annotations

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
        act = self.citizen.act
        patch.setattr(self.citizen, "act", lambda got: (self.done.append(got), act(got)))

    def send(self, activity, *, by=None, inbox=INBOX):
        """The status of the inbox of the example for an activity, signed by its actor or by another one."""
        return self.fedify("send", by=by or activity["actor"], inbox=inbox, activity=activity)

    def heard(self, count=1):
        """What came back and was verified by Fedify."""
        return self.fedify("heard", count=count)["activities"]

    def mention(self, text="Will it rain?", **more):
        """A note of Alice for the example, and the note that answers it, as Fedify heard it."""
        note = self.world.mention(f"{text} {next(NUMBERS)}", **more)
        [create] = self.heard()
        assert (create["type"], create["actor"], create["object"]["inReplyTo"]) == ("Create", ACTOR, note)
        return note, create["object"]

    def record(self):
        """All that the example remembers of others, and what it serves."""
        citizen = self.citizen
        tables = (citizen.followers, citizen.blocked_by, citizen.reactions, citizen.documents)
        rows = citizen.messages._database.execute("SELECT native_id, id FROM messages ORDER BY 1").fetchall()
        return [*map(dict, tables), rows, set(self.world.agent.outbox.answers)]


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
    found.fedify("heard", count=0)


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
    [accept] = servers.heard()
    assert (accept["type"], accept["actor"], accept["object"]["type"]) == ("Accept", ACTOR, "Follow")
    assert accept["objectId"] == follow["id"]
    assert servers.fedify("collection", url=f"{ACTOR}/followers")["total"] == 1
    assert servers.send(undo(follow)) == 202
    assert servers.fedify("collection", url=f"{ACTOR}/followers")["total"] == 0
    count(4)


def test_a_follow_of_somebody_blocked_is_rejected(servers, count):
    servers.send(activity("Block", object=ACTOR))
    follow = activity("Follow", object=ACTOR)
    assert servers.send(follow) == 202
    [reject] = servers.heard()
    assert (reject["type"], reject["objectId"], len(servers.citizen.followers)) == ("Reject", follow["id"], 0)
    count(2)


def test_who_blocks_the_agent_follows_it_no_more_and_hears_no_more_until_that_is_undone(servers, count):
    servers.send(activity("Follow", object=ACTOR))
    block = activity("Block", object=ACTOR)
    assert servers.send(block) == 202
    assert len(servers.citizen.followers) == 0
    servers.heard()
    servers.world.mention("Are you there?")
    assert servers.send(undo(block)) == 202
    note = servers.world.mention("And now?")
    assert [answer["object"]["inReplyTo"] for answer in servers.heard()] == [note]
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
    _, another = servers.mention("After all of them")
    answers = [one for one in servers.citizen.messages.native_ids(answer_to(servers, poll))]
    assert len(answers) == 1
    assert [one["object"]["inReplyTo"] for one in servers.heard(0)] == []
    assert another["inReplyTo"] != poll
    count(31)


def answer_to(servers, note):
    """The id of the answer to a note in the store of the example."""
    return f"answer-to-{servers.citizen.messages.find(note, HELPER).id}"
