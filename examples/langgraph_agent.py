"""A LangGraph agent that many people talk to at once: its model sees who says what, and callers see its tool calls.

What is special: several people share one conversation. For an agent of one person at a time, there is
`from_langgraph` of `mentionable-host`.

Needs `pip install mentionable langgraph uvicorn`, a2a_endpoint.py beside it, and a token for each caller. Try it:
`AGENT_CALLERS='{"long-and-random": "@alice@a.example"}' uvicorn langgraph_agent:app`, and let a client of A2A with this
token ask at http://127.0.0.1:8000 "Will it rain in Lund?".

Everybody who has a token and knows the context of a conversation takes part in it. What stands in dictionaries here
belongs into a database.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from a2a_endpoint import endpoint
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    ToolMessage,
    convert_to_messages,
    convert_to_openai_messages,
)
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from mentionable import CallError, NormalizedMessage, NormalizedResponse, TextPart, ToolCallPart, ingest, policy

SYSTEM = {"role": "system", "content": "You help several people. Each turn begins with the name of who speaks."}
RAIN = {"Lund": "rain from four", "Kyiv": "no rain", "Seoul": "rain all day"}
STEPS = 12  # of the graph, for one answer


@tool
def forecast(place: str) -> str:
    """Whether it will rain in a place today."""
    if place not in RAIN:
        raise ValueError(f"nobody knows of {place}")
    return RAIN[place]


class StandIn(BaseChatModel):
    """Stands in for a model, so that this runs without one: it looks up the last word of the question."""

    @property
    def _llm_type(self) -> str:
        return "stand-in"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        heard = "\n".join([one.text for one in messages if isinstance(one, HumanMessage)])
        speakers = re.findall(r"^\[(.+?)\]: ", heard, re.MULTILINE)
        if isinstance(messages[-1], ToolMessage):
            said = AIMessage(f"{speakers[-1]}: {messages[-1].text}. I have heard {', '.join(speakers)}.")
        else:
            place = heard.rstrip("?").split()[-1]
            call = {"name": "forecast", "args": {"place": place}, "id": f"call-{len(messages)}"}
            said = AIMessage("I look it up.", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=said)])


TOOLS = [forecast]
MODEL = StandIn()  # yours: init_chat_model("...").bind_tools(TOOLS)


async def think(state: MessagesState) -> dict[str, list[BaseMessage]]:
    """The node that asks the model."""
    return {"messages": [await MODEL.ainvoke(state["messages"])]}


def in_words(error: ValueError) -> str:
    """What the model, and who asked, is told of an error of a tool."""
    return str(error)


builder = StateGraph(MessagesState)
builder.add_node("think", think)
builder.add_node("tools", ToolNode(TOOLS, handle_tool_errors=in_words))
builder.add_edge(START, "think")
builder.add_conditional_edges("think", tools_condition)
builder.add_edge("tools", "think")
graph = builder.compile()

rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)  # thread → what was said in it
turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)


async def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Answers what was asked, in the light of what everybody said before."""
    if message.raw.get("auth") is None:
        bearer = policy.AuthChallenge(scheme="Bearer")
        who = policy.Unauthorized(message="I only talk to those whom I know.", auth_challenges=(bearer,))
        return NormalizedResponse.to(message, who)
    async with turns[message.thread_id]:  # one at a time speaks in a conversation
        said = rows[message.thread_id]
        said.append(ingest.from_message(message).row())  # what was typed, and beside it who did
        assembled = ingest.assemble([SYSTEM, *said])
        context: Any = convert_to_messages(ingest.lower(assembled, dialect="openai").messages)
        try:
            state = await graph.ainvoke({"messages": context}, {"recursion_limit": STEPS})
        except GraphRecursionError:
            return NormalizedResponse.failed(message, "I went round in circles.", code="too-many-steps")
        new = state["messages"][len(context) :]
        said += convert_to_openai_messages(new)
    return NormalizedResponse.to(message, *parts_of(new))


def parts_of(messages: Sequence[BaseMessage]) -> Iterator[TextPart | ToolCallPart]:
    """What the graph said, in its order: texts, and each call of a tool with what came of it."""
    results = {one.tool_call_id: one for one in messages if isinstance(one, ToolMessage)}
    for one in messages:
        if not isinstance(one, AIMessage):
            continue
        if one.text:
            yield TextPart(content=one.text, mime="text/markdown")
        for call in one.tool_calls:
            got = results[call["id"] or ""]
            came = {"error": CallError(message=got.text)} if got.status == "error" else {"result": got.content}
            yield ToolCallPart(id=got.tool_call_id, name=call["name"], args=call["args"], **came)


app = endpoint(answer, description="Knows where it will rain.")
