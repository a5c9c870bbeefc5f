import json
from base64 import b64encode

import pytest

from mentionable import (
    HttpResponse,
    Limits,
    NormalizedResponse,
    Rejected,
    ResponseError,
    Settings,
    TextPart,
    UsageError,
    encode,
    policy,
    rest,
)
from tests.answered import response_in
from tests.rest.asking import message

TO = message()
UNREAD = ResponseError(code="rest:policy-malformed", message="Hello!", retriable=False)
HELLO = TextPart(content="Hello!", mime="text/markdown")
TEXT = {"kind": "text", "mime": "text/markdown", "content": "Hello!"}


def read(body, status=200, content_type="application/json", settings=None, **headers):
    """What an HTTP response says; a body that is no bytes is JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if content_type is not None:
        given["content-type"] = content_type
    response = HttpResponse(status=status, headers=given, body=data)
    return response_in(rest.result(response, to=TO, settings=settings or Settings()))


def answer(*parts, **members):
    return {"v": "v0.1", "agent": "@b@b.example", "parts": list(parts), **members}


SESSION = {"rest": {"session": "s1"}}


@pytest.mark.parametrize("session", ["", 7, None, ["s1"]])
def test_a_session_is_text(session):
    assert read(answer(TEXT, session=session)).extra == {}


def test_only_the_session_stands_where_the_transport_speaks():
    assert read(answer(TEXT, rest={"session": "evil"}, mood="fine")).extra == {"mood": "fine"}
    assert read(answer(TEXT, rest=7, session="s1"), 500).extra == SESSION


def test_json_is_the_whole_response():
    call = {"kind": "tool_call", "id": "c", "name": "n", "args": {}}
    said = answer(TEXT, call, id="a1", session="s1", reply_to="q1", streaming=7, push_back=7, mood="fine")
    got = read(said)
    assert encode(got) == {"reply_to": "m1", "parts": [TEXT, call], "status": "ok", "mood": "fine", **SESSION}
    assert got.parts[1].state == "running"


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "application/vnd.x+json"])
def test_json_is_told_by_its_media_type(content_type):
    assert read(answer(TEXT), content_type=content_type).parts[0].content == "Hello!"


def test_the_version_may_be_left_out():
    assert read({"parts": [TEXT]}).parts
    assert read({"v": "v0.9", "parts": [TEXT]}).parts


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"v": "v1", "parts": []}, "unknown-value"),
        ({"v": 1, "parts": []}, "unknown-value"),
        ({}, "malformed"),
        ({"parts": 7}, "malformed"),
        ({"parts": [7]}, "malformed"),
        ({"parts": [], "status": "fine"}, "malformed"),
        ([], "not-a-message"),
        (b"{", "invalid-json"),
        (b"\xff", "not-utf8"),
    ],
    ids=range(9),
)
def test_json_that_is_no_answer_is_rejected(body, code):
    assert read(body).code == code


def test_an_answer_may_be_partial_or_failed():
    assert read(answer(TEXT, status="partial")).status == "partial"
    error = {"code": "x", "message": "Broken.", "retriable": True}
    got = read(answer(status="error", error=error), status=503)
    assert (got.status, got.error.message) == ("error", "Broken.")


def test_the_http_status_says_that_it_failed():
    assert read(answer(TEXT), status=500).status == "error"
    assert read(answer(TEXT), status=404).status == "error"


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html"])
def test_text_is_one_part(mime):
    got = read(b"a\r\nb", content_type=f"{mime}; charset=utf-8")
    assert got == NormalizedResponse(reply_to="m1", parts=(TextPart(content="a\nb", mime=mime),))


def test_text_that_is_none_is_rejected():
    assert read(b"\xff", content_type="text/plain").code == "not-utf8"


@pytest.mark.parametrize("content_type", ["image/png", None])
def test_other_bodies_are_rejected(content_type):
    assert read(b"x", content_type=content_type).code == "media-type-unsupported"
    assert read(b"", content_type=content_type).parts == ()


def test_a_stream_is_read_whole():
    assert read(b"data: a\n\ndata: b\n\n", content_type="text/event-stream").parts[0].content == "ab"


@pytest.mark.parametrize(
    ("status", "code"), [(404, "peer-not-found"), (302, "peer-error"), (500, "peer-error"), (408, "peer-busy")]
)
@pytest.mark.parametrize(
    ("body", "content_type"), [(b"x", "text/html"), (b"{", "application/json"), (b"[]", "application/json")]
)
def test_errors_of_the_peer_are_told(status, code, body, content_type):
    assert read(body, status=status, content_type=content_type).code == code


# -- demands


def demand(made, **members):
    """The response that a peer makes a demand by, its body with more members."""
    http = policy.to_http(made)
    body = {**json.loads(http.body), **members}
    headers = {name: value for name, value in http.headers if name != "content-type"}
    return read(body, http.status, http.header("content-type"), **headers)


def test_a_demand_is_the_last_part():
    made = policy.Forbidden(message="No.")
    got = demand(made, mentionable=answer(TEXT, session="s1", mood="fine"))
    assert [part.kind for part in got.parts] == ["text", "policy"]
    assert (got.parts[1].policy, got.status) == (made, "ok")
    assert got.extra == {"mood": "fine", "rest": {"session": "s1"}}


def test_a_demand_may_stand_alone():
    got = demand(policy.Forbidden(message="No."))
    assert (len(got.parts), got.extra) == (1, {})
    assert demand(policy.Forbidden(message="No."), mentionable={"session": ""}).extra == {}
    assert demand(policy.Forbidden(message="No."), mentionable={"session": "s"}).extra == {"rest": {"session": "s"}}
    assert demand(policy.Forbidden(message="No."), mentionable=7).extra == {}


def test_a_demand_of_a_failure_is_both():
    error = {"code": "x", "message": "Broken.", "retriable": False}
    got = demand(policy.Forbidden(message="No."), mentionable=answer(status="error", error=error))
    assert (got.status, got.error.code, got.parts[0].kind) == ("error", "x", "policy")


@pytest.mark.parametrize("other", [{"kind": "forbidden", "message": "a"}, {}])
def test_of_a_demand_beside_another_one_none_counts(other):
    got = demand(policy.Forbidden(message="No."), mentionable=answer(TEXT, {"kind": "policy", "policy": other}))
    assert (got.parts, got.status) == ((HELLO,), "error")
    assert got.error == UNREAD


def test_a_demand_that_cannot_be_read_leaves_the_rest_of_the_answer():
    unreadable = {"kind": "payment_required", "message": "Pay."}
    got = read({**unreadable, "mentionable": answer(TEXT, session="s1")}, 402)
    assert (got.parts, got.error, got.extra) == ((HELLO,), UNREAD, SESSION)
    assert read({**unreadable, "mentionable": {"session": "s1"}}, 402).code == "malformed"


def test_what_stands_beside_a_demand_must_be_readable():
    assert demand(policy.Forbidden(message="No."), mentionable=answer(7)).code == "malformed"


def test_a_demand_may_be_as_large_as_an_answer():
    long = "a" * 1_100_000  # more than a document that the library fetches may be
    assert demand(policy.Forbidden(message=long)).parts[0].policy.message == long
    few = Settings(limits=Limits(json_depth=2))
    deep = {"kind": "too_many_requests", "message": "Later.", "mood": [[1]]}
    assert read(deep, 429).parts[0].policy.message == "Later."
    assert read(deep, 429, settings=few).parts[0].policy.message == "There were too many requests."


def test_a_failure_without_a_media_type_is_read_as_json():
    got = read({"kind": "forbidden", "message": "No.", "mentionable": answer(TEXT)}, 403, None)
    assert [part.kind for part in got.parts] == ["text", "policy"]
    assert read(answer(TEXT), 500, None).parts == (HELLO,)


def test_urls_of_a_demand_lead_to_the_agent():
    got = demand(policy.Forbidden(message="No.", url="https://agents.example/x"))
    assert got.parts[0].policy.url == "https://agents.example/x"
    assert demand(policy.Forbidden(message="No.", url="https://evil.example/x")).parts[0].policy.url is None


def test_urls_of_a_demand_among_parts_lead_to_the_agent():
    made = {"kind": "policy", "policy": {"kind": "forbidden", "message": "a", "url": "https://evil.example/x"}}
    assert read(answer(TEXT, made)).parts[1].policy.url is None


def test_a_peer_that_knows_only_http_demands_too():
    got = read(b"Come back later.", 429, "text/plain", retry_after="30")
    assert got.parts[0].policy.retry_after_seconds == 30
    assert read(b"", 401, None, www_authenticate="Basic").parts[0].policy.auth_challenges[0].scheme == "Basic"


def test_a_date_to_wait_for_is_read_against_the_date_of_the_response():
    date, later = "Sat, 21 Nov 2026 20:56:00 GMT", "Sat, 21 Nov 2026 20:57:00 GMT"
    assert read(b"", 503, None, retry_after=later, date=date).parts[0].policy.retry_after_seconds == 60
    assert read(b"", 503, None, retry_after=later).parts[0].policy.retry_after_seconds is None
    assert read(b"", 503, None, retry_after="9").parts[0].policy.retry_after_seconds == 9


def test_a_payment_by_x402_alone_is_a_demand():
    requirement = {
        "scheme": "exact",
        "network": "eip155:8453",
        "amount": "1",
        "asset": "0x1",
        "payTo": "0x2",
        "maxTimeoutSeconds": 60,
    }
    required = {"x402Version": 2, "error": "Pay.", "resource": {"url": "https://b.example/"}, "accepts": [requirement]}
    assert read(required, 402).parts[0].policy.message == "Pay."
    header = b64encode(json.dumps(required).encode()).decode()
    assert read(b"", 402, None, payment_required=header).parts[0].policy.kind == "payment_required"


def test_a_demand_that_contradicts_its_status_is_rejected():
    got = read({"kind": "forbidden", "message": "No."}, 402)
    assert isinstance(got, Rejected)
    assert read(b"", 402, None).code == "missing-member"


# -- limits


def test_too_much_is_rejected():
    assert read(b"ab", content_type="text/plain", settings=Settings(limits=Limits(a2a_bytes=1))).code == "too-large"
    assert read(b"a", content_type="text/plain", settings=Settings(limits=Limits(a2a_bytes=1))).parts
    assert read(answer(TEXT, TEXT), settings=Settings(limits=Limits(parts=1))).code == "too-many-parts"
    assert read(answer(TEXT), settings=Settings(limits=Limits(parts=1))).parts


@pytest.mark.parametrize("facts", [{"response": b""}, {"to": None}, {"settings": None}])
def test_arguments_of_the_wrong_kind_are_mistakes_of_the_program(facts):
    given = {"response": HttpResponse(status=200), "to": TO, "settings": Settings(), **facts}
    with pytest.raises(UsageError):
        rest.result(given.pop("response"), **given)


def test_a_part_that_does_not_fit_costs_itself():
    body = {"parts": [TEXT, {"kind": "link", "url": "mailto:a@b.example"}], "session": "s"}
    typed = {"content-type": "application/json"}
    got = rest.result(HttpResponse(status=200, headers=typed, body=json.dumps(body).encode()), to=TO)
    assert (len(got.response.parts), got.response.status) == (1, "ok")
    (dropped,) = got.diagnostics
    assert (dropped.code, dropped.at, dropped.detail) == (
        "member-dropped",
        "/parts/1",
        "/url: expected an http or https URL",
    )
    assert got.response.extra["rest"] == {"session": "s"}
    assert got.raw == body


def test_an_error_that_cannot_be_read_is_one():
    got = read({"parts": [TEXT], "error": 7})
    assert (got.status, got.error) == ("error", None)


FORBIDDEN = {"kind": "policy", "policy": {"kind": "forbidden", "message": "a"}}
UNREADABLE = {"kind": "policy", "policy": {"kind": "payment_required", "message": "Pay.", "accepted_payments": [5]}}


@pytest.mark.parametrize(
    ("parts", "at", "detail"),
    [
        ([TEXT, UNREADABLE], "/parts/1", "/policy/accepted_payments/0: expected an object, not a number"),
        ([FORBIDDEN, TEXT], "/parts/0", "a policy is the last part"),
        ([FORBIDDEN, TEXT, FORBIDDEN], "/parts/2", "a second policy: none of them counts"),
    ],
)
def test_a_demand_among_the_parts_that_does_not_count_is_an_error_with_the_words(parts, at, detail):
    typed = {"content-type": "application/json"}
    got = rest.result(HttpResponse(status=200, headers=typed, body=json.dumps(answer(*parts)).encode()), to=TO)
    assert (got.response.parts, got.response.status) == ((HELLO,), "error")
    assert got.response.error == UNREAD
    assert [(one.code, one.at, one.detail) for one in got.diagnostics] == [("policy-malformed", at, detail)]


def test_a_demand_that_cannot_be_read_may_be_the_whole_answer():
    got = read(answer(UNREADABLE))
    assert (got.parts, got.error.message) == ((), "The agent demands something that cannot be read.")


def test_an_error_that_the_agent_states_stays_beside_a_demand_that_cannot_be_read():
    got = read(answer(TEXT, UNREADABLE, status="error", error={"code": "x", "message": "Broken.", "retriable": True}))
    assert (got.parts, got.error.code) == ((HELLO,), "x")


ODD = {"kind": "text", "mime": "bogus", "content": 5}


@pytest.mark.parametrize("many", [1, 101])
def test_odd_parts_hide_neither_a_demand_nor_a_failure(many):
    typed = {"content-type": "application/json"}
    body = json.dumps(answer(*[ODD] * many, TEXT, UNREADABLE)).encode()
    got = rest.result(HttpResponse(status=200, headers=typed, body=body), to=TO)
    assert got.response.error == UNREAD
    assert (got.diagnostics[0].code, got.diagnostics[0].at) == ("policy-malformed", f"/parts/{many + 1}")
    assert read(answer(*[ODD] * many, TEXT, error={"code": 5})).status == "error"
