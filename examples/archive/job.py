"""A job: a folder in which the rows of an archive appear piece by piece, and what one task does for it.

    job.json               what the job is: a second run must be the same
    messages/PIECE.parquet the messages of a piece
    bad/PIECE.parquet      its mails that are none
    done/PIECE.json        that the piece is done, and how many there were

Each file appears whole or not at all, and the last one only when the others are there. So a run can be killed at any
moment; the next one does what is not done. A piece has another name when its files change.
"""

from __future__ import annotations

import json
import os
import pickle
import secrets
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.compute as pc
import pyarrow.parquet as pq
from columns import BAD, MESSAGES
from mailboxes import Piece, Trouble, read
from normalise import normalise

from mentionable import Address, UsageError, format_time, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

FORM = 1
"""The form of the files: another number when columns change."""

FOLDERS = {"messages": ".parquet", "bad": ".parquet", "done": ".json"}


class Job(NamedTuple):
    """What all tasks know.

    Attributes:
        folder: Where the rows go.
        recipient: For whom the mails are.
        now: When they count as received.
        records: DNS name → TXT records.
        keep_bad: Whether the rows of bad mails have their bytes.
    """

    folder: str
    recipient: str
    now: datetime
    records: Mapping[str, list[bytes]]
    keep_bad: bool

    def file(self, kind: str, piece: str) -> Path:
        """The file of a piece."""
        return Path(self.folder, kind, piece + FOLDERS[kind])

    def is_done(self, piece: Piece) -> bool:
        """Whether nothing is left to do."""
        return self.file("done", piece.name).exists()

    def counts(self, pieces: Iterable[Piece]) -> dict[str, int]:
        """How many messages and bad mails there are in pieces that are done."""
        done = [json.loads(self.file("done", piece.name).read_bytes()) for piece in pieces if self.is_done(piece)]
        return {name: sum(one[name] for one in done) for name in ("messages", "bad", "bytes")}


def begin(folder: Path, sources: list[str], now: datetime | None, otherwise: datetime, **known: Any) -> Job:
    """The job of a folder: the one that was begun there, or a new one.

    Args:
        folder: Where the rows go.
        sources: The archives.
        now: When the mails count as received.
        otherwise: The same where nobody said it and the job is new.
        known: The other members of the job.

    Raises:
        Trouble: The folder holds another job, or something else.
    """
    file = folder / "job.json"
    try:
        Address(known["recipient"])
    except UsageError as error:
        raise Trouble(str(error)) from None
    told = {"form": FORM, "sources": [str(Path(source).absolute()) for source in sources], **known}
    told["records"] = sha256(repr(sorted(known["records"].items())).encode()).hexdigest()
    if file.exists():
        there = json.loads(file.read_bytes())
        if not isinstance(there, dict) or not isinstance(there.get("now"), str):
            raise Trouble(f"{file} is not of this program")
        told["now"] = there["now"] if now is None else format_time(now)
        if others := sorted(name for name in told.keys() | there.keys() if told.get(name) != there.get(name)):
            raise Trouble(f"{folder} holds a job with other {', '.join(others)}: take another folder")
    elif folder.exists() and not all(path.name.startswith(f".{file.name}.") for path in folder.iterdir()):
        raise Trouble(f"{folder} is not empty, and holds no job")
    else:
        told["now"] = format_time(now or otherwise)
        folder.mkdir(parents=True, exist_ok=True)
        with appearing(file) as unfinished:
            unfinished.write_text(json.dumps(told))
    for name in FOLDERS:
        (folder / name).mkdir(exist_ok=True)
    return Job(str(folder), now=parse_time(told["now"]), **known)


def sweep(job: Job, pieces: Iterable[Piece]) -> None:
    """Takes away what runs that were killed have left, and what was made of files that have changed since."""
    names = {piece.name for piece in pieces}
    for kind, ending in reversed(FOLDERS.items()):  # first the word that a piece is done, then what it is about
        for path in Path(job.folder, kind).iterdir():
            if path.name.removesuffix(ending) not in names:
                path.unlink()
    for path in Path(job.folder).glob(".job.json.*"):
        path.unlink()


def run(piece: Piece, job: Job) -> None:
    """Writes the rows of a piece. Of what it reads and makes, one batch is in memory at a time."""
    started, counts = perf_counter(), {"messages": 0, "bad": 0}
    with (
        appearing(job.file("messages", piece.name)) as messages,
        appearing(job.file("bad", piece.name)) as bad,
        pq.ParquetWriter(messages, MESSAGES, compression="zstd") as good_rows,
        pq.ParquetWriter(bad, BAD, compression="zstd") as bad_rows,
    ):
        batches = read(piece)
        rows = normalise(batches, recipient=job.recipient, now=job.now, records=job.records, keep_bad=job.keep_bad)
        for batch in rows:
            is_bad = pc.is_valid(batch["code"])
            for kind, writer, which in (("messages", good_rows, pc.invert(is_bad)), ("bad", bad_rows, is_bad)):
                chosen = batch.filter(which)
                writer.write_batch(chosen.select(writer.schema.names))
                counts[kind] += chosen.num_rows
    size = sum(span.end - span.start for span in piece.spans)
    with appearing(job.file("done", piece.name)) as done:
        done.write_text(json.dumps({**counts, "bytes": size, "seconds": round(perf_counter() - started, 3)}))


def run_pickled(piece: bytes, job: Job) -> None:
    """`run` for a scheduler, which would look at each of the thousands of files of a piece otherwise."""
    run(pickle.loads(piece), job)


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A file to write that takes its place, whole, when all went well. Nobody else writes under its name until then."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
