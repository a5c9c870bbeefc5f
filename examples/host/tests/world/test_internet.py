"""The Internet as a configuration has it."""

import asyncio

import pytest
from mentionable import Failed, HttpRequest

from mentionable_host import Config, ConfigError
from mentionable_host.world.internet import Internet

AGENT = {"name": "helper", "domain": "agents.example"}


def internet(tmp_path, **more):
    return Internet.of(Config.parse({"agent": AGENT, **more}, folder=tmp_path))


def answers(world, reply, *, path="/", where="127.0.0.1"):
    """What a server on this machine, which `world` knows by nothing but its URL, is asked."""

    async def main():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            async with world(port) as made:
                return await made.send(HttpRequest(method="GET", url=f"http://{where}:{port}{path}")), heads
        finally:
            server.close()
            await asyncio.sleep(0.001)

    async def serve(reader, writer):
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        await reply(b"hello", "Connection: close")(heads[-1], writer)
        writer.close()

    heads: list[bytes] = []
    return asyncio.run(main())


def test_nothing_of_this_machine_is_asked(tmp_path, reply):
    got, heads = answers(lambda port: internet(tmp_path), reply)

    assert isinstance(got, Failed)
    assert heads == []


def test_what_is_for_trying_out_is_asked(tmp_path, reply):
    got, heads = answers(lambda port: internet(tmp_path, a2a={"local_webhooks": True}), reply, where="localhost")

    assert got.body == b"hello"
    assert b"user-agent: mentionable-host (+https://agents.example)" in heads[0]


def test_the_server_of_imessage_is_asked_where_it_is(tmp_path, reply):
    def made(port):
        settings = {"url": f"http://127.0.0.1:{port}/", "password": "p", "webhook_token": "w", "account": "a@b.example"}
        return internet(tmp_path, bluebubbles=settings)

    got, _ = answers(made, reply, path="/api/v1/ping?guid=p")

    assert got.body == b"hello"


def test_the_cache_may_be_in_a_folder(tmp_path):
    world = internet(tmp_path, network={"cache": "cache"})  # made before a loop runs, as a server does

    async def main():
        async with world:
            return await world._cache._storage.get_entries("key")

    assert asyncio.run(main()) == []
    assert (tmp_path / "cache" / "http.db").exists()


def test_a_proxy_whose_secret_is_missing_is_a_mistake(tmp_path):
    with pytest.raises(ConfigError, match="NOT_SET_ANYWHERE"):
        internet(tmp_path, network={"proxy": "env:NOT_SET_ANYWHERE"})


def test_the_clock_and_chance_are_those_of_the_machine():
    world = Internet()

    assert world.now().tzinfo is not None
    assert len(world.entropy()) == 32
    assert world.entropy() != world.entropy()
