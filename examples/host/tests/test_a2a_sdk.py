"""The official client of A2A talks with a host that listens on loopback."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2
from google.protobuf.json_format import MessageToDict, ParseDict
from loopback import free_socket, serving
from mentionable import HttpResponse

from mentionable_host import Agent
from mentionable_host.transports.a2a import A2A

WAYS = [(binding, version) for binding in ("JSONRPC", "HTTP+JSON") for version in ("1.0", "0.3")]
TOKEN = "alice-has-this"


def counting():
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        if context.text == "Wait":
            await asyncio.Event().wait()
        yield "One, "
        yield f"two, {context.text}."

    return agent


@asynccontextmanager
async def talking(make_host, binding, version, *, stream):
    """The client of a host, for one version and binding."""
    listening, origin = free_socket()
    settings = {"callers": {TOKEN: "@alice@a.example"}, "local_webhooks": True}
    host = make_host(A2A, agent=counting(), server={"origin": origin}, a2a=settings)
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with serving(host.app(), listening), httpx.AsyncClient(trust_env=False, headers=headers, timeout=5) as http:
        card = await A2ACardResolver(http, origin).get_agent_card()
        ways = [(one.protocol_binding, one.protocol_version) for one in card.supported_interfaces]
        kept = [one for one, way in zip(card.supported_interfaces, ways, strict=True) if way == (binding, version)]
        del card.supported_interfaces[:]
        card.supported_interfaces.extend(kept)
        config = ClientConfig(streaming=stream, supported_protocol_bindings=[binding], httpx_client=http)
        yield ClientFactory(config).create(card)


def request(text, **more):
    message = {"messageId": f"m-{text}", "role": "ROLE_USER", "parts": [{"text": text}], **more}
    return ParseDict({"message": message}, a2a_pb2.SendMessageRequest())


async def said(events):
    return [MessageToDict(event) async for event in events]


def words(task):
    return "".join(part["text"] for artifact in task.get("artifacts", ()) for part in artifact["parts"])


@pytest.mark.parametrize(("binding", "version"), WAYS)
def test_a_message_is_answered(make_host, binding, version):
    async def talk():
        async with talking(make_host, binding, version, stream=False) as client:
            [event] = await said(client.send_message(request("three")))
            again = MessageToDict(await client.get_task(a2a_pb2.GetTaskRequest(id=event["task"]["id"])))
            return event["task"], again

    task, again = asyncio.run(talk())
    assert (task["status"]["state"], words(task)) == ("TASK_STATE_COMPLETED", "One, two, three.")
    assert again["id"] == task["id"]


@pytest.mark.parametrize(("binding", "version"), WAYS)
def test_an_answer_streams(make_host, binding, version):
    async def talk():
        async with talking(make_host, binding, version, stream=True) as client:
            return await said(client.send_message(request("three")))

    events = asyncio.run(talk())
    pieces = [event["artifactUpdate"]["artifact"] for event in events if "artifactUpdate" in event]
    assert "".join(part["text"] for piece in pieces for part in piece["parts"] if "text" in part) == "One, two, three."
    assert events[-1]["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED"


@pytest.mark.parametrize(("binding", "version"), WAYS)
def test_a_task_is_followed_and_canceled(make_host, binding, version):
    async def talk():
        async with talking(make_host, binding, version, stream=True) as client:
            stream = client.send_message(request("Wait"))
            task_id = MessageToDict(await anext(stream))["task"]["id"]
            following = client.subscribe(a2a_pb2.SubscribeToTaskRequest(id=task_id))
            await anext(following)
            canceled = MessageToDict(await client.cancel_task(a2a_pb2.CancelTaskRequest(id=task_id)))
            await stream.aclose()
            return canceled["status"]["state"], await said(following)

    state, events = asyncio.run(talk())
    assert state == "TASK_STATE_CANCELED"
    assert events[-1]["statusUpdate"]["status"]["state"] == "TASK_STATE_CANCELED"


@pytest.mark.parametrize(("binding", "version"), WAYS)
def test_webhooks_are_told(make_host, world, binding, version):
    async def send(request, *, seconds=10):
        async with httpx.AsyncClient(trust_env=False, timeout=seconds) as http:
            got = await http.post(request.url, headers=list(request.headers), content=request.body)
        return HttpResponse(status=got.status_code)

    world.send = send

    async def talk():
        got, is_told = [], asyncio.Event()

        async def hook(scope, receive, send):
            if scope["type"] == "http":
                body = (await receive())["body"]
                got.append((dict(scope["headers"]), body))
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": b""})
                if b"ompleted" in body.lower():
                    is_told.set()

        listening, url = free_socket()
        async with serving(hook, listening), talking(make_host, binding, version, stream=False) as client:
            asked = request("three")
            push = a2a_pb2.TaskPushNotificationConfig(url=f"{url}/hook", token="theirs")
            asked.configuration.task_push_notification_config.CopyFrom(push)
            [event] = await said(client.send_message(asked))
            await asyncio.wait_for(is_told.wait(), 5)
            return event["task"]["id"], got[-1]

    task_id, (headers, body) = asyncio.run(talk())
    assert headers[b"x-a2a-notification-token"] == b"theirs"
    assert task_id.encode() in body
