"""The host as it runs: requests over ASGI, and its own worker."""

import asyncio
import json
from collections import Counter
from contextlib import asynccontextmanager

import httpx
import pytest
from mentionable import HttpResponse
from mentionable.testing import DiscordPeer

from mentionable_host.config import ConfigError
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.tables import jobs, messages
from mentionable_host.transports.discord import Discord
from mentionable_host.transports.discord import transport as discord
from mentionable_host.transports.discord.gateway import Closed
from mentionable_host.transports.slack import Slack

PEOPLE = 12


async def send(client, asked):
    response = await client.post("/slack/events", content=asked.body, headers=list(asked.headers))
    return response.status_code


def test_many_events_that_come_twice_at_once_are_answered_once_each(
    make_host, slack_api, slack_table, alice, world, desk
):
    host, finished, posted = make_host(Slack, **slack_table), asyncio.Event(), slack_api.answers["chat.postMessage"]
    asked = [alice.write(f"question {number}", now=world.now(), channel=f"C{number}") for number in range(PEOPLE)]

    def post(request):
        if slack_api.requested.count("chat.postMessage") == PEOPLE:
            finished.set()
        return posted(request)

    slack_api.answers["chat.postMessage"] = post

    async def talk():
        transport = httpx.ASGITransport(app=host.app())
        async with host.running(), httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            statuses = await asyncio.gather(*[send(client, one) for one in [*asked, *asked]])
            await asyncio.wait_for(finished.wait(), 30)
            return statuses

    assert set(asyncio.run(talk())) == {200}
    desk(host).restart()
    desk(host).work()
    texts = Counter(params["text"] for name, params in slack_api.calls if name == "chat.postMessage")
    assert len(texts) == PEOPLE
    assert desk(host).count(messages) == 2 * PEOPLE
    assert desk(host).count(jobs) == 4 * PEOPLE


MEMBER = DiscordPeer()
TABLE = {"public_key": MEMBER.key.public_raw.hex(), "application_id": "700", "bot_token": "t", "gateway": True}


class Gateway:
    """A connection on which some events come, and nothing more; or it closes."""

    def __init__(self, *events, close=None):
        self.events, self.close, self.sent = [*events], close, []

    @asynccontextmanager
    async def connect(self, url):
        yield self

    async def send(self, text):
        self.sent.append(json.loads(text))

    async def receive(self):
        if self.events:
            return json.dumps(self.events.pop(0))
        if self.close is not None:
            raise Closed(self.close)
        await asyncio.Event().wait()
        raise AssertionError("nothing sets it")


HELLO = {"op": 10, "d": {"heartbeat_interval": 45_000}}


def test_a_mention_that_comes_by_the_gateway_is_answered(make_host, platform_api, world, monkeypatch):
    finished = asyncio.Event()

    def post(request):
        finished.set()
        return {"id": "1310000000000000100", "channel_id": "500"}

    answers = {"POST /channels/500/messages": post, "GET /channels/500/messages": [[]]}
    world.responses = api = platform_api(answers, "https://discord.com/api/v10")
    gateway = Gateway(HELLO, MEMBER.write("will it rain?", now=world.now()))
    monkeypatch.setattr(discord, "connect", gateway.connect)
    host = make_host(Discord, discord=TABLE)

    async def talk():
        async with host.running():
            await asyncio.wait_for(finished.wait(), 30)

    asyncio.run(talk())
    assert "POST /channels/500/messages" in api.names()
    assert gateway.sent[0]["d"]["token"] == "t"


def test_a_gateway_that_takes_no_connection_is_said_to_the_operator(make_host, monkeypatch, caplog):
    monkeypatch.setattr(discord, "connect", Gateway(HELLO, close=4004).connect)
    host = make_host(Discord, discord=TABLE)

    async def talk():
        async with host.running():
            await asyncio.wait_for(host.transports["discord"]._listening, 30)

    asyncio.run(talk())
    assert "put a new one into discord.bot_token" in caplog.text


def test_an_event_that_cannot_be_stored_is_not_counted_and_one_with_a_fault_is(make_host, monkeypatch, caplog):
    transport = make_host(Discord, discord=TABLE).transports["discord"]
    event = MEMBER.write("Hi", now=transport.host.world.now())
    errors = iter([StoreUnavailable("the disk is full"), RuntimeError("a fault")])

    async def write(work):
        raise next(errors)

    monkeypatch.setattr(transport.host.database, "write", write)
    assert [asyncio.run(transport.keep(event)) for _ in range(2)] == [False, True]


def test_without_its_library_the_gateway_says_what_to_install(make_host, monkeypatch):
    monkeypatch.setattr(discord, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install"):
        make_host(Discord, discord=TABLE)


def test_a_page_that_is_no_json_is_tried_again(make_host, slack_table, world, alice):
    world.responses = lambda request: HttpResponse(status=200, body=b"<html>")
    transport = make_host(Slack, **slack_table).transports["slack"]
    outcome = asyncio.run(transport.post(discord.ApiRequest(method="chat.postMessage")))

    assert outcome.reason == "chat.postMessage: slack answers 200 without JSON"
