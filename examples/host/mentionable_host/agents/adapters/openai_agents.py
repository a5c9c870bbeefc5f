"""An agent of the OpenAI Agents SDK."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from mentionable import NormalizedMessage

from mentionable_host.agents.adapters.calls import Calls
from mentionable_host.agents.agent import Agent, Piece
from mentionable_host.agents.context import Context

if TYPE_CHECKING:
    import agents

__all__ = ["from_openai_agents"]


def from_openai_agents(
    agent: agents.Agent[Any],
    *,
    instructions: str | None = None,
    turns: int = 10,
    trace: bool = True,
    **options: Any,
) -> Agent:
    """An agent of the OpenAI Agents SDK, reachable: it sees the stored conversation; text and tool calls are streamed.

    Tools find the context as `wrapper.context`. The SDK sends no traces to its maker, unless you give a `run_config`
    that says so: people's messages are in them.

    Args:
        agent: The agent.
        instructions: What the system text begins with, before what the host says of the conversation.
        turns: So many calls of the model at most, for one answer.
        trace: Whether calls of tools are in the answer: who gets it can read their arguments and results.
        options: What else `Runner.run_streamed` takes.
    """
    reachable = Agent()

    @reachable.on_message
    async def answer(message: NormalizedMessage, context: Context) -> AsyncIterator[Piece]:
        from agents import RunConfig, Runner

        given = context.messages_for("openai-agents", instructions=instructions)
        settings = {"run_config": RunConfig(tracing_disabled=True), "context": context, **options}
        run = Runner.run_streamed(agent, given, max_turns=turns, **settings)
        try:
            async for piece in _pieces(run.stream_events()):
                if trace or isinstance(piece, str):
                    yield piece
        finally:
            if not run.is_complete:
                run.cancel()

    return reachable


async def _pieces(events: AsyncIterator[Any]) -> AsyncIterator[Piece]:
    """Events of a run as pieces of an answer. A model that does not stream tells its text with the whole message."""
    from agents import ItemHelpers

    calls, has_streamed = Calls(), False
    async for event in events:
        if event.type == "raw_response_event":
            if event.data.type == "response.output_text.delta":
                has_streamed = True
                yield event.data.delta
        elif event.type == "run_item_stream_event":
            item = event.item
            if event.name == "message_output_created":
                if not has_streamed:
                    yield ItemHelpers.text_message_output(item)
                has_streamed = False
            elif event.name == "tool_called":
                arguments = getattr(item.raw_item, "arguments", None)
                yield calls.begin(item.call_id or "", item.tool_name or "", arguments or {})
            elif event.name == "tool_output":
                ended = calls.end(item.call_id or "", item.output)
                if ended is not None:
                    yield ended
