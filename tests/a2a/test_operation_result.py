"""What other agents answer to operations, in shapes that this library does not write."""

import json

import pytest

from mentionable import Decoded, HttpResponse, Limits, Rejected, UsageError, a2a
from tests.a2a.operations import CONFIG, ENTROPY, MESSAGE, TIME, URL

TASK = {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING", "timestamp": TIME}}
GET = a2a.GetTask(task_id="t1")


def read(document, operation=GET, status=200, **more):
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return a2a.operation_result(HttpResponse(status=status, body=body), operation=operation, **more)


def value(document, operation=GET):
    got = read(document, operation)
    assert isinstance(got, Decoded), got
    return got.value


def odd(document, operation=GET):
    """The value, and code and pointer of each diagnostic."""
    got = read(document, operation)
    return got.value, [(one.code, one.at) for one in got.diagnostics]


@pytest.mark.parametrize(
    "document",
    [
        TASK,
        {"task": TASK},
        {"jsonrpc": "2.0", "id": 1, "result": TASK},
        {"id": "t1", "context_id": "c1", "status": {"state": 2, "timestamp": "2026-11-21T21:56:00+01:00"}},
        {
            "kind": "task",
            "id": "t1",
            "contextId": "c1",
            "status": {"state": "working", "timestamp": "2026-11-21T20:56:00"},
        },
    ],
)
def test_a_task_is_read_in_any_shape(document):
    got = value(document)
    assert (got.id, got.context_id, got.state, got.updated_at, got.owner) == ("t1", "c1", "working", TIME, None)


def test_a_task_without_context_and_time_can_be_stored():
    got = value({"id": "t1", "status": {"state": "completed"}})
    assert (got.context_id, got.updated_at) == ("t1", "1970-01-01T00:00:00Z")


def test_parts_of_older_peers_become_parts_of_the_newer_version():
    parts = [
        {"kind": "text", "text": "hi", "metadata": {"mimeType": "text/html", "z": 1}},
        {"kind": "file", "file": {"bytes": "aGk=", "mimeType": "image/png", "name": None}},
        {"kind": "data", "data": {"data": {"x": 1}}},
        {"kind": "data", "data": {"value": 5}, "metadata": {"data_part_compat": True}},
        {"kind": "text", "text": "x", "metadata": 5},
        "odd",
    ]
    message = {"kind": "message", "messageId": "m", "role": "agent", "parts": parts}
    got, diagnostics = odd({**TASK, "kind": "task", "history": [message, {"role": [], "parts": 5}]})
    assert diagnostics == [("member-dropped", "/history/0/parts/5"), ("member-dropped", "/history/1/parts")]
    assert got.history[0] == {
        "messageId": "m",
        "role": "ROLE_AGENT",
        "parts": [
            {"text": "hi", "mediaType": "text/html", "metadata": {"z": 1}},
            {"raw": "aGk=", "mediaType": "image/png"},
            {"data": {"data": {"x": 1}}},
            {"data": 5},
            {"text": "x", "metadata": 5},
        ],
    }
    assert got.history[1] == {"role": []}


def test_bytes_that_were_encoded_twice_over_rest_are_decoded_once():
    part = {"file": {"fileWithBytes": "aVZCT1J3MEtHZ3IvL2c9PQ==", "mimeType": "image/png"}}
    message = {"messageId": "m", "role": "ROLE_USER", "content": [part, {"data": {"data": {"x": 1}}}]}
    got = value({**TASK, "history": [message]})
    assert got.history[0]["parts"] == [{"raw": "iVBORw0KGgr//g==", "mediaType": "image/png"}, {"data": {"x": 1}}]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (b"{", "invalid-json"),
        ([], "wrong-type"),
        ({}, "missing-member"),
        ({**TASK, "id": "t2"}, "task-mismatch"),
        ({**TASK, "status": 5}, "wrong-type"),
        ({**TASK, "status": {"state": "frob"}}, "unknown-value"),
        ({"task": {**TASK, "id": "t2"}}, "task-mismatch"),
        ({**TASK, "status": {"state": "unknown"}}, "unknown-value"),
        ({"jsonrpc": "2.0", "id": 1}, "missing-member"),
        ({"jsonrpc": "1.0", "id": 1, "result": TASK}, "malformed"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "x"}}, "peer-task-not-found"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32009, "message": "x"}}, "peer-version-unsupported"),
    ],
)
def test_what_cannot_be_read_is_rejected(document, code):
    got = read(document)
    assert isinstance(got, Rejected)
    assert got.code == code


def test_a_failed_status_is_an_error_of_the_peer():
    assert read(b"nope", status=403).code == "peer-forbidden"
    assert read(TASK, settings=a2a.Settings(limits=Limits(a2a_bytes=3))).code == "too-large"


def test_a_page_of_an_older_peer_need_not_count():
    assert value({}, a2a.ListTasks()) == a2a.TaskPage(tasks=(), total_size=0)
    assert value({"tasks": [TASK]}, a2a.ListTasks()).total_size == 1
    for document in ({"tasks": 5}, []):
        assert isinstance(read(document, a2a.ListTasks()), Rejected)


@pytest.mark.parametrize(
    ("members", "at"),
    [
        ({"history": [5]}, "/history/0"),
        ({"history": {}}, "/history"),
        ({"history": [{"parts": [], "taskId": "t1", "task_id": "t1"}]}, "/history/0"),
        ({"history": [{"parts": [{"mediaType": "a", "media_type": "b"}]}]}, "/history/0/parts/0"),
        ({"artifacts": [5]}, "/artifacts/0"),
        ({"artifacts": 5}, "/artifacts"),
        ({"metadata": 5}, "/metadata"),
        ({"contextId": 5}, "/contextId"),
        ({"contextId": "c" * 2049}, "/contextId"),
        ({"status": {**TASK["status"], "message": 5}}, "/status/message"),
    ],
)
def test_what_of_a_task_cannot_be_read_costs_itself(members, at):
    got, diagnostics = odd({**TASK, **members})
    assert (got.id, got.state, got.updated_at, got.message, got.metadata) == ("t1", "working", TIME, None, {})
    assert [place for _, place in diagnostics] == [at]


def test_a_message_without_parts_stays_in_its_task():
    message = {"messageId": "m1", "role": "ROLE_AGENT", "parts": [], "metadata": {"x": 1}}
    assert value({**TASK, "status": {**TASK["status"], "message": message}}).message == message


def test_a_message_of_another_task_is_named():
    message = {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": "x"}], "taskId": "t2"}
    got, diagnostics = odd({**TASK, "status": {**TASK["status"], "message": message}})
    assert (got.message, diagnostics) == (message, [("task-mismatch", "/status/message/taskId")])


def test_a_kind_that_is_none_of_a2a_stays():
    message = {"kind": "letter", "messageId": "m1", "role": "ROLE_AGENT", "parts": [{"kind": "iframe", "x": 1}]}
    assert value({**TASK, "history": [message]}).history == (message,)


def test_what_of_a_page_cannot_be_read_costs_itself():
    listing, rest = a2a.ListTasks(), [TASK, {**TASK, "id": "t2"}]
    got, diagnostics = odd({"tasks": [rest[0], {"id": 5}, {}, 5, rest[1]], "totalSize": 9}, listing)
    assert ([task.id for task in got.tasks], got.total_size) == (["t1", "t2"], 9)
    faults = [("wrong-type", "/tasks/1/id"), ("missing-member", "/tasks/2/id"), ("wrong-type", "/tasks/3")]
    assert diagnostics == faults
    members = {"totalSize": "many", "pageSize": 500, "nextPageToken": 5}
    got, diagnostics = odd({"tasks": rest, **members}, listing)
    assert (len(got.tasks), got.total_size, got.page_size, got.next_page_token) == (2, 2, None, "")
    assert [at for _, at in diagnostics] == ["/totalSize", "/pageSize", "/nextPageToken"]


@pytest.mark.parametrize(
    ("document", "operation"),
    [
        ({**TASK, "history": [5] * 1_001}, GET),
        ({**TASK, "artifacts": [{"parts": [{"mediaType": "a", "media_type": "a"}] * 1_001}]}, GET),
        ({"tasks": [{}] * 1_001}, a2a.ListTasks()),
        ({"tasks": [{**TASK, "history": [{}, {"parts": [5] * 1_001}]}]}, a2a.ListTasks()),
        ({"tasks": [{**TASK, "history": [5] * 600}] * 12}, a2a.ListTasks()),
    ],
)
def test_an_answer_of_which_hardly_anything_can_be_read_is_rejected(document, operation):
    """It may be made of nothing else, and each fault takes a thousand times what its two bytes took to send."""
    assert read(document, operation).code == "too-many-parts"


def test_a_webhook_that_cannot_be_read_costs_itself():
    listing, flat = a2a.ListTaskPushNotificationConfigs(task_id="t1"), {"url": CONFIG.url, "id": "c1"}
    got, diagnostics = odd({"configs": [{}, flat, 5], "nextPageToken": 5}, listing)
    assert ([one.id for one in got.configs], got.next_page_token) == (["c1"], "")
    expected = [("wrong-type", "/nextPageToken"), ("missing-member", "/configs/0/url"), ("wrong-type", "/configs/2")]
    assert diagnostics == expected


def test_members_around_a_result_are_named():
    assert odd({"jsonrpc": "2.0", "id": 1, "result": TASK, "x": 1})[1] == [("member-dropped", "/x")]


def test_configurations_come_as_an_array_or_in_an_object():
    listing = a2a.ListTaskPushNotificationConfigs(task_id="t1")
    flat = {"url": CONFIG.url, "id": "c1"}
    for document in ([flat], {"configs": [flat]}, [{"taskId": "t1", "pushNotificationConfig": flat}]):
        (got,) = value(document, listing).configs
        assert (got.id, got.task_id) == ("c1", "t1")
    assert value({}, listing) == a2a.PushNotificationConfigPage(configs=())
    for document in (5, {"configs": 5}):
        assert isinstance(read(document, listing), Rejected)


def test_what_has_no_place_is_named_by_a_diagnostic():
    parts = [5, {"text": "x"}]
    status = {**TASK["status"], "x/s": 1, "timestamp": "soon", "message": {"messageId": "m", "role": 2, "parts": parts}}
    task = {**TASK, "x-task": 1, "owner": "eve", "status": status, "artifacts": [{"artifactId": "a"}, {"parts": parts}]}
    dropped = ["/owner", "/status/x~1s", "/status/message/parts/0", "/artifacts/1/parts/0"]
    expected = [("time-assumed", "/status/timestamp"), *(("member-dropped", at) for at in dropped)]
    got, diagnostics = odd(task)
    assert diagnostics == expected
    assert (got.extra, got.owner, got.updated_at) == ({"x-task": 1}, None, "1970-01-01T00:00:00Z")
    assert (got.message["parts"], got.artifacts[0]) == ([{"text": "x"}], {"artifactId": "a"})
    got, diagnostics = odd({"jsonrpc": "2.0", "id": 1, "result": {"task": task, "y": 1}})
    assert diagnostics == [*((code, f"/result/task{at}") for code, at in expected), ("member-dropped", "/result/y")]
    got, diagnostics = odd({"tasks": [TASK, {**task, "id": "t2"}], "z": 1}, a2a.ListTasks())
    assert diagnostics == [(code, f"/tasks/1{at}") for code, at in expected]
    assert got.extra == {"z": 1}
    _, diagnostics = odd({**TASK, "history": [{"parts": [1] * 200}]})
    assert len(diagnostics) == 100
    assert odd({**TASK, "status": {"state": 2, "timestamp": "2026-11-21T20:56:00"}})[1] == expected[:1]


def test_the_configuration_of_another_task_is_refused():
    flat = {"url": CONFIG.url, "id": "c1"}
    get, listing = a2a.GetTaskPushNotificationConfig(task_id="t/1", config_id="c1"), a2a.ListTaskPushNotificationConfigs
    for name in ("tasks/t/1/pushNotificationConfigs/c1", "tasks/t%2F1/pushNotificationConfigs/c1", "c1"):
        got, diagnostics = odd({"name": name, "pushNotificationConfig": flat, "x": 1}, get)
        assert (got.task_id, diagnostics) == ("t/1", [("member-dropped", "/x")])
    for other in (
        {**flat, "taskId": "t2"},
        {"taskId": "t2", "pushNotificationConfig": flat},
        {"pushNotificationConfig": {**flat, "taskId": "t2"}},
        {"name": "tasks/t2/pushNotificationConfigs/c1", "pushNotificationConfig": flat},
    ):
        assert read(other, get).code == "task-mismatch"
        assert read([other], listing(task_id="t/1")).code == "task-mismatch"
        assert read({"configs": [other]}, listing(task_id="t/1")).code == "task-mismatch"
    create = a2a.CreateTaskPushNotificationConfig(config=CONFIG)
    assert read({**flat, "taskId": "t2"}, create).code == "task-mismatch"
    page = value({"configs": [], "next_page_token": "n", "x": 1}, listing(task_id="t1"))
    assert page == a2a.PushNotificationConfigPage(configs=(), next_page_token="n", extra={"x": 1})


def test_the_answer_to_another_call_is_refused():
    request = a2a.call_operation(GET, url=URL, entropy=ENTROPY)
    call_id = json.loads(request.body)["id"]
    answer = {"jsonrpc": "2.0", "id": call_id, "result": TASK}
    assert read(answer, request=request).diagnostics == ()
    assert read({**answer, "id": "x"}, request=request).code == "call-mismatch"
    (no_id,) = read({**answer, "id": None}, request=request).diagnostics
    assert (no_id.code, no_id.at) == ("call-mismatch", "/id")
    rest = a2a.call_operation(GET, url=URL, entropy=ENTROPY, dialect="1.0-rest")
    assert read(TASK, request=rest).value.id == "t1"


def test_a_card_is_read_or_rejected():
    card = a2a.GetExtendedAgentCard()
    assert read([], card).code == "wrong-type"
    assert isinstance(read({}, card), Rejected)


def test_mistakes_of_the_program_raise():
    fine = HttpResponse(status=200, body=b"{}")
    for arguments in (
        {"response": "x"},
        {"operation": "x"},
        {"settings": 5},
        {"request": "x"},
        {"operation": a2a.SubscribeToTask(task_id="t")},
    ):
        with pytest.raises(UsageError):
            a2a.operation_result(**{"response": fine, "operation": GET, **arguments})
    fitting = {"operation": GET, "url": URL, "entropy": ENTROPY}
    config = a2a.CreateTaskPushNotificationConfig(config=a2a.PushNotificationConfig(url=CONFIG.url))
    unnamed = a2a.GetTaskPushNotificationConfig(task_id="t1")
    for arguments in (
        {"operation": MESSAGE},
        {"url": "x"},
        {"entropy": b""},
        {"dialect": "2.0"},
        {"context": 5},
        {"operation": config},
        {"operation": unnamed},
        {"operation": unnamed, "dialect": "0.3-rest"},
    ):
        with pytest.raises(UsageError):
            a2a.call_operation(**{**fitting, **arguments})
    assert (
        b"pushNotificationConfigId"
        not in a2a.call_operation(**{**fitting, "operation": unnamed, "dialect": "0.3"}).body
    )


def test_a_call_keeps_the_query_of_its_url_and_takes_a_token():
    context = a2a.CallContext(token="abc")
    ways = {"url": f"{URL}?a=1", "entropy": ENTROPY, "dialect": "1.0-rest", "context": context}
    plain = a2a.call_operation(GET, **ways)
    asked = a2a.call_operation(a2a.GetTask(task_id="t1", history_length=0), **ways)
    assert (plain.url, asked.url) == (f"{URL}/tasks/t1?a=1", f"{URL}/tasks/t1?historyLength=0&a=1")
    assert (plain.header("authorization"), plain.header("content-type"), plain.body) == ("Bearer abc", None, b"")
    assert a2a.call_operation(a2a.CancelTask(task_id="t1"), **ways).header("content-type") == "application/json"


def test_no_messages_are_asked_for_as_one_where_zero_means_all():
    request = a2a.call_operation(a2a.GetTask(task_id="t", history_length=0), url=URL, entropy=ENTROPY, dialect="0.3")
    assert json.loads(request.body)["params"] == {"id": "t", "historyLength": 1}


def test_a_diagnostic_names_a_member_around_a_configuration_without_line_breaks():
    holder = {"pushNotificationConfig": {"url": "https://hooks.example/"}, "a\nb": 1}
    get = a2a.GetTaskPushNotificationConfig(task_id="t1", config_id="c1")
    assert odd(holder, get)[1] == [("member-dropped", r"/a\u000ab")]
