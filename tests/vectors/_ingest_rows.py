"""People, rows and messages, and how the cases of the ingest contract are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import Case, row

if TYPE_CHECKING:
    from collections.abc import Callable

MI: Final = "MI"
"""The contract itself."""

NOW: Final = "2026-11-21T20:56:00Z"
HELPER: Final = "@helper@agents.example"
THREAD_HEADING: Final = "[Thread context — prior messages in this thread, newest last]"
AMBIENT_HEADING: Final = "[Channel context — ambient messages not directed at the bot]"
THREAD: Final = (
    f"{THREAD_HEADING}\n- Ash (<@U03ASH>): are we still on for tomorrow?\n- Olivia (<@U06STGBF4Q0>): yeah, "
    f"lemme confirm"
)
MALFORMED: Final[Case] = {"rejected": {"code": "malformed"}}


def rows(behaviour: str) -> Callable[..., Case]:
    """Rows of one behaviour: `made(variant, section, why, unit, …)`."""

    def made(variant: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
        return row(f"ingest/{behaviour}/{variant}", section, why, unit, **outcome)

    return made


def meta(name: str | None, token: str | None = None, *, source: str = "slack", **members: Any) -> Case:
    """The metadata of somebody; members of None are left out."""
    found = {
        "source": source,
        "sender_id": f"{source}:{(name or 'x').lower()}",
        "sender_display_name": name,
        "sender_type": "human",
        "mention_token": token,
        **members,
    }
    return {member: value for member, value in found.items() if value is not None}


OLIVIA: Final = meta("Olivia", "<@U06STGBF4Q0>", sender_id="slack:U06STGBF4Q0")
BOB: Final = meta("Bob")
ASH: Final = meta("Ash", "<@U03ASH>", sender_id="slack:U03ASH")


def user(content: Any, metadata: Any = None, **members: Any) -> Case:
    """A row of somebody; without metadata, a turn as it comes out."""
    return said("user", content, metadata, **members)


def agent(content: Any, metadata: Any = None, **members: Any) -> Case:
    """A row of an agent."""
    return said("assistant", content, metadata, **members)


def system(content: str, **members: Any) -> Case:
    """A system message."""
    return said("system", content, None, **members)


def said(role: str, content: Any, metadata: Any = None, **members: Any) -> Case:
    """A row."""
    return {"role": role, "content": content, **members, **({} if metadata is None else {"_metadata": metadata})}


def parts(role: str, *found: Any, metadata: Any = None) -> Case:
    """A row of Gemini."""
    return {"role": role, "parts": list(found), **({} if metadata is None else {"_metadata": metadata})}


def text(content: str, kind: str = "text", **members: Any) -> Case:
    """A block of text."""
    return {"type": kind, "text": content, **members}


def thread(*lines: str) -> str:
    """A block of prior messages."""
    return "\n".join([THREAD_HEADING, *lines])


def ambient(*lines: str) -> Case:
    """The block of messages that were not for the agent."""
    return system("\n".join([AMBIENT_HEADING, *lines]))


def unit(*found: Any, **how: Any) -> Case:
    """Rows to assemble, and how."""
    return {"rows": list(found), **how}


def gives(*found: Any, notes: list[str] | None = None) -> Case:
    """What comes out."""
    return {"value": list(found), "diagnostics": notes or []}
