"""Interactions and messages of Discord as tests send them, and a world that answers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from mentionable import Answers, HistoryPolicy, HttpRequest, SigningKey, drive, replace
from mentionable.connectors import discord
from mentionable.connectors.files import FileKey

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
KEY = SigningKey.from_seed(bytes(range(32)), key_id="discord")
AGENT = "@helper@agents.example"
APP, USER, GUILD, CHANNEL = "700", "42", "300", "500"
EVENT, OTHER = "1310000000000000001", "1310000000000000000"
URL = "https://discord.agents.example/interactions"
SETTINGS = discord.Settings(
    public_key=KEY.public_raw.hex(),
    application_id=APP,
    issuer="discord.agents.example",
    history=HistoryPolicy(max_messages=0),
)
FILES = FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11")
ALICE = {"id": USER, "username": "alice", "global_name": "Alice A"}
MEMBER = {"nick": "Al", "roles": [], "user": ALICE}


def settings(**changes: Any) -> discord.Settings:
    """The settings with some changed."""
    return replace(SETTINGS, **changes)


def signed(body: Any, *, at: int | str | None = None, key: SigningKey = KEY, **headers: str | None) -> HttpRequest:
    """A request as Discord signs it; a header that is None is left out."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    timestamp = str(int(NOW.timestamp()) if at is None else at)
    named: dict[str, str | None] = {
        "x-signature-ed25519": key.sign(timestamp.encode() + data).hex(),
        "x-signature-timestamp": timestamp,
    }
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    pairs = [(name, value) for name, value in named.items() if value is not None]
    return HttpRequest(method="POST", url=URL, headers=pairs, body=data)


def interaction(data: Any = None, **changes: Any) -> dict[str, Any]:
    """A command that a member of a guild used."""
    whole = {
        "id": EVENT,
        "application_id": APP,
        "type": 2,
        "token": "canary-interaction-token",
        "version": 1,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "member": MEMBER,
        "locale": "en-GB",
        "data": {"id": "1", "name": "ask", "type": 1, "options": [{"name": "prompt", "type": 3, "value": "Hi"}]}
        if data is None
        else data,
        **changes,
    }
    return {name: member for name, member in whole.items() if member is not None}


def message(content: Any = "Hi <@700>", **changes: Any) -> dict[str, Any]:
    """A message in a guild that mentions the bot."""
    whole = {
        "id": EVENT,
        "channel_id": CHANNEL,
        "guild_id": GUILD,
        "type": 0,
        "content": content,
        "author": ALICE,
        "member": {"nick": "Al"},
        "mentions": [{"id": APP, "username": "helper"}],
        **changes,
    }
    return {name: member for name, member in whole.items() if member is not None}


def direct(content: Any = "Hi", **changes: Any) -> dict[str, Any]:
    """A direct message."""
    return message(content, **{"guild_id": None, "member": None, "mentions": None, **changes})


def world(**answers: Any) -> Answers:
    """A world in which the agent is known and everything is used once."""
    facts = {"find_agent": lambda ask: AGENT, "use_once": lambda ask: "first", "call_api": lambda ask: []}
    return Answers(**{**facts, **answers})


def received(unit: Any, *, own: discord.Settings = SETTINGS, recipient: str | None = None, **answers: Any) -> Any:
    """What comes of a unit."""
    flow = discord.receive(unit, now=NOW, entropy=bytes(32), recipient=recipient, settings=own)
    return drive(flow, world(**answers))


def text_of(unit: Any, **facts: Any) -> str:
    """The text that comes of a unit."""
    return "\n---\n".join(part.content for part in received(unit, **facts).message.parts)


def codes(outcome: Any) -> list[str]:
    """The diagnostics of an outcome."""
    return [note.code for note in outcome.diagnostics]
