import json

import pytest

from mentionable import HttpRequest, Limits, Rejected, Settings, UsageError, a2a
from mentionable._errors.exceptions import Problem
from tests.a2a.questions import WAYS, request


def refused(code, asked):
    out = a2a.error_response(Rejected(code=code, problems=(Problem("/secret", "canary"),)), request=asked)
    assert b"canary" not in out.body
    assert b"secret" not in out.body
    return out, json.loads(out.body)


def info(reason, code, domain="a2a-protocol.org"):
    kind = "type.googleapis.com/google.rpc.ErrorInfo"
    return {"@type": kind, "reason": reason, "domain": domain, "metadata": {"code": code}}


def test_an_error_of_the_newer_version_tells_the_reason_in_a_list():
    out, body = refused("part-unsupported", request("1.0"))
    assert (out.status, out.header("content-type"), out.header("a2a-version")) == (200, "application/json", "1.0")
    assert body == {
        "jsonrpc": "2.0",
        "id": 7,
        "error": {
            "code": -32005,
            "message": "A part of the message cannot be taken.",
            "data": [info("CONTENT_TYPE_NOT_SUPPORTED", "part-unsupported")],
        },
    }


def test_an_error_of_the_older_version_tells_the_code():
    out, body = refused("part-unsupported", request("0.3", stream=True))
    assert out.header("a2a-version") is None
    assert body["error"]["data"] == {"code": "part-unsupported"}


@pytest.mark.parametrize(
    ("code", "status", "name"),
    [
        ("missing-member", 400, "INVALID_ARGUMENT"),
        ("task-not-found", 404, "NOT_FOUND"),
        ("task-not-cancelable", 409, "FAILED_PRECONDITION"),
        ("push-not-supported", 400, "UNIMPLEMENTED"),
        ("version-unsupported", 400, "UNIMPLEMENTED"),
        ("no-served-recipient", 404, "NOT_FOUND"),
        ("too-large", 413, "INVALID_ARGUMENT"),
        ("lookup-failed", 503, "UNAVAILABLE"),
        ("verification-required", 401, "UNAUTHENTICATED"),
        ("unsupported-activity", 400, "UNIMPLEMENTED"),
    ],
)
@pytest.mark.parametrize("way", ["1.0-rest", "0.3-rest"])
def test_rest_errors_have_the_status_of_the_code(way, code, status, name):
    out, body = refused(code, request(way, stream=True))
    assert out.status == body["error"]["code"] == status
    assert body["error"]["status"] == name
    assert body["error"]["details"][0]["metadata"] == {"code": code}
    assert out.header("a2a-version") == ("1.0" if way == "1.0-rest" else None)


@pytest.mark.parametrize(
    ("code", "number", "kind"),
    [
        ("missing-member", -32602, "InvalidParamsError"),
        ("part-unsupported", -32005, "ContentTypeNotSupportedError"),
        ("invalid-json", -32700, "JSONParseError"),
        ("verification-required", -32010, None),
    ],
)
def test_a_rest_error_of_the_older_version_has_what_its_clients_read(code, number, kind):
    _, body = refused(code, request("0.3-rest"))
    assert (body["code"], body.get("type"), body["message"]) == (number, kind, body["error"]["message"])
    assert "type" not in refused(code, request("1.0-rest"))[1]


@pytest.mark.parametrize("way", WAYS)
def test_who_must_show_who_they_are_is_told_how(way):
    out, body = refused("verification-required", request(way))
    assert (out.status, out.header("www-authenticate")) == (401, "Bearer")
    if way == "1.0":
        assert body["error"]["data"] == [info("VERIFICATION_REQUIRED", "verification-required", "mentionable.dev")]
    other, _ = refused("malformed", request(way))
    assert other.header("www-authenticate") is None


@pytest.mark.parametrize(
    ("body", "headers", "call_id", "version"),
    [
        (b"{", {}, None, "0.3"),
        (b"[]", {}, None, "0.3"),
        (b"{", {"a2a-version": "1.0"}, None, "1.0"),
        (b"{", {"a2a-version": "9.0"}, None, "1.0"),
        (b'{"id": "x", "method": "SendMessage"}', {}, "x", "1.0"),
        (b'{"id": 1.5, "method": "tasks/send"}', {}, 1.5, "0.3"),
        (b'{"id": {}, "method": []}', {"a2a-version": "1.7"}, None, "1.0"),
        (b'{"id": true}', {"a2a-version": "0.3"}, None, "0.3"),
    ],
)
def test_what_can_be_read_of_a_broken_request_is_given_back(body, headers, call_id, version):
    asked = HttpRequest(method="POST", url="https://agents.example/a2a", headers=headers, body=body)
    _, body = refused("malformed", asked)
    assert body["id"] == call_id
    assert isinstance(body["error"]["data"], list) == (version == "1.0")


def test_the_id_is_read_within_the_limits_of_the_settings():
    asked = request("1.0", messageId="q" * 1000)
    rejected = Rejected(code="malformed")
    for limits, call_id in ((Limits(), 7), (Limits(a2a_bytes=1000), None)):
        out = a2a.error_response(rejected, request=asked, settings=Settings(limits=limits))
        assert json.loads(out.body)["id"] == call_id
    large = request("1.0", messageId="q" * 17_000_000)
    assert json.loads(a2a.error_response(rejected, request=large).body)["id"] is None
    settings = a2a.Settings(limits=Limits(a2a_bytes=20_000_000))
    assert json.loads(a2a.error_response(rejected, request=large, settings=settings).body)["id"] == 7


def test_the_arguments_are_of_the_right_kind():
    with pytest.raises(UsageError, match="rejected must be"):
        a2a.error_response("malformed", request=request())
    with pytest.raises(UsageError, match="settings must be"):
        a2a.error_response(Rejected(code="malformed"), request=request(), settings=Limits())
    with pytest.raises(UsageError, match="request must be"):
        a2a.error_response(Rejected(code="malformed"), request=b"{}")
