"""Answers that copy the token of a person of the conversation: `connectors/slack-copied.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._slack_reply import CHANNEL, Case, case, markdown, post, response

if TYPE_CHECKING:
    from collections.abc import Iterator


def copied() -> Iterator[Case]:
    """What an answer mentions without being told to."""

    def one(name: str, why: str, text: str, made: str, **more: Any) -> Case:
        unit = {"question": CHANNEL, "response": response(markdown(text)), **more.pop("facts", {})}
        outcome: Case = {"value": [post(made)], "diagnostics": [], "section": "MI", **more}
        return case("slack-copied", name, why, unit, **outcome)

    why = "An agent copies a token into its answer, and the person of the conversation is mentioned."
    yield one("sender", why, "Yes, <@U1>.", "Yes, <@U1>.")
    why = "Who was not there is mentioned by no token that is copied."
    yield one("stranger", why, "Ask <@U9>.", "Ask &lt;@U9&gt;.", flags=["attack"])
    why = "A copied token of a channel or a group wakes nobody."
    text = "<!channel> <!here> <!everyone> <!subteam^S1> <#C1>"
    made = "&lt;!channel&gt; &lt;!here&gt; &lt;!everyone&gt; &lt;!subteam^S1&gt; &lt;#C1&gt;"
    yield one("channel", why, text, made, flags=["attack"])
    why = "A setting turns it off."
    yield one("turned-off", why, "Yes, <@U1>.", "Yes, &lt;@U1&gt;.", common={"mention_participants": False})
    why = "Another agent is brought in by its address alone."
    facts = {"siblings": {"@rain@agents.example": "U1"}}
    yield one("agent", why, "Ask <@U1>.", "Ask &lt;@U1&gt;.", facts=facts)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What this file holds."""
    yield "slack-copied", "slack.reply", "Answers that copy the token of a person of the conversation.", copied()
