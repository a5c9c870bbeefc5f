"""Turns archives of mail into Parquet, on all processors of this machine or on a Dask cluster.

    python archive.py Inbox.mbox ~/Maildir out --as @me@example.org
    python archive.py Inbox.mbox out --as @me@example.org --scheduler tcp://10.0.0.5:8786 --records dns.json

Needs `pip install mentionable "dask[distributed]" pyarrow`. Run the same again to go on with a job that was
interrupted, or when mails have been added.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from dask.distributed import Client, LocalCluster, progress, wait
from job import Job, begin, run_pickled, sweep
from mailboxes import PIECE_BYTES, Piece, Trouble, cut

from mentionable import UsageError, parse_time

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: list[str]) -> int:
    """0 when everything is done, 1 when something is left, 2 when it could not be tried."""
    options = read_options(words)
    try:
        job, pieces = prepared(options)
        todo = [piece for piece in pieces if not job.is_done(piece)]
        faults, seconds = worked(job, todo, options) if todo else ([], 0.0)
    except (Trouble, OSError) as error:
        print(f"archive: {error}", file=sys.stderr)
        return 2
    print(summary(job, pieces, todo, seconds))
    for fault in faults:
        print(f"archive: {fault}", file=sys.stderr)
    return 1 if faults else 0


def prepared(options: argparse.Namespace) -> tuple[Job, list[Piece]]:
    """The job of the folder, and all its pieces."""
    pieces = cut(options.sources, options.piece_bytes)
    job = begin(
        options.out.absolute(),
        options.sources,
        options.now,
        datetime.now(UTC),
        recipient=options.recipient,
        records=read_records(options.records),
        keep_bad=options.keep_bad,
    )
    sweep(job, pieces)
    return job, pieces


def worked(job: Job, todo: Sequence[Piece], options: argparse.Namespace) -> tuple[list[str], float]:
    """Does the pieces on a cluster; what went wrong, and how many seconds it took."""
    with ExitStack() as stack:
        client = connect(options, len(todo), stack)
        started = perf_counter()
        return work(job, todo, client), perf_counter() - started


def connect(options: argparse.Namespace, most: int, stack: ExitStack) -> Client:
    """The cluster that was named, or processes of one thread each on this machine, which `stack` ends."""
    if options.scheduler:
        return stack.enter_context(Client(options.scheduler))
    cluster = LocalCluster(
        n_workers=options.workers and min(options.workers, most),
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
    )
    return stack.enter_context(Client(stack.enter_context(cluster)))


def work(job: Job, todo: Sequence[Piece], client: Client, workers: Sequence[str] | None = None) -> list[str]:
    """Does the pieces, and tells of those that could not be done. No mail goes over the wire, only where mails are."""
    # Under a name of its own: data that is named by its content is lost where the same was released just before.
    shared = client.scatter(job, broadcast=True, hash=False)
    pickled = [pickle.dumps(piece) for piece in todo]
    futures = client.map(run_pickled, pickled, job=shared, pure=False, retries=1, workers=workers)
    if sys.stdout.isatty():
        progress(futures, notebook=False)
    wait(futures)
    return [f"{future.exception()}" for future in futures if future.status != "finished"]


def summary(job: Job, pieces: Sequence[Piece], todo: Sequence[Piece], seconds: float) -> str:
    """What there is, and how fast it came."""
    whole, new = job.counts(pieces), job.counts(todo)
    there = f"{whole['messages']} messages and {whole['bad']} bad mails in {job.folder}"
    mails = new["messages"] + new["bad"]
    if not mails:
        return f"{there}; nothing new"
    speed = f"{mails / seconds:.0f} mails and {new['bytes'] / seconds / 1e6:.1f} MB a second"
    return f"{there}; {mails} mails of them now, in {seconds:.1f} s: {speed}"


def read_records(path: Path | None) -> dict[str, list[bytes]]:
    """The rows `TXT name` of a table of look-ups, as `mentionable decode --lookups` takes them.

    Raises:
        Trouble: It is no such table.
    """
    if path is None:
        return {}
    try:
        rows = json.loads(path.read_bytes()).items()
        found = {row.removeprefix("TXT "): texts for row, texts in rows if row.startswith("TXT ")}
        return {name: [text.encode() for text in texts] for name, texts in found.items() if isinstance(texts, list)}
    except (ValueError, AttributeError):
        raise Trouble(f'{path}: not a table like {{"TXT s1._domainkey.a.example": ["v=DKIM1; …"]}}') from None


def read_options(words: list[str]) -> argparse.Namespace:
    """The words of the command line."""
    parser = argparse.ArgumentParser(prog="archive", description="Archives of mail to Parquet, on Dask.")
    parser.add_argument("sources", nargs="+", metavar="ARCHIVE", help="an mbox file or a Maildir folder")
    parser.add_argument("out", type=Path, metavar="FOLDER", help="where the rows go; the same again goes on")
    parser.add_argument("--as", dest="recipient", required=True, metavar="@a@b", help="for whom the mails are")
    parser.add_argument("--records", type=Path, metavar="FILE", help="a table of TXT records, to verify senders with")
    parser.add_argument(
        "--now", type=time_of, metavar="TIME", help="when the mails count as received; else this moment"
    )
    parser.add_argument("--keep-bad", action="store_true", help="keep the bytes of bad mails in their rows")
    parser.add_argument("--workers", type=int, metavar="N", help="so many processes; else one a processor")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://host:port")
    parser.add_argument(
        "--piece-bytes", type=int, default=PIECE_BYTES, metavar="N", help="about so much one task reads"
    )
    return parser.parse_args(words)


def time_of(text: str) -> datetime:
    """A time with its zone."""
    try:
        return parse_time(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
