import argparse
import asyncio
import os
import signal

import pytest
from mentionable import Failed, Fetch, HttpRequest, LookupTxt, mail, plain_text
from rich.console import Console

from mentionable_host import Agent, Config, build
from mentionable_host.cli import send
from mentionable_host.cli.demo.loopback import Loopback
from mentionable_host.cli.demo.people import Alice, Bob, Carol
from mentionable_host.cli.demo.play import demo_config, how_to_ask
from mentionable_host.cli.listening import listen, serving
from mentionable_host.keys import Keys


@pytest.fixture
def demo(cli, project, own_logs):
    """Plays the demo: its exit status, and what it showed."""
    for module in ("activitypub", "discovery", "a2a", "mail"):
        pytest.importorskip(f"mentionable_host.transports.{module}")
    path = project / "mentionable.toml"
    path.write_text(path.read_text().replace("port = 8000", "port = 0"))

    def play():
        status, out, errors = cli("serve", "--demo", "--once")
        return status, out, errors

    return play


def test_three_people_are_answered_and_remembered_over_a_restart(demo, project):
    first, second = demo(), demo()

    for status, out, errors in (first, second):
        assert (status, errors) == (0, ""), out
        assert out.count("✓ @mybot@mybot.example") == 6
        for proof in ("ap-", "email-dkim", "streamed"):
            assert out.count(proof) == 2
    assert first[1].count("Before that you wrote:") == 3
    assert first[1].count("Before that you wrote: Will it rain tomorrow?") == 2  # on the Fediverse after a mention
    assert second[1].count("Before that you wrote:") == 6
    assert second[1].count("Before that you wrote: And what did I ask you before?") == 2
    assert second[1].count("goes on, after a restart,") == 3
    assert (project / "demo.db").exists()
    assert not (project / "mentionable.db").exists()


def test_the_command_that_asks_it_has_a_token_so_that_the_agent_remembers(project, monkeypatch):
    monkeypatch.chdir(project)
    config = demo_config(Config.load(project / "mentionable.toml"), mail_port=0, caller="carols")
    asked = how_to_ask(config, "http://127.0.0.1:8000")

    assert config.a2a.callers == {"carols": Carol.address, "file:secrets/caller.token": "@caller@mybot.example"}
    assert '-H "Authorization: Bearer $(cat secrets/caller.token)" -F session=1 ' in asked
    monkeypatch.chdir("/")
    assert f"$(cat {project}/secrets/caller.token)" in how_to_ask(config, "http://127.0.0.1:8000")
    (project / "secrets/caller.token").unlink()
    assert "Bearer" not in how_to_ask(config, "http://127.0.0.1:8000")


def test_an_agent_that_fails_is_status_1(demo, project):
    (project / "agent.py").write_text(
        "from mentionable_host import Agent\nagent = Agent()\n\n"
        "@agent.on_message\nasync def answer(message, context):\n    raise ValueError('I cannot')\n"
    )
    status, out, errors = demo()

    assert (status, out.count("the agent failed"), "I cannot" in errors) == (1, 3, True)


def test_a_demo_that_is_ended_meanwhile_ends_at_once(demo, monkeypatch):
    async def waits(self, text, *, place):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr(Alice, "ask", waits)

    assert demo()[0] == 130


def test_who_is_written_to_first_reads_it_verified(project, no_internet, monkeypatch):
    for module in ("activitypub", "discovery", "mail"):
        pytest.importorskip(f"mentionable_host.transports.{module}")
    config, world = Config.load(project / "mentionable.toml"), Loopback()
    monkeypatch.setattr(build, "_internet", lambda config: world)
    record = mail.dkim_record(Keys.load(config).mail)
    world.txt[f"mentionable._domainkey.{config.agent.domain}"] = record.encode()
    alice, bob = Alice(config, world), Bob(config, world, port=0)

    async def write(address):
        arguments = argparse.Namespace(address=address, text="It **will** rain.", by=None, subject="")
        return await send.run(config, arguments, Console(quiet=True))

    async def both():
        host = build.build(config, Agent(), world=world)
        with listen("127.0.0.1", 0) as place:
            world.ports[config.agent.domain] = place.getsockname()[1]
            async with alice.here(), bob.here(), serving(host.app(), place):
                statuses = [await write("bob@mail.example"), await write("@alice@social.example")]
        host.database.close()
        return statuses, bob._answers.get_nowait(), alice._answers.get_nowait()

    statuses, letter, note = asyncio.run(both())

    assert statuses == [0, 0]
    for got in (letter, note):
        assert (got.message.sender.address, got.message.sender.verified) == ("@mybot@mybot.example", True)
        assert "rain" in plain_text(got.message)


def test_the_demo_asks_nobody_but_this_machine():
    world = Loopback()

    async def ask():
        request = HttpRequest(method="GET", url="https://mentionable.dev/")
        got = await world.fetch(Fetch(url="https://mentionable.dev/", accept="*/*", purpose="actor"))
        return [
            got,
            await world.send(request),
            await world.places("mentionable.dev", 25),
            await world.lookup_txt(LookupTxt(name="mentionable.dev")),
            await world.lookup_mx("mentionable.dev"),
        ]

    *refused, txt, servers = asyncio.run(ask())

    assert all(isinstance(one, Failed) for one in refused)
    assert (txt, servers) == ([], [])
