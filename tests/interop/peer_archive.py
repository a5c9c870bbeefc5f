"""`examples/archive` in the environment that has Dask and Arrow: one JSON object a line each way, for the tests."""

from __future__ import annotations

import io
import json
import os
import pickle
import shutil
import signal
import sys
from base64 import b64decode
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import job as jobs
import mailboxes
import normalise as module
import on_ray
import on_spark
import pyarrow as pa
import pyarrow.parquet as pq
from columns import BAD, INPUT, MESSAGES, OUTPUT
from normalise import normalise

from mentionable import Answers, NormalizedMessage, UsageError, decode_trusted, drive, mail, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator

RECIPIENT = "@archive@agents.example"
NOW = "2026-11-21T20:56:00Z"
CLUSTER: Any = None


def plain(value: Any) -> Any:
    """What stands in a row, as JSON."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else value


def json_rows(table: Any) -> list[dict[str, Any]]:
    return [{name: plain(cell) for name, cell in row.items()} for row in table.to_pylist()]


def rows(folder: str) -> dict[str, list[dict[str, Any]]]:
    """All rows of a job, in the order of the names of its files."""
    found = {}
    for kind, schema in (("messages", MESSAGES), ("bad", BAD)):
        tables = [pq.read_table(path) for path in sorted(Path(folder, kind).glob("[!.]*.parquet"))]
        assert all(table.schema.equals(schema) for table in tables)
        found[kind] = json_rows(pa.concat_tables([schema.empty_table(), *tables]))
    return found


def map_in_arrow(mails: list[str], crash: bool = False, keep_bad: bool = False) -> list[dict[str, Any]]:
    """What an engine gets that calls `normalise` as Spark's `mapInArrow` does, two mails a batch."""
    raws = [b64decode(text) for text in mails]
    given = [{"source": "a", "offset": place, "size": len(raw), "raw": raw} for place, raw in enumerate(raws)]
    batches = (pa.RecordBatch.from_pylist(given[at : at + 2], schema=INPUT) for at in range(0, len(given), 2))
    work = partial(normalise, recipient=RECIPIENT, now=parse_time(NOW), keep_bad=keep_bad)
    stumbling = mock.patch.object(module, "parts_of", side_effect=RecursionError("too \udc80 deep"))
    with stumbling if crash else nullcontext():
        found = list(pickle.loads(pickle.dumps(work))(batches))
    assert all(type(batch) is pa.RecordBatch and batch.schema.equals(OUTPUT) for batch in found)
    assert [batch.num_rows for batch in found] == [len(given[at : at + 2]) for at in range(0, len(given), 2)]
    return json_rows(pa.Table.from_batches(found, OUTPUT))


def refused(recipient: str) -> str:
    """What `normalise` says to a program that calls it wrongly."""
    try:
        next(normalise(iter(()), recipient=recipient, now=parse_time(NOW)))
    except UsageError as error:
        return str(error)
    return "nothing"


def is_restored(mails: list[str]) -> bool:
    """Whether the column `json` holds all of each message."""
    world = Answers(lookup_txt=partial(module.txt_of, {}))
    for text, row in zip(mails, map_in_arrow(mails), strict=True):
        raw = b64decode(text)
        flow = mail.receive(raw, recipient=RECIPIENT, now=parse_time(NOW), entropy=bytes.fromhex(row["sha256"]))
        if row["code"] is None and decode_trusted(NormalizedMessage, row["json"]) != drive(flow, world).message:
            return False
    return True


def engines(archive: str, most: int) -> list[list[dict[str, Any]]]:
    """What the functions give that Spark and Ray call."""
    pieces = [{"piece": pickle.dumps(piece)} for piece in mailboxes.cut([archive], most)]
    schema, known = pa.schema([("piece", pa.binary())]), {"recipient": RECIPIENT, "now": parse_time(NOW)}
    batches = iter([pa.RecordBatch.from_pylist([piece], schema=schema) for piece in pieces])
    spark = pa.Table.from_batches(on_spark.rows_of(batches, **known), OUTPUT)
    ray = [on_ray.rows_of(pa.Table.from_pylist([piece], schema=schema), **known) for piece in pieces]
    return [json_rows(spark), json_rows(pa.concat_tables(ray))]


def cuts(archive: str, sizes: list[int]) -> list[list[tuple[int, int, str]]]:
    """The mails that are found when the archive is cut into pieces of each of these sizes."""
    return [[mail for piece in mailboxes.cut([archive], most) for mail in mails_of(piece)] for most in sizes]


def mails_of(piece: mailboxes.Piece) -> Iterator[tuple[int, int, str]]:
    for batch in mailboxes.read(piece):
        yield from ((row["offset"], row["size"], row["raw"].hex()) for row in batch.to_pylist())


def batches(archive: str, most: int) -> list[int]:
    """How many bytes of mails are in memory at once."""
    with mock.patch.object(mailboxes, "BATCH_BYTES", most):
        return [sum(map(len, batch["raw"].to_pylist())) for batch in mailboxes.read(*mailboxes.cut([archive]))]


def new_job(archive: str, folder: str) -> jobs.Job:
    now = parse_time(NOW)
    return jobs.begin(Path(folder), [archive], now, now, recipient=RECIPIENT, records={}, keep_bad=False)


def do(archive: str, folder: str, most: int) -> None:
    """One run in this process."""
    job, pieces = new_job(archive, folder), mailboxes.cut([archive], most)
    jobs.sweep(job, pieces)
    for piece in pieces:
        if not job.is_done(piece):
            jobs.run(piece, job)


def killed_everywhere(archive: str, folder: str, most: int) -> list[Any]:
    """Runs that are killed just before or after they put a file in its place, each gone on with; what came of each."""
    found, place = [], 0
    while True:
        out = f"{folder}/{place}"
        child = os.fork()
        if not child:
            with mock.patch.object(Path, "replace", killing(place // 2, after=bool(place % 2))):
                do(archive, out, most)
            os._exit(0)
        was_killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        do(archive, out, most)
        left = sorted(path.name for path in Path(out).rglob(".*"))
        found.append({"killed": was_killed, "left": left, "rows": rows(out)})
        shutil.rmtree(out)
        if not was_killed:
            return found
        place += 1


def killing(place: int, *, after: bool) -> Any:
    """`Path.replace` that ends the process at one of its calls."""
    replace, calls = Path.replace, iter(range(1_000_000))

    def killed(path: Path, target: Path) -> None:
        is_here = next(calls) == place
        if not is_here or after:
            replace(path, target)
        if is_here:
            os.kill(os.getpid(), signal.SIGKILL)

    return killed


def changed_meanwhile(archive: str, folder: str) -> str:
    """What a task says whose file is not as it was when the archive was cut."""
    job, (piece,) = new_job(archive, folder), mailboxes.cut([archive])
    with Path(archive).open("ab") as file:
        file.write(b"\n")
    try:
        jobs.run(piece, job)
    except mailboxes.Trouble as error:
        return str(error)
    return "nothing"


def cluster() -> str:
    """Two workers, for all jobs of this process; their scheduler's address."""
    global CLUSTER
    from dask.distributed import LocalCluster

    CLUSTER = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")
    return CLUSTER.scheduler_address


def archive(words: list[str]) -> list[Any]:
    """The exit status of `archive.py`, and what it printed."""
    import archive as program

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = program.main(words)
        except SystemExit as error:
            status = error.code
    return [status, out.getvalue(), err.getvalue()]


OPS = (
    rows,
    map_in_arrow,
    refused,
    is_restored,
    engines,
    cuts,
    batches,
    do,
    killed_everywhere,
    changed_meanwhile,
    cluster,
    archive,
)


def main() -> None:
    ops, answers = {op.__name__: op for op in OPS}, sys.stdout
    for line in sys.stdin:
        given = json.loads(line)
        found = ops[given.pop("op")](**given)
        print(json.dumps({"answer": found}), file=answers, flush=True)
    if CLUSTER is not None:
        CLUSTER.close()


if __name__ == "__main__":
    main()
