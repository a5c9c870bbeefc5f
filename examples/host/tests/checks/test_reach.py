"""What keeps others from reaching an agent."""

import asyncio
import ssl
from contextlib import suppress
from datetime import timedelta

import pytest
from mentionable import Failed, Fetched, HttpResponse, replace

from mentionable_host.checks import connecting
from mentionable_host.keys import actor_url
from mentionable_host.world.dns import DnsClient

FINGER = "https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example"


def test_nothing_is_wrong_where_all_is_well(finds):
    assert finds() == []


def test_an_origin_without_tls_is_found(healthy, finds):
    healthy.table["server"] = {"origin": "http://agents.example:8000"}

    assert "error origin" in finds()


def test_a_certificate_that_ends_soon_is_found(healthy, finds):
    healthy.certificate = healthy.world.now() + timedelta(days=3)

    assert finds() == ["warning TLS"]


def test_a_certificate_that_is_not_valid_is_found(healthy, finds):
    healthy.certificate = Failed("certificate has expired", temporary=False)

    assert finds() == ["error TLS"]


@pytest.mark.parametrize(
    "got",
    [
        Failed("nobody answers"),
        Fetched(url=FINGER, status=404, content_type="text/html", body=b"<html>"),
        Fetched(url=FINGER, status=200, content_type="text/html", body=b"<html>"),
        Fetched(url=FINGER, status=200, content_type="application/jrd+json", body=b"[]"),
        Fetched(url=FINGER, status=200, content_type="application/jrd+json", body=b'{"links": 7}'),
        Fetched(url=FINGER, status=200, content_type="application/jrd+json", body=b'{"links": [7, {"rel": "self"}]}'),
        Fetched(url=FINGER, status=200, content_type="application/jrd+json", body=b"[" * 100_000),
    ],
)
def test_a_domain_that_does_not_lead_to_the_agent_is_found(healthy, finds, got):
    healthy.world.documents[FINGER] = got

    assert finds() == ["error WebFinger"]


def test_an_actor_of_another_type_is_found(healthy, finds):
    healthy.document(actor_url(healthy.config), "text/html", {})

    assert finds() == ["error actor"]


@pytest.mark.parametrize(
    "more", [{}, {"publicKey": 7}, {"publicKey": {"publicKeyPem": "another"}}, {"id": "https://x/"}]
)
def test_an_actor_with_another_name_or_key_is_found(healthy, finds, more):
    url = actor_url(healthy.config)
    healthy.document(url, "application/activity+json", {"id": url, **more})

    assert finds() == ["error actor"]


@pytest.mark.parametrize(("status", "found"), [(404, 1), (202, 1), (502, 1), (401, 0), (403, 0)])
def test_an_inbox_must_refuse_what_is_not_signed(healthy, finds, status, found):
    healthy.inbox = status

    assert finds() == ["error inbox"] * found


@pytest.mark.parametrize(("seconds", "found"), [(5, []), (90, ["warning clock"]), (-900, ["error clock"])])
def test_a_clock_that_is_wrong_is_found(healthy, finds, seconds, found):
    healthy.clock = timedelta(seconds=seconds)

    assert finds() == found


def test_a_machine_that_may_not_send_mail_is_found(healthy, finds):
    healthy.places["gmail-smtp-in.l.google.com"] = [("93.184.216.99", 25)]
    healthy.greeting["93.184.216.99"] = Failed("it does not answer in time")

    assert finds() == ["error mail out"]


@pytest.mark.parametrize("said", [Failed("refused"), ["SSH-2.0-x"], ["554 no"], [""]])
def test_a_mail_server_that_does_not_listen_is_found(healthy, finds, said):
    healthy.greeting["93.184.216.34"] = said

    assert "error mail in" in finds()


class ReverseDns(DnsClient):
    """Knows one address."""

    def __init__(self, names):
        self.names = names

    async def names_of(self, address):
        return self.names

    async def authorities(self, domain):
        return ["letsencrypt.org"]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["agents.example"], []),
        (["vps-17.provider.example"], ["warning reverse DNS"]),
        ([], ["warning reverse DNS"]),
        (Failed("SERVFAIL"), ["note reverse DNS"]),
    ],
)
def test_an_address_must_lead_back_to_the_name(healthy, finds, names, found):
    healthy.world.dns = ReverseDns(names)

    assert finds() == found


def test_mail_that_a_relay_sends_needs_no_open_port(healthy, finds):
    healthy.table["mail"] = {"smtp": "127.0.0.1:2525", "relay": "smtps://relay.example"}
    healthy.world.dns = ReverseDns([])

    assert finds() == []


def test_an_agent_that_takes_no_mail_needs_no_mail_server(healthy, finds):
    healthy.table["mail"] = {"relay": "smtps://relay.example"}
    healthy.world.mx.clear()
    healthy.greeting["93.184.216.34"] = Failed("refused")

    assert finds() == []


def test_what_cannot_be_looked_up_is_no_fault(healthy, finds):
    async def unknown(*asked):
        return Failed("SERVFAIL")

    healthy.world.lookup_txt = healthy.world.lookup_mx = unknown
    healthy.places["gmail.com"] = [("93.184.216.34", 25)]

    assert finds() == ["note DNS"] * 4


def test_a_policy_that_asks_for_nothing_is_found(healthy, finds):
    healthy.world.txt["_dmarc.agents.example"] = [b"v=DMARC1; p=none"]

    assert finds() == ["warning DNS"]


def test_other_clocks_may_be_silent(healthy, finds):
    healthy.world.responses = lambda request: (
        HttpResponse(status=401) if request.url.endswith("/inbox") else HttpResponse(status=200, headers={"date": "x"})
    )

    assert finds() == ["note clock"]


def test_an_inbox_that_does_not_answer_is_found(healthy, finds):
    usual = healthy.world.responses
    healthy.world.responses = lambda request: Failed("refused") if request.url.endswith("/inbox") else usual(request)

    assert finds() == ["error inbox"]


def test_a_webfinger_of_another_type_is_found(healthy, finds):
    healthy.world.documents[FINGER] = replace(healthy.world.documents[FINGER], content_type="text/plain")

    assert finds() == ["warning WebFinger"]


def test_a_mail_server_without_tls_is_found(healthy, finds):
    healthy.greeting["93.184.216.34"] = ["220 mx.example ESMTP", "250-mx.example", "250 SIZE 1000"]

    assert finds() == ["warning mail in"]


def test_an_agent_card_that_does_not_come_is_found(healthy, finds):
    healthy.world.documents.pop("https://agents.example/.well-known/agent-card.json")

    assert finds() == ["error agent card"]


def test_records_that_are_missing_are_found(healthy, finds):
    healthy.world.txt.clear()

    assert finds() == ["error DNS"] * 3


def test_a_host_that_is_not_public_is_found_once(healthy, finds):
    healthy.places.pop("agents.example")

    assert finds() == ["error DNS", "error domain", "note server"]


def test_a_greeting_is_read_within_bounds():
    async def talk(script):
        async def serve(reader, writer):
            with suppress(OSError, asyncio.CancelledError):
                await script(writer)
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        place = server.sockets[0].getsockname()
        try:
            return await connecting.greeting(place, seconds=0.2)
        finally:
            server.close()
            await asyncio.sleep(0.01)

    async def polite(writer):
        writer.write(b"220 here\r\n250-here\r\n250-STARTTLS\r\n250 SIZE\r\n")

    async def silly(writer):
        writer.write(b"220 here\r\n" + b"250-again\r\n" * 10_000)

    async def short(writer):
        writer.write(b"220 here\r\n250-here\r\n")

    async def endless(writer):
        while True:
            writer.write(b"2" * 65_536)
            await writer.drain()

    async def silent(writer):
        await asyncio.sleep(0.3)

    assert asyncio.run(talk(polite)) == ["220 here", "250-here", "250-STARTTLS", "250 SIZE"]
    assert len(asyncio.run(talk(silly))) == connecting.LINES
    assert asyncio.run(talk(short)) == ["220 here", "250-here", ""]
    assert isinstance(asyncio.run(talk(endless)), Failed)
    assert isinstance(asyncio.run(talk(silent)), Failed)


def test_what_speaks_no_tls_has_no_certificate():
    async def talk():
        async def serve(reader, writer):
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        place = server.sockets[0].getsockname()
        context = ssl.create_default_context()
        try:
            return [
                await connecting.certificate_end(place, "agents.example", tls=context, seconds=1),
                await connecting.certificate_end(("127.0.0.1", 1), "agents.example", seconds=1),
            ]
        finally:
            server.close()
            await asyncio.sleep(0.01)

    assert all(isinstance(one, Failed) for one in asyncio.run(talk()))
