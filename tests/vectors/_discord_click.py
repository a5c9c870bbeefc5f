"""Clicks on choices that an answer offered, as messages of the person who clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._discord_rows import OTHER, Case, case, interaction, posted

if TYPE_CHECKING:
    from collections.abc import Iterator

BUTTON: Case = {"type": 2, "label": "Yes, *do*", "custom_id": "mentionable:choice:y"}
MENU: Case = {"type": 3, "custom_id": "mentionable:choice:", "options": [{"label": "No", "value": "n"}]}
SHOWN: Case = {"id": OTHER, "components": [{"type": 1, "components": [BUTTON]}, {"type": 1, "components": [MENU]}]}


def picked(content: str, value: str) -> Case:
    """What the person says, and the value beside it."""
    return {"kind": "text", "mime": "text/plain", "content": content, "choice": value}


def clicks() -> Iterator[Case]:
    def one(name: str, why: str, data: Case, part: Case, *flags: str, **more: Any) -> Case:
        unit = posted(interaction(data, type=3, message={**SHOWN, **more}))
        return case("discord-click", name, why, unit, value=[part], diagnostics=[], flags=[*flags])

    why = "A click says what stands on the button, and what the agent offered it for."
    yield one("button", why, {"custom_id": "mentionable:choice:y", "component_type": 2}, picked("Yes, *do*", "y"))
    data = {"custom_id": "mentionable:choice:", "component_type": 3, "values": ["n"]}
    yield one("menu", "So does an option of a menu.", data, picked("No", "n"))
    why = "An agent offers one choice: it gets one."
    yield one("menu-of-several", why, {**data, "values": ["n", "y"]}, picked("No", "n"), "attack")
    why = "Where the label is not known, the value is what the person says."
    yield one("label-gone", why, {"custom_id": "mentionable:choice:z"}, picked("z", "z"))


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-click", "discord.parts", "Clicks on choices that an answer offered.", clicks()
