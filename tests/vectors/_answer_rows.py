"""How the cases of answering are written: one row each, and responses to write them with."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from typing import Any, Final

Case = dict[str, Any]

VIEWER: Final = "https://mentionable.dev/trace"
DATA: Final = "data:application/json;base64,"
MARKDOWN: Final[Case] = {"kind": "text", "mime": "text/markdown", "content": "It will **rain**."}
PLAIN: Final[Case] = {"kind": "text", "mime": "text/plain", "content": "It will rain."}
UUID: Final[Case] = {"$any": "uuid7"}
ANY: Final[Case] = {"$any": "json"}

SIGNED_AT: Final = {"issued_at": "2026-11-21T20:56:00.000Z", "expires_at": "2026-11-21T21:01:00.000Z"}
"""The times of evidence that was signed when the cases begin, in the form of signed statements."""


def call(name: str = "web_search", number: str = "c1", args: Any = None, **ended: Any) -> Case:
    """A tool call, running unless it is said how it ended."""
    return {"kind": "tool_call", "id": number, "name": name, "args": {"q": "rain"} if args is None else args, **ended}


DONE: Final[Case] = call(result=[{"title": "Rain"}], duration_ms=412)
FAILED: Final[Case] = call("slow_lookup", "c2", {}, error={"message": "timed out"}, duration_ms=30000)
RUNNING: Final[Case] = call("file_write", "c3", {"path": "a.txt"})


def response(*parts: Any, reply_to: str = "m1", status: str = "ok", **members: Any) -> Case:
    """A response."""
    return {"reply_to": reply_to, "parts": list(parts), "status": status, **members}


def answer(*parts: Any, status: str = "ok", **members: Any) -> Case:
    """A response to whatever was asked."""
    found = response(*parts, status=status, **members)
    if "reply_to" not in members:
        del found["reply_to"]
    return found


USUAL: Final[Case] = response(MARKDOWN, DONE)


def compact(value: Any) -> bytes:
    """JSON as short as it gets."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def standard(value: Any) -> str:
    """The JSON of a value in base64."""
    return b64encode(value if isinstance(value, bytes) else compact(value)).decode()


def url_safe(value: Any) -> str:
    """The same in the alphabet of addresses, without padding."""
    return urlsafe_b64encode(value if isinstance(value, bytes) else compact(value)).decode().rstrip("=")


def link(value: Any, viewer: str = VIEWER) -> str:
    """The address that carries a trace."""
    return f"{viewer}#{url_safe(value)}"


def row(name: str, section: str, why: str, unit: Any, *, level: str = "MUST", **outcome: Any) -> Case:
    """A case; `given` may stand among what is expected."""
    given = outcome.pop("given", None)
    flags = outcome.pop("flags", None)
    return {
        "id": name,
        "section": section,
        "level": level,
        "why": why,
        **({"flags": flags} if flags else {}),
        **({"given": given} if given else {}),
        "input": unit,
        **outcome,
    }
