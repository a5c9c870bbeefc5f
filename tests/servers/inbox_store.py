"""What an agent on ActivityPub remembers, in an SQLite file: it is there again after the next start.

`inbox.py` and `citizen.py` use it. One process works on a file.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, MutableMapping
from time import time
from typing import Any

from mentionable import StoredMessage, Used, UseOnce, decode_trusted, dumps

MESSAGES = """
CREATE TABLE IF NOT EXISTS messages (
    native_id TEXT, agent TEXT, id TEXT NOT NULL, sender TEXT NOT NULL, actor TEXT, row BLOB NOT NULL,
    PRIMARY KEY (native_id, agent)
);
CREATE INDEX IF NOT EXISTS messages_by_id ON messages (id);
CREATE INDEX IF NOT EXISTS messages_by_sender ON messages (sender);
CREATE INDEX IF NOT EXISTS messages_by_actor ON messages (actor);
"""


def opened(path: str) -> sqlite3.Connection:
    """The file; each statement is a transaction."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)  # some servers start in another one


class Table(MutableMapping[str, Any]):
    """A dictionary of JSON values in a table of the file, in the order in which they were written."""

    def __init__(self, path: str, name: str) -> None:
        """Opens the table, or makes it."""
        self._database, self._name = opened(path), name
        self._database.execute(f"CREATE TABLE IF NOT EXISTS {name} (key TEXT PRIMARY KEY, value TEXT NOT NULL)")

    def __getitem__(self, key: str) -> Any:
        row = self._database.execute(f"SELECT value FROM {self._name} WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return json.loads(row[0])

    def __setitem__(self, key: str, value: Any) -> None:
        self._database.execute(f"INSERT OR REPLACE INTO {self._name} VALUES (?, ?)", (key, json.dumps(value)))

    def __delitem__(self, key: str) -> None:
        if not self._database.execute(f"DELETE FROM {self._name} WHERE key = ?", (key,)).rowcount:
            raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        rows = self._database.execute(f"SELECT key FROM {self._name} ORDER BY rowid").fetchall()
        return iter([key for (key,) in rows])

    def __len__(self) -> int:
        (count,) = self._database.execute(f"SELECT COUNT(*) FROM {self._name}").fetchone()
        return int(count)


class Messages:
    """The messages that came, and the answers to them: what the library asks for when a reply or an edit comes."""

    def __init__(self, path: str) -> None:
        """Opens the table, or makes it."""
        self._database = opened(path)
        self._database.executescript(MESSAGES)

    def find(self, native_id: str, agent: str) -> StoredMessage | None:
        """What is stored under an id for an agent: the answer to `FindMessage`."""
        return self.find_all(native_id).get(agent)

    def find_all(self, native_id: str) -> dict[str, StoredMessage]:
        """Agent → what is stored under an id for it."""
        return self._by("native_id", native_id)

    def find_by(self, actor: str) -> dict[str, StoredMessage]:
        """Agent → one of the messages that an actor sent it."""
        return self._by("actor", actor)

    def _by(self, column: str, one: str) -> dict[str, StoredMessage]:
        rows = self._database.execute(f"SELECT agent, row FROM messages WHERE {column} = ? GROUP BY agent", (one,))
        return {agent: decode_trusted(StoredMessage, row) for agent, row in rows}

    def put(self, rows: Mapping[tuple[str, str], StoredMessage], *, actor: str | None = None) -> None:
        """Stores rows of an actor, each where it replaces the one that is there."""
        for (native_id, agent), row in rows.items():
            if row.replaces(self.find(native_id, agent)):
                values = (native_id, agent, row.id, row.sender, actor, dumps(row))
                self._database.execute("INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?)", values)

    def ids_by(self, sender: str) -> list[str]:
        """The ids of the messages of a sender."""
        rows = self._database.execute("SELECT DISTINCT id FROM messages WHERE sender = ?", (sender,))
        return [one for (one,) in rows]

    def native_ids(self, message_id: str) -> list[str]:
        """The ids under which a message is stored."""
        rows = self._database.execute("SELECT native_id FROM messages WHERE id = ?", (message_id,))
        return [one for (one,) in rows]

    def forget(self, message_id: str) -> None:
        """Forgets a message."""
        self._database.execute("DELETE FROM messages WHERE id = ?", (message_id,))


class Uses:
    """Which signatures were used, and for what, until they expire: the same bytes do nothing twice."""

    def __init__(self, path: str) -> None:
        """Opens the table, or makes it."""
        self._database = opened(path)
        self._database.execute("CREATE TABLE IF NOT EXISTS uses (key TEXT PRIMARY KEY, binding TEXT, until REAL)")

    def use(self, ask: UseOnce) -> Used:
        """What was under the key before: the answer to `UseOnce`."""
        self._database.execute("DELETE FROM uses WHERE until < ?", (time(),))
        row = (ask.key, ask.binding, ask.until.timestamp())
        if self._database.execute("INSERT OR IGNORE INTO uses VALUES (?, ?, ?)", row).rowcount:
            return "first"
        (binding,) = self._database.execute("SELECT binding FROM uses WHERE key = ?", (ask.key,)).fetchone()
        return "same" if binding == ask.binding else "other"
