"""What is still to be sent, in a file: it is there before a question is taken, and outlives the program.

`slack_connector.py` uses it; `mentionable-host` has a queue. No request waits here: a task of the application sends
what is due; what fails is sent again later, ever less often. One process works on a file; several would each send all
of it.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from time import time
from typing import NoReturn

PAUSES = (0, 60, 3_600, 86_400)  # before each try
AT_ONCE, SECONDS = 16, 1  # so many tries begin at a time; so often the file is asked what is due
TABLES = """
CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, answer TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS unsent (
    number INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, body BLOB NOT NULL, answer TEXT, recipient TEXT,
    tries INTEGER NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0
);
"""


class Outbox:
    """The answers that were ever given, and what is still to be sent of them.

    Attributes:
        answers: Question → answer, as `put` was called with them, in this run or an earlier one.
    """

    def __init__(self, path: str, send: Callable[[str, bytes], Awaitable[bool]]) -> None:
        """Opens the file, or makes it.

        Args:
            path: Of the file.
            send: Sends a body to a place; False: try again later.
        """
        self._path, self._send, self._has_new = path, send, asyncio.Event()
        self._running: dict[int, asyncio.Task[None]] = {}
        with self._open() as database:
            database.executescript(TABLES)
            self.answers: dict[str, str] = dict(database.execute("SELECT question, answer FROM answers"))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The file, for one transaction."""
        with closing(sqlite3.connect(self._path)) as database, database:
            yield database

    def put(
        self, question: str | None, answer: str, posts: Iterable[tuple[str, bytes]], *, recipient: str | None = None
    ) -> None:
        """Stores an answer and what is to be sent of it: all of it or nothing.

        Args:
            question: What it answers; None: nothing that could come once more.
            answer: Its id.
            posts: Pairs of place and body.
            recipient: Whom it is for.
        """
        with self._open() as database:
            if question is not None:
                database.execute("INSERT INTO answers VALUES (?, ?)", (question, answer))
            rows = [(place, body, answer, recipient, time()) for place, body in posts]
            database.executemany(
                "INSERT INTO unsent (place, body, answer, recipient, due) VALUES (?, ?, ?, ?, ?)", rows
            )
        if question is not None:
            self.answers[question] = answer
        self._has_new.set()

    def drop(self, *, answer: str | None = None, recipient: str | None = None) -> None:
        """Sends nothing more of an answer, or to a recipient, of what waits now. A try that has begun goes on."""
        with self._open() as database:
            database.execute("DELETE FROM unsent WHERE answer = ? OR recipient = ?", (answer, recipient))

    @asynccontextmanager
    async def working(self, app: object = None) -> AsyncIterator[None]:
        """Sends while it is open, as the lifespan of an ASGI application. What its end breaks off stays in the file."""
        worker = asyncio.create_task(self._work())
        try:
            yield
        finally:
            tasks = [worker, *self._running.values()]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=0.5)

    async def _work(self) -> NoReturn:
        """Begins to send what is due, from now on. What takes long holds nothing else up."""
        due = (
            "SELECT number FROM unsent"
            " WHERE due <= ? AND number NOT IN (SELECT value FROM json_each(?)) ORDER BY due LIMIT ?"
        )
        while True:
            self._has_new.clear()
            with self._open() as database:
                numbers = database.execute(due, (time(), json.dumps([*self._running]), AT_ONCE)).fetchall()
            for (number,) in numbers:
                self._running[number] = asyncio.create_task(self._try(number))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_new.wait(), SECONDS)

    async def _try(self, number: int) -> None:
        """Sends once, unless it was dropped meanwhile, and stores what is left to do.

        A program that is killed after the peer took it and before this is stored sends it again. It has the same id
        then, by which the peer knows that it is there.
        """
        with self._open() as database:
            row = database.execute("SELECT place, body, tries FROM unsent WHERE number = ?", (number,)).fetchone()
        if row is not None:
            await self._send_once(number, *row)
        del self._running[number]  # not if the file cannot be written: then it is not sent again and again

    async def _send_once(self, number: int, place: str, body: bytes, tries: int) -> None:
        try:
            is_over = await self._send(place, body)
        except Exception as error:  # whatever happens to one, the others go on
            print(f"{place!r}: {type(error).__name__}: {str(error)!r}")
            is_over = False
        is_last = tries + 1 == len(PAUSES)
        with self._open() as database:
            if is_over or is_last:
                database.execute("DELETE FROM unsent WHERE number = ?", (number,))
            else:
                later = (tries + 1, time() + PAUSES[tries + 1], number)
                database.execute("UPDATE unsent SET tries = ?, due = ? WHERE number = ?", later)
        print(f"{place!r}: {'done' if is_over else 'given up' if is_last else f'again in {PAUSES[tries + 1]} seconds'}")
