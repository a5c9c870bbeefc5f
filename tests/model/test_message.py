from __future__ import annotations

import attrs
import pytest

from mentionable import (
    CarriedPolicy,
    HistoricalMessage,
    LinkPart,
    NormalizedMessage,
    NormalizedResponse,
    PolicyResolution,
    PushBackHint,
    ResponseError,
    Sender,
    Streaming,
    TextPart,
    ToolCallPart,
    UsageError,
    check_stream,
    policy,
)
from tests.samples import MESSAGE

HELPER = "@helper@agents.example"
CALL = ToolCallPart(id="c", name="n", args={})


def turn(role: str, address: str) -> HistoricalMessage:
    return HistoricalMessage(role=role, sender=Sender(address=address), parts=(), timestamp="2026-11-21T20:56:00Z")


@pytest.mark.parametrize(("role", "address"), [("user", "@alice@a.example"), ("assistant", HELPER)])
def test_the_assistant_is_the_recipient(role, address):
    other = "assistant" if role == "user" else "user"
    assert attrs.evolve(MESSAGE, history=(turn(role, address),)).history[0].role == role
    with pytest.raises(UsageError, match="a turn of history is 'assistant' exactly when its sender is the recipient"):
        attrs.evolve(MESSAGE, history=(turn(other, address),))


@pytest.mark.parametrize(
    ("member", "wrong", "rule"),
    [
        ("id", "", "expected a non-empty string"),
        ("thread_id", "", "expected a non-empty string"),
        ("in_reply_to", "", "expected a non-empty string"),
        ("recipient", "helper@agents.example", "expected a canonical address @local@domain"),
        ("parts", [], "expected a tuple, not list"),
        ("parts", ("x",), r"\[0\]: expected TextPart, .* or UnknownPart, not str"),
        ("received_via", "slack", "expected 'activitypub' or 'a2a' or 'email' or 'rest' or 'connector'$"),
        ("received_at", "now", "expected an RFC 3339 timestamp with an offset"),
        ("raw", object(), "expected JSON: object is not a JSON value"),
        ("sender", None, "expected Sender, not None"),
        ("recipient_capabilities", None, "expected RecipientCapabilities, not None"),
        ("policy_resolution", {}, "expected PolicyResolution, not dict"),
        ("received_trace", {}, "expected NormalizedResponse, not dict"),
    ],
)
def test_a_message_is_checked_when_it_is_made(member, wrong, rule):
    with pytest.raises(UsageError, match=rf"NormalizedMessage\.{member}: {rule}"):
        attrs.evolve(MESSAGE, **{member: wrong})


def test_what_the_platform_offers_is_required():
    members = {a.name: getattr(MESSAGE, a.name) for a in attrs.fields(NormalizedMessage)}
    del members["recipient_capabilities"]
    with pytest.raises(TypeError, match="recipient_capabilities"):
        NormalizedMessage(**members)


def test_a_message_may_have_no_parts_and_a_resolution():
    resolution = PolicyResolution(
        in_reply_to_state="s",
        kind="consent_required",
        confirmation=policy.ConsentConfirmation(scope_hash="h"),
        verified_by="me",
    )
    made = attrs.evolve(MESSAGE, parts=(), policy_resolution=resolution)
    assert (made.parts, made.policy_resolution) == ((), resolution)


@pytest.mark.parametrize("way", ["rest", "connector"])
def test_a_message_may_come_by_ways_that_an_answer_cannot_be_sent_to(way):
    assert attrs.evolve(MESSAGE, received_via=way).received_via == way
    with pytest.raises(UsageError, match=r"PushBackHint\.channel: expected 'activitypub' or 'a2a' or 'email'$"):
        PushBackHint(channel=way)


def test_raw_is_not_shown():
    assert "raw" not in repr(MESSAGE)


def test_raw_can_be_looked_at_on_the_class():
    assert NormalizedMessage.raw is vars(NormalizedMessage)["raw"]


def test_a_response_answers_a_message_in_markdown():
    link = LinkPart(url="https://a.example/")
    response = NormalizedResponse.to(MESSAGE, "**Hi**", link, status="partial")
    assert response.reply_to == MESSAGE.id
    assert response.parts == (TextPart(content="**Hi**", mime="text/markdown"), link)
    assert response.status == "partial"


def test_a_tool_call_appears_once_in_a_response():
    again = attrs.evolve(CALL, result=1)
    with pytest.raises(UsageError, match="the ids of tool_call parts must be unique within a response"):
        NormalizedResponse(reply_to="m", parts=(CALL, again))


def test_a_final_frame_is_not_partial():
    final = Streaming(stream_id="s", seq=0, final=True)
    with pytest.raises(UsageError, match="the final frame of a stream is 'ok' or 'error', not 'partial'"):
        NormalizedResponse(reply_to="m", parts=(), status="partial", streaming=final)


def test_an_answer_may_go_elsewhere_and_an_error_says_why():
    error = ResponseError(code="busy", message="Later", retriable=True)
    response = NormalizedResponse(
        reply_to="m", parts=(), status="error", error=error, push_back=PushBackHint(channel="email", thread_ref="<1@a>")
    )
    assert response.push_back.channel == "email"
    with pytest.raises(UsageError, match=r"PushBackHint\.channel: expected 'activitypub' or 'a2a' or 'email'"):
        PushBackHint(channel="slack")


def frames(*places):
    return [
        NormalizedResponse(
            reply_to="m",
            parts=(),
            status="ok" if final else "partial",
            streaming=Streaming(stream_id=stream, seq=seq, final=final),
        )
        for stream, seq, final in places
    ]


@pytest.mark.parametrize(
    "places",
    [[("s", 0, True)], [("s", 0, False), ("s", 1, True)], [("s", 0, False), ("s", 5, False), ("s", 7, True)]],
)
def test_a_whole_stream(places):
    check_stream(frames(*places))


@pytest.mark.parametrize(
    ("places", "rule"),
    [
        ([], "the last frame must be final"),
        ([("s", 0, False)], "the last frame must be final"),
        ([("s", 1, True)], "the first frame has seq 0"),
        ([("s", 0, True), ("s", 1, True)], "the stream has ended"),
        ([("s", 0, False), ("t", 1, True)], "the frame is of another stream"),
        ([("s", 0, False), ("s", 0, True)], "seq must rise"),
        ([("s", 0, False), ("s", 2, False), ("s", 1, True)], "seq must rise"),
    ],
)
def test_a_broken_stream(places, rule):
    with pytest.raises(UsageError, match=rule):
        check_stream(frames(*places))


def test_a_frame_says_its_place():
    with pytest.raises(UsageError, match="a frame says where it stands"):
        check_stream([NormalizedResponse(reply_to="m", parts=())])


def test_a_failure_says_why_for_people_and_for_programs():
    whole = MESSAGE
    failed = NormalizedResponse.failed(whole, "Try later.", code="upstream-down", retriable=True)
    assert (failed.reply_to, failed.parts, failed.status) == (whole.id, (), "error")
    assert failed.error == ResponseError(code="upstream-down", message="Try later.", retriable=True)


@pytest.mark.parametrize(
    "make", [NormalizedResponse.to, lambda to, text: NormalizedResponse.failed(to, text, code="x")]
)
def test_what_is_answered_is_a_message(make):
    with pytest.raises(UsageError, match="message must be"):
        make("m1", "Hello")


def test_a_frame_that_is_not_the_last_is_partial():
    frame = NormalizedResponse(
        reply_to="m", parts=(), status="ok", streaming=Streaming(stream_id="s", seq=0, final=False)
    )
    with pytest.raises(UsageError, match="'partial' unless it is the final one"):
        check_stream([frame])


def test_a_policy_becomes_a_part_of_an_answer():
    demand = policy.Forbidden(message="no")
    assert NormalizedResponse.to(MESSAGE, "Sorry.", demand).parts[1] == CarriedPolicy(policy=demand)
