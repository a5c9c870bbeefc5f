"""What operations are answered with the SDKs read strictly, and write again as it was."""

from __future__ import annotations

import json

import pytest

from mentionable import Rejected, a2a
from tests.a2a.operations import ANSWER, ARTIFACT, CARD, CONFIG, DIALECTS, TIME, asked, stored
from tests.interop.test_a2a_answers import assert_lossless

FLOOR = 90
STATES = ("submitted", "working", "input-required", "auth-required", "completed", "canceled", "failed", "rejected")
STATUS = {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_INPUT_REQUIRED", "timestamp": TIME}}
EVENTS = (
    {"statusUpdate": {**STATUS, "status": {**STATUS["status"], "message": ANSWER}}},
    {"artifactUpdate": {"taskId": "t1", "contextId": "c1", "artifact": ARTIFACT, "append": True, "lastChunk": True}},
)
KINDS = {"status-update": "TaskStatusUpdateEvent", "artifact-update": "TaskArtifactUpdateEvent", "task": "Task"}
KNOWN = [part for part in stored().history[0]["parts"] if "x-unknown" not in part]
HISTORY = ({**stored().history[0], "parts": KNOWN}, ANSWER)


def body_of(operation, dialect, answer):
    out = a2a.operation_response(asked(operation, dialect), answer)
    assert out.status == 200
    text = out.body.decode()
    body = json.loads(text.removeprefix("data: "))
    return body if dialect.endswith("rest") else body["result"]


def answers(dialect):
    """Each answer, with its type in the SDK."""
    get, config = a2a.GetTask(task_id="t1"), a2a.GetTaskPushNotificationConfig(task_id="t1", config_id="c1")
    for state in STATES:
        yield "Task", body_of(get, dialect, stored(state=state, history=HISTORY))
    yield "Task", body_of(a2a.CancelTask(task_id="t1"), dialect, stored(state="canceled", history=HISTORY))
    yield "TaskPushNotificationConfig", body_of(config, dialect, CONFIG)
    subscribe = a2a.SubscribeToTask(task_id="t1")
    for event in (stored(state="working", history=HISTORY), *EVENTS):
        written = body_of(subscribe, dialect, event)
        yield ("StreamResponse" if dialect != "0.3" else KINDS[written["kind"]]), written
    listing = body_of(a2a.ListTaskPushNotificationConfigs(task_id="t1"), dialect, (CONFIG, CONFIG))
    if dialect == "0.3":
        for one in listing:
            yield "TaskPushNotificationConfig", one
    else:
        yield f"ListTaskPushNotificationConfig{'s' * dialect.startswith('1.0')}Response", listing
    if dialect.startswith("1.0"):
        page = a2a.TaskPage(tasks=(stored(history=HISTORY),), next_page_token="n", total_size=7)
        yield "ListTasksResponse", body_of(a2a.ListTasks(include_artifacts=True), dialect, page)
        yield "AgentCard", body_of(a2a.GetExtendedAgentCard(), dialect, CARD)
    elif dialect == "0.3":
        yield "AgentCard", body_of(a2a.GetExtendedAgentCard(), dialect, CARD)


def units_of(dialect):
    reader = "1.0" if dialect.startswith("1.0") else dialect
    return [[reader, name, document] for name, document in answers(dialect)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_answer_to_an_operation_is_read_by_the_sdk_for_python(other_python, count, dialect):
    units = units_of(dialect)
    assert_lossless(other_python("a2a.read", units=units), units)
    count(len(units))


@pytest.mark.parametrize("dialect", ["1.0"])
def test_every_answer_to_an_operation_is_read_by_the_sdk_for_javascript(node, count, dialect):
    units = units_of(dialect)
    assert_lossless(node("a2ajs.read", units=units), units)
    count(len(units))


def test_errors_are_those_of_the_sdk(other_python, count):
    """v0.3 has a type for each error; each is read with its own number."""
    units = []
    for code, kind in (
        ("task-not-found", "TaskNotFoundError"),
        ("task-not-cancelable", "TaskNotCancelableError"),
        ("push-not-supported", "PushNotificationNotSupportedError"),
        ("unsupported-operation", "UnsupportedOperationError"),
        ("extended-card-missing", "AuthenticatedExtendedCardNotConfiguredError"),
        ("page-token-unknown", "InvalidParamsError"),
    ):
        out = a2a.operation_response(asked(a2a.GetTask(task_id="t1"), "0.3"), Rejected(code=code))
        body = json.loads(out.body)
        units += [["0.3", "JSONRPCErrorResponse", body], ["0.3", kind, body["error"]]]
    assert_lossless(other_python("a2a.read", units=units), units)
    count(len(units))
