"""`link`, and processes to whose streams it leads."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import httpx
import pytest

SECONDS = 60
OWN = {"sec-fetch-site": "same-origin"}
EMBEDDED = """
from pathlib import Path

from starlette.applications import Starlette

from mentionable_host import Config
from mentionable_host.build import build

host = build(Config.load(Path("mentionable.toml")))
app = Starlette(routes=host.routes(), lifespan=host.running)
"""


def test_a_link_is_printed_for_a_person(project, cli, no_internet):
    status, said, errors = cli("link", "alice@a.example")

    assert (status, errors) == (0, "")
    assert said.startswith("https://mybot.example/notifications/sign-in?code=")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("words", ["a.example", "", "https://a.example/users/alice"])
def test_only_a_person_has_a_link(project, cli, no_internet, words):
    status, said, errors = cli("link", words)

    assert (status, said) == (2, "")
    assert errors.startswith("mentionable-host: ")


@pytest.mark.storm
@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "mentionable_host", "serve", "--port"],
        [sys.executable, "-m", "uvicorn", "--factory", "mentionable_host.asgi:app", "--port"],
        [sys.executable, "-m", "uvicorn", "--lifespan", "on", "embedded:app", "--port"],
    ],
)
def test_a_process_ends_at_once_though_streams_are_open(project, cli, command, own_logs):
    text = (project / "mentionable.toml").read_text().replace("127.0.0.1:2525", "")
    (project / "mentionable.toml").write_text(text)
    (project / "embedded.py").write_text(EMBEDDED)
    code = httpx.URL(cli("link", "alice@a.example")[1].strip()).params["code"]
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = str(place.getsockname()[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([*command, port], cwd=project, env=environment, start_new_session=True)

    async def story():
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http,
        ):
            while True:
                with suppress(httpx.TransportError):
                    got = await http.post("/notifications/sign-in", data={"code": code}, headers=OWN)
                    break
                await asyncio.sleep(0.05)
            assert got.status_code == 303, got.text
            async with http.stream("GET", "/notifications/stream") as stream:
                chunks = stream.aiter_bytes()
                assert b"ready" in await anext(chunks)
                process.send_signal(signal.SIGTERM)
                began = time.monotonic()
                async for _ in chunks:
                    pass
                return began

    try:
        began = asyncio.run(story())
        process.wait(SECONDS)
        assert time.monotonic() - began < 5
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
