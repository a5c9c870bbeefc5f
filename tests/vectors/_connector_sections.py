"""Which document or decision the cases of connectors belong to."""

from __future__ import annotations

from typing import Final

__all__ = ["PLATFORM", "section_of"]

PLATFORM: Final = "D C9"
"""What a connector makes of its platform's own events, markup and calls, of which no document speaks."""
BY_BEHAVIOUR: Final = {
    **dict.fromkeys(
        (
            *(
                "slack-handshake",
                "slack-rejected",
                "slack-content",
                "slack-read-text",
                "slack-seen",
                "slack-write-text",
            ),
            *("slack-forged-text", "slack-response-url", "slack-click", "slack-click-rejected", "slack-presence"),
            *("discord-defer", "discord-rejected", "discord-parts", "discord-command", "discord-click"),
            *("bluebubbles-rejected", "bluebubbles-chats", "bluebubbles-parts", "retry-after"),
        ),
        PLATFORM,
    ),
    "slack-private": "R59",
}
"""All other behaviours are said by the guide for connectors."""


def section_of(behaviour: str) -> str:
    """The section of the cases of a behaviour that name no other one."""
    return BY_BEHAVIOUR.get(behaviour, "BC")
