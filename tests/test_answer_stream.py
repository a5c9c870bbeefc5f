"""Streams of A2A and of REST, where both behave alike."""

import json

import pytest

from mentionable import Settings, TextPart, UsageError, a2a, rest
from mentionable._transport.answer_stream import unreadable_policy
from tests.a2a.questions import bare
from tests.answered import response_in

TO = bare()
MESSAGE = {"message": {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Hi"}]}}
WHOLE = {
    a2a.ResultStream: b"data: " + json.dumps(MESSAGE).encode() + b"\n\n",
    rest.ResultStream: b'event: text\ndata: {"mime": "text/plain"}\n\ndata: Hi\n\n',
}
FAULT = {a2a.ResultStream: b"data: {\n\n", rest.ResultStream: b"data: \xff\n\n"}

streams = pytest.mark.parametrize("stream_of", [a2a.ResultStream, rest.ResultStream], ids=["a2a", "rest"])


@streams
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_chunks_of_any_size_give_the_same_answer(stream_of, size):
    stream, whole = stream_of(to=TO), WHOLE[stream_of]
    for start in range(0, len(whole), size):
        stream.feed(whole[start : start + size])
    assert response_in(stream.close()).parts == (TextPart(content="Hi"),)
    assert stream.close() is stream.close()


@streams
def test_a_last_event_without_its_blank_line_counts(stream_of):
    stream = stream_of(to=TO)
    stream.feed(WHOLE[stream_of][:-1])
    assert not stream.is_complete
    assert response_in(stream.close()).parts == (TextPart(content="Hi"),)


@streams
def test_an_event_that_cannot_be_read_costs_itself(stream_of):
    stream = stream_of(to=TO)
    stream.feed(FAULT[stream_of] + WHOLE[stream_of])
    got = stream.close()
    assert got.response.parts == (TextPart(content="Hi"),)
    assert [(one.code in ("invalid-json", "not-utf8"), one.at) for one in got.diagnostics] == [(True, "/events/0")]
    assert len(got.raw["events"]) == len(WHOLE[stream_of].split(b"\n\n"))


@streams
def test_a_stream_in_which_nothing_can_be_read_is_rejected(stream_of):
    stream = stream_of(to=TO)
    stream.feed(FAULT[stream_of] * 3)
    assert not stream.is_complete
    assert stream.close().code in ("invalid-json", "not-utf8")
    assert stream.close().problems[0].at == "/events/0"


@streams
def test_the_last_bytes_may_be_a_fault(stream_of):
    stream = stream_of(to=TO)
    stream.feed(FAULT[stream_of][:-2])
    assert response_in(stream.close()).code in ("invalid-json", "not-utf8")


@streams
@pytest.mark.parametrize("body", [b"", b": ping\n\n"], ids=["empty", "comment"])
def test_a_stream_without_content_is_no_answer(stream_of, body):
    stream = stream_of(to=TO)
    stream.feed(body)
    assert response_in(stream.close()).code == "not-a-message"


@streams
def test_the_arguments_are_of_the_right_kind(stream_of):
    with pytest.raises(UsageError, match="to must be"):
        stream_of(to="m1")
    with pytest.raises(UsageError, match="settings must be"):
        stream_of(to=TO, settings=7)
    stream = stream_of(to=TO, settings=Settings())
    with pytest.raises(UsageError, match="must be bytes"):
        stream.feed("data: x")
    response_in(stream.close())
    with pytest.raises(UsageError, match="is closed"):
        stream.feed(b"")


def test_an_unreadable_policy_is_an_error_of_its_transport():
    assert unreadable_policy("rest", " Pay me. ").message == "Pay me."
    assert unreadable_policy("a2a", " ").code == "a2a:policy-malformed"
