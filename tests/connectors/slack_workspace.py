"""A workspace of Slack for tests: signed requests, and what its API answers."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from mentionable import HttpRequest, NormalizedMessage, drive
from mentionable.connectors import slack
from mentionable.connectors.files import FileKey
from mentionable.testing import LookupTable

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
TIME = str(int(NOW.timestamp()))
SECRET = b"8f742231b10e8888abcd99yyyzzz85a5"
ISSUER = "slack.agents.example"
AGENT = "@helper@agents.example"
TS = "1795294500.000100"
FILES = FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11")
SETTINGS = slack.Settings(signing_secret=SECRET, issuer=ISSUER)
ALICE: dict[str, Any] = {
    "id": "U1",
    "team_id": "T1",
    "name": "alice",
    "tz": "Asia/Seoul",
    "locale": "ko-KR",
    "profile": {"display_name": "Alice", "real_name": "Alice Doe", "image_72": "https://avatars.example/72.png"},
}
WORLD: dict[str, Any] = {
    "AGENT slack:T1/UBOT": AGENT,
    "AGENT slack:T1/A1": AGENT,
    "MESSAGE *": None,
    "CALL users.info U1": {"ok": True, "user": ALICE},
}


def signature(body: bytes, *, time: str = TIME, secret: bytes = SECRET) -> str:
    return "v0=" + hmac.new(secret, b"v0:" + time.encode() + b":" + body, hashlib.sha256).hexdigest()


def request(body: bytes | str, *, kind: str = "application/json", **headers: str | None) -> HttpRequest:
    """A request that Slack signed; a header of None is left out."""
    data = body if isinstance(body, bytes) else body.encode()
    named = {"signature": signature(data), "request_timestamp": TIME, **headers}
    pairs = [(f"X-Slack-{name.replace('_', '-')}", value) for name, value in named.items() if value is not None]
    url = "https://slack.agents.example/slack/events"
    return HttpRequest(method="POST", url=url, headers=[*pairs, ("Content-Type", kind)], body=data)


def envelope(event: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "event_callback",
        "team_id": "T1",
        "api_app_id": "A1",
        "event_id": "Ev1",
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
        "event": event,
        **more,
    }


def mention(text: str = "<@UBOT> hello", **more: Any) -> dict[str, Any]:
    return {"type": "app_mention", "user": "U1", "team": "T1", "channel": "C1", "ts": TS, "text": text, **more}


def said(text: str = "hello", **more: Any) -> dict[str, Any]:
    return {**mention(text), "type": "message", "channel": "D1", "channel_type": "im", **more}


def without(members: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: member for name, member in members.items() if name not in names}


def event_unit(event: Any, **more: Any) -> HttpRequest:
    return request(json.dumps(envelope(event, **more)))


def form_unit(**fields: str) -> HttpRequest:
    return request(urlencode(fields), kind="application/x-www-form-urlencoded")


def command_unit(**fields: str) -> HttpRequest:
    known = {
        "token": "xoxb-canary",
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": "U1",
        "command": "/rain",
        "text": "in *Seoul* &amp; Busan",
        "api_app_id": "A1",
        "response_url": "https://hooks.slack.example/commands/T1/1/secret",
        "trigger_id": "13345224609.738474920.8088930838d88f008e0",
    }
    return form_unit(**{**known, **fields})


def receive(
    unit: HttpRequest, *, world: dict[str, Any] | None = None, settings: slack.Settings = SETTINGS, **facts: Any
) -> Any:
    """The outcome, and what was asked."""
    table = LookupTable({**WORLD, **(world or {})})
    facts = {"now": NOW, "entropy": bytes(32), **facts}
    return drive(slack.receive(unit, settings=settings, **facts), table), table.asked


def outcome(unit: HttpRequest, **facts: Any) -> Any:
    return receive(unit, **facts)[0]


def message(event: Any, *, more: dict[str, Any] | None = None, **facts: Any) -> NormalizedMessage:
    found: NormalizedMessage = outcome(event_unit(event, **(more or {})), **facts).message
    return found


def code(event: Any, *, more: dict[str, Any] | None = None, **facts: Any) -> str:
    """Why an event is rejected."""
    found: str = outcome(event_unit(event, **(more or {})), **facts).code
    return found


def notes(found: Any) -> list[str]:
    return [note.code for note in found.diagnostics]


def user(**more: Any) -> dict[str, Any]:
    """What `users.info` answers for Alice, with other members."""
    return {"CALL users.info U1": {"ok": True, "user": {**ALICE, **more}}}
