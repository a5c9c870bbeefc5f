"""What a client wants of an answer, in both versions."""

import json

import pytest

from mentionable import Answers, HttpRequest, UsageError, a2a, drive, replace
from tests.a2a.questions import NOW, URL, WAYS, question, request


def wanted(way, configuration):
    asked = request(way)
    body = json.loads(asked.body)
    body.get("params", body)["configuration"] = configuration
    return a2a.configuration_of(
        HttpRequest(method="POST", url=asked.url, headers=asked.headers, body=json.dumps(body).encode())
    )


OLD, NEW = [way for way in WAYS if way.startswith("0.3")], [way for way in WAYS if way.startswith("1.0")]


@pytest.mark.parametrize("way", list(WAYS))
def test_without_a_configuration_nothing_is_wanted(way):
    assert a2a.configuration_of(request(way)) == wanted(way, {}) == a2a.SendConfiguration()


@pytest.mark.parametrize("way", NEW)
def test_the_newer_version(way):
    push = {"url": "https://client.example/hook", "token": "secret", "authentication": {"scheme": "Bearer"}}
    got = wanted(
        way,
        {
            "acceptedOutputModes": ["text/plain"],
            "returnImmediately": True,
            "historyLength": 0,
            "taskPushNotificationConfig": push,
        },
    )
    assert (got.accepted_output_modes, got.return_immediately, got.history_length) == (("text/plain",), True, 0)
    assert (got.push.url, got.push.token, got.push.authentication.scheme) == (push["url"], "secret", "Bearer")
    spelled = {"accepted_output_modes": ["a/b"], "return_immediately": True, "history_length": 2.0}
    got = wanted(way, {**spelled, "task_push_notification_config": {"url": push["url"]}})
    assert (got.accepted_output_modes, got.return_immediately, got.history_length) == (("a/b",), True, 2)
    assert got.push.url == push["url"]


@pytest.mark.parametrize("way", OLD)
def test_the_older_version(way):
    got = wanted(way, {"blocking": False, "historyLength": 0, "pushNotificationConfig": {"url": "https://c.example/"}})
    assert (got.return_immediately, got.history_length, got.push.url) == (True, None, "https://c.example/")
    assert not wanted(way, {"blocking": True, "returnImmediately": True}).return_immediately


@pytest.mark.parametrize("name", ["pushNotificationConfig", "pushNotification", "push_notification"])
def test_the_webhook_of_the_older_version_by_each_name(name):
    got = wanted("0.3-rest", {name: {"url": "https://c.example/", "authentication": {"schemes": ["Bearer"]}}})
    assert (got.push.url, got.push.authentication.scheme, got.diagnostics) == ("https://c.example/", "Bearer", ())
    refused = wanted("0.3-rest", {name: {"url": "https://10.0.0.1/"}})
    assert [(one.code, one.at) for one in refused.diagnostics] == [("url-refused", f"/configuration/{name}/url")]


@pytest.mark.parametrize("dialect", ["1.0", "1.0-rest", "0.3", "0.3-rest"])
def test_what_a_client_asks_is_what_the_server_reads(dialect):
    authentication = a2a.PushAuthentication(scheme="Bearer", credentials="c")
    push = a2a.PushNotificationConfig(url="https://c.example/", id="p1", token="t", authentication=authentication)
    asked = a2a.SendConfiguration(
        accepted_output_modes=("text/plain",), return_immediately=True, history_length=2, push=push
    )
    context = a2a.CallContext(configuration=asked)
    call = a2a.call(question("1.0"), url=URL, entropy=bytes(32), dialect=dialect, context=context)
    assert a2a.configuration_of(call) == asked


@pytest.mark.parametrize(
    ("configuration", "at", "code"),
    [
        ([], "/configuration", "member-dropped"),
        ({"acceptedOutputModes": "text/plain"}, "/configuration/acceptedOutputModes", "member-dropped"),
        ({"acceptedOutputModes": ["a/b"] * 101}, "/configuration/acceptedOutputModes", "member-dropped"),
        ({"historyLength": -1}, "/configuration/historyLength", "member-dropped"),
        ({"historyLength": "x"}, "/configuration/historyLength", "member-dropped"),
        ({"pushNotificationConfig": 7}, "/configuration/pushNotificationConfig", "wrong-type"),
        (
            {"pushNotificationConfig": {"url": "http://10.0.0.1/"}},
            "/configuration/pushNotificationConfig/url",
            "url-refused",
        ),
    ],
)
def test_what_cannot_be_read_costs_itself(configuration, at, code):
    got = wanted("1.0", configuration)
    assert [(one.code, one.at) for one in got.diagnostics] == [(code, at)]
    assert a2a.SendConfiguration() == a2a.SendConfiguration(
        accepted_output_modes=got.accepted_output_modes, history_length=got.history_length, push=got.push
    )


def test_a_request_that_receive_rejects_wants_nothing():
    assert a2a.configuration_of(HttpRequest(method="POST", url=URL, body=b"{")) == a2a.SendConfiguration()
    with pytest.raises(UsageError):
        a2a.configuration_of({"message": {}})


LOCAL = "http://localhost:8888/webhook"


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        (LOCAL, True),
        ("http://127.0.0.1/", True),
        ("https://[::1]:8443/hook", True),
        ("http://localhost.evil.example/", False),
        ("http://10.0.0.1/", False),
        ("http://localhost@evil.example/", False),
        ("https://client.example/", True),
    ],
)
def test_webhooks_on_this_machine_are_for_tests_alone(url, taken):
    asked = request("1.0")
    body = json.loads(asked.body)
    body["params"]["configuration"] = {"taskPushNotificationConfig": {"url": url}}
    asked = replace(asked, body=json.dumps(body).encode())
    got = a2a.configuration_of(asked, settings=a2a.Settings(local_webhooks=True))
    assert (got.push is not None, [one.code for one in got.diagnostics]) == (taken, [] if taken else ["url-refused"])
    assert (a2a.configuration_of(asked).push is None) == (not url.startswith("https://client"))

    create = {"taskId": "t1", "url": url}
    call = {"jsonrpc": "2.0", "id": 1, "method": "CreateTaskPushNotificationConfig", "params": create}
    asked = replace(asked, body=json.dumps(call).encode())
    flow = a2a.receive_operation(asked, now=NOW, settings=a2a.Settings(local_webhooks=True))
    assert getattr(drive(flow, Answers()), "code", "taken") == ("taken" if taken else "url-refused")


def test_a_notification_goes_to_this_machine_only_where_the_settings_say_so():
    config = a2a.PushNotificationConfig(url=LOCAL)
    update = {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}}
    facts = {"now": NOW, "entropy": bytes(32)}
    with pytest.raises(UsageError, match="url"):
        a2a.push_notification(config, update, **facts)
    local = a2a.Settings(local_webhooks=True)
    assert a2a.push_notification(config, update, settings=local, **facts).url == LOCAL


@pytest.mark.parametrize("name", ["taskId", "task_id"])
def test_a_webhook_that_comes_with_a_message_names_no_task_of_its_own(name):
    """It would get what becomes of the task of another caller."""
    asked = request("1.0")
    body = json.loads(asked.body)
    body["params"]["configuration"] = {"taskPushNotificationConfig": {"url": "https://eve.example/", name: "of-alice"}}
    got = a2a.configuration_of(replace(asked, body=json.dumps(body).encode()))
    assert got.push == a2a.PushNotificationConfig(url="https://eve.example/")
    expected = [("member-dropped", "/configuration/taskPushNotificationConfig/taskId")]
    assert [(one.code, one.at) for one in got.diagnostics] == expected


def test_of_two_webhooks_the_first_counts():
    both = {
        "taskPushNotificationConfig": {"url": "https://a.example/"},
        "pushNotificationConfig": {"url": "https://b.example/"},
    }
    got = wanted("1.0", both)
    assert got.push.url == "https://a.example/"
    assert [(one.code, one.at) for one in got.diagnostics] == [
        ("member-dropped", "/configuration/pushNotificationConfig")
    ]


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (("acceptedOutputModes", "accepted_output_modes"), (["a/b"], ["c/d"])),
        (("returnImmediately", "return_immediately"), (False, True)),
        (("historyLength", "history_length"), (1, 2)),
    ],
)
def test_of_two_spellings_the_first_counts(names, values):
    got = wanted("1.0", dict(zip(names, values, strict=True)))
    assert replace(got, diagnostics=()) == wanted("1.0", {names[0]: values[0]})
    assert [(one.code, one.at) for one in got.diagnostics] == [("member-dropped", f"/configuration/{names[1]}")]


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("stream", [False, True])
def test_the_dialect_of_a_client_is_known_by_its_message(way, stream):
    assert a2a.dialect_of(question(way, stream=stream)) == way
