"""Discord's ids: strings of digits that hold their time of creation; and the ids of what people click on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ..._errors.exceptions import wire_error

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


def guild_of(event: Mapping[str, Any]) -> str | None:
    """The guild of an event; None in direct messages, which name none.

    Raises:
        WireError: It is named, and not by an id: a message that others read must not pass for a direct one.
    """
    guild = event.get("guild_id")
    if guild is not None and not is_snowflake(guild):
        raise wire_error("malformed", "/guild_id", "expected an id: a string of digits")
    return snowflake(guild)


def time_of(snowflake: str) -> datetime:
    """The time at which an id was created, to the millisecond."""
    return _EPOCH + timedelta(milliseconds=int(snowflake) >> _TIME_BITS)
