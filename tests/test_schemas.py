from __future__ import annotations

import json
import re

import jsonschema
import pytest
import referencing
from hypothesis import given
from hypothesis import strategies as st

from mentionable import WireError, encode
from tests.schemas import UNIONS, classes, schemas
from tests.test_laws import VALUES, mutilated, read

SCHEMAS = schemas()
RESOURCES = [(schema["$id"], referencing.Resource.from_contents(schema)) for schema in SCHEMAS.values()]
REGISTRY = referencing.Registry().with_resources(RESOURCES)
NAMES = {
    "message": "NormalizedMessage",
    "response": "NormalizedResponse",
    "turn": "HistoricalMessage",
    "sender": "Sender",
    "part": "Part",
    "reference": "BytesRef",
    "relay": "MentionRelayCapability",
    "capabilities": "RecipientCapabilities",
    "policy": "PolicyPart",
    "resolution": "PolicyResolution",
    "evidence": "IdentityEvidence",
    "proof": "Proof",
    "ingest_message": "IngestMessage",
    "ingest_metadata": "IngestMetadata",
    "submission": "Submission",
    "notification": "Notification",
    "command": "Command",
    "effect": "Effect",
}
FLAGS = {"address": "user", "target": "user", "handler": "system"}


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def test_every_class_and_every_union_has_a_schema():
    assert set(SCHEMAS) == {cls.__name__ for cls in classes()} | set(UNIONS)
    assert len(SCHEMAS) >= 45


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_says_what_everything_is(name):
    schema = SCHEMAS[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == name
    assert schema["description"].endswith(".") or "." in schema["description"]
    for member, shape in schema.get("properties", {}).items():
        assert member == "kind" or shape.get("description"), member
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_description_is_in_the_words_of_json(name):
    assert re.findall(r"\b(?:None|UNSET|True|False|tuple|dict|str)\b", json.dumps(SCHEMAS[name])) == []


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_is_written_fits_its_schema(name, data):
    validator(NAMES[name]).validate(encode(data.draw(VALUES[name][1])))


def test_every_kind_of_value_is_made_by_some_strategy():
    assert set(NAMES) == set(VALUES)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Part", {"kind": "text", "mime": "text/plain"}),
        ("Part", {"kind": "text", "mime": "text/css", "content": ""}),
        ("Part", {"content": "x"}),
        ("Sender", {"address": "alice@a.example", "auth_method": "none", "verified": False}),
        ("Sender", {"address": "@alice@a.example", "auth_method": "none", "verified": "false"}),
        ("Sender", {"address": "@alice@a.example", "auth_method": "none", "verified": True}),
        ("Sender", {"address": "@alice@a.example", "auth_method": "a2a-jwt", "verified": False}),
        ("BytesRef", {"kind": "inline"}),
        ("BytesRef", {"kind": "later"}),
        ("MentionRelayCapability", {"kind": "addressing", "envelope_fields": ["to"], "also_inline": False}),
        ("MentionRelayCapability", {"kind": "recipient-field", "fields": []}),
        ("UnknownPart", {"kind": "text"}),
        ("UnknownPolicy", {"kind": "forbidden", "message": "x"}),
        ("UnknownProof", {"type": "transport"}),
        ("AgentChain", {"hop": 0, "max_hops": 1, "is_final": True}),
        ("ToolCallPart", {"kind": "tool_call", "id": "c", "name": "n"}),
        (
            "ToolCallPart",
            {"kind": "tool_call", "id": "c", "name": "n", "args": 1, "result": 1, "error": {"message": "x"}},
        ),
        ("Part", {"kind": "tool_call", "id": "c", "name": "n", "args": 1, "result": None, "error": {"message": "x"}}),
        (
            "NormalizedResponse",
            {
                "reply_to": "m",
                "parts": [],
                "status": "partial",
                "streaming": {"stream_id": "s", "seq": 0, "final": True},
            },
        ),
        (
            "PolicyResolution",
            {
                "in_reply_to_state": "s" * 22,
                "kind": "payment_required",
                "confirmation": {"scope_hash": "ab" * 32},
                "verified_by": "x",
            },
        ),
        ("PaymentRequired", {"kind": "payment_required", "message": "Pay.", "accepted_payments": []}),
        ("Forbidden", {"kind": "forbidden", "message": " \n"}),
        ("Routing", {"address": "USER", "target": "user", "handler": "system"}),
        ("Submission", {"content": " ", "user_id": "u", "routing": FLAGS}),
        ("Submission", {"content": "x", "routing": FLAGS}),
        ("Notification", {"id": "e", "content": "x", "user_id": "u", "routing": FLAGS, "status": "pending"}),
        ("Command", {"kind": "claim", "lease": 1}),
        ("Command", {"kind": "explode"}),
        ("Action", {"kind": "action", "name": ""}),
        ("Effect", {"kind": "grant", "id": "e", "revision": 1}),
        ("Effect", {"kind": "wake_at", "id": "e", "revision": 1, "lease": 0, "at": "2026-11-21T20:56:00Z"}),
    ],
)
def test_what_the_contract_refuses_does_not_fit(name, data):
    assert not validator(name).is_valid(data)


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_the_library_reads_it_writes_as_the_schema_says(name, data):
    form, values = VALUES[name]
    found = read(form, json.dumps(mutilated(data.draw, encode(data.draw(values)))))
    if not isinstance(found, WireError):
        validator(NAMES[name]).validate(encode(found))
