"""Messages for the tests of prompts, and what a model reads of them."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from mentionable import (
    DigestRef,
    FilePart,
    HistoricalMessage,
    InlineRef,
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Sender,
    TextPart,
    UrlRef,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mentionable import Part
    from mentionable.ingest import Lowered

HELPER = "@helper@agents.example"
NOW = "2026-11-21T20:56:00Z"
DIALECTS = ("openai", "openai-responses", "anthropic", "gemini", "vercel")
PLACES = [
    (dialect, place)
    for dialect in DIALECTS
    for place in (None, "inline", "hoist", "user_block")
    if place != "inline" or dialect not in ("anthropic", "gemini")
]
"""Every dialect with every placement that it can have."""

ALICE = Sender(address="@alice@a.example", display_name="Alice", auth_method="email-dkim", verified=True)
BOB = Sender(address="@bob@b.example", display_name="Bob")
HERSELF = Sender(address=HELPER, display_name="Helper")
OF_ALICE = "[Alice (@alice@a.example)]:"
OF_BOB = "[Bob (@bob@b.example)]:"


def message(*parts: str | Part, by: Sender = ALICE, **members: Any) -> NormalizedMessage:
    """A message to the agent."""
    facts: dict[str, Any] = {
        "id": "m1",
        "thread_id": "t1",
        "recipient_capabilities": RecipientCapabilities(mention_relay=NoRelay()),
        "received_via": "a2a",
        "received_at": NOW,
        "raw": None,
        **members,
    }
    return NormalizedMessage(sender=by, recipient=HELPER, parts=_parts(parts), **facts)


def turn(*parts: str | Part, by: Sender = BOB) -> HistoricalMessage:
    """What was said before."""
    role: Any = "assistant" if by is HERSELF else "user"
    return HistoricalMessage(role=role, sender=by, parts=_parts(parts), timestamp=NOW)


def _parts(parts: tuple[str | Part, ...]) -> tuple[Part, ...]:
    return tuple([TextPart(content=part) if isinstance(part, str) else part for part in parts])


def inline(data: bytes, name: str | None = None, mime: str = "image/png") -> FilePart:
    """A file that travels inside."""
    return FilePart(mime=mime, bytes_ref=InlineRef(data_base64=b64encode(data).decode()), name=name)


def linked(url: str, name: str | None = None, mime: str = "image/png") -> FilePart:
    """A file behind a URL."""
    return FilePart(mime=mime, bytes_ref=UrlRef(url=url), name=name)


def kept(digest: str, name: str | None = None, mime: str = "image/png", url: str | None = None) -> FilePart:
    """A file that is named by its digest."""
    return FilePart(mime=mime, bytes_ref=DigestRef(digest=digest, url=url), name=name)


def said(found: Lowered, *roles: str) -> list[str]:
    """Every text of the messages of these roles, the texts of documents not among them."""
    return [text for one in found.messages if one["role"] in roles for text in texts(one)]


def texts(one: Any) -> list[str]:
    """The texts of one message, block for block."""
    content = one.get("content", one.get("parts"))
    if isinstance(content, str):
        return [content]
    return [block["text"] for block in content if "text" in block]


def told(found: Lowered) -> str:
    """All that a system says."""
    return "\n\n".join([*([found.system] if found.system is not None else []), *said(found, "system", "developer")])


def lines(found: list[str]) -> Iterator[str]:
    """Every line of texts, whatever breaks it."""
    for text in found:
        yield from text.splitlines()


def participants(found: Lowered) -> list[str]:
    """The lines that say who takes part."""
    rows = told(found).split("Participants:\n", 1)[1].split("\n")
    return rows[: rows.index("")]
