"""A bot that remembers what it was told: it says its lists as it reads them, and shows which tool it used."""

import re
from collections import Counter

from mentionable import ToolCallPart, plain_text

from mentionable_host import Agent

agent = Agent()


def count(words: list[str]) -> dict[str, int]:
    """How often each word was said."""
    return dict(Counter(words).most_common(5))


@agent.on_message
async def answer(message, context):
    """Counts the words of everything that this person ever said here."""
    mine = [plain_text(turn) for turn in context.history if turn.role == "user"]
    words = re.findall(r"\w+", " ".join([*mine, context.text]).lower())
    yield f"You wrote {len(mine) + 1} times. "
    call = ToolCallPart(id="count", name="count", args={"words": len(words)})
    yield call
    found = count(words)
    yield ToolCallPart(id=call.id, name=call.name, args=call.args, result=found)
    for word, often in found.items():
        yield f"{word}: {often}\n\n"
