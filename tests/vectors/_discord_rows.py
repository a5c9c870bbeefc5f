"""Events of Discord, and how the cases of the connector are written."""

from __future__ import annotations

import json
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors._answer_rows import row
from tests.vectors._connector_sections import section_of

Case = dict[str, Any]

TIME: Final = "1795294560"
"""The default time of cases, 2026-11-21T20:56:00Z, in seconds."""

KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ISSUER: Final = "discord.agents.example"
AGENT: Final = "@helper@agents.example"
URL: Final = "https://discord.agents.example/interactions"
EVENT: Final = "1310000000000000001"
OTHER: Final = "1310000000000000000"
SETTINGS: Final[Case] = {
    "public_key": KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex(),
    "application_id": "700",
    "issuer": ISSUER,
}
SECRET: Final[Case] = {"secret": "YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcyAuLi4", "kid": "2026-11"}
FILES: Final[Case] = {**SETTINGS, "files": SECRET}
ALICE: Final[Case] = {
    "id": "42",
    "username": "alice",
    "global_name": "Alice A",
    "email": "alice@private.example",
    "phone": "+15550199",
    "mfa_enabled": True,
}
BOB: Final[Case] = {"id": "43", "username": "bob", "global_name": "Bob"}
MEMBER: Final[Case] = {"nick": "Al", "roles": ["60"], "permissions": "8", "user": ALICE}
PROFILE: Final[Case] = {
    "display_name": "Al",
    "username": "alice",
    "locale": "en-GB",
    "provider": "discord",
    "provider_subject": "discord:300/42",
    "extensions": {"discord": {"guild_id": "300", "user_id": "42"}},
}
WORLD: Final[Case] = {"AGENT discord:700": AGENT, "MESSAGE *": None}


def signature(body: str, *, time: str = TIME, key: Ed25519PrivateKey = KEY) -> str:
    """What Discord writes into the header."""
    return key.sign(f"{time}{body}".encode()).hex()


def signed(body: Any, **headers: str | None) -> Case:
    """A request that Discord signed; a header of None is left out."""
    text = body if isinstance(body, str) else json.dumps(body)
    named = {"Ed25519": signature(text), "Timestamp": TIME, **headers}
    pairs = [[f"X-Signature-{name}", value] for name, value in named.items() if value is not None]
    return {"url": URL, "headers": pairs, "body": text}


def whole(found: Case, changes: Case) -> Case:
    """An object with other members; None takes one away."""
    return {name: member for name, member in {**found, **changes}.items() if member is not None}


def interaction(data: Any = None, **changes: Any) -> Case:
    """A command that a member of a guild used."""
    ask = {"id": "1", "name": "ask", "type": 1, "options": [{"name": "prompt", "type": 3, "value": "Will it rain?"}]}
    found = {
        "id": EVENT,
        "application_id": "700",
        "type": 2,
        "token": "canary-interaction-token",
        "guild_id": "300",
        "channel_id": "500",
        "member": MEMBER,
        "locale": "en-GB",
        "app_permissions": "8",
        "data": ask if data is None else data,
    }
    return whole(found, changes)


def message(content: Any = "<@700> Will it rain?", **changes: Any) -> Case:
    """A message in a guild that mentions the bot."""
    found = {
        "id": EVENT,
        "channel_id": "500",
        "guild_id": "300",
        "type": 0,
        "content": content,
        "author": ALICE,
        "member": {"nick": "Al", "roles": ["60"]},
        "mentions": [{"id": "700", "username": "helper"}],
        "nonce": "canary",
    }
    return whole(found, changes)


def direct(content: Any = "Will it rain?", **changes: Any) -> Case:
    """A direct message."""
    return message(content, **{"guild_id": None, "member": None, "mentions": None, **changes})


def heard(event: Case, *, settings: Case = SETTINGS, **more: Any) -> Case:
    """The input of a case: an event of the gateway."""
    return {"event": event, "settings": settings, **more}


def posted(body: Any, *, settings: Case = SETTINGS) -> Case:
    """The input of a case: a signed request."""
    return {"request": signed(body), "settings": settings}


def evidence(**more: Any) -> Case:
    """What the connector knows of Alice."""
    found = {
        "subject": "discord:300/42",
        "issuer": ISSUER,
        "method": "urn:mentionable:auth:discord-guild-member:v0.1",
        "assurance": "platform",
        "audience": AGENT,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "discord"},
        "id": f"discord:{EVENT}",
        "claims": {"profile": PROFILE},
        "source": {"transport": "discord", "connector": "discord-connector", "channel": "500"},
    }
    return {**found, **more}


def sender(profile: Case, address: str = "@42@300.discord.invalid", **more: Any) -> Case:
    """The sender with evidence of that profile."""
    shown = evidence(claims={"profile": profile}, **more)
    return {
        "address": address,
        "auth_method": "none",
        "verified": False,
        **({"display_name": profile["display_name"]} if "display_name" in profile else {}),
        "profile": profile,
        "identities": [shown],
    }


def text(content: str, **extra: Any) -> Case:
    """A text part; `written_by`, `mentions` and `native_text` are members of it."""
    return {"kind": "text", "mime": "text/markdown", "content": content, **extra}


def case(behaviour: str, name: str, why: str, unit: Case, *, section: str | None = None, **outcome: Any) -> Case:
    """A case; `world` adds rows to its look-ups, `common` are settings of every room."""
    lookups = {**WORLD, **outcome.pop("world", {})}
    common = {"history": {"max_messages": 0}, **outcome.pop("common", {})}
    given = {"lookups": lookups, "settings": common, **outcome.pop("around", {})}
    return row(f"connectors/{behaviour}/{name}", section or section_of(behaviour), why, unit, given=given, **outcome)
