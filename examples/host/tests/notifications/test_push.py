import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from urllib.parse import unquote

import httpx
import jwt
import pytest
from devices import ALICE, BOB
from loopback import free_socket, serving
from mentionable import Failed, HttpResponse, anp, decode
from push_service import ORIGIN, PushService, vapid_of
from sqlalchemy import select
from starlette.applications import Starlette

from mentionable_host import ConfigError
from mentionable_host.notifications.access import notifications_link
from mentionable_host.notifications.service import Notifications
from mentionable_host.store import blocks, pushes
from mentionable_host.store import jobs as stored_jobs
from mentionable_host.store.erase import forget
from mentionable_host.store.notifications import Events
from mentionable_host.store.tables import jobs
from mentionable_host.store.tables import push_subscriptions as table
from mentionable_host.store.tables import pushes as pushed
from mentionable_host.world.internet import Internet

DIRECT = anp.Routing(address="user", target="user", handler="system")
RULES = anp.Rules()


@pytest.fixture
def service(world):
    service = PushService()
    world.responses = service
    return service


@pytest.fixture
def host(make_host):
    return make_host(Notifications)


@asynccontextmanager
async def client_of(host, person=ALICE):
    """A page of the program, with a token of the person."""
    transport = httpx.ASGITransport(app=Starlette(routes=host.routes()))
    headers = {"authorization": f"Bearer {await host.person_token(person)}"}
    async with httpx.AsyncClient(transport=transport, base_url="https://agents.example", headers=headers) as client:
        yield client


def put(host, body, *, person=ALICE):
    async def talk():
        async with client_of(host, person) as client:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            return await client.put("/notifications/push", content=content)

    return asyncio.run(talk())


def subscribed(host, browser, *, person=ALICE, device="d1"):
    assert put(host, {**browser.subscription, "device": device}, person=person).status_code == 204
    return browser


def subscribers(host):
    found = select(table.c.person, table.c.device).order_by(table.c.device)
    return asyncio.run(host.database.read(lambda db: [tuple(row) for row in db.execute(found)]))


def command(host, one, id="e1", *, push_after=0):
    """Applies a command to an event."""
    now = host.world.now()

    def work(db):
        store = Events(db, now=now, push_after=timedelta(seconds=push_after))
        assert store.commit(anp.decide(store.get(id), one, now=now, rules=RULES))

    asyncio.run(host.database.write(work))


def present(host, text="Disk full.", *, id="e1", person=ALICE, key=None, push_after=0):
    submission = anp.Submission(content=text, user_id=person, routing=DIRECT, deduplication_key=key)
    command(host, anp.Submit(submission=submission, id=id), id)
    command(host, anp.Route(), id, push_after=push_after)


def acknowledge(host, id="e1", *, person=ALICE):
    event = asyncio.run(host.database.read(lambda db: Events(db, now=host.world.now()).get(id)))
    command(host, anp.ClientAck(lease=event.owner_lease, user_id=person, revision=event.revision, how="clicked"), id)


async def do_jobs(host):
    """Does every job that is due."""
    while True:
        now = host.world.now()
        lease = partial(stored_jobs.lease, now=now, until=now + timedelta(minutes=1), limit=32, running={})
        taken = await host.database.write(lease)
        if not taken:
            return
        await asyncio.gather(*(host.attempts.make(job) for job in taken))


def work(host):
    asyncio.run(do_jobs(host))


def states(host, kind=pushes.PRESENT):
    found = select(jobs.c.state, jobs.c.error).where(jobs.c.kind == kind).order_by(jobs.c.number)
    return asyncio.run(host.database.read(lambda db: [tuple(row) for row in db.execute(found)]))


def test_a_device_is_told_of_an_event_and_reads_it(host, service):
    phone = subscribed(host, service.browser())
    present(host, "Disk full. Grüße!")
    work(host)

    [message] = phone.messages
    shown = decode(anp.Presentation, message)
    assert (shown.id, shown.revision, shown.lease, shown.content) == ("e1", 1, 1, "Disk full. Grüße!")


def test_a_browser_subscribes_with_the_key_that_signs(host, service):
    async def talk():
        async with client_of(host) as client:
            return (await client.get("/notifications/push")).json()

    key = asyncio.run(talk())["public_key"]
    phone = subscribed(host, service.browser())
    present(host)
    work(host)

    assert phone.requests[0].header("authorization").endswith(f", k={key}")


def test_what_is_seen_elsewhere_in_time_is_not_pushed(host, service, world):
    phone = subscribed(host, service.browser())
    present(host, push_after=10)
    acknowledge(host)
    world.advance(seconds=11)
    work(host)

    assert phone.requests == []
    assert states(host) == [("done", None)]


def test_a_presentation_waits_as_long_as_it_is_told(host, service, world):
    phone = subscribed(host, service.browser())
    present(host, push_after=10)
    world.advance(seconds=9)
    work(host)
    assert phone.messages == []

    world.advance(seconds=2)
    work(host)
    assert len(phone.messages) == 1


def test_what_was_settled_closes_the_notification_on_the_devices_that_got_it(host, service):
    phone = subscribed(host, service.browser("phone"), device="d1")
    present(host)
    work(host)
    tablet = subscribed(host, service.browser("tablet"), device="d2")
    acknowledge(host)
    work(host)

    _, gone = phone.messages
    assert (gone["kind"], gone["id"], gone["lease"], gone["how"]) == ("settled", "e1", 1, "acknowledged")
    assert tablet.messages == []
    assert phone.requests[0].header("topic") == phone.requests[1].header("topic")


def test_it_is_closed_once_and_nothing_is_kept_of_it(host, service):
    phone = subscribed(host, service.browser())
    present(host)
    work(host)
    acknowledge(host)
    work(host)
    work(host)

    assert len(phone.messages) == 2
    assert asyncio.run(host.database.read(lambda db: db.execute(select(pushed)).fetchall())) == []


def test_a_device_to_which_it_is_just_going_learns_that_it_is_settled(host, service):
    def settle_meanwhile(request):
        if len(phone.requests) == 1:
            with ThreadPoolExecutor(1) as apart:
                apart.submit(acknowledge, host).result()
        return HttpResponse(status=201)

    phone = subscribed(host, service.browser(answer=settle_meanwhile))
    present(host)
    work(host)

    assert [one.get("kind") for one in phone.messages] == [None, "settled"]


def test_a_revision_that_was_replaced_is_not_pushed_any_more(host, service, world):
    phone = subscribed(host, service.browser(answer=lambda _: HttpResponse(status=503)))
    present(host, key="disk")
    work(host)
    phone.answer = lambda _: HttpResponse(status=201)
    fine = anp.Submission(content="Disk fine.", user_id=ALICE, routing=DIRECT, deduplication_key="disk")
    command(host, anp.Submit(submission=fine, id="e2"), "e1")
    world.advance(hours=1)
    work(host)

    assert [one["content"] for one in phone.messages] == ["Disk fine."]


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_forgotten(host, service, status):
    subscribed(host, service.browser(answer=lambda _: HttpResponse(status=status)))
    present(host)
    work(host)

    assert subscribers(host) == []
    assert states(host) == [("done", None)]


def test_a_new_subscription_of_the_device_stays_where_the_old_one_has_ended(host, service):
    def renew(request):
        with ThreadPoolExecutor(1) as apart:
            apart.submit(subscribed, host, new).result()
        return HttpResponse(status=410)

    new = service.browser("new")
    subscribed(host, service.browser("old", answer=renew))
    present(host)
    work(host)

    assert subscribers(host) == [(ALICE, "d1")]
    present(host, id="e2")
    work(host)
    assert [one["id"] for one in new.messages] == ["e2"]


def test_a_push_service_that_takes_no_long_message_gets_a_shorter_one(host, service):
    phone = subscribed(host, service.browser(max_bytes=1_500))
    present(host, "Word " * 2_000)
    work(host)

    [message] = phone.messages
    assert message["cut"] == ["content"]
    assert message["content"].startswith("Word Word")
    assert [len(one.body) > 1_500 for one in phone.requests] == [True, True, False]


def test_a_push_service_that_takes_nothing_is_given_up(host, service):
    phone = subscribed(host, service.browser(max_bytes=10))
    present(host)
    work(host)

    assert states(host) == [("dead", "push.example answers 413")]
    assert len(phone.requests) == 3


def test_a_push_service_that_is_busy_is_asked_when_it_says(host, service, world):
    busy = HttpResponse(status=429, headers={"retry-after": "300"})
    phone = subscribed(host, service.browser(answer=lambda _: busy))
    present(host)
    work(host)
    phone.answer = lambda _: HttpResponse(status=201)
    world.advance(seconds=290)
    work(host)
    assert phone.messages == []

    world.advance(seconds=20)
    work(host)
    assert len(phone.messages) == 1


@pytest.mark.parametrize("answer", [HttpResponse(status=500), Failed("no answer"), HttpResponse(status=408)])
def test_what_does_not_get_better_is_given_up(host, service, world, answer):
    phone = subscribed(host, service.browser(answer=lambda _: answer))
    present(host)
    for _ in range(12):
        work(host)
        world.advance(days=1)

    assert len(phone.requests) == 6
    assert [state for state, _ in states(host)] == ["dead"]


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403])
def test_what_the_push_service_refuses_is_not_tried_again(host, service, status):
    there = HttpResponse(status=status, headers={"location": "https://internal.example/"})
    phone = subscribed(host, service.browser(answer=lambda _: there))
    present(host)
    work(host)

    assert states(host) == [("dead", f"push.example answers {status}")]
    assert len(phone.requests) == 1


def test_the_url_of_a_subscription_is_in_no_error_and_no_log(host, service, world, caplog):
    caplog.set_level(logging.DEBUG)
    world.responses = lambda request: Failed(f"{request.url!r} may not be asked", temporary=False)
    subscribed(host, service.browser("secret-capability"))
    present(host)
    work(host)
    world.responses = lambda _: HttpResponse(status=410)
    present(host, id="e2")
    work(host)

    assert states(host)[0] == ("dead", "push.example may not be asked")
    assert "secret-capability" not in caplog.text


def test_each_device_of_a_person_is_told_and_no_other_person(host, service):
    names = ("phone", "tablet", "other")
    phone, tablet, other = (service.browser(name) for name in names)
    subscribed(host, phone, device="d1")
    subscribed(host, tablet, device="d2")
    subscribed(host, other, person=BOB)
    present(host)
    work(host)

    assert [len(one.messages) for one in (phone, tablet, other)] == [1, 1, 0]


def test_a_device_that_answers_nothing_holds_up_no_other(make_host, service, world):
    async def send(request, *, seconds):
        if "silent" in request.url:
            started.set()
            await asyncio.Event().wait()
        answer = service(request)
        told.set()
        return answer

    host, started, told = make_host(Notifications), asyncio.Event(), asyncio.Event()
    world.send = send
    for number in range(5):
        subscribed(host, service.browser(f"silent{number}"), device=f"a{number}")
    phone = subscribed(host, service.browser("phone"), device="z")
    for number in range(3):
        present(host, id=f"e{number}")

    async def until_told():
        async with host.running(), asyncio.timeout(10):
            await started.wait()
            while len(phone.messages) < 3:
                told.clear()
                await told.wait()

    asyncio.run(until_told())
    assert sorted(one["id"] for one in phone.messages) == ["e0", "e1", "e2"]


def test_who_subscribed_last_has_the_url_and_the_other_loses_it(host, service):
    phone = service.browser()
    subscribed(host, phone, person=ALICE)
    present(host)
    work(host)
    subscribed(host, phone, person=BOB)
    acknowledge(host)
    present(host, id="e2")
    work(host)

    assert subscribers(host) == [(BOB, "d1")]
    assert [one["id"] for one in phone.messages] == ["e1"]


def test_nobody_takes_over_a_browser_of_which_they_know_the_url_alone(host, service):
    phone = subscribed(host, service.browser())
    keys = service.browser("other").subscription["keys"]

    got = put(host, {"endpoint": phone.endpoint, "keys": keys}, person=BOB)
    present(host)
    work(host)

    assert (got.status_code, got.json()) == (409, {"error": "not-yours"})
    assert subscribers(host) == [(ALICE, "d1")]
    assert [one["id"] for one in phone.messages] == ["e1"]
    assert put(host, {"endpoint": phone.endpoint, "keys": keys}).status_code == 204


def test_a_url_that_is_no_text_is_nobodys(host):
    async def remove():
        async with client_of(host) as client:
            got = await client.request("DELETE", "/notifications/push", content=b'{"endpoint": "\\ud800"}')
            return got.status_code

    assert asyncio.run(remove()) == 204


def test_a_push_service_reads_no_words_no_ids_and_no_addresses(host, service):
    phone, tablet = (subscribed(host, service.browser(name), device=name) for name in ("phone", "tablet"))
    present(host, "The alarm is off.", id="event-7")
    work(host)
    acknowledge(host, "event-7")
    work(host)

    sent = [*phone.requests, *tablet.requests]
    claims = [jwt.decode(vapid_of(one)[0], options={"verify_signature": False}) for one in sent]
    visible = f"{[(one.url, one.headers, one.body) for one in sent]} {claims}"
    fields = {"authorization", "content-encoding", "content-type", "ttl", "urgency", "topic"}
    assert [{name.lower() for name, _ in one.headers} for one in sent] == [fields] * 4
    assert [{*one} for one in claims] == [{"aud", "exp", "sub"}] * 4
    assert not [word for word in ("alarm", "event-7", "alice", "settled") if word in visible]
    assert len({one.header("topic") for one in sent}) == 1  # all four are of one event, and it sees that


def test_a_push_service_sees_how_long_a_message_is(host, service):
    phone = subscribed(host, service.browser())
    for id, text in (("e1", "a" * 10), ("e2", "a" * 110)):
        present(host, text, id=id)
        work(host)

    short, long = (len(one.body) for one in phone.requests)
    assert long - short == 100


def test_a_subscription_outlives_the_token_that_made_it(host, service, world):
    phone = service.browser()

    async def story():
        async with client_of(host) as client:
            await client.put("/notifications/push", json=phone.subscription)
            world.advance(hours=2)
            return (await client.get("/notifications/push")).status_code

    assert asyncio.run(story()) == 401
    present(host)
    work(host)
    assert len(phone.messages) == 1


def test_nobody_ends_the_subscription_of_another(host, service):
    phone = subscribed(host, service.browser())

    async def remove(person):
        async with client_of(host, person) as client:
            body = json.dumps({"endpoint": phone.endpoint}).encode()
            got = await client.request("DELETE", "/notifications/push", content=body)
            return got.status_code

    assert asyncio.run(remove(BOB)) == 204
    assert subscribers(host) == [(ALICE, "d1")]
    assert asyncio.run(remove(ALICE)) == 204
    assert subscribers(host) == []


def test_a_person_has_a_bounded_number_of_subscriptions(host, service, world):
    for number in range(25):
        world.advance(seconds=1)
        subscribed(host, service.browser(f"b{number}"), device=f"d{number:02}")

    assert [device for _, device in subscribers(host)] == [f"d{number:02}" for number in range(5, 25)]


def test_who_is_blocked_is_told_of_nothing(host, service, world):
    phone = subscribed(host, service.browser())
    present(host)
    asyncio.run(host.database.write(lambda db: blocks.add(db, ALICE, now=world.now())))
    work(host)

    assert phone.requests == []


GOOD = PushService().browser().subscription


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 8_000,
        {},
        {**GOOD, "device": 7},
        {**GOOD, "device": ""},
        {**GOOD, "device": "d" * 2_000},
        {"device": "d1", "endpoint": GOOD["endpoint"]},
        {**GOOD, "device": "d1", "keys": {**GOOD["keys"], "auth": "short"}},
        {**GOOD, "device": "d1", "keys": {**GOOD["keys"], "p256dh": "B" + "A" * 86}},
        {**GOOD, "device": "d1", "endpoint": "http://push.example/x"},
        {**GOOD, "device": "d1", "endpoint": "https://127.0.0.1/x"},
        {**GOOD, "device": "d1", "endpoint": "https://[::1]/x"},
        {**GOOD, "device": "d1", "endpoint": "https://metadata.internal/x"},
        {**GOOD, "device": "d1", "endpoint": "https://push.example:8443/x"},
        {**GOOD, "device": "d1", "endpoint": "https://me:secret@push.example/x"},
        {**GOOD, "device": "d1", "endpoint": "https://push.example/\r\nx"},
        {**GOOD, "device": "d1", "endpoint": f"https://push.example/{'x' * 3_000}"},
    ],
)
def test_what_is_no_subscription_is_refused(host, body):
    response = put(host, body)

    assert (response.status_code, response.json()) == (400, {"error": "malformed"})
    assert subscribers(host) == []


def test_a_subscription_goes_with_its_person(host, service, world):
    subscribed(host, service.browser())
    present(host)
    work(host)
    asyncio.run(host.database.write(lambda db: forget(db, ALICE, now=world.now())))

    assert subscribers(host) == []
    assert asyncio.run(host.database.read(lambda db: db.execute(select(pushed)).fetchall())) == []


def test_over_real_connections_a_slow_device_is_given_up_in_time(make_host, service, world, monkeypatch):
    monkeypatch.setattr("mentionable_host.notifications.push.SECONDS", 0.3)
    host = make_host(Notifications)
    slow = subscribed(host, service.browser("slow", seconds=30), device="d1")
    phone = subscribed(host, service.browser("phone"), device="d2")
    present(host)

    async def push():
        listening, url = free_socket()
        port = int(url.rpartition(":")[2])
        routes = {ORIGIN.removeprefix("https://"): ("127.0.0.1", port)}
        async with serving(service.app, listening), Internet(routes=routes, tls=False) as internet:
            world.send = internet.send
            now = world.now()
            lease = partial(stored_jobs.lease, now=now, until=now + timedelta(minutes=1), limit=32, running={})
            await asyncio.gather(*(host.attempts.make(job) for job in await host.database.write(lease)))

    asyncio.run(push())
    assert (len(slow.messages), len(phone.messages)) == (0, 1)
    assert sorted(states(host)) == [("done", None), ("waiting", "push.example does not answer")]


def test_who_is_not_signed_in_learns_and_changes_nothing(host, service):
    async def talk():
        transport = httpx.ASGITransport(app=Starlette(routes=host.routes()))
        async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            body = json.dumps({**GOOD, "device": "d1"}).encode()
            return [
                (await client.request(method, "/notifications/push", content=body)).status_code
                for method in ("GET", "PUT", "DELETE")
            ]

    assert asyncio.run(talk()) == [401, 401, 401]
    assert subscribers(host) == []


def test_a_body_that_is_too_long_is_refused(host):
    assert put(host, b" " * 8_193).status_code == 413


def test_a_page_without_the_id_of_its_device_has_the_one_of_its_session(host, service):
    assert put(host, service.browser().subscription).status_code == 204
    assert len(subscribers(host)) == 1


def test_a_device_that_signs_in_anew_still_learns_what_is_settled(host, service):
    phone = subscribed(host, service.browser(), device="d1")
    present(host)
    work(host)
    subscribed(host, phone, device="d2")
    acknowledge(host)
    work(host)

    assert [one.get("kind") for one in phone.messages] == [None, "settled"]
    assert subscribers(host) == [(ALICE, "d2")]


def test_a_host_without_a_key_says_that_there_is_no_push(make_host, monkeypatch):
    def unreadable(config):
        raise ConfigError("keys/vapid.pem cannot be read")

    monkeypatch.setattr("mentionable_host.notifications.push.Vapid.load", unreadable)
    host = make_host(Notifications)

    async def talk():
        async with client_of(host) as client:
            return await client.get("/notifications/push")

    response = asyncio.run(talk())
    assert (response.status_code, response.json()) == (503, {"error": "no-push"})


def test_from_the_program_to_the_phone_and_from_another_tab_to_the_phone(make_host, service, world):
    host = make_host(Notifications)
    phone = subscribed(host, service.browser())

    async def story():
        await host.notify(ALICE, "The backup is done.", by="system")
        await do_jobs(host)
        assert phone.messages == []
        world.advance(seconds=11)
        await do_jobs(host)
        [shown] = phone.messages
        seen = {"kind": "displayed", "id": shown["id"], "lease": shown["lease"], "revision": 1, "how": "clicked"}
        async with client_of(host) as client:
            response = await client.post("/notifications/client", json=[seen])
        assert response.json() == {"results": [{"id": shown["id"], "code": None}]}
        await do_jobs(host)

    asyncio.run(story())
    assert [one.get("how") for one in phone.messages] == [None, "acknowledged"]


def test_who_signs_out_is_told_of_nothing_on_that_device_any_more(host, service, world):
    phone = service.browser()

    async def story():
        transport = httpx.ASGITransport(app=Starlette(routes=host.routes()))
        own = {"sec-fetch-site": "same-origin"}
        async with httpx.AsyncClient(transport=transport, base_url="https://agents.example", headers=own) as client:
            link = await notifications_link(host, ALICE)
            code = link.partition("code=")[2]
            await client.post("/notifications/sign-in", data={"code": unquote(code)})
            taken = await client.put("/notifications/push", json=phone.subscription)
            left = await client.post("/notifications/sign-out")
            return taken.status_code, left.status_code

    assert asyncio.run(story()) == (204, 204)
    assert subscribers(host) == []
