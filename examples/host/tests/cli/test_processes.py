"""Real processes: what takes messages in, and what answers them, end as they should and share one database."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from itertools import count

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
            how = {"cwd": project, "env": environment, "stderr": log, "start_new_session": True}
            started.append(subprocess.Popen(command, **how))
        return started[-1]

    yield begin
    for one in started:
        with suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)  # with the processes that it has started
        one.wait()


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as place:
        return place.getsockname()[1]


async def ask(port, text, session="s1"):
    url = f"http://127.0.0.1:{port}/rest/mybot"
    files = {"session": (None, session), "user": (None, text)}
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
            for number in count():  # who asks the same again and again gets no answer
                if (await ask(port, f"And now? {number}", f"s{number}")).text.startswith("You said"):
                    return
                await asyncio.sleep(0.2)

    assert before.startswith("You wrote")
    asyncio.run(until_changed())
    assert ended(serving) == 0


def test_some_processes_take_messages_in_and_others_answer_them(start, port, project, request):
    try:
        url = request.getfixturevalue("postgres").new_database()
    except pytest.FixtureLookupError:
        pytest.skip("these tests have no PostgreSQL server")
    with socket.create_server(("127.0.0.1", 0)) as place:
        smtp = place.getsockname()[1]
    text = (project / "mentionable.toml").read_text().replace("sqlite:///mentionable.db", url)
    (project / "mentionable.toml").write_text(text.replace('smtp = ""', f'smtp = "127.0.0.1:{smtp}"'))
    web = start("serve", "--parts", "web", "--workers", "2", "--port", str(port))
    worker = start("serve", "--worker")

    async def all_of_them():
        return await asyncio.gather(*(ask(port, f"Question {number}", f"s{number}") for number in range(8)))

    answers = asyncio.run(all_of_them())

    assert [one.text.splitlines()[0] for one in answers] == [f"You wrote: Question {number}" for number in range(8)]
    with socket.create_connection(("127.0.0.1", smtp), timeout=SECONDS) as mail:  # one of the two listens for it
        assert mail.recv(3) == b"220"
    worker.kill()  # at any moment: another one takes over
    worker.wait()
    start("serve", "--worker")
    assert asyncio.run(ask(port, "Still there?")).text.startswith("You wrote: Still there?")
    assert ended(web) == 0
