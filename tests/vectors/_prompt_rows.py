"""People, turns and messages, and how the cases of prompts are written."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import Case, row

if TYPE_CHECKING:
    from collections.abc import Callable

A8: Final = "D A8"
"""What a model is given of a message."""

MI: Final = "MI"
"""The ingest contract, to which headers and turns belong."""

HELPER: Final = "@helper@agents.example"
NOW: Final = "2026-11-21T20:56:00Z"
DIALECTS: Final = ("openai", "openai-responses", "anthropic", "gemini", "vercel")
DIGEST: Final = "0" * 64
SECRET: Final = "zqx"
"""A word that must not stand where a system speaks."""


def rows(behaviour: str) -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, section, why, unit, …)`."""

    def made(variant: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
        return row(f"prompt/{behaviour}/{variant}", section, why, unit, **outcome)

    return made


def person(address: str, name: str | None = None, **members: Any) -> Case:
    """Somebody of whom nothing is shown, unless it is said."""
    named = {} if name is None else {"display_name": name}
    return {"address": address, **named, "auth_method": "none", "verified": False, **members}


ALICE: Final = person("@alice@a.example", "Alice")
SHOWN: Final = person("@alice@a.example", "Alice", auth_method="email-dkim", verified=True)
BOB: Final = person("@bob@b.example", "Bob")
EVE: Final = "@eve@e.example"
OF_ALICE: Final = "[Alice (@alice@a.example)]:"
OF_BOB: Final = "[Bob (@bob@b.example)]:"
OF_HER: Final = "Alice (@alice@a.example)"
OF_HIM: Final = "Bob (@bob@b.example)"


def text(content: str, mime: str = "text/plain") -> Case:
    """A part of text."""
    return {"kind": "text", "mime": mime, "content": content}


def inline(data: bytes = b"1", name: str | None = None, mime: str = "image/png") -> Case:
    """A file that travels inside the message."""
    reference = {"kind": "inline", "data_base64": b64encode(data).decode()}
    return {"kind": "file", "mime": mime, "bytes_ref": reference, **({} if name is None else {"name": name})}


def kept(name: str | None = None, mime: str = "image/png", **place: Any) -> Case:
    """A file that is named by its digest."""
    reference = {"kind": "content_addressed", "algo": "sha256", "digest": DIGEST, **place}
    return {"kind": "file", "mime": mime, "bytes_ref": reference, **({} if name is None else {"name": name})}


def _parts(found: tuple[Any, ...]) -> list[Case]:
    return [text(one) if isinstance(one, str) else one for one in found]


def turn(*parts: Any, by: Case = BOB) -> Case:
    """What was said before; texts are plain text."""
    return {"role": "user", "sender": by, "parts": _parts(parts), "timestamp": NOW}


def own(*parts: Any) -> Case:
    """What the agent said before."""
    return {**turn(*parts, by=person(HELPER, "Helper")), "role": "assistant"}


def unit(*parts: Any, by: Case = ALICE, history: Any = None, how: Any = None, **members: Any) -> Case:
    """A message to the agent, and how it is wanted."""
    told: Case = {
        "id": "m1",
        "thread_id": "t1",
        "sender": by,
        "recipient": HELPER,
        "parts": _parts(parts),
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": "a2a",
        "received_at": NOW,
        "raw": None,
        **({} if history is None else {"history": history}),
        **members,
    }
    return {"message": told, **(how or {})}


def gives(*turns: Any, notes: list[str] | None = None, **facts: Any) -> Case:
    """What comes out: who says what, the agent as `assistant`, and further facts."""
    found = [["user", one] if isinstance(one, str) else list(one) for one in turns]
    return {"facts": {**({"turns": found} if found else {}), **facts}, "diagnostics": notes or []}


def system(*words: str, never: tuple[str, ...] = ()) -> Case:
    """What stands, or never stands, where a system speaks."""
    return {"system": {**dict.fromkeys(words, True), **dict.fromkeys(never, False)}}


REFUSED: Final[Case] = {"rejected": {"code": "malformed"}}
