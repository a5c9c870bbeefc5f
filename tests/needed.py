"""What a test needs that is fetched: it skips without, but not in CI."""

from __future__ import annotations

from typing import NoReturn

import pytest

from tests import setup_interop

__all__ = ["missing"]


def missing(what: str, how: str = "python tests/setup_interop.py") -> NoReturn:
    """Skips the test, which fails in CI: there everything is set up."""
    text = f"{what} is not there: {how}"
    pytest.fail(text) if setup_interop.in_ci() else pytest.skip(text)
