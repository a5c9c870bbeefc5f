"""The programs of docs/embed.md serve the agent beside their own pages."""

import asyncio
import re
import sys
from pathlib import Path

import httpx
import pytest
from a2a_calls import URL, message, rpc
from devices import Device, contents
from loopback import free_socket, serving

from mentionable_host.cli import new

PAGE = (Path(__file__).parents[1] / "docs" / "embed.md").read_text("utf-8")
FASTAPI, DJANGO, NOTIFYING = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def run(tmp_path, key_folder, monkeypatch):
    """Asks what a program serves, in the folder of a new project."""
    monkeypatch.setattr(new, "make_keys", lambda folder: (folder / "keys").symlink_to(key_folder / "keys"))
    new.write_project(tmp_path / "helper")
    monkeypatch.chdir(tmp_path / "helper")
    monkeypatch.syspath_prepend(tmp_path / "helper")

    async def asked(app, lifespan):
        transport = httpx.ASGITransport(app=app)
        async with lifespan(app), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            answer = await client.post(
                URL, json=rpc("SendMessage", message=message("Hi")), headers={"a2a-version": "1.0"}
            )
            return (await client.get("/")).text, answer.json()["result"]["task"]

    def program(text, asked=asked):
        names = {}
        exec(compile(text, "embed.md", "exec"), names)
        return asyncio.run(asked(names["app"], names["host"].running))

    yield program
    sys.modules.pop("agent", None)


def test_an_application_of_fastapi_has_the_agent(run):
    pytest.importorskip("fastapi")
    own, task = run(FASTAPI)

    assert own == '"Mine."'
    assert task["artifacts"][0]["parts"][0]["text"] == "You wrote: Hi"


def test_an_application_of_django_has_the_agent(run, monkeypatch):
    pytest.importorskip("django")
    Path("mysite").mkdir()
    Path("mysite/settings.py").write_text("SECRET_KEY = 'x'\nROOT_URLCONF = 'mysite.urls'\nALLOWED_HOSTS = ['*']\n")
    Path("mysite/urls.py").write_text(
        "from django.http import HttpResponse\nfrom django.urls import path\n"
        "urlpatterns = [path('', lambda request: HttpResponse('Mine.'))]\n"
    )
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "mysite.settings")
    own, task = run(DJANGO)

    assert own == "Mine."
    assert task["artifacts"][0]["parts"][0]["text"] == "You wrote: Hi"


def test_an_application_of_fastapi_notifies_its_users(run):
    pytest.importorskip("fastapi")

    async def asked(app, lifespan):
        listening, url = free_socket()
        async with serving(app, listening), httpx.AsyncClient(base_url=url, trust_env=False) as http:
            token = await http.get("/my-token")
            async with Device(http, token=token.text).stream() as stream:
                await stream.take(1)
                ordered = await http.post("/orders")
                shown = await stream.take(1)
            return token.headers["cache-control"], ordered.json(), shown

    cached, id, shown = run(NOTIFYING, asked)

    assert (cached, contents(shown)) == ("no-store", ["Your order is on its way."])
    assert id == shown[0].item.id
