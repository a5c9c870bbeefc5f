import json
from base64 import b64decode
from hashlib import sha256

import pytest

from mentionable import (
    ArtifactPart,
    CarriedPolicy,
    DigestRef,
    FilePart,
    Limits,
    LinkPart,
    NormalizedResponse,
    PushBackHint,
    ResponseError,
    Settings,
    Streaming,
    TextPart,
    ToolCallPart,
    UrlRef,
    UsageError,
    encode,
    policy,
    replace,
    rest,
    split,
)
from tests.rest.asking import FACTS, HELPER, message, question

TO = question()


def answer(*parts, accept=None, to=TO, **facts):
    """What goes out, and how; `facts` are members of the response and arguments of the door."""
    given = {name: facts.pop(name) for name in ("settlement", "blobs", "settings", "entropy") if name in facts}
    response = replace(NormalizedResponse.to(to, *parts), **facts)
    return rest.reply(response, to=to, accept=accept, **{**FACTS, **given})


def body(out):
    return json.loads(out.response.body)


def test_json_carries_all_of_the_response():
    call = ToolCallPart(id="c", name="n", args={})
    out = answer("Hello!", call, extra={"mood": "fine"})
    assert (out.response.status, out.response.header("content-type")) == (200, "application/json")
    assert (out.response.header("cache-control"), out.response.header("vary")) == ("no-store", "accept")
    assert body(out) == {
        "v": "v0.1",
        "agent": HELPER,
        "session": "s1",
        "reply_to": "q1",
        "parts": [
            {"kind": "text", "mime": "text/markdown", "content": "Hello!"},
            {"kind": "tool_call", "id": "c", "name": "n", "args": {}},
        ],
        "status": "ok",
        "mood": "fine",
        "id": out.native_id,
    }


def test_the_id_depends_on_what_is_said():
    first, again, other = answer("a"), answer("a"), answer("b")
    assert first.native_id == again.native_id != other.native_id
    assert answer("a", entropy=bytes([1]) * 32).native_id != first.native_id


def test_a_question_whose_id_was_lost_is_named_by_ours():
    to = replace(TO, raw=None)
    assert body(answer("a", to=to))["reply_to"] == to.id


def test_members_of_the_answer_itself_are_not_shadowed():
    out = answer("a", extra={"v": "x", "session": "x", "b": 1})
    assert (body(out)["v"], body(out)["session"], body(out)["b"]) == ("v0.1", "s1", 1)
    assert [(note.code, note.at) for note in out.diagnostics] == [("part-changed", "/extra")]


def test_what_was_known_of_another_answer_does_not_go_out():
    out = answer("a", extra={"rest": {"session": "of-another-agent"}, "b": 1})
    assert "rest" not in body(out)
    assert (body(out)["session"], body(out)["b"], out.diagnostics) == ("s1", 1, ())


def test_another_session_may_be_named():
    assert body(answer("a", push_back=PushBackHint(thread_ref="s2")))["session"] == "s2"
    assert body(answer("a", push_back=PushBackHint()))["session"] == "s1"
    assert "push_back" not in body(answer("a", push_back=PushBackHint(thread_ref="s2")))


@pytest.mark.parametrize(
    ("accept", "media_type", "said"),
    [
        ("text/markdown", "text/markdown; charset=utf-8", "*Hi*\n\n2 \\* 3\n\n[a](https://a.example/)"),
        ("text/plain", "text/plain; charset=utf-8", "*Hi*\n\n2 * 3\n\na <https://a.example/>"),
    ],
)
def test_people_read_markdown_or_text(accept, media_type, said):
    out = answer("*Hi*", TextPart(content="2 * 3"), LinkPart(url="https://a.example/", title="a"), accept=accept)
    assert (out.response.header("content-type"), out.response.body.decode()) == (media_type, said)


def test_html_is_sanitized():
    html = TextPart(content="<p onclick=x>Hi<script>alert(1)</script></p>", mime="text/html")
    out = answer(html, "**b**", accept="text/html")
    assert out.response.header("content-type") == "text/html; charset=utf-8"
    assert out.response.header("x-content-type-options") == "nosniff"
    assert out.response.header("content-security-policy") == "default-src 'none'"
    shown = out.response.body.decode()
    assert "<strong>b</strong>" in shown
    assert "script" not in shown
    assert "onclick" not in shown


def test_html_becomes_markdown():
    html = TextPart(content="<p><b>a</b></p>", mime="text/html")
    assert answer(html, accept="text/markdown").response.body == b"**a**"


def test_the_question_says_what_is_liked():
    assert answer("a", to=question("text/plain")).response.body == b"a"


def test_an_answer_may_say_nothing():
    assert body(answer())["parts"] == []
    assert answer(accept="text/markdown").response.body == b""


# -- errors


@pytest.mark.parametrize(("retriable", "status"), [(True, 503), (False, 500)])
@pytest.mark.parametrize("accept", ["application/json", "text/plain", "text/markdown", "text/html"])
def test_what_failed_has_a_status_that_says_whether_to_try_again(retriable, status, accept):
    error = ResponseError(code="x", message="Broken.", retriable=retriable)
    out = answer(status="error", error=error, accept=accept)
    assert out.response.status == status
    assert b"Broken." in out.response.body


def test_a_failure_without_a_reason_is_500():
    assert answer("a", status="error").response.status == 500
    assert answer(status="error", accept="text/plain").response.body == b"The agent could not answer."


# -- files


def test_bytes_that_only_a_digest_names_go_inside():
    data = b"x" * 70_000
    digest = sha256(data).hexdigest()
    part = FilePart(mime="image/png", bytes_ref=DigestRef(digest=digest))
    out = answer(part, blobs={digest: data})
    assert b64decode(body(out)["parts"][0]["bytes_ref"]["data_base64"]) == data
    with pytest.raises(UsageError):
        answer(part)
    elsewhere = replace(part, bytes_ref=DigestRef(digest=digest, url="https://a.example/f"))
    assert body(answer(elsewhere, blobs={digest: data}))["parts"][0] == encode(elsewhere)
    assert body(answer(elsewhere))["parts"][0] == encode(elsewhere)
    artifact = ArtifactPart(mime="image/png", bytes_ref=UrlRef(url="https://a.example/f"))
    assert body(answer(artifact))["parts"][0] == encode(artifact)


# -- policies


PAY = policy.PaymentRequired(
    message="Pay.",
    accepted_payments=(policy.AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"}),),
    state="s" * 22,
)


@pytest.mark.parametrize(
    ("demand", "status"),
    [
        (policy.Unauthorized(message="a", auth_challenges=()), 401),
        (PAY, 402),
        (policy.Forbidden(message="a"), 403),
        (policy.TooManyRequests(message="a", retry_after_seconds=9), 429),
        (policy.UnavailableForLegalReasons(message="a"), 451),
        (policy.ServiceUnavailable(message="a"), 503),
        (policy.UnknownPolicy(kind="x:y", message="a"), 403),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
@pytest.mark.parametrize("accept", [None, "text/html", "text/event-stream"])
def test_a_demand_decides_the_status_and_its_body_is_json(demand, status, accept):
    out = answer("First:", demand, accept=accept)
    assert out.response.status == status
    found = body(out)
    assert found["message"] == demand.message
    assert found["mentionable"] == {
        "v": "v0.1",
        "agent": HELPER,
        "session": "s1",
        "reply_to": "q1",
        "parts": [{"kind": "text", "mime": "text/markdown", "content": "First:"}],
        "status": "ok",
        "id": out.native_id,
    }


@pytest.mark.parametrize("accept", [None, "text/html", "text/event-stream"])
def test_no_cache_keeps_a_demand_for_others(accept):
    assert answer("First:", PAY, accept=accept).response.header("cache-control") == "no-store"
    assert {one.response.header("cache-control") for one in frames("First:", PAY)} == {"no-store"}


def test_headers_of_a_demand_go_out():
    assert answer(policy.TooManyRequests(message="a", retry_after_seconds=9)).response.header("retry-after") == "9"


def test_a_policy_with_a_member_of_our_name_keeps_it():
    out = answer("a", policy.Forbidden(message="a", extra={"mentionable": 1}))
    assert body(out)["mentionable"] == 1
    assert [note.at for note in out.diagnostics] == ["/parts"]


def test_members_of_a_policy_part_have_no_place():
    demand = CarriedPolicy(policy=policy.Forbidden(message="a"), extra={"b": 1})
    assert [note.at for note in answer(demand).diagnostics] == ["/parts/0/extra"]


def test_how_a_payment_ended_stands_in_the_headers():
    receipt = {"success": True, "transaction": "0x1", "network": "eip155:8453"}
    out = answer("Done.", settlement=policy.x402_settlement([receipt]))
    for name in ("payment-response", "x-payment-response"):
        assert json.loads(b64decode(out.response.header(name))) == receipt
    failed = policy.x402_settlement([{**receipt, "success": False}], error="EXPIRED_PAYMENT")
    assert answer(PAY, settlement=failed).response.status == 402


def test_a_settlement_that_is_too_long_is_left_out():
    receipt = {"success": True, "transaction": "0x1", "network": "n", "extra": "x" * 8_000}
    out = answer("Done.", settlement=policy.x402_settlement([receipt]))
    assert out.response.header("payment-response") is None
    assert [note.code for note in out.diagnostics] == ["part-changed"]


@pytest.mark.parametrize(
    "settlement",
    [
        7,
        {"a": 1},
        {"x402.payment.receipts": [{}]},
        {**policy.x402_settlement([{"success": True, "transaction": "t", "network": "n"}]), "a": 1},
    ],
    ids=range(4),
)
def test_a_settlement_of_another_kind_is_a_mistake_of_the_program(settlement):
    with pytest.raises(UsageError):
        answer("a", settlement=settlement)


# -- streams


def frames(*parts, accept="text/event-stream", **facts):
    whole = NormalizedResponse.to(TO, *parts)
    return [
        rest.reply(frame, to=TO, accept=accept, **{**FACTS, **facts})
        for frame in split(whole, stream_id="x", text_chars=3)
    ]


def test_frames_are_events():
    out = frames("Hello", ToolCallPart(id="c", name="n", args={}, result=1))
    first = out[0]
    start = {"v": "v0.1", "agent": HELPER, "id": first.native_id, "session": "s1", "reply_to": "q1"}
    assert first.response.header("content-type") == "text/event-stream"
    assert (
        first.response.body.decode()
        == f"event: start\ndata: {json.dumps(start, separators=(',', ':'))}\n\ndata: Hel\n\n"
    )
    assert out[1].response.body == b"data: lo\n\n"
    assert out[2].response.body.startswith(b'event: tool_call\ndata: {"kind":"tool_call","id":"c"')
    assert b'"result"' not in out[2].response.body
    assert out[3].response.body.endswith(b'event: end\ndata: {"status":"ok"}\n\n')
    assert len({one.native_id for one in out}) == 4


def test_a_whole_answer_may_go_out_as_a_stream():
    parts = ("a", "b", TextPart(content="c"), LinkPart(url="https://a.example/"))
    out = answer(*parts, accept="text/event-stream")
    lines = out.response.body.decode().split("\n\n")
    assert lines[1:] == [
        "data: a",
        'event: text\ndata: {"mime":"text/markdown","continues":false}',
        "data: b",
        'event: text\ndata: {"mime":"text/plain","continues":false}',
        "data: c",
        'event: part\ndata: {"kind":"link","url":"https://a.example/"}',
        'event: end\ndata: {"status":"ok"}',
        "",
    ]


def test_plain_text_at_the_beginning_of_a_frame_goes_on():
    place = Streaming(stream_id="x", seq=1, final=False)
    out = answer(TextPart(content="a"), status="partial", streaming=place, accept="text/event-stream")
    assert out.response.body == b'event: text\ndata: {"mime":"text/plain","continues":true}\n\ndata: a\n\n'


def test_what_a_stream_cannot_carry_is_told():
    out = answer(
        TextPart(content="<b>a</b><script>x</script>", mime="text/html"),
        TextPart(content="b", mime="text/markdown", extra={"c": 1}),
        accept="text/event-stream",
    )
    assert b"data: **a**\n" in out.response.body
    assert [note.at for note in out.diagnostics] == ["/parts/0/mime", "/parts/1/extra"]


def test_a_failure_ends_a_stream():
    error = ResponseError(code="x", message="Broken.", retriable=True)
    out = answer(status="error", error=error, accept="text/event-stream")
    assert out.response.status == 200
    assert b'"error":{"code":"x","message":"Broken.","retriable":true}' in out.response.body


def test_a_demand_in_the_final_frame_is_an_event():
    place = Streaming(stream_id="x", seq=3, final=True)
    response = NormalizedResponse.to(TO, policy.Forbidden(message="No."))
    out = rest.reply(replace(response, streaming=place), to=TO, accept="text/event-stream", **FACTS)
    assert out.response.status == 200
    assert out.response.body.startswith(b'event: policy\ndata: {"kind":"forbidden"')


# -- mistakes of the program


@pytest.mark.parametrize(
    "facts",
    [
        {"accept": 7},
        {"status": "partial"},
        {"status": "partial", "streaming": Streaming(stream_id="x", seq=0, final=False), "accept": "text/html"},
        {"streaming": Streaming(stream_id="x", seq=0, final=False), "accept": "text/event-stream"},
        {"push_back": PushBackHint(channel="a2a")},
        {"settings": Settings(limits=Limits(a2a_bytes=10))},
        {"reply_to": "other"},
        {"to": message()},
    ],
    ids=range(8),
)
def test_what_may_not_go_out_is_a_mistake_of_the_program(facts):
    with pytest.raises(UsageError):
        answer("a", **facts)


def test_json_that_readers_would_not_take_is_a_mistake_of_the_program():
    deep: object = 1
    for _ in range(70):
        deep = [deep]
    with pytest.raises(UsageError):
        answer(ToolCallPart(id="c", name="n", args=deep))
