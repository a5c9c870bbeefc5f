"""An executor of the A2A SDK: the SDK has parsed the message and knows the caller and the task; the agent answers."""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import token_bytes

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types import Message
from google.protobuf.json_format import MessageToDict, ParseDict

from mentionable import Answers, NormalizedResponse, Rejected, a2a, drive


class Helper(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        now, entropy, user = datetime.now(UTC), token_bytes(32), context.call_context.user
        flow = a2a.receive(
            MessageToDict(context.message or Message()),
            recipient="@helper@agents.example",
            task_id=context.task_id,
            caller=a2a.Caller(subject=user.user_name) if user.is_authenticated else None,
            now=now,
            entropy=entropy,
        )
        got = drive(flow, Answers())
        if isinstance(got, Rejected):
            raise got.error
        reply = a2a.reply(NormalizedResponse.to(got.message, "Hello!"), to=got.message, now=now, entropy=entropy)
        await event_queue.enqueue_event(ParseDict(reply.message, Message()))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None: ...
