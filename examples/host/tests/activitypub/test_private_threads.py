"""A thread that somebody names in `inReplyTo` is told to them only as far as they may read it."""

import json

import pytest
from mentionable import activitypub, plain_text

from mentionable_host import Agent

from .conftest import ACTOR, PUBLIC


@pytest.fixture
def seen():
    """What the agent saw of the conversation before each message."""
    return []


@pytest.fixture
def fediverse(fediverse_with, seen):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        seen.append([plain_text(turn) for turn in context.history])
        return f"The code is 4711, {message.sender.address}."

    return fediverse_with(agent)


def write(fediverse, peer, text, **more):
    fediverse.world.advance(minutes=1)
    request = peer.write(text, to=ACTOR, now=fediverse.world.now(), **more)
    assert fediverse.post(request) == [202]
    fediverse.work()
    return {"@context": "https://www.w3.org/ns/activitystreams"} | json.loads(request.body)["object"]


def test_a_stranger_who_names_a_private_answer_is_not_told_it(fediverse, alice, bob, seen):
    write(fediverse, alice, "Which code?")
    private = fediverse.sent("Create")[0][1]["object"]["id"]

    write(fediverse, bob, "What did you say before?", in_reply_to=private)

    assert seen[-1] == []


def test_a_stranger_who_names_what_the_agent_alone_may_fetch_is_not_told_it(fediverse, alice, bob, seen):
    note = write(fediverse, alice, "My code is 4711.")
    fediverse.serve(note["id"], note)  # its server gives it to the agent, which signs

    write(fediverse, bob, "What was written before?", in_reply_to=note["id"])

    assert seen[-1] == []


def test_who_wrote_and_who_got_it_is_told(fediverse, alice, seen):
    write(fediverse, alice, "Which code?")
    private = fediverse.sent("Create")[0][1]["object"]["id"]

    write(fediverse, alice, "What did you say before?", in_reply_to=private)

    assert len(seen[-1]) == 2
    assert "4711" in seen[-1][1]


def test_a_public_thread_is_told_to_anybody(fediverse, alice, bob, seen):
    note = write(fediverse, alice, "It rains.") | {"to": [PUBLIC]}
    fediverse.serve(note["id"], note)

    write(fediverse, bob, "What was written before?", in_reply_to=note["id"])

    assert seen[-1] == ["It rains."]


def test_a_private_note_of_others_that_is_passed_on_is_not_read(fediverse, alice, bob, seen):
    note = write(fediverse, alice, "My code is 4711.")
    fediverse.serve(note["id"], note)
    audience = activitypub.Audience(actors=(fediverse.helper,))

    out = activitypub.announce(note["id"], audience=audience, **fediverse.facts(bob))
    fediverse.post(*(activitypub.sign(one, key=bob.key, now=fediverse.world.now()) for one in out.deliveries))
    fediverse.work()

    assert len(seen) == 1
