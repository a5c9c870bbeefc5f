"""Reads the messages in FILE: a single one, the mails of an mbox, or the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from ._error import CliError
from ._files import MAX_BYTES, STDIN, opened, read, reading

_CHUNK: Final = 65_536
_FROM: Final = b"From "
ENDINGS: Final = (".http", ".json")
"""The files of a folder that contain messages of HTTP protocols; for email, every file does."""


class RawMessage(NamedTuple):
    """One message as bytes.

    Attributes:
        name: Its file, and its number in an mbox, for error messages.
        data: Its bytes.
        size: How many bytes of the input it took.
    """

    name: str
    data: bytes
    size: int


class Batch(NamedTuple):
    """The messages of a FILE.

    Attributes:
        many: Whether it is an mbox or a folder: then each message is one line of output.
        total: The number of bytes, where known.
        messages: The messages, read one by one.
    """

    many: bool
    total: int | None
    messages: Iterator[RawMessage]


def open_batch(name: str, transport: str) -> Batch:
    """Open FILE. Reads no more than its first bytes until the caller asks for the first message.

    Raises:
        CliError: It cannot be read, now or while its messages are read; or it is a folder without messages.
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
            return _single(name, begin + file.read(MAX_BYTES))
        total = path.stat().st_size if path.is_file() else None
        return Batch(True, total, _of_mbox(name, file, begin, stack.pop_all()))


def _single(name: str, data: bytes) -> Batch:
    return Batch(False, len(data), iter((RawMessage(name, data, len(data)),)))


def _is_folder(path: Path) -> bool:
    with reading(str(path)):
        return path.is_dir()


def _files(folder: Path, transport: str) -> list[tuple[Path, int]]:
    """The files of a folder and those below it, in order, with their sizes. Hidden ones are left out."""
    files = []
    with reading(str(folder)):
        for place, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths = [Path(place, name) for name in sorted(names) if not name.startswith(".")]
            files += [(path, path.stat().st_size) for path in paths if path.is_file() and _has_message(path, transport)]
    if not files:
        raise CliError(
            f"{folder}: contains no file"
            if transport == "email"
            else f"{folder}: contains no {' or '.join(ENDINGS)} file"
        )
    return files


def _raise(error: OSError) -> None:
    """Fail on a folder that cannot be listed: `os.walk` would treat it as empty."""
    raise error


def _has_message(path: Path, transport: str) -> bool:
    return transport == "email" or path.suffix.lower() in ENDINGS


def _of_folder(files: list[tuple[Path, int]], transport: str) -> Iterator[RawMessage]:
    for path, size in files:
        batch = open_batch(str(path), transport)
        if batch.many:
            yield from batch.messages
        else:
            yield from (message._replace(size=size) for message in batch.messages)


def _of_mbox(name: str, file: BinaryIO, begin: bytes, stack: ExitStack) -> Iterator[RawMessage]:
    """The mails of an open mbox, one at a time. `begin` is what was already read; `stack` closes the file."""
    from ..mail import split_mbox

    with stack:
        mails = split_mbox(chain([begin], iter(partial(file.read, _CHUNK), b"")))
        for number, mail in enumerate((mail for mail in mails if mail.raw.strip()), start=1):
            yield RawMessage(f"{name}#{number}", mail.raw, mail.size)
