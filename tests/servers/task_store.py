"""What an A2A agent stores, in SQLite: its tasks, the messages it knows, and where updates are sent to.

`a2a_tasks.py` uses it. Each method is one transaction on a connection of its own, so threads and processes may share a
file. A task changes by a function from the stored one to the next, and no other change comes between.
"""

import json
import sqlite3
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from typing import TypeVar

from mentionable import FindMessage, FindTask, Limits, StoredMessage, StoredTask, a2a, decode_trusted, dumps, replace

PAGE, WEBHOOKS = 50, 10  # tasks on a page that does not say how many; webhooks of a task
MOST = Limits().a2a_bytes // 2  # bytes of the tasks on a page of several: what is written is a little more
TABLES = """
CREATE TABLE IF NOT EXISTS tasks
 (id TEXT PRIMARY KEY, owner TEXT, context TEXT, state TEXT, updated INTEGER, task TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS newest ON tasks (owner, updated DESC, id DESC);
CREATE TABLE IF NOT EXISTS messages (native TEXT, recipient TEXT, message TEXT, PRIMARY KEY (native, recipient));
CREATE TABLE IF NOT EXISTS webhooks
 (task TEXT, id TEXT, dialect TEXT NOT NULL, config TEXT NOT NULL, PRIMARY KEY (task, id));
"""
FITS = """
owner = :owner AND (:context IS NULL OR context = :context) AND (:state IS NULL OR state = :state)
 AND (:after IS NULL OR updated >= :after)
"""
OLDER = "(:updated IS NULL OR (updated, id) < (:updated, :id)) ORDER BY updated DESC, id DESC LIMIT :size"
T = TypeVar("T")


class TaskStore:
    """Tasks, messages and webhooks in a file, which is made when it is not there."""

    def __init__(self, path: str) -> None:
        """Opens the file at `path`."""
        self._path = path
        with closing(sqlite3.connect(path)) as database, suppress(sqlite3.OperationalError):  # two may do so at once
            database.execute("PRAGMA journal_mode = WAL")  # who reads does not wait for who writes
        with self._open() as database:
            for table in TABLES.split(";"):
                database.execute(table)

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether no other process works on these tasks; meanwhile none begins to. The lock ends with its process."""
        with closing(sqlite3.connect(f"{self._path}.lock", timeout=0, isolation_level=None)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
                is_alone = True
            except sqlite3.OperationalError:
                is_alone = False
            yield is_alone

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The file, for one transaction that no other one interrupts."""
        with closing(sqlite3.connect(self._path, timeout=30, isolation_level=None)) as database, database:
            database.execute("BEGIN IMMEDIATE")
            yield database

    def task(self, task_id: str) -> StoredTask | None:
        """The task of this id, whoever asks."""
        with self._open() as database:
            return _task(database, task_id)

    def put(self, task: StoredTask) -> bool:
        """Stores a task that begins; False: there is one of this id."""
        with self._open() as database:
            is_new = _task(database, task.id) is None
            if is_new:
                _put(database, task)
        return is_new

    def change(self, task_id: str, step: Callable[[StoredTask], tuple[StoredTask, T]]) -> T | None:
        """What `step` makes of the task, which is stored; None when there is no task, or it has ended."""
        with self._open() as database:
            task = _task(database, task_id)
            if task is None or task.is_ended:
                return None
            changed, result = step(task)
            _put(database, changed)
            return result

    def page(self, ask: a2a.ListTasks, owner: str | None) -> a2a.TaskPage | None:
        """One page of somebody's tasks, the newest first; None when its token is not one of ours.

        A page of large tasks ends early, so that it is not larger than an answer may be.
        """
        size, place = ask.page_size or PAGE, _place(ask.page_token)
        if place is None:
            return None
        after = None if ask.updated_after is None else _micros(ask.updated_after)
        asked = {"owner": owner, "context": ask.context_id, "state": ask.state, "after": after}
        with self._open() as database:
            [total] = database.execute(f"SELECT count(*) FROM tasks WHERE {FITS}", asked).fetchone()
            limits = {"updated": place[0], "id": place[1], "size": size + 1}
            rows, total_bytes, has_more = list[bytes](), 0, False
            for [row] in database.execute(f"SELECT task FROM tasks WHERE {FITS} AND {OLDER}", asked | limits):
                total_bytes += len(row)
                has_more = len(rows) == size or (total_bytes > MOST and bool(rows))
                if has_more:
                    break
                rows.append(row)
        tasks = tuple(decode_trusted(StoredTask, json.loads(row)) for row in rows)
        token = _token(tasks[-1]) if has_more else ""
        return a2a.TaskPage(tasks=tasks, next_page_token=token, total_size=total, page_size=size)

    def working(self) -> list[str]:
        """The ids of the tasks that somebody works on, or did when the program ended."""
        with self._open() as database:
            rows = database.execute("SELECT id FROM tasks WHERE state IN ('submitted', 'working')").fetchall()
        return [task_id for [task_id] in rows]

    def find_task(self, ask: FindTask) -> StoredTask | None:
        """The task that a message names."""
        return self.task(ask.task_id)

    def find_message(self, ask: FindMessage) -> StoredMessage | None:
        """What is stored under an id of a message."""
        with self._open() as database:
            return _message(database, ask.native_id, ask.recipient)

    def put_messages(self, rows: Mapping[tuple[str, str], StoredMessage]) -> None:
        """Stores messages under their ids, where they may replace what is there."""
        with self._open() as database:
            for place, row in rows.items():
                if row.replaces(_message(database, *place)):
                    database.execute("INSERT OR REPLACE INTO messages VALUES (?, ?, ?)", (*place, dumps(row)))

    def webhooks(self, task_id: str) -> list[tuple[a2a.PushNotificationConfig, a2a.CallDialect]]:
        """Where the updates of a task are sent to, and in which dialect."""
        asked = "SELECT config, dialect FROM webhooks WHERE task = ? ORDER BY rowid"
        with self._open() as database:
            rows = database.execute(asked, (task_id,)).fetchall()
        return [(decode_trusted(a2a.PushNotificationConfig, json.loads(row)), dialect) for row, dialect in rows]

    def put_webhook(
        self, config: a2a.PushNotificationConfig, dialect: a2a.CallDialect
    ) -> a2a.PushNotificationConfig | None:
        """Stores where updates are sent to, in place of what has the same id; None when the task has too many."""
        config = config if config.id else replace(config, id="default")
        with self._open() as database:
            others = "SELECT count(*) FROM webhooks WHERE task = ? AND id != ?"
            [count] = database.execute(others, (config.task_id, config.id)).fetchone()
            if count >= WEBHOOKS:
                return None
            row = (config.task_id, config.id, dialect, dumps(config))
            database.execute("INSERT OR REPLACE INTO webhooks VALUES (?, ?, ?, ?)", row)
        return config

    def drop_webhook(self, task_id: str, config_id: str) -> None:
        """Forgets where updates were sent to."""
        with self._open() as database:
            database.execute("DELETE FROM webhooks WHERE task = ? AND id = ?", (task_id, config_id))


def _task(database: sqlite3.Connection, task_id: str) -> StoredTask | None:
    row = database.execute("SELECT task FROM tasks WHERE id = ?", (task_id,)).fetchone()
    return row and decode_trusted(StoredTask, json.loads(row[0]))


def _put(database: sqlite3.Connection, task: StoredTask) -> None:
    row = (task.id, task.owner, task.context_id, task.state, _micros(task.updated_at), dumps(task))
    database.execute("INSERT OR REPLACE INTO tasks VALUES (?, ?, ?, ?, ?, ?)", row)


def _message(database: sqlite3.Connection, native_id: str, recipient: str) -> StoredMessage | None:
    place = "SELECT message FROM messages WHERE native = ? AND recipient = ?"
    row = database.execute(place, (native_id, recipient)).fetchone()
    return row and decode_trusted(StoredMessage, json.loads(row[0]))


def _micros(time: str) -> int:
    """A time as a number that sorts as it should."""
    return round(datetime.fromisoformat(time).timestamp() * 1_000_000)


def _token(task: StoredTask) -> str:
    """The page token for what comes after a task."""
    return urlsafe_b64encode(json.dumps([_micros(task.updated_at), task.id]).encode()).decode()


def _place(token: str | None) -> tuple[int | None, str | None] | None:
    """Where a page begins, as far as a token says; None when it was made up."""
    if token is None:
        return None, None
    try:
        match json.loads(urlsafe_b64decode(token)):
            case [int() as updated, str() as task_id] if updated.bit_length() < 64 and task_id.isprintable():
                return updated, task_id
    except (ValueError, RecursionError):
        pass
    return None
