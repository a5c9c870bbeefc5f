"""Demands and receipts in A2A, both ways."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    Answers,
    CarriedPolicy,
    FilePart,
    HttpResponse,
    InlineRelay,
    Limits,
    NormalizedResponse,
    TextPart,
    UnanswerableError,
    UsageError,
    a2a,
    drive,
    encode,
    policy,
    replace,
    split,
)
from mentionable.testing import strategies
from tests.a2a.questions import FACTS, NOW, WAYS, answer, question, request
from tests.a2a.streams import ASKED, closed, piece, said, status
from tests.answered import response_in
from tests.policy.demands import EXACT, OFFERED, x402_payload

HELPER = "@helper@agents.example"
SLOW = policy.TooManyRequests(message="Slow down.", url="https://agents.example/limits", retry_after_seconds=30)
PAY = policy.PaymentRequired(
    message="Pay first.", accepted_payments=(policy.AcceptedPayment(scheme="x402.exact", payload=OFFERED),)
)
REQUIRED = {"x402Version": 1, "accepts": [EXACT]}
DEMANDED = {"x402.payment.status": "payment-required", "x402.payment.required": REQUIRED}
METHOD = {"supported_methods": "https://www.x402.org/", "data": REQUIRED}
DATA = {"data": {"ap2.mandates.CartMandate": {"payment_request": {"method_data": [METHOD]}}}}


def task(*parts, metadata, state="TASK_STATE_INPUT_REQUIRED", **members):
    stated = {"state": state, "message": said(*parts, metadata=metadata)}
    return {"id": "t1", "contextId": "c1", "status": stated, **members}


def result(body):
    return response_in(a2a.result(HttpResponse(status=200, body=json.dumps(body).encode()), to=ASKED))


def received(unit, **facts):
    return drive(a2a.receive(unit, **{**FACTS, "caller": a2a.RemoteAgent(address=HELPER), **facts}), Answers())


def ours(value):
    return {"mentionable": {"policy": value}}


@given(
    st.sampled_from(sorted(WAYS)), st.booleans(), strategies.policies(), st.lists(st.text("ab", min_size=1), max_size=2)
)
def test_a_demand_comes_back_equal(way, is_stream, demand, texts):
    to = question(way, stream=is_stream)
    parts = (*[TextPart(content=text) for text in texts], CarriedPolicy(policy=demand))
    out = a2a.reply(NormalizedResponse.to(to, *parts), to=to, now=NOW, entropy=bytes(32))
    got = response_in(a2a.result(out.response, to=to))
    assert (got.status, got.parts) == ("ok", parts)
    back = received(json.loads(json.dumps(out.task)))
    assert back.message.parts == parts
    assert back.diagnostics == ()


@pytest.mark.uncounted
@given(st.sampled_from(sorted(WAYS)), strategies.policies())
def test_a_demand_at_the_end_of_a_stream_comes_back_equal(way, demand):
    to = question(way, stream=True)
    parts = (TextPart(content="abcdef"), CarriedPolicy(policy=demand))
    body = b"".join(
        a2a.reply(frame, to=to, now=NOW, entropy=bytes(32)).response.body
        for frame in split(NormalizedResponse.to(to, *parts), stream_id="s1", text_chars=2)
    )
    stream = a2a.ResultStream(to=to)
    stream.feed(body)
    assert stream.is_complete
    assert response_in(stream.close()).parts == parts


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_demand_says_its_extension_and_its_words(way):
    out = answer(question(way), CarriedPolicy(policy=SLOW))
    message = out.task["status"]["message"]
    assert message["extensions"] == ["https://mentionable.dev/ns/policy/v0.1"]
    assert message["metadata"] == {"mentionable": {"policy": encode(SLOW)}}
    (words,) = message.get("parts") or message["content"]
    assert words["text"] == "Slow down.\nhttps://agents.example/limits"


def test_clients_of_x402_see_a_payment_too():
    metadata = answer(question(), CarriedPolicy(policy=PAY)).task["status"]["message"]["metadata"]
    assert metadata["mentionable"]["policy"] == encode(PAY)
    assert metadata["x402.payment.status"] == "payment-required"
    assert metadata["x402.payment.required"]["accepts"] == [EXACT]


@pytest.mark.parametrize(
    ("demand", "words"),
    [
        (policy.Forbidden(message="no", url="https://agents.example.evil.example/"), "policy/url: its host"),
        (policy.PaymentRequired(message="pay", accepted_payments=PAY.accepted_payments, state="weak"), "policy/state"),
    ],
)
def test_a_demand_that_may_not_go_out(demand, words):
    with pytest.raises(UsageError, match=words):
        answer(question(), CarriedPolicy(policy=demand))


def test_a_demand_by_x402_is_one_of_ours():
    got = result({"task": task("Pay first.", metadata=DEMANDED)})
    (part,) = got.parts
    offer = replace(PAY.accepted_payments[0], description="A table")
    assert part.policy == replace(PAY, code="x402:payment_required", state="t1", accepted_payments=(offer,))
    assert got.extra["a2a"]["state"] == "input-required"
    assert received(task("Pay first.", metadata=DEMANDED)).message.parts == got.parts


def test_a_demand_by_x402_may_stand_in_a_cart():
    cart = {"artifactId": "r1", "parts": [DATA]}
    metadata = {"x402.payment.status": "payment-required"}
    got = result({"task": task("Pay first.", metadata=metadata, artifacts=[cart])})
    assert [part.kind for part in got.parts] == ["artifact", "policy"]
    assert received(task("Pay first.", metadata=metadata, artifacts=[cart])).message.parts[-1] == got.parts[-1]
    streamed = closed(piece(DATA), status("TASK_STATE_INPUT_REQUIRED", "Pay first.", metadata=metadata))
    assert streamed.parts[-1].policy.message == "Pay first."


@pytest.mark.parametrize("url", [123, [], {}, "x", "", "\0", "https://evil.example/"], ids=repr)
def test_ours_may_be_anything_beside_x402(url):
    metadata = {**DEMANDED, **ours({"url": url, "action_label": []})}
    for unit in (task("Pay first.", metadata=metadata), said("Pay first.", metadata=metadata)):
        assert received(unit).message.parts[-1].policy.kind == "payment_required"
    assert result({"task": task("Pay first.", metadata=metadata)}).parts[-1].policy.kind == "payment_required"
    stream = closed(status("TASK_STATE_INPUT_REQUIRED", "Pay first.", metadata=metadata))
    assert stream.parts[-1].policy.kind == "payment_required"


def test_a_demand_that_cannot_be_read_ends_a_stream():
    for metadata in (ours("x"), {"x402.payment.status": "payment-required"}):
        got = closed(status("TASK_STATE_WORKING", "Hm.", metadata=metadata), status("TASK_STATE_COMPLETED", "Done."))
        assert got.status == "error"


def test_ours_counts_before_x402():
    got = result({"task": task("Slow down.", metadata={**DEMANDED, **ours(encode(SLOW))})})
    assert got.parts == (CarriedPolicy(policy=SLOW),)
    got = result({"task": task("Pay first.", metadata={**DEMANDED, **ours({"kind": "forbidden"})})})
    assert got.parts[-1].policy.kind == "payment_required"


@pytest.mark.parametrize("words", ["Slow down.", "Slow down.\nhttps://agents.example/limits"])
def test_words_that_only_say_the_demand_are_not_said_twice(words):
    got = result({"task": task("First this.", words, metadata=ours(encode(SLOW)), state="TASK_STATE_FAILED")})
    assert (got.status, got.error) == ("ok", None)
    assert got.parts == (TextPart(content="First this."), CarriedPolicy(policy=SLOW))


def test_words_that_say_something_else_stay():
    got = result({"task": task("Slow down. Really.", metadata=ours(encode(SLOW)))})
    assert got.parts == (TextPart(content="Slow down. Really."), CarriedPolicy(policy=SLOW))


def test_a_failure_with_a_reason_stays_one():
    metadata = {
        "mentionable": {"policy": encode(SLOW), "error": {"code": "busy", "message": "Busy.", "retriable": True}}
    }
    got = result({"task": task("Slow down.", metadata=metadata, state="TASK_STATE_FAILED")})
    assert (got.status, got.error.code) == ("error", "busy")
    assert got.parts == (CarriedPolicy(policy=SLOW),)


def test_a_failure_whose_words_are_the_demand_has_words():
    metadata = {"mentionable": {"policy": encode(SLOW), "error": {"code": "busy"}}}
    got = result({"task": task("Slow down.", metadata=metadata, state="TASK_STATE_FAILED")})
    assert (got.error.message, got.parts) == ("Slow down.", (CarriedPolicy(policy=SLOW),))


@pytest.mark.parametrize("value", [{"kind": "forbidden"}, [], "forbidden", 7, {}], ids=str)
def test_a_demand_that_is_malformed_leaves_the_text(value):
    unit = task("Forbidden.", metadata=ours(value), state="TASK_STATE_REJECTED")
    got = received(unit)
    assert got.message.parts == (TextPart(content="Forbidden."),)
    assert [note.code for note in got.diagnostics] == ["policy-malformed"]
    assert got.diagnostics[0].at.startswith("/status/message/metadata/mentionable/policy")
    assert got.message.raw["task"]["status"]["message"]["metadata"] == ours(value)
    assert result({"task": unit}).status == "error"


@pytest.mark.parametrize("state", ["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"])
@pytest.mark.parametrize(
    "metadata",
    [ours({"kind": "forbidden"}), ours([]), {"x402.payment.status": "payment-required"}],
    ids=["policy", "no policy", "x402"],
)
def test_a_demand_that_is_malformed_is_never_a_success(state, metadata):
    for words, message in ((("Pay.",), "Pay."), (({"text": ""},), "The agent demands something that cannot be read.")):
        unit = task(*words, metadata=metadata, state=state)
        for got in (result({"task": unit}), closed({"task": unit})):
            assert (got.status, got.error.code, got.error.message) == ("error", "a2a:policy-malformed", message)
    got = result({"message": said("Done.", metadata=metadata)})
    assert (got.status, got.parts) == ("error", (TextPart(content="Done."),))


def test_a_cart_that_was_taken_back_demands_nothing():
    def cart(amount):
        requirement = {**EXACT, "maxAmountRequired": amount}
        method = {**METHOD, "data": {**REQUIRED, "accepts": [requirement]}}
        return {"data": {"ap2.mandates.CartMandate": {"payment_request": {"method_data": [method]}}}}

    end = status("TASK_STATE_INPUT_REQUIRED", "Pay.", metadata={"x402.payment.status": "payment-required"})

    def amounts(*events):
        offers = closed(*events, end).parts[-1].policy.accepted_payments
        return [offer.payload["requirement"]["maxAmountRequired"] for offer in offers]

    assert amounts(piece(cart("1")), piece(cart("2"))) == ["2"]
    assert amounts(piece(cart("1")), piece(cart("2"), append=True)) == ["1", "2"]


def test_a_demand_by_x402_that_is_malformed_leaves_the_text():
    got = received(task("Pay.", metadata={**DEMANDED, "x402.payment.required": {"x402Version": True, "accepts": []}}))
    assert got.message.parts == (TextPart(content="Pay."),)
    assert [(note.code, note.at) for note in got.diagnostics] == [
        ("policy-malformed", "/status/message/metadata/x402.payment.required/x402Version")
    ]


def test_a_link_to_another_host_is_left_out():
    unit = task("Slow down.\nhttps://agents.example/limits", metadata=ours(encode(SLOW)))
    for peer in ("@other@elsewhere.example", None):
        got = received(unit, caller=peer and a2a.RemoteAgent(address=peer))
        assert got.message.parts == (CarriedPolicy(policy=replace(SLOW, url=None)),)
        assert ("url-refused", "/status/message/metadata/mentionable/policy/url") in [
            (note.code, note.at) for note in got.diagnostics
        ]


def test_words_with_a_link_that_is_left_out_go_too():
    evil = replace(SLOW, url="https://evil.example/", action_label="Pay")
    got = result({"task": task("Slow down.\nPay: https://evil.example/", metadata=ours(encode(evil)))})
    assert got.parts == (CarriedPolicy(policy=replace(SLOW, url=None)),)
    bare = policy.Forbidden(message="no")
    assert result({"task": task("no\nNone", metadata=ours(encode(bare)))}).parts[0] == TextPart(content="no\nNone")


def test_a_message_of_a_peer_may_demand():
    got = received(said("Slow down.", metadata=ours(encode(SLOW))))
    assert got.message.parts == (CarriedPolicy(policy=SLOW),)
    assert result({"message": said("Slow down.", metadata=ours(encode(SLOW)))}).parts == got.message.parts


def test_a_demand_counts_among_the_parts():
    unit = task("One.", "Two.", metadata=ours(encode(SLOW)))
    for most, fits in ((3, True), (2, False)):
        settings = a2a.Settings(limits=Limits(parts=most))
        got = received(unit, settings=settings)
        response = response_in(
            a2a.result(HttpResponse(status=200, body=json.dumps({"task": unit}).encode()), to=ASKED, settings=settings)
        )
        if fits:
            assert len(got.message.parts) == len(response.parts) == 3
        else:
            assert (got.code, response.code) == ("too-many-parts", "too-many-parts")


def test_a_question_demands_nothing():
    got = received({**WAYS["1.0"][0], "metadata": ours(encode(SLOW))}, caller=None)
    assert got.message.parts == (TextPart(content="Hi"),)
    assert got.candidate is None


# -- receipts

RESOLUTION = {
    "in_reply_to_state": "s" * 43,
    "kind": "payment_required",
    "confirmation": {"scheme": "ln.bolt11", "original_payload": {"n": 1}},
    "verified_by": "mallory",
}
SETTLED = policy.x402_settlement([{"success": True, "transaction": "0x7", "network": "base"}])
SUBMITTED = {"x402.payment.status": "payment-submitted", "x402.payment.payload": x402_payload()}


def asked(**metadata):
    return drive(a2a.receive(request(metadata=metadata, taskId="t1"), **FACTS), Answers())


def test_a_receipt_is_a_candidate_and_never_a_resolution():
    got = asked(mentionable={"policy_resolution": RESOLUTION})
    assert got.candidate == policy.read_resolution(RESOLUTION)
    assert got.message.policy_resolution is None
    assert got.diagnostics == ()
    assert got.message.raw["message"]["metadata"]["mentionable"]["policy_resolution"] == "[redacted]"


def test_a_payment_by_x402_is_a_candidate_for_its_task():
    got = asked(**SUBMITTED)
    assert got.candidate == policy.Candidate(
        kind="payment_required",
        task_id="t1",
        scheme="x402.exact",
        payer="0x" + "c" * 40,
        receipt=x402_payload(),
    )
    assert got.message.raw["message"]["metadata"]["x402.payment.payload"] == "[redacted]"


def test_ours_counts_before_a_payment_by_x402():
    assert asked(mentionable={"policy_resolution": RESOLUTION}, **SUBMITTED).candidate.scheme == "ln.bolt11"


def test_a_payment_by_x402_may_stand_in_a_mandate():
    method = {"supported_methods": "https://www.x402.org/", "data": x402_payload()}
    mandate = {"ap2.mandates.PaymentMandate": {"payment_details": {"payment_method": method}}}
    unit = request(metadata={"x402.payment.status": "payment-submitted"}, taskId="t1", parts=[{"data": mandate}])
    assert drive(a2a.receive(unit, **FACTS), Answers()).candidate.scheme == "x402.exact"


@pytest.mark.parametrize(
    "metadata",
    [
        {"x402.payment.status": "payment-completed", "x402.payment.receipts": [{"success": True}]},
        {"x402.payment.status": "payment-verified", "x402.payment.payload": x402_payload()},
        {"x402.payment.status": 7},
        {"mentionable": {"policy_resolutions": RESOLUTION}},
        {"policy_resolution": RESOLUTION},
    ],
    ids=str,
)
def test_what_is_no_receipt_is_none(metadata):
    got = asked(**metadata)
    assert (got.candidate, got.message.policy_resolution, got.diagnostics) == (None, None, ())


@pytest.mark.parametrize(
    ("metadata", "at"),
    [
        ({"mentionable": {"policy_resolution": 7}}, "/mentionable/policy_resolution"),
        ({"mentionable": {"policy_resolution": {**RESOLUTION, "kind": "x"}}}, "/mentionable/policy_resolution/kind"),
        ({"x402.payment.status": "payment-submitted"}, "/x402.payment.payload"),
        ({**SUBMITTED, "x402.payment.payload": {"x402Version": 3}}, "/x402.payment.payload/x402Version"),
    ],
    ids=str,
)
def test_a_receipt_that_is_malformed_counts_for_nothing(metadata, at):
    got = asked(**metadata)
    assert got.candidate is None
    (note,) = got.diagnostics
    assert (note.code, note.at.endswith(f"/message/metadata{at}")) == ("receipt-malformed", True)


def test_no_receipt_comes_with_an_answer_of_a_peer():
    got = received(said("Hi", metadata={"mentionable": {"policy_resolution": RESOLUTION}}))
    assert got.candidate is None


def test_a_rejected_unit_has_no_receipt():
    settings = a2a.Settings(require_verified=True)
    unit = request(metadata=SUBMITTED, taskId="t1")
    assert drive(a2a.receive(unit, settings=settings, **FACTS), Answers()).code == "verification-required"


@pytest.mark.parametrize("dialect", ["1.0", "1.0-rest", "0.3", "0.3-rest"])
@pytest.mark.parametrize(
    "receipt", [{"mentionable": {"policy_resolution": RESOLUTION}}, policy.x402_submission(x402_payload())]
)
def test_a_receipt_goes_along_with_a_call(dialect, receipt):
    facts = {"url": "https://agents.example/helper", "entropy": bytes(32), "dialect": dialect, "task_id": "t1"}
    got = drive(a2a.receive(a2a.call(ASKED, context=a2a.CallContext(receipt=receipt), **facts), **FACTS), Answers())
    assert got.candidate.scheme in ("ln.bolt11", "x402.exact")
    assert got.message.thread_id == "t1"
    assert a2a.call(ASKED, context=a2a.CallContext(receipt=receipt), **facts).body != a2a.call(ASKED, **facts).body


def test_a_receipt_stands_beside_what_is_forwarded():
    asking = replace(ASKED, recipient_capabilities=replace(ASKED.recipient_capabilities, mention_relay=InlineRelay()))
    sent = a2a.call(
        asking,
        url="https://agents.example/",
        entropy=bytes(32),
        context=a2a.CallContext(receipt=policy.x402_submission(x402_payload())),
    )
    metadata = json.loads(sent.body)["params"]["message"]["metadata"]
    assert metadata.keys() == {"mentionable", "x402.payment.status", "x402.payment.payload"}


@pytest.mark.parametrize(
    "receipt",
    [
        "paid",
        {"mentionable": "paid"},
        {"foo": 1},
        {"mentionable": {"policy_resolution": {}, "agent_chain": {}}},
        {"mentionable": {"policy_resolution": None}},
        SETTLED,
        {**SUBMITTED, "x402.payment.status": "payment-completed"},
        {**SUBMITTED, "x402.payment.payload": {"a": 1}},
        {**SUBMITTED, "foo": 1},
    ],
    ids=range(9),
)
def test_what_is_no_receipt_of_ours(receipt):
    with pytest.raises(UsageError, match="receipt"):
        a2a.call(ASKED, url="https://agents.example/", entropy=bytes(32), context=a2a.CallContext(receipt=receipt))


def test_a_policy_is_among_the_extensions_in_use():
    out = answer(question("1.0"), CarriedPolicy(policy=SLOW))
    assert out.response.header("a2a-extensions") == "https://mentionable.dev/ns/policy/v0.1"


@pytest.mark.parametrize("way", sorted(WAYS))
@pytest.mark.parametrize("stream", [False, True])
def test_how_a_payment_ended_is_told_with_the_answer(way, stream):
    to = question(way, stream=stream, taskId="t1")
    for parts in ((TextPart(content="Done."),), (FilePart.of(b"x", mime="text/csv"),), ()):
        out = a2a.reply(NormalizedResponse.to(to, *parts), to=to, now=NOW, entropy=bytes(32), settlement=SETTLED)
        assert out.task["status"]["message"]["metadata"] == SETTLED
        assert response_in(a2a.result(out.response, to=to)).parts == parts


def test_how_a_payment_ended_is_told_at_the_end_of_a_stream():
    to = question(stream=True)
    first, last = split(NormalizedResponse.to(to, TextPart(content="ab")), stream_id="s1", text_chars=1)
    events = [
        a2a.reply(frame, to=to, now=NOW, entropy=bytes(32), settlement=SETTLED).events[-1] for frame in (first, last)
    ]
    assert "artifactUpdate" in events[0]
    assert events[1]["statusUpdate"]["status"]["message"]["metadata"] == SETTLED


def test_a_demand_counts_before_how_the_last_payment_ended():
    to, failed = question(taskId="t1"), [{"success": False, "transaction": "", "network": "base"}]
    settlement = policy.x402_settlement(failed, error="EXPIRED_PAYMENT")
    out = a2a.reply(
        NormalizedResponse.to(to, CarriedPolicy(policy=PAY)), to=to, now=NOW, entropy=bytes(32), settlement=settlement
    )
    metadata = out.task["status"]["message"]["metadata"]
    assert (metadata["x402.payment.status"], metadata["x402.payment.receipts"]) == ("payment-required", failed)


@pytest.mark.parametrize(
    "settlement",
    [
        "paid",
        {"mentionable": {}},
        policy.x402_submission(x402_payload()),
        {**SETTLED, "x402.payment.status": "payment-required"},
        {**SETTLED, "foo": 1},
        {**SETTLED, "x402.payment.error": {"a": 1}},
    ],
    ids=range(6),
)
def test_what_does_not_tell_how_a_payment_ended(settlement):
    to = question()
    with pytest.raises(UsageError, match="settlement"):
        a2a.reply(NormalizedResponse.to(to, "Hi"), to=to, now=NOW, entropy=bytes(32), settlement=settlement)


CONSENT = policy.ConsentRequired(message="May I?", state="s" * 43, return_to="https://agents.example/done")


def test_a_demand_goes_into_no_task_of_another_caller():
    to = question()
    task = a2a.open_task(to, now=NOW)
    foreign = replace(task, owner="@bob@b.example")
    facts = {"to": to, "now": NOW, "entropy": bytes(32)}
    with pytest.raises(UnanswerableError) as raised:
        a2a.reply(NormalizedResponse.to(to, CONSENT), task=foreign, **facts)
    assert raised.value.reason == "no-private-way"
    with pytest.raises(UsageError, match="belongs to another caller"):  # whose demand the sender would read
        a2a.reply(NormalizedResponse.to(to, SLOW), task=foreign, **facts)
    out = a2a.reply(NormalizedResponse.to(to, CONSENT), task=task, **facts)
    assert out.stored_task.owner == task.owner
    assert "May I?" in out.response.body.decode()
