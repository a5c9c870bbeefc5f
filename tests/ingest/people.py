"""Who writes in the tests of ingest, and rows of theirs."""

from __future__ import annotations

from typing import Any

from mentionable.ingest import assemble

OLIVIA: dict[str, Any] = {
    "source": "slack",
    "sender_id": "slack:U06STGBF4Q0",
    "sender_display_name": "Olivia",
    "sender_type": "human",
    "mention_token": "<@U06STGBF4Q0>",
}
HEADER = "[Olivia (<@U06STGBF4Q0>)]:"
BOB: dict[str, Any] = {
    "source": "bluebubbles",
    "sender_id": "bb:+15550100",
    "sender_display_name": "Bob",
    "sender_type": "human",
}


def user(content: Any, *, by: Any = OLIVIA, **members: Any) -> dict[str, Any]:
    """A row of a person; `members` are further ones of its metadata."""
    return {"role": "user", "content": content, "_metadata": {**by, **members}}


def system(content: str, mark: str) -> dict[str, Any]:
    """A system message that assembly wrote."""
    return {"role": "system", "content": content, "_assembled": mark}


def turn(content: Any) -> dict[str, Any]:
    """A user turn that assembly went over."""
    return {"role": "user", "content": content, "_assembled": "turn"}


def assembled(*rows: Any, **how: Any) -> list[dict[str, Any]]:
    """What `assemble` makes of rows."""
    return list(assemble(rows, **how).rows)


def said(content: Any, **how: Any) -> Any:
    """What a model reads of something that Olivia wrote."""
    return assembled(user(content), **how)[-1]["content"]
