import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, Rejected, Settings
from mentionable.rest import ResultStream
from tests.answered import response_in
from tests.rest.asking import message

TO = message()
START = {"v": "v0.1", "agent": "@b@b.example", "session": "s1"}
CALL = {"kind": "tool_call", "id": "c", "name": "n", "args": {}}


def event(name, value):
    return f"event: {name}\ndata: {json.dumps(value)}\n\n".encode()


def text(content):
    return f"data: {content}\n\n".encode()


def stream(*events, limits=None):
    reader = ResultStream(to=TO, settings=Settings(limits=limits or Limits()))
    frames = [frame for one in events for frame in reader.feed(one)]
    return reader, frames


def read(*events, **facts):
    return response_in(stream(*events, **facts)[0].close())


def places(*events):
    return [(one.code, one.at) for one in stream(*events)[0].close().diagnostics]


def contents(got):
    return [part.content for part in got.parts]


def test_markdown_goes_on():
    got = read(text("Hel"), text("lo"))
    assert (contents(got), got.parts[0].mime, got.status) == (["Hello"], "text/markdown", "ok")


def test_frames_show_what_is_new():
    reader, frames = stream(event("start", START), text("a"), event("tool_call", CALL), text("b"), event("end", {}))
    assert [frame.parts[0].kind for frame in frames] == ["text", "tool_call", "text"]
    assert [frame.streaming.seq for frame in frames] == [0, 1, 2]
    assert {frame.status for frame in frames} == {"partial"}
    assert reader.is_complete
    assert reader.close() is reader.close()


def test_a_text_may_be_a_part_of_its_own_or_of_another_kind():
    plain, own = {"mime": "text/plain", "continues": True}, {"mime": "text/markdown", "continues": False}
    events = [text("a"), event("text", own), text("b"), text("c")]
    got = read(*events, event("text", plain), text("d"), event("text", plain), text("e"))
    assert [(part.content, part.mime) for part in got.parts] == [
        ("a", "text/markdown"),
        ("bc", "text/markdown"),
        ("de", "text/plain"),
    ]


def test_a_call_is_brought_up_to_date_until_it_has_ended():
    ended, other = {**CALL, "result": 1}, {**CALL, "result": 2}
    reader, frames = stream(event("tool_call", CALL), text("a"), event("tool_call", ended), event("tool_call", other))
    got = response_in(reader.close())
    assert [part.kind for part in got.parts] == ["tool_call", "text"]
    assert got.parts[0].result == 1
    assert len(frames) == 3


def test_a_call_need_not_say_that_it_is_one():
    assert read(event("tool_call", {"id": "c", "name": "n", "args": 1})).parts[0].args == 1


def test_other_parts_are_json():
    link = {"kind": "link", "url": "https://a.example/"}
    assert read(event("part", link)).parts[0].url == "https://a.example/"


def test_unknown_events_are_nothing():
    assert contents(read(event("ping", 7), text("a"), b": comment\n\n")) == ["a"]


def test_the_session_is_told_with_every_answer():
    got = read(event("start", START), text("a"), event("end", {"status": "ok"}))
    assert got.extra == {"rest": {"session": "s1"}}
    assert read(event("start", {**START, "session": 7}), text("a")).extra == {}


def test_a_stream_of_ours_that_broke_off_is_partial():
    assert read(event("start", START), text("a")).status == "partial"
    assert read(event("start", START), text("a"), event("end", {"status": "ok"})).status == "ok"


def test_a_stream_may_fail():
    error = {"code": "x", "message": "Broken.", "retriable": False}
    got = read(event("start", START), text("a"), event("end", {"status": "error", "error": error}), text("late"))
    assert (got.status, got.error.message, contents(got)) == ("error", "Broken.", ["a"])


def test_a_demand_is_the_last_part():
    demand = {"kind": "forbidden", "message": "No.", "url": "https://evil.example/"}
    events = event("start", START), event("policy", demand), text("a"), event("end", {})
    got = read(*events)
    assert [part.kind for part in got.parts] == ["text", "policy"]
    assert (got.status, got.parts[1].policy.url, got.extra["rest"]["session"]) == ("ok", None, "s1")
    assert places(*events) == [("url-refused", "/events/1/url")]
    assert read(event("policy", {**demand, "url": None})).extra == {}


def test_a_demand_that_cannot_be_read_is_no_success():
    got = read(text("Pay me."), event("policy", {"kind": "forbidden"}))
    assert (got.status, got.error.code, got.error.message) == ("error", "rest:policy-malformed", "Pay me.")
    assert read(event("policy", {})).error.message == "The agent demands something that cannot be read."
    error = {"code": "x", "message": "Broken.", "retriable": False}
    assert read(event("policy", {}), event("end", {"status": "error", "error": error})).error.code == "x"


def test_of_two_demands_none_counts():
    demand, other = {"kind": "forbidden", "message": "No."}, {"kind": "forbidden", "message": "Never."}
    for first, second in ((demand, other), (demand, demand), ({}, demand), (demand, {})):
        events = event("policy", first), event("policy", second), event("policy", demand), event("end", {})
        got = read(*events)
        assert (got.parts, got.status, got.error.code) == ((), "error", "rest:policy-malformed")
        assert places(*events)[-2:] == [("policy-malformed", "/events/1"), ("policy-malformed", "/events/2")]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([b"data: \xff\n\n"], "not-utf8"),
        ([b"event: tool_call\ndata: {\n\n"], "invalid-json"),
        ([event("tool_call", [])], "wrong-type"),
        ([event("tool_call", {"id": 1})], "malformed"),
        ([event("part", CALL)], "unknown-value"),
        ([event("part", {"kind": "policy", "policy": {"kind": "forbidden", "message": "a"}})], "unknown-value"),
        ([event("text", {"mime": "image/png"})], "unknown-value"),
        ([event("text", {})], "unknown-value"),
        ([event("start", 7)], "wrong-type"),
        ([event("end", {"status": "fine"})], "malformed"),
        ([], "not-a-message"),
        ([b"event: ping\ndata: 1\n\n"], "not-a-message"),
    ],
    ids=range(12),
)
def test_what_cannot_be_read_is_rejected(events, code):
    got = read(*events)
    assert isinstance(got, Rejected)
    assert got.code == code


def test_too_much_is_rejected():
    assert read(text("a"), limits=Limits(a2a_bytes=8)).code == "too-large"
    assert contents(read(text("a"), limits=Limits(a2a_bytes=9))) == ["a"]
    link = {"kind": "link", "url": "https://a.example/"}
    assert read(text("a"), event("part", link), limits=Limits(parts=1)).code == "too-many-parts"
    assert contents(read(text("a"), text("b"), limits=Limits(parts=1))) == ["ab"]


EVENTS = st.sampled_from(
    [
        text("a"),
        b"data: \n\n",
        event("tool_call", CALL),
        event("tool_call", {**CALL, "result": None}),
        event("text", {"mime": "text/plain"}),
        event("part", {"kind": "x"}),
        event("start", START),
        event("end", {}),
        event("policy", {}),
        b"event: part\ndata: {",
        b"\r",
        b"\n",
        b"data",
    ]
)


@given(st.lists(EVENTS, max_size=8), st.integers(1, 20))
def test_pieces_of_any_size_say_the_same(events, size):
    whole = b"".join(events)
    reader = ResultStream(to=TO)
    for at in range(0, len(whole), size):
        reader.feed(whole[at : at + size])
    assert response_in(reader.close()) == read(whole)


def test_a_part_that_does_not_fit_costs_itself():
    events = event("part", {"kind": "text"}), event("tool_call", {**CALL, "duration_ms": "7"}), event("end", {})
    assert [part.kind for part in read(*events).parts] == ["tool_call"]
    assert places(*events) == [("member-dropped", "/events/0"), ("member-dropped", "/events/1/duration_ms")]


ODD = event("part", {"kind": "text", "mime": "text/plain", "content": 5})


def test_what_was_dropped_is_named_while_it_is_not_too_much():
    events = [*[ODD] * 150, text("Hi")]
    answered = stream(*events)[0].close()
    assert places(*events)[98:] == [("member-dropped", "/events/98"), ("diagnostics-omitted", "")]
    assert (len(answered.diagnostics), answered.diagnostics[-1].detail) == (100, "51 more")
    assert contents(answered.response) == ["Hi"]


@pytest.mark.parametrize("last", [ODD, event("part", {"kind": "link", "url": "https://a.example/"}), text("Hi")])
def test_parts_that_were_dropped_are_parts(last):
    few = Limits(parts=2)
    assert read(ODD, ODD, limits=few).parts == ()
    got = read(ODD, ODD, last, limits=few)
    assert (got.code, got.problems[0].at) == ("too-many-parts", "/events/2")


def test_what_the_end_says_is_named_there():
    end = event("end", {"status": "error", "error": {"code": 5}})
    assert places(text("Hi"), end) == [("member-dropped", "/events/1/error")]


def test_a_policy_that_cannot_be_read_is_never_lost():
    for first, second in (
        (b"{", {"kind": "forbidden", "message": "No."}),
        ({"kind": "forbidden", "message": "No."}, b"{"),
    ):
        events = [text("a")]
        for one in (first, second):
            events.append(b"event: policy\ndata: {\n\n" if one == b"{" else event("policy", one))
        got = read(*events, event("end", {}))
        assert (got.status, got.error.code) == ("error", "rest:policy-malformed")


def test_an_end_that_cannot_be_read_ends_nothing_well():
    stream_, _ = stream(text("a"), b"event: end\ndata: {\n\n", text("b"))
    got = stream_.close()
    assert (got.response.status, contents(got.response)) == ("partial", ["a"])
    assert [one.at for one in got.diagnostics] == ["/events/1"]
