"""What a human is shown of an event, and what the agent is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._effects import AddFact, AddressDemoted, AgentAware, Awareness, InjectContext, Present, Update
from ._notification import Notification
from ._routing import Mode
from ._step import effect


def present(record: Notification) -> Present:
    """An event as the system shows it: its words, or after an escalation those that were meant for that."""
    return effect(
        Present,
        record,
        channel=record.surface,
        user_id=record.user_id,
        content=record.fallback if record.status == "escalated" else record.content,
        session_id=record.session_id,
        origin=record.origin,
        actions=record.actions or None,
        metadata=record.shown_metadata or None,
    )


def aware(record: Notification, awareness: Awareness) -> AgentAware:
    """What the agent is told of what became of an event."""
    told = {"user_id": record.user_id, "content": record.content, "session_id": record.addressed_session}
    return effect(AgentAware, record, awareness=awareness, **told)


def fact(record: Notification) -> AddFact:
    """A passive event, for the memory of the agent."""
    return effect(AddFact, record, scope=record.routing.row.scope, **_told(record))


def injected(record: Notification) -> InjectContext:
    """An event that the agent handles, for its context."""
    must_narrate = record.routing.target == "user"
    return effect(InjectContext, record, scope=record.routing.row.scope, must_narrate=must_narrate, **_told(record))


def gone(record: Notification) -> AddressDemoted:
    """What is told when the session of an event has ended."""
    return effect(AddressDemoted, record, session_id=record.session_id)


_PLACES: Final[Mapping[Mode, str]] = {"mediated": "context", "autonomous": "context", "passive": "facts"}


def update(record: Notification) -> Update:
    """The new words of an event that stands somewhere already."""
    row = record.routing.row
    channel = _PLACES.get(row.mode) or record.surface
    return effect(
        Update,
        record,
        channel=channel,
        origin=record.origin,
        metadata=record.shown_metadata or None,
        **_told(record),
    )


def _told(record: Notification) -> dict[str, Any]:
    return {
        "user_id": record.user_id,
        "content": record.content,
        "session_id": record.session_id,
        "agent_instructions": record.agent_instructions,
    }
