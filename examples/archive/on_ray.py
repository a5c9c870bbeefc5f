"""The same on Ray: one task a piece, `normalise` by `map_batches`.

    python on_ray.py Inbox.mbox out @me@example.org

Needs `pip install mentionable "ray[data]" pyarrow`. Where workers run elsewhere, these files belong on their
`PYTHONPATH`, and the archive on a disk that all of them see.
"""

from __future__ import annotations

import pickle
import sys
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from columns import BAD, MESSAGES, OUTPUT
from mailboxes import cut, read
from normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Callable


def rows_of(table: pa.Table, *, recipient: str, now: datetime) -> pa.Table:
    """What `map_batches` calls: a table of pickled pieces to a table of rows."""
    pieces = (pickle.loads(cell.as_py()) for cell in table["piece"])
    batches = normalise(chain.from_iterable(map(read, pieces)), recipient=recipient, now=now)
    return pa.Table.from_batches(batches, schema=OUTPUT)


def some_of(table: pa.Table, chosen: Callable[[pa.Array], pa.Array], names: list[str]) -> pa.Table:
    """Some rows and columns."""
    return table.filter(chosen(table["code"])).select(names)


def main(source: str, out: str, recipient: str) -> None:
    import ray

    pieces = ray.data.from_items([{"piece": pickle.dumps(piece)} for piece in cut([source])])
    work = partial(rows_of, recipient=recipient, now=datetime.now(UTC))
    rows = pieces.map_batches(work, batch_size=1, batch_format="pyarrow").materialize()
    for name, chosen, schema in (("messages", pc.is_null, MESSAGES), ("bad", pc.is_valid, BAD)):
        some = partial(some_of, chosen=chosen, names=schema.names)
        rows.map_batches(some, batch_format="pyarrow").write_parquet(f"{out}/{name}")
    ray.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
