"""The running example and servers made with Fedify on loopback, for the suites of good citizens."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import count as counter

from mentionable import SigningKey, activitypub
from tests.test_servers_web import HELPER, Tls, fediverse, fetch_on_loopback

ACTOR, INBOX = "https://agents.example/actors/helper", "https://agents.example/inbox"
ALICE, BOB = "https://social.example/users/alice", "https://social.example/users/bob"
MALLORY = "https://other.example/users/mallory"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
OBJECT_KEY = SigningKey.from_seed(b"o" * 32, key_id=f"{ACTOR}#objects")
NUMBERS = counter(1)


@contextmanager
def running(folder):
    """The example, with a key for proofs too, and the servers."""
    tls = Tls(folder, "agents.example", "social.example", "other.example")
    with fediverse(folder, tls, fetch_on_loopback(tls)) as world:
        keys = (world.agent.KEY, OBJECT_KEY)
        world.agent.actor |= activitypub.actor(HELPER, url=ACTOR, keys=keys, shared_inbox=INBOX)
        yield world


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

    def heard(self, kind, about=None, **members):
        """The next activity of this type that came back and was verified by Fedify, about a certain object."""

        def is_wanted(came):
            is_about = about is None or object_of(came) == about
            return came["type"] == kind and is_about and all(came[name] == one for name, one in members.items())

        while not (fits := [one for one in self.came if is_wanted(one)]):
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

    def answer(self):
        """A note of Alice, and the public note that answers it: the last ones, if they are still there."""
        last = getattr(self.world, "last", None)
        if last is None or self.citizen.messages.find(last[0], HELPER) is None:
            self.world.last = last = self.mention(open=True)
        return last

    def record(self):
        """All that the example remembers of others, and what it serves."""
        citizen = self.citizen
        tables = (citizen.followers, citizen.blocked_by, citizen.reactions, citizen.documents)
        rows = citizen.messages._database.execute("SELECT native_id, id FROM messages ORDER BY 1").fetchall()
        return [*map(dict, tables), rows, set(self.world.agent.outbox.answers)]


def object_of(came):
    """What an activity is about; of a note, what that answers."""
    return came["object"].get("inReplyTo") if came["type"] == "Create" else came["objectId"]


def activity(kind, actor=ALICE, **members):
    """An activity of an actor under an id of its own, by the names that Fedify has for its members."""
    return {"type": kind, "id": f"{actor}/did/{next(NUMBERS)}", "actor": actor, "to": ACTOR, **members}


def undo(inner, **members):
    return activity("Undo", inner["actor"], object=inner, **members)


def person(actor=ALICE):
    return {"type": "Person", "id": actor, "preferredUsername": actor.rpartition("/")[2], "inbox": f"{actor}/inbox"}
