"""Discord's ids: strings of digits that hold their time of creation; and the ids of what people click on."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

CHOICE: Final = "mentionable:choice:"
"""Begins the `custom_id` of a choice that an answer offered; its value comes behind it, of a menu nothing."""

_SNOWFLAKE: Final = re.compile(r"[1-9][0-9]{0,19}", re.ASCII).fullmatch
_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_TIME_BITS: Final = 22
_MAX_SNOWFLAKE: Final = 2**64


def is_snowflake(value: object) -> bool:
    """Whether this is an id of Discord as it writes them: a string of digits below 2^64."""
    return isinstance(value, str) and _SNOWFLAKE(value) is not None and int(value) < _MAX_SNOWFLAKE


def snowflake(value: Any) -> str | None:
    """The id, or None when it is none."""
    return value if is_snowflake(value) else None


def time_of(snowflake: str) -> datetime:
    """The time at which an id was created, to the millisecond."""
    return _EPOCH + timedelta(milliseconds=int(snowflake) >> _TIME_BITS)
