"""Clients that send a head slowly, or without end, and those that do not read."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from mentionable_host.cli import connections
from mentionable_host.cli.listening import listen, options, serving

LARGE = b"a" * 20_000_000
HEAD = b"GET / HTTP/1.1\r\nHost: agents.example\r\n"


async def answer(request):
    return Response(LARGE if request.url.path == "/large" else b"Hi")


@pytest.fixture
def talk(make_host):
    """What a talk with a server gives."""
    host = make_host()

    def run(function):
        async def both():
            app = Starlette(routes=[Route("/", answer), Route("/large", answer)])
            with listen("127.0.0.1", 0) as place:
                async with serving(app, place, **options(host.config)), asyncio.timeout(20):
                    reader, writer = await asyncio.open_connection(*place.getsockname())
                    try:
                        return await function(reader, writer)
                    finally:
                        writer.transport.abort()

        return asyncio.run(both())

    return run


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HEAD, b"\r\n", HEAD + b"\r\n", HEAD + b"\r\n" + HEAD])
def test_a_head_that_does_not_come_ends_the_connection(talk, monkeypatch, sent):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)

    async def late(reader, writer):
        writer.write(sent)
        return await reader.read()

    got = talk(late)

    assert got.endswith(connections.TOO_SLOW)
    assert got.count(b"200 OK") == sent.count(b"\r\n\r\n")


@pytest.mark.parametrize("piece", [b"a" * 1_000, b"X: a\r\n" * 200])
def test_a_head_without_end_is_refused(talk, piece):
    async def endless(reader, writer):
        writer.write(HEAD + b"X: ")
        for _ in range(3):
            writer.write(piece * 40)
            await asyncio.sleep(0.05)  # so that it is read in pieces
        return await reader.read(1_000)

    assert talk(endless).startswith(b"HTTP/1.1 431 ")


def test_a_body_is_no_head(talk):
    async def long(reader, writer):
        writer.write(HEAD + b"Content-Length: 300000\r\n\r\n" + b"a" * 300_000 + HEAD + b"Connection: close\r\n\r\n")
        return await reader.read()

    assert talk(long).count(b"200 OK") == 2


def test_who_does_not_read_is_cut_off_and_who_reads_slowly_is_not(talk, monkeypatch):
    monkeypatch.setattr(connections, "SLOW_SECONDS", 0.3)

    async def slowly(reader, writer):
        writer.write(b"GET /large HTTP/1.1\r\nHost: agents.example\r\n\r\n")
        got = 0
        for _ in range(8):
            await asyncio.sleep(0.1)
            got += len(await reader.read(2_000_000))
        await asyncio.sleep(1)
        while piece := await reader.read(1_000_000):
            got += len(piece)
        return got

    got = talk(slowly)

    assert 200_000 < got < len(LARGE)
