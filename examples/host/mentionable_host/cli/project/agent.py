"""What this agent says. `mentionable-host serve` runs it, and people reach it on every transport."""

from collections.abc import AsyncIterator

from mentionable import NormalizedMessage, plain_text

from mentionable_host import Agent, Context

agent = Agent()


@agent.on_message
async def answer(message: NormalizedMessage, context: Context) -> AsyncIterator[str]:
    """Answers one message in Markdown. Each piece is shown at once where the transport can do that."""
    yield f"You wrote: {context.text}"
    earlier = [plain_text(turn) for turn in context.history if turn.role == "user"]
    if earlier:
        yield f"\n\nBefore that you wrote: {earlier[-1]}"
    # With a model: give it `context.prompt("openai")`, which has the whole conversation, and yield what it says.
