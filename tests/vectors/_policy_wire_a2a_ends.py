"""Receipts that are sent, and how payments ended: `conformance/v0.1/policy/wire-a2a-call.json`, `wire-a2a-end.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_a2a import ERROR, URL, WAYS, asked, frame, slug, spelled, state
from tests.vectors._answer_a2a_back import TO
from tests.vectors._answer_rows import ANY, PLAIN, Case, answer
from tests.vectors._policy_wire_a2a_receipts import AGREED, PAID, own, resolution
from tests.vectors._policy_wire_rows import PAY, PAYER, carried, pays, rows, x402

if TYPE_CHECKING:
    from collections.abc import Iterator

RECEIPT: Final[Case] = {"success": True, "transaction": "0x1", "network": "eip155:84532", "payer": PAYER}
ENDED: Final[Case] = {"x402.payment.status": "payment-completed", "x402.payment.receipts": [RECEIPT]}
FAILED: Final[Case] = {
    "x402.payment.status": "payment-failed",
    "x402.payment.receipts": [{**RECEIPT, "success": False, "transaction": ""}],
    "x402.payment.error": "EXPIRED_PAYMENT",
}
sent = rows("wire-a2a-call", "a2a")
told = rows("wire-a2a-end", "reply", "a2a")


def calls() -> Iterator[Case]:
    """Receipts that go out with a call."""

    def sends(name: str, section: str, why: str, receipt: Any, facts: Case | None = None, **unit: Any) -> Case:
        outcome: Case = {"rejected": {"code": "malformed"}} if facts is None else {"facts": facts}
        return sent(name, section, why, {"message": TO, "url": URL, "receipt": receipt, **unit}, **outcome)

    paid, agreed = own(resolution(PAID)), own(resolution(AGREED, "consent_required"))
    why = "A receipt stands where the agent that demanded looks for it, in the task that waits."
    for way in WAYS:
        for name, receipt in (("payment", paid), ("x402", pays())):
            facts: Case = {"request_metadata": receipt, "request_task": "t9"}
            yield sends(f"{name}-{slug(way)}", "PP", why, receipt, facts, task_id="t9", dialect=way)
    yield sends("consent", "PP", why, agreed, {"request_metadata": agreed, "request_task": "t9"}, task_id="t9")
    chain = {"mention_relay": {"kind": "inline"}}
    hinted = {"recipient_capabilities": chain, **paid["mentionable"]}
    why = "What else a call tells stays."
    message = {**TO, "recipient_capabilities": chain}
    yield sends("beside-hints", "NM 3.3.4", why, paid, {"request_hints": hinted}, message=message)
    yield sends("none", "PP", "Who pays nothing shows nothing.", {}, {"request_metadata": {}})
    why = "A receipt is what a wallet or a person gave, and nothing else."
    for name, receipt in (
        ("text", "paid"),
        ("array", [paid]),
        ("hints", {"mentionable": {"recipient_capabilities": {}}}),
        ("hints-of-text", {"mentionable": "paid"}),
        ("other-keys", {"x402.payment.receipts": [RECEIPT]}),
    ):
        yield sends(f"refused-{name}", "PP", why, receipt)


def ends() -> Iterator[Case]:
    """How a payment ended, told with an answer."""

    def tells(name: str, why: str, said: Any, settlement: Any, facts: Case | None, **more: Any) -> Case:
        said = said if isinstance(said, dict) and "parts" in said else answer(*said)
        given: Case = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
        unit = {"question": more.pop("question", asked(taskId="t1")), "response": said, "settlement": settlement}
        outcome: Case = {"rejected": {"code": "malformed"}} if facts is None else {"facts": facts, "diagnostics": []}
        return told(name, "X402", why, unit, given=given, **outcome, **more)

    why = "Clients of x402 read in the last word of a task how their payment ended."
    for way in WAYS:
        question = asked(way, taskId="t1")
        facts: Case = {"payment": ENDED, "state": state(way, "completed"), "task": "t1"}
        yield tells(f"completed-{slug(way)}", why, [PLAIN], ENDED, facts, question=question)
    failed = answer(**ERROR)
    facts = {"payment": FAILED, "state": state("1.0", "failed"), "task": "t1"}
    yield tells("failed", why, failed, FAILED, facts)
    facts = {"payment": ENDED, "spelling": spelled("1.0", "task"), "task": ANY}
    yield tells(
        "without-a-task", "A payment is of a task, so the answer is one.", [PLAIN], ENDED, facts, question=asked()
    )
    facts = {"payment": ENDED, "state": state("1.0", "completed")}
    image = {"kind": "artifact", "mime": "text/plain", "artifact_type": "x"}
    image["bytes_ref"] = {"kind": "inline", "data_base64": "AAEC"}
    yield tells("artifacts-alone", "Where there are no words, too.", [image], ENDED, facts)
    question = asked(stream=True, taskId="t1")
    last = frame(0, PLAIN, final=True)
    yield tells("stream", why, last, ENDED, {"payment": ENDED, "state": state("1.0", "completed")}, question=question)
    first = {"has": {"wire": {"payment-completed": False}}}
    yield tells(
        "stream-goes-on", "Before the last word nothing has ended.", frame(0, PLAIN), ENDED, first, question=question
    )
    demand = x402(2, state=samples.STATE)
    wanted = {**samples.REQUIRED[2], "error": True}
    whole = {**FAILED, "x402.payment.status": "payment-required", "x402.payment.required": wanted}
    why = "Where it is demanded again, that counts, and what failed is told."
    yield tells("demanded-again", why, [carried(demand)], FAILED, {"payment": whole, "policy": demand})
    yield tells("beside-another-demand", why, [carried(PAY)], FAILED, {"payment": FAILED, "policy": PAY})
    yield tells("none", "Who was paid nothing tells nothing.", [PLAIN], {}, {"payment": {}})
    why = "How a payment ended is what the facilitator said, and nothing else."
    for name, settlement in (
        ("text", "paid"),
        ("array", [ENDED]),
        ("hints", {"mentionable": {"policy": PAY}}),
        ("payload", pays()),
    ):
        yield tells(f"refused-{name}", why, [PLAIN], settlement, None)


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-a2a-call", "a2a.call", [*calls()]
    yield "wire-a2a-end", "a2a.reply", [*ends()]
