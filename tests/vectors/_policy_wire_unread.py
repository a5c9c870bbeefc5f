"""Demands on A2A that cannot be read: `conformance/v0.1/policy/wire-a2a-unread.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_a2a_back import TO
from tests.vectors._answer_rows import Case, standard
from tests.vectors._own_words import own_words
from tests.vectors._policy_wire_a2a_back import RPC, by_x402, event, own, said, task, unread, where
from tests.vectors._policy_wire_rows import NO, PAY, REQUIRED, carried, demands, rows, text

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_WORDS: Final = "The agent demands something that cannot be read."
BAD: Final[Case] = {"kind": "forbidden"}
made = rows("wire-a2a-unread", "a2a")


def answers(name: str, section: str, why: str, result: Case, *parts: Case, **more: Any) -> Case:
    """What comes back of a call, and the response that it is."""
    members = more.pop("members", None) or {"status": "ok"}
    if "task" in result:
        members |= where(result["task"]["status"]["state"].removeprefix("TASK_STATE_").lower().replace("_", "-"))
    headers = [["content-type", "application/json"]]
    unit = {"response": {"status": 200, "headers": headers, "body": {**RPC, "result": result}}, "to": TO}
    return made(name, section, why, unit, value={"reply_to": "m1", "parts": list(parts), **members}, **more)


def waiting(words: str, state: str = "input-required") -> Case:
    """What a response says of a task that waits for something that cannot be read."""
    return {**unread(words), **where(state)}


def results() -> Iterator[Case]:
    """Whole answers."""
    done = "What was asked for is not done, whatever cannot be read: nobody must take it for an answer."
    hm = text("Hm.")
    for name, bad in (
        ("object", BAD),
        ("text", "pay"),
        ("number", 7),
        ("array", [NO]),
        ("false", False),
        ("blank-message", {**NO, "message": " "}),
        ("no-offer", {**PAY, "accepted_payments": []}),
    ):
        found = {"task": task("INPUT_REQUIRED", "Hm.", own(bad))}
        yield answers(f"own-{name}", "R40", done, found, hm, members=waiting("Hm."))
    for state in ("completed", "auth-required"):
        spelled = state.upper().replace("-", "_")
        members = unread("Hm.") if state == "completed" else waiting("Hm.", state)
        found = {"task": task(spelled, "Hm.", own(BAD))}
        yield answers(f"in-{state}", "R40", done, found, hm, members=members)
    yield answers("message", "R40", done, {"message": said("Hm.", own(BAD))}, hm, members=unread("Hm."))
    empty = {**samples.demands(), "x402.payment.required": {**REQUIRED[2], "accepts": [{"scheme": "exact"}]}}
    status = {"x402.payment.status": "payment-required"}
    for name, metadata in (
        ("x402-nothing", status),
        ("x402-no-way-to-pay", empty),
        ("x402-too-large", demands(later="x" * 65_536)),
        ("x402-beside-own", {**own(BAD), **empty}),
    ):
        found = {"task": task("INPUT_REQUIRED", "Hm.", metadata)}
        yield answers(name, "X402", done, found, hm, members=waiting("Hm."))
    found = {"message": said("Hm.", status)}
    yield answers("x402-message", "X402", done, found, hm, members=unread("Hm."))
    silent = "Who says nothing is told for."
    data: Case = {"data": {"a": 1}}
    for suffix, words, level in own_words(NO_WORDS):
        found = {"task": task("INPUT_REQUIRED", "", own(BAD), {"text": ""})}
        members = waiting(words)
        yield answers(f"no-words{suffix}", "R40", silent, found, text(""), members=members, level=level)
        found = {"message": said("", own(BAD), data)}
        shown = _artifact(data, number="a2a.data")
        yield answers(f"no-words-but-data{suffix}", "R40", silent, found, shown, members=unread(words), level=level)
    found = {"task": task("INPUT_REQUIRED", "Ask Bob.", own(BAD), {"text": "Hm."})}
    why = "All words that came are those of the error."
    yield answers("two-texts", "R40", why, found, hm, text("Ask Bob."), members=waiting("Hm.\n\nAsk Bob."))
    failed = "A task that failed anyway failed for its own reason."
    for state, code in (("failed", "a2a:failed"), ("rejected", "a2a:rejected"), ("canceled", "a2a:canceled")):
        found = {"task": task(state.upper(), "Hm.", own(BAD))}
        error = {"status": "error", "error": {"code": code, "message": "Hm.", "retriable": False}}
        yield answers(f"task-{state}", "R40", failed, found, hm, members=error)
    reason = {"mentionable": {"policy": BAD, "error": {"code": "busy", "message": "Busy.", "retriable": True}}}
    error = {"status": "error", "error": {"code": "busy", "message": "Busy.", "retriable": True}}
    found = {"task": task("FAILED", "Hm.", reason)}
    yield answers("task-failed-for-a-reason", "R40", failed, found, hm, members=error)
    whole = "What can be read counts, whatever stands beside it."
    found = {"task": task("INPUT_REQUIRED", "No.", {**own(NO), **empty})}
    goes_on = {"status": "ok", **where("input-required")}
    yield answers("own-beside-broken-x402", "X402", whole, found, carried(NO), members=goes_on)
    null = "Null is as if it were not there."
    found = {"task": task("COMPLETED", "Hm.", own(None))}
    yield answers("null", "D B11", null, found, hm)
    found = {"task": task("COMPLETED", "Hm.", {"mentionable": {"policy": None, "later": 1}})}
    yield answers("null-beside-others", "D B11", null, found, hm)
    quiet = "What is paid, or failed, is not demanded."
    found = {"task": task("COMPLETED", "Hm.", {**empty, "x402.payment.status": "payment-completed"})}
    yield answers("x402-not-demanded", "X402", quiet, found, hm)
    blank = "A payment is demanded whatever the words are, and blanks are no words."
    found = {"task": task("INPUT_REQUIRED", " ", demands())}
    yield answers("x402-blank-words", "X402", blank, found, {"$any": "json"}, carried(by_x402()), members=goes_on)


def _cart(amount: str) -> Case:
    """A part of an artifact that demands a payment."""
    required = {**REQUIRED[2], "accepts": [{**samples.TERMS[2], "amount": amount}]}
    method = {"supported_methods": "https://www.x402.org/", "data": required}
    return {"data": {"ap2.mandates.CartMandate": {"payment_request": {"method_data": [method]}}}}


def _demand(amount: str) -> Case:
    """The demand of a cart."""
    offered = {**samples.OFFERED[2], "requirement": {**samples.TERMS[2], "amount": amount}}
    return {**by_x402(), "accepted_payments": [{**samples.WAYS[2], "payload": offered}]}


def _artifact(*parts: Case, number: str = "x1") -> Case:
    """An artifact of JSON, as it is read."""
    found: Case = {"kind": "artifact", "mime": "application/json", "artifact_type": number}
    (part,) = parts
    found["bytes_ref"] = {"kind": "inline", "data_base64": standard(part["data"])}
    return found


def streams() -> Iterator[Case]:
    """Demands in a stream: what was replaced demands nothing."""
    here: Case = {"taskId": "t9", "contextId": "c9"}

    def status(metadata: Case, words: str = "Pay first.") -> str:
        return event({"statusUpdate": {**here, "status": task("INPUT_REQUIRED", words, metadata)["status"]}})

    def piece(part: Case, number: str = "x1", *, append: bool = False) -> str:
        more = {"append": True} if append else {}
        return event({"artifactUpdate": {**here, "artifact": {"artifactId": number, "parts": [part]}, **more}})

    def told(name: str, section: str, why: str, chunks: list[str], parts: list[Case], members: Case) -> Case:
        value = {"reply_to": "m1", "parts": parts, **members}
        return made(name, section, why, {"chunks": chunks, "to": TO}, value=value, flags=["streaming"])

    opened = event({"task": {"id": "t9", "contextId": "c9", "status": {"state": "TASK_STATE_WORKING"}}})
    pay = status({"x402.payment.status": "payment-required"})
    one, other = _cart("10000"), _cart("20000")
    goes_on = {"status": "ok", **where("input-required")}
    why = "What cannot be read ends no success."
    chunks = [opened, status(own(BAD), "Hm.")]
    yield told("stream", "R40", why, chunks, [text("Hm.")], waiting("Hm."))
    why = "An artifact that was replaced is none: nobody shall pay for what is no more offered."
    parts = [_artifact(other), carried(_demand("20000"))]
    yield told("cart-replaced", "X402", why, [opened, piece(one), piece(other), pay], parts, goes_on)
    done = {"data": {"a": 1}}
    chunks = [opened, piece(one), piece(done), pay]
    yield told(
        "cart-taken-away", "X402", why, chunks, [_artifact(done), text("Pay first.")][::-1], waiting("Pay first.")
    )
    whole = {"id": "t9", "contextId": "c9", "artifacts": [{"artifactId": "x1", "parts": [other]}]}
    whole["status"] = {"state": "TASK_STATE_WORKING"}
    chunks = [opened, piece(one), event({"task": whole}), pay]
    yield told("cart-replaced-by-the-task", "X402", why, chunks, parts, goes_on)
    why = "What is appended takes nothing away."
    chunks = [opened, piece(one), piece(done, append=True), pay]
    demand = carried(_demand("10000"))
    yield told("cart-appended-to", "X402", why, chunks, [_artifact(one), _artifact(done), demand], goes_on)
    chunks = [opened, piece(done), piece(one, append=True), pay]
    yield told("cart-appended", "X402", why, chunks, [_artifact(done), _artifact(one), demand], goes_on)
    why = "Another artifact takes nothing away, either."
    chunks = [opened, piece(one), piece(done, "x2"), pay]
    parts = [_artifact(one), _artifact(done, number="x2"), carried(_demand("10000"))]
    yield told("cart-beside-another", "X402", why, chunks, parts, goes_on)


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-a2a-unread", "a2a.result", [*results(), *streams()]
