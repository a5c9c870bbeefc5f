"""Every program of `examples/` runs, with fakes in place of the frameworks it is for."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import mailbox
import sys
import types
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import dns.asyncresolver
import dns.exception
import dns.resolver
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import CODES, LookupTxt, SigningKey

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
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
    tested |= {"agent_server.py", "slack_connector.py"}
    files = list(EXAMPLES.glob("*.py"))
    assert {file.name for file in files} == tested
    assert all(len(file.read_text().splitlines()) < 210 for file in files)


@cache
def pem() -> bytes:
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def with_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goes where `agent.pem` is, which some examples read as they start."""
    (folder / "agent.pem").write_bytes(pem())
    monkeypatch.chdir(folder)


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
def smtp_hook(monkeypatch, tmp_path):
    with_key(tmp_path, monkeypatch)
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

    sent: list[tuple[Any, ...]] = []
    fault: OSError | None = None

    def __init__(self, host: str) -> None:
        self.host = host
        if self.fault is not None:
            raise self.fault

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def sendmail(self, *arguments: object) -> None:
        self.sent.append(arguments)


@pytest.fixture
def signed_mail(smtp_hook, monkeypatch):
    """Gives a mail to the hook as its sender's domain signed it; what the hook answered, and what it sent."""
    key = SigningKey.from_seed(bytes(32), key_id="s._domainkey.a.example")

    def handed_in(raw: bytes = MAIL, *, fault: Exception | None = None) -> tuple[str, list[tuple[Any, ...]]]:
        async def resolve(name: str, kind: str, *, lifetime: float) -> Any:
            if fault is not None:
                raise fault
            return [types.SimpleNamespace(strings=(smtp_hook.mail.dkim_record(key).encode(),))]

        monkeypatch.setattr(dns.asyncresolver, "resolve", resolve)
        envelope = types.SimpleNamespace(
            mail_from="alice@a.example",
            rcpt_tos=["helper@agents.example"],
            original_content=smtp_hook.mail.sign(raw, key=key, now=datetime.now(UTC)),
        )
        return asyncio.run(smtp_hook.Hook().handle_DATA(None, None, envelope)), FakeServer.sent

    monkeypatch.setattr(smtp_hook.smtplib, "SMTP", FakeServer)
    monkeypatch.setattr(FakeServer, "sent", [])
    return handed_in


def test_the_smtp_hook_answers_whom_dns_shows(signed_mail, capsys):
    said, [sent] = signed_mail()
    assert said == "250 2.0.0 OK"
    assert capsys.readouterr().out.startswith("@alice@a.example (email-dkim)")
    assert (sent[0], sent[1], sent[3]) == ("helper@agents.example", ("alice@a.example",), [])
    assert sent[2].startswith(b"DKIM-Signature: ")


def test_the_smtp_hook_answers_nobody_else(signed_mail, capsys):
    assert signed_mail(fault=dns.exception.Timeout()) == ("250 2.0.0 OK", [])
    assert capsys.readouterr().out.startswith("@alice@a.example (not verified)")


def test_the_smtp_hook_answers_no_programs(signed_mail):
    assert signed_mail(b"Auto-Submitted: auto-replied\n" + MAIL) == ("250 2.0.0 OK", [])


def test_an_answer_that_cannot_be_sent_is_no_bounce(signed_mail, monkeypatch, capsys):
    monkeypatch.setattr(FakeServer, "fault", ConnectionRefusedError("nobody there"))
    assert signed_mail() == ("250 2.0.0 OK", [])
    assert capsys.readouterr().out.endswith("@agents.example> could not be sent: nobody there\n")


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


def exchange(*chunks: bytes, method: str = "POST", path: str = "/a2a") -> list[dict[str, Any]]:
    """What the A2A endpoint sends as an ASGI application, to a request in these pieces."""
    events = [{"body": chunk, "more_body": True} for chunk in chunks[:-1]] + [{"body": chunks[-1]}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return events.pop(0)

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    asyncio.run(load("a2a_endpoint").app(scope, receive, send))
    assert [event.get("more_body", False) for event in sent] == [False, *[True] * (len(sent) - 2), False]
    return sent


def call(*chunks: bytes, path: str = "/a2a") -> dict[str, Any]:
    """The JSON that the A2A endpoint answers with."""
    head, *bodies = exchange(*chunks, path=path)
    assert head["status"] == 200
    answer: dict[str, Any] = json.loads(b"".join(body["body"] for body in bodies))
    return answer


MESSAGE = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}


def rpc(method: str = "SendMessage", call_id: Any = 7) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": call_id, "method": method, "params": {"message": MESSAGE}}).encode()


def test_the_a2a_endpoint_answers():
    body = rpc()
    answer = call(body[:20], body[20:])
    assert answer["id"] == 7
    assert answer["result"]["message"]["parts"][0]["text"] == "You said: Hello"


def test_the_a2a_endpoint_answers_in_the_older_version():
    answer = call(rpc("message/send", "a"))
    assert (answer["id"], answer["result"]["kind"]) == ("a", "message")


@pytest.mark.parametrize("path", ["/a2a/message:send", "/a2a/v1/message:send"])
def test_the_a2a_endpoint_answers_over_rest(path):
    assert "message" in call(json.dumps({"message": MESSAGE}).encode(), path=path)


@pytest.mark.parametrize(
    ("path", "body"),
    [("/a2a", rpc("SendStreamingMessage")), ("/a2a/message:stream", json.dumps({"message": MESSAGE}).encode())],
    ids=["JSON-RPC", "REST"],
)
def test_the_a2a_endpoint_streams_when_it_is_asked_to(path, body):
    head, *bodies = exchange(body, path=path)
    assert (b"content-type", b"text/event-stream") in head["headers"]
    assert b"You said: Hello" in b"".join(body["body"] for body in bodies)


@pytest.mark.parametrize(
    ("body", "call_id", "code"),
    [
        (b"{nonsense", None, "invalid-json"),
        (rpc("tasks/get"), 7, "method-unsupported"),
        (b"[7]", None, "wrong-type"),
        (b" " * 17_000_000, None, "too-large"),
    ],
    ids=["no JSON", "other method", "list", "large"],
)
def test_the_a2a_endpoint_refuses_in_words_and_keeps_the_id(body, call_id, code):
    answer = call(body)
    assert (answer["id"], answer["error"]["message"]) == (call_id, CODES[code].text)


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/a2a", 405), ("POST", "/", 404), ("GET", "/x", 404)])
def test_the_a2a_endpoint_is_at_one_place(method, path, status):
    head, *bodies = exchange(b"", method=method, path=path)
    assert (head["status"], b"".join(body["body"] for body in bodies)) == (status, b"")


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
