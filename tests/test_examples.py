"""Every program of `examples/` runs, with fakes in place of the frameworks it is for."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import mailbox
import sys
import types
from pathlib import Path
from typing import Any

import pytest

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
    tested = {"smtp_hook.py", "fastapi_inbox.py", "a2a_endpoint.py", "mailbox_to_jsonl.py"}
    files = list(EXAMPLES.glob("*.py"))
    assert {file.name for file in files} == tested
    assert all(len(file.read_text().splitlines()) < 60 for file in files)


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
    assert capsys.readouterr().out == "@alice@a.example to @helper@agents.example:\nHello\n"


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


class FakeStream:
    """The answer of an HTTP server, for `httpx.AsyncClient.stream`."""

    status_code, headers = 200, {"content-type": "application/activity+json"}

    def __init__(self, url: str, body: bytes) -> None:
        self.url, self.body = url, body

    async def __aenter__(self) -> FakeStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def aiter_bytes(self) -> Any:
        for start in range(0, len(self.body), 64):
            yield self.body[start : start + 64]


class FakeClient:
    """`httpx.AsyncClient`: knows one actor."""

    body = json.dumps(ACTOR).encode()

    def __init__(self, **_: object) -> None: ...

    def stream(self, method: str, url: str, headers: dict[str, str]) -> FakeStream:
        assert (method, url) == ("GET", ACTOR["id"])
        return FakeStream(url, self.body)


@pytest.fixture
def fastapi_inbox(monkeypatch):
    fastapi = types.SimpleNamespace(FastAPI=FakeApp, Request=object, Response=FakeResponse)
    monkeypatch.setitem(sys.modules, "fastapi", fastapi)
    monkeypatch.setitem(sys.modules, "httpx", types.SimpleNamespace(AsyncClient=FakeClient, HTTPError=OSError))
    return load("fastapi_inbox")


def delivery(to: str) -> Any:
    note = {"id": "https://social.example/notes/1", "type": "Note", "content": "<p>Hello</p>"}
    create = {
        "@context": ACTOR["@context"],
        "id": "https://social.example/notes/1/activity",
        "type": "Create",
        "actor": ACTOR["id"],
        "to": [to],
        "object": {**note, "attributedTo": ACTOR["id"]},
    }

    async def body() -> bytes:
        return json.dumps(create).encode()

    scope = {"type": "http", "method": "POST", "path": "/inbox", "query_string": b"", "headers": []}
    return types.SimpleNamespace(scope=scope, body=body)


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


def test_the_inbox_stops_reading_documents_that_are_too_large(fastapi_inbox, monkeypatch):
    monkeypatch.setattr(FakeClient, "body", b" " * 2_000_000)
    answer = asyncio.run(fastapi_inbox.app.routes["/inbox"](delivery("https://agents.example/actors/helper")))
    assert answer.status_code == 503
    assert fastapi_inbox.dispatch(None) is None


def call(app: Any, *chunks: bytes) -> dict[str, Any]:
    """What an ASGI application answers to a POST."""
    events = [{"body": chunk, "more_body": True} for chunk in chunks[:-1]] + [{"body": chunks[-1]}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return events.pop(0)

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    scope = {"type": "http", "method": "POST", "path": "/a2a", "query_string": b"", "headers": []}
    asyncio.run(app(scope, receive, send))
    answer: dict[str, Any] = json.loads(sent[1]["body"])
    return answer


def test_the_a2a_endpoint_answers():
    message = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "SendMessage", "params": {"message": message}}).encode()
    answer = call(load("a2a_endpoint").app, body[:20], body[20:])
    assert answer["id"] == 7
    assert answer["result"]["message"]["parts"] == [{"text": "You said: Hello"}]


def test_the_a2a_endpoint_refuses_what_is_no_request():
    answer = call(load("a2a_endpoint").app, b"{nonsense")
    assert answer["error"] == {"code": -32700, "message": "invalid-json"}


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
