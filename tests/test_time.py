from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, format_time, parse_time
from mentionable._wire.time import (
    http_date,
    http_seconds,
    is_time,
    mail_date,
    normal_time,
    signed_time,
    utc_text,
    utc_time,
)
from mentionable.testing import strategies


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("2026-11-21T20:56:00Z", "2026-11-21T20:56:00Z"),
        ("2026-11-21t20:56:00z", "2026-11-21T20:56:00Z"),
        ("2026-11-21 20:56:00.5+09:00", "2026-11-21T11:56:00.5Z"),
        ("2026-11-21T20:56:00.123456789-00:30", "2026-11-21T21:26:00.123456Z"),
        ("2026-11-21T20:56:00.120300Z", "2026-11-21T20:56:00.1203Z"),
        ("2026-11-21T20:56:00.000Z", "2026-11-21T20:56:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999Z"),
        ("0999-01-01T00:00:00Z", "0999-01-01T00:00:00Z"),
    ],
)
def test_every_spelling_of_rfc_3339_is_read(text, normal):
    assert format_time(parse_time(text)) == normal_time(text) == normal
    assert is_time(text)
    assert utc_text(text) == normal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-21",
        "2026-11-21T20:56Z",
        "2026-11-21T24:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-11-21T20:56:61Z",
        "2026-11-21T20:56:00+24:00",
        "2026-11-21T20:56:00+0900",
        "2026-11-21T20:56:00,5Z",
        "2026-11-21T20:56:00.Z",
        "２026-11-21T20:56:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "2026-11-21T20:56:00Z\n",
        "20261121T205600Z",
        "2026-W47-6T00:00:00Z",
    ],
)
def test_what_is_not_rfc_3339_is_refused(text):
    assert normal_time(text) is None
    assert not is_time(text)
    with pytest.raises(UsageError, match="not an RFC 3339 timestamp with an offset"):
        parse_time(text)


@pytest.mark.parametrize("text", ["2026-11-21T20:56:00", "2026-11-21T20:56:00.123"])
def test_a_naive_timestamp_is_utc_on_the_wire_and_refused_in_values(text):
    assert normal_time(text).startswith("2026-11-21T20:56:00")
    assert utc_text(text) is None
    assert not is_time(text)
    with pytest.raises(UsageError, match="with an offset"):
        parse_time(text)


@pytest.mark.parametrize("value", [None, 0, b"2026-11-21T20:56:00Z"])
def test_a_timestamp_of_another_type_is_none(value):
    assert normal_time(value) is None


def test_a_naive_moment_cannot_be_written():
    with pytest.raises(UsageError, match="aware"):
        format_time(datetime(2026, 11, 21))  # noqa: DTZ001


def test_a_moment_is_written_in_utc():
    seoul = timezone(timedelta(hours=9))
    assert format_time(datetime(2026, 11, 21, 5, 0, 0, 999999, tzinfo=seoul)) == "2026-11-20T20:00:00.999999Z"


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)))  # noqa: DTZ001
def test_written_times_are_read_back(moment):
    assert parse_time(format_time(moment)) == moment


def test_a_signed_statement_names_milliseconds():
    moment = datetime(2026, 11, 21, 5, 0, 0, 999999, tzinfo=UTC)
    assert signed_time(moment) == "2026-11-21T05:00:00.999Z"
    assert signed_time(moment.replace(microsecond=0)) == "2026-11-21T05:00:00.000Z"


@given(strategies.timestamps())
def test_the_normal_form_names_the_same_moment(text):
    moment = parse_time(text)
    assert normal_time(normal_time(text)) == format_time(moment)


def test_a_time_outside_the_calendar_is_a_mistake_of_the_program():
    with pytest.raises(UsageError, match="outside the years 1 to 9999"):
        format_time(datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))))


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sun, 06 Nov 1994 08:49:37 UTC", None),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-76 08:49:37 GMT", 3_371_878_177),
        ("Sunday, 06-Nov-77 08:49:37 GMT", 247_654_177),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Sun Nov 06 08:49:37 1994", 784_111_777),
        ("Sun, 06 Nov 1994 08:49:60 GMT", 784_111_800),
        ("Sun, 06-Nov-94 08:49:37 GMT", None),
        ("Sunday, 06-Nov-94 08:49:37", None),
        ("Sun Nov 6 08:49:37 1994", None),
        ("Sun Nov  6 08:49:37 94", None),
        ("Sun Nov  6 08:49:61 1994", None),
        ("Sun, 31 Feb 1994 08:49:37 GMT", None),
        ("Sun, 06 Foo 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 0000 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 28:49:37 GMT", None),
        ("", None),
    ],
)
def test_dates_of_http_have_three_forms(date, expected):
    assert http_seconds(date, now=1_795_294_560) == expected


def test_a_year_of_two_digits_needs_a_clock():
    assert http_seconds("Sunday, 06-Nov-94 08:49:37 GMT") is None
    assert http_seconds("Sun Nov  6 08:49:37 1994") == 784_111_777


def test_dates_of_http_are_written_in_gmt():
    moment = datetime(1994, 11, 6, 17, 49, 37, tzinfo=timezone(timedelta(hours=9)))
    assert http_date(moment) == "Sun, 06 Nov 1994 08:49:37 GMT"
    assert http_seconds(http_date(moment)) == int(moment.timestamp())


def test_dates_of_mail_are_written_in_utc():
    tokyo = datetime(2026, 11, 22, 5, 56, 1, 999, tzinfo=timezone(timedelta(hours=9)))
    assert mail_date(tokyo) == "Sat, 21 Nov 2026 20:56:01 +0000"


@pytest.mark.parametrize(
    ("text", "micros"),
    [("2026-11-21T20:56:00Z", 0), ("2026-11-21T20:56:00.5Z", 500_000), ("2026-11-21T20:56:00.123456789Z", 123_456)],
)
def test_a_signed_time_has_one_form(text, micros):
    assert utc_time(text) == datetime(2026, 11, 21, 20, 56, 0, micros, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026-11-21", "20261121T205600Z", "2026-W47-6T20:56:00Z", "2026-11-21T20:56Z", "2026-11-21 20:56:00Z"),
        *("2026-11-21t20:56:00Z", "2026-11-21T20:56:00z", "2026-11-21T20:56:00", "2026-11-21T20:56:00+00:00"),
        *("2026-11-21T24:00:00Z", "2026-11-21T20:56:60Z", "2026-11-31T20:56:00Z", "0000-11-21T20:56:00Z"),
        *(
            "2026-11-21T20:56:00.Z",
            "2026-11-21T20:56:00.1234567890Z",
            "2026-11-21T20:56:00,5Z",
            "2026-11-21T20:56:00Z\n",
        ),
        *("٢٠٢٦-11-21T20:56:00Z", None, 7, [], {}, b"2026-11-21T20:56:00Z"),
    ],
)
def test_no_other_form_of_a_signed_time_is_read(text):
    assert utc_time(text) is None
