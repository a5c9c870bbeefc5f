"""The effects that present an event to a human, or report it to the agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._effects import (
    AddFact,
    AddressDemoted,
    AgentAware,
    Awareness,
    InjectContext,
    Present,
    Settled,
    Settlement,
    Update,
)
from ._notification import Notification
from ._routing import Mode
from ._step import effect


def present(record: Notification) -> Present:
    """An event as the system presents it: its content, or after an escalation its fallback."""
    return effect(
        Present,
        record,
        channel=record.surface,
        user_id=record.user_id,
        content=record.fallback if record.status == "escalated" else record.content,
        session_id=record.session_id,
        origin=record.origin,
        actions=record.actions or None,
        metadata=record.visible_metadata or None,
    )


def settled(record: Notification, how: Settlement) -> Settled:
    """The message to all devices of the person that an event needs their attention no more."""
    return effect(
        Settled, record, how=how, surface=record.surface, user_id=record.user_id, session_id=record.session_id
    )


def aware(record: Notification, awareness: Awareness) -> AgentAware:
    """What became of an event, for the agent."""
    return effect(
        AgentAware,
        record,
        awareness=awareness,
        user_id=record.user_id,
        content=record.content,
        session_id=record.addressed_session,
    )


def fact(record: Notification) -> AddFact:
    """A passive event, for the memory of the agent."""
    return effect(AddFact, record, scope=record.routing.row.scope, **_content_of(record))


def injected(record: Notification) -> InjectContext:
    """An event that the agent handles, for its context."""
    must_narrate = record.routing.target == "user"
    return effect(
        InjectContext, record, scope=record.routing.row.scope, must_narrate=must_narrate, **_content_of(record)
    )


def gone(record: Notification) -> AddressDemoted:
    """The session of an event has ended."""
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
        metadata=record.visible_metadata or None,
        **_content_of(record),
    )


def _content_of(record: Notification) -> dict[str, Any]:
    return {
        "user_id": record.user_id,
        "content": record.content,
        "session_id": record.session_id,
        "agent_instructions": record.agent_instructions,
    }
