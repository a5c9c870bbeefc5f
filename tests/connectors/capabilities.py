"""A connector and its file capabilities, for the tests of files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from mentionable import SigningKey, drive
from mentionable.connectors import files
from mentionable.testing.lookups import LookupTable
from tests.vectors._files_rows import AGENT, HOST, SCOPE, SECRET, SEED, TURN

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
KEY = files.FileKey.from_secret(SECRET, key_id="2026-11")
SIGNING = SigningKey.from_seed(SEED, key_id="edge")
EDGE_KEY = files.FileKey.from_signing_key(SIGNING)
PUBLIC_KEY = files.FileKey.from_public_key(SIGNING.public_raw, key_id="edge")
KEYS = (KEY, PUBLIC_KEY)
FILE = files.Scope(**SCOPE)
PLAIN: dict[str, Any] = {
    "issuer": HOST,
    "provider": "slack",
    "audience": AGENT,
    "scope": FILE,
    "turn": TURN,
    "max_bytes": 12_345,
    "now": NOW,
    "entropy": bytes(32),
}


def minted(key: files.FileKey = KEY, **changes: Any) -> files.FileUrl:
    """A capability."""
    facts = {**PLAIN, **changes}
    grant = files.FileGrant(**{name: facts.pop(name) for name in ("audience", "scope", "turn", "max_bytes")})
    return files.issue_file_url(grant, key=key, **facts)


def token_of(capability: files.FileUrl) -> str:
    """The token in its URL."""
    return capability.url.rpartition("/")[2]


def table(**rows: Any) -> LookupTable:
    """A world in which nothing was taken back."""
    return LookupTable({"REVOKED *": False, **rows})


def verified(token: Any, **changes: Any) -> Any:
    """What comes of a fetch with a token."""
    facts = {"keys": KEYS, "issuer": HOST, "presenter": AGENT, "now": NOW, **changes}
    known = {name: facts.pop(name) for name in ("scope", "turn", "size") if name in facts}
    if known:
        facts["expected"] = files.ExpectedFile(**known)
    return drive(files.verify(token, **facts), table())
