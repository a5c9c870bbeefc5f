"""An A2A agent on the A2A SDK for Python, whose executor uses mentionable.

What is special: the server is that of the SDK, with its store of tasks; the library says who asks, and what is said.

Needs `pip install mentionable "a2a-sdk[http-server]" uvicorn`. Try it: `uvicorn a2a_sdk_server:app`, and let a client
of A2A find it at http://127.0.0.1:8000. The SDK speaks HTTP, streams, keeps tasks and serves the agent card.

Behind a proxy that speaks TLS, AGENT_URL is where it is seen from outside. AGENT_CALLERS says in JSON whose which token
is: `{"long-and-random": "@alice@a.example"}`. Tasks are kept in memory: `a2a.server.tasks` has stores that last.
"""

import json
import os
from datetime import UTC, datetime
from hmac import compare_digest
from secrets import token_bytes

from a2a.auth.user import UnauthenticatedUser, User
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import DefaultServerCallContextBuilder, create_agent_card_routes, create_jsonrpc_routes
from a2a.server.routes.common import StarletteUser
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Message, StreamResponse
from a2a.utils.errors import JSON_RPC_ERROR_CODE_MAP, InvalidParamsError, UnsupportedOperationError
from google.protobuf.json_format import MessageToDict, ParseDict
from starlette.applications import Starlette
from starlette.authentication import SimpleUser
from starlette.requests import Request

from mentionable import (
    CODES,
    AsyncAnswers,
    HttpRequest,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    a2a,
    adrive,
    plain_text,
    policy,
    split,
)

NAME = "@helper@agents.example"
URL = os.environ.get("AGENT_URL", "http://127.0.0.1:8000")
CALLERS: dict[str, str] = json.loads(os.environ.get("AGENT_CALLERS", "{}"))
ERRORS = {code: error for error, code in JSON_RPC_ERROR_CODE_MAP.items()}
CARD = AgentCard(
    name="Helper",
    description="Says who said what.",
    version="1.0.0",
    supported_interfaces=[
        AgentInterface(url=f"{URL}/a2a", protocol_binding="JSONRPC", protocol_version=version)
        for version in ("1.0", "0.3")
    ],
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=["text/plain"],
    default_output_modes=["text/markdown"],
    skills=[AgentSkill(id="echo", name="Echo", description="Says who said what.", tags=["echo"])],
)


async def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins."""
    if message.raw.get("auth") is None:  # nobody whom the host knows
        bearer = policy.AuthChallenge(scheme="Bearer")
        who = policy.Unauthorized(message="I only talk to agents that I know.", auth_challenges=(bearer,))
        return NormalizedResponse.to(message, who)
    return NormalizedResponse.to(message, f"{message.sender.address}, you said: {plain_text(message)}")


class Helper(AgentExecutor):
    """Gives the agent normalized messages, and tells the SDK what it answers."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answers one message, frame by frame; for who wants one answer, the SDK puts them together."""
        now, user = datetime.now(UTC), context.call_context.user
        flow = a2a.receive(
            MessageToDict(context.message or Message()),
            task_id=context.task_id,
            caller=a2a.Caller(subject=user.user_name) if user.is_authenticated else None,
            recipient=NAME,
            now=now,
            entropy=token_bytes(32),
        )
        got = await adrive(flow, AsyncAnswers())
        if isinstance(got, Rejected):
            raise ERRORS.get(got.jsonrpc_code, InvalidParamsError)(CODES[got.code].text)
        message = got.message
        for frame in split(await answer(message), stream_id=message.id):
            for event in a2a.reply(frame, to=message, now=now, entropy=token_bytes(32)).events:
                told = ParseDict(event, StreamResponse())
                kind = told.WhichOneof("payload")
                if kind != "task" or context.current_task is None:  # a task that goes on is there already
                    await event_queue.enqueue_event(getattr(told, kind))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Refuses: an answer is there as soon as it is asked for."""
        raise UnsupportedOperationError


class Callers(DefaultServerCallContextBuilder):
    """Tells the SDK who calls."""

    def build_user(self, request: Request) -> User:
        """The caller whose token this is."""
        token = HttpRequest.from_asgi(request.scope, b"").bearer_token or ""
        for known, name in CALLERS.items():
            if compare_digest(known.encode(), token.encode()):
                return StarletteUser(SimpleUser(name))
        return UnauthenticatedUser()


handler = DefaultRequestHandler(agent_executor=Helper(), task_store=InMemoryTaskStore(), agent_card=CARD)
rpc = create_jsonrpc_routes(handler, "/a2a", context_builder=Callers(), enable_v0_3_compat=True)
app = Starlette(routes=[*create_agent_card_routes(CARD), *rpc])
