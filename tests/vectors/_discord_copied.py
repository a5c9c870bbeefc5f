"""Answers that copy the token of a person of the conversation: `connectors/discord-copied.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import answer
from tests.vectors._discord_reply import QUESTION, Case, case, markdown, plain, post

if TYPE_CHECKING:
    from collections.abc import Iterator


def copied() -> Iterator[Case]:
    """What an answer mentions without being told to."""

    def one(name: str, why: str, part: Case, made: Case, **more: Any) -> Case:
        unit = {"question": QUESTION, "response": answer(part), **more.pop("facts", {})}
        outcome: Case = {"value": [made], "diagnostics": [], "section": "MI", **more}
        return case("discord-copied", name, why, unit, **outcome)

    allowed = {"parse": [], "users": ["42"]}
    why = "An agent copies a token into its answer, and the person of the conversation is mentioned."
    yield one("sender", why, markdown("Yes, <@42>."), post("Yes, <@42>.", allowed=allowed))
    yield one("old-token", why, markdown("Yes, <@!42>."), post("Yes, <@!42>.", allowed=allowed))
    yield one("plain", why, plain("Yes, <@42>."), post("Yes, <@42>.", allowed=allowed))
    why = "Who was not there is mentioned by no token that is copied."
    yield one("stranger", why, markdown("Ask <@99>."), post("Ask <@99>."), flags=["attack"])
    why = "A copied token of a role or of everyone wakes nobody."
    yield one("role", why, markdown("<@&60> @everyone @here <#500>"), post("<@&60> @everyone @here <#500>"))
    why = "A setting turns it off."
    off = {"mention_participants": False}
    yield one("turned-off", why, markdown("Yes, <@42>."), post("Yes, <@42>."), common=off)
    why = "Another agent is brought in by its address alone."
    facts = {"siblings": {"@rain@agents.example": "42"}}
    yield one("agent", why, markdown("Ask <@42>."), post("Ask <@42>."), facts=facts)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What this file holds."""
    yield "discord-copied", "discord.reply", "Answers that copy the token of a person of the conversation.", copied()
