"""JSON as readers on the other side take it."""

from __future__ import annotations

from typing import Any

from .._json import MAX_DEPTH, plain


def plain_json(value: Any) -> Any:
    """The value as fresh JSON, no deeper than readers go.

    Raises:
        UsageError: It is nested too deeply.
    """
    return plain(value, max_depth=MAX_DEPTH)
