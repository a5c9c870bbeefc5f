"""Real processes: what takes messages in, and what answers them, end as they should and share one database."""

import asyncio
import os
import signal
import socket
import subprocess
import sys

import httpx
import pytest

pytestmark = pytest.mark.storm

SECONDS = 60


@pytest.fixture
def start(project):
    """Starts a command in the folder of the project; what still runs at the end is killed."""
    text = (project / "mentionable.toml").read_text().replace("127.0.0.1:2525", "")
    (project / "mentionable.toml").write_text(text)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = []

    def begin(*words):
        command = [sys.executable, "-m", "mentionable_host", *words]
        with (project / f"{len(started)}.log").open("wb") as log:
            started.append(subprocess.Popen(command, cwd=project, env=environment, stderr=log))
        return started[-1]

    yield begin
    for one in started:
        one.kill()
        one.wait()


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as place:
        return place.getsockname()[1]


async def ask(port, text):
    url = f"http://127.0.0.1:{port}/rest/mybot"
    files = {"session": (None, "s1"), "user": (None, text)}
    async with asyncio.timeout(SECONDS), httpx.AsyncClient(trust_env=False, timeout=SECONDS) as client:
        while True:
            try:
                return await client.post(url, headers={"accept": "text/markdown"}, files=files)
            except httpx.TransportError:
                await asyncio.sleep(0.05)


def ended(process):
    process.send_signal(signal.SIGTERM)
    return process.wait(SECONDS)


def test_one_process_serves_and_ends(start, port):
    serving = start("serve", "--port", str(port))

    assert asyncio.run(ask(port, "Will it rain?")).text.startswith("You wrote: Will it rain?")
    assert ended(serving) == 0


def test_a_change_of_the_program_is_served_without_a_new_start(start, port, project):
    serving = start("serve", "--reload", "--port", str(port))
    before = asyncio.run(ask(port, "Will it rain?")).text
    program = project / "agent.py"
    program.write_text(program.read_text().replace("You wrote", "You said"))

    async def until_changed():
        async with asyncio.timeout(SECONDS):
            while not (await ask(port, "And now?")).text.startswith("You said"):
                await asyncio.sleep(0.05)

    assert before.startswith("You wrote")
    asyncio.run(until_changed())
    assert ended(serving) == 0


def test_some_processes_take_messages_in_and_others_answer_them(start, port, project, request):
    try:
        url = request.getfixturevalue("postgres").new_database()
    except pytest.FixtureLookupError:
        pytest.skip("these tests have no PostgreSQL server")
    text = (project / "mentionable.toml").read_text()
    (project / "mentionable.toml").write_text(text.replace("sqlite:///mentionable.db", url))
    web = start("serve", "--parts", "web", "--workers", "2", "--port", str(port))
    worker = start("serve", "--worker")

    async def all_of_them():
        return await asyncio.gather(*(ask(port, f"Question {number}") for number in range(8)))

    answers = asyncio.run(all_of_them())

    assert [one.text.splitlines()[0] for one in answers] == [f"You wrote: Question {number}" for number in range(8)]
    worker.kill()  # at any moment: another one takes over
    worker.wait()
    start("serve", "--worker")
    assert asyncio.run(ask(port, "Still there?")).text.startswith("You wrote: Still there?")
    assert ended(web) == 0
