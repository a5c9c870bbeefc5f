"""The chat of a person with the agent on its page: one for each person, which stays."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

__all__ = ["chat_of"]


def chat_of(person: str) -> str:
    """The session of a person's chat."""
    return str(uuid5(NAMESPACE_URL, f"chat {person}"))
