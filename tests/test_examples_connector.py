"""The Slack connector and the agent server, end to end: three servers on loopback that speak TLS, and slack-sdk.

Names lead to addresses out of a table, and connections to these addresses to loopback. Certificates are checked, and
each request of Slack is signed by slack-sdk.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import anyio
import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from slack_sdk import WebClient
from slack_sdk.models.blocks import Block
from slack_sdk.signature import SignatureVerifier

from mentionable import FilePart
from mentionable.testing import SlackPeer
from tests.test_examples import load
from tests.test_servers_web import Tls
from tests.test_servers_web import uvicorn_serving as served

TOKEN, BOT_TOKEN = "token-of-the-connector", "xoxb-of-the-bot"
HOSTS = {
    "agents.example": "8.8.8.1",
    "slack.agents.example": "8.8.8.2",
    "slack.com": "8.8.8.3",
    "files.slack.com": "8.8.8.3",
}
"""Name → the address that it leads to."""


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
        assert (b"authorization", f"Bearer {BOT_TOKEN}".encode()) in scope["headers"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": said})

    def answer(self, method, body):
        if method == "files.info":
            url = "https://files.slack.com/F1/download"
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


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """What is on loopback: all three servers run, and names lead to them."""
    folder = tmp_path_factory.mktemp("connector")
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield from worlds(monkeypatch, folder, Tls(folder, *HOSTS))


def worlds(monkeypatch, folder, tls):
    """The one world."""
    alice, bob = SlackPeer(), SlackPeer(user="U789", name="Bob")
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "connector.pem").write_bytes(pem)
    monkeypatch.chdir(folder)
    for name, value in {
        "SLACK_SIGNING_SECRET": alice.secret.decode(),
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "AGENT_TOKEN": TOKEN,
        "CONNECTOR_TOKEN": TOKEN,
        "FILES_SECRET": "of-thirty-two-bytes-or-more-secret",
    }.items():
        monkeypatch.setenv(name, value)
    ports, connect_tcp, getaddrinfo = {}, anyio.connect_tcp, socket.getaddrinfo

    def lead(host, *where, **how):
        """The address of a name out of the table."""
        return getaddrinfo(HOSTS.get(host, host), *where, **how)

    async def connect(remote_host, remote_port, **how):
        """A connection to loopback in place of one to an address of the table."""
        assert remote_port == 443
        return await connect_tcp("127.0.0.1", ports[remote_host], **how)

    monkeypatch.setattr(socket, "getaddrinfo", lead)
    monkeypatch.setattr(anyio, "connect_tcp", connect)
    safe_fetch = load("safe_fetch")
    monkeypatch.setattr(safe_fetch, "TLS", tls.trusting)
    monkeypatch.setitem(sys.modules, "safe_fetch", safe_fetch)
    monkeypatch.setitem(sys.modules, "outbox", load("outbox"))
    monkeypatch.setitem(sys.modules, "slack_files", load("slack_files"))
    agent, connector, slack = load("agent_server"), load("slack_connector"), Slack(alice, bob)
    with served(agent.app, tls) as a, served(connector.app, tls) as c, served(slack, tls) as s:
        ports.update({"8.8.8.1": a, "8.8.8.2": c, "8.8.8.3": s})
        with httpx.Client(verify=tls.trusting, trust_env=False) as http:
            yield World(http, ports, slack, agent, alice, bob, tls)


class World(NamedTuple):
    """All that is on loopback."""

    http: httpx.Client
    ports: dict[str, int]
    slack: Slack
    agent: Any
    alice: SlackPeer
    bob: SlackPeer
    tls: Tls

    def request(self, method, url, **how):
        """What a server answers at the URL under which the world knows it."""
        host, _, path = url.removeprefix("https://").partition("/")
        headers = {**how.pop("headers", {}), "host": host}
        there = f"https://127.0.0.1:{self.ports[HOSTS[host]]}/{path}"
        return self.http.request(method, there, headers=headers, extensions={"sni_hostname": host}, **how)

    def deliver(self, body, *, signed=None):
        """What the connector answers to an event, signed as Slack does."""
        at = str(int(datetime.now(UTC).timestamp()))
        signature = SignatureVerifier(self.alice.secret.decode()).generate_signature(timestamp=at, body=signed or body)
        headers = {"x-slack-request-timestamp": at, "x-slack-signature": signature, "content-type": "application/json"}
        return self.request("POST", "https://slack.agents.example/slack/events", headers=headers, content=body)

    def says(self, who, text, **where):
        """The event that Slack sends when somebody says something."""
        return who.write(text, now=datetime.now(UTC), **where).body


def test_a_member_of_the_workspace_is_known_to_the_agent_and_answered_in_slack(world):
    used = len(world.agent.used)
    assert world.deliver(world.says(world.alice, "deploy it")).status_code == 200
    post = world.slack.next_post()
    assert (post["channel"], post["text"]) == ("C123", "*Alice*, you may: deployer, reader.")
    assert world.deliver(world.says(world.bob, "deploy it")).status_code == 200
    assert world.slack.next_post()["text"] == "Only those who deploy may ask for that."
    assert len(world.agent.used) == used + 2  # each evidence once


def test_what_is_posted_is_what_the_client_of_slack_itself_posts(world):
    assert world.deliver(world.says(world.alice, "Who am I?")).status_code == 200
    post = world.slack.next_post()
    assert [block.to_dict() for block in Block.parse_all(post["blocks"])] == post["blocks"]
    url = f"https://127.0.0.1:{world.ports['8.8.8.3']}/api/"
    client = WebClient(token=BOT_TOKEN, base_url=url, ssl=world.tls.trusting)
    assert client.users_info(user="U456")["user"]["id"] == "U456"  # the Slack of this test speaks as it expects
    assert client.chat_postMessage(**post)["ok"]
    assert world.slack.next_post() == post


def test_what_slack_did_not_sign_is_not_taken_and_a_retry_is_answered_once(world):
    body = world.says(world.alice, "deploy it now")
    assert world.deliver(body + b" ", signed=body).status_code == 401
    assert [world.deliver(body).status_code for _ in range(2)] == [200, 200]
    assert world.slack.next_post()
    assert not world.slack.posted


def test_a_file_is_fetched_through_the_connector_once_and_by_the_agent_alone(world, monkeypatch):
    heard = []
    answer = world.agent.answer
    monkeypatch.setattr(world.agent, "answer", lambda got: heard.append(got.message) or answer(got))
    event = json.loads(world.says(world.alice, "read it", thread="1000000000.000001"))
    shared = {"id": "F1", "name": "plan.txt", "mimetype": "text/plain", "size": 9, "mode": "hosted"}
    event["event"]["files"] = [{**shared, "url_private": "https://files.slack.com/F1"}]
    assert world.deliver(json.dumps(event).encode()).status_code == 200
    assert world.slack.next_post()["thread_ts"] == "1000000000.000001"
    (message,) = heard
    assert [turn.parts[0].content for turn in message.history] == ["Before."]
    assert "files.slack.com" not in repr(message)
    (file,) = [part for part in message.parts if isinstance(part, FilePart)]

    def fetch(token):
        return world.request("GET", file.bytes_ref.url, headers={"authorization": f"Bearer {token}"})

    assert fetch("stolen").status_code == 403
    got = fetch(TOKEN)
    assert (got.status_code, got.content, got.headers["cache-control"]) == (200, b"The plan.", "no-store")
    assert fetch(TOKEN).status_code == 403  # all bytes were given out


def test_somebody_whom_no_connector_vouches_for_is_refused(world):
    call = {"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "deploy it"}]}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": call}

    def told():
        return world.request("POST", "https://agents.example/a2a", headers={"a2a-version": "1.0"}, json=body).json()

    first = told()
    assert "I only talk to people I know." in json.dumps(first)
    assert told() == first, "who asks the same again gets the same answer"
    own = [native_id for (native_id, _), row in world.agent.stored.items() if row.auth_method == "own"]
    assert any(native_id in json.dumps(first) for native_id in own), "its answers are stored"
    call["message"]["parts"] = [{"text": "something else"}]
    assert told() != first
