"""What the page of notifications is made of, and what it asks the host for beside the stream."""

import ast
import asyncio
import inspect
import re
import sys
from datetime import timedelta
from importlib.resources import files
from pathlib import Path

import httpx
import pytest
from devices import ALICE, BOB, TEXT, browser, contents, served, told
from recorder import Recorder

from mentionable_host import Agent, Host
from mentionable_host.cli import new
from mentionable_host.cli.demo.events import EVENTS, DemoEvents, leave_some

OWN = {"sec-fetch-site": "same-origin"}
MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")


def agent_that(tell):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return "Hello"

    agent.on_notice(tell)
    return agent


def test_the_page_names_files_that_are_there_and_holds_no_script_or_style(notified):
    host = notified(own={"display_name": "<b>Helper</b>"})

    async def story():
        async with served(host) as url, browser(host, url) as one:
            page = await one.http.get("/notifications")
            asked = re.findall(r'(?:src|href)="(/[^"]*)"', page.text)
            return page, [(path, await one.http.get(path)) for path in asked]

    page, found = told(story)

    assert page.status_code == 200
    assert [path for path, got in found if got.status_code != 200] == []
    assert len(found) == 3
    assert "<b>" not in page.text
    assert not re.search(r"<style|<script(?! type=\"module\" src=)| style=| on[a-z]+=", page.text)
    assert "data-event" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_modules_of_the_page_import_files_that_are_there_and_write_no_markup():
    folder = files("mentionable_host.notifications").joinpath("static")
    names = {one.name for one in folder.iterdir()}
    for name in names:
        if name.endswith(".js"):
            text = folder.joinpath(name).read_text("utf-8")
            assert {*re.findall(r'from "\./([^"]+)"', text)} <= names, name
            assert not re.search(
                r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text
            ), name


def test_whoever_is_not_signed_in_sees_how_to_sign_in(notified):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one:
            one.http.cookies.clear()
            return await one.http.get("/notifications"), await one.http.get("/notifications/html?id=e1")

    page, html = told(story)

    assert (page.status_code, html.status_code) == (401, 401)
    assert "mentionable-host link PERSON" in page.text


def test_what_the_agent_says_is_html_for_its_person_alone_and_what_plugins_say_is_not(notified):
    words = "**Come** at eight, <script>alert(1)</script>"
    host = notified(agent=agent_that(lambda notice, context: words))

    async def story():
        async with (
            served(host) as url,
            browser(host, url) as one,
            browser(host, url, BOB) as other,
            one.stream() as stream,
        ):
            await host.notify(ALICE, TEXT)
            await host.notify(ALICE, "A backup.", by="system")
            items = {one.item.content: one.item.id for one in (await stream.take(3))[1:]}
            ask = "/notifications/html"
            return (
                await one.http.get(ask, params={"id": items[words]}),
                await other.http.get(ask, params={"id": items[words]}),
                await one.http.get(ask, params={"id": items["A backup."]}),
                await one.http.get(ask),
            )

    own, *others = told(story)

    assert own.json()["revision"] == 1
    assert "<strong>Come</strong>" in own.json()["html"]
    assert "<script" not in own.json()["html"]
    assert [got.status_code for got in others] == [404, 404, 404]


def test_what_the_watchdog_showed_is_among_what_was_settled(notified, world):
    host = notified()

    async def story():
        async with served(host) as url, browser(host, url) as one, one.stream() as stream:
            await host.notify(ALICE, TEXT, within=timedelta(seconds=5))
            world.advance(seconds=6)
            host.wake()
            _, *items = await stream.take(3, seconds=10)
            await one.see(items[-1].item)
            return contents(items), (await one.http.get("/notifications/events")).json()["events"]

    items, settled = told(story)

    assert items == ["escalated", TEXT]
    assert [(event["content"], event["lease"], event["settled"]) for event in settled] == [(TEXT, 2, "seen")]


def test_the_page_about_it_names_what_is_there():
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / "notifications-page.md").read_text("utf-8")
    page = files("mentionable_host.notifications").joinpath("templates", "notifications.html").read_text("utf-8")

    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (docs / target).exists(), target
    for label in re.findall(r"^\| ([A-Z][^|]*) \|", text, re.MULTILINE):
        assert f">{label}</button>" in page, label
    _, notify, tell = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for call in ast.walk(ast.parse(notify, mode="exec")):
        if isinstance(call, ast.Call):
            names = {one.arg for one in call.keywords}
            assert names <= {*inspect.signature(Host.notify).parameters}, names
    agent = Agent()
    exec(tell, {"agent": agent})
    assert agent.notice_handler is not None


@pytest.fixture
def application(tmp_path, key_folder, monkeypatch):
    """The program of the page, in the folder of a new project."""
    pytest.importorskip("fastapi")
    monkeypatch.setattr(new, "make_keys", lambda folder: (folder / "keys").symlink_to(key_folder / "keys"))
    new.write_project(tmp_path / "mybot")
    monkeypatch.chdir(tmp_path / "mybot")
    monkeypatch.syspath_prepend(tmp_path / "mybot")
    text = (Path(__file__).parents[2] / "docs" / "notifications-page.md").read_text("utf-8")
    names = {}
    exec(re.search(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1], names)
    yield names
    sys.modules.pop("agent", None)


def test_the_program_of_the_page_about_it_sends_events_and_makes_tokens(application):
    async def story():
        transport = httpx.ASGITransport(app=application["app"])
        async with (
            application["host"].running(),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
        ):
            page = await client.get("/notifications")
            ids = [(await client.post(f"/order?number={number}")).json() for number in (1, 1, 2)]
            bearer = {"authorization": f"Bearer {(await client.get('/my-token')).text}"}
            seen = {"kind": "displayed", "id": ids[0], "lease": 1, "revision": 1}
            results = (await client.post("/notifications/client", json=[seen, seen], headers=bearer)).json()["results"]
            events = (await client.get("/notifications/events", headers=bearer)).json()["events"]
        return page, ids, results, events

    page, ids, results, events = asyncio.run(story())

    assert "You are not signed in here" in page.text
    assert (ids[0] == ids[1], ids[0] == ids[2]) == (True, False)
    assert [one["code"] for one in results] == [None, "already-terminal"]
    assert [(one["content"], one["settled"]) for one in events] == [("Parcel 1 is on its way.", "seen")]


@pytest.mark.parametrize("event", EVENTS)
def test_a_button_of_the_demo_sends_an_event_to_who_presses_it(notified, event):
    host = notified(Recorder, DemoEvents)

    async def story():
        async with served(host) as url, browser(host, url) as one, browser(host, url, BOB) as other:
            page = await one.http.get("/notifications")
            ask = f"/notifications/demo/{event}"
            refused = [
                await one.http.post(ask, headers={"sec-fetch-site": "cross-site"}),
                await one.http.post("/notifications/demo/other", headers=OWN),
            ]
            taken = await one.http.post(ask, headers=OWN)
            one.http.cookies.clear()
            refused.append(await one.http.post(ask, headers=OWN))
            strange = await other.http.get("/notifications/events")
            return page, taken, refused, strange

    page, taken, refused, strange = told(story)

    assert f'data-event="{event}"' in page.text
    assert taken.status_code == 202
    assert [got.status_code for got in refused] == [403, 404, 401]
    assert strange.json() == {"events": []}


def test_the_demo_without_its_page_sends_nothing(make_host):
    app = make_host(Recorder, DemoEvents).app()

    async def story():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://agents.example") as http:
            return await http.post("/notifications/demo/system", headers=OWN)

    assert told(story).status_code == 404


def test_the_agent_of_the_demo_tells_events_as_it_does_or_as_they_are(monkeypatch):
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    silent, speaking = Agent(), agent_that(lambda notice, context: f"News: {notice.content}")
    for agent in (silent, speaking):
        leave_some(agent)

    async def said(agent, event):
        notice = type("Notice", (), {"content": EVENTS[event].text})
        return await agent.tell(notice, None)

    assert asyncio.run(said(silent, "agent")) == "You should know: The parcel is at the door."
    assert asyncio.run(said(speaking, "agent")) == "News: The parcel is at the door."
    assert waited == []
    assert asyncio.run(said(speaking, "late")) == "News: The disk of the server is full."
    assert waited[0] > EVENTS["late"].within.total_seconds()
