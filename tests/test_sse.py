import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError
from mentionable._errors.exceptions import LimitError
from mentionable._wire.sse import Event, EventReader, write_event
from tests.linearity import steps_grow_linearly, time_grows_linearly


def read(*chunks):
    reader = EventReader(max_bytes=10_000_000)
    return [event for chunk in chunks for event in reader.feed(chunk)]


def data(*chunks):
    return [event.data for event in read(*chunks)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_end_in_any_of_three_ways(end):
    assert data(b"data: a" + end + b"data: b" + end + end + b"data: c" + end + end) == [b"a\nb", b"c"]


def test_a_line_end_of_two_characters_may_come_in_two_chunks():
    assert data(b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n") == [b"a\nb"]
    assert data(b"data: a\r", b"\n", b"\n") == [b"a"]


def test_one_blank_goes_after_the_colon_and_no_more():
    assert data(b"data:a\n\n", b"data:  a\n\n", b"data: a: b\n\n") == [b"a", b" a", b"a: b"]


def test_a_line_without_a_colon_is_a_field_without_a_value():
    assert data(b"data\ndata\n\n") == [b"\n"]


def test_comments_and_fields_that_nobody_knows_are_skipped():
    assert data(b": ping\n\ncolour: red\ndata: a\n: more\n\n") == [b"a"]


def test_an_event_without_data_is_none():
    assert read(b"event: ping\nid: 1\n\ndata: a\n\n") == [Event(b"a", id="1")]


def test_a_mark_of_byte_order_at_the_beginning_is_skipped():
    assert data(b"\xef\xbb", b"\xbfdata: a\n\n\xef\xbb\xbfdata: b\n\n") == [b"a"]


def test_names_ids_and_times_are_read():
    lines = b"event: add\nid: 7\nretry: 250\ndata: a\n\ndata: b\n\n"
    assert read(lines) == [Event(b"a", "add", "7", 250), Event(b"b", "message", "7", None)]


@pytest.mark.parametrize("line", [b"id: a\0b", b"retry: soon", b"retry: -1", b"retry: " + b"9" * 40])
def test_ids_and_times_that_are_none_are_skipped(line):
    assert read(line + b"\ndata: a\n\n") == [Event(b"a")]


def test_what_is_cut_off_is_told_when_the_stream_ends():
    reader = EventReader(max_bytes=100)
    assert reader.feed(b"data: a\n\ndata: b\nda") == (Event(b"a"),)
    assert reader.feed(b"ta: c") == ()
    assert reader.close() == Event(b"b\nc")
    assert reader.close() is None


def test_a_blank_line_in_the_last_bytes_ends_an_event():
    reader = EventReader(max_bytes=100)
    assert reader.feed(b"data: b\n") == ()
    assert reader.close() == Event(b"b")


def test_a_stream_may_not_be_longer_than_it_may_be():
    reader = EventReader(max_bytes=10)
    reader.feed(b": ping\n")
    with pytest.raises(LimitError, match="too-large"):
        reader.feed(b": ping\n")


def test_a_chunk_is_bytes():
    with pytest.raises(UsageError, match="must be bytes"):
        EventReader(max_bytes=10).feed("data: a")


def test_a_chunk_longer_than_a_slice_is_read_whole():
    big = b"a" * 200_000
    assert data(b"data: " + big + b"\n\ndata: b\n\n") == [big, b"b"]


def test_an_event_is_written_with_its_name_and_id():
    assert write_event("a\r\nb\rc\nd", event="add", id="7") == (
        b"event: add\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n"
    )


@pytest.mark.parametrize("members", [{"event": "a\nb"}, {"id": "a\r"}, {"id": "\0"}])
def test_a_name_and_an_id_are_one_line(members):
    with pytest.raises(UsageError, match="must be one line"):
        write_event("a", **members)


@given(st.lists(st.text()), st.data())
def test_what_is_written_is_read_however_it_is_cut(texts, draw):
    stream = b"".join(map(write_event, texts))
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    chunks = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert [text.decode() for text in data(*chunks)] == [
        text.replace("\r\n", "\n").replace("\r", "\n") for text in texts
    ]


@given(st.binary(), st.data())
def test_any_bytes_are_read_the_same_however_they_are_cut(stream, draw):
    cut = draw.draw(st.integers(0, len(stream)))
    assert read(stream) == read(stream[:cut], stream[cut:])


@pytest.mark.uncounted
@pytest.mark.parametrize("line", [b"data: a\n", b"data: a\n\n", b"\n", b"a", b"\r", b": a\n"])
def test_reading_is_linear(line):
    steps_grow_linearly(read, lambda size: line * size)
    time_grows_linearly(read, lambda size: line * size)


@pytest.mark.uncounted
def test_reading_byte_by_byte_is_linear():
    def by_bytes(stream):
        return read(*[stream[place : place + 1] for place in range(len(stream))])

    steps_grow_linearly(by_bytes, lambda size: b"data: " + b"a" * size)
    time_grows_linearly(by_bytes, lambda size: b"data: " + b"a" * size)
