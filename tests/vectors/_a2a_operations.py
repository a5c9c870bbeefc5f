"""Cases of A2A's task operations: as they are received, answered, called, and as their results are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.a2a.test_receive_operation import BROKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mentionable import HttpRequest

    Case = dict[str, Any]

NOW: Final = "2026-11-21T20:56:00Z"
URL: Final = "https://agents.example/helper"
ALICE: Final = {"subject": "alice"}
BOB: Final = {"subject": "bob"}
WAYS: Final = ("1.0", "1.0-rest", "0.3", "0.3-rest")
OPERATIONS: Final = "A2A 1.0 3.1"
ERRORS: Final = "A2A 1.0 5.4"
CONFIG: Final = {
    "url": "https://hooks.example/a2a",
    "id": "c1",
    "task_id": "t1",
    "token": "secret",
    "authentication": {"scheme": "Bearer", "credentials": "x"},
}
INNER: Final = {"id": "c1", "url": CONFIG["url"], "token": "secret"}
NEW_CONFIG: Final = {"taskId": "t1", **INNER, "authentication": {"scheme": "Bearer", "credentials": "x"}}
OLD_INNER: Final = {**INNER, "authentication": {"schemes": ["Bearer"], "credentials": "x"}}

# Operation → its method in 1.0 and in 0.3, its parameters in both, its REST request in both, and the value.
TABLE: Final[dict[str, tuple[Any, ...]]] = {
    "get_task": (
        ("GetTask", {"id": "t1", "historyLength": 5}),
        ("tasks/get", {"id": "t1", "historyLength": 5}),
        ("GET", "/tasks/t1?historyLength=5", None),
        ("GET", "/v1/tasks/t1?historyLength=5", None),
        {"task_id": "t1", "history_length": 5},
    ),
    "list_tasks": (
        ("ListTasks", {"contextId": "c1", "status": "TASK_STATE_WORKING", "pageSize": 2, "includeArtifacts": True}),
        ("tasks/list", {"contextId": "c1", "status": "working", "pageSize": 2, "includeArtifacts": True}),
        ("GET", "/tasks?contextId=c1&status=TASK_STATE_WORKING&pageSize=2&includeArtifacts=true", None),
        ("GET", "/v1/tasks?contextId=c1&status=TASK_STATE_WORKING&pageSize=2&includeArtifacts=true", None),
        {"context_id": "c1", "state": "working", "page_size": 2, "include_artifacts": True},
    ),
    "cancel_task": (
        ("CancelTask", {"id": "t1", "metadata": {"why": "late"}}),
        ("tasks/cancel", {"id": "t1", "metadata": {"why": "late"}}),
        ("POST", "/tasks/t1:cancel", {"metadata": {"why": "late"}}),
        ("POST", "/v1/tasks/t1:cancel", {"metadata": {"why": "late"}}),
        {"task_id": "t1", "metadata": {"why": "late"}},
    ),
    "subscribe_to_task": (
        ("SubscribeToTask", {"id": "t1"}),
        ("tasks/resubscribe", {"id": "t1"}),
        ("POST", "/tasks/t1:subscribe", None),
        ("GET", "/v1/tasks/t1:subscribe", None),
        {"task_id": "t1"},
    ),
    "create_push_config": (
        ("CreateTaskPushNotificationConfig", NEW_CONFIG),
        ("tasks/pushNotificationConfig/set", {"taskId": "t1", "pushNotificationConfig": OLD_INNER}),
        ("POST", "/tasks/t1/pushNotificationConfigs", NEW_CONFIG),
        (
            "POST",
            "/v1/tasks/t1/pushNotificationConfigs",
            {
                "parent": "tasks/t1",
                "configId": "c1",
                "config": {"name": "tasks/t1/pushNotificationConfigs/c1", "pushNotificationConfig": OLD_INNER},
            },
        ),
        {"config": CONFIG},
    ),
    "get_push_config": (
        ("GetTaskPushNotificationConfig", {"taskId": "t1", "id": "c1"}),
        ("tasks/pushNotificationConfig/get", {"id": "t1", "pushNotificationConfigId": "c1"}),
        ("GET", "/tasks/t1/pushNotificationConfigs/c1", None),
        ("GET", "/v1/tasks/t1/pushNotificationConfigs/c1", None),
        {"task_id": "t1", "config_id": "c1"},
    ),
    "list_push_configs": (
        ("ListTaskPushNotificationConfigs", {"taskId": "t1"}),
        ("tasks/pushNotificationConfig/list", {"id": "t1"}),
        ("GET", "/tasks/t1/pushNotificationConfigs", None),
        ("GET", "/v1/tasks/t1/pushNotificationConfigs", None),
        {"task_id": "t1"},
    ),
    "delete_push_config": (
        ("DeleteTaskPushNotificationConfig", {"taskId": "t1", "id": "c1"}),
        ("tasks/pushNotificationConfig/delete", {"id": "t1", "pushNotificationConfigId": "c1"}),
        ("DELETE", "/tasks/t1/pushNotificationConfigs/c1", None),
        ("DELETE", "/v1/tasks/t1/pushNotificationConfigs/c1", None),
        {"task_id": "t1", "config_id": "c1"},
    ),
    "get_extended_card": (
        ("GetExtendedAgentCard", {}),
        ("agent/getAuthenticatedExtendedCard", {}),
        ("GET", "/extendedAgentCard", None),
        ("GET", "/v1/card", None),
        {},
    ),
}


def slug(way: str) -> str:
    """A way as part of an id."""
    return "v" + way.replace(".", "-")


def asked(kind: str, way: str) -> Case:
    """The request for an operation of the table."""
    column = TABLE[kind]
    headers = [["a2a-version", "1.0"]] if way.startswith("1.0") else []
    if way.endswith("rest"):
        method, path, body = column[2 if way == "1.0-rest" else 3]
        return {"method": method, "url": f"https://agents.example{path}", "headers": headers, "body": body or ""}
    method, params = column[0 if way == "1.0" else 1]
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    return {"method": "POST", "url": URL, "headers": headers, "body": body}


def value_of(kind: str) -> Case:
    """An operation of the table as a value, with the members that its JSON always has."""
    usual: dict[str, Any] = {"list_tasks": {"include_artifacts": False}, "cancel_task": {"metadata": {}}}.get(kind, {})
    return {"kind": kind, **usual, **TABLE[kind][4]}


def _case(behaviour: str, name: str, section: str, why: str, unit: Any, **outcome: Any) -> Case:
    return {
        "id": f"a2a/operation-{behaviour}/{name}",
        "section": section,
        "level": outcome.pop("level", "MUST"),
        "why": why,
        "flags": ["a2a"],
        "given": {"now": NOW},
        "input": unit,
        **outcome,
    }


def received() -> Iterator[Case]:
    """Each operation in each version and binding."""
    for kind in TABLE:
        for way in WAYS:
            call_id = None if way.endswith("rest") else 7
            value = {"operation": value_of(kind), "caller": "alice", "dialect": way, "id": call_id}
            if kind == "create_push_config" and way == "0.3-rest":
                value["operation"] = {**value["operation"], "parent": "tasks/t1"}
            why = "Every version and binding asks for the same operations."
            unit = {**asked(kind, way), "caller": ALICE}
            yield _case("received", f"{kind.replace('_', '-')}-{slug(way)}", OPERATIONS, why, unit, value=value)
    snake = {**asked("get_push_config", "1.0"), "caller": ALICE}
    snake["body"] = {**snake["body"], "params": {"task_id": "t1", "id": "c1"}}
    value = {"operation": value_of("get_push_config"), "caller": "alice", "dialect": "1.0", "id": 7}
    why = "ProtoJSON readers take both spellings of a name."
    yield _case("received", "snake-case", OPERATIONS, why, snake, value=value)
    unlabelled = {**asked("get_task", "1.0"), "headers": []}
    value = {"operation": value_of("get_task"), "caller": None, "dialect": "1.0", "id": 7}
    why = "The method tells the version of the answer, and a label that tells another is reported."
    found = {"value": value, "diagnostics": ["version-disagrees"]}
    yield _case("received", "without-label", OPERATIONS, why, unlabelled, level="SHOULD", **found)
    clash = {**asked("get_task", "0.3"), "caller": ALICE}
    clash["body"] = {**clash["body"], "params": {"id": "t1", "historyLength": 0, "kind": "x", "tenant": "y"}}
    operation = {"kind": "get_task", "task_id": "t1", "tenant": "y"}
    value = {"operation": operation, "caller": "alice", "dialect": "0.3", "id": 7}
    why = "Unknown parameters stay, and no message at all means all of them in 0.3."
    found = {"value": value, "diagnostics": ["member-dropped"]}
    yield _case("received", "unknown-members", OPERATIONS, why, clash, level="SHOULD", **found)
    for way, body in (("jsonrpc", {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {}}), ("bare", {})):
        unit = {"method": "POST", "url": URL, "headers": [], "body": body}
        why = "What may send a message is not an operation."
        yield _case("received", f"message-{way}", OPERATIONS, why, unit, value=None)
    unit = {"method": "POST", "url": "https://agents.example/v1/message:send", "headers": [], "body": {}}
    yield _case("received", "message-rest", OPERATIONS, "What sends a message is not an operation.", unit, value=None)


def rejected() -> Iterator[Case]:
    """What is broken."""
    for number, (request, code, _, _) in enumerate(BROKEN):
        unit = _unit(request)
        if unit is not None:
            why = "What is no request of the protocol gets the code for its fault."
            yield _case("rejected", f"{code}-{number}", ERRORS, why, unit, rejected={"code": code})
    unit = asked("get_task", "1.0")
    given = {"now": NOW, "settings": {"require_verified": True}}
    case = _case("rejected", "unverified", ERRORS, "Who must be verified is told so.", unit)
    yield {**case, "given": given, "rejected": {"code": "verification-required"}}


def _unit(request: HttpRequest) -> Case | None:
    """A request as the input of a case, unless it is too long or no text."""
    try:
        body = request.body.decode()
    except UnicodeDecodeError:
        return None
    if len(body) + len(request.url) > 6_000:
        return None
    return {
        "method": request.method,
        "url": request.url,
        "headers": [list(pair) for pair in request.headers],
        "body": body,
    }


QUESTION: Final = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Rain?"}]}
REPLY: Final = {
    "messageId": "m2",
    "role": "ROLE_AGENT",
    "parts": [{"text": "*Which* day?", "mediaType": "text/markdown"}, {"url": "https://f.example/a", "filename": "a"}],
}
TASK: Final = {
    "id": "t1",
    "context_id": "c1",
    "owner": "alice",
    "state": "input-required",
    "updated_at": NOW,
    "message": REPLY,
    "artifacts": [{"artifactId": "a1", "parts": [{"data": {"mm": 3}}]}],
    "history": [QUESTION, REPLY],
    "metadata": {},
}
NEW: Final = {
    "id": "t1",
    "contextId": "c1",
    "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": REPLY, "timestamp": NOW},
    "artifacts": [{"artifactId": "a1", "parts": [{"data": {"mm": 3}}]}],
    "history": [QUESTION, REPLY],
}
_OLD_TEXT: Final = {"text": "*Which* day?", "metadata": {"mimeType": "text/markdown"}}
_OLD_REPLY: Final = {
    "kind": "message",
    "messageId": "m2",
    "role": "agent",
    "parts": [
        {"kind": "text", **_OLD_TEXT},
        {"kind": "file", "file": {"uri": "https://f.example/a", "name": "a"}},
    ],
}
OLD: Final = {
    "kind": "task",
    "id": "t1",
    "contextId": "c1",
    "status": {"state": "input-required", "message": _OLD_REPLY, "timestamp": NOW},
    "artifacts": [{"artifactId": "a1", "parts": [{"kind": "data", "data": {"mm": 3}}]}],
    "history": [
        {"kind": "message", "messageId": "m1", "role": "user", "parts": [{"kind": "text", "text": "Rain?"}]},
        _OLD_REPLY,
    ],
}
_REST_REPLY: Final = {
    "messageId": "m2",
    "role": "ROLE_AGENT",
    "content": [_OLD_TEXT, {"file": {"fileWithUri": "https://f.example/a", "name": "a"}}],
}
OLD_REST: Final = {
    "id": "t1",
    "contextId": "c1",
    "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": _REST_REPLY, "timestamp": NOW},
    "artifacts": [{"artifactId": "a1", "parts": [{"data": {"data": {"mm": 3}}}]}],
    "history": [{"messageId": "m1", "role": "ROLE_USER", "content": [{"text": "Rain?"}]}, _REST_REPLY],
}
WRITTEN: Final = {"1.0": NEW, "1.0-rest": NEW, "0.3": OLD, "0.3-rest": OLD_REST}
ANY: Final = {"$any": "json"}


def response(way: str, body: Any, *, status: int = 200, kind: str | None = None, **headers: str) -> Case:
    """What a server answers."""
    is_rest, is_new = way.endswith("rest"), way.startswith("1.0")
    usual = "application/a2a+json" if way == "1.0-rest" and status == 200 else "application/json"
    named = {"content-type": kind or usual, "a2a-version": "1.0" if is_new else None}
    if not is_rest:
        body = [body] if kind else body
        wrapped = [{"jsonrpc": "2.0", "id": 7, **one} for one in (body if kind else [body])]
        body = wrapped if kind else wrapped[0]
    elif kind:
        body = [body]
    return {"status": status, "headers": {**named, "www-authenticate": None, "allow": None, **headers}, "body": body}


def result(way: str, body: Any, **more: Any) -> Case:
    """A result that is no error."""
    return response(way, body if way.endswith("rest") else {"result": body}, **more)


def error(way: str, number: int, status: int, *, is_stream: bool = False, **headers: str) -> Case:
    """An error; its words are free."""
    is_rest, is_new = way.endswith("rest"), way.startswith("1.0")
    if not is_rest:
        body = {"error": {"code": number, "message": ANY, "data": ANY}}
        http = 401 if status == 401 else 200
        return response(way, body, status=http, kind="text/event-stream" if is_stream else None, **headers)
    inner = {"code": status, "status": ANY, "message": ANY, "details": ANY}
    body = {"error": inner} if is_new else {"code": number, "message": ANY, "error": inner}
    if not is_new and number != -32010:
        body["type"] = ANY
    return response(way, body, status=status, **headers)


PROTOCOL_ERRORS: Final = {
    "task-not-found": (-32001, 404),
    "task-not-cancelable": (-32002, 409),
    "push-not-supported": (-32003, 400),
    "unsupported-operation": (-32004, 400),
    "task-ended": (-32004, 400),
    "extended-card-missing": (-32007, 400),
    "extension-required": (-32008, 400),
    "page-token-unknown": (-32602, 400),
    "too-many-requests": (-32603, 429),
    "answer-too-large": (-32602, 400),
}
LONG: Final = {"messageId": "m0", "role": "ROLE_USER", "parts": [{"text": "Rain? " * 1_000}]}
"""A message for which an answer of 4,000 bytes has no room."""


def answered() -> Iterator[Case]:
    """What a server answers to each operation."""

    def answers(name: str, why: str, kind: str, way: str, answer: Case, value: Case, **more: Any) -> Case:
        caller = more.pop("caller", ALICE)
        unit = {"request": asked(kind, way), "answer": answer}
        if caller is not None:
            unit["caller"] = caller
        return _case("answered", f"{name}-{slug(way)}", OPERATIONS, why, unit, value=value, **more)

    for way in WAYS:
        why = "Where a whole history makes an answer too large, the newest messages of it are shown."
        long = {**TASK, "state": "working", "history": [LONG, *TASK["history"]]}
        states = {"0.3": "working"}
        shown = {**WRITTEN[way], "status": {**WRITTEN[way]["status"], "state": states.get(way, "TASK_STATE_WORKING")}}
        first = shown if way == "0.3" else {"task": shown}
        listed = {"tasks": [shown], "nextPageToken": "n", "pageSize": 1, "totalSize": 3}
        page = {"tasks": [long], "next_page_token": "n", "total_size": 3}
        small = {"now": NOW, "settings": {"limits": {"a2a_bytes": 4_000}}}
        for kind, answer, value in (
            ("get_task", {"task": long}, result(way, shown)),
            ("list_tasks", {"page": page}, result(way, listed)),
            ("subscribe_to_task", {"task": long}, result(way, first, kind="text/event-stream")),
        ):
            case = answers(f"long-{kind.replace('_', '-')}", why, kind, way, answer, value, level="SHOULD")
            yield {**case, "given": small}
        why = "An answer that is too large without any history is an error."
        case = answers("too-large", why, "get_task", way, {"task": TASK}, error(way, -32602, 400), level="SHOULD")
        yield {**case, "given": {"now": NOW, "settings": {"limits": {"a2a_bytes": 300}}}}

        why = "A task is written in the version and binding of its request."
        yield answers("get-task", why, "get_task", way, {"task": TASK}, result(way, WRITTEN[way]))
        canceled = {**TASK, "state": "canceled", "message": None, "artifacts": [], "history": []}
        canceled.pop("message")
        names = {"0.3": "canceled", "0.3-rest": "TASK_STATE_CANCELLED"}
        gone: Case = {"id": "t1", "contextId": "c1"}
        gone["status"] = {"state": names.get(way, "TASK_STATE_CANCELED"), "timestamp": NOW}
        if way == "0.3":
            gone["kind"] = "task"
        yield answers("cancel-task", why, "cancel_task", way, {"task": canceled}, result(way, gone))
        listed = {"tasks": [WRITTEN[way]], "nextPageToken": "n", "pageSize": 1, "totalSize": 3}
        page = {"tasks": [TASK, {**TASK, "owner": "bob"}], "next_page_token": "n", "total_size": 4}
        yield answers(
            "list-tasks",
            "A page shows no task of another caller.",
            "list_tasks",
            way,
            {"page": page},
            result(way, listed),
        )
        empty = {"tasks": [], "nextPageToken": "", "pageSize": 0, "totalSize": 0}
        why = "A caller without a name has no tasks to list."
        anonymous = {**page, "tasks": [{name: member for name, member in TASK.items() if name != "owner"}]}
        yield answers("list-nobodys", why, "list_tasks", way, {"page": anonymous}, result(way, empty), caller=None)

        working = {**TASK, "state": "working"}
        for caller, answer, name in ((BOB, {"task": working}, "foreign"), (ALICE, {"nothing": None}, "missing")):
            why = "The task of another caller is answered like one that does not exist."
            for kind in ("get_task", "cancel_task", "subscribe_to_task"):
                is_stream = kind == "subscribe_to_task"
                value = error(way, -32001, 404, is_stream=is_stream)
                label = f"{name}-{kind.replace('_', '-')}"
                yield answers(label, why, kind, way, answer, value, caller=caller)
        why = "What has ended otherwise cannot be canceled."
        done = {"task": {**TASK, "state": "completed"}}
        yield answers("cancel-ended", why, "cancel_task", way, done, error(way, -32002, 409))
        why = "A task that has ended has no more updates."
        yield answers("subscribe-ended", why, "subscribe_to_task", way, done, error(way, -32004, 400, is_stream=True))

        update = {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED", "timestamp": NOW}}
        events = {
            "0.3": {
                "kind": "status-update",
                **update,
                "status": {"state": "completed", "timestamp": NOW},
                "final": True,
            },
            "0.3-rest": {"statusUpdate": {**update, "final": True}},
        }
        event = events.get(way, {"statusUpdate": update})
        why = "The updates of a subscription are events."
        yield answers(
            "subscribe-event",
            why,
            "subscribe_to_task",
            way,
            {"event": {"statusUpdate": update}},
            result(way, event, kind="text/event-stream"),
        )
        first = WRITTEN[way] if way == "0.3" else {"task": WRITTEN[way]}
        why = "A subscription begins with the task as it is."
        stream = result(way, first, kind="text/event-stream")
        yield answers("subscribe-task", why, "subscribe_to_task", way, {"task": TASK}, stream)

        named = {"name": "tasks/t1/pushNotificationConfigs/c1", "pushNotificationConfig": OLD_INNER}
        configs = {"0.3": {"taskId": "t1", "pushNotificationConfig": OLD_INNER}, "0.3-rest": named}
        config = configs.get(way, NEW_CONFIG)
        why = "A configuration is written as the version has it."
        for kind in ("create_push_config", "get_push_config"):
            label = kind.replace("_", "-")
            yield answers(label, why, kind, way, {"config": CONFIG}, result(way, config))
        several = [config] if way == "0.3" else {"configs": [config]}
        yield answers("list-push-configs", why, "list_push_configs", way, {"configs": [CONFIG]}, result(way, several))
        nothing = None if way == "0.3" else {}
        yield answers("delete-push-config", why, "delete_push_config", way, {"nothing": None}, result(way, nothing))
        yield answers("missing-push-config", why, "get_push_config", way, {"nothing": None}, error(way, -32001, 404))

        why = "The extended card is for callers who are authenticated."
        locked = error(way, -32010, 401, **{"www-authenticate": "Bearer"})
        yield answers("card-anonymous", why, "get_extended_card", way, {"nothing": None}, locked, caller=None)
        yield answers("card-without", why, "get_extended_card", way, {"nothing": None}, error(way, -32007, 400))
        for code, (number, status) in PROTOCOL_ERRORS.items():
            why = "Each error of the protocol has its number, and its status over REST."
            yield answers(code, why, "get_task", way, {"rejected": code}, error(way, number, status))
    wrong = {"method": "PUT", "url": "https://agents.example/tasks/t1", "headers": [["a2a-version", "1.0"]], "body": ""}
    value = error("1.0-rest", -32601, 405, allow="GET")
    why = "An HTTP method that a path does not take is answered with those that it takes."
    unit = {"request": wrong, "answer": {"nothing": None}}
    yield _case("answered", "http-method", "RFC 9110 15.5.6", why, unit, value=value)
    unknown = {**wrong, "method": "GET", "url": "https://agents.example/frob"}
    value = error("1.0-rest", -32601, 404)
    unit = {"request": unknown, "answer": {"nothing": None}}
    yield _case("answered", "unknown-path", ERRORS, "A path that is not there is not found.", unit, value=value)


def called() -> Iterator[Case]:
    """Each operation as it is asked for."""
    for kind in TABLE:
        for way in WAYS:
            if kind == "list_tasks" and way == "0.3":  # which has no such method
                continue
            wanted = asked(kind, way)
            url = wanted["url"] if way == "0.3" or way == "1.0" else wanted["url"].replace("example/", "example/", 1)
            body = wanted["body"] if wanted["body"] != "" else None
            if not way.endswith("rest"):
                body = {**body, "id": ANY}
            headers = {"a2a-version": "1.0" if way.startswith("1.0") else None, "authorization": "Bearer abc"}
            value = {"method": wanted["method"], "url": url, "headers": headers, "body": body}
            base = URL if not way.endswith("rest") else "https://agents.example"
            unit = {"operation": value_of(kind), "url": base, "dialect": way, "token": "abc"}
            why = "Every version and binding has its own request for an operation."
            yield _case("called", f"{kind.replace('_', '-')}-{slug(way)}", OPERATIONS, why, unit, value=value)


def results() -> Iterator[Case]:
    """What other agents answer."""
    task = {name: member for name, member in TASK.items() if name != "owner"}
    get = value_of("get_task")

    def reads(name: str, why: str, body: Any, operation: Case, status: int = 200, **outcome: Any) -> Case:
        unit = {"response": {"status": status, "headers": [["content-type", "application/json"]], "body": body}}
        return _case("result", name, OPERATIONS, why, {**unit, "operation": operation}, **outcome)

    for way, body in WRITTEN.items():
        why = "A task of any version comes as JSON of 1.0."
        wrapped = body if way.endswith("rest") else {"jsonrpc": "2.0", "id": 1, "result": body}
        yield reads(f"task-{slug(way)}", why, wrapped, get, value=task)
        page = {"tasks": [body], "nextPageToken": "n", "pageSize": 1, "totalSize": 4}
        value = {"tasks": [task], "next_page_token": "n", "total_size": 4, "page_size": 1}
        yield reads(f"page-{slug(way)}", why, page, value_of("list_tasks"), value=value)
    why = "A configuration of any version is the same value."
    for name, config in (("new", NEW_CONFIG), ("old", {"taskId": "t1", "pushNotificationConfig": OLD_INNER})):
        yield reads(f"config-{name}", why, config, value_of("get_push_config"), value=CONFIG)
        for shape, several in (("array", [config]), ("object", {"configs": [config]})):
            yield reads(f"configs-{name}-{shape}", why, several, value_of("list_push_configs"), value=[CONFIG])
    why, paged = "A page says what asks for the next one.", {"configs": [NEW_CONFIG], "nextPageToken": "n"}
    value = {"configs": [CONFIG], "next_page_token": "n"}
    yield reads("configs-page", why, paged, value_of("list_push_configs"), value=value)
    other, why = {**NEW_CONFIG, "taskId": "t2"}, "The configuration of another task is no answer."
    yield reads("other-config", why, other, value_of("get_push_config"), rejected={"code": "task-mismatch"})
    yield reads("deleted", "A deletion gives nothing.", {}, value_of("delete_push_config"), value=None)
    other = {**NEW, "id": "t2"}
    yield reads("other-task", "Another task is no answer.", other, get, rejected={"code": "task-mismatch"})
    missing = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "no"}}
    why = "An error of the peer is typed."
    yield reads("not-found", why, missing, get, rejected={"code": "peer-task-not-found"})
    yield reads("forbidden", why, {}, get, 403, rejected={"code": "peer-forbidden"})
    yield reads("no-task", "What is no task cannot be read.", {}, get, rejected={"code": "missing-member"})
    yield from _odd_results(reads)


def _odd_results(reads: Callable[..., Case]) -> Iterator[Case]:
    """Answers of which something cannot be read: it costs itself (R54)."""
    get, listing = value_of("get_task"), value_of("list_tasks")
    body = {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING", "timestamp": NOW}}
    task = {"id": "t1", "context_id": "c1", "state": "working", "updated_at": NOW}
    task |= {"artifacts": [], "history": [], "metadata": {}}
    for name in ("history", "artifacts"):
        for shape, odd in (("item", [5]), ("array", {})):
            why = "What of a task cannot be read costs itself."
            yield reads(
                f"odd-{name}-{shape}", why, {**body, name: odd}, get, value=task, diagnostics=["member-dropped"]
            )
    why = "Metadata that is none costs itself."
    yield reads("odd-metadata", why, {**body, "metadata": 5}, get, value=task, diagnostics=["member-dropped"])
    message = {"messageId": "m1", "role": "ROLE_AGENT", "parts": []}
    why = "A message without parts costs its task nothing."
    status = {**body["status"], "message": message}
    yield reads("message-without-parts", why, {**body, "status": status}, get, value={**task, "message": message})
    why = "A part of a kind that is none of A2A stays as it is."
    message = {**message, "parts": [{"kind": "iframe", "src": "x"}]}
    status = {**body["status"], "message": message}
    yield reads("part-of-another-kind", why, {**body, "status": status}, get, value={**task, "message": message})
    why = "A task that cannot be read costs a page itself alone."
    page = {"tasks": [{"id": 5}, body], "totalSize": 2}
    value = {"tasks": [task], "next_page_token": "", "total_size": 2}
    yield reads("odd-task-of-a-page", why, page, listing, value=value, diagnostics=["wrong-type"])
    why = "The size of a page that is none costs itself."
    page = {"tasks": [body], "totalSize": 1, "pageSize": 500}
    value = {"tasks": [task], "next_page_token": "", "total_size": 1}
    yield reads("odd-page-size", why, page, listing, value=value, diagnostics=["unknown-value"])
