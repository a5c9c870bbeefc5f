"""Archives of mail, cut into pieces that can be read by themselves, and what lies in a piece.

An mbox is cut into ranges of bytes: only the few bytes around each cut are read for that. A Maildir is cut into lists
of files.
"""

from __future__ import annotations

import os
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import pyarrow as pa
from columns import INPUT

from mentionable import Limits, mail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PIECE_BYTES = 64 * 1_048_576
BATCH_BYTES = 4 * 1_048_576
"""How much of a piece is in memory at once, with one mail more."""

BATCH_MAILS = 2_000
CHUNK = 262_144
MOST = Limits().mail_bytes + 1


class Trouble(Exception):
    """An archive that cannot be read, in one line."""


class Span(NamedTuple):
    """Bytes of a file, and how the file looked when they were chosen.

    Attributes:
        path: The file.
        start: The first byte.
        end: The byte behind the last.
        size: The size of the file.
        changed: When it was changed, in nanoseconds.
    """

    path: str
    start: int
    end: int
    size: int
    changed: int


class Piece(NamedTuple):
    """Work for one task.

    Attributes:
        name: Its name in the folder of the job: in the order of the archive, and another one when its files change.
        is_mbox: Whether its one span holds many mails; otherwise each is one.
        spans: Where the mails are.
    """

    name: str
    is_mbox: bool
    spans: tuple[Span, ...]


def cut(sources: Iterable[str], most: int = PIECE_BYTES) -> list[Piece]:
    """The pieces of archives, each an mbox or a Maildir, of about `most` bytes.

    Raises:
        Trouble: An archive is neither, or cannot be read.
    """
    pieces: list[Piece] = []
    for number, source in enumerate(sources):
        try:
            is_mbox, lists = _cut(Path(source).absolute(), most)
        except OSError as error:
            raise Trouble(f"{error.filename or source}: {error.strerror or error}") from None
        for place, spans in enumerate(lists):
            digest = sha256(repr((is_mbox, spans)).encode("utf-8", "surrogatepass")).hexdigest()
            pieces.append(Piece(f"{number:03}-{place:06}-{digest[:16]}", is_mbox, spans))
    return pieces


def _cut(source: Path, most: int) -> tuple[bool, list[tuple[Span, ...]]]:
    if not source.is_dir():
        return True, [(span,) for span in _of_mbox(source, most)]
    folders = [folder for folder in (source, *sorted(source.glob(".*/"))) if (folder / "cur").is_dir()]
    if not folders:
        raise Trouble(f"{source}: a folder, and no Maildir: there is no folder cur in it")
    files = [path for folder in folders for path in _of_maildir(folder)]
    return False, list(_in_lists(map(_whole, files), most))


def _of_mbox(path: Path, most: int) -> Iterator[Span]:
    """Ranges of an mbox, each from the beginning of a mail to that of another."""
    start, whole = 0, _whole(path)
    with path.open("rb") as file:
        while start < whole.size:
            end = min(whole.size, _begin_behind(file, start + most)) if start + most < whole.size else whole.size
            yield whole._replace(start=start, end=end)
            start = end


def _begin_behind(file: BinaryIO, at: int) -> int:
    """Where the first mail begins of which the beginning lies wholly behind a place; the end when there is none."""
    file.seek(at)
    rest = next(mail.split_mbox(chain([b"-"], iter(partial(file.read, CHUNK), b""))))  # no mail begins with `-`
    return at + rest.size - 1


def _of_maildir(folder: Path) -> Iterator[Path]:
    """The mails of one folder in order; those that are being delivered just now are in `tmp`, and left out."""
    for part in ("cur", "new"):
        with os.scandir(folder / part) as found:
            names = sorted(
                entry.name for entry in found if entry.is_file(follow_symlinks=False) and not entry.name.startswith(".")
            )
        yield from (folder / part / name for name in names)


def _whole(path: Path) -> Span:
    stat = path.stat()
    return Span(str(path), 0, stat.st_size, stat.st_size, stat.st_mtime_ns)


def _in_lists(spans: Iterable[Span], most: int) -> Iterator[tuple[Span, ...]]:
    """Files put together until they have so many bytes."""
    held: list[Span] = []
    size = 0
    for span in spans:
        held.append(span)
        size += span.size
        if size >= most:
            yield tuple(held)
            held, size = [], 0
    if held:
        yield tuple(held)


# -- reading


def read(piece: Piece) -> Iterator[pa.RecordBatch]:
    """The mails of a piece in batches of `columns.INPUT`. Of a mail over the limit only as much is read as shows that.

    Raises:
        Trouble: A file is not as it was when the archive was cut.
        OSError: A file cannot be read, or is not there any more.
    """
    rows: list[tuple[str, int, int, bytes]] = []
    held = 0
    for found in chain.from_iterable(_mails(span, piece.is_mbox) for span in piece.spans):
        rows.append(found)
        held += len(found[-1])
        if held >= BATCH_BYTES or len(rows) >= BATCH_MAILS:
            yield _batch(rows)
            rows, held = [], 0
    if rows:
        yield _batch(rows)


def _batch(rows: list[tuple[str, int, int, bytes]]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, INPUT, strict=True)]
    return pa.record_batch(arrays, schema=INPUT)


def _mails(span: Span, is_mbox: bool) -> Iterator[tuple[str, int, int, bytes]]:
    """The row of each mail of a span."""
    name = os.fsencode(span.path).decode("utf-8", "backslashreplace")
    with Path(span.path).open("rb") as file:
        stat = os.fstat(file.fileno())
        if (stat.st_size, stat.st_mtime_ns) != (span.size, span.changed):
            raise Trouble(f"{span.path} has changed since the job began: run it again")
        if not is_mbox:
            yield name, 0, span.size, file.read(MOST)
            return
        for one in mail.split_mbox(_chunks(file, span)):
            yield name, span.start + one.offset, one.size, one.raw


def _chunks(file: BinaryIO, span: Span) -> Iterator[bytes]:
    """The bytes of a span."""
    file.seek(span.start)
    left = span.end - span.start
    while left and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        yield chunk
