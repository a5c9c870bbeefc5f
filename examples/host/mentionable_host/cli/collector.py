"""Keeps the garbage collector from looking through what a program has just begun with: none of it is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["unhindered"]


@contextmanager
def unhindered() -> Iterator[None]:
    """It rests meanwhile: a tenth of the time to import and build a host goes into it otherwise."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
