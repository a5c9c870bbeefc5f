"""Who is blocked or forgotten while the agent works for them: the work ends, and nothing of it is stored."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

import pytest
from a2a_calls import call, client_of, message
from mentionable import NormalizedResponse
from sqlalchemy import select

from mentionable_host import Agent
from mentionable_host.agents.context import Context
from mentionable_host.forgetting import forget
from mentionable_host.queue.attempts import Attempts
from mentionable_host.queue.outcome import Done
from mentionable_host.signals import Signals
from mentionable_host.store import blocks, erase, jobs, messages
from mentionable_host.store.tables import jobs as table
from mentionable_host.store.tables import metadata, tasks
from mentionable_host.transports.a2a import A2A
from mentionable_host.transports.rest import Rest

ALICE = "@alice@a.example"
CALLERS = {"a2a": {"callers": {"alice-has-this": ALICE, "bob-has-this": "@bob@b.example"}}}
CANARY = "CANARYcanaryCANARY"
FORM = {"accept": "text/event-stream"}


def held():
    """An agent that says a word, and goes on when it is told to, unless it is canceled before."""
    told = SimpleNamespace(begun=asyncio.Event(), go=asyncio.Event(), ended=asyncio.Event(), agent=Agent())

    @told.agent.on_message
    async def answer(message, context):
        try:
            yield f"{CANARY} one. "
            told.begun.set()
            await told.go.wait()
            yield f"{CANARY} two. "
            await asyncio.Event().wait()
        finally:
            told.ended.set()

    return told


async def ask(client, path):
    if path == "a2a":
        return await call(client, "SendStreamingMessage", message=message(f"{CANARY}?"))
    return await client.post("/rest/helper", headers=FORM, files={"user": (None, f"{CANARY}?")})


def rows(db):
    return {name: [tuple(row) for row in db.execute(select(one))] for name, one in metadata.tables.items()}


@pytest.mark.parametrize("path", ["a2a", "rest"])
def test_who_is_forgotten_while_the_agent_answers_leaves_nothing(make_host, path):
    told = held()
    host = make_host(A2A, Rest, agent=told.agent, **CALLERS)

    async def talk():
        async with host.running(), client_of(host, "alice-has-this") as client, asyncio.timeout(20):
            asked = asyncio.create_task(ask(client, path))
            await told.begun.wait()
            await host.database.write(lambda db: forget(db, ALICE, host=host))
            told.go.set()
            await told.ended.wait()
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        return await host.database.read(rows)

    left = asyncio.run(talk())

    assert CANARY not in str(left)
    assert ALICE not in str(left)
    assert {name for name, found in left.items() if found} <= {"uses", "counts"}


@pytest.mark.parametrize("path", ["a2a", "rest"])
def test_who_is_forgotten_waits_for_nothing_more(make_host, path):
    told = held()
    host = make_host(A2A, Rest, agent=told.agent, **CALLERS)

    async def ask_whole(client):
        if path == "a2a":
            return await call(client, "SendMessage", message=message("Hi"))
        return await client.post("/rest/helper", headers={"accept": "text/markdown"}, files={"user": (None, "Hi")})

    async def talk():
        async with host.running(), client_of(host, "alice-has-this") as client, asyncio.timeout(5):
            asked = asyncio.create_task(ask_whole(client))
            await told.begun.wait()
            await host.database.write(lambda db: forget(db, ALICE, host=host))
            return await asked

    assert asyncio.run(talk()) is not None


@pytest.mark.parametrize("who", [ALICE, "*.a.example"])
def test_who_is_blocked_gets_nothing_more_and_their_tasks_end(make_host, who):
    told = held()
    host = make_host(A2A, agent=told.agent, **CALLERS)

    def states(db):
        return [*db.execute(select(tasks.c.state, tasks.c.unanswered)).fetchall()]

    async def talk():
        async with host.running(), client_of(host, "alice-has-this") as client, asyncio.timeout(20):
            begun = asyncio.create_task(call(client, "SendMessage", message=message("Hi", contextId="c")))
            await told.begun.wait()
            waiting = asyncio.create_task(call(client, "SendMessage", message=message("And?", contextId="c")))
            while len(await host.database.read(states)) < 2:
                await asyncio.sleep(0.01)
            await host.database.write(lambda db: blocks.add(db, who, now=host.world.now()))
            await told.ended.wait()
            await asyncio.gather(begun, waiting)
        return await host.database.read(states), await host.database.read(rows)

    found, stored = asyncio.run(talk())

    assert [tuple(one) for one in found] == [("canceled", "[]")] * 2
    assert [row for row in stored["messages"] if "assistant" in row] == []


def test_a_turn_that_a_program_cancels_before_it_begins_ends_its_task(make_host):
    host = make_host(A2A, **CALLERS)

    async def talk():
        async with client_of(host, "alice-has-this") as client:
            asked = message("Hi")
            sent = await call(client, "SendMessage", message=asked, configuration={"returnImmediately": True})
            (key,) = await host.database.read(lambda db: db.execute(select(table.c.key)).scalars().all())
            assert await host.cancel_turn(key.removeprefix("answer "))
            async with host.running(), asyncio.timeout(10):
                while True:
                    task = await call(client, "GetTask", id=sent["task"]["id"])
                    if task["status"]["state"] == "TASK_STATE_CANCELED":
                        return
                    await asyncio.sleep(0.01)

    asyncio.run(talk())


def test_a_program_tells_nobody_what_somebody_wrote_who_is_forgotten(make_host, make_message):
    host, asked = make_host(), make_message(sender=ALICE)

    async def talk():
        await host.database.write(lambda db: messages.put(db, asked, transport="x", files={}))
        context = Context(host, asked)
        await host.database.write(lambda db: forget(db, ALICE, host=host))
        await context.notify("@bob@b.example", f"{CANARY}!")
        return await host.database.read(rows)

    assert CANARY not in str(asyncio.run(talk()))


def test_who_is_forgotten_while_their_answer_is_stored_leaves_nothing(database, make_message, world):
    asked = make_message(CANARY, sender=ALICE)
    job = jobs.Job(key="answer m1", kind="answer", lane="answer t1", payload=b"", person=ALICE, thread_id="t1")
    storing, forgotten = threading.Event(), threading.Event()

    def store(db):
        storing.set()
        if database.dialect == "postgresql":
            forgotten.wait(0.5)  # they are either forgotten by now, or that waits
        messages.put_answer(db, NormalizedResponse.to(asked, CANARY), to=asked, transport="x", now=world.now())

    async def handle(job):
        return Done(store)

    def begin(db):
        messages.put(db, asked, transport="x", files={})
        jobs.enqueue(db, job, now=world.now())
        return jobs.lease(db, now=world.now(), until=world.now(), limit=1, running={})

    def leave(db):
        erase.forget(db, ALICE, now=world.now())
        forgotten.set()

    async def both():
        (leased,) = await database.write(begin)
        making = asyncio.create_task(Attempts(database, world, {"answer": handle}, signals=Signals()).make(leased))
        if database.dialect == "postgresql":  # on SQLite one comes after the other
            await asyncio.to_thread(storing.wait)
        await database.write(leave)
        await making
        return await database.read(rows)

    assert CANARY not in str(asyncio.run(both()))
