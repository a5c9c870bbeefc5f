"""The contract of `anp.Store` and `anp.AsyncStore`, as tests that run on any store."""

from __future__ import annotations

import pytest

# first, so that a failure shows the values that it compared
pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in ("_compared", "_ordered", "_stored", "_values")))

from ._asynchronous import AsyncStoreContract  # noqa: E402
from ._synchronous import StoreContract  # noqa: E402

__all__ = ["AsyncStoreContract", "StoreContract"]
