"""Requests of any kind to everything that is served: each ends in a clean refusal, or in what was asked for."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random

import httpx

from mentionable_host.transports.a2a import A2A
from mentionable_host.transports.activitypub import ActivityPub
from mentionable_host.transports.bluebubbles import BlueBubbles
from mentionable_host.transports.discord import Discord
from mentionable_host.transports.discovery import Discovery
from mentionable_host.transports.rest import Rest
from mentionable_host.transports.slack import Slack

COUNT = int(os.environ.get("HTTP_FUZZ", "400"))
SECTIONS = {
    "slack": {"signing_secret": "s" * 32, "bot_token": "xoxb-1", "app_id": "A1"},
    "discord": {"public_key": "ab" * 32, "application_id": "42", "bot_token": "t" * 60, "bot_id": "42"},
    "bluebubbles": {"url": "http://127.0.0.1:1", "password": "p" * 20, "webhook_token": "w" * 43},
    "a2a": {"patience": 0.2, "callers": {"t" * 32: "@carol@agents.example"}},
}
WORDS = (
    *("", "a", "@helper@agents.example", "https://agents.example/actors/helper", "\0", "é" * 50, "../../etc/passwd"),
    *("https://social.example/users/alice", "message/send", "SendMessage", "tasks/get", "GetTask", "2.0", "1.0", "0.3"),
    *("Create", "Note", "Follow", "Undo", "Delete", "Update", "ROLE_USER", "user", "%00", "{}", "[]", "null", "1e400"),
)
MEMBERS = (
    *("type", "id", "actor", "object", "to", "cc", "content", "inReplyTo", "tag", "jsonrpc", "method", "params"),
    *("message", "messageId", "role", "parts", "text", "kind", "contextId", "taskId", "configuration", "data", "user"),
    *("session", "event", "event_id", "team_id", "token", "member", "channel_id", "guid", "chats", "@context", "proof"),
)
TYPES = (
    *("application/json", "application/activity+json", "application/x-www-form-urlencoded", "text/plain", "", "x/\0"),
    *("multipart/form-data; boundary=b", "multipart/form-data", 'application/ld+json; profile="x"'),
)


def value(chance, depth=0):
    kind = chance.randrange(7 if depth < 4 else 4)
    if kind == 0:
        return chance.choice(WORDS)
    if kind == 1:
        return chance.choice([0, -1, 1.5, 2**63, 10**30, True, False, None])
    if kind == 2:
        return "x" * chance.choice([1, 300, 70_000])
    if kind == 3:
        return [[[[[]]]]] * chance.randrange(3)
    if kind == 4:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(MEMBERS): value(chance, depth + 1) for _ in range(chance.randrange(6))}


def body(chance):
    kind = chance.randrange(6)
    if kind == 0:
        return chance.randbytes(chance.choice([0, 1, 50, 5_000]))
    if kind == 1:
        return b'--b\r\nContent-Disposition: form-data; name="user"\r\n\r\n' + chance.randbytes(9) + b"\r\n--b--"
    if kind == 2:
        return b"[" * chance.choice([10, 100_000])
    if kind == 3:
        return b"payload=" + json.dumps(value(chance)).encode()
    return json.dumps(value(chance)).encode()[: chance.choice([10, 100, 10**7])]


def headers(chance):
    found = [("host", chance.choice(["agents.example", "agents.example:443", "evil.example", "", "[::1]"]))]
    found.append(("content-type", chance.choice(TYPES)))
    for name in ("authorization", "signature", "signature-input", "digest", "date", "a2a-version", "accept", "cookie"):
        if chance.random() < 0.3:
            found.append(
                (name, chance.choice([*WORDS, f"Bearer {'t' * 32}", "Bearer \x7f", 'keyId="a",signature="b"']))
            )
    for name in ("x-slack-signature", "x-slack-request-timestamp", "x-signature-ed25519", "x-signature-timestamp"):
        if chance.random() < 0.2:
            found.append((name, chance.choice(["v0=" + "a" * 64, "0", "9" * 30, "ab" * 64])))
    return [(name.encode(), text.encode("utf-8", "replace").replace(b"\n", b"")) for name, text in found]


def paths(host):
    found = []
    for route in host.routes():
        path = getattr(route, "path", "/")
        found.append(path.replace("{rest:path}", "message:send").replace("{path:path}", "objects/1"))
    return sorted({one.format_map(Any()) for one in found} | {"/", "/%00", "//", "/" + "a" * 9_000})


class Any(dict):
    def __missing__(self, key):
        return "x"


def test_every_request_ends_in_a_clean_answer(make_host, world, caplog):
    caplog.set_level(logging.WARNING)
    host = make_host(ActivityPub, Discovery, A2A, Rest, Slack, Discord, BlueBubbles, **SECTIONS)
    seed = int(os.environ.get("HTTP_FUZZ_SEED", "1"))
    chance, odd = random.Random(seed), []

    async def story():
        async with host.running():
            # What goes wrong in the application comes out of the client as it is.
            transport = httpx.ASGITransport(app=host.app())
            async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
                for number in range(COUNT):
                    request = httpx.Request(
                        chance.choice(["GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "X"]),
                        "https://agents.example"
                        + chance.choice(paths(host))
                        + chance.choice(["", "?a=%ff", "?page=x"]),
                        headers=headers(chance),
                        content=body(chance),
                    )
                    async with asyncio.timeout(20):
                        got = await client.send(request)
                    if got.status_code >= 500 and got.status_code != 503:
                        odd.append((number, request.method, request.url, got.status_code, got.text[:200]))

    asyncio.run(story())

    assert odd == []
    assert [one.getMessage() for one in caplog.records if one.exc_info and one.levelno >= logging.ERROR] == []
