"""Demands that come back on A2A: `conformance/v0.1/policy/wire-a2a-result.json` and `wire-a2a-received.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_a2a_back import TO
from tests.vectors._answer_rows import Case, standard
from tests.vectors._policy_wire_rows import (
    KINDS,
    NO,
    PAGE,
    PAY,
    STATE,
    carried,
    demands,
    floats,
    message,
    rows,
    text,
    without,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

made = rows("wire-a2a-result", "a2a")
received = rows("wire-a2a-received", "a2a")
RPC: Final[Case] = {"jsonrpc": "2.0", "id": 1}
CODE: Final = "x402:payment_required"
PEER: Final = "@peer@agents.example"
AWAY: Final = "https://evil.example/pay"


def own(policy: Any) -> Case:
    """The metadata that holds a policy."""
    return {"mentionable": {"policy": policy}}


def said(words: str, metadata: Case, *more: Case) -> Case:
    """The message of a status."""
    parts = [*more, *([{"text": words}] if words else [])]
    return {"messageId": "a1", "role": "ROLE_AGENT", "parts": parts, "metadata": metadata}


def task(state: str, words: str, metadata: Case, *parts: Case, **members: Any) -> Case:
    """A task in a state."""
    status = {"state": f"TASK_STATE_{state}", "message": said(words, metadata, *parts)}
    return {"id": "t9", "contextId": "c9", "status": status, **members}


def by_x402(version: int = 2, message: str = "Pay first.", **members: Any) -> Case:
    """What a demand by x402 is read as."""
    found = samples.x402(version, message=message, code=CODE, state="t9", **members)
    return {**found, "accepted_payments": [{**samples.WAYS[version], "description": "A report"}]}


def where(state: str) -> Case:
    """What a response says of the task that goes on."""
    return {"a2a": {"state": state, "task_id": "t9", "context_id": "c9"}}


def unread(words: str) -> Case:
    """What a response says where the agent demands something that cannot be read."""
    return {"status": "error", "error": {"code": "a2a:policy-malformed", "message": words, "retriable": False}}


def reads(name: str, section: str, why: str, found: Case, *parts: Case, **more: Any) -> Case:
    """A task that comes back, and the response that it is."""
    state = found["status"]["state"].removeprefix("TASK_STATE_").lower().replace("_", "-")
    value = {"reply_to": "m1", "parts": list(parts), "status": "ok", **where(state), **more.pop("members", {})}
    headers = [["content-type", "application/json"]]
    unit = {"response": {"status": 200, "headers": headers, "body": {**RPC, "result": {"task": found}}}, "to": TO}
    return made(name, section, why, unit, value=value, **more)


def results() -> Iterator[Case]:
    """Demands in one body."""
    states = {
        "unauthorized": "AUTH_REQUIRED",
        "consent": "AUTH_REQUIRED",
        "payment": "INPUT_REQUIRED",
        "forbidden": "REJECTED",
        "legal": "REJECTED",
        "limit": "FAILED",
        "outage": "FAILED",
        "unknown": "FAILED",
    }
    for name, policy in KINDS.items():
        found = task(states[name], policy["message"], own(policy))
        why = "The demand is the answer, whatever state the task is in: it says why nothing else came."
        yield reads(name, "R40", why, found, carried(policy))
    parts = [{"kind": "text", "text": "Pay 1 €."}]
    old = {"kind": "message", "messageId": "a1", "role": "agent", "parts": parts, "metadata": own(PAY)}
    status = {"state": "input-required", "message": old}
    result = {"kind": "task", "id": "t9", "contextId": "c9", "status": status}
    headers = [["content-type", "application/json"]]
    unit = {"response": {"status": 200, "headers": headers, "body": {**RPC, "result": result}}, "to": TO}
    value = {"reply_to": "m1", "parts": [carried(PAY)], "status": "ok", **where("input-required")}
    yield made("payment-v0-3", "R40", "In v0.3 too.", unit, value=value)
    rain = text("It will rain.")
    yield reads(
        "other-words",
        "R40",
        "What else the agent says stays, before the demand.",
        task("REJECTED", "It will rain.", own(NO)),
        rain,
        carried(NO),
    )
    linked = {**NO, "url": "https://agents.example/why", "action_label": "Read more"}
    for name, words in (
        ("words-of-the-message", "No."),
        ("words-and-url", "No.\nhttps://agents.example/why"),
        ("words-and-label", "No.\nRead more: https://agents.example/why"),
    ):
        why = "The text that says the same to people is not said twice."
        yield reads(
            name, "R40", why, task("REJECTED", words, own(linked), {"text": "Hm."}), text("Hm."), carried(linked)
        )
    yield reads(
        "part-of-the-words",
        "R40",
        "Text that says more than the demand stays.",
        task("REJECTED", "No. Ask Bob.", own(NO)),
        text("No. Ask Bob."),
        carried(NO),
    )
    produced = [{"artifactId": "x1", "parts": [{"text": "Rain."}]}]
    artifact: Case = {"kind": "artifact", "mime": "text/plain", "artifact_type": "x1"}
    artifact["bytes_ref"] = {"kind": "inline", "data_base64": standard(b"Rain.")}
    yield reads(
        "behind-artifacts",
        "R40",
        "The demand is the last part.",
        task("INPUT_REQUIRED", "Pay 1 €.", own(PAY), artifacts=produced),
        artifact,
        carried(PAY),
    )
    yield reads(
        "foreign-url",
        "PP",
        "A demand leads nowhere but to the agent that makes it; without the link its button is gone, too.",
        task("REJECTED", f"No.\n{AWAY}", own({**linked, "url": AWAY})),
        carried(NO),
        flags=["attack"],
    )
    realm = [{"scheme": "Bearer", "params": {"realm": AWAY}}, {"scheme": "Basic", "params": {"realm": "a"}}]
    yield reads(
        "foreign-challenge",
        "PP",
        "Nor does a challenge.",
        task("AUTH_REQUIRED", "Sign in first.", own({**KINDS["unauthorized"], "auth_challenges": realm})),
        carried({**KINDS["unauthorized"], "auth_challenges": realm[1:]}),
        flags=["attack"],
    )
    refused = {"code": "a2a:rejected", "message": "No.", "retriable": False}
    yield reads(
        "malformed",
        "PP 3.6",
        "A demand that cannot be read counts for nothing; its text stays, and the failure is one.",
        task("REJECTED", "No.", own({"kind": "forbidden"})),
        text("No."),
        members={"status": "error", "error": refused},
    )
    yield reads(
        "failed-for-a-reason",
        "R40",
        "Where the agent says why it failed, beside a demand, it failed.",
        task(
            "FAILED",
            "Slow down.",
            {"mentionable": {"policy": KINDS["limit"], "error": {"code": "busy", "message": "Busy."}}},
        ),
        carried(KINDS["limit"]),
        members={"status": "error", "error": {"code": "busy", "message": "Busy.", "retriable": False}},
    )
    yield reads(
        "floats",
        "D B11",
        "A protobuf hop has one kind of number; seconds are integers again.",
        task("FAILED", "Slow down.", floats(own(KINDS["limit"]))),
        carried(KINDS["limit"]),
    )
    yield reads(
        "half-a-second",
        "R54",
        "Half a second is no number of seconds; the demand holds without it.",
        task("INPUT_REQUIRED", "Slow down.", own({**KINDS["limit"], "retry_after_seconds": 0.5})),
        carried({name: member for name, member in KINDS["limit"].items() if name != "retry_after_seconds"}),
    )
    yield reads(
        "not-in-the-namespace",
        "PP",
        "Only the place that the specification names counts.",
        task("INPUT_REQUIRED", "No.", {"policy": NO}),
        text("No."),
        members={"a2a": {**where("input-required")["a2a"], "metadata": {"policy": NO}}},
    )


def of_x402() -> Iterator[Case]:
    """Demands that only x402 tells."""
    for version in samples.TERMS:
        yield reads(
            f"x402-v{version}",
            "X402",
            "Sellers that know x402 alone demand a payment all the same; the task is what such a payment names.",
            task("INPUT_REQUIRED", "Pay first.", demands(version)),
            carried(by_x402(version)),
        )
        yield reads(
            f"x402-floats-v{version}",
            "X402",
            "A protobuf hop has one kind of number; versions and seconds are integers again.",
            task("INPUT_REQUIRED", "Pay first.", floats(demands(version))),
            carried(by_x402(version)),
        )
    yield reads(
        "x402-own-wins",
        "X402",
        "The demand itself says more than its shadow.",
        task("INPUT_REQUIRED", "Pay 1 €.", {**own(PAY), **demands()}),
        carried(PAY),
    )
    yield reads(
        "x402-own-is-malformed",
        "X402",
        "Where the demand cannot be read its shadow counts.",
        task("INPUT_REQUIRED", "Pay first.", {**own({"kind": "payment_required"}), **demands()}),
        carried(by_x402()),
    )
    other = {"org.x402.error": "Pay first."}
    yield reads(
        "x402-words-of-the-status",
        "X402",
        "The words for people are those of the status; those of x402 are kept.",
        task("INPUT_REQUIRED", "One cent, please.", demands()),
        carried(by_x402(message="One cent, please.", data=other)),
    )
    for status in ("payment-completed", "payment-verified", "payment-failed", "payment-rejected", "payment-submitted"):
        yield reads(
            f"x402-{status}",
            "X402",
            "What is paid, or failed, is not demanded.",
            task("INPUT_REQUIRED", "Hm.", {**demands(), "x402.payment.status": status}),
            text("Hm."),
        )
    for name, other_version in (("three", 3), ("true", True), ("text", "2")):
        yield reads(
            f"x402-version-{name}",
            "X402",
            "A version that is not known may count money in another way.",
            task("INPUT_REQUIRED", "Hm.", demands(x402Version=other_version)),
            text("Hm."),
            members=unread("Hm."),
            flags=["attack"],
        )
    method = {"supported_methods": "https://www.x402.org/", "data": samples.REQUIRED[2]}
    cart = {"ap2.mandates.CartMandate": {"id": "cart-1", "payment_request": {"method_data": [method]}}}
    shown: Case = {"kind": "artifact", "mime": "application/json", "artifact_type": "x1"}
    shown["bytes_ref"] = {"kind": "inline", "data_base64": standard(cart)}
    yield reads(
        "x402-in-a-cart",
        "X402",
        "The demand may stand in a cart of AP2, which stays as it is.",
        task(
            "INPUT_REQUIRED",
            "Pay first.",
            {"x402.payment.status": "payment-required"},
            artifacts=[{"artifactId": "x1", "parts": [{"data": cart}]}],
        ),
        shown,
        carried(by_x402()),
    )


def event(found: Case) -> str:
    """One event of a stream."""
    return f"data: {json.dumps(found, ensure_ascii=False)}\n\n"


def streams() -> Iterator[Case]:
    """Demands in a stream."""
    here = {"taskId": "t9", "contextId": "c9"}

    def update(state: str, words: str, metadata: Case) -> str:
        return event({"statusUpdate": {**here, "status": task(state, words, metadata)["status"]}})

    opened = event({"task": {"id": "t9", "contextId": "c9", "status": {"state": "TASK_STATE_WORKING"}}})
    done = event({"statusUpdate": {**here, "status": {"state": "TASK_STATE_COMPLETED"}}})
    late = event({"artifactUpdate": {**here, "artifact": {"artifactId": "x1", "parts": [{"text": "Rain."}]}}})
    agree = KINDS["consent"]
    artifact: Case = {"kind": "artifact", "mime": "text/plain", "artifact_type": "x1"}
    artifact["bytes_ref"] = {"kind": "inline", "data_base64": standard(b"Rain.")}
    for name, why, chunks, parts, members in (
        (
            "stream-final-in-auth-required",
            "A demand is the last word, even where a task may go on by itself.",
            [opened, update("AUTH_REQUIRED", "Please agree.", own(agree)), late, done],
            [carried(agree)],
            where("auth-required"),
        ),
        (
            "stream-auth-required-goes-on",
            "Without a demand a task that waits for authorization may go on by itself.",
            [opened, update("AUTH_REQUIRED", "Hm.", {}), late, done],
            [artifact],
            where("completed"),
        ),
        (
            "stream-demand-after-pieces",
            "What was told before the demand stays, before it.",
            [opened, late, update("INPUT_REQUIRED", "Pay 1 €.", own(PAY))],
            [artifact, carried(PAY)],
            where("input-required"),
        ),
    ):
        value = {"reply_to": "m1", "parts": parts, "status": "ok", **members}
        yield made(name, "R40", why, {"chunks": chunks, "to": TO}, value=value, flags=["streaming"])


def gets(name: str, section: str, why: str, unit: Case, *parts: Case, notes: tuple[str, ...] = (), **more: Any) -> Case:
    """A task or message of a peer, and the message that it becomes."""
    given = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
    found = message(parts, PEER if "peer" in unit else "@anonymous@a2a.invalid", "a2a", thread_id="t9", **more)
    return received(name, section, why, unit, given=given, messages=[found], diagnostics=list(notes), candidate=None)


def deliveries() -> Iterator[Case]:
    """Demands of peers that are received as messages."""

    def peer(found: Case) -> Case:
        return {"task": found, "peer": PEER}

    yield gets("task", "R40", "A result may demand.", peer(task("INPUT_REQUIRED", "Pay 1 €.", own(PAY))), carried(PAY))
    more = peer(task("INPUT_REQUIRED", "It will rain.", own(PAY)))
    yield gets(
        "other-words", "R40", "What else is said stays, before the demand.", more, text("It will rain."), carried(PAY)
    )
    alone = {**said("No.", own(NO)), "taskId": "t9"}
    yield gets("message", "R40", "So may a message.", {"message": alone, "peer": PEER}, carried(NO))
    yield gets(
        "message-by-x402",
        "X402",
        "By x402, too.",
        {"message": {**said("Pay first.", demands()), "taskId": "t9"}, "peer": PEER},
        carried(by_x402()),
    )
    why = "Who asks for something demands nothing: only answers have demands."
    asks = {**alone, "role": "ROLE_USER"}
    yield gets("request", "R40", why, {"message": asks}, text("No."))
    status = task("REJECTED", "No.", own({"kind": "forbidden"}))
    raw = {
        "task": status,
        "message": status["status"]["message"],
        "envelope": {"dialect": "1.0"},
    }
    yield gets(
        "malformed-typed",
        "PP 3.6",
        "What cannot be read costs the demand alone: the text stays, and what came stays in raw.",
        peer(status),
        text("No."),
        notes=("policy-malformed",),
        raw=raw,
    )
    for name, found in (
        ("text", "pay"),
        ("array", [NO]),
        ("number-as-kind", {**NO, "kind": 7}),
        ("number-as-message", {**NO, "message": 7}),
        ("no-offer", {**PAY, "accepted_payments": []}),
        ("no-state", without(KINDS["consent"], "state")),
        ("plain-return", {**KINDS["consent"], "return_to": "http://hub.example/back"}),
    ):
        yield gets(
            f"malformed-{name}",
            "PP",
            "What is not of the form that it must have counts for nothing, and is never guessed.",
            peer(task("INPUT_REQUIRED", "Hm.", own(found))),
            text("Hm."),
            notes=("policy-malformed",),
        )
    limit = {name: member for name, member in KINDS["limit"].items() if name != "retry_after_seconds"}
    for name, found, kept in (
        ("key-without-domain", {**NO, "data": {"order": 1, "com.example.a": 1}}, {**NO, "data": {"com.example.a": 1}}),
        (
            "languages-by-case",
            {**NO, "message_translations": {"de": {"message": "a"}, "DE": {"message": "b"}}},
            {**NO, "message_translations": {"de": {"message": "a"}}},
        ),
        ("large-number", {**NO, "com.example.n": 2**60}, NO),
        ("wait-below-zero", {**KINDS["limit"], "retry_after_seconds": -1}, limit),
        ("code-as-number", {**NO, "code": 5}, NO),
    ):
        yield gets(
            f"lenient-{name}",
            "R54",
            "A member that does not fit costs itself; the demand holds.",
            peer(task("INPUT_REQUIRED", "Hm.", own(found))),
            text("Hm."),
            carried(kept),
            notes=("member-dropped",),
        )
    yield gets(
        "null",
        "D B11",
        "Null is as if it were not there.",
        peer(task("INPUT_REQUIRED", "Hm.", own(None))),
        text("Hm."),
    )
    for name, url in (
        ("other", AWAY),
        ("subdomain", "https://pay.agents.example/"),
        ("port", "https://agents.example:444/"),
        ("dots", "https://agents.example/a/../b"),
    ):
        yield gets(
            f"url-{name}",
            "PP",
            "A demand leads nowhere but to the agent that makes it; the rest of it counts.",
            peer(task("REJECTED", "No.", own({**NO, "url": url, "action_label": "Here"}))),
            carried(NO),
            notes=("url-refused",),
        )
    for name, url in (
        ("plain-http", PAGE.replace("https", "http")),
        ("script", "javascript:alert(1)"),
        ("user", "https://agents.example@evil.example/"),
        ("backslash", "https://agents.example\\@evil.example/"),
    ):
        yield gets(
            f"unshowable-url-{name}",
            "R54",
            "What is no link that may be shown is left out; the rest of the demand counts.",
            peer(task("REJECTED", "No.", own({**NO, "url": url}))),
            carried(NO),
            notes=("member-dropped",),
        )
    linked = {**NO, "url": PAGE, "action_label": "Here"}
    yield gets(
        "url-of-the-peer",
        "PP",
        "The link to the agent itself stays.",
        peer(task("REJECTED", "No.", own(linked))),
        carried(linked),
    )
    broken = {**demands(), "x402.payment.required": {**samples.REQUIRED[2], "accepts": [{"scheme": "exact"}]}}
    yield gets(
        "x402-malformed",
        "X402",
        "What cannot be paid is no demand.",
        peer(task("INPUT_REQUIRED", "Hm.", broken)),
        text("Hm."),
        notes=("policy-malformed",),
    )
    none = {"x402.payment.status": "payment-required"}
    yield gets(
        "x402-nothing",
        "X402",
        "A demand that nothing says is none.",
        peer(task("INPUT_REQUIRED", "Hm.", none)),
        text("Hm."),
        notes=("policy-malformed",),
    )
    both = {**own({"kind": "payment_required", "message": "Pay."}), **demands()}
    yield gets(
        "x402-own-is-malformed",
        "X402",
        "That the demand itself cannot be read is told, and its shadow counts.",
        peer(task("INPUT_REQUIRED", "Pay first.", both)),
        carried(by_x402()),
        notes=("policy-malformed",),
    )
    claimed = {"policy_resolution": {"in_reply_to_state": STATE, "kind": "consent_required"}}
    yield gets(
        "receipt-in-an-answer",
        "R38",
        "Who answers pays nothing: only requests have receipts.",
        {"message": {**said("Hm.", {"mentionable": claimed}), "taskId": "t9"}, "peer": PEER},
        text("Hm."),
    )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-a2a-result", "a2a.result", [*results(), *of_x402(), *streams()]
    yield "wire-a2a-received", "a2a.receive", [*deliveries()]
