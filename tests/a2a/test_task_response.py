"""A question is answered with its task as it is stored, or with what became of the task."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from mentionable import Answers, HttpRequest, Limits, Settings, StoredTask, UsageError, a2a, drive, replace

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TASK = StoredTask(
    id="t1",
    context_id="c1",
    owner="@alice@a.example",
    state="working",
    updated_at="2026-11-21T20:56:00Z",
    history=({"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]},),
)
ALICE = a2a.Caller(subject="alice@a.example")
UPDATE = {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}}


def asked(method: str = "", path: str = "", *, version: str = "1.0", caller=ALICE):
    """A question as it was received."""
    old = version == "0.3" and not path
    part = {"kind": "text", "text": "Hi"} if old else {"text": "Hi"}
    name = "content" if version == "0.3" and path else "parts"
    message = {"messageId": "m1", "taskId": "t1", "role": "user" if old else "ROLE_USER", name: [part]}
    document = {"message": message}
    if method:
        document = {"jsonrpc": "2.0", "id": 7, "method": method, "params": document}
    request = HttpRequest(method="POST", url=f"https://agents.example{path}", body=json.dumps(document).encode())
    return drive(
        a2a.receive(request, recipient="@helper@agents.example", caller=caller, now=NOW, entropy=bytes(32)), Answers()
    ).message


def events(response):
    return [json.loads(line[6:]) for line in response.body.decode().splitlines() if line.startswith("data: ")]


def test_a_question_of_v1_gets_the_task_in_its_binding():
    response = a2a.task_response(TASK, to=asked("SendMessage"))
    document = json.loads(response.body)
    assert (document["id"], response.status) == (7, 200)
    task = document["result"]["task"]
    assert (task["id"], task["contextId"], task["status"]["state"]) == ("t1", "c1", "TASK_STATE_WORKING")
    assert [message["messageId"] for message in task["history"]] == ["m1"]
    assert json.loads(a2a.task_response(TASK, to=asked(path="/message:send")).body)["task"] == task


def test_a_question_of_v03_gets_the_task_in_its_form():
    task = json.loads(a2a.task_response(TASK, to=asked("message/send", version="0.3")).body)["result"]
    assert (task["kind"], task["status"]["state"], task["history"][0]["role"]) == ("task", "working", "user")
    rest = json.loads(a2a.task_response(TASK, to=asked(path="/v1/message:send", version="0.3")).body)["task"]
    assert rest["history"][0]["content"] == [{"text": "Hi"}]


def test_a_question_for_a_stream_gets_the_task_and_then_what_becomes_of_it():
    question = asked("SendStreamingMessage")
    first, then = a2a.task_response(TASK, to=question), a2a.task_response(UPDATE, to=question)
    assert first.header("content-type") == "text/event-stream"
    [opening], [update] = events(first), events(then)
    assert (opening["id"], opening["result"]["task"]["id"]) == (7, "t1")
    assert update["result"] == UPDATE
    [old] = events(a2a.task_response(UPDATE, to=asked("message/stream", version="0.3")))
    assert (old["result"]["kind"], old["result"]["final"]) == ("status-update", True)


def test_who_takes_no_stream_gets_no_event():
    with pytest.raises(UsageError, match="takes no stream"):
        a2a.task_response(UPDATE, to=asked("SendMessage"))


@pytest.mark.parametrize("answer", [None, {}, {"kind": "status-update"}, "t1"])
def test_nothing_else_is_an_answer(answer):
    with pytest.raises(UsageError, match=r"Outgoing\.updates"):
        a2a.task_response(answer, to=asked("SendStreamingMessage"))


def limited(most):
    return Settings(limits=Limits(a2a_bytes=most))


@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage", "message/send", "message/stream"])
def test_of_a_task_that_is_too_large_the_newest_messages_are_shown(method):
    history = tuple({**TASK.history[0], "messageId": f"m{number}", "parts": [{"text": "x" * 900}]} for number in "1234")
    to = asked(method, version="0.3" if "/" in method else "1.0")
    response = a2a.task_response(replace(TASK, history=history), to=to, settings=limited(2_600))
    result = json.loads(response.body.decode().removeprefix("data: "))["result"]
    assert [turn["messageId"] for turn in result.get("task", result)["history"]] == ["m3", "m4"]


@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage"])
def test_a_task_that_is_too_large_without_its_history_is_answered_with_an_error(method):
    response = a2a.task_response(TASK, to=asked(method), settings=limited(100))
    assert response.body.startswith(b"data: ") == ("Streaming" in method)
    error = json.loads(response.body.decode().removeprefix("data: "))["error"]
    assert (error["code"], error["data"][0]["metadata"]["code"]) == (-32602, "answer-too-large")


def test_over_rest_the_error_has_a_status():
    response = a2a.task_response(TASK, to=asked(path="/message:send"), settings=limited(100))
    assert (response.status, json.loads(response.body)["error"]["code"]) == (400, 400)


def test_an_event_is_no_larger_than_a_body_may_be():
    with pytest.raises(UsageError, match="at most 50"):
        a2a.task_response(UPDATE, to=asked("SendStreamingMessage"), settings=limited(50))


def test_the_task_must_be_that_of_the_question_and_of_its_sender():
    with pytest.raises(UsageError, match="another task"):
        a2a.task_response(replace(TASK, id="t2"), to=asked("SendMessage"))
    for caller in (None, a2a.Caller(subject="bob@b.example")):
        with pytest.raises(UsageError, match="another caller"):
            a2a.task_response(TASK, to=asked("SendMessage", caller=caller))
    other = {"statusUpdate": {**UPDATE["statusUpdate"], "taskId": "t2"}}
    with pytest.raises(UsageError, match="event of another task"):
        a2a.task_response(other, to=asked("SendStreamingMessage"))


@pytest.mark.parametrize(
    "call",
    [
        lambda: a2a.task_response(TASK, to=None),
        lambda: a2a.wants_stream(None),
        lambda: a2a.dialect_of("m1"),
        lambda: a2a.status_update({"id": "t1"}),
    ],
    ids=range(4),
)
def test_a_message_or_task_of_the_wrong_kind_is_the_programs_fault(call):
    with pytest.raises(UsageError):
        call()
