"""The files that the host ships, in Chromium: its locks, its IndexedDB, its channels and its service worker."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import served
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import mentionable_host

pytestmark = pytest.mark.storm

STATIC = Path(mentionable_host.__file__).parent / "notifications" / "static"
PAGE = """<!doctype html><title>page</title><ul></ul><script type="module">
import { connect } from "/notifications/static/client.js";
const client = (window.client = connect()), list = document.querySelector("ul");
window.heard = [];
const draw = () => list.replaceChildren(...client.open().map((one) => {
  const item = document.createElement("li");
  item.textContent = one.id;
  return item;
}));
client.on("presentation", draw);
client.on("settled", draw);
client.on("heard", (one) => {
  window.heard.push(`${one.id}/${one.revision}/${one.lease}`);
  localStorage.heard = `${localStorage.heard ?? ""} ${one.id}/${one.revision}/${one.lease}`;
});
</script>"""
WORKER = """let shown = [];
registration.showNotification = async (title, { tag, silent = false }) => {
  const one = { title, tag, silent, close: () => (shown = shown.filter((other) => other !== one)) };
  shown = [...shown.filter((other) => other.tag !== tag), one];
  if (!silent) new BroadcastChannel("test").postMessage(`${title}: ${tag}`);
};
registration.getNotifications = async ({ tag } = {}) => shown.filter((one) => !tag || one.tag === tag);
importScripts("/notifications/static/worker.js");
"""
"""The worker that the host ships, with notifications that are none: a headless Chromium permits no others."""
HEARD = "(localStorage.heard ?? '').trim()"
LIST = "[...document.querySelectorAll('li')].map((one) => one.textContent).join(' ')"
PATIENCE = 15_000


class Stream:
    """A host with one human, whose stream is a list in memory."""

    def __init__(self) -> None:
        self.items: list[tuple[str, dict[str, Any]]] = []
        self.received: list[dict[str, Any]] = []
        self.cuts = 0

    def present(self, id: str, revision: int = 1, lease: int = 1) -> None:
        self.items.append(
            (
                "presentation",
                {"id": id, "revision": revision, "lease": lease, "surface": "inbox", "user_id": "olivia"}
                | {"content": f"Words of {id}.", "replaces": revision > 1},
            )
        )

    def app(self) -> Starlette:
        routes = [
            Route("/notifications", lambda _: HTMLResponse(PAGE)),
            Route("/notifications/stream", self.stream),
            Route("/notifications/client", self.client, methods=["POST"]),
            Route("/worker.js", lambda _: Response(WORKER, media_type="text/javascript")),
            Mount("/notifications/static", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes)

    async def stream(self, request: Request) -> Response:
        after = int(request.headers.get("Last-Event-ID", "0"))

        async def events() -> Any:
            place, cuts = after, self.cuts
            yield _event("ready", {"user_id": "olivia", "agent": "Helper", "device": "d1"})
            while cuts == self.cuts and not await request.is_disconnected():
                for event, data in self.items[place:]:
                    place += 1
                    yield _event(event, data, place)
                await asyncio.sleep(0.02)

        return StreamingResponse(events(), media_type="text/event-stream")

    async def client(self, request: Request) -> Response:
        messages = await request.json()
        self.received += messages
        for one in messages:
            settled = {"kind": "settled", "how": "acknowledged", "surface": "inbox", "user_id": "olivia"}
            self.items.append(("settled", {**settled, **{name: one[name] for name in ("id", "revision", "lease")}}))
        return JSONResponse({"results": [{"id": one["id"], "code": None} for one in messages]})


def _event(event: str, data: object, place: int | None = None) -> str:
    number = "" if place is None else f"id: {place}\n"
    return f"event: {event}\n{number}data: {json.dumps(data)}\n\n"


@pytest.fixture
def stream() -> Stream:
    return Stream()


@pytest.fixture
def url(stream: Stream) -> Iterator[str]:
    with served(stream.app()) as url:
        yield f"{url}/notifications"
        stream.cuts += 1


@pytest.fixture
def profile(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def opened(profile: Any, url: str) -> Any:
    page = profile.new_page()
    page.goto(url)
    return page


def until(page: Any, expression: str, value: object) -> None:
    page.wait_for_function(f"{expression} === {json.dumps(value)}")


def test_two_tabs_display_the_same_over_one_connection_and_one_of_them_hears(profile, url, stream):
    one, two = opened(profile, url), opened(profile, url)
    stream.present("e1")
    stream.present("e2")
    for page in (one, two):
        until(page, LIST, "e1 e2")
    until(one, HEARD, "e1/1/1 e2/1/1")
    assert sorted(one.evaluate("heard") + two.evaluate("heard")) == ["e1/1/1", "e2/1/1"]
    assert [page.evaluate("client.state.isLeader") for page in (one, two)].count(True) == 1


def test_what_is_acknowledged_in_one_tab_vanishes_in_the_other_and_on_another_device(browser, profile, url, stream):
    one, two = opened(profile, url), opened(profile, url)
    other = browser.new_context()
    three = opened(other, url)
    stream.present("e1")
    for page in (one, two, three):
        until(page, LIST, "e1")
    two.evaluate("client.acknowledge('e1')")
    for page in (one, two, three):
        until(page, LIST, "")
    until(three, HEARD, "e1/1/1")
    assert len(stream.received) == 1
    other.close()


def test_a_tab_takes_over_from_one_that_is_closed_and_a_reload_hears_nothing_again(profile, url, stream):
    one, two = opened(profile, url), opened(profile, url)
    stream.present("e1")
    until(two, LIST, "e1")
    one.close()
    stream.present("e2")
    until(two, LIST, "e1 e2")
    two.reload()
    until(two, LIST, "e1 e2")
    stream.cuts += 1
    stream.present("e3")
    until(two, LIST, "e1 e2 e3")
    until(two, HEARD, "e1/1/1 e2/1/1 e3/1/1")


def test_what_is_acknowledged_offline_is_sent_after_a_reload(profile, url, stream):
    page = opened(profile, url)
    stream.present("e1")
    until(page, LIST, "e1")
    profile.route("**/client", lambda route: route.abort())
    page.evaluate("client.acknowledge('e1')")
    until(page, LIST, "")
    assert stream.received == []
    profile.unroute("**/client")
    with page.expect_response("**/client"):
        page.reload()
    until(page, LIST, "")
    stream.present("e2")
    until(page, LIST, "e2")
    assert [one["id"] for one in stream.received] == ["e1"]


def test_a_clock_that_jumps_both_ways_changes_nothing(profile, url, stream):
    page = opened(profile, url)
    for i, jump in enumerate((10**9, -(10**9), 0), start=1):
        page.evaluate(f"{{ const now = Date.now; Date.now = () => now() + {jump * 1000}; }}")
        stream.present(f"e{i}")
        stream.cuts += 1
        until(page, HEARD, " ".join(f"e{j}/1/1" for j in range(1, i + 1)))


def test_where_storage_is_denied_two_tabs_hear_an_event_once_all_the_same(profile, url, stream):
    profile.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    one, two = opened(profile, url), opened(profile, url)
    stream.present("e1")
    for page in (one, two):
        until(page, LIST, "e1")
    assert one.evaluate("client.state.isStored") is False
    assert one.evaluate("heard") + two.evaluate("heard") == ["e1/1/1"]


def test_what_a_human_has_before_them_for_a_moment_is_acknowledged(profile, url, stream):
    page = opened(profile, url)
    stream.present("e1")
    until(page, LIST, "e1")
    page.evaluate("void client.observe(document.querySelector('li'), 'e1')")
    until(page, LIST, "")
    stream.present("e2")
    until(page, LIST, "e2")
    assert stream.received == [{"kind": "displayed", "id": "e1", "lease": 1, "revision": 1, "how": "rendered"}]


def test_a_push_is_shown_once_and_not_where_a_tab_has_heard_it(profile, url, stream):
    page = opened(profile, url)
    devtools, registrations = profile.new_cdp_session(page), []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.evaluate("""async () => {
      window.shown = [];
      new BroadcastChannel("test").onmessage = ({ data }) => window.shown.push(data);
      const worker = `/worker.js?url=${encodeURIComponent(location.href)}`;
      await navigator.serviceWorker.register(worker, { scope: "/notifications" });
      await navigator.serviceWorker.ready;
    }""")

    def push(id: str) -> None:
        text = json.dumps({**stream.items[0][1], "id": id})
        where = {"origin": url.removesuffix("/notifications"), "registrationId": registrations[0]["registrationId"]}
        devtools.send("ServiceWorker.deliverPushMessage", {**where, "data": text})

    stream.present("e1")
    until(page, HEARD, "e1/1/1")
    for id in ("e1", "e2", "e2", "e1", "e3"):
        push(id)
    until(page, LIST, "e1 e2 e3")
    until(page, "shown.join()", "Helper: e2,Helper: e3")
    stream.present("e2")
    stream.present("e3")
    stream.present("e4")
    until(page, HEARD, "e1/1/1 e4/1/1")
    assert page.evaluate("shown.length") == 2
