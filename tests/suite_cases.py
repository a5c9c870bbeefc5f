"""The cases of the suite, read once in each process: that takes half a second."""

from __future__ import annotations

from functools import cache

import mentionable_conformance as suite

__all__ = ["every_case"]


@cache
def every_case() -> tuple[suite.Case, ...]:
    """Every case of the suite. Nobody may change what is in one."""
    return suite.cases()
