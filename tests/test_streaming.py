"""Streams of frames: one response in pieces, put together and taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    Assembler,
    CallError,
    CarriedPolicy,
    FilePart,
    Limits,
    LinkPart,
    NormalizedResponse,
    Streaming,
    TextPart,
    ToolCallPart,
    UsageError,
    WireError,
    policy,
    replace,
    split,
)
from mentionable._model.message import check_stream
from mentionable.testing import strategies
from tests.linearity import time_grows_linearly

FILE = FilePart.of(b"x", mime="text/csv")
LINK = LinkPart(url="https://x.example/")


def text(content, mime="text/plain", **extra):
    return TextPart(content=content, mime=mime, extra=extra)


def call(number=1, **members):
    return ToolCallPart(id=f"c{number}", name="look", args={}, **members)


def frame(seq, *parts, final=False, stream_id="s", reply_to="m1", **members):
    place = Streaming(stream_id=stream_id, seq=seq, final=final)
    members.setdefault("status", "ok" if final else "partial")
    return NormalizedResponse(reply_to=reply_to, parts=parts, streaming=place, **members)


def assembled(*frames):
    assembler = Assembler()
    for one in frames:
        assembler.add(one)
    return assembler


@given(
    strategies.answers("m1") | strategies.responses().map(lambda one: replace(one, status="ok", streaming=None)),
    strategies.names(),
    st.none() | st.integers(1, 25),
)
def test_what_is_split_comes_together_again(whole, stream_id, text_chars):
    frames = split(whole, stream_id=stream_id, text_chars=text_chars)
    check_stream(frames)
    assembler = Assembler()
    for one in frames:
        assert not assembler.is_complete
        assembler.add(one)
    assert assembler.is_complete
    assert assembler.response == whole


@given(st.lists(strategies.text_parts(), max_size=8).map(tuple), st.none() | st.integers(1, 6))
def test_texts_that_stand_apart_stay_apart(parts, text_chars):
    whole = NormalizedResponse(reply_to="m1", parts=parts)
    assert assembled(*split(whole, stream_id="s", text_chars=text_chars)).response == whole


def test_no_frame_has_more_text_than_asked_for():
    frames = split(NormalizedResponse(reply_to="m1", parts=(text("abcdefg"),)), stream_id="s", text_chars=3)
    assert [[part.content for part in one.parts] for one in frames] == [["abc"], ["def"], ["g"]]


def test_a_call_goes_out_as_running_and_then_as_it_ended():
    whole = NormalizedResponse(reply_to="m1", parts=(call(1, result=2, duration_ms=5), call(2), FILE))
    frames = split(whole, stream_id="s")
    assert [one.parts for one in frames] == [
        (call(1),),
        (call(1, result=2, duration_ms=5),),
        (call(2),),
        (FILE,),
    ]
    assert [one.status for one in frames] == ["partial"] * 3 + ["ok"]


def test_the_last_frame_says_how_it_went_and_has_the_policy():
    demand = CarriedPolicy(policy=policy.Forbidden(message="No"))
    whole = NormalizedResponse(reply_to="m1", parts=(text("a"), demand), status="error", extra={"x": 1})
    *_, last = split(whole, stream_id="s")
    assert (last.parts, last.status, last.extra, last.streaming.final) == ((demand,), "error", {"x": 1}, True)


def test_an_empty_answer_is_one_frame():
    frames = split(NormalizedResponse(reply_to="m1", parts=()), stream_id="s")
    assert [(one.parts, one.streaming) for one in frames] == [((), Streaming(stream_id="s", seq=0, final=True))]


@pytest.mark.parametrize("response", [frame(0), frame(0, final=True), replace(frame(0), streaming=None)])
def test_a_frame_is_not_split(response):
    with pytest.raises(UsageError, match="response must be a whole answer"):
        split(response, stream_id="s")


def test_pieces_of_text_have_at_least_one_character():
    with pytest.raises(UsageError, match="text_chars is 1 or more"):
        split(NormalizedResponse(reply_to="m1", parts=()), stream_id="s", text_chars=0)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ((text("a"),), (text("b"),), (text("ab"),)),
        ((text("a"),), (text("b"), text("c")), (text("ab"), text("c"))),
        ((text("a"), text("b")), (text("c"),), (text("a"), text("bc"))),
        ((text("a"),), (text("b", "text/html"),), (text("a"), text("b", "text/html"))),
        ((text("a", x=1),), (text("b"),), (text("a", x=1), text("b"))),
        ((text("a"),), (text("b", x=1),), (text("a"), text("b", x=1))),
        ((text("a"), LINK), (text("b"),), (text("a"), LINK, text("b"))),
        ((text("a"),), (LINK, text("b")), (text("a"), LINK, text("b"))),
        ((text("a"),), (), (text("a"),)),
        ((call(), text("a")), (call(result=1), text("b")), (call(result=1), text("a"), text("b"))),
        ((call(),), (call(2), call(result=1)), (call(result=1), call(2))),
        ((call(),), (call(error=CallError(message="no")),), (call(error=CallError(message="no")),)),
        ((call(result=1),), (call(result=1),), (call(result=1),)),
        ((FILE,), (FILE,), (FILE, FILE)),
    ],
)
def test_frames_add_up(first, second, together):
    assert assembled(frame(0, *first), frame(1, *second)).parts == together
    assert assembled(frame(0, *first), frame(7, *second, final=True)).response.parts == together


def test_text_goes_on_behind_a_frame_that_only_updates_a_call():
    assert assembled(frame(0, call(), text("a")), frame(1, call(result=1)), frame(2, text("b"))).parts == (
        call(result=1),
        text("ab"),
    )


def test_what_has_come_can_be_read_at_any_time():
    assembler = assembled()
    assert assembler.parts == ()
    for seq in range(3):
        assembler.add(frame(seq, text("x")))
        assert assembler.parts == (text("x" * (seq + 1)),)
    with pytest.raises(UsageError, match="the stream has not ended"):
        _ = assembler.response


KNOWN = (frame(0, call(1, result=1), call(2), text("a")), frame(3, text("b")))


@pytest.mark.parametrize(
    ("late", "at"),
    [
        (replace(frame(4), streaming=None), "/streaming"),
        (frame(3, text("b")), "/streaming/seq"),
        (frame(2, text("c")), "/streaming/seq"),
        (frame(0), "/streaming/seq"),
        (frame(4, text("c"), stream_id="other"), "/streaming/stream_id"),
        (frame(4, text("c"), reply_to="m2"), "/streaming/stream_id"),
        (frame(4, text("c"), call(1, result=2)), "/parts/1"),
        (frame(4, text("c"), call(1)), "/parts/1"),
        (frame(4, call(1, error=CallError(message="no")), final=True), "/parts/0"),
    ],
)
def test_a_frame_that_is_refused_changes_nothing(late, at):
    assembler = assembled(*KNOWN)
    before = assembler.parts
    with pytest.raises(WireError) as caught:
        assembler.add(late)
    assert (caught.value.code, caught.value.problems[0].at) == ("frame-refused", at)
    assert (assembler.parts, assembler.is_complete) == (before, False)
    assembler.add(frame(4, text("c"), final=True))
    assert assembler.response.parts == (*before[:2], text("abc"))


@pytest.mark.parametrize("late", [frame(1), frame(2, final=True), frame(1, final=True)])
def test_nothing_follows_the_final_frame(late):
    assembler = assembled(frame(0, text("a")), frame(1, final=True))
    with pytest.raises(WireError, match="the stream has ended"):
        assembler.add(late)
    assert assembler.response == NormalizedResponse(reply_to="m1", parts=(text("a"),))


@pytest.mark.parametrize("seq", [1, 5])
def test_the_first_frame_has_the_number_0(seq):
    with pytest.raises(WireError, match="the first frame has seq 0"):
        Assembler().add(frame(seq))


def test_parts_are_bounded():
    assembler = Assembler(limits=Limits(parts=3))
    assembler.add(frame(0, call(), text("a")))
    assembler.add(frame(1, text("b"), LINK))
    with pytest.raises(WireError) as caught:
        assembler.add(frame(2, call(result=1), text("c")))
    assert caught.value.code == "too-many-parts"
    assembler.add(frame(2, call(result=1), final=True))
    assert assembler.response.parts == (call(result=1), text("ab"), LINK)


def test_what_frames_come_to_is_bounded():
    assembler = Assembler(limits=Limits(a2a_bytes=3))
    assembler.add(frame(0, text("ab")))
    with pytest.raises(WireError) as caught:
        assembler.add(frame(1, text("cd")))
    assert caught.value.code == "too-large"
    assembler.add(frame(1, text("c")))
    assert assembler.parts == (text("abc"),)


@pytest.mark.parametrize(
    "part",
    [
        ToolCallPart(id="c", name="f", args="x" * 30),
        ToolCallPart(id="c", name="f", args=0, result=["x" * 30]),
        FilePart.of(bytes(30), mime="image/png"),
    ],
)
def test_parts_of_every_kind_count(part):
    assembler = Assembler(limits=Limits(a2a_bytes=30))
    with pytest.raises(WireError, match="too-large"):
        assembler.add(frame(0, part))
    assert assembler.parts == ()


def test_a_call_that_is_told_again_and_again_counts_each_time():
    assembler = Assembler(limits=Limits(a2a_bytes=100))
    for seq in range(12):
        assembler.add(frame(seq, ToolCallPart(id="c", name="f", args="x" * seq)))
    with pytest.raises(WireError, match="too-large"):
        assembler.add(frame(12, ToolCallPart(id="c", name="f", args="x" * 12)))


@pytest.mark.parametrize("wrong", ["x", None, 5])
def test_what_is_no_response_is_the_mistake_of_the_program(wrong):
    with pytest.raises(UsageError):
        Assembler().add(wrong)
    with pytest.raises(UsageError):
        split(wrong, stream_id="s")
    with pytest.raises(UsageError):
        Assembler(limits=wrong)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.booleans(),
            st.sampled_from(["s", "t"]),
            st.lists(
                st.sampled_from([text("a"), text("b", "text/html"), LINK, call(), call(result=1), call(2)]),
                max_size=3,
                unique_by=lambda part: getattr(part, "id", object()),
            ),
        ),
        max_size=8,
    )
)
def test_whatever_comes_an_assembler_ends_at_most_once_and_never_takes_back(moves):
    assembler = Assembler()
    for seq, final, stream_id, parts in moves:
        before, was_complete = assembler.parts, assembler.is_complete
        try:
            assembler.add(frame(seq, *parts, final=final, stream_id=stream_id))
        except WireError:
            assert (assembler.parts, assembler.is_complete) == (before, was_complete)
        else:
            assert not was_complete
            assert assembler.is_complete == final
            assert len(assembler.parts) >= len(before)


@pytest.mark.uncounted
def test_many_small_frames_take_time_by_their_number():
    frames = [frame(seq, text("x")) for seq in range(1 << 13)]
    time_grows_linearly(lambda count: assembled(*frames[:count]).parts, lambda size: size, size=200, largest=1 << 11)
