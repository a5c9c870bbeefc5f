"""What one side asks, the other receives; what that side answers, the first reads."""

import json

import pytest

from mentionable import HttpResponse, Rejected, UsageError, a2a
from tests.a2a.operations import CARD, CONFIG, DIALECTS, ENTROPY, MESSAGE, URL, asked, stored, take

EVERY = [
    a2a.GetTask(task_id="t1"),
    a2a.GetTask(task_id="t1", history_length=3),
    a2a.ListTasks(),
    a2a.ListTasks(
        context_id="c/1 ä",
        state="canceled",
        page_size=2,
        page_token="p?&=",
        history_length=1,
        updated_after="2026-11-21T20:56:00Z",
        include_artifacts=True,
    ),
    a2a.CancelTask(task_id="t1"),
    a2a.CancelTask(task_id="t1", metadata={"why": "late"}),
    a2a.SubscribeToTask(task_id="t1"),
    a2a.CreateTaskPushNotificationConfig(config=CONFIG),
    a2a.CreateTaskPushNotificationConfig(
        config=a2a.PushNotificationConfig(url="https://hooks.example/", task_id="t1", id="c2")
    ),
    a2a.GetTaskPushNotificationConfig(task_id="t1", config_id="c1"),
    a2a.ListTaskPushNotificationConfigs(task_id="t1"),
    a2a.ListTaskPushNotificationConfigs(task_id="t1", page_size=5, page_token="x"),
    a2a.DeleteTaskPushNotificationConfig(task_id="t1", config_id="c1"),
    a2a.GetExtendedAgentCard(),
]
ALL = [(dialect, operation) for dialect in DIALECTS for operation in EVERY]


def has_no_way(dialect, operation):
    return dialect == "0.3" and isinstance(operation, a2a.ListTasks)


@pytest.mark.parametrize(("dialect", "operation"), ALL)
def test_an_operation_is_received_as_it_was_called(dialect, operation):
    if has_no_way(dialect, operation):
        with pytest.raises(UsageError, match="REST alone"):
            a2a.call_operation(operation, url=URL, entropy=ENTROPY, dialect=dialect)
        return
    got = take(a2a.call_operation(operation, url=URL, entropy=ENTROPY, dialect=dialect))
    assert isinstance(got, a2a.ReceivedOperation), got
    kept = got.operation
    if isinstance(kept, a2a.CreateTaskPushNotificationConfig):
        assert kept.config == operation.config
    else:
        assert kept == operation
    assert (got.dialect, got.caller, got.diagnostics) == (dialect, "alice", ())


@pytest.mark.parametrize("task_id", ["a/b", "a:cancel", "ä ö", "%2F", "x?y#z", "tasks", "pushNotificationConfigs"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_any_id_of_a_task_comes_through(dialect, task_id):
    for operation in (
        a2a.GetTask(task_id=task_id),
        a2a.CancelTask(task_id=task_id),
        a2a.GetTaskPushNotificationConfig(task_id=task_id, config_id=task_id),
    ):
        got = take(a2a.call_operation(operation, url=URL, entropy=ENTROPY, dialect=dialect))
        assert got.operation == operation


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_task_is_read_as_it_was_answered(dialect):
    operation, task = a2a.GetTask(task_id="t1"), stored()
    out = a2a.operation_response(asked(operation, dialect), task)
    got = a2a.operation_result(out, operation=operation)
    assert got == (stored(owner=None), ())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_members_of_no_known_name_come_back(dialect):
    task = stored(extra={"x-task": {"n": 1}, "status": 5, "kind": "x"})
    page = a2a.TaskPage(tasks=(task,), total_size=1, extra={"x-page": 1})
    for operation, answer in ((a2a.GetTask(task_id="t1"), task), (a2a.ListTasks(), page)):
        out = a2a.operation_response(asked(operation, dialect), answer)
        got, diagnostics = a2a.operation_result(out, operation=operation)
        (found,) = got.tasks if isinstance(got, a2a.TaskPage) else (got,)
        assert (found.extra, found.state, diagnostics) == ({"x-task": {"n": 1}}, "input-required", ())
    assert got.extra == {"x-page": 1}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_reference_ids_come_back_or_are_in_the_metadata(dialect):
    task = stored(history=({**MESSAGE, "referenceTaskIds": ["t0"]},))
    out = a2a.operation_response(asked(a2a.GetTask(task_id="t1"), dialect), task)
    (message,) = a2a.operation_result(out, operation=a2a.GetTask(task_id="t1")).value.history
    holder = message["metadata"] if dialect == "0.3-rest" else message
    assert holder["referenceTaskIds"] == ["t0"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("state", ["submitted", "working", "canceled", "rejected", "auth-required", "failed"])
def test_each_state_has_its_name(dialect, state):
    task = stored(state=state, message=None, artifacts=(), history=(), metadata={})
    out = a2a.operation_response(asked(a2a.GetTask(task_id="t1"), dialect), task)
    assert a2a.operation_result(out, operation=a2a.GetTask(task_id="t1")).value.state == state
    names = {"0.3": state, "0.3-rest": "TASK_STATE_CANCELLED" if state == "canceled" else None}
    body = json.loads(out.body)
    written = body.get("result", body)["status"]["state"]
    assert written == (names.get(dialect) or "TASK_STATE_" + state.upper().replace("-", "_"))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_page_is_read_as_it_was_answered(dialect):
    operation = a2a.ListTasks(include_artifacts=True)
    page = a2a.TaskPage(tasks=(stored(),), next_page_token="n", total_size=9)
    got = a2a.operation_result(a2a.operation_response(asked(operation, dialect), page), operation=operation)
    assert got.value == a2a.TaskPage(tasks=(stored(owner=None),), next_page_token="n", total_size=9, page_size=1)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_configurations_are_read_as_they_were_answered(dialect):
    create = a2a.CreateTaskPushNotificationConfig(config=CONFIG)
    get = a2a.GetTaskPushNotificationConfig(task_id="t1", config_id="c1")
    for operation in (create, get):
        out = a2a.operation_response(asked(operation, dialect), CONFIG)
        assert a2a.operation_result(out, operation=operation) == (CONFIG, ())
    listing = a2a.ListTaskPushNotificationConfigs(task_id="t1")
    for configs in ((), (CONFIG,)):
        out = a2a.operation_response(asked(listing, dialect), configs)
        assert a2a.operation_result(out, operation=listing).value.configs == configs
    page = a2a.PushNotificationConfigPage(configs=(CONFIG,), next_page_token="n", extra={"x-n": 1})
    if dialect == "0.3":
        with pytest.raises(UsageError, match="no pages"):
            a2a.operation_response(asked(listing, dialect), page)
    else:
        out = a2a.operation_response(asked(listing, dialect), page)
        assert a2a.operation_result(out, operation=listing) == (page, ())
    delete = a2a.DeleteTaskPushNotificationConfig(task_id="t1", config_id="c1")
    out = a2a.operation_response(asked(delete, dialect), None)
    assert out.status == 200
    assert a2a.operation_result(out, operation=delete) == (None, ())
    assert a2a.operation_result(HttpResponse(status=204), operation=delete) == (None, ())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_extended_card_is_for_callers_who_are_known(dialect):
    operation = a2a.GetExtendedAgentCard()
    got = a2a.operation_result(a2a.operation_response(asked(operation, dialect), CARD), operation=operation)
    assert (got.value.name, got.value.skills) == (CARD.name, CARD.skills)
    for answer in (CARD, None):
        refused = a2a.operation_response(asked(operation, dialect, None), answer)
        assert (refused.status, refused.header("www-authenticate")) == (401, "Bearer")
    missing = a2a.operation_result(a2a.operation_response(asked(operation, dialect), None), operation=operation)
    assert isinstance(missing, Rejected)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_task_that_is_not_there_is_the_peers_error(dialect):
    operation = a2a.GetTask(task_id="t1")
    got = a2a.operation_result(a2a.operation_response(asked(operation, dialect), None), operation=operation)
    assert got.code == "peer-task-not-found"


@pytest.mark.parametrize("task_id", [".", ".."])
def test_an_id_that_would_change_a_path_is_not_sent_in_one(task_id):
    for dialect in ("1.0-rest", "0.3-rest"):
        with pytest.raises(UsageError, match="dots"):
            a2a.call_operation(a2a.GetTask(task_id=task_id), url=URL, entropy=ENTROPY, dialect=dialect)
    assert take(a2a.call_operation(a2a.GetTask(task_id=task_id), url=URL, entropy=ENTROPY)).operation.task_id == task_id
