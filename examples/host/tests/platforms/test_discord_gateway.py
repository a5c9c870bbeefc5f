import asyncio
import json
from contextlib import asynccontextmanager
from random import Random

import pytest

from mentionable_host.transports.discord.gateway import INTENTS, Closed, FatalClose, Gateway, connect

HELLO = {"op": 10, "d": {"heartbeat_interval": 45_000}}
READY = {"op": 0, "t": "READY", "s": 1, "d": {"session_id": "s1", "resume_gateway_url": "wss://gateway-a.discord.gg"}}
RECONNECT = {"op": 7, "d": None}


class End(BaseException):
    """The script is over."""


class Discord:
    """Connections that follow a script: each is a list of events, or of what ends it."""

    def __init__(self, *scripts):
        self.scripts, self.urls, self.sent = list(scripts), [], []

    @asynccontextmanager
    async def connect(self, url):
        if not self.scripts:
            raise End
        self.urls.append(url)
        script = iter(self.scripts.pop(0))
        yield Connection(script, self.sent)


class Connection:
    def __init__(self, script, sent):
        self.script, self.sent = script, sent

    async def send(self, text):
        self.sent.append(json.loads(text))

    async def receive(self):
        event = next(self.script, Closed())
        if isinstance(event, Exception):
            raise event
        return event if isinstance(event, str) else json.dumps(event)


def message(number):
    return {"op": 0, "t": "MESSAGE_CREATE", "s": number, "d": {"id": str(number)}}


def run(discord, take=None):
    taken = []

    async def keep(event):
        taken.append(event["d"]["id"])
        return take is None or take(event)

    async def nothing(seconds):
        return None

    gateway = Gateway(token="canary", take=keep, connect=discord.connect, chance=Random(1))
    try:
        asyncio.run(gateway.run(nothing))
    except End:
        return taken, gateway
    raise AssertionError("it ends with the script")


def test_it_shows_the_token_and_takes_messages():
    discord = Discord([HELLO, READY, message(2), message(3)])
    taken, _ = run(discord)

    assert taken == ["2", "3"]
    assert discord.sent[0]["op"] == 2
    assert discord.sent[0]["d"]["intents"] == INTENTS
    assert discord.urls == ["wss://gateway.discord.gg/?v=10&encoding=json"]


def test_a_connection_that_breaks_is_resumed_behind_the_last_message():
    discord = Discord([HELLO, READY, message(2)], [HELLO, message(3)])
    taken, _ = run(discord)

    assert taken == ["2", "3"]
    assert discord.urls[1] == "wss://gateway-a.discord.gg/?v=10&encoding=json"
    assert discord.sent[1] == {"op": 6, "d": {"token": "canary", "session_id": "s1", "seq": 2}}


def test_a_message_that_cannot_be_stored_is_asked_for_again():
    answers = iter([True, False, True])
    discord = Discord([HELLO, READY, message(2), message(3), message(4)], [HELLO, message(3)])
    taken, _ = run(discord, take=lambda event: next(answers))

    assert taken == ["2", "3", "3"]
    assert discord.sent[1]["d"]["seq"] == 2


@pytest.mark.parametrize("end", [{"op": 9, "d": False}, Closed(4007), Closed(4009)])
def test_a_session_that_is_over_begins_anew(end):
    discord = Discord([HELLO, READY, end], [HELLO])
    run(discord)

    assert discord.sent[1]["op"] == 2


@pytest.mark.parametrize("end", [{"op": 9, "d": True}, RECONNECT, Closed(4000), Closed(), "no JSON", "[]"])
def test_a_session_that_goes_on_is_resumed(end):
    discord = Discord([HELLO, READY, end], [HELLO])
    run(discord)

    assert discord.sent[1]["op"] == 6


@pytest.mark.parametrize("code", [4004, 4014])
def test_where_discord_takes_no_connection_the_operator_is_told(code):
    with pytest.raises(FatalClose):
        run(Discord([HELLO, Closed(code)]))


@pytest.mark.parametrize("first", [READY, {"op": 10}, {"op": 10, "d": {"heartbeat_interval": 0}}, "", "{"])
def test_what_is_no_hello_ends_the_connection(first):
    discord = Discord([first], [HELLO])
    run(discord)

    assert len(discord.sent) == 1


def test_the_token_is_sent_to_discord_alone():
    ready = {**READY, "d": {"session_id": "s1", "resume_gateway_url": "wss://discord.gg.evil.example"}}
    discord = Discord([HELLO, ready], [HELLO])
    run(discord)

    assert discord.urls[1].startswith("wss://gateway.discord.gg/")


def test_a_heartbeat_is_sent_where_discord_asks_for_it():
    discord = Discord([HELLO, READY, {"op": 1, "d": None}, {"op": 11}])
    run(discord)

    assert discord.sent[1] == {"op": 1, "d": 1}


def test_a_gateway_that_does_not_hear_us_is_left():
    async def talk():
        silent = asyncio.Event()

        class Silent:
            async def send(self, text):
                return None

            async def receive(self):
                await silent.wait()

        gateway = Gateway(token="canary", take=None, connect=None, chance=Random(1))
        await asyncio.wait_for(gateway._beat(Silent(), 0.001), 5)
        return gateway._is_acknowledged

    assert asyncio.run(talk()) is False


def test_a_socket_of_the_library_carries_events_and_says_why_it_closed():
    from websockets.asyncio.server import serve

    async def discord(socket):
        await socket.send("hello")
        assert await socket.recv() == "hi"
        await socket.close(4004)

    async def talk():
        async with serve(discord, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            async with connect(f"ws://127.0.0.1:{port}") as socket:
                first = await socket.receive()
                await socket.send("hi")
                with pytest.raises(Closed) as closed:
                    await socket.receive()
                return first, closed.value.code

    assert asyncio.run(talk()) == ("hello", 4004)
