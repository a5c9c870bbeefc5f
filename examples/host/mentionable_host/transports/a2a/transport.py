"""The transport: what it serves, the jobs that it does, and how answers of the agent get into tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mentionable import NormalizedMessage, NormalizedResponse, UnanswerableError, a2a, replace
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mentionable_host.agents.running import FAILED
from mentionable_host.host import Host
from mentionable_host.http import response_of
from mentionable_host.queue.outcome import GivenUp, Handler
from mentionable_host.store import messages, tasks
from mentionable_host.store.tasks import TaskRow
from mentionable_host.transports.a2a import progress, push
from mentionable_host.transports.a2a.card import a2a_section, card_response, endpoint_url, jwks_response
from mentionable_host.transports.a2a.endpoint import Endpoint
from mentionable_host.transports.callers import Callers, call_settings
from mentionable_host.transports.frames import ShownFrames
from mentionable_host.transports.transport import Reply, Transport

__all__ = ["A2A"]


class A2A(Transport):
    """The agent at `/a2a/NAME`, and its card at `/.well-known/agent-card.json`."""

    name: ClassVar[str] = "a2a"

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: A token cannot be read, or the document about trust does not fit.
        """
        super().__init__(host)
        self._settings = call_settings(host.config, url=endpoint_url(host.config))
        self._endpoint = Endpoint(host, Callers.of(host.config), self._settings)
        self._shown = ShownFrames(self._add)

    def routes(self) -> Sequence[BaseRoute]:
        """One path for JSON-RPC, those of HTTP+JSON below it, the card and the keys."""
        path, methods = f"/a2a/{self.host.config.agent.name}", ["GET", "POST", "DELETE"]
        return [
            Route("/.well-known/agent-card.json", self._card),
            Route("/.well-known/jwks.json", self._jwks),
            Route(path, self._endpoint.respond, methods=methods),
            Route(f"{path}/{{rest:path}}", self._endpoint.respond, methods=methods),
        ]

    def describe(self) -> Mapping[str, Any]:
        """How the agent is called, for its card of Mentionable; nothing where others cannot reach it by https."""
        config = self.host.config
        return {"a2a": a2a_section(config)} if config.origin.startswith("https://") else {}

    def handlers(self) -> Mapping[str, Handler]:
        """Notifications of webhooks."""
        return {push.KIND: push.handler(self.host, self._settings)}

    def on_give_up(self) -> Mapping[str, GivenUp]:
        """Where a notification is tried no more, its webhook waits for the next one."""
        return {push.KIND: push.give_up}

    async def working(self, *, to: NormalizedMessage) -> None:
        """Says that the agent has begun."""
        task_id, now = a2a.task_id_of(to), self.host.world.now()
        await self.host.database.write_again(lambda db: progress.begin(db, task_id, now=now))
        self.host.signals.tell(to.id, task_id)

    async def show(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> None:
        """Adds a frame to the task, maybe together with the next ones."""
        await self._shown.show(frame, to=to)

    async def _add(self, frame: NormalizedResponse, to: NormalizedMessage) -> None:
        """Adds frames to the task."""
        task_id, now, entropy = a2a.task_id_of(to), self.host.world.now(), self.host.world.entropy()

        def work(db: Connection) -> None:
            row = tasks.lock(db, task_id)
            if row is None or row.task.is_ended:
                return
            out = a2a.reply(frame, to=to, task=row.task, now=now, entropy=entropy, settings=self._settings)
            task = out.stored_task or row.task
            progress.advance(db, TaskRow(task=task, unanswered=row.unanswered), out.updates, now=now)

        await self.host.database.write_again(work)
        self.host.signals.tell(to.id, task_id)

    def repeatable(self, message: NormalizedMessage) -> NormalizedMessage:
        """Names its task, which is else known by the id of the message that opened it."""
        raw = message.raw if isinstance(message.raw, Mapping) else {}
        return replace(message, raw={**raw, "task": {"id": a2a.task_id_of(message)}})

    async def reply(self, response: NormalizedResponse, *, to: NormalizedMessage) -> Reply:
        """Ends the turn of the task: it is completed, unless the answer says otherwise."""
        await self._shown.settle(to)
        task_id, now, entropy = a2a.task_id_of(to), self.host.world.now(), self.host.world.entropy()
        row, blobs = await self.host.database.read(lambda db: (tasks.get(db, task_id), messages.files_of_id(db, to.id)))
        if row is None or row.task.is_ended:
            raise UnanswerableError("task-ended", "the task has ended")
        frame = self._shown.last(response, to=to)
        # A failure, a question or a policy goes out whole, also after frames: it is no more of the result.
        is_more = frame is not None and response.status == "ok" and "a2a" not in response.extra
        last = frame if frame is not None and is_more else response

        def write(row: TaskRow) -> a2a.Outgoing:
            goes_on = _goes_on(last, row.after(row.task, answered=to.id))
            update = a2a.with_state(last, "working") if goes_on else last
            return a2a.reply(
                update, to=to, task=row.task, now=now, entropy=entropy, blobs=blobs, settings=self._settings
            )

        def store(db: Connection) -> None:
            row = progress.locked(db, task_id)
            out = write(row)
            progress.advance(db, row.after(out.stored_task or row.task, answered=to.id), out.updates, now=now)
            self._shown.forget(to.id)

        out = write(row)  # now: what breaks a rule must be known before it is stored
        return Reply(native_ids=(out.native_id,), store=store)

    def give_up(self, db: Connection, message: NormalizedMessage) -> None:
        """Ends the task: it has failed."""
        row, now = tasks.lock(db, a2a.task_id_of(message)), self.host.world.now()
        if row is None or row.task.is_ended or message.id not in row.unanswered:
            return
        failed = NormalizedResponse.failed(message, FAILED, code="agent-failed")
        entropy = self.host.world.entropy()
        out = a2a.reply(failed, to=message, task=row.task, now=now, entropy=entropy, settings=self._settings)
        progress.advance(db, row.after(out.stored_task or row.task, answered=message.id), out.updates, now=now)

    def silence(self, db: Connection, message: NormalizedMessage, *, is_canceled: bool) -> None:
        """Ends the task without words: it is completed, or canceled."""
        now = self.host.world.now()
        progress.end_silently(db, a2a.task_id_of(message), message.id, is_canceled=is_canceled, now=now)

    async def _card(self, request: Request) -> Response:
        return response_of(card_response(self.host.config, self.host.keys.card))

    async def _jwks(self, request: Request) -> Response:
        return response_of(jwks_response(self.host.keys.card))


def _goes_on(response: NormalizedResponse, after: TaskRow) -> bool:
    """Whether a task goes on after an answer, because other messages of it wait for the agent."""
    return bool(after.unanswered) and response.status != "error"
