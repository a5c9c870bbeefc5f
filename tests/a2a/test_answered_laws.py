"""Nothing of an answer or a request is lost: each member is found in the value, in `raw`, or named by a diagnostic."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Answers, HttpRequest, HttpResponse, Rejected, a2a, drive, encode
from tests.a2a.canaries import Writer
from tests.a2a.questions import FACTS
from tests.a2a.streams import ASKED

WAYS = ["1.0", "1.0-rest", "0.3", "0.3-rest"]
STREAM = {"content-type": "text/event-stream"}


def check(words, value):
    """Every word is in the value, of which `raw` is a member."""
    seen = json.dumps(value if isinstance(value, dict) else encode(value), ensure_ascii=False)
    assert [word for word in words if word not in seen] == []


def check_places(got):
    """Every diagnostic points into `raw`: what it names is there, or would stand there."""
    for one in got.diagnostics:
        value, (*tokens, _) = got.raw, one.at.split("/")[1:] or ("",)
        for token in tokens:
            value = value[int(token)] if isinstance(value, list) else value[token]


def whole(body):
    return a2a.result(HttpResponse(status=200, body=json.dumps(body).encode()), to=ASKED)


def event(made):
    return b"data: " + json.dumps(made).encode() + b"\n\n"


@given(st.sampled_from(WAYS), st.sampled_from(["task", "message"]), st.data())
def test_nothing_of_a_whole_answer_is_lost(way, kind, data):
    writer = Writer(way, data.draw)
    body = writer.wrapped(kind, writer.task() if kind == "task" else writer.message())
    got = whole(body)
    check(writer.words, got)
    assert got.raw == body
    check_places(got)


@given(st.sampled_from(WAYS), st.data())
def test_nothing_of_a_stream_is_lost(way, data):
    writer = Writer(way, data.draw)
    made = [writer.wrapped(*writer.event()) for _ in range(data.draw(st.integers(1, 4)))]
    stream = a2a.ResultStream(to=ASKED)
    came = []
    for one in made:
        if not stream.is_complete:
            came.append(one)
            stream.feed(event(one))
    got = stream.close()
    seen = json.dumps(came)
    check([word for word in writer.words if word in seen], got)
    assert got.raw == {"events": came}
    check_places(got)


@given(st.sampled_from(WAYS), st.data())
def test_nothing_of_a_request_is_lost(way, data):
    writer = Writer(way, data.draw)
    params = {
        "message": writer.message("user"),
        "configuration": {writer.word(): writer.word()},
        "metadata": {writer.word(): writer.word()},
        "tenant": writer.word(),
        writer.word(): writer.data(),
    }
    body, path = params, "/v1/message:send" if way == "0.3-rest" else "/message:send"
    if not way.endswith("rest"):
        method = "SendMessage" if way == "1.0" else "message/send"
        body, path = {"jsonrpc": "2.0", "id": "7", "method": method, "params": params, "x": writer.word()}, ""
    request = HttpRequest(
        method="POST",
        url=f"https://agents.example/helper{path}",
        headers={} if way.startswith("0.3") else {"a2a-version": "1.0"},
        body=json.dumps(body).encode(),
    )
    got = drive(a2a.receive(request, **FACTS), Answers())
    if not isinstance(got, Rejected):  # a broken part of a question rejects it
        check(writer.words, got.message)


@given(st.sampled_from(WAYS), st.booleans(), st.data())
def test_nothing_of_a_task_that_is_asked_for_is_lost(way, is_page, data):
    writer = Writer(way, data.draw)
    task = writer.task()
    result, at = ({"tasks": [task]}, "/tasks/0") if is_page else (task, "")
    body = result
    if not way.endswith("rest"):
        body, at = {"jsonrpc": "2.0", "id": 1, "result": result, "x-around": writer.word()}, f"/result{at}"
    operation = a2a.ListTasks() if is_page else a2a.GetTask(task_id="t1")
    got = a2a.operation_result(HttpResponse(status=200, body=json.dumps(body).encode()), operation=operation)
    named = [member_at(body, one.at) for one in got.diagnostics if one.code != "time-assumed"]
    named += [task["status"].get("timestamp")]  # an assumed time is none
    check(writer.words, {"value": encode(got.value), "named": named})


def member_at(value, place):
    """What a JSON Pointer points to, and its name."""
    tokens = place.split("/")[1:]
    for token in tokens:
        token = token.replace("~1", "/").replace("~0", "~")
        value = value[int(token)] if isinstance(value, list) else value[token]
    return [tokens[-1:], value]


@pytest.mark.parametrize("way", WAYS)
@given(st.data())
def test_nothing_of_an_operation_is_lost(way, data):
    writer = Writer(way, data.draw)
    params = {"id": writer.word(), "metadata": writer.data(), writer.word(): writer.data(), "x": [writer.word()]}
    path, body = f"/v1/tasks/{params['id']}:cancel", {name: one for name, one in params.items() if name != "id"}
    if not way.endswith("rest"):
        method = "CancelTask" if way == "1.0" else "tasks/cancel"
        path, body = "", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    request = HttpRequest(method="POST", url=f"https://agents.example{path}", body=json.dumps(body).encode())
    check(writer.words, encode(drive(a2a.receive_operation(request, now=FACTS["now"]), Answers()).operation))


@given(st.sampled_from(WAYS), st.data())
def test_nothing_of_a_result_that_is_received_is_lost(way, data):
    writer = Writer(way, data.draw)
    unit = {"task": writer.task()}
    got = drive(a2a.receive(unit, caller=a2a.RemoteAgent(address="@peer@peer.example"), **FACTS), Answers())
    if not isinstance(got, Rejected):
        check(writer.words, got.message)


@pytest.mark.parametrize("way", WAYS)
@given(st.data())
def test_the_same_task_whole_and_streamed_gives_equal_parts(way, data):
    writer = Writer(way, data.draw)
    question = writer.message("user")
    reports = [writer.message() for _ in range(data.draw(st.integers(0, 3)))]
    artifacts = [writer.artifact() for _ in range(data.draw(st.integers(0, 2)))]
    status = writer.status(data.draw(st.sampled_from(["completed", "failed", "input-required"])))
    place = {"id": "t1", "contextId": "c1"}
    task = {**place, "status": status, "artifacts": artifacts, "history": [question, *reports]}
    opened = {**place, "status": {"state": writer.state("submitted"), "message": question}}
    events = [("task", opened)]
    events += [
        ("statusUpdate", writer.update({"state": writer.state("working"), "message": report})) for report in reports
    ]
    events += [("artifactUpdate", writer.chunk(artifact)) for artifact in artifacts]
    events.append(("statusUpdate", writer.update(status)))
    body = b"".join(event(writer.wrapped(*one)) for one in events)
    streamed = a2a.result(HttpResponse(status=200, headers=STREAM, body=body), to=ASKED).response
    got = whole(writer.wrapped("task", task)).response
    assert got.parts == streamed.parts
    assert (got.status, got.error) == (streamed.status, streamed.error)
