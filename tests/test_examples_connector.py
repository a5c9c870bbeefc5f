"""The Slack connector and the agent server, end to end: real servers, real HTTP, on loopback."""

from __future__ import annotations

import json
import socket
import sys
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from urllib.parse import parse_qs

import httpx
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import FilePart, HttpResponse
from mentionable.testing import SlackPeer
from tests.test_examples import load

TOKEN = "token-of-the-connector"


class Slack:
    """The API of Slack, as much as is called of it, and what was posted."""

    def __init__(self, *members: SlackPeer) -> None:
        self.members = {member.user: member for member in members}
        self.posted = []
        self.came = threading.Event()

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        is_api = scope["path"].startswith("/api/")
        said = json.dumps(self.answer(scope["path"].removeprefix("/api/"), body)).encode() if is_api else b"The plan."
        assert (b"authorization", b"Bearer xoxb-of-the-bot") in scope["headers"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": said})

    def answer(self, method, body):
        if method == "files.info":
            url = "https://files.slack.example/F1/download"
            return {"ok": True, "file": {"name": "plan.txt", "mimetype": "text/plain", "url_private_download": url}}
        if method == "conversations.replies":
            said = {"type": "message", "user": "U789", "ts": "1000000000.000001", "text": "Before."}
            return {"ok": True, "messages": [said]}
        if method == "users.info":
            (user,) = parse_qs(body.decode())["user"]
            return self.members[user].lookups[f"CALL users.info {user}"]
        assert method == "chat.postMessage"
        self.posted.append(json.loads(body))
        self.came.set()
        return {"ok": True, "ts": "1.000001"}

    def next_post(self):
        assert self.came.wait(20)
        self.came.clear()
        return self.posted.pop()


@contextmanager
def served(app):
    """The port of a server of `app`."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def world(monkeypatch, tmp_path):
    """The connector's port, what Slack is, and a member: all three servers run, and names lead to them."""
    alice, bob = SlackPeer(), SlackPeer(user="U789", name="Bob")
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "connector.pem").write_bytes(pem)
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "SLACK_SIGNING_SECRET": alice.secret.decode(),
        "SLACK_BOT_TOKEN": "xoxb-of-the-bot",
        "AGENT_TOKEN": TOKEN,
        "CONNECTOR_TOKEN": TOKEN,
        "FILES_SECRET": "of-thirty-two-bytes-or-more-secret",
    }.items():
        monkeypatch.setenv(name, value)
    ports = {}
    safe_fetch = load("safe_fetch")

    async def exchange(request, max_bytes):
        """As the example's own, but that names lead to loopback."""
        host, _, path = request.url.removeprefix("https://").partition("/")
        async with httpx.AsyncClient(trust_env=False) as client:
            got = await client.request(
                request.method,
                f"http://127.0.0.1:{ports[host]}/{path}",
                headers={**dict(request.headers), "host": host},
                content=request.body,
            )
        return HttpResponse(status=got.status_code, headers=dict(got.headers), body=got.content[:max_bytes])

    monkeypatch.setattr(safe_fetch, "exchange", exchange)
    monkeypatch.setitem(sys.modules, "safe_fetch", safe_fetch)
    agent, connector, slack = load("agent_server"), load("slack_connector"), Slack(alice, bob)
    with served(agent.app) as a, served(connector.app) as c, served(slack) as s:
        ports.update({"agents.example": a, "slack.agents.example": c, "slack.com": s, "files.slack.example": s})
        yield c, slack, (alice, bob), agent


def deliver(port, unit):
    """What the connector answers to an event of Slack."""
    return httpx.post(
        f"http://127.0.0.1:{port}/slack/events", headers=dict(unit.headers), content=unit.body, trust_env=False
    )


def test_a_member_of_the_workspace_is_known_to_the_agent_and_answered_in_slack(world):
    port, slack, (alice, bob), agent = world
    now = datetime.now(UTC)
    assert deliver(port, alice.write("deploy it", now=now)).status_code == 200
    post = slack.next_post()
    assert (post["channel"], post["text"]) == ("C123", "*Alice*, you may: deployer, reader.")
    assert deliver(port, bob.write("deploy it", now=now)).status_code == 200
    assert slack.next_post()["text"] == "Only those who deploy may ask for that."
    assert len(agent.used) == 2  # each evidence once


def test_what_slack_did_not_sign_is_not_taken_and_a_retry_is_answered_once(world):
    port, slack, (alice, _), _ = world
    now = datetime.now(UTC)
    unit = alice.write("deploy it", now=now)
    twin = httpx.post(
        f"http://127.0.0.1:{port}/slack/events", headers=dict(unit.headers), content=unit.body + b" ", trust_env=False
    )
    assert twin.status_code == 401
    assert [deliver(port, unit).status_code for _ in range(2)] == [200, 200]
    assert slack.next_post()
    assert not slack.posted


def test_a_file_is_fetched_through_the_connector_once_and_by_the_agent_alone(world):
    port, slack, (alice, _), agent = world
    heard = []
    answer = agent.answer
    agent.answer = lambda got: heard.append(got.message) or answer(got)
    now = datetime.now(UTC)
    event = json.loads(alice.write("read it", now=now, thread="1000000000.000001").body)
    shared = {"id": "F1", "name": "plan.txt", "mimetype": "text/plain", "size": 9, "mode": "hosted"}
    event["event"]["files"] = [{**shared, "url_private": "https://files.slack.example/F1"}]
    assert deliver(port, alice.signed(json.dumps(event).encode(), now=now)).status_code == 200
    assert slack.next_post()["thread_ts"] == "1000000000.000001"
    (message,) = heard
    assert [turn.parts[0].content for turn in message.history] == ["Before."]
    assert "files.slack.example" not in repr(message)
    (file,) = [part for part in message.parts if isinstance(part, FilePart)]
    path = file.bytes_ref.url.removeprefix("https://slack.agents.example")

    def fetch(token):
        headers = {"authorization": f"Bearer {token}"}
        return httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers, trust_env=False)

    assert fetch("stolen").status_code == 403
    got = fetch(TOKEN)
    assert (got.status_code, got.content, got.headers["cache-control"]) == (200, b"The plan.", "no-store")
    assert fetch(TOKEN).status_code == 403  # all bytes were given out


def test_somebody_whom_no_connector_vouches_for_is_refused(world):
    _, _, _, agent = world
    with served(agent.app) as port:
        call = {"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "deploy it"}]}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": call}
        url = f"http://127.0.0.1:{port}/a2a"
        told = httpx.post(url, headers={"a2a-version": "1.0"}, json=body, trust_env=False).json()
    assert "I only talk to people I know." in json.dumps(told)
