"""Bodies that do not come, or of which too many come at a time."""

import asyncio

import httpx
import pytest
from starlette.requests import Request

from mentionable_host import http
from mentionable_host.http import request_of
from mentionable_host.transports.rest import Rest

SCOPE = {"type": "http", "method": "POST", "path": "/", "raw_path": b"/", "query_string": b"", "headers": []}


def reading(receive):
    return request_of(Request(SCOPE, receive), limit=1000, origin="https://agents.example")


def posted(app, body):
    async def post():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            return await client.post("/rest/helper", content=body)

    return asyncio.run(post())


def test_a_body_that_does_not_come_is_waited_for_a_while(make_host, monkeypatch):
    monkeypatch.setattr(http, "BODY_SECONDS", 0.05)

    async def body():
        yield b"user="
        await asyncio.Event().wait()

    assert posted(make_host(Rest).app(), body()).status_code == 408


def test_a_body_that_comes_by_single_bytes_is_cut_off(monkeypatch):
    monkeypatch.setattr(http, "BODY_SECONDS", 0.05)

    async def receive():
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"x", "more_body": True}

    with pytest.raises(http.HTTPException) as refused:
        asyncio.run(asyncio.wait_for(reading(receive), 5))

    assert refused.value.status_code == 408


def test_many_large_bodies_at_a_time_are_refused_and_later_taken(make_host, monkeypatch):
    monkeypatch.setattr(http, "BODIES_BYTES", 1000)

    async def talk():
        go_on, has_begun = asyncio.Event(), asyncio.Event()
        pieces = [(b"a" * 600, None), (b"b", go_on)]

        async def slowly():
            piece, after = pieces.pop(0)
            if after is not None:
                has_begun.set()
                await after.wait()
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        async def at_once():
            return {"type": "http.request", "body": b"c" * 600, "more_body": False}

        first = asyncio.create_task(reading(slowly))
        await has_begun.wait()
        with pytest.raises(http.HTTPException) as refused:
            await reading(at_once)
        go_on.set()
        return refused.value, await first, await reading(at_once)

    refused, first, again = asyncio.run(talk())
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "30")
    assert (len(first.body), len(again.body)) == (601, 600)
