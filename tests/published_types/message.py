"""The types of Normalized Message v0.1: messages (§3), responses (§4), and what stands in `raw` (§6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ._check import (
    ANYTHING,
    NUMBER,
    OBJECT,
    TEXT,
    TIME,
    TRUTH,
    Type,
    also,
    either,
    kinds,
    listed,
    mapped,
    pattern,
    record,
    whole,
    words,
)
from .evidence import EVIDENCE, PROFILE
from .policy import RESOLUTION

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDRESS: Final = pattern(r"@[^@\s]+@[^@\s]+")
PROOFS: Final = ("ap-http-signature", "ap-object-integrity-proof", "a2a-jwt", "a2a-oauth", "email-dkim", "email-dmarc")


def _verified_by_its_method(sender: dict[str, Any]) -> bool:
    """§3.1, §5.3.2: `none` is not verified, and mail is verified by either of its methods."""
    method, verified = sender["auth_method"], sender["verified"]
    are_named = isinstance(method, str) and isinstance(verified, bool)
    return not are_named or verified is (method != "none") or method in PROOFS[:4]


SENDER: Final = also(
    record(
        "Sender",
        {"address": ADDRESS, "auth_method": words(*PROOFS, "none"), "verified": TRUTH},
        {"display_name": TEXT, "profile": PROFILE, "key_id": TEXT, "identities": listed(EVIDENCE)},
    ),
    "Sender.verified",
    _verified_by_its_method,
)

BYTES: Final = kinds(
    "BytesRef",
    {
        "inline": record("BytesRef", {"data_base64": TEXT}),
        "url": record("BytesRef", {"url": TEXT}, {"expires_at": TIME}),
        "content_addressed": record("BytesRef", {"algo": words("sha256"), "digest": TEXT}, {"url": TEXT}),
    },
)
CALL: Final = also(
    record(
        "Part",
        {"id": TEXT, "name": TEXT, "args": ANYTHING},
        {
            "result": ANYTHING,
            "error": record("Part.error", {"message": TEXT}),
            "duration_ms": NUMBER,
            "started_at": TIME,
        },
    ),
    "Part.error",
    lambda call: not {"result", "error"} <= call.keys(),
)
PART: Final = kinds(
    "Part",
    {
        "text": record("Part", {"mime": words("text/plain", "text/markdown", "text/html"), "content": TEXT}),
        "file": record("Part", {"mime": TEXT, "bytes_ref": BYTES}, {"name": TEXT, "size_bytes": NUMBER}),
        "link": record("Part", {"url": TEXT}, {"title": TEXT, "description": TEXT}),
        "artifact": record("Part", {"mime": TEXT, "bytes_ref": BYTES}, {"name": TEXT, "artifact_type": TEXT}),
        "tool_call": CALL,
    },
)
PARTS: Final = listed(PART)

TURN: Final = record(
    "HistoricalMessage",
    {"role": words("user", "assistant"), "sender": SENDER, "parts": PARTS, "timestamp": TIME},
    {"id": TEXT},
)
TURNS: Final = listed(TURN)

RELAY: Final = kinds(
    "MentionRelayCapability",
    {
        "inline": OBJECT,
        "none": OBJECT,
        "recipient-field": record("MentionRelayCapability", {"fields": listed(words("to", "cc", "bcc"))}),
        "addressing": also(
            record("MentionRelayCapability", {"envelope_fields": listed(words("to", "cc")), "also_inline": TRUTH}),
            "MentionRelayCapability.also_inline",
            lambda relay: relay["also_inline"] is True,
        ),
    },
)
CHAIN: Final = also(
    also(
        record("AgentChain", {"hop": whole(1), "max_hops": whole(1), "is_final": TRUTH}),
        "AgentChain.hop",
        lambda chain: chain["hop"] <= chain["max_hops"],
    ),
    "AgentChain.is_final",
    lambda chain: chain["is_final"] is (chain["hop"] == chain["max_hops"]),
)
CAPABILITIES: Final = record("RecipientCapabilities", {"mention_relay": RELAY}, {"agent_chain": CHAIN})

STATUS: Final = words("ok", "partial", "error")
CHANNEL: Final = words("activitypub", "a2a", "email")
PUSH_BACK: Final = record("PushBackHint", {}, {"channel": CHANNEL, "thread_ref": TEXT})
RESPONSE: Final = record(
    "NormalizedResponse",
    {"reply_to": TEXT, "parts": PARTS, "status": STATUS},
    {
        "error": record("NormalizedResponse.error", {"code": TEXT, "message": TEXT, "retriable": TRUTH}),
        "streaming": record("Streaming", {"stream_id": TEXT, "seq": whole(0), "final": TRUTH}),
        "push_back": PUSH_BACK,
    },
)

MARK: Final = words("pass", "fail", "none")
RAW: Final[dict[Any, Type]] = {
    "activitypub": record(
        "raw",
        {
            "activity": OBJECT,
            "signature": record("", {"keyId": TEXT, "algorithm": TEXT, "headers": listed(TEXT), "signature": TEXT}),
            "actor": OBJECT,
            "delivery": record("", {"to": listed(TEXT), "cc": listed(TEXT)}, {"bcc": listed(TEXT)}),
        },
    ),
    "a2a": record(
        "raw",
        {
            "task": OBJECT,
            "message": OBJECT,
            "auth": record("", {"kind": words("jwt", "oauth"), "token_claims": OBJECT}),
        },
    ),
    "email": record(
        "raw",
        {
            "headers": mapped(either(TEXT, listed(TEXT))),
            "parsed": OBJECT,
            "dkim": record("", {"results": listed(record("", {"domain": TEXT, "selector": TEXT, "status": MARK}))}),
            "spf": record("", {"status": words("pass", "fail", "softfail", "neutral", "none")}),
            "dmarc": record("", {"status": MARK}),
            "envelope": record("", {"mail_from": TEXT, "rcpt_to": listed(TEXT)}),
        },
    ),
}
SHAPE: Final = record(
    "NormalizedMessage",
    {
        "id": TEXT,
        "thread_id": TEXT,
        "sender": SENDER,
        "recipient": ADDRESS,
        "parts": PARTS,
        "recipient_capabilities": CAPABILITIES,
        "received_via": CHANNEL,
        "received_at": TIME,
        "raw": ANYTHING,
    },
    {
        "in_reply_to": TEXT,
        "history": TURNS,
        "policy_resolution": RESOLUTION,
        "received_trace": RESPONSE,
    },
)


def MESSAGE(value: Any, name: str) -> Iterator[str]:
    """A message, and the roles of its turns by who wrote them (§3.1)."""
    yield from SHAPE(value, name)
    turns = _member(value, "history")
    for turn in turns if isinstance(turns, list) else ():
        own = _member(_member(turn, "sender"), "address") == _member(value, "recipient")
        if (_member(turn, "role") == "assistant") is not own:
            yield "HistoricalMessage.role"


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


RELAYS: Final = {
    "activitypub": {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True},
    "email": {"kind": "recipient-field", "fields": ["to", "cc"]},
}
METHODS: Final = {"activitypub": "ap-", "a2a": "a2a-", "email": "email-"}


def RECEIVED(value: Any, name: str) -> Iterator[str]:
    """A message of an adapter: relay (§3.3.1), method (§5) and `raw` (§6) are those of the way that it came."""
    yield from MESSAGE(value, name)
    way = _member(value, "received_via")
    if way not in ("activitypub", "a2a", "email"):
        return
    if isinstance(value.get("raw"), dict):
        yield from RAW[way](value["raw"], "raw")
    relay = _member(value.get("recipient_capabilities"), "mention_relay")
    if way in RELAYS and isinstance(relay, dict) and "$any" not in relay and relay != RELAYS[way]:
        yield "MentionRelayCapability.kind"
    method = _member(value.get("sender"), "auth_method")
    if isinstance(method, str) and method != "none" and not method.startswith(METHODS[way]):
        yield "Sender.auth_method"


ANCHOR: Final = record("trace anchor", {"class": words("mentionable-trace"), "data-version": words("0.1")})
ANCHOR_TEXT: Final = pattern(r".{1,120}")
TOOL_LINE: Final = pattern(r"🔧 [^\n]*\([^\n]*\) → [^\n]+")
_CALLED: Final = record("DataPart", {"toolCallId": TEXT, "toolName": TEXT, "input": ANYTHING})


def TOOL_EVENT(value: Any, name: str) -> Iterator[str]:
    """The data of an A2A part that tells of a tool call (§3.2); other data is free."""
    if isinstance(value, dict) and {"toolCallId", "toolName", "output"} & value.keys():
        yield from _CALLED(value, name)
