"""The examples that speak HTTP run for real, over TLS on loopback; a server made with Fedify is the other side."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import sys
import threading
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import Failed, Fetch, Fetched, FilePart, HttpRequest, HttpResponse, NormalizedResponse
from mentionable.testing import Peer
from tests import setup_interop
from tests.interop.foreign import HERE, Foreign, needs
from tests.test_examples import load, with_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HELPER, ALICE = "@helper@agents.example", "https://social.example/users/alice"
ACTOR = "https://agents.example/actors/helper"


class Tls:
    """A certificate for some names and for loopback, which nobody else trusts."""

    def __init__(self, folder: Path, *names: str) -> None:
        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "loopback")])
        hosts = [*map(x509.DNSName, names), x509.IPAddress(ip_address("127.0.0.1"))]
        builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
        builder = builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        self.pem = builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()
        self.key = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        self.file = folder / "tls.pem"
        self.file.write_text(self.pem + self.key)
        self.trusting = ssl.create_default_context(cadata=self.pem)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    return Tls(tmp_path_factory.mktemp("tls"), "agents.example", "social.example", "other.example")


@pytest.fixture(scope="module")
def safe_fetch(tls: Tls) -> Any:
    return fetch_on_loopback(tls)


def fetch_on_loopback(tls: Tls) -> Any:
    """The example; `ports` says where on loopback a name leads to, and all other names are looked up."""
    module = load("safe_fetch")
    place, module.ports, module.TLS = module.place, {}, tls.trusting

    async def nearby(host: str) -> tuple[str, int]:
        port = module.ports.get(host)
        found: tuple[str, int] = await place(host) if port is None else ("127.0.0.1", port)
        return found

    module.place = nearby
    return module


class Web:
    """A server at social.example and other.example: path → what lies there, and what it was asked."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.silent: set[str] = set()
        self.is_over = threading.Event()
        self._news = threading.Condition()

    def is_asked(self, path: str) -> bool:
        """Whether somebody asks for it, soon."""
        with self._news:
            return self._news.wait_for(lambda: path in [one.partition("?")[0] for _, one, *_ in self.asked], 20)

    @contextmanager
    def served(self, tls: Tls) -> Iterator[int]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(int(headers.get("content-length", 0)))
                with web._news:
                    web.asked.append((self.command, self.path, headers, body))
                    web._news.notify_all()
                if self.path.partition("?")[0] in web.silent:
                    web.is_over.wait(10)
                status, more, page = web.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in {**more, "content-length": str(len(page))}.items():
                    self.send_header(name, value)
                try:
                    self.end_headers()
                    self.wfile.write(page)
                except OSError:  # the client had enough
                    self.close_connection = True

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls.file)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.server_port
        finally:
            self.is_over.set()
            server.shutdown()
            thread.join(10)
            server.server_close()


@pytest.fixture
def web(tls: Tls, safe_fetch: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    found = Web()
    with found.served(tls) as port:
        monkeypatch.setattr(safe_fetch, "ports", {"social.example": port, "other.example": port, "evil.example": port})
        yield found


def fetched(module: Any, url: str = ALICE, *, max_bytes: int = 1_000, purpose: str = "actor") -> Any:
    """What `fetch` of the example answers."""
    return asyncio.run(module.fetch(Fetch(url=url, accept="a/b", purpose=purpose, max_bytes=max_bytes)))


def test_a_safe_fetch_brings_what_lies_there(safe_fetch: Any, web: Web) -> None:
    web.pages["/users/alice?x=1"] = (200, {"content-type": "application/activity+json"}, b"{}")
    got = fetched(safe_fetch, f"{ALICE}?x=1")
    assert got == Fetched(url=f"{ALICE}?x=1", status=200, content_type="application/activity+json", body=b"{}")
    [(method, _, headers, _)] = web.asked
    assert (method, headers["host"], headers["accept"]) == ("GET", "social.example", "a/b")
    assert headers["accept-encoding"] == "identity"


def test_a_safe_fetch_believes_no_certificate_of_another_name(safe_fetch: Any, web: Web) -> None:
    assert "certificate" in fetched(safe_fetch, "https://evil.example/").reason
    assert web.asked == []


@pytest.mark.parametrize(
    ("addresses", "found"),
    [
        (("8.8.8.8", "2a00:1450:4001::1"), ("8.8.8.8", 443)),
        *[(("8.8.8.8", trap), None) for trap in ("127.0.0.1", "10.0.0.8", "169.254.169.254", "::1", "::ffff:10.0.0.1")],
    ],
)
def test_a_safe_fetch_goes_to_no_private_address(
    addresses: tuple[str, ...], found: tuple[str, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
        return [(None, None, 6, "", (address, port)) for address in addresses]

    async def go() -> Any:
        module = load("safe_fetch")
        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return await module.place("social.example")

    if found is None:
        with pytest.raises(OSError, match=r"social\.example leads to an address that is not public"):
            asyncio.run(go())
    else:
        assert asyncio.run(go()) == found


def test_a_safe_fetch_stops_at_the_size_that_is_wanted(safe_fetch: Any, web: Web) -> None:
    web.pages["/users/alice"] = (200, {}, b" " * 2_000_000)
    assert len(fetched(safe_fetch, max_bytes=100_000).body) == 2 * 65_536


def test_a_safe_fetch_ends_in_time(safe_fetch: Any, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_fetch, "SECONDS", 0.3)
    web.silent.add("/users/alice")
    assert fetched(safe_fetch) == Failed("TimeoutError: ")


@pytest.mark.parametrize(
    ("purpose", "first", "second", "url", "status"),
    [
        ("webfinger", "https://other.example/y", None, "https://other.example/y", 200),
        ("webfinger", "/y", "https://other.example/z", "https://social.example/y", 302),
        ("actor", "https://other.example/y", None, ALICE, 302),
    ],
)
def test_a_safe_fetch_follows_webfinger_alone_and_once(
    safe_fetch: Any, web: Web, purpose: str, first: str, second: str | None, url: str, status: int
) -> None:
    web.pages["/users/alice"] = (302, {"location": first}, b"")
    web.pages["/y"] = (200, {}, b"") if second is None else (302, {"location": second}, b"")
    got = fetched(safe_fetch, purpose=purpose)
    assert (got.url, got.status, "/z" in [path for _, path, *_ in web.asked]) == (url, status, False)


def test_a_safe_fetch_follows_no_redirect_to_where_nothing_may_be_asked(safe_fetch: Any, web: Web) -> None:
    web.pages["/users/alice"] = (302, {"location": "http://127.0.0.1/"}, b"")
    assert isinstance(fetched(safe_fetch, purpose="webfinger"), Failed)
    assert len(web.asked) == 1


@pytest.mark.parametrize(
    "location",
    ["https:////[", "https:////[::1]x/", "https://[", "//[v1.]/", "https://a.example:99999/", "\\", "?" * 70_000, "x:"],
)
def test_a_redirect_to_no_url_is_a_fetch_that_failed(monkeypatch: pytest.MonkeyPatch, location: str) -> None:
    module = load("safe_fetch")

    async def exchange(*_: Any) -> HttpResponse:
        return HttpResponse(status=302, headers={"location": location})

    monkeypatch.setattr(module, "exchange", exchange)
    assert isinstance(fetched(module, purpose="webfinger"), Failed)


@pytest.mark.parametrize("url", ["https://[", "https:////[", f"https://{'a' * 70}.example/", "https://a..example/"])
def test_no_url_raises_in_a_safe_post(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    module = load("safe_fetch")
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_, **__: [*host.encode("idna")][:0])
    request = HttpRequest(method="POST", url=url, body=b"{}")
    assert asyncio.run(module.post(request)).status == 503


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("https://social.example/inbox", 302),
        ("https://evil.example/inbox", 503),
        ("http://social.example/inbox", 503),
        ("https://social.example:8443/inbox", 503),
    ],
    ids=["as it should be", "another certificate", "no TLS", "another port"],
)
def test_a_safe_post_takes_the_same_care_and_follows_nobody(safe_fetch: Any, web: Web, url: str, status: int) -> None:
    web.pages["/inbox"] = (302, {"location": "https://other.example/y"}, b"")
    request = HttpRequest(method="POST", url=url, headers={"content-type": "a/b"}, body=b"{}")
    assert asyncio.run(safe_fetch.post(request)).status == status
    asked = [(method, path, headers["content-type"], body) for method, path, headers, body in web.asked]
    assert asked == ([("POST", "/inbox", "a/b", b"{}")] if status == 302 else [])


def test_the_agent_remembers_the_forms_of_the_last_hosts_and_no_more(
    tmp_path: Path, safe_fetch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = load_agent(tmp_path, safe_fetch, monkeypatch)

    async def post(ask: Any) -> int:
        return 202

    async def deliver() -> None:
        for number in range(3):
            assert await agent.deliver(f"https://{number}.example/inbox", b"{}")

    monkeypatch.setattr(agent, "post", post)
    monkeypatch.setattr(agent, "FORMS", 2)
    asyncio.run(deliver())
    assert agent.forms == {"1.example": "cavage", "2.example": "cavage"}


class World:
    """The agent of the example behind TLS, and Alice on a server made with Fedify."""

    def __init__(self, agent: Any, safe_fetch: Any, fedify: Foreign) -> None:
        self.agent, self.safe_fetch, self.fedify = agent, safe_fetch, fedify
        self.notes = 0

    def mention(self, text: str, **more: Any) -> str:
        """Alice mentions the agent; the id of her note."""
        self.notes += 1
        note: str = self.fedify("mention", address=HELPER, text=text, number=self.notes, **more)
        return note

    def heard(self, count: int = 1) -> list[Any]:
        """The notes that came to Alice and were verified there since the last time, once there are so many."""
        found = self.fedify("heard", count=count)
        assert set(found["statuses"]) <= {202}
        return [{**one["object"], "by": one["actor"]} for one in found["activities"] if one["type"] == "Create"]

    def send(self, request: HttpRequest) -> HttpResponse:
        """What the agent's server answers."""
        response: HttpResponse = asyncio.run(self.safe_fetch.post(request))
        return response

    def get(self, url: str) -> HttpResponse:
        return self.send(HttpRequest(method="GET", url=url))


@contextmanager
def uvicorn_serving(app: Any, tls: Tls) -> Iterator[int]:
    """The application behind TLS; gives its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(app, log_level="warning", ws="none", ssl_certfile=tls.file)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)


def load_agent(folder: Path, safe_fetch: Any, patch: pytest.MonkeyPatch) -> Any:
    """The example with the modules beside it, its store in `folder`."""
    with_key(folder, patch)
    patch.setitem(sys.modules, "safe_fetch", safe_fetch)
    for name in ("outbox", "inbox_store", "citizen"):
        patch.setitem(sys.modules, name, load(name))
    return load("inbox")


@contextmanager
def fediverse(folder: Path, tls: Tls, safe_fetch: Any) -> Iterator[World]:
    """The example runs, its store in `folder`, and the servers made with Fedify."""
    needs(setup_interop.NODE_HOME)
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        agent = load_agent(folder, safe_fetch, patch)
        fedify = Foreign(setup_interop.program("node"), HERE / "peer_fediverse.mjs", setup_interop.NODE_HOME)
        stack.callback(fedify.close)
        port = stack.enter_context(uvicorn_serving(agent.app, tls))
        there = fedify("start", pem=tls.pem, key=tls.key)
        safe_fetch.ports |= {"social.example": there, "other.example": there, "agents.example": port}
        fedify("known", name="agents.example", port=port)
        yield World(agent, safe_fetch, fedify)


@pytest.fixture(scope="module")
def world(tls: Tls, safe_fetch: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with fediverse(tmp_path_factory.mktemp("agent"), tls, safe_fetch) as found:
        yield found


def test_the_agent_is_found_by_its_address(world: World) -> None:
    found = world.fedify("find", address=HELPER)
    assert found == {"id": ACTOR, "username": "helper", "inbox": f"{ACTOR}/inbox"}
    url = "https://agents.example/.well-known/webfinger?resource=acct:"
    assert [world.get(f"{url}{name}@agents.example").status for name in ("HELPER", "nobody")] == [200, 404]


@pytest.mark.parametrize("text", ["Will it rain?", "Or snow, perhaps?"])
def test_a_mention_is_answered_and_the_answer_verified_there(world: World, text: str) -> None:
    note = world.mention(text)
    [answer] = world.heard()
    assert (answer["by"], answer["inReplyTo"], answer["to"]) == (ACTOR, note, [ALICE])
    assert answer["tags"] == [["Mention", ALICE, "@alice@social.example"]]
    assert f" You wrote: @helper {text}</p>" in answer["content"]


def test_a_forged_twin_is_taken_and_not_answered(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    note = world.mention("Will it rain?", changed=["rain?", "raim?"])
    assert world.agent.citizen.messages.find(note, HELPER) is None, "what anybody can send fills no store"
    assert "@alice@social.example (not verified: " in capsys.readouterr().out
    world.notes -= 1  # the honest one has the same id, and is answered though it comes later
    assert world.mention("Will it rain?") == note
    [answer] = world.heard()
    assert (answer["inReplyTo"], "Will it rain?" in answer["content"]) == (note, True)


def test_what_comes_twice_is_answered_once(world: World) -> None:
    first = world.mention("Hello")
    assert world.fedify("again") == 202
    second = world.mention("Hello again")
    assert sorted(answer["inReplyTo"] for answer in world.heard(2)) == sorted([first, second])


def test_a_reply_to_the_answer_goes_on_with_its_thread(world: World) -> None:
    note = world.mention("Hello")
    [answer] = world.heard()
    reply = world.mention("Thanks", replyTo=answer["id"])
    assert [answer["inReplyTo"] for answer in world.heard()] == [reply]
    threads = {world.agent.citizen.messages.find(one, HELPER).thread_id for one in (note, answer["id"], reply)}
    assert len(threads) == 1


def test_the_agent_falls_silent_in_a_thread_without_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["citizen"], "TURNS", 0)
        world.mention("Are you there?")
    note = world.mention("Hello?")
    assert [answer["inReplyTo"] for answer in world.heard()] == [note]


def test_answers_are_served_to_all_when_they_are_for_all(world: World) -> None:
    world.mention("In private")
    [private] = world.heard()
    world.mention("Before everybody", open=True)
    [public] = world.heard()
    assert world.fedify("read", url=private["id"]) is None
    assert world.get(private["id"]).status == 404
    assert world.fedify("read", url=public["id"]) == {
        "id": public["id"],
        "author": ACTOR,
        "content": public["content"],
    }


@pytest.mark.parametrize("name", ["outbox", "followers", "following"])
def test_the_collections_of_the_agent_are_there_and_empty(world: World, name: str) -> None:
    found = json.loads(world.get(f"{ACTOR}/{name}").body)
    assert (found["id"], found["type"], found["totalItems"]) == (f"{ACTOR}/{name}", "OrderedCollection", 0)


def test_files_are_served_so_that_they_do_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_file(message: Any) -> NormalizedResponse:
        return NormalizedResponse.to(message, FilePart.of(b"1,2", mime="text/csv", name="rain.csv"))

    monkeypatch.setattr(world.agent, "answer", with_file)
    world.mention("As a table?")
    world.heard()
    [url] = world.agent.citizen.files
    got = world.get(url)
    assert (got.status, got.body, got.header("content-disposition")) == (200, b"1,2", "attachment")
    assert world.get("https://agents.example/files/nothing").status == 404


def test_the_agent_refuses_deliveries_for_others(world: World) -> None:
    request = Peer.activitypub("@bob@b.example").write("Hello", to=f"{ACTOR}2", now=datetime.now(UTC))
    answer = world.send(request)
    assert (answer.status, answer.body) == (202, b""), "why is for the log"


def test_the_agent_stops_reading_deliveries_that_are_too_large(world: World) -> None:
    read: list[int] = []

    async def endless() -> Any:
        for _ in range(100):
            yield b" " * 65_536
            read.append(65_536)

    async def go() -> int:
        transport = httpx.ASGITransport(app=world.agent.app)
        async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            return (await client.post("/inbox", content=endless())).status_code

    assert asyncio.run(go()) == 413
    assert sum(read) < 1_200_000
