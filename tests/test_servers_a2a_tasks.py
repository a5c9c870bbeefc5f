"""The agent of tests/servers/a2a_tasks.py: its tasks over both bindings, others' tasks, pages, restarts, threads."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import threading
from base64 import urlsafe_b64encode
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count, pairwise
from typing import Any

import httpx
import pytest

from mentionable import (
    Answered,
    HttpRequest,
    HttpResponse,
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Rejected,
    Sender,
    StoredTask,
    TextPart,
    a2a,
    replace,
)
from tests.test_examples import EXAMPLES, SERVERS, load

ALICE, EVE = "long-and-random-of-alice", "long-and-random-of-eve"
CALLERS = {ALICE: "@alice@a.example", EVE: "@eve@e.example"}
URL = "http://127.0.0.1:8000"
DIALECTS = ("1.0", "1.0-rest", "0.3", "0.3-rest")
PARTS = ("a2a_endpoint", "safe_fetch", "task_news", "task_store", "task_work")
numbers = count()


class Agent:
    """The module of the example, and a client that calls it without a network."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.posted: list[HttpRequest] = []
        module.TaskWork.__init__.__globals__["safe_fetch"] = self

    async def post(self, request: HttpRequest) -> HttpResponse:
        """In place of `safe_fetch.post`."""
        self.posted.append(request)
        return HttpResponse(status=200)

    async def send(self, request: HttpRequest, token: str = ALICE) -> HttpResponse:
        """What the agent answers."""
        headers = {**dict(request.headers), "authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self.module.app)) as client:
            got = await client.request(request.method, request.url, headers=headers, content=request.body)
        return HttpResponse(status=got.status_code, headers=list(got.headers.items()), body=got.content)

    async def say(self, text: str, *, dialect: Any = "1.0", wait: bool = False, **how: Any) -> dict[str, Any]:
        """Where the answer to a message belongs: `state`, `task_id` and `context_id`."""
        configuration = a2a.SendConfiguration(return_immediately=not wait)
        context = a2a.CallContext(configuration=configuration)
        asked = question(text)
        response = await self.send(
            a2a.call(asked, url=URL, dialect=dialect, entropy=bytes(32), context=context, **how),
        )
        got = a2a.result(response, to=asked)
        assert isinstance(got, Answered), (got, response.body)
        return {**got.response.extra["a2a"], "text": "".join(part.content for part in got.response.parts)}

    async def ask(self, operation: Any, *, dialect: Any = "1.0", token: str = ALICE) -> Any:
        """What answers an operation."""
        request = a2a.call_operation(operation, url=URL, dialect=dialect, entropy=bytes(32))
        got = a2a.operation_result(await self.send(request, token), operation=operation, request=request)
        return got if isinstance(got, Rejected) else got.value

    async def ended(self, task_id: str) -> StoredTask:
        """The task when the agent does not work on it any more."""
        if self.module.tasks.is_at_work(task_id):
            await asyncio.wait([self.module.tasks._running[task_id]])
        task: StoredTask = self.module.store.task(task_id)
        return task

    async def pushed(self) -> None:
        """Returns when the webhooks know all that became of the tasks."""
        if self.module.tasks._pushing:
            await asyncio.wait(self.module.tasks._pushing)


def question(text: str) -> NormalizedMessage:
    return NormalizedMessage(
        id=f"q{next(numbers)}",
        thread_id="q",
        sender=Sender(address="@alice@a.example"),
        recipient="@baker@agents.example",
        parts=(TextPart(content=text, mime="text/plain"),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="connector",
        received_at="2026-11-21T00:00:00Z",
        raw=None,
    )


@pytest.fixture
def restarted(monkeypatch, tmp_path):
    """Starts the agent, again and again, on the same file."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.syspath_prepend(str(SERVERS))
    monkeypatch.setenv("AGENT_TASKS", str(tmp_path / "tasks.db"))
    monkeypatch.setenv("AGENT_CALLERS", json.dumps(CALLERS))
    monkeypatch.setenv("AGENT_PACE", "0.02")
    yield lambda: Agent(load("a2a_tasks"))
    for name in PARTS:
        sys.modules.pop(name, None)


@pytest.fixture
def agent(restarted):
    return restarted()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_task_is_asked_for_and_canceled_in_every_version_and_binding(agent, dialect):
    async def talk():
        place = await agent.say("Bake bread", dialect=dialect)
        assert place["state"] in ("submitted", "working")
        shown = await agent.ask(a2a.GetTask(task_id=place["task_id"]), dialect=dialect)
        assert (shown.id, shown.context_id) == (place["task_id"], place["context_id"])
        assert [turn["parts"][0]["text"] for turn in shown.history] == ["Bake bread"]
        canceled = await agent.ask(a2a.CancelTask(task_id=shown.id), dialect=dialect)
        assert canceled.state == "canceled"
        assert (await agent.ended(shown.id)).state == "canceled"
        again = await agent.ask(a2a.GetTask(task_id="none"), dialect=dialect)
        assert again.code == "peer-task-not-found"

    asyncio.run(talk())


def test_who_waits_gets_the_whole_answer_and_who_is_asked_answers(agent):
    async def talk():
        baked = await agent.say("Bake bread", wait=True)
        assert (baked["state"], baked["text"].endswith("Here is your bread.")) == ("completed", True)
        asked = await agent.say("I order bread", wait=True)
        assert (asked["state"], asked["text"]) == ("input-required", "Which day shall it be?")
        place = {"task_id": asked["task_id"], "context_id": asked["context_id"]}
        answered = await agent.say("Friday", wait=True, **place)
        assert (answered["state"], answered["task_id"]) == ("completed", asked["task_id"])
        late = a2a.call(question("And rolls"), url=URL, entropy=bytes(32), **place)
        assert json.loads((await agent.send(late)).body)["error"]["code"] == -32004

    asyncio.run(talk())


def texts_in(entries):
    """The words of messages or artifacts."""
    return [part["text"] for entry in entries for part in entry["parts"]]


def test_what_the_agent_asks_back_is_in_the_status_and_then_in_the_history_over_four_turns(agent):
    async def talk():
        place = {}
        for text in ("I order bread", "I order rye", "What do I order?"):
            asked = await agent.say(text, wait=True, **place)
            assert (asked["state"], asked["text"]) == ("input-required", "Which day shall it be?")
            place = {"task_id": asked["task_id"], "context_id": asked["context_id"]}
            assert agent.module.store.task(asked["task_id"]).artifacts == ()
        answered = await agent.say("Friday", wait=True, **place)
        assert (answered["state"], answered["text"]) == ("completed", "Your bread will be ready friday.")
        task = agent.module.store.task(answered["task_id"])
        ask = "Which day shall it be?"
        assert texts_in(task.history) == ["I order bread", ask, "I order rye", ask, "What do I order?", ask, "Friday"]
        assert (task.artifacts, texts_in([task.message])) == ((), ["Your bread will be ready friday."])

    asyncio.run(talk())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_question_after_pieces_of_work_ends_them_and_is_asked_in_the_status(agent, dialect):
    async def asks_late(message):
        yield "Kneading. ", "working"
        yield "Which oven?", "input-required"

    async def talk():
        agent.module.tasks._agent = asks_late
        asked = question("Bake bread")
        request = a2a.call(asked, url=URL, dialect=dialect, stream=True, entropy=bytes(32))
        stream = a2a.ResultStream(to=asked, request=request)
        stream.feed((await agent.send(request)).body)
        got = stream.close()
        assert isinstance(got, Answered), got
        assert (got.response.extra["a2a"]["state"], got.diagnostics) == ("input-required", ())
        task = agent.module.store.task(got.response.extra["a2a"]["task_id"])
        assert (texts_in(task.artifacts), texts_in([task.message])) == (["Kneading. "], ["Which oven?"])
        assert {part.content for part in got.response.parts} == {"Kneading. ", "Which oven?"}

    asyncio.run(talk())


def test_a_client_that_reads_slowly_gets_the_answer_all_the_same(agent):
    async def talk():
        module = agent.module
        asked = a2a.call(question("I order bread"), url=URL, stream=True, entropy=bytes(32))
        request = HttpRequest(
            method="POST", url=URL, body=asked.body, headers={**dict(asked.headers), "authorization": f"Bearer {ALICE}"}
        )
        pieces = module.respond(request)
        first = await anext(pieces)
        assert b"TASK_STATE_SUBMITTED" in first.body
        [task_id] = module.tasks._running
        await module.tasks._running[task_id]  # the agent ends while the client still takes the first piece
        rest = b"".join([piece.body async for piece in pieces])
        assert b"Which day shall it be?" in rest

    asyncio.run(talk())


def test_what_comes_while_the_agent_works_is_taken_in(agent):
    async def talk():
        place = await agent.say("Bake bread")
        more = await agent.say("With nuts", task_id=place["task_id"])
        assert (more["task_id"], more["state"]) == (place["task_id"], "working")
        task = await agent.ended(place["task_id"])
        words = [turn["parts"][0]["text"] for turn in task.history if turn["role"] == "ROLE_USER"]
        assert (words, task.state) == (["Bake bread", "With nuts"], "completed")

    asyncio.run(talk())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_stream_begins_with_the_task_and_others_may_follow_it(agent, dialect):
    async def talk():
        asked = question("Bake bread")
        request = a2a.call(asked, url=URL, dialect=dialect, stream=True, entropy=bytes(32))
        asking = asyncio.create_task(agent.send(request))
        while not agent.module.store.working():
            await asyncio.sleep(0)
        [task_id] = agent.module.store.working()
        follow = a2a.call_operation(a2a.SubscribeToTask(task_id=task_id), url=URL, dialect=dialect, entropy=bytes(32))
        told, followed = await asyncio.gather(asking, agent.send(follow))
        for response in (told, followed):
            stream = a2a.ResultStream(to=asked)
            stream.feed(response.body)
            got = stream.close()
            assert isinstance(got, Answered), got
            assert got.response.extra["a2a"]["state"] == "completed"
            assert "".join(part.content for part in got.response.parts).endswith("Here is your bread.")
        refused = await agent.send(follow)
        assert b"data:" not in refused.body or b"-32004" in refused.body

    asyncio.run(talk())


def test_a_question_that_comes_again_does_not_begin_a_second_task(agent):
    async def talk():
        asked = question("Bake bread")
        request = a2a.call(asked, url=URL, entropy=bytes(32))
        first, second = await agent.send(request), await agent.send(request)
        assert json.loads(first.body)["result"]["task"]["id"] == json.loads(second.body)["result"]["task"]["id"]
        page = await agent.ask(a2a.ListTasks())
        assert page.total_size == 1

    asyncio.run(talk())


def test_other_peoples_tasks_are_not_there(agent):
    async def talk():
        place = await agent.say("Bake bread")
        for of_task in (
            lambda task_id: a2a.GetTask(task_id=task_id),
            lambda task_id: a2a.CancelTask(task_id=task_id),
            lambda task_id: a2a.SubscribeToTask(task_id=task_id),
            lambda task_id: a2a.ListTaskPushNotificationConfigs(task_id=task_id),
            lambda task_id: a2a.DeleteTaskPushNotificationConfig(task_id=task_id, config_id="default"),
        ):
            theirs, none = [
                await agent.send(a2a.call_operation(of_task(one), url=URL, entropy=bytes(32)), EVE)
                for one in (place["task_id"], "0" * len(place["task_id"]))
            ]
            assert (theirs.status, error_in(theirs)) == (none.status, error_in(none))
            assert error_in(theirs)["code"] == -32001
        assert (await agent.ask(a2a.ListTasks(), token=EVE)).tasks == ()
        assert (await agent.ended(place["task_id"])).state == "completed"
        stranger = await agent.send(a2a.call_operation(a2a.GetTask(task_id="t"), url=URL, entropy=bytes(32)), "guessed")
        assert (stranger.status, bool(stranger.header("www-authenticate"))) == (401, True)

    asyncio.run(talk())


def error_in(response):
    text = response.body.decode()
    return json.loads(text.partition("data: ")[2] or text)["error"]


def test_pages_have_every_task_once_the_newest_first(agent):
    async def talk():
        ids = [(await agent.say(f"Bread {number} for today"))["task_id"] for number in range(5)]
        for task_id in ids:
            await agent.ended(task_id)
        listed, token = [], None
        while token != "":
            page = await agent.ask(a2a.ListTasks(page_size=2, page_token=token))
            assert page.total_size == 5
            listed += [task.id for task in page.tasks]
            token = page.next_page_token
        assert sorted(listed) == sorted(ids)
        assert [task.updated_at for task in (await agent.ask(a2a.ListTasks())).tasks] == sorted(
            [agent.module.store.task(one).updated_at for one in ids], reverse=True
        )

    asyncio.run(talk())


MADE_UP = [[2**70, "t"], [1, 2], [1], {"a": 1}, ["1", "t"], [1, "\ud800"], 7]


@pytest.mark.parametrize(
    "token", ["x", "%", "ä", *[urlsafe_b64encode(json.dumps(one).encode()).decode() for one in MADE_UP]]
)
def test_a_page_token_that_was_made_up_is_refused(agent, token):
    body = {"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": {"pageToken": token}}
    response = asyncio.run(agent.send(HttpRequest(method="POST", url=URL, body=json.dumps(body).encode())))
    assert json.loads(response.body)["error"]["code"] == -32602


def test_tasks_outlive_the_program_and_what_was_at_work_has_failed(restarted):
    first = restarted()
    done = asyncio.run(first.say("Bread for today", wait=True))
    cut = asyncio.run(first.say("Bake bread"))
    second, events = restarted(), []

    async def starts():
        async def send(event):
            events.append(event["type"])

        said = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def receive():
            return next(said)

        await second.module.app({"type": "lifespan"}, receive, send)
        assert (await second.ask(a2a.GetTask(task_id=done["task_id"]))).state == "completed"
        assert (await second.ask(a2a.GetTask(task_id=cut["task_id"]))).state == "failed"

    asyncio.run(starts())
    assert events == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


class Contended(sqlite3.Connection):
    """A connection to a file that another process changes to a write-ahead log at this moment."""

    def execute(self, statement, *arguments):
        if statement.startswith("PRAGMA"):
            raise sqlite3.OperationalError("database is locked")
        return super().execute(statement, *arguments)


def test_a_new_file_is_opened_by_two_processes_at_once(agent, monkeypatch, tmp_path):
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Contended))
    assert type(agent.module.store)(str(tmp_path / "other.db")).task("t1") is None


def test_of_two_that_begin_a_task_at_once_one_stores_it(agent):
    store, ids = agent.module.store, {"id": "t1", "context_id": "c1", "updated_at": "2026-11-21T00:00:00Z"}
    assert store.put(StoredTask(**ids, state="working"))
    assert not store.put(StoredTask(**ids, state="submitted"))
    assert store.task("t1").state == "working"


def test_a_second_process_does_not_start_on_the_same_tasks(restarted):
    async def start(agent):
        said, events = iter(["startup"]), []

        async def send(event):
            events.append(event)

        async def receive():
            try:
                return {"type": f"lifespan.{next(said)}"}
            except StopIteration:
                await asyncio.Event().wait()

        running = asyncio.create_task(agent.module.app({"type": "lifespan"}, receive, send))
        while not events:
            await asyncio.sleep(0)
        return running, events[0]

    async def talk():
        agent = restarted()
        first, begun = await start(agent)
        assert begun["type"] == "lifespan.startup.complete"
        place = await agent.say("Bake bread")
        second, refused = await start(restarted())
        assert (refused["type"], refused["message"]) == (
            "lifespan.startup.failed",
            "another process works on these tasks",
        )
        assert (await agent.ended(place["task_id"])).state == "completed"
        await second
        first.cancel()

    asyncio.run(talk())


def test_no_change_of_a_task_is_lost_between_threads(agent):
    store = agent.module.store
    ids = {"id": "t1", "context_id": "c1", "updated_at": "2026-11-21T00:00:00Z"}
    store.put(StoredTask(**ids, state="working", metadata={"count": 0}))

    def add(task):
        return replace(task, metadata={"count": task.metadata["count"] + 1}), None

    threads = [threading.Thread(target=lambda: [store.change("t1", add) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.task("t1").metadata == {"count": 200}


def test_webhooks_are_stored_listed_and_told_of_each_change(agent):
    async def talk():
        place = await agent.say("Bake bread")
        task_id = place["task_id"]
        hook = a2a.PushNotificationConfig(url="https://client.example/hook", task_id=task_id, token="t")
        made = await agent.ask(a2a.CreateTaskPushNotificationConfig(config=hook))
        assert (made.id, made.url) == ("default", hook.url)
        assert (await agent.ask(a2a.ListTaskPushNotificationConfigs(task_id=task_id))).configs == (made,)
        for number in range(12):
            config = replace(hook, id=f"h{number}")
            last = await agent.ask(a2a.CreateTaskPushNotificationConfig(config=config))
        assert isinstance(last, Rejected)
        for number in range(12):
            await agent.ask(a2a.DeleteTaskPushNotificationConfig(task_id=task_id, config_id=f"h{number}"))
        wanted = a2a.GetTaskPushNotificationConfig(task_id=task_id, config_id="default")
        assert await agent.ask(wanted) == made
        await agent.ended(task_id)
        await agent.pushed()
        last_told = json.loads(agent.posted[-1].body)
        assert last_told["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
        assert agent.posted[-1].header("x-a2a-notification-token") == "t"

    asyncio.run(talk())


def test_a_client_of_v03_is_told_in_v03(agent):
    async def talk():
        params = {
            "message": {
                "kind": "message",
                "messageId": "m1",
                "role": "user",
                "parts": [{"kind": "text", "text": "Bake"}],
            }
        }
        params["configuration"] = {"blocking": False, "pushNotificationConfig": {"url": "https://client.example/hook"}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": params}).encode()
        task = json.loads((await agent.send(HttpRequest(method="POST", url=URL, body=body))).body)["result"]
        await agent.ended(task["id"])
        await agent.pushed()
        assert json.loads(agent.posted[-1].body)["status"]["state"] == "completed"

    asyncio.run(talk())


def test_a_webhook_that_comes_with_a_message_and_is_refused_is_told_in_the_log(agent, capsys):
    async def talk():
        push = {"url": "http://10.0.0.1/hook\x1b"}
        message = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "For today"}]}
        params = {"message": message, "configuration": {"taskPushNotificationConfig": push}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params}).encode()
        response = await agent.send(HttpRequest(method="POST", url=URL, body=body))
        return json.loads(response.body)["result"]["task"]["id"]

    task_id = asyncio.run(talk())
    [line] = capsys.readouterr().out.splitlines()
    assert line == f"{task_id}: url-refused at /configuration/taskPushNotificationConfig/url"


def test_a_webhook_too_many_that_comes_with_a_message_is_told_in_the_log(agent, capsys):
    async def talk():
        place = {}
        for number in range(12):
            config = a2a.PushNotificationConfig(url="https://client.example/hook", id=f"h{number}")
            asked = question("I order bread")
            context = a2a.CallContext(configuration=a2a.SendConfiguration(push=config))
            request = a2a.call(asked, url=URL, dialect="1.0", entropy=bytes(32), context=context, **place)
            got = a2a.result(await agent.send(request), to=asked)
            place = {name: got.response.extra["a2a"][name] for name in ("task_id", "context_id")}
        return place["task_id"]

    task_id = asyncio.run(talk())
    assert capsys.readouterr().out == f"{task_id}: it has too many webhooks\n" * 2


def test_webhooks_on_this_machine_are_for_trying_out(restarted, monkeypatch):
    told = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self):
            told.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            pass

    async def talk(agent, url):
        push = {"url": url, "token": "t"}
        params = {"message": {"messageId": f"m{next(numbers)}", "role": "ROLE_USER", "parts": [{"text": "For today"}]}}
        params["configuration"] = {"taskPushNotificationConfig": push}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params}).encode()
        response = await agent.send(HttpRequest(method="POST", url=URL, body=body))
        await agent.pushed()
        return agent.module.store.webhooks(json.loads(response.body)["result"]["task"]["id"])

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://localhost:{server.server_port}/hook"
        try:
            assert asyncio.run(talk(restarted(), url)) == []
            monkeypatch.setenv("AGENT_LOCAL_WEBHOOKS", "1")
            assert [config.url for config, _ in asyncio.run(talk(restarted(), url))] == [url]
        finally:
            server.shutdown()
            thread.join()
    assert told[-1]["task"]["status"]["state"] == "TASK_STATE_COMPLETED"


def test_an_agent_that_breaks_fails_its_task(agent, capsys):
    async def breaks(message):
        yield "One. ", "working"
        raise ValueError("broken")

    agent.module.tasks._agent = breaks
    place = asyncio.run(agent.say("Bake bread", wait=True))
    assert (place["state"], "broken" in capsys.readouterr().out) == ("failed", True)


@pytest.mark.parametrize(("bound", "others"), [("LISTENERS", "peer-busy"), ("OF_ONE", "peer-task-not-found")])
def test_so_many_may_listen_and_no_more(agent, monkeypatch, bound, others):
    async def listen():
        task_id = (await agent.say("I order bread", wait=True))["task_id"]
        monkeypatch.setitem(vars(sys.modules["task_news"]), bound, 1)
        with agent.module.tasks.news.listen(task_id, CALLERS[ALICE]):
            for dialect in DIALECTS:
                request = a2a.call_operation(
                    a2a.SubscribeToTask(task_id=task_id), url=URL, dialect=dialect, entropy=bytes(32)
                )
                for asked in (request, a2a.call(question("Bake bread"), url=URL, dialect=dialect, entropy=bytes(32))):
                    refused = await agent.send(asked)
                    assert refused.status == (429 if dialect.endswith("rest") else 200)
                    assert a2a.result(refused, to=question("")).code == "peer-busy"
            assert isinstance(await agent.ask(a2a.GetTask(task_id=task_id)), StoredTask)
            refused = await agent.send(request, EVE)
            assert a2a.result(refused, to=question("")).code == others
        assert not agent.module.tasks.news.is_full(CALLERS[ALICE])

    asyncio.run(listen())


def test_who_falls_behind_is_told_no_more(agent):
    async def listen():
        news = agent.module.tasks.news
        with news.listen("t", CALLERS[ALICE]) as updates:
            for number in range(150):
                news.tell("t", {"n": number})
            assert len([one async for one in updates]) < 150
        assert news._queues == {}

    asyncio.run(listen())


def test_the_card_is_where_clients_look_for_it(agent):
    for path in ("/", "/.well-known/agent-card.json"):
        card = json.loads(asyncio.run(agent.send(HttpRequest(method="GET", url=URL + path))).body)
        assert card["capabilities"] == {"streaming": True, "pushNotifications": True, "extendedAgentCard": True}
    extended = asyncio.run(agent.ask(a2a.GetExtendedAgentCard()))
    assert extended.name == "Baker"


class Way(httpx.AsyncBaseTransport):
    """The way from examples/call_agent.py to the agent: which versions it lets through, and where it breaks."""

    def __init__(self, agent: Agent, *, speaks: str = "", breaks: bool = False, endless: str = "") -> None:
        self.inner, self.speaks, self.breaks = httpx.ASGITransport(app=agent.module.app), speaks, breaks
        self.endless = endless
        self.methods: list[str] = []

    async def handle_async_request(self, request):
        body = json.loads(await request.aread() or b"{}")
        self.methods.append(body.get("method", request.url.path))
        version = request.headers.get("a2a-version", "0.3")
        if request.method == "POST" and not version.startswith(self.speaks):
            error = {"code": -32009, "message": "Version not supported"}
            return unread({"jsonrpc": "2.0", "id": body.get("id"), "error": error})
        response = await self.inner.handle_async_request(request)
        if self.endless:
            return httpx.Response(200, headers={"content-type": self.endless}, stream=Endless(response.stream))
        if self.breaks and "text/event-stream" in response.headers.get("content-type", ""):
            return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=First(response.stream))
        return response


def unread(document):
    """A response whose body nobody has read yet."""
    return httpx.Response(200, stream=httpx.ByteStream(json.dumps(document).encode()))


class First(httpx.AsyncByteStream):
    """A stream that breaks after its first event."""

    def __init__(self, stream) -> None:
        self.stream = stream

    async def __aiter__(self):
        whole = b"".join([chunk async for chunk in self.stream])
        yield whole.partition(b"\n\n")[0] + b"\n\n"
        raise httpx.ReadError("the connection broke")


class Endless(httpx.AsyncByteStream):
    """A stream that goes on when there is nothing more to say."""

    def __init__(self, stream) -> None:
        self.stream = stream

    async def __aiter__(self):
        async for chunk in self.stream:
            yield chunk
        for _ in range(40):
            yield b": still here\n\n" + b" " * 1_000_000
        raise AssertionError("nobody needs to read that far")


@pytest.fixture
def caller(monkeypatch):
    """The module of examples/call_agent.py, as Alice."""
    monkeypatch.setenv("AGENT_TOKEN", ALICE)
    module = load("call_agent")
    monkeypatch.setattr(module, "PAUSE", 0)
    return module


def talked(caller, agent, texts, **how):
    """What the client gets for each text, and what it sent."""

    async def talk():
        way = Way(agent, **how)
        async with httpx.AsyncClient(transport=way) as client:
            conversation = caller.Conversation(client, caller.ways_of(agent.module.card(), URL))
            return [await conversation.say(text) for text in texts], way.methods

    return asyncio.run(talk())


def words_of(answer):
    return "".join(part.content for part in answer.response.parts)


def test_a_client_talks_in_one_conversation_and_goes_on_with_what_is_asked(caller, agent, capsys):
    answers, methods = talked(caller, agent, caller.TURNS)
    places = [answer.response.extra["a2a"] for answer in answers]
    assert len({place["context_id"] for place in places}) == 1
    for asked, after in pairwise(places):
        assert (asked["task_id"] == after["task_id"]) == (asked["state"] == "input-required")
    assert [place["state"] for place in places][:3] == ["input-required", "completed", "completed"]
    assert words_of(answers[-1]).endswith("Here is your bread.")
    assert "  … Kneading the dough." in capsys.readouterr().out
    assert set(methods) == {"SendStreamingMessage"}


def test_a_client_whose_version_is_not_known_asks_in_the_next_one_and_stays_there(caller, agent):
    answers, methods = talked(caller, agent, ["For today", "For monday"], speaks="0.3")
    assert [words_of(answer) for answer in answers] == [
        f"Your bread will be ready {day}." for day in ("today", "monday")
    ]
    assert methods == ["SendStreamingMessage", "/message:stream", "message/stream", "message/stream"]


def test_a_client_that_no_version_is_left_for_gives_up(caller, agent):
    [answer], methods = talked(caller, agent, ["For today"], speaks="2")
    assert (answer.code, len(methods)) == ("peer-version-unsupported", 4)


def test_a_client_whose_stream_breaks_asks_for_the_task(caller, agent, capsys):
    [answer], methods = talked(caller, agent, ["Bake bread"], breaks=True)
    assert answer.response.status == "ok"
    assert words_of(answer).endswith("Here is your bread.")
    assert (methods[0], {*methods[1:]}) == ("SendStreamingMessage", {"GetTask"})
    assert "broke off" in capsys.readouterr().out


def test_a_client_leaves_a_stream_after_its_last_event(caller, agent):
    [answer], methods = talked(caller, agent, ["For today"], endless="text/event-stream")
    assert (words_of(answer), methods) == ("Your bread will be ready today.", ["SendStreamingMessage"])


def test_a_client_reads_no_endless_answer(caller, agent):
    [answer], _ = talked(caller, agent, ["For today"], endless="application/json")
    assert answer.code == "too-large"


def test_a_client_says_in_a_line_why_it_does_not_talk(caller, tmp_path):
    words = [sys.executable, str(EXAMPLES / "call_agent.py"), "http://127.0.0.1:1"]
    where = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run(words, env=where, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("ConnectError: ")


def test_a_client_prints_its_turns_and_ends_where_it_is_refused(caller, agent, monkeypatch, capsys):
    made, way = httpx.AsyncClient, Way(agent)
    monkeypatch.setattr(caller.httpx, "AsyncClient", lambda **how: made(transport=way))
    assert asyncio.run(caller.main(URL)) == 0
    assert "Friday: Your bread will be ready friday. [completed]" in capsys.readouterr().out
    monkeypatch.setattr(caller, "CONTEXT", a2a.CallContext(token="guessed"))
    assert asyncio.run(caller.main(URL)) == 1
    assert capsys.readouterr().out.startswith("I order bread: peer-unauthorized")


def stranger(caller, monkeypatch, *, card_url="https://a.example/a2a", task_id="t", text="", card=None):
    """The client, for an agent with this URL on its card, whose tasks have this id and say this."""
    asked = []
    way = {"url": card_url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
    modes = {"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "capabilities": {}}
    skill = {"id": "a", "name": "a", "description": "d", "tags": ["t"]}
    usual = {"name": "x", "description": "d", "version": "1", "supportedInterfaces": [way], "skills": [skill], **modes}
    message = {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": text}]}
    status = {"state": "TASK_STATE_COMPLETED" if text else "TASK_STATE_WORKING", "message": message}

    def handle(request):
        asked.append(str(request.url))
        if request.url.path.endswith("agent-card.json"):
            return httpx.Response(200, stream=card) if card else unread(usual)
        return unread({"task": {"id": task_id, "contextId": "c", "status": status}})

    made, transport = httpx.AsyncClient, httpx.MockTransport(handle)
    monkeypatch.setattr(caller.httpx, "AsyncClient", lambda **_: made(transport=transport))
    return asked


@pytest.mark.parametrize(
    ("agent_url", "card_url", "task_id", "words"),
    [
        ("http://127.0.0.1:8000", "https://a.example/a2a", "..", "an id of dots alone"),
        ("http://127.0.0.1:8000", "https://a.example/a2a", ".", "an id of dots alone"),
        ("http://127.0.0.1:8000", "javascript:alert(1)", "t", "names no URL"),
        ("http://127.0.0.1:8000", "https://[::1", "t", "names no URL"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:99999/", "t", "url must be"),
        ("http://127.0.0.1:8000", "http://10.0.0.1/", "t", "names no URL"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000@evil.example/", "t", "names no URL"),
        ("https://a.example", "http://127.0.0.1:8000/", "t", "names no URL"),
        ("http://10.0.0.1", "http://10.0.0.10/", "t", "names no URL"),
        ("http://[::1", "https://a.example/a2a", "t", "Invalid"),
    ],
)
def test_no_other_agent_ends_the_client_with_more_than_a_line(caller, monkeypatch, agent_url, card_url, task_id, words):
    stranger(caller, monkeypatch, card_url=card_url, task_id=task_id)
    ended = caller.run(agent_url)
    assert isinstance(ended, str)
    assert words in ended
    assert "\n" not in ended


def test_an_agent_in_a_network_of_your_own_is_called_where_its_card_is(caller, monkeypatch):
    asked = stranger(caller, monkeypatch, card_url="http://10.0.0.1:8000/a2a", text="Rain")
    monkeypatch.setattr(caller, "CONTEXT", a2a.CallContext())
    assert caller.run("http://10.0.0.1:8000") == 0
    assert asked[1] == "http://10.0.0.1:8000/a2a/message:stream"


def test_a_token_is_for_no_url_on_this_machine_that_a_card_elsewhere_names(caller, monkeypatch):
    asked = stranger(caller, monkeypatch, card_url="http://127.0.0.1:8000/")
    assert isinstance(caller.run("https://a.example"), str)
    assert asked == ["https://a.example/.well-known/agent-card.json"]


def test_what_another_agent_says_is_printed_without_what_a_terminal_obeys(caller, monkeypatch, capsys):
    stranger(caller, monkeypatch, text="\x1b[2JRain\u202e\nFriday: yes [completed]\x9b")
    assert caller.run("https://a.example") == 0
    first, second, *_ = capsys.readouterr().out.split("\n")
    assert first == r"I order bread: \x1b[2JRain\u202e"
    assert second == r"    Friday: yes [completed]\x9b [completed]"


def test_a_fault_of_another_agent_is_printed_in_a_line(caller, monkeypatch, capsys):
    async def fails(url):
        raise caller.m.WireError("malformed", [caller.m.Problem("", "a\nb\x1b")])

    monkeypatch.setattr(caller, "main", fails)
    assert caller.run("https://a.example") == r"WireError: malformed; a b\x1b"


def test_no_endless_card_is_read(caller, monkeypatch):
    stranger(caller, monkeypatch, card=Endless(httpx.ByteStream(b"{")))
    assert caller.run("https://a.example").startswith("LimitError: too-large")


def test_whoever_has_large_tasks_can_list_them_all_by_going_on(agent):
    async def talk():
        made = [(await agent.say("order " + "x" * 5_000_000, wait=True))["task_id"] for _ in range(4)]
        page = await agent.ask(a2a.ListTasks())
        assert isinstance(page, a2a.TaskPage), page
        listed, total = [task.id for task in page.tasks], page.total_size
        while page.next_page_token:
            page = await agent.ask(a2a.ListTasks(page_token=page.next_page_token))
            listed += [task.id for task in page.tasks]
        assert (listed, total) == (made[::-1], 4)

    asyncio.run(talk())
