"""Agents of real frameworks, with models that are made up."""

import json
import typing
from base64 import b64encode
from hashlib import sha256
from typing import Any

import agents
import httpx
import pytest
from agents.testing import ScriptedModel, assistant_message, function_call
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from mentionable import (
    DigestRef,
    FilePart,
    HistoricalMessage,
    LinkPart,
    Sender,
    TextPart,
    ingest,
    plain_text,
    policy,
)
from mentionable.ingest import ModelDialect
from pydantic import BaseModel
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai import ModelRetry
from pydantic_ai import messages as said
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from recorder import Recorder, answered, come, idle, message, play

from mentionable_host import from_langgraph, from_openai_agents, from_pydantic_ai
from mentionable_host.agents.adapters.calls import Calls
from mentionable_host.agents.context import Context

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning")]

RAIN = {"Lund": "rain from four"}


def forecast(place: str) -> str:
    """Whether it will rain in a place today."""
    if place not in RAIN:
        raise ValueError(f"nobody knows of {place}")
    return RAIN[place]


def by_pydantic_ai(heard, trace=True):
    """An agent that asks its tool for the last word of the question."""

    async def think(messages, info):
        last = messages[-1].parts[-1]
        heard.append(said.ModelMessagesTypeAdapter.dump_json(messages).decode())
        if isinstance(last, said.UserPromptPart):
            yield "I look "
            yield "it up. "
            place = last.content.rstrip("?").split()[-1]
            yield {1: DeltaToolCall(name="forecast", json_args=json.dumps({"place": place}), tool_call_id="c1")}
        else:
            yield f"Well: {last.content}."

    agent = PydanticAgent(FunctionModel(stream_function=think), instructions="Be brief.", retries=0)
    agent.tool_plain(forecast)
    return from_pydantic_ai(agent, instructions="You know the weather.", trace=trace)


class StandIn(BaseChatModel):
    heard: Any

    @property
    def _llm_type(self):
        return "stand-in"

    def _generate(self, messages, *args, **kwargs):
        self.heard.append("\n".join(str(one.content) for one in messages))
        if isinstance(messages[-1], ToolMessage):
            answer = AIMessage(f"Well: {messages[-1].text}.")
        else:
            place = messages[-1].text.rstrip("?").split()[-1]
            call = {"name": "forecast", "args": {"place": place}, "id": "c1"}
            answer = AIMessage("I look it up. ", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])


def by_langgraph(heard, trace=True):
    model = StandIn(heard=heard)
    builder = StateGraph(MessagesState)
    builder.add_node("think", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode([tool(forecast)], handle_tool_errors=str))
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", tools_condition)
    builder.add_edge("tools", "think")
    return from_langgraph(builder.compile(), instructions="You know the weather.", trace=trace)


def by_openai_agents(heard, trace=True, places=("Lund", "Lund")):
    steps = []
    for number, place in enumerate(places):
        call = function_call("forecast", {"place": place}, call_id=f"c{number}")
        steps += [[assistant_message("I look it up. "), call], [assistant_message(f"Well: {RAIN.get(place, 'no')}.")]]
    model = ScriptedModel(steps)
    agent = agents.Agent(name="helper", model=model, tools=[agents.function_tool(forecast)])
    heard.append(model)
    return from_openai_agents(agent, instructions="You know the weather.", trace=trace)


FRAMEWORKS = {"pydantic-ai": by_pydantic_ai, "langgraph": by_langgraph, "openai-agents": by_openai_agents}


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_framework_answers_with_its_calls_of_tools_and_sees_what_was_said(make_host, name):
    heard = []

    async def story(host):
        await come(host, "Will it rain in Lund?")
        await idle(host)
        first = await answered(host, seconds=0)
        await come(host, "And once more, in Lund?", id="m2")
        await idle(host)
        return first, await answered(host, "m2", seconds=0)

    host = make_host(Recorder, agent=FRAMEWORKS[name](heard))
    first, second = play(host, story)

    assert [part.kind for part in first.parts] == ["text", "tool_call", "text"]
    call = first.parts[1]
    assert (call.name, call.args, call.state, call.result) == ("forecast", {"place": "Lund"}, "ok", "rain from four")
    assert first.parts[2].content == "Well: rain from four."
    assert second.status == "ok"
    states = [
        part.state for frame in host.transports["email"].frames for part in frame.parts if part.kind == "tool_call"
    ]
    assert states == ["running", "ok"] * 2
    last = json.dumps(heard[0].last_call.input) if name == "openai-agents" else heard[-1]
    assert "Will it rain in Lund?" in last
    assert "rain from four" in last
    assert "You know the weather." in last


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_calls_of_tools_may_be_kept_back(make_host, name):
    async def story(host):
        await come(host, "Will it rain in Lund?")
        await idle(host)
        return await answered(host, seconds=0)

    response = play(make_host(Recorder, agent=FRAMEWORKS[name]([], trace=False)), story)

    assert {part.kind for part in response.parts} == {"text"}
    assert "rain from four" in plain_text(response)


@pytest.mark.parametrize("name", ["langgraph"])
def test_an_error_of_a_tool_is_in_the_trace(make_host, name):
    async def story(host):
        await come(host, "Will it rain in Atlantis?")
        await idle(host)
        return await answered(host, seconds=0)

    response = play(make_host(Recorder, agent=FRAMEWORKS[name]([])), story)

    assert response.parts[1].state == "failed"
    assert "nobody knows of Atlantis" in response.parts[1].error.message


def test_an_output_that_is_no_text_goes_out_as_json(make_host):
    async def think(messages, info):
        yield {0: DeltaToolCall(name=info.output_tools[0].name, json_args='{"place": "Lund"}', tool_call_id="c1")}

    class Place(BaseModel):
        place: str

    agent = from_pydantic_ai(PydanticAgent(FunctionModel(stream_function=think), output_type=Place))

    async def story(host):
        await come(host, "Where?")
        await idle(host)
        return await answered(host, seconds=0)

    assert '"place": "Lund"' in plain_text(play(make_host(Recorder, agent=agent), story))


def test_a_call_that_a_tool_refuses_is_in_the_trace_as_failed(make_host):
    async def think(messages, info):
        if isinstance(messages[-1].parts[-1], said.UserPromptPart):
            yield {0: DeltaToolCall(name="forecast", json_args="{}", tool_call_id="c1")}
        else:
            yield "I do not know."

    framework = PydanticAgent(FunctionModel(stream_function=think))

    @framework.tool_plain(name="forecast")
    def refuses() -> str:
        raise ModelRetry("nobody knows of Atlantis")

    async def story(host):
        await come(host, "And there?")
        await idle(host)
        return await answered(host, seconds=0)

    call = play(make_host(Recorder, agent=from_pydantic_ai(framework)), story).parts[0]

    assert call.state == "failed"
    assert "nobody knows of Atlantis" in call.error.message


def test_a_model_that_fails_ends_in_words(make_host, caplog):
    agent = from_openai_agents(agents.Agent(name="helper", model=ScriptedModel([])))

    async def story(host):
        await come(host, "Hi")
        await idle(host)
        return await answered(host, seconds=0)

    assert play(make_host(Recorder, agent=agent), story).error.code == "agent-failed"


def asks_by_pydantic_ai():
    async def think(messages, info):
        if isinstance(messages[-1].parts[-1], said.UserPromptPart):
            yield {0: DeltaToolCall(name="look", json_args="{}", tool_call_id="c1")}
        else:
            yield f"You are {messages[-1].parts[-1].content}."

    framework = PydanticAgent(FunctionModel(stream_function=think), deps_type=object)

    @framework.tool
    async def look(ctx) -> str:
        return await look_into(ctx.deps)

    return from_pydantic_ai(framework, deps=lambda context: context)


def asks_by_langgraph():
    class Looker(StandIn):
        def _generate(self, messages, *args, **kwargs):
            call = {"name": "look", "args": {}, "id": "c1"}
            is_told = isinstance(messages[-1], ToolMessage)
            answer = AIMessage(f"You are {messages[-1].text}.") if is_told else AIMessage("", tool_calls=[call])
            return ChatResult(generations=[ChatGeneration(message=answer)])

    @tool
    async def look(config: RunnableConfig) -> str:
        """Looks into the calendar."""
        return await look_into(config["configurable"]["context"])

    model = Looker(heard=[])
    builder = StateGraph(MessagesState)
    builder.add_node("think", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode([look], handle_tool_errors=str))
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", tools_condition)
    builder.add_edge("tools", "think")
    return from_langgraph(builder.compile())


def asks_by_openai_agents():
    @agents.function_tool
    async def look(wrapper: agents.RunContextWrapper[Context]) -> str:
        """Looks into the calendar."""
        return await look_into(wrapper.context)

    call = [function_call("look", {}, call_id="c1")]
    model = ScriptedModel([call, call, [assistant_message("You are free.")]])
    return from_openai_agents(agents.Agent(name="helper", model=model, tools=[look]))


async def look_into(context):
    await context.ask_consent("May I read your calendar?", scope="calendar")
    return "free"


@pytest.mark.parametrize("make", [asks_by_pydantic_ai, asks_by_langgraph, asks_by_openai_agents])
def test_a_tool_may_ask_for_consent_and_goes_on_when_it_has_it(make_host, make):
    async def story(host):
        await come(host, "Am I free?")
        await idle(host)
        asked = policy.demand_of(host.transports["email"].written[0][0])
        transport = httpx.ASGITransport(app=host.app())
        async with httpx.AsyncClient(transport=transport) as browser:
            await browser.post(asked.url)
        await idle(host)

    host = make_host(Recorder, agent=make())
    play(host, story)
    first, second = [response for response, _ in host.transports["email"].written]

    assert isinstance(policy.demand_of(first), policy.ConsentRequired)
    assert plain_text(second).endswith("You are free.")


def test_what_no_json_has_stands_in_the_trace_as_text():
    calls = Calls()
    calls.begin("c1", "f", '{"broken')
    calls.begin("c2", "g", {"x": {1, 2}})

    assert calls.end("c1", float("nan")).result == "nan"
    assert calls.end("c1", "again") is None
    assert calls.end("c2", 2**70).state == "ok"


def test_messages_of_a_framework_are_its_own_objects(make_host):

    host = make_host(Recorder)
    context = Context(host, message("Hi", host=host))

    assert isinstance(context.messages_for("pydantic-ai")[-1], said.ModelRequest)
    kinds = [type(one) for one in context.messages_for("langchain", instructions="Be brief.")]
    assert (kinds[0], kinds[-1]) == (SystemMessage, HumanMessage)
    assert context.messages_for("openai-agents")[-1]["role"] == "user"
    assert "Hi" in plain_text(context.message)


@pytest.mark.parametrize("dialect", typing.get_args(ModelDialect))
def test_a_prompt_is_made_for_every_model(make_host, dialect):
    host = make_host(Recorder)
    context = Context(host, message("Will it rain?", host=host))

    assert "Will it rain?" in json.dumps(context.prompt(dialect).messages)


def test_the_rows_of_a_conversation_are_for_programs_that_assemble_them(make_host):
    host = make_host(Recorder)
    context = Context(host, message("Will it rain?", host=host))

    assert [row["content"] for row in context.rows()] == ["Will it rain?"]


def test_the_rows_of_earlier_turns_have_their_files_and_the_agents_own_words_stay_its_own(make_host):
    host = make_host(Recorder)
    asked, photo = message("Will it rain?", host=host), b"a photo"
    digest = sha256(photo).hexdigest()
    file = FilePart(name="a.png", mime="image/png", bytes_ref=DigestRef(digest=digest))
    earlier = HistoricalMessage(role="user", sender=asked.sender, parts=(file,), timestamp=asked.received_at)
    reply = HistoricalMessage(
        role="assistant",
        sender=Sender(address=host.address),
        parts=(TextPart(content="A cloud."), LinkPart(url="https://a.example/")),
        timestamp=asked.received_at,
    )
    context = Context(host, asked, history=[earlier, reply], files={digest: photo})

    first, second, third = ingest.assemble(context.rows()).rows
    assert first["content"][1]["data"] == b64encode(photo).decode()
    assert second == {"role": "assistant", "content": "A cloud.\n\nhttps://a.example/"}
    assert (third["role"], third["content"][-13:]) == ("user", "Will it rain?")
