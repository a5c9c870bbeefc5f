"""The chat of a person with the agent on its page: one for each person, on all devices, which stays."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

__all__ = ["chat_thread"]


def chat_thread(agent: str, person: str) -> str:
    """The thread of the chat of a person: the session of the events in it.

    Args:
        agent: The address of the agent.
        person: The address of the person.
    """
    return str(uuid5(NAMESPACE_URL, f"chat {agent} {person}"))
