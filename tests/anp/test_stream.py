"""What clients receive, item after item: two framings, and where to go on."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import DecodeError, LimitError, UsageError, WireError, anp, encode
from mentionable.anp._stream import MAX_BYTES
from tests.anp.test_client import settled
from tests.anp.test_presentation import shown

ITEMS = [
    anp.StreamItem(place=1, item=shown(metadata={"a": "ä\u2028\r\n"}, content="two\nlines")),
    anp.StreamItem(place=2, item=settled(how="withdrawn", extra={"x": 1})),
    anp.StreamItem(place=0, item=anp.Snapshot(presentations=(shown(), shown(id="e2")), omitted=3)),
    anp.StreamItem(item=anp.HostItem(name="ready", data={"agent": "@helper@agents.example"})),
    anp.StreamItem(place=2**53 - 1, item=anp.HostItem(name="message", data=None)),
]


@given(st.lists(st.integers(0, 4), max_size=6), st.data())
def test_a_stream_comes_back_however_it_is_cut(places, data):
    given = [ITEMS[at] for at in places]
    sent = b": hello\n\n" + b"".join(map(anp.to_event_stream, given))
    reader, read = anp.StreamReader(), []
    while sent:
        size = data.draw(st.integers(1, len(sent)))
        read += reader.feed(sent[:size])
        sent = sent[size:]
    assert [(one.item, one.name) for one in read] == [(one.item, one.name) for one in given]
    last = [one.place for one in given if one.place is not None]
    assert reader.place == (last[-1] if last else None)


def test_an_item_without_a_place_does_not_have_that_of_the_one_before():
    reader = anp.StreamReader()
    read = reader.feed(b"".join(map(anp.to_event_stream, (ITEMS[0], ITEMS[3], ITEMS[1]))))
    assert [one.place for one in read] == [1, None, 2]


@pytest.mark.parametrize("item", ITEMS, ids=lambda one: one.name)
def test_a_frame_comes_back(item):
    assert anp.read_web_socket(anp.to_web_socket(item)) == item
    frame = json.loads(anp.to_web_socket(item))
    assert frame == {**({} if item.place is None else {"place": item.place}), "event": item.name, "data": item.data}


@pytest.mark.parametrize(
    "frame",
    [
        "[]",
        "7",
        "{}",
        "{",
        '{"event": 1}',
        '{"event": "settled"}',
        '{"event": "Present!", "data": 1}',
        '{"event": "message", "place": -1}',
        '{"event": "message", "place": "1"}',
        '{"event": "presentation", "data": {"id": "e1"}}',
        '{"event": "a", "event": "b"}',
        "\ud800",
    ],
)
def test_a_malformed_frame_is_a_typed_error(frame):
    with pytest.raises(WireError):
        anp.read_web_socket(frame)


def test_what_came_before_a_malformed_event_is_returned_before_the_error_and_the_place_goes_on_behind_it():
    good = anp.to_event_stream(anp.StreamItem(place=4, item=anp.HostItem(name="message", data="Hello")))
    reader = anp.StreamReader()
    got = reader.feed(good + b"id: 5\ndata: {\n\n" + good.replace(b"4", b"6"))
    assert ([one.item.data for one in got], reader.place) == (["Hello"], 4)
    for _ in range(2):
        with pytest.raises(DecodeError):
            reader.feed(b"")
        assert reader.place == 5


def test_a_malformed_or_endless_event_is_a_typed_error():
    with pytest.raises(DecodeError):
        anp.StreamReader().feed(b"event: settled\ndata: {}\n\n")
    with pytest.raises(DecodeError):
        anp.StreamReader().feed(b"data: {\n\n")
    reader = anp.StreamReader()
    for place in range(20):  # many short ones are longer together, and none of them is
        short = b'id: %d\nevent: message\ndata: "%b"\n\n' % (place, b"x" * (MAX_BYTES // 10))
        assert [one.place for one in reader.feed(short)] == [place]
    with pytest.raises(LimitError):
        reader.feed(b"data: " + b"x" * MAX_BYTES)


@given(st.binary(max_size=200))
def test_whatever_comes_is_read_or_a_typed_error(data):
    with suppress(WireError):
        anp.StreamReader().feed(data)


@given(st.text(max_size=80))
def test_whatever_frame_comes_is_read_or_a_typed_error(frame):
    with suppress(WireError):
        anp.read_web_socket(frame)


@pytest.mark.parametrize(
    ("given", "oldest", "newest", "expected"),
    [
        (None, 1, 9, None),
        ("0", 1, 9, 0),
        ("0", 0, 0, 0),
        ("1", 0, 0, None),
        ("4", 5, 9, 4),
        ("3", 5, 9, None),
        ("9", 5, 9, 9),
        ("10", 5, 9, None),
        ("007", 5, 9, 7),
        *((odd, 1, 9, None) for odd in ("", "-1", "+5", " 5", "5 ", "5.0", "x", "٥", "9" * 16, "9" * 400, "5\n")),
    ],
)
def test_a_client_goes_on_only_where_nothing_is_missing(given, oldest, newest, expected):
    assert anp.resume(given, oldest=oldest, newest=newest) == expected


def test_a_snapshot_closes_what_it_does_not_hold_unless_it_left_some_out():
    snapshot = anp.Snapshot(presentations=(shown(), shown(id="e2")))
    assert snapshot.closed(["e1", "e3", "e2", "e4"]) == ("e3", "e4")
    assert anp.Snapshot(presentations=(), omitted=1).closed(["e1"]) == ()
    assert encode(snapshot)["kind"] == "snapshot"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: anp.StreamItem(item=object()), "item must be"),
        (lambda: anp.StreamItem(item=shown(), place=-1), "place is a number"),
        (lambda: anp.StreamItem(item=shown(), place=True), "place is a number"),
        (lambda: anp.StreamItem(item=shown(), place=2**53), "place is a number"),
        (lambda: anp.HostItem(name="settled"), "a name is of"),
        (lambda: anp.HostItem(name="No\n"), "a name is of"),
        (lambda: anp.to_event_stream(shown()), "item must be"),
        (lambda: anp.to_web_socket(shown()), "item must be"),
        (lambda: anp.read_web_socket(b"{}"), "frame must be"),
        (lambda: anp.StreamReader().feed("x"), "must be bytes"),
        (lambda: anp.resume(5, oldest=1, newest=9), "last_event_id must be"),
        (lambda: anp.resume("5", oldest=-1, newest=9), "oldest must be"),
        (lambda: anp.resume("5", oldest=1, newest="9"), "newest must be"),
    ],
    ids=range(13),
)
def test_wrong_arguments_are_the_fault_of_the_program(make: Any, words: str):
    with pytest.raises(UsageError, match=words):
        make()
