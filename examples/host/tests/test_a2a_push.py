import asyncio
import json
from datetime import timedelta

import pytest
from a2a_calls import call, client_of, message
from mentionable import Failed, HttpResponse, a2a
from sqlalchemy import select

from mentionable_host import Agent
from mentionable_host.queue.outcome import Dead, Done, Retry
from mentionable_host.store import blocks
from mentionable_host.store.tables import jobs, webhooks
from mentionable_host.transports.a2a import A2A, push

HOOK = "https://client.example/hook"


async def until(condition, seconds=30):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def states(world):
    return [json.loads(request.body)["task"]["status"]["state"] for request in world.sent]


def ask(host, world, *, config, until_state="TASK_STATE_COMPLETED"):
    async def talk():
        async with host.running(), client_of(host) as client:
            configuration = {"taskPushNotificationConfig": config}
            got = await call(client, "SendMessage", message=message("Hi"), configuration=configuration)
            await until(lambda: until_state in states(world))
            return got["task"]

    return asyncio.run(talk())


def test_a_webhook_is_told_what_becomes_of_its_task(make_host, world):
    task = ask(make_host(A2A), world, config={"url": HOOK, "token": "theirs"})

    last = world.sent[-1]
    assert json.loads(last.body)["task"]["id"] == task["id"]
    assert last.header("x-a2a-notification-token") == "theirs"


def test_what_has_no_credentials_is_signed(make_host, world):
    ask(make_host(A2A), world, config={"url": HOOK})

    assert world.sent[-1].header("authorization").startswith("Bearer ey")


def test_updates_come_in_order_and_the_newest_comes_once(make_host, world):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        for piece in "abcdefgh":
            yield piece

    ask(make_host(A2A, agent=agent), world, config={"url": HOOK})
    artifacts = [json.loads(request.body)["task"].get("artifacts", []) for request in world.sent]
    texts = ["".join(part["text"] for one in some for part in one["parts"]) for some in artifacts]
    assert texts == sorted(texts)
    assert texts[-1] == "abcdefgh"
    assert states(world).count("TASK_STATE_COMPLETED") == 1


def test_a_webhook_inside_is_refused_and_the_message_answered(make_host, world):
    async def talk():
        host = make_host(A2A)
        async with host.running(), client_of(host) as client:
            configuration = {"taskPushNotificationConfig": {"url": "http://127.0.0.1/hook"}}
            return await call(client, "SendMessage", message=message("Hi"), configuration=configuration)

    assert asyncio.run(talk())["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
    assert world.sent == []


def test_webhooks_are_made_shown_and_dropped(make_host):
    async def talk():
        host = make_host(A2A)
        async with host.running(), client_of(host) as client:
            task_id = (await call(client, "SendMessage", message=message("Hi")))["task"]["id"]
            made = [
                await call(client, "CreateTaskPushNotificationConfig", taskId=task_id, id=name, url=HOOK)
                for name in ("a", "b", "c", "d")
            ]
            shown = await call(client, "GetTaskPushNotificationConfig", taskId=task_id, id="a")
            await call(client, "DeleteTaskPushNotificationConfig", taskId=task_id, id="a")
            left = await call(client, "ListTaskPushNotificationConfigs", taskId=task_id)
            return made, shown, left

    made, shown, left = asyncio.run(talk())
    assert made[3]["code"] == -32004  # more than anybody's task may have
    assert shown["url"] == HOOK
    assert [one["id"] for one in left["configs"]] == ["b", "c"]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (HttpResponse(status=204), Done),
        (HttpResponse(status=302), Dead),
        (HttpResponse(status=410), Dead),
        (HttpResponse(status=500), Retry),
        (HttpResponse(status=429, headers={"retry-after": "60"}), Retry),
        (HttpResponse(status=503, headers={"retry-after": "Fri, 27 Nov 2026 12:01:00 GMT"}), Retry),
        (HttpResponse(status=503, headers={"retry-after": "soon"}), Retry),
        (Failed("nobody is there"), Retry),
        (Failed("its address is not public", temporary=False), Dead),
    ],
)
def test_what_a_webhook_answers_decides(answer, outcome, world):
    found = push._outcome(answer, now=world.now())

    assert isinstance(found, outcome)
    if "60" in str(answer) or "Fri" in str(answer):
        assert found.after == timedelta(seconds=60)


def test_a_webhook_that_was_away_gets_the_newest_state(make_host, world):
    answers = iter([HttpResponse(status=503)])
    world.responses = lambda _: next(answers, HttpResponse(status=200))

    async def talk():
        host = make_host(A2A)
        async with host.running(), client_of(host) as client:
            configuration = {"taskPushNotificationConfig": {"url": HOOK}}
            await call(client, "SendMessage", message=message("Hi"), configuration=configuration)
            await until(lambda: len(world.sent) == 1)
            world.advance(seconds=60)
            host.wake()
            await until(lambda: len(world.sent) == 2)

    asyncio.run(talk())
    assert states(world)[-1] == "TASK_STATE_COMPLETED"


@pytest.mark.parametrize("how", ["blocked", "dropped", "broken"])
def test_a_webhook_whose_notification_is_not_sent_gets_the_next_one(how, make_host, world, monkeypatch):
    alice = "@alice@a.example"
    host = make_host(A2A, a2a={"callers": {"alice-has-this": alice}})
    world.responses = lambda _: HttpResponse(status=503)

    def waiting(db):
        is_push = jobs.c.kind.like("a2a.push") & (jobs.c.state == "waiting") & (jobs.c.tries > 0)
        return db.execute(select(jobs.c.number).where(is_push)).scalar()

    def is_pending(db):
        return db.execute(select(webhooks.c.is_pending)).scalar()

    def broken(*_, **__):
        raise RuntimeError("a fault")

    async def talk():
        async with host.running(), client_of(host, "alice-has-this") as client, asyncio.timeout(30):
            configuration = {"taskPushNotificationConfig": {"url": HOOK}}
            await call(client, "SendMessage", message=message("Hi"), configuration=configuration)
            while not (number := await host.database.read(waiting)):
                await asyncio.sleep(0.01)
            sent = len(world.sent)
            if how == "blocked":
                await host.database.write(lambda db: blocks.add(db, alice, now=world.now()))
            elif how == "dropped":
                await host.attempts.drop(number)
            else:
                monkeypatch.setattr(a2a, "push_notification", broken)
            while await host.database.read(is_pending):
                world.advance(days=1)
                host.wake()
                await asyncio.sleep(0.01)
            return len(world.sent) - sent

    assert asyncio.run(talk()) == 0
