from __future__ import annotations

from datetime import UTC, datetime

import pytest
from attrs import frozen

from mentionable_host.store.rows import value_of


@frozen(kw_only=True)
class Letter:
    subject: str
    at: datetime
    read_at: datetime | None = None
    count: int = 0


def test_a_row_becomes_a_value_with_times():
    made = value_of(Letter, {"subject": "Rain", "at": 0.5, "read_at": None, "number": 7}, count=2)

    assert made == Letter(subject="Rain", at=datetime(1970, 1, 1, microsecond=500_000, tzinfo=UTC), count=2)


def test_a_column_that_is_missing_is_a_fault():
    with pytest.raises(KeyError):
        value_of(Letter, {"subject": "Rain"})
