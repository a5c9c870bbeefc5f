"""The stream over WebSocket, and what devices send on it."""

import json
from contextlib import asynccontextmanager, suppress

import pytest
from devices import ALICE, TEXT, browser, displayed, served, statuses, told
from mentionable import anp
from recorder import idle
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from mentionable_host.cli.listening import listen, options, serving, url_of
from mentionable_host.notifications.access import PROTOCOL
from mentionable_host.store import blocks, streams

AWAY = "https://app.example"


@asynccontextmanager
async def opened(device, url, *, after=None, origin=None, protocols=None):
    """A connection of a device, and what it reads of it."""
    place = f"{url.replace('http', 'ws', 1)}/notifications/socket" + ("" if after is None else f"?after={after}")
    cookies = "; ".join(f"{name}={value}" for name, value in device.http.cookies.items())
    offered = [PROTOCOL, *([f"bearer.{device.token}"] if device.token else [])] if protocols is None else protocols
    async with connect(
        place,
        origin=origin if origin is not None or device.token else url,
        subprotocols=offered or None,
        additional_headers={"cookie": cookies} if cookies else {},
        proxy=None,
    ) as socket:
        yield socket


async def take(socket, count):
    return [anp.read_web_socket(await socket.recv()) for _ in range(count)]


async def code_of(socket):
    """With which code the host ends a connection."""
    with suppress(ConnectionClosed):
        async for _ in socket:
            pass
    return socket.close_code


@pytest.mark.parametrize("token", [False, True])
def test_items_and_messages_go_over_one_connection(notified, token):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url, token=token) as one,
            opened(one, url) as socket,
        ):
            begun = await take(socket, 2)
            await host.notify(ALICE, TEXT, by="system")
            (shown,) = await take(socket, 1)
            await socket.send("what is this?")
            await socket.send('{"kind":"displayed"}')
            await socket.send(json.dumps(displayed(shown.item)))
            (settled,) = await take(socket, 1)
            return socket.subprotocol, [item.name for item in begun], shown, settled

    protocol, begun, shown, settled = told(story)

    assert (protocol, begun) == (PROTOCOL, ["ready", "snapshot"])
    assert (shown.item.content, settled.item.how) == (TEXT, "seen")
    assert settled.place == shown.place + 1
    assert statuses(host) == ["delivered"]


def test_a_device_goes_on_after_the_place_that_it_names(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            for text in ("One", "Two"):
                await host.notify(ALICE, text, by="system")
                await idle(host)
            (first, _) = await host.database.read(lambda db: streams.page(db, ALICE, after=0))
            async with opened(one, url, after=first.place) as socket:
                return await take(socket, 2)

    (_, shown) = told(story)

    assert shown.item.content == "Two"


def test_nobody_connects_without_a_session_or_from_another_site(notified):
    host = notified(notifications={"origins": [AWAY]})

    async def story():
        codes = []
        async with served(host) as url, browser(host, url) as one, browser(host, url, token=True) as two:
            tries = [
                (one, {"origin": "https://evil.example"}),
                (one, {"origin": AWAY}),
                (one, {"origin": "null"}),
                (two, {"origin": "https://evil.example"}),
                (two, {"protocols": []}),
                (two, {"protocols": [PROTOCOL, "bearer.wrong"]}),
            ]
            for device, how in tries:
                try:
                    async with opened(device, url, **how):
                        codes.append(101)
                except InvalidStatus as error:
                    codes.append(error.response.status_code)
            async with opened(two, url, origin=AWAY) as socket:
                return codes, await take(socket, 1)

    codes, ready = told(story)

    assert codes == [403, 401, 403, 403, 401, 401]
    assert ready[0].name == "ready"


def test_no_cookie_counts_where_the_browser_does_not_say_from_where(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            cookies = "; ".join(f"{name}={value}" for name, value in one.http.cookies.items())
            place = f"{url.replace('http', 'ws', 1)}/notifications/socket"
            try:
                async with connect(place, additional_headers={"cookie": cookies}, proxy=None):
                    return 101
            except InvalidStatus as error:
                return error.response.status_code

    assert told(story) == 403


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (["x" * 20_000], 1009),
        (["é" * 9_000], 1009),
        ([b"\x00\xff"], 1003),
        (["{}"] * 60, 1008),
    ],
)
def test_frames_that_are_too_long_too_many_or_no_text_end_the_connection(notified, frames, code):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, opened(one, url) as socket:
            with suppress(ConnectionClosed):
                for frame in frames:
                    await socket.send(frame)
            return await code_of(socket)

    assert told(story) == code


def test_a_connection_ends_where_its_person_is_blocked(notified, world):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, opened(one, url) as socket:
            await take(socket, 2)
            await host.database.write(lambda db: blocks.add(db, ALICE, now=world.now()))
            await host.notify(ALICE, "Secret", by="system")
            return await code_of(socket)

    assert told(story) == 1000


@pytest.mark.storm
def test_ten_thousand_messages_do_no_more_than_one(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await host.notify(ALICE, TEXT, by="system")
            (_, shown) = await stream.take(2)
            for _ in range(100):
                codes = await one.say(*[displayed(shown.item)] * 100)
            return codes

    codes = told(story)

    assert set(codes) == {"already-terminal"}
    assert statuses(host) == ["delivered"]


def test_a_host_that_stops_ends_all_connections(notified):
    host = notified()

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, token=True) as two,
            one.stream() as stream,
            opened(two, url) as socket,
        ):
            host.release()
            return await stream.ended(), await code_of(socket)

    assert told(story) == (True, 1000)


def test_the_server_of_the_host_takes_connections_and_bounds_what_comes_on_them(notified):
    host = notified()

    async def story():
        place = listen("127.0.0.1", 0)
        url = url_of(place)
        async with (
            host.running(),
            serving(host.app(), place, **options(host.config)),
            browser(host, url) as one,
            opened(one, url) as socket,
        ):
            ready, packed = await take(socket, 1), socket.response.headers.get("sec-websocket-extensions")
            await socket.send("x" * 17_000)
            return ready[0].name, packed, await code_of(socket)

    assert told(story) == ("ready", None, 1009)
