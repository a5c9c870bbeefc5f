from __future__ import annotations

import json
import math
from types import MappingProxyType
from typing import Any

import attrs
import pytest

from mentionable import (
    BytesRef,
    CarriedPolicy,
    DecodeError,
    Fetched,
    FilePart,
    IdentityEvidence,
    InlineRelay,
    LimitError,
    MentionRelayCapability,
    NormalizedMessage,
    NormalizedResponse,
    Part,
    PolicyResolution,
    Problem,
    RecipientCapabilities,
    Sender,
    SenderProfile,
    StoredMessage,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UsageError,
    WireError,
    decode,
    decode_trusted,
    dumps,
    encode,
    identity,
    policy,
    replace,
)
from mentionable._model.codec import decode_parsed, decode_parsed_trusted, is_required
from mentionable._model.diagnostic import MAX_PROBLEMS
from mentionable.identity import Proof
from tests.samples import ALICE, MESSAGE, SAMPLES

TEXT = {"kind": "text", "mime": "text/plain", "content": "hi"}
EVIDENCE = {
    "subject": "slack:T1/U1",
    "issuer": "@slack@connect.example",
    "method": "urn:x",
    "assurance": "platform",
    "audience": "@helper@agents.example",
    "issued_at": "2026-11-21T20:56:00Z",
    "proof": {"type": "transport", "verified_by": "mail"},
}


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def problems(cls: Any, data: Any, read: Any = decode) -> list[str]:
    with pytest.raises(DecodeError) as caught:
        read(cls, data)
    assert caught.value.code == "malformed"
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "data",
    [json.dumps(TEXT), json.dumps(TEXT).encode(), TEXT, MappingProxyType(TEXT)],
    ids=["text", "bytes", "dict", "mapping"],
)
def test_data_may_be_bytes_text_or_what_a_parser_made(data):
    assert decode(TextPart, data) == TextPart(content="hi")


@pytest.mark.parametrize("read", [decode_parsed, decode_parsed_trusted])
@pytest.mark.parametrize("data", [json.dumps(TEXT), json.dumps(TEXT).encode()], ids=["text", "bytes"])
def test_what_was_parsed_is_never_parsed_again(read, data):
    assert read(TextPart, TEXT) == TextPart(content="hi")
    with pytest.raises(DecodeError, match=r"expected an object, not a string|bytes is not a JSON value"):
        read(TextPart, data)


def test_forms_may_be_unions_and_arrays_of_them():
    assert decode(tuple[Part, ...], [TEXT]) == (TextPart(content="hi"),)
    assert decode(Part, TEXT) == TextPart(content="hi")
    assert decode(MentionRelayCapability, {"kind": "inline", "x": 1}) == InlineRelay(extra={"x": 1})


@pytest.mark.parametrize(
    ("member", "value", "rule"),
    [
        ("content", None, "/content: expected a string, not null"),
        ("content", 1, "/content: expected a string, not a number"),
        ("content", 1.5, "/content: expected a string, not a number"),
        ("content", True, "/content: expected a string, not a boolean"),
        ("content", [], "/content: expected a string, not an array"),
        ("content", {}, "/content: expected a string, not an object"),
        ("mime", "text/x", '/mime: expected "text/plain" or "text/markdown" or "text/html"'),
        ("kind", "file", '/kind: expected "text"'),
        ("kind", None, '/kind: expected "text"'),
    ],
)
def test_nothing_is_coerced(member, value, rule):
    assert problems(TextPart, {**TEXT, member: value}) == [rule]


@pytest.mark.parametrize(
    ("cls", "data", "expected"),
    [
        (TextPart, [], ["expected an object, not an array"]),
        (TextPart, {"kind": "text"}, ["/content: required", "/mime: required"]),
        (Part, "x", []),
        (Part, [], ["expected an object, not an array"]),
        (Part, {}, ["/kind: required"]),
        (Part, {"kind": 1}, ["/kind: expected a string"]),
        (Part, {"kind": "text", "mime": 1, "content": 2}, None),
        (Part, {"kind": ""}, ["/kind: expected a non-empty string"]),
        (BytesRef, {"kind": "x"}, ['/kind: expected "inline" or "url" or "content_addressed"']),
        (tuple[Part, ...], {}, ["expected an array, not an object"]),
        (tuple[Part, ...], [TEXT, {}, TEXT, 1], ["/1/kind: required", "/3: expected an object, not a number"]),
        (
            FilePart,
            {"kind": "file", "mime": "A B", "bytes_ref": {"kind": "inline", "data_base64": "!"}, "size_bytes": -1},
            [
                "/mime: expected a media type in lower case, and parameters as `; name=value`",
                "/bytes_ref/data_base64: expected standard padded base64",
                "/size_bytes: expected an integer from 0 to 2^53-1",
            ],
        ),
        (SenderProfile, {"extensions": []}, ["/extensions: expected an object, not an array"]),
        (
            policy.AuthChallenge,
            {"scheme": "Bearer", "params": {"a/b": 1}},
            ["/params/a~1b: expected a string, not a number"],
        ),
        (policy.AuthChallenge, {"scheme": "Bearer", "params": 1}, ["/params: expected an object, not a number"]),
        (identity.TransportProof, {"type": "x"}, ['/type: expected "transport"', "/verified_by: required"]),
        (
            NormalizedResponse,
            {
                "reply_to": "m",
                "parts": [],
                "status": "partial",
                "streaming": {"stream_id": "s", "seq": 0, "final": True},
            },
            ["/streaming: the final frame of a stream is 'ok' or 'error', not 'partial'"],
        ),
    ],
)
def test_every_fault_is_listed_with_its_place(cls, data, expected):
    if isinstance(data, str):
        with pytest.raises(WireError):
            decode(cls, data)
        return
    found = problems(cls, data)
    if expected is not None:
        assert found == expected


def test_data_that_no_json_can_hold_is_malformed():
    assert problems(TextPart, {"kind": b"text"}) == ["bytes is not a JSON value"]
    deep: Any = TEXT
    for _ in range(200):
        deep = {"a": deep}
    assert problems(TextPart, deep) == ["nested too deeply for JSON"]


def test_bytes_pass_the_strict_front_door():
    for data, code in ((b"\xff", "not-utf8"), (b'{"a":1,"a":2}', "duplicate-member"), ('"\ud800"', "not-utf8")):
        with pytest.raises(DecodeError) as caught:
            decode(TextPart, data)
        assert caught.value.code == code
    with pytest.raises(LimitError):
        decode(TextPart, b"[" * 200 + b"]" * 200)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"type": "transport", "verified_by": "email", "key_id": "k"}, "TransportProof"),
        ({"type": "of-another-version", "value": "x"}, "UnknownProof"),
        ({"type": "of-another-version", "verified_by": "email", "key_id": "k"}, "UnknownProof"),
    ],
)
def test_a_proof_is_told_by_its_type(data, kind):
    proof = decode(Proof, data)
    assert type(proof).__name__ == kind
    assert encode(proof) == data


def test_integers_of_any_size_are_kept_where_json_is():
    message = {**encode(MESSAGE), "raw": {"n": 2**60}}
    assert decode_trusted(NormalizedMessage, json.dumps(message)).raw == {"n": 2**60}


def test_the_list_of_faults_is_bounded():
    assert len(problems(tuple[Part, ...], [{}] * 1000)) == MAX_PROBLEMS


@pytest.mark.parametrize("form", [Fetched, list[TextPart], set[str]])
def test_a_form_that_is_not_of_the_contract_is_a_usage_error(form):
    with pytest.raises(UsageError, match="of the contract"):
        decode(form, {"id": "1"})


@pytest.mark.parametrize("cls", [PolicyResolution, IdentityEvidence, StoredMessage])
def test_what_must_be_verified_cannot_be_decoded(cls):
    for form in (cls, tuple[cls, ...], cls | TextPart):
        with pytest.raises(UsageError, match=r"comes from your own store alone, where it was verified: restore\(\)"):
            decode(form, [EVIDENCE] if form == tuple[cls, ...] else {"kind": "payment_required"})


VERIFIED = {
    "address": "@alice@a.example",
    "auth_method": "email-dkim",
    "verified": True,
    "key_id": "s1",
    "identities": [EVIDENCE],
    "x": 1,
}


def test_anyone_can_say_verified_and_nobody_believes_it():
    assert decode(Sender, VERIFIED) == Sender(address="@alice@a.example", extra={"x": 1})
    assert decode(Sender, {"address": "@a@b.example", "verified": "nonsense"}).verified is False


def test_ones_own_store_is_believed():
    sender = decode_trusted(Sender, VERIFIED)
    assert sender.verified
    assert sender.identities[0].proof == identity.TransportProof(verified_by="mail")
    assert encode(sender) == {**VERIFIED, "identities": [EVIDENCE]}


def test_trust_is_taken_out_of_every_sender_and_message():
    resolution = {
        "in_reply_to_state": "s",
        "kind": "consent_required",
        "confirmation": {"scope_hash": "h"},
        "verified_by": "me",
    }
    turn = {"role": "user", "sender": VERIFIED, "parts": [], "timestamp": "2026-11-21T20:56:00Z"}
    data = {**encode(MESSAGE), "sender": VERIFIED, "history": [turn], "policy_resolution": resolution}
    message = decode(NormalizedMessage, data)
    assert message.policy_resolution is None
    assert [message.sender.verified, message.history[0].sender.verified] == [False, False]
    kept = decode_trusted(NormalizedMessage, data)
    assert kept.policy_resolution.confirmation == decode_trusted(PolicyResolution, resolution).confirmation
    assert [kept.sender.verified, kept.history[0].sender.verified] == [True, True]


@pytest.mark.parametrize(
    ("confirmation", "kind"),
    [
        ({"scheme": "x402.exact", "original_payload": {}}, "payment_required"),
        ({"scope_hash": "h"}, "consent_required"),
    ],
)
def test_confirmations_are_told_by_their_members(confirmation, kind):
    data = {"in_reply_to_state": "s", "kind": kind, "confirmation": confirmation, "verified_by": "me"}
    assert encode(decode_trusted(PolicyResolution, data)) == data


def test_a_confirmation_of_neither_kind_is_refused():
    data = {"in_reply_to_state": "s", "kind": "payment_required", "confirmation": {}, "verified_by": "me"}
    expected = ["/confirmation/scheme: required", "/confirmation/original_payload: required"]
    assert problems(PolicyResolution, data, decode_trusted) == expected
    assert problems(PolicyResolution, {**data, "confirmation": 1}, decode_trusted) == [
        "/confirmation: expected an object, not a number"
    ]


@pytest.mark.parametrize(
    ("audience", "rule"),
    [
        ([""], ["/audience/0: expected a non-empty string"]),
        ([1], ["/audience/0: expected a string, not a number"]),
        (1, ["/audience: expected a string, not a number"]),
        ("", ["/audience: expected a non-empty string"]),
    ],
)
def test_of_a_union_the_option_that_came_further_explains(audience, rule):
    assert problems(IdentityEvidence, {**EVIDENCE, "audience": audience}, decode_trusted) == rule


def test_unknown_members_are_kept_in_their_place():
    data = {**TEXT, "extra": {"a": 1}, "later": [None]}
    part = decode(TextPart, data)
    assert part.extra == {"extra": {"a": 1}, "later": [None]}
    assert encode(part) == data


def test_unknown_kinds_are_kept_whole():
    for form, known, data in (
        (Part, UnknownPart, {"kind": "poll", "options": [1]}),
        (policy.PolicyPart, policy.UnknownPolicy, {"kind": "wait", "message": "m", "x": 1}),
        (identity.Proof, identity.UnknownProof, {"type": "passkey", "x": 1}),
    ):
        value = decode(form, data)
        assert type(value) is known
        assert encode(value) == data


def test_a_result_of_null_is_a_result():
    call = {"kind": "tool_call", "id": "c", "name": "n", "args": None}
    assert decode(Part, call).state == "running"
    done = decode(Part, {**call, "result": None})
    assert done.state == "ok"
    assert encode(done) == {**call, "result": None}
    assert encode(ToolCallPart(id="c", name="n", args=None)) == call


def test_what_the_wire_requires_is_written_even_when_it_is_the_default():
    assert encode(Sender(address="@a@b.example")) == {
        "address": "@a@b.example",
        "auth_method": "none",
        "verified": False,
    }
    assert encode(TextPart(content="")) == {"kind": "text", "content": "", "mime": "text/plain"}
    required = {a.name for a in attrs.fields(NormalizedMessage) if is_required(a)}
    assert required == {
        "id",
        "thread_id",
        "sender",
        "recipient",
        "parts",
        "recipient_capabilities",
        "received_via",
        "received_at",
        "raw",
    }


def test_encoding_gives_a_fresh_value_of_plain_types():
    first, second = encode(MESSAGE), encode(MESSAGE)
    assert first == second
    first["raw"]["a"].append(2)
    first["parts"].clear()
    assert encode(MESSAGE) == second
    assert type(encode(MESSAGE)["recipient"]) is str
    assert encode((TextPart(content="hi"),)) == [encode(TextPart(content="hi"))]


@pytest.mark.parametrize(
    "name", [name for name, one in SAMPLES.items() if hasattr(one, "extra") and "._model." in type(one).__module__]
)
def test_bytes_are_compact_json(name):
    data = dumps(SAMPLES[name])
    assert data == json.dumps(encode(SAMPLES[name]), ensure_ascii=False, separators=(",", ":")).encode()
    assert decode_trusted(type(SAMPLES[name]), data) == SAMPLES[name]


def test_a_mapping_of_another_kind_is_written():
    assert dumps({"a": MappingProxyType({"b": (TextPart(content="hi"),)})}) == (
        b'{"a":{"b":[{"kind":"text","content":"hi","mime":"text/plain"}]}}'
    )


@pytest.mark.parametrize(
    "odd",
    [math.nan, "\ud800", object(), 10**5000, deep(300)],
    ids=["nan", "surrogate", "object", "number", "depth"],
)
def test_what_a_program_put_into_json_later_is_refused_as_by_encode(odd):
    message = replace(MESSAGE, raw={"a": []})
    message.raw["a"].append(odd)

    with pytest.raises(UsageError) as of_bytes:
        dumps(message)
    with pytest.raises(UsageError) as of_dict:
        encode(message)
    assert str(of_bytes.value) == str(of_dict.value)


def test_tables_of_values_are_written_as_values():
    shown = policy.Forbidden(message="No", message_translations={"de": policy.PolicyTranslation(message="Nein")})
    data = encode(CarriedPolicy(policy=shown))
    assert data["policy"]["message_translations"] == {"de": {"message": "Nein"}}
    assert encode(policy.AuthChallenge(scheme="Bearer", params={"realm": "x"}))["params"] == {"realm": "x"}


def test_the_problem_of_a_rule_between_members_has_the_place_of_the_value():
    data = {"mention_relay": {"kind": "none"}, "agent_chain": {"hop": 2, "max_hops": 1, "is_final": True}}
    with pytest.raises(DecodeError) as caught:
        decode(RecipientCapabilities, data)
    assert caught.value.problems == (Problem("/agent_chain", "hop must not be beyond max_hops"),)


def test_a_sender_profile_survives():
    assert decode(Sender, encode(ALICE)) == ALICE


def test_records_without_unknown_members_are_written_too():
    known = StoredMessage(id="1", thread_id="t", sender="@a@b.example")
    assert encode(known) == {"id": "1", "thread_id": "t", "sender": "@a@b.example", "auth_method": "none"}


@pytest.mark.parametrize("form", [dict, bytes, set, complex])
def test_a_form_of_no_contract_is_named(form):
    with pytest.raises(UsageError, match=rf"^{form.__name__} is not a form of the contract$"):
        decode(form, {})
