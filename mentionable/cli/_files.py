"""Files and standard input as bytes, bounded, with complaints of one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from .._flow.settings import Limits
from ._error import Trouble

STDIN: Final = "-"
_LIMITS: Final = Limits()
MOST_BYTES: Final = 1_048_576 + max(_LIMITS.mail_bytes, _LIMITS.a2a_bytes, _LIMITS.activitypub_bytes)
"""No unit is larger than its limit and the head of a request; what is longer is cut there, and the door refuses it."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Makes trouble of what the system says while a file or folder is read.

    Raises:
        Trouble: It cannot be read.
    """
    try:
        yield
    except OSError as error:
        raise Trouble(f"{error.filename or name}: {error.strerror or error}") from None


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The file of that name, or standard input, to read bytes from.

    Raises:
        Trouble: It cannot be opened or read.
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
        raise Trouble("standard input is closed")
    return stream


def read(name: str, *, limit: int = MOST_BYTES) -> bytes:
    """The bytes of a file, at most `limit` and one.

    Raises:
        Trouble: It cannot be read.
    """
    with opened(name) as file:
        return file.read(limit + 1)
