import json
from hashlib import sha256

import pytest

from mentionable import (
    AgentChain,
    ArtifactPart,
    DigestRef,
    FilePart,
    HistoricalMessage,
    IdentityEvidence,
    InlineRelay,
    LinkPart,
    NoRelay,
    PolicyResolution,
    RecipientCapabilities,
    Sender,
    SenderProfile,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    UsageError,
    encode,
    identity,
    policy,
    replace,
    rest,
)
from mentionable.rest import fields_of
from mentionable.rest._client.call import _boundary
from tests.rest.asking import HELPER, message
from tests.rest.test_sidecar import PAYMENT, SIGNED

URL = "https://writer.example/agents/writer"
WRITER = "@writer@writer.example"


MEMBERS = ("recipient_capabilities", "policy_resolution", "received_via")


def asks(*parts, **facts):
    """The request, and its fields by name; the ones that stand there once."""
    given = {name: facts.pop(name) for name in list(facts) if name in MEMBERS}
    context = {name: facts.pop(name) for name in ("evidence", "token", "history", "receipt", "blobs") if name in facts}
    facts = {"url": URL, "entropy": bytes(32), "context": rest.CallContext(**context), **facts}
    request = rest.call(message(*parts, **given), **facts)
    return request, fields_of(request)


def by_name(fields, name):
    (one,) = [one for one in fields if one.name == name]
    return json.loads(one.value) if one.content_type == "application/json" else one.value.decode()


def told(fields):
    return [(one.name, one.value.decode(), one.content_type) for one in fields if one.name in ("user", "assistant")]


def test_text_goes_out_as_plain_fields():
    request, fields = asks(TextPart(content="a"), TextPart(content="b", mime="text/markdown"), session="s1")
    assert (request.method, request.url) == ("POST", URL)
    assert request.header("content-type").startswith("multipart/form-data; boundary=mentionable-")
    assert request.header("accept").startswith("application/json, text/markdown;q=0.8")
    assert request.header("authorization") is None
    assert told(fields) == [("user", "a", None), ("user", "b", "text/markdown; charset=utf-8")]
    assert by_name(fields, "session") == "s1"
    assert [one.name for one in fields] == ["message_id", "session", "user", "user"]


def test_other_parts_go_out_as_json_beside_words_for_them():
    parts = (
        TextPart(content="a"),
        LinkPart(url="https://a.example/", title="b"),
        ToolCallPart(id="c", name="n", args={}, result=1),
        UnknownPart(kind="poll"),
        FilePart.of(b"1", mime="image/png", name='a/b"c.png'),
        ArtifactPart(mime="image/png", bytes_ref=UrlRef(url="https://a.example/f"), name="d"),
        FilePart.of(b"2", mime="text/plain"),
    )
    _, fields = asks(*parts)
    assert by_name(fields, "parts") == encode(parts)
    assert [(one.value, one.content_type, one.filename) for one in fields if one.name == "user"] == [
        (b"a", None, None),
        (b"b <https://a.example/>", None, None),
        ("🔧 n({}) → 1".encode(), None, None),
        (b"1", "image/png", 'b"c.png'),
        (b"[d (image/png)] <https://a.example/f>", None, None),
        (b"2", "text/plain", "file-7"),
    ]


@pytest.mark.parametrize("parts", [(), (TextPart(content=""),), (TextPart(content="a", extra={"b": 1}),)])
def test_what_plain_text_cannot_say_goes_out_as_json_too(parts):
    _, fields = asks(*parts)
    assert by_name(fields, "parts") == encode(parts)
    assert len(told(fields)) == 1


def test_a_file_alone_has_an_empty_text_beside_it():
    _, fields = asks(FilePart.of(b"1", mime="image/png"))
    assert told(fields)[0] == ("user", "", None)


def test_bytes_that_only_a_digest_names_go_along():
    data = b"x" * 70_000
    digest = sha256(data).hexdigest()
    part = FilePart(mime="image/png", bytes_ref=DigestRef(digest=digest))
    _, fields = asks(part, blobs={digest: data})
    assert data in [one.value for one in fields]
    with pytest.raises(UsageError):
        asks(part)


def test_nothing_of_the_sender_and_of_this_node_goes_out():
    resolution = PolicyResolution(
        in_reply_to_state="canary-state-0123456789",
        kind="consent_required",
        confirmation=policy.ConsentConfirmation(scope_hash="a" * 64),
        verified_by="canary",
    )
    request, _ = asks(TextPart(content="a"), policy_resolution=resolution)
    for secret in (b"canary", b"alice", b"t1", b"m1"):
        assert secret not in request.body


def test_a_token_and_a_wish_for_a_stream_go_out():
    request, _ = asks(TextPart(content="a"), token="abc", stream=True)
    assert request.header("authorization") == "Bearer abc"
    assert request.header("accept") == "text/event-stream, application/json;q=0.9"


def test_the_same_entropy_gives_the_same_request():
    first, again = asks(TextPart(content="a")), asks(TextPart(content="a"))
    assert first == again
    ids = {
        by_name(asks(TextPart(content=text), entropy=seed, **facts)[1], "message_id")
        for text, seed, facts in [
            ("a", bytes(32), {}),
            ("b", bytes(32), {}),
            ("a", bytes([1]) * 32, {}),
            ("a", bytes(32), {"session": "s"}),
            ("a", bytes(32), {"url": "https://b.example/"}),
        ]
    }
    assert len(ids) == 5


def test_a_boundary_stands_in_no_field():
    usual = _boundary([], bytes(32))
    request, fields = asks(TextPart(content=f"--{usual}\r\n--{usual}--"))
    assert usual not in request.header("content-type")
    assert told(fields)[0][1] == f"--{usual}\n--{usual}--"


def test_data_that_knows_every_boundary_is_refused(monkeypatch):
    monkeypatch.setattr("mentionable.rest._client.call._TRIES", 1)
    usual = _boundary([], bytes(32))
    with pytest.raises(UsageError, match="entropy"):
        asks(TextPart(content=f"--{usual}"))


# -- capabilities and chains


def chained(hop, most=3, relay=None):
    chain = AgentChain(hop=hop, max_hops=most, is_final=hop == most)
    return RecipientCapabilities(mention_relay=relay or NoRelay(), agent_chain=chain)


def test_capabilities_go_along():
    _, fields = asks(recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()))
    assert by_name(fields, "recipient_capabilities") == {"mention_relay": {"kind": "inline"}}


def test_the_next_agent_of_a_chain_is_told_its_place():
    _, fields = asks(recipient_capabilities=chained(1))
    assert by_name(fields, "recipient_capabilities")["agent_chain"] == {"hop": 2, "max_hops": 3, "is_final": False}
    _, fields = asks(recipient_capabilities=chained(2))
    assert by_name(fields, "recipient_capabilities")["agent_chain"]["is_final"] is True


def test_nobody_is_asked_past_the_end_of_a_chain():
    with pytest.raises(UsageError, match="hop 3 of 3"):
        asks(recipient_capabilities=chained(3))


def test_whoever_relays_tells_the_recipient_its_own_place():
    _, fields = asks(recipient_capabilities=chained(3), received_via="connector")
    assert by_name(fields, "recipient_capabilities")["agent_chain"]["hop"] == 3


# -- evidence


def badge(audience, subject="slack:T1/U1"):
    proof = identity.AttestationProof(alg="Ed25519", kid="k", value="v")
    return IdentityEvidence(
        subject=subject,
        issuer="slack.example",
        method="urn:x",
        assurance="platform",
        audience=audience,
        issued_at="2026-11-21T20:00:00Z",
        proof=proof,
    )


def turn(text, role="user", address="@bob@b.example", **members):
    return HistoricalMessage(
        role=role,
        sender=Sender(address=address, **members),
        parts=(TextPart(content=text),),
        timestamp="2026-11-21T20:00:00Z",
        extra={"secret": "canary"},
    )


def test_evidence_goes_along():
    _, fields = asks(evidence=(badge(WRITER),))
    assert by_name(fields, "identity_evidence") == [encode(badge(WRITER))]


def test_what_somebody_else_said_last_is_no_part_of_the_message():
    _, fields = asks(TextPart(content="now"), history=(turn("b", "assistant", HELPER), turn("a")))
    assert [(name, text) for name, text, _ in told(fields)] == [("assistant", "b"), ("user", "a"), ("user", "now")]
    assert by_name(fields, "parts") == [{"kind": "text", "content": "now", "mime": "text/plain"}]
    _, fields = asks(TextPart(content="now"), history=(turn("a"), turn("b", "assistant", HELPER)))
    assert "parts" not in [one.name for one in fields]


def test_turns_go_along_as_text_and_with_all_that_is_known():
    profile = SenderProfile(display_name="Bob", provider="slack")
    turns = (
        turn("a", profile=profile, display_name="Bob", auth_method="email-dkim", verified=True, key_id="canary"),
        turn("b", "assistant", HELPER),
    )
    request, fields = asks(TextPart(content="now"), history=turns)
    assert [(name, text) for name, text, _ in told(fields)] == [("user", "a"), ("assistant", "b"), ("user", "now")]
    first, second = by_name(fields, "history")
    assert first["sender"] == {
        "address": "@bob@b.example",
        "auth_method": "none",
        "verified": False,
        "display_name": "Bob",
        "profile": {"display_name": "Bob", "provider": "slack"},
    }
    assert second["role"] == "assistant"
    assert b"canary" not in request.body


def test_evidence_of_turns_goes_only_to_whom_it_is_for():
    local = replace(badge(WRITER, "slack:T1/local"), proof=identity.TransportProof(verified_by="slack"))
    kept, others = badge(WRITER, "slack:T1/kept"), badge(HELPER, "slack:T1/others")
    turns = (turn("a", identities=(kept, others, local)),)
    _, fields = asks(history=turns, evidence=(badge(WRITER),))
    assert by_name(fields, "history")[0]["sender"]["identities"] == [encode(kept)]
    _, fields = asks(history=turns)
    assert "identities" not in by_name(fields, "history")[0]["sender"]


def test_demands_in_turns_are_said_in_words():
    demand = policy.ConsentRequired(message="May I?", state="c" * 22, return_to="https://agents.example/back")
    one = replace(turn("a"), parts=(TextPart(content="a"), rest_policy(demand)))
    request, fields = asks(history=(one,))
    assert b"c" * 22 not in request.body
    assert by_name(fields, "history")[0]["parts"][1]["content"].startswith("May I?")


def rest_policy(demand):
    from mentionable import CarriedPolicy

    return CarriedPolicy(policy=demand)


# -- receipts


OFFER = policy.AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"})
DEMAND = policy.PaymentRequired(message="Pay.", accepted_payments=(OFFER,), state="s" * 22)
PAID = policy.PaymentConfirmation(scheme=OFFER.scheme, original_payload=OFFER.payload, transaction="tx")


def test_a_receipt_goes_out_in_its_field():
    _, fields = asks(receipt=policy.receipt(DEMAND, PAID))
    assert by_name(fields, "policy_resolution")["in_reply_to_state"] == "s" * 22


@pytest.mark.parametrize(("payload", "header"), [(PAYMENT, "x-payment"), (SIGNED, "payment-signature")])
def test_a_payment_by_x402_goes_out_in_the_header_of_its_version(payload, header):
    request, fields = asks(receipt=policy.x402_submission(payload))
    assert request.header(header)
    assert "policy_resolution" not in [one.name for one in fields]


@pytest.mark.parametrize(
    "receipt",
    [
        7,
        {"a": 1},
        {"mentionable": {}},
        {"mentionable": {"policy_resolution": {}}},
        {"mentionable": {"policy_resolution": {}, "more": 1}},
        {"x402.payment.status": "payment-submitted", "x402.payment.payload": {}},
        {"x402.payment.status": "payment-completed"},
        {**policy.x402_submission(PAYMENT), "more": 1},
        policy.x402_submission({**PAYMENT, "more": "x" * 8_000}),
    ],
    ids=range(9),
)
def test_a_receipt_of_another_kind_is_a_mistake_of_the_program(receipt):
    with pytest.raises(UsageError, match="receipt"):
        asks(receipt=receipt)


# -- mistakes of the program


@pytest.mark.parametrize(
    "facts",
    [
        {"url": "ftp://a.example/"},
        {"url": "https://a.example/#f"},
        {"url": None},
        {"evidence": [badge(WRITER)]},
        {"evidence": ("x",)},
        {"token": "a b"},
        {"token": b"a"},
        {"session": ""},
        {"session": 7},
        {"session": "\ud800"},
        {"history": [turn("a")]},
        {"history": ("a",)},
        {"entropy": b"short"},
    ],
    ids=range(13),
)
def test_arguments_of_the_wrong_kind_are_mistakes_of_the_program(facts):
    with pytest.raises(UsageError):
        asks(TextPart(content="a"), **facts)


def test_a_policy_is_answered_and_not_asked():
    with pytest.raises(UsageError, match=r"parts\[0\]"):
        asks(rest_policy(policy.Forbidden(message="No.")))


def test_so_many_fields_go_out():
    parts = [TextPart(content="a")] * 1_000
    with pytest.raises(UsageError, match="fields"):
        asks(*parts)
    assert asks(*parts[1:])[1]


def test_json_that_readers_would_not_take_is_a_mistake_of_the_program():
    deep: object = 1
    for _ in range(70):
        deep = [deep]
    with pytest.raises(UsageError):
        asks(ToolCallPart(id="c", name="n", args=deep))


def test_more_than_a_body_may_hold_is_a_mistake_of_the_program():
    with pytest.raises(UsageError, match="a body"):
        asks(TextPart(content="a" * 16_777_216))
