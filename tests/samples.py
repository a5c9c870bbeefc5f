"""One value of each class with something in every member, for tests that compare ways of making them."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs

from mentionable import (
    AddressingRelay,
    AgentChain,
    Answered,
    ArtifactPart,
    Avatar,
    CallError,
    Diagnostic,
    DigestRef,
    FilePart,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    HistoricalMessage,
    IdentityEvidence,
    InlineRef,
    LinkPart,
    LookupTxt,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    RecipientCapabilities,
    Sender,
    SenderProfile,
    StoredMessage,
    Streaming,
    TextPart,
    ToolCallPart,
    UrlRef,
    UseOnce,
    Verdict,
    VerifiedIdentity,
    activitypub,
    mail,
)
from mentionable._transport.delivery import IncomingMessage
from mentionable.anp import AgentInstructions, Notification, Routing
from mentionable.connectors import Claimed, EventClaim
from mentionable.discovery import Link, ResourceDescriptor
from mentionable.identity import TransportProof

TIME = "2026-11-21T20:56:00Z"
URL = "https://a.example/x"
ALICE = Sender(
    address="@alice@a.example",
    display_name="Alice",
    profile=SenderProfile(
        display_name="Alice",
        username="alice",
        url=URL,
        avatar=Avatar(url=URL, mime_type="image/png", width=2, height=3),
        locale="en",
        timezone="UTC",
        provider="activitypub",
        provider_subject=URL,
        fetched_at=TIME,
        extensions={"a": 1},
    ),
)
TEXT = TextPart(content="Hello", mime="text/markdown")
INLINE = InlineRef(data_base64="aGk=")
CHAIN = AgentChain(hop=1, max_hops=3, is_final=False)
PLATFORM = RecipientCapabilities(mention_relay=AddressingRelay(envelope_fields=("to",)), agent_chain=CHAIN)
TURN = HistoricalMessage(role="user", sender=ALICE, parts=(TEXT,), timestamp=TIME, id="turn-1", extra={"x": 1})
MESSAGE = NormalizedMessage(
    id="019aa8e3-9b00-7000-8000-000000000000",
    thread_id="t",
    sender=ALICE,
    recipient="@helper@agents.example",
    parts=(TEXT,),
    recipient_capabilities=PLATFORM,
    received_via="activitypub",
    received_at=TIME,
    raw={"a": [1]},
    in_reply_to="p",
    history=(TURN,),
)
VERDICT = Verdict(method="none", verified=False, code="unsigned")
CALL = ToolCallPart(id="c", name="search", args={"q": 1}, result=[1], duration_ms=3, started_at=TIME)
EVIDENCE = IdentityEvidence(
    subject="@alice@a.example",
    issuer="a.example",
    method="urn:mentionable:auth:email-dkim:v0.1",
    assurance="domain",
    audience="@helper@agents.example",
    issued_at=TIME,
    proof=TransportProof(verified_by="email", key_id="s1._domainkey.a.example"),
)
IDENTITY = VerifiedIdentity.restored(
    issuer="slack.agents.example",
    subject="slack:T123/U456",
    method="urn:mentionable:auth:slack-workspace-member:v0.1",
    assurance="platform",
    audience="@helper@agents.example",
    issued_at=TIME,
    not_before=TIME,
    expires_at=TIME,
    principals=("slack:T123/U7",),
    key_id="2026-11",
    entry=0,
    digest="0" * 64,
    replay_key="1" * 64,
    id="slack:Ev1",
    claims={"profile": {"display_name": "Alice"}},
    source={"transport": "slack"},
)

INCOMING = IncomingMessage(
    native_id="<1@a.example>",
    thread_id="t",
    sender=ALICE,
    parts=(TEXT,),
    recipient_capabilities=PLATFORM,
    received_via="email",
    raw=dict,
    parents=("<0@a.example>",),
    thread_of=("<0@a.example>",),
)

RESPONSE = NormalizedResponse(
    reply_to="m1",
    parts=(TEXT,),
    status="partial",
    streaming=Streaming(stream_id="s1", seq=3, final=False),
    extra={"x": 1},
)

ROUTING = Routing(address="session", target="agent", handler="agent", extra={"x": 1})
NOTIFICATION = Notification(
    id="e1",
    content="Backup failed.",
    user_id="olivia",
    routing=Routing(address="user", target="user", handler="system"),
    requested=ROUTING,
    status="delivered",
    created_at=TIME,
    changed_at=TIME,
    owner_lease=2,
    revision=3,
    version=7,
    metadata={"urgency": "high"},
    session_id="s1",
    deduplication_key="backup",
    agent_instructions=AgentInstructions(directive="Say so.", tone_hint="concise"),
    ack_at=TIME,
    delivery_deadline=TIME,
    holder="w1",
    origin="agent",
    causation_id="e0",
    depth=1,
    actions=("restart",),
    failures=1,
    outcome="seen",
    escalation="silence",
    extra={"x": 1},
)

REPORT = mail.Report(
    kind="delivery",
    original_id="<1@agents.example>",
    reporter="mx.a.example",
    envelope_id="e1",
    arrival_date=TIME,
    recipients=(
        mail.DeliveryStatus(
            recipient="bob@b.example",
            original_recipient="bob@b.example",
            action="failed",
            status="5.1.1",
            permanent=True,
            diagnostic="550 5.1.1 unknown",
            remote_mta="mx.b.example",
            retry_deadline=TIME,
        ),
    ),
    disposition=mail.Disposition(type="displayed", recipient="bob@b.example", modifiers=("error",), error="x"),
    feedback=mail.Feedback(type="abuse", source_ip="192.0.2.1", recipients=("bob@b.example",), domains=("b.example",)),
)

CLAIMED = Claimed(
    platform="slack",
    type="message",
    event_id="slack:Ev1",
    native_id="slack:T1/C1/1.000001",
    is_new=True,
    claimed_at=TIME,
    document={"event": {}},
)

SAMPLES = {
    type(sample).__name__: sample
    for sample in (
        ALICE,
        ALICE.profile,
        ALICE.profile.avatar,
        TEXT,
        INLINE,
        CHAIN,
        PLATFORM,
        TURN,
        MESSAGE,
        VERDICT,
        CALL,
        INCOMING,
        CLAIMED,
        EventClaim(type="message", event_id="slack:Ev1", native_id="slack:T1/C1/1.000001"),
        CallError(message="broken"),
        UrlRef(url=URL, expires_at=TIME),
        DigestRef(digest="0" * 64, url=URL),
        FilePart(mime="text/plain", bytes_ref=INLINE, name="a.txt", size_bytes=2),
        ArtifactPart(mime="text/plain", bytes_ref=INLINE, name="a.txt", artifact_type="report"),
        LinkPart(url=URL, title="X", description="An X"),
        Link(rel="self", type="application/json", href=URL),
        ResourceDescriptor(subject="acct:a@b.example", links=(Link(rel="self"),), aliases=(URL,)),
        ROUTING,
        NOTIFICATION,
        EVIDENCE,
        EVIDENCE.proof,
        IDENTITY,
        FindAgent(native_id="helper@agents.example"),
        FindMessage(native_id="<1@a.example>", recipient="@helper@agents.example"),
        FindMessages(native_id="<1@a.example>"),
        LookupTxt(name="s1._domainkey.a.example"),
        UseOnce(key="k", binding="<1@a.example>", until=datetime(2026, 11, 21, tzinfo=UTC)),
        FindHistory(thread_id="t", recipient="@helper@agents.example"),
        RESPONSE,
        RESPONSE.streaming,
        activitypub.Actor(address="@a@b.example", id="https://b.example/a", inbox="https://b.example/a/inbox"),
        activitypub.ReceivedActivity(
            type="Follow",
            id="https://b.example/follows/1",
            actor=activitypub.Actor(address="@a@b.example", id="https://b.example/a", inbox="https://b.example/in"),
            authority="own",
            object_ids=("https://agents.example/helper",),
            document={"type": "Follow"},
            verdict=VERDICT,
            recipients=("@helper@agents.example",),
        ),
        *(REPORT, *REPORT.recipients, REPORT.disposition, REPORT.feedback),
        mail.ReceivedReport(
            report=REPORT,
            received=Received(messages=(MESSAGE,), native_id="<1@a.example>", verdict=VERDICT),
            stored={"@helper@agents.example": StoredMessage(id="m", thread_id="t", sender="@helper@agents.example")},
        ),
        Answered(response=RESPONSE, history=(TURN,), raw={"message": {}}, diagnostics=(Diagnostic(code="unsigned"),)),
        Received(
            messages=(MESSAGE,),
            native_id="<1@a.example>",
            verdict=VERDICT,
            blobs={"00": b"x"},
            diagnostics=(Diagnostic(code="unsigned"),),
        ),
        mail.Span(kind="new", start=0, end=2),
    )
}
"""Class name → a value of it."""

assert all(attrs.has(type(sample)) for sample in SAMPLES.values())
