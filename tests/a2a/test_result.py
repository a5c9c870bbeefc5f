import json
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    CODES,
    ArtifactPart,
    FilePart,
    HttpResponse,
    InlineRef,
    Limits,
    NormalizedResponse,
    Problem,
    Rejected,
    ResponseError,
    TextPart,
    ToolCallPart,
    UsageError,
    a2a,
    replace,
)
from tests.a2a.questions import request
from tests.a2a.streams import ASKED, said, stands
from tests.answered import response_in


def result(body, *, status=200, headers=()):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    return response_in(a2a.result(HttpResponse(status=status, headers=headers, body=body), to=ASKED))


def task(state, *parts, metadata=None, **members):
    return {"id": "t1", "contextId": "c1", "status": stands(state, *parts, metadata=metadata), **members}


def texts(*contents):
    return tuple(TextPart(content=content) for content in contents)


@pytest.mark.parametrize(
    "body",
    [
        {"message": said("Hello!")},
        said("Hello!"),
        {"jsonrpc": "2.0", "id": 1, "result": {"message": said("Hello!")}},
        {"jsonrpc": "2.0", "id": 1, "result": {**said("Hello!"), "kind": "message", "role": "agent"}},
        {"message": {"messageId": "a1", "role": "ROLE_AGENT", "content": [{"text": "Hello!"}]}},
        {"task": task("TASK_STATE_COMPLETED", "Hello!")},
        {"kind": "task", **task("completed", "Hello!")},
    ],
)
def test_an_answer_is_read_in_any_dialect(body):
    assert (result(body).parts, result(body).status) == (texts("Hello!"), "ok")


MANY = 1_001
ODD = {"artifactId": "a", "parts": [5] * 600}


@pytest.mark.parametrize(
    "body",
    [
        {"task": task("TASK_STATE_COMPLETED", "Hi", artifacts=[5] * MANY)},
        {"task": task("TASK_STATE_COMPLETED", "Hi", artifacts=[{"artifactId": "a", "parts": [5] * MANY}])},
        {"task": task("TASK_STATE_COMPLETED", "Hi", artifacts=[ODD] * 2)},
        b"data: 5\n\n" * (100 + MANY),
    ],
)
def test_an_answer_with_more_faults_than_it_may_have_parts_is_rejected(body):
    headers = {"content-type": "text/event-stream"} if isinstance(body, bytes) else {}
    assert result(body, headers=headers).code == "too-many-parts"


def test_the_artifacts_of_a_task_come_after_its_message():
    artifacts = [{"artifactId": "r1", "name": "report", "parts": [{"text": "one"}]}]
    got = result({"task": task("TASK_STATE_COMPLETED", "Done.", artifacts=artifacts)})
    report = ArtifactPart(mime="text/plain", bytes_ref=InlineRef(data_base64="b25l"), name="report", artifact_type="r1")
    assert got.parts == (*texts("Done."), report)
    alone = result({"task": task("TASK_STATE_COMPLETED", artifacts=artifacts)})
    assert alone.parts == (report,)


def test_a_call_that_is_told_twice_is_one_call():
    call = {"toolCallId": "c1", "toolName": "search", "input": {"q": 1}}
    artifacts = [{"artifactId": "r1", "parts": [{"data": {"type": "tool-result", "toolCallId": "c1", "output": 2}}]}]
    got = result({"task": task("TASK_STATE_COMPLETED", {"data": call}, artifacts=artifacts)})
    assert got.parts == (ToolCallPart(id="c1", name="search", args={"q": 1}, result=2),)


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        ("TASK_STATE_FAILED", "a2a:failed", "The agent failed."),
        ("rejected", "a2a:rejected", "The agent declined."),
        ("TASK_STATE_CANCELLED", "a2a:canceled", "The task was canceled."),
    ],
)
def test_a_task_that_came_to_nothing_is_an_error(state, code, words):
    assert result(task(state)) == NormalizedResponse(
        reply_to=ASKED.id,
        parts=(),
        status="error",
        error=ResponseError(code=code, message=words, retriable=False),
        extra={"a2a": {"state": code.removeprefix("a2a:"), "task_id": "t1", "context_id": "c1"}},
    )
    got = result(task(state, "Out of", "paper."))
    assert got.error == ResponseError(code=code, message="Out of\n\npaper.", retriable=False)
    assert got.parts == texts("Out of", "paper.")


def hints(**error):
    return {"mentionable": {"error": error}}


@pytest.mark.parametrize(
    ("error", "expected", "parts"),
    [
        ({"code": "x", "retriable": True, "in_text": True}, ("x", "a\nb", True), ()),
        ({"code": "x", "retriable": 1, "message": "why"}, ("x", "why", False), ("a\nb",)),
        ({"code": "x", "message": 7}, ("x", "a\nb", False), ("a\nb",)),
        ({"code": 7}, None, ("a\nb",)),
        ({"in_text": True}, None, ()),
    ],
)
def test_an_error_of_this_library_is_read_back(error, expected, parts):
    whole = None if expected is None else ResponseError(code=expected[0], message=expected[1], retriable=expected[2])
    for body in (
        {"task": task("TASK_STATE_FAILED", "a\nb", metadata=hints(**error))},
        {"message": said("a\nb", metadata=hints(**error))},
    ):
        got = result(body)
        assert (got.status, got.error, got.parts) == ("error", whole, texts(*parts))


def test_a_task_that_was_done_is_no_error_whatever_it_says():
    assert result(task("completed", "a", metadata=hints(code="x"))).status == "ok"
    assert result(said("a", metadata={"mentionable": {"error": "x"}})).status == "ok"


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("input-required", "ok"),
        ("auth-required", "ok"),
        ("working", "partial"),
        ("submitted", "partial"),
        ("unknown", "partial"),
    ],
)
def test_a_task_that_is_not_over_says_how_to_go_on(state, status):
    got = result(task(state, "Which one?"))
    assert (got.status, got.parts) == (status, texts("Which one?"))
    assert got.extra == {"a2a": {"state": state, "task_id": "t1", "context_id": "c1"}}
    assert "context_id" not in result({**task(state), "contextId": None}).extra["a2a"]
    assert result(task("completed", "x")).extra["a2a"]["state"] == "completed"


def test_bytes_stay_inside_whatever_their_size():
    data = bytes(100_000)
    got = result(said({"raw": b64encode(data).decode(), "metadata": {"mentionable": {"sha256": "0" * 64}}}))
    reference = InlineRef(data_base64=b64encode(data).decode())
    assert got.parts == (FilePart(mime="application/octet-stream", bytes_ref=reference, size_bytes=100_000),)
    (part,) = result(said({"data": {"a": "b" * 100_000}})).parts
    assert isinstance(part.bytes_ref, InlineRef)


def test_a_whole_stream_is_read_too():
    body = b"data: " + json.dumps({"message": said("Hello!")}).encode() + b"\n\n"
    got = result(body, headers={"Content-Type": "text/event-stream; charset=utf-8"})
    assert got == NormalizedResponse(reply_to=ASKED.id, parts=texts("Hello!"))


def test_what_only_begins_like_a_stream_is_none():
    body = json.dumps({"message": said("Hello!")}).encode()
    assert result(body, headers={"Content-Type": "text/event-streams"}).parts == texts("Hello!")


@pytest.mark.parametrize(
    ("body", "code", "at"),
    [
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "No."}}, "peer-task-not-found", "/error"),
        ({"error": {"code": 404, "status": "NOT_FOUND"}}, "peer-not-found", "/error"),
        ({"error": "No."}, "peer-error", "/error"),
        ({"error": {"code": 10**30}}, "peer-error", "/error"),
        ({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {}}, "not-a-message", ""),
        ({"message": said("x"), "task": task("completed")}, "two-contents", ""),
        ({"statusUpdate": {}}, "stream-event", "/statusUpdate"),
        ({"task": {"id": "t1"}}, "wrong-type", "/task/status"),
        ({"message": {"kind": "message"}}, "missing-member", "/message/messageId"),
        ([], "wrong-type", ""),
        (b"<html>", "invalid-json", ""),
        (b"", "invalid-json", ""),
    ],
)
def test_what_cannot_be_read_is_rejected(body, code, at):
    got = result(body)
    assert (got.code, got.problems[0].at) == (code, at)


def test_the_number_of_an_error_is_told():
    got = result({"jsonrpc": "2.0", "id": 1, "error": {"code": -32001}})
    assert "-32001" in got.problems[0].rule


@pytest.mark.parametrize(
    ("status", "code", "temporary"),
    [
        (302, "peer-error", False),
        (401, "peer-unauthorized", False),
        (404, "peer-not-found", False),
        (500, "peer-error", False),
        (429, "peer-busy", True),
        (503, "peer-busy", True),
    ],
)
def test_a_status_that_is_no_success_is_the_peer_s_error(status, code, temporary):
    got = result({"message": said("x")}, status=status)
    assert (got.code, got.temporary) == (code, temporary)


def test_text_that_only_repeats_an_artifact_is_left_out():
    artifacts = [{"artifactId": "r1", "parts": [{"text": "Done."}]}]
    assert [part.kind for part in result({"task": task("completed", "Done.", artifacts=artifacts)}).parts] == [
        "artifact"
    ]


def test_the_limits_are_those_of_the_settings():
    few = a2a.Settings(limits=Limits(parts=2, a2a_bytes=300))
    for count, code in ((2, None), (3, "too-many-parts"), (30, "too-large")):
        body = json.dumps({"message": said(*["a"] * count)}).encode()
        for headers, data in (((), body), ({"content-type": "text/event-stream"}, b"data: " + body + b"\n\n")):
            response = HttpResponse(status=200, headers=headers, body=data)
            got = response_in(a2a.result(response, to=ASKED, settings=few))
            assert getattr(got, "code", None) == code


def test_the_arguments_are_of_the_right_kind():
    with pytest.raises(UsageError, match="settings must be"):
        response_in(a2a.result(HttpResponse(status=200), to=ASKED, settings=7))
    with pytest.raises(UsageError, match="response must be"):
        response_in(a2a.result(b"{}", to=ASKED))
    with pytest.raises(UsageError, match="to must be"):
        response_in(a2a.result(HttpResponse(status=200), to="m1"))


@given(st.binary(max_size=60) | st.sampled_from([b'{"task":', b'{"message":{}}', b'{"result":null,"jsonrpc":"2.0"}']))
def test_any_bytes_have_a_documented_outcome(body):
    for headers in ((), {"content-type": "text/event-stream"}):
        got = response_in(a2a.result(HttpResponse(status=200, headers=headers, body=body), to=ASKED))
        assert isinstance(got, Rejected)
        assert got.code in CODES


def test_a_call_never_runs_again():
    done = {"type": "tool-result", "toolCallId": "c1", "toolName": "s", "input": {"a": 1}, "output": 2}
    timed = {"durationMs": 5, "startedAt": "2026-11-21T20:56:00Z"}
    again = {"type": "tool-call", "toolCallId": "c1", "toolName": "t", "input": {"b": 1}}
    first = {"artifactId": "r1", "parts": [{"data": {**done, **timed}}]}
    events = [first, {"artifactId": "r2", "parts": [{"data": again}]}]
    body = b"".join(
        b"data: " + json.dumps({"artifactUpdate": {"artifact": artifact}}).encode() + b"\n\n" for artifact in events
    )
    got = result(body, headers={"content-type": "text/event-stream"})
    (call,) = got.parts
    assert call == ToolCallPart(
        id="c1", name="t", args={"b": 1}, result=2, duration_ms=5, started_at="2026-11-21T20:56:00Z"
    )
    assert replace(call, name="s").state == "ok"


LEAVES = st.sampled_from(
    [None, True, 7, "x", "", "agent", "working", "completed", "failed", "done", [], {}, [7], [{"text": "done"}]]
)
WHOLE = [
    {"message": said("done", {"data": {"data": {"a": 1}}})},
    {"message": {"messageId": "a1", "role": "ROLE_AGENT", "content": [{"data": {"data": {"a": 1}}}]}},
    {"kind": "message", **said("done"), "role": "agent"},
    {"task": task("TASK_STATE_COMPLETED", "done", artifacts=[{"artifactId": "r1", "parts": [{"text": "done"}]}])},
    {
        "kind": "task",
        **task(
            "failed",
            "x",
            {"data": {"toolCallId": "c", "toolName": "s", "input": 1}},
            metadata=hints(code="x"),
            artifacts=[
                {"artifactId": "r1", "name": "n", "parts": [{"data": {"toolCallId": "c", "output": 2}}]},
                {"artifactId": "s1", "metadata": {"mentionable": {"streaming": {"seq": 0}}}, "parts": [{"text": "y"}]},
                {"artifactId": "r1", "parts": [{"raw": "aGk="}, {"text": "b"}]},
            ],
        ),
    },
]


def objects_in(value):
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(inner)


@st.composite
def bodies(draw):
    """A message or a task, some of its members changed or taken away, maybe as the result of a call."""
    body = json.loads(json.dumps(draw(st.sampled_from(WHOLE))))
    for _ in range(draw(st.integers(0, 3))):
        changed = draw(st.sampled_from([found for found in objects_in(body) if found] or [body]))
        name = draw(st.sampled_from([*sorted(changed), "name", "content", "final", "artifact_id"]))
        if draw(st.booleans()):
            changed.pop(name, None)
        else:
            changed[name] = draw(LEAVES)
    return {"jsonrpc": "2.0", "id": 1, "result": body} if draw(st.booleans()) else body


@given(bodies(), st.integers(1, 5))
def test_a_body_is_what_a_stream_that_says_it_is(body, parts):
    few = a2a.Settings(limits=Limits(parts=parts))
    data = json.dumps(body).encode()
    got = response_in(a2a.result(HttpResponse(status=200, body=data), to=ASKED, settings=few))
    stream = a2a.ResultStream(to=ASKED, settings=few)
    stream.feed(b"data: " + data + b"\n\n")
    streamed = response_in(stream.close())
    if getattr(got, "code", None) == "stream-event":  # a frame is an answer only among others
        return
    if isinstance(streamed, Rejected):
        streamed = replace(
            streamed, problems=[Problem(one.at.removeprefix("/events/0"), one.rule) for one in streamed.problems]
        )
        got = replace(got, problems=[*got.problems])
    assert streamed == got


@pytest.mark.parametrize("way", ["1.0", "1.0-rest", "0.3", "0.3-rest"])
@pytest.mark.parametrize(("code", "expected"), [("lookup-failed", "peer-busy"), ("missing-member", "peer-error")])
def test_a_refusal_of_this_library_says_whether_to_ask_again(way, code, expected):
    refused = a2a.error_response(Rejected(code=code), request=request(way))
    assert response_in(a2a.result(refused, to=ASKED)).code == expected


@pytest.mark.parametrize("data", [None, 7, [], [7], {}, {"code": 7}, {"code": ["lookup-failed"]}, [{"metadata": 7}]])
def test_other_refusals_are_errors(data):
    assert (
        result({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "No.", "data": data}}).code
        == "peer-error"
    )
