import copy
import json

import pytest

from mentionable import HttpRequest, encode
from mentionable.a2a import Caller
from tests.a2a.tokens import ALICE, CLAIMS, settings, token

CANARY = "canary-7f3a"


def test_raw_has_the_message_the_caller_and_what_stood_around(take, message, call):
    got = take(call(message(), configuration={"blocking": True}, metadata={"x": 1}), caller=Caller(subject="user-7"))
    assert got.message.raw == {
        "message": message(),
        "auth": {"subject": "user-7", "token_claims": {}},
        "envelope": {
            "binding": "jsonrpc",
            "dialect": "1.0",
            "method": "SendMessage",
            "id": 7,
            "configuration": {"blocking": True},
            "metadata": {"x": 1},
        },
    }


def test_raw_of_a_result_has_the_task_and_its_status_message(take, task):
    raw = take(task()).message.raw
    assert (raw["task"], raw["message"], "auth" in raw) == (task(), task()["status"]["message"], False)
    assert "message" not in take(task(text=None)).message.raw


def test_raw_of_a_request_is_kept_by_reference_where_nothing_is_secret(take, message, call):
    raw = take(call(message({"data": {"a": 1}}), metadata={"a": 1})).message.raw
    assert raw["message"] == message({"data": {"a": 1}})


def places():
    """Units with the canary as a secret, each in another place."""
    secret = {"authorization": f"Bearer {CANARY}"}
    text = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "hi"}]}
    status = {"state": "completed"}

    def message(**members):
        return {"message": {**text, **members}}

    def task(**members):
        return {"task": {"id": "t1", "status": status, **members}}

    yield "message", message(**secret)
    yield "metadata", message(metadata={"mentionable": {"identity_evidence": [{"proof": CANARY}]}})
    yield "resolution", message(metadata={"mentionable": {"policy_resolution": {"verified_by": CANARY}}})
    yield "headers", message(metadata={"headers": [["Authorization", CANARY]]})
    yield "value", message(metadata={"headers": [{"name": "auth", "value": f"Bearer {CANARY}"}]})
    yield "part", message(parts=[{"text": "hi", **secret}])
    yield "part-metadata", message(parts=[{"text": "hi", "metadata": secret}])
    yield "file", message(parts=[{"file": {"bytes": "aGk=", **secret}}])
    yield "unknown-part", message(parts=[{"text": "hi"}, {"kind": "iframe", "metadata": secret}])
    yield "unknown-content", message(parts=[{"text": "hi"}, {"type": "iframe", "metadata": secret}])
    yield "configuration", {**message(), "configuration": {"pushNotificationConfig": {"token": CANARY}}}
    yield "request-metadata", {**message(), "metadata": secret}
    yield "task", task(**secret)
    yield "task-metadata", task(metadata=secret)
    yield "status", task(status={**status, **secret})
    yield "status-message", task(status={**status, "message": {**text, "metadata": secret}})
    yield "artifact", task(artifacts=[{"artifactId": "a", "parts": [], **secret}])
    yield "artifact-metadata", task(artifacts=[{"artifactId": "a", "parts": [], "metadata": secret}])
    yield "turn", task(history=[{**text, **secret}])
    yield "broken-turn", task(history=[{"messageId": "x", "role": "user", "parts": [{"raw": "*", "metadata": secret}]}])
    yield "repeated-turn", task(history=[text, {**text, "parts": [{"text": "hi", "metadata": secret}]}])


@pytest.mark.parametrize("unit", [pytest.param(unit, id=name) for name, unit in places()])
@pytest.mark.parametrize("as_request", [False, True])
def test_no_secret_comes_through(take, unit, as_request):
    before = copy.deepcopy(unit)
    got = take(json.dumps(unit) if as_request else unit, task_id=None)
    assert CANARY not in json.dumps(encode(got.message), ensure_ascii=False)
    assert "[redacted]" in json.dumps(got.message.raw)
    assert CANARY not in repr(got.diagnostics)
    assert unit == before


def test_secrets_in_data_are_redacted_in_raw_but_reach_the_agent(take, message, call):
    got = take(call(message({"data": {"toolCallId": "c", "toolName": "login", "input": {"password": CANARY}}})))
    assert got.message.parts[0].args == {"password": CANARY}
    assert CANARY not in json.dumps(got.message.raw)


def test_secrets_in_claims_are_redacted(take, message):
    got = take(message(), caller=Caller(subject="alice@a.example", claims={"sub": "alice", "access_token": CANARY}))
    assert got.message.raw["auth"]["token_claims"] == {"sub": "alice", "access_token": "[redacted]"}


@pytest.mark.parametrize("body", ["message", "broken"])
def test_the_authorization_header_reaches_nothing(take, call, message, body):
    data = call(message()) if body == "message" else b"{"
    request = HttpRequest(
        method="POST", url="https://agents.example/helper", headers={"Authorization": f"Bearer {CANARY}"}, body=data
    )
    got = take(request)
    assert CANARY not in repr(got)
    assert body == "broken" or CANARY not in json.dumps(encode(got.message))


def test_raw_has_the_claims_of_a_token_and_never_the_token(take, message, call):
    text = token(access_token=CANARY, act={"sub": "bot@a.example", "id_token": CANARY})
    unit = call(message())
    got = take(unit, headers={"authorization": f"Bearer {text}"}, settings=settings(), caller=Caller(subject=ALICE))
    assert got.message.raw["auth"] == {
        "kind": "jwt",
        "subject": ALICE,
        "token_claims": {
            **CLAIMS,
            "access_token": "[redacted]",
            "act": {"sub": "bot@a.example", "id_token": "[redacted]"},
        },
    }
    shown = json.dumps(encode(got.message)) + repr(got)
    assert CANARY not in shown
    for segment in text.split("."):
        assert segment not in shown


def test_raw_says_nothing_of_a_token_that_shows_nobody(take, message, call):
    text = token(exp=1)
    headers = {"authorization": f"Bearer {text}"}
    got = take(call(message()), headers=headers, settings=settings())
    assert ("auth" in got.message.raw, got.verdict.code) == (False, "expired")
    got = take(call(message()), headers=headers, settings=settings(), caller=Caller(subject="x"))
    assert got.message.raw["auth"] == {"subject": "x", "token_claims": {}}
