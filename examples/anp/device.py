"""A client of a user, as far as the protocol goes: it shows each event once, whatever the network repeats.

What it has shown is kept by the same transaction that shows it. `looked_at` is what to send once a human has it before
them; that may get lost, so a client that starts asks the host for what is still open (`Bus.reconnect`).
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from mentionable import anp, decode_trusted, dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

SCHEMA = """
CREATE TABLE IF NOT EXISTS arrived (place INTEGER PRIMARY KEY AUTOINCREMENT, presentation TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, seen TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS screen (place INTEGER PRIMARY KEY, did TEXT NOT NULL, presentation TEXT NOT NULL);
"""


class Device:
    """A client.

    Args:
        path: Its file.
        can_show: Whether it can show something at all.
    """

    def __init__(
        self, path: str | PathLike[str], can_show: Callable[[anp.Presentation], bool] = lambda _: True
    ) -> None:
        self._can_show = can_show
        self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.executescript(SCHEMA)

    def arrive(self, shown: Sequence[anp.Presentation]) -> None:
        """The network brings something."""
        rows = [(dumps(one).decode(),) for one in shown]
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO arrived (presentation) VALUES (?)", rows)

    def look(self, limit: int = 500) -> dict[str, anp.ClientAck | anp.DeliveryFailed]:
        """Shows what has arrived; what to send to the host, by the ids of the events."""
        send: dict[str, anp.ClientAck | anp.DeliveryFailed] = {}
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            rows = self._db.execute(
                "SELECT place, presentation FROM arrived ORDER BY place LIMIT ?", (limit,)
            ).fetchall()
            for _, text in rows:
                shown = decode_trusted(anp.Presentation, text)
                if not self._can_show(shown):
                    send[shown.id] = anp.DeliveryFailed(lease=shown.lease, user_id=shown.user_id)
                    continue
                kept = self._db.execute("SELECT seen FROM seen WHERE id = ?", (shown.id,)).fetchone()
                got = anp.receive_presentation(shown, decode_trusted(anp.Seen, kept[0]) if kept else None)
                self._db.execute("INSERT INTO screen (did, presentation) VALUES (?, ?)", (got.showing, text))
                self._db.execute("REPLACE INTO seen VALUES (?, ?)", (shown.id, dumps(got.seen).decode()))
                if got.ack is not None:
                    send[shown.id] = got.ack
            if rows:
                self._db.execute("DELETE FROM arrived WHERE place <= ?", (rows[-1][0],))
        return send

    def screen(self) -> list[tuple[str, anp.Presentation]]:
        """What it did with everything that arrived, in order: `show`, `replace`, `repeat` or `stale`."""
        rows = self._db.execute("SELECT did, presentation FROM screen ORDER BY place")
        return [(did, decode_trusted(anp.Presentation, text)) for did, text in rows]

    def waits(self) -> bool:
        """Whether something has arrived that nobody has looked at."""
        return self._db.execute("SELECT 1 FROM arrived LIMIT 1").fetchone() is not None

    def close(self) -> None:
        """Ends the program; what was shown stays known."""
        self._db.close()
