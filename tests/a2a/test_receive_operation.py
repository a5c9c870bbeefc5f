"""Operations come in every spelling; what is none, or broken, has its code."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Answers, HttpRequest, Limits, Rejected, UsageError, a2a, drive
from mentionable.a2a._protocol import OPERATIONS
from mentionable.a2a._read.routes import METHODS
from tests.a2a import tokens
from tests.a2a.operations import NOW, URL, rest, rpc, take

PARAMS = {"id": "t1", "taskId": "t1", "pushNotificationConfigId": "c1"}
SETTING = {"taskId": "t1", "pushNotificationConfig": {"url": "https://hooks.example/", "id": "c1"}}


def params_for(kind):
    if kind == "create_push_config":
        return SETTING
    if kind in ("list_tasks", "get_extended_card"):
        return {}
    return PARAMS if kind in ("get_push_config", "delete_push_config") else {"id": "t1"}


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_an_operation_of_its_version(method):
    version, kind = METHODS[method]
    got = take(rpc(method, params_for(kind), **({"A2A-Version": "1.0"} if version == "1.0" else {})))
    assert (got.operation.kind, got.dialect, got.id, got.diagnostics) == (kind, version, 7, ())


def test_a_method_of_another_version_than_the_label_is_answered_in_its_own():
    got = take(rpc("GetTask", {"id": "t1"}))
    assert (got.dialect, [one.code for one in got.diagnostics]) == ("1.0", ["version-disagrees"])


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/tasks/t1", "get_task"),
        ("GET", "/v1/tasks/t1", "get_task"),
        ("GET", "/tenant/tasks/t1", "get_task"),
        ("GET", "/tasks", "list_tasks"),
        ("GET", "/base/v1/tasks?pageSize=1", "list_tasks"),
        ("POST", "/tasks/t1:cancel", "cancel_task"),
        ("POST", "/v1/tasks/t1:cancel", "cancel_task"),
        ("GET", "/v1/tasks/t1:subscribe", "subscribe_to_task"),
        ("POST", "/tasks/t1:subscribe", "subscribe_to_task"),
        ("GET", "/tasks/t1/pushNotificationConfigs", "list_push_configs"),
        ("GET", "/tasks/t1/pushNotificationConfigs/c1", "get_push_config"),
        ("DELETE", "/tenant/tasks/t1/pushNotificationConfigs/c1", "delete_push_config"),
        ("GET", "/extendedAgentCard", "get_extended_card"),
        ("GET", "/v1/card", "get_extended_card"),
    ],
)
def test_each_path_is_an_operation(method, path, kind):
    got = take(rest(method, path))
    assert (got.operation.kind, got.dialect) == (kind, "0.3-rest" if "/v1/" in path else "1.0-rest")
    assert getattr(got.operation, "task_id", "t1") == "t1"


@pytest.mark.parametrize("task_id", ["t1:", ":cancel", "t1:stop", "a:b:c"])
def test_an_id_may_have_colons(task_id):
    assert take(rest("GET", f"/tasks/{task_id}")).operation.task_id == task_id


@pytest.mark.parametrize(("label", "dialect"), [("1.0", "1.0-rest"), ("0.3", "0.3-rest")])
def test_the_label_of_a_rest_request_counts_before_its_path(label, dialect):
    assert take(rest("GET", "/v1/tasks/t1", **{"A2A-Version": label})).dialect == dialect
    assert take(rest("GET", f"/tasks/t1?A2A-Version={label}")).dialect == dialect


FLAT = {"url": "https://hooks.example/", "id": "c1", "token": "secret", "authentication": {"scheme": "Bearer"}}
INNER = {**FLAT, "authentication": {"schemes": ["Bearer"]}}


@pytest.mark.parametrize(
    "params",
    [
        {"taskId": "t1", **FLAT},
        {"task_id": "t1", **FLAT},
        {"taskId": "t1", "pushNotificationConfig": INNER},
        {"task_id": "t1", "push_notification_config": INNER},
        {"taskId": "t1", "configId": "c1", "config": {**INNER, "id": ""}},
        {"taskId": "t1", "config_id": "c1", "config": {"name": "x", "push_notification_config": INNER}},
    ],
)
def test_a_configuration_is_read_in_every_shape(params):
    config = take(rpc("CreateTaskPushNotificationConfig", params)).operation.config
    assert (config.url, config.id, config.task_id, config.token) == (FLAT["url"], "c1", "t1", "secret")
    assert config.authentication == a2a.PushAuthentication(scheme="Bearer")
    assert "secret" not in repr(config)


def test_a_rest_body_of_the_older_version_sets_a_configuration():
    inner = {"id": "d", "url": "https://hooks.example/", "token": "", "authentication": {}}
    body = {"parent": "tasks/t1", "config_id": "d", "config": {"name": "n", "push_notification_config": inner}}
    operation = take(rest("POST", "/v1/tasks/t1/pushNotificationConfigs", body)).operation
    assert operation.config == a2a.PushNotificationConfig(url="https://hooks.example/", id="d", task_id="t1")
    assert operation.extra == {"parent": "tasks/t1"}


def test_several_schemes_stay_with_the_configuration():
    config = take(
        rpc(
            "tasks/pushNotificationConfig/set",
            {"taskId": "t1", "pushNotificationConfig": {**FLAT, "authentication": {"schemes": ["Basic", "Bearer"]}}},
        )
    ).operation.config
    assert (config.authentication.scheme, config.authentication.extra) == ("Basic", {"schemes": ["Basic", "Bearer"]})


@pytest.mark.parametrize("spelled", ["canceled", "TASK_STATE_CANCELED", "TASK_STATE_CANCELLED"])
def test_a_list_is_filtered_by_a_state_in_any_spelling(spelled):
    assert take(rpc("ListTasks", {"status": spelled})).operation.state == "canceled"
    assert take(rest("GET", f"/tasks?status={spelled}")).operation.state == "canceled"


@pytest.mark.parametrize("nothing", ["", None, "TASK_STATE_UNSPECIFIED", 0])
def test_the_state_that_means_none_filters_nothing(nothing):
    assert take(rpc("ListTasks", {"status": nothing, "pageToken": "", "contextId": ""})).operation == a2a.ListTasks()


def test_a_time_with_any_offset_is_read():
    operation = take(rpc("ListTasks", {"statusTimestampAfter": "2026-11-24T01:35:00.123456+01:00"})).operation
    assert operation.updated_after == "2026-11-24T00:35:00.123456Z"


def test_no_messages_is_asked_for_otherwise_in_each_version():
    assert take(rpc("GetTask", {"id": "t1", "historyLength": 0})).operation.history_length == 0
    assert take(rpc("tasks/get", {"id": "t1", "historyLength": 0})).operation.history_length is None
    assert take(rpc("GetTask", {"id": "t1", "history_length": 3.0})).operation.history_length == 3


def test_unknown_parameters_stay_with_the_operation():
    got = take(rpc("CancelTask", {"id": "t1", "tenant": "x", "kind": "y", "metadata": {"a": 2**60}}))
    assert (got.operation.extra, got.operation.metadata) == ({"tenant": "x"}, {"a": 2**60})
    assert [(one.code, one.at) for one in got.diagnostics] == [
        ("version-disagrees", ""),
        ("member-dropped", "/params/kind"),
    ]


@pytest.mark.parametrize(
    "request_",
    [
        rpc("message/send", {}),
        rpc("SendStreamingMessage", {"message": {}}),
        rest("POST", "/message:send", {}),
        rest("POST", "/v1/message:stream", {}),
        rest("POST", "/helper", {"message": {}}),
        rest("POST", "/helper", {}),
        HttpRequest(method="POST", url=URL, body=b'{"jsonrpc":"2.0","method":"GetTask","x":"' + b"x" * 65_536 + b'"}'),
        HttpRequest(method="POST", url=URL, body=b'{"jsonrpc":"2.0","id":1,"result":{}}'),
        HttpRequest(method="POST", url=URL, body=b'{"jsonrpc":"2.0","id":1,"error":{}}'),
    ],
)
def test_what_may_be_a_message_is_for_receive(request_):
    assert take(request_) is None


BROKEN = [
    (HttpRequest(method="POST", url=URL, body=b"{"), "invalid-json", 200, -32700),
    (HttpRequest(method="POST", url=URL, body=b""), "invalid-json", 200, -32700),
    (HttpRequest(method="POST", url=URL, body=b"\xff"), "not-utf8", 200, -32700),
    (HttpRequest(method="POST", url=URL, body=b"[]"), "invalid-request", 200, -32600),
    (HttpRequest(method="POST", url=URL, body=b'{"method": "GetTask"}'), "invalid-request", 200, -32600),
    (HttpRequest(method="POST", url=URL, body=b'{"jsonrpc": "2.0"}'), "invalid-request", 200, -32600),
    (rpc(5), "invalid-request", 200, -32600),
    (rpc("GetTask", {}, {"bad": 1}), "invalid-request", 200, -32600),
    (rpc("GetTask", [], 1), "invalid-request", 200, -32600),
    (rpc("GetTask", "x", 1), "invalid-request", 200, -32600),
    (rpc("tasks/frob", {}), "method-unsupported", 200, -32601),
    (rpc("tasks/send", {}), "version-unsupported", 200, -32009),
    (rpc("GetTask", {"id": "t1"}, **{"A2A-Version": "9"}), "version-unsupported", 200, -32009),
    (rpc("GetTask"), "missing-member", 200, -32602),
    (rpc("GetTask", {"id": ""}), "missing-member", 200, -32602),
    (rpc("GetTask", {"id": 5}), "wrong-type", 200, -32602),
    (rpc("GetTask", {"id": "x" * 2049}), "id-too-long", 200, -32602),
    (rpc("GetTask", {"id": "t", "historyLength": -1}), "unknown-value", 200, -32602),
    (rpc("GetTask", {"id": "t", "historyLength": 1.5}), "wrong-type", 200, -32602),
    (rpc("GetTask", {"id": "t", "historyLength": True}), "wrong-type", 200, -32602),
    (rpc("GetTask", {"id": "t", "historyLength": "1"}), "wrong-type", 200, -32602),
    (rpc("GetTask", {"taskId": "t", "task_id": "t"}), "malformed", 200, -32602),
    (rpc("ListTasks", {"pageSize": 0}), "unknown-value", 200, -32602),
    (rpc("ListTasks", {"pageSize": 101}), "unknown-value", 200, -32602),
    (rpc("ListTasks", {"status": "INVALID_STATUS"}), "unknown-value", 200, -32602),
    (rpc("ListTasks", {"status": "unknown"}), "unknown-value", 200, -32602),
    (rpc("ListTasks", {"status": []}), "wrong-type", 200, -32602),
    (rpc("ListTasks", {"statusTimestampAfter": "-1"}), "unknown-value", 200, -32602),
    (rpc("ListTasks", {"statusTimestampAfter": 5}), "wrong-type", 200, -32602),
    (rpc("ListTasks", {"includeArtifacts": 1}), "wrong-type", 200, -32602),
    (rpc("ListTasks", {"pageToken": "x" * 2049}), "id-too-long", 200, -32602),
    (rpc("CancelTask", {"id": "t", "metadata": []}), "wrong-type", 200, -32602),
    (rpc("GetTaskPushNotificationConfig", {"taskId": "t"}), "missing-member", 200, -32602),
    (rpc("tasks/pushNotificationConfig/delete", {"id": "t"}), "missing-member", 200, -32602),
    (rpc("CreateTaskPushNotificationConfig", {"taskId": "t"}), "missing-member", 200, -32602),
    (rpc("CreateTaskPushNotificationConfig", {"taskId": "t", "config": 5}), "wrong-type", 200, -32602),
    (rpc("CreateTaskPushNotificationConfig", {"taskId": "t", "url": "http://10.0.0.1/"}), "url-refused", 200, -32602),
    (
        rpc("CreateTaskPushNotificationConfig", {"taskId": "t", **FLAT, "authentication": {"credentials": "x"}}),
        "missing-member",
        200,
        -32602,
    ),
    (rpc("CreateTaskPushNotificationConfig", {"taskId": "t", **FLAT, "token": "a\nb"}), "malformed", 200, -32602),
    (
        rpc("CreateTaskPushNotificationConfig", {"taskId": "t", **FLAT, "authentication": {"scheme": "a b"}}),
        "malformed",
        200,
        -32602,
    ),
    (rest("GET", "/frob"), "method-unsupported", 404, -32601),
    (rest("GET", "/"), "method-unsupported", 404, -32601),
    (rest("GET", "/card"), "method-unsupported", 404, -32601),
    (rest("GET", "/tasks/"), "method-unsupported", 404, -32601),
    (rest("POST", "/message:frob", {}), "method-unsupported", 404, -32601),
    (rest("POST", "/x", {}, **{"Content-Type": "application/a2a+json"}), "method-unsupported", 404, -32601),
    (rest("GET", "/message:send"), "http-method-unsupported", 405, -32601),
    (rest("DELETE", "/tasks/t1"), "http-method-unsupported", 405, -32601),
    (rest("POST", "/tasks", {}), "http-method-unsupported", 405, -32601),
    (rest("PUT", "/tasks/t1/pushNotificationConfigs/c1", {}), "http-method-unsupported", 405, -32601),
    (rest("GET", "/tasks/t1", **{"A2A-Version": "9"}), "version-unsupported", 400, -32009),
    (rest("GET", "/tasks/%ff"), "malformed", 400, -32602),
    (rest("GET", "/tasks?pageSize=0"), "unknown-value", 400, -32602),
    (rest("GET", "/tasks?pageSize=x"), "wrong-type", 400, -32602),
    (rest("GET", "/tasks?pageSize=" + "9" * 5000), "wrong-type", 400, -32602),
    (rest("GET", "/tasks?includeArtifacts=yes"), "wrong-type", 400, -32602),
    (rest("GET", "/tasks?pageSize=1&pageSize=2"), "malformed", 400, -32602),
    (rest("GET", "/tasks?x=" + "y" * 20_000), "too-large", 413, -32602),
    (rest("GET", "/tasks?" + "&".join(f"a{n}=1" for n in range(40))), "too-large", 413, -32602),
    (rest("POST", "/tasks/t1:cancel", []), "wrong-type", 400, -32602),
    (rest("POST", "/tasks/t1:cancel", {"id": "t2"}), "task-mismatch", 400, -32602),
    (rest("POST", "/tasks/t1/pushNotificationConfigs", {"task_id": "t2", **FLAT}), "task-mismatch", 400, -32602),
    (rest("POST", "/tasks/t1:cancel", {"x": "x" * 70_000}), "too-large", 413, -32602),
    (HttpRequest(method="POST", url="https://a.example/tasks/t1:cancel", body=b"{"), "invalid-json", 400, -32700),
    # The test kit of v0.3 wants to know that there is no such method, before that there is no id.
    (
        HttpRequest(method="POST", url=URL, body=b'{"jsonrpc": "2.0", "method": "message/ssend", "params": {}}'),
        "method-unsupported",
        200,
        -32601,
    ),
    (
        HttpRequest(method="POST", url=URL, body=b'{"jsonrpc": "2.0", "method": "GetTask"}'),
        "invalid-request",
        200,
        -32600,
    ),
    (rpc("GetTask", {"id": "t1"}, "x" * 2049), "id-too-long", 200, -32602),
]


@pytest.mark.parametrize(("request_", "code", "status", "number"), BROKEN, ids=[str(n) for n in range(len(BROKEN))])
def test_what_is_broken_is_rejected_with_its_code_and_status(request_, code, status, number):
    got = take(request_)
    assert isinstance(got, Rejected), got
    assert (got.code, got.jsonrpc_code) == (code, number)
    out = a2a.error_response(got, request=request_)
    error = json.loads(out.body)["error"]
    assert (out.status, error["code"]) == (status, number if status == 200 else status)


def test_an_error_repeats_the_id_of_an_invalid_request():
    request = HttpRequest(method="POST", url=URL, body=b'{"jsonrpc": "1.0", "id": "a", "method": "GetTask"}')
    assert json.loads(a2a.error_response(take(request), request=request).body)["id"] == "a"


@pytest.mark.parametrize(
    ("path", "allow"),
    [
        ("/tasks/t1", "GET"),
        ("/tasks/t1:subscribe", "GET, POST"),
        ("/tasks/t1/pushNotificationConfigs/c", "GET, DELETE"),
        ("/message:send", "POST"),
    ],
)
def test_a_wrong_http_method_is_answered_with_the_right_ones(path, allow):
    request = rest("PUT", path)
    assert a2a.error_response(take(request), request=request).header("allow") == allow


@pytest.mark.parametrize("path", ["/tasks", "/tasks/t1", "/v1/card"])
def test_jsonrpc_may_be_served_at_a_path_like_one_of_rest(path):
    request = HttpRequest(method="POST", url=f"https://a.example{path}", body=rpc("GetTask", {"id": "t1"}).body)
    assert take(request).dialect == "1.0"


def test_a_caller_is_whom_the_host_names_and_may_have_to_be_verified():
    request = rpc("GetTask", {"id": "t1"})
    assert take(request, None).caller is None
    assert take(request, "@bob@b.example").caller == "@bob@b.example"
    got = take(request, settings=a2a.Settings(require_verified=True))
    assert (got.code, a2a.error_response(got, request=request).status) == ("verification-required", 401)


def with_token():
    token = tokens.signed(tokens.HEADER, tokens.CLAIMS)
    body = rpc("GetTask", {"id": "t1"}).body
    return HttpRequest(
        method="POST",
        url=URL,
        headers={"Authorization": f"Bearer {token}"},
        body=body,
    )


TRUSTING = {
    "keys": tokens.KEYS,
    "issuer": tokens.ISSUER,
    "audiences": (tokens.AUDIENCE,),
    "subject_domains": ("a.example",),
}


def test_a_token_verifies_the_caller_before_the_host_does():
    settings = a2a.Settings(token_issuers=(a2a.TokenIssuer(**TRUSTING),), require_verified=True, use_once=True)
    asks = []

    def use_once(ask):
        asks.append(ask)
        return "first"

    flow = a2a.receive_operation(with_token(), caller=a2a.Caller(subject="bob"), now=NOW, settings=settings)
    got = drive(flow, Answers(use_once=use_once))
    assert (got.caller, got.verdict.method, len(asks)) == (tokens.ALICE, "a2a-jwt", 1)
    again = drive(a2a.receive_operation(with_token(), now=NOW, settings=settings), Answers(use_once=lambda _: "other"))
    assert again.code == "verification-required"


def test_the_answer_of_the_authorization_server_verifies_the_caller_too():
    settings = a2a.Settings(token_issuers=(a2a.TokenIssuer(**TRUSTING),))
    answer = {"active": True, **tokens.CLAIMS}
    fine = a2a.Introspection(response=answer, issuer=tokens.ISSUER)
    inactive = a2a.Introspection(
        response={"active": False}, issuer=tokens.ISSUER, caller=a2a.Caller(subject="@bob@b.example")
    )
    for caller, known in ((fine, tokens.ALICE), (inactive, "@bob@b.example")):
        flow = a2a.receive_operation(with_token(), caller=caller, now=NOW, settings=settings)
        assert drive(flow, Answers()).caller == known


def test_limits_bound_ids():
    got = take(rpc("GetTask", {"id": "abcdef"}), settings=a2a.Settings(limits=Limits(id_chars=5)))
    assert got.code == "id-too-long"


def test_mistakes_of_the_program_raise():
    for arguments in ({"request": "x"}, {"caller": "alice"}, {"now": None}, {"settings": 5}):
        with pytest.raises(UsageError):
            a2a.receive_operation(**{"request": rpc("GetTask"), "now": NOW, **arguments})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMES = (
    "id",
    "taskId",
    "task_id",
    "historyLength",
    "pageSize",
    "pageToken",
    "status",
    "statusTimestampAfter",
    "includeArtifacts",
    "metadata",
    "config",
    "url",
    "pushNotificationConfig",
    "pushNotificationConfigId",
    "authentication",
    "token",
    "extra",
    "kind",
    "contextId",
    "configId",
)


@given(st.sampled_from(sorted(METHODS)), st.dictionaries(st.sampled_from(NAMES), json_values, max_size=5))
def test_no_parameters_make_it_raise(method, params):
    got = take(rpc(method, params))
    assert isinstance(got, (a2a.ReceivedOperation, Rejected))
    if isinstance(got, Rejected):
        assert got.jsonrpc_code == -32602


@given(st.sampled_from(["GET", "POST", "DELETE", "PUT"]), st.text(max_size=30), st.binary(max_size=20))
def test_no_request_makes_it_raise(method, path, body):
    for start in ("/", "/tasks/", "/tasks?", "/tasks/t/pushNotificationConfigs/", "/v1/"):
        request = HttpRequest(method=method, url=f"https://a.example{start}{path}", body=body)
        got = take(request)
        if isinstance(got, Rejected):
            assert 200 <= a2a.error_response(got, request=request).status < 500


def test_every_operation_has_a_name_in_both_versions():
    assert OPERATIONS["0.3"].keys() == OPERATIONS["1.0"].keys()


@pytest.mark.parametrize("path", ["/tasks/\ud800", "/tasks?pageToken=\ud800", "/tasks/%ff"])
def test_a_url_that_is_no_utf8_is_refused(path):
    request = HttpRequest(method="GET", url=f"https://agents.example{path}")
    assert drive(a2a.receive_operation(request, now=NOW), Answers()).code == "malformed"


def test_an_operation_has_an_id():
    """What has none is a notification of JSON-RPC, which nobody answers."""
    body = {"jsonrpc": "2.0", "method": "GetTask", "params": {"id": "t1"}}

    def code_of(document):
        got = take(HttpRequest(method="POST", url=URL, body=json.dumps(document).encode()))
        return got.code if isinstance(got, Rejected) else got

    assert code_of(body) == "invalid-request"
    assert code_of({**body, "id": None}).operation == a2a.GetTask(task_id="t1")
    assert code_of({**body, "method": "SendMessage"}) is None


def test_a_problem_names_a_parameter_without_line_breaks():
    got = take(rest("GET", "/tasks/t1?a%0Ab%2Fc=1&a%0Ab%2Fc=2"))
    assert [one.at for one in got.problems] == [r"/a\u000ab~1c"]
