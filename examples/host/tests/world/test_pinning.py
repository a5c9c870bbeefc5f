"""Which addresses are connected to."""

import asyncio
from urllib.parse import urlsplit

import httpcore
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mentionable import Failed, Fetch, Fetched, HttpRequest

from mentionable_host.world.egress import EgressPolicy
from mentionable_host.world.internet import Internet
from mentionable_host.world.pinning import DEAD_SECONDS, PinningBackend, Unreachable

NOT_PUBLIC = (
    *("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::"),
)


def document(url="https://social.example/actor", purpose="actor", **more):
    return Fetch(url=url, accept="application/activity+json", purpose=purpose, **more)


async def fetch_one(internet):
    return await internet.fetch(document())


def test_a_public_host_is_asked_by_its_name(web):
    web.place("127.0.0.2")

    got = web.run(fetch_one)

    assert isinstance(got, Fetched)
    assert (got.status, got.body) == (200, b"hello")
    assert web.server.accepted == ["127.0.0.2"]
    assert b"GET /actor HTTP/1.1" in web.server.requests[0]
    assert b"host: social.example\r\n" in web.server.requests[0]


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_a_host_that_is_not_public_is_not_asked(web, address):
    web.place(address)

    got = web.run(fetch_one, hosts=("127.0.0.1",))

    assert isinstance(got, Failed)
    assert "not public" in got.reason
    assert not got.temporary
    assert web.server.accepted == []


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_one_address_that_is_not_public_spoils_the_others(web, address):
    web.place("127.0.0.2", address)

    got = web.run(fetch_one, hosts=("127.0.0.1", "127.0.0.2"))

    assert isinstance(got, Failed)
    assert "not public" in got.reason
    assert web.server.accepted == []


def test_a_name_that_changes_leads_to_the_address_that_was_judged(web):
    web.dns.ttl = 0
    web.dns.add("social.example", "A", ["127.0.0.2"], ["127.0.0.1"])
    web.dns.add("social.example", "AAAA", [])

    async def talk(internet):
        first = await internet.fetch(document("https://social.example/1"))
        web.time += 120  # by now neither the name nor the connection is kept
        return first, await internet.fetch(document("https://social.example/2")), web.server.accepted

    first, second, accepted = web.run(talk, hosts=("127.0.0.1", "127.0.0.2"))

    assert isinstance(first, Fetched)
    assert isinstance(second, Fetched) or "not public" in second.reason
    assert set(accepted) == {"127.0.0.2"}


def test_a_name_that_changes_before_a_new_connection_is_judged_again(web, reply):
    web.dns.add("social.example", "A", ["127.0.0.2"], ["127.0.0.1"])
    web.dns.add("social.example", "AAAA", [])
    web.server.script = reply(b"hello", "Connection: close")

    async def talk(internet):
        await internet.fetch(document("https://social.example/1"))
        web.time += 120
        return await internet.fetch(document("https://social.example/2"))

    got = web.run(talk, hosts=("127.0.0.1", "127.0.0.2"))

    assert isinstance(got, Failed)
    assert "not public" in got.reason
    assert web.server.accepted == ["127.0.0.2"]


def test_the_next_address_is_tried_when_one_does_not_answer(web):
    web.place("127.0.0.3", "127.0.0.2")

    assert isinstance(web.run(fetch_one), Fetched)
    assert web.server.accepted == ["127.0.0.2"]


def test_a_dead_host_is_tried_once_a_minute(web):
    web.place("127.0.0.3")

    async def talk(internet):
        found = []
        for number in range(20):
            found.append(await internet.fetch(document(f"https://social.example/{number}")))
        web.time += DEAD_SECONDS + 1
        web.place("127.0.0.2")
        return found, await internet.fetch(document("https://social.example/0"))

    found, later = web.run(talk)

    assert all(isinstance(one, Failed) and one.temporary for one in found)
    assert isinstance(later, Fetched)


def test_a_host_that_had_too_little_time_is_not_dead(web, monkeypatch):
    class Slow(httpcore.AnyIOBackend):
        async def connect_tcp(self, host, port, timeout=None, *more):
            raise httpcore.ConnectTimeout

    async def talk(timeout):
        async with web.dns:
            backend = PinningBackend(web.dns_client, EgressPolicy(is_public=lambda ip: True))
            backend._network = Slow()
            with pytest.raises(Unreachable):
                await backend.connect_tcp("social.example", 443, timeout)
            return len(backend._dead)

    web.place("127.0.0.2", "127.0.0.3")

    assert [asyncio.run(talk(timeout)) for timeout in (0.1, 5, None)] == [0, 1, 1]


@pytest.mark.parametrize(
    "url",
    [
        *("http://social.example/", "https://social.example:8443/", "https://127.0.0.2/", "https://[::1]/"),
        *("https://user@social.example/", "file:///etc/passwd", "ftp://social.example/", "https://localhost/"),
        *("https://social.example/a b", "https://social.example/\r\nX: y", "https://social.example\\@evil.example/"),
        *("https://ſocial.example/", "https:///", "https://social.example:0/", "https://x.internal/"),
        "https://" + "a" * 9000 + ".example/",
    ],
)
def test_what_may_not_be_asked_is_not_sent(web, url):
    web.place("127.0.0.2")
    got = web.run(lambda internet: internet.send(HttpRequest(method="POST", url=url, body=b"x")))

    assert isinstance(got, Failed)
    assert "may not be asked" in got.reason
    assert not got.temporary
    assert web.server.accepted == []


def test_a_certificate_of_another_name_is_refused(web):
    web.place("127.0.0.2", host="evil.example")

    got = web.run(lambda internet: internet.fetch(document("https://evil.example/")))

    assert isinstance(got, Failed)
    assert "CERTIFICATE_VERIFY_FAILED" in got.reason


def test_a_certificate_of_an_unknown_authority_is_refused(web):
    web.place("127.0.0.2")
    web.more["tls"] = True

    got = web.run(fetch_one)

    assert isinstance(got, Failed)
    assert "CERTIFICATE_VERIFY_FAILED" in got.reason


def test_a_route_leads_to_this_machine(web):
    async def talk(internet):
        internet._policy.routes["bot.example"] = ("127.0.0.1", web.server.port)
        return await internet.fetch(document("https://bot.example/actor")), await internet.places("bot.example", 25)

    web.server.tls, web.more = None, {"tls": False, "routes": {}}
    got, places = web.run(talk, hosts=("127.0.0.1",))

    assert isinstance(got, Fetched)
    assert got.body == b"hello"
    assert places == [("127.0.0.1", web.server.port)]


def test_an_origin_that_the_operator_named_is_reached_as_it_is(web):
    web.server.tls = None

    async def main():
        await web.server.listen("127.0.0.1")
        port = web.server.port
        async with Internet(origins=[f"http://127.0.0.1:{port}"]) as internet:
            asked = HttpRequest(method="POST", url=f"http://127.0.0.1:{port}/api", body=b"{}")
            other = HttpRequest(method="POST", url=f"http://127.0.0.1:{port + 1}/api", body=b"{}")
            found = await internet.send(asked), await internet.send(other)
        await web.server.close()
        return found

    named, other = asyncio.run(main())

    assert named.status == 200
    assert b"content-length: 2" in web.server.requests[0].lower()
    assert isinstance(other, Failed)
    assert not other.temporary


def test_loopback_is_reached_for_trying_out_alone(web):
    web.server.tls, web.more = None, {"loopback": True}

    async def talk(internet):
        asked = HttpRequest(method="GET", url=f"http://localhost:{web.server.port}/")
        return await internet.send(asked), await internet.send(HttpRequest(method="GET", url="http://10.0.0.1/"))

    here, elsewhere = web.run(talk, hosts=("127.0.0.1",))

    assert here.status == 200
    assert isinstance(elsewhere, Failed)


def test_mail_servers_are_judged_likewise(web):
    web.place("127.0.0.2", host="mx.example")
    web.place("10.0.0.1", host="inner.example")

    async def talk(internet):
        return [await internet.places(host, 25) for host in ("mx.example", "inner.example", "localhost", "127.0.0.2")]

    places, *others = web.run(talk)

    assert places == [("127.0.0.2", 25)]
    assert all(isinstance(one, Failed) and not one.temporary for one in others)


def test_a_proxy_is_asked_for_the_name(web):
    web.server.tls = None

    async def talk(internet):
        return await internet.fetch(document())

    async def script(head, writer):
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    web.server.script = script

    async def main():
        await web.server.listen("127.0.0.1")
        async with Internet(proxy=f"http://us%20er:pass@127.0.0.1:{web.server.port}") as internet:
            got = await talk(internet)
        await web.server.close()
        return got

    got = asyncio.run(main())

    assert isinstance(got, Failed)
    assert web.server.requests[0].startswith(b"CONNECT social.example:443 HTTP/1.1")
    assert b"Basic dXMgZXI6cGFzcw==" in web.server.requests[0]


def test_proxies_of_the_environment_are_not_used(web, monkeypatch):
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    web.place("127.0.0.2")

    assert isinstance(web.run(fetch_one), Fetched)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.from_regex(r"https?://[a-z0-9.@:\[\]\\-]{1,20}(:[0-9]{1,6})?[/?#]?[ -~]{0,12}", fullmatch=True),
        st.text(max_size=40).map("https://social.example{}".format),
        st.text(max_size=40),
    )
)
def test_a_url_leads_where_others_read_it(url):
    found = EgressPolicy(loopback=True).target(url)

    if found is not None:
        parts = urlsplit(url)
        assert parts.hostname == found.host.strip("[]")
        assert (parts.username, parts.password) == (None, None)
        assert (parts.port or {"https": 443, "http": 80}[parts.scheme]) == found.port
        assert found.is_own or (found.scheme, found.port) == ("https", 443)
        assert all("!" <= character <= "~" for character in found.path)
