"""Agents that count the turns of a conversation, and clients that have one, in the frameworks of Python.

A JSON object a line says what to do, a JSON object a line answers. It runs in `.cache/interop/agents`. Models are made
up, and connections are of loopback alone. What an agent answers is "This is answer 3.": the number comes from what the
framework itself keeps for a conversation, so that the tenth answer shows that ten turns were one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import traceback
from collections import Counter

ANSWER = "This is answer {}."
PIECES = ("This is ", "answer ", "{}.")


# -- the server of the SDK


def sdk_app(_port):
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_jsonrpc_routes, create_rest_routes
    from a2a.server.tasks import InMemoryTaskStore
    from peer_a2a import _card
    from starlette.applications import Starlette

    card = _card("http://127.0.0.1/rpc", "1.0", "JSONRPC")
    handler = DefaultRequestHandler(agent_executor=counting_executor(), task_store=InMemoryTaskStore(), agent_card=card)
    routes = create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True)
    return Starlette(routes=[*routes, *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix="/rest")])


def counting_executor():
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.tasks import TaskUpdater
    from a2a.types import a2a_pb2

    def text(words):
        return a2a_pb2.Part(text=words)

    class Counting(AgentExecutor):
        """The first word of the question says how: `task`, `slow`, `message`, `asks` or `ends`."""

        def __init__(self):
            self.turns = Counter()

        async def execute(self, context, event_queue):
            self.turns[context.context_id] += 1
            number = self.turns[context.context_id]
            how = context.get_user_input().split()[0]
            if how == "message":
                facts = {"message_id": f"a{number}", "context_id": context.context_id, "role": a2a_pb2.ROLE_AGENT}
                await event_queue.enqueue_event(a2a_pb2.Message(parts=[text(ANSWER.format(number))], **facts))
                return
            if context.current_task is None:
                status = a2a_pb2.TaskStatus(state=a2a_pb2.TASK_STATE_SUBMITTED)
                facts = {"context_id": context.context_id, "history": [context.message]}
                await event_queue.enqueue_event(a2a_pb2.Task(id=context.task_id, status=status, **facts))
            updater = TaskUpdater(event_queue, context.task_id, context.context_id)
            await updater.start_work()
            if how == "slow":
                await asyncio.sleep(0.3)
            if how == "asks":
                await updater.requires_input(updater.new_agent_message([text(ANSWER.format(number))]))
                return
            for at, piece in enumerate(PIECES):
                facts = {"artifact_id": f"a{number}", "append": at > 0, "last_chunk": at == 2}
                await updater.add_artifact([text(piece.format(number))], **facts)
            await updater.complete()

        async def cancel(self, context, event_queue):
            await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()

    return Counting()


# -- the server of the Agent Development Kit


def adk_agent():
    from google.adk.agents import LlmAgent
    from google.adk.models.base_llm import BaseLlm
    from google.adk.models.llm_response import LlmResponse
    from google.adk.tools import LongRunningFunctionTool, ToolContext
    from google.genai import types

    def count(tool_context: ToolContext) -> dict:
        """Counts the turns of this session."""
        tool_context.state["turns"] = tool_context.state.get("turns", 0) + 1
        return {"turn": tool_context.state["turns"]}

    def ask_person(question: str) -> dict:
        """Asks a person, who answers later."""
        return {"status": "pending"}

    def said(*parts, **facts):
        return LlmResponse(content=types.Content(role="model", parts=list(parts)), **facts)

    class Counting(BaseLlm):
        """Calls a tool that counts the turns in the state of the session, and says what came out of it."""

        async def generate_content_async(self, llm_request, stream=False):
            last = llm_request.contents[-1].parts
            results = [part.function_response for part in last if part.function_response]
            if not results:
                asks = any(part.text and part.text.startswith("asks") for part in last)
                name, args = ("ask_person", {"question": "Which city?"}) if asks else ("count", {})
                yield said(types.Part(function_call=types.FunctionCall(name=name, args=args)))
                return
            result = results[0].response
            if "turn" not in result:
                yield said(types.Part(text="I have asked." if result.get("status") else f"It is {result['city']}."))
                return
            number = result["turn"]
            if stream:
                for piece in PIECES:
                    yield said(types.Part(text=piece.format(number)), partial=True)
            yield said(types.Part(text=ANSWER.format(number)), partial=False)

    tools = [count, LongRunningFunctionTool(ask_person)]
    return LlmAgent(name="counter", description="Counts turns", model=Counting(model="made-up"), tools=tools)


def adk_app(port, **executor):
    from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
    from google.adk.a2a.utils.agent_to_a2a import to_a2a

    facts = {"agent_executor_factory": lambda runner: A2aAgentExecutor(runner=runner, **executor)} if executor else {}
    return to_a2a(adk_agent(), host="127.0.0.1", port=port, **facts)


def adk_newer_app(port):
    """Its newer executor, with a model that streams."""
    from google.adk.a2a.converters.request_converter import convert_a2a_request_to_agent_run_request as read
    from google.adk.a2a.executor.config import A2aAgentExecutorConfig
    from google.adk.agents.run_config import StreamingMode

    def streaming(request, part_converter):
        run = read(request, part_converter)
        run.run_config.streaming_mode = StreamingMode.SSE
        return run

    return adk_app(port, config=A2aAgentExecutorConfig(request_converter=streaming), force_new_version=True)


# -- the server of Pydantic AI


def fasta2a_app(port):
    from fasta2a.pydantic_ai import agent_to_a2a
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
    from pydantic_ai.models.function import DeltaToolCall, FunctionModel

    def number_of(messages):
        """Which turn of the conversation this is, where the tool has been called."""
        if not any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
            return None
        return sum(isinstance(part, UserPromptPart) for message in messages for part in message.parts)

    def whole(messages, info):
        number = number_of(messages)
        part = ToolCallPart("look") if number is None else TextPart(ANSWER.format(number))
        return ModelResponse(parts=[part])

    async def streamed(messages, info):
        number = number_of(messages)
        if number is None:
            yield {0: DeltaToolCall("look", "{}")}
            return
        for piece in PIECES:
            yield piece.format(number)

    agent = Agent(FunctionModel(whole, stream_function=streamed), name="counter")
    agent.tool_plain(lambda: "seen", name="look")
    return agent_to_a2a(agent, url=f"http://127.0.0.1:{port}")


# -- servers on free ports


APPS = {"sdk": sdk_app, "adk": adk_app, "adk-newer": adk_newer_app, "fasta2a": fasta2a_app}
SERVERS = {}


def serve(framework):
    """Starts an agent on a free port of loopback, and says which."""
    import socket

    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(APPS[framework](port), log_config=None))
    started = threading.Event()
    startup = server.startup

    async def startup_and_tell(sockets=None):
        await startup(sockets)
        started.set()

    server.startup = startup_and_tell
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    assert started.wait(20), "uvicorn did not start"
    SERVERS[port] = (server, thread)
    return port


def stop(port):
    """Stops it."""
    server, thread = SERVERS.pop(port)
    server.should_exit = True
    thread.join(10)
    return not thread.is_alive()


# -- clients


def talk(client, url, questions, version="1.0", binding="JSONRPC", stream=False):
    """What a client has of each answer; it goes on with the conversation as its framework says."""
    return asyncio.run(CLIENTS[client](url, questions, version, binding, stream))


async def sdk_talk(url, questions, version, binding, stream):
    from a2a.client import ClientConfig, ClientFactory
    from a2a.types import a2a_pb2
    from google.protobuf.json_format import MessageToDict
    from peer_a2a import _card

    config = ClientConfig(streaming=stream, supported_protocol_bindings=[binding])
    context_id = task_id = None
    answers = []
    async with ClientFactory(config).create(_card(url, version, binding)) as client:
        for number, words in enumerate(questions, 1):
            facts = {"message_id": f"q{number}", "context_id": context_id, "task_id": task_id}
            message = a2a_pb2.Message(role=a2a_pb2.ROLE_USER, parts=[a2a_pb2.Part(text=words)], **facts)
            events = []
            async for event in client.send_message(a2a_pb2.SendMessageRequest(message=message)):
                events.append(MessageToDict(event))
            answers.append(events)
            context_id, task_id = goes_on(events, context_id)
    return answers


WAITS = {"TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"}


def goes_on(events, context_id):
    """The context of the answer, and its task where it waits for an answer."""
    task_id = state = None
    for event in events:
        ((kind, inner),) = event.items()
        context_id = inner.get("contextId", context_id)
        task_id = inner.get("taskId") if kind != "task" else inner["id"]
        state = inner.get("status", {}).get("state", state)
    return context_id, task_id if state in WAITS else None


def adk_heard(event):
    """What an event of the kit has of the remote agent: words, which may be a piece, and their place."""
    parts = event.content.parts or [] if event.content else []
    place = {name: (event.custom_metadata or {}).get(f"a2a:{name}") for name in ("context_id", "task_id", "error")}
    return {"words": [part.text for part in parts if part.text], **place}


async def adk_talk(url, questions, version, binding, stream):
    import httpx
    from a2a.client import ClientConfig, ClientFactory
    from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
    from google.adk.runners import InMemoryRunner
    from google.genai import types
    from peer_a2a import _card

    facts = {"httpx_client": httpx.AsyncClient(), "supported_protocol_bindings": [binding]}
    factory = ClientFactory(ClientConfig(streaming=stream, **facts))
    agent = RemoteA2aAgent("remote", _card(url, version, binding), a2a_client_factory=factory)
    runner = InMemoryRunner(agent, app_name="asks")
    session = await runner.session_service.create_session(app_name="asks", user_id="u1")
    answers = []
    for words in questions:
        asked = types.Content(role="user", parts=[types.Part(text=words)])
        events = []
        async for event in runner.run_async(user_id="u1", session_id=session.id, new_message=asked):
            events.append(adk_heard(event))
        answers.append(events)
    await runner.close()
    return answers


async def fasta2a_talk(url, questions, version, binding, stream):
    from fasta2a.client import A2AClient

    client = A2AClient(url)
    answers = []
    for number, words in enumerate(questions, 1):
        message = {"role": "user", "parts": [{"text": words}], "message_id": f"q{number}", "context_id": "c1"}
        if stream:
            bodies = [one async for one in client.stream_message(message)]
        else:
            bodies = [await client.send_message(message)]
        answers.append(bodies)
    await client.http_client.aclose()
    return answers


CLIENTS = {"sdk": sdk_talk, "adk": adk_talk, "fasta2a": fasta2a_talk}


# -- task operations


def operate(client, url, operations, version="1.0", binding="JSONRPC"):
    """What the client of the SDK has of each operation; an error as `{"error": [class, words]}`."""
    return asyncio.run(sdk_operate(url, operations, version, binding))


REQUESTS = {
    "get_task": "GetTaskRequest",
    "list_tasks": "ListTasksRequest",
    "cancel_task": "CancelTaskRequest",
    "subscribe": "SubscribeToTaskRequest",
}
"""Method of the client → the type of its request."""


async def sdk_operate(url, operations, version, binding):
    from a2a.client import ClientConfig, ClientFactory
    from a2a.types import a2a_pb2
    from google.protobuf.json_format import MessageToDict, ParseDict
    from peer_a2a import _card

    config = ClientConfig(streaming=True, supported_protocol_bindings=[binding])
    answers = []
    async with ClientFactory(config).create(_card(url, version, binding)) as client:
        for name, params in operations:
            request = ParseDict(params, getattr(a2a_pb2, REQUESTS[name])())
            try:
                if name == "subscribe":
                    answers.append([MessageToDict(event) async for event in client.subscribe(request)])
                else:
                    answers.append(MessageToDict(await getattr(client, name)(request)))
            except Exception as error:
                answers.append({"error": [type(error).__name__, str(error)]})
    return answers


# -- what this process does


DOES = {"serve": serve, "stop": stop, "talk": talk, "operate": operate}


def main() -> None:
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"answer": DOES[given.pop("op")](**given)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
