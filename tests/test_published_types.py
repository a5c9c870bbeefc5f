"""The types of tests/published_types: what is right passes, and each planted contradiction is named."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.published_types import contradictions
from tests.test_register import ROWS, unregistered

GONE = object()
STATE = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
PRINTED = {
    "subject": "slack:T123/U456",
    "issuer": "mentionable-slack.example",
    "method": "urn:mentionable:auth:slack-workspace-member:v0.1",
    "assurance": "platform",
    "audience": "@agent@example.com",
    "issued_at": "2026-05-06T00:00:00.000Z",
    "expires_at": "2026-05-06T00:05:00.000Z",
    "source": {"transport": "slack", "connector": "slack-connector", "channel": "C123"},
    "claims": {"profile": {"display_name": "JC", "avatar": {"url": "https://avatars.slack-edge.com/1"}}},
    "proof": {
        "type": "signed-attestation",
        "alg": "Ed25519",
        "kid": "2026-05",
        "canonicalization": "jcs",
        "value": "ab",
    },
}
PROFILE = {"display_name": "Alice", "avatar": {"url": "https://a.example/a", "width": 1}, "extensions": {"a": {}}}
SENDER = {
    "address": "@a@a.example",
    "auth_method": "none",
    "verified": False,
    "profile": PROFILE,
    "identities": [PRINTED],
}
PARTS = [
    {"kind": "text", "mime": "text/plain", "content": "a"},
    {"kind": "file", "mime": "a/b", "bytes_ref": {"kind": "inline", "data_base64": ""}, "size_bytes": 0},
    {"kind": "artifact", "mime": "a/b", "bytes_ref": {"kind": "url", "url": "https://a.example/"}},
    {"kind": "file", "mime": "a/b", "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": "0"}},
    {"kind": "link", "url": "https://a.example/"},
    {"kind": "tool_call", "id": "c", "name": "n", "args": None, "error": {"message": "m"}, "duration_ms": 0.5},
]
RESPONSE = {
    "reply_to": "m1",
    "parts": PARTS,
    "status": "partial",
    "error": {"code": "c", "message": "m", "retriable": False},
    "streaming": {"stream_id": "s", "seq": 0, "final": False},
    "push_back": {"channel": "email", "thread_ref": "t"},
}
PAID = {
    "in_reply_to_state": STATE,
    "kind": "payment_required",
    "confirmation": {"scheme": "ln.bolt11", "original_payload": {}, "transaction": "t"},
    "verified_by": "callback",
}
AGREED = {
    **PAID,
    "kind": "consent_required",
    "confirmation": {"scope_hash": "00", "expires_at": "2026-11-21T20:56:00Z"},
}
TURN = {"role": "user", "sender": SENDER, "parts": PARTS, "timestamp": "2026-11-21T20:56:00.5Z", "id": "t"}
CHAIN = {"hop": 1, "max_hops": 3, "is_final": False}
RAW = {
    "headers": {"from": "a", "received": ["b"]},
    "parsed": {},
    "dkim": {"results": [{"domain": "a.example", "selector": "s", "status": "pass"}]},
    "spf": {"status": "softfail"},
    "dmarc": {"status": "none"},
    "envelope": {"mail_from": "", "rcpt_to": ["b@b.example"]},
}
MESSAGE = {
    "id": "m1",
    "thread_id": "t1",
    "in_reply_to": "m0",
    "sender": SENDER,
    "recipient": "@b@b.example",
    "parts": PARTS,
    "history": [TURN],
    "recipient_capabilities": {
        "mention_relay": {"kind": "recipient-field", "fields": ["to", "cc"]},
        "agent_chain": CHAIN,
    },
    "received_via": "email",
    "received_at": "2026-11-21T20:56:00Z",
    "raw": RAW,
    "policy_resolution": PAID,
    "received_trace": RESPONSE,
}
NOTE = {
    **MESSAGE,
    "received_via": "activitypub",
    "recipient_capabilities": {
        "mention_relay": {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True}
    },
    "raw": {
        "activity": {},
        "signature": {"keyId": "k", "algorithm": "a", "headers": ["date"], "signature": "s"},
        "actor": {},
        "delivery": {"to": [], "cc": ["a"], "bcc": []},
    },
}
TASK = {
    **MESSAGE,
    "received_via": "a2a",
    "recipient_capabilities": {"mention_relay": {"kind": "none"}},
    "raw": {"task": {}, "message": {}, "auth": {"kind": "jwt", "token_claims": {}}},
}
PAY = {
    "kind": "payment_required",
    "message": "Pay.",
    "message_translations": {"ko": {"message": "a", "title": "b"}},
    "url": "https://agents.example/pay",
    "state": STATE,
    "accepted_payments": [{"scheme": "ln.bolt11", "payload": {}, "label": "a"}],
    "data": {"example.agents.a": 1},
}
CONSENT = {"kind": "consent_required", "message": "May I?", "state": STATE, "return_to": "https://agents.example/back"}
SIGN_IN = {
    "kind": "unauthorized",
    "message": "Sign in.",
    "auth_challenges": [{"scheme": "Bearer", "params": {"a": "b"}}],
}
WAIT = {"kind": "too_many_requests", "message": "Wait.", "retry_after_seconds": 30}
CARD = {"a2a": {"capabilities": {"extensions": [{"uri": "https://mentionable.dev/ns/policy/v0.1"}]}}}
TRUST = {"issuer": "a.example", "methods": ["m"], "assurance": ["platform"], "subject_prefixes": ["slack:"]}
META = {
    "source": "slack",
    "sender_id": "slack:U1",
    "sender_display_name": "O",
    "sender_type": "human",
    "mention_token": None,
}
EVENT = {
    "id": "e1",
    "content": "a",
    "deduplication_key": "d",
    "metadata": {"key": "value"},
    "routing": {"address": "session", "target": "user", "handler": "agent"},
    "agent_instructions": {"directive": "d", "tone_hint": "concise"},
    "status": "pending",
    "owner_lease": 1,
    "created_at": "2026-11-21T20:56:00Z",
    "ack_at": None,
    "delivery_deadline": None,
}
RIGHT = {
    "mail": ("email.receive", {"messages": [MESSAGE]}),
    "note": ("activitypub.receive", {"messages": [NOTE]}),
    "task": ("a2a.receive", {"messages": [TASK]}),
    "event": ("anp.read_notification", {"facts": {"record": EVENT}}),
    "payment": ("policy.read", {"value": {"policy": PAY}}),
    "consent": ("policy.read", {"value": {"policy": CONSENT}}),
    "sign-in": ("policy.to_http", {"facts": {"policy": SIGN_IN, "status": 401}}),
    "wait": ("policy.localize", {"value": WAIT}),
    "later-kind": ("policy.localize", {"value": {"kind": "later", "message": "m"}}),
    "agreed": ("policy.resume", {"value": AGREED}),
    "card": ("policy.declare", {"value": CARD}),
    "response": ("response.assemble", {"value": RESPONSE}),
    "evidence": ("identity.attest", {"value": PRINTED}),
    "trust": ("identity.trust_policy", {"value": {"entries": [TRUST]}}),
    "row": ("ingest.message", {"value": {"content": "a", "metadata": META}}),
    "path": ("anp.decide", {"facts": {"path": ["pending", "dispatched", "locked", "escalated", "failed"]}}),
    "paths": ("anp.story", {"facts": {"paths": ["dispatched > locked > delivered", None, "stale-lease"]}}),
    "anchor": (
        "trace.write",
        {"facts": {"text": "[a]", "anchor": {"class": "mentionable-trace", "data-version": "0.1"}}},
    ),
    "tool-event": (
        "a2a.reply",
        {"facts": {"parts": [{"data": {"toolCallId": "c", "toolName": "n", "input": {}}}, {"data": {"a": 1}}]}},
    ),
    "line": ("render.tool_call", {"value": "🔧 a({}) → ❌ no"}),
}

MAILED = [
    ("id", 1, "NormalizedMessage.id"),
    ("thread_id", GONE, "NormalizedMessage.thread_id"),
    ("in_reply_to", None, "NormalizedMessage.in_reply_to"),
    ("recipient", "b@b.example", "NormalizedMessage.recipient"),
    ("received_via", "rest", "NormalizedMessage.received_via"),
    ("received_at", "2026-11-21T20:56:00+01:00", "NormalizedMessage.received_at"),
    ("raw", GONE, "NormalizedMessage.raw"),
    ("parts", {}, "NormalizedMessage.parts"),
    ("sender", None, "NormalizedMessage.sender"),
    ("sender.address", "anonymous", "Sender.address"),
    ("sender.auth_method", "email-spf", "Sender.auth_method"),
    ("sender.auth_method", "email-dmarc", "Sender.verified"),
    ("sender.verified", True, "Sender.verified"),
    ("sender.verified", 0, "Sender.verified"),
    ("sender.key_id", None, "Sender.key_id"),
    ("sender.profile.avatar.url", GONE, "SenderProfile.avatar.url"),
    ("sender.profile.fetched_at", "today", "SenderProfile.fetched_at"),
    ("sender.profile.extensions", [], "SenderProfile.extensions"),
    ("sender.identities.0.subject", GONE, "IdentityEvidence.subject"),
    ("sender.identities.0.proof.type", GONE, "IdentityEvidence.proof.type"),
    ("parts.0.kind", "policy", "Part.kind"),
    ("parts.0.mime", "text/rtf", "Part.mime"),
    ("parts.0.content", GONE, "Part.content"),
    ("parts.1.mime", GONE, "Part.mime"),
    ("parts.1.size_bytes", "1", "Part.size_bytes"),
    ("parts.1.bytes_ref.kind", "blob", "BytesRef.kind"),
    ("parts.1.bytes_ref.data_base64", GONE, "BytesRef.data_base64"),
    ("parts.2.bytes_ref.expires_at", 1, "BytesRef.expires_at"),
    ("parts.2.artifact_type", None, "Part.artifact_type"),
    ("parts.3.bytes_ref.algo", "sha1", "BytesRef.algo"),
    ("parts.3.bytes_ref.digest", GONE, "BytesRef.digest"),
    ("parts.4.url", GONE, "Part.url"),
    ("parts.4.title", None, "Part.title"),
    ("parts.5.id", GONE, "Part.id"),
    ("parts.5.args", GONE, "Part.args"),
    ("parts.5.result", None, "Part.error"),
    ("parts.5.error.message", GONE, "Part.error.message"),
    ("parts.5.duration_ms", True, "Part.duration_ms"),
    ("parts.5.started_at", "noon", "Part.started_at"),
    ("history.0.role", "system", "HistoricalMessage.role"),
    ("history.0.role", "assistant", "HistoricalMessage.role"),
    ("history.0.timestamp", GONE, "HistoricalMessage.timestamp"),
    ("history.0.id", 7, "HistoricalMessage.id"),
    ("recipient_capabilities.mention_relay", GONE, "RecipientCapabilities.mention_relay"),
    ("recipient_capabilities.mention_relay.kind", "inline", "MentionRelayCapability.kind"),
    ("recipient_capabilities.mention_relay.fields", ["from"], "MentionRelayCapability.fields"),
    ("recipient_capabilities.agent_chain.hop", 0, "AgentChain.hop"),
    ("recipient_capabilities.agent_chain.hop", 1.5, "AgentChain.hop"),
    ("recipient_capabilities.agent_chain.hop", 4, "AgentChain.hop"),
    ("recipient_capabilities.agent_chain.is_final", True, "AgentChain.is_final"),
    ("raw.headers", {"a": 1}, "raw.headers"),
    ("raw.dkim", None, "raw.dkim"),
    ("raw.dkim.results.0.status", "neutral", "raw.dkim.results.status"),
    ("raw.dkim.results.0.domain", GONE, "raw.dkim.results.domain"),
    ("raw.spf.status", "temperror", "raw.spf.status"),
    ("raw.dmarc.status", "softfail", "raw.dmarc.status"),
    ("raw.envelope.rcpt_to", GONE, "raw.envelope.rcpt_to"),
    ("policy_resolution.verified_by", GONE, "PolicyResolution.verified_by"),
    ("policy_resolution.kind", "forbidden", "PolicyResolution.kind"),
    ("policy_resolution.confirmation.original_payload", "p", "PaymentConfirmation.original_payload"),
    ("received_trace.status", "done", "NormalizedResponse.status"),
    ("received_trace.reply_to", GONE, "NormalizedResponse.reply_to"),
    ("received_trace.error.retriable", "no", "NormalizedResponse.error.retriable"),
    ("received_trace.streaming.seq", -1, "Streaming.seq"),
    ("received_trace.streaming.final", GONE, "Streaming.final"),
    ("received_trace.push_back.channel", "rest", "PushBackHint.channel"),
]
DEMANDED = [
    ("message", GONE, "PolicyPart.message"),
    ("message_translations.ko.message", GONE, "PolicyPart.message_translations.message"),
    ("url", "http://agents.example/pay", "PolicyPart.url"),
    ("accepted_payments", [], "PolicyPart.accepted_payments"),
    ("accepted_payments.0.scheme", GONE, "PolicyPart.accepted_payments.scheme"),
    ("accepted_payments.0.payload", "lnbc1", "PolicyPart.accepted_payments.payload"),
    ("state", None, "PolicyPart.state"),
    ("data", {"amount": 1}, "PolicyPart.data"),
    ("kind", "unauthorized", "PolicyPart.auth_challenges"),
    ("kind", "consent_required", "PolicyPart.return_to"),
]
RECORDED = [
    ("content", GONE, "Event.content"),
    ("routing.target", "human", "Event.routing.target"),
    ("routing.handler", GONE, "Event.routing.handler"),
    ("status", "done", "Event.status"),
    ("owner_lease", 0, "Event.owner_lease"),
    ("created_at", None, "Event.created_at"),
    ("agent_instructions.directive", 1, "Event.agent_instructions.directive"),
    ("delivery_deadline", "soon", "Event.delivery_deadline"),
    ("metadata", None, "Event.metadata"),
]
ELSEWHERE = [
    ("note", "messages.0.raw.signature.headers", GONE, "raw.signature.headers"),
    ("note", "messages.0.raw.delivery.bcc", "a", "raw.delivery.bcc"),
    ("note", "messages.0.raw.actor", GONE, "raw.actor"),
    (
        "note",
        "messages.0.recipient_capabilities.mention_relay.also_inline",
        False,
        "MentionRelayCapability.also_inline",
    ),
    ("note", "messages.0.sender.auth_method", "a2a-jwt", "Sender.auth_method"),
    ("task", "messages.0.raw.auth.kind", "basic", "raw.auth.kind"),
    ("task", "messages.0.raw.message", GONE, "raw.message"),
    ("task", "messages.0.sender.verified", True, "Sender.verified"),
    ("response", "value.parts.0.kind", "later", "Part.kind"),
    ("agreed", "value.confirmation.scope_hash", GONE, "ConsentConfirmation.scope_hash"),
    ("agreed", "value.confirmation.expires_at", "never", "ConsentConfirmation.expires_at"),
    ("consent", "value.policy.return_to", "http://a.example/", "PolicyPart.return_to"),
    ("sign-in", "facts.status", 403, "PolicyPart.kind"),
    ("sign-in", "facts.policy.auth_challenges.0.params", {"a": 1}, "PolicyPart.auth_challenges.params"),
    ("wait", "value.retry_after_seconds", -1, "PolicyPart.retry_after_seconds"),
    (
        "card",
        "value.a2a.capabilities.extensions.0.uri",
        "https://a.example",
        "AgentCard.a2a.capabilities.extensions",
    ),
    ("evidence", "value.audience", "agent@example.com", "IdentityEvidence.audience"),
    ("evidence", "value.expires_at", "1778025900", "IdentityEvidence.expires_at"),
    ("evidence", "value.proof.value", "a+b=", "IdentityEvidence.proof.value"),
    ("evidence", "value.claims.profile.display_name", 1, "SenderProfile.display_name"),
    ("trust", "value.entries.0.subject_prefixes", "slack:", "TrustPolicy.subject_prefixes"),
    ("row", "value.content", None, "Message.content"),
    ("row", "value.metadata.sender_type", "agent", "IngestMessageMetadata.sender_type"),
    ("row", "value.metadata.sender_id", "U1", "IngestMessageMetadata.sender_id"),
    ("row", "value.metadata.passive", "no", "IngestMessageMetadata.passive"),
    ("path", "facts.path", ["pending", "delivered"], "pending → delivered"),
    ("paths", "facts.paths", ["escalated > locked"], "escalated → locked"),
    ("anchor", "facts.text", "a" * 121, "facts.text"),
    ("anchor", "facts.anchor.data-version", GONE, "trace anchor.data-version"),
    ("tool-event", "facts.parts.0.data.toolCallId", GONE, "DataPart.toolCallId"),
    ("line", "value", "a({}) → 1", "value"),
]
PLANTED = [
    *(("mail", f"messages.0.{path}", value, name) for path, value, name in MAILED),
    *(("payment", f"value.policy.{path}", value, name) for path, value, name in DEMANDED),
    *(("event", f"facts.record.{path}", value, name) for path, value, name in RECORDED),
    *ELSEWHERE,
]


def planted(expectation: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The expectation with another value at a path, or without it."""
    changed = deepcopy(expectation)
    *steps, last = path.split(".")
    place: Any = changed
    for step in steps:
        place = place[int(step) if step.isdecimal() else step]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return changed


@pytest.mark.parametrize("right", RIGHT)
def test_what_is_of_the_types_contradicts_nothing(right):
    assert contradictions(*RIGHT[right]) == set()


@pytest.mark.parametrize(("right", "path", "value", "name"), PLANTED, ids=[str(n) for n in range(len(PLANTED))])
def test_what_is_planted_is_found_by_its_name(right, path, value, name):
    op, expectation = RIGHT[right]
    found = {("new/case/x", one) for one in contradictions(op, planted(expectation, path, value))}
    assert ("new/case/x", name) in found
    assert unregistered(found, ROWS) == sorted(found)


def test_an_alternative_is_looked_at_as_well():
    assert contradictions("policy.localize", {"any_of": [{"value": WAIT}, {"value": {**WAIT, "message": 1}}]}) == {
        "PolicyPart.message"
    }


def test_what_a_case_leaves_open_contradicts_nothing():
    assert contradictions("email.receive", {"messages": [{**MESSAGE, "raw": {"$any": "json"}}]}) == set()


def test_what_reads_values_goes_by_the_type_of_the_value():
    case = {"input": {"type": "NormalizedResponse"}, "value": {**RESPONSE, "status": "done"}}
    assert contradictions("value.decode", case) == {"NormalizedResponse.status"}


def test_a_row_for_one_member_allows_no_other():
    assert unregistered({("rest/turns/x", "NormalizedMessage.received_via")}, ROWS) == []
    assert unregistered({("rest/turns/x", "Sender.verified")}, ROWS) == [("rest/turns/x", "Sender.verified")]
