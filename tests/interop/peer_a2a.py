"""What the A2A SDK for Python reads, asks and answers; `peer.py` calls it. Connections are of loopback alone."""

from __future__ import annotations

import asyncio
import threading
from functools import cache
from typing import Any

# -- reading what was written elsewhere, strictly


def read(units):
    """Each unit as the SDK writes it after it read it; or `{"refused": why}`."""
    return [_one(*unit) for unit in units]


def _one(version, name, document):
    try:
        return _READERS[version](name, document)
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}


def _read_v1(name, document):
    from a2a.types import a2a_pb2
    from a2a.utils.proto_utils import validate_proto_required_fields
    from google.protobuf.json_format import MessageToDict, ParseDict

    unit = ParseDict(document, getattr(a2a_pb2, name)(), ignore_unknown_fields=False)
    validate_proto_required_fields(unit)
    return MessageToDict(unit)


def _read_v03(name, document):
    from a2a.compat.v0_3 import types

    return getattr(types, name).model_validate(document).model_dump(mode="json", by_alias=True, exclude_unset=True)


def _read_v03_rest(name, document):
    from a2a.compat.v0_3 import a2a_v0_3_pb2
    from google.protobuf.json_format import MessageToDict, ParseDict

    return MessageToDict(ParseDict(document, getattr(a2a_v0_3_pb2, name)(), ignore_unknown_fields=False))


_READERS = {"1.0": _read_v1, "0.3": _read_v03, "0.3-rest": _read_v03_rest}


def convert(version, results):
    """The result of a call in v1.0, as its client and server convert what older peers write."""
    return [_CONVERTERS[version](result) for result in results]


def _from_v1(result):
    return _read_v1("SendMessageResponse", result)


def _from_v03(result):
    from a2a.compat.v0_3 import conversions, types
    from google.protobuf.json_format import MessageToDict

    kind, to_core = {
        "message": (types.Message, conversions.to_core_message),
        "task": (types.Task, conversions.to_core_task),
    }[result["kind"]]
    return {result["kind"]: MessageToDict(to_core(kind.model_validate(result)))}


def _from_v03_rest(result):
    from a2a.compat.v0_3 import a2a_v0_3_pb2, proto_utils
    from google.protobuf.json_format import ParseDict

    found = proto_utils.FromProto.task_or_message(ParseDict(result, a2a_v0_3_pb2.SendMessageResponse()))
    return _from_v03(found.model_dump(mode="json", by_alias=True, exclude_none=True))


_CONVERTERS = {"1.0": _from_v1, "0.3": _from_v03, "0.3-rest": _from_v03_rest}


# -- the client


def ask(calls):
    """What the client has of each call, in the order in which it came; an error as `{"error": [class, message]}`."""
    return asyncio.run(_ask_all(calls))


async def _ask_all(calls):
    return [await _ask(**call) for call in calls]


async def _ask(url, version, binding, stream, message, seen=None):
    import httpx
    from a2a.client import ClientConfig, ClientFactory
    from a2a.types import a2a_pb2
    from google.protobuf.json_format import MessageToDict, ParseDict

    said: list[Any] = []
    card = _card(url, version, binding)
    config = ClientConfig(streaming=stream, supported_protocol_bindings=[binding])
    request = ParseDict({"message": message}, a2a_pb2.SendMessageRequest())
    try:
        async with ClientFactory(config).create(card) as client:
            async for event in client.send_message(request):
                said.append(MessageToDict(event))
                if seen is not None:
                    await asyncio.to_thread(httpx.get, seen)
    except Exception as error:
        said.append({"error": [type(error).__name__, str(error)]})
    return said


def _card(url, version, binding):
    from a2a.types import a2a_pb2

    one = a2a_pb2.AgentInterface(url=url, protocol_binding=binding, protocol_version=version)
    return a2a_pb2.AgentCard(
        name="Helper",
        description="Helps",
        version="1",
        supported_interfaces=[one],
        capabilities=a2a_pb2.AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
    )


# -- the server


_SERVERS: dict[int, Any] = {}


def serve():
    """Starts an agent of all dialects on a free port of loopback, and says which."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(_app(), host="127.0.0.1", port=0, log_config=None, lifespan="off"))
    started = threading.Event()
    startup = server.startup

    async def startup_and_tell(sockets=None):
        await startup(sockets)
        started.set()

    server.startup = startup_and_tell
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert started.wait(20), "uvicorn did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    _SERVERS[port] = (server, thread)
    return port


def stop(port):
    """Stops it."""
    server, thread = _SERVERS.pop(port)
    server.should_exit = True
    thread.join(10)
    return not thread.is_alive()


def _app():
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_jsonrpc_routes, create_rest_routes
    from a2a.server.tasks import InMemoryTaskStore
    from starlette.applications import Starlette

    card = _card("http://127.0.0.1/rpc", "1.0", "JSONRPC")
    handler = DefaultRequestHandler(agent_executor=_agent()(), task_store=InMemoryTaskStore(), agent_card=card)
    routes = create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True)
    return Starlette(routes=[*routes, *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix="/rest")])


@cache
def _agent():
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.tasks import TaskUpdater
    from a2a.types import a2a_pb2

    def text(words):
        return a2a_pb2.Part(text=words, media_type="text/markdown")

    class Agent(AgentExecutor):
        """Does what the first words of the question say; what it says again are the other parts of the question."""

        async def execute(self, context, event_queue):
            wanted, *others = context.message.parts
            place = {"context_id": context.context_id, "role": a2a_pb2.ROLE_AGENT}
            if wanted.text == "message":
                message = a2a_pb2.Message(message_id="a1", parts=[text("Hello!"), *others], **place)
                await event_queue.enqueue_event(message)
                return
            if context.current_task is None:
                status = a2a_pb2.TaskStatus(state=a2a_pb2.TASK_STATE_SUBMITTED)
                task = a2a_pb2.Task(id=context.task_id, context_id=context.context_id, status=status)
                await event_queue.enqueue_event(task)
            updater = TaskUpdater(event_queue, context.task_id, context.context_id)
            await getattr(self, wanted.text)(updater, others)

        async def task(self, updater, others):
            await updater.start_work(updater.new_agent_message([text("I am at it.")]))
            await updater.add_artifact([text("Hello!"), *others], artifact_id="a1", name="answer")
            await updater.complete(updater.new_agent_message([text("Here it is.")]))

        async def stream(self, updater, others):
            await updater.start_work()
            for number, words in enumerate(["One ", "two ", "three."]):
                facts = {"append": number > 0, "last_chunk": number == 2}
                await updater.add_artifact([text(words)], artifact_id="a1", **facts)
            await updater.add_artifact(others, artifact_id="a2", last_chunk=True) if others else None
            await updater.complete()

        async def failed(self, updater, others):
            await updater.failed(updater.new_agent_message([text("No paper."), *others]))

        async def rejected(self, updater, others):
            await updater.reject(updater.new_agent_message([text("Not that."), *others]))

        async def asks(self, updater, others):
            await updater.requires_input(updater.new_agent_message([text("Which city?"), *others]))

        async def auth(self, updater, others):
            await updater.requires_auth(updater.new_agent_message([text("Who are you?"), *others]))

        async def cancel(self, context, event_queue):
            raise NotImplementedError

    return Agent


DOES = {"a2a.read": read, "a2a.convert": convert, "a2a.ask": ask, "a2a.serve": serve, "a2a.stop": stop}
