"""What this agent says. `mentionable-host serve` runs it, and people reach it on every transport."""

from collections.abc import AsyncIterator

from mentionable import NormalizedMessage, anp, plain_text

from mentionable_host import Agent, Context, NoticeContext

agent = Agent()


@agent.on_message
async def answer(message: NormalizedMessage, context: Context) -> AsyncIterator[str]:
    """Answers one message in Markdown. Each piece is shown at once where the transport can do that."""
    yield f"You wrote: {context.text}"
    earlier = [plain_text(turn) for turn in context.history if turn.role == "user"]
    if earlier:
        yield f"\n\nBefore that you wrote: {earlier[-1]}"
    # With a model: give it `context.prompt("openai")`, which has the whole conversation, and yield what it says.


@agent.on_notice
async def tell(notice: anp.Notification, context: NoticeContext) -> str:
    """Tells a person of an event, as `host.notify` sends it, when it comes: what this returns is Markdown."""
    return f"News for you: {notice.content}"
    # With a model: give it `context.prompt`. Return None, and the host shows the event as it is.
