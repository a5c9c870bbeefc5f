"""A client of a user, as far as the protocol goes: it shows each event once, whatever the network repeats.

What it has shown, and what was settled on another device, is kept by the same transaction that changes the screen.
`look` returns what to send once a human has it before them; that may get lost, so a client that starts asks the host
for what is still open (`Bus.reconnect`).
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, TypeAlias

from mentionable import anp, decode_trusted, dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

Item: TypeAlias = anp.Presentation | anp.Settled

SCHEMA = """
CREATE TABLE IF NOT EXISTS arrived (place INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, seen TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS screen (place INTEGER PRIMARY KEY, did TEXT NOT NULL, item TEXT NOT NULL);
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

    def arrive(self, items: Sequence[Item]) -> None:
        """The network brings something."""
        rows = [(anp.to_web_socket(anp.StreamItem(item=item)),) for item in items]
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO arrived (item) VALUES (?)", rows)

    def look(self, limit: int = 500) -> list[tuple[str, bytes]]:
        """Shows what has arrived and takes off what is settled; messages for the host, each with its user."""
        send: list[tuple[str, bytes]] = []
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            rows = self._db.execute("SELECT place, item FROM arrived ORDER BY place LIMIT ?", (limit,)).fetchall()
            for _, text in rows:
                item = _item(text)
                if isinstance(item, anp.Presentation) and not self._can_show(item):
                    send.append((item.user_id, dumps(anp.DisplayFailed(id=item.id, lease=item.lease))))
                    continue
                got = self._receive(item)
                self._db.execute("INSERT INTO screen (did, item) VALUES (?, ?)", (got.showing, text))
                self._db.execute("REPLACE INTO seen VALUES (?, ?)", (item.id, dumps(got.seen).decode()))
                if got.ack is not None:
                    shown = anp.Displayed(id=item.id, lease=got.seen.lease, revision=got.seen.revision, how="rendered")
                    send.append((item.user_id, dumps(shown)))
            if rows:
                self._db.execute("DELETE FROM arrived WHERE place <= ?", (rows[-1][0],))
        return send

    def _receive(self, item: Item) -> anp.Reception:
        """What to do with an item, by what is kept of its event."""
        kept = self._db.execute("SELECT seen FROM seen WHERE id = ?", (item.id,)).fetchone()
        seen = decode_trusted(anp.Seen, kept[0]) if kept else None
        if isinstance(item, anp.Settled):
            return anp.receive_settled(item, seen)
        return anp.receive_presentation(item, seen)

    def screen(self) -> list[tuple[str, Item]]:
        """What it did with everything that arrived, in order: `show`, `replace`, `settle`, `repeat` or `stale`."""
        return [(did, _item(text)) for did, text in self._db.execute("SELECT did, item FROM screen ORDER BY place")]

    def waits(self) -> bool:
        """Whether something has arrived that nobody has looked at."""
        return self._db.execute("SELECT 1 FROM arrived LIMIT 1").fetchone() is not None

    def close(self) -> None:
        """Ends the program; what was shown stays known."""
        self._db.close()


def _item(text: str) -> Item:
    """An item as it came; the host sends no other kinds."""
    item = anp.read_web_socket(text).item
    assert isinstance(item, anp.Presentation | anp.Settled)
    return item
