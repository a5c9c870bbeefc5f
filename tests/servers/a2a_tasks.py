r"""An A2A agent whose work takes time: its tasks can be asked for, listed, followed, canceled and gone on with.

Needs `pip install mentionable httpx uvicorn`, and a2a_endpoint.py, task_work.py, task_store.py, task_news.py and
safe_fetch.py in the same folder. It speaks A2A 0.3 and 1.0, over JSON-RPC and REST. It works on when the client is
gone: what becomes of a task is in the file AGENT_TASKS, and goes to who follows the task and to its webhooks. Run one
process for each file: a second one does not start.

Try it: `uvicorn a2a_tasks:app`, then `python call_agent.py` or:

    curl http://127.0.0.1:8000/message:send -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
      -d '{"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "I order bread"}]}}'

Behind a proxy that speaks TLS, AGENT_URL is where it is seen from outside. Without AGENT_CALLERS every caller counts as
you. With it only these are let in; it says in JSON whose which token is: `{"long-and-random": "@alice@a.example"}`.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from hmac import compare_digest
from secrets import token_bytes
from typing import Any

from a2a_endpoint import Receive, Send, body_of, just, write
from task_store import TaskStore
from task_work import TaskWork

from mentionable import (
    Answers,
    HttpRequest,
    HttpResponse,
    NormalizedMessage,
    Received,
    Rejected,
    a2a,
    discovery,
    drive,
    plain_text,
    replace,
)

NAME, URL = "@baker@agents.example", os.environ.get("AGENT_URL", "http://127.0.0.1:8000")
CALLERS: dict[str, str] = json.loads(os.environ.get("AGENT_CALLERS", '{"": "@you@agents.example"}'))
FORM: Any = os.environ.get("AGENT_CARD", "hybrid")  # "1.0" for clients that take exactly that
PACE = float(os.environ.get("AGENT_PACE", "2"))  # seconds for each step of the work
PATIENCE = float(os.environ.get("AGENT_PATIENCE", "25"))  # who waits longer gets the task as it is: proxies cut off
LOCAL = "AGENT_LOCAL_WEBHOOKS" in os.environ  # for trying out: webhooks may be on this machine, without TLS
SETTINGS = a2a.Settings(stored_tasks=True, local_webhooks=LOCAL)
SPOKEN = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))
CARD = ("/", "/.well-known/agent-card.json")
TOO_MANY = Rejected(code="too-many-requests")
DAYS = ("today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

store = TaskStore(os.environ.get("AGENT_TASKS", "tasks.db"))
lookups = Answers(find_message=store.find_message, find_task=store.find_task)


async def work(message: NormalizedMessage) -> AsyncIterator[tuple[str, a2a.AnswerState]]:
    """Where your agent begins: what it says, piece by piece, and the state that its task is in then."""
    text = plain_text(message).lower()
    day = next((day for day in DAYS if day in text), None)
    if day:
        yield f"Your bread will be ready {day}.", "completed"
    elif "order" in text:
        yield "Which day shall it be?", "input-required"
    else:
        for step in ("Kneading the dough. ", "Letting it rise. ", "Baking. "):
            yield step, "working"
            await asyncio.sleep(PACE)
        yield "Here is your bread.", "completed"


tasks = TaskWork(work, store, SETTINGS)


async def answer(received: Received, request: HttpRequest) -> AsyncIterator[HttpResponse]:
    """The response to a message: its task when the client wants to have it, or all that becomes of it."""
    message, configuration = received.message, a2a.configuration_of(request, settings=SETTINGS)
    store.put_messages(received.to_store)
    begun = store.task(a2a.task_id_of(message)) if received.redelivered else None  # the agent is not asked twice
    task = begun or tasks.begin(message)
    if task is None:
        yield a2a.error_response(Rejected(code="task-ended"), request=request)
        return
    for odd in configuration.diagnostics:  # a webhook that is refused stops no message
        print(f"{task.id}: {odd.code} at {odd.at}")
    push = configuration.push and replace(configuration.push, task_id=task.id)
    if push and store.put_webhook(push, a2a.dialect_of(message)) is None:
        print(f"{task.id}: it has too many webhooks")
    with tasks.news.listen(task.id, task.owner) as updates:
        is_at_work = tasks.is_at_work(task.id)  # now: while the first piece is sent, the agent may end
        if a2a.wants_stream(message):
            yield a2a.task_response(task, to=message)
            if is_at_work:
                async for update in updates:
                    yield a2a.task_response(update, to=message)
            return
        if is_at_work and not configuration.return_immediately:
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    _ = [update async for update in updates]
    yield a2a.task_response(store.task(task.id) or task, to=message)


async def follow(received: a2a.ReceivedOperation, task_id: str) -> AsyncIterator[HttpResponse]:
    """The response to who subscribes to a task: the task, and what becomes of it."""
    with tasks.news.listen(task_id, received.caller) as updates:
        task = store.task(task_id)
        yield a2a.operation_response(received, task)
        if task is not None and received.owns(task) and not task.is_ended:
            async for update in updates:
                yield a2a.operation_response(received, update)


def act(received: a2a.ReceivedOperation) -> Any:
    """What answers an operation."""
    match received.operation:
        case a2a.GetTask(task_id=task_id):
            return store.task(task_id)
        case a2a.ListTasks() as operation:
            return store.page(operation, received.caller) or Rejected(code="page-token-unknown")
        case a2a.CancelTask(task_id=task_id):
            task = store.task(task_id)
            return (tasks.cancel(task_id) if received.owns(task) else None) or task
        case a2a.GetExtendedAgentCard():
            return card()
        case a2a.CreateTaskPushNotificationConfig(config=config) if received.owns(store.task(str(config.task_id))):
            return store.put_webhook(config, received.dialect) or Rejected(code="unsupported-operation")
        case a2a.GetTaskPushNotificationConfig(task_id=task_id, config_id=config_id) if received.owns(
            store.task(task_id)
        ):
            return next((one for one, _ in store.webhooks(task_id) if config_id in (None, one.id)), None)
        case a2a.ListTaskPushNotificationConfigs(task_id=task_id) if received.owns(store.task(task_id)):
            return tuple(one for one, _ in store.webhooks(task_id))
        case a2a.DeleteTaskPushNotificationConfig(task_id=task_id, config_id=config_id) if received.owns(
            store.task(task_id)
        ):
            return store.drop_webhook(task_id, config_id)
    return Rejected(code="task-not-found")


def caller_of(request: HttpRequest) -> a2a.Caller | None:
    """The caller whose token this is."""
    token = request.bearer_token or ""
    names = [name for own, name in CALLERS.items() if compare_digest(own.encode(), token.encode())]
    return a2a.Caller(subject=names[0]) if names else None


async def respond(request: HttpRequest) -> AsyncIterator[HttpResponse]:
    """The response to a request; of a stream, piece by piece."""
    caller, now = caller_of(request), datetime.now(UTC)
    if caller is None:
        pieces = just(a2a.error_response(Rejected(code="verification-required"), request=request))
    else:
        operation = drive(a2a.receive_operation(request, caller=caller, now=now, settings=SETTINGS), lookups)
        flow = a2a.receive(request, caller=caller, recipient=NAME, now=now, entropy=token_bytes(32), settings=SETTINGS)
        received = operation or drive(flow, lookups)
        match received:
            case Rejected():
                pieces = just(a2a.error_response(received, request=request))
            case Received(message=message) if tasks.news.is_full(message.sender.address):
                pieces = just(a2a.error_response(TOO_MANY, request=request))
            case Received():
                pieces = answer(received, request)
            case a2a.ReceivedOperation(operation=a2a.SubscribeToTask(), caller=who) if tasks.news.is_full(who):
                pieces = just(a2a.operation_response(received, TOO_MANY))
            case a2a.ReceivedOperation(operation=a2a.SubscribeToTask(task_id=task_id)):
                pieces = follow(received, task_id)
            case _:
                pieces = just(a2a.operation_response(received, act(received)))
    async for piece in pieces:
        yield piece


def card() -> discovery.A2ACard:
    """What clients learn of the agent."""
    needs_token, offer = "" not in CALLERS, "Bakes bread, which takes its time. Takes orders for a day."
    bearer = {"bearer": discovery.SecurityScheme(type="http", extra={"scheme": "bearer"})}
    ways = [discovery.A2AInterface(url=f"{URL}/", protocol_binding=how, protocol_version=one) for how, one in SPOKEN]
    return discovery.A2ACard(
        name="Baker",
        description=offer,
        version="1.0.0",
        interfaces=tuple(ways),
        capabilities=discovery.Capabilities(
            streaming=True, push_notifications=True, extended_agent_card=needs_token or None
        ),
        default_input_modes=("text/plain",),
        default_output_modes=("text/markdown", "text/plain"),
        skills=(discovery.A2ASkill(id="bread", name="Bread", description=offer, tags=("bread", "orders")),),
        security_schemes=bearer if needs_token else None,
        security=({"bearer": ()},) if needs_token else None,
    )


async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application."""
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    if scope["type"] != "http":
        return
    if scope["method"] == "GET" and scope["path"] in CARD:
        pieces = just(discovery.a2a_card_response(card(), form=FORM))
    else:
        pieces = respond(HttpRequest.from_asgi(scope, await body_of(receive), origin=URL))
    sending, leaving = asyncio.create_task(write(pieces, send)), asyncio.create_task(gone(receive))
    await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if sending.done():
        sending.result()
    sending.cancel()  # who has left follows no task


async def gone(receive: Receive) -> None:
    """Waits until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def lifespan(receive: Receive, send: Send) -> None:
    """The beginning and the end of the program."""
    await receive()
    with store.alone() as is_alone:
        if not is_alone:  # it would fail what that one works on
            await send({"type": "lifespan.startup.failed", "message": "another process works on these tasks"})
            return
        tasks.fail_unfinished()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
