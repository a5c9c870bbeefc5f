"""The examples that bring a server of their own run: examples/fastapi_inbox.py and smtp_hook.py of the repository."""

import asyncio
import importlib.util
from pathlib import Path

import aiosmtplib
import pytest
from fastapi.testclient import TestClient
from loopback import free_socket
from mail_peers import ALICE, HELPER, publish
from sqlalchemy import select

from mentionable_host.cli import main
from mentionable_host.store.tables import messages
from mentionable_host.world import internet

EXAMPLES = Path(__file__).resolve().parents[2]


@pytest.fixture
def load(tmp_path, monkeypatch, world):
    """Loads an example as a program of a new project; what is outside is made up."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "helper", "--domain", "agents.example"]) == 0
    monkeypatch.chdir(tmp_path / "helper")
    settings = Path("mentionable.toml")
    settings.write_text(settings.read_text().replace('smtp = "127.0.0.1:2525"', ""))
    monkeypatch.setattr(internet, "Internet", lambda: world)

    def load_one(name):
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load_one


def test_the_application_serves_the_agent_and_its_own_routes(load):
    module = load("fastapi_inbox")
    with TestClient(module.app, base_url="https://agents.example") as client:
        found = client.get("/.well-known/webfinger?resource=acct:helper@agents.example").json()
        (actor,) = [link["href"] for link in found["links"] if link["rel"] == "self"]
        assert client.get(actor).json()["preferredUsername"] == "helper"
        assert client.post("/inbox", content=b"{}").status_code == 400
        assert client.get("/weather").json() == {"tomorrow": "rain"}
    module.host.database.close()


def test_the_hook_says_250_when_a_mail_is_stored_and_refuses_what_nobody_signed(load, world, monkeypatch):
    publish(world)
    module, opened = load("smtp_hook"), []
    open_database = module.open_database
    monkeypatch.setattr(module, "open_database", lambda config: opened.append(open_database(config)) or opened[0])

    async def talk():
        listening, _ = free_socket()
        port = listening.getsockname()[1]
        listening.close()
        serving = asyncio.create_task(module.main(port))
        signed = ALICE.write("Will it rain?", to=HELPER, now=world.now())
        said = []
        for raw in (signed, signed.replace(b"rain", b"snow")):
            for _ in range(100):
                client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False)
                try:
                    await client.connect()
                except aiosmtplib.SMTPConnectError:
                    await asyncio.sleep(0.01)
                else:
                    break
            try:
                await client.sendmail("alice@a.example", ["helper@agents.example"], raw)
                said.append(250)
            except aiosmtplib.SMTPResponseException as error:
                said.append(error.code)
            client.close()
        rows = await opened[0].read(lambda db: db.execute(select(messages.c.sender)).scalars().all())
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return said, rows

    said, rows = asyncio.run(talk())
    opened[0].close()

    assert said == [250, 550]
    assert "@alice@a.example" in rows
