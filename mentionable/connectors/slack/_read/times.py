"""Times that a message shows, in UTC: Slack writes them in the time zone of whoever reads."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, Final

from ...._wire.time import EPOCH
from .._ids import LAST_SECOND, text_of

_PLACE: Final = re.compile(r"\{(date|time|ago)[a-z_]{0,24}\}")
_is_seconds: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?").fullmatch


def date_text(timestamp: Any, form: Any) -> str:
    """A time, in the words of its format; empty where it is none."""
    time = time_at(timestamp)
    if time is None:
        return ""
    day, hour = time.date().isoformat(), f"{time.hour:02}:{time.minute:02} UTC"
    written = {"date": day, "time": hour, "ago": f"{day} {hour}"}
    return _PLACE.sub(lambda place: written[place[1]], text_of(form) or "{ago}")


def minute_text(timestamp: Any) -> str:
    """A time to the minute: `2026-11-21 20:56 UTC`; empty where it is none."""
    return date_text(timestamp, None)


def time_at(timestamp: Any) -> datetime | None:
    """The time that Slack names by seconds: a number, or text with or without a fraction."""
    if isinstance(timestamp, str) and _is_seconds(timestamp):
        timestamp = int(timestamp.partition(".")[0])
    if timestamp.__class__ is float and 0 <= timestamp <= LAST_SECOND:
        timestamp = int(timestamp)
    if timestamp.__class__ is not int or not 0 <= timestamp <= LAST_SECOND:
        return None
    return EPOCH + timedelta(seconds=timestamp)
