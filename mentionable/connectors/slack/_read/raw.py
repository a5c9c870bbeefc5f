"""`raw`: what of the native event may be kept, each member named here.

Spec: Normalized Message §6; Building a Connector §Security Checklist.
"""

from __future__ import annotations

from typing import Any

from .event import Event


def raw_of(event: Event) -> dict[str, Any]:
    """Ids and kinds, and nothing that anybody wrote."""
    return {
        "platform": "slack",
        "type": event.kind,
        "event_id": event.id,
        "team": event.team,
        "channel": event.channel,
        "channel_type": event.channel_type,
        "ts": event.ts,
        "thread_ts": event.thread_ts,
        "user": event.user,
        "bot": event.bot,
    }
