"""What servers answer, and what they may answer."""

import asyncio
import gzip
import time
import tracemalloc
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mentionable import Failed, Fetch, Fetched, HttpRequest, HttpResponse, replace

from mentionable_host.world import internet as module
from mentionable_host.world.internet import Bounds

HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture(autouse=True)
def place(web):
    web.place("127.0.0.2")


@pytest.fixture
def hurry(monkeypatch):
    """Nobody has more time than this."""
    monkeypatch.setattr(module, "SECONDS", 0.4)


def document(path="/actor", purpose="actor", **more):
    return Fetch(url=f"https://social.example{path}", accept="application/activity+json", purpose=purpose, **more)


def fetch(web, script, ask=None, **more):
    web.server.script = script
    began = time.monotonic()
    got = web.run(lambda internet: internet.fetch(ask or document(max_bytes=100_000), **more))
    assert time.monotonic() - began < 8
    return got


def sends(*pieces, pause=0.0, close=True):
    async def script(head, writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        if close:
            writer.close()

    return script


def endless(first, piece, pause=0.0):
    async def script(head, writer):
        writer.write(first)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return script


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(endless(HEAD + b"Content-Length: 90000\r\n\r\n", b"x", 0.01), id="a body drop by drop"),
        pytest.param(endless(b"HTTP/1.1 200 OK\r\nX: ", b"x", 0.01), id="a head drop by drop"),
        pytest.param(endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.001), id="a promise again and again"),
        pytest.param(endless(b"", b"", 0.01), id="silence"),
    ],
)
def test_who_is_slow_is_not_waited_for(web, script, hurry):
    got = fetch(web, script)

    assert isinstance(got, Failed)
    assert got.temporary
    assert "in time" in got.reason


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(endless(HEAD + b"\r\n", b"x" * 65_536), id="a body without end"),
        pytest.param(
            endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"8000\r\n" + b"x" * 0x8000 + b"\r\n"), id="chunks"
        ),
        pytest.param(sends(HEAD + b"Content-Length: 100001\r\n\r\n" + b"x" * 100_001), id="one byte too many"),
        pytest.param(sends(HEAD + b"X: y\r\n" * 200 + b"\r\n"), id="two hundred headers"),
        pytest.param(sends(HEAD + b"X: " + b"y" * 40_000 + b"\r\n\r\n"), id="a long header"),
    ],
)
def test_what_is_too_large_is_not_read_to_its_end(web, script):
    got = fetch(web, script)

    assert isinstance(got, Failed)
    assert not got.temporary
    assert "more than was asked for" in got.reason


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(endless(HEAD, b"X-Header: again\r\n"), id="headers without end"),
        pytest.param(sends(HEAD + b"Content-Length: 50\r\n\r\nhello"), id="less than was promised"),
        pytest.param(sends(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel"), id="half a chunk"),
        pytest.param(sends(HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), id="two lengths"),
        pytest.param(sends(HEAD + b"Content-Length: -5\r\n\r\nhello"), id="a negative length"),
        pytest.param(sends(b"HTTP/1.1 200 OK\r\nNo colon\r\n\r\n"), id="no header"),
        pytest.param(sends(b"SSH-2.0-OpenSSH_9.2\r\n"), id="another protocol"),
        pytest.param(sends(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"), id="another protocol later"),
        pytest.param(sends(b""), id="nothing"),
    ],
)
def test_nonsense_is_no_answer(web, script):
    got = fetch(web, script)

    assert isinstance(got, Failed)


def packed(body, coding="gzip"):
    return sends(HEAD + f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


def test_what_is_packed_is_unpacked(web):
    assert fetch(web, packed(gzip.compress(b"hello"))).body == b"hello"
    assert fetch(web, packed(zlib.compress(b"hello"), "deflate")).body == b"hello"


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(packed(gzip.compress(gzip.compress(bytes(1000))), "gzip, gzip"), id="packed twice"),
        pytest.param(packed(gzip.compress(b"hello")[:-9]), id="it breaks off"),
        pytest.param(packed(b"hello"), id="not packed"),
        pytest.param(packed(b"hello", "br"), id="another packing"),
    ],
)
def test_what_cannot_be_unpacked_is_no_answer(web, script):
    assert isinstance(fetch(web, script), Failed)


def test_a_bomb_does_not_go_off(web):
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS + 16)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(100)) + packer.flush()
    assert len(bomb) < 100_000

    tracemalloc.start()
    got = fetch(web, packed(bomb))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert isinstance(got, Failed)
    assert "more than was asked for" in got.reason
    assert most < 10_000_000


@pytest.mark.parametrize(
    "location",
    [
        *(
            "https://127.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "http://social.example/",
            "file:///etc/passwd",
        ),
        *(
            "https://inner.example/",
            "//localhost/",
            "https://social.example:22/",
            "https://[::ffff:7f00:1]/",
            "https://[",
        ),
        *("https://user:pass@social.example/", "gopher://social.example/", "javascript:1"),
    ],
)
def test_a_redirect_is_judged_like_the_first_step(web, reply, location):
    web.place("127.0.0.1", host="inner.example")
    script = reply(b"", f"Location: {location}", status="302 Found")

    got = fetch(web, script, document("/.well-known/webfinger?resource=acct:a@social.example", "webfinger"))

    assert isinstance(got, Failed)
    assert not got.temporary
    assert web.server.accepted == ["127.0.0.2"]


def test_webfinger_may_lead_to_another_host(web, reply):
    web.place("127.0.0.3", host="other.example")
    signed = []

    async def script(head, writer):
        moved = reply(b"", "Location: https://other.example/finger", status="301 Moved Permanently")
        await (moved if b"/.well-known" in head else reply(b"{}", "Content-Type: application/jrd+json"))(head, writer)

    def sign(request):
        signed.append(request.url)
        return replace(request, headers=[*request.headers, ("signature", request.url)])

    web.server.script = script
    ask = document("/.well-known/webfinger?resource=acct:a@social.example", "webfinger")
    got = web.run(lambda internet: internet.fetch(ask, sign=sign), hosts=("127.0.0.2", "127.0.0.3"))

    assert isinstance(got, Fetched)
    assert got.url == "https://other.example/finger"
    assert web.server.accepted == ["127.0.0.2", "127.0.0.3"]
    assert signed == [ask.url, got.url]
    assert b"signature: https://other.example/finger" in web.server.requests[1]


def test_a_circle_of_redirects_ends(web, reply):
    got = fetch(web, reply(b"", "Location: /again", status="302 Found"), document("/a", "webfinger"))

    assert isinstance(got, Failed)
    assert len(web.server.requests) == 3


def test_other_documents_lead_nowhere(web, reply):
    got = fetch(web, reply(b"", "Location: /again", status="302 Found"))

    assert isinstance(got, Fetched)
    assert got.status == 302
    assert len(web.server.requests) == 1


def test_cookies_are_neither_kept_nor_sent(web, reply):
    web.server.script = reply(b"hello", "Set-Cookie: a=b; Domain=social.example")

    async def talk(internet):
        await internet.fetch(document("/1"))
        await internet.fetch(document("/2"))

    web.run(talk)

    assert len(web.server.requests) == 2
    assert not any(b"cookie" in one.lower() for one in web.server.requests)


def test_a_connection_is_used_again(web):
    async def talk(internet):
        for number in range(5):
            await internet.fetch(document(f"/{number}"))

    web.run(talk)

    assert len(web.server.requests) == 5
    assert len(web.server.accepted) == 1


def test_a_host_gets_a_few_requests_at_once(web, reply):
    now, most = 0, 0

    async def script(head, writer):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.01)
        now -= 1
        await reply(b"hello")(head, writer)

    web.server.script, web.more = script, {"bounds": Bounds(per_host=3)}

    async def talk(internet):
        return await asyncio.gather(*(internet.fetch(document(f"/{number}")) for number in range(12)))

    assert all(isinstance(one, Fetched) for one in web.run(talk))
    assert most == 3


def test_one_slow_host_keeps_no_other_waiting(web, reply, hurry, monkeypatch):
    web.place("127.0.0.3", host="other.example")
    web.more = {"bounds": Bounds(per_host=2, connections=10)}

    async def script(head, writer):
        await asyncio.sleep(0 if b"other.example" in head else 5)
        await reply(b"hello")(head, writer)

    web.server.script = script

    async def talk(internet):
        slow = [asyncio.create_task(internet.fetch(document(f"/{number}"))) for number in range(20)]
        await asyncio.sleep(0.05)
        monkeypatch.setattr(module, "SECONDS", 8)
        quick = await internet.fetch(Fetch(url="https://other.example/", accept="*/*", purpose="actor"))
        return quick, await asyncio.gather(*slow)

    quick, slow = web.run(talk, hosts=("127.0.0.2", "127.0.0.3"))

    assert isinstance(quick, Fetched)
    assert all(isinstance(one, Failed) for one in slow)


def test_who_had_to_wait_may_ask_again(web, reply, hurry, monkeypatch):
    web.more = {"bounds": Bounds(per_host=1)}

    async def script(head, writer):
        await asyncio.sleep(0.8 if b"/slow" in head else 0)
        await reply(b"hello")(head, writer)

    web.server.script = script

    async def talk(internet):
        slow, waiting = await asyncio.gather(internet.fetch(document("/slow")), internet.fetch(document("/quick")))
        monkeypatch.setattr(module, "SECONDS", 8)
        return slow, waiting, await internet.fetch(document("/slow")), await internet.fetch(document("/quick"))

    slow, waiting, slow_again, quick = web.run(talk)

    assert isinstance(waiting, Failed)
    assert slow_again == slow
    assert isinstance(quick, Fetched)


def test_all_bodies_together_have_a_bound(web, monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 1.5)
    web.more = {"bounds": Bounds(body_bytes=200_000)}
    web.server.script = endless(HEAD + b"Content-Length: 90000\r\n\r\n" + b"x" * 80_000, b"", 0.01)

    async def talk(internet):
        return await asyncio.gather(*(internet.fetch(document(f"/{number}", max_bytes=90_000)) for number in range(8)))

    got = web.run(talk)

    assert any("too much" in one.reason for one in got)


def test_who_gives_up_leaves_no_connection_taken(web, reply):
    web.more = {"bounds": Bounds(connections=2, per_host=2)}

    async def script(head, writer):
        await asyncio.sleep(60 if b"/slow" in head else 0)
        await reply(b"hello")(head, writer)

    web.server.script = script

    def asked(path):
        return HttpRequest(method="POST", url=f"https://social.example{path}", body=b"{}")

    async def talk(internet):
        for _ in range(5):
            sending = [asyncio.create_task(internet.send(asked("/slow"))) for _ in range(6)]
            await asyncio.sleep(0.02)
            for one in sending:
                one.cancel()
            await asyncio.gather(*sending, return_exceptions=True)
        return await internet.send(asked("/quick")), internet._http._hosts, internet._http._reading

    got, hosts, reading = web.run(talk)

    assert isinstance(got, HttpResponse)
    assert (hosts, reading) == ({}, 0)


def test_a_request_is_sent_as_it_was_signed(web):
    headers = [("host", "social.example"), ("date", "now"), ("signature", "abc"), ("content-type", "a/b")]
    asked = HttpRequest(method="POST", url="https://social.example/in%2Fbox?a=%C3%A4&b", headers=headers, body=b"{}")

    async def talk(internet):
        return await internet.send(asked)

    got = web.run(talk)

    assert isinstance(got, HttpResponse)
    assert (got.status, got.body) == (200, b"hello")
    assert web.server.requests[0].startswith(
        b"POST /in%2Fbox?a=%C3%A4&b HTTP/1.1\r\nhost: social.example\r\ndate: now\r\n"
    )
    assert web.server.requests[0].lower().count(b"host:") == 1


def test_a_header_with_a_line_break_is_not_sent(web):
    asked = HttpRequest(method="POST", url="https://social.example/", headers=[("x", "a\r\nEvil: b")], body=b"{}")

    got = web.run(lambda internet: internet.send(asked))

    assert isinstance(got, Failed)
    assert web.server.requests == []


def test_who_does_not_answer_a_request_is_given_up(web):
    web.server.script = endless(b"", b"", 0.01)
    asked = HttpRequest(method="POST", url="https://social.example/", body=b"{}")

    got = web.run(lambda internet: internet.send(asked, seconds=0.2))

    assert isinstance(got, Failed)
    assert got.temporary


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_comes_ends_in_a_response_or_a_failure(web, data):
    whole = (
        HEAD + b"Content-Type: application/json\r\nContent-Encoding: gzip\r\nCache-Control: max-age=5\r\n"
        b"Date: Fri, 27 Nov 2026 22:00:00 GMT\r\nAge: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"19\r\n" + gzip.compress(b"hello") + b"\r\n0\r\n\r\n"
    )
    spoiled = bytearray(whole)
    for position in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=5)):
        spoiled[position] = data.draw(st.integers(0, 255))
    web.server.tls, web.more = None, {"tls": False, "routes": {"social.example": ("127.0.0.2", 0)}}
    web.server.script = sends(bytes(spoiled)[: data.draw(st.integers(0, len(whole)))], bytes(spoiled))

    async def talk(internet):
        internet._policy.routes["social.example"] = ("127.0.0.2", web.server.port)
        return await internet.fetch(document(max_bytes=1000))

    got = web.run(talk)

    assert isinstance(got, Fetched | Failed)
