"""Requests of Slack, what its API answers, and how the cases of the connector are written."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any, Final
from urllib.parse import urlencode

from tests.vectors._answer_rows import row
from tests.vectors._connector_sections import section_of

Case = dict[str, Any]

TIME: Final = "1795294560"
"""The default time of cases, 2026-11-21T20:56:00Z, in seconds."""

SECRET: Final = "8f742231b10e8888abcd99yyyzzz85a5"
ISSUER: Final = "slack.agents.example"
AGENT: Final = "@helper@agents.example"
URL: Final = "https://slack.agents.example/slack/events"
FORM: Final = "application/x-www-form-urlencoded"
TS: Final = "1795294500.000100"
ROOT: Final = "1795294400.000001"
TRIGGER: Final = "13345224609.738474920.8088930838d88f008e0"
NATIVE: Final = f"slack:T1/C1/{TS}"
SETTINGS: Final[Case] = {"signing_secrets": [SECRET], "issuer": ISSUER}
FILES: Final[Case] = {**SETTINGS, "files": {"secret": "YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcyAuLi4", "kid": "2026-11"}}
PROFILE: Final[Case] = {
    "display_name": "Alice",
    "username": "alice",
    "avatar": {"url": "https://avatars.example/72.png"},
    "locale": "ko-KR",
    "timezone": "Asia/Seoul",
    "provider": "slack",
    "provider_subject": "slack:T1/U1",
    "extensions": {"slack": {"team_id": "T1", "user_id": "U1", "real_name": "Alice Doe"}},
}
ALICE: Final[Case] = {
    "id": "U1",
    "team_id": "T1",
    "name": "alice",
    "tz": "Asia/Seoul",
    "locale": "ko-KR",
    "profile": {
        "display_name": "Alice",
        "real_name": "Alice Doe",
        "image_72": "https://avatars.example/72.png",
        "email": "alice@private.example",
        "phone": "+82-10-1234-5678",
    },
}
UNKNOWN_FAILS: Final[Case] = {"AGENT slack:T1/UBOT": AGENT, "AGENT slack:T1/A1": AGENT, "MESSAGE *": None}
WORLD: Final[Case] = {**UNKNOWN_FAILS, "CALL users.info U1": {"ok": True, "user": ALICE}}


def user(**more: Any) -> Case:
    """What `users.info` answers for Alice, with other members; None takes one away."""
    found = {**ALICE, **more}
    return {"CALL users.info U1": {"ok": True, "user": {name: one for name, one in found.items() if one is not None}}}


def evidence(**more: Any) -> Case:
    """What the connector knows of Alice."""
    found = {
        "subject": "slack:T1/U1",
        "issuer": ISSUER,
        "method": "urn:mentionable:auth:slack-workspace-member:v0.1",
        "assurance": "platform",
        "audience": AGENT,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "slack"},
        "id": "slack:Ev1",
        "claims": {"profile": PROFILE},
        "source": {"transport": "slack", "connector": "slack-connector", "channel": "C1"},
    }
    return {**found, **more}


def sender(*, shown: bool = True, address: str = "@U1@t1.slack.invalid", profile: Any = PROFILE, **more: Any) -> Case:
    """Alice as the sender of a message."""
    made: Case = {"address": address, "auth_method": "none", "verified": False}
    if profile is not None:
        made |= {"display_name": profile["display_name"], "profile": profile}
    return made | ({"identities": [evidence(**more)]} if shown else {})


def signature(body: str, *, time: str = TIME, secret: str = SECRET) -> str:
    """What Slack writes into the header."""
    return "v0=" + hmac.new(secret.encode(), f"v0:{time}:{body}".encode(), hashlib.sha256).hexdigest()


def signed(body: str, *, kind: str = "application/json", **headers: str | None) -> Case:
    """A request that Slack signed; a header of None is left out."""
    named = {"Signature": signature(body), "Request-Timestamp": TIME, **headers}
    pairs = [[f"X-Slack-{name}", value] for name, value in named.items() if value is not None]
    return {"url": URL, "headers": [*pairs, ["Content-Type", kind]], "body": body}


def envelope(event: Any, **more: Any) -> Case:
    """An event in its envelope."""
    return {
        "type": "event_callback",
        "token": "xoxb-canary",
        "team_id": "T1",
        "api_app_id": "A1",
        "event_id": "Ev1",
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
        "event": event,
        **more,
    }


def mention(text: str = "<@UBOT> hello", **more: Any) -> Case:
    """Somebody mentions the app in a channel; None takes a member away."""
    event = {"type": "app_mention", "user": "U1", "team": "T1", "channel": "C1", "ts": TS, "text": text, **more}
    return {name: member for name, member in event.items() if member is not None}


def said(text: str = "hello", **more: Any) -> Case:
    """Somebody writes to the app alone."""
    return mention(text, **{"type": "message", "channel": "D1", "channel_type": "im", **more})


def unit(event: Any, *, settings: Case = SETTINGS, more: Case | None = None) -> Case:
    """The input of a case: an event."""
    return {"request": signed(json.dumps(envelope(event, **(more or {})))), "settings": settings}


def form(settings: Case = SETTINGS, **fields: str) -> Case:
    """The input of a case: a form."""
    return {"request": signed(urlencode(fields), kind=FORM), "settings": settings}


def command(settings: Case = SETTINGS, **fields: str) -> Case:
    """The input of a case: a slash command."""
    known = {
        "token": "xoxb-canary",
        "team_id": "T1",
        "channel_id": "C1",
        "user_id": "U1",
        "command": "/rain",
        "text": "in *Seoul* &amp; Busan",
        "api_app_id": "A1",
        "response_url": "https://hooks.slack.example/commands/T1/1/secret",
        "trigger_id": TRIGGER,
    }
    return form(settings, **{**known, **fields})


def raw(**more: Any) -> Case:
    """What is kept of an event."""
    kept = {"platform": "slack", "type": "app_mention", "event_id": "Ev1", "team": "T1", "channel": "C1"}
    rest = {"channel_type": None, "ts": TS, "thread_ts": None, "user": "U1", "bot": None}
    return {**kept, **rest, **more}


def text(content: str, mime: str = "text/plain", **more: Any) -> Case:
    return {"kind": "text", "content": content, "mime": mime, **more}


def native(content: str, sent: str, mime: str = "text/plain", **more: Any) -> Case:
    """A text that Slack sent in another form."""
    return text(content, mime, native_text=sent, native_form="mrkdwn", **more)


def message(*parts: Case, **more: Any) -> Case:
    """The message that becomes of a mention."""
    return {
        "id": {"$any": "uuid7"},
        "thread_id": NATIVE,
        "sender": sender(),
        "recipient": AGENT,
        "parts": list(parts),
        "recipient_capabilities": {"mention_relay": {"kind": "inline"}},
        "received_via": "connector",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": raw(),
        **more,
    }


def case(behaviour: str, name: str, why: str, unit: Case, *, section: str | None = None, **outcome: Any) -> Case:
    """A case; `world` adds rows to its look-ups, `settings` are those of every room."""
    lookups = {**WORLD, **outcome.pop("world", {})}
    common = outcome.pop("common", None)
    more = outcome.pop("around", {})
    given = {"lookups": lookups, **({"settings": common} if common else {}), **more}
    return row(f"connectors/{behaviour}/{name}", section or section_of(behaviour), why, unit, given=given, **outcome)


def bare(behaviour: str, name: str, why: str, unit: Case, *, section: str | None = None, **outcome: Any) -> Case:
    """A case that asks nothing."""
    return row(f"connectors/{behaviour}/{name}", section or section_of(behaviour), why, unit, **outcome)
