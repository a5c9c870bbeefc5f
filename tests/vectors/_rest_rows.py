"""Forms, what becomes of them, and how the cases of REST are written."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import ANY, UUID, Case, compact, row

if TYPE_CHECKING:
    from collections.abc import Callable

URL: Final = "https://agents.example/helper"
HELPER: Final = "@helper@agents.example"
NOBODY: Final = "@anonymous@rest.invalid"
BOB: Final = "@bob@b.example"
NOW: Final = "2026-11-21T20:56:00Z"
SESSION: Final = ["session", "s1"]
MINE: Final[Case] = {"recipient": HELPER}
BOUNDARY: Final = "b0undary"
STATE: Final = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"


def rows(behaviour: str) -> Callable[..., Case]:
    """Rows of one behaviour: `row(variant, section, why, unit, …)`."""

    def made(variant: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
        return row(f"rest/{behaviour}/{variant}", section, why, unit, **outcome)

    return made


def form(*fields: Any, **beside: Any) -> Case:
    """Fields as a framework hands them over; texts are the user's."""
    return {"fields": [["user", one] if isinstance(one, str) else list(one) for one in fields], **beside}


def field(name: str, value: Any) -> list[str]:
    """A field of JSON."""
    return [name, compact(value).decode(), "application/json"]


def raw(data: bytes) -> Case:
    """Bytes of a case."""
    return {"$base64": b64encode(data).decode()}


def asked(accept: str | None = None, **headers: str) -> Case:
    """A request beside fields."""
    found = [[name.replace("_", "-"), value] for name, value in headers.items()]
    return {"method": "POST", "url": URL, "headers": [*found, *([["accept", accept]] if accept else [])]}


def posted(*pieces: tuple[str, bytes], end: str = f"--{BOUNDARY}--\r\n", **changes: Any) -> Case:
    """A request with a body: each piece is the rest of a head behind `Content-Disposition: form-data`, and data."""
    body = b""
    for head, data in pieces:
        body += f"--{BOUNDARY}\r\nContent-Disposition: form-data{head}\r\n\r\n".encode() + data + b"\r\n"
    return posted_as(body + end.encode(), **changes)


def posted_as(body: bytes, content_type: str = f"multipart/form-data; boundary={BOUNDARY}") -> Case:
    """A request with these bytes."""
    return {"method": "POST", "url": URL, "headers": [["content-type", content_type]], "body": raw(body)}


def text(content: str, mime: str = "text/plain", **members: Any) -> Case:
    """A part of text."""
    return {"kind": "text", "mime": mime, "content": content, **members}


def inline(data: bytes) -> Case:
    """A reference that holds bytes."""
    return {"kind": "inline", "data_base64": b64encode(data).decode()}


def file(data: bytes, name: str | None = None, mime: str = "image/png", **members: Any) -> Case:
    """A file that travels inside the message."""
    named = {} if name is None else {"name": name}
    return {"kind": "file", "mime": mime, "bytes_ref": inline(data), **named, "size_bytes": len(data), **members}


def sender(address: str = NOBODY, **members: Any) -> Case:
    """A sender, nothing about them shown."""
    return {"address": address, "auth_method": "none", "verified": False, **members}


def turn(content: str, role: str = "user", address: str = NOBODY, **members: Any) -> Case:
    """A prior turn."""
    found = {"role": role, "sender": sender(address), "parts": [text(content)], "timestamp": NOW}
    return {**found, **members}


def message(*parts: Any, **changes: Any) -> Case:
    """The message that a form becomes; texts are plain text."""
    return {
        "id": UUID,
        "thread_id": "s1",
        "sender": sender(),
        "recipient": HELPER,
        "parts": [text(one) if isinstance(one, str) else one for one in parts],
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": "rest",
        "received_at": NOW,
        "raw": ANY,
        **changes,
    }


def becomes(*parts: Any, notes: list[str] | None = None, given: Case | None = None, **changes: Any) -> Case:
    """What is expected of a form: its one message, and its diagnostics. Nothing was stored but what is given."""
    around = given or MINE
    lookups = {"MESSAGE *": None, **around.get("lookups", {})}
    return {
        "messages": [message(*parts, **changes)],
        "diagnostics": notes or [],
        "given": {**around, "lookups": lookups},
    }


def rejected(code: str, given: Case | None = None) -> Case:
    """What is expected of a form that is none."""
    return {"rejected": {"code": code}, "given": given or MINE}


def question(accept: str | None = None, *more: Any) -> Case:
    """A question to answer."""
    return form("Hi", SESSION, ["message_id", "q1"], *more, request=asked(accept))
