"""Times as text on the wire, RFC 3339 and those of header fields; aware `datetime` in programs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from .._errors.exceptions import UsageError
from .strict_json import MAX_SAFE_INTEGER

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The moment from which platforms count seconds."""

_RFC3339: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ]([01]\d|2[0-3])(:[0-5]\d:)([0-5]\d|60)(?:\.(\d{1,9}))?"
    r"([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
).fullmatch

_UTC: Final = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z", re.ASCII).fullmatch

_TWO_DIGITS: Final = tuple(f"{number:02}" for number in range(60))
"""Looked up in less time than `isoformat` takes to find out that the offset is none."""

_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH_NUMBERS: Final = {month: f"{number:02}" for number, month in enumerate(_MONTHS, 1)}
_HTTP_DATE: Final = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?P<day>[0-9]{2}) (?P<month>[A-Z][a-z]{2}) (?P<year>[0-9]{4})"
    r" (?P<time>[0-9]{2}:[0-9]{2}):(?P<second>[0-9]{2}) GMT",
    re.ASCII,
).fullmatch
_RFC850: Final = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?P<day>[0-9]{2})-(?P<month>[A-Z][a-z]{2})-(?P<year>[0-9]{2})"
    r" (?P<time>[0-9]{2}:[0-9]{2}):(?P<second>[0-9]{2}) GMT",
    re.ASCII,
).fullmatch
_ASCTIME: Final = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<month>[A-Z][a-z]{2}) (?P<day>[0-9]{2}| [0-9])"
    r" (?P<time>[0-9]{2}:[0-9]{2}):(?P<second>[0-9]{2}) (?P<year>[0-9]{4})",
    re.ASCII,
).fullmatch


def parse_time(text: str) -> datetime:
    """The moment that an RFC 3339 timestamp names, in UTC, to the microsecond.

    A leap second reads as the last moment before it. Further fraction digits are cut off.

    Raises:
        UsageError: `text` is not RFC 3339, or has no offset.

    Spec: Normalized Message §3.1 (received_at).

    Example:
        >>> parse_time("2026-11-21T20:56:00+09:00").isoformat()
        '2026-11-21T11:56:00+00:00'
    """
    moment = _read(text)
    if moment is None or not _has_offset(text):
        raise UsageError("not an RFC 3339 timestamp with an offset")
    return moment


def format_time(moment: datetime) -> str:
    """`moment` as RFC 3339 in UTC, as every timestamp of this library is written.

    It ends in `Z` and has a fraction only where that is not zero, to the microsecond and without trailing zeros.

    Raises:
        UsageError: `moment` has no time zone.

    Example:
        >>> format_time(datetime(2026, 11, 21, 20, 56, tzinfo=UTC))
        '2026-11-21T20:56:00Z'
    """
    if moment.tzinfo is not UTC:
        if moment.utcoffset() is None:
            raise UsageError("the time must be aware: datetime.now(UTC)")
        try:
            moment = moment.astimezone(UTC)
        except OverflowError:
            raise UsageError("the time is outside the years 1 to 9999 in UTC") from None
    two = _TWO_DIGITS
    day = f"{moment.year:04}-{two[moment.month]}-{two[moment.day]}"
    micros = moment.microsecond
    fraction = f".{micros:06}".rstrip("0") if micros else ""
    return f"{day}T{two[moment.hour]}:{two[moment.minute]}:{two[moment.second]}{fraction}Z"


def signed_time(moment: datetime) -> str:
    """`moment` as a signed statement names it: like `format_time`, but always with three digits of a fraction.

    Spec: Building a Connector (the example of an attestation).
    """
    return f"{format_time(moment.replace(microsecond=0))[:-1]}.{moment.microsecond // 1000:03}Z"


def normal_time(text: object) -> str | None:
    """A timestamp from the wire in this library's form; a naive one is taken as UTC; None when it is not RFC 3339."""
    moment = _read(text)
    return None if moment is None else format_time(moment)


def utc_text(text: object) -> str | None:
    """A timestamp with an offset in this library's form; None for every other text."""
    moment = _read(text)
    return format_time(moment) if moment is not None and _has_offset(str(text)) else None


def is_time(text: str) -> bool:
    """Whether `text` is RFC 3339 with an offset."""
    return _read(text) is not None and _has_offset(text)


def _has_offset(text: str) -> bool:
    return text[-1] in "Zz" or text[-6] in "+-"


def _read(text: object) -> datetime | None:
    """The moment in UTC, naive text read as UTC; None when the text is not RFC 3339."""
    match = _RFC3339(text) if isinstance(text, str) else None
    if match is None:
        return None
    day, hour, minute, second, fraction, offset = match.groups()
    micros = "999999" if second == "60" else ((fraction or "") + "000000")[:6]
    zone = "+00:00" if offset in (None, "Z", "z") else offset
    try:
        return datetime.fromisoformat(
            f"{day}T{hour}{minute}{'59' if second == '60' else second}.{micros}{zone}"
        ).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def utc_time(text: object) -> datetime | None:
    """The moment of a timestamp in exactly one form, `YYYY-MM-DDThh:mm:ss[.fraction]Z`; None for every other.

    No offset, no small letters, no leap second, no 24:00: what is signed is compared, and never read in two ways.
    """
    if text.__class__ is not str or not _UTC(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def http_date(moment: datetime) -> str:
    """`moment` as an IMF-fixdate (RFC 9110 §5.6.7)."""
    return f"{_in_english(moment)} GMT"


def mail_date(moment: datetime) -> str:
    """`moment` as a Date field of mail names it (RFC 5322 §3.3)."""
    return f"{_in_english(moment)} +0000"


def _in_english(moment: datetime) -> str:
    """`moment` in UTC, in English whatever the machine speaks."""
    moment = moment.astimezone(UTC)
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day}, {moment.day:02} {month} {moment.year:04} {moment.hour:02}:{moment.minute:02}:{moment.second:02}"


def http_seconds(date: str, *, now: int | None = None) -> int | None:
    """A date of HTTP in seconds since 1970, in any of its three forms; None when it is none.

    Args:
        date: An IMF-fixdate, a date of RFC 850, or one as `asctime` writes it.
        now: The time in seconds: a year of two digits is never more than fifty years ahead of it. None: a date
            with such a year is none.

    Spec: RFC 9110 §5.6.7.

    Example:
        >>> [http_seconds(date) for date in ("Thu, 01 Jan 1970 00:00:09 GMT", "Thu Jan  1 00:00:09 1970")]
        [9, 9]
    """
    match = _HTTP_DATE(date) or _RFC850(date) or _ASCTIME(date)
    if match is None:
        return None
    day, month, year, time, second = match.group("day", "month", "year", "time", "second")
    if len(year) == 2:
        if now is None:
            return None
        latest = datetime.fromtimestamp(now, UTC).year + 50
        year = str(latest - (latest - int(year)) % 100)
    if second == "60":  # a leap second, which `datetime` has not
        second, leap = "59", 1
    else:
        leap = 0
    try:
        moment = datetime.fromisoformat(
            f"{year:0>4}-{_MONTH_NUMBERS.get(month)}-{day.replace(' ', '0')}T{time}:{second}+00:00"
        )
    except ValueError:
        return None
    return int(moment.timestamp()) + leap


def retry_after_seconds(value: str, *, now: datetime) -> float | None:
    """The wait that a `Retry-After` names, in seconds, up to 2^53-1; None when it names none.

    Args:
        value: The field: a number of seconds, or a date of HTTP, which may be over.
        now: The time, aware.

    Spec: RFC 9110 §10.2.3.

    Example:
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> [retry_after_seconds(value, now=now) for value in ("30", "Sat, 21 Nov 2026 00:00:20 GMT", "soon")]
        [30, 20.0, None]
    """
    text = value.strip()
    if text.isascii() and text.isdecimal():
        digits = text.lstrip("0") or "0"
        return int(digits) if len(digits) < 16 else MAX_SAFE_INTEGER  # Python refuses to read thousands of digits
    moment = http_seconds(text, now=int(now.timestamp()))
    return None if moment is None else max(0, moment - now.timestamp())
