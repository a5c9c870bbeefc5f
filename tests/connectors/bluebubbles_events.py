"""Webhooks of BlueBubbles as tests send them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from mentionable import Answers, HttpRequest, drive
from mentionable.connectors import bluebubbles
from mentionable.connectors.files import FileKey

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
AGENT = "@helper@agents.example"
SECRET = "a-secret-of-your-own-server"
GUID, OTHER = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
PHONE = "+15550100"
CHAT = f"iMessage;-;{PHONE}"
FILES = FileKey.from_secret(b"a secret of thirty-two bytes ...", key_id="2026-11")


def settings(**changes: Any) -> bluebubbles.Settings:
    """The settings with some changed."""
    facts = {"secret": SECRET, "pseudonym_key": bytes(32), "issuer": "imessage.agents.example"}
    return bluebubbles.Settings(**{**facts, **changes})


SETTINGS = settings()


def told(kind: Any = "new-message", **changes: Any) -> dict[str, Any]:
    """A webhook; a member of the message that is None is left out."""
    message = {
        "guid": GUID,
        "text": "Hi",
        "subject": "",
        "handle": {"address": PHONE, "service": "iMessage", "country": "us"},
        "chats": [{"guid": CHAT, "style": 45, "chatIdentifier": PHONE}],
        "attachments": [],
        "isFromMe": False,
        "dateCreated": 1_795_294_560_000,
        "itemType": 0,
        **changes,
    }
    return {"type": kind, "data": {name: member for name, member in message.items() if member is not None}}


def posted(body: Any, query: str = f"?secret={SECRET}", **headers: str) -> HttpRequest:
    """The request of a webhook."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return HttpRequest(method="POST", url=f"https://imessage.agents.example/hook{query}", headers=pairs, body=data)


def received(unit: Any, *, own: bluebubbles.Settings = SETTINGS, recipient: str | None = None, **answers: Any) -> Any:
    """What comes of a webhook."""
    facts = {"find_agent": lambda ask: AGENT, "use_once": lambda ask: "first", **answers}
    request = unit if isinstance(unit, HttpRequest) else posted(unit)
    flow = bluebubbles.receive(request, now=NOW, entropy=bytes(32), recipient=recipient, settings=own)
    return drive(flow, Answers(**facts))


def codes(outcome: Any) -> list[str]:
    """The diagnostics of an outcome."""
    return [note.code for note in outcome.diagnostics]
