"""Where requests come in: a message is stored with its task and the job that answers it, and then its client waits."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING

from attrs import evolve, frozen
from mentionable import (
    AsyncAnswers,
    FindTask,
    HttpRequest,
    HttpResponse,
    Limits,
    NormalizedMessage,
    Received,
    Rejected,
    StoredTask,
    a2a,
    adrive,
    replace,
)
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.http import network_of, request_of, response_of, streamed
from mentionable_host.lookups import answers_of
from mentionable_host.receiving import take_in
from mentionable_host.store import tasks, webhooks
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.store.tasks import TaskRow
from mentionable_host.store.uses import Uses
from mentionable_host.transports.a2a import progress
from mentionable_host.transports.a2a.following import Following, IsGone, Place, place_of
from mentionable_host.transports.a2a.operations import act, most_webhooks
from mentionable_host.transports.callers import (
    TOO_MANY,
    UNAVAILABLE,
    Callers,
    Refused,
    again_later,
    store_for_caller,
    with_own_id,
)

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Endpoint"]

log = logging.getLogger(__name__)

COMMENT = b":\n\n"
"""An event of a stream that says nothing (WHATWG HTML §9.2.6)."""


@frozen(kw_only=True)
class _Taken:
    """A message that is stored: what came, and its task then."""

    got: Received
    place: Place


@frozen
class _Client:
    """Where a request comes from, and whether its client has gone."""

    network: str
    is_gone: IsGone


class Endpoint:
    """Answers requests of A2A."""

    def __init__(self, host: Host, callers: Callers, settings: a2a.Settings) -> None:
        """Answers nothing yet."""
        self._host, self._callers, self._settings = host, callers, settings
        self._following = Following(host)

        async def find_task(ask: FindTask) -> StoredTask | None:
            row = await host.database.read(lambda db: tasks.get(db, ask.task_id))
            return None if row is None else row.task

        self._answers = AsyncAnswers(find_task=find_task)

    async def respond(self, request: Request) -> Response:
        """The response to a request."""
        asked = await request_of(request, limit=Limits().a2a_bytes, origin=self._host.config.origin)
        try:
            return await self._respond(asked, _Client(network_of(request), request.is_disconnected))
        except Refused as refused:
            return self._refuse(refused.rejected, asked, notice=refused.notice)
        except (StoreUnavailable, Conflict) as error:
            log.warning("a request of A2A is not stored: %s", error)
            refusal = a2a.error_response(Rejected(code="lookup-failed"), request=asked, settings=self._settings)
            return response_of(again_later(refusal, status=UNAVAILABLE))

    async def _respond(self, request: HttpRequest, client: _Client) -> Response:
        who = self._callers.who(request)
        caller = None if who is None else a2a.Caller(subject=who)
        flow = a2a.receive_operation(request, caller=caller, now=self._host.world.now(), settings=self._settings)
        received = await adrive(flow, answers_of(self._host, Uses(), self._answers))
        if isinstance(received, a2a.ReceivedOperation):
            if not self._callers.admits(who, received.verdict):
                return self._refuse(Rejected(code="verification-required"), request)
            return await self._operate(received, client)
        taken = received or await self._take_in(request, caller)
        if isinstance(taken, Rejected):
            return self._refuse(taken, request)
        return await self._answer(taken, request, client)

    def _refuse(self, rejected: Rejected, request: HttpRequest, *, notice: str | None = None) -> Response:
        response = a2a.error_response(rejected, request=request, settings=self._settings)
        response = response if notice is None else _with_notice(response, notice)
        return response_of(again_later(response) if rejected.code == TOO_MANY.code else response)

    async def _take_in(self, request: HttpRequest, caller: a2a.Caller | None) -> _Taken | Rejected:
        """Stores a message, with its task.

        Raises:
            Refused: It is none, or its sender is not answered.
        """
        host, world = self._host, self._host.world
        taken: list[_Taken] = []

        def store(db: Connection, got: Received | Rejected) -> None:
            if isinstance(got, Received):
                if not self._callers.admits(None if caller is None else caller.subject, got.verdict):
                    raise Refused(Rejected(code="verification-required"))
                taken[:] = [self._store(db, got, request)]

        got = await take_in(
            host,
            lambda: a2a.receive(
                request,
                caller=caller,
                recipient=host.address,
                now=world.now(),
                entropy=world.entropy(),
                settings=self._settings,
            ),
            store=store,
            answers=self._answers,
        )
        if isinstance(got, Rejected):
            return got
        host.signals.tell(taken[0].place.row.task.id)
        return taken[0]

    def _store(self, db: Connection, got: Received, request: HttpRequest) -> _Taken:
        """Stores a message, its task, its webhook and the job that answers it."""
        if isinstance(got.message.raw, Mapping) and "task" in got.message.raw:
            # The library reads results too, for callers. Here no call was, and a client may name the task of others.
            raise Refused(Rejected(code="task-not-found"))
        got = with_own_id(db, got, fresh=self._host.world.entropy().hex()[-32:])
        message, now = got.message, self._host.world.now()
        task_id = a2a.task_id_of(message)
        if got.redelivered and (place := place_of(db, task_id)) is not None:
            return _Taken(got=got, place=place)
        store_for_caller(db, got, host=self._host, transport="a2a")
        row = tasks.lock(db, task_id)
        if row is not None and row.task.is_ended:
            raise Conflict("the task has ended meanwhile")
        known = None if row is None else row.task
        task = a2a.open_task(message, task=known, now=now, blobs=got.blobs, settings=self._settings)
        row = TaskRow(task=task, unanswered=(*(() if row is None else row.unanswered), message.id))
        self._put_webhook(db, request, message, task)
        number = progress.advance(db, row, [a2a.status_update(task)], now=now)
        return _Taken(got=got, place=Place(row=row, number=number))

    def _put_webhook(self, db: Connection, request: HttpRequest, message: NormalizedMessage, task: StoredTask) -> None:
        """Stores the webhook that a client names with its message. One that is refused stops no message."""
        configuration = a2a.configuration_of(request, settings=self._settings)
        for odd in configuration.diagnostics:
            log.info("task %s: %s at %s", task.id, odd.code, odd.at)
        if configuration.push is None:
            return
        push, most = replace(configuration.push, task_id=task.id), most_webhooks(task.owner)
        dialect, now = a2a.dialect_of(message), self._host.world.now()
        if webhooks.put(db, push, dialect=dialect, most=most, now=now) is None:
            log.info("task %s has too many webhooks", task.id)

    async def _answer(self, taken: _Taken, request: HttpRequest, client: _Client) -> Response:
        """The response to a message: its task, as soon as the agent has answered, or all that becomes of it."""
        message, task = taken.got.message, taken.place.row.task
        settings, is_at_work, who = self._settings, taken.place.row.is_at_work, task.owner or client.network
        if a2a.wants_stream(message):
            if self._following.is_full(who):
                return self._refuse(TOO_MANY, request)
            return await streamed(self._stream(taken, who))
        configuration = a2a.configuration_of(request, settings=settings)
        if is_at_work and not configuration.return_immediately and not self._following.is_full(who):
            with self._following.listening(who):
                row = await self._following.until_answered(task.id, topic=message.id, is_gone=client.is_gone)
            task = task if row is None else row.task
        return response_of(a2a.task_response(task, to=message, settings=settings))

    async def _stream(self, taken: _Taken, who: str) -> AsyncGenerator[HttpResponse, None]:
        """The pieces of a stream: the task, and what becomes of it."""
        message, row = taken.got.message, taken.place.row
        with self._following.listening(who):
            yield a2a.task_response(row.task, to=message, settings=self._settings)
            if not row.is_at_work:
                return
            async for update in self._following.updates(row.task.id, topic=message.id, after=taken.place.number):
                yield (
                    HttpResponse(status=200, body=COMMENT)
                    if update is None
                    else a2a.task_response(update, to=message, settings=self._settings)
                )

    async def _operate(self, received: a2a.ReceivedOperation, client: _Client) -> Response:
        """The response to an operation."""
        host, who = self._host, received.caller or client.network
        if isinstance(received.operation, a2a.SubscribeToTask):
            if self._following.is_full(who):
                return response_of(again_later(a2a.operation_response(received, TOO_MANY, settings=self._settings)))
            return await streamed(self._subscription(received, received.operation.task_id, who))
        if isinstance(received.operation, a2a.CancelTask):
            return await self._cancel(received, received.operation.task_id)
        work = act(received, config=host.config, now=host.world.now())
        is_look = isinstance(
            received.operation,
            a2a.GetTask
            | a2a.ListTasks
            | a2a.GetExtendedAgentCard
            | a2a.GetTaskPushNotificationConfig
            | a2a.ListTaskPushNotificationConfigs,
        )
        answer = await (host.database.read(work) if is_look else host.database.write(work))
        return response_of(a2a.operation_response(received, answer, settings=self._settings))

    async def _cancel(self, received: a2a.ReceivedOperation, task_id: str) -> Response:
        """Cancels a task, and what the agent does for it."""
        host = self._host

        def work(db: Connection) -> tuple[StoredTask | None, tuple[str, ...]]:
            row, now = tasks.lock(db, task_id), host.world.now()
            if row is None or not received.owns(row.task):
                return None, ()
            if row.task.is_ended:
                return row.task, ()
            return progress.cancel(db, row, now=now), row.unanswered

        task, unanswered = await host.database.write(work)
        for message_id in unanswered:
            await host.cancel_turn(message_id)
        host.signals.tell(*unanswered, task_id)
        host.wake()  # its webhooks get it
        return response_of(a2a.operation_response(received, task, settings=self._settings))

    async def _subscription(
        self, received: a2a.ReceivedOperation, task_id: str, who: str
    ) -> AsyncGenerator[HttpResponse, None]:
        """The pieces of a subscription: the task as it is, and what becomes of it."""
        with self._following.listening(who):
            place = await self._following.place(task_id)
            task = None if place is None else place.row.task
            yield a2a.operation_response(received, task, settings=self._settings)
            if place is None or not received.owns(task) or place.row.task.is_ended:
                return
            async for update in self._following.updates(task_id, topic=task_id, after=place.number, until_ended=True):
                yield (
                    HttpResponse(status=200, body=COMMENT)
                    if update is None
                    else a2a.operation_response(received, update, settings=self._settings)
                )


def _with_notice(response: HttpResponse, notice: str) -> HttpResponse:
    """An error whose message is a sentence for people. Over REST, callers of A2A 0.3 read it at the top."""
    body = json.loads(response.body)
    body["error"]["message"] = notice
    if "message" in body:
        body["message"] = notice
    return evolve(response, body=json.dumps(body).encode())
