"""Webhooks of BlueBubbles, and how the cases of the connector are written."""

from __future__ import annotations

import hmac
import json
from typing import Any, Final

from tests.vectors._answer_rows import row
from tests.vectors._connector_sections import section_of

Case = dict[str, Any]

SECRET: Final = "a-secret-of-your-own-server"
KEY: Final = "00" * 32
ISSUER: Final = "imessage.agents.example"
AGENT: Final = "@helper@agents.example"
URL: Final = "https://imessage.agents.example/hook"
GUID: Final = "00000000-0000-4000-8000-000000000001"
OTHER: Final = "00000000-0000-4000-8000-000000000002"
PHONE: Final = "+15550100"
CHAT: Final = f"iMessage;-;{PHONE}"
SETTINGS: Final[Case] = {"secret": SECRET, "pseudonym_key": KEY, "issuer": ISSUER}
FILES: Final[Case] = {
    **SETTINGS,
    "files": {"secret": "YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcyAuLi4", "kid": "2026-11"},
}
WORLD: Final[Case] = {"AGENT bluebubbles:home": AGENT, "MESSAGE *": None, "HISTORY *": []}


def pseudonym(kind: str, text: str, key: str = KEY) -> str:
    """What stands for a number or a chat."""
    return hmac.digest(bytes.fromhex(key), f"{kind}\0{text.lower()}".encode(), "sha256").hex()[:32]


PERSON: Final = pseudonym("handle", PHONE)
ROOM: Final = pseudonym("chat", CHAT)


def told(kind: Any = "new-message", **changes: Any) -> Case:
    """A webhook; a member of the message that is None is left out."""
    found = {
        "guid": GUID,
        "text": "Will it rain?",
        "attributedBody": [{"string": "canary"}],
        "handle": {"address": PHONE, "service": "iMessage", "uncanonicalizedId": "canary 5550100"},
        "chats": [{"guid": CHAT, "style": 45, "chatIdentifier": PHONE, "participants": [{"address": PHONE}]}],
        "attachments": [],
        "isFromMe": False,
        "dateCreated": 1_795_294_560_000,
        "itemType": 0,
        **changes,
    }
    return {"type": kind, "data": {name: member for name, member in found.items() if member is not None}}


def posted(body: Any, *, query: str = f"?secret={SECRET}", settings: Case = SETTINGS, **more: Any) -> Case:
    """The input of a case: the request of a webhook."""
    text = body if isinstance(body, str) else json.dumps(body)
    headers = [[name, value] for name, value in more.pop("headers", {}).items()]
    return {"request": {"url": URL + query, "headers": headers, "body": text}, "settings": settings, **more}


def evidence(person: str = PERSON) -> Case:
    """What the connector knows of who wrote."""
    return {
        "subject": f"imessage:{person}",
        "issuer": ISSUER,
        "method": "urn:mentionable:auth:imessage-handle:v0.1",
        "assurance": "platform",
        "audience": AGENT,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "bluebubbles"},
        "id": f"bluebubbles:{GUID}",
        "source": {"transport": "bluebubbles", "connector": "bluebubbles-connector", "channel": ROOM},
        "claims": {"profile": {"provider": "imessage", "provider_subject": f"imessage:{person}"}},
    }


def sender(person: str = PERSON, *, shown: bool = True) -> Case:
    """Who wrote, as the sender of a message."""
    made: Case = {
        "address": f"@{person}@bluebubbles.invalid",
        "auth_method": "none",
        "verified": False,
        "profile": {"provider": "imessage", "provider_subject": f"imessage:{person}"},
    }
    return made | ({"identities": [evidence(person)]} if shown else {})


def case(behaviour: str, name: str, why: str, unit: Case, *, section: str | None = None, **outcome: Any) -> Case:
    """A case; `world` adds rows to its look-ups, `common` are settings of every room."""
    lookups = {**WORLD, **outcome.pop("world", {})}
    common = outcome.pop("common", None)
    given = {"lookups": lookups, **({"settings": common} if common else {})}
    return row(f"connectors/{behaviour}/{name}", section or section_of(behaviour), why, unit, given=given, **outcome)
