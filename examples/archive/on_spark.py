"""The same on Spark: one task a piece, `normalise` by `mapInArrow`.

    python on_spark.py Inbox.mbox out @me@example.org

Needs Java and `pip install mentionable "pyspark[sql]"`, in the environment that `python3` is of or `PYSPARK_PYTHON`
names. Where executors run elsewhere, these files belong on their `PYTHONPATH`, and the archive on a disk that all see.
"""

from __future__ import annotations

import pickle
import sys
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from columns import BAD, MESSAGES, OUTPUT
from mailboxes import cut, read
from normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa


def rows_of(batches: Iterator[pa.RecordBatch], *, recipient: str, now: datetime) -> Iterator[pa.RecordBatch]:
    """What `mapInArrow` calls: batches of pickled pieces to batches of rows."""
    pieces = (pickle.loads(cell.as_py()) for batch in batches for cell in batch.column("piece"))
    return normalise(chain.from_iterable(map(read, pieces)), recipient=recipient, now=now)


def main(source: str, out: str, recipient: str) -> None:
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema

    spark = (
        SparkSession.builder.appName("archive")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        .getOrCreate()
    )
    pieces = [(pickle.dumps(piece),) for piece in cut([source])]
    frame = spark.createDataFrame(pieces, "piece binary").repartition(len(pieces))
    work = partial(rows_of, recipient=recipient, now=datetime.now(UTC))
    rows = frame.mapInArrow(work, from_arrow_schema(OUTPUT)).cache()
    rows.where("code IS NULL").select(MESSAGES.names).write.parquet(f"{out}/messages")
    rows.where("code IS NOT NULL").select(BAD.names).write.parquet(f"{out}/bad")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
