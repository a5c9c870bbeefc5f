"""The answers to operations: who gets which task, streams, pages, and errors."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, Rejected, StoredTask, UsageError, a2a, decode_trusted, replace
from mentionable._wire.strict_json import plain
from mentionable.a2a._write.convert import check_event, task_in
from mentionable.a2a._write.dialects import DIALECTS as ROWS
from tests.a2a.operations import ANSWER, ARTIFACT, CARD, CONFIG, DIALECTS, MESSAGE, TIME, asked, stored

OF_TASKS = [
    a2a.GetTask(task_id="t1"),
    a2a.CancelTask(task_id="t1"),
    a2a.SubscribeToTask(task_id="t1"),
    a2a.CreateTaskPushNotificationConfig(config=CONFIG),
    a2a.GetTaskPushNotificationConfig(task_id="t1", config_id="c1"),
    a2a.ListTaskPushNotificationConfigs(task_id="t1"),
    a2a.DeleteTaskPushNotificationConfig(task_id="t1", config_id="c1"),
    a2a.ListTasks(),
]


def answered(received, task):
    """What a host answers that stores one task, and that asks `owns` before it acts on it."""
    operation = received.operation
    if isinstance(operation, a2a.ListTasks):
        return a2a.TaskPage(tasks=() if task is None else (task,), total_size=0 if task is None else 1)
    if isinstance(operation, (a2a.GetTask, a2a.CancelTask, a2a.SubscribeToTask)):
        return task
    if not received.owns(task):
        return Rejected(code="task-not-found")
    if isinstance(operation, a2a.ListTaskPushNotificationConfigs):
        return (CONFIG,)
    return None if isinstance(operation, a2a.DeleteTaskPushNotificationConfig) else CONFIG


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("operation", OF_TASKS, ids=lambda one: one.kind)
@pytest.mark.parametrize("caller", ["bob", None])
def test_a_task_of_another_is_answered_like_one_that_does_not_exist(dialect, operation, caller):
    received = asked(operation, dialect, caller)
    missing = a2a.operation_response(received, answered(received, None))
    for state in ("working", "completed", "canceled"):
        for owner in ("alice", "@bob@b.example", "", "None"):
            foreign = stored(owner=owner, state=state)
            assert a2a.operation_response(received, answered(received, foreign)) == missing
    own = stored(owner=caller, state="working")
    if not (caller is None and isinstance(operation, a2a.ListTasks)):
        assert a2a.operation_response(received, answered(received, own)) != missing


def test_a_task_without_owner_is_for_callers_without_a_name_who_know_its_id():
    own, foreign = asked(OF_TASKS[0], caller=None), asked(OF_TASKS[0], caller="alice")
    assert own.owns(stored(owner=None))
    assert not foreign.owns(stored(owner=None))
    assert not own.owns(None)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_page_that_counts_wrongly_has_no_negative_size(dialect):
    page = a2a.TaskPage(tasks=(stored(owner="bob"), stored(owner="bob")), total_size=1)
    body = json.loads(a2a.operation_response(asked(a2a.ListTasks(), dialect), page).body)
    assert body.get("result", body)["totalSize"] == 0


@pytest.mark.parametrize("dialect", DIALECTS)
def test_who_has_no_name_lists_nothing(dialect):
    out = a2a.operation_response(
        asked(a2a.ListTasks(), dialect, None),
        a2a.TaskPage(tasks=(stored(owner=None),), next_page_token="more", total_size=5),
    )
    body = json.loads(out.body)
    assert body.get("result", body) == {"tasks": [], "nextPageToken": "", "pageSize": 0, "totalSize": 0}


def test_a_page_loses_the_tasks_of_others_and_does_not_count_them():
    page = a2a.TaskPage(tasks=(stored(), stored(id="t2", owner="bob")), next_page_token="n", total_size=7)
    out = json.loads(a2a.operation_response(asked(a2a.ListTasks()), page).body)["result"]
    assert [task["id"] for task in out["tasks"]] == ["t1"]
    assert (out["nextPageToken"], out["pageSize"], out["totalSize"]) == ("n", 1, 6)
    assert "artifacts" not in out["tasks"][0]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("length", "count"), [(None, 2), (0, 0), (1, 1), (9, 2)])
def test_history_is_cut_to_what_was_asked_for(dialect, length, count):
    received = asked(a2a.GetTask(task_id="t1"), dialect)
    operation = a2a.GetTask(task_id="t1", history_length=length)
    received = a2a.ReceivedOperation(
        operation=operation, caller="alice", verdict=received.verdict, dialect=dialect, id=1
    )
    body = json.loads(a2a.operation_response(received, stored()).body)
    task = body.get("result", body)
    assert len(task.get("history", [])) == count
    if count:
        assert task["history"][-1]["messageId"] == "m2"


@pytest.mark.parametrize("state", ["completed", "failed", "rejected"])
def test_a_task_that_has_ended_otherwise_cannot_be_canceled(state):
    out = a2a.operation_response(asked(a2a.CancelTask(task_id="t1")), stored(state=state))
    assert json.loads(out.body)["error"]["code"] == -32002


@pytest.mark.parametrize("state", ["canceled", "working"])
def test_a_task_that_is_or_will_be_canceled_is_shown(state):
    out = a2a.operation_response(asked(a2a.CancelTask(task_id="t1"), "1.0-rest"), stored(state=state))
    assert json.loads(out.body)["id"] == "t1"


def events_of(out):
    return [json.loads(line[6:]) for line in out.body.decode().splitlines() if line.startswith("data: ")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_subscription_begins_with_the_task_and_goes_on_with_events(dialect):
    received = asked(a2a.SubscribeToTask(task_id="t1"), dialect)
    first = a2a.operation_response(received, stored(state="working"))
    assert first.header("content-type") == "text/event-stream"
    status = {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED", "timestamp": TIME}}
    waiting = {**status, "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": ANSWER, "timestamp": TIME}}
    working = {**status, "status": {"state": "TASK_STATE_WORKING", "timestamp": TIME}}
    chunk = {"taskId": "t1", "contextId": "c1", "artifact": ARTIFACT, "append": True}
    events = [
        {"statusUpdate": working},
        {"artifactUpdate": chunk},
        {"statusUpdate": waiting},
        {"statusUpdate": status},
        {"message": ANSWER},
    ]
    outs = [first, *[a2a.operation_response(received, event) for event in events]]
    got = [event for out in outs for event in events_of(out)]
    assert len(got) == len(events) + 1
    if not dialect.endswith("rest"):
        assert {one["id"] for one in got} == {received.id}
        got = [one["result"] for one in got]
    if dialect.startswith("1.0"):
        assert got[1:] == events
        assert got[0].keys() == {"task"}
    elif dialect == "0.3":
        kinds = [
            "task",
            "status-update",
            "artifact-update",
            "status-update",
            "status-update",
            "message",
        ]
        assert [one["kind"] for one in got] == kinds
        assert [one.get("final") for one in got[1:5]] == [False, None, True, True]
        assert got[3]["status"]["message"]["role"] == "agent"
        assert got[2]["artifact"]["parts"] == [{"kind": "text", "text": "Go"}]
    else:
        assert [one.get("statusUpdate", {}).get("final") for one in got[1:5]] == [None, None, True, True]
        assert got[3]["statusUpdate"]["status"]["message"]["content"] == [{"text": "Which day?"}]


STATUS = {"state": "TASK_STATE_WORKING"}
UPDATE = {"taskId": "t1", "status": STATUS}
CHUNK = {"taskId": "t1", "artifact": ARTIFACT}
TASK = {"id": "t1", "status": STATUS, "artifacts": [ARTIFACT], "history": (MESSAGE, ANSWER)}


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"task": TASK}, ("task", "t1")),
        ({"message": ANSWER}, ("message", "t1")),
        ({"message": {**ANSWER, "taskId": None}}, ("message", "")),
        ({"statusUpdate": {**UPDATE, "status": {**STATUS, "message": ANSWER}}}, ("statusUpdate", "t1")),
        ({"artifactUpdate": CHUNK}, ("artifactUpdate", "t1")),
    ],
)
def test_an_event_has_a_kind_and_a_task(event, expected):
    assert check_event(event) == expected


@pytest.mark.parametrize(
    "event",
    [
        None,
        {},
        {"junk": 1, "statusUpdate": UPDATE},
        {"junk": UPDATE},
        {"statusUpdate": 5},
        {"statusUpdate": {}},
        {"statusUpdate": {"status": STATUS}},
        {"statusUpdate": {**UPDATE, "taskId": ""}},
        {"statusUpdate": {**UPDATE, "status": 5}},
        {"statusUpdate": {**UPDATE, "status": {"state": "working"}}},
        {"statusUpdate": {**UPDATE, "status": {"state": ["TASK_STATE_WORKING"]}}},
        {"statusUpdate": {**UPDATE, "status": {**STATUS, "message": None}}},
        {"statusUpdate": {**UPDATE, "status": {**STATUS, "message": {**ANSWER, "role": "agent"}}}},
        {"message": {**ANSWER, "taskId": 5}},
        {"message": {**ANSWER, "messageId": ""}},
        {"message": {**ANSWER, "role": []}},
        {"message": {**ANSWER, "parts": {}}},
        {"message": {**ANSWER, "parts": ["x"]}},
        {"artifactUpdate": {"taskId": "t1"}},
        {"artifactUpdate": {**CHUNK, "artifact": {"parts": []}}},
        {"artifactUpdate": {**CHUNK, "artifact": {"artifactId": "a"}}},
        {"task": {**TASK, "id": None}},
        {"task": {"id": "t1"}},
        {"task": {**TASK, "artifacts": 5}},
        {"task": {**TASK, "artifacts": [{"artifactId": "a"}]}},
        {"task": {**TASK, "history": [5]}},
        {"task": {**TASK, "history": [{}]}},
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_event_of_another_form_is_a_mistake(event, dialect):
    with pytest.raises(UsageError):
        check_event(event)
    if event is not None:
        with pytest.raises(UsageError):
            a2a.operation_response(asked(a2a.SubscribeToTask(task_id="t1"), dialect), event)


NAMES = st.sampled_from(("parts", "role", "metadata", "artifactId", "messageId", "referenceTaskIds", "x-unknown"))
MEMBERS = NAMES | st.sampled_from(("text", "url", "raw", "data", "mediaType", "filename", "kind"))
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "x", "ROLE_AGENT"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(MEMBERS, ODD, max_size=5)


@given(message=st.none() | OBJECTS, artifacts=st.lists(OBJECTS, max_size=2), history=st.lists(OBJECTS, max_size=2))
def test_whatever_is_stored_is_written(message, artifacts, history):
    usual = {"id": "t1", "context_id": "c1", "state": "working", "updated_at": TIME, "metadata": {}}
    odd = {"artifacts": artifacts, "history": history, "message": message}
    task = decode_trusted(StoredTask, {**usual, **odd})
    for dialect in ROWS.values():
        assert json.loads(json.dumps(plain(task_in(task, dialect, history_length=None))))["id"] == "t1"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("answer", "number"), [(None, -32001), (stored(state="completed"), -32004)])
def test_a_subscription_that_is_refused_is_an_event_over_jsonrpc(dialect, answer, number):
    received = asked(a2a.SubscribeToTask(task_id="t1"), dialect)
    out = a2a.operation_response(received, answer)
    if dialect.endswith("rest"):
        assert out.status >= 400
        assert out.header("content-type") == "application/json"
        return
    assert (out.status, out.header("content-type")) == (200, "text/event-stream")
    (event,) = events_of(out)
    assert (event["id"], event["error"]["code"]) == (received.id, number)
    assert out.header("a2a-version") == ("1.0" if dialect == "1.0" else None)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("code", "number", "status"),
    [
        ("task-not-found", -32001, 404),
        ("task-not-cancelable", -32002, 409),
        ("push-not-supported", -32003, 400),
        ("unsupported-operation", -32004, 400),
        ("task-ended", -32004, 400),
        ("extended-card-missing", -32007, 400),
        ("extension-required", -32008, 400),
        ("page-token-unknown", -32602, 400),
        ("too-many-requests", -32603, 429),
        ("lookup-failed", -32603, 503),
    ],
)
def test_a_host_may_refuse_for_any_reason(dialect, code, number, status):
    out = a2a.operation_response(asked(a2a.GetTask(task_id="t1"), dialect), Rejected(code=code))
    is_rest = dialect.endswith("rest")
    assert out.status == (status if is_rest else 200)
    assert json.loads(out.body)["error"]["code"] == (status if is_rest else number)


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        (a2a.GetTask(task_id="t1"), CONFIG),
        (a2a.GetTask(task_id="t1"), {"task": {}}),
        (a2a.GetTask(task_id="t1"), "x"),
        (a2a.GetTask(task_id="t2"), stored()),
        (a2a.ListTasks(), None),
        (a2a.ListTasks(), stored()),
        (a2a.SubscribeToTask(task_id="t1"), {"x": 1}),
        (a2a.SubscribeToTask(task_id="t1"), {"task": {}, "message": {}}),
        (a2a.ListTaskPushNotificationConfigs(task_id="t1"), ("x",)),
        (a2a.SubscribeToTask(task_id="t1"), {"task": {"id": "t1", "status": {"state": "TASK_STATE_WORKING"}}}),
        (a2a.SubscribeToTask(task_id="t2"), {"message": ANSWER}),
        (a2a.SubscribeToTask(task_id="t1"), {"message": {**ANSWER, "taskId": None}}),
        (a2a.SubscribeToTask(task_id="t2"), {"artifactUpdate": {"taskId": "t1", "artifact": ARTIFACT}}),
        (a2a.CreateTaskPushNotificationConfig(config=replace(CONFIG, task_id="t2")), CONFIG),
        (a2a.GetTaskPushNotificationConfig(task_id="t2", config_id="c1"), CONFIG),
        (a2a.ListTaskPushNotificationConfigs(task_id="t2"), (replace(CONFIG, task_id="t2"), CONFIG)),
        (a2a.ListTaskPushNotificationConfigs(task_id="t2"), a2a.PushNotificationConfigPage(configs=(CONFIG,))),
        (a2a.DeleteTaskPushNotificationConfig(task_id="t1", config_id="c"), CONFIG),
        (a2a.GetExtendedAgentCard(), stored()),
    ],
)
def test_an_answer_that_does_not_fit_is_a_mistake(operation, answer):
    with pytest.raises(UsageError):
        a2a.operation_response(asked(operation), answer)


def turns(*lengths, text="x"):
    """Messages with texts of these lengths."""
    return tuple(
        {"messageId": f"m{number}", "role": "ROLE_USER", "parts": [{"text": text * length}]}
        for number, length in enumerate(lengths)
    )


def limited(most):
    return a2a.Settings(limits=Limits(a2a_bytes=most))


def tasks_in(response):
    """The tasks of an answer in any dialect, as it is read."""
    text = response.body.decode().removeprefix("data: ")
    body = json.loads(text)
    body = body.get("result", body)
    return body["tasks"] if "tasks" in body else [body.get("task", body)]


def ids_in(task):
    return [message["messageId"] for message in task.get("history", ())]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("operation", [OF_TASKS[0], OF_TASKS[2]], ids=lambda one: one.kind)
def test_of_a_task_that_is_too_large_the_newest_messages_are_shown(dialect, operation):
    task = stored(history=turns(900, 900, 900, 900))
    out = a2a.operation_response(asked(operation, dialect), task, settings=limited(2_900))
    assert (out.status, len(out.body) <= 2_900) == (200, True)
    [shown] = tasks_in(out)
    assert ids_in(shown) == ["m2", "m3"]
    assert shown["artifacts"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_canceled_task_is_shown_as_far_as_it_fits(dialect):
    task = stored(state="canceled", history=turns(900, 900, 900))
    out = a2a.operation_response(asked(OF_TASKS[1], dialect), task, settings=limited(1_900))
    assert ids_in(tasks_in(out)[0]) == ["m2"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_page_that_is_too_large_keeps_short_histories_and_shares_what_is_left(dialect):
    histories = (turns(2_000, 2_000, 2_000), turns(50, 50), turns(1_000, 1_000, 1_000, 1_000, 1_000))
    tasks = tuple(stored(id=f"t{number}", history=one) for number, one in enumerate(histories))
    page = a2a.TaskPage(tasks=tasks, next_page_token="more", total_size=9)
    out = a2a.operation_response(asked(a2a.ListTasks(), dialect), page, settings=limited(7_100))
    assert [ids_in(one) for one in tasks_in(out)] == [["m2"], ["m0", "m1"], ["m3", "m4"]]
    body = json.loads(out.body)
    body = body.get("result", body)
    assert (body["nextPageToken"], body["pageSize"], body["totalSize"]) == ("more", 3, 9)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("length", [2, None])
def test_no_more_of_a_large_history_is_shown_than_was_asked_for(dialect, length):
    received = asked(a2a.ListTasks(history_length=length), dialect)
    page = a2a.TaskPage(tasks=(stored(history=turns(900, 10, 10)), stored(id="t2", history=turns(900))), total_size=2)
    out = a2a.operation_response(received, page, settings=limited(1_500))
    assert [ids_in(one) for one in tasks_in(out)] == [["m1", "m2"], []]


def test_characters_that_a_stream_escapes_count_as_what_they_become_there():
    task = stored(history=turns(1_000, 1_000, 1_000, text="\x85"))
    settings = limited(7_500)
    out = a2a.operation_response(asked(OF_TASKS[2]), task, settings=settings)
    assert len(out.body) <= 7_500
    assert ids_in(tasks_in(out)[0]) == ["m2"]
    assert ids_in(tasks_in(a2a.operation_response(asked(OF_TASKS[0]), task, settings=settings))[0]) == [
        "m0",
        "m1",
        "m2",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        (OF_TASKS[0], stored()),
        (OF_TASKS[2], stored(state="working")),
        (OF_TASKS[7], a2a.TaskPage(tasks=(stored(),), total_size=1)),
        (OF_TASKS[4], CONFIG),
        (OF_TASKS[5], (CONFIG,)),
        (a2a.GetExtendedAgentCard(), CARD),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_what_is_too_large_without_any_history_is_an_error(dialect, operation, answer):
    out = a2a.operation_response(asked(operation, dialect), answer, settings=limited(40))
    body = json.loads(out.body.decode().removeprefix("data: "))
    assert out.status == (400 if dialect.endswith("rest") else 200)
    assert "answer-too-large" in out.body.decode()
    assert (body["code"] if dialect == "0.3-rest" else body["error"]["code"]) in (-32602, 400)


def test_other_mistakes_raise():
    received = asked(a2a.GetTask(task_id="t1"))
    with pytest.raises(UsageError, match="received"):
        a2a.operation_response(a2a.GetTask(task_id="t1"), None)
    with pytest.raises(UsageError, match="settings"):
        a2a.operation_response(received, None, settings=5)
    update = {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}}
    with pytest.raises(UsageError, match="at most 10"):
        a2a.operation_response(asked(OF_TASKS[2]), update, settings=limited(10))


def test_the_card_goes_out_in_the_version_of_the_request():
    new, old = (
        a2a.operation_response(asked(a2a.GetExtendedAgentCard(), way), CARD) for way in ("1.0-rest", "0.3-rest")
    )
    assert "supportedInterfaces" in json.loads(new.body)
    assert json.loads(old.body)["url"] == "https://agents.example/a2a"
