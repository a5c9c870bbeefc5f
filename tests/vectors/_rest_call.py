"""Calls: `conformance/v0.1/rest/call.json`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._identity_rows import AGENT, signed
from tests.vectors._policy_wire_rows import PAYLOADS
from tests.vectors._rest_rows import BOB, HELPER, STATE, Case, file, rows, sender, text, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITER: Final = "https://writer.example/agents/writer"
call = rows("call")


def asks(*parts: Case, **beside: Any) -> Case:
    """A message to ask with, and what goes along."""
    members = {name: beside.pop(name) for name in ("recipient_capabilities", "received_via") if name in beside}
    asked = {
        "id": "m1",
        "thread_id": "canary-thread",
        "sender": {"address": "@canary@a.example", "auth_method": "email-dkim", "verified": True},
        "recipient": HELPER,
        "parts": list(parts),
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": "email",
        "received_at": "2026-11-21T20:00:00Z",
        "raw": {"secret": "canary"},
        **members,
    }
    return {"message": asked, "url": WRITER, **beside}


def chain(hop: int, most: int = 3) -> Case:
    """Capabilities with a place in a chain."""
    return {
        "mention_relay": {"kind": "none"},
        "agent_chain": {"hop": hop, "max_hops": most, "is_final": hop == most},
    }


def calls() -> Iterator[Case]:
    """What goes out."""
    hi = text("Hi")
    yield call(
        "text",
        "R46",
        "Agents that know nothing but text read it in plain fields, and nothing is said twice.",
        asks(hi, text("*a*", "text/markdown")),
        facts={
            "method": "POST",
            "url": WRITER,
            "said": [["user", "Hi", "text/plain"], ["user", "*a*", "text/markdown"]],
            "names": ["message_id", "user"],
        },
    )
    link = {"kind": "link", "url": "https://a.example/", "title": "a"}
    yield call(
        "parts",
        "R46",
        "What text cannot say goes out as JSON beside words for it.",
        asks(hi, link),
        facts={
            "said": [["user", "Hi", "text/plain"], ["user", "a <https://a.example/>", "text/plain"]],
            "parts": [hi, link],
        },
    )
    yield call(
        "nothing",
        "NM 3.1",
        "A message that says nothing is one all the same.",
        asks(),
        facts={"said": [["user", "", "text/plain"]], "parts": []},
    )
    image = file(b"hi", "../x/1.png")
    yield call(
        "file",
        "R46",
        "Agents that read no JSON get the file as browsers send it.",
        asks(image),
        facts={
            "said": [["user", "", "text/plain"], ["user", "hi", "image/png"]],
            "files": ["1.png"],
            "parts": [image],
        },
    )
    digest = sha256(b"hi").hexdigest()
    reference = {"kind": "content_addressed", "algo": "sha256", "digest": digest}
    named = {"kind": "file", "mime": "image/png", "bytes_ref": reference}
    yield call(
        "file-by-digest",
        "NM 3.2",
        "Bytes that are named by a digest alone go along, once.",
        asks(named, blobs={digest: "hi"}),
        facts={"said": [["user", "", "text/plain"], ["user", "hi", "image/png"]], "parts": [named]},
    )
    yield call(
        "file-without-bytes",
        "NM 3.2",
        "A file whose bytes nobody has cannot go out.",
        asks(named),
        rejected={"code": "malformed"},
    )
    where = {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "url", "url": "https://a.example/f"}}
    yield call(
        "file-by-url",
        "NM 3.2",
        "A file behind a URL is described, and never fetched on the way.",
        asks(where),
        facts={"said": [["user", "[file (image/png)] <https://a.example/f>", "text/plain"]], "parts": [where]},
        level="SHOULD",
    )
    yield call(
        "policy",
        "PP",
        "A demand is answered and not asked.",
        asks({"kind": "policy", "policy": {"kind": "forbidden", "message": "No."}}),
        rejected={"code": "malformed"},
    )
    yield call(
        "secrets",
        "R9",
        "Nothing of the sender and of this node leaves it.",
        asks(hi),
        facts={"said": [["user", "Hi", "text/plain"]], "authorization": None, "names": ["message_id", "user"]},
    )
    yield call(
        "session",
        "R46",
        "A conversation goes on under the name that the other agent gave it.",
        asks(hi, session="s9"),
        facts={"session": "s9"},
    )
    yield call(
        "token",
        "RFC 6750 2.1",
        "A token goes where tokens go.",
        asks(hi, token="abc"),
        facts={"authorization": "Bearer abc", "names": ["message_id", "user"]},
    )
    yield call(
        "accept",
        "R46",
        "JSON carries the whole answer, so it is liked best.",
        asks(hi),
        facts={"accept": "application/json, text/markdown;q=0.8, text/plain;q=0.5, text/html;q=0.3"},
    )
    yield call(
        "accept-stream",
        "R46",
        "Whoever wants a stream says so, and takes JSON of whoever has none.",
        asks(hi, stream=True),
        facts={"accept": "text/event-stream, application/json;q=0.9"},
    )
    boundary = "--mentionable-"
    yield call(
        "boundary",
        "RFC 2046 5.1",
        "Data that looks like a boundary is data.",
        asks(text(f"a\r\n{boundary}\r\n\r\n{boundary}--")),
        facts={"said": [["user", f"a\n{boundary}\n\n{boundary}--", "text/plain"]]},
    )


def forwarded() -> Iterator[Case]:
    """What goes along beside the message."""
    hi = text("Hi")
    inline_relay = {"mention_relay": {"kind": "inline"}}
    yield call(
        "capabilities",
        "NM 3.3.4",
        "Whoever bridges from a richer platform says what it can do.",
        asks(hi, recipient_capabilities=inline_relay),
        facts={"recipient_capabilities": inline_relay},
    )
    yield call(
        "next-hop",
        "NM 3.3.5",
        "Each agent of a chain stands one place further, so that the chain ends.",
        asks(hi, recipient_capabilities=chain(1)),
        facts={"recipient_capabilities": chain(2)},
    )
    yield call(
        "last-hop",
        "NM 3.3.5",
        "The last agent of a chain is told that it is.",
        asks(hi, recipient_capabilities=chain(2)),
        facts={"recipient_capabilities": chain(3)},
    )
    yield call(
        "past-the-cap",
        "NM 3.3.5",
        "An agent that ignores the cue is bounded all the same.",
        asks(hi, recipient_capabilities=chain(3)),
        rejected={"code": "malformed"},
    )
    yield call(
        "connector",
        "NM 3.3.5",
        "A connector hands a message to the agent whose place stands in it.",
        asks(hi, recipient_capabilities=chain(3), received_via="connector"),
        facts={"recipient_capabilities": chain(3)},
    )
    badge = signed(audience="@writer@writer.example")
    yield call(
        "evidence",
        "R46",
        "Who asks is shown by evidence that is for the agent that is asked.",
        asks(hi, evidence=[badge]),
        facts={"identity_evidence": [badge]},
    )
    boast = {"address": BOB, "auth_method": "email-dkim", "verified": True, "key_id": "canary", "display_name": "Bob"}
    told = turn("a", address=BOB, sender=boast)
    own = turn("b", "assistant", HELPER)
    yield call(
        "history",
        "R46",
        "Turns go along as text for all, and with all that is known of who wrote them.",
        asks(hi, history=[told, own]),
        facts={
            "said": [["user", "a", "text/plain"], ["assistant", "b", "text/plain"], ["user", "Hi", "text/plain"]],
            "history": [{**told, "sender": sender(BOB, display_name="Bob")}, own],
        },
    )
    others, theirs = signed(audience=AGENT), signed(audience="@writer@writer.example", subject="slack:T123/U789")
    carrying = {**told, "sender": sender(BOB, identities=[others, theirs])}
    yield call(
        "history-evidence",
        "R45",
        "Evidence that was meant for this agent must not be shown to another one.",
        asks(hi, history=[carrying], evidence=[badge]),
        facts={"history": [{**told, "sender": sender(BOB, identities=[theirs])}]},
    )
    demand = {"kind": "consent_required", "message": "May I?", "state": STATE, "return_to": "https://agents.example/b"}
    demanded = {**own, "parts": [{"kind": "policy", "policy": demand}]}
    yield call(
        "history-demand",
        "PP",
        "The state of a demand is for whom it was made, and for nobody else.",
        asks(hi, history=[demanded]),
        facts={"history": [{**own, "parts": [text("May I?")]}]},
    )
    confirmation = {"scheme": "ln.bolt11", "original_payload": {"invoice": "lnbc1"}, "transaction": "tx1"}
    resolution = {
        "in_reply_to_state": STATE,
        "kind": "payment_required",
        "confirmation": confirmation,
        "verified_by": "sender",
    }
    yield call(
        "receipt",
        "PP 5",
        "Whoever met a demand shows it with the next message.",
        asks(hi, receipt={"mentionable": {"policy_resolution": resolution}}),
        facts={"policy_resolution": resolution},
    )
    for version, name in ((1, "x_payment"), (2, "payment_signature")):
        paid = {"x402.payment.status": "payment-submitted", "x402.payment.payload": PAYLOADS[version]}
        yield call(
            f"x402-v{version}",
            "R46",
            "A payment by x402 stands in the header field of its version.",
            asks(hi, receipt=paid),
            facts={name: PAYLOADS[version], "names": ["message_id", "user"]},
        )
    yield call(
        "receipt-of-another-form",
        "PP 5",
        "What is no receipt must not look like one.",
        asks(hi, receipt={"paid": True}),
        rejected={"code": "malformed"},
    )


def behaviours() -> Iterator[tuple[str, str, str, Any]]:
    """Every behaviour."""
    yield "call", "rest.call", "Messages as forms that ask another agent.", [*calls(), *forwarded()]
