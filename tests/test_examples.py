"""Every program of `examples/` runs, with fakes in place of the frameworks it is for."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import mailbox
import sys
import types
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dns.asyncresolver
import dns.exception
import dns.resolver
import pytest

from mentionable import CODES, Failed, Fetch, LookupTxt, SigningKey

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ACTOR = {
    "@context": "https://www.w3.org/ns/activitystreams",
    "id": "https://social.example/users/alice",
    "type": "Person",
    "preferredUsername": "alice",
}
MAIL = b"From: alice@a.example\nTo: helper@agents.example\nMessage-ID: <1@a.example>\n\nHello\n"


def load(name: str) -> Any:
    """The module of an example, freshly run."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_examples_are_tested_and_short():
    tested = {"smtp_hook.py", "fastapi_inbox.py", "safe_fetch.py", "a2a_endpoint.py", "mailbox_to_jsonl.py"}
    files = list(EXAMPLES.glob("*.py"))
    assert {file.name for file in files} == tested
    assert all(len(file.read_text().splitlines()) < 80 for file in files)


class FakeController:
    """`aiosmtpd.controller.Controller`, without a socket."""

    running: list[FakeController] = []

    def __init__(self, handler: object, **where: object) -> None:
        self.handler, self.where = handler, where

    def start(self) -> None:
        self.running.append(self)

    def stop(self) -> None:
        self.running.remove(self)


@pytest.fixture
def smtp_hook(monkeypatch):
    smtp = types.SimpleNamespace(SMTP=object, Envelope=object, Session=object)
    monkeypatch.setitem(sys.modules, "aiosmtpd", types.ModuleType("aiosmtpd"))
    monkeypatch.setitem(sys.modules, "aiosmtpd.controller", types.SimpleNamespace(Controller=FakeController))
    monkeypatch.setitem(sys.modules, "aiosmtpd.smtp", smtp)
    return load("smtp_hook")


def test_the_smtp_hook_takes_mail_for_its_agent(smtp_hook, capsys):
    envelope = types.SimpleNamespace(
        mail_from="alice@a.example", rcpt_tos=["helper@agents.example"], original_content=MAIL
    )
    assert asyncio.run(smtp_hook.Hook().handle_DATA(None, None, envelope)) == "250 2.0.0 OK"
    assert capsys.readouterr().out == "@alice@a.example (not verified) to @helper@agents.example:\nHello\n"


class FakeServer:
    """`smtplib.SMTP`, without a socket: keeps what is sent."""

    sent: list[tuple[object, ...]] = []

    def __init__(self, host: str) -> None:
        self.host = host

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def sendmail(self, *arguments: object) -> None:
        self.sent.append(arguments)


@pytest.mark.parametrize("fault", [None, dns.exception.Timeout()], ids=["shown", "not shown"])
def test_the_smtp_hook_answers_whom_dns_shows(smtp_hook, monkeypatch, capsys, fault):
    async def resolve(name: str, kind: str, *, lifetime: float) -> Any:
        if fault is not None:
            raise fault
        return [types.SimpleNamespace(strings=(smtp_hook.mail.dkim_record(key).encode(),))]

    key = SigningKey.from_seed(bytes(32), key_id="s._domainkey.a.example")
    monkeypatch.setattr(dns.asyncresolver, "resolve", resolve)
    monkeypatch.setattr(smtp_hook.smtplib, "SMTP", FakeServer)
    monkeypatch.setattr(FakeServer, "sent", [])
    envelope = types.SimpleNamespace(
        mail_from="alice@a.example",
        rcpt_tos=["helper@agents.example"],
        original_content=smtp_hook.mail.sign(MAIL, key=key, now=datetime.now(UTC)),
    )
    assert asyncio.run(smtp_hook.Hook().handle_DATA(None, None, envelope)) == "250 2.0.0 OK"
    shown = "email-dkim" if fault is None else "not verified"
    assert capsys.readouterr().out.startswith(f"@alice@a.example ({shown})")
    answers = [("helper@agents.example", ("alice@a.example",))] if fault is None else []
    assert [sent[:2] for sent in FakeServer.sent] == answers


def test_the_smtp_hook_refuses_mail_for_others(smtp_hook):
    mail = MAIL.replace(b"helper@", b"nobody@")
    envelope = types.SimpleNamespace(
        mail_from="alice@a.example", rcpt_tos=["nobody@agents.example"], original_content=mail
    )
    answer = asyncio.run(smtp_hook.Hook().handle_DATA(None, None, envelope))
    assert answer == "550 5.1.1 No recipient of the unit is served here."


def test_the_smtp_hook_serves_until_it_is_interrupted(smtp_hook):
    async def serve() -> None:
        task = asyncio.create_task(smtp_hook.main())
        await asyncio.sleep(0)
        assert len(FakeController.running) == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(serve())
    assert FakeController.running == []


class FakeApp:
    """`fastapi.FastAPI`: keeps the routes."""

    def __init__(self) -> None:
        self.routes: dict[str, Any] = {}

    def post(self, path: str) -> Any:
        return lambda function: self.routes.setdefault(path, function)


class FakeResponse:
    """`fastapi.Response`."""

    def __init__(self, content: str = "", status_code: int = 200) -> None:
        self.content, self.status_code = content, status_code


class FakeUrl:
    """`httpx.URL`, as much as is used of it."""

    def __init__(self, text: str) -> None:
        if len(text) > 100:
            raise FakeInvalidUrl("URL too long")
        self.text = text
        self.raw_host = text.split("/")[2].encode()

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

    async def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
        assert (host, port) in (("social.example", 443), ("other.example", 443))
        return [(None, None, 6, "", (address, port)) for address in addresses]

    async def go() -> Any:
        asyncio.get_running_loop().getaddrinfo = getaddrinfo
        return await module.fetch(Fetch(url=url, accept="a/b", purpose=purpose, max_bytes=max_bytes))

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

    monkeypatch.setattr(safe_fetch, "get", hang)
    monkeypatch.setattr(safe_fetch, "SECONDS", 0)
    assert isinstance(fetched(safe_fetch, "8.8.8.8"), Failed)


def test_a_safe_fetch_answers_for_urls_that_it_cannot_read(safe_fetch):
    assert fetched(safe_fetch, url=ACTOR["id"] + "x" * 100) == Failed("FakeInvalidUrl: URL too long")


@pytest.mark.parametrize(
    ("purpose", "locations", "url", "status"),
    [
        ("webfinger", ["/x", "https://other.example/y"], "https://other.example/y", 200),
        ("webfinger", ["/x"] * 9, "https://social.example/x", 302),
        ("actor", ["https://other.example/y"], ACTOR["id"], 302),
    ],
)
def test_a_safe_fetch_follows_webfinger_alone_and_not_for_ever(safe_fetch, purpose, locations, url, status):
    FakeClient.redirects += locations
    got = fetched(safe_fetch, "8.8.8.8", purpose=purpose)
    assert (got.url, got.status) == (url, status)
    assert len(FakeClient.asked) <= 4


def test_a_safe_fetch_follows_no_redirect_to_where_nothing_may_be_asked(safe_fetch):
    FakeClient.redirects.append("http://127.0.0.1/")
    assert isinstance(fetched(safe_fetch, "8.8.8.8", purpose="webfinger"), Failed)
    assert len(FakeClient.asked) == 1


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([types.SimpleNamespace(strings=(b"v=DKIM1; ", b"p=x"))], [b"v=DKIM1; p=x"]),
        (dns.resolver.NXDOMAIN(), []),
        (dns.resolver.NoAnswer(), []),
    ],
    ids=["found", "no name", "no record"],
)
def test_the_smtp_hook_asks_dns(smtp_hook, monkeypatch, found, answer):
    async def resolve(name: str, kind: str, *, lifetime: float) -> Any:
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(dns.asyncresolver, "resolve", resolve)
    assert asyncio.run(smtp_hook.lookup_txt(LookupTxt(name="a.example"))) == answer


@pytest.fixture
def fastapi_inbox(safe_fetch, monkeypatch):
    fastapi = types.SimpleNamespace(FastAPI=FakeApp, Request=object, Response=FakeResponse)
    monkeypatch.setitem(sys.modules, "fastapi", fastapi)

    async def address(host: str) -> str:
        return "8.8.8.8"

    monkeypatch.setattr(safe_fetch, "public_address", address)
    return load("fastapi_inbox")


def delivery(to: str, *, padding: int = 0) -> Any:
    note = {"id": "https://social.example/notes/1", "type": "Note", "content": "<p>Hello</p>"}
    create = {
        "@context": ACTOR["@context"],
        "id": "https://social.example/notes/1/activity",
        "type": "Create",
        "actor": ACTOR["id"],
        "to": [to],
        "object": {**note, "attributedTo": ACTOR["id"]},
    }

    async def stream() -> Any:
        body = json.dumps(create).encode()
        yield body[:50]
        yield body[50:]
        for _ in range(padding):
            yield b" " * 65_536
            read.append(65_536)

    read: list[int] = []
    scope = {"type": "http", "method": "POST", "path": "/inbox", "query_string": b"", "headers": []}
    return types.SimpleNamespace(scope=scope, stream=stream, read=read)


def test_the_inbox_takes_deliveries_for_its_agent(fastapi_inbox, monkeypatch):
    got: list[Any] = []
    monkeypatch.setattr(fastapi_inbox, "dispatch", got.append)
    answer = asyncio.run(fastapi_inbox.app.routes["/inbox"](delivery("https://agents.example/actors/helper")))
    assert answer.status_code == 202
    assert [(message.sender.address, message.recipient) for message in got] == [
        ("@alice@social.example", "@helper@agents.example")
    ]


def test_the_inbox_refuses_deliveries_for_others(fastapi_inbox):
    answer = asyncio.run(fastapi_inbox.app.routes["/inbox"](delivery("https://agents.example/actors/nobody")))
    assert (answer.status_code, answer.content) == (404, "no-served-recipient")


def test_the_inbox_says_when_a_sender_cannot_be_looked_up(fastapi_inbox, safe_fetch, monkeypatch):
    async def nowhere(host: str) -> str:
        raise OSError("no such name")

    monkeypatch.setattr(safe_fetch, "public_address", nowhere)
    answer = asyncio.run(fastapi_inbox.app.routes["/inbox"](delivery("https://agents.example/actors/helper")))
    assert (answer.status_code, answer.content) == (503, "sender-unresolvable")


def test_the_inbox_stops_reading_deliveries_that_are_too_large(fastapi_inbox):
    request = delivery("https://agents.example/actors/helper", padding=100)
    answer = asyncio.run(fastapi_inbox.app.routes["/inbox"](request))
    assert answer.status_code == 413
    assert sum(request.read) < 1_200_000


def test_the_inbox_hands_messages_to_the_agent(fastapi_inbox, capsys):
    asyncio.run(fastapi_inbox.app.routes["/inbox"](delivery("https://agents.example/actors/helper")))
    assert capsys.readouterr().out == "@alice@social.example (not verified) to @helper@agents.example:\nHello\n"


def exchange(app: Any, *chunks: bytes, method: str = "POST", path: str = "/a2a") -> tuple[int, bytes]:
    """The status and body that an ASGI application answers with."""
    events = [{"body": chunk, "more_body": True} for chunk in chunks[:-1]] + [{"body": chunks[-1]}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return events.pop(0)

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], sent[1]["body"]


def call(*chunks: bytes) -> dict[str, Any]:
    """The response of the A2A endpoint."""
    status, body = exchange(load("a2a_endpoint").app, *chunks)
    assert status == 200
    answer: dict[str, Any] = json.loads(body)
    return answer


MESSAGE = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}


def rpc(method: str = "SendMessage", call_id: Any = 7) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": call_id, "method": method, "params": {"message": MESSAGE}}).encode()


def test_the_a2a_endpoint_answers():
    body = rpc()
    answer = call(body[:20], body[20:])
    assert answer["id"] == 7
    assert answer["result"]["message"]["parts"] == [{"text": "You said: Hello"}]


@pytest.mark.parametrize(
    ("body", "call_id", "code", "message"),
    [
        (b"{nonsense", None, -32700, "The bytes are not JSON."),
        (rpc("tasks/get"), 7, CODES["method-unsupported"].jsonrpc, CODES["method-unsupported"].text),
        (rpc("message/send", "a"), "a", -32601, "Only SendMessage over JSON-RPC is answered here."),
        (json.dumps({"message": MESSAGE}).encode(), None, -32600, "Only SendMessage over JSON-RPC is answered here."),
        (b"[" * 100_000, None, -32602, CODES["too-deep"].text),
        (b"[7]", None, -32602, CODES["wrong-type"].text),
        (rpc("tasks/get", call_id=True), None, -32602, CODES["wrong-type"].text),
        (b" " * 17_000_000, None, -32602, CODES["too-large"].text),
    ],
    ids=["no JSON", "other method", "version 0.3", "REST", "deep", "list", "id that is none", "large"],
)
def test_the_a2a_endpoint_refuses_in_words_and_keeps_the_id(body, call_id, code, message):
    answer = call(body)
    assert (answer["id"], answer["error"]) == (call_id, {"code": code, "message": message})


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/a2a", 405), ("POST", "/", 404), ("GET", "/x", 404)])
def test_the_a2a_endpoint_is_at_one_place(method, path, status):
    assert exchange(load("a2a_endpoint").app, b"", method=method, path=path) == (status, b"")


def test_the_a2a_endpoint_leaves_other_scopes_alone():
    assert asyncio.run(load("a2a_endpoint").app({"type": "lifespan"}, None, None)) is None


def test_an_mbox_becomes_lines_of_json(tmp_path, capsys):
    path = tmp_path / "in.mbox"
    box = mailbox.mbox(path)
    for raw in (MAIL, MAIL.replace(b"helper@", b"nobody@"), MAIL.replace(b"Hello", b"Bye")):
        box.add(raw)
    box.close()
    assert load("mailbox_to_jsonl").main(str(path), "helper@agents.example") == 0
    out, err = capsys.readouterr()
    texts = [json.loads(line)["parts"][0]["content"] for line in out.splitlines()]
    assert texts == ["Hello\n", "Bye\n"]
    assert err == "1 mails were not taken\n"


def test_an_mbox_is_read_from_the_command_line(tmp_path, capsys):
    path = tmp_path / "in.mbox"
    box = mailbox.mbox(path)
    box.add(MAIL)
    box.close()
    assert load("mailbox_to_jsonl").run([str(path), "helper@agents.example"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["in.mbox"], ["nowhere.mbox", "a@b.example"], [".", "a@b.example"]])
def test_wrong_words_for_the_mbox_are_told_on_one_line(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    assert load("mailbox_to_jsonl").run(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(("usage: ", "mailbox_to_jsonl: "))
