"""What strangers may do to each other: by a number of connections, an id, a name of a session, large messages."""

import asyncio
from types import SimpleNamespace

import httpx
import pytest
from a2a_calls import OWN_ID, call, message, rpc, run
from loopback import free_socket, serving
from mentionable import FindHistory, NormalizedResponse, Sender, plain_text, replace
from sqlalchemy import select

from mentionable_host import Agent
from mentionable_host.store import messages, tables
from mentionable_host.transports.a2a import A2A, following
from mentionable_host.transports.rest import Rest

CALLERS = {"a2a": {"callers": {"alice-has-this": "@alice@a.example", "bob-has-this": "@bob@b.example"}}}


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


def texts(host, *forms):
    """The statuses and answers to forms, one after the other: each is pairs of name and value, maybe with a token."""

    async def talk():
        async with host.running():
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                found = []
                for form in forms:
                    token = dict(form).get("token")
                    headers = {"accept": "text/markdown"} | ({"authorization": f"Bearer {token}"} if token else {})
                    fields = [(name, (None, value)) for name, value in form if name != "token"]
                    got = await client.post("/rest/helper", headers=headers, files=fields)
                    found.append((got.status_code, got.text))
                return found

    return asyncio.run(talk())


async def recalling(message, context):
    said = [part.content for turn in context.history for part in turn.parts]
    return f"{context.text} {said}"


def test_a_stranger_gets_no_answer_to_another_conversation_by_its_id(make_host):
    host = make_host(Rest, agent=agent_of(recalling))
    first = [("message_id", "1"), ("user", "My code is 4711."), ("assistant", "Well."), ("user", "Say it.")]
    other = [("message_id", "1"), ("user", "Say it.")]

    found = texts(host, first, other, first)

    assert "4711" in found[0][1]
    assert "4711" not in found[1][1]
    assert found[2] == found[0]


def test_a_stranger_gets_no_answer_of_another_session_by_its_id(make_host):
    told = SimpleNamespace(runs=0)

    async def count(message, context):
        told.runs += 1
        return f"Run {told.runs}"

    forms = [[("message_id", "1"), ("session", name), ("user", "Yes")] for name in ("s1", "s2", "s1")]
    found = texts(make_host(Rest, agent=agent_of(count)), *forms)

    assert [text for _, text in found] == ["Run 1", "Run 2", "Run 1"]


def form(token, text):
    return [("token", token), ("session", "s1"), ("user", text)]


def test_nobody_uses_up_the_session_of_another_caller(make_host):
    host = make_host(Rest, **CALLERS, limits={"thread_turns": 3})
    bobs = [form("bob-has-this", f"Hi {n}") for n in range(4)]

    found = texts(host, *bobs, form("alice-has-this", "Will it rain?"))

    assert found[3][0] == 429
    assert found[4] == (200, "You wrote: Will it rain?")


def test_nobody_waits_for_the_session_of_another_caller(make_host):
    async def slow(message, context):
        if message.sender.address == "@bob@b.example":
            await asyncio.sleep(30)
        return "Yes."

    host = make_host(Rest, agent=agent_of(slow), **CALLERS)

    def is_at_work(db):
        return db.execute(select(tables.jobs.c.number).where(tables.jobs.c.state == "running")).first() is not None

    async def talk():
        transport = httpx.ASGITransport(app=host.app())
        async with host.running(), httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:

            def post(token, text):
                headers = {"accept": "text/markdown", "authorization": f"Bearer {token}"}
                fields = {"session": (None, "s1"), "user": (None, text)}
                return client.post("/rest/helper", headers=headers, files=fields)

            bobs = asyncio.create_task(post("bob-has-this", "Hi"))
            async with asyncio.timeout(30):
                while not await host.database.read(is_at_work):
                    await asyncio.sleep(0.01)
            alices = await asyncio.wait_for(post("alice-has-this", "Will it rain?"), 30)
            bobs.cancel()
            return alices.text

    assert asyncio.run(talk()) == "Yes."


def test_nobody_makes_the_agent_forget_a_conversation_of_others(make_host, make_message):
    host = make_host(Rest)
    ask = FindHistory(thread_id="t1", recipient=host.address, sender="@alice@a.example", verified=True)

    def work(db):
        messages.put(db, make_message("I am 40."), transport="activitypub", files={})
        for number in range(messages.HISTORY):
            put = make_message(f"Hi {number}", sender="@bob@b.example")
            messages.put(db, put, transport="rest", files={})
        return messages.history(db, ask)

    (turn,) = asyncio.run(host.database.write(work))
    assert plain_text(turn) == "I am 40."


@pytest.mark.parametrize("path", ["/rest/helper", "/a2a/helper"])
def test_strangers_of_one_network_take_no_places_of_others(make_host, monkeypatch, path):
    monkeypatch.setattr(following, "OF_ONE", 1)
    begun = asyncio.Event()

    async def slow(message, context):
        if context.text == "Wait":
            begun.set()
            await asyncio.Event().wait()
        return "Yes."

    host = make_host(Rest, A2A, agent=agent_of(slow))

    async def post(text, address):
        app = httpx.ASGITransport(app=host.app(), client=(address, 4000))
        asked = {"json": rpc("SendStreamingMessage", message=message(text))}
        if path == "/rest/helper":
            asked = {"files": {"user": (None, text)}, "headers": {"accept": "text/event-stream"}}
        async with httpx.AsyncClient(transport=app, base_url="https://agents.example") as client:
            return (await client.post(path, **asked)).text

    async def talk():
        async with host.running(), asyncio.timeout(10):
            waiting = asyncio.create_task(post("Wait", "203.0.113.1"))
            await begun.wait()
            found = await post("Hi", "203.0.113.1"), await post("Hi", "203.0.113.2")
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            return found

    refused, taken = asyncio.run(talk())

    assert "too-many-requests" in refused
    assert "Yes." in taken


def test_an_impostor_sees_no_answer_to_what_is_too_long_ago_to_be_read(make_host, make_message, monkeypatch, world):
    monkeypatch.setattr(messages, "HISTORY", 3)
    host = make_host(Rest)
    impostor = Sender(address="@alice@a.example", verified=False, auth_method="none")
    ask = FindHistory(thread_id="t1", recipient=host.address, sender="@alice@a.example", verified=False)

    def work(db):
        hers, his = make_message("Where do I live?"), replace(make_message("And I?"), sender=impostor)
        for one, text in ((hers, "In Bern."), (his, "I do not know.")):
            messages.put(db, one, transport="activitypub", files={})
            answer = NormalizedResponse.to(one, text)
            messages.put_answer(db, answer, to=one, transport="activitypub", now=world.now())
        return [plain_text(turn) for turn in messages.history(db, ask)]

    assert asyncio.run(host.database.write(work)) == ["And I?", "I do not know."]


def test_a_caller_waits_for_so_many_answers_at_a_time(make_host, monkeypatch):
    monkeypatch.setattr(following, "OF_ONE", 2)

    async def never(message, context):
        await asyncio.Event().wait()

    host = make_host(Rest, agent=agent_of(never))

    async def talk():
        transport = httpx.ASGITransport(app=host.app())
        async with host.running(), httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:

            def post():  # the same each time, so that no other limit holds it up
                fields = {"message_id": (None, "1"), "user": (None, "Hi")}
                return client.post("/rest/helper", headers={"accept": "text/markdown"}, files=fields)

            waiting = [asyncio.create_task(post()) for _ in range(2)]
            async with asyncio.timeout(30):
                while not host.transport("rest")._following.is_full("127.0.0.1"):
                    await asyncio.sleep(0.01)
            refused = await post()
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            return refused, host.transport("rest")._following.is_full("127.0.0.1")

    refused, is_full = asyncio.run(talk())
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
    assert not is_full


@pytest.mark.parametrize("sender", ["@alice@a.example", None])
def test_large_messages_of_a_thread_are_read_as_far_as_they_fit(make_host, make_message, monkeypatch, sender):
    monkeypatch.setattr(messages, "HISTORY_BYTES", 5000)
    host = make_host(Rest)

    def work(db):
        for number in range(4):
            messages.put(db, make_message(f"{number} " + "x" * 2000), transport="activitypub", files={})
        if sender is None:
            return [plain_text(one.value) for one in messages.thread(db, "t1", agent=host.address)]
        ask = FindHistory(thread_id="t1", recipient=host.address, sender=sender, verified=True)
        return [plain_text(turn) for turn in messages.history(db, ask)]

    assert [text[0] for text in asyncio.run(host.database.write(work))] == ["2", "3"]


FORM = {"files": {"user": (None, "Hi")}}
CALL = {"json": rpc("SendMessage", message=message("Hi"))}


@pytest.mark.parametrize(("transport", "path", "asked"), [(Rest, "/rest/helper", FORM), (A2A, "/a2a/helper", CALL)])
def test_a_caller_who_has_gone_takes_no_place_of_others(make_host, transport, path, asked):
    async def never(message, context):
        await asyncio.Event().wait()

    host = make_host(transport, agent=agent_of(never), a2a={"patience": 60})
    made = host.transport(transport.name)
    callers = (made._following if transport is Rest else made._endpoint._following)._callers

    async def talk():
        listening, url = free_socket()
        async with serving(host.app(), listening):
            request = httpx.Request("POST", f"{url}{path}", **asked)
            head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
            _, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + request.read())
            async with asyncio.timeout(30):
                while not callers.total():
                    await asyncio.sleep(0.01)
                writer.close()
                while callers.total():
                    await asyncio.sleep(0.01)

    asyncio.run(talk())


@pytest.mark.parametrize(("id", "is_shared"), [("1", False), (OWN_ID, True)])
def test_strangers_with_one_id_and_the_same_words_share_no_task(make_host, id, is_shared):
    hi = {**message("Hi"), "messageId": id}

    async def talk(client):
        (first, again) = [(await call(client, "SendMessage", message=hi))["task"] for _ in range(2)]
        return first["id"] == again["id"]

    assert run(make_host(A2A), talk) is is_shared
