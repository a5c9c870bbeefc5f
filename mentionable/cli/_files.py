"""Reads files and standard input as bytes, up to a limit; errors are one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from .._flow.settings import Limits
from ._error import CliError

STDIN: Final = "-"
_LIMITS: Final = Limits()
MAX_BYTES: Final = 1_048_576 + max(_LIMITS.mail_bytes, _LIMITS.a2a_bytes, _LIMITS.activitypub_bytes)
"""The largest message that any transport accepts, plus HTTP headers. `receive` rejects what is longer."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn an `OSError` while a file or folder is read into a `CliError`.

    Raises:
        CliError: It cannot be read.
    """
    try:
        yield
    except OSError as error:
        raise CliError(f"{error.filename or name}: {error.strerror or error}") from None


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input, to read bytes.

    Raises:
        CliError: It cannot be opened or read.
    """
    with reading(name):
        if name == STDIN:
            yield _stdin()
        else:
            with Path(name).open("rb") as file:
                yield file


def _stdin() -> BinaryIO:
    """Standard input as bytes; it may be closed."""
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise CliError("standard input is closed")
    return stream


def read(name: str, *, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file, at most `limit` and one.

    Raises:
        CliError: It cannot be read.
    """
    with opened(name) as file:
        return file.read(limit + 1)
