"""What facts ask of the values in an answer. What is of another form raises TypeError or ValueError."""

from __future__ import annotations

from json import loads
from typing import Any

__all__ = ["loads_bytes"]


def loads_bytes(data: bytes) -> Any:
    """The value of JSON in bytes: in UTF-8 without a byte order mark, as RFC 8259 asks."""
    return loads(data.decode("utf-8"))
