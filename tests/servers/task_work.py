"""Has an agent work on A2A tasks, whoever listens: what it says is stored, passed on, and sent to webhooks.

`a2a_tasks.py` uses it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_bytes

import httpx
import safe_fetch
from task_news import News
from task_store import TaskStore

from mentionable import (
    NormalizedMessage,
    NormalizedResponse,
    StoredTask,
    Streaming,
    TextPart,
    a2a,
    format_time,
    replace,
)

Agent = Callable[[NormalizedMessage], AsyncIterator[tuple[str, a2a.AnswerState]]]


class TaskWork:
    """The tasks of one agent in one process."""

    def __init__(self, agent: Agent, store: TaskStore, settings: a2a.Settings) -> None:
        """Nothing is worked on yet."""
        self._agent, self._store, self._settings, self.news = agent, store, settings, News()
        self._local = httpx.AsyncClient(trust_env=False)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._pushing: set[asyncio.Task[None]] = set()

    def is_at_work(self, task_id: str) -> bool:
        """Whether the agent works on a task."""
        return task_id in self._running

    def begin(self, message: NormalizedMessage) -> StoredTask | None:
        """The task of a message, on which the agent works from now on; None when it has ended.

        What the agent works on already takes the message in, and goes on.
        """
        now, task_id = datetime.now(UTC), a2a.task_id_of(message)

        def go_on(known: StoredTask) -> tuple[StoredTask, StoredTask]:
            task = a2a.open_task(message, task=known, now=now)
            return task, task

        opened = a2a.open_task(message, now=now)
        task = opened if self._store.put(opened) else self._store.change(task_id, go_on)
        if task is not None and task_id not in self._running:
            pushing = asyncio.create_task(self._push(task_id, task.owner))
            self._pushing.add(pushing)
            pushing.add_done_callback(self._pushing.discard)
            self._running[task_id] = asyncio.create_task(self._run(message, task_id))
        return task

    def cancel(self, task_id: str) -> StoredTask | None:
        """The task, canceled; None when it has ended already."""

        def stop(task: StoredTask) -> tuple[StoredTask, StoredTask]:
            canceled = task.canceled(now=datetime.now(UTC))
            return canceled, canceled

        canceled = self._store.change(task_id, stop)
        if canceled is not None:
            self.news.tell(task_id, a2a.status_update(canceled))
            if task_id in self._running:
                self._running[task_id].cancel()
            self.news.end(task_id)
        return canceled

    def fail_unfinished(self) -> None:
        """Fails what no agent works on any more: what was at work when the program ended."""
        now = format_time(datetime.now(UTC))
        for task_id in self._store.working():
            self._store.change(task_id, lambda task: (replace(task, state="failed", updated_at=now), None))

    async def _run(self, message: NormalizedMessage, task_id: str) -> None:
        """Has the agent work on a task."""
        seq = 0
        try:
            async for text, state in self._agent(message):
                if not self._say(message, task_id, seq, text, state):
                    break
                seq += 1
        except Exception as error:
            print(f"{task_id}: {type(error).__name__}: {error}")
            self._say(message, task_id, seq, "Something went wrong.", "failed")
        finally:
            del self._running[task_id]
            self.news.end(task_id)

    def _say(self, message: NormalizedMessage, task_id: str, seq: int, text: str, state: a2a.AnswerState) -> bool:
        """Adds what the agent says to the task, and passes it on; False: the task has ended, canceled."""
        final = state != "working"
        is_frame = not final or (seq > 0 and state == "completed")  # else it is whole: a question, say, is no result
        response = NormalizedResponse(
            reply_to=message.id,
            parts=(TextPart(content=text),),
            status="ok" if final else "partial",
            streaming=Streaming(stream_id=message.id, seq=seq, final=final) if is_frame else None,
        )
        response = a2a.with_state(response, state) if final else response

        def add(task: StoredTask) -> tuple[StoredTask, a2a.Outgoing]:
            out = a2a.reply(response, to=message, task=task, now=datetime.now(UTC), entropy=token_bytes(32))
            return out.stored_task or task, out

        out = self._store.change(task_id, add)
        if out is not None:
            self.news.tell(task_id, *out.updates)
        return out is not None

    async def _push(self, task_id: str, owner: str | None) -> None:
        """Tells the webhooks of a task what becomes of it."""
        with self.news.listen(task_id, owner) as updates:
            async for _ in updates:
                task = self._store.task(task_id)
                for config, dialect in self._store.webhooks(task_id):
                    if task is not None:
                        await self._post(task, config, dialect)

    async def _post(self, task: StoredTask, config: a2a.PushNotificationConfig, dialect: a2a.CallDialect) -> None:
        """Shows a task to a webhook."""
        now, entropy, settings = datetime.now(UTC), token_bytes(32), self._settings
        request = a2a.push_notification(config, task, now=now, entropy=entropy, dialect=dialect, settings=settings)
        if not settings.local_webhooks:
            await safe_fetch.post(request)
            return
        with suppress(httpx.HTTPError):  # for trying out: to this machine, which safe_fetch refuses
            await self._local.post(request.url, headers=dict(request.headers), content=request.body)
