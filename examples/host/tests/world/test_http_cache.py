"""What is kept of HTTP, and for how long."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hishel import AsyncSqliteStorage
from mentionable import Failed, Fetch, Fetched, replace

from mentionable_host.world import http_cache as module
from mentionable_host.world import internet
from mentionable_host.world.http_cache import MemoryStorage
from mentionable_host.world.ttl_cache import TtlCache

HOUR = "Cache-Control: max-age=3600"


@pytest.fixture(autouse=True)
def place(web):
    web.place("127.0.0.2")


def document(path="/note", purpose="object", **more):
    return Fetch(url=f"https://social.example{path}", accept="application/activity+json", purpose=purpose, **more)


def later(web, monkeypatch, **by):
    """Lets time pass: for the cache, and for what it compares dates with."""
    seconds, now = timedelta(**by).total_seconds(), time.time
    web.time += seconds
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    monkeypatch.setattr(internet, "system_now", lambda: datetime.fromtimestamp(time.time(), UTC))


def sign(request):
    return replace(request, headers=[*request.headers, ("signature", "ours")])


def talk(web, *steps):
    """The numbers of requests that came to the server after each step."""

    async def run(world):
        counts = []
        for step in steps:
            await step(world)
            counts.append(len(web.server.requests))
        return counts

    return web.run(run)


def get(ask=None, **more):
    return lambda world: world.fetch(ask or document(), **more)


def after(web, monkeypatch, **by):
    async def wait(world):
        later(web, monkeypatch, **by)

    return wait


def test_what_is_fresh_is_not_asked_for_again(web, reply, monkeypatch):
    web.server.script = reply(b"{}", HOUR)

    assert talk(web, get(), get(), after(web, monkeypatch, minutes=61), get()) == [1, 1, 1, 2]


def test_what_says_nothing_is_asked_for_again(web):
    assert talk(web, get(), get()) == [1, 2]


@pytest.mark.parametrize("control", ["no-store", "private, max-age=60", "no-cache, max-age=60", "max-age=0"])
def test_what_may_not_be_kept_is_asked_for_again(web, reply, control):
    web.server.script = reply(b"{}", f"Cache-Control: {control}")

    assert talk(web, get(), get()) == [1, 2]


def test_a_tag_saves_the_body(web, reply, monkeypatch):
    async def script(head, writer):
        if b'if-none-match: "1"' in head.lower():
            await reply(b"", 'ETag: "1"', HOUR, status="304 Not Modified")(head, writer)
        else:
            await reply(b"body", 'ETag: "1"', HOUR, "Content-Type: a/b")(head, writer)

    web.server.script = script

    async def run(world):
        first = await world.fetch(document(), sign=None)
        later(web, monkeypatch, minutes=61)
        second = await world.fetch(document())
        third = await world.fetch(document())
        return first, second, third

    assert [(one.status, one.body, one.content_type) for one in web.run(run)] == [(200, b"body", "a/b")] * 3
    assert len(web.server.requests) == 2


def test_that_nothing_changed_is_no_document_for_who_has_none(web, reply):
    web.server.script = reply(b"", 'ETag: "1"', HOUR, status="304 Not Modified")

    async def run(world):
        return await world.fetch(document())

    assert web.run(run).status == 304
    assert len(web.server.requests) == 1


@pytest.mark.parametrize("other", ['ETag: "2"', "Last-Modified: Fri, 27 Nov 2026 10:00:00 GMT"])
def test_that_another_document_did_not_change_says_nothing(web, reply, monkeypatch, other):
    async def script(head, writer):
        if b"if-none-match" in head.lower():
            await reply(b"", other, HOUR, status="304 Not Modified")(head, writer)
        else:
            await reply(b"body", 'ETag: "1"', "Last-Modified: Thu, 26 Nov 2026 10:00:00 GMT", HOUR)(head, writer)

    web.server.script = script

    async def run(world):
        await world.fetch(document())
        later(web, monkeypatch, minutes=61)
        return await world.fetch(document())

    assert web.run(run).body == b"body"
    assert len(web.server.requests) == 3


def test_nothing_is_kept_for_longer_than_a_day(web, reply, monkeypatch):
    web.server.script = reply(b"{}", "Cache-Control: max-age=31536000, immutable")

    assert talk(web, get(), after(web, monkeypatch, hours=23), get(), after(web, monkeypatch, hours=2), get())[-1] == 2


def test_a_date_in_the_future_makes_nothing_younger(web, reply, monkeypatch):
    ahead = format_datetime(datetime.now(UTC) + timedelta(days=300), usegmt=True)
    web.server.script = reply(b"{}", HOUR, f"Date: {ahead}")

    assert talk(web, get(), get(), after(web, monkeypatch, minutes=61), get()) == [1, 1, 1, 2]


@pytest.mark.parametrize("date", ["Date: never", "Date: Fri, 99 Nov 99999 99:99:99 GMT", "Age: 9999999999999999999999"])
def test_a_date_that_is_none_does_no_harm(web, reply, date):
    web.server.script = reply(b"{}", HOUR, date)

    assert talk(web, get())[-1] == 1


def test_the_age_of_a_response_counts(web, reply):
    web.server.script = reply(b"{}", HOUR, "Age: 3601")

    assert talk(web, get(), get()) == [1, 2]


def test_a_response_counts_for_the_type_that_was_asked_for(web, reply):
    web.server.script = reply(b"{}", HOUR, "Vary: Accept")
    other = replace(document(), accept="text/html")

    assert talk(web, get(), get(other), get(), get(other)) == [1, 2, 2, 2]


def test_a_response_that_always_varies_is_asked_for_again(web, reply):
    web.server.script = reply(b"{}", HOUR, "Vary: *")

    assert talk(web, get(), get()) == [1, 2]


@pytest.mark.parametrize(
    ("headers", "counts"),
    [
        (("Cache-Control: public, max-age=60",), [1, 1]),
        (("Cache-Control: s-maxage=60",), [1, 1]),
        (("Cache-Control: max-age=60",), [1, 2]),
        (("Cache-Control: private, max-age=60",), [1, 2]),
        (("Cache-Control: public, max-age=60", "Vary: Accept, Signature"), [1, 2]),
        (("Cache-Control: public", "Cache-Control: no-store"), [1, 2]),
        ((), [1, 2]),
    ],
)
def test_a_signed_answer_is_kept_if_it_says_so(web, reply, headers, counts):
    web.server.script = reply(b"{}", *headers)

    assert talk(web, get(sign=sign), get(sign=sign)) == counts


def test_an_answer_that_was_signed_for_is_no_answer_without_a_signature(web, reply):
    web.server.script = reply(b"{}", "Cache-Control: public, max-age=60")

    assert talk(web, get(sign=sign), get()) == [1, 2]


def test_a_key_that_came_is_not_asked_for_again_at_once(web, monkeypatch):
    key = get(document("/key", "key"))

    assert talk(web, key, key, after(web, monkeypatch, seconds=61), key) == [1, 1, 1, 2]


def test_a_key_that_may_not_be_kept_is_not(web, reply):
    web.server.script = reply(b"{}", "Cache-Control: no-store")
    key = get(document("/key", "key"))

    assert talk(web, key, key) == [1, 2]


def test_a_fresh_document_comes_past_the_cache_once_a_minute(web, reply, monkeypatch):
    web.server.script = reply(b"{}", HOUR)
    key, fresh = get(document("/key", "key")), get(document("/key", "key", fresh=True))

    steps = [key, fresh, fresh, key, after(web, monkeypatch, seconds=61), key, fresh]

    assert talk(web, *steps) == [1, 2, 2, 2, 2, 2, 3]


def test_a_fresh_document_takes_the_place_of_the_old_one(web, reply, monkeypatch):
    async def run(world):
        web.server.script = reply(b"old", HOUR)
        await world.fetch(document("/key", "key"))
        web.server.script = reply(b"new", HOUR)
        await world.fetch(document("/key", "key", fresh=True))
        later(web, monkeypatch, minutes=2)
        return await world.fetch(document("/key", "key"))

    assert web.run(run).body == b"new"


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone", "500 Internal Server Error", "403 Forbidden"])
def test_what_is_not_there_is_asked_for_once_a_minute(web, reply, monkeypatch, status):
    web.server.script = reply(b"", status=status)

    assert talk(web, get(), get(), after(web, monkeypatch, seconds=61), get()) == [1, 1, 1, 2]


def test_a_storm_of_questions_is_one(web):
    async def run(world):
        return await asyncio.gather(*(world.fetch(document("/key", "key")) for _ in range(200)))

    assert all(isinstance(one, Fetched) for one in web.run(run))
    assert len(web.server.requests) == 1


def test_a_failure_is_remembered_for_fresh_questions_too(web):
    async def script(head, writer):
        writer.close()

    web.server.script = script

    assert talk(web, get(), get(document(fresh=True)), get()) == [1, 1, 1]


def test_a_document_that_is_too_large_for_one_is_not_for_another(web, reply):
    web.server.script = reply(b"x" * 2000, HOUR)

    async def run(world):
        small, large = document(max_bytes=1000), document(max_bytes=3000)
        return [await world.fetch(one) for one in (small, large, small)]

    small, large, again = web.run(run)
    assert isinstance(small, Failed)
    assert isinstance(large, Fetched)
    assert isinstance(again, Failed)


def test_the_cache_may_be_in_a_file(web, reply, tmp_path):
    web.server.script = reply(b"{}", HOUR)
    web.more = {"storage": AsyncSqliteStorage(database_path=tmp_path / "http.db")}
    assert talk(web, get(), get()) == [1, 1]

    web.more = {"storage": AsyncSqliteStorage(database_path=tmp_path / "http.db")}
    assert talk(web, get()) == [1]


def test_memory_holds_no_more_than_its_capacity(web, reply):
    web.server.script = reply(b"x" * 1000, HOUR)
    storage = MemoryStorage(max_bytes=50_000)
    web.more = {"storage": storage}

    talk(web, *(get(document(f"/{number}")) for number in range(100)))

    assert 5 < len(storage._stored) < 50
    assert storage._stored._weight <= 50_000


def test_each_way_through_the_states_is_short():
    assert module.STEPS > 8


def test_what_is_remembered_has_a_time_and_a_capacity():
    now = 0.0
    remembered = TtlCache(capacity=3, clock=lambda: now)
    for number in range(5):
        remembered.put(number, number, seconds=10 + number)
    remembered.put("never", 1, seconds=0)

    assert [remembered.peek(number) for number in (*range(5), "never")] == [None, None, 2, 3, 4, None]
    now = 13.5
    assert [remembered.peek(number) for number in range(5)] == [None, None, None, None, 4]
    assert len(remembered) == 1
