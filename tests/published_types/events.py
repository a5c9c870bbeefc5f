"""The types of the Agentic Notification Protocol: events (§8), ways between states (§5.1), channels."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ._check import OBJECT, TEXT, TIME, nullable, record, whole, words

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUTING: Final = record(
    "Event.routing",
    {"address": words("session", "user"), "target": words("user", "agent"), "handler": words("system", "agent")},
)
STATUS: Final = words("pending", "dispatched", "locked", "delivered", "escalated", "failed")
LEASE: Final = whole(1)
_MEMBERS: Final = {
    "id": TEXT,
    "content": TEXT,
    "routing": ROUTING,
    "status": STATUS,
    "owner_lease": LEASE,
    "created_at": TIME,
}
_OPTIONAL: Final = {
    "deduplication_key": nullable(TEXT),
    "metadata": OBJECT,
    "agent_instructions": record("Event.agent_instructions", {}, {"directive": TEXT, "tone_hint": TEXT}),
    "ack_at": nullable(TIME),
    "delivery_deadline": nullable(TIME),
}
EVENT: Final = record("Event", _MEMBERS, _OPTIONAL)
CHANGED: Final = record("Event", {}, {**_MEMBERS, **_OPTIONAL, "metadata": nullable(OBJECT)})
SUBMITTED: Final = record("Event", {"content": TEXT, "routing": ROUTING}, _OPTIONAL)
CHANNEL: Final = words("A", "B", "C")
CLASS: Final = words("INTERNAL", "EXTERNAL", "internal", "external")

EDGES: Final = frozenset(
    {
        ("pending", "dispatched"),
        ("dispatched", "locked"),
        ("locked", "delivered"),
        ("locked", "escalated"),
        ("locked", "failed"),
        ("escalated", "delivered"),
        ("escalated", "failed"),
    }
)


def PATH(value: Any, name: str) -> Iterator[str]:
    """The states that an event went through, in an array or as `a > b`."""
    states = value.split(" > ") if isinstance(value, str) else value
    if not isinstance(states, list):
        yield from () if value is None else (name,)
        return
    for edge in pairwise(states):
        if edge not in EDGES and None not in edge:
            yield " → ".join(edge)
