"""Asks other agents in the course of a turn: finds them by their address, and goes on with the conversation of before.

A job may run twice, so the ids of a question come from the message that it is asked for: a peer that was asked already
gives the same answer again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final, cast

from mentionable import (
    AgentChain,
    Answered,
    AsyncAnswers,
    Failed,
    HttpRequest,
    HttpResponse,
    NoRelay,
    NormalizedMessage,
    Part,
    Problem,
    RecipientCapabilities,
    Rejected,
    Sender,
    TextPart,
    UsageError,
    a2a,
    adrive,
    discovery,
    dumps,
    format_time,
    rest,
)
from sqlalchemy import Connection

from mentionable_host.admission import MAX_HOPS, is_anonymous
from mentionable_host.config import Config, secret
from mentionable_host.store import messages, peers
from mentionable_host.store.forgotten import is_sender_forgotten
from mentionable_host.store.peers import PeerPlace

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Peers"]

log = logging.getLogger(__name__)

SECONDS: Final = 120
"""How long a question may take in all."""
CALL_SECONDS: Final = 60
"""How long one request may take."""
LOOKS: Final = 60
PAUSE_SECONDS: Final = 2.0
"""So often the task of a peer that works on is asked for again, and so long between."""
WAITS: Final = ("input-required", "auth-required")
"""States of a task that goes on with the next question."""


class Peers:
    """Other agents, for one turn of the agent."""

    def __init__(self, host: Host, message: NormalizedMessage) -> None:
        """Asks none yet.

        Args:
            host: The host.
            message: What the agent answers: the place in a chain of agents is its.
        """
        self._host, self._message = host, message

    async def resolve(self, address: str) -> discovery.ResolvedAgent | Rejected:
        """Where and how an agent is reached, as its domain and its card say.

        Args:
            address: `@agent@domain`.
        """
        try:
            flow = discovery.resolve_agent(address)
        except UsageError:
            return _refused("agent-unknown", f"{address!r} is no address of an agent")
        return await adrive(flow, AsyncAnswers(fetch=self._host.fetch), gather=asyncio.gather)

    async def call(
        self, address: str, content: str | Part | Sequence[Part], *, thread: str | None = None
    ) -> Answered | Rejected:
        """What an agent answers. It is waited for up to two minutes.

        Args:
            address: `@agent@domain`.
            content: The question: text in Markdown, or parts. Files may be those of the message that is answered.
            thread: The conversation with that agent, in words of the program. By default that of the message, apart for
                each person who writes there: the other agent may repeat what was written in it before.

        Returns:
            The answer: its `response.status` is `partial` where the agent is still at work, and
            `response.extra["a2a"]["state"]` is `input-required` where it asks back: the next call goes on with that.
            Or why there is none: `peer-busy` where a later try may help.
        """
        if address.casefold() in (self._host.address.casefold(), str(self._message.sender.address).casefold()):
            return _refused("unsupported-operation", "an agent asks neither itself nor who asks it")
        chain = _next_place(self._message.recipient_capabilities.agent_chain)
        if chain is None:
            return _refused("unsupported-operation", "the chain of agents ends here")
        agent = await self.resolve(address)
        if isinstance(agent, Rejected):
            return agent
        try:
            async with asyncio.timeout(SECONDS):
                return await self._ask(agent, _parts(content), chain, thread or _thread_of(self._message))
        except TimeoutError:
            return _refused("peer-busy", f"no answer in {SECONDS} seconds")
        except UsageError as error:  # a file without bytes, say: a fault of the program
            return _refused("unsupported-operation", str(error))

    async def _ask(
        self, agent: discovery.ResolvedAgent, parts: tuple[Part, ...], chain: AgentChain, thread_id: str
    ) -> Answered | Rejected:
        """Asks in the conversation that there is, and remembers the place of the answer."""
        host = self._host
        key = b"\n".join((self._message.id.encode(), agent.address.encode(), thread_id.encode(), *map(dumps, parts)))
        question = NormalizedMessage(
            id=sha256(key).hexdigest()[:32],
            thread_id=thread_id,
            sender=Sender(address=host.address),
            recipient=agent.address,
            parts=parts,
            recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay(), agent_chain=chain),
            received_via="connector",
            received_at=format_time(host.world.now()),
            raw=None,
        )
        where = {"peer": agent.address, "thread_id": thread_id}
        place = await host.database.read(lambda db: peers.place_of(db, question.id, **where))
        files = await host.database.read(lambda db: messages.files_of_id(db, self._message.id))
        context = a2a.CallContext(token=_token_for(agent.address, host.config), blobs=files)
        if agent.endpoints:
            answer = await _Conversation(host, question, agent.endpoints, context).ask(place)
        elif agent.rest is not None:
            answer = await _ask_rest(host, question, agent.rest, context, place)
        else:
            return _refused("agent-unknown", "it has no way that this host speaks")
        if isinstance(answer, Answered):
            now, answered_in = host.world.now(), _place_after(answer, place)

            def store(db: Connection) -> None:
                if not is_sender_forgotten(db, self._message):
                    peers.put(db, question.id, **where, asked_in=place, answered_in=answered_in, now=now)

            await host.database.write(store)
        else:
            log.info("%r does not answer: %s", agent.address, answer.code)
        return answer


class _Conversation:
    """One question over A2A, in the dialects that both speak, until the answer is there."""

    def __init__(
        self,
        host: Host,
        question: NormalizedMessage,
        endpoints: tuple[discovery.Endpoint, ...],
        context: a2a.CallContext,
    ) -> None:
        self._host, self._question, self._endpoints, self._context = host, question, endpoints, context

    async def ask(self, place: PeerPlace) -> Answered | Rejected:
        """The answer in the first dialect that the peer knows, when its task is over or asks back."""
        way = self._endpoints[0]
        answer = await self._send(way, place)
        for _ in self._endpoints:
            if not isinstance(answer, Rejected):
                break
            dialect = a2a.next_dialect(answer, dialect=way.dialect, endpoints=self._endpoints)
            if dialect is None:
                break
            way = next(one for one in self._endpoints if one.dialect == dialect)
            answer = await self._send(way, place)
        if isinstance(answer, Rejected) and answer.code == "peer-task-not-found" and place.task_id is not None:
            answer = await self._send(way, PeerPlace(context_id=place.context_id))
        return answer if isinstance(answer, Rejected) else await self._wait(answer, way)

    async def _send(self, way: discovery.Endpoint, place: PeerPlace) -> Answered | Rejected:
        request = a2a.call(
            self._question,
            url=way.url,
            dialect=way.dialect,
            entropy=_entropy(self._question),
            context_id=place.context_id,
            task_id=place.task_id if place.state in WAITS else None,
            context=self._context,
        )
        return await self._read(request)

    async def _wait(self, answer: Answered, way: discovery.Endpoint) -> Answered:
        """The answer when the peer has ended its work."""
        for _ in range(LOOKS):
            task_id = answer.response.extra.get("a2a", {}).get("task_id")
            if answer.response.status != "partial" or task_id is None:
                break
            await asyncio.sleep(PAUSE_SECONDS)
            request = a2a.call_operation(
                a2a.GetTask(task_id=task_id),
                url=way.url,
                dialect=way.dialect,
                entropy=self._host.world.entropy(),
                context=self._context,
            )
            later = await self._read(request)
            answer = answer if isinstance(later, Rejected) else later
        return answer

    async def _read(self, request: HttpRequest) -> Answered | Rejected:
        got = await _post(self._host, request)
        return got if isinstance(got, Rejected) else a2a.result(got, to=self._question, request=request)


async def _ask_rest(
    host: Host, question: NormalizedMessage, url: str, context: a2a.CallContext, place: PeerPlace
) -> Answered | Rejected:
    """The answer to a form."""
    entropy = _entropy(question)
    request = rest.call(question, url=url, entropy=entropy, session=place.context_id, context=context)
    got = await _post(host, request)
    return got if isinstance(got, Rejected) else rest.result(got, to=question)


async def _post(host: Host, request: HttpRequest) -> HttpResponse | Rejected:
    got = await host.world.send(request, seconds=CALL_SECONDS)
    return _refused("peer-busy", got.reason) if isinstance(got, Failed) else got


def _thread_of(message: NormalizedMessage) -> str:
    """The conversation with another agent that goes with a message: of its sender alone, who may name any thread.

    It is of one message alone where the sender has no address. Whoever is not verified goes on with nothing of those
    who are.
    """
    sender = message.sender
    who = message.id if is_anonymous(message) else sender.address
    return sha256("\0".join((message.thread_id, who, str(sender.verified))).encode()).hexdigest()[:32]


def _place_after(answer: Answered, before: PeerPlace) -> PeerPlace:
    """The place in a conversation after an answer."""
    own, form = answer.response.extra.get("a2a", {}), answer.response.extra.get("rest", {})
    return PeerPlace(
        context_id=own.get("context_id") or form.get("session") or before.context_id,
        task_id=own.get("task_id"),
        state=own.get("state"),
    )


def _next_place(chain: AgentChain | None) -> AgentChain | None:
    """The place of the agent that is asked; None: no other one may be asked."""
    if chain is None:
        return AgentChain(hop=2, max_hops=MAX_HOPS, is_final=False)
    following = chain.next()
    return None if following is None or following.hop > MAX_HOPS else following


def _parts(content: str | Part | Sequence[Part]) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (TextPart(content=content, mime="text/markdown"),)
    return tuple(content) if isinstance(content, tuple | list) else (cast("Part", content),)


def _token_for(address: str, config: Config) -> str | None:
    """The token that a peer gave this agent."""
    tokens = (token for who, token in config.peers.items() if who.casefold() == address.casefold())
    return next((secret(token, folder=config.folder) for token in tokens), None)


def _entropy(question: NormalizedMessage) -> bytes:
    """What the ids of a question come from: the same each time that it is asked."""
    return sha256(question.id.encode()).digest()


def _refused(code: str, why: str) -> Rejected:
    return Rejected(code=code, problems=(Problem("", why),))  # type: ignore[arg-type]
