"""What an agent does is taken by servers made with Fedify: each activity, with each signature, and its forged twin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from secrets import token_bytes

import pytest

from mentionable import HttpRequest, activitypub
from tests.interop.citizens import (
    ACTOR,
    ALICE,
    BOB,
    NUMBERS,
    OBJECT_KEY,
    activity,
)

FLOOR = 90
THEM = activitypub.Actor(address="@alice@social.example", id=ALICE, inbox=f"{ALICE}/inbox")
ALL = activitypub.Audience(actors=(THEM,))
NOTE = f"{ALICE}/notes/1"
FORMS = ("cavage", "rfc9421", "proof")


class Agent:
    """The builders, with what all of them are told."""

    def __init__(self, servers):
        self.servers = servers
        self.settings = activitypub.Settings(key=servers.world.agent.KEY, object_key=OBJECT_KEY)

    def __getattr__(self, name):
        def build(*args, **more):
            facts = {"base": "https://agents.example", "now": datetime.now(UTC), "entropy": token_bytes(32)}
            out = getattr(activitypub, name)(*args, **facts, settings=self.settings, **more)
            self.servers.citizen.documents.update(out.serve)
            return out

        return build


def event(servers, kind, **members):
    """What the example received of Alice."""
    sent = activity(kind, **members)
    servers.send(sent)
    [got] = [one for one in servers.done if one.id == sent["id"]]
    return got


def quoted(servers, agent):
    note = agent.post("Quote this.", audience=ALL)
    return event(servers, "QuoteRequest", object=note.native_id, instrument=f"{ALICE}/notes/{next(NUMBERS)}")


def moved(servers, agent):
    target = {"id": BOB, "type": "Person", "alsoKnownAs": [ACTOR]}
    return agent.move(target, to=[THEM])


def poll(agent):
    return agent.poll("Which day?", ["Monday", "Friday"], audience=ALL, ends=datetime.now(UTC) + timedelta(days=1))


BUILT = {
    "Accept of a Follow": lambda servers, agent: agent.accept(event(servers, "Follow", object=ACTOR)),
    "Accept of a QuoteRequest": lambda servers, agent: agent.accept(quoted(servers, agent)),
    "Reject of a Follow": lambda servers, agent: agent.reject(event(servers, "Follow", object=ACTOR)),
    "Reject of a QuoteRequest": lambda servers, agent: agent.reject(quoted(servers, agent)),
    "Follow": lambda _, agent: agent.follow(THEM),
    "Block": lambda _, agent: agent.block(THEM),
    "Like": lambda _, agent: agent.like(NOTE, to=THEM),
    "Announce": lambda _, agent: agent.announce(NOTE, audience=ALL),
    "Move": moved,
    "Undo of a Follow": lambda _, agent: agent.undo(agent.follow(THEM).activity, to=THEM),
    "Undo of a Block": lambda _, agent: agent.undo(agent.block(THEM).activity, to=THEM),
    "Undo of a Like": lambda _, agent: agent.undo(agent.like(NOTE, to=THEM).activity, to=THEM),
    "Undo of an Announce": lambda _, agent: agent.undo(agent.announce(NOTE, audience=ALL).activity, to=THEM),
    "Create of a Note": lambda _, agent: agent.post("It *rains*.", audience=ALL),
    "Create of a Question": lambda _, agent: poll(agent),
    "Create of a vote": lambda _, agent: agent.vote("Friday", on=f"{ALICE}/polls/1", to=THEM),
    "Update of a Question": lambda _, agent: agent.tally(served(poll(agent)), [1, 2], voters=3, to=[THEM]),
    "Delete of a Note": lambda _, agent: agent.delete(served(agent.post("Gone", audience=ALL)), to=THEM),
    "Delete of a Question": lambda _, agent: agent.delete(served(poll(agent)), to=THEM),
}
"""Activity → how it is built."""

INSIDE = {"Note": "Note", "Question": "Question", "vote": "Note"}


def served(out):
    return out.serve[out.native_id]


def delivery(servers, out, form):
    """The one delivery, signed in this form; a proof is inside, so that the request needs no signature."""
    [post] = out.deliveries
    if form != "proof":
        return activitypub.sign(post, key=servers.world.agent.KEY, now=datetime.now(UTC), form=form)
    headers = {"content-type": "application/activity+json"}
    return HttpRequest(method="POST", url=post.url, headers=headers, body=post.body)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BUILT)
def test_what_an_agent_does_is_verified_and_read_there(servers, count, name, form):
    out = BUILT[name](servers, Agent(servers))
    request = delivery(servers, out, form)
    forged = request.body.replace(out.activity["id"][-12:].encode(), b"0" * 12)
    answer = servers.world.send(HttpRequest(method="POST", url=request.url, headers=request.headers, body=forged))
    assert answer.status == 401
    assert servers.world.send(request).status == 202
    kind, _, about = name.partition(" of a")
    got = servers.heard(kind, id=out.activity["id"])
    assert (got["actor"], got["objectId"] or got["object"]["id"]) == (ACTOR, object_id(out))
    inside = about.strip().removeprefix("n ")
    if kind == "Delete":
        assert got["object"] == {"type": "Tombstone", "id": object_id(out)}
    elif inside:
        assert got["object"]["type"] == INSIDE.get(inside, inside)
    count(2)


def object_id(out):
    inner = out.activity["object"]
    return inner if isinstance(inner, str) else inner["id"]


def test_a_vote_and_a_poll_are_read_as_such(servers, count):
    agent = Agent(servers)
    for out in (poll(agent), agent.vote("Friday", on=f"{ALICE}/polls/1", to=THEM)):
        assert servers.world.send(delivery(servers, out, "cavage")).status == 202
        got = servers.heard("Create", id=out.activity["id"])["object"]
        if got["type"] == "Question":
            assert got["options"] == [{"name": "Monday", "votes": 0}, {"name": "Friday", "votes": 0}]
        else:
            assert (got["name"], got["inReplyTo"]) == ("Friday", f"{ALICE}/polls/1")
        count()


def test_a_poll_is_voted_on_and_its_count_is_read_there(servers, count):
    agent = Agent(servers)
    out = poll(agent)
    vote = {"type": "Note", "id": f"{ALICE}/votes/{next(NUMBERS)}", "attribution": ALICE, "name": "Friday", "to": ACTOR}
    sent = activity("Create", object={**vote, "replyTarget": out.native_id})
    assert servers.send(sent, by=BOB) == 401
    assert servers.done == []
    assert servers.send(sent) == 202
    [got] = servers.done
    assert (got.type, got.object_id, got.content, got.actor.id) == ("Vote", out.native_id, "Friday", ALICE)
    counted = agent.tally(served(out), [0, 1], voters=1, to=[THEM])
    assert servers.world.send(delivery(servers, counted, "cavage")).status == 202
    options = servers.heard("Update", id=counted.activity["id"])["object"]["options"]
    assert options == [{"name": "Monday", "votes": 0}, {"name": "Friday", "votes": 1}]
    count(3)


def test_the_approval_of_a_quote_is_there_for_everybody(servers, count):
    agent = Agent(servers)
    request = quoted(servers, agent)
    out = agent.accept(request)
    stamp = out.activity["result"]
    found = servers.fedify("stamp", url=stamp)
    assert found == {"id": stamp, "author": ACTOR, "quote": request.target_id, "quoted": request.object_id}
    assert servers.world.send(delivery(servers, out, "cavage")).status == 202
    assert servers.heard("Accept", id=out.activity["id"])["result"] == stamp
    count(2)
