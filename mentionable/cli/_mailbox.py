"""What one FILE holds: a single unit, the mails of an mbox, or the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from ._error import Trouble
from ._files import MOST_BYTES, STDIN, opened, read, reading

_CHUNK: Final = 65_536
_FROM: Final = b"From "
ENDINGS: Final = (".http", ".json")
"""Which files of a folder are units of ActivityPub and A2A; of mail, all are."""


class Unit(NamedTuple):
    """One unit of a file.

    Attributes:
        name: Where it lies, for people.
        data: Its bytes.
        size: How many bytes of the input it took.
    """

    name: str
    data: bytes
    size: int


class Batch(NamedTuple):
    """The units of a FILE.

    Attributes:
        many: Whether it is an mbox or a folder: then each unit gives one line.
        total: All bytes, where known.
        units: The units, read one by one.
    """

    many: bool
    total: int | None
    units: Iterator[Unit]


def open_batch(name: str, transport: str) -> Batch:
    """What FILE holds. Nothing but the first bytes is read before the first unit is wanted.

    Raises:
        Trouble: It cannot be read, also while the units are read; or it is a folder without units.
    """
    path = Path(name)
    if name != STDIN and _is_folder(path):
        files = _files(path, transport)
        return Batch(True, sum(size for _, size in files), _of_folder(files, transport))
    if transport != "email":
        return _single(name, read(name))
    with ExitStack() as stack:
        file = stack.enter_context(opened(name))
        begin = file.read(len(_FROM))
        if begin != _FROM and path.suffix.lower() != ".mbox":
            return _single(name, begin + file.read(MOST_BYTES))
        total = path.stat().st_size if path.is_file() else None
        return Batch(True, total, _of_mbox(name, file, begin, stack.pop_all()))


def _single(name: str, data: bytes) -> Batch:
    return Batch(False, len(data), iter((Unit(name, data, len(data)),)))


def _is_folder(path: Path) -> bool:
    with reading(str(path)):
        return path.is_dir()


def _files(folder: Path, transport: str) -> list[tuple[Path, int]]:
    """The files of a folder and those below it, in order, with their sizes. Hidden ones are left out."""
    found = []
    with reading(str(folder)):
        for place, folders, names in os.walk(folder, onerror=_complain):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths = [Path(place, name) for name in sorted(names) if not name.startswith(".")]
            found += [(path, path.stat().st_size) for path in paths if path.is_file() and _counts(path, transport)]
    if not found:
        raise Trouble(f"{folder}: no file" if transport == "email" else f"{folder}: no {' or '.join(ENDINGS)} file")
    return found


def _complain(error: OSError) -> None:
    """A folder that cannot be listed is no empty folder."""
    raise error


def _counts(path: Path, transport: str) -> bool:
    return transport == "email" or path.suffix.lower() in ENDINGS


def _of_folder(files: list[tuple[Path, int]], transport: str) -> Iterator[Unit]:
    for path, size in files:
        batch = open_batch(str(path), transport)
        if batch.many:
            yield from batch.units
        else:
            yield from (unit._replace(size=size) for unit in batch.units)


def _of_mbox(name: str, file: BinaryIO, begin: bytes, stack: ExitStack) -> Iterator[Unit]:
    """The mails of an open mbox, one at a time; `begin` was read from it already, and `stack` closes it."""
    from ..mail import split_mbox

    with stack:
        mails = split_mbox(chain([begin], iter(partial(file.read, _CHUNK), b"")))
        for number, mail in enumerate((mail for mail in mails if mail.raw.strip()), start=1):
            yield Unit(f"{name}#{number}", mail.raw, mail.size)
