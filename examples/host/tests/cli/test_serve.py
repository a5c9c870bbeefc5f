import asyncio
import os
import signal
import socket
from pathlib import Path

import httpx
import pytest
from mentionable import plain_text

from mentionable_host import Config, ConfigError, Host, asgi, receiving
from mentionable_host.build import build, database_url, load_agent, open_database, transports_of
from mentionable_host.cli import serve
from mentionable_host.cli.listening import listen
from mentionable_host.cli.words import CommandError
from mentionable_host.store import jobs, messages
from mentionable_host.store.sqlite_file import worked_on_alone
from mentionable_host.world.world import system_now


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as place:
        return place.getsockname()[1]


@pytest.fixture
def served(project, no_internet):
    """A project without mail at a free port: its configuration."""
    port, path = free_port(), project / "mentionable.toml"
    text = path.read_text().replace("port = 8000", f"port = {port}").replace("127.0.0.1:2525", "")
    path.write_text(text)
    return Config.load(path)


async def ask(config, text, *, session="s1"):
    url = f"http://127.0.0.1:{config.server.port}/rest/mybot"
    files = {"session": (None, session), "user": (None, text)}
    async with httpx.AsyncClient(trust_env=False) as client:
        while True:
            try:
                return await client.post(url, headers={"accept": "text/markdown"}, files=files)
            except httpx.ConnectError:
                await asyncio.sleep(0)


def test_it_serves_until_it_is_told_to_stop(served, capsys):
    from rich.console import Console

    async def both():
        serving = asyncio.create_task(serve._serve(served, Console(), parts="all"))
        response = await ask(served, "Will it rain?")
        os.kill(os.getpid(), signal.SIGTERM)
        return response, await serving

    response, status = asyncio.run(both())

    assert (response.status_code, response.text.strip()) == (200, "You wrote: Will it rain?")
    assert status == 0


def test_what_has_begun_is_ended_before_it_stops(served, monkeypatch):
    from rich.console import Console

    async def both():
        serving = asyncio.create_task(serve._serve(served, Console(), parts="all"))
        asking = asyncio.create_task(ask(served, "Will it rain?"))
        await begun.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        go.set()
        return await asking, await serving

    begun, go = asyncio.Event(), asyncio.Event()
    agent = load_agent(served)

    @agent.on_message
    async def slow(message, context):
        begun.set()
        await go.wait()
        return "It will."

    response, status = asyncio.run(both())

    assert (response.status_code, response.text, status) == (200, "It will.", 0)


@pytest.mark.parametrize("parts", ["all", "worker"])
def test_an_answer_that_no_client_waits_for_is_made_before_it_stops(served, monkeypatch, make_message, parts):
    from rich.console import Console

    begun, go = asyncio.Event(), asyncio.Event()
    agent, finish = load_agent(served), Host.finish
    message = make_message(recipient=served.agent.address, received_via="rest")

    @agent.on_message
    async def slow(message, context):
        begun.set()
        await go.wait()
        return "It will."

    async def finish_then(host, seconds):
        go.set()
        await finish(host, seconds)

    def store(db):
        number = messages.put(db, message, transport="rest", files={})
        jobs.enqueue(db, receiving.answer_job(message, number=number), now=system_now())

    async def both():
        serving = asyncio.create_task(serve._serve(served, Console(), parts=parts))
        await begun.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        await serving

    monkeypatch.setattr(Host, "finish", finish_then)
    monkeypatch.setattr(serve, "_need_postgresql", lambda *_: None)
    database = open_database(served)
    asyncio.run(database.write(store))
    asyncio.run(both())
    answer = asyncio.run(database.read(lambda db: messages.answer_to(db, message.id)))
    database.close()

    assert plain_text(answer) == "It will."


def test_a_port_that_another_program_has_is_named(cli, served):
    with socket.create_server(("127.0.0.1", served.server.port)):
        status, _, errors = cli("serve")

    assert (status, f"127.0.0.1:{served.server.port} cannot be had" in errors) == (2, True)


def test_a_second_server_of_one_file_is_refused(cli, served):
    with worked_on_alone(Path("mentionable.db")):
        status, _, errors = cli("serve")

    assert status == 2
    assert "mentionable.db is worked on already" in errors
    assert "postgresql://" in errors


def test_an_address_of_another_machine_is_named():
    with pytest.raises(CommandError, match="cannot be had"):
        listen("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--once",), "--demo"),
        (("--port", "65536"), "'65536' is no port: write one from 1 to 65535"),
        (("--port", "http"), "'http' is no port"),
        (("--workers", "0"), "at least one"),
        (("--workers", "2"), "--workers needs PostgreSQL"),
        (("--parts", "web"), "--parts web needs PostgreSQL"),
        (("--worker",), "--parts worker needs PostgreSQL"),
        (("--reload", "--parts", "web"), "--parts web needs PostgreSQL"),
        (("--worker", "--workers", "2"), "--worker serves no HTTP"),
        (("--worker", "--reload"), "--worker serves no HTTP"),
    ],
)
def test_what_cannot_be_is_refused_with_a_hint(cli, served, words, hint):
    status, _, errors = cli("serve", *words)

    assert (status, hint in errors) == (2, True), errors


@pytest.mark.parametrize(
    ("program", "hint"),
    [
        ("import nothing_like_it", "line 1, needs 'nothing_like_it'"),
        ("\n1 / 0", "line 2, fails: ZeroDivisionError"),
        ("import json\njson.loads('')", "agent.py, line 2, fails: JSONDecodeError"),
        ("agent = ", "line 1, fails: SyntaxError"),
        ("other = 1", "no `agent = Agent()`"),
        ("from mentionable_host import Agent\nagent = Agent()", "agent without a function: write @agent.on_message"),
        (
            "from mentionable_host import Agent\nagent = Agent()\n\n@agent.on_message\nasync def answer(message): ...",
            "line 4, fails: TypeError: @agent.on_message is for a function of two",
        ),
        ("from mentionable_host import Agent\nagent = Agent()\nagent.on_message('hi')", "line 3, fails: TypeError"),
        (None, "has no agent.py"),
    ],
)
def test_a_program_that_cannot_be_used_is_named_with_its_line(cli, served, program, hint):
    path = served.folder / "agent.py"
    path.unlink() if program is None else path.write_text(program)
    status, _, errors = cli("serve")

    assert (status, hint in errors.replace("\n", " ")) == (2, True), errors


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("mysql://x/y", "no database of this host"),
        ("nonsense", "store.url is no URL"),
        ("env:NO_SUCH_DATABASE", "NO_SUCH_DATABASE is not set"),
        ("sqlite:///agent.py", "file is not a database"),
    ],
)
def test_a_database_that_cannot_be_used_is_named(cli, served, url, hint):
    path = served.folder / "mentionable.toml"
    path.write_text(path.read_text().replace("sqlite:///mentionable.db", url))
    status, _, errors = cli("serve")

    assert (status, hint in errors) == (2, True), errors


def test_the_database_is_in_the_folder_of_the_configuration(served, monkeypatch):
    monkeypatch.chdir("/")

    assert database_url(served) == f"sqlite:///{served.folder}/mentionable.db"


def test_what_is_not_configured_is_not_imported(served):
    names = {one.name for one in transports_of(served)}

    assert "rest" in names
    assert not names & {"slack", "discord", "bluebubbles"}


def test_a_host_that_cannot_be_built_closes_its_database(served, monkeypatch):
    def refuses(host):
        raise ConfigError("no")

    monkeypatch.setattr("mentionable_host.build.transports_of", lambda config: [refuses])
    with pytest.raises(ConfigError, match="no"):
        build(served)


def test_any_asgi_server_can_serve_it(served, monkeypatch, capsys):
    from mentionable_host.asgi import app

    async def talk():
        application = app()
        async with application.router.lifespan_context(application):
            transport = httpx.ASGITransport(app=application)
            async with httpx.AsyncClient(transport=transport, base_url="https://mybot.example") as client:
                return await client.post("/rest/mybot", files={"user": (None, "Hello")}), await client.get("/")

    answered, led = asyncio.run(talk())
    assert (answered.status_code, led.headers.get("location")) == (200, "/actors/mybot")
    monkeypatch.setenv("MENTIONABLE_CONFIG", "nowhere.toml")
    with pytest.raises(SystemExit):
        app()
    assert "nowhere.toml cannot be read" in capsys.readouterr().err


def test_one_of_several_processes_listens_for_mail(served, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    assert asgi._is_first(served)
    assert not asgi._is_first(served)


def test_a_lock_that_somebody_put_elsewhere_is_refused(served, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    asgi._is_first(served)
    (lock,) = tmp_path.glob("*.lock")
    lock.unlink()
    lock.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ConfigError, match="cannot be locked"):
        asgi._is_first(served)


def test_a_mail_port_that_is_taken_is_named_before_processes_are_started(cli, served):
    with socket.create_server(("127.0.0.1", 0)) as other:
        path = served.folder / "mentionable.toml"
        place = f"127.0.0.1:{other.getsockname()[1]}"
        path.write_text(path.read_text().replace('smtp = ""', f'smtp = "{place}"'))
        status, _, errors = cli("serve", "--reload")

    assert status == 2
    assert f"mail.smtp is '{place}', where nothing can listen" in errors
    assert "write another port to mail.smtp" in errors


def test_a_program_that_is_named_like_a_file_is_told_how_it_is_written(cli, served):
    path = served.folder / "mentionable.toml"
    path.write_text(path.read_text().replace('"agent:agent"', '"agent.py"'))
    status, _, errors = cli("serve")

    assert (status, "agent.program is 'agent.py': write 'agent:agent'" in errors) == (2, True), errors


def test_any_asgi_server_is_told_in_a_line_that_the_file_is_worked_on(served):
    sent = []

    async def receive():
        return {"type": "lifespan.startup"}

    async def send(message):
        sent.append(message)

    with worked_on_alone(Path("mentionable.db")), pytest.raises(ConfigError):
        asyncio.run(asgi.app()({"type": "lifespan", "state": {}}, receive, send))

    (failed,) = sent
    assert failed["type"] == "lifespan.startup.failed"
    assert failed["message"].startswith("mentionable-host: ")
    assert "mentionable.db is worked on already" in failed["message"]
    assert "Traceback" not in failed["message"]
