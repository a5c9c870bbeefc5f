"""Demands that go out on A2A: `conformance/v0.1/policy/wire-a2a-out.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_a2a import WAYS, asked, frame, slug, state
from tests.vectors._answer_a2a import text as said_text
from tests.vectors._answer_rows import ANY, DONE, PLAIN, Case, answer
from tests.vectors._policy_wire_rows import BACK, KINDS, NO, PAGE, PAY, STATE, carried, rows, x402

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTENSION: Final = "https://mentionable.dev/ns/policy/v0.1"
STATES: Final = {
    "unauthorized": "auth-required",
    "consent": "auth-required",
    "payment": "input-required",
    "forbidden": "rejected",
    "legal": "rejected",
    "limit": "failed",
    "outage": "failed",
    "unknown": "failed",
}
made = rows("wire-a2a-out", "reply", "a2a")


def case(name: str, section: str, why: str, said: Any, question: Case | None = None, **more: Any) -> Case:
    """An answer, and facts about what goes out."""
    said = said if isinstance(said, dict) and "parts" in said else answer(*said)
    given: Case = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
    if "settings" in more:
        given["settings"] = more.pop("settings")
    if "facts" in more:
        more.setdefault("diagnostics", [])
    unit = {"question": question or asked(taskId="t1"), "response": said}
    return made(name, section, why, unit, given=given, **more)


def refused(name: str, section: str, why: str, *parts: Case, **more: Any) -> Case:
    """A response that may not go out."""
    return case(name, section, why, answer(*parts), rejected={"code": "malformed"}, **more)


def places() -> Iterator[Case]:
    """Where a demand stands, and what people read who see no structure."""
    stops = "A demand is a state that clients stop at, and none is a success."
    for name, policy in KINDS.items():
        for way in ("1.0", "0.3"):
            yield case(
                f"state-of-{name}-{slug(way)}",
                "D B11",
                stops,
                [carried(policy)],
                asked(way, taskId="t1"),
                facts={"state": state(way, STATES[name]), "task": "t1"},
            )
    for way in WAYS:
        linked = {**PAY, "title": "One more step", "url": PAGE, "action_label": "Pay now"}
        words = f"One more step\nPay 1 €.\nPay now: {PAGE}"
        yield case(
            f"place-{slug(way)}",
            "PP",
            "Programs find the demand in the message of the last status, people find its words and where to act.",
            [PLAIN, carried(linked)],
            asked(way, taskId="t1"),
            facts={
                "policy": linked,
                "message_extensions": [EXTENSION],
                "parts": [said_text(way, "It will rain."), said_text(way, words)],
            },
        )
    yield case(
        "unknown-members",
        "PP 3.6",
        "A kind that is not known keeps every member.",
        [carried(KINDS["unknown"])],
        facts={"policy": KINDS["unknown"]},
    )
    yield case(
        "no-task",
        "D B11",
        "Only a task can wait: one is made.",
        [carried(NO)],
        asked(),
        facts={"state": "TASK_STATE_REJECTED", "policy": NO, "context": "ctx"},
    )
    yield case(
        "nothing-demanded",
        "D B17",
        "An extension that is not used is not named.",
        [PLAIN],
        facts={"policy": None, "message_extensions": [], "payment": {}},
    )
    yield case(
        "stream-whole",
        "R40",
        "Told as a stream, only the last event has the demand.",
        [PLAIN, carried(NO)],
        asked(stream=True, taskId="t1"),
        facts={"demanding": [False, True], "policy": NO, "state": "TASK_STATE_REJECTED"},
    )
    for way in ("1.0", "0.3"):
        question = asked(way, stream=True, taskId="t1")
        yield case(
            f"stream-first-frame-{slug(way)}",
            "R40",
            "What comes before the last frame demands nothing.",
            frame(0, PLAIN),
            question,
            facts={"demanding": [False, False], "state": None},
        )
        yield case(
            f"stream-last-frame-{slug(way)}",
            "R40",
            "The last frame ends the artifact, and then the task with the demand.",
            frame(2, DONE, carried(PAY), final=True),
            question,
            facts={"demanding": [False, True], "policy": PAY, "state": state(way, "input-required")},
        )


def payments() -> Iterator[Case]:
    """Demands that clients of x402 see, too."""
    for version, terms in samples.TERMS.items():
        required: Case = {"x402Version": version, "error": True, "accepts": [terms]}
        if version == 2:
            required["resource"] = samples.RESOURCE
        wanted = {"x402.payment.status": "payment-required", "x402.payment.required": required}
        for way in ("1.0", "0.3"):
            yield case(
                f"x402-v{version}-{slug(way)}",
                "X402",
                "Clients that know x402 alone find its keys beside the demand.",
                [carried(x402(version, state=STATE))],
                asked(way, taskId="t1"),
                facts={
                    "payment": wanted,
                    "policy": x402(version, state=STATE),
                    "state": state(way, "input-required"),
                },
            )
    yield case(
        "x402-not-offered",
        "X402",
        "Other ways to pay have no keys of x402.",
        [carried(PAY)],
        facts={"payment": {}, "policy": PAY},
    )
    both = x402(2, *PAY["accepted_payments"], samples.WAYS[2])
    required = {**samples.REQUIRED[2], "error": True}
    yield case(
        "x402-beside-others",
        "X402",
        "Clients of x402 see what they can pay, all others see everything.",
        [carried(both)],
        facts={
            "payment": {"x402.payment.status": "payment-required", "x402.payment.required": required},
            "policy": both,
        },
    )
    named = {**samples.WAYS[2], "label": "Pay $0.01", "description": "Base Sepolia"}
    yield case(
        "offers-in-words",
        "PP",
        "Who knows no scheme reads what each way to pay is, and where to act.",
        [carried(x402(2, named, {"scheme": "example.new", "payload": {}, "label": "Voucher"}, url=PAGE))],
        facts={"parts": [{"text": f"Pay first.\n- Pay $0.01: Base Sepolia\n- Voucher\n{PAGE}"}]},
    )


def refusals() -> Iterator[Case]:
    """Demands that may not go out."""
    own = "A demand sends people nowhere but to the agent that makes it."
    for name, url in (
        ("foreign-host", "https://pay.example/"),
        ("subdomain", "https://pay.agents.example/"),
        ("longer-host", "https://agents.example.evil.example/"),
        ("user-in-url", "https://agents.example@evil.example/"),
        ("other-port", "https://agents.example:8443/"),
        ("plain-http", "http://agents.example/pay"),
    ):
        yield refused(f"refused-{name}", "PP", own, carried({**NO, "url": url}), flags=["attack"])
    realm = {"scheme": "Bearer", "params": {"authorization_uri": "https://login.example/"}}
    yield refused(
        "refused-foreign-challenge",
        "PP",
        own,
        carried({**KINDS["unauthorized"], "auth_challenges": [realm]}),
        flags=["attack"],
    )
    hosts = {"policy_hosts": ["pay.example"]}
    yield case(
        "configured-host",
        "PP",
        "A host counts as the agent's when its operator says so, exactly.",
        [carried({**NO, "url": "https://pay.example/"})],
        settings=hosts,
        facts={"policy": {**NO, "url": "https://pay.example/"}},
    )
    guess = "A state that can be guessed lets anybody answer for the payer."
    for name, found in (("short", "abc123"), ("spaced", f"{STATE} "), ("long", "x" * 129)):
        yield refused(
            f"refused-{name}-state", "PP", guess, carried({**KINDS["consent"], "state": found}), flags=["attack"]
        )
    yield refused(
        "refused-no-offer", "PP", "Who can pay in no way never can.", carried({**PAY, "accepted_payments": []})
    )
    yield refused(
        "refused-no-return",
        "PP",
        "A person must come back from consent, over https.",
        carried({**KINDS["consent"], "return_to": BACK.replace("https", "http")}),
    )
    yield refused("refused-no-message", "PP", "People must be told.", carried({"kind": "forbidden"}))
    yield refused("refused-before-the-end", "R40", "A demand ends an answer.", carried(NO), PLAIN)
    yield refused("refused-twice", "R40", "There is at most one demand.", carried(NO), carried(PAY))
    yield case(
        "refused-in-a-frame",
        "R40",
        "Only the final frame demands.",
        frame(0, carried(NO)),
        asked(stream=True, taskId="t1"),
        rejected={"code": "malformed"},
    )
    yield case(
        "members-around-it",
        "D B11",
        "What stands around a policy has no place; the diagnostic says so.",
        [{**carried(NO), "later": 1}],
        facts={"policy": NO, "message_id": ANY},
        diagnostics=["part-changed"],
        level="SHOULD",
    )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-a2a-out", "a2a.reply", [*places(), *payments(), *refusals()]
