import json

import pytest

from mentionable import UsageError


def V03(**members):
    return {
        "kind": "message",
        "messageId": "m1",
        "taskId": "t1",
        "role": "user",
        "parts": [{"kind": "text", "text": "hi"}],
        **members,
    }


def REST03(**members):
    return {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "content": [{"text": "hi"}], **members}


MIXED = {"messageId": "m1", "taskId": "t1", "role": "user", "parts": [{"text": "hi"}]}
LANGGRAPH = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"kind": "text", "text": "hi"}]}


def envelope(got):
    return got.message.raw["envelope"].get("binding"), got.message.raw["envelope"]["dialect"]


@pytest.mark.parametrize("method", ["message/send", "message/stream"])
def test_v0_3_json_rpc_is_known(take, call, method):
    got = take(call(V03(), method))
    assert envelope(got) == ("jsonrpc", "0.3")
    assert got.message.parts[0].content == "hi"


@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage"])
def test_v1_0_json_rpc_is_known(take, call, message, codes, method):
    got = take(call(message(), method), headers={"A2A-Version": "1.0"})
    assert envelope(got) == ("jsonrpc", "1.0")
    assert codes(got) == []


@pytest.mark.parametrize(
    ("content", "method"),
    [(MIXED, "message/send"), (LANGGRAPH, "SendMessage"), (V03(), "SendMessage"), (V03(kind=None), "SendMessage")],
)
def test_mixtures_are_read_by_their_members(take, call, content, method):
    got = take(call(content, method))
    assert envelope(got) == ("jsonrpc", "mixed")
    assert got.message.parts[0].content == "hi"


def test_the_content_of_v0_3_rest_under_json_rpc_is_a_mixture(take, call):
    assert envelope(take(call(REST03(), "message/send"))) == ("jsonrpc", "mixed")


@pytest.mark.parametrize("name", ["message", "request"])
def test_v0_3_rest_is_known(take, name):
    got = take(json.dumps({name: REST03()}), url="https://agents.example/v1/message:send")
    assert envelope(got) == ("rest", "0.3-rest")
    assert got.diagnostics == ()


def test_v1_0_rest_is_known(take, message):
    got = take(json.dumps({"message": message()}), headers={"A2A-Version": "1.0"})
    assert envelope(got) == ("rest", "1.0")
    assert got.diagnostics == ()


@pytest.mark.parametrize(
    ("result", "binding", "dialect"),
    [
        ({"jsonrpc": "2.0", "id": 1, "result": V03(role="agent")}, "jsonrpc", "0.3"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"message": MIXED}}, "jsonrpc", "mixed"),
        ({"message": REST03(role="ROLE_AGENT")}, "rest", "0.3-rest"),
        (V03(role="agent"), None, "0.3"),
        (REST03(), None, "0.3-rest"),
        (MIXED, None, "mixed"),
    ],
)
def test_messages_in_results_and_alone_are_known(take, result, binding, dialect):
    assert envelope(take(json.dumps(result))) == (binding, dialect)


@pytest.mark.parametrize(
    ("change", "dialect"),
    [
        ({"kind": "task", "status": {"state": "completed"}}, "0.3"),
        ({"status": {"state": "completed", "message": V03(role="agent")}}, "0.3"),
        ({"status": {"state": "TASK_STATE_COMPLETED", "message": V03()}}, "mixed"),
        ({"status": {"state": "TASK_STATE_WORKING"}, "history": [REST03()]}, "0.3-rest"),
        ({"status": {"state": "TASK_STATE_CANCELLED"}}, "0.3-rest"),
        ({"status": {"state": "TASK_STATE_COMPLETED"}}, "1.0"),
        ({"status": {"state": 3}}, "1.0"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_tasks_are_told_apart_by_what_is_in_them(take, change, dialect, wrapped):
    unit = {"id": "t1", **change}
    assert envelope(take({"task": unit} if wrapped else unit))[1] == dialect


def test_a_bare_task_in_a_json_rpc_result_is_v0_3(take, task):
    bare = {"jsonrpc": "2.0", "id": None, "result": {"kind": "task", "id": "t1", "status": {"state": "completed"}}}
    assert envelope(take(json.dumps(bare))) == ("jsonrpc", "0.3")
    wrapped = {"jsonrpc": "2.0", "id": 1.5, "result": {"task": task(text=None)}}
    assert envelope(take(json.dumps(wrapped))) == ("jsonrpc", "1.0")


@pytest.mark.parametrize(
    ("facts", "dialect"),
    [
        ({"url": "https://agents.example/v1/tasks/t1"}, "0.3-rest"),
        ({"headers": {"A2A-Version": "0.3"}}, "0.3-rest"),
        ({"headers": {"A2A-Version": "1.0"}, "url": "https://agents.example/v1/tasks/t1"}, "1.0"),
        ({}, "1.0"),
    ],
    ids=str,
)
def test_artifacts_alone_are_told_apart_by_their_surroundings(take, task, facts, dialect):
    unit = task(text=None, artifacts=[{"artifactId": "a", "parts": [{"text": "x"}]}])
    assert envelope(take(json.dumps({"task": unit}), **facts))[1] == dialect


def test_a_message_and_its_task_may_be_of_different_dialects(take, task, message):
    assert envelope(take({"message": V03(), "task": task()}))[1] == "mixed"
    assert envelope(take({"message": message(), "task": task()}))[1] == "1.0"
    assert envelope(take({"message": message(), "task": task(text=None)}))[1] == "1.0"


@pytest.mark.parametrize(
    ("headers", "url", "noted"),
    [
        ({"A2A-Version": "1.0"}, "https://a.example/", []),
        ({"A2A-Version": "1.7"}, "https://a.example/", []),
        ({"A2A-Version": "1.0.1"}, "https://a.example/", []),
        ({}, "https://a.example/?x=1&A2A-Version=1.0#frag", []),
        ({}, "https://a.example/?x=1", ["version-disagrees"]),
        ({}, "https://a.example/", ["version-disagrees"]),
        ({"A2A-Version": ""}, "https://a.example/", ["version-disagrees"]),
        ({"A2A-Version": "0.3"}, "https://a.example/", ["version-disagrees"]),
        ({"A2A-Version": "0.3.0"}, "https://a.example/", ["version-disagrees"]),
    ],
    ids=str,
)
def test_a_label_of_another_version_is_noted(take, call, message, codes, headers, url, noted):
    assert codes(take(call(message()), headers=headers, url=url)) == noted


def test_the_label_is_noted_for_both_versions_and_bindings(take, call, message, codes):
    v1 = {"A2A-Version": "1.0"}
    assert codes(take(call(V03(), "message/send"), headers=v1)) == ["version-disagrees"]
    assert codes(take(json.dumps({"message": REST03()}), headers=v1)) == ["version-disagrees"]
    assert codes(take(json.dumps({"message": message()}))) == ["version-disagrees"]
    assert codes(take(json.dumps({"message": MIXED}))) == []


def test_answers_have_no_label(take, message, codes):
    assert codes(take(json.dumps({"message": message(role="ROLE_AGENT")}))) == []
    assert codes(take(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"message": message()}}))) == []
    assert codes(take({"message": message()})) == []


@pytest.mark.parametrize("label", ["9.0", "2", "0.1", "0.2.x", "one", "1.0, 1.0", "0"])
def test_an_unknown_version_is_rejected(take, call, message, label):
    got = take(call(message()), headers={"A2A-Version": label})
    assert got.code == "version-unsupported"
    assert got.jsonrpc_code == -32009


@pytest.mark.parametrize("method", ["tasks/send", "tasks/sendSubscribe"])
def test_a2a_before_message_send_is_refused_by_name(take, call, message, method):
    assert take(call(message(), method)).code == "version-unsupported"


@pytest.mark.parametrize(
    ("document", "code", "at"),
    [
        ([], "invalid-request", ""),
        (7, "invalid-request", ""),
        ({}, "not-a-message", ""),
        ({"name": "card", "url": "https://a.example/"}, "not-a-message", ""),
        ({"message": None}, "not-a-message", ""),
        ({"message": "hi"}, "wrong-type", "/message"),
        ({"message": V03(), "task": {"id": "t"}}, "two-contents", ""),
        ({"error": {"code": 404}}, "peer-not-found", "/error"),
        ({"statusUpdate": {}}, "stream-event", ""),
        ({"artifact_update": {}}, "stream-event", ""),
        ({"kind": "status-update", "taskId": "t"}, "stream-event", ""),
        ({"jsonrpc": "1.0", "method": "message/send"}, "invalid-request", "/jsonrpc"),
        ({"method": "message/send"}, "invalid-request", "/jsonrpc"),
        ({"jsonrpc": "2.0", "id": [], "method": "message/send"}, "invalid-request", "/id"),
        ({"jsonrpc": "2.0", "id": True, "method": "message/send"}, "invalid-request", "/id"),
        ({"jsonrpc": "2.0", "id": 1, "method": "message/send", "result": {}}, "invalid-request", ""),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/get"}, "method-unsupported", "/method"),
        ({"jsonrpc": "2.0", "id": 1, "method": ["message/send"]}, "invalid-request", "/method"),
        ({"jsonrpc": "2.0", "id": 1, "method": "message/send"}, "missing-member", "/params/message"),
        ({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": []}, "invalid-request", "/params"),
        ({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}}, "missing-member", "/params/message"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603}}, "peer-error", "/error"),
        ({"jsonrpc": "2.0", "id": 1}, "invalid-request", "/method"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, "not-a-message", "/result"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"statusUpdate": {}}}, "stream-event", "/result"),
        ({"role": "user", "parts": [{"text": "hi"}]}, "missing-member", "/messageId"),
        ({"kind": "message"}, "missing-member", "/messageId"),
        ({"kind": "task"}, "missing-member", "/id"),
        ({"task": []}, "wrong-type", "/task"),
        (
            {"task": {"id": "t", "status": {"state": "completed"}, "history": ["x"], "artifacts": ["x"]}},
            "wrong-type",
            "/task/artifacts/0",
        ),
    ],
    ids=str,
)
def test_what_is_no_message_is_rejected(take, document, code, at):
    got = take(json.dumps(document))
    assert (got.code, got.problems[0].at) == (code, at)


@pytest.mark.parametrize("parts", [None, [], ["x"], "x"], ids=str)
def test_odd_parts_are_no_mark(take, parts):
    unit = {"messageId": "m1", "role": "ROLE_USER", "parts": parts}
    assert take(unit).code in ("missing-member", "wrong-type")


@pytest.mark.parametrize(
    "artifacts",
    [
        ["x"],
        [{"parts": "x"}],
        [{"artifactId": "a", "parts": ["x"]}],
        [{"artifactId": "a", "parts": [{"kind": "file", "file": {}}]}],
    ],
    ids=str,
)
def test_odd_artifacts_are_no_mark(take, artifacts):
    got = take({"id": "t1", "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": artifacts})
    assert got.code in ("missing-member", "wrong-type")


def test_places_are_counted_from_the_body(take, call):
    got = take(call(V03(role="?"), "message/send"))
    assert got.problems[0].at == "/params/message/role"
    got = take(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"message": V03(role="?")}}))
    assert got.problems[0].at == "/result/message/role"


def test_a_mapping_must_say_for_whom_it_is(take, message):
    with pytest.raises(UsageError, match="recipient="):
        take(message(), recipient=None)


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v1/message:send", "message:send"),
        ("/message:stream?tenant=1#x", "message:stream"),
        ("/messages", None),
        ("/mymessage:send", None),
    ],
)
def test_the_end_of_a_rest_path_is_kept_as_the_method(take, path, method):
    body = b'{"message": {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "hi"}]}}'
    got = take(body, url="https://agents.example" + path)
    assert got.message.raw["envelope"].get("method") == method


def test_a_result_that_is_no_object_is_named(take):
    got = take(json.dumps({"jsonrpc": "2.0", "id": 1, "result": []}))
    assert (got.code, got.problems[0].at) == ("wrong-type", "/result")
