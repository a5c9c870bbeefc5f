"""A transport of the tests: messages come by a call, and answers go into a list."""

from __future__ import annotations

import asyncio

from mentionable import (
    NoRelay,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    RecipientCapabilities,
    Sender,
    TextPart,
    UnanswerableError,
    Verdict,
    format_time,
    policy,
)
from sqlalchemy import func, select

from mentionable_host.receiving import store_received
from mentionable_host.store import messages
from mentionable_host.store.tables import jobs
from mentionable_host.transports.transport import Reply, Transport

ALICE = Sender(address="@alice@a.example", verified=True, auth_method="email-dkim", key_id="s1._domainkey.a.example")


class Recorder(Transport):
    """Notes what it is told."""

    name = "email"

    def __init__(self, host) -> None:
        super().__init__(host)
        self.written: list[tuple[NormalizedResponse, NormalizedMessage]] = []
        self.stored: list[str] = []
        self.frames: list[NormalizedResponse] = []
        self.worked: list[str] = []
        self.silent: list[str] = []
        self.failed: list[str] = []
        self.refuses_demands = False

    async def show(self, frame, *, to):
        self.frames.append(frame)

    async def working(self, *, to):
        self.worked.append(to.id)

    def silence(self, db, message, *, is_canceled):
        self.silent.append(message.id)

    def give_up(self, db, message):
        self.failed.append(message.id)

    async def reply(self, response, *, to):
        if self.refuses_demands and policy.demand_of(response) is not None:
            raise UnanswerableError("no-private-way", "only a room of many people")
        self.written.append((response, to))
        return Reply(native_ids=(f"<{to.id}@out>",), store=lambda db: self.stored.append(to.id))


class Chat(Recorder):
    """Another one, for answers that go elsewhere."""

    name = "chat"


def message(text, *, id="m1", thread="t1", sender=ALICE, host=None, candidate=None, via="email"):
    return NormalizedMessage(
        id=id,
        thread_id=thread,
        sender=sender,
        recipient=host.address,
        parts=(TextPart(content=text),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via=via,
        received_at=format_time(host.world.now()),
        raw={"parsed": {"subject": "A question"}},
    )


async def come(host, text, *, id="m1", thread="t1", sender=ALICE, transport="email", candidate=None, via="email"):
    """Stores a message as a transport does, with its job."""
    got = message(text, id=id, thread=thread, sender=sender, host=host, via=via)
    verdict = (
        Verdict(method=sender.auth_method, verified=True, address=sender.address)
        if sender.verified
        else Verdict(method="none", verified=False, code="signature-missing")
    )
    received = Received(messages=(got,), native_id=f"<{id}>", verdict=verdict, candidate=candidate)
    await host.database.write(lambda db: store_received(db, received, host=host, transport=transport))
    host.wake()
    return got


async def talk(host, text, **more):
    """As `come`; returns when what is to be done for it is done."""
    await come(host, text, **more)
    await idle(host)


async def answered(host, id="m1", seconds=5.0):
    """The answer to a message, as soon as it is stored."""

    async def look():
        return await host.database.read(lambda db: messages.answer_to(db, id))

    return await host.signals.until(id, look, seconds=seconds) if seconds else await look()


async def idle(host):
    """Returns when no job waits or runs."""

    def count(db):
        now = host.world.now().timestamp()
        return db.execute(
            select(func.count()).where(jobs.c.state.in_(("waiting", "running")), jobs.c.due <= now)
        ).scalar()

    async with asyncio.timeout(30):
        while await host.database.read(count):
            await asyncio.sleep(0.01)


def play(host, story):
    """Runs a story while the host works."""

    async def whole():
        async with host.running():
            return await story(host)

    return asyncio.run(whole())
