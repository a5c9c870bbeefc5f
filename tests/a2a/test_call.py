import json
from hashlib import sha256

import pytest

from mentionable import (
    AddressingRelay,
    AgentChain,
    Answers,
    CarriedPolicy,
    DigestRef,
    FilePart,
    HistoricalMessage,
    HttpRequest,
    HttpResponse,
    IdentityEvidence,
    InlineRelay,
    NoRelay,
    RecipientCapabilities,
    Sender,
    SenderProfile,
    TextPart,
    ToolCallPart,
    UsageError,
    a2a,
    drive,
    encode,
    replace,
    rest,
)
from mentionable._model.identity import AttestationProof, TransportProof
from mentionable._model.policy import EXTENSION, Forbidden
from mentionable.a2a._write.dialects import IDENTITY, TOOL_EVENTS
from tests.a2a.questions import FACTS, bare, question

URL = "https://other.example/a2a"
MAIL = replace(
    bare(),
    received_via="email",
    parts=(TextPart(content="Hi"),),
    sender=Sender(address="@alice@a.example", display_name="canary"),
    raw={"secret": "canary"},
)
BIG = bytes(13_000_000)
BADGE = IdentityEvidence(
    subject="slack:T1/U1",
    issuer="slack.agents.example",
    method="m",
    assurance="platform",
    audience="@other@other.example",
    issued_at="2026-11-21T20:56:00Z",
    proof=AttestationProof(alg="Ed25519", kid="k", value="v"),
)


def asked(message=MAIL, **facts):
    context = {name: facts.pop(name) for name in ("evidence", "token", "history", "receipt", "blobs") if name in facts}
    return a2a.call(message, **{"url": URL, "entropy": bytes(32), "context": a2a.CallContext(**context), **facts})


def message_in(request):
    body = json.loads(request.body)
    return body.get("params", body)["message"]


def test_a_call_is_a_json_rpc_request_of_the_newer_version():
    request = asked()
    body = json.loads(request.body)
    assert (request.method, request.url) == ("POST", URL)
    assert request.headers == (
        ("content-type", "application/json"),
        ("accept", "application/json, application/a2a+json"),
        ("a2a-version", "1.0"),
        ("a2a-extensions", f"{TOOL_EVENTS},{EXTENSION}"),
    )
    message_id = body["id"]
    message = {"messageId": message_id, "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    assert body == {"jsonrpc": "2.0", "id": message_id, "method": "SendMessage", "params": {"message": message}}


@pytest.mark.parametrize(
    ("dialect", "stream", "url", "method"),
    [
        ("1.0", True, URL, "SendStreamingMessage"),
        ("1.0-rest", False, f"{URL}/message:send", None),
        ("1.0-rest", True, f"{URL}/message:stream", None),
        ("0.3", False, URL, "message/send"),
        ("0.3", True, URL, "message/stream"),
        ("0.3-rest", False, f"{URL}/v1/message:send", None),
        ("0.3-rest", True, f"{URL}/v1/message:stream", None),
    ],
)
def test_each_dialect_has_its_methods_and_paths(dialect, stream, url, method):
    request = asked(dialect=dialect, stream=stream)
    body = json.loads(request.body)
    assert request.url == url
    assert body.get("method") == method
    assert (request.header("accept") == "text/event-stream") is stream
    assert request.header("a2a-version") == ("1.0" if dialect.startswith("1.0") else None)
    configuration = body.get("params", body).get("configuration")
    assert configuration == ({"blocking": True} if dialect.startswith("0.3") and not stream else None)
    got = drive(a2a.receive(request, **FACTS), Answers())
    assert got.message.parts == MAIL.parts
    assert got.message.raw["envelope"]["dialect"] == dialect.replace("1.0-rest", "1.0")
    assert not [note for note in got.diagnostics if note.code != "thread-from-message"]


def test_a_path_goes_before_the_query():
    request = asked(url="https://other.example/a2a/?tenant=1", dialect="1.0-rest")
    assert request.url == "https://other.example/a2a/message:send?tenant=1"


def test_nothing_but_the_parts_goes_out():
    assert b"canary" not in asked().body
    assert b"alice" not in asked().body


def test_a_message_without_parts_is_one_all_the_same():
    request = asked(replace(MAIL, parts=()))
    assert drive(a2a.receive(request, **FACTS), Answers()).message.parts == ()


def test_a_token_is_borne():
    assert asked(token="abc.def").header("authorization") == "Bearer abc.def"
    assert "abc.def" not in repr(asked(token="abc.def"))


def test_evidence_goes_along_under_its_extension():
    request = asked(evidence=(BADGE,))
    message = message_in(request)
    assert message["metadata"] == {"mentionable": {"identity_evidence": [encode(BADGE)]}}
    assert message["extensions"] == [IDENTITY]
    assert request.header("a2a-extensions") == f"{TOOL_EVENTS},{EXTENSION},{IDENTITY}"


def test_tool_calls_name_their_extension():
    request = asked(replace(MAIL, parts=(ToolCallPart(id="c", name="s", args={}),)))
    assert message_in(request)["extensions"] == [TOOL_EVENTS]


@pytest.mark.parametrize(
    "capabilities",
    [
        RecipientCapabilities(mention_relay=InlineRelay()),
        RecipientCapabilities(mention_relay=AddressingRelay(envelope_fields=("to",))),
    ],
)
def test_what_the_platform_offers_goes_along(capabilities):
    request = asked(replace(MAIL, recipient_capabilities=capabilities))
    assert drive(a2a.receive(request, **FACTS), Answers()).message.recipient_capabilities == capabilities


def chained(hop, *, via="email"):
    chain = AgentChain(hop=hop, max_hops=3, is_final=hop == 3)
    return replace(
        MAIL,
        received_via=via,
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay(), agent_chain=chain),
    )


def place(request):
    return drive(a2a.receive(request, **FACTS), Answers()).message.recipient_capabilities.agent_chain


def test_the_next_agent_of_a_chain_is_told_its_own_place():
    assert place(asked(chained(2))) == AgentChain(hop=3, max_hops=3, is_final=True)


def test_a_connector_hands_on_the_place_of_the_agent_that_it_calls():
    assert place(asked(chained(3, via="connector"))) == AgentChain(hop=3, max_hops=3, is_final=True)


def test_nobody_is_asked_beyond_the_end_of_a_chain():
    with pytest.raises(UsageError, match="hop 3 of 3"):
        asked(chained(3))


def test_prior_turns_go_along_with_who_wrote_them():
    profile = SenderProfile(display_name="Alice", provider="slack")
    signed = replace(BADGE, audience="@helper@agents.example")
    elsewhere = replace(BADGE, audience="@other@agents.example")
    unsigned = replace(BADGE, proof=TransportProof(verified_by="slack"))
    author = Sender(address="@u1@t1.slack.invalid", profile=profile, identities=(signed, elsewhere, unsigned))
    turns = tuple(
        HistoricalMessage(role="user", sender=author, parts=parts, timestamp="2026-11-21T20:00:00Z", extra={"x": 1})
        for parts in ((TextPart(content="Hi"),), (CarriedPolicy(policy=Forbidden(message="No.")),))
    )
    request = asked(MAIL, history=turns, evidence=(signed,))
    first, second = message_in(request)["metadata"]["mentionable"]["history"]
    assert first["sender"]["profile"] == {"display_name": "Alice", "provider": "slack"}
    assert first["sender"]["identities"] == [encode(signed)]
    assert "x" not in first
    assert second["parts"] == [{"kind": "text", "mime": "text/plain", "content": "No."}]
    got = drive(a2a.receive(request, **FACTS), Answers()).message
    assert [turn.sender.profile for turn in got.history] == [profile, profile]
    assert not any(turn.sender.verified or turn.sender.identities for turn in got.history)


def test_what_is_no_history_is_refused():
    with pytest.raises(UsageError, match="history"):
        asked(MAIL, history=[])


def test_a_platform_that_offers_nothing_is_not_spoken_of():
    assert "metadata" not in message_in(asked())


def test_the_context_of_a_question_goes_along_and_its_task_does_not():
    message = message_in(asked(question(taskId="t1")))
    assert message["contextId"] == "c1"
    assert "taskId" not in message
    assert message_in(asked(task_id="t9"))["taskId"] == "t9"


def test_bytes_that_are_named_by_their_digest_go_along():
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    message = replace(MAIL, parts=(FilePart(mime="image/png", bytes_ref=DigestRef(digest=digest)),))
    assert message_in(asked(message, blobs={digest: b""}))["parts"][0]["raw"] == ""
    with pytest.raises(UsageError, match=r"parts\[0\]"):
        asked(message)


def test_another_call_has_another_id():
    others = (
        {"entropy": bytes(33)},
        {"url": URL + "/b"},
        {"dialect": "0.3"},
        {"task_id": "t1"},
        {"message": replace(MAIL, parts=(TextPart(content="Bye"),))},
    )
    ids = {message_in(asked(**facts))["messageId"] for facts in ({}, *others)}
    assert len(ids) == 6


def test_a_call_is_no_larger_than_a_body_may_be():
    digest = sha256(BIG).hexdigest()
    message = replace(MAIL, parts=(FilePart(mime="image/png", bytes_ref=DigestRef(digest=digest)),))
    with pytest.raises(UsageError, match="parts: a body of"):
        asked(message, blobs={digest: BIG})


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"message": "Hi"}, "message must be"),
        ({"url": "ftp://other.example/"}, "url must be"),
        ({"url": "https://other.example/#a"}, "url must be"),
        ({"url": None}, "url must be"),
        ({"evidence": [BADGE]}, "CallContext.evidence"),
        ({"evidence": (1,)}, "CallContext.evidence"),
        ({"token": "a b"}, "token must be"),
        ({"token": "a\r\nx: y"}, "token must be"),
        ({"token": ""}, "token must be"),
        ({"token": 7}, "CallContext.token"),
        ({"task_id": ""}, "task_id must be"),
        ({"task_id": 7}, "task_id must be"),
        ({"task_id": "\ud800"}, "task_id must be"),
        ({"dialect": "2.0"}, "dialect is one of"),
        ({"entropy": b""}, "entropy must be"),
        ({"message": replace(MAIL, parts=(CarriedPolicy(policy=Forbidden(message="no")),))}, "a policy is answered"),
    ],
)
def test_a_wrong_argument_is_named(facts, reason):
    message = facts.pop("message", MAIL)
    with pytest.raises(UsageError, match=reason):
        asked(message, **facts)


# the conversation, and what is asked of the answer


def test_a_task_never_goes_out_with_the_context_of_another_agent():
    asked_by_a2a = question("1.0")
    sent = message_in(asked(asked_by_a2a))
    assert sent["contextId"] == "c1"
    assert "contextId" not in message_in(asked(asked_by_a2a, task_id="t9"))
    both = message_in(asked(asked_by_a2a, task_id="t9", context_id="c9"))
    assert (both["taskId"], both["contextId"]) == ("t9", "c9")
    assert "contextId" not in message_in(asked(MAIL))


def test_the_id_of_the_message_derives_from_its_place():
    ids = {message_in(asked(**ids))["messageId"] for ids in ({}, {"context_id": "c9"}, {"task_id": "c9"})}
    assert len(ids) == 3


@pytest.mark.parametrize("ids", [{"context_id": ""}, {"context_id": 7}, {"task_id": ""}, {"context_id": "\ud800"}])
def test_ids_are_text(ids):
    with pytest.raises(UsageError, match="must be text"):
        asked(**ids)


PUSH = a2a.PushNotificationConfig(url="https://hooks.example/a", token="secret")


@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        ("1.0", "taskPushNotificationConfig"),
        ("1.0-rest", "taskPushNotificationConfig"),
        ("0.3", "pushNotificationConfig"),
        ("0.3-rest", "pushNotification"),
    ],
)
def test_a_webhook_goes_along(dialect, name):
    context = a2a.CallContext(configuration=a2a.SendConfiguration(push=PUSH))
    body = json.loads(a2a.call(MAIL, url=URL, entropy=bytes(32), dialect=dialect, context=context).body)
    assert body.get("params", body)["configuration"][name] == {"url": "https://hooks.example/a", "token": "secret"}
    assert "secret" not in repr(context)


@pytest.mark.parametrize(("dialect", "soon"), [("1.0", {"returnImmediately": True}), ("0.3", {"blocking": False})])
def test_what_is_asked_of_the_answer_goes_along(dialect, soon):
    wanted = a2a.SendConfiguration(accepted_output_modes=("text/plain",), return_immediately=True, history_length=2)
    facts = {"url": URL, "entropy": bytes(32), "dialect": dialect, "context": a2a.CallContext(configuration=wanted)}
    modes = {"acceptedOutputModes": ["text/plain"], "historyLength": 2}
    assert json.loads(a2a.call(MAIL, **facts).body)["params"]["configuration"] == {**modes, **soon}
    assert json.loads(a2a.call(MAIL, **facts, stream=True).body)["params"]["configuration"] == modes


def test_the_context_of_rest_is_one_too():
    sent = a2a.call(MAIL, url=URL, entropy=bytes(32), context=rest.CallContext(token="abc"))
    assert sent.header("authorization") == "Bearer abc"


def test_what_a_call_cannot_carry_is_told_by_a_function():
    odd = replace(MAIL, parts=(TextPart(content="a\0b"), TextPart(content="a")))
    assert [(one.code, one.at) for one in a2a.call_diagnostics(odd)] == [("part-changed", "/parts/0/content")]
    with pytest.raises(UsageError, match="dialect"):
        a2a.call_diagnostics(odd, dialect="2.0")


def test_the_answer_is_compared_with_the_request():
    sent = asked(task_id="t1", context_id="c1")
    own = message_in(sent)["messageId"]
    body = {"jsonrpc": "2.0", "id": own, "result": {"task": {"id": "t2", "contextId": "c2", "status": {"state": 3}}}}

    def read(**changes):
        response = HttpResponse(status=200, body=json.dumps({**body, **changes}).encode())
        return a2a.result(response, to=MAIL, request=sent)

    assert [(one.code, one.at) for one in read().diagnostics] == [
        ("task-mismatch", "/result/task/id"),
        ("task-mismatch", "/result/task/contextId"),
    ]
    assert read().response.extra["a2a"]["task_id"] == "t2"
    assert read(id="other").code == "call-mismatch"
    assert read(id=None).diagnostics[0].code == "call-mismatch"
    stream = a2a.ResultStream(to=MAIL, request=sent)
    stream.feed(b"data: " + json.dumps({**body, "id": "other"}).encode() + b"\n\n")
    assert stream.close().code == "call-mismatch"


MESSAGE = {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Hi"}]}
STATUS = {"status": {"state": "TASK_STATE_COMPLETED", "message": MESSAGE}}


@pytest.mark.parametrize(
    ("event", "place"),
    [
        ({"message": MESSAGE}, {"context_id": "c1"}),
        ({"message": {**MESSAGE, "contextId": "c2"}}, {"context_id": "c2"}),
        ({"statusUpdate": STATUS}, {"context_id": "c1", "task_id": "t1", "state": "completed"}),
        ({"task": {"id": "t2", **STATUS}}, {"context_id": "c1", "task_id": "t2", "state": "completed"}),
    ],
)
def test_an_answer_that_names_no_place_is_where_it_was_asked(event, place):
    sent = asked(task_id="t1", context_id="c1")
    stream = a2a.ResultStream(to=MAIL, request=sent)
    stream.feed(b"data: " + json.dumps(event).encode() + b"\n\n")
    assert stream.close().response.extra["a2a"] == place


@pytest.mark.parametrize("body", [None, b"{", b"[]"])
def test_a_request_that_call_did_not_make_is_a_mistake_of_the_program(body):
    request = 7 if body is None else HttpRequest(method="POST", url=URL, body=body)
    with pytest.raises(UsageError, match="request must be"):
        a2a.result(HttpResponse(status=200), to=MAIL, request=request)


@pytest.mark.parametrize("body", [b"", b'{"jsonrpc": "2.0", "id": 1, "params": {"id": "t1"}}', b"{}"])
def test_a_request_without_a_message_compares_its_id_alone(body):
    sent = HttpRequest(method="POST", url=URL, body=body)
    answer = {"jsonrpc": "2.0", "id": 1.0, "result": {"id": "t1", "status": {"state": "completed"}}}
    got = a2a.result(HttpResponse(status=200, body=json.dumps(answer).encode()), to=MAIL, request=sent)
    assert got.diagnostics == ()
