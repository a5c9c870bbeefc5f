"""A graph of LangGraph whose state has `messages`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from mentionable import NormalizedMessage

from mentionable_host.agents.adapters.calls import Calls
from mentionable_host.agents.agent import Agent, Piece
from mentionable_host.agents.context import Context

if TYPE_CHECKING:
    from langgraph.pregel import Pregel

__all__ = ["from_langgraph"]


def from_langgraph(
    graph: Pregel[Any, Any, Any, Any],
    *,
    instructions: str | None = None,
    steps: int = 25,
    trace: bool = True,
    **options: Any,
) -> Agent:
    """A compiled graph, reachable: it sees the stored conversation, and its text and tool calls are streamed.

    A checkpointer is not needed: the conversation is in the store of the host. One that is there gets a thread for each
    message. Nodes and tools find the context as `config["configurable"]["context"]`.

    Args:
        graph: A graph whose state has `messages`.
        instructions: What the system text begins with, before what the host says of the conversation.
        steps: So many steps of the graph at most, for one answer.
        trace: Whether calls of tools are in the answer: who gets it can read their arguments and results.
        options: What else `astream` takes.
    """
    reachable = Agent()

    @reachable.on_message
    async def answer(message: NormalizedMessage, context: Context) -> AsyncIterator[Piece]:
        state = {"messages": context.messages_for("langchain", instructions=instructions)}
        config: Any = {"recursion_limit": steps, "configurable": {"thread_id": message.id, "context": context}}
        calls = Calls()
        async for mode, event in graph.astream(state, config, stream_mode=["messages", "updates"], **options):
            if mode == "messages":
                text = _text(event[0])
                if text:
                    yield text
            elif trace:
                for piece in _calls(event, calls):
                    yield piece

    return reachable


def _text(message: Any) -> str:
    """What a model says in a message, or a chunk of one."""
    from langchain_core.messages import AIMessage

    return str(message.text) if isinstance(message, AIMessage) else ""


def _calls(update: Any, calls: Calls) -> Iterator[Piece]:
    """The calls of tools in what nodes did, and what came of them."""
    from langchain_core.messages import AIMessage, ToolMessage

    for written in update.values():
        found = written.get("messages", ()) if isinstance(written, dict) else ()
        for one in found if isinstance(found, (list, tuple)) else (found,):
            if isinstance(one, AIMessage):
                for call in one.tool_calls:
                    yield calls.begin(call["id"] or "", call["name"], call["args"])
            elif isinstance(one, ToolMessage):
                failed = str(one.text) if one.status == "error" else None
                ended = calls.end(one.tool_call_id, one.content, error=failed)
                if ended is not None:
                    yield ended
