"""What clients may do to the endpoint: at the same time, too often, too slowly, and in bytes that mean nothing."""

import asyncio

import httpx
import pytest
from a2a_calls import OWN_ID, URL, OpenStream, call, client_of, message, rpc, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mentionable import DigestRef, FilePart, NormalizedResponse, a2a

from mentionable_host import Agent, http
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.transports import frames
from mentionable_host.transports.a2a import A2A, following
from mentionable_host.transports.rest import Rest


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


def test_one_message_that_comes_many_times_at_once_is_answered_once(make_host):
    runs = []

    async def answer(message, context):
        runs.append(context.text)
        return "Yes"

    async def talk():
        one, other = make_host(A2A, agent=agent_of(answer)), make_host(A2A, agent=agent_of(answer))
        question = message("Hi", messageId=OWN_ID)
        async with one.running(), client_of(one) as first, client_of(other) as second:
            calls = [call(client, "SendMessage", message=question) for client in (first, second) * 8]
            return await asyncio.gather(*calls)

    answers = asyncio.run(talk())
    assert len({got["task"]["id"] for got in answers}) == 1
    assert {got["task"]["status"]["state"] for got in answers} == {"TASK_STATE_COMPLETED"}
    assert runs == ["Hi"]


def test_a_caller_follows_so_many_tasks_at_a_time(make_host, monkeypatch):
    monkeypatch.setattr(following, "OF_ONE", 2)

    async def talk():
        async def answer(message, context):
            await asyncio.Event().wait()

        host = make_host(A2A, agent=agent_of(answer))
        async with host.running(), client_of(host) as client:
            streams = [OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Hi"))) for _ in range(2)]
            for stream in streams:
                await stream.event()
            refused = await client.post(f"{URL}/message:stream", json={"message": message("Hi")})
            for stream in streams:
                await stream.leave()
            last = OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Hi")))
            return refused, await last.event()

    refused, event = asyncio.run(talk())
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
    assert "task" in event["result"]


def test_a_client_that_does_not_read_is_cut_off(make_host, monkeypatch):
    monkeypatch.setattr(http, "SLOW_SECONDS", 0.05)

    async def talk():
        host = make_host(A2A)
        content = httpx.Request(
            "POST", "https://agents.example", json=rpc("SendStreamingMessage", message=message("Hi"))
        )
        scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1"}
        place = {"method": "POST", "scheme": "https", "path": URL, "raw_path": URL.encode(), "query_string": b""}
        head = {"headers": [(b"host", b"agents.example")], "root_path": "", "server": ("agents.example", 443)}

        async def receive():
            return {"type": "http.request", "body": content.content, "more_body": False}

        async def send(event):
            if event["type"] == "http.response.body":
                await asyncio.Event().wait()

        async with host.running():
            await asyncio.wait_for(host.app()({**scope, **place, **head}, receive, send), 5)
            return host.transport("a2a")._endpoint._following._callers.total()

    assert asyncio.run(talk()) == 0


def test_a_quiet_stream_says_that_it_is_there(make_host, monkeypatch):
    monkeypatch.setattr(following, "KEEP_ALIVE_SECONDS", 0)

    async def talk():
        async def answer(message, context):
            await asyncio.Event().wait()

        host = make_host(A2A, agent=agent_of(answer))
        async with host.running():
            stream = OpenStream(host.app(), rpc("SendStreamingMessage", message=message("Hi")))
            await stream.event()
            piece = await asyncio.wait_for(stream._queue.get(), 5)
            await stream.leave()
            return piece

    assert asyncio.run(talk()).startswith(b":")


@pytest.mark.parametrize("transport", [A2A, Rest])
def test_frames_that_cannot_be_stored_cost_no_words(make_host, monkeypatch, transport):
    """The store is away for a moment while the agent speaks: the answer is whole in the end."""
    monkeypatch.setattr(frames, "GATHER_SECONDS", 0)

    async def talk():
        async def answer(message, context):
            for number in range(6):
                yield f"{number} "

        host = make_host(transport, agent=agent_of(answer))
        one, write, shown = host.transport(transport.name), host.database.write, host.transport(transport.name).show

        async def show(frame, *, to):
            async def away(work):
                raise StoreUnavailable("away")

            host.database.write = away if frame.streaming.seq == 2 else write
            await shown(frame, to=to)
            host.database.write = write

        one.show = show
        async with host.running(), client_of(host) as client:
            if transport is A2A:
                return str(await call(client, "SendMessage", message=message("Hi")))
            headers = {"accept": "text/event-stream"}
            form = {"user": (None, "Hi"), "message_id": (None, "m1")}
            await client.post("/rest/helper", headers=headers, files=form)
            return (await client.post("/rest/helper", headers={"accept": "text/plain"}, files=form)).text

    assert "0 1 2 3 4 5" in asyncio.run(talk())


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(bodies=st.lists(st.binary(max_size=200), min_size=10, max_size=20))
def test_no_bytes_break_the_endpoint(make_host, bodies):
    form = {"content-type": "multipart/form-data; boundary=b"}

    async def talk():
        statuses = []
        async with client_of(make_host(A2A, Rest)) as client:
            for number, body in enumerate(bodies):
                url = URL + ("", "/message:send", "/tasks/x:cancel", "/tasks", "/v1/card")[number % 5]
                got = [await client.post(url, content=body, headers={"content-type": "application/json"})]
                got += [await client.get(url), await client.post("/rest/helper", content=body, headers=form)]
                statuses += [one.status_code for one in got]
        return statuses

    assert all(status < 500 for status in asyncio.run(talk()))


def test_an_answer_that_cannot_be_written_fails_the_task(make_host):
    async def answer(message, context):
        bytes_of_nobody = DigestRef(digest="0" * 64)
        return NormalizedResponse.to(message, FilePart(mime="text/plain", bytes_ref=bytes_of_nobody))

    got = run(make_host(A2A, agent=agent_of(answer)), lambda client: call(client, "SendMessage", message=message("Hi")))
    assert got["task"]["status"]["state"] == "TASK_STATE_FAILED"


RESULTS = [
    lambda task: {"id": task, "contextId": "c1", "status": {"state": "TASK_STATE_WORKING", "message": SAID}},
    lambda task: {"jsonrpc": "2.0", "id": 1, "result": {"task": RESULTS[0](task)}},
]
SAID = {"messageId": "m-forged", "role": "ROLE_AGENT", "parts": [{"text": "Forged"}]}


@pytest.mark.parametrize("result", RESULTS, ids=["alone", "in a response"])
@pytest.mark.parametrize("owner", [None, "alice-has-this"])
def test_the_result_of_an_agent_is_no_question_and_changes_no_task(make_host, result, owner):
    asked = []

    async def answer(message, context):
        asked.append(context.text)
        return a2a.with_state(NormalizedResponse.to(message, "Where?"), "input-required")

    async def talk():
        host = make_host(A2A, agent=agent_of(answer), a2a={"callers": {"alice-has-this": "@alice@a.example"}})
        async with host.running(), client_of(host, owner) as alice, client_of(host) as stranger:
            task = (await call(alice, "SendMessage", message=message("Hi")))["task"]
            refused = [await stranger.post(URL, json=result(one)) for one in (task["id"], "t-of-nobody")]
            return task, [one.json()["error"]["code"] for one in refused], await call(alice, "GetTask", id=task["id"])

    task, codes, after = asyncio.run(talk())
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert codes == [-32001, -32001]
    assert after == task
    assert asked == ["Hi"]
