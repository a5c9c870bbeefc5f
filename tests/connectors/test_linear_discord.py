"""The work of reading a message of Discord grows with the message, and no faster, whatever is in it."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import Limits
from mentionable.connectors.discord._read.content import read_content
from mentionable.connectors.discord._read.interaction import read_interaction
from tests.connectors.discord_events import direct, interaction, settings
from tests.linearity import steps_grow_linearly, time_grows_linearly

LIMITS = Limits(parts=10**9)
OWN = settings(limits=LIMITS)
LINK = "https://a.example/"


def nested(size: int) -> Any:
    component: Any = {"type": 10, "content": "x"}
    for _ in range(40):
        component = {"type": 17, "components": [component] * 2 if size > 1 else [component]}
        size //= 2
    return [component]


MESSAGES: dict[str, Any] = {
    "times": lambda size: {"content": "".join(f"<t:{n}:R>" for n in range(size))},
    "mentions": lambda size: {
        "content": "".join(f"<@{n + 1}>" for n in range(size)),
        "mentions": [{"id": str(n + 1), "username": "x" * 40} for n in range(size)],
    },
    "one-long-name": lambda size: {"content": "<@1>" * size, "mentions": [{"id": "1", "username": "x" * size}]},
    "backticks": lambda size: {"content": "`<@1>`` " * size, "mentions": [{"id": "1", "username": "x"}]},
    "embeds": lambda size: {
        "content": f"{LINK} " * size,
        "embeds": [{"url": f"{LINK}{n}", "title": "x", "fields": [{"name": "a", "value": "b"}]} for n in range(size)],
    },
    "fields": lambda size: {"embeds": [{"title": "x", "fields": [{"name": "a", "value": "b"}] * size}]},
    "one-long-link": lambda size: {"content": f"{LINK}{'.' * size}", "embeds": [{"url": LINK, "title": "x"}]},
    "components": lambda size: {"components": [{"type": 2, "label": "x"}] * size},
    "options": lambda size: {"components": [{"type": 3, "options": [{"label": "x"}] * size}]},
    "nested": lambda size: {"components": nested(size)},
    "forwarded": lambda size: {"message_snapshots": [{"message": {"content": "<@1>"}}] * size},
    "stickers": lambda size: {"sticker_items": [{"name": "x"}] * size},
    "answers": lambda size: {
        "poll": {
            "answers": [{"answer_id": n, "poll_media": {"text": "x"}} for n in range(size)],
            "results": {"answer_counts": [{"id": n, "count": 1} for n in range(size)]},
        }
    },
    "blanks": lambda size: {"poll": {"question": {"text": " x" * size}}, "content": " " * size},
    "files": lambda size: {"attachments": [{"id": "8", "filename": "a" * 9, "description": "x"}] * size},
    "plain-text": lambda size: {"embeds": [{"footer": {"text": "https://" * size}, "author": {"name": "\n #" * size}}]},
}


def read(message: dict[str, Any]) -> None:
    read_content(message, limits=LIMITS)


@pytest.mark.parametrize("name", MESSAGES)
def test_reading_a_message_is_linear(name):
    steps_grow_linearly(read, lambda size: direct(**{"content": "", **MESSAGES[name](size)}))
    time_grows_linearly(read, lambda size: direct(**{"content": "", **MESSAGES[name](size)}))


def test_reading_an_interaction_is_linear():
    def options(size: int) -> Any:
        return interaction({"name": "x", "options": [{"name": "a", "type": 3, "value": "<@1> <t:1>"}] * size})

    time_grows_linearly(lambda document: read_interaction(document, settings=OWN), options)
