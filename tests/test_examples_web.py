"""The examples that speak HTTP run, with fakes in place of httpx and FastAPI."""

from __future__ import annotations

import asyncio
import json
import sys
import types
from datetime import UTC, datetime
from typing import Any

import pytest

from mentionable import (
    Failed,
    Fetch,
    FilePart,
    HttpRequest,
    HttpResponse,
    NormalizedResponse,
    activitypub,
    drive,
)
from mentionable.testing import Peer, answers
from tests.test_examples import load, with_key

ACTOR = {
    "@context": "https://www.w3.org/ns/activitystreams",
    "id": "https://social.example/users/alice",
    "type": "Person",
    "preferredUsername": "alice",
}


class FakeApp:
    """`fastapi.FastAPI`: keeps the routes."""

    def __init__(self) -> None:
        self.routes: dict[str, Any] = {}

    def post(self, path: str) -> Any:
        return lambda function: self.routes.setdefault(path, function)

    get = post


class FakeResponse:
    """`fastapi.Response`."""

    def __init__(self, content: Any = "", status_code: int = 200, headers: Any = None) -> None:
        self.content, self.status_code, self.headers = content, status_code, headers


class FakeTasks:
    """`fastapi.BackgroundTasks`."""

    def __init__(self) -> None:
        self.tasks: list[Any] = []

    def add_task(self, function: Any, *arguments: Any) -> None:
        self.tasks.append((function, arguments))


class FakeUrl:
    """`httpx.URL`, as much as is used of it."""

    def __init__(self, text: str) -> None:
        if len(text) > 100:
            raise FakeInvalidUrl("URL too long")
        self.text = text
        self.scheme, _, rest = text.partition("://")
        host, _, port = rest.partition("/")[0].partition(":")
        self.raw_host, self.port = host.encode(), int(port) if port else None

    def copy_with(self, *, host: str) -> str:
        return self.text.replace(self.raw_host.decode(), host, 1)

    def join(self, location: str) -> str:
        return location if "://" in location else f"https://{self.raw_host.decode()}{location}"


class FakeInvalidUrl(Exception):
    """`httpx.InvalidURL`."""


class FakeStream:
    """The answer of an HTTP server, for `httpx.AsyncClient.stream`."""

    def __init__(self, body: bytes, location: str | None) -> None:
        self.body = body
        self.status_code, self.headers = 200, {"content-type": "application/activity+json"}
        if location is not None:
            self.status_code, self.headers = 302, {"location": location}

    async def __aenter__(self) -> FakeStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def aiter_raw(self, size: int) -> Any:
        for start in range(0, len(self.body), size):
            yield self.body[start : start + size]


class FakeClient:
    """`httpx.AsyncClient`: knows one actor, and remembers how it was asked."""

    body = json.dumps(ACTOR).encode()
    asked: list[dict[str, Any]] = []
    redirects: list[str] = []

    def __init__(self, **settings: object) -> None:
        self.settings = settings

    async def __aenter__(self) -> FakeClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def stream(self, method: str, url: str, **more: Any) -> FakeStream:
        self.asked.append({"method": method, "url": url, **more, **self.settings})
        return FakeStream(self.body, self.redirects.pop(0) if self.redirects else None)


@pytest.fixture
def safe_fetch(monkeypatch):
    fakes = {"AsyncClient": FakeClient, "URL": FakeUrl, "HTTPError": OSError, "InvalidURL": FakeInvalidUrl}
    monkeypatch.setitem(sys.modules, "httpx", types.SimpleNamespace(**fakes))
    monkeypatch.setattr(FakeClient, "asked", [])
    monkeypatch.setattr(FakeClient, "redirects", [])
    module = load("safe_fetch")
    monkeypatch.setitem(sys.modules, "safe_fetch", module)
    return module


def fetched(
    module: Any, *addresses: str, url: str = ACTOR["id"], max_bytes: int = 1_000, purpose: str = "actor"
) -> Any:
    """What `fetch` answers when the name of the URL leads to these addresses."""
    ask = Fetch(url=url, accept="a/b", purpose=purpose, max_bytes=max_bytes)
    return in_a_world(lambda: module.fetch(ask), *addresses)


def in_a_world(what: Any, *addresses: str) -> Any:
    """What comes of it where every name leads to these addresses."""

    async def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
        assert (host, port) in (("social.example", 443), ("other.example", 443))
        return [(None, None, 6, "", (address, port)) for address in addresses]

    async def go() -> Any:
        asyncio.get_running_loop().getaddrinfo = getaddrinfo
        return await what()

    return asyncio.run(go())


def test_a_safe_fetch_connects_to_the_address_that_was_checked(safe_fetch):
    got = fetched(safe_fetch, "8.8.8.8", "2a00:1450:4001::1")
    assert (got.url, got.status, got.body) == (ACTOR["id"], 200, FakeClient.body)
    (asked,) = FakeClient.asked
    assert asked["url"] == "https://8.8.8.8/users/alice"
    assert asked["headers"] == {"host": "social.example", "accept": "a/b", "accept-encoding": "identity"}
    assert asked["extensions"] == {"sni_hostname": "social.example"}
    assert (asked["trust_env"], asked["follow_redirects"]) == (False, False)


@pytest.mark.parametrize("trap", ["127.0.0.1", "10.0.0.8", "169.254.169.254", "::1", "::ffff:10.0.0.1"])
def test_a_safe_fetch_goes_to_no_private_address(safe_fetch, trap):
    got = fetched(safe_fetch, "8.8.8.8", trap)
    assert got == Failed("OSError: social.example leads to an address that is not public")
    assert FakeClient.asked == []


def test_a_safe_fetch_stops_at_the_size_that_is_wanted(safe_fetch, monkeypatch):
    monkeypatch.setattr(FakeClient, "body", b" " * 2_000_000)
    assert len(fetched(safe_fetch, "8.8.8.8", max_bytes=100_000).body) == 2 * 65_536


def test_a_safe_fetch_ends_in_time(safe_fetch, monkeypatch):
    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(safe_fetch, "exchange", hang)
    monkeypatch.setattr(safe_fetch, "SECONDS", 0)
    assert isinstance(fetched(safe_fetch, "8.8.8.8"), Failed)


def test_a_safe_fetch_answers_for_urls_that_it_cannot_read(safe_fetch):
    assert fetched(safe_fetch, url=ACTOR["id"] + "x" * 100) == Failed("FakeInvalidUrl: URL too long")


@pytest.mark.parametrize(
    ("purpose", "locations", "url", "status"),
    [
        ("webfinger", ["https://other.example/y"], "https://other.example/y", 200),
        ("webfinger", ["/x", "https://other.example/y"], "https://social.example/x", 302),
        ("actor", ["https://other.example/y"], ACTOR["id"], 302),
    ],
)
def test_a_safe_fetch_follows_webfinger_alone_and_once(safe_fetch, purpose, locations, url, status):
    FakeClient.redirects += locations
    got = fetched(safe_fetch, "8.8.8.8", purpose=purpose)
    assert (got.url, got.status) == (url, status)
    assert len(FakeClient.asked) <= 2


def test_a_safe_fetch_follows_no_redirect_to_where_nothing_may_be_asked(safe_fetch):
    FakeClient.redirects.append("http://127.0.0.1/")
    assert isinstance(fetched(safe_fetch, "8.8.8.8", purpose="webfinger"), Failed)
    assert len(FakeClient.asked) == 1


@pytest.mark.parametrize(
    ("url", "trap", "status"),
    [
        ("https://social.example/inbox", "8.8.8.8", 200),
        ("https://social.example/inbox", "10.0.0.8", 503),
        ("http://social.example/inbox", "8.8.8.8", 503),
        ("https://social.example:8443/inbox", "8.8.8.8", 503),
    ],
    ids=["public", "private address", "no TLS", "another port"],
)
def test_a_safe_post_takes_the_same_care(safe_fetch, url, trap, status):
    request = HttpRequest(method="POST", url=url, headers={"content-type": "a/b"}, body=b"{}")
    answer = in_a_world(lambda: safe_fetch.post(request), trap)
    assert answer.status == status
    asked = [(one["method"], one["url"], one["content"], one["headers"]["host"]) for one in FakeClient.asked]
    assert asked == ([("POST", "https://8.8.8.8/inbox", b"{}", "social.example")] if status == 200 else [])


def test_a_safe_post_follows_nobody(safe_fetch):
    FakeClient.redirects.append("https://other.example/y")
    request = HttpRequest(method="POST", url="https://social.example/inbox", body=b"{}")
    assert in_a_world(lambda: safe_fetch.post(request), "8.8.8.8").status == 302
    assert len(FakeClient.asked) == 1


ALICE = Peer.activitypub("@alice@social.example")
HELPER = "https://agents.example/actors/helper"


@pytest.fixture
def inbox(safe_fetch, tmp_path, monkeypatch):
    """The example, with Alice as all the world; `posts` is what it posted, `statuses` what Alice's server says."""
    fastapi = types.SimpleNamespace(FastAPI=FakeApp, Request=object, Response=FakeResponse, BackgroundTasks=FakeTasks)
    monkeypatch.setitem(sys.modules, "fastapi", fastapi)
    with_key(tmp_path, monkeypatch)
    module = load("fastapi_inbox")
    module.posts, module.statuses, module.gets = [], [], []

    async def fetch(ask: Fetch, *, sign: Any) -> Any:
        module.gets.append(sign(ask.request))
        return answers(ALICE)(ask)

    async def post(request: HttpRequest) -> HttpResponse:
        module.posts.append(request)
        return HttpResponse(status=module.statuses.pop(0) if module.statuses else 202)

    monkeypatch.setattr(safe_fetch, "fetch", fetch)
    monkeypatch.setattr(safe_fetch, "post", post)
    monkeypatch.setattr(module, "PAUSES", (0, 0))
    return module


def delivered(
    module: Any, request: HttpRequest | None = None, *, text: str = "Hello", public: bool = False, padding: int = 0
) -> Any:
    """What the inbox answered to a delivery by Alice, after all that it does later."""
    if request is None:
        request = ALICE.write(text, to=module.PUBLIC if public else HELPER, now=datetime.now(UTC))
    read: list[int] = []

    async def stream() -> Any:
        yield request.body[:50]
        yield request.body[50:]
        for _ in range(padding):
            yield b" " * 65_536
            read.append(65_536)

    async def go() -> Any:
        headers = [(name.encode(), value.encode()) for name, value in request.headers]
        scope = {"type": "http", "method": "POST", "path": "/inbox", "query_string": b"", "headers": headers}
        tasks = FakeTasks()
        answer = await module.app.routes["/inbox"](types.SimpleNamespace(scope=scope, stream=stream), tasks)
        for function, arguments in tasks.tasks:
            await function(*arguments)
        return answer

    answer = asyncio.run(go())
    answer.read = sum(read)
    return answer


def test_the_agent_answers_a_delivery_that_is_signed(inbox, capsys):
    assert delivered(inbox).status_code == 202
    assert capsys.readouterr().out == "@alice@social.example to @helper@agents.example:\nHello\n"
    [post] = inbox.posts
    assert (post.url, json.loads(post.body)["type"]) == (f"{ALICE.actor}/inbox", "Create")
    assert (post.header("signature") or "").startswith(f'keyId="{HELPER}#main-key"')
    assert all(get.header("signature") for get in inbox.gets)


def test_the_agent_takes_what_nobody_signed_and_does_not_answer(inbox):
    signed = ALICE.write("Hello", to=HELPER, now=datetime.now(UTC))
    plain = HttpRequest(method="POST", url=signed.url, body=signed.body)
    assert delivered(inbox, plain).status_code == 202
    assert inbox.posts == []


def test_the_agent_answers_once_what_comes_twice(inbox):
    request = ALICE.write("Hello", to=HELPER, now=datetime.now(UTC))
    assert [delivered(inbox, request).status_code for _ in range(2)] == [202, 202]
    assert len(inbox.posts) == 1


def test_the_agent_falls_silent_in_a_thread_without_end(inbox, monkeypatch):
    monkeypatch.setattr(inbox, "TURNS", 0)
    assert delivered(inbox).status_code == 202
    assert inbox.posts == []


@pytest.mark.parametrize(
    ("statuses", "posts", "form"),
    [
        ([202], 1, "cavage"),
        ([401, 202], 2, "rfc9421"),
        ([401, 401], 2, None),
        ([503, 202], 2, "cavage"),
        ([410], 1, None),
    ],
    ids=["taken", "other form", "refused", "later", "gone"],
)
def test_the_agent_delivers_as_the_other_server_wants_it(inbox, statuses, posts, form):
    inbox.statuses += statuses
    delivered(inbox)
    assert len(inbox.posts) == posts
    assert inbox.forms.get("social.example") == form


def test_the_agent_begins_with_the_form_that_was_taken(inbox):
    inbox.forms["social.example"] = "rfc9421"
    inbox.statuses += [401, 202]
    delivered(inbox)
    assert [bool(post.header("signature-input")) for post in inbox.posts] == [True, False]


def test_the_agent_tries_only_for_some_time(inbox):
    inbox.statuses += [503] * 9
    delivered(inbox)
    assert len(inbox.posts) == 2


def test_a_reply_to_the_answer_finds_it_without_a_request(inbox):
    delivered(inbox)
    note = json.loads(inbox.posts[0].body)["object"]
    reply = ALICE.write("Thanks", to=HELPER, now=datetime.now(UTC), in_reply_to=note["id"])
    delivered(inbox, reply)
    assert not any("agents.example" in get.url for get in inbox.gets)
    _, second = (json.loads(post.body)["object"] for post in inbox.posts)
    row = inbox.stored[second["id"], "@helper@agents.example"]
    assert row.thread_id == inbox.stored[note["id"], "@helper@agents.example"].thread_id


def test_the_agent_refuses_deliveries_for_others(inbox):
    request = ALICE.write("Hello", to="https://agents.example/actors/nobody", now=datetime.now(UTC))
    answer = delivered(inbox, request)
    assert (answer.status_code, answer.content) == (404, "no-served-recipient")


def test_the_agent_stops_reading_deliveries_that_are_too_large(inbox):
    answer = delivered(inbox, padding=100)
    assert answer.status_code == 413
    assert answer.read < 1_200_000


def test_the_agent_is_found_by_its_address(inbox):
    path = "/.well-known/webfinger"
    document = inbox.app.routes["/{path:path}"]

    def webfinger(resource: str) -> FakeResponse:
        query = f"resource={resource}".encode()
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": []}
        return inbox.app.routes[path](types.SimpleNamespace(scope=scope))

    assert webfinger("acct:nobody@agents.example").status_code == 404
    assert webfinger(HELPER).status_code == 200
    table = {
        "GET https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example": {
            "content_type": "application/jrd+json",
            "json": json.loads(webfinger("acct:helper@agents.example").content),
        },
        f"GET {HELPER}": {
            "content_type": "application/activity+json",
            "json": json.loads(document("actors/helper").content),
        },
    }
    found = drive(activitypub.find_actor("@helper@agents.example"), answers(lookups=table))
    assert isinstance(found, activitypub.Actor)
    assert found.shared_inbox == "https://agents.example/inbox"
    assert {urlpath(found.inbox), urlpath(found.shared_inbox)} <= inbox.app.routes.keys()


def urlpath(url: str) -> str:
    return url.removeprefix("https://agents.example")


@pytest.mark.parametrize("name", ["outbox", "followers", "following"])
def test_the_collections_of_the_agent_are_there_and_empty(inbox, name):
    found = json.loads(inbox.app.routes["/{path:path}"](f"actors/helper/{name}").content)
    assert (found["id"], found["type"], found["totalItems"]) == (f"{HELPER}/{name}", "OrderedCollection", 0)


def test_an_answer_is_served_to_all_when_it_is_for_all(inbox):
    delivered(inbox)
    private = json.loads(inbox.posts[0].body)["object"]
    route = inbox.app.routes["/{path:path}"]
    assert route(urlpath(private["id"])[1:]).status_code == 404
    public = {**private, "cc": [inbox.PUBLIC]}
    inbox.answers[private["id"]] = public
    assert json.loads(route(urlpath(private["id"])[1:]).content) == public


def test_files_are_served_so_that_they_do_nothing(inbox, monkeypatch):
    def with_file(message: Any) -> NormalizedResponse:
        return NormalizedResponse.to(message, FilePart.of(b"1,2", mime="text/csv", name="rain.csv"))

    monkeypatch.setattr(inbox, "answer", with_file)
    delivered(inbox)
    [url] = inbox.files
    route = inbox.app.routes["/files/{name}"]
    served = route(url.rpartition("/")[2])
    assert (served.content, served.headers["content-disposition"]) == (b"1,2", "attachment")
    assert route("nothing").status_code == 404
