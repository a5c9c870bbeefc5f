"""An agent of Pydantic AI."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from mentionable import NormalizedMessage

from mentionable_host.agents.adapters.calls import Calls
from mentionable_host.agents.agent import Agent, Piece
from mentionable_host.agents.context import Context

if TYPE_CHECKING:
    from pydantic_ai import Agent as PydanticAgent

__all__ = ["from_pydantic_ai"]


def from_pydantic_ai(
    agent: PydanticAgent[Any, Any],
    *,
    instructions: str | None = None,
    deps: Callable[[Context], Any] | None = None,
    trace: bool = True,
    **options: Any,
) -> Agent:
    """An agent of Pydantic AI, reachable: it sees the stored conversation, and its text and tool calls are streamed.

    Args:
        agent: The agent. Its `instructions` hold; a `system_prompt` of it does not, as in any run with a history.
        instructions: What the system text begins with, before what the host says of the conversation.
        deps: Makes the dependencies of a run, `lambda context: context` for the context itself.
        trace: Whether calls of tools are in the answer: who gets it can read their arguments and results.
        options: What else `run_stream_events` takes, such as `usage_limits`.
    """
    reachable = Agent()

    @reachable.on_message
    async def answer(message: NormalizedMessage, context: Context) -> AsyncIterator[Piece]:
        history = context.messages_for("pydantic-ai", instructions=instructions)
        more = options if deps is None else {**options, "deps": deps(context)}
        async with agent.run_stream_events(message_history=history, **more) as events:
            async for piece in _pieces(events):
                if trace or isinstance(piece, str):
                    yield piece

    return reachable


async def _pieces(events: AsyncIterator[Any]) -> AsyncIterator[Piece]:
    """Events of a run as pieces of an answer."""
    from pydantic_ai import messages
    from pydantic_ai.run import AgentRunResultEvent

    calls = Calls()
    async for event in events:
        match event:
            case messages.PartStartEvent(part=messages.TextPart(content=text)):
                yield text
            case messages.PartDeltaEvent(delta=messages.TextPartDelta(content_delta=text)):
                yield text
            case messages.FunctionToolCallEvent(part=call):
                yield calls.begin(call.tool_call_id, call.tool_name, call.args)
            case messages.FunctionToolResultEvent(part=got):
                failed = None if got.outcome == "success" else str(got.content)
                ended = calls.end(got.tool_call_id, got.content, error=failed)
                if ended is not None:
                    yield ended
            case AgentRunResultEvent(result=result) if not isinstance(result.output, str):
                yield _text(result.output)


def _text(output: Any) -> str:
    """An output that is no text, as JSON."""
    from pydantic_core import to_jsonable_python

    value = json.dumps(to_jsonable_python(output, fallback=str), ensure_ascii=False, indent=2)
    return f"```json\n{value}\n```"
