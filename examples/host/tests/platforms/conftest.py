"""Platforms that are made up, and a worker that does every job in order, without waiting."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import pytest
from mentionable import Failed, HttpRequest, HttpResponse
from mentionable.testing import SlackPeer
from sqlalchemy import func, select, update
from starlette.requests import Request

from mentionable_host import Agent, Config
from mentionable_host.keys import Keys
from mentionable_host.store import jobs
from mentionable_host.store import messages as messages_of
from mentionable_host.store.tables import jobs as table
from mentionable_host.store.tables import messages, native_ids
from mentionable_host.transports.slack import Slack

ROUNDS = 200
QUIET = ("users.", "conversations.", "usergroups.", "files.info", "assistant.", "GET ", "POST /channels/500/typing")
STREAM = ("chat.startStream", "chat.appendStream", "chat.stopStream")

NEXT = select(func.min(table.c.due)).where(table.c.state == "waiting")


RELEASE = update(table).where(table.c.state == "held").values(state="waiting")


class Killed(BaseException):
    """The process is gone."""


class Desk:
    """Sends requests to a host, and does its jobs."""

    def __init__(self, host) -> None:  # type: ignore[no-untyped-def]
        self.host = host

    def post(self, *requests: HttpRequest):  # type: ignore[no-untyped-def]
        """What the host answers to requests, in order."""
        return [asyncio.run(self._post(one)) for one in requests]

    async def _post(self, asked: HttpRequest):  # type: ignore[no-untyped-def]
        parts, waiting = urlsplit(asked.url), [{"type": "http.request", "body": asked.body, "more_body": False}]
        [transport] = self.host.transports.values()
        scope = {
            "type": "http",
            "method": asked.method,
            "scheme": "https",
            "path": transport.path,
            "raw_path": transport.path.encode(),
            "query_string": parts.query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in asked.headers],
            "server": (parts.hostname, 443),
        }

        async def receive():  # type: ignore[no-untyped-def]
            return waiting.pop(0)

        return await transport.receive(Request(scope, receive))

    def work(self, only: tuple[str, ...] = ()) -> None:
        """Does all jobs that are due now or later, or those of some kinds; the clock moves to each."""
        asyncio.run(self._work(only))

    def work_until_killed(self, events: SlackEvents) -> None:
        """Does jobs until the agent hangs; then the process is gone."""

        async def main() -> None:
            task = asyncio.create_task(self._work(()))
            while not events.hangs:
                await asyncio.sleep(0.001)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        asyncio.run(main())

    async def _work(self, only: tuple[str, ...]) -> None:
        database, world = self.host.database, self.host.world
        self.host.attempts.chance = self
        for _ in range(ROUNDS):
            now = world.now()
            if only:
                others = table.c.kind.not_in(only) & (table.c.state == "waiting")
                hold = update(table).where(others).values(state="held")
                await database.write(lambda db, hold=hold: db.execute(hold))
            found = await database.write(lambda db, now=now: jobs.lease(db, now=now, until=now, limit=1, running={}))
            for job in found:
                await self.host.attempts.make(job)
            if not found:
                due = await database.read(lambda db: db.execute(NEXT).scalar())
                if due is None:
                    await database.write(lambda db: db.execute(RELEASE))
                    return
                world.time = max(world.time, world.time.fromtimestamp(due, world.time.tzinfo))
        raise AssertionError("there is no end of jobs")

    def uniform(self, low: float, high: float) -> float:
        """No chance."""
        return 1.0

    def restart(self) -> None:
        """What a new process does first: it takes back what the killed one had begun."""
        self.host.world.advance(seconds=61)

    def jobs(self, kind: str = "%"):  # type: ignore[no-untyped-def]
        """Kind, state and error of jobs."""
        query = (
            select(table.c.kind, table.c.state, table.c.error).where(table.c.kind.like(kind)).order_by(table.c.number)
        )
        return self.read(lambda db: [tuple(row) for row in db.execute(query)])

    def dead(self) -> list[str]:
        """Why jobs were given up."""
        return [error for _, state, error in self.jobs() if state == "dead"]

    def read(self, work):  # type: ignore[no-untyped-def]
        """What is stored."""
        return asyncio.run(self.host.database.read(work))

    def take(self, event) -> None:  # type: ignore[no-untyped-def]
        """Takes an event of a gateway."""
        [transport] = self.host.transports.values()
        asyncio.run(transport.take(event))

    def delete(self, native_id: str) -> None:
        """Deletes what is stored under an id, as another process does."""

        def work(db) -> None:  # type: ignore[no-untyped-def]
            row = messages_of.find(db, native_id, self.host.address)
            messages_of.remove(db, [row.id])

        with self.host.database.engine.begin() as db:
            work(db)

    def write(self, work) -> None:  # type: ignore[no-untyped-def]
        """Stores something."""
        asyncio.run(self.host.database.write(work))

    def native_id(self, own: bool = False) -> str:
        """The id of the question, or of the answer, on the platform."""
        rows = self.read(lambda db: db.execute(select(native_ids.c.native_id, native_ids.c.message_id)).fetchall())
        return next(row.native_id for row in rows if row.message_id.startswith("answer-to-") == own)

    def texts(self) -> list[str]:
        """The first text of each question."""
        query = select(messages.c.value).where(messages.c.role == "user")
        rows = self.read(lambda db: db.execute(query).scalars().all())
        return [json.loads(row)["parts"][0]["content"] for row in rows]

    def count(self, table) -> int:  # type: ignore[no-untyped-def]
        """How many rows a table has."""
        return len(self.read(lambda db: db.execute(select(table)).fetchall()))

    def everything(self) -> bytes:
        """All that is stored of jobs."""
        rows = self.read(lambda db: db.execute(select(table.c.key, table.c.payload, table.c.error)).fetchall())
        return b"\n".join(f"{row.key} {row.error} ".encode() + row.payload for row in rows)


class Api:
    """The API of a platform: what it is asked, and what it answers by name of method, or by method and path."""

    def __init__(self, answers: dict[str, object], base: str) -> None:
        self.answers, self.base = answers, base
        self.calls: list[tuple[str, object]] = []
        self.requested: list[str] = []
        self.kill_at: int | None = None
        self.kill_after = False

    def __call__(self, request: HttpRequest) -> HttpResponse | Failed:
        name, number = self.name(request), len(self.requested)
        self.requested.append(name)
        if number == self.kill_at and not self.kill_after:
            raise Killed("killed")
        answer = self.answers.get(name, {"ok": False, "error": "unknown_method"})
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            answer = answer(request)
        if not isinstance(answer, HttpResponse | Failed):
            self.calls.append((name, self.params(request)))
            body = json.dumps(answer).encode()
            answer = HttpResponse(status=200, headers={"content-type": "application/json"}, body=body)
        if number == self.kill_at:
            raise Killed("killed")
        return answer

    def name(self, request: HttpRequest) -> str:
        """What is called."""
        parts = urlsplit(request.url)
        if request.url.startswith("https://slack.com/api/"):
            return parts.path.removeprefix("/api/")
        path = re.sub(r"token-of-the-interaction-\d+", "TOKEN", request.url.removeprefix(self.base).partition("?")[0])
        return f"{request.method} {path}"

    def params(self, request: HttpRequest) -> object:
        """With what."""
        kind = request.header("content-type") or ""
        if kind.startswith("application/json"):
            return json.loads(request.body)
        if kind.startswith("application/x-www-form-urlencoded"):
            return dict(parse_qsl(request.body.decode()))
        return request.body

    def names(self) -> list[str]:
        """What was called, in order, beside what is only asked, or shows that the agent works."""
        return [name for name, _ in self.calls if not name.startswith(QUIET)]


ALICE = SlackPeer()


def posted(request: HttpRequest) -> dict[str, object]:
    """Slack posts a message: its `ts` follows from its text."""
    params = json.loads(request.body)
    number = sum(map(ord, json.dumps(params))) % 1_000_000
    return {"ok": True, "channel": params["channel"], "ts": f"1795780800.{number:06d}"}


@pytest.fixture
def slack_api(world) -> Api:  # type: ignore[no-untyped-def]
    rows = {name.split(" ")[1]: value for name, value in ALICE.lookups.items()}
    posts = dict.fromkeys(
        ("chat.postMessage", "chat.update", "chat.startStream", "chat.appendStream", "chat.stopStream"), posted
    )
    more = {
        "chat.postEphemeral": {"ok": True},
        "chat.delete": {"ok": True},
        "assistant.threads.setStatus": {"ok": True},
    }
    world.responses = Api({**rows, **posts, **more}, "")
    return world.responses


class SlackEvents:
    """What Slack sends beside what `SlackPeer` writes, and agents that answer it."""

    hangs = False

    def event(self, now, **event):
        body = {
            "type": "event_callback",
            "team_id": "T123",
            "api_app_id": "A123",
            "event_id": f"Ev{abs(hash(json.dumps(event, sort_keys=True))) % 10**9}",
            "authorizations": [{"team_id": "T123", "user_id": "UBOT", "is_bot": True}],
            "event": event,
        }
        return ALICE.signed(json.dumps(body).encode(), now=now)

    def agent(self, function):
        agent = Agent()
        agent.on_message(function)
        return agent

    def edited(self, one, now, text, **more):
        ts = one.native_id().rpartition("/")[2]
        message = {"type": "message", "user": "U456", "team": "T123", "ts": ts}
        return self.event(
            now,
            type="message",
            subtype="message_changed",
            channel="C123",
            message={**message, **more, "text": text, "edited": {"user": "U456", "ts": "1795780810.000000"}},
            previous_message={**message, "text": "<@UBOT> will it rain?"},
        )

    def file(self, size):
        facts = {"id": "F1", "name": "report.txt", "mimetype": "text/plain", "size": size, "mode": "hosted"}
        return {**facts, "url_private": "https://files.slack.com/files-pri/canary"}

    def with_file(self, now, size):
        return self.event(
            now,
            type="app_mention",
            user="U456",
            team="T123",
            channel="C123",
            ts="1795780801.000100",
            text="<@UBOT> read this",
            files=[self.file(size)],
        )

    def growing(self, world, seconds=2, fail_at=None):
        """An agent that says a word every two seconds."""

        async def answer(message, context):
            for number, piece in enumerate(("It", " will", " rain.")):
                if number == fail_at:
                    self.hangs = True
                    await asyncio.Event().wait()
                yield piece
                world.advance(seconds=seconds)

        return self.agent(answer)


@pytest.fixture
def slack_events() -> SlackEvents:
    return SlackEvents()


@pytest.fixture
def place(make_host, desk, slack_api, slack_table):  # type: ignore[no-untyped-def]
    return lambda agent=None: desk(make_host(Slack, agent=agent, **slack_table))


@pytest.fixture(autouse=True)
def keys_once(monkeypatch, key_folder):  # type: ignore[no-untyped-def]
    """Keys are read once: to check them takes a tenth of a second."""
    if not _KEYS:
        table = {"agent": {"name": "helper", "domain": "agents.example"}}
        _KEYS.append(Keys.load(Config.parse(table, folder=key_folder)))
    monkeypatch.setattr(Keys, "load", lambda config: _KEYS[0])


_KEYS: list[Keys] = []


@pytest.fixture
def platform_api() -> type[Api]:
    return Api


@pytest.fixture
def desk() -> Callable[..., Desk]:
    return Desk


@pytest.fixture
def alice() -> SlackPeer:
    return ALICE


@pytest.fixture
def slack_table() -> dict[str, object]:
    return {
        "slack": {
            "signing_secret": ALICE.secret.decode(),
            "bot_token": "xoxb-canary-token",
            "app_id": "A123",
        }
    }
